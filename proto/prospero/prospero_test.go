package prospero_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
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
	"anyurl/proto/prospero"
)

func Example() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	go func() {
		b := make([]byte, 1500)
		for {
			_, from, err := server.ReadFrom(b)
			if err != nil {
				return
			}
			server.WriteTo(append([]byte{3, b[1], b[2]}, "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'Tulips are spring flowers.\n'\n"...), from)
		}
	}()

	client := fetch.Client{Transports: map[string]fetch.Transport{"prospero": prospero.New(&dial.Dialer{})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("prospero://" + server.LocalAddr().String() + "/garden/tulip.txt")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	// Output: Tulips are spring flowers.
}

// world runs f with a client whose Prospero server is at port 1525 of
// 192.0.2.1.
func world(t *testing.T, server *fake, f func(t *testing.T, get fetchtest.Get)) {
	t.Helper()
	fetchtest.Stage(t, "prospero", func(d *dial.Dialer) fetch.Transport { return prospero.New(d) }, map[uint16]func(net.Conn){1525: server.serve}, f)
}

// long needs 33 packets, which is two windows and one.
var long = strings.Repeat("it's a line of a text that needs more than one window\n", 740)

func objects() map[string]string {
	m := document("/docs/hello.txt", "hello from prospero\n")
	maps.Copy(m, document("docs/long.txt", long))
	maps.Copy(m, document("'/docs/a ''b''.txt'", "quoted"))
	maps.Copy(m, document("empty", ""))
	m["docs #ALL"] = attribute("SIZE", "512' bytes'")
	m["docs LIST"] = "LINK  L FILE hello.txt INTERNET-D PROSPERO.EXAMPLE(1525) ASCII '/docs/hello.txt' 0\n" + attribute("SIZE", "20' bytes'") + attribute("LAST-MODIFIED", "19940517120000Z") +
		"LINK L FILE 'a ''b''.txt' INTERNET-D prospero.example ASCII '/docs/a ''b''.txt' 3\n" +
		"LINK L DIRECTORY sub INTERNET-D other.example(191) ASCII docs/sub 0 DEST-EXP 0\n" +
		"LINK U EXTERNAL motd EXTERNAL '' ASCII '' 0\n" + attribute("ACCESS-METHOD", "LOCAL '' '' '' '/etc/passwd'") + attribute("ACCESS-METHOD", "AFTP INTERNET-D ftp.example ASCII /pub/motd TEXT") +
		"LINK L NULL hidden NULL NULL NULL NULL NULL\n"
	return m
}

func TestSuite(t *testing.T) {
	for _, tt := range []struct{ name, path, want string }{
		{"object", "//docs/hello.txt", "hello from prospero\n"},
		{"windows", "/docs/long.txt", long},
		{"directory", "/docs", listing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fetchtest.Run(t, fetchtest.Subject{
				New:  func(d *dial.Dialer) fetch.Transport { return prospero.New(d) },
				URL:  "prospero://" + fetchtest.Host + ":1525" + tt.path,
				Want: tt.want,
				Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
					(&fake{objects: objects()}).serve(conn)
				},
				Head: true,
			})
		})
	}
}

const listing = "FILE\t20\thello.txt\tprospero://prospero.example//docs/hello.txt\n" +
	"FILE\t-\ta 'b'.txt\tprospero://prospero.example//docs/a%20'b'.txt;OBJECT-VERSION=3\n" +
	"DIRECTORY\t-\tsub\tprospero://other.example:191/docs/sub\n" +
	"EXTERNAL\t-\tmotd\tftp://ftp.example/pub/motd;type=a\n" +
	"NULL\t-\thidden\t\n"

func TestFetch(t *testing.T) {
	server := &fake{objects: objects()}
	world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		got, body, err := get("prospero://" + fetchtest.At + "//docs/hello.txt")
		if err != nil || body != "hello from prospero\n" || got.Type != "text/plain" || got.Size != 20 || got.Protocol != "prospero" || !got.ModTime.Equal(time.Date(1994, 5, 17, 12, 0, 0, 0, time.UTC)) {
			t.Errorf("%q, %v, %+v", body, err, got)
		}
		want := []string{"VERSION 5 url\nGET-OBJECT-INFO #ALL ASCII /docs/hello.txt 0\n", "VERSION 5 url\nGET-OBJECT-INFO CONTENTS ASCII /docs/hello.txt 0\n"}
		if !slices.Equal(server.heard, want) {
			t.Errorf("heard %q", server.heard)
		}
		if _, body, err = get("prospero://" + fetchtest.At + "//docs/a%20'b'.txt"); err != nil || body != "quoted" {
			t.Errorf("%q, %v", body, err)
		}
		if got, body, err = get("prospero://" + fetchtest.At + "/empty"); err != nil || body != "" || got.Size != 0 {
			t.Errorf("%q, %v", body, err)
		}
		if got, body, err = get("prospero://"+fetchtest.At+"/docs/long.txt", func(r *fetch.Request) { r.Offset = 1000 }); err != nil || body != long[1000:] || got.Offset != 1000 {
			t.Errorf("from octet 1000: %d octets, %v", len(body), err)
		}
		if got, body, err = get("prospero://" + fetchtest.At + "/docs"); err != nil || body != listing || !got.Listing {
			t.Errorf("%q, %v", body, err)
		}
		if len(got.Entries) != 5 || got.Entries[0].Size != 20 || got.Entries[0].Time.IsZero() || got.Entries[2].Type != "dir" || got.Entries[4].URL != "" || got.Entries[4].Type != "other" {
			t.Errorf("%+v", got.Entries)
		}
		// A version is asked for; RFC 1630's form means the same.
		server.heard = nil
		for _, tail := range []string{"/x;OBJECT-VERSION=7", "/x%007"} {
			if _, _, err = get("prospero://" + fetchtest.At + tail); !errors.Is(err, fetch.ErrNotFound) {
				t.Error(err)
			}
		}
		for i := range 2 {
			if server.heard[2*i] != "VERSION 5 url\nGET-OBJECT-INFO #ALL ASCII x 7\n" || server.heard[2*i+1] != "VERSION 5 url\nDIRECTORY ASCII x 7\nLIST ATTRIBUTES COMPONENTS\n" {
				t.Errorf("heard %q", server.heard)
			}
		}
		if _, _, err = get("prospero://"+fetchtest.At+"/docs", func(r *fetch.Request) { r.Limits.MaxEntries = 4 }); !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("a directory over the limit: %v", err)
		}
	})
}

// A name from a URL stays a name.
func TestInjection(t *testing.T) {
	for _, url := range []string{
		"prospero://" + fetchtest.At + "/a%0AGET-OBJECT-INFO%20CONTENTS%20ASCII%20/etc/passwd%200",
		"prospero://" + fetchtest.At + "/a%0D",
		"prospero://" + fetchtest.At + "/a%00%0A",
		"prospero://" + fetchtest.At + "/a;X=%0A",
		"prospero://" + fetchtest.At + "/a;FILTER=x", // a field that cannot be asked for is not left out
		"prospero://u@" + fetchtest.At + "/a",
	} {
		server := &fake{objects: objects()}
		world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
			var e *fetch.Error
			if _, _, err := get(url); !errors.As(err, &e) || e.Step != fetch.Reading || server.came != 0 {
				t.Errorf("%s: %v, and %d datagrams", url, err, server.came)
			}
		})
	}
	server := &fake{}
	world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		get("prospero://" + fetchtest.At + "/x'%20'0%09LIST")
		if want := "VERSION 5 url\nGET-OBJECT-INFO #ALL ASCII 'x'' ''0\tLIST' 0\n"; len(server.heard) == 0 || server.heard[0] != want {
			t.Errorf("heard %q", server.heard)
		}
	})
}

// Datagrams are lost, doubled and moved; the object comes whole.
func TestLoss(t *testing.T) {
	once := func(int) int { return 1 }
	lose := func(which ...int) func(int) int {
		return func(n int) int {
			if slices.Contains(which, n) {
				return 0
			}
			return 1
		}
	}
	deaf := func(which ...int) func(int) bool { return func(n int) bool { return slices.Contains(which, n) } }
	// The server's first datagram answers #ALL, the 2nd to the 17th are the
	// first window of the contents, the 18th to the 33rd the second.
	for name, s := range map[string]*fake{
		"nothing":                       {copies: once},
		"the first request":             {deaf: deaf(1)},
		"a request three times":         {deaf: deaf(1, 2, 3)},
		"the first answer":              {copies: lose(1)},
		"the first packet":              {copies: lose(2)},
		"one in a window":               {copies: lose(7)},
		"some of two windows":           {copies: lose(3, 4, 16, 20, 21, 33)},
		"what asks for acknowledgement": {copies: lose(17)},
		"a whole window": {copies: func(n int) int {
			if n >= 2 && n <= 17 {
				return 0
			}
			return 1
		}},
		"an acknowledgement":        {deaf: deaf(3)},
		"two acknowledgements":      {deaf: deaf(3, 4, 5)},
		"the last packet":           {copies: lose(34)},
		"every third":               {copies: func(n int) int { return min(1, n%3) }},
		"nothing, everything twice": {copies: func(int) int { return 2 }},
		"nothing, some three times": {copies: func(n int) int { return 1 + n%3 }},
		"nothing, last first":       {backwards: true},
		"some, last first":          {backwards: true, copies: lose(2, 9, 18)},
		"the first answer, and the identifier comes back shuffled": {copies: lose(1), shuffled: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.objects = objects()
			world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				if _, body, err := get("prospero://"+fetchtest.At+"/docs/long.txt", func(r *fetch.Request) { r.Limits.FirstByte = time.Hour }); err != nil || body != long {
					t.Errorf("%d octets, %v", len(body), err)
				}
			})
		})
	}
}

// A request in many packets arrives whole, whichever of them is lost.
func TestLongRequest(t *testing.T) {
	name := strings.Repeat("a/", 3000)
	for lost := range 8 {
		s := &fake{objects: document(name, "there"), deaf: func(n int) bool { return n == lost }}
		world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
			if _, body, err := get("prospero://" + fetchtest.At + "/" + name); err != nil || body != "there" {
				t.Errorf("without datagram %d: %q, %v", lost, body, err)
			}
		})
	}
}

func TestNoAnswer(t *testing.T) {
	s := &fake{deaf: func(int) bool { return true }}
	world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		start := time.Now()
		_, _, err := get("prospero://"+fetchtest.At+"/x", func(r *fetch.Request) { r.Limits.FirstByte = time.Hour })
		if !fetch.IsTimeout(err) || !strings.Contains(err.Error(), "no answer, asked 4 times") || time.Since(start) != 60*time.Second || s.came != 4 {
			t.Errorf("%v after %v and %d datagrams", err, time.Since(start), s.came)
		}
	})
}

// A server may ask for patience, and not without end.
func TestWait(t *testing.T) {
	wait := func(seconds byte) []byte { return []byte{11, 0, 0, 0, 0, 0, 0, 0, 0, 0, seconds} }
	s := &fake{objects: objects(), first: [][]byte{wait(180)}, copies: func(n int) int {
		if n == 2 {
			return 0 // the answer is lost, and asked for again when the time is over
		}
		return 1
	}}
	world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		start := time.Now()
		_, body, err := get("prospero://"+fetchtest.At+"//docs/hello.txt", func(r *fetch.Request) { r.Limits.FirstByte = time.Hour })
		if err != nil || body != "hello from prospero\n" || time.Since(start) != 180*time.Second || s.came != 3 {
			t.Errorf("%q, %v after %v and %d datagrams", body, err, time.Since(start), s.came)
		}
	})
	s = &fake{deaf: func(n int) bool { return n > 1 }, copies: func(n int) int {
		if n > 100 {
			return 0
		}
		return 1
	}}
	for range 100 {
		s.first = append(s.first, wait(250))
	}
	world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		start := time.Now()
		if _, _, err := get("prospero://"+fetchtest.At+"/x", func(r *fetch.Request) { r.Limits.FirstByte = 24 * time.Hour }); !fetch.IsTimeout(err) || time.Since(start) > 10*time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// What a server or a stranger may send, and what comes of it.
func TestHostile(t *testing.T) {
	head := func(h ...byte) []byte { return append([]byte{byte(len(h) + 3), 0, 0}, h...) }
	with := func(text string, h ...byte) []byte { return append(head(h...), text...) }
	var controls [][]byte
	for range 1200 {
		controls = append(controls, head(0, 0, 0, 0, 0, 0))
	}
	for _, tt := range []struct {
		name  string
		first [][]byte
		kind  error
		says  string
	}{
		{"refused", [][]byte{head(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)}, fetch.ErrBusy, "refuses"},
		{"another version", [][]byte{head(0, 0, 0, 0, 0, 0, 0, 0, 0, 8)}, fetch.ErrUnsupported, "another version"},
		{"a packet above the total", [][]byte{with("x", 0, 3, 0, 2)}, fetch.ErrMalformed, "packet 3 came of 2"},
		{"a total that falls", [][]byte{with("x", 0, 3, 0, 0), with("x", 0, 1, 0, 2)}, fetch.ErrMalformed, "changes"},
		{"a total that changes", [][]byte{with("x", 0, 1, 0, 5), with("x", 0, 2, 0, 6)}, fetch.ErrMalformed, "changes"},
		{"a quotation without end", [][]byte{with("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'x")}, fetch.ErrMalformed, "quotation"},
		{"no Prospero", [][]byte{with("220 hello\r\n")}, fetch.ErrMalformed, "no Prospero"},
		{"nothing", [][]byte{with("")}, fetch.ErrMalformed, "no Prospero"},
		{"a short link", [][]byte{with("LINK L FILE x\n")}, fetch.ErrMalformed, "LINK"},
		{"a version that is no number", [][]byte{with("LINK L FILE x INTERNET-D h ASCII y z\n")}, fetch.ErrMalformed, "LINK"},
		{"control packets without end", controls, fetch.ErrMalformed, "without end"},
		{"not authorized", [][]byte{with("FAILURE NOT-AUTHORIZED 'ask \x1b[2J me'\n")}, fetch.ErrDenied, `the server said "NOT-AUTHORIZED ask \u{1b}[2J me"`},
		{"a server's failure", [][]byte{with("FAILURE SERVER-FAILED out' of 'order\n")}, nil, "SERVER-FAILED out of order"},
		{"an old server", [][]byte{with("VERSION-NOT-SUPPORTED TRY 1-4")}, fetch.ErrUnsupported, "TRY 1-4"},
		{"a redirect to nothing", [][]byte{head(0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 192, 0, 2, 2, 0, 0)}, fetch.ErrMalformed, "sends us to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			world(t, &fake{objects: objects(), first: tt.first}, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				_, _, err := get("prospero://" + fetchtest.At + "//docs/hello.txt")
				if err == nil || tt.kind != nil && !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v, want %v", err, tt.kind)
				}
			})
		})
	}
	// Broken datagrams change nothing. A server that has no control packets but
	// gives the name's version, or a word that is not known yet, is one too.
	strange := [][]byte{{}, {0}, {64 | 3, 0, 0}, {63, 0, 0}, {4, 0, 0, 0}, {12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 99}}
	for i, b := range strange {
		strange[i] = append(b, make([]byte, 3)...) // the fake writes the identifier there
	}
	world(t, &fake{objects: objects(), first: strange}, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		if _, body, err := get("prospero://" + fetchtest.At + "//docs/hello.txt"); err != nil || body == "" {
			t.Error(err)
		}
	})
	// An object over the limit.
	world(t, &fake{objects: map[string]string{"x #ALL": attribute("CONTENTS", "DATA '"+strings.Repeat("x", 3<<20)+"'")}}, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		if _, body, err := get("prospero://"+fetchtest.At+"/x", func(r *fetch.Request) { r.Limits.MaxBody = 1000 }); !errors.Is(err, fetch.ErrTooLarge) || len(body) > 1000 {
			t.Errorf("%d octets, %v", len(body), err)
		}
	})
}

// Where a server sends us is said and not gone to.
func TestElsewhere(t *testing.T) {
	method := func(value string) map[string]string {
		return map[string]string{"x #ALL": attribute("SIZE", "5' bytes'") + attribute("ACCESS-METHOD", value)}
	}
	for _, tt := range []struct {
		server *fake
		want   string // the Location; "" for none
	}{
		{&fake{objects: method("AFTP INTERNET-D FTP.example ASCII '/pub/a b.txt' BINARY")}, "ftp://ftp.example/pub/a%20b.txt;type=i"},
		{&fake{objects: method("AFTP INTERNET-D ftp.example(2121) ASCII pub/a TEXT")}, "ftp://ftp.example:2121/pub/a;type=a"},
		{&fake{objects: method("AFTP '' '' '' /pub/readme.txt BINARY")}, "ftp://" + fetchtest.At + "/pub/readme.txt;type=i"},
		{&fake{objects: method("FTP INTERNET-D ftp.example ASCII /home/x/a BINARY")}, "ftp://ftp.example/%2Fhome/x/a;type=i"},
		{&fake{objects: method("AFTP INTERNET-D ftp.example ASCII '/pub/a\nDELE x' BINARY")}, ""},
		{&fake{objects: method("GOPHER INTERNET-D gopher.example(7070) ASCII '0/about it' 0")}, "gopher://gopher.example:7070/00/about%20it"},
		{&fake{objects: method("GOPHER INTERNET-D gopher.example ASCII 1/menu")}, "gopher://gopher.example/11/menu"},
		{&fake{objects: method("NFS INTERNET-D nfs.example ASCII docs/a.txt /export")}, "nfs://nfs.example//export/docs/a.txt"},
		{&fake{objects: method("AFS '' '' ASCII /afs/cs.example/doc/a")}, "afs://cs.example/doc/a"},
		{&fake{objects: method("TELNET INTERNET-D host.example(2323) ASCII ''")}, "telnet://host.example:2323/"},
		{&fake{objects: method("LOCAL '' '' '' /etc/passwd")}, "file:///etc/passwd"},
		{&fake{objects: method("WAIS INTERNET-D wais.example ASCII x")}, ""},
		{&fake{objects: map[string]string{"x #ALL": "FORWARDED INTERNET-D new.example(1526) ASCII 'AFTP/a b' 2\n"}}, "prospero://new.example:1526/AFTP/a%20b;OBJECT-VERSION=2"},
		{&fake{first: [][]byte{{19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 192, 0, 2, 2, 5, 246}}}, "prospero://192.0.2.2:1526/x"},
		{&fake{first: [][]byte{{25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 5, 1, 2, 9, 9, 7, 7, 192, 0, 2, 2, 5, 246}}}, "prospero://192.0.2.2:1526/x"},
	} {
		if tt.server.first != nil {
			for _, p := range tt.server.first {
				p[0] = byte(len(p))
			}
		}
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := transcript.PacketPipe(netip.MustParseAddrPort("192.0.2.9:1"), netip.MustParseAddrPort(fetchtest.At+":1525"))
			go tt.server.serve(theirs)
			defer theirs.Close()
			tr := prospero.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return ours, nil }})
			resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("prospero://" + fetchtest.At + "/x"), Limits: fetch.DefaultLimits()})
			got := ""
			if err == nil {
				got = resp.Location
			}
			if got != tt.want {
				t.Errorf("got %q and %v, want %q", got, err, tt.want)
			}
		})
	}
	// And fetch never opens a file because a server said so.
	world(t, &fake{objects: method("LOCAL '' '' '' /etc/passwd")}, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		if _, _, err := get("prospero://" + fetchtest.At + "/x"); !errors.Is(err, fetch.ErrRefused) {
			t.Errorf("got %v", err)
		}
	})
}

// A name may have addresses at which its server does not listen.
func TestFamilies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		var closers []net.Conn
		tr := prospero.New(&dial.Dialer{
			Resolver: families{},
			Connect: func(_ context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
				asked = append(asked, network+" "+addr.String())
				ours, theirs := transcript.PacketPipe(netip.AddrPort{}, addr)
				if addr.Addr().Is6() {
					theirs.Close()
				} else {
					closers = append(closers, theirs)
					go (&fake{objects: objects()}).serve(theirs)
				}
				return ours, nil
			},
		})
		resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("prospero://a.test//docs/hello.txt"), Limits: fetch.DefaultLimits()})
		if err != nil || resp.Size != 20 {
			t.Errorf("got %v", err)
		}
		if want := []string{"udp [2001:db8::1]:1525", "udp4 192.0.2.1:1525"}; !slices.Equal(asked, want) {
			t.Errorf("asked %q", asked)
		}
		for _, c := range closers {
			c.Close()
		}
	})
}

// families is a resolver of one name with an address of each family.
type families struct{}

func (families) LookupNetIP(_ context.Context, network, _ string) ([]netip.Addr, error) {
	v6, v4 := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("192.0.2.1")
	if network == "ip4" {
		return []netip.Addr{v4}, nil
	}
	return []netip.Addr{v6, v4}, nil
}
