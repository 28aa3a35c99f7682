package check_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"anyurl/check"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

// secured starts a server with a certificate for a name, valid until then, and
// gives its URL and the certificate.
func secured(t *testing.T, name string, until time.Time, most uint16) (string, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: until.AddDate(-2, 0, 0), NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS10, MaxVersion: most}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL, cert
}

// TestTLSFaults holds that what is wrong with a server's TLS is told apart.
func TestTLSFaults(t *testing.T) {
	next := time.Now().AddDate(1, 0, 0)
	past := time.Date(2020, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		cert   string
		until  time.Time
		most   uint16
		known  bool
		reason string
	}{
		{"expired", "127.0.0.1", past, 0, true, "the certificate expired on 2020-03-04"},
		{"another name", "other.example", next, 0, true, "the certificate is not for 127.0.0.1"},
		{"nobody vouches", "127.0.0.1", next, 0, false, "nobody known here vouches for the certificate"},
		{"an old protocol", "127.0.0.1", next, tls.VersionTLS10, true, "the server speaks no version of TLS that is still safe"},
	} {
		url, cert := secured(t, tt.cert, tt.until, tt.most)
		roots := x509.NewCertPool()
		if tt.known {
			roots.AddCert(cert)
		}
		client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{TLS: &tls.Config{RootCAs: roots}}, builtin.Options{})}
		var got check.Result
		c := &check.Checker{Client: client, Retries: -1}
		c.Run(context.Background(), links(url+"/"), func(r check.Result) { got = r })
		client.Close()
		if got.State != check.Broken || !strings.HasPrefix(got.Reason, tt.reason) {
			t.Errorf("%s: %s, %q, want broken, %q", tt.name, got.State, got.Reason, tt.reason)
		}
		if len(got.Evidence) == 0 {
			t.Errorf("%s: no evidence", tt.name)
		}
	}
}

// TestTLSHungUp: a server that goes away without a word is told of in words.
func TestTLSHungUp(t *testing.T) {
	got := saying(t, "https", "")
	want := "the server closed the connection during the TLS handshake; perhaps it speaks no TLS on this port, or knows no such name"
	if got.State != check.Broken || got.Reason != want {
		t.Errorf("%s: %q, want broken: %q", got.State, got.Reason, want)
	}
	if len(got.Evidence) == 0 || !strings.HasSuffix(got.Evidence[0], "the server closed the connection during the TLS handshake") {
		t.Errorf("the evidence is %q", got.Evidence)
	}
}

// TestOddHeader holds that a field browsers overlook is no evidence against a
// link.
func TestOddHeader(t *testing.T) {
	got := saying(t, "http", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Odd: \x1b[31mred\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
	if got.State == check.Broken {
		t.Errorf("%s: %s", got.State, got.Reason)
	}
}

// saying is the result for a server that reads once, says its words and goes away.
func saying(t *testing.T, scheme, words string) (got check.Result) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.Read(make([]byte, 4096))
				io.WriteString(conn, words)
			}()
		}
	}()
	client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{}, builtin.Options{})}
	defer client.Close()
	c := &check.Checker{Client: client, Retries: -1}
	c.Run(context.Background(), links(scheme+"://"+l.Addr().String()+"/"), func(r check.Result) { got = r })
	return got
}
