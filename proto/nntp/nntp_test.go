package nntp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/nntp"
)

func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		S: 200 ready
		C: MODE READER
		S: 200 posting
		C: ARTICLE <one@a.example>
		S: 220 0 <one@a.example>
		S: Subject: hello
		S:
		S: ..signed
		S: .
	`)}}
	server.Start(listener)
	defer server.Close()

	client := fetch.Client{Transports: map[string]fetch.Transport{
		"news": nntp.New(&dial.Dialer{}, listener.Addr().String()),
	}, AllowPort: func(string, uint16) bool { return true }}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("news:one@a.example")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.ReplaceAll(string(text), "\r\n", "\n"))
	// Output:
	// Subject: hello
	//
	// .signed
}

const article = "Subject: =?utf-8?q?x?=\r\nDate: Mon, 30 Nov 2026 08:52:07 +0000\r\nMessage-ID:\r\n <one@a.example>\r\n\r\nHello\r\n.\r\n"

func play(script string) func(net.Conn, func() (net.Listener, error)) {
	return func(conn net.Conn, _ func() (net.Listener, error)) {
		for _, step := range transcript.Parse(script) {
			switch step.Do {
			case "say":
				if _, err := io.WriteString(conn, step.Text); err != nil {
					return
				}
			case "want":
				if got := line(conn); got != step.Text {
					return
				}
			}
		}
	}
}

// line reads one line, without its end, an octet at a time.
func line(conn net.Conn) string {
	var b []byte
	for one := make([]byte, 1); ; {
		if _, err := conn.Read(one); err != nil {
			return string(b)
		}
		if one[0] == '\n' {
			return strings.TrimSuffix(string(b), "\r")
		}
		b = append(b, one[0])
	}
}

func TestSuite(t *testing.T) {
	for _, tt := range []struct{ name, url, want, script string }{
		{"article", "news://" + fetchtest.Host + ":119/one@a.example", article, `
			S: 200 ready
			C: MODE READER
			S: 200 posting
			C: ARTICLE <one@a.example>
			S: 220 0 <one@a.example>
			S: Subject: =?utf-8?q?x?=
			S: Date: Mon, 30 Nov 2026 08:52:07 +0000
			S: Message-ID:
			S:  <one@a.example>
			S:
			S: Hello
			S: ..
			S: .
			C: QUIT`},
		{"number", "nntp://" + fetchtest.Host + ":119/a.group/7", "x\r\n", `
			S: 201 ready
			C: MODE READER
			S: 500 what
			C: GROUP a.group
			S: 211 3 5 9 a.group
			C: ARTICLE 7
			S: 220 7 <seven@a.example>
			S: x
			S: .
			C: QUIT`},
		{"group", "nntp://" + fetchtest.Host + ":119/a.group", "5\tOne\ta\td\t<five@a.example>\t\t10\t1\r\n", `
			S: 201 ready
			C: MODE READER
			S: 201 no posting
			C: GROUP a.group
			S: 211 3 5 9 a.group
			C: OVER 5-9
			S: 224 follows
			S: 5\tOne\ta\td\t<five@a.example>\t\t10\t1
			S: .
			C: QUIT`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fetchtest.Run(t, fetchtest.Subject{
				New:   func(d *dial.Dialer) fetch.Transport { return nntp.New(d, "") },
				URL:   tt.url,
				Want:  tt.want,
				Serve: play(tt.script),
			})
		})
	}
}

// exchange opens url from a server that plays script, on a network in memory.
func exchange(t *testing.T, url, script string, change ...func(*nntp.Transport, *fetch.Request)) (got *fetch.Result, body string, err error) {
	t.Helper()
	req := fetchtest.Ask(url)
	return fetchtest.Play(t, 119, func(d *dial.Dialer) fetch.Transport {
		tr := nntp.New(d, fetchtest.At)
		for _, c := range change {
			c(tr, req)
		}
		return tr
	}, req, script)
}

const hello = "S: 200 ready\nC: MODE READER\nS: 200 ok\n"

func TestGroupListing(t *testing.T) {
	for _, tt := range []struct{ name, url, script string }{
		{"by XOVER, where OVER is unknown", "news:a.group", hello + `
			C: GROUP a.group
			S: 211 3 10 12 a.group
			C: OVER 10-12
			S: 500 what
			C: XOVER 10-12
			S: 224 follows
			S: 10\tOne\ta@a.example\tMon, 30 Nov 2026 08:52:07 +0000\t<one/1@a.example>\t\t120\t3\tXref: x
			S: nonsense
			S: .
			C: QUIT`},
		{"the latest alone", "news:a.group", hello + `
			C: GROUP a.group
			S: 211 3000 1 3000 a.group
			C: OVER 2901-3000
			S: 224 follows
			S: 2950\tOne\ta@a.example\tMon, 30 Nov 2026 08:52:07 +0000\t<one/1@a.example>\t\t120\t3
			S: .
			C: QUIT`},
	} {
		got, _, err := exchange(t, tt.url, tt.script)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if len(got.Entries) != 1 || !got.Listing {
			t.Errorf("%s: %+v", tt.name, got.Response)
			continue
		}
		if cut := strings.Join(got.Header["Content-Range"], ""); tt.name == "the latest alone" && cut != "articles 2901-3000/3000" || tt.name != "the latest alone" && cut != "" {
			t.Errorf("%s: the header tells of %q", tt.name, cut)
		}
		e := got.Entries[0]
		if e.Name != "One" || e.Size != 120 || e.URL != "news:one%2F1@a.example" || !e.Time.Equal(time.Date(2026, 11, 30, 8, 52, 7, 0, time.UTC)) {
			t.Errorf("%s: %+v", tt.name, e)
		}
	}
}

// TestBefore asks for the articles before a number: the pages of a group that is
// too long for one.
func TestBefore(t *testing.T) {
	for _, tt := range []struct {
		before             uint64
		over, range_, want string
	}{
		{0, "2991-3000", "articles 2991-3000/2500", "2991"},
		{2991, "2981-2990", "articles 2981-2990/2500", "2981"},
		{3001, "2991-3000", "articles 2991-3000/2500", "2991"},
		{9000, "2991-3000", "articles 2991-3000/2500", "2991"},
		{505, "501-504", "articles 501-504/2500", "501"},
		{502, "501-501", "articles 501-501/2500", "501"},
		{501, "", "articles 501-500/2500", ""},
		{1, "", "articles 501-500/2500", ""},
	} {
		script := hello + "C: GROUP a.group\nS: 211 2500 501 3000 a.group\n"
		if tt.over != "" {
			script += "C: OVER " + tt.over + "\nS: 224 follows\nS: " + tt.want + "\\tOne\\tjoe\\tx\\t<1@a.example>\\t\\t1\\t1\nS: .\n"
		}
		got, body, err := exchange(t, "news:a.group", script+"C: QUIT\n", func(tr *nntp.Transport, r *fetch.Request) { tr.Articles, r.Before = 10, tt.before })
		if err != nil {
			t.Errorf("before %d: %v", tt.before, err)
			continue
		}
		number, _, _ := strings.Cut(body, "\t")
		if has := strings.Join(got.Header["Content-Range"], ""); has != tt.range_ || number != tt.want {
			t.Errorf("before %d: %q and %q, want %q and %q", tt.before, has, number, tt.range_, tt.want)
		}
	}
}

// An empty group is asked for no overview: RFC 3977, section 6.1.1.2.
func TestEmptyGroup(t *testing.T) {
	for _, counts := range []string{"0 0 0", "0 10 9", "5 10 9"} {
		got, body, err := exchange(t, "news:a.group", hello+"C: GROUP a.group\nS: 211 "+counts+" a.group\nC: QUIT\n")
		if err != nil || len(got.Entries) != 0 || body != "" {
			t.Errorf("%s: %v %q", counts, err, body)
		}
	}
}

func TestGroupList(t *testing.T) {
	got, body, err := exchange(t, "news:*", hello+`
		C: LIST ACTIVE
		S: 215 follows
		S: a.group 0000000009 0000000005 y
		S: a.empty 0000000000 0000000001 m
		S: bare
		S: .
		C: QUIT`)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Entries) != 3 || got.Entries[0].URL != "news:a.group" || got.Entries[2].Name != "bare" {
		t.Errorf("%+v", got.Entries)
	}
	if !strings.HasPrefix(body, "a.group 0000000009") {
		t.Errorf("body %q", body)
	}
	if _, _, err := exchange(t, "news:a.*", hello+"C: LIST ACTIVE a.*\nS: 215 ok\nS: .\nC: QUIT\n"); err != nil {
		t.Error(err)
	}
}

// An article asked for by its number tells its better name.
func TestArticleByNumber(t *testing.T) {
	got, body, err := exchange(t, "nntp://192.0.2.1/a.group/7", hello+`
		C: GROUP a.group
		S: 211 3 5 9 a.group
		C: ARTICLE 7
		S: 220 7 <x>
		S: Message-ID: <seven@a.example>
		S: Date: 30 Nov 2026 08:52:07 GMT
		S:
		S: body
		S: .
		C: QUIT`)
	if err != nil {
		t.Fatal(err)
	}
	if h := got.Header["Content-Location"]; len(h) != 1 || h[0] != "news:seven@a.example" {
		t.Errorf("header %v", got.Header)
	}
	if got.ModTime.IsZero() || got.Type != "message/rfc822" || !strings.HasSuffix(body, "\r\n\r\nbody\r\n") {
		t.Errorf("%+v %q", got.Response, body)
	}
}

func TestHead(t *testing.T) {
	got, body, err := exchange(t, "news:x@a.example", hello+"C: HEAD <x@a.example>\nS: 221 0 <x@a.example>\nS: Subject: s\nS: .\nC: QUIT\n",
		func(_ *nntp.Transport, r *fetch.Request) { r.Method = "HEAD" })
	if err != nil || body != "" || got.Header["Subject"][0] != "s" {
		t.Errorf("%v %q %+v", err, body, got)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		name, url, script string
		step              string
		kind              error
		status            int
	}{
		{"no such article", "news:x@a.example", hello + "C: ARTICLE <x@a.example>\nS: 430 none\n", fetch.Asking, fetch.ErrNotFound, 430},
		{"no such group", "news:a.group", hello + "C: GROUP a.group\nS: 411 none\n", fetch.Asking, fetch.ErrNotFound, 411},
		{"no such number", "nntp://192.0.2.1/a.group/1", hello + "C: GROUP a.group\nS: 211 1 5 5 a.group\nC: ARTICLE 1\nS: 423 none\n", fetch.Asking, fetch.ErrNotFound, 423},
		{"login wanted", "news:a.group", hello + "C: GROUP a.group\nS: 480 who\n", fetch.Asking, fetch.ErrDenied, 480},
		{"closed to us", "news:a.group", "S: 502 go away\n", fetch.Greeting, fetch.ErrDenied, 502},
		{"busy", "news:a.group", "S: 400 later\n", fetch.Greeting, fetch.ErrBusy, 400},
		{"another protocol", "news:a.group", "S: HTTP/1.1 400 Bad Request\n", fetch.Greeting, fetch.ErrMalformed, 0},
		{"hung up", "news:a.group", "close\n", fetch.Greeting, fetch.ErrTruncated, 0},
		{"cut article", "news:x@a.example", hello + "C: ARTICLE <x@a.example>\nS: 220 0 <x>\nS: half\nclose\n", fetch.Body, fetch.ErrTruncated, 0},
		{"cut list", "news:*", hello + "C: LIST ACTIVE\nS: 215 ok\nS: a 1 1 y\nclose\n", fetch.Body, fetch.ErrTruncated, 0},
		{"a group's numbers garbled", "news:a.group", hello + "C: GROUP a.group\nS: 211 many\n", fetch.Asking, fetch.ErrMalformed, 0},
	} {
		_, _, err := exchange(t, tt.url, tt.script)
		var e *fetch.Error
		if !errors.As(err, &e) || !errors.Is(err, tt.kind) || e.Step != tt.step || e.Status != tt.status {
			t.Errorf("%s: %v (%+v)", tt.name, err, e)
		}
	}
}

// A password goes out only inside TLS, unless that is allowed.
func TestLogin(t *testing.T) {
	const url = "news://joe:secret@192.0.2.1/x@a.example"
	_, _, err := exchange(t, url, hello+"C: CAPABILITIES\nS: 101 list\nS: VERSION 2\nS: .\n")
	if !errors.Is(err, fetch.ErrRefused) || strings.Contains(err.Error(), "secret") {
		t.Errorf("in the clear: %v", err)
	}
	var said []string
	_, _, err = exchange(t, url, hello+`
		C: CAPABILITIES
		S: 500 what
		C: AUTHINFO USER joe
		S: 381 and
		C: AUTHINFO PASS secret
		S: 281 welcome
		C: ARTICLE <x@a.example>
		S: 220 0 <x@a.example>
		S: .
		C: QUIT`, func(tr *nntp.Transport, r *fetch.Request) {
		tr.ClearLogin = true
		r.Trace = func(e fetch.Event) { said = append(said, e.Text) }
	})
	if err != nil {
		t.Error(err)
	}
	if log := strings.Join(said, "\n"); strings.Contains(log, "secret") || !strings.Contains(log, "AUTHINFO USER joe") {
		t.Errorf("the log says %q", log)
	}
	_, _, err = exchange(t, url, hello+"C: CAPABILITIES\nS: 500 what\nC: AUTHINFO USER joe\nS: 381 and\nC: AUTHINFO PASS secret\nS: 481 no\n",
		func(tr *nntp.Transport, r *fetch.Request) { tr.ClearLogin = true })
	if !errors.Is(err, fetch.ErrDenied) {
		t.Errorf("a wrong password: %v", err)
	}
}

// A URL without a server needs one configured, and says how.
func TestNoServer(t *testing.T) {
	_, _, err := exchange(t, "news:x@a.example", "S: 200 never asked\n", func(tr *nntp.Transport, _ *fetch.Request) { tr.Server = "" })
	var e *fetch.Error
	if !errors.As(err, &e) || !errors.Is(err, fetch.ErrUnsupported) || !strings.Contains(e.Hint, "NNTPSERVER") {
		t.Errorf("%v (%+v)", err, e)
	}
}

// More entries than the limit are an error, not a cut list.
func TestEntryLimit(t *testing.T) {
	_, _, err := exchange(t, "news:*", hello+"C: LIST ACTIVE\nS: 215 ok\nS: a 1 1 y\nS: b 1 1 y\nS: .\n",
		func(_ *nntp.Transport, r *fetch.Request) { r.Limits.MaxEntries = 1 })
	if !errors.Is(err, fetch.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
