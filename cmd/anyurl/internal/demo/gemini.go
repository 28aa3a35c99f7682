package demo

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"path"
	"strings"
	"time"

	"anyurl"
	"anyurl/percent"
)

// certificate vouches for itself, as most gemini servers' do, for a day: the
// demo does not live longer.
func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	c := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: "a small internet"},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(24 * time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames:     []string{"localhost"},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// serveGemini serves root as the Gemini protocol's specification says: a URL on
// a line over TLS, a status line and a document back.
func serveGemini(ctx context.Context, l net.Listener, root fs.FS) {
	own, err := certificate()
	if err != nil {
		l.Close()
		return
	}
	config := &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
	accept(ctx, l, func(plain net.Conn) {
		conn := tls.Server(plain, config)
		defer conn.Close() // says that this was all
		line, ok := readLines(conn).next()
		if !ok {
			return
		}
		u, err := anyurl.Parse(line)
		switch {
		case err != nil:
			fmt.Fprint(conn, "59 that is no URL\r\n")
		case u.Scheme() != "gemini" || u.HostPort() != l.Addr().String():
			fmt.Fprint(conn, "53 nothing is asked elsewhere from here\r\n")
		case u.Path() == "/echo" && !u.HasQuery():
			fmt.Fprint(conn, "10 Say something\r\n")
		case u.Path() == "/echo":
			fmt.Fprintf(conn, "20 text/gemini\r\n# You said\n\n> %s\n", oneLine(percent.Decode(u.Query())))
		case u.Path() == "/old":
			fmt.Fprint(conn, "31 /garden.gmi\r\n")
		default:
			name, text, ok := page(root, percent.Decode(u.Path()), "index.gmi")
			if !ok {
				fmt.Fprint(conn, "51 there is no such page\r\n")
				return
			}
			fmt.Fprintf(conn, "20 %s\r\n%s", typeOf(name), text)
		}
	})
}

// page gives the document at a path, or the index of the folder there.
func page(root fs.FS, at, index string) (name string, text []byte, ok bool) {
	name = strings.TrimPrefix(path.Clean("/"+at), "/")
	if name == "" {
		name = "."
	}
	if info, err := fs.Stat(root, name); err == nil && info.IsDir() {
		name = path.Join(name, index)
	}
	text, err := fs.ReadFile(root, name)
	return name, text, err == nil
}

func typeOf(name string) string {
	if path.Ext(name) == ".gmi" {
		return "text/gemini"
	}
	return "text/plain"
}

// oneLine is a client's text where one line is due.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
