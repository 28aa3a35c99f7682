package http_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/quic-go/quic-go/http3"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/peer"
	httpproto "anyurl/proto/http"
)

// TestHTTP3 asks a server over QUIC, one that has only TCP, and one whose
// address is refused.
func TestHTTP3(t *testing.T) {
	pool, cert, key, _ := peer.Certificate(t)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %s over %s", r.Method, r.URL.Path, r.Proto)
	})
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	quic := http3.Server{Handler: handler, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{pair}})}
	served := make(chan struct{})
	go func() { quic.Serve(packets); close(served) }()
	defer func() { quic.Close(); packets.Close(); <-served }()

	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	plain := http.Server{Handler: handler}
	go plain.Serve(listener)
	defer plain.Close()

	get := func(addr, path string, d *dial.Dialer) (string, string, error) {
		d.TLS = &tls.Config{RootCAs: pool}
		tr := httpproto.New(d)
		tr.HTTP3 = true
		c := fetch.Client{Transports: map[string]fetch.Transport{"https": tr}}
		defer c.Close()
		var told strings.Builder
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("https://" + addr + path), Trace: func(e fetch.Event) { fmt.Fprintf(&told, "%c %s\n", e.Kind, e.Text) }})
		if err != nil {
			return "", told.String(), err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return string(b), told.String(), err
	}
	body, told, err := get(packets.LocalAddr().String(), "/a%20b", &dial.Dialer{})
	if body != "GET /a b over HTTP/3.0" || err != nil || !strings.Contains(told, "< HTTP/3.0 200") {
		t.Errorf("%q, %v\n%s", body, err, told)
	}
	body, told, err = get(listener.Addr().String(), "/", &dial.Dialer{})
	if body != "GET / over HTTP/1.1" || err != nil || !strings.Contains(told, "* no HTTP/3 there") {
		t.Errorf("%q, %v\n%s", body, err, told)
	}
	if _, _, err = get(packets.LocalAddr().String(), "/", &dial.Dialer{Allow: dial.Guard}); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("this machine, with the guard on: %v", err)
	}
}
