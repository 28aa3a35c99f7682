package demo_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"anyurl"
	"anyurl/cmd/anyurl/internal/demo"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/percent"
	"anyurl/proto/builtin"
)

// servers lists where each of them listens.
func servers(n *demo.Internet) []string {
	return []string{n.Web, n.FTP, n.Gopher, n.News, n.Finger, n.Gemini, n.Spartan, n.Dict, n.Telnet, n.Rlogin, n.TN3270, n.WAIS, n.Library, n.LDAP, n.WS, n.Prospero, n.TFTP, n.Closed}
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
	dir := t.TempDir()
	if err := demo.Keep(dir); err != nil {
		t.Fatal(err)
	}
	client := &fetch.Client{Transports: builtin.Transports(onlyInternet(n), builtin.Options{News: n.News, Mailboxes: []string{filepath.Join(dir, "mailbox")}})}
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
		{"wais://" + n.WAIS + "/garden", "application/x-wais-source", "(:source\n :version 3\n :ip-name \"127.0.0.1\"\n :database-name \"garden\"\n :description \"A small database on loopback: garden.\")\n"},
		{"wais://" + n.WAIS + "/garden/TEXT/" + docID(n.WAIS, "garden", "mice.txt"), "text/plain", built(t, "wais/garden/mice.txt", "\n")},
		{"z39.50r://" + n.Library + "/books?3;rs=sutrs", "text/plain", "Demo, Cleo.\nGateways / Cleo Demo.\nLoopback : The Small Press, 1996.\n64 p.\nTranslation.\n"},
		{"z39.50r://" + n.Library + "/books?2;rs=marc", "text/plain", "00254nam a2200097   4500\n001 demo0002\n100 1  $a Demo, Ben.\n245 14 $a The uniform locator : $b a short history / $c Ben Demo.\n260    $a Loopback : $b The Small Press, $c 1995.\n300    $a 128 p.\n650  0 $a Names and addresses.\n"},
		{"prospero://" + n.Prospero + "//docs/names.txt", "text/plain", built(t, "prospero/docs/names.txt", "\n")},
		{"sftp://guest@" + n.SFTP + "/letters/to-ben.txt", "text/plain", built(t, "vault/letters/to-ben.txt", "\n")},
		{"rlogin://" + n.Rlogin + "/", "text/plain", "\x1b[1;32mA small service\x1b[0m on loopback. It knows three words: help, time, bye.\r\n\r\n> "},
		{"tn3270://" + n.TN3270 + "/", "text/plain", "\n  A SMALL MAINFRAME\n\n  It has two screens and no work to do.\n\n  Press Enter for the other one, or PF3 to leave.\n"},
		{"ldap://" + n.LDAP + "/cn=Ann%20Demo,o=Garden?mail", "text/", "version: 1\n\ndn: cn=Ann Demo,o=Garden\nmail: ann@garden.example\n"},
		{"ldap://" + n.LDAP + "/o=Garden?sn?sub?(%26(cn=b*de*o)(!(mail=ann@garden.example)))", "text/", "version: 1\n\ndn: cn=Ben Demo,o=Garden\nsn: Demo\n"},
		{"ws://" + n.WS + "/", "text/plain", "You are connected. Whatever you say, I say it again."},
		{"tftp://" + n.TFTP + "/network.cfg;mode=octet", "text/plain", built(t, "boot/network.cfg", "\n")},
		{"tftp://" + n.TFTP + "/network.cfg;mode=netascii", "text/plain", built(t, "boot/network.cfg", "\n")},
		{"mid:bulbs.2@orchard.example", "message/rfc822", letter(t)},
		{"cid:list.1@garden.example", "text/plain", "tulip, daffodil, crown imperial"},
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
		"ftp://" + n.FTP + "/":                            "docs motd",
		"gopher://" + n.Gopher + "/1/":                    "A small hole in the ground|about.txt|hours.txt",
		"nntp://" + n.News + "/*":                         "demo.answers demo.garden",
		"news:demo.garden":                                "When to plant tulips?|Re: When to plant tulips?|Re: When to plant tulips?|Leaves: rake or leave?",
		"wais://" + n.WAIS + "/garden?tulip":              "Tulips and how they grow|Hedges for small gardens",
		"z39.50s://" + n.Library + "/books?small;rs=marc": "Tulips for small gardens|The uniform locator : a short history|Gateways",
		"prospero://" + n.Prospero + "//":                 "docs welcome.txt",
		"ldap://" + n.LDAP + "/o=Garden??one":             "cn=Ann Demo,o=Garden|cn=Ben Demo,o=Garden",
		"ldap://" + n.LDAP + "/??sub?(labeledURI=*)":      "cn=Ben Demo,o=Garden",
		"sftp://guest@" + n.SFTP + "/":                    "letters readme.txt",
		"dict://" + n.Dict + "/m:or:uniform:substring":    "authority|locator|uniform",
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

// letter is the second letter of the mailbox.
func letter(t *testing.T) string {
	_, text, ok := strings.Cut(built(t, "mail/mailbox", "\n"), "From ben@orchard.example Sat Oct  1 12:00:00 1994\n")
	if !ok {
		t.Fatal("the mailbox lacks the second letter")
	}
	return strings.TrimSuffix(text, "\n")
}

// docID is what the WAIS server calls a document, as a URL has it: four
// components of a number, a length and a text.
func docID(server, database, name string) string {
	var id strings.Builder
	for _, c := range []struct {
		tag   byte
		value string
	}{{1, server}, {2, database}, {3, name}, {7, "\x00"}} {
		id.WriteString(string([]byte{c.tag, byte(len(c.value))}) + c.value)
	}
	return percent.Encode(id.String(), &percent.Component)
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

// TestRefusing holds that the port at which nobody answers stays so: nobody else
// can listen there meanwhile.
func TestRefusing(t *testing.T) {
	n, err := demo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if conn, err := net.Dial("tcp", n.Closed); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("%v, %v", conn, err)
	}
	if l, err := net.Listen("tcp", n.Closed); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v, %v", l, err)
	}
}
