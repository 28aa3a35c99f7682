package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
)

// An input is a URL, maybe relative to a base; "" is no base.
type input struct {
	URL  string // what is read, maybe relative
	Base string // what it is relative to
}

// A generator makes inputs: out of parts by the grammar, or by mutating others.
type generator struct {
	rand  *rand.Rand
	seeds []string
}

var (
	schemes = []string{"http", "https", "ftp", "file", "ws", "wss", "HTTP", "hTTps", "gopher", "x", "a+b-c.d", "mailto", "data", "javascript", "blob", "1http", "", "h ttp", "fi\tle", "non-special"}
	slashes = []string{":", ":/", "://", ":///", "://", "://", ":////", `:\\`, `:/\`, "", "//", ":\t//", "/"}
	users   = []string{"", "", "", "", "u@", "u:p@", ":p@", ":@", "@", "u@v@", "u:p:q@", "ü:é@", "u%40:p%3A@", "a b@", `<>"^|@`, "'@", "u[]@"}
	hosts   = []string{
		"h", "ex.example", "EX.Example", "a.b.c.", "", ".", "..", "a..b", "localhost", "LOCALHOST", "-a-", "a_b", "xn--a", "xn--bcher-kva.example",
		"bücher.example", "faß.de", "ＦＵＬＬ.example", "a。b", "a\u00adb", "%65x.example", "%C3%BC.example", "%00", "a%2Fb", "☃.net", "xn--ls8h.la",
		"1.2.3.4", "1.2.3", "0x7f.1", "0x", "0x.0x", "1.2.3.4.5", "256.1.1.1", "4294967295", "4294967296", "0300.0250.0.1", "1..2", "1.2.3.4.", "09.1", "0xg", "1.0x", "99999999999999999999999",
		"[::1]", "[::]", "[1:2:3:4:5:6:7:8]", "[1::8]", "[::127.0.0.1]", "[::1.2.3]", "[::256.0.0.1]", "[1:2]", "[::1", "::1]", "[::1]x", "[:1]", "[1:2:3:4:5:6:7:8:9]", "[fe80::1%25eth0]", "[0001::0a0B]", "[]", "[::1::]", "[1:0:0:2:0:0:0:3]",
		"a b", "a<b", "a|b", "a^b", "a`b", "a{b}", "a%", "a%zz", "a\tb", "a\nb", "a\x7fb", "a\u0338", "a<\u0338", "עברית.example", "1.עברית", "a\u200db", "क्\u200dष", "C:", "C|", "c", "ab:80",
	}
	// Those at our limits and beyond them take time, and so come rarely.
	longHosts = []string{
		"xn--" + strings.Repeat("a", 2000), "XN--" + strings.Repeat("a", 2001), "%78n--" + strings.Repeat("a", 2001),
		strings.Repeat("ü", 1000), strings.Repeat("É", 1001), "b." + strings.Repeat("%C3%BC", 1001), strings.Repeat("a", 1000) + "ü", strings.Repeat("a.", 1001),
	}
	ports = []string{"", "", "", ":", ":80", ":443", ":21", ":0", ":00080", ":65535", ":65536", ":8x", ":-1", ": 80", ":9999999999999", ":8\t0", ":٨"}
	segs  = []string{"", "a", "b c", ".", "..", "%2e", "%2E%2e", ".%2e", "%2e.", "...", "C:", "C|", "c|", "é", "%", "%zz", "%41", "a;b=c,d", "~", "^", "`", "{", "}", "|", "<", ">", `"`, "'", "[", "]", "@", ":", "\x00", "\x1f", "\x7f", "\u0085", "\ufffe", "\U0001F4A9", "a\tb", "\n"}
	tails = []string{"", "", "?", "?q", "?a=b&c='d'", "?é<>\"", "?a?b#", "#", "#f", "#`<>\" é", "#a#b", "?\x00", "?%zz", " ", "  ", "?q #", " #", "\x00", "?^`{|}~"}
	bases = []string{"", "", "", "http://ex.example/a/b?c#d", "https://u:p@ex.example:8080/a/", "file:///C:/a/b", "file://host/a/b", "file:///a", "file:///", "ftp://h", "x://h/a/b?c", "x:/a/b", "x:/.//a", "x:opaque?q#f", "mailto:a@b", "about:blank", "data:text/plain,x ", "x:", "x://", "ws://h/", "http://1.2.3.4", "http://[::1]/a"}
	bits  = []string{"/", "\\", ".", "%", ":", "@", "?", "#", "[", "]", "|", " ", "\t", "\n", "\r", "0", "x", "%2e", "%2F", "%00", "..", "//", "/.", "/..", "é", "\u00ad", "\u200d", "\U0001F4A9", "xn--", "\x00", "\x7f", "&", "=", "+", "'", "\"", "<", "`", "{", "^", "~", "C:", "C|", "file:", "http:", ":80", "1", "A", "\ufeff", "\u3002"}
)

func (g *generator) one(list []string) string { return list[g.rand.IntN(len(list))] }

func (g *generator) next() input {
	var in input
	switch g.rand.IntN(4) {
	case 0, 1:
		in.URL = g.build()
	default:
		in.URL = g.mutate(g.one(g.seeds))
	}
	if g.rand.IntN(8) == 0 {
		in.URL = g.mutate(in.URL)
	}
	in.Base = g.one(bases)
	if g.rand.IntN(16) == 0 && in.Base != "" {
		in.Base = g.mutate(in.Base)
	}
	if g.rand.IntN(64) == 0 && len(in.URL) < 200 {
		g.seeds[g.rand.IntN(len(g.seeds))] = in.URL // grow together
	}
	return in
}

// build makes a URL out of parts; any of them may be left out.
func (g *generator) build() string {
	var b strings.Builder
	if g.rand.IntN(8) > 0 {
		b.WriteString(g.one(schemes))
		b.WriteString(g.one(slashes))
	}
	if g.rand.IntN(8) > 0 {
		b.WriteString(g.one(users))
		if g.rand.IntN(512) == 0 {
			b.WriteString(g.one(longHosts))
		} else {
			b.WriteString(g.one(hosts))
		}
		b.WriteString(g.one(ports))
	}
	for range g.rand.IntN(5) {
		b.WriteString(g.one([]string{"/", "/", "/", "/", "\\", "//"}))
		b.WriteString(g.one(segs))
	}
	b.WriteString(g.one(tails))
	return b.String()
}

// mutate changes a few places of s, between code points.
func (g *generator) mutate(s string) string {
	for range 1 + g.rand.IntN(3) {
		runes := []rune(s)
		at := g.rand.IntN(len(runes) + 1)
		switch g.rand.IntN(5) {
		case 0: // insert
			s = string(runes[:at]) + g.one(bits) + string(runes[at:])
		case 1: // delete
			end := min(len(runes), at+1+g.rand.IntN(3))
			s = string(runes[:at]) + string(runes[end:])
		case 2: // replace
			end := min(len(runes), at+1)
			s = string(runes[:at]) + g.one(bits) + string(runes[end:])
		case 3: // splice
			other := []rune(g.one(g.seeds))
			s = string(runes[:at]) + string(other[g.rand.IntN(len(other)+1):])
		case 4: // any code point
			r := rune(g.rand.IntN(0x3000))
			if g.rand.IntN(4) > 0 {
				r = rune(g.rand.IntN(0x80))
			}
			s = string(runes[:at]) + string(r) + string(runes[at:])
		}
		if len(s) > 300 {
			s = s[:0]
		}
	}
	return s
}

// vectors gives seeds: the web platform's, where they are at hand, and some of
// our own.
func vectors() []string {
	seeds := []string{"http://ex.example/a/b?c#d", "file:///C:/a", "mailto:a@b.example", "http://u:p@[::1]:8080/", "x:/.//a"}
	data, err := os.ReadFile("../../shared/data/wpt/urltestdata.json")
	if err != nil {
		return seeds
	}
	var cases []json.RawMessage
	if json.Unmarshal(data, &cases) != nil {
		return seeds
	}
	for _, raw := range cases {
		var c struct {
			Input string // the URL
		}
		if json.Unmarshal(raw, &c) == nil {
			seeds = append(seeds, c.Input)
		}
	}
	return seeds
}
