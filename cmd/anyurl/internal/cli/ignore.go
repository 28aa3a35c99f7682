package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// An ignoring is the lines of a file whose links a comment in it exempts.
type ignoring struct {
	spans []lineSpan
}

// A lineSpan is lines from one to another, both among them.
type lineSpan struct{ from, to int }

// has reports whether the links of a line are exempt.
func (g ignoring) has(line int) bool {
	for _, s := range g.spans {
		if s.from <= line && line <= s.to {
			return true
		}
	}
	return false
}

// mostIgnore bounds how much of a file is looked through for such comments, in
// bytes.
const mostIgnore = 64 << 20

// ignoredIn looks through a regular file for comments that exempt links.
func ignoredIn(source string) ignoring {
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
	return ignoredBy(data)
}

// ignoredBy reads the comments: <!-- anyurl-ignore --> for the line it stands
// on, or for the next one where nothing else stands on that; -next-line, and
// -start to -end. lychee's and markdown-link-check's words for these count, too.
func ignoredBy(data []byte) (g ignoring) {
	if !bytes.Contains(data, []byte("-ignore")) && !bytes.Contains(data, []byte("markdown-link-check-")) {
		return g
	}
	n, open := 0, 0
	for line := range bytes.Lines(data) {
		n++
		word, alone := marker(string(line))
		switch word {
		case "ignore", "disable-line":
			g.spans = append(g.spans, lineSpan{n, n})
			if alone && word == "ignore" {
				g.spans = append(g.spans, lineSpan{n + 1, n + 1})
			}
		case "ignore-next-line", "disable-next-line":
			g.spans = append(g.spans, lineSpan{n + 1, n + 1})
		case "ignore-start", "disable":
			if open == 0 {
				open = n
			}
		case "ignore-end", "enable":
			if open > 0 {
				g.spans = append(g.spans, lineSpan{open, n})
			}
			open = 0
		}
	}
	if open > 0 {
		g.spans = append(g.spans, lineSpan{open, n})
	}
	return g
}

// marker gives what a comment on a line says about links, without the program's
// name, and whether nothing else stands on the line.
func marker(line string) (word string, alone bool) {
	for _, program := range [...]string{"anyurl-", "lychee-", "markdown-link-check-"} {
		at := strings.Index(line, program)
		if at < 0 {
			continue
		}
		before := strings.TrimRight(line[:at], " \t")
		opener := ""
		for _, o := range [...]string{"<!--", "{/*", "/*", "//", "[//]: # (", "[comment]: # (", "#", "..", ";", "%", "--"} {
			if strings.HasSuffix(before, o) {
				opener = o
				break
			}
		}
		rest := strings.TrimSuffix(before, opener)
		if opener == "" || strings.HasSuffix(rest, "`") {
			continue // no comment, or one that is only shown
		}
		after := line[at+len(program):]
		end := strings.IndexFunc(after, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
		if end < 0 {
			end = len(after)
		}
		word = strings.TrimRight(after[:end], "-")
		tail := strings.TrimSpace(after[len(word):])
		for _, closer := range [...]string{"-->", "*/}", "*/", ")"} {
			tail = strings.TrimSpace(strings.TrimPrefix(tail, closer))
		}
		return word, strings.TrimSpace(rest) == "" && tail == ""
	}
	return "", false
}
