package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/ipclass"
)

// site answers by URL: a status and a Location, or a body.
type site struct {
	answers map[string]answer
	asked   []string
	auth    []string
	header  []string
}

type answer struct {
	status   int
	location string
	body     string
}

func (s *site) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	u := req.URL
	auth := ""
	if u.HasUserinfo() {
		auth = u.Username() + ":" + u.Password()
	}
	if req.Auth != nil {
		auth = req.Auth.User + ":" + req.Auth.Password
	}
	if auth != "" {
		s.auth = append(s.auth, u.Scheme()+"://"+u.HostPort())
	}
	if len(req.Header["Authorization"]) > 0 || len(req.Header["cookie"]) > 0 || len(req.Header["X-Api-Key"]) > 0 {
		s.header = append(s.header, u.Scheme()+"://"+u.HostPort())
	}
	if u.HasUserinfo() {
		u, _ = u.WithPassword("")
		u, _ = u.WithUsername("")
	}
	key := u.WithoutFragment().String()
	s.asked = append(s.asked, key)
	a, ok := s.answers[key]
	if !ok {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound}
	}
	resp := &fetch.Response{Status: a.status, Body: io.NopCloser(strings.NewReader(a.body)), Size: int64(len(a.body)), Protocol: "HTTP/1.1"}
	switch a.status {
	case 301, 302, 303, 307, 308:
		resp.Location = a.location
		resp.Permanent = a.status == 301 || a.status == 308
	}
	return resp, nil
}

func ExampleClient_Do() {
	pages := &site{answers: map[string]answer{
		"http://old.example/": {status: 301, location: "//new.example/"},
		"http://new.example/": {status: 200, body: "hello"},
	}}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": pages}}
	got, err := c.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("http://old.example/")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	fmt.Println()
	for _, h := range got.Hops {
		fmt.Println(h.Status, h.URL)
	}
	// Output:
	// hello
	// 301 http://old.example/
	// 200 http://new.example/
}

func chain(n int) map[string]answer {
	m := map[string]answer{}
	for i := range n {
		m[fmt.Sprintf("http://a.test/%d", i)] = answer{status: 302, location: fmt.Sprint(i + 1)}
	}
	m[fmt.Sprintf("http://a.test/%d", n)] = answer{status: 200}
	return m
}

func TestFollow(t *testing.T) {
	const ok = 200
	for _, tt := range []struct {
		name    string
		url     string
		answers map[string]answer
		final   string // "" for an error
		kind    error
		code    string
		codes   string // of the hops
		auth    string // the origins that saw credentials
	}{
		{name: "no redirect", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {status: ok}}, final: "http://a.test/"},
		{name: "another host", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "http://b.test/", ""}, "http://b.test/": {status: ok}}, final: "http://b.test/"},
		// RFC 9110, 10.2.2: a relative Location resolves against the target URI.
		{name: "relative", url: "http://a.test/d/x", answers: map[string]answer{"http://a.test/d/x": {301, "../y", ""}, "http://a.test/y": {status: ok}}, final: "http://a.test/y"},
		{name: "escapes survive", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "/a%2Fb", ""}, "http://a.test/a%2Fb": {status: ok}}, final: "http://a.test/a%2Fb"},
		{name: "a space is mended", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "/a b", ""}, "http://a.test/a%20b": {status: ok}}, final: "http://a.test/a%20b", codes: "redirect-odd-location"},
		// Fetch Standard, HTTP-redirect fetch: the fragment is inherited.
		{name: "the fragment stays", url: "http://a.test/#f", answers: map[string]answer{"http://a.test/": {302, "/x", ""}, "http://a.test/x": {status: ok}}, final: "http://a.test/x#f"},
		{name: "an empty fragment stays", url: "http://a.test/#", answers: map[string]answer{"http://a.test/": {302, "/x", ""}, "http://a.test/x": {status: ok}}, final: "http://a.test/x#"},
		{name: "a new fragment wins", url: "http://a.test/#f", answers: map[string]answer{"http://a.test/": {302, "/x#g", ""}, "http://a.test/x": {status: ok}}, final: "http://a.test/x#g"},
		{name: "Latin-1", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "/caf\xe9?\xe9", ""}, "http://a.test/caf%E9?%E9": {status: ok}}, final: "http://a.test/caf%E9?%E9", codes: "redirect-odd-location"},
		{name: "UTF-8", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "/café", ""}, "http://a.test/caf%C3%A9": {status: ok}}, final: "http://a.test/caf%C3%A9", codes: "redirect-odd-location"},
		{name: "no Location", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {status: 302}}, final: "http://a.test/", codes: "redirect-no-location"},
		{name: "304 is no redirect", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {304, "http://b.test/", ""}}, final: "http://a.test/"},
		{name: "to itself", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "http://a.test/", ""}}, kind: fetch.ErrLoop, code: "redirect-loop"},
		{name: "to itself with a fragment", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "#again", ""}}, kind: fetch.ErrLoop, code: "redirect-loop"},
		{name: "in a circle", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "/b", ""}, "http://a.test/b": {302, "/", ""}}, kind: fetch.ErrLoop, code: "redirect-loop"},
		{name: "20 redirects", url: "http://a.test/0", answers: chain(20), final: "http://a.test/20"},
		{name: "21 redirects", url: "http://a.test/0", answers: chain(21), kind: fetch.ErrTooManyHops, code: "too-many-redirects"},
		{name: "to https", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "https://a.test/", ""}, "https://a.test/": {status: ok}}, final: "https://a.test/"},
		{name: "to http", url: "https://a.test/", answers: map[string]answer{"https://a.test/": {302, "http://a.test/", ""}, "http://a.test/": {status: ok}}, final: "http://a.test/", codes: "redirect-downgrade"},
		{name: "to ftp", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "ftp://a.test/x", ""}, "ftp://a.test/x": {status: ok}}, kind: fetch.ErrRefused, code: "redirect-to-scheme"},
		{name: "to a file", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "file:///etc/passwd", ""}, "file:///etc/passwd": {status: ok}}, kind: fetch.ErrRefused, code: "redirect-to-scheme"},
		{name: "to a script", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "javascript:alert(1)", ""}}, kind: fetch.ErrRefused, code: "redirect-to-scheme"},
		{name: "to a barred port", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "http://b.test:25/", ""}, "http://b.test:25/": {status: ok}}, kind: fetch.ErrRefused, code: "bad-port"},
		{name: "to no URL", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "http://[", ""}}, kind: fetch.ErrMalformed, code: "redirect-odd-location"},
		{name: "credentials for the origin", url: "http://u:p@a.test/", answers: map[string]answer{"http://a.test/": {302, "/x", ""}, "http://a.test/x": {302, "http://a.test/y", ""}, "http://a.test/y": {status: ok}},
			final: "http://u:p@a.test/y", auth: "http://a.test http://a.test http://a.test"},
		{name: "another port is another origin", url: "http://u:p@a.test/", answers: map[string]answer{"http://a.test/": {302, "http://a.test:8080/", ""}, "http://a.test:8080/": {status: ok}},
			final: "http://a.test:8080/", auth: "http://a.test"},
		{name: "another scheme is another origin", url: "https://u:p@a.test/", answers: map[string]answer{"https://a.test/": {302, "http://a.test/", ""}, "http://a.test/": {status: ok}},
			final: "http://a.test/", auth: "https://a.test", codes: "redirect-downgrade"},
		{name: "dropped for good", url: "http://u:p@a.test/", answers: map[string]answer{"http://a.test/": {302, "http://b.test/", ""}, "http://b.test/": {302, "http://a.test/back", ""}, "http://a.test/back": {status: ok}},
			final: "http://a.test/back", auth: "http://a.test"},
		{name: "nobody else's credentials", url: "http://a.test/", answers: map[string]answer{"http://a.test/": {302, "http://u:p@b.test/", ""}, "http://b.test/": {status: ok}},
			final: "http://b.test/"},
		{name: "nobody else's credentials here either", url: "http://u:p@a.test/", answers: map[string]answer{"http://a.test/": {302, "http://x:y@a.test/z", ""}, "http://a.test/z": {status: ok}},
			final: "http://u:p@a.test/z", auth: "http://a.test http://a.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &site{answers: tt.answers}
			c := fetch.Client{Transports: map[string]fetch.Transport{"http": s, "https": s, "ftp": s, "file": s, "javascript": s}}
			got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(tt.url)})
			if tt.final == "" {
				var e *fetch.Error
				if !errors.As(err, &e) || !errors.Is(err, tt.kind) || e.Code != tt.code {
					t.Fatalf("got %v, want %v (%s)", err, tt.kind, tt.code)
				}
				if strings.Contains(err.Error(), ":p@") {
					t.Errorf("a password in %q", err)
				}
			} else {
				if err != nil {
					t.Fatal(err)
				}
				got.Body.Close()
				if got.URL.String() != tt.final {
					t.Errorf("came to %s, want %s", got.URL, tt.final)
				}
				hops := got.Hops
				if len(hops) != len(s.asked) {
					t.Errorf("%d hops, asked %q", len(hops), s.asked)
				}
				var codes []string
				for _, h := range hops {
					codes = append(codes, h.Codes...)
					if strings.Contains(h.URL, ":p@") {
						t.Errorf("a password in hop %q", h.URL)
					}
				}
				if strings.Join(codes, " ") != tt.codes {
					t.Errorf("codes %q, want %q", codes, tt.codes)
				}
			}
			if auth := strings.Join(s.auth, " "); auth != tt.auth && tt.final != "" {
				t.Errorf("credentials went to %q, want %q", auth, tt.auth)
			}
		})
	}
}

func TestSecretHeadersStay(t *testing.T) {
	s := &site{answers: map[string]answer{"http://a.test/": {302, "/x", ""}, "http://a.test/x": {302, "http://b.test/", ""}, "http://b.test/": {302, "http://a.test/y", ""}, "http://a.test/y": {status: 200}}}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": s},
		Credentials: func(u anyurl.URL) *fetch.Auth { return &fetch.Auth{User: "u", Password: "p", HasPassword: true} }}
	req := &fetch.Request{URL: anyurl.MustParse("http://a.test/"), Header: map[string][]string{"Authorization": {"Bearer x"}, "cookie": {"y"}, "X-Api-Key": {"z"}}}
	got, err := c.Do(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	want := []string{"http://a.test", "http://a.test"}
	if !slices.Equal(s.header, want) || !slices.Equal(s.auth, want) {
		t.Errorf("headers went to %q, credentials to %q", s.header, s.auth)
	}
	if len(req.Header) != 3 {
		t.Error("the caller's header was changed")
	}
}

func TestGate(t *testing.T) {
	why := errors.New("not this one")
	var saw []string
	s := &site{answers: map[string]answer{"http://a.test/": {302, "http://u@b.test/", ""}, "http://b.test/": {status: 200}}}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": s}, Gate: func(u anyurl.URL) error {
		saw = append(saw, u.String())
		if u.Host().String() == "b.test" {
			return why
		}
		return nil
	}}
	_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://a.test/")})
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step != fetch.Gate || !errors.Is(err, why) || !errors.Is(err, fetch.ErrRefused) || len(e.Hops) != 1 {
		t.Errorf("got %v", err)
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %q", s.asked)
	}
	if want := []string{"http://a.test/", "http://u@b.test/"}; !slices.Equal(saw, want) {
		t.Errorf("the gate saw %q, want %q: as the server said it", saw, want)
	}
}

// A refusal tells why it refuses, as audit's does.
type refusal string

func (r refusal) Error() string { return string(r) }
func (r refusal) Code() string  { return string(r) }

// TestGateTells holds that the reason of a gate becomes the error's, and that a
// redirect to an internal place is called so.
func TestGateTells(t *testing.T) {
	s := &site{answers: map[string]answer{
		"http://a.test/1": {302, "http://b.test/ip-private", ""}, "http://a.test/2": {302, "http://b.test/scheme-dangerous", ""},
	}}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": s}, Gate: func(u anyurl.URL) error {
		if u.Host().String() == "b.test" {
			return refusal(u.Path()[1:])
		}
		return nil
	}}
	for url, want := range map[string]string{
		"http://b.test/ip-private": "ip-private", "http://a.test/1": "redirect-to-internal", "http://a.test/2": "scheme-dangerous",
	} {
		_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("%s: %v, want the code %s", url, err, want)
		}
	}
}

func TestPort(t *testing.T) {
	for _, tt := range []struct {
		url, code string
	}{
		{"http://h/", ""},
		{"http://h:8080/", ""},
		{"http://h:443/", ""},
		{"http://h:25/", "bad-port"}, // Fetch Standard, port blocking
		{"https://h:6000/", "bad-port"},
		{"ws://h:22/", "bad-port"},
		{"ftp://h/", ""},
		{"ftp://h:21/", ""},
		{"ftp://h:2121/", ""},
		{"ftp://h:25/", "port-crosses-protocol"},
		{"ftp://h:80/", "port-crosses-protocol"},
		{"ftps://h:990/", ""},
		{"gopher://h/", ""},
		{"gopher://h:70/", ""},
		{"gopher://h:7070/", ""},
		{"gopher://h:25/", "port-crosses-protocol"},
		{"gopher://h:79/", "port-crosses-protocol"},
		{"gopher://h:80/", "port-crosses-protocol"},
		{"gopher://h:71/", "port-crosses-protocol"}, // nobody's we know of, but well known
		{"gopher://h:1023/", "port-crosses-protocol"},
		{"gopher://h:1024/", ""},
		{"gopher://h:6379/", "port-crosses-protocol"},
		{"gopher://h:11211/", "port-crosses-protocol"},
		{"gopher://h:5432/", "port-crosses-protocol"},
		{"nntp://h:119/", ""},
		{"nntp://h:25/", "port-crosses-protocol"},
		{"telnet://h:23/", ""},
		{"unheard-of://h:25/", "port-crosses-protocol"},
		{"unheard-of://h:7000/", ""},
		{"mailto:a@h", ""},
	} {
		err := fetch.Port(anyurl.MustParse(tt.url))
		var e *fetch.Error
		code := ""
		if errors.As(err, &e) {
			code = e.Code
		}
		if code != tt.code || (err != nil) != errors.Is(err, fetch.ErrRefused) {
			t.Errorf("%s: got %v", tt.url, err)
		}
	}
	s := &site{answers: map[string]answer{"http://h:25/": {status: 200}}}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": s}, AllowPort: func(scheme string, port uint16) bool { return scheme == "http" && port == 25 }}
	if got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://h:25/")}); err != nil {
		t.Error(err)
	} else {
		got.Body.Close()
	}
}

func TestUnsupported(t *testing.T) {
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": &site{}, "ftp": &site{}}}
	_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("quux://h/?secret#x")})
	var e *fetch.Error
	if !errors.As(err, &e) || !errors.Is(err, fetch.ErrUnsupported) || e.Hint != "it opens ftp, http" {
		t.Errorf("got %v", err)
	}
	if want := "request quux://h/?…: nothing here opens quux URLs"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fetch.Error{Step: fetch.Login, URL: anyurl.MustParse("ftp://u:secret@h/x"), Said: "530 \x1b[31mno", Kind: fetch.ErrDenied},
			`login ftp://u:***@h/x: access denied: the server said "530 \u{1b}[31mno"`},
		{fetch.Fail(fetch.Asking, &dial.Error{Step: dial.Resolving, Host: "h:1", Err: &net.DNSError{Err: "no such host", Name: "h"}}), "resolving: no such host"},
		{fetch.Fail(fetch.Asking, fmt.Errorf("wrapped: %w", &fetch.Error{Step: fetch.Login, Kind: fetch.ErrBusy})), "wrapped: login: the server is busy"},
		{fetch.Fail(fetch.Asking, &dial.Error{Step: dial.Connecting, Host: "h:1", Err: &dial.Refused{Host: "h", Addr: netip.MustParseAddrPort("10.0.0.1:1"), Class: ipclass.Private}}),
			"connecting: the guard refuses 10.0.0.1, which is a private address"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if fetch.Fail(fetch.Body, nil) != nil {
		t.Error("no failure is a failure")
	}
}

// slow is a body that gives one octet after each pause.
type slow struct {
	ctx    context.Context
	pauses []time.Duration
	closed bool
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.pauses) == 0 {
		return 0, io.EOF
	}
	select {
	case <-s.ctx.Done():
		return 0, errors.New("interrupted")
	case <-time.After(s.pauses[0]):
	}
	s.pauses = s.pauses[1:]
	p[0] = 'x'
	return 1, nil
}

func (s *slow) Close() error { s.closed = true; return nil }

func TestTimes(t *testing.T) {
	limits := fetch.Limits{FirstByte: 10 * time.Second, Idle: 5 * time.Second, Total: 30 * time.Second}
	for _, tt := range []struct {
		name   string
		first  time.Duration
		pauses []time.Duration
		cancel time.Duration
		want   error
		body   string
		took   time.Duration
	}{
		{name: "in time", first: 9 * time.Second, pauses: []time.Duration{4 * time.Second, 4 * time.Second}, body: "xx", took: 17 * time.Second},
		{name: "no answer", first: time.Minute, want: fetch.ErrFirstByte, took: 10 * time.Second},
		{name: "silence in the body", pauses: []time.Duration{time.Second, 6 * time.Second}, want: fetch.ErrIdle, body: "x", took: 6 * time.Second},
		{name: "a trickle", pauses: slices.Repeat([]time.Duration{4 * time.Second}, 100), want: fetch.ErrTotal, body: "xxxxxxx", took: 30 * time.Second},
		{name: "cancelled before the answer", first: 5 * time.Second, cancel: time.Second, want: context.Canceled, took: time.Second},
		{name: "cancelled in the body", pauses: []time.Duration{4 * time.Second}, cancel: time.Second, want: context.Canceled, took: time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b *slow
				c := fetch.Client{Limits: limits, Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
					select {
					case <-ctx.Done():
						return nil, &fetch.Error{Step: fetch.Greeting, Err: errors.New("interrupted")}
					case <-time.After(tt.first):
					}
					b = &slow{ctx: ctx, pauses: tt.pauses}
					return &fetch.Response{Body: b, Size: -1}, nil
				})}}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				start := time.Now()
				got, err := c.Do(ctx, &fetch.Request{URL: anyurl.MustParse("http://h/")})
				var read []byte
				if err == nil {
					read, err = io.ReadAll(got.Body)
					got.Body.Close()
					if !b.closed {
						t.Error("the transport's body stays open")
					}
				}
				if !errors.Is(err, tt.want) || tt.want == nil && err != nil {
					t.Errorf("got %v, want %v", err, tt.want)
				}
				var e *fetch.Error
				if err != nil && (!errors.As(err, &e) || e.URL.IsZero() || e.Step == "") {
					t.Errorf("%v is no complete error", err)
				}
				if string(read) != tt.body || time.Since(start) != tt.took {
					t.Errorf("read %q in %v, want %q in %v", read, time.Since(start), tt.body, tt.took)
				}
				if tt.want != nil && tt.want != context.Canceled && !fetch.IsTimeout(err) {
					t.Errorf("%v is no timeout", err)
				}
			})
		})
	}
}

// raw is a body with a short way.
type raw struct {
	io.Reader
	end    error
	first  bool
	took   bool
	closed int
}

func (r *raw) Close() error { r.closed++; return nil }
func (r *raw) Raw() (io.Reader, func(int64) error) {
	if r.first { // an octet has been looked at and must be read
		return nil, nil
	}
	r.took = true
	return r.Reader, func(int64) error { return r.end }
}
func (r *raw) Read(p []byte) (int, error) {
	if r.first {
		p = p[:1]
	}
	r.first = false
	return r.Reader.Read(p)
}

func TestBodyLimit(t *testing.T) {
	truncated := &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated}
	for _, short := range []bool{false, true} {
		for _, tt := range []struct {
			name  string
			size  int64 // as told
			limit int64
			body  string
			end   error
			want  string
			kind  error
		}{
			{name: "below", size: -1, limit: 6, body: "hello", want: "hello"},
			{name: "exact", size: -1, limit: 5, body: "hello", want: "hello"},
			{name: "over", size: -1, limit: 4, body: "hello", want: "hell", kind: fetch.ErrTooLarge},
			{name: "told over", size: 5, limit: 4, body: "hello", kind: fetch.ErrTooLarge},
			{name: "none", size: 5, limit: -1, body: "hello", want: "hello"},
			{name: "nothing", size: -1, limit: 1, body: "", want: ""},
			{name: "cut", size: 9, limit: -1, body: "hello", end: truncated, want: "hello", kind: fetch.ErrTruncated},
		} {
			t.Run(fmt.Sprint(tt.name, " ", short), func(t *testing.T) {
				src := io.Reader(strings.NewReader(tt.body))
				if tt.end != nil && !short {
					src = io.MultiReader(src, failing{tt.end})
				}
				b := &raw{Reader: src, end: tt.end, first: len(tt.body) > 0}
				var rc io.ReadCloser = b
				if !short {
					rc = io.NopCloser(src)
				}
				var progress int64
				c := fetch.Client{Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
					return &fetch.Response{Body: rc, Size: tt.size}, nil
				})}}
				got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://h/"), Limits: fetch.Limits{MaxBody: tt.limit}, Progress: func(n int64) { progress = n }})
				read := ""
				if err == nil {
					f, ferr := os.Create(filepath.Join(t.TempDir(), "out"))
					if ferr != nil {
						t.Fatal(ferr)
					}
					defer f.Close()
					var n int64
					n, err = io.Copy(f, got.Body)
					data, _ := os.ReadFile(f.Name())
					read = string(data)
					if n != int64(len(read)) || progress != n {
						t.Errorf("copied %d, progress %d, %q in the file", n, progress, read)
					}
					if m, again := got.Body.Read(make([]byte, 1)); m != 0 || again == nil || err != nil && again.Error() != err.Error() {
						t.Errorf("reading on gives %d, %v", m, again)
					}
					got.Body.Close()
					got.Body.Close()
					if short && (!b.took || b.closed != 1) {
						t.Errorf("short way %v, closed %d times", b.took, b.closed)
					}
				}
				if read != tt.want || !errors.Is(err, tt.kind) || tt.kind == nil && err != nil {
					t.Errorf("got %q, %v; want %q, %v", read, err, tt.want, tt.kind)
				}
			})
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestRetry(t *testing.T) {
	busy := &fetch.Error{Step: fetch.Greeting, Kind: fetch.ErrBusy, Said: "421 later"}
	gone := fetch.Fail(fetch.Asking, &net.OpError{Op: "read", Err: syscall.ECONNRESET})
	absent := &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound}
	told := func(after string) any {
		return &fetch.Response{Status: 503, Protocol: "HTTP/1.1", Header: map[string][]string{"Retry-After": {after}}, Body: io.NopCloser(strings.NewReader(""))}
	}
	good := &fetch.Response{Status: 200, Protocol: "HTTP/1.1", Body: io.NopCloser(strings.NewReader(""))}
	for _, tt := range []struct {
		name    string
		answers []any
		asked   int
		waits   []time.Duration // exact, or the most of a random one when negative
		ok      bool
	}{
		{"at once", []any{good}, 1, nil, true},
		{"busy, then well", []any{busy, good}, 2, []time.Duration{-time.Second / 2}, true},
		{"closed without a word", []any{fetch.Fail(fetch.Status, io.EOF), good}, 2, []time.Duration{-time.Second / 2}, true},
		{"no answer at all", []any{&fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Err: io.EOF}, good}, 1, nil, false},
		{"reset twice", []any{gone, gone, good}, 3, []time.Duration{-time.Second / 2, -time.Second}, true},
		{"busy for good", []any{busy, busy, busy, good}, 3, []time.Duration{-time.Second / 2, -time.Second}, false},
		{"not found stays so", []any{absent, good}, 1, nil, false},
		{"as the server wants", []any{told("7"), good}, 2, []time.Duration{7 * time.Second}, true},
		{"longer than we wait", []any{told("3600"), good}, 1, nil, true},
		{"a date is not waited for exactly", []any{told("Fri, 31 Dec 1999 23:59:59 GMT"), good}, 2, []time.Duration{-time.Second / 2}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			var waits []time.Duration
			r := &fetch.Retry{Attempts: 3, Wait: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
				Transport: fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
					asked++
					switch a := tt.answers[asked-1].(type) {
					case *fetch.Response:
						return a, nil
					default:
						return nil, a.(error)
					}
				})}
			_, err := r.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://h/")})
			if asked != tt.asked || (err == nil) != tt.ok || len(waits) != len(tt.waits) {
				t.Fatalf("asked %d times, waited %v, %v", asked, waits, err)
			}
			for i, w := range waits {
				if want := tt.waits[i]; want >= 0 && w != want || want < 0 && (w > -want || w < -want/2) {
					t.Errorf("wait %d is %v, want %v", i, w, want)
				}
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		r := &fetch.Retry{Attempts: 3, Transport: fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, busy })}
		if _, err := r.Fetch(ctx, &fetch.Request{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled wait gives %v", err)
		}
	})
}

// TestNothingToOpen holds that a request for nothing is an error and no panic.
func TestNothingToOpen(t *testing.T) {
	var c fetch.Client
	var none context.Context
	for _, err := range []error{
		second(c.Do(context.Background(), nil)),
		second(c.Do(context.Background(), &fetch.Request{})),
		second(c.Do(none, &fetch.Request{URL: anyurl.MustParse("http://a.example/")})),
	} {
		if _, ok := errors.AsType[*fetch.Error](err); !ok {
			t.Errorf("got %v, want a *fetch.Error", err)
		}
	}
}

func second(_ *fetch.Result, err error) error { return err }

// Which schemes may lead to which, when the caller says nothing.
func TestCross(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"http", "https", true}, {"http", "ftp", false}, {"http", "file", false}, {"gopher", "telnet", true}, {"gopher", "ftp", false},
		{"prospero", "ftp", true}, {"prospero", "gopher", true}, {"prospero", "nfs", true}, {"prospero", "telnet", true},
		{"prospero", "http", false}, {"prospero", "afs", false}, {"prospero", "file", false}, {"ftp", "http", false}, {"nfs", "file", false},
	} {
		if got := fetch.Cross(tt.from, tt.to); got != tt.want {
			t.Errorf("from %s to %s: %v", tt.from, tt.to, got)
		}
	}
}
