package http_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	httpproto "anyurl/proto/http"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "you asked for "+r.RequestURI)
	}))
	defer server.Close()

	t := httpproto.New(&dial.Dialer{})
	defer t.Close()
	client := fetch.Client{Transports: map[string]fetch.Transport{"http": t}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(server.URL + "/a|b?c")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	// Output:
	// you asked for /a|b?c
}

// one is a listener with one connection.
type one struct {
	conns chan net.Conn
	addr  net.Addr
}

func (l *one) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (l *one) Close() error   { return nil }
func (l *one) Addr() net.Addr { return l.addr }

// watched tells when its connection is closed.
type watched struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (w *watched) Close() error {
	w.once.Do(func() { close(w.closed) })
	return w.Conn.Close()
}

// serve serves one connection with net/http until it is closed.
func serve(conn net.Conn, h http.Handler) {
	w := &watched{Conn: conn, closed: make(chan struct{})}
	l := &one{conns: make(chan net.Conn, 1), addr: conn.LocalAddr()}
	l.conns <- w
	s := http.Server{Handler: h}
	go s.Serve(l)
	<-w.closed
	close(l.conns)
}

func TestSuite(t *testing.T) {
	const want = "hello, world\n"
	for name, h := range map[string]http.HandlerFunc{
		"length": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(want)))
			io.WriteString(w, want)
		},
		"chunked": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, want[:5])
			w.(http.Flusher).Flush()
			io.WriteString(w, want[5:])
		},
		"gzip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			if r.Method == "HEAD" {
				return
			}
			z := gzip.NewWriter(w)
			io.WriteString(z, want)
			z.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			fetchtest.Run(t, fetchtest.Subject{
				New:   func(d *dial.Dialer) fetch.Transport { return httpproto.New(d) },
				URL:   "http://" + fetchtest.Host + "/x",
				Want:  want,
				Head:  true,
				Serve: func(conn net.Conn, _ func() (net.Listener, error)) { serve(conn, h) },
			})
		})
	}
}

// exchange fetches url from a server that plays script, on a network in memory.
func exchange(t *testing.T, script string, req *fetch.Request) (resp *fetch.Result, body string, err error) {
	t.Helper()
	return fetchtest.Play(t, 80, func(d *dial.Dialer) fetch.Transport { return httpproto.New(d) }, req, script)
}

func ask(url string) *fetch.Request { return &fetch.Request{URL: anyurl.MustParse(url)} }

func TestRequestTarget(t *testing.T) {
	for _, tt := range []struct{ url, line, host string }{
		{"http://192.0.2.1/", "GET / HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1", "GET / HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1/a?b", "GET /a?b HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1/a?", "GET /a? HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1?b#c", "GET /?b HTTP/1.1", "192.0.2.1"},
		// URL Standard: these stay as they are in a path; net/url would encode or refuse them.
		{"http://192.0.2.1/a|b[c]", "GET /a|b[c] HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1/%zz%", "GET /%zz% HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1/a%2Fb/%2e%2E%2f", "GET /a%2Fb/%2e%2E%2f HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1/ü'", "GET /%C3%BC' HTTP/1.1", "192.0.2.1"},
		{"http://192.0.2.1//evil.example/x", "GET http://192.0.2.1//evil.example/x HTTP/1.1", "192.0.2.1"},
	} {
		script := fmt.Sprintf("C: %s\nC: Host: %s\nC: User-Agent: anyurl/1\nC: Accept: */*\nC: Accept-Encoding: gzip, deflate\nC:\nS: HTTP/1.1 200 OK\nS: Content-Length: 2\nS:\nS- hi\n",
			strings.ReplaceAll(tt.line, `\`, `\\`), tt.host)
		if got, body, err := exchange(t, script, ask(tt.url)); err != nil || body != "hi" || got.Status != 200 || got.Size != 2 {
			t.Errorf("%s: %q, %v", tt.url, body, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	const get = "C: GET /x HTTP/1.1\nC: Host: 192.0.2.1\nC: User-Agent: anyurl/1\nC: Accept: */*\nC: Accept-Encoding: gzip, deflate\nC:\n"
	for _, tt := range []struct {
		name, script string
		status       int
		body         string
		size         int64
		kind         error
		step         string
	}{
		{name: "to the close", script: "S: HTTP/1.1 200 OK\nS:\nS- all of it\nclose", status: 200, body: "all of it", size: -1},
		{name: "not found is an answer", script: "S: HTTP/1.1 404 Not Found\nS: Content-Length: 1\nS:\nS- x", status: 404, body: "x", size: 1},
		{name: "HTTP/1.0", script: "S: HTTP/1.0 200 OK\nS:\nS- x\nclose", status: 200, body: "x", size: -1},
		{name: "interim answers", script: "S: HTTP/1.1 103 Early Hints\nS:\nS: HTTP/1.1 200 OK\nS: Content-Length: 1\nS:\nS- x", status: 200, body: "x", size: 1},
		{name: "a redirect without a place", script: "S: HTTP/1.1 302 Found\nS: Content-Length: 0\nS:", status: 302},
		{name: "a place without a redirect", script: "S: HTTP/1.1 200 OK\nS: Location: http://127.0.0.1/\nS: Content-Length: 0\nS:", status: 200},
		{name: "304 is no redirect", script: "S: HTTP/1.1 304 Not Modified\nS: Location: http://127.0.0.1/\nS:", status: 304},
		{name: "cut", script: "S: HTTP/1.1 200 OK\nS: Content-Length: 9\nS:\nS- x\nclose", status: 200, body: "x", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "cut in a chunk", script: "S: HTTP/1.1 200 OK\nS: Transfer-Encoding: chunked\nS:\nS: 5\nS- x\nclose", status: 200, body: "x", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "two lengths", script: "S: HTTP/1.1 200 OK\nS: Content-Length: 5\nS: Content-Length: 50\nS:\nS- hello\nclose", kind: fetch.ErrMalformed, step: fetch.Status},
		{name: "another protocol", script: "S: 220 ready\nclose", kind: fetch.ErrMalformed, step: fetch.Status},
		{name: "nothing", script: "close", kind: fetch.ErrTruncated, step: fetch.Status},
		{name: "no gzip", script: "S: HTTP/1.1 200 OK\nS: Content-Encoding: gzip\nS: Content-Length: 13\nS:\nS- hello, hello!\nclose", kind: fetch.ErrMalformed, step: fetch.Body},
		{name: "a coding nobody knows", script: "S: HTTP/1.1 200 OK\nS: Content-Encoding: br\nS: Content-Length: 5\nS:\nS- hello\nclose", status: 200, body: "hello", size: 5},
		{name: "empty gzip", script: "S: HTTP/1.1 200 OK\nS: Content-Encoding: gzip\nS: Content-Length: 0\nS:", status: 200, size: -1},
		{name: "three codings", script: "S: HTTP/1.1 200 OK\nS: Content-Encoding: gzip, gzip\nS: content-encoding: gzip\nS: Content-Length: 0\nS:", kind: fetch.ErrTooLarge, step: fetch.Limit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, body, err := exchange(t, get+tt.script, ask("http://192.0.2.1/x"))
			if !errors.Is(err, tt.kind) || tt.kind == nil && err != nil || body != tt.body {
				t.Fatalf("got %q, %v", body, err)
			}
			var e *fetch.Error
			if err != nil {
				if errors.As(err, &e); e.Step != tt.step {
					t.Errorf("failed at %s, want %s (%v)", e.Step, tt.step, err)
				}
				return
			}
			if got.Status != tt.status || got.Size != tt.size || got.Location != "" {
				t.Errorf("got %+v", got.Response)
			}
		})
	}
}

func TestResume(t *testing.T) {
	const get = "C: GET /x HTTP/1.1\nC: Host: 192.0.2.1\nC: User-Agent: anyurl/1\nC: Accept: */*\nC: Accept-Encoding: identity\nC: If-Range: \"v1\"\nC: Range: bytes=5-\nC:\n"
	for _, tt := range []struct {
		name, script string
		offset       int64
		size         int64
		body         string
		kind         error
	}{
		{"the rest", "S: HTTP/1.1 206 Partial Content\nS: Content-Range: bytes 5-8/9\nS: Content-Length: 4\nS:\nS- rest", 5, 4, "rest", nil},
		{"all of it, it changed", "S: HTTP/1.1 200 OK\nS: Content-Length: 3\nS:\nS- new", 0, 3, "new", nil},
		{"nothing is left", "S: HTTP/1.1 416 Range Not Satisfiable\nS: Content-Range: bytes */5\nS: Content-Length: 1\nS:\nS- x", 5, 0, "", nil},
		{"it is shorter now", "S: HTTP/1.1 416 Range Not Satisfiable\nS: Content-Range: bytes */4\nS: Content-Length: 1\nS:\nS- x", 0, 1, "x", nil},
		{"another part", "S: HTTP/1.1 206 Partial Content\nS: Content-Range: bytes 4-8/9\nS: Content-Length: 5\nS:\nS- xrest", 0, 0, "", fetch.ErrMalformed},
		{"no part said", "S: HTTP/1.1 206 Partial Content\nS: Content-Length: 4\nS:\nS- rest", 0, 0, "", fetch.ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := ask("http://192.0.2.1/x")
			req.Offset, req.Validator = 5, `"v1"`
			got, body, err := exchange(t, get+tt.script, req)
			if !errors.Is(err, tt.kind) || tt.kind == nil && err != nil {
				t.Fatal(err)
			}
			if err == nil && (got.Offset != tt.offset || got.Size != tt.size || body != tt.body) {
				t.Errorf("got %q from %d, size %d", body, got.Offset, got.Size)
			}
		})
	}
	// A part that nobody asked for is not the object.
	_, _, err := exchange(t, "C: GET /x HTTP/1.1\nC: Host: 192.0.2.1\nC: User-Agent: anyurl/1\nC: Accept: */*\nC: Accept-Encoding: gzip, deflate\nC:\n"+
		"S: HTTP/1.1 206 Partial Content\nS: Content-Range: bytes 0-3/9\nS: Content-Length: 4\nS:\nS- part\nclose", ask("http://192.0.2.1/x"))
	if !errors.Is(err, fetch.ErrMalformed) {
		t.Errorf("an unasked part gives %v", err)
	}
}

func TestAuthAndTrace(t *testing.T) {
	// RFC 7617, section 2: user-id "Aladdin", password "open sesame".
	const script = "C: GET /x HTTP/1.1\nC: Host: 192.0.2.1\nC: User-Agent: me\nC: Accept: */*\nC: Accept-Encoding: gzip, deflate\nC: Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\nC:\n" +
		"S: HTTP/1.1 200 OK\nS: Content-Length: 0\nS: Set-Cookie: secret\nS:"
	auth := &fetch.Auth{User: "Aladdin", Password: "open sesame", HasPassword: true}
	for _, req := range []*fetch.Request{ask("http://Aladdin:open%20sesame@192.0.2.1/x"), {URL: anyurl.MustParse("http://192.0.2.1/x"), Auth: auth}} {
		var events []string
		req.Header = map[string][]string{"User-Agent": {"me"}}
		req.Trace = func(e fetch.Event) { events = append(events, string(e.Kind)+" "+e.Text) }
		if _, _, err := exchange(t, script, req); err != nil {
			t.Error(err)
		}
		all := strings.Join(events, "\n")
		if !strings.HasPrefix(all, "> GET /x\n") || !slices.Contains(events, "> Authorization: ***") || !slices.Contains(events, "< HTTP/1.1 200 OK") || !slices.Contains(events, "< Set-Cookie: ***") {
			t.Errorf("traced %q", events)
		}
	}
	// Nothing decoded from anywhere adds a header line.
	req := ask("http://192.0.2.1/x")
	req.Header = map[string][]string{"X": {"a\r\nY: b"}}
	if _, _, err := exchange(t, "", req); err == nil {
		t.Error("a header value with CR LF went out")
	}
}

func TestCodings(t *testing.T) {
	pack := func(open func(io.Writer) io.WriteCloser, text string) []byte {
		var b bytes.Buffer
		w := open(&b)
		io.WriteString(w, text)
		w.Close()
		return b.Bytes()
	}
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	zl := func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
	const text = "hello hello hello hello"
	bomb := strings.Repeat("\x00", 1<<20)
	bodies := map[string]struct {
		coding string
		octets []byte
	}{
		"/gzip":    {"gzip", pack(gz, text)},
		"/x-gzip":  {"X-GZIP", pack(gz, text)},
		"/deflate": {"deflate", pack(zl, text)},
		"/bare":    {"deflate", pack(zl, text)[2:]},
		"/both":    {"deflate, gzip", pack(gz, string(pack(zl, text)))},
		"/bomb":    {"gzip", pack(gz, bomb)},
		"/cut":     {"gzip", pack(gz, text)[:20]},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", bodies[r.URL.Path].coding)
		w.Write(bodies[r.URL.Path].octets)
	}))
	defer server.Close()
	tr := httpproto.New(&dial.Dialer{})
	defer tr.Close()
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": tr}}
	for _, tt := range []struct {
		path, want string
		kind       error
	}{
		{"/gzip", text, nil}, {"/x-gzip", text, nil}, {"/deflate", text, nil}, {"/bare", text, nil}, {"/both", text, nil},
		{"/bomb", "", fetch.ErrTooLarge}, {"/cut", "", fetch.ErrTruncated},
	} {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(server.URL + tt.path), Limits: fetch.Limits{MaxExpanded: 100_000, MaxBody: -1}})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if !errors.Is(err, tt.kind) || tt.kind == nil && (err != nil || string(body) != tt.want || got.Size != -1 || got.Header["Content-Encoding"] != nil) {
			t.Errorf("%s: %.40q, %v", tt.path, body, err)
		}
		if len(body) > 100_000 {
			t.Errorf("%s: %d octets came through", tt.path, len(body))
		}
	}
	// Who asks for a coding gets it as it is.
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(server.URL + "/gzip"), Header: map[string][]string{"accept-encoding": {"gzip"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if body, _ := io.ReadAll(got.Body); !bytes.Equal(body, bodies["/gzip"].octets) {
		t.Errorf("got %q", body)
	}
}

func TestTLS(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto+r.RequestURI) }))
		server.EnableHTTP2 = h2
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		roots := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		want := "HTTP/1.1//x|y"
		if h2 {
			want = "HTTP/2.0//x|y"
		}
		tr := httpproto.New(&dial.Dialer{TLS: &tls.Config{RootCAs: roots}})
		c := fetch.Client{Transports: map[string]fetch.Transport{"https": tr}}
		got, err := c.Do(t.Context(), ask(server.URL+"//x|y"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		// An absolute target is given to HTTP/1.1 servers as it is.
		if b := strings.Replace(string(body), server.URL, "", 1); err != nil || b != want {
			t.Errorf("got %q, %v, want %q", body, err, want)
		}
		tr.Close()

		// A certificate nobody vouches for fails at the step that it is.
		tr = httpproto.New(&dial.Dialer{})
		c.Transports["https"] = tr
		_, err = c.Do(t.Context(), ask(server.URL+"/"))
		var e *fetch.Error
		var cert *tls.CertificateVerificationError
		if !errors.As(err, &e) || e.Step != fetch.TLS || !errors.As(err, &cert) {
			t.Errorf("an unknown certificate gives %v", err)
		}
		tr.Close()
		server.Close()
	}
}

func TestConnectionIsReused(t *testing.T) {
	opened := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
		}
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened++
		}
	}
	server.Start()
	tr := httpproto.New(&dial.Dialer{})
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": tr}}
	got, err := c.Do(t.Context(), ask(server.URL+"/"))
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	tr.Close()
	server.Close()
	if opened != 1 || len(got.Hops) != 2 {
		t.Errorf("%d connections for %d hops", opened, len(got.Hops))
	}
}
