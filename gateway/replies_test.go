package gateway

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	"anyurl/proto/builtin"
)

// A reply is a server that is broken or means harm.
type reply struct {
	ID       string
	Protocol string
	URL      string
	Script   transcript.Hostile
	Expect   string
}

// ownReplies are servers that mean harm to whoever reads their pages.
const ownReplies = `[
	{"id": "menu-of-scripts", "protocol": "gopher", "url": "gopher://127.0.0.1:{port}/1", "script": [{"wait_for": "\r\n"}, {"send":
		"i<script>alert(1)</script>\t\t\t0\r\n0\"><img src=x onerror=alert(1)>\t/\"><script>alert(1)</script>\ta.example\t70\r\nh<b>x\tURL:javascript:alert(1)\ta.example\t70\r\nh'onclick='\tURL:https://bank.example@evil.example/\ta.example\t70\r\n1x\t\r\n9\r\n\u0000\r\n3<svg/onload=alert(1)>\t\t\t1\r\n.\r\n"}, {"close": true}]},
	{"id": "error-of-scripts", "protocol": "gopher", "url": "gopher://127.0.0.1:{port}/1", "script": [{"wait_for": "\r\n"}, {"send": "3<script>alert(1)</script>\t\t\t1\r\n.\r\n"}, {"close": true}]},
	{"id": "page-of-scripts", "protocol": "gopher", "url": "gopher://127.0.0.1:{port}/h", "script": [{"wait_for": "\r\n"}, {"send":
		"<html><head><base href=//evil.example><meta http-equiv=refresh content='0;url=//evil.example'><script>alert(1)</script></head><body onload=alert(1)><form action=//evil.example><input type=password name=p></form><iframe src=//evil.example></iframe><a href=javascript:alert(1)>x</a><svg><script>alert(1)</script></svg>"}, {"close": true}]},
	{"id": "folder-of-scripts", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/d/", "script": [{"send": "220 <script>alert(1)</script>\r\n"}, {"on": "USER", "send": "230 in\r\n"},
		{"on": "EPSV", "listen_data": true, "send": "229 (|||{dataport}|)\r\n"}, {"on": "LIST", "send": "150 <b>\r\n"},
		{"data": "-rw-r--r-- 1 <b> <b> 9 Jan  1  2020 \"><script>alert(1)</script>\r\ndrwxr-xr-x 1 x x 9 Jan  1  2020 ' onmouseover='alert(1)\r\n-rw-r--r-- 1 x x 9 Jan  1  2020 javascript:alert(1)\r\nlrwxrwxrwx 1 x x 9 Jan  1  2020 x -> //evil.example/<i>\r\n"},
		{"close_data": true}, {"send": "226 ok\r\n"}]},
	{"id": "denial-of-scripts", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/f", "script": [{"send": "220 x\r\n"}, {"on": "USER", "send": "530 <script>alert(1)</script>\u001b[2J\r\n"}]},
	{"id": "article-of-scripts", "protocol": "nntp", "url": "nntp://127.0.0.1:{port}/g/1", "script": [{"send": "200 x\r\n"}, {"on": "GROUP", "send": "211 1 1 1 g\r\n"},
		{"on": "ARTICLE", "send": "220 1 <1@x>\r\nSubject: </h1><script>alert(1)</script>\r\nFrom: \"<img src=x onerror=alert(1)>\" <x@x>\r\nMessage-ID: <1@x>\r\nContent-Type: text/html\r\n\r\n<form action=//evil.example><input type=password><script>alert(1)</script>\r\n.\r\n"}]},
	{"id": "plan-of-scripts", "protocol": "finger", "url": "finger://127.0.0.1:{port}/joe", "script": [{"wait_for": "\r\n"}, {"send": "Plan:\u001b]0;x\u0007</pre><script>alert(1)</script> https://bank.example@evil.example/ javascript:alert(1)\r\n"}, {"close": true}]},
	{"id": "fields-of-another", "protocol": "http", "url": "http://127.0.0.1:{port}/x", "script": [{"wait_for": "\r\n\r\n"}, {"send":
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b\r\nService-Worker-Allowed: /\r\nStrict-Transport-Security: max-age=9\r\nAccess-Control-Allow-Origin: *\r\nClear-Site-Data: *\r\nContent-Length: 25\r\n\r\n<script>alert(1)</script>"}, {"close": true}]}
]`

// replies are our own and, where it is beside the project, the corpus's.
func replies(t *testing.T) (list []reply) {
	t.Helper()
	if err := json.Unmarshal([]byte(ownReplies), &list); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../../shared/data/attack-replies.jsonl")
	if err != nil {
		t.Log("the corpus of attacks is not beside the project; our own alone are tried")
		return list
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) < 30 {
		t.Fatalf("the corpus has %d of them, %v", len(list), lines.Err())
	}
	return list
}

// polite is how a server answers what a script says nothing about.
func polite(line string) string {
	switch verb, _, _ := strings.Cut(line, " "); verb {
	case "TYPE":
		return "200 ok\r\n"
	case "CWD":
		return "250 ok\r\n"
	}
	return "502 no\r\n"
}

// TestHostileReplies opens what hostile servers send as a page, through the proxy
// and as it came: it takes no longer than its limits, and does nothing in a browser.
func TestHostileReplies(t *testing.T) {
	schemes := builtin.Transports(&dial.Dialer{}, builtin.Options{})
	for _, r := range replies(t) {
		scheme, _, _ := strings.Cut(r.URL, ":")
		if schemes[scheme] == nil {
			continue
		}
		for _, way := range []string{"page", "proxy", "raw"} {
			t.Run(r.ID+"/"+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { withstand(t, r, way) })
			})
		}
	}
}

func withstand(t *testing.T, r reply, way string) {
	var network transcript.Network
	at, stop, err := r.Script.Serve(&network, nil, polite)
	if err != nil {
		t.Fatal(err)
	}
	client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{Connect: network.Dial}, builtin.Options{}), AllowPort: func(string, uint16) bool { return true }}
	g := New(Options{Client: client, Gate: func(anyurl.URL) error { return nil }, HTTP: true, Rate: 1e6, Burst: 1e6, Cache: -1,
		Limits: fetch.Limits{MaxBody: 10 << 20, MaxExpanded: 10 << 20}})
	u, err := anyurl.Parse(strings.ReplaceAll(r.URL, "{port}", fmt.Sprint(at.Port())))
	if err != nil {
		t.Fatal(err)
	}
	target := Address(u)
	switch way {
	case "raw":
		target = address("raw", u)
	case "proxy":
		target = u.String()
	}
	began := time.Now()
	w, broken := taking(g, target)
	most := pageTime + 5*time.Second
	if way != "page" {
		most = DefaultLimits().Total // a drop at a time for so long, and no longer
	}
	if took := time.Since(began); took > most {
		t.Errorf("it took %v", took)
	}
	typ := w.Header().Get("Content-Type")
	ours := typ == "text/html; charset=utf-8" && strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	if way == "page" && !ours {
		t.Errorf("a page of type %q", typ)
	}
	if ours {
		innocent(t, way+" "+r.ID, w)
	}
	if way == "raw" && !ours {
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "sandbox;") || harmless(typ) != typ {
			t.Errorf("raw, with %q and %q", typ, csp)
		}
	}
	for name, values := range w.Header() {
		if strings.ContainsAny(name+strings.Join(values, ""), "\r\n\x00") {
			t.Errorf("a field of two lines: %q %q", name, values)
		}
		switch name {
		case "Set-Cookie", "Service-Worker-Allowed", "Strict-Transport-Security", "Access-Control-Allow-Origin", "Clear-Site-Data":
			t.Errorf("the server sets %s", name)
		}
	}
	said := way != "page" || !isSession(u.Scheme()) && !strings.Contains(w.Body.String(), "A file to keep") // which read nothing of it
	if r.Expect == "error" && said && w.Code < 400 && !broken && !strings.Contains(w.Body.String(), "broke off") && !strings.Contains(w.Body.String(), "beginning alone") {
		t.Errorf("%d, and no word of what is wrong\n%.2000s", w.Code, w.Body)
	}
	client.Close()
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// taking asks, and tells an answer that was cut.
func taking(g *Gateway, target string) (w *httptest.ResponseRecorder, broken bool) {
	r := httptest.NewRequest("GET", "/", nil)
	r.RequestURI, r.Host, r.RemoteAddr = target, "localhost:7070", "127.0.0.1:50000"
	r.Header.Set("Accept", "text/html, */*")
	w = httptest.NewRecorder()
	defer func() {
		if e := recover(); e == http.ErrAbortHandler {
			broken = true
		} else if e != nil {
			panic(e)
		}
	}()
	g.ServeHTTP(w, r)
	return w, false
}
