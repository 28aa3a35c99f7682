package cli

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"sort"
	"strings"

	"anyurl/find/format"
)

// An ignoring is the stretches of a file whose links comments in it exempt.
type ignoring struct {
	spans []ignoredSpan // in order, apart from each other
	open  int           // the line of a comment that exempts all the rest, as none ends it; 0: there is none
}

// An ignoredSpan is a stretch of a file, in bytes.
type ignoredSpan struct{ from, to int }

// has reports whether a link that begins at an offset is exempt.
func (g ignoring) has(at int) bool {
	i := sort.Search(len(g.spans), func(i int) bool { return g.spans[i].to > at })
	return i < len(g.spans) && g.spans[i].from <= at
}

// joined puts spans in order, and makes one of those that touch.
func joined(spans []ignoredSpan) (all []ignoredSpan) {
	slices.SortFunc(spans, func(a, b ignoredSpan) int { return cmp.Compare(a.from, b.from) })
	for _, s := range spans {
		if k := len(all) - 1; k >= 0 && s.from <= all[k].to {
			all[k].to = max(all[k].to, s.to)
			continue
		}
		all = append(all, s)
	}
	return all
}

// mostIgnore bounds how much of a file is looked through for such comments, in
// bytes.
const mostIgnore = 64 << 20

// ignoredIn looks through a regular file for comments that exempt links; as names
// its format, or is "".
func ignoredIn(source, as string) ignoring {
	if info, err := os.Stat(source); err != nil || !info.Mode().IsRegular() {
		return ignoring{}
	}
	f, err := os.Open(source)
	if err != nil {
		return ignoring{}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostIgnore))
	if err != nil {
		return ignoring{}
	}
	return ignoredBy(source, as, data)
}

// A remark is what a comment says about links.
type remark struct {
	word     string // without the program's name
	from, to int    // where the comment stands
}

// ignoredBy reads the comments: <!-- anyurl-ignore --> for the line it stands on,
// or for the next one that is not empty where nothing else stands on that;
// -next-line, and -start to -end. lychee's and markdown-link-check's words for
// these count, too.
func ignoredBy(name, as string, data []byte) (g ignoring) {
	if !mayIgnore(data) {
		return g
	}
	var l ignoredSpan // the lines of the comment
	start := -1       // of a region that is open
	for _, r := range remarks(name, orElse(as, format.Of(name, data)), data) {
		l = l.around(data, r.from, r.to)
		switch r.word {
		case "ignore", "disable-line":
			g.spans = append(g.spans, l)
			alone := len(bytes.TrimSpace(data[l.from:r.from])) == 0 && len(bytes.TrimSpace(data[r.to:l.to])) == 0
			if alone && r.word == "ignore" {
				g.spans = append(g.spans, lineBelow(data, l.to))
			}
		case "ignore-next-line", "disable-next-line":
			g.spans = append(g.spans, lineBelow(data, l.to))
		case "ignore-start", "disable":
			if start < 0 {
				start = r.from
			}
		case "ignore-end", "enable":
			if start >= 0 {
				g.spans = append(g.spans, ignoredSpan{start, r.to})
			}
			start = -1
		}
	}
	if start >= 0 {
		g.spans = append(g.spans, ignoredSpan{start, len(data)})
		g.open = 1 + bytes.Count(data[:start], []byte("\n"))
	}
	g.spans = joined(g.spans)
	return g
}

func mayIgnore(data []byte) bool {
	return bytes.Contains(data, []byte("-ignore")) || bytes.Contains(data, []byte("markdown-link-check-"))
}

// around gives the lines that a stretch stands on. It is fast where these are the
// lines that s is already.
func (s ignoredSpan) around(data []byte, from, to int) ignoredSpan {
	if s.from <= from && to < s.to {
		return s
	}
	s.from, s.to = bytes.LastIndexByte(data[:from], '\n')+1, len(data)
	if n := bytes.IndexByte(data[to:], '\n'); n >= 0 {
		s.to = to + n + 1
	}
	return s
}

// lineBelow gives the next line from an offset on that is not empty.
func lineBelow(data []byte, at int) ignoredSpan {
	at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
	return ignoredSpan{}.around(data, at, at)
}

// remarks gives what the comments of a document say about links, in order. Where
// find/format knows what a comment is, what is only shown in code is none.
func remarks(name, as string, data []byte) (all []remark) {
	switch as {
	case "html", "xml", "markdown", "rst", "asciidoc":
	default:
		return remarksInLines(data)
	}
	f := format.Finder{Format: as, Comment: func(c format.Comment) {
		if word := markWord(c.Text); word != "" {
			all = append(all, remark{word, c.Start, c.End})
		}
	}}
	for range f.Bytes(name, data) {
	}
	sort.Slice(all, func(i, k int) bool { return all[i].from < all[k].from })
	return all
}

// programs are those whose words about links count.
var programs = [...]string{"anyurl-", "lychee-", "markdown-link-check-"}

// markWord gives the word about links that a comment's text begins with, or "".
func markWord(text string) string {
	for _, program := range programs {
		after, ok := strings.CutPrefix(text, program)
		if !ok {
			continue
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
		if end < 0 {
			end = len(after)
		}
		return strings.TrimRight(after[:end], "-")
	}
	return ""
}

// remarksInLines takes what stands behind the marks that most languages begin a
// comment with.
func remarksInLines(data []byte) (all []remark) {
	var l ignoredSpan
	for at := 0; ; at++ {
		n := bytes.IndexByte(data[at:], '-')
		if n < 0 {
			return all
		}
		at += n
		for _, program := range programs {
			if bytes.HasSuffix(data[:at+1], []byte(program)) {
				l = l.around(data, at, at)
				if r, ok := remarkAt(data, l, at+1-len(program)); ok {
					all = append(all, r)
				}
			}
		}
	}
}

// longestRemark is how much of a line around a program's name is looked at.
const longestRemark = 256

// remarkAt reads the remark whose program's name stands at an offset, on a line.
func remarkAt(data []byte, line ignoredSpan, at int) (remark, bool) {
	before := bytes.TrimRight(data[max(line.from, at-longestRemark):at], " \t")
	after := string(bytes.TrimRight(data[at:min(line.to, at+longestRemark)], "\r\n"))
	for _, marks := range [...][2]string{
		{"<!--", "-->"}, {"{/*", "*/}"}, {"/*", "*/"}, {"[//]: # (", ")"}, {"[comment]: # (", ")"},
		{"//", ""}, {"#", ""}, {"..", ""}, {";", ""}, {"%", ""}, {"--", ""},
	} {
		rest, ok := bytes.CutSuffix(before, []byte(marks[0]))
		if !ok {
			continue
		}
		if bytes.HasSuffix(rest, []byte("`")) {
			break // it is only shown
		}
		// A comment without a mark at its end goes to the end of its line.
		end := at + len(after)
		if n := strings.Index(after, marks[1]); n >= 0 && marks[1] != "" {
			end = at + n + len(marks[1])
		}
		word := markWord(after)
		return remark{word, at - (len(data[max(line.from, at-longestRemark):at]) - len(rest)), end}, word != ""
	}
	return remark{}, false
}
