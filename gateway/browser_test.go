package gateway_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/gateway"
	"anyurl/internal/peer"
)

// TestBrowser clicks through pages of real servers in Chromium. Where ANYURL_SHOTS
// names a folder, it leaves pictures of them there, on a desk and on a phone, by
// day and by night.
func TestBrowser(t *testing.T) {
	b := peer.Chromium(t)
	n := &neighbourhood{news: usenet(t)}
	tree := peer.Tree(t)
	n.gopher, _ = peer.Pygopherd(t, tree)
	n.ftp = vsftpd(t)
	n.z3950, n.telnet, n.finger = yaz(t), telnetd(t), fingerd(t)
	n.start(t)
	shots := os.Getenv("ANYURL_SHOTS")
	look := func(name string) {
		t.Helper()
		if wide := b.Eval(t, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wide != "0" {
			t.Errorf("%s is %s pixels wider than the window", name, wide)
		}
		b.Accessible(t, name)
		if shots != "" {
			b.Shot(t, filepath.Join(shots, name+".png"))
		}
	}
	at := func(url string) string {
		u, err := anyurl.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		return n.gate + gateway.Address(u)
	}
	says := func(want ...string) {
		t.Helper()
		text := b.Eval(t, "document.body.innerText")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the page lacks %q:\n%s", w, text)
			}
		}
	}
	b.Window(t, 1100, 900, false)

	t.Run("the address field explains", func(t *testing.T) {
		b.Open(t, n.gate+"/")
		b.Eval(t, "document.getElementById('address').focus()")
		b.Type(t, "http://bank.example@127.0.0.1:99999/")
		b.Await(t, "document.getElementById('explained').innerText.includes('port')")
		look("start-explains-error")
		b.Eval(t, "document.getElementById('address').value = ''")
		b.Type(t, "gopher://bank.example@a.example/1")
		b.Await(t, "document.getElementById('explained').innerText.includes('a.example/1')")
		look("start-explains")
		b.Eval(t, "document.getElementById('address').value = ''")
		b.Type(t, "gopher://"+n.gopher+"/1\r")
		b.Await(t, "location.pathname.startsWith('/gopher/') && document.readyState === 'complete'")
		says("pub")
	})
	t.Run("gopher", func(t *testing.T) {
		b.Open(t, at("gopher://"+n.gopher+"/1/pub"))
		look("gopher-menu")
		b.Click(t, "a[href$='/hello.txt']")
		says("Hello")
		look("gopher-text")
	})
	t.Run("ftp", func(t *testing.T) {
		b.Open(t, at("ftp://"+n.ftp+"/pub/"))
		says("blob.bin", "3.0 kB")
		b.Click(t, "th.size a")
		if got := b.Eval(t, "document.querySelector('th.size').getAttribute('aria-sort')"); got != "ascending" {
			t.Errorf("sorted %q by size", got)
		}
		look("ftp-folder")
		b.Open(t, at("ftp://"+n.ftp+"/pub/pic.gif"))
		b.Await(t, "document.querySelector('figure img').naturalWidth > 0")
		look("ftp-image")
		b.Click(t, ".crumbs a[href$='/pub/']")
		says("pic.gif")
	})
	t.Run("news", func(t *testing.T) {
		b.Open(t, at("news:test.garden"))
		look("news-group")
		b.Click(t, ".threads ul a")
		says("November. See", "4 quoted lines")
		look("news-article")
	})
	t.Run("wais", func(t *testing.T) {
		b.Open(t, at("wais://library.example/docs"))
		b.Eval(t, "document.getElementById('q').value = 'tulip'")
		b.Click(t, ".ask button")
		says("Tulips and how they grow", "1 result")
		look("wais-results")
		b.Click(t, ".results a")
		says("Tulips grow from bulbs.")
	})
	t.Run("z39.50", func(t *testing.T) {
		b.Open(t, at("z39.50s://"+n.z3950+"/Default?computer;rs=marc"))
		look("z3950-results")
		b.Open(t, at("z39.50r://"+n.z3950+"/Default?abc;rs=marc"))
		says("How to program a computer", "Title")
		look("z3950-record")
	})
	t.Run("finger", func(t *testing.T) {
		b.Open(t, at("finger://"+n.finger+"/joe"))
		says("joe")
		look("finger")
	})
	t.Run("gemini", func(t *testing.T) {
		b.Open(t, at("gemini://"+n.gopher+"/pub/"))
		says("hello", "without the mark") // pygopherd leaves out TLS's end
		look("gemini")
	})
	t.Run("a terminal", func(t *testing.T) {
		b.Open(t, at("telnet://guest@"+n.telnet+"/"))
		says("Log in as guest")
		b.Eval(t, "document.getElementById('begin').click()")
		b.Await(t, "document.getElementById('screen').innerText.includes('login:')")
		b.Type(t, "jo")
		b.Insert(t, "e") // as a keyboard on a screen does
		b.Type(t, "\r")
		b.Await(t, "document.getElementById('screen').innerText.includes('you said joe')")
		b.Type(t, "\r")
		b.Await(t, "document.getElementById('state').innerText.includes('ended')")
		look("telnet")
	})
	t.Run("a letter", func(t *testing.T) {
		b.Open(t, at("mailto:ann@a.example?subject=Tulips&body=Dear%20Ann,%0D%0Awhen?"))
		if got := b.Eval(t, "document.getElementById('body').value"); got != "Dear Ann,\nwhen?" {
			t.Errorf("the text is %q", got)
		}
		look("letter")
	})
	t.Run("danger", func(t *testing.T) {
		b.Open(t, at("ftp://bank.example@"+n.ftp+"/pub/hello.txt"))
		says("Look before you open", "userinfo-looks-like-host")
		look("danger")
		b.Open(t, n.gate+"/open?url=http%3A%2F%2F%5B%3A%3A1%2Fx")
		says("Not a URL")
		look("not-a-url")
		b.Open(t, at("gopher://"+n.gopher+"/0/none"))
		says("Not there")
		look("not-there")
		b.Open(t, at("https://b.example/"))
		says("A page of the web")
		b.Open(t, at("urn:isbn:0451450523"))
		look("urn")
	})
	t.Run("without scripts", func(t *testing.T) {
		b.Scripts(t, false)
		defer b.Scripts(t, true)
		for _, u := range []string{"gopher://" + n.gopher + "/1/pub", "ftp://" + n.ftp + "/pub/", "news:test.garden", "telnet://" + n.telnet + "/"} {
			b.Open(t, at(u))
			look("noscript-" + u[:3])
		}
	})
	t.Run("on a phone, at night", func(t *testing.T) {
		b.Window(t, 360, 740, true)
		for name, u := range map[string]string{"gopher": "gopher://" + n.gopher + "/1/pub", "ftp": "ftp://" + n.ftp + "/pub/", "group": "news:test.garden", "article": "news:two@b.example",
			"record": "z39.50r://" + n.z3950 + "/Default?abc;rs=marc", "danger": "ftp://bank.example@a.example/x", "letter": "mailto:ann@a.example", "telnet": "telnet://" + n.telnet + "/"} {
			b.Open(t, at(u))
			look("phone-" + name)
		}
		b.Open(t, n.gate+"/")
		look("phone-start")
	})
}

func yaz(t *testing.T) string {
	t.Helper()
	addr := peer.Addr(peer.Port(t))
	cmd := exec.Command(peer.Look(t, "yaz-ztest", "yaz"), "tcp:"+addr)
	cmd.Dir = t.TempDir()
	peer.Start(t, cmd).Await(t, addr)
	return addr
}

func telnetd(t *testing.T) string {
	t.Helper()
	program := peer.Look(t, "telnetd", "inetutils-telnetd")
	// telnetd drops what a program says as its last: it waits for one line more.
	login := filepath.Join(t.TempDir(), "login.sh")
	if err := os.WriteFile(login, []byte("#!/bin/sh\nprintf '\\033[2J\\033[H\\033[1;32mWELCOME\\033[0m to the test\\n'\nprintf 'login: '\nread name\nprintf 'you said %s\\n' \"$name\"\nread gone\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	peer.Open(t, filepath.Dir(login))
	return peer.Inetd(t, "", program, "-h", "-E", login+",nofork")
}

func fingerd(t *testing.T) string {
	t.Helper()
	program := peer.Look(t, "in.fingerd", "fingerd")
	script := filepath.Join(t.TempDir(), "finger")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor last; do :; done\necho \"Login: $last\"\necho 'Plan: see gopher://a.example/1'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	peer.Open(t, filepath.Dir(script))
	return peer.Inetd(t, "nobody", program, "-p", script+",nofork")
}
