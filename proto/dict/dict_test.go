package dict

import (
	"bufio"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
)

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:2628"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		S: 220 dict.example <auth.mime> <1@dict.example>
		C: CLIENT anyurl
		S: 250 ok
		C: MATCH ! . "tul"
		S: 152 1 matches found
		S: garden "tulip"
		S: .
		S: 250 ok
		C: QUIT
		close
	`)}}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"dict": New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("dict://192.0.2.1/m:tul")})
	if err != nil {
		fmt.Println(err)
		return
	}
	got.Body.Close()
	for _, e := range got.Entries {
		fmt.Println(e.Name, e.URL)
	}
	// Output:
	// tulip dict://192.0.2.1/d:tulip:garden
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return New(d) }, URL: "dict://" + fetchtest.Host + ":2628/d:tulip", Want: "Garden [g]\r\n\r\na flower\r\n", Head: true,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			io.WriteString(conn, "220 hi <> <1@h>\r\n")
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				switch line := strings.TrimRight(lines.Text(), "\r"); line {
				case "CLIENT anyurl":
					io.WriteString(conn, "250 ok\r\n")
				case `DEFINE ! "tulip"`:
					io.WriteString(conn, "150 1 definitions\r\n151 \"tulip\" g \"Garden\"\r\na flower\r\n.\r\n250 ok\r\n")
				case "QUIT":
					return
				default:
					io.WriteString(conn, "500 what\r\n")
				}
			}
		},
	})
}

// get fetches url from a server that greets, takes the client's name, and then
// plays the script.
func get(t *testing.T, url, script string, change ...func(*fetch.Request)) (got *fetch.Result, body string, err error) {
	t.Helper()
	return fetchtest.Play(t, 2628, open, fetchtest.Ask(url, change...),
		"S: 220 h <auth.mime> <1@h>\nC: CLIENT anyurl\nS: 250 ok\n"+script)
}

func open(d *dial.Dialer) fetch.Transport { return New(d) }

// TestRequest: RFC 2229, sections 2.2, 3.2 and 3.3.
func TestRequest(t *testing.T) {
	for _, tt := range []struct{ tail, sent string }{
		{"/d:shortcake:", `DEFINE ! "shortcake"`},
		{"/d:shortcake:*", `DEFINE * "shortcake"`},
		{"/d:two%20words:wn", `DEFINE wn "two words"`},
		{"/d:a%22b%5Cc", `DEFINE ! "a\\"b\\\\c"`},
		{"/d:a:a%20base", `DEFINE "a base" "a"`},
		{"/d:caf%C3%A9", `DEFINE ! "caf\xc3\xa9"`},
	} {
		script := "C: " + tt.sent + "\nS: 150 1\nS: 151 \"w\" d \"D\"\nS: x\nS: .\nS: 250 ok\nC: QUIT\nclose"
		if _, body, err := get(t, "dict://192.0.2.1"+tt.tail, script); err != nil || body != "D [d]\r\n\r\nx\r\n" {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
	for _, tt := range []struct{ tail, sent string }{
		{"/m:sun", `MATCH ! . "sun"`},
		{"/m:sun::soundex", `MATCH ! soundex "sun"`},
		{"/m:sun:wordnet:", `MATCH wordnet . "sun"`},
	} {
		script := "C: " + tt.sent + "\nS: 152 1\nS: d \"Sun day\"\nS: .\nS: 250 ok\nC: QUIT\nclose"
		got, body, err := get(t, "dict://192.0.2.1"+tt.tail, script)
		if err != nil || !got.Listing || body != "d \"Sun day\"\r\n" || got.Entries[0].URL != "dict://192.0.2.1/d:Sun%20day:d" {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
}

func TestNothingIsSent(t *testing.T) {
	fetchtest.SaysNothing(t, open, "dict://192.0.2.1/d:a%0D%0AQUIT", "dict://192.0.2.1/d:a:b%0A", "dict://192.0.2.1/m:a::%00", "dict://192.0.2.1/d:%FF%F4",
		"dict://192.0.2.1/d:"+strings.Repeat("a", 1024))
}

func TestDefinitions(t *testing.T) {
	const script = "C: DEFINE * \"tulip\"\nS: 150 2 definitions\nS: 151 \"tulip\" a \"First \\\\\"A\\\\\"\"\nS: one\nS: ..dot\nS: .\nS: 151 \"tulip\" b Second\nS: two\nS: .\nS: 250 ok [d/m/c]\n"
	got, body, err := get(t, "dict://192.0.2.1/d:tulip:*", script+"C: QUIT\nclose")
	if err != nil || body != "First \"A\" [a]\r\n\r\none\r\n.dot\r\n\r\nSecond [b]\r\n\r\ntwo\r\n" || got.Type != "text/plain" || got.Status != 250 {
		t.Errorf("%q, %v", body, err)
	}
	if _, body, err := get(t, "dict://192.0.2.1/d:tulip:*:2", script+"C: QUIT\nclose"); err != nil || body != "two\r\n" {
		t.Errorf("the second: %q, %v", body, err)
	}
	if _, _, err := get(t, "dict://192.0.2.1/d:tulip:*:3", script+"close"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("the third: %v", err)
	}
	if _, _, err := get(t, "dict://192.0.2.1/d:tulip:*", script+"close", func(r *fetch.Request) { r.Limits.MaxEntries = 1 }); !errors.Is(err, fetch.ErrTooLarge) {
		t.Errorf("two where one is allowed: %v", err)
	}
}

func TestDatabases(t *testing.T) {
	got, _, err := get(t, "dict://192.0.2.1/", "C: SHOW DB\nS: 110 2 databases present\nS: g \"The garden\"\nS: w 'The web'\nS: .\nS: 250 ok\nC: QUIT\nclose")
	if err != nil || len(got.Entries) != 2 || got.Entries[0].Name != "g: The garden" || got.Entries[1].Name != "w: The web" || got.Entries[0].URL != "" {
		t.Errorf("%+v, %v", got, err)
	}
	script := "C: MATCH ! . \"a\"\nS: 152 2\nS: d a1\nS: d a2\nS: nothing\nS: .\nS: 250 ok\n"
	if got, body, err := get(t, "dict://192.0.2.1/m:a:::2", script+"C: QUIT\nclose"); err != nil || len(got.Entries) != 1 || body != "d a2\r\n" {
		t.Errorf("%q, %v", body, err)
	}
	if _, _, err := get(t, "dict://192.0.2.1/m:a:::3", script+"close"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestLogin: RFC 2229, section 3.11. A name in a URL alone logs nobody in.
func TestLogin(t *testing.T) {
	answer := "\nC: SHOW DB\nS: 110 0\nS: .\nS: 250 ok\nC: QUIT\nclose"
	if _, _, err := get(t, "dict://joe;AUTH@192.0.2.1/", strings.TrimPrefix(answer, "\n")); err != nil {
		t.Error(err)
	}
	auth := func(r *fetch.Request) { r.Auth = &fetch.Auth{User: "joe", Password: "secret", HasPassword: true} }
	sum := fmt.Sprintf("%x", md5.Sum([]byte("<1@h>secret")))
	var seen []string
	trace := func(r *fetch.Request) {
		r.Trace = func(e fetch.Event) { seen = append(seen, e.Text) }
	}
	if _, _, err := get(t, "dict://192.0.2.1/", "C: AUTH joe "+sum+"\nS: 230 in"+answer, auth, trace); err != nil {
		t.Error(err)
	}
	if !slices.Contains(seen, "AUTH ***") || strings.Contains(strings.Join(seen, " "), sum) {
		t.Errorf("%q", seen)
	}
	if _, _, err := get(t, "dict://192.0.2.1/", "C: AUTH joe "+sum+"\nS: 531 no\nclose", auth); !errors.Is(err, fetch.ErrDenied) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		say  string
		kind error
	}{
		{"S: 550 no database", fetch.ErrNotFound},
		{"S: 552 no match", fetch.ErrNotFound},
		{"S: 420 later", fetch.ErrBusy},
		{"S: 530 no", fetch.ErrDenied},
		{"S: 250 ok", fetch.ErrMalformed},
		{"S: hello", fetch.ErrMalformed},
		{"S: 150 1\nS: 151 \"w\" d \"D\"\nS: half", nil},
		{"S: 150 1\nS: 552 what", fetch.ErrNotFound},
		{"S: 501 syntax", nil},
	} {
		_, _, err := get(t, "dict://192.0.2.1/d:w", "C: DEFINE ! \"w\"\n"+tt.say+"\nclose")
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step == "" || tt.kind != nil && !errors.Is(err, tt.kind) {
			t.Errorf("%s: %v", tt.say, err)
		}
	}
}

func TestFields(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{`wn "WordNet (r) 2.0"`, []string{"wn", "WordNet (r) 2.0"}},
		{`a  'b c'	d`, []string{"a", "b c", "d"}},
		{`"a\"b\\c" \"`, []string{`a"b\c`, `"`}},
		{`"open`, []string{"open"}},
		{`"" x\`, []string{"", `x\`}},
	} {
		if got := fields(tt.line); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.line, got)
		}
	}
}

func FuzzFields(f *testing.F) {
	for _, s := range []string{`wn "WordNet"`, `'a\'b' "`, `\`, `"a""b"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		n := 0
		for _, s := range fields(line) {
			n += len(s)
		}
		if n > len(line) {
			t.Errorf("%d octets of %d", n, len(line))
		}
		// What we write, we read.
		if got := fields(quoted(line)); len(got) != 1 || got[0] != line {
			t.Errorf("%q comes back as %q", line, got)
		}
	})
}

// TestDictd is against dictd 1.13, with a database of two words.
func TestDictd(t *testing.T) {
	program := peer.Look(t, "dictd", "dictd")
	dir := t.TempDir()
	var text, index strings.Builder
	digits := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	number := func(n int) string { // dictd's: base 64, the highest first
		s := ""
		for {
			s = digits[n%64:n%64+1] + s
			if n /= 64; n == 0 {
				return s
			}
		}
	}
	for _, e := range [][2]string{{"00databaseshort", "A test garden\n"}, {"tulip", "tulip\n   a flower\n. a dot\n..dots\n.\n"}, {"tulipe", "tulipe\n   the same in French\n"}} {
		fmt.Fprintf(&index, "%s\t%s\t%s\n", e[0], number(text.Len()), number(len(e[1])))
		text.WriteString(e[1])
	}
	port := peer.Port(t)
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	conf := file("dictd.conf", fmt.Sprintf("global { port %d\n listen_to 127.0.0.1\n pid_file %q }\naccess { allow * }\ndatabase garden { data %q\n index %q }\n",
		port, filepath.Join(dir, "pid"), file("g.dict", text.String()), file("g.index", index.String())))
	peer.Open(t, dir)
	p := peer.Start(t, exec.Command(program, "-c", conf, "--debug", "nodetach"))
	p.Await(t, peer.Addr(port))
	c := fetch.Client{Transports: map[string]fetch.Transport{"dict": New(&dial.Dialer{})}}
	fetchtest.Opened(t, peer.Version("dictd"), &c)
	ask := func(tail string) (*fetch.Result, string, error) {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("dict://" + peer.Addr(port) + tail)})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	if _, body, err := ask("/d:tulip:garden"); err != nil || body != "A test garden [garden]\r\n\r\ntulip\r\n   a flower\r\n. a dot\r\n..dots\r\n.\r\n" {
		t.Errorf("%q, %v", body, err)
	}
	got, body, err := ask("/m:tul:*:prefix")
	if err != nil || len(got.Entries) != 2 || got.Entries[1].Name != "tulipe" {
		t.Fatalf("%q, %v", body, err)
	}
	if _, body, err = ask(strings.TrimPrefix(got.Entries[1].URL, "dict://"+peer.Addr(port))); err != nil || !strings.Contains(body, "French") {
		t.Errorf("%q, %v", body, err)
	}
	if got, body, err = ask("/"); err != nil || len(got.Entries) != 1 || got.Entries[0].Name != "garden: A test garden" {
		t.Errorf("%q, %v", body, err)
	}
	for _, tail := range []string{"/d:rose", "/d:tulip:nosuch", "/m:rose", "/m:tulip::nosuch", "/d:tulip:garden:2"} {
		if _, body, err := ask(tail); !errors.Is(err, fetch.ErrNotFound) {
			t.Errorf("%s: %q, %v", tail, body, err)
		}
	}
}
