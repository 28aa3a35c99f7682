package z3950_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/ber"
	"anyurl/internal/transcript"
	"anyurl/proto/z3950"
)

func Example() {
	server := &fake{records: []string{"tulips"}, as: map[string]string{"10": "001 t1\n245 10$aThe book of …"}}
	d, stop := fetchtest.Listen(210, server.serve)
	defer stop()

	client := fetch.Client{Transports: map[string]fetch.Transport{"z39.50r": z3950.New(d)}}
	u := anyurl.MustParse("z39.50r://192.0.2.1/garden?tulips;rs=marc")
	got, err := client.Do(context.Background(), &fetch.Request{URL: u})
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
	fmt.Print(string(text))
	// Output:
	// 00076nam a2200049   4500
	// 001 t1
	// 245 10 $a The book of tulips
}

var forms = map[string]string{
	"10":     "001   x-…\n245 10$aAbout … /$cKim",
	"101":    "\nAbout …\nmore",
	"109.10": "<record><controlfield tag=\"001\">x-…</controlfield><datafield tag=\"245\"><subfield code=\"c\">Kim</subfield><subfield code=\"a\">About &lt;…&gt;</subfield></datafield></record>",
}

func TestSuite(t *testing.T) {
	server := &fake{records: []string{"tulips", "roses"}, as: forms, uses: []int64{12, 1016}}
	host := fetchtest.Host + ":2100"
	for _, tt := range []struct{ name, url, want string }{
		{"record", "z39.50r://" + host + "/garden?tulips;rs=sutrs", "\nAbout tulips\nmore"},
		{"record in lines", "z39.50r://" + host + "/garden?tulips;rs=marc", "00085nam a2200049   4500\n001   x-tulips\n245 10 $a About tulips / $c Kim\n"},
		{"session", "z39.50s://" + host + "/garden+trees", "server: " + host + "\nimplementation: a fake 1.0\nprotocol version: 3\noptions: search, present, namedResultSets\ndatabases: garden, trees\n"},
		{"found", "z39.50://" + host + "/garden?tulips;rs=sutrs", "server: " + host + "\nimplementation: a fake 1.0\nprotocol version: 3\noptions: search, present, namedResultSets\ndatabases: garden\n" +
			"found by local number: 1\n\n1: About tulips\tz39.50r://" + host + "/garden?x-tulips;rs=sutrs\n\nAbout tulips\nmore\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fetchtest.Run(t, fetchtest.Subject{
				New:   func(d *dial.Dialer) fetch.Transport { return z3950.New(d) },
				URL:   tt.url,
				Want:  tt.want,
				Serve: func(conn net.Conn, _ func() (net.Listener, error)) { server.serve(conn) },
				Head:  true,
			})
		})
	}
}

// get opens url from a server in a network in memory.
func get(t *testing.T, serve func(net.Conn), url string, change ...func(*fetch.Request)) (got *fetch.Result, body string, err error) {
	t.Helper()
	scheme, _, _ := strings.Cut(url, ":")
	open := func(d *dial.Dialer) fetch.Transport { return z3950.New(d) }
	fetchtest.Stage(t, scheme, open, map[uint16]func(net.Conn){210: serve}, func(_ *testing.T, get fetchtest.Get) {
		got, body, err = get(url, change...)
	})
	return got, body, err
}

// What is asked for, in which order, until the server has an answer.
func TestAsked(t *testing.T) {
	marcOnly := map[string]string{"10": forms["10"]}
	for _, tt := range []struct {
		name, url string
		server    *fake
		asked     []string
		typ       string
		syntax    string
	}{
		{"the first syntax of ours", "z39.50r://192.0.2.1/d?tulips", &fake{as: forms},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 109.10 F"}, "text/xml", "109.10"},
		{"the next one", "z39.50r://192.0.2.1/d?tulips", &fake{as: marcOnly},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 109.10 F", "present 1 from 1 as 10 F"}, "text/plain", "10"},
		{"the URL's syntaxes, in its order", "z39.50r://192.0.2.1/d?tulips;rs=unimarc+sutrs+xml", &fake{as: forms},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 1 F", "present 1 from 1 as 101 F"}, "text/plain", "101"},
		{"a syntax by its identifier", "z39.50r://192.0.2.1/d?tulips;rs=1.2.840.10003.5.101", &fake{as: forms},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 101 F"}, "text/plain", "101"},
		{"the URL's element set", "z39.50r://192.0.2.1/d?tulips;esn=B;rs=sutrs", &fake{as: forms, sets: []string{"B"}},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 101 B"}, "text/plain", "101"},
		{"no element set, where there is no full one", "z39.50r://192.0.2.1/d?tulips;rs=sutrs", &fake{as: forms, sets: []string{"B"}},
			[]string{"init", "search d for tulips by 1032", "present 1 from 1 as 101 F", "present 1 from 1 as 101 "}, "text/plain", "101"},
		{"the local number, where there is no identifier", "z39.50r://192.0.2.1/d?tulips;rs=sutrs", &fake{as: forms, uses: []int64{12}},
			[]string{"init", "search d for tulips by 1032", "search d for tulips by 12", "present 1 from 1 as 101 F"}, "text/plain", "101"},
		{"no database", "z39.50r://192.0.2.1/?tulips;rs=sutrs", &fake{as: forms},
			[]string{"init", "search Default for tulips by 1032", "present 1 from 1 as 101 F"}, "text/plain", "101"},
		{"octets of an identifier", "z39.50r://192.0.2.1/d?tu%20l%3Bips;rs=sutrs", &fake{as: forms, records: []string{"tu l;ips"}},
			[]string{"init", "search d for tu l;ips by 1032", "present 1 from 1 as 101 F"}, "text/plain", "101"},
	} {
		if tt.server.records == nil {
			tt.server.records = []string{"tulips"}
		}
		got, body, err := get(t, tt.server.serve, tt.url)
		if err != nil || !strings.Contains(body, "About") || got.Type != tt.typ || got.Header["Record-Syntax"][0] != syntaxes+tt.syntax {
			t.Errorf("%s: %v %q %+v", tt.name, err, body, got)
		}
		if asked := tt.server.requests(); !slices.Equal(asked, tt.asked) {
			t.Errorf("%s: asked %q", tt.name, asked)
		}
	}
}

// A session lists what it finds, each with a URL that opens it again.
func TestSession(t *testing.T) {
	for _, rs := range []string{"", ";rs=marc", ";rs=sutrs", ";rs=xml"} {
		server := &fake{records: []string{"red tulips", "white tulips", "roses"}, as: forms, uses: []int64{1016, 12}}
		got, body, err := get(t, server.serve, "z39.50s://192.0.2.1/d+e?tulips"+rs)
		if err != nil || !got.Listing || len(got.Entries) != 2 || got.Header["Hits"][0] != "2" {
			t.Fatalf("%q: %v %+v", rs, err, got)
		}
		e := got.Entries[1]
		if strings.Trim(e.Name, "About <>") != "white tulips" || e.URL != "z39.50r://192.0.2.1/d?x-white%20tulips"+rs {
			t.Errorf("%q: %+v", rs, e)
		}
		for _, want := range []string{"implementation: a fake 1.0", "found by local number: 2", "\n1: About ", "\n2: About ", "red tulips"} {
			if !strings.Contains(body, want) {
				t.Errorf("%q: no %q in %q", rs, want, body)
			}
		}
		again := &fake{records: []string{"x-red tulips", "x-white tulips"}, as: forms}
		if _, body, err := get(t, again.serve, e.URL); err != nil || !strings.Contains(body, "white") {
			t.Errorf("%q: %v %q", rs, err, body)
		}
	}
	// A word, where nothing has that number.
	server := &fake{records: []string{"tulips"}, as: forms, uses: []int64{1016}}
	if _, body, err := get(t, server.serve, "z39.50s://192.0.2.1/d?tulips"); err != nil || !strings.Contains(body, "found by word: 1\n") {
		t.Errorf("%v %q", err, body)
	}
}

// MARC comes as it is to whoever asks for it.
func TestAccept(t *testing.T) {
	server := &fake{records: []string{"tulips"}, as: forms}
	got, body, err := get(t, server.serve, "z39.50r://192.0.2.1/d?tulips;rs=marc", func(r *fetch.Request) {
		r.Header = map[string][]string{"Accept": {"application/marc, */*;q=0.1"}}
	})
	if err != nil || got.Type != "application/marc" || body != marc(strings.ReplaceAll(forms["10"], "…", "tulips")) {
		t.Errorf("%v %+v %q", err, got, body)
	}
}

// Who asks is said where the user said it, and never shown.
func TestAuth(t *testing.T) {
	server := &fake{records: []string{"tulips"}, as: forms}
	var log []string
	_, _, err := get(t, server.serve, "z39.50s://192.0.2.1/d", func(r *fetch.Request) {
		r.Auth = &fetch.Auth{User: "kim", Password: "secret", HasPassword: true}
		r.Trace = func(e fetch.Event) { log = append(log, e.Text) }
	})
	if err != nil || !slices.Equal(server.requests(), []string{"init by kim/secret"}) {
		t.Errorf("%v %q", err, server.requests())
	}
	if len(log) != 2 || strings.Contains(strings.Join(log, "\n"), "secret") {
		t.Errorf("the log is %q", log)
	}
}

// Several records with one identifier are remarked on.
func TestSeveralHits(t *testing.T) {
	var remarks []string
	got, body, err := get(t, (&fake{records: []string{"tulips 1", "tulips 2"}, as: forms}).serve, "z39.50r://192.0.2.1/d?tulips;rs=sutrs", func(r *fetch.Request) {
		r.Trace = func(e fetch.Event) {
			if e.Kind == '*' {
				remarks = append(remarks, e.Text)
			}
		}
	})
	if err != nil || !strings.Contains(body, "tulips 1") || len(remarks) != 1 || got.Header["Hits"][0] != "2" {
		t.Errorf("%v %q %q %+v", err, body, remarks, got)
	}
}

func unhex(s string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "\n", ""))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A present as Zebra answers it, with indefinite lengths.
func TestIndefinite(t *testing.T) {
	answers := []string{
		unhex("b5 1b 83 02 00 e0 84 03 00 e9 a2 85 04 04 00 00 00 86 04 04 00 00 00 8c 01 01 9f 6e 02") + "81",
		unhex("b7 0c 97 01 01 98 01 00 99 01 01 96 01 01"),
		unhex("b9 80 98 01 01 99 01 02 9b 01 00 bc 24 30 22 80 06") + "garden" + unhex("a1 18 a1 16 28 14 06 07 2a 86 48 ce 13 05 65 a0 09 1b 07") + "gils:\n " + unhex("00 00"),
	}
	answers[0] = answers[0][:1] + string(rune(len(answers[0])-2)) + answers[0][2:]
	_, body, err := get(t, func(conn net.Conn) {
		for _, a := range answers {
			conn.Read(make([]byte, 4096))
			io.WriteString(conn, a)
		}
		conn.Read(make([]byte, 1))
	}, "z39.50r://192.0.2.1/garden?tulips;rs=sutrs")
	if err != nil || body != "gils:\n " {
		t.Errorf("%v %q", err, body)
	}
}

// The requests' octets, held against those of a client of long standing.
func TestOctets(t *testing.T) {
	mine, theirs := transcript.Pipe(netip.AddrPort{}, netip.AddrPort{})
	defer mine.Close()
	c := z3950.NewConn(mine, 0)
	for _, tt := range []struct {
		ask  func()
		want string
	}{
		{func() {
			c.Search([]string{"garden"}, z3950.Query{Attributes: []z3950.Attribute{{1, 4}}, Term: "tulips"})
		}, "b6 48 8d 01 00 8e 01 01 8f 01 00 90 01 ff 91 07 64 65 66 61 75 6c 74 b2 09 9f 69 06 67 61 72 64 65 6e" +
			"b5 26 a1 24 06 07 2a 86 48 ce 13 03 01 a0 19 bf 66 16 bf 2c 0a 30 08 9f 78 01 01 9f 79 01 04 9f 2d 06 74 75 6c 69 70 73"},
		{func() { c.Present(1, 1, "F", "1.2.840.10003.5.101") },
			"b8 1f 9f 1f 07 64 65 66 61 75 6c 74 9e 01 01 9d 01 01 b3 03 80 01 46 9f 68 07 2a 86 48 ce 13 05 65"},
	} {
		got := make(chan string, 1)
		go func() {
			b := make([]byte, 4096)
			n, _ := theirs.Read(b)
			got <- string(b[:n])
			theirs.Write([]byte("\xbf\x30\x00"))
		}()
		tt.ask()
		if g := <-got; g != unhex(tt.want) {
			t.Errorf("sent %x", g)
		}
	}
}

func TestFailures(t *testing.T) {
	canned := func(answers ...string) func(net.Conn) {
		return func(conn net.Conn) {
			for _, a := range answers {
				conn.Read(make([]byte, 4096))
				io.WriteString(conn, a)
			}
		}
	}
	good := string(ctx(21, ber.Bool(ber.Context, 12, true)).Append(nil))
	found := string(ctx(23, num(23, 1), num(24, 0), num(25, 1), ber.Bool(ber.Context, 22, true)).Append(nil))
	present := func(parts ...ber.Value) string { return string(ctx(25, parts...).Append(nil)) }
	surrogate := func(code int64) string {
		return present(ctx(28, ber.Of(ber.Universal, ber.TagSequence, ctx(1, ctx(2, ber.Of(ber.Universal, ber.TagSequence, diagnosis(code, "it\r\nis")...))))))
	}
	const record = "z39.50r://192.0.2.1/d?tulips;rs=sutrs"
	for _, tt := range []struct {
		name, url string
		serve     func(net.Conn)
		step      string
		kind      error
		status    int
		said      string
	}{
		{"refused", record, (&fake{refuses: true}).serve, fetch.Login, fetch.ErrDenied, 0, ""},
		{"not there", record, (&fake{}).serve, fetch.Status, fetch.ErrNotFound, 0, ""},
		{"not there for a session", "z39.50s://192.0.2.1/d?tulips", (&fake{}).serve, fetch.Status, fetch.ErrNotFound, 0, ""},
		{"no index", record, (&fake{uses: []int64{4}}).serve, fetch.Status, fetch.ErrUnsupported, 114, "12"},
		{"no database", "z39.50r://192.0.2.1/nosuch?tulips", (&fake{}).serve, fetch.Status, fetch.ErrNotFound, 235, "nosuch"},
		{"no syntax of ours", record, (&fake{records: []string{"tulips"}}).serve, fetch.Status, fetch.ErrUnsupported, 239, "101"},
		{"no such element set", "z39.50r://192.0.2.1/d?tulips;esn=Q;rs=sutrs", (&fake{records: []string{"tulips"}, as: forms, sets: []string{"B"}}).serve, fetch.Status, fetch.ErrUnsupported, 25, "Q"},
		{"a syntax of no name", "z39.50r://192.0.2.1/d?tulips;rs=nonsense", (&fake{}).serve, fetch.Reading, fetch.ErrUnsupported, 0, ""},
		{"closed", record, (&fake{closes: "out of\x1b[2J order"}).serve, fetch.Asking, nil, 2, "out of"},
		{"closed for security", record, canned(string(ctx(48, num(211, 5)).Append(nil))), fetch.Greeting, fetch.ErrDenied, 5, ""},
		{"closed without a reason", record, canned("\xbf\x30\x00"), fetch.Greeting, nil, -1, ""},
		{"hung up", record, canned(), fetch.Greeting, fetch.ErrTruncated, 0, ""},
		{"hung up after Init", record, canned(good, ""), fetch.Asking, fetch.ErrTruncated, 0, ""},
		{"cut off", record, canned(good, found[:4]), fetch.Asking, fetch.ErrTruncated, 0, ""},
		{"WAIS", record, canned("0000000085z2wais        0"), fetch.Greeting, fetch.ErrMalformed, 0, "0000000085"},
		{"another protocol", record, canned("SSH-2.0-x\r\n"), fetch.Greeting, fetch.ErrMalformed, 0, "SSH"},
		{"another APDU", record, canned(found), fetch.Greeting, fetch.ErrMalformed, 0, ""},
		{"no BER", record, canned("\xb5\x02\x04\x01"), fetch.Greeting, fetch.ErrMalformed, 0, ""},
		{"more than there is room for", record, canned("\xb5\x84\x7f\xff\xff\xff"), fetch.Limit, fetch.ErrTooLarge, 0, ""},
		{"depth", record, canned("\xb5\x80" + strings.Repeat("\x30\x80", 100)), fetch.Limit, fetch.ErrTooLarge, 0, ""},
		{"no count", record, canned(good, string(ctx(23).Append(nil))), fetch.Asking, fetch.ErrMalformed, 0, ""},
		{"a count below 0", record, canned(good, string(ctx(23, num(23, -1)).Append(nil))), fetch.Asking, fetch.ErrMalformed, 0, ""},
		{"failed without a word", record, canned(good, string(ctx(23, num(23, 1), ber.Bool(ber.Context, 22, false)).Append(nil))), fetch.Status, nil, 100, ""},
		{"no diagnostic in a list of them", record, canned(good, string(ctx(23, ctx(205)).Append(nil))), fetch.Status, nil, 100, ""},
		{"no record", record, canned(good, found, present(ctx(28))), fetch.Asking, fetch.ErrMalformed, 0, ""},
		{"an empty record", record, canned(good, found, present(ctx(28, ber.Of(ber.Universal, ber.TagSequence))), surrogate(14)), fetch.Status, nil, 14, ""},
		{"a record that may not be sent", record, canned(good, found, surrogate(15)), fetch.Status, fetch.ErrDenied, 15, "it\r\nis"},
		{"busy", record, canned(good, found, surrogate(2)), fetch.Status, fetch.ErrBusy, 2, "it\r\nis"},
	} {
		_, _, err := get(t, tt.serve, tt.url)
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind) || e.Status != tt.status || !strings.HasPrefix(e.Said, tt.said) {
			t.Errorf("%s: %v (%+v)", tt.name, err, e)
			continue
		}
		for _, r := range err.Error() {
			if r < ' ' {
				t.Errorf("%s: %q", tt.name, err)
			}
		}
	}
}
