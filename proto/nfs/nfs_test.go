package nfs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
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
	"anyurl/internal/xdr"
	"anyurl/proto/nfs"
)

func Example() {
	server := &fake{v4: true, public4: "/pub", files: map[string]string{"/pub/motd": "hello\n", "/pub/docs/a.txt": "a"}}
	d, stop := fetchtest.Listen(2049, server.serve)
	defer stop()

	client := fetch.Client{Transports: map[string]fetch.Transport{"nfs": nfs.New(d)}}
	for _, path := range []string{"/", "/motd"} {
		got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("nfs://" + fetchtest.At + path)})
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := io.ReadAll(got.Body)
		got.Body.Close()
		fmt.Print(string(text))
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// docs/
	// motd
	// hello
}

// long takes several READs.
var long = strings.Repeat("a line of a text that needs more than one call\n", 7000)

func files() map[string]string {
	return map[string]string{
		"/pub/hello.txt":      "hello from nfs\n",
		"/pub/long.txt":       long,
		"/pub/empty":          "",
		"/pub/a b;c?.txt":     "odd name",
		"/pub/docs/readme":    "read me\n",
		"/pub/docs/up":        "->../hello.txt",
		"/pub/docs/sub/deep":  "deep\n",
		"/pub/link":           "->docs",
		"/pub/absolute":       "->/pub/docs/readme",
		"/pub/link2":          "->link",
		"/pub/round":          "->round",
		"/pub/out":            "->../../../../etc/passwd",
		"/pub/docs/sub/up2":   "->../../docs/./readme",
		"/pub/secret":         "secret",
		"/pub/new\nline":      "x",
		"/other/file":         "other\n",
		"/pub/docs/caf\xe9":   "x",
		"/pub/docs/elsewhere": "->/other",
	}
}

// ways are servers of each kind; each answers the same.
func ways() map[string]*fake {
	return map[string]*fake{
		"4.0":                            {v4: true, v3: true, public4: "/"},
		"4.0, without a public handle":   {v4: true},
		"4.0, short reads":               {v4: true, public4: "/", short: 10000, page: 3},
		"3, public handle":               {v3: true, public3: "/"},
		"3, public, bare":                {v3: true, public3: "/", noPlus: true, page: 2},
		"3, MOUNT at the same port":      {v3: true, exports: []string{"/", "/elsewhere"}},
		"3, MOUNT without a list":        {v3: true, exports: []string{"/pub", "/other", "/"}, noList: true},
		"3, MOUNT by the portmapper":     {v3: true, exports: []string{"/pub", "/other"}, mountAt: 20048},
		"3, MOUNT and bare, short reads": {v3: true, exports: []string{"/pub", "/other"}, mountAt: 20048, noPlus: true, page: 1, short: 5000},
	}
}

// world runs f with a client whose NFS server is at the ports of 192.0.2.1:
// 2049, and where it has a portmapper 111 and where that says.
func world(t *testing.T, server *fake, f func(t *testing.T, get fetchtest.Get)) {
	t.Helper()
	ports := map[uint16]func(net.Conn){2049: server.serve}
	if server.mountAt != 0 {
		// Each program at its own port only.
		nfsPort := *server
		nfsPort.exports = nil
		ports = map[uint16]func(net.Conn){2049: nfsPort.serve, 111: server.serve, uint16(server.mountAt): server.serve}
	}
	fetchtest.Stage(t, "nfs", func(d *dial.Dialer) fetch.Transport { return nfs.New(d) }, ports, f)
}

func TestFetch(t *testing.T) {
	for name, server := range ways() {
		t.Run(name, func(t *testing.T) {
			server.files = files()
			world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				for _, tt := range []struct {
					path, want string
					kind       error
				}{
					{path: "/pub/hello.txt", want: "hello from nfs\n"},
					{path: "//pub/hello.txt", want: "hello from nfs\n"},
					{path: "/pub/long.txt", want: long},
					{path: "/pub/empty"},
					{path: "/pub/a%20b;c%3F.txt", want: "odd name"},
					{path: "/pub/docs/up", want: "hello from nfs\n"},
					{path: "/pub/link/readme", want: "read me\n"},
					{path: "/pub/link2/sub/deep", want: "deep\n"},
					{path: "/pub/absolute", want: "read me\n"},
					{path: "/pub/docs/sub/up2", want: "read me\n"},
					{path: "/pub/docs/elsewhere/file", want: "other\n"},
					{path: "/pub/docs/%63af%E9", want: "x"},
					{path: "/pub/nothing", kind: fetch.ErrNotFound},
					{path: "/pub/hello.txt/x", kind: fetch.ErrNotFound},
					{path: "/pub/hello.txt/", kind: fetch.ErrNotFound},
					{path: "/pub%2Fhello.txt", kind: fetch.ErrNotFound}, // a name with a slash in it, which is another
					{path: "/pub/round", kind: fetch.ErrNotFound},
					{path: "/pub/out", kind: errAny}, // the server's own /etc/passwd, which it has not
					{path: "/pub/secret", kind: fetch.ErrDenied},
				} {
					got, body, err := get("nfs://" + fetchtest.At + tt.path)
					if tt.kind != nil {
						if err == nil || tt.kind != errAny && !errors.Is(err, tt.kind) && !(server.exports != nil && errors.Is(err, fetch.ErrDenied)) {
							t.Errorf("%s: %q, %v, want %v", tt.path, body, err, tt.kind)
						}
						continue
					}
					if err != nil || body != tt.want {
						t.Errorf("%s: %.60q, %v", tt.path, body, err)
					} else if got.Size != int64(len(tt.want)) || !got.ModTime.Equal(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) || !strings.HasPrefix(got.Protocol, "NFS ") {
						t.Errorf("%s: %+v", tt.path, got.Response)
					}
				}
				got, body, err := get("nfs://"+fetchtest.At+"/pub/long.txt", func(r *fetch.Request) { r.Offset = 200_001 })
				if err != nil || body != long[200_001:] || got.Offset != 200_001 || got.Size != int64(len(body)) {
					t.Errorf("from octet 200001: %d octets, %v", len(body), err)
				}
				if got, body, err = get("nfs://"+fetchtest.At+"/pub/hello.txt", func(r *fetch.Request) { r.Offset = 99 }); err != nil || got.Offset != 0 || body != "hello from nfs\n" {
					t.Errorf("past the end: %q, %v", body, err)
				}
				if got, body, err = get("nfs://"+fetchtest.At+"/pub/hello.txt", func(r *fetch.Request) { r.Method = "HEAD" }); err != nil || got.Size != 15 || body != "" {
					t.Errorf("HEAD: %q, %v", body, err)
				}
				if got, body, err = get("nfs://" + fetchtest.At + "/pub/docs"); err != nil || !got.Listing || got.URL.String() != "nfs://"+fetchtest.At+"/pub/docs/" {
					t.Fatalf("%q, %v", body, err)
				}
				var names []string
				for _, e := range got.Entries {
					names = append(names, e.Name+" "+strings.TrimPrefix(e.URL, got.URL.String()))
				}
				bare := server.noPlus
				want := []string{"caf\xe9 caf%E9", "elsewhere elsewhere", "readme readme", "sub sub/", "up up"}
				if bare {
					want[3] = "sub sub"
				}
				if !slices.Equal(names, want) {
					t.Errorf("entries %q", names)
				}
				if !bare && (body != "\"caf\\xe9\"\nelsewhere\nreadme\nsub/\nup\n" || got.Entries[2].Size != 8 || got.Entries[2].Type != "file" || got.Entries[4].Type != "link" || got.Entries[3].Type != "dir") {
					t.Errorf("%q, %+v", body, got.Entries)
				}
				if _, _, err = get("nfs://"+fetchtest.At+"/pub/docs/", func(r *fetch.Request) { r.Limits.MaxEntries = 4 }); !errors.Is(err, fetch.ErrTooLarge) {
					t.Errorf("a folder over the limit: %v", err)
				}
			})
		})
	}
}

var errAny = errors.New("any")

// A server that wants time gets it.
func TestPatience(t *testing.T) {
	server := &fake{v4: true, public4: "/", files: files(), busy: 3}
	world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		start := time.Now()
		if _, body, err := get("nfs://" + fetchtest.At + "/pub/hello.txt"); err != nil || body != "hello from nfs\n" || time.Since(start) != 7*time.Second {
			t.Errorf("%q, %v after %v", body, err, time.Since(start))
		}
		server.busy = 5
		if _, _, err := get("nfs://" + fetchtest.At + "/pub/hello.txt"); !errors.Is(err, fetch.ErrBusy) {
			t.Errorf("without end: %v", err)
		}
	})
}

// What is mounted is mounted as far down as the exports go, and given back.
func TestMount(t *testing.T) {
	server := &fake{v3: true, exports: []string{"/pub", "/pub/docs"}, files: files()}
	world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		if _, body, err := get("nfs://" + fetchtest.At + "/pub/docs/sub/deep"); err != nil || body != "deep\n" {
			t.Errorf("%q, %v", body, err)
		}
		if want := []string{"MNT /pub/docs", "GETATTR", "LOOKUP", "LOOKUP", "READ", "UMNT /pub/docs"}; !slices.Equal(server.calls, want) {
			t.Errorf("called %q, want %q", server.calls, want)
		}
		if _, _, err := get("nfs://" + fetchtest.At + "/other/file"); !errors.Is(err, fetch.ErrNotFound) {
			t.Errorf("not exported: %v", err)
		}
		got, body, err := get("nfs://" + fetchtest.At + "/")
		if err != nil || body != "/pub\n/pub/docs\n" || got.Entries[1].URL != "nfs://"+fetchtest.At+"/pub/docs/" {
			t.Errorf("the exports: %q, %v", body, err)
		}
	})
	server.noList = true
	world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		var e *fetch.Error
		if _, _, err := get("nfs://" + fetchtest.At + "/other/file"); !errors.As(err, &e) || !errors.Is(err, fetch.ErrDenied) || !strings.Contains(e.Hint, "1024") || e.Status != 13 {
			t.Errorf("not exported, and no list: %v", err)
		}
	})
}

// The portmapper and MOUNT are asked at the address that was vetted.
func TestVetted(t *testing.T) {
	server := &fake{v3: true, exports: []string{"/pub"}, mountAt: 20048, files: files()}
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		d := &dial.Dialer{
			Resolver: rebinding{},
			Connect: func(_ context.Context, _ string, addr netip.AddrPort) (net.Conn, error) {
				asked = append(asked, addr.String())
				ours, theirs := transcript.Pipe(netip.AddrPort{}, addr)
				s := *server
				if addr.Port() != 20048 {
					s.exports = nil
				}
				go func() {
					defer theirs.Close()
					s.serve(theirs)
				}()
				return ours, nil
			},
		}
		resp, err := nfs.New(d).Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("nfs://a.test/pub/hello.txt"), Limits: fetch.DefaultLimits()})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if want := []string{"192.0.2.1:2049", "192.0.2.1:111", "192.0.2.1:20048"}; !slices.Equal(asked, want) {
			t.Errorf("connected to %q", asked)
		}
	})
}

// rebinding is a resolver whose second answer is another.
type rebinding struct{}

func (rebinding) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
}

func TestSuite(t *testing.T) {
	for name, server := range ways() {
		if server.mountAt != 0 {
			continue // the suite has one port
		}
		for _, tt := range []struct{ name, path, want string }{
			{"file", "/pub/hello.txt", "hello from nfs\n"},
			{"link", "/pub/link2/readme", "read me\n"},
			{"folder", "/pub/docs/sub/", "deep\nup2\n"},
		} {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				fetchtest.Run(t, fetchtest.Subject{
					New:  func(d *dial.Dialer) fetch.Transport { return nfs.New(d) },
					URL:  "nfs://" + fetchtest.Host + ":2049" + tt.path,
					Want: tt.want,
					Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
						s := *server
						s.files = files()
						s.serve(conn)
					},
					Head: true,
				})
			})
		}
	}
}

// The octets of a call, as RFC 5531 and RFC 7530 have them.
func TestOctets(t *testing.T) {
	mine, theirs := transcript.Pipe(netip.AddrPort{}, netip.AddrPort{})
	got := make(chan []byte, 1)
	go func() {
		b := make([]byte, 4096)
		n, _ := theirs.Read(b)
		got <- b[:n]
		theirs.Close()
	}()
	d := &dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return mine, nil }}
	nfs.New(d).Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("nfs://192.0.2.1/tree/hello.txt"), Limits: fetch.DefaultLimits()})
	b := <-got
	want := "\x80\x00\x00\xa0" + "....\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x86\xa3\x00\x00\x00\x04\x00\x00\x00\x01" + // the last fragment; a call, RPC 2, NFS 4, COMPOUND
		"\x00\x00\x00\x01\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xfe\x00\x00\xff\xfe\x00\x00\x00\x00" + // AUTH_SYS of nobody, on no machine
		"\x00\x00\x00\x00\x00\x00\x00\x00" + // AUTH_NONE
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05" + // no tag, minor version 0, five operations
		"\x00\x00\x00\x17" + // PUTPUBFH
		"\x00\x00\x00\x0f\x00\x00\x00\x04tree" + "\x00\x00\x00\x0f\x00\x00\x00\x09hello.txt\x00\x00\x00" + // LOOKUP
		"\x00\x00\x00\x0a" + "\x00\x00\x00\x09\x00\x00\x00\x02\x00\x00\x00\x12\x00\x20\x00\x00" // GETFH; GETATTR of type, size and time
	if len(b) > 8 {
		copy(b[4:8], "....") // the call's own number
	}
	if want = "\x80\x00\x00" + string([]byte{byte(len(want) - 4)}) + want[4:]; string(b) != want {
		t.Errorf("sent\n%q, want\n%q", b, want)
	}
}

// What a server may answer, and what comes of it.
func TestHostile(t *testing.T) {
	raw := func(values ...uint32) []byte { return xdr.Append(nil, values...) }
	for _, tt := range []struct {
		name    string
		program uint32 // whose call is answered so
		answer  []byte
		kind    error
		says    string
	}{
		{"no NFS", 100003, raw(1), fetch.ErrUnsupported, "PROG_UNAVAIL"},
		{"a version to come", 100003, raw(2, 5, 6), fetch.ErrUnsupported, "versions 5 to 6"},
		{"garbage", 100003, raw(4), nil, "GARBAGE_ARGS"},
		{"an answer of nothing", 100003, raw(0), fetch.ErrMalformed, ""},
		{"a version that is not looked at", 100003, raw(0, 70), nil, "its MOUNT protocol is not to be found"},
		{"no operation", 100003, raw(0, 0, 0, 0), fetch.ErrMalformed, "no operation"},
		{"too many operations", 100003, raw(0, 0, 0, 99), fetch.ErrMalformed, "more operations"},
		{"another operation", 100003, raw(0, 0, 0, 1, 3, 0), fetch.ErrMalformed, "operation 3"},
		{"too few operations", 100003, raw(0, 0, 0, 1, 23, 0), fetch.ErrMalformed, ""},
		{"a long tag", 100003, raw(0, 0, 0xFFFFFFFF), fetch.ErrMalformed, "broken"},
		{"Kerberos wanted", 100003, raw(0, 10016, 0, 1, 23, 10016), fetch.ErrDenied, "WRONGSEC"},
		{"a status of the whole", 100003, raw(0, 10018, 0, 0), nil, "RESOURCE"},
		{"a status nobody knows", 100003, raw(0, 77777, 0, 0), nil, "status 77777"},
		{"attributes without end", 100003, raw(0, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 0, 9, 0, 0x40000000), fetch.ErrMalformed, ""},
		{"attributes not asked for", 100003, raw(0, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 0, 9, 0, 1, 1<<3, 8, 0, 0), fetch.ErrMalformed, "not asked for"},
		{"a size beyond all", 100003, raw(0, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 0, 9, 0, 1, 1<<4, 8, 0xFFFFFFFF, 0xFFFFFFFF), fetch.ErrMalformed, "broken"},
		{"a device", 100003, raw(0, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 0, 9, 0, 1, 1<<1, 4, 3), fetch.ErrUnsupported, "a device"},
		{"a folder with no end", 100003, raw(0, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 0, 9, 0, 1, 1<<1, 4, 2), fetch.ErrMalformed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := &fake{v4: true, public4: "/", files: files(), answer: func(program, _, _ uint32, _ []byte) []byte {
				if program == tt.program {
					return tt.answer
				}
				return nil
			}}
			world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				_, _, err := get("nfs://" + fetchtest.At + "/pub/hello.txt")
				if err == nil || tt.kind != nil && !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v, want %v", err, tt.kind)
				}
			})
		})
	}
	// Replies that are none, octet for octet; XXXX is the call's number.
	for name, reply := range map[string]string{
		"another call's":            "\x80\x00\x00\x18\x00\x00\x00\x00\x00\x00\x00\x01" + strings.Repeat("\x00", 16),
		"a call":                    "\x80\x00\x00\x18XXXX\x00\x00\x00\x00" + strings.Repeat("\x00", 16),
		"neither taken nor refused": "\x80\x00\x00\x18XXXX\x00\x00\x00\x01\x00\x00\x00\x07" + strings.Repeat("\x00", 12),
		"refused somehow":           "\x80\x00\x00\x18XXXX\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x07" + strings.Repeat("\x00", 8),
		"cut":                       "\x80\x00\x00\x08XXXX\x00\x00\x00\x01",
		"two gigabytes":             "\xff\xff\xff\xffXXXX",
		"fragments of nothing":      strings.Repeat("\x00\x00\x00\x00", 200),
	} {
		err := answered(t, reply)
		if !errors.Is(err, fetch.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for reply, says := range map[string]string{
		"\x80\x00\x00\x14XXXX\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05":                 "AUTH_TOOWEAK",
		"\x80\x00\x00\x18XXXX\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x03": "ONC RPC 3 to 3",
	} {
		if err := answered(t, reply); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}

// answered fetches from a server that answers each call with these octets.
func answered(t *testing.T, reply string) (err error) {
	synctest.Test(t, func(t *testing.T) {
		mine, theirs := transcript.Pipe(netip.AddrPort{}, netip.AddrPort{})
		go func() {
			b := make([]byte, 4096)
			for {
				n, err := theirs.Read(b)
				if err != nil || n < 8 {
					return
				}
				io.WriteString(theirs, strings.ReplaceAll(reply, "XXXX", string(b[4:8])))
			}
		}()
		d := &dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return mine, nil }}
		_, err = nfs.New(d).Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("nfs://192.0.2.1/x"), Limits: fetch.DefaultLimits()})
		theirs.Close()
	})
	return err
}

// More octets than were asked for are no answer, and a file that ends before
// its size is cut.
func TestReadLies(t *testing.T) {
	for _, tt := range []struct {
		data string
		told uint32
		eof  uint32
		kind error
	}{
		{strings.Repeat("x", 130<<10), 130 << 10, 1, fetch.ErrMalformed},
		{"xx", 3, 1, fetch.ErrMalformed},
		{"xx", 2, 2, fetch.ErrMalformed},
		{"xx", 2, 1, fetch.ErrTruncated},
	} {
		server := &fake{v3: true, public3: "/", files: files(), answer: func(program, version, procedure uint32, _ []byte) []byte {
			if program == 100003 && version == 3 && procedure == 6 {
				return xdr.AppendOpaque(xdr.Append(nil, 0, 0, 0, tt.told, tt.eof), tt.data)
			}
			return nil
		}}
		world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
			if _, body, err := get("nfs://" + fetchtest.At + "/pub/hello.txt"); !errors.Is(err, tt.kind) && !(tt.kind == fetch.ErrTruncated && errors.Is(err, io.ErrUnexpectedEOF)) {
				t.Errorf("%d octets told and %d sent: %.20q, %v", tt.told, len(tt.data), body, err)
			}
		})
	}
}
