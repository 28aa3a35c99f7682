package gateway_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"anyurl/internal/peer"
)

// A taken is what a proxy gave for a URL.
type taken struct {
	status int
	typ    string
	head   string // the fields, in lower case
	body   string
	broken bool    // before its end
	first  float64 // seconds until the first octet
	all    float64
}

// take has curl ask a proxy for a URL; args are further arguments of curl's.
func take(t *testing.T, proxy, url string, args ...string) (got taken) {
	t.Helper()
	dir := t.TempDir()
	head, body := filepath.Join(dir, "head"), filepath.Join(dir, "body")
	argv := append([]string{"-q", "-sS", "-x", proxy, "-D", head, "-o", body, "-w", "%{http_code}\t%{content_type}\t%{time_starttransfer}\t%{time_total}"}, args...)
	out, err := exec.Command(peer.Look(t, "curl", "curl"), append(argv, url)...).CombinedOutput()
	if err != nil {
		t.Logf("%s, curl %q: %v\n%s", proxy, url, err, out)
		got.broken = true
	}

	if i := bytes.LastIndexByte(out, '\n'); i >= 0 {
		out = out[i+1:] // what it says of a failure stands before
	}
	words := strings.Split(string(out), "\t")
	if len(words) != 4 {
		t.Fatalf("curl says %q", out)
	}
	if got.status, err = strconv.Atoi(words[0]); err != nil {
		t.Fatal(err)
	}
	got.typ = words[1]
	if got.first, err = strconv.ParseFloat(words[2], 64); err != nil {
		t.Fatal(err)
	}
	if got.all, err = strconv.ParseFloat(words[3], 64); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(head)
	if err != nil {
		t.Fatal(err)
	}
	got.head = strings.ToLower(string(text))
	if octets, err := os.ReadFile(body); err == nil {
		got.body = string(octets)
	}
	return got
}

// TestSquid asks Squid and the gateway for the same objects of real FTP servers.
// It holds what ours answers and, where both give an object, that it is the same
// one. What each answered stands in the log as the table of docs/serve.md:
//
//	go test ./gateway -run TestSquid -v
func TestSquid(t *testing.T) {
	n := &neighbourhood{}
	n.ftp = vsftpd(t)
	tree := peer.Tree(t)
	login := peer.PureFTPd(t, tree)
	n.start(t)
	squid, _ := peer.Squid(t)
	closed := peer.Addr(peer.Port(t))
	rounds := 1
	if testing.Verbose() {
		rounds = 9
	}
	pub := "ftp://" + n.ftp + "/pub/"
	blob := string(peer.Blob())
	hello := "Hello plain text\nsecond line\n.\n..dots\nlast\n"
	var table strings.Builder
	fmt.Fprintf(&table, "| asked for | Squid %s | | | | anyurl | | | |\n|---|---|---|---|---|---|---|---|---|\n| | status | type | octets | ms | status | type | octets | ms |\n", peer.Version("squid"))
	for _, tt := range []struct {
		name, url string
		args      []string
		status    int
		typ       string
		has       []string // in the fields
		body      string   // whole; "" for not held
	}{
		{"a text", pub + "hello.txt", nil, 200, "text/plain", []string{"content-length: 43", "last-modified: "}, hello},
		{"octets", pub + "blob.bin", nil, 200, "application/octet-stream", []string{"content-length: 3000", "last-modified: ", "accept-ranges: bytes"}, blob},
		{"a picture", pub + "pic.gif", nil, 200, "image/gif", []string{"content-length: 43"}, ""},
		{"a page", pub + "page.html", nil, 200, "text/html", []string{"content-security-policy: sandbox"}, ""},
		{"112 kB", pub + "big.txt", nil, 200, "text/plain", []string{"content-length: 112000"}, strings.Repeat("the same line over and over\n", 4000)},
		{"`;type=a`", pub + "hello.txt;type=a", nil, 200, "text/plain", nil, hello},
		{"`;type=i`", pub + "hello.txt;type=i", nil, 200, "text/plain", nil, hello},
		{"a name with `%20`", "ftp://" + n.ftp + "/dir%20with%20space/a%20file.txt", nil, 200, "text/plain", nil, "spaces\n"},
		{"a name with `%3B`", pub + "a%3Bb.txt", nil, 200, "text/plain", nil, "semicolon\n"},
		{"a folder", pub, nil, 200, "text/html; charset=utf-8", nil, ""},
		{"a folder without its slash", "ftp://" + n.ftp + "/pub", nil, 200, "text/html; charset=utf-8", nil, ""},
		{"a folder as it is listed, `;type=d`", pub + ";type=d", nil, 200, "text/html; charset=utf-8", nil, ""},
		{"HEAD of octets", pub + "blob.bin", []string{"-I"}, 200, "application/octet-stream", []string{"content-length: 3000", "last-modified: "}, ""},
		{"HEAD of a folder", pub, []string{"-I"}, 200, "text/html; charset=utf-8", nil, ""},
		{"octets 10 to 19", pub + "blob.bin", []string{"-r", "10-19"}, 206, "application/octet-stream", []string{"content-range: bytes 10-19/3000", "content-length: 10"}, blob[10:20]},
		{"octets from 2990 on", pub + "blob.bin", []string{"-r", "2990-"}, 206, "application/octet-stream", []string{"content-range: bytes 2990-2999/3000"}, blob[2990:]},
		{"the last 10 octets", pub + "blob.bin", []string{"-r", "-10"}, 206, "application/octet-stream", []string{"content-range: bytes 2990-2999/3000"}, blob[2990:]},
		{"octets behind the end", pub + "blob.bin", []string{"-r", "5000-5009"}, 416, "text/plain; charset=utf-8", []string{"content-range: bytes */3000"}, ""},
		{"what is unchanged", pub + "blob.bin", []string{"-z", "Fri, 01 Jan 2100 00:00:00 GMT"}, 304, "", nil, ""},
		{"what has changed", pub + "blob.bin", []string{"-z", "Fri, 01 Jan 1999 00:00:00 GMT"}, 200, "application/octet-stream", nil, blob},
		{"a file that is not there", pub + "none.txt", nil, 404, "text/plain; charset=utf-8", nil, ""},
		{"a folder that is not there", "ftp://" + n.ftp + "/none/", nil, 404, "text/plain; charset=utf-8", nil, ""},
		{"with a login", "ftp://" + login + "/hello.txt", []string{"-u", "alice:secret"}, 200, "text/plain", nil, hello},
		{"with the login in the URL", "ftp://alice:secret@" + login + "/hello.txt", nil, 200, "text/plain", nil, hello},
		{"with a wrong login", "ftp://" + login + "/hello.txt", []string{"-u", "alice:wrong"}, 401, "text/plain; charset=utf-8", []string{"www-authenticate: basic realm="}, ""},
		{"without the login", "ftp://" + login + "/hello.txt", nil, 401, "text/plain; charset=utf-8", []string{"www-authenticate: basic realm="}, ""},
		{"where nobody listens", "ftp://" + closed + "/x", nil, 502, "text/plain; charset=utf-8", nil, ""},
	} {
		var ours, theirs []taken
		for range rounds {
			ours = append(ours, take(t, n.gate, tt.url, tt.args...))
			theirs = append(theirs, take(t, "http://"+squid, tt.url, tt.args...))
		}
		us, them := ours[0], theirs[0]
		if us.broken {
			t.Errorf("%s: broken off", tt.name)
		}
		if us.status != tt.status || us.typ != tt.typ {
			t.Errorf("%s: %d %s, want %d %s\n%s", tt.name, us.status, us.typ, tt.status, tt.typ, us.head)
		}
		for _, has := range tt.has {
			if !strings.Contains(us.head, has) {
				t.Errorf("%s: no field %q in\n%s", tt.name, has, us.head)
			}
		}
		if tt.body != "" && us.body != tt.body {
			t.Errorf("%s: %q, want %q", tt.name, us.body, tt.body)
		}
		if us.status == them.status && us.status < 300 && !strings.HasPrefix(us.typ, "text/html; charset") && !slices.Contains(tt.args, "-I") && !them.broken && us.body != strings.ReplaceAll(them.body, "\r\n", "\n") {
			t.Errorf("%s: Squid gives %q, we %q", tt.name, them.body, us.body)
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", tt.name, cells(theirs), cells(ours))
	}
	t.Log("\n" + table.String())
}

// cells are the middle of some rounds for a table.
func cells(rounds []taken) string {
	var ms []float64
	for _, r := range rounds {
		ms = append(ms, r.all*1000)
	}
	slices.Sort(ms)
	octets := strconv.Itoa(len(rounds[0].body))
	if rounds[0].broken {
		octets += ", broken off"
	}
	return fmt.Sprintf("%d | %s | %s | %.1f", rounds[0].status, rounds[0].typ, octets, ms[len(ms)/2])
}
