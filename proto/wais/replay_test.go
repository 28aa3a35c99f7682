package wais_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/wais"
	waisurl "anyurl/scheme/wais"
)

// An exchange is one connection with a real server, octet for octet.
type exchange struct {
	name  string
	turns []turn
	ends  bool // the server closed the connection
}

type turn struct {
	sent bool // by the client
	what []byte
}

// exchanges reads the recorded exchanges, where they are at hand.
func exchanges(t *testing.T) map[string]exchange {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "protocols", "captures", "wais.txt"))
	if err != nil {
		t.Skip("the recorded exchanges are not at hand")
	}
	m := map[string]exchange{}
	var e exchange
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case kind == "##":
			e = exchange{name: rest}
		case kind == "#" && rest == "E":
			e.ends = true
		case kind == "C" || kind == "S":
			b, err := hex.DecodeString(rest)
			if err != nil {
				t.Fatal(err)
			}
			e.turns = append(e.turns, turn{kind == "C", b})
		}
		if e.name != "" {
			m[e.name] = e
		}
	}
	return m
}

// replay plays the server's side on conn and reports what the client said
// otherwise than recorded.
func (e exchange) replay(t *testing.T, conn net.Conn) {
	for _, turn := range e.turns {
		if !turn.sent {
			conn.Write(turn.what)
			continue
		}
		got := make([]byte, len(turn.what))
		n, err := io.ReadFull(conn, got)
		if !bytes.Equal(got[:n], turn.what) {
			t.Errorf("%s: the client sent\n%q, %v, recorded is\n%q", e.name, got[:n], err, turn.what)
			return
		}
	}
	if !e.ends {
		if n, _ := conn.Read(make([]byte, 1)); n > 0 {
			t.Errorf("%s: the client sent more than was recorded", e.name)
		}
	}
}

const (
	recordedHost = "wais.example:210"
	recordedDB   = "/srv/wais/db/garden"
)

// recorded is a document's identifier at the recorded server: what it found,
// from where, and by whom it is distributed.
func recorded(local string) string {
	id := ""
	for i, v := range []string{recordedHost, recordedDB, local, recordedHost, recordedDB, local, "\x00"} {
		id += string(tlv(i+1, v))
	}
	return id
}

// Every recorded exchange, with the conversation alone: the client says what
// the client of the time said, and reads what the server answered.
func TestReplay(t *testing.T) {
	const (
		tulip = "0 74 /srv/wais/docs/tulip.txt"
		long  = "0 11918 /srv/wais/docs/long.txt"
		gif   = "0 43 /srv/wais/docs/pic.gif"
	)
	about := "About tulips\n\nTulips are spring flowers.\nThey grow from bulbs in Holland.\n"
	search := func(database, words string, check func(*testing.T, wais.Reply)) func(*testing.T, *wais.Conn) {
		return func(t *testing.T, c *wais.Conn) {
			r, err := c.Search(database, words, 40)
			if err != nil {
				t.Error(err)
				return
			}
			check(t, r)
		}
	}
	retrieve := func(doc, typ string, unit wais.Unit, from, to uint64, want, diagnostic string) func(*testing.T, *wais.Conn) {
		return func(t *testing.T, c *wais.Conn) {
			r, err := c.Retrieve("garden", doc, typ, unit, from, to)
			if err != nil {
				t.Error(err)
				return
			}
			said := ""
			for _, d := range r.Diagnostics {
				said += d.String()
			}
			if string(r.Text) != want || said != diagnostic {
				t.Errorf("got %q and %q, want %q and %q", r.Text, said, want, diagnostic)
			}
		}
	}
	for name, talk := range map[string]func(*testing.T, *wais.Conn){
		`search "bulbs" in garden, at most 40 documents`: search("garden", "bulbs", func(t *testing.T, r wais.Reply) {
			if len(r.Documents) != 3 || len(r.Diagnostics) != 0 {
				t.Fatalf("%+v", r)
			}
			d := r.Documents[2]
			if d.ID != recorded(long) || d.Headline != "long.txt   /srv/wais/docs/" || d.Size != 11918 || d.Lines != 401 || d.Score != 25 || len(d.Types) != 1 || d.Types[0] != "TEXT" || d.Date != "0" || d.Source != recordedDB {
				t.Errorf("%+v", d)
			}
		}),
		`search "tulips holland" in garden`: search("garden", "tulips holland", func(t *testing.T, r wais.Reply) {
			if len(r.Documents) != 1 || r.Documents[0].ID != recorded(tulip) || r.Documents[0].Score != 916 {
				t.Errorf("%+v", r)
			}
		}),
		"search with no hit: the server offers its catalogue as one TEXT document": search("garden", "zzzz", func(t *testing.T, r wais.Reply) {
			if len(r.Documents) != 1 || r.Documents[0].Headline != "Search produced no result. Here's the Catalog for database: garden" || r.Documents[0].Size != 421 {
				t.Errorf("%+v", r)
			}
		}),
		`search "pic" (a GIF document)`: search("garden", "pic", func(t *testing.T, r wais.Reply) {
			if len(r.Documents) != 1 || r.Documents[0].ID != recorded(gif) || r.Documents[0].Types[0] != "GIF" {
				t.Errorf("%+v", r)
			}
		}),
		"search in a database that does not exist: diagnostic S1": search("nosuchdb", "bulbs", func(t *testing.T, r wais.Reply) {
			if len(r.Documents) != 0 || len(r.Diagnostics) != 1 || r.Diagnostics[0].String() != "S1 The following database is not available: /srv/wais/db/nosuchdb" {
				t.Errorf("%+v", r)
			}
		}),
		"retrieve tulip.txt as TEXT, bytes 0..74": retrieve(recorded(tulip), "TEXT", wais.Octets, 0, 74, about, ""),
		"retrieve pic.gif as GIF, bytes 0..43": retrieve(recorded(gif), "GIF", wais.Octets, 0, 43,
			"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;", ""),
		"retrieve past the end: one text group plus diagnostic S4": retrieve(recorded(tulip), "TEXT", wais.Octets, 0, 1000, about, "SF Request out of range"),
		"retrieve wholly past the end: only diagnostic S4":         retrieve(recorded(tulip), "TEXT", wais.Octets, 5000, 6000, "", "SF Request out of range"),
		"retrieve by lines 0..2 (chunk code wl)":                   retrieve(recorded(tulip), "TEXT", wais.Lines, 0, 2, "About tulips\n\n", ""),
		"retrieve a document-id the server never issued": retrieve(string(tlv(1, "x"))+string(tlv(2, "y"))+string(tlv(3, "0 10 /etc/passwd")),
			"TEXT", wais.Octets, 0, 2000, "", "SF Request out of range"),
		"retrieve without a data type: this server drops the connection": func(t *testing.T, c *wais.Conn) {
			if _, err := c.Retrieve("garden", recorded(tulip), "", wais.Octets, 0, 1000); err != io.EOF {
				t.Errorf("got %v", err)
			}
		},
	} {
		e, ok := exchanges(t)[name]
		if !ok {
			t.Errorf("no exchange %q was recorded", name)
			continue
		}
		mine, theirs := transcript.Pipe(netip.AddrPort{}, netip.AddrPort{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			e.replay(t, theirs)
			theirs.Close()
		}()
		c := wais.NewConn(mine, wais.Limits{})
		talk(t, c)
		c.Close()
		<-done
	}
}

// An Init says who asks in words of its own; everything else is as recorded.
func TestReplayInit(t *testing.T) {
	e := exchanges(t)["init (optional; answered with init-response)"]
	mine, theirs := transcript.Pipe(netip.AddrPort{}, netip.AddrPort{})
	defer theirs.Close()
	got := make(chan []byte, 1)
	go func() {
		b := make([]byte, 4096)
		n, _ := theirs.Read(b)
		theirs.Write(e.turns[1].what)
		got <- b[:n]
	}()
	s, err := wais.NewConn(mine, wais.Limits{}).Init()
	if err != nil || !s.Accepted || s.ID != "LS6" || s.Name != "University of Dortmund Informatik VI" || s.MaxRecord != 100000 {
		t.Errorf("%v %+v", err, s)
	}
	// masked are the fields after the message's and the header's lengths,
	// without what names the client: 7 to 10.
	masked := func(b []byte) (list []one) {
		for _, o := range take(b[28:]) {
			if o.tag >= 7 && o.tag <= 10 {
				o.value = ""
			}
			list = append(list, o)
		}
		return list
	}
	sent := <-got
	a, b := masked(sent), masked(e.turns[0].what)
	if len(a) != len(b) || string(sent[10:25]) != string(e.turns[0].what[10:25]) || sent[27] != 20 {
		t.Fatalf("sent %q", sent)
	}
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("field %d: %v, want %v", i, a[i], b[i])
		}
	}
}

// URLs open with what the recorded client sent.
func TestReplayURLs(t *testing.T) {
	id := func(local string) string {
		return (waisurl.Ref{Doc: waisurl.DocID(recorded(local))}).Tagged()
	}
	for _, tt := range []struct{ exchange, url, begin string }{
		{`search "tulips holland" in garden`, "wais://192.0.2.1/garden?tulips+holland", "916\t74\tTEXT\ttulip.txt   /srv/wais/docs/\twais://192.0.2.1/garden/TEXT/%01%10wais.example%3A210%02%13"},
		{`search "bulbs" in garden, at most 40 documents`, "wais://192.0.2.1/garden?bulbs", "137\t52\tTEXT\trose.txt"},
		{"retrieve tulip.txt as TEXT, bytes 0..74", "wais://192.0.2.1/garden/TEXT/74/" + id("0 74 /srv/wais/docs/tulip.txt"), "About tulips\n\nTulips"},
		{"retrieve long.txt (11918 octets) in slices of 4096 on one connection", "wais://192.0.2.1/garden/TEXT/11918/" + id("0 11918 /srv/wais/docs/long.txt"), "A long document about bulbs\nline 0"},
		{"retrieve pic.gif as GIF, bytes 0..43", "wais://192.0.2.1/garden/GIF/43/" + id("0 43 /srv/wais/docs/pic.gif"), "GIF89a"},
		{"retrieve past the end: one text group plus diagnostic S4", "wais://192.0.2.1/garden/TEXT/1000/" + id("0 74 /srv/wais/docs/tulip.txt"), "About tulips\n\nTulips"},
	} {
		e := exchanges(t)[tt.exchange]
		at(t, func(conn net.Conn) { e.replay(t, conn) }, func(c *fetch.Client) {
			fetchtest.Opened(t, "freeWAIS-sf 2.2.8, by its recorded words", c)
			got, body, err := read(t, c, tt.url)
			if err != nil || !strings.HasPrefix(body, tt.begin) {
				t.Errorf("%s: %v %.120q", tt.url, err, body)
				return
			}
			if strings.Contains(tt.exchange, "11918") && len(body) != 11918 {
				t.Errorf("%d octets", len(body))
			}
			for _, entry := range got.Entries {
				u, err := anyurl.Parse(entry.URL)
				if err != nil {
					t.Error(err)
				} else if r, err := waisurl.Read(u); err != nil || !strings.HasPrefix(string(r.Doc), "\x01\x10"+recordedHost) || r.Host.String() != "192.0.2.1" {
					t.Errorf("%s: %v %+v", entry.URL, err, r)
				}
			}
		})
	}
}

// The same end to end against a live server, which WAIS_PEER names:
// host:port/database. Every document that a search for WAIS_WORDS (or "the")
// finds is opened again.
func TestPeer(t *testing.T) {
	peer := os.Getenv("WAIS_PEER")
	if peer == "" {
		t.Skip("WAIS_PEER names no live server (host:port/database)")
	}
	words := os.Getenv("WAIS_WORDS")
	if words == "" {
		words = "the"
	}
	endToEnd(t, peer, words)
}

// The fake passes what a live server has to.
func TestEndToEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	server := &fake{databases: garden()}
	delete(server.databases["garden"], "link")
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				server.serve(conn)
			}()
		}
	}()
	endToEnd(t, l.Addr().String()+"/garden", "t")
}

// endToEnd searches a database for words and opens everything that is found.
func endToEnd(t *testing.T, peer, words string) {
	c := &fetch.Client{Transports: map[string]fetch.Transport{"wais": wais.New(&dial.Dialer{})},
		Limits: fetch.Limits{Total: time.Minute}, AllowPort: func(string, uint16) bool { return true }}
	get := func(url string) (*fetch.Result, string, error) {
		u, err := anyurl.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Do(context.Background(), &fetch.Request{URL: u})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	if got, body, err := get("wais://" + peer); err != nil || body == "" {
		t.Errorf("the database: %v %+v", err, got)
	}
	got, _, err := get("wais://" + peer + "?" + strings.ReplaceAll(words, " ", "+"))
	if err != nil || len(got.Entries) == 0 {
		t.Fatalf("the search: %v %+v", err, got)
	}
	for _, e := range got.Entries {
		_, body, err := get(e.URL)
		if err != nil || e.Size >= 0 && int64(len(body)) != e.Size {
			t.Errorf("%s: %v, %d octets of %d", e.URL, err, len(body), e.Size)
		}
	}
	host, _, _ := strings.Cut(peer, "/")
	if _, _, err := get("wais://" + host + "/nosuchdatabase?x"); err == nil {
		t.Error("a search in a database that is not there gives no error")
	}
	if _, _, err := get("wais://" + peer + "/TEXT/1=x;2=y;3=0%2010%20%2Fetc%2Fpasswd;"); err == nil {
		t.Error("a document that the server never named gives no error")
	}
}
