package check

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"anyurl"
	"anyurl/fetch"
)

// A stub is a page that does nothing but lead on to another: what generators of
// static sites leave behind where a page was, as they have no say in how the
// server redirects.
type stub struct {
	text  string // where it leads, as it stands there
	to    anyurl.URL
	moved bool // for good: the page says that the other is what it is
}

const (
	// longestStub is how long such a page is at most, in bytes.
	longestStub = 16 << 10
	// mostStubs is how many lead on to each other at most.
	mostStubs = 5
)

// stubOf tells whether a page is a stub: it has the browser go on within a second, by
// a refresh (HTML Standard, "shared declarative refresh steps", or a field of the
// header with the same words) or by a script of one statement, and has hardly any text.
func stubOf(page anyurl.URL, header map[string][]string, text []byte) (s stub, ok bool) {
	base := page
	target, canonical, script := "", "", ""
	for name, values := range header {
		if strings.EqualFold(name, "Refresh") && len(values) > 0 {
			target, _ = refreshTo(values[0])
		}
	}
	refresh := target != ""
	if len(text) > longestStub || !refresh && !leads().Match(text) {
		return s, false // as most pages, in fewer steps
	}
	z := html.NewTokenizer(bytes.NewReader(text))
	for hidden := 0; ; {
		switch z.Next() {
		case html.ErrorToken:
			if target == "" && script != "" {
				target = scriptTo(script)
			}
			u, err := anyurl.ParseRef(target, base)
			if target == "" || err != nil || u.WithoutFragment() == page.WithoutFragment() || !isWeb(u) && u.Scheme() != "file" || len(visible(text)) >= leastText {
				return stub{}, false
			}
			c, err := anyurl.ParseRef(canonical, base)
			s.text, s.to, s.moved = target, u, refresh && canonical != "" && err == nil && c.WithoutFragment() == u.WithoutFragment()
			return s, true
		case html.EndTagToken:
			if tag, _ := z.TagName(); isHidden(tag) && hidden > 0 {
				hidden--
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			name := string(tag)
			if isHidden(tag) {
				hidden++
			}
			attr := map[string]string{}
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				if _, twice := attr[string(key)]; !twice {
					attr[string(key)] = string(value)
				}
			}
			switch {
			case hidden > 0:
			case name == "base" && attr["href"] != "" && base == page:
				if u, err := anyurl.ParseRef(attr["href"], page); err == nil {
					base = u
				}
			case name == "meta" && strings.EqualFold(strings.TrimSpace(attr["http-equiv"]), "refresh") && !refresh:
				target, refresh = refreshTo(attr["content"])
			case name == "link" && strings.EqualFold(strings.TrimSpace(attr["rel"]), "canonical"):
				canonical = attr["href"]
			case name == "script" && z.Next() == html.TextToken:
				script += string(z.Raw())
			}
		}
	}
}

// isHidden reports whether what stands in an element is for nobody who runs scripts.
func isHidden(tag []byte) bool { return string(tag) == "noscript" || string(tag) == "template" }

// refreshTo is where a refresh leads at once, or after a second.
func refreshTo(content string) (to string, ok bool) {
	delay, rest, ok := strings.Cut(strings.ReplaceAll(content, ",", ";"), ";")
	if seconds, err := strconv.ParseFloat(strings.TrimSpace(delay), 64); !ok || err != nil || seconds > 1 {
		return "", false
	}
	rest = strings.TrimSpace(content[len(content)-len(rest):])
	if key, value, has := strings.Cut(rest, "="); has && strings.EqualFold(strings.TrimSpace(key), "url") {
		rest = strings.TrimSpace(value)
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	return rest, rest != ""
}

// scriptTo is where a script of one statement leads; it may take the fragment along.
func scriptTo(script string) string {
	m := leading().FindStringSubmatch(script)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

var (
	leads   = pattern(`(?i)http-equiv|location`)
	leading = pattern(`^\s*(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*(?:=|\.(?:replace|assign)\()\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*(?:\+\s*(?:window\.|document\.)?location\.hash\s*)?\)?\s*;?\s*$`)
)

// goOn asks for the page that a stub leads to. result becomes what is there, with the
// stub as a step on the way; where that is a failure, v is its verdict.
func (r *run) goOn(ctx context.Context, t *target, client Fetcher, result *fetch.Result, s stub) (next *fetch.Result, v verdict, failed bool) {
	if !sameSite(s.to, result.URL) && r.checker.Guarded != nil {
		client = inTurn(ctx, r.checker.Guarded) // whoever wrote the page says where to
	}
	way := result.Hops
	if len(way) == 0 {
		way = []fetch.Hop{{URL: result.URL.Redacted(), Status: result.Status}}
	}
	way = append([]fetch.Hop(nil), way...)
	last := &way[len(way)-1]
	last.Location, last.Permanent = s.to.Redacted(), s.moved && !isFront(t.url)
	next, err := client.Do(ctx, &fetch.Request{URL: s.to, Method: "GET", Header: r.checker.Header})
	switch {
	case errors.Is(err, fetch.ErrRefused), errors.Is(err, fetch.ErrUnsupported):
		return nil, v, false // the page is there, and nobody goes on from it
	case err != nil:
		t.evidence = append(t.evidence, "GET: "+err.Error())
		v = judgeError(s.to, err)
		v.Hops, v.Final = append(way, v.Hops...), s.to.Redacted()
	default:
		if len(next.Hops) == 0 {
			next.Hops = []fetch.Hop{{URL: next.URL.Redacted(), Status: next.Status}}
		}
		next.Hops = append(way, next.Hops...)
		v = r.checker.judge(t.url, next)
		t.evidence = append(t.evidence, "GET: "+v.said())
		if v.State == Alive || v.State == Moved || v.front {
			return next, v, false
		}
		finish("GET", next.Body)
	}
	v.doubtful = false // GET it was
	if v.Reason != "" {
		v.Reason = "the page only leads on to " + s.to.Redacted() + ": " + v.Reason
	}
	return nil, v, true
}

// onFrom is the verdict on a file that is a stub: that on the one to which it leads, as
// far as files tell.
func (rules Files) onFrom(t *target, path string, info fs.FileInfo, pages bool, v *verdict) {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".html" && ext != ".htm" || !info.Mode().IsRegular() || info.Size() > longestStub {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	s, ok := stubOf(t.url, nil, text)
	if !ok {
		return
	}
	if t.anchors != nil {
		t.anchors.built = true // what is not there may be where it leads
	}
	if s.to.Scheme() != "file" || strings.HasPrefix(s.text, "/") {
		return // what begins with a slash is meant for a server
	}
	further := target{asking: &asking{url: s.to.WithoutFragment()}}
	switch on, _, _ := rules.file(&further, pages, false); {
	case on.State == Broken:
		v.State, v.Reason = Broken, "the page only leads on to "+s.text+": "+on.Reason
	case further.anchors != nil:
		t.anchors = further.anchors
		t.anchors.built = true
	}
}
