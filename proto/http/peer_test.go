package http_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	httpproto "anyurl/proto/http"
)

// TestNginx is against nginx 1.22: files, parts of them, compression, a folder's
// redirect, and HTTP/2 over TLS.
func TestNginx(t *testing.T) {
	program := peer.Look(t, "nginx", "nginx-light")
	tree := peer.Tree(t)
	dir := t.TempDir()
	peer.Open(t, dir)
	pool, cert, key, _ := peer.Certificate(t)
	clear, secure := peer.Port(t), peer.Port(t)
	conf := fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log %[1]s/err.log; worker_processes 1; events{}
http{ access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	types{ text/plain txt; text/html html; } default_type application/octet-stream; gzip on; gzip_types text/plain; gzip_min_length 1;
	server{ listen 127.0.0.1:%[2]d; listen 127.0.0.1:%[3]d ssl http2; ssl_certificate %[4]s; ssl_certificate_key %[5]s; root %[6]s; autoindex on; absolute_redirect off; } }
`, dir, clear, secure, cert, key, tree)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	p := peer.Start(t, exec.Command(program, "-c", file, "-e", filepath.Join(dir, "err.log")))
	p.Await(t, peer.Addr(clear))
	tr := httpproto.New(&dial.Dialer{TLS: &tls.Config{RootCAs: pool}})
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": tr, "https": tr}}
	fetchtest.Opened(t, peer.Version("nginx-light"), &c)
	defer c.Close()
	big := strings.Repeat("the same line over and over\n", 4000)
	for base, protocol := range map[string]string{"http://" + peer.Addr(clear): "HTTP/1.1", "https://" + peer.Addr(secure): "HTTP/2.0"} {
		get := func(path string, change ...func(*fetch.Request)) (*fetch.Result, string) {
			req := &fetch.Request{URL: anyurl.MustParse(base + path)}
			for _, f := range change {
				f(req)
			}
			got, err := c.Do(t.Context(), req)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			defer got.Body.Close()
			b, err := io.ReadAll(got.Body)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return got, string(b)
		}
		got, body := get("/pub/blob.bin")
		if body != string(peer.Blob()) || got.Size != 3000 || got.Protocol != protocol || got.Status != 200 || got.ModTime.IsZero() || got.Type != "application/octet-stream" {
			t.Errorf("%+v", got.Response)
		}
		if got, body = get("/pub/big.txt"); body != big || got.Size != -1 {
			t.Errorf("compressed: %d octets, size %d", len(body), got.Size)
		}
		etag := got.Header["Etag"]
		if got, body = get("/pub/big.txt", func(r *fetch.Request) { r.Offset = 1000 }); got.Status != 206 || got.Offset != 1000 || body != big[1000:] {
			t.Errorf("a part: %d, %d octets from %d", got.Status, len(body), got.Offset)
		}
		if got, body = get("/pub/big.txt", func(r *fetch.Request) { r.Offset, r.Validator = 1000, `"other"` }); got.Status != 200 || got.Offset != 0 || body != big {
			t.Errorf("a part of what has changed: %d, %d octets from %d", got.Status, len(body), got.Offset)
		}
		if got, body = get("/pub/big.txt", func(r *fetch.Request) { r.Offset = int64(len(big)) }); got.Size != 0 || got.Offset != int64(len(big)) || body != "" {
			t.Errorf("nothing is left: %+v", got.Response)
		}
		if len(etag) != 1 {
			t.Errorf("no ETag in %v", got.Header)
		}
		if got, body = get("/pub"); len(got.Hops) != 2 || !got.Hops[0].Permanent || got.URL.Path() != "/pub/" || !strings.Contains(body, "hello.txt") {
			t.Errorf("a folder: %+v", got.Hops)
		}
		if got, _ = get("/nothing"); got.Status != 404 {
			t.Errorf("not found: %d", got.Status)
		}
		if got, body = get("/pub/blob.bin", func(r *fetch.Request) { r.Method = "HEAD" }); body != "" || got.Size != 3000 {
			t.Errorf("HEAD: %+v", got.Response)
		}
		if _, body = get("/pub/caf%C3%A9.txt"); body != "café\n" {
			t.Errorf("%q", body)
		}
		if _, body = get("/dir%20with%20space/a%20file.txt"); body != "spaces\n" {
			t.Errorf("%q", body)
		}
		// Into a file.
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(base + "/pub/blob.bin")})
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(out, res.Body)
		res.Body.Close()
		out.Close()
		if b, _ := os.ReadFile(out.Name()); !bytes.Equal(b, peer.Blob()) {
			t.Errorf("into a file: %d octets", len(b))
		}
	}
}
