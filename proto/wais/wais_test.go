package wais_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/wais"
	waisurl "anyurl/scheme/wais"
)

func Example() {
	server := &fake{databases: map[string]map[string]file{"garden": {"tulip.txt": {types: "TEXT", text: "Tulips are spring flowers.\n"}}}}
	d, stop := fetchtest.Listen(210, server.serve)
	defer stop()

	client := fetch.Client{Transports: map[string]fetch.Transport{"wais": wais.New(d)}}
	search := anyurl.MustParse("wais://192.0.2.1/garden?spring+flowers")
	found, err := client.Do(context.Background(), &fetch.Request{URL: search})
	if err != nil {
		fmt.Println(err)
		return
	}
	found.Body.Close()
	for _, e := range found.Entries {
		fmt.Println(e.Name, e.Type, e.Size)
		document, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(e.URL)})
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := io.ReadAll(document.Body)
		document.Body.Close()
		fmt.Print(string(text))
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// tulip.txt TEXT 27
	// Tulips are spring flowers.
}

// doc is a document of the fake as a URL of its browsers' spelling, or without
// a length as RFC 1738's.
func doc(typ, name string, length uint64) string {
	r := waisurl.Ref{Host: mustHost(fetchtest.Host), Port: 2100, Database: "garden", Type: typ, Doc: waisurl.DocID(docid(name)), Length: length, HasLength: length > 0}
	return r.URL().String()
}

func mustHost(s string) anyurl.Host {
	h, err := anyurl.ParseHost(s, false)
	if err != nil {
		panic(err)
	}
	return h
}

func TestSuite(t *testing.T) {
	for _, tt := range []struct{ name, url, want string }{
		{"search", "wais://" + fetchtest.Host + ":2100/garden?tulips",
			"1000\t13\tTEXT\ttulip.txt   /srv/\twais://" + fetchtest.Host + ":2100/garden/TEXT/%01%0Da.example%3A210%02%07%2Fsrv%2Fdb%03%1A0%209%20%2Fsrv%2Ftulip.txt%20%20%20%2Fsrv%2F%07%01%00\n"},
		{"document", doc("TEXT", "long.txt", 0), long},
		{"document of known length", doc("TEXT", "long.txt", uint64(len(long))), long},
		{"database", "wais://" + fetchtest.Host + ":2100/garden", garden()["INFO"]["garden.src   /srv/wais/"].text},
	} {
		for _, init := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/init %v", tt.name, init), func(t *testing.T) {
				server := &fake{databases: garden(), wantsInit: init}
				fetchtest.Run(t, fetchtest.Subject{
					New:   func(d *dial.Dialer) fetch.Transport { return wais.New(d) },
					URL:   tt.url,
					Want:  tt.want,
					Serve: func(conn net.Conn, _ func() (net.Listener, error)) { server.serve(conn) },
					Head:  true,
				})
			})
		}
	}
}

// at runs f with a client whose wais server is at port 210 of 192.0.2.1.
func at(t *testing.T, serve func(net.Conn), f func(c *fetch.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:210"))
		if err != nil {
			t.Fatal(err)
		}
		var done sync.WaitGroup
		done.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				done.Go(func() {
					defer conn.Close()
					serve(conn)
				})
			}
		})
		c := &fetch.Client{Transports: map[string]fetch.Transport{"wais": wais.New(&dial.Dialer{Connect: network.Dial})}, Limits: fetch.Limits{Total: time.Minute}}
		f(c)
		l.Close()
		done.Wait()
	})
}

func read(t *testing.T, c *fetch.Client, url string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	u, err := anyurl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	req := &fetch.Request{URL: u}
	for _, f := range change {
		f(req)
	}
	got, err := c.Do(context.Background(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

// Every document that a search finds is opened again by its URL, octet for
// octet, whatever its type.
func TestSearchAndRetrieve(t *testing.T) {
	server := &fake{databases: garden(), acks: 2}
	at(t, server.serve, func(c *fetch.Client) {
		got, _, err := read(t, c, "wais://192.0.2.1/garden?")
		if err != nil || !got.Listing || len(got.Entries) != 6 {
			t.Fatalf("%v %+v", err, got)
		}
		seen := map[string]bool{}
		for _, e := range got.Entries {
			seen[e.Type] = true
			for name, want := range garden()["garden"] {
				if strings.TrimSpace(name) != e.Name || e.Type == "URL" {
					continue
				}
				if e.Size != int64(len(want.text)) || e.Type != want.types || e.Time.IsZero() != (want.date == "0") {
					t.Errorf("%+v", e)
				}
				_, body, err := read(t, c, e.URL)
				if err != nil || body != want.text {
					t.Errorf("%s: %v, %d octets, want %d", e.URL, err, len(body), len(want.text))
				}
			}
		}
		if !seen["TEXT,HTML"] || !seen["GIF"] || !seen["URL"] {
			t.Errorf("types %v", seen)
		}
	})
	// The first of several types is asked for.
	if !slices.Contains(server.requests(), "retrieve TEXT 0 4096") || slices.ContainsFunc(server.requests(), func(s string) bool { return strings.Contains(s, "HTML") }) {
		t.Errorf("asked %q", server.requests())
	}
}

// All three spellings of a document's identifier ask for the same document.
func TestSpellings(t *testing.T) {
	const b = "1=a.example%3A210;2=%2Fsrv%2Fdb;3=0%209%20%2Fsrv%2Fpic.gif;7=%00;"
	for _, url := range []string{
		"wais://192.0.2.1/garden/GIF/%01%0Da.example%3A210%02%07%2Fsrv%2Fdb%03%100%209%20%2Fsrv%2Fpic.gif%07%01%00", // RFC 1738, 3.9
		"wais://192.0.2.1/garden/GIF/" + b,    // RFC 1630
		"wais://192.0.2.1/garden/GIF/9/" + b,  // browsers of the 1990s
		"wais://192.0.2.1/garden/GIF/99/" + b, // the length in a URL is no promise
	} {
		at(t, (&fake{databases: garden()}).serve, func(c *fetch.Client) {
			got, body, err := read(t, c, url)
			if err != nil || body != garden()["garden"]["pic.gif"].text || got.Type != "image/gif" || got.Size != 9 {
				t.Errorf("%s: %v %q %+v", url, err, body, got)
			}
		})
	}
}

// Where a document ends is found whatever way the server says so, and without
// a question too many where it can be known.
func TestEnds(t *testing.T) {
	exact := 2 * 4096
	for _, tt := range []struct {
		name   string
		url    string
		server *fake
		want   int // octets
		asked  []string
	}{
		{"by a diagnostic with the last text", doc("TEXT", "long.txt", 0), &fake{}, len(long), []string{"0 4096", "4096 8192", "8192 12288", "12288 16384"}},
		{"by a diagnostic alone", doc("TEXT", "exact.txt", 0), &fake{}, exact, []string{"0 4096", "4096 8192", "8192 12288"}},
		{"by an empty text", doc("TEXT", "exact.txt", 0), &fake{ignoreEnd: true}, exact, []string{"0 4096", "4096 8192", "8192 12288"}},
		// A short text is no end by itself: it may be all that the server's records hold.
		{"by nothing behind a short text", doc("TEXT", "long.txt", 0), &fake{ignoreEnd: true}, len(long), []string{"0 4096", "4096 8192", "8192 12288", "12288 16384", "14890 18986"}},
		{"by the length", doc("TEXT", "exact.txt", uint64(exact)), &fake{}, exact, []string{"0 4096", "4096 8192"}},
		{"by the length, in small answers", doc("TEXT", "exact.txt", uint64(exact)), &fake{most: 3000}, exact, []string{"0 4096", "3000 7096", "6000 8192"}},
		{"all at once", doc("TEXT", "exact.txt", 0), &fake{noSlices: true}, exact, []string{"0 4096"}},
	} {
		tt.server.databases = garden()
		at(t, tt.server.serve, func(c *fetch.Client) {
			_, body, err := read(t, c, strings.Replace(tt.url, fetchtest.Host+":2100", "192.0.2.1", 1))
			if err != nil || body != long[:tt.want] {
				t.Errorf("%s: %v, %d octets", tt.name, err, len(body))
			}
		})
		var asked []string
		for _, a := range tt.server.requests() {
			asked = append(asked, strings.TrimPrefix(a, "retrieve TEXT "))
		}
		if !slices.Equal(asked, tt.asked) {
			t.Errorf("%s: asked %q", tt.name, asked)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, tt := range []struct {
		offset int64
		length uint64
		want   int64 // where the body begins
	}{
		{5000, 0, 5000},
		{5000, uint64(len(long)), 5000},
		{int64(len(long)), 0, 0}, // nothing is there: the whole comes
		{int64(len(long)), uint64(len(long)), 0},
	} {
		at(t, (&fake{databases: garden()}).serve, func(c *fetch.Client) {
			url := strings.Replace(doc("TEXT", "long.txt", tt.length), fetchtest.Host+":2100", "192.0.2.1", 1)
			got, body, err := read(t, c, url, func(r *fetch.Request) { r.Offset = tt.offset })
			if err != nil || got.Offset != tt.want || body != long[tt.want:] {
				t.Errorf("%+v: %v %d octets from %+v", tt, err, len(body), got)
			}
		})
	}
}

// A database alone is its description in the server's directory, or word that
// it can be searched.
func TestDescription(t *testing.T) {
	for _, tt := range []struct {
		name, url  string
		databases  map[string]map[string]file
		typ, begin string
		list       int
	}{
		{"described", "wais://192.0.2.1/garden", garden(), "application/x-wais-source", "(:source ", 0},
		{"by its path", "wais://192.0.2.1/%2Fsrv%2Fgarden", map[string]map[string]file{"INFO": {"garden.src   /srv/garden": {"WSRC", "(:source )", ""}}}, "application/x-wais-source", "(:source )", 0},
		{"not described", "wais://192.0.2.1/gar", garden(), "text/plain", "The server describes no database gar.", 0},
		{"no directory", "wais://192.0.2.1/garden", map[string]map[string]file{}, "text/plain", "The server describes no database garden.", 0},
		{"the directory", "wais://192.0.2.1/", map[string]map[string]file{"INFO": {"about INFO": {"TEXT", "x", ""}}}, "text/plain", "1000\t1\tTEXT\tabout INFO\t", 1},
	} {
		at(t, (&fake{databases: tt.databases}).serve, func(c *fetch.Client) {
			got, body, err := read(t, c, tt.url)
			if err != nil || got.Type != tt.typ || !strings.HasPrefix(body, tt.begin) || len(got.Entries) != tt.list {
				t.Errorf("%s: %v %q %+v", tt.name, err, body, got)
				return
			}
			if got.Listing {
				return
			}
			if s := got.Header["Searchable"]; len(s) != 1 || s[0] != tt.url+"?" {
				t.Errorf("%s: searchable at %q", tt.name, s)
			}
		})
	}
}

// Where a document of type URL is, its headline says.
func TestURLDocument(t *testing.T) {
	server := &fake{databases: map[string]map[string]file{"d": {
		"http://a.example/x": {types: "URL", text: "a"}, "no URL": {types: "URL", text: "b"}, "bare": {types: "", text: "c"}}}}
	at(t, server.serve, func(c *fetch.Client) {
		got, _, err := read(t, c, "wais://192.0.2.1/d?")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range got.Entries {
			switch {
			case e.Name == "http://a.example/x" && e.URL != e.Name,
				e.Name == "no URL" && !strings.HasPrefix(e.URL, "wais://192.0.2.1/d/URL/"),
				e.Name == "bare" && !strings.HasPrefix(e.URL, "wais://192.0.2.1/d/TEXT/"):
				t.Errorf("%+v", e)
			}
		}
	})
}

// What a server calls its documents adds no line to a listing.
func TestHeadlineIsQuoted(t *testing.T) {
	server := &fake{databases: map[string]map[string]file{"d": {"two\nlines\x1b[2J": {types: "TE\nXT", text: "x"}}}}
	at(t, server.serve, func(c *fetch.Client) {
		got, body, err := read(t, c, "wais://192.0.2.1/d?x")
		if err != nil || strings.Count(body, "\n") != 1 || strings.Contains(body, "\x1b") {
			t.Errorf("%v %q", err, body)
		}
		if got.Entries[0].Name != "two\nlines\x1b[2J" {
			t.Errorf("%+v", got.Entries[0])
		}
	})
}

// A server that hangs up on a search is told who asks, once.
func TestInit(t *testing.T) {
	server := &fake{databases: garden(), wantsInit: true}
	at(t, server.serve, func(c *fetch.Client) {
		if _, _, err := read(t, c, "wais://192.0.2.1/garden?tulips"); err != nil {
			t.Error(err)
		}
	})
	if got := server.requests(); !slices.Equal(got, []string{"init", "search garden for tulips"}) {
		t.Errorf("asked %q", got)
	}
	at(t, (&fake{databases: garden(), wantsInit: true, refuses: true}).serve, func(c *fetch.Client) {
		if _, _, err := read(t, c, "wais://192.0.2.1/garden?tulips"); !errors.Is(err, fetch.ErrDenied) {
			t.Errorf("refused: %v", err)
		}
	})
}

func TestTrace(t *testing.T) {
	at(t, (&fake{databases: garden()}).serve, func(c *fetch.Client) {
		var said []string
		read(t, c, "wais://192.0.2.1/garden?tulips", func(r *fetch.Request) {
			r.Trace = func(e fetch.Event) { said = append(said, string(e.Kind)+e.Text) }
		})
		if !slices.Equal(said, []string{">Search in garden for tulips", "<Search-Response: 1 documents, 0 octets of text"}) {
			t.Errorf("%q", said)
		}
	})
}

// answer is a message with an APDU as it is given.
func answer(apdu string) string {
	return fmt.Sprintf("%010dz2wais        0%s", len(apdu), apdu)
}

// response is a Search-Response with user information as it is given.
func response(info string) string {
	return answer("\x00\x0e\x17\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x1b\x01\x00" + string(tlv(99, info)))
}

func TestFailures(t *testing.T) {
	const search = "wais://192.0.2.1/garden?tulips"
	document := strings.Replace(doc("TEXT", "long.txt", 0), fetchtest.Host+":2100", "192.0.2.1", 1)
	for _, tt := range []struct {
		name, url, says string // says: what the server answers to anything
		step            string
		kind            error
		said, hint      string
	}{
		{"no such database", search, response("\x1c\x00\x06S1no\x00\x00\x1d"), fetch.Status, fetch.ErrNotFound, "S1", "INFO"},
		{"another diagnostic", search, response("\x1c\x00\x07D9what\x00\x1d"), fetch.Status, nil, "D9 what", ""},
		{"no such document", document, response("\x1c\x00\x05S4no\x00\x1d"), fetch.Status, fetch.ErrNotFound, "S4 no", ""},
		{"no such document, by freeWAIS", document, response("\x1c\x00\x05SFno\x00\x1d"), fetch.Status, fetch.ErrNotFound, "SF no", ""},
		{"neither text nor diagnostic", document, response(""), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"Z39.50 of later years", search, "\xb7\x3a\x97\x01", fetch.Asking, fetch.ErrMalformed, "", "z39.50"},
		{"no digits", search, "HTTP/1.1 400 Bad Request\r\n", fetch.Asking, fetch.ErrMalformed, "H", ""},
		{"digits and then none", search, "220 ready\r\n", fetch.Asking, fetch.ErrMalformed, "220 ", ""},
		{"a length of 0", search, "0000000000z2wais        0", fetch.Asking, fetch.ErrMalformed, "", ""},
		{"nearly ten thousand million octets", search, "9999999999z2wais        0", fetch.Limit, fetch.ErrTooLarge, "", ""},
		{"compressed", search, "0000000010z2wais      u 0", fetch.Asking, fetch.ErrUnsupported, "", ""},
		{"encoded", search, "0000000010z2wais       h0", fetch.Asking, fetch.ErrUnsupported, "", ""},
		{"not understood", search, "0000000001n2wais        0x", fetch.Asking, fetch.ErrMalformed, "", ""},
		{"of no kind", search, "0000000001q2wais        0x", fetch.Asking, fetch.ErrMalformed, "", ""},
		{"acknowledgements without end", search, strings.Repeat("0000000001a2wais        0x", 50), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"cut off", search, answer("\x00\x0e\x17\x01")[:27], fetch.Asking, fetch.ErrTruncated, "", ""},
		{"an APDU of one octet", search, answer("\x00"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a header longer than the APDU", search, answer("\x01\x0e\x17\x01"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a header shorter than its fixed part", search, answer("\x00\x02\x17\x01"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"another PDU", search, answer("\x00\x02\x15\x01"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a field longer than its holder", search, response("\x81\x16\x7fxx"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a length without an end", search, response("\x81\x16" + strings.Repeat("\xff", 20)), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a diagnostic longer than its holder", search, response("\x1c\xff\xffS1"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a diagnostic without its length", search, response("\x1c\x00"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"a diagnostic without a code", search, response("\x1c\x00\x01S\x1d"), fetch.Asking, fetch.ErrMalformed, "", ""},
		{"hung up", search, "", fetch.Greeting, fetch.ErrTruncated, "", "type"},
		{"controls", search, response("\x1c\x00\x0aS1\x1b[2J\r\n\x00\x1d"), fetch.Status, fetch.ErrNotFound, "S1", "INFO"},
	} {
		at(t, func(conn net.Conn) {
			conn.Read(make([]byte, 4096))
			io.WriteString(conn, tt.says)
		}, func(c *fetch.Client) {
			_, _, err := read(t, c, tt.url)
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind) {
				t.Errorf("%s: %v (%+v)", tt.name, err, e)
				return
			}
			if !strings.HasPrefix(e.Said, tt.said) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("%s: said %q, hint %q", tt.name, e.Said, e.Hint)
			}
			for _, r := range err.Error() {
				if r < ' ' {
					t.Errorf("%s: %q", tt.name, err)
				}
			}
		})
	}
}

// What breaks within a document is told, and what came before it is not lost.
func TestBreaksWithin(t *testing.T) {
	url := strings.Replace(doc("TEXT", "long.txt", 0), fetchtest.Host+":2100", "192.0.2.1", 1)
	at(t, (&fake{databases: garden(), hangUpAt: 2}).serve, func(c *fetch.Client) {
		_, body, err := read(t, c, url)
		if !errors.Is(err, fetch.ErrTruncated) || body != long[:4096] {
			t.Errorf("%v, %d octets", err, len(body))
		}
	})
	n := 0
	at(t, (&fake{databases: garden(), twist: func(b []byte) []byte {
		if n++; n == 2 {
			return []byte(response("\x1c\x00\x07S2busy\x00\x1d"))
		}
		return b
	}}).serve, func(c *fetch.Client) {
		_, body, err := read(t, c, url)
		if err == nil || !strings.Contains(err.Error(), "S2 busy") || body != long[:4096] {
			t.Errorf("%v, %d octets", err, len(body))
		}
	})
	n = 0
	at(t, (&fake{databases: garden(), twist: func(b []byte) []byte {
		if n++; n == 2 {
			return []byte(response(string(tlv(153, string(tlv(127, long))))))
		}
		return b
	}}).serve, func(c *fetch.Client) {
		if _, _, err := read(t, c, url); !errors.Is(err, fetch.ErrMalformed) {
			t.Errorf("more than was asked for: %v", err)
		}
	})
}

// Words that go with an answer are kept beside it.
func TestWarning(t *testing.T) {
	info := string(tlv(150, string(tlv(123, "x")))) + "\x1c\x00\x07S9hmmm\x00\x1d"
	at(t, func(conn net.Conn) {
		conn.Read(make([]byte, 4096))
		io.WriteString(conn, response(info))
	}, func(c *fetch.Client) {
		got, _, err := read(t, c, "wais://192.0.2.1/garden?x")
		if err != nil || len(got.Entries) != 1 || got.Entries[0].URL != "" || !slices.Equal(got.Header["Diagnostic"], []string{"S9 hmmm"}) {
			t.Errorf("%v %+v", err, got)
		}
	})
}

func TestEntryLimit(t *testing.T) {
	at(t, (&fake{databases: garden()}).serve, func(c *fetch.Client) {
		_, _, err := read(t, c, "wais://192.0.2.1/garden?", func(r *fetch.Request) { r.Limits.MaxEntries = 2 })
		if !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("%v", err)
		}
	})
}

// A name that does not fit the protocol's two octets is not sent.
func TestLongDatabase(t *testing.T) {
	server := &fake{databases: garden()}
	at(t, server.serve, func(c *fetch.Client) {
		if _, _, err := read(t, c, "wais://192.0.2.1/"+strings.Repeat("a", 70000)+"?x"); err == nil {
			t.Error("no error")
		}
	})
	if len(server.requests()) != 0 {
		t.Errorf("asked %q", server.requests())
	}
}
