package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"anyurl"
	"anyurl/audit"
	"anyurl/fetch"
	"anyurl/percent"
)

// payloads are what a hostile server might call a thing.
var payloads = []string{
	`"><script>alert(1)</script>`,
	`'><img src=x onerror=alert(1)>`,
	`</pre><svg/onload=alert(1)>`,
	`</title><script>alert(1)</script>`,
	`</style><script>alert(1)</script>`,
	`<iframe srcdoc="<script>alert(1)</script>">`,
	`<base href="https://evil.example/">`,
	`<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
	`<form action="https://evil.example/"><input name="password">`,
	`<a href="javascript:alert(1)">x</a>`,
	`javascript:alert(1)`,
	"java\tscript:alert(1)",
	` JaVaScRiPt:alert(1)`,
	"\x01javascript:alert(1)",
	`vbscript:msgbox(1)`,
	`data:text/html,<script>alert(1)</script>`,
	`data:image/svg+xml,<svg onload=alert(1)>`,
	`file:///etc/passwd`,
	`https://bank.example@evil.example/`,
	`https://evil.example\@bank.example/`,
	`//evil.example/x`,
	`\\evil.example\x`,
	`{{.}} {{template "frame"}} ${alert(1)}`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`%3Cscript%3Ealert(1)%3C/script%3E`,
	`" onmouseover="alert(1)`,
	"` onerror=`alert(1)",
	`<!-- --><![CDATA[<script>alert(1)</script>]]>`,
	"\x1b]0;owned\x07\x1b[2J\x1b[31mred",
	"paypal\u202egnp.exe",
	"a\u2066b\u2069c\u200ed",
	"nul\x00byte",
	"\xff\xfe broken \xc3",
	"<scr\x00ipt>alert(1)</scr\x00ipt>",
	"line\r\nSet-Cookie: a=b",
	"../../../../etc/passwd",
	strings.Repeat("<b>", 500),
	"\U000e0041\U000e0042 tags",
}

// corpus is the payloads and, where it is beside the project, the inputs of the
// corpus of attacks.
func corpus(t *testing.T) []string {
	list := slices.Clone(payloads)
	f, err := os.Open("../../shared/data/attack-urls.jsonl")
	if err != nil {
		t.Log("the corpus of attacks is not beside the project; our own alone are tried")
		return list
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var row struct{ Input string }
		if json.Unmarshal(lines.Bytes(), &row) == nil && row.Input != "" {
			list = append(list, row.Input)
		}
	}
	return list
}

// elements are all that our pages are made of.
var elements = strings.Fields(`html head meta title link script body a header b form label input button div main nav ol ul li span p code bdi section
	small footer details summary h1 h2 h3 dl dt dd pre table caption thead tbody tr th td time article blockquote q figure img figcaption audio video
	meter textarea style isindex noscript`)

// attributes are all that ours have.
var attributes = strings.Fields(`lang charset name content rel type href src defer class id action method role for inputmode autocomplete autocapitalize
	spellcheck placeholder value aria-describedby aria-live aria-label aria-current aria-sort hidden title scope required rows colspan alt controls
	preload min max data-scheme data-path tabindex prompt`)

// innocent fails the test if a page can do anything that ours do not.
func innocent(t *testing.T, what string, w *httptest.ResponseRecorder) {
	t.Helper()
	body := w.Body.String()
	if !utf8.ValidString(body) {
		t.Errorf("%s: the page is not UTF-8", what)
	}
	if i := strings.IndexFunc(body, acts); i >= 0 {
		t.Errorf("%s: the page holds %q", what, body[i:min(i+8, len(body))])
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("%s: the policy is %q", what, csp)
	}
	for name, values := range w.Header() {
		if strings.ContainsAny(name+strings.Join(values, ""), "\r\n\x00") {
			t.Errorf("%s: a field of two lines: %q %q", what, name, values)
		}
	}
	danger := false
	z := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		tag := z.Token()
		if !slices.Contains(elements, tag.Data) {
			t.Errorf("%s: an element <%s>", what, tag.Data)
		}
		attr := map[string]string{}
		for _, a := range tag.Attr {
			attr[a.Key] = a.Val
			if !slices.Contains(attributes, a.Key) {
				t.Errorf("%s: an attribute %s in <%s>", what, a.Key, tag.Data)
			}
		}
		danger = tag.Data == "a" && (attr["class"] == "danger" || attr["class"] == "button")
		checkTag(t, what, tag.Data, attr, danger)
	}
}

// checkTag looks at where a tag leads.
func checkTag(t *testing.T, what, tag string, attr map[string]string, asked bool) {
	t.Helper()
	switch tag {
	case "script":
		if !strings.HasPrefix(attr["src"], "/static/app.js?v=") {
			t.Errorf("%s: a script from %q", what, attr["src"])
		}
	case "form":
		if !slices.Contains([]string{"/open", "/search", "/message", ""}, attr["action"]) {
			t.Errorf("%s: a form to %q", what, attr["action"])
		}
	case "meta":
		if attr["http-equiv"] != "" {
			t.Errorf("%s: a meta %v", what, attr)
		}
	case "img", "audio", "video":
		if !strings.HasPrefix(attr["src"], "/~") {
			t.Errorf("%s: a picture from %q", what, attr["src"])
		}
	}
	href, ok := attr["href"]
	if !ok || strings.HasPrefix(href, "#") || strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "//") && !strings.HasPrefix(href, `/\`) {
		return
	}
	u, err := anyurl.Parse(href)
	if err != nil {
		t.Errorf("%s: a link to %q: %v", what, href, err)
		return
	}
	for _, f := range audit.InspectURL(u) {
		if f.Code == "scheme-dangerous" {
			t.Errorf("%s: a live link to %q", what, href)
		}
		if f.Severity >= audit.Warning && !asked && isWeb(u.Scheme()) && !strings.HasPrefix(what, "proxy") {
			t.Errorf("%s: a link past the audit, to %q: %s", what, href, f.Code)
		}
	}
	if u.Password() != "" {
		t.Errorf("%s: a password in a link, %q", what, href)
	}
}

// hostile gives, for any URL, something that a hostile server of its scheme may
// send, with the payload wherever it fits.
func hostile(payload string) fetch.TransportFunc {
	return func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		p := payload
		e := fetch.Entry{Name: p, Type: "0", URL: p, Size: 7, Raw: p}
		resp := &fetch.Response{URL: req.URL, Protocol: p, Type: "text/plain", Size: -1, Listing: true, Header: map[string][]string{
			"Diagnostic": {p}, "Hits": {p}, "Suggested-User": {p}, "Content-Type": {p}}}
		body := p
		with := func(entries ...fetch.Entry) { resp.Entries = append(resp.Entries, entries...) }
		enc := percent.Encode(p, &percent.Component)
		switch name := req.URL.Scheme(); name {
		case "gopher":
			with(e, fetch.Entry{Name: p, Type: "i", Raw: p}, fetch.Entry{Name: p, Type: "h", URL: p}, fetch.Entry{Name: p, Type: p, URL: "gopher://a.example/1" + enc})
		case "ftp":
			with(fetch.Entry{Name: p, Type: "dir", URL: "ftp://a.example/" + enc + "/"}, fetch.Entry{Name: p, Type: p, URL: p})
		case "nntp":
			raw := strings.Join([]string{"1", p, p, p, "<1@a.example>", p}, "\t")
			with(fetch.Entry{Name: p, Type: "article", URL: p, Raw: raw}, fetch.Entry{Name: "Re: " + p, Type: "article", URL: "news:2@a.example", Raw: raw})
		case "snews":
			with(fetch.Entry{Name: p, Type: "group", URL: p})
		case "wais":
			with(fetch.Entry{Name: p, Type: p, URL: p, Raw: p + "\t1"})
		case "dict":
			with(fetch.Entry{Name: p, Type: "word", URL: p})
		case "news":
			resp.Listing, resp.Type = false, "message/rfc822"
			line := strings.NewReplacer("\r", " ", "\n", " ", "\x00", "").Replace(p)
			body = "From: " + line + "\r\nSubject: " + line + "\r\nNewsgroups: " + line + "\r\nReferences: " + line +
				"\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n" + p + "\r\n> " + p + "\r\n> b\r\n> c\r\n> d\r\n-- \r\n" + p +
				"\r\n--x\r\nContent-Type: text/html; name=\"" + line + "\"\r\n\r\n<p>" + p + "<a href='" + p + "'>" + p + "</a>\r\n--x\r\nContent-Type: image/png; name=\"" + line + "\"\r\n\r\n" + p + "\r\n--x--\r\n"
		case "gemini":
			resp.Listing, resp.Type = false, "text/gemini"
			body = "# " + p + "\n=> " + p + "\n=> " + enc + " " + p + "\n=> /x " + p + "\n* " + p + "\n> " + p + "\n```" + p + "\n" + p + "\n```\n" + p
		case "spartan":
			resp.Listing, resp.Type = false, "text/html"
			body = "<title>" + p + "</title><h1>" + p + "</h1><a href=\"" + p + "\">" + p + "</a><img src=\"" + p + "\" alt='" + p + "'><p>" + p + "<ul><li>" + p
		case "z39.50r":
			resp.Listing = false
			body = "00714cam a2200205 a 4500\n001 " + p + "\n245 10 $a " + p + " $" + p + "\n856 40 $u " + p + "\n"
		case "z39.50s":
			with(fetch.Entry{Name: p, Type: p, URL: p, Raw: p}, fetch.Entry{Name: p, Type: "marc", URL: "z39.50r://a.example/db?" + enc})
		case "prospero", "sftp", "file":
			with(fetch.Entry{Name: p, Type: "file", URL: p, Raw: p}, fetch.Entry{Name: p, Type: "dir", URL: name + "://a.example/" + enc})
		case "mid":
			resp.Listing, resp.Type = false, "message/rfc822"
			line := strings.NewReplacer("\r", " ", "\n", " ", "\x00", "").Replace(p)
			body = line + ": " + line + "\r\nSubject: =?utf-8?q?" + percent.Encode(line, &percent.Component) + "?=\r\nContent-Type: multipart/" + line + "; boundary=\"x\"\r\n\r\n" +
				"--x\r\nContent-ID: <" + line + ">\r\nContent-Disposition: attachment; filename=\"" + line + "\"\r\nContent-Type: " + line + "\r\n\r\n" + p + "\r\n--x\r\nContent-Type: message/rfc822\r\n\r\nSubject: " + line + "\r\n\r\n" + p + "\r\n--x--\r\n"
		case "finger":
			resp.Listing = false
			body = "Login: joe\n" + p + "\nsee " + p + " \n"
		case "telnet":
			return nil, &fetch.Error{Step: fetch.Status, URL: req.URL, Said: p, Hint: p, Err: errors.New(p)}
		}
		resp.Body = io.NopCloser(strings.NewReader(body))
		return resp, nil
	}
}

// places are a URL of each kind of page.
var places = []string{"gopher://a.example/1", "ftp://a.example/pub/", "nntp://a.example/g", "snews://a.example/*", "news:1@a.example", "wais://a.example/db?x",
	"dict://a.example/m:x", "gemini://a.example/", "spartan://a.example/", "z39.50r://a.example/db?1", "finger://a.example/joe",
	"z39.50s://a.example/db?x", "prospero://a.example/x", "sftp://a.example/", "file:///x/", "mid:1@a.example"}

func TestHostileServers(t *testing.T) {
	var payload string
	g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return hostile(payload)(ctx, req)
	}, func(o *Options) {
		o.Rate, o.Burst, o.Cache = 1_000_000, 1_000_000, -1
		for _, name := range []string{"snews", "prospero", "sftp", "file", "mid"} {
			o.Client.Transports[name] = o.Client.Transports["nntp"]
		}
		o.Schemes = slices.Sorted(maps.Keys(o.Client.Transports))
		o.Gate = func(u anyurl.URL) error {
			if u.Scheme() == "file" {
				return nil
			}
			return audit.Guard(u)
		}
	})
	for i, p := range corpus(t) {
		if payload = p; len(payload) > 10_000 {
			continue
		}
		for _, place := range append(places, "telnet://a.example/") {
			path := Address(anyurl.MustParse(place))
			if strings.HasPrefix(place, "telnet") {
				path = "/~first" + path
			}
			w := ask(g, path)
			innocent(t, fmt.Sprintf("payload %d %q at %s", i, payload, place), w)
			if w.Code == 500 {
				t.Errorf("payload %d at %s: the page could not be written", i, place)
			}
			if strings.HasPrefix(place, "file") {
				continue // whoever opens these through a proxy has links to them
			}
			w = ask(g, place, "Accept", "text/html")
			innocent(t, fmt.Sprintf("proxy, payload %d %q at %s", i, payload, place), w)
		}
		if t.Failed() {
			return
		}
	}
}

func TestHostileAddresses(t *testing.T) {
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Protocol: "x", Type: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("x"))}, nil
	}, func(o *Options) { o.Burst, o.Rate = 1_000_000, 1_000_000 })
	for i, input := range corpus(t) {
		enc := percent.Encode(input, &percent.Component)
		for _, target := range []string{"/open?url=" + enc, "/" + input, "/" + enc, "/gopher/" + enc, "/~raw/" + enc, "/~" + enc + "/gopher/a.example", "/search?url=" + enc + "&q=" + enc, "/nosuch/" + enc, "/mailto/" + enc, "/mailto/?subject=" + enc + "&body=" + enc + "&x=" + enc} {
			w := ask(g, target)
			if w.Header().Get("Content-Type") == "text/html; charset=utf-8" {
				innocent(t, fmt.Sprintf("input %d, %q", i, target), w)
			}
			if to := w.Header().Get("Location"); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
				t.Errorf("%q redirects to %q", target, to)
			}
		}
		w := ask(g, "/explain?url="+enc)
		var x explanation
		if w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &struct{ OK bool }{x.OK}) != nil && !json.Valid(w.Body.Bytes()) {
			t.Errorf("input %d is explained as %d %s", i, w.Code, w.Body)
		}
		w = ask(g, "/message?to="+enc+"&subject="+enc+"&body="+enc)
		head, _, _ := strings.Cut(w.Body.String(), "\r\n\r\n")
		if strings.Count(head, "\r\n") > 6 || strings.Contains(head, "\r\nSet-Cookie") {
			t.Errorf("input %d makes a message with a head of %q", i, head)
		}
		if t.Failed() {
			return
		}
	}
}

// TestBlocked holds the corpus's verdicts: what is to be blocked or rejected is
// never opened, neither as a page nor through the proxy.
func TestBlocked(t *testing.T) {
	f, err := os.Open("../../shared/data/attack-urls.jsonl")
	if err != nil {
		t.Skip("the corpus of attacks is not beside the project")
	}
	defer f.Close()
	opened := ""
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		opened = req.URL.String()
		return &fetch.Response{URL: req.URL, Protocol: "x", Type: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("x"))}, nil
	}, func(o *Options) { o.Burst, o.Rate, o.HTTP = 1_000_000, 1_000_000, true })
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	n := 0
	for lines.Scan() {
		var row struct{ ID, Kind, Input, Verdict string }
		if json.Unmarshal(lines.Bytes(), &row) != nil || row.Kind != "url" || row.Verdict != "block" && row.Verdict != "reject" {
			continue
		}
		n++
		for _, target := range []string{"/open?url=" + percent.Encode(row.Input, &percent.Component), row.Input} {
			opened = ""
			w := ask(g, target)
			if to := w.Header().Get("Location"); to != "" {
				w = ask(g, to)
			}
			if opened != "" {
				t.Errorf("%s: %q opens %s", row.ID, target, opened)
			}
			if w.Code < 400 {
				t.Errorf("%s: %q is answered with %d", row.ID, target, w.Code)
			}
		}
	}
	if n < 50 {
		t.Errorf("the corpus has %d of them", n)
	}
}
