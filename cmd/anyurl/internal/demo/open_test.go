package demo_test

import (
	"context"
	"io"
	"net/netip"
	"os"
	"strings"
	"testing"

	"anyurl"
	"anyurl/cmd/anyurl/internal/demo"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

// servers lists where each of them listens.
func servers(n *demo.Internet) []string {
	return []string{n.Web, n.FTP, n.Gopher, n.News, n.Finger, n.Gemini, n.Spartan, n.Dict, n.Telnet, n.Closed}
}

// onlyInternet dials the internet and nothing else.
func onlyInternet(n *demo.Internet) *dial.Dialer {
	return &dial.Dialer{Allow: func(host string, ap netip.AddrPort) error {
		if n.Has(ap) {
			return nil
		}
		return dial.Guard(host, ap)
	}}
}

// built is a document of the site, with the line ends that a protocol gives it.
func built(t *testing.T, name, end string) string {
	t.Helper()
	text, err := os.ReadFile("site/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\n", end)
}

// TestOpen opens what each server has by its URL, through the transports that
// the library has, and compares octets. The dialer goes to the internet's own
// ports and nowhere else, so it also holds that Has knows them all.
func TestOpen(t *testing.T) {
	n := start(t)
	client := &fetch.Client{Transports: builtin.Transports(onlyInternet(n), builtin.Options{News: n.News})}
	defer client.Close()
	for _, tt := range []struct{ url, typ, want string }{
		{"http://" + n.Web + "/notes.html", "text/html", built(t, "www/notes.html", "\n")},
		{"ftp://" + n.FTP + "/docs/uniform.txt", "text/plain", built(t, "pub/docs/uniform.txt", "\n")},
		{"gopher://" + n.Gopher + "/0/about.txt", "text/plain", built(t, "hole/about.txt", "\r\n")},
		{"news:tulips.1@garden.example", "message/rfc822", built(t, "news/demo.garden/1", "\r\n")},
		{"nntp://" + n.News + "/demo.answers/1", "message/rfc822", built(t, "news/demo.answers/1", "\r\n")},
		{"finger://" + n.Finger + "/ann", "text/plain", built(t, "people/ann", "\r\n")},
		{"finger://" + n.Finger + "/", "text/plain", "Who is here:\r\n\r\n  ann\r\n  ben\r\n"},
		{"finger://" + n.Finger + "/zoe", "text/plain", "Nobody of that name is here.\r\n"},
		{"gemini://" + n.Gemini + "/", "text/gemini", built(t, "capsule/index.gmi", "\n")},
		{"gemini://" + n.Gemini + "/old", "text/gemini", built(t, "capsule/garden.gmi", "\n")},
		{"gemini://" + n.Gemini + "/echo?two%20words%0A", "text/gemini", "# You said\n\n> two words \n"},
		{"spartan://" + n.Spartan + "/", "text/gemini", built(t, "spartan/index.gmi", "\n")},
		{"spartan://" + n.Spartan + "/echo?two%20words", "text/gemini", "# You said\n\n> two words\n"},
		{"dict://" + n.Dict + "/d:gateway:uniform", "text/plain", "A small dictionary of URLs [uniform]\r\n\r\ngateway\r\n  One who speaks the language that you do not, and brings you the answer.\r\n"},
		{"telnet://" + n.Telnet + "/", "text/plain", "\x1b[1;32mA small service\x1b[0m on loopback. It knows three words: help, time, bye.\r\n\r\n> "},
	} {
		typ, body, err := open(client, tt.url)
		if err != nil || body != tt.want || !strings.HasPrefix(typ, tt.typ) {
			t.Errorf("%s: got %s %q, %v, want %s %q", tt.url, typ, body, err, tt.typ, tt.want)
		}
	}
}

// TestListings opens folders, groups and the like, and compares names.
func TestListings(t *testing.T) {
	n := start(t)
	client := &fetch.Client{Transports: builtin.Transports(onlyInternet(n), builtin.Options{News: n.News})}
	defer client.Close()
	for url, want := range map[string]string{
		"ftp://" + n.FTP + "/":                         "docs motd",
		"gopher://" + n.Gopher + "/1/":                 "A small hole in the ground|about.txt|hours.txt",
		"nntp://" + n.News + "/*":                      "demo.answers demo.garden",
		"news:demo.garden":                             "When to plant tulips?|Re: When to plant tulips?|Re: When to plant tulips?|Leaves: rake or leave?",
		"dict://" + n.Dict + "/m:or:uniform:substring": "authority|locator|uniform",
	} {
		sep := " "
		if strings.Contains(want, "|") {
			sep = "|"
		}
		u := anyurl.MustParse(url)
		res, err := client.Do(context.Background(), &fetch.Request{URL: u})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		var names []string
		for _, e := range res.Entries {
			names = append(names, e.Name)
		}
		res.Body.Close()
		if got := strings.Join(names, sep); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}

func open(client *fetch.Client, url string) (typ, body string, err error) {
	u, err := anyurl.Parse(url)
	if err != nil {
		return "", "", err
	}
	res, err := client.Do(context.Background(), &fetch.Request{URL: u})
	if err != nil {
		return "", "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.Type, string(b), err
}

// TestHas holds that the internet answers for its own addresses alone.
func TestHas(t *testing.T) {
	n := start(t)
	web := netip.MustParseAddrPort(n.Web)
	for ap, want := range map[netip.AddrPort]bool{
		web: true,
		netip.AddrPortFrom(netip.MustParseAddr("::ffff:127.0.0.1"), web.Port()): true,
		netip.AddrPortFrom(web.Addr(), 1):                                       false,
		netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), web.Port()):        false,
		netip.AddrPortFrom(netip.MustParseAddr("10.0.0.1"), web.Port()):         false,
	} {
		if got := n.Has(ap); got != want {
			t.Errorf("%v: got %t", ap, got)
		}
	}
}
