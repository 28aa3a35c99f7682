package wais_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/fake/stage"
	"anyurl/internal/fake/waisd"
	"anyurl/proto/wais"

	waisurl "anyurl/scheme/wais"
)

// lossLimits are generous where a test does not say otherwise: what passes is a
// bubble's time.
var lossLimits = fetch.Limits{Connect: 5 * time.Second, FirstByte: 20 * time.Second, Idle: 20 * time.Second, Total: 2 * time.Minute, MaxBody: 1 << 20}

// pattern is n octets of which no two slices are alike.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8*13 + i>>16)
	}
	return b
}

// lossServer is a server with documents of many lengths, two of them in several
// types.
func lossServer() *waisd.Server {
	text := []byte("About tulips\n\nTulips are spring flowers.\nThey grow from bulbs in Holland.\n")
	docs := []waisd.Document{
		{Path: "/srv/wais/docs/tulip.txt", Words: "tulips holland bulbs", Forms: []waisd.Form{{Type: "TEXT", Data: text}}},
		{Path: "/srv/wais/docs/pic.gif", Headline: "pic.gif", Words: "pic", Forms: []waisd.Form{{Type: "GIF", Data: append([]byte("GIF89a"), pattern(37)...)}}},
		{Path: "/srv/wais/docs/report", Headline: "report", Words: "report", Forms: []waisd.Form{
			{Type: "TEXT", Data: []byte("A report.\n")}, {Type: "PS", Data: []byte("%!PS-Adobe\n\x04")},
		}},
	}
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8192, 11918} {
		docs = append(docs, waisd.Document{Path: fmt.Sprintf("/srv/wais/docs/%d.dat", n), Words: fmt.Sprintf("size%d", n), Forms: []waisd.Form{{Type: "DVI", Data: pattern(n)}}})
	}
	return &waisd.Server{Databases: map[string][]waisd.Document{"garden": docs}}
}

// find gives a document of the garden and its URL.
func find(t *testing.T, s *waisd.Server, path string) (anyurl.URL, []byte) {
	t.Helper()
	docs := s.Databases["garden"]
	i := slices.IndexFunc(docs, func(d waisd.Document) bool { return strings.HasSuffix(d.Path, path) })
	if i < 0 {
		t.Fatalf("the garden has no %s", path)
	}
	u := anyurl.MustParse("wais://server.test/garden")
	ref, err := waisurl.Read(u)
	if err != nil {
		t.Fatal(err)
	}
	ref.Doc, ref.Type = waisurl.DocID(s.DocID("garden", docs[i])), docs[i].Forms[0].Type
	return ref.URL(), docs[i].Forms[0].Data
}

// onStage runs f in a bubble in which a server is at server.test.
func onStage(t *testing.T, s *waisd.Server, f func(t *testing.T, c *fetch.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := stage.New(t)
		st.Serve("server.test", waisurl.Port, s.Serve)
		st.Client.Transports = map[string]fetch.Transport{"wais": wais.New(&st.Dialer)}
		st.Client.Limits = lossLimits
		f(t, &st.Client)
		if c := s.Complaints(); len(c) > 0 {
			t.Errorf("the server complains: %q", c)
		}
	})
}

// open fetches a URL whole.
func open(t *testing.T, c *fetch.Client, u anyurl.URL) (*fetch.Result, []byte, error) {
	got, err := c.Do(t.Context(), &fetch.Request{URL: u})
	if err != nil {
		return nil, nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return got, body, err
}

func TestLossDocuments(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*waisd.Server)
	}{
		{"plain", func(*waisd.Server) {}},
		{"wants an Init", func(s *waisd.Server) { s.WantsInit = true }},
		{"wants an Init and sends small records", func(s *waisd.Server) { s.WantsInit, s.Record = true, 1500 }},
		{"small records, of which nobody was told", func(s *waisd.Server) { s.Record = 1500 }},
		{"what no document describes", func(s *waisd.Server) { s.Extra = true }},
		{"octet by octet", func(s *waisd.Server) {
			s.Fault = func(_ int, reply []byte) []waisd.Act { return waisd.Octets(0)(reply) }
		}},
		{"long headers", func(s *waisd.Server) { s.Group = waisd.LongHeaders }},
		{"short headers", func(s *waisd.Server) { s.Group = waisd.ShortHeaders }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := lossServer()
			tt.change(s)
			onStage(t, s, func(t *testing.T, c *fetch.Client) {
				for _, d := range s.Databases["garden"] {
					word, _, _ := strings.Cut(d.Words, " ")
					got, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?"+word))
					if err != nil {
						t.Errorf("searching %s: %v", word, err)
						continue
					}
					if len(got.Entries) != 1 || got.Entries[0].Size != int64(len(d.Forms[0].Data)) {
						t.Errorf("searching %s gives %+v", word, got.Entries)
						continue
					}
					_, body, err := open(t, c, anyurl.MustParse(got.Entries[0].URL))
					if err != nil || !bytes.Equal(body, d.Forms[0].Data) {
						t.Errorf("%s: %d octets, %v; want %d", d.Path, len(body), err, len(d.Forms[0].Data))
					}
				}
			})
		})
	}
}

// TestLossHeadlines: a hit of which only the headline came is opened all the
// same.
func TestLossHeadlines(t *testing.T) {
	s := lossServer()
	s.Group = waisd.Headlines
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		got, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?holland"))
		if err != nil || len(got.Entries) != 1 || got.Entries[0].Name != "tulip.txt   /srv/wais/docs/" || got.Entries[0].Size != -1 {
			t.Fatalf("got %+v, %v", got, err)
		}
		_, body, err := open(t, c, anyurl.MustParse(got.Entries[0].URL))
		if _, want := find(t, s, "/tulip.txt"); err != nil || !bytes.Equal(body, want) {
			t.Errorf("%q, %v", body, err)
		}
	})
}

// TestLossForms: a document is had in the type that its URL names.
func TestLossForms(t *testing.T) {
	s := lossServer()
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		u, _ := find(t, s, "report")
		for typ, want := range map[string]string{"TEXT": "A report.\n", "PS": "%!PS-Adobe\n\x04"} {
			ref, _ := waisurl.Read(u)
			ref.Type = typ
			_, body, err := open(t, c, ref.URL())
			if err != nil || string(body) != want {
				t.Errorf("%s: %q, %v", typ, body, err)
			}
		}
	})
}

// TestLossUnits: a part is what the server counts between two units.
func TestLossUnits(t *testing.T) {
	s := lossServer()
	synctest.Test(t, func(t *testing.T) {
		st := stage.New(t)
		st.Serve("server.test", waisurl.Port, s.Serve)
		conn, err := st.Dialer.DialContext(t.Context(), "tcp", "server.test:210")
		if err != nil {
			t.Fatal(err)
		}
		c := wais.NewConn(conn, wais.Limits{})
		defer c.Close()
		server, err := c.Init()
		if err != nil || !server.Accepted || server.Name != "a server for tests" || server.MaxRecord != 100_000 {
			t.Fatalf("got %+v, %v", server, err)
		}
		id := s.DocID("garden", s.Databases["garden"][0])
		for _, tt := range []struct {
			unit     wais.Unit
			from, to uint64
			want     string
			past     bool
		}{
			{wais.Octets, 6, 12, "tulips", false},
			{wais.Octets, 70, 90, "nd.\n", true},
			{wais.Octets, 74, 90, "", true},
			{wais.Lines, 0, 2, "About tulips\n\n", false},
			{wais.Lines, 3, 9, "They grow from bulbs in Holland.\n", true},
			{wais.Paragraphs, 0, 1, "About tulips\n\n", false},
			{wais.Paragraphs, 1, 2, "Tulips are spring flowers.\nThey grow from bulbs in Holland.\n", false},
		} {
			got, err := c.Retrieve("garden", id, "TEXT", tt.unit, tt.from, tt.to)
			past := len(got.Diagnostics) == 1 && got.Diagnostics[0].OutOfRange()
			if err != nil || string(got.Text) != tt.want || got.HasText != (tt.want != "") || past != tt.past {
				t.Errorf("%s %d to %d: %+v, %v", tt.unit, tt.from, tt.to, got, err)
			}
		}
		if c := s.Complaints(); len(c) > 0 {
			t.Errorf("the server complains: %q", c)
		}
	})
}

func TestLossSearches(t *testing.T) {
	many := lossServer()
	for i := range 60 {
		many.Databases["garden"] = append(many.Databases["garden"], waisd.Document{Path: fmt.Sprintf("/many/%d", i), Words: "common", Forms: []waisd.Form{{Type: "TEXT", Data: []byte("x")}}})
	}
	many.Queries = map[string]waisd.Diagnostic{
		"bad(": {Code: waisd.UnsupportedSearch, Text: "the query \x1b[2J is none"},
		"drop": {},
	}
	for _, tt := range []struct {
		name, url string
		hits      int
		kind      error
		said      string
	}{
		{"two words, both needed by none", "wais://server.test/garden?tulips+report", 2, nil, ""},
		{"more than are asked for", "wais://server.test/garden?common", wais.DefaultDocuments, nil, ""},
		{"none", "wais://server.test/garden?zebra", 0, nil, ""},
		{"no such database", "wais://server.test/nosuch?tulips", 0, fetch.ErrNotFound, "S1"},
		{"a bad query", "wais://server.test/garden?bad(", 0, nil, "S3"},
		{"a query that has the server hang up", "wais://server.test/garden?drop", 0, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onStage(t, many, func(t *testing.T, c *fetch.Client) {
				got, _, err := open(t, c, anyurl.MustParse(tt.url))
				fails := tt.kind != nil || tt.said != "" || strings.HasSuffix(tt.url, "drop")
				if !fails {
					if err != nil || len(got.Entries) != tt.hits {
						t.Fatalf("got %+v, %v; want %d hits", got, err, tt.hits)
					}
					return
				}
				var e *fetch.Error
				if !errors.As(err, &e) || e.Step == "" || !strings.HasPrefix(e.Said, tt.said) || tt.kind != nil && !errors.Is(err, tt.kind) {
					t.Errorf("got %#v", err)
				}
				if strings.ContainsAny(fmt.Sprint(err), "\x1b\n") {
					t.Errorf("the error shows %q", err)
				}
			})
		})
	}
}

// TestLossWarnings: a diagnostic beside records does not take them away.
func TestLossWarnings(t *testing.T) {
	s := lossServer()
	s.Fault = waisd.At(1, waisd.Also(waisd.Diagnostic{Code: "SD", Text: "too many records"}))
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		got, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?tulips"))
		if err != nil || len(got.Entries) != 1 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// A loss is a fault and what must come of it.
type loss struct {
	name string
	do   func(reply []byte) []waisd.Act
	kind error // nil: any, as long as it fails
	// whole says that the object must come in spite of it.
	whole bool
	// either says that it may come whole or fail, but nothing else.
	either bool
	// documents says that a search does not meet it.
	documents bool
}

var losses = []loss{
	{name: "octet by octet", do: waisd.Octets(0), whole: true},
	{name: "octet by octet, each after a while", do: waisd.Octets(time.Millisecond), whole: true},
	{name: "octet by octet, too slowly", do: waisd.Octets(5 * time.Second), kind: context.DeadlineExceeded},
	{name: "twice", do: waisd.Twice, either: true}, // nobody sees what comes behind the last slice
	{name: "another reference", do: waisd.Refer("9"), kind: fetch.ErrMalformed, documents: true},
	{name: "says one octet less than there is", do: waisd.Claim(-1, waisd.Stay), kind: fetch.ErrMalformed},
	{name: "says 20 octets less than there are", do: waisd.Claim(-20, waisd.Stay), kind: fetch.ErrMalformed},
	{name: "says more than there is, and closes", do: waisd.Claim(40, waisd.Close), kind: fetch.ErrTruncated},
	{name: "says more than there is, and waits", do: waisd.Claim(40, waisd.Mute), kind: context.DeadlineExceeded},
	{name: "says 9.9 GB", do: waisd.Head(0, "9999999999"), kind: fetch.ErrTooLarge},
	{name: "a length of nothing", do: waisd.Head(0, "0000000000"), kind: fetch.ErrMalformed},
	{name: "a length of letters", do: waisd.Head(0, "0x00000100"), kind: fetch.ErrMalformed},
	{name: "a length below nothing", do: waisd.Head(0, "-000000100"), kind: fetch.ErrMalformed},
	{name: "a length with a sign", do: waisd.Head(0, "+000000100"), kind: fetch.ErrMalformed},
	{name: "a nak", do: waisd.Head(10, "n")},
	{name: "compressed", do: waisd.Head(22, "u"), kind: fetch.ErrUnsupported},
	{name: "encoded", do: waisd.Head(23, "h"), kind: fetch.ErrUnsupported},
	{name: "closes", do: waisd.Cut(0, waisd.Close)},
	{name: "closes in the message header", do: waisd.Cut(12, waisd.Close), kind: fetch.ErrTruncated},
	{name: "closes behind it", do: waisd.Cut(25, waisd.Close), kind: fetch.ErrTruncated},
	{name: "closes in the APDU's header", do: waisd.Cut(30, waisd.Close), kind: fetch.ErrTruncated},
	{name: "closes in a record", do: waisd.Cut(200, waisd.Close), kind: fetch.ErrTruncated},
	{name: "resets in a record", do: waisd.Cut(200, waisd.Reset)},
	{name: "falls silent in a record", do: waisd.Cut(200, waisd.Mute), kind: context.DeadlineExceeded},
	{name: "an Init's answer to a Search", do: waisd.Reply([]byte("\x00\x02\x15\x01"))},
	{name: "an APDU of no kind", do: waisd.Reply([]byte("\x00\x02\x63\x01")), kind: fetch.ErrMalformed},
	{name: "an empty APDU", do: waisd.Reply(nil), kind: fetch.ErrMalformed},
	{name: "an APDU whose header is longer than it", do: waisd.Reply([]byte("\xff\xff\x17\x00")), kind: fetch.ErrMalformed},
	{name: "a field longer than the header", do: waisd.Reply([]byte("\x00\x10\x17\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x1b\x7f\x00\x02\x01c\x00")), kind: fetch.ErrMalformed},
	{name: "a field longer than any", do: waisd.Reply([]byte("\x00\x0b\x17\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00c\xff\xff\xff\xff\x7f")), kind: fetch.ErrMalformed},
	{name: "a tag without an end", do: waisd.Reply([]byte("\x00\x0b\x17\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00c\x05\xff\xff\xff\xff\xff")), kind: fetch.ErrMalformed},
	{name: "Z39.50 as it was later", do: waisd.Raw("\xb5\x0d\x83\x01\x01\x84\x01\x01\x85\x02\x06\xc0\x86\x01\x00"), kind: fetch.ErrMalformed},
	{name: "another protocol", do: waisd.Raw("220 ftp.example FTP server ready\r\n"), kind: fetch.ErrMalformed},
	{name: "only a diagnostic", do: waisd.Complain(waisd.Diagnostic{Code: waisd.TemporaryError, Text: "try later"})},
}

// TestLossEach has each fault happen to a search, to the only slice of a short
// document, and to each slice of a long one.
func TestLossEach(t *testing.T) {
	for _, l := range losses {
		for _, at := range []struct {
			name, path string
			reply      int
		}{
			{"search", "", 1}, {"short", "/tulip.txt", 1}, {"first of three", "/11918.dat", 1},
			{"second of three", "/11918.dat", 2}, {"last of three", "/11918.dat", 3},
		} {
			if l.documents && at.path == "" {
				continue
			}
			t.Run(l.name+"/"+at.name, func(t *testing.T) {
				s := lossServer()
				s.Fault = waisd.At(at.reply, l.do)
				onStage(t, s, func(t *testing.T, c *fetch.Client) {
					u, want := anyurl.MustParse("wais://server.test/garden?tulips"), []byte(nil)
					if at.path != "" {
						u, want = find(t, s, at.path)
					}
					got, body, err := open(t, c, u)
					l.judge(t, got, body, err, want, at.path == "")
				})
			})
		}
	}
}

// judge holds what came of a fault.
func (l loss) judge(t *testing.T, got *fetch.Result, body []byte, err error, want []byte, search bool) {
	t.Helper()
	if err == nil {
		switch {
		case !l.whole && !l.either:
			t.Errorf("no error; %d octets", len(body))
		case search && len(got.Entries) != 1:
			t.Errorf("got %+v", got.Entries)
		case !search && !bytes.Equal(body, want):
			t.Errorf("%d octets came that are not the %d of the object", len(body), len(want))
		}
		return
	}
	if l.whole {
		t.Errorf("got %v", err)
	}
	if !search && !bytes.HasPrefix(want, body) {
		t.Errorf("before %v came %d octets that are not the object's", err, len(body))
	}
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step == "" || e.URL.IsZero() {
		t.Fatalf("%#v says no step or no URL", err)
	}
	if l.kind != nil && !errors.Is(err, l.kind) {
		t.Errorf("got %v (kind %v), want %v", err, e.Kind, l.kind)
	}
}

// TestLossEverywhere ends a search's and a document's connection after each
// octet of the reply: nothing that is cut looks whole.
func TestLossEverywhere(t *testing.T) {
	for _, path := range []string{"", "/tulip.txt", "/1.dat", "/pic.gif"} {
		s := lossServer()
		total := 0
		s.Fault = func(_ int, reply []byte) []waisd.Act {
			total = len(reply)
			return []waisd.Act{{Say: reply}}
		}
		onStage(t, s, func(t *testing.T, c *fetch.Client) {
			u, want := anyurl.MustParse("wais://server.test/garden?tulips"), []byte(nil)
			if path != "" {
				u, want = find(t, s, path)
			}
			if _, body, err := open(t, c, u); err != nil || path != "" && !bytes.Equal(body, want) {
				t.Fatalf("without a fault: %d octets, %v", len(body), err)
			}
			whole := total
			for n := range whole {
				s.Fault = func(_ int, reply []byte) []waisd.Act { return waisd.Cut(n, waisd.Close)(reply) }
				_, body, err := open(t, c, u)
				if err == nil {
					t.Fatalf("%q, cut after %d of %d octets: %d octets and no error", path, n, whole, len(body))
				}
				var e *fetch.Error
				if !errors.As(err, &e) || e.Step == "" {
					t.Fatalf("%q, cut after %d: %#v", path, n, err)
				}
			}
		})
	}
}

// TestLossCounts: a reply that speaks of more records than it has brings those
// that it has.
func TestLossCounts(t *testing.T) {
	for _, n := range []int{0, 7, 1 << 23} {
		s := lossServer()
		s.Fault = waisd.At(1, waisd.Count(n))
		onStage(t, s, func(t *testing.T, c *fetch.Client) {
			got, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?tulips"))
			if err != nil || len(got.Entries) != 1 {
				t.Errorf("a count of %d: %+v, %v", n, got, err)
			}
		})
	}
}

// TestLossMidway: a diagnostic in a slice, or in its place, ends the object only
// where it says that the range is behind its end; and what is known to have so
// many octets has not ended before.
func TestLossMidway(t *testing.T) {
	disk := waisd.Diagnostic{Code: waisd.TemporaryError, Text: "disk"}
	for _, tt := range []struct {
		name  string
		do    func([]byte) []waisd.Act
		known bool // the URL says the length
		kind  error
		said  string
		whole bool
	}{
		{"no such right", waisd.Complain(waisd.Diagnostic{Code: "SH", Text: "record not authorized"}), false, nil, "SH", false},
		{"a system's failure", waisd.Complain(disk), false, nil, "S2", false},
		{"a failure beside all of the slice", waisd.Also(disk), false, nil, "", true},
		{"a failure beside a part of it", shorten(disk), false, nil, "S2", false},
		{"nothing at all of a known length", waisd.Empty, true, fetch.ErrTruncated, "", false},
		{"a failure in place of a known part", waisd.Complain(disk), true, nil, "S2", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := lossServer()
			s.Fault = waisd.At(2, tt.do)
			onStage(t, s, func(t *testing.T, c *fetch.Client) {
				u, want := find(t, s, "/11918.dat")
				if tt.known {
					ref, _ := waisurl.Read(u)
					u = anyurl.MustParse(fmt.Sprintf("wais://server.test/garden/DVI/%d/%s", len(want), ref.Tagged()))
				}
				_, body, err := open(t, c, u)
				var e *fetch.Error
				switch {
				case tt.whole:
					if err != nil || !bytes.Equal(body, want) {
						t.Errorf("%d of %d octets, %v", len(body), len(want), err)
					}
				case !errors.As(err, &e) || e.Step != fetch.Body || !strings.HasPrefix(e.Said, tt.said) || tt.kind != nil && !errors.Is(err, tt.kind):
					t.Errorf("%d octets, %#v", len(body), err)
				case !bytes.HasPrefix(want, body) || len(body) < 4096:
					t.Errorf("%d octets came before the error", len(body))
				}
			})
		})
	}
}

// shorten halves the text of a reply and has a diagnostic say why.
func shorten(d waisd.Diagnostic) func([]byte) []waisd.Act {
	return func(reply []byte) []waisd.Act { return waisd.Also(d)(waisd.Halve(reply)[0].Say) }
}

// TestLossRejected: a server that refuses the session says so.
func TestLossRejected(t *testing.T) {
	s := lossServer()
	s.WantsInit, s.Rejects = true, true
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		_, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?tulips"))
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step == "" {
			t.Errorf("got %#v", err)
		}
	})
}

// TestLossInitOnce: a server that hangs up is asked a second time with an Init
// before it, and not for ever.
func TestLossInitOnce(t *testing.T) {
	s := lossServer()
	s.Fault = func(int, []byte) []waisd.Act { return []waisd.Act{{End: waisd.Close}} }
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		_, _, err := open(t, c, anyurl.MustParse("wais://server.test/garden?tulips"))
		if err == nil {
			t.Error("no error")
		}
		if inits, searches, _ := s.Counts(); inits != 1 || searches > 2 {
			t.Errorf("%d Inits and %d searches came, want 1 and at most 2", inits, searches)
		}
	})
}

// TestLossSlow: a slow server is waited for within the limits, whatever it
// sends.
func TestLossSlow(t *testing.T) {
	for _, l := range []struct {
		name   string
		limits fetch.Limits
		pause  time.Duration
	}{
		{"first byte", fetch.Limits{FirstByte: 3 * time.Second}, time.Second},
		{"total", fetch.Limits{FirstByte: time.Hour, Idle: time.Hour, Total: 5 * time.Second}, time.Second},
	} {
		t.Run(l.name, func(t *testing.T) {
			s := lossServer()
			s.Fault = func(_ int, reply []byte) []waisd.Act { return waisd.Octets(l.pause)(reply) }
			onStage(t, s, func(t *testing.T, c *fetch.Client) {
				u, _ := find(t, s, "/11918.dat")
				start := time.Now()
				got, err := c.Do(t.Context(), &fetch.Request{URL: u, Limits: l.limits})
				if err == nil {
					_, err = io.ReadAll(got.Body)
					got.Body.Close()
				}
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(start); took > 6*time.Second {
					t.Errorf("took %v of the bubble's time", took)
				}
			})
		})
	}
}

// TestLossCancelled cancels at each reply, before it, in it and behind it.
func TestLossCancelled(t *testing.T) {
	for reply := 1; reply <= 3; reply++ {
		for _, at := range []int{0, 10, 25, 100, 1000} {
			s := lossServer()
			ctx, cancel := context.WithCancel(t.Context())
			s.Fault = waisd.At(reply, func(b []byte) []waisd.Act {
				return []waisd.Act{{Say: b[:at]}, {Pause: time.Second, End: waisd.Mute}}
			})
			onStage(t, s, func(t *testing.T, c *fetch.Client) {
				u, want := find(t, s, "/11918.dat")
				stop := time.AfterFunc(time.Second/2, cancel)
				defer stop.Stop()
				start := time.Now()
				got, err := c.Do(ctx, &fetch.Request{URL: u})
				var body []byte
				if err == nil {
					body, err = io.ReadAll(got.Body)
					got.Body.Close()
				}
				if !errors.Is(err, context.Canceled) || !bytes.HasPrefix(want, body) {
					t.Errorf("reply %d, octet %d: %d octets, %v", reply, at, len(body), err)
				}
				if took := time.Since(start); took != time.Second/2 {
					t.Errorf("reply %d, octet %d: took %v", reply, at, took)
				}
			})
			cancel()
		}
	}
}

// TestLossSizes: the limits hold against a server that has more than they allow.
func TestLossSizes(t *testing.T) {
	s := lossServer()
	s.Databases["garden"] = append(s.Databases["garden"], waisd.Document{Path: "/big", Words: "big", Forms: []waisd.Form{{Type: "TEXT", Data: pattern(300_000)}}})
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		u, want := find(t, s, "/big")
		for _, limit := range []int64{1, 4096, 100_000, 299_999, 300_000} {
			got, err := c.Do(t.Context(), &fetch.Request{URL: u, Limits: fetch.Limits{MaxBody: limit}})
			var body []byte
			if err == nil {
				body, err = io.ReadAll(got.Body)
				got.Body.Close()
			}
			if limit == int64(len(want)) {
				if err != nil || !bytes.Equal(body, want) {
					t.Errorf("a limit that fits: %d octets, %v", len(body), err)
				}
			} else if !errors.Is(err, fetch.ErrTooLarge) || int64(len(body)) > limit || !bytes.HasPrefix(want, body) {
				t.Errorf("a limit of %d: %d octets, %v", limit, len(body), err)
			}
		}
		_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("wais://server.test/garden?size0+size1+size4095"), Limits: fetch.Limits{MaxEntries: 2}})
		if !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("three entries where two are allowed: %v", err)
		}
	})
}

// TestLossClaims: a length that a server claims costs no memory before its octets
// come.
func TestLossClaims(t *testing.T) {
	s := lossServer()
	s.Fault = func(_ int, reply []byte) []waisd.Act { return waisd.Head(0, "0001000000")(reply[:60]) }
	onStage(t, s, func(t *testing.T, c *fetch.Client) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			u, _ := find(t, s, "/tulip.txt")
			if _, _, err := open(t, c, u); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v", err)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 {
			t.Errorf("%d KiB were allocated for 20 replies of 60 octets", n>>10)
		}
	})
}

// TestLossSuite runs the suite of all transports against this server.
func TestLossSuite(t *testing.T) {
	s := lossServer()
	u, want := find(t, s, "/tulip.txt")
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return wais.New(d) }, URL: u.String(), Port: waisurl.Port, Want: string(want),
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) { s.Serve(conn) },
	})
}
