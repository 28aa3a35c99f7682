package nntp_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/nntp"
)

// sn starts the sn news server with two articles in test.group.
func sn(t *testing.T) (addr string) {
	t.Helper()
	server := peer.Look(t, "snntpd.bin", "sn")
	newgroup, store := peer.Look(t, "snnewgroup", "sn"), peer.Look(t, "snstore", "sn")
	peer.Look(t, "socat", "socat")
	root := t.TempDir()
	dir := filepath.Join(root, "sn")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// The programs act as whoever owns the folder, and refuse to be root.
	as := ""
	if os.Getuid() == 0 {
		news, err := user.Lookup("news")
		if err != nil {
			t.Skip("there is no user news")
		}
		as = "news"
		uid, _ := strconv.Atoi(news.Uid)
		gid, _ := strconv.Atoi(news.Gid)
		for d := root; d != "/" && d != os.TempDir(); d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	articles := ""
	for _, a := range []struct{ id, body string }{{"one@a.example", "Hello\r\n..\r\n..dots"}, {"two$2/x%y@a.example", "Second"}} {
		articles += fmt.Sprintf("Path: here\r\nFrom: kim@a.example\r\nNewsgroups: test.group\r\nSubject: about %s\r\nDate: Mon, 30 Nov 2026 08:52:07 +0000\r\nMessage-ID: <%s>\r\n\r\n%s\r\n.\r\n", a.id, a.id, a.body)
	}
	for _, step := range []struct {
		argv []string
		in   string
	}{{[]string{newgroup, "test.group"}, ""}, {[]string{newgroup, "test.empty"}, ""}, {[]string{store}, articles}} {
		cmd := exec.Command(step.argv[0], step.argv[1:]...)
		cmd.Env = append(os.Environ(), "SNROOT="+dir)
		cmd.Stdin = strings.NewReader(step.in)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", step.argv[0], err, out)
		}
	}
	script := filepath.Join(root, "serve")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexport SNROOT="+dir+"\nexec "+server+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return peer.Inetd(t, as, script)
}

func client(server string) *fetch.Client {
	tr := nntp.New(&dial.Dialer{}, server)
	return &fetch.Client{Transports: map[string]fetch.Transport{"news": tr, "nntp": tr}, AllowPort: func(string, uint16) bool { return true }}
}

func get(t *testing.T, c *fetch.Client, url string) (*fetch.Result, string, error) {
	t.Helper()
	got, err := c.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return got, string(body), err
}

// Against sn 0.3: no CAPABILITIES, no OVER, numbers that begin at 10, and 430
// where RFC 3977 has 423.
func TestSn(t *testing.T) {
	addr := sn(t)
	c := client(addr)
	fetchtest.Opened(t, peer.Version("sn"), c)

	_, body, err := get(t, c, "news:one@a.example")
	if err != nil || !strings.Contains(body, "Message-ID: <one@a.example>") || !strings.HasSuffix(body, "\r\n\r\nHello\r\n.\r\n.dots\r\n") {
		t.Errorf("by message-id: %v %q", err, body)
	}
	if _, body, err = get(t, c, "news:two%242%2Fx%25y@a.example"); err != nil || !strings.HasSuffix(body, "Second\r\n") {
		t.Errorf("by an escaped message-id: %v %q", err, body)
	}
	got, _, err := get(t, c, "nntp://"+addr+"/test.group")
	if err != nil || len(got.Entries) != 2 {
		t.Fatalf("group: %v %+v", err, got)
	}
	if e := got.Entries[1]; e.Name != "about two$2/x%y@a.example" || !strings.HasSuffix(e.URL, "/two$2%2Fx%25y@a.example") {
		t.Errorf("entry %+v", e)
	}
	if _, body, err := get(t, c, got.Entries[1].URL); err != nil || !strings.HasSuffix(body, "Second\r\n") {
		t.Errorf("an entry's own URL: %v %q", err, body)
	}
	if _, body, err = get(t, c, "nntp://"+addr+"/test.group/10"); err != nil || !strings.Contains(body, "<one@a.example>") {
		t.Errorf("by number: %v %q", err, body)
	}
	if got, _, err = get(t, c, "news:test.empty"); err != nil || len(got.Entries) != 0 {
		t.Errorf("an empty group: %v %+v", err, got)
	}
	if got, _, err = get(t, c, "news:*"); err != nil || len(got.Entries) != 2 {
		t.Errorf("all groups: %v %+v", err, got)
	}
	for url, status := range map[string]int{"news:none@a.example": 430, "news:no.group": 411, "nntp://" + addr + "/test.group/999": 430} {
		_, _, err := get(t, c, url)
		var e *fetch.Error
		if !errors.Is(err, fetch.ErrNotFound) || !errors.As(err, &e) || e.Status != status {
			t.Errorf("%s: %v, want %d", url, err, status)
		}
	}
}

// inn starts INN with two articles in test.group.
func inn(t *testing.T) (addr string) {
	t.Helper()
	innd := peer.Look(t, "innd", "inn2")
	makedbz := peer.Look(t, "makedbz", "inn2")
	programs := filepath.Dir(innd)
	libraries := filepath.Dir(programs)
	packaged := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(libraries))), "etc", "news")
	if os.Getuid() != 0 {
		t.Skip("INN runs as the user news, which takes root to become")
	}
	if _, err := user.Lookup("news"); err != nil {
		t.Skip("there is no user news")
	}
	dir := t.TempDir()
	for d := dir; d != "/" && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	port := peer.Port(t)
	peer.Run(t, dir, "sh", "-c", "mkdir -p db log run tmp etc spool/articles spool/overview spool/incoming/bad spool/outgoing spool/archive && cp -R "+packaged+"/. etc/")
	conf := fmt.Sprintf("mta: \"/bin/true %%s\"\nhismethod: hisv6\novmethod: tradindexed\nenableoverview: true\nnnrpdloadlimit: 0\npathhost: news.example\ndomain: news.example\nfromhost: news.example\norganization: test\nrunasuser: news\nrunasgroup: news\nbindaddress: 127.0.0.1\nport: %d\n", port)
	for name, at := range map[string]string{
		"pathnews": ".", "pathdb": "db", "pathetc": "etc", "pathlog": "log", "pathrun": "run", "pathtmp": "tmp", "pathspool": "spool",
		"patharticles": "spool/articles", "pathoverview": "spool/overview", "pathincoming": "spool/incoming", "pathoutgoing": "spool/outgoing", "patharchive": "spool/archive",
	} {
		conf += name + ": " + filepath.Join(dir, at) + "\n"
	}
	conf += "pathbin: " + programs + "\npathfilter: " + filepath.Join(dir, "etc", "filter") + "\npathcontrol: " + filepath.Join(programs, "control") + "\npathhttp: " + filepath.Join(dir, "log") + "\n"
	for name, text := range map[string]string{
		"etc/inn.conf":      conf,
		"etc/readers.conf":  "auth here {\n hosts: \"127.0.0.1\"\n default: \"<local>\"\n}\naccess here {\n users: \"<local>\"\n newsgroups: \"*\"\n access: RPA\n}\n",
		"etc/storage.conf":  "method tradspool {\n newsgroups: *\n class: 0\n}\n",
		"etc/newsfeeds":     "ME:*,!junk,!control*::\nnull:!*:Tf,Wnm:null\n",
		"etc/incoming.conf": "streaming: true\nmax-connections: 8\npeer here {\n hostname: \"127.0.0.1\"\n}\n",
		"db/active":         "control 0000000000 0000000001 n\ncontrol.cancel 0000000000 0000000001 n\njunk 0000000000 0000000001 n\ntest.group 0000000000 0000000001 y\ntest.empty 0000000000 0000000001 y\n",
		"db/active.times":   "",
		"db/newsgroups":     "test.group\tfor tests\n",
		"db/history":        "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := "INNCONF=" + filepath.Join(dir, "etc", "inn.conf") + " LD_LIBRARY_PATH=" + libraries
	peer.Run(t, dir, "chown", "-R", "news:news", dir)
	as := func(command string) []string {
		return []string{"setpriv", "--reuid=news", "--regid=news", "--clear-groups", "sh", "-c", "export " + env + "; cd " + dir + "; " + command}
	}
	peer.Run(t, dir, as(makedbz+" -i -o")...)
	argv := as("exec " + innd + " -d -4 127.0.0.1 -P" + strconv.Itoa(port))
	p := peer.Start(t, exec.Command(argv[0], argv[1:]...))
	p.Await(t, peer.Addr(port))
	return peer.Addr(port)
}

// post hands INN an article by IHAVE, as another server would.
func post(t *testing.T, addr, id, body string) {
	t.Helper()
	conn, err := (&dial.Dialer{}).DialContext(context.Background(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	text := bufio.NewReader(conn)
	want := func(code string) {
		t.Helper()
		line, err := text.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, code) {
			t.Fatalf("posting: %q, %v, want %s", line, err, code)
		}
	}
	want("200")
	fmt.Fprintf(conn, "IHAVE <%s>\r\n", id)
	want("335")
	fmt.Fprintf(conn, "Path: elsewhere.example!not-for-mail\r\nFrom: kim@a.example\r\nNewsgroups: test.group\r\nSubject: about %s\r\nDate: %s\r\nMessage-ID: <%s>\r\n\r\n%s\r\n.\r\n",
		id, time.Now().UTC().Format(time.RFC1123Z), id, body)
	want("235")
	fmt.Fprintf(conn, "QUIT\r\n")
}

// snews: the same server behind socat, which speaks TLS for it.
func TestSnTLS(t *testing.T) {
	addr, port := sn(t), peer.Port(t)
	pool, _, _, both := peer.Certificate(t)
	listen := fmt.Sprintf("OPENSSL-LISTEN:%d,bind=127.0.0.1,reuseaddr,fork,verify=0,cert=%s", port, both)
	peer.Start(t, exec.Command(peer.Look(t, "socat", "socat"), listen, "TCP:"+addr)).Await(t, peer.Addr(port))
	tr := nntp.New(&dial.Dialer{TLS: &tls.Config{RootCAs: pool}}, "")
	c := &fetch.Client{Transports: map[string]fetch.Transport{"snews": tr}, AllowPort: func(string, uint16) bool { return true }}
	fetchtest.Opened(t, peer.Version("sn")+" behind TLS by "+peer.Version("socat"), c)
	if _, body, err := get(t, c, "snews://"+peer.Addr(port)+"/one@a.example"); err != nil || !strings.HasSuffix(body, "\r\n\r\nHello\r\n.\r\n.dots\r\n") {
		t.Errorf("by message-id: %v %q", err, body)
	}
	if got, _, err := get(t, c, "snews://"+peer.Addr(port)+"/test.group"); err != nil || len(got.Entries) != 2 {
		t.Errorf("a group: %v %+v", err, got)
	}
	tr = nntp.New(&dial.Dialer{}, "")
	var e *fetch.Error
	if _, _, err := get(t, &fetch.Client{Transports: map[string]fetch.Transport{"snews": tr}, AllowPort: c.AllowPort}, "snews://"+peer.Addr(port)+"/one@a.example"); !errors.As(err, &e) || e.Step != fetch.TLS {
		t.Errorf("an unknown certificate: %v", err)
	}
}

// Against INN 2.7: the reader's mode is another process, with a greeting of its
// own; OVER, CAPABILITIES and the codes of RFC 3977.
func TestINN(t *testing.T) {
	addr := inn(t)
	post(t, addr, "one@a.example", "Hello\r\n..\r\n..dots")
	post(t, addr, "two$2/x%y@a.example", "Second")
	c := client(addr)
	fetchtest.Opened(t, peer.Version("inn2"), c)

	if _, body, err := get(t, c, "news:one@a.example"); err != nil || !strings.HasSuffix(body, "\r\n\r\nHello\r\n.\r\n.dots\r\n") {
		t.Errorf("by message-id: %v %q", err, body)
	}
	got, body, err := get(t, c, "nntp://"+addr+"/test.group/1")
	if err != nil || !strings.Contains(body, "Message-ID: <one@a.example>") {
		t.Errorf("by number: %v %q", err, body)
	} else if h := got.Header["Content-Location"]; len(h) != 1 || h[0] != "news:one@a.example" {
		t.Errorf("its better name: %v", got.Header)
	}
	got, _, err = get(t, c, "news:test.group")
	if err != nil || len(got.Entries) != 2 || got.Entries[0].Time.IsZero() || got.Entries[1].URL != "news:two$2%2Fx%25y@a.example" {
		t.Errorf("group: %v %+v", err, got)
	}
	if got, _, err = get(t, c, "news:test.*"); err != nil || len(got.Entries) != 2 {
		t.Errorf("a pattern: %v %+v", err, got)
	}
	if got, _, err = get(t, c, "news:test.empty"); err != nil || len(got.Entries) != 0 {
		t.Errorf("an empty group: %v %+v", err, got)
	}
	for url, status := range map[string]int{"news:none@a.example": 430, "news:no.group": 411, "nntp://" + addr + "/test.group/999": 423} {
		_, _, err := get(t, c, url)
		var e *fetch.Error
		if !errors.Is(err, fetch.ErrNotFound) || !errors.As(err, &e) || e.Status != status {
			t.Errorf("%s: %v, want %d", url, err, status)
		}
	}
}
