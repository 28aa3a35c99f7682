package gopher_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/percent"
	"anyurl/proto/gopher"
)

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:70"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		C: /find\ttulip
		S: 0Tulips\t/0/tulips.txt\tgarden.example\t70
		S: .
		close
	`)}}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"gopher": gopher.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1/7/find%09tulip")})
	if err != nil {
		fmt.Println(err)
		return
	}
	got.Body.Close()
	for _, e := range got.Entries {
		fmt.Println(e.Name, e.URL)
	}
	// Output:
	// Tulips gopher://garden.example/0/0/tulips.txt
}

// exchange fetches url from a server that plays the script.
func exchange(t *testing.T, url, script string, change ...func(*fetch.Request)) (got *fetch.Result, body string, err error) {
	t.Helper()
	return fetchtest.Play(t, 70, open, fetchtest.Ask(url, change...), script)
}

func open(d *dial.Dialer) fetch.Transport { return gopher.New(d) }

// TestRequest holds what is sent: RFC 4266, section 2.1, octet for octet.
func TestRequest(t *testing.T) {
	for _, tt := range []struct{ tail, sent string }{
		{"", ""},
		{"/", ""},
		{"/1", ""},
		{"/0/a.txt", "/a.txt"},
		{"/00/about", "0/about"}, // the selector has the type in it too
		{"/0/a/../b", "/b"},      // the URL Standard takes the dots out; here as there nothing is left to do
		{"/0a%20b?c+d", "a b?c+d"},
		{"/%30/a%25", "/a%"},
		{"/7/find%09tulip", `/find\ttulip`},
		{"/7/find%09two%20words+plus", `/find\ttwo words+plus`},
		{"/7/find%09", `/find\t`},
		{"/7/find", "/find"},
		{"/0/caf%C3%A9", `/caf\xc3\xa9`},
		{"/0/caf%E9", `/caf\xe9`},
		{"/0/a.txt%09%09%2B", `/a.txt\t+`}, // one TAB with an empty search: the server of 1993 answers nothing to two
		{"/0/a%09%09+application/postscript%20Es_ES", `/a\t+application/postscript Es_ES`},
		{"/1/d%09%09$", `/d\t$`},
		{"/0/a%09%09!+ABSTRACT", `/a\t!+ABSTRACT`},
		{"/0/a%09%09?", `/a\t!+ASK`},
		{"/7/s%09w%09+", `/s\tw\t+`},
		{"/0/form%09%09%2B%091%0D%0A%2B-1%0D%0AJoe%0D%0A.%0D%0A", `/form\t+\t1` + "\nC: +-1\nC: Joe\nC: ."},
		{"/2x%09smith", "query smith\nC: quit"},
	} {
		_, body, err := exchange(t, "gopher://192.0.2.1"+tt.tail, "C: "+tt.sent+"\nS: iok\nclose")
		if err != nil || body != "iok\r\n" {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
}

// TestNothingIsSent holds that no selector becomes two lines.
func TestNothingIsSent(t *testing.T) {
	fetchtest.SaysNothing(t, open, "gopher://192.0.2.1/1a%0D%0Ab", "gopher://192.0.2.1/1a%0A", "gopher://192.0.2.1/1a%00", "gopher://192.0.2.1/7s%09a%0D%0Ab", "gopher://192.0.2.1/0a%09%09+%0D%0AQUIT", "gopher://192.0.2.1/0a%09%09!%0A", "gopher://192.0.2.1/1a%FF%F4")
}

// TestText holds the dot rules; each case is what one kind of server does.
func TestText(t *testing.T) {
	for _, tt := range []struct{ name, sent, want string }{
		{"RFC 1436", `hello\r\n..dot\r\n.\r\n`, "hello\r\n.dot\r\n"},
		{"the server of 1993", `hello\r\n.dot\r\n.\r\n`, "hello\r\n.dot\r\n"},
		{"no mark", `hello\r\n`, "hello\r\n"},
		{"no mark, no line end", `hello`, "hello"},
		{"only the mark", `.\r\n`, ""},
		{"a mark without its line end", `hello\r\n.`, "hello\r\n"},
		{"LF alone", `hello\n.\n`, "hello\n"},
		{"a lone dot is data where nobody doubles", `hello\r\n.\r\n..dots\r\nlast\r\n`, "hello\r\n.\r\n..dots\r\nlast\r\n"},
		{"and the last one is the mark all the same", `hello\r\n.\r\nlast\r\n.\r\n`, "hello\r\n.\r\nlast\r\n"},
		{"doubled dots without a mark stay", `..a\r\nb\r\n`, "..a\r\nb\r\n"},
		{"mixed dots stay", `..a\r\n.b\r\n.\r\n`, "..a\r\n.b\r\n"},
		{"what follows the mark of one who doubles is not the text", `..hidden\r\n.\r\nafter`, ".hidden\r\n"},
		{"dots inside lines", `a.\r\nb..\r\n.\r\n`, "a.\r\nb..\r\n"},
	} {
		if _, body, err := exchange(t, "gopher://192.0.2.1/0/x", "C: /x\nS- "+tt.sent+"\nclose"); err != nil || body != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.name, body, err, tt.want)
		}
	}
	// A binary item is never touched.
	if got, body, err := exchange(t, "gopher://192.0.2.1/9/x.gz", `C: /x.gz`+"\n"+`S- ..a\r\n.\r\n`+"\nclose"); err != nil || body != "..a\r\n.\r\n" || got.Type != "application/gzip" {
		t.Errorf("binary: %q, %v", body, err)
	}
}

func TestMenu(t *testing.T) {
	const script = `
		C: /m
		S: iwelcome\t\terror.host\t1
		S: 0A text\t/a.txt\tgopher.example\t70\t+
		S: 1Here\t/0/x y\t192.0.2.1\t70
		S: 9binary\t/b?c%d\tgopher.example\t7070
		S: hweb\tURL:https://web.example/?q\tgopher.example\t70
		S: hpage\t/page.html\tgopher.example\t70
		S: hlocal\tURL:file:///etc/passwd\tgopher.example\t70
		S: 8session\tguest\ttelnet.example\t23
		S: Tmainframe\t\thost.example\t23
		S: 0v6\t/x\t2001:db8::1\t70
		S: 0no port\t/x\tgopher.example\t0
		S: 0odd port\t/x\tgopher.example\tx
		S: 0no host\t/x\t(NULL)\t70
		S: 0bad host\t/x\ta b\t70
		S: just words
		S: icaf\xe9\t
		S: 0#303 octal stays\t/a#040b\tgopher.example\t70
		S:
		S- .\r\n
		S: 0after the end\t/x\tgopher.example\t70
		close`
	want := []string{
		"i welcome ", "0 A text gopher://gopher.example/0/a.txt", "1 Here gopher://192.0.2.1/1/0/x%20y", "9 binary gopher://gopher.example:7070/9/b%3Fc%25d",
		"h web https://web.example/?q", "h page gopher://gopher.example/h/page.html", "h local file:///etc/passwd",
		"8 session telnet://guest@telnet.example:23/", "T mainframe tn3270://host.example:23/", "0 v6 gopher://[2001:db8::1]/0/x",
		"0 no port ", "0 odd port ", "0 no host ", "0 bad host ", "i just words ", "i café ", "0 #303 octal stays gopher://gopher.example/0/a%23040b",
	}
	got, body, err := exchange(t, "gopher://192.0.2.1/1/m", script)
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for _, e := range got.Entries {
		entries = append(entries, e.Type+" "+e.Name+" "+e.URL)
	}
	for i := range max(len(want), len(entries)) {
		w, g := "", ""
		if i < len(want) {
			w = want[i]
		}
		if i < len(entries) {
			g = entries[i]
		}
		if g != w {
			t.Errorf("entry %d: got %q, want %q", i, g, w)
		}
	}
	if !got.Listing || got.Size != int64(len(body)) || !strings.HasPrefix(body, "iwelcome\t") || got.Type != "application/gopher-menu" {
		t.Errorf("%+v", got.Response)
	}
	if _, _, err := exchange(t, "gopher://192.0.2.1/", "C:\nS: ia\nS: ib\nS: ic\nclose", func(r *fetch.Request) { r.Limits.MaxEntries = 2 }); !errors.Is(err, fetch.ErrTooLarge) {
		t.Errorf("three entries where two are allowed: %v", err)
	}
}

func TestElsewhere(t *testing.T) {
	for _, tt := range []struct{ tail, want string }{
		{"/hURL:https://web.example/", "https://web.example/"},
		{"/h/URL:https://web.example/", "https://web.example/"},
		{"/8guest", "telnet://guest@192.0.2.1:70/"},
		{"/T", "tn3270://192.0.2.1:70/"},
	} {
		var network transcript.Network
		resp, err := gopher.New(&dial.Dialer{Connect: network.Dial}).Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1" + tt.tail)})
		if err != nil || resp.Location != tt.want || len(network.Dialled()) != 0 {
			t.Errorf("%s: %+v, %v", tt.tail, resp, err)
		}
	}
	// The client does not go where a redirect may not.
	c := fetch.Client{Transports: map[string]fetch.Transport{"gopher": gopher.New(&dial.Dialer{})}}
	if _, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1/hURL:file:///etc/passwd")}); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("a link to a file: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, tail, script string
		kind               error
		said               string
	}{
		{"nothing", "/0/x", "C: /x\nclose", fetch.ErrNotFound, ""},
		{"an error item for a text", "/0/x", `C: /x` + "\n" + `S: 3'/x' does not exist\t\terror.host\t1` + "\nclose", fetch.ErrNotFound, "'/x' does not exist"},
		{"an error item and the end mark", "/9/x", `C: /x` + "\n" + `S: 3no\t\terror.host\t1` + "\nS: .\nclose", fetch.ErrNotFound, "no"},
		{"an error item first in a menu", "/1/x", `C: /x` + "\n" + `S: 3no\t\terror.host\t1` + "\n" + `S: 1home\t\th.example\t70` + "\nS: .\nclose", fetch.ErrNotFound, "no"},
		{"Gopher+", "/0/x%09%09+", `C: /x\t+` + "\nS: --2\nS: 1 Admin <a@b>\nS: not here\nclose", fetch.ErrNotFound, "1 Admin <a@b>\r\nnot here"},
		{"Gopher+ unasked", "/0/x", "C: /x\nS: --1\nS: 1 Admin <a@b>\nS: not here\nS: .\nclose", fetch.ErrNotFound, "1 Admin <a@b>\r\nnot here"},
		{"Gopher+ busy", "/0/x%09%09+", `C: /x\t+` + "\nS: --1\nS: 2 Admin <a@b>\nS: .\nclose", fetch.ErrBusy, "2 Admin <a@b>"},
		{"Gopher+ cut", "/0/x%09%09+", `C: /x\t+` + "\nS: +10\nS- hello\nclose", fetch.ErrTruncated, ""},
		{"Gopher+ cut before the length's end", "/0/x%09%09+", `C: /x\t+` + "\nS- +10\nclose", fetch.ErrTruncated, ""},
		{"Gopher+ cut before the length", "/0/x%09%09+", `C: /x\t+` + "\nS- +\nclose", fetch.ErrTruncated, ""},
	} {
		_, _, err := exchange(t, "gopher://192.0.2.1"+tt.tail, tt.script)
		var e *fetch.Error
		if !errors.As(err, &e) || !errors.Is(err, tt.kind) || e.Said != tt.said {
			t.Errorf("%s: %#v", tt.name, err)
		}
	}
	// What only looks like an error is an item.
	for _, tt := range []struct{ tail, sent, want string }{
		{"/0/x", `3 is a number`, "3 is a number"},
		{"/0/x", `3\ta\tb\tc\r\nmore`, "3\ta\tb\tc\r\nmore"},
		{"/0/x", `3\ta\tb\t70\r\nmore`, "3\ta\tb\t70\r\nmore"},
		{"/0/x", `-5\r\nand more`, "-5\r\nand more"},
		{"/0/x", `+12\r\nx`, "+12\r\nx"},
		{"/0/x", `-`, "-"},
	} {
		if _, body, err := exchange(t, "gopher://192.0.2.1"+tt.tail, "C: /x\nS- "+tt.sent+"\nclose"); err != nil || body != tt.want {
			t.Errorf("%q: %q, %v", tt.sent, body, err)
		}
	}
	// A moved item is a redirect for good.
	x, y := transcript.Pipe(netip.MustParseAddrPort("192.0.2.9:1"), netip.MustParseAddrPort("192.0.2.1:70"))
	io.WriteString(y, "--1\r\n3 Admin <a@b>\r\n0there\t/y\tgopher.example\t70\t+\r\n.\r\n")
	y.(interface{ CloseWrite() error }).CloseWrite()
	defer y.Close()
	tr := gopher.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return x, nil }})
	resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1/0/x%09%09+")})
	if err != nil || resp.Location != "gopher://gopher.example/0/y" || !resp.Permanent {
		t.Fatalf("%+v, %v", resp, err)
	}
	resp.Body.Close()
}

func TestPlus(t *testing.T) {
	for _, tt := range []struct {
		name, tail, script, body string
		size                     int64
		protocol, typ            string
	}{
		{"a length", "/0/x%09%09+", `C: /x\t+` + "\nS: +5\nS- helloXX", "hello", 5, "gopher+", "text/plain"},
		{"to the dot", "/0/x%09%09+", `C: /x\t+` + "\n" + `S- +-1\r\nhello\r\n.dot\r\n.\r\n` + "\nclose", "hello\r\n.dot\r\n", -1, "gopher+", "text/plain"},
		{"to the close", "/0/x%09%09+", `C: /x\t+` + "\n" + `S- +-2\r\nhello\r\n.\r\n` + "\nclose", "hello\r\n.\r\n", -1, "gopher+", "text/plain"},
		{"a view", "/0/x%09%09+Application/PostScript%20Es_ES", `C: /x\t+Application/PostScript Es_ES` + "\nS: +2\nS- %!", "%!", 2, "gopher+", "application/postscript"},
		{"a server that does not know Gopher+, and a list", "/0/x%09%09+", `C: /x\t+` + "\nS- - hello\nclose", "- hello", -1, "gopher", "text/plain"},
		{"a server that does not know Gopher+", "/0/x%09%09+", `C: /x\t+` + "\nS- hello\nclose", "hello", -1, "gopher", "text/plain"},
	} {
		got, body, err := exchange(t, "gopher://192.0.2.1"+tt.tail, tt.script)
		if err != nil || body != tt.body || got.Size != tt.size || got.Protocol != tt.protocol || got.Type != tt.typ {
			t.Errorf("%s: %q, %v, %+v", tt.name, body, err, got)
		}
	}
	got, body, err := exchange(t, "gopher://192.0.2.1/0/x%09%09!", `
		C: /x\t!
		S: +-1
		S: +INFO: 0x\t/x\tgopher.example\t70\t?
		S: +ADMIN:
		S:  Admin: Joe <joe@gopher.example>
		S: +VIEWS:
		S:  Text/plain En_US: <.0k>
		S: +ASK:
		S:  Ask: What is your name?\tJoe
		S:  Choose: Colour?\tRed\tGreen
		S: .
		close`)
	if err != nil || got.Listing || !slices.Equal(got.Header["ASK"], []string{"Ask: What is your name?\tJoe", "Choose: Colour?\tRed\tGreen"}) || len(got.Header["VIEWS"]) != 1 || !strings.Contains(body, "+ASK:") {
		t.Errorf("attributes: %+v, %v", got, err)
	}
	got, _, err = exchange(t, "gopher://192.0.2.1/1/d%09%09$", `
		C: /d\t$
		S: +-2
		S: +INFO: 0x\t/x\tgopher.example\t70\t+
		S: +ADMIN:
		S:  Admin: Joe
		S: +INFO: 1y\t/y\tgopher.example\t70\t+
		close`)
	if err != nil || !got.Listing || len(got.Entries) != 2 || got.Entries[1].URL != "gopher://gopher.example/1/y" {
		t.Errorf("attributes of a menu: %+v, %v", got, err)
	}
}

// TestCaptures replays conversations with real servers: what we send must be
// what was sent, and what came must be understood.
func TestCaptures(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/protocols/captures/gopherplus*.txt")
	if len(files) == 0 {
		t.Skip("the recorded conversations are not here")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for exchange := range strings.SplitSeq(string(data), "\n## ") {
			title, rest, _ := strings.Cut(exchange, "\n")
			var sent, came []byte
			for line := range strings.Lines(rest) {
				octets, err := hex.DecodeString(strings.TrimSpace(line[min(len(line), 2):]))
				switch {
				case strings.HasPrefix(line, "C ") && err == nil:
					sent = append(sent, octets...)
				case strings.HasPrefix(line, "S ") && err == nil:
					came = append(came, octets...)
				}
			}
			if len(sent) == 0 {
				continue
			}
			t.Run(filepath.Base(file)+"/"+title, func(t *testing.T) { replay(t, title, sent, came) })
		}
	}
}

func replay(t *testing.T, title string, sent, came []byte) {
	// The request says what the URL was, but for the type.
	selector, tail, plus := strings.Cut(strings.TrimSuffix(string(sent), "\r\n"), "\t")
	typ := "0"
	if strings.Contains(title, "menu") {
		typ = "1"
	}
	escape := func(s string) string {
		var b []byte
		for _, c := range []byte(s) {
			if c > ' ' && c < 0x7f && !strings.ContainsRune("%?#", rune(c)) {
				b = append(b, c)
			} else {
				b = percent.AppendByte(b, c)
			}
		}
		return string(b)
	}
	url := "gopher://192.0.2.1/" + typ + escape(selector)
	if plus {
		tail = strings.TrimPrefix(tail, "\t")
		if tail != "" && strings.ContainsRune("+!$", rune(tail[0])) {
			tail = "\t" + tail
		}
		url += "%09" + escape(tail)
	}
	if strings.Contains(string(sent), "\t\t") {
		t.Skip("we send one TAB before a Gopher+ string, and that conversation has two")
	}
	if strings.Contains(string(sent), "+\t1\r\n") {
		url += "%0D%0A"
	}
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:70"))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			got := make([]byte, len(sent))
			n, _ := io.ReadFull(conn, got)
			if !bytes.Equal(got[:n], sent) {
				t.Errorf("%s\n sent %q\nwant %q", url, got[:n], sent)
			}
			conn.Write(came)
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"gopher": gopher.New(&dial.Dialer{Connect: network.Dial})}, Limits: fetch.Limits{Total: time.Minute}}
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		if err == nil {
			_, err = io.ReadAll(got.Body)
			got.Body.Close()
		}
		refused := len(came) == 0 || came[0] == '-' || came[0] == '3' && strings.Contains(title, "error")
		if refused != (err != nil) {
			t.Errorf("%s: %v", url, err)
		}
		if err == nil && typ == "1" && !got.Listing {
			t.Errorf("%s: no listing", url)
		}
	})
}

func TestSuite(t *testing.T) {
	for _, tt := range []struct {
		name, tail, sent, want string
		subject                fetchtest.Subject
	}{
		{name: "text", tail: "/0/motd", sent: "hello, world!\r\n.\r\n", want: "hello, world!\r\n", subject: fetchtest.Subject{EndsByClose: true, AnythingGoes: true}},
		{name: "menu", tail: "/1/motd", sent: "iwelcome\t\t\t\r\n.\r\n", want: "iwelcome\t\t\t\r\n.\r\n", subject: fetchtest.Subject{EndsByClose: true, AnythingGoes: true}},
		{name: "binary", tail: "/9/motd", sent: "hello, world!\n", want: "hello, world!\n", subject: fetchtest.Subject{EndsByClose: true, AnythingGoes: true}},
		{name: "Gopher+", tail: "/0/motd%09%09+", sent: "+14\r\nhello, world!\n", want: "hello, world!\n", subject: fetchtest.Subject{EndsByClose: true, AnythingGoes: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.subject
			s.New = func(d *dial.Dialer) fetch.Transport { return gopher.New(d) }
			s.URL = "gopher://" + fetchtest.Host + ":7070" + tt.tail
			s.Want = tt.want
			s.Head = true
			s.Serve = func(conn net.Conn, _ func() (net.Listener, error)) {
				if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil && strings.HasPrefix(line, "/motd") {
					io.WriteString(conn, tt.sent)
				}
			}
			fetchtest.Run(t, s)
		})
	}
}

// FuzzMenu holds that any menu gives entries whose URLs parse, and no panic.
func FuzzMenu(f *testing.F) {
	for _, s := range []string{"0a\t/b\th.example\t70\r\n.\r\n", "iwords\r\n", "hx\tURL:javascript:alert(1)\th\t70\r\n", "8\tu\th\t23\n", "\t\t\t\n", "0\xff\t\x00\t::1\t1\n", "3no\t\terror.host\t1\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, menu []byte) {
		x, y := transcript.Pipe(netip.MustParseAddrPort("192.0.2.9:1"), netip.MustParseAddrPort("192.0.2.1:70"))
		if len(menu) > 32<<10 {
			return
		}
		y.Write(menu)
		y.(interface{ CloseWrite() error }).CloseWrite()
		tr := gopher.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return x, nil }})
		resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1/"), Limits: fetch.DefaultLimits()})
		y.Close()
		if err != nil {
			return
		}
		resp.Body.Close()
		for _, e := range resp.Entries {
			if e.URL != "" && !anyurl.CanParse(e.URL) {
				t.Errorf("%q gives %q", e.Raw, e.URL)
			}
		}
	})
}

// FuzzText holds that the dot rules only ever take away: the mark, and single
// dots that begin lines.
func FuzzText(f *testing.F) {
	for _, s := range []string{".\r\n", "..a\r\n.\r\nb", "a\n.b\n.", ".\n..\n.\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		if len(sent) == 0 || len(sent) > 32<<10 || strings.ContainsRune("+-3", rune(sent[0])) {
			return
		}
		x, y := transcript.Pipe(netip.MustParseAddrPort("192.0.2.9:1"), netip.MustParseAddrPort("192.0.2.1:70"))
		y.Write(sent)
		y.(interface{ CloseWrite() error }).CloseWrite()
		tr := gopher.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return x, nil }})
		resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("gopher://192.0.2.1/0"), Limits: fetch.DefaultLimits()})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		y.Close()
		if err != nil {
			t.Fatal(err)
		}
		undotted := bytes.ReplaceAll(sent, []byte("."), nil)
		if !bytes.HasPrefix(undotted, bytes.ReplaceAll(got, []byte("."), nil)) || len(got) > len(sent) {
			t.Errorf("%q became %q", sent, got)
		}
		if !bytes.Contains(sent, []byte(".")) && !bytes.Equal(got, sent) {
			t.Errorf("%q became %q without a dot in it", sent, got)
		}
	})
}
