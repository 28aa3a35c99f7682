package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/gateway"
	"anyurl/internal/peer"
	"anyurl/proto/builtin"
)

// A neighbourhood is real servers, and a gateway that opens what they have.
type neighbourhood struct {
	gate   string // http://host:port
	gopher string // host:port, and so on
	ftp    string
	news   string
	z3950  string
	telnet string
	finger string
}

// start starts the gateway alone.
func (n *neighbourhood) start(t *testing.T) {
	t.Helper()
	d := &dial.Dialer{}
	transports := builtin.Transports(d, builtin.Options{News: n.news})
	transports["wais"] = fetch.TransportFunc(library)
	client := &fetch.Client{Transports: transports, AllowPort: func(string, uint16) bool { return true }}
	t.Cleanup(func() { client.Close() })
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = gateway.New(gateway.Options{Client: client, Gate: func(anyurl.URL) error { return nil }, Rate: 10_000, Burst: 10_000})
	s.Start()
	t.Cleanup(s.Close)
	n.gate = s.URL
}

// library answers for a WAIS server: one database, one document.
func library(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	u := req.URL.String()
	resp := &fetch.Response{URL: req.URL, Protocol: "wais", Type: "text/plain", Size: -1}
	switch {
	case strings.Contains(u, "?tulip"):
		place := strings.TrimSuffix(u, "?tulip") + "/TEXT/1=library.example;2=docs;3=17;"
		resp.Listing = true
		resp.Entries = []fetch.Entry{{Name: "Tulips and how they grow", Type: "TEXT", URL: place, Size: 24, Raw: "1000\t24\tTEXT\tTulips\t" + place}}
		resp.Body = io.NopCloser(strings.NewReader("1000\t24\tTEXT\tTulips\t" + place + "\n"))
	case strings.Contains(u, "/TEXT/"):
		resp.Body = io.NopCloser(strings.NewReader("Tulips grow from bulbs.\n"))
	default:
		resp.Body = io.NopCloser(strings.NewReader("A database about gardens.\n"))
	}
	return resp, nil
}

// usenet is a news server with one thread.
func usenet(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go reader(c)
		}
	}()
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// reader speaks as much NNTP as a reader needs.
func reader(c net.Conn) {
	defer c.Close()
	articles := map[string]string{
		"1": "Subject: When to plant tulips?\r\nFrom: Ann <ann@a.example>\r\nNewsgroups: test.garden\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\nMessage-ID: <one@a.example>\r\n\r\nIn October, or is it November?\r\n",
		"2": "Subject: Re: When to plant tulips?\r\nFrom: Ben <ben@b.example>\r\nNewsgroups: test.garden\r\nDate: Mon, 02 Nov 2026 11:00:00 +0000\r\nMessage-ID: <two@b.example>\r\nReferences: <one@a.example>\r\n\r\nAnn wrote:\r\n> In October,\r\n> or is it\r\n> November?\r\n> I forgot.\r\nNovember. See gopher://gopher.example/1\r\n",
	}
	field := func(a, name string) string {
		_, rest, _ := strings.Cut("\r\n"+a, "\r\n"+name+": ")
		value, _, _ := strings.Cut(rest, "\r\n")
		return value
	}
	fmt.Fprint(c, "200 hello\r\n")
	for lines := bufio.NewScanner(c); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "CAPABILITIES":
			fmt.Fprint(c, "101 \r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n")
		case "MODE":
			fmt.Fprint(c, "200 ok\r\n")
		case "GROUP":
			fmt.Fprint(c, "211 2 1 2 test.garden\r\n")
		case "OVER", "XOVER":
			fmt.Fprint(c, "224 \r\n")
			for _, n := range []string{"1", "2"} {
				a := articles[n]
				fmt.Fprintf(c, "%s\t%s\t%s\t%s\t%s\t%s\t100\t3\r\n", n, field(a, "Subject"), field(a, "From"), field(a, "Date"), field(a, "Message-ID"), field(a, "References"))
			}
			fmt.Fprint(c, ".\r\n")
		case "LIST":
			fmt.Fprint(c, "215 \r\ntest.garden 2 1 y\r\n.\r\n")
		case "ARTICLE":
			for _, n := range []string{"1", "2"} {
				if words[1] == n || words[1] == field(articles[n], "Message-ID") {
					fmt.Fprintf(c, "220 %s %s\r\n%s.\r\n", n, field(articles[n], "Message-ID"), articles[n])
				}
			}
		case "QUIT":
			fmt.Fprint(c, "205 bye\r\n")
			return
		default:
			fmt.Fprint(c, "500 what?\r\n")
		}
	}
}

// tool runs a client with the gateway as its proxy and gives what it says.
func (n *neighbourhood) tool(t *testing.T, argv ...string) string {
	t.Helper()
	program := peer.Look(t, argv[0], argv[0])
	cmd := exec.Command(program, argv[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "LC_ALL=C.UTF-8", "no_proxy=")
	for _, name := range []string{"http", "ftp", "gopher", "news", "nntp", "wais"} {
		cmd.Env = append(cmd.Env, name+"_proxy="+n.gate+"/")
	}
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.HasSuffix(argv[len(argv)-1], "/none") {
		t.Errorf("%q: %v\n%s", argv, err, out)
	}
	return string(out)
}

// TestProxyClients has lynx, w3m, curl and wget go to gopher, ftp, news and wais
// through the gateway, as they are.
func TestProxyClients(t *testing.T) {
	n := &neighbourhood{news: usenet(t)}
	n.gopher, _ = peer.Pygopherd(t, peer.Tree(t))
	n.ftp = vsftpd(t)
	n.start(t)
	lynx := func(u string) string { return n.tool(t, "lynx", "-dump", "-width=200", u) }
	w3m := func(u string) string { return n.tool(t, "w3m", "-dump", u) }
	for _, tt := range []struct {
		name string
		got  func() string
		want []string
	}{
		{"lynx, a menu", func() string { return lynx("gopher://" + n.gopher + "/1/pub") }, []string{"hello.txt", "gopher://" + n.gopher + "/0/pub/hello.txt"}},
		{"lynx, a text of gopher", func() string { return lynx("gopher://" + n.gopher + "/0/pub/hello.txt") }, []string{"Hello"}},
		{"lynx, a folder", func() string { return lynx("ftp://" + n.ftp + "/pub/") }, []string{"hello.txt", "ftp://" + n.ftp + "/pub/hello.txt", "sub"}},
		{"lynx, a file of ftp", func() string { return lynx("ftp://" + n.ftp + "/pub/hello.txt") }, []string{"Hello"}},
		{"lynx, a newsgroup", func() string { return lynx("news:test.garden") }, []string{"When to plant tulips?", "Ben", "news:two@b.example"}},
		{"lynx, an article", func() string { return lynx("news:two@b.example") }, []string{"November. See", "or is it", "gopher://gopher.example/1"}},
		{"lynx, a search", func() string { return lynx("wais://library.example/docs?tulip") }, []string{"Tulips and how they grow", "1000"}},
		{"lynx, what was found", func() string { return lynx("wais://library.example/docs/TEXT/1=library.example;2=docs;3=17;") }, []string{"Tulips grow from bulbs."}},
		{"lynx, what is not there", func() string { return lynx("gopher://" + n.gopher + "/0/none") }, []string{"Not there", "what to try"}},
		{"w3m, a menu", func() string { return w3m("gopher://" + n.gopher + "/1/pub") }, []string{"text hello", "menu sub"}},
		{"w3m, a text of gopher", func() string { return w3m("gopher://" + n.gopher + "/0/pub/hello.txt") }, []string{"Hello"}},
		{"w3m, a folder", func() string { return w3m("ftp://" + n.ftp + "/pub/") }, []string{"hello.txt"}},
		{"curl, a file", func() string { return n.tool(t, "curl", "-sS", "-x", n.gate, "ftp://"+n.ftp+"/pub/hello.txt") }, []string{"Hello"}},
		{"curl, any URL", func() string {
			return n.tool(t, "curl", "-sS", "--request-target", "gopher://"+n.gopher+"/0/pub/hello.txt", n.gate)
		}, []string{"Hello"}},
		{"curl, a part", func() string {
			return n.tool(t, "curl", "-sS", "-i", "-r", "10-19", "-x", n.gate, "ftp://"+n.ftp+"/pub/blob.bin;type=i")
		}, []string{"206 Partial Content", "Content-Range: bytes 10-19/3000", string(peer.Blob()[10:20])}},
		{"curl, the fields", func() string {
			return n.tool(t, "curl", "-sS", "-I", "-x", n.gate, "ftp://"+n.ftp+"/pub/pic.gif")
		}, []string{"200 OK", "Content-Type: image/gif", "Last-Modified: "}},
		{"curl, what has not changed", func() string {
			return n.tool(t, "curl", "-sS", "-i", "-z", "Fri, 01 Jan 2100 00:00:00 GMT", "-x", n.gate, "ftp://"+n.ftp+"/pub/pic.gif")
		}, []string{"304 Not Modified"}},
		{"wget, a file", func() string { return n.tool(t, "wget", "-q", "-O", "-", "ftp://"+n.ftp+"/pub/hello.txt") }, []string{"Hello"}},
		{"wget, the rest of a file", func() string {
			return n.tool(t, "sh", "-c", "head -c 1000 /dev/zero >blob.bin; wget -q -c 'ftp://"+n.ftp+"/pub/blob.bin'; wc -c <blob.bin; tail -c 8 blob.bin")
		}, []string{"3000", string(peer.Blob()[2992:])}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.got()
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("it lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// vsftpd serves the tree.
func vsftpd(t *testing.T) string {
	t.Helper()
	program := peer.Look(t, "vsftpd", "vsftpd")
	if os.Getuid() != 0 {
		t.Skip("vsftpd takes root")
	}
	dir := t.TempDir()
	peer.Open(t, dir)
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	port := peer.Port(t)
	conf := filepath.Join(dir, "conf")
	text := fmt.Sprintf("listen=YES\nlisten_address=127.0.0.1\nlisten_port=%d\nbackground=NO\nanonymous_enable=YES\nanon_root=%s\nlocal_enable=NO\npasv_address=127.0.0.1\n"+
		"connect_from_port_20=NO\nseccomp_sandbox=NO\nsecure_chroot_dir=%s\nxferlog_enable=NO\n", port, peer.Tree(t), empty)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	peer.Start(t, exec.Command(program, conf)).Await(t, peer.Addr(port))
	return peer.Addr(port)
}
