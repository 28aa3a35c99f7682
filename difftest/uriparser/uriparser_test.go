//go:build uriparser

package uriparser_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"anyurl/difftest/uriparser"
	"anyurl/rfc3986"
)

func corpus(t *testing.T) (all []string) {
	if data, err := os.ReadFile("../../../shared/data/urls/real-urls.txt"); err == nil {
		all = append(all, strings.Fields(string(data))...)
	}
	if data, err := os.ReadFile("../../../shared/data/attack-urls.jsonl"); err == nil {
		for line := range strings.Lines(string(data)) {
			var c struct{ Input string }
			if json.Unmarshal([]byte(line), &c) == nil {
				all = append(all, c.Input)
			}
		}
	}
	if data, err := os.ReadFile("../../../shared/data/wpt/urltestdata.json"); err == nil {
		var cases []any
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c, ok := c.(map[string]any); ok {
				all = append(all, c["input"].(string))
			}
		}
	}
	seeds := []string{
		"http://user:pass@www.example.com:8080/a/b;c=d/e%20f?q=1&r=2#frag", "http://[1:2:3:4:5:6:7:8]:80/", "http://[1::8]", "//[::1.2.3.4]/",
		"http://[1:2:3:4:5:6:255.249.199.99]", "http://[v1F.a:b]/", "http://127.0.0.1", "http://1.2.3.256/", "//@:", "mailto:a@b.example",
		"urn:a:b", "./a:b", "../../g;x?y#s", "x:/.//y", "", "#", "?", "a://?#",
	}
	const alphabet = "aZ09vg:/?#[]@!$&'()*+,;=-._~%%{}|\\^`<>\" \t\x7f\x80\xff"
	r := rand.New(rand.NewPCG(3, 9))
	for range 300_000 {
		s := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(4) {
			i := r.IntN(len(s) + 1)
			switch c := alphabet[r.IntN(len(alphabet))]; {
			case r.IntN(2) == 0 || i == len(s):
				s = append(s[:i], append([]byte{c}, s[i:]...)...)
			case r.IntN(2) == 0:
				s[i] = c
			default:
				s = append(s[:i], s[i+1:]...)
			}
		}
		all = append(all, string(s))
	}
	return append(all, seeds...)
}

// Both take the same texts and find the same parts in them.
func TestParse(t *testing.T) {
	n, took := 0, 0
	for _, s := range corpus(t) {
		n++
		ours, err := rfc3986.ParseReference(s)
		theirs, ok := uriparser.Parse(s)
		if ok != (err == nil) {
			t.Errorf("%q: we say %v, uriparser takes it: %v", s, err, ok)
			continue
		}
		if !ok {
			continue
		}
		took++
		part := func(p rfc3986.Part) string {
			start, end, ok := ours.Span(p)
			if !ok {
				return "-"
			}
			return s[start:end]
		}
		host := part(rfc3986.PartHost)
		if ours.HostKind() == rfc3986.IPv6 || ours.HostKind() == rfc3986.IPvFuture {
			host = host[1 : len(host)-1] // uriparser's host text is without brackets
		}
		if mine := (uriparser.URI{
			Scheme: part(rfc3986.PartScheme), Userinfo: part(rfc3986.PartUserinfo), Host: host, HostKind: ours.HostKind().String(),
			Port: part(rfc3986.PartPort), Path: ours.Path(), Query: part(rfc3986.PartQuery), Fragment: part(rfc3986.PartFragment),
		}); mine != theirs {
			t.Errorf("%q:\n  ours %+v\ntheirs %+v", s, mine, theirs)
		}
	}
	t.Logf("%d texts, %d of them URI references", n, took)
}

// Both resolve to the same target.
func TestResolve(t *testing.T) {
	var all []rfc3986.URI
	for _, authority := range []string{"", "//h", "//", "//u@h:1"} {
		for _, path := range []string{"", "/", "/.", "/..", "/a", "/a/", "/a//b", "/./", "/.//", "/..//x", "/a/../..//x", "/a/b:c", "/x:y", "/a/./b",
			"a", "a/", ".", "..", "./", "../", "../x", "./x:y", "a/..//b", ".//b", "a/b/../../c", "..//..//c"} {
			for _, rest := range []string{"", "?", "?q", "#", "#f", "?q/../x#f"} {
				for _, scheme := range []string{"", "s:", "t:"} {
					if u, err := rfc3986.ParseReference(scheme + authority + path + rest); err == nil {
						all = append(all, u)
					}
				}
			}
		}
	}
	n, reasons := 0, map[string]int{}
	for _, base := range all {
		if !base.IsAbsolute() {
			continue
		}
		for _, ref := range all {
			for _, strict := range []bool{true, false} {
				resolve := rfc3986.Resolve
				if !strict {
					resolve = rfc3986.ResolveNonStrict
				}
				ours, err := resolve(base, ref)
				theirs, ok := uriparser.Resolve(base.String(), ref.String(), strict)
				n++
				if err != nil || !ok || ours.String() != theirs {
					if reason := known(base, ref, ours, theirs); err == nil && ok && reason != "" {
						reasons[reason]++
						continue
					}
					t.Errorf("%s + %s, strict %v: %s, %v; uriparser %s, %v", base, ref, strict, ours, err, theirs, ok)
				}
			}
		}
	}
	t.Logf("%d pairs; known differences: %v", n, reasons)
}

// known tells why a difference is none of ours, or "".
func known(base, ref, ours rfc3986.URI, theirs string) string {
	from := base.Path()
	if ref.IsAbsolute() {
		from = ref.Path()
	}
	start, _, _ := ours.Span(rfc3986.PartPath)
	switch {
	case ours.String()[:start]+"/."+ours.String()[start:] == theirs:
		return "uriparser 0.9.7 puts \"/.\" before some paths that need none"
	case ours.HasAuthority():
		return ""
	case strings.HasPrefix(ours.Path(), "/.//"):
		return "uriparser 0.9.7 writes a path that starts with two slashes as an authority"
	case !strings.HasPrefix(from, "/"):
		return "uriparser keeps paths without a root so; section 5.2.4, step C, puts a slash in place of what it removes"
	}
	return ""
}
