package format

import "bytes"

// Code in reStructuredText and AsciiDoc holds examples, and is left out as it is
// in Markdown.

// readable is v with blanks where code stands, unless code is read too, and where
// comments do. Each function calls leave for the stretches that it knows.
func (s *scan) readable(v *view, code, comments func(b []byte, leave func(from, to int))) *view {
	plain := blanked(v, v, code)
	told := func(b []byte, leave func(from, to int)) {
		comments(b, func(from, to int) {
			s.comment(v, from, to)
			leave(from, to)
		})
	}
	if s.code {
		return blanked(v, plain, told)
	}
	return blanked(plain, plain, told)
}

// blanked is v with blanks where leave is called for in the text of like, which
// has v's length.
func blanked(v, like *view, find func(b []byte, leave func(from, to int))) *view {
	var b []byte
	find(like.data, func(from, to int) {
		if b == nil {
			b = bytes.Clone(v.data)
		}
		for i := from; i < to; i++ {
			if b[i] != '\n' && b[i] != '\r' {
				b[i] = ' '
			}
		}
	})
	if b == nil {
		return v
	}
	return &view{data: b, up: v.up, way: v.way}
}

// restructuredComments calls leave for the comments of reStructuredText: explicit
// markup that is nothing else, with all that is indented below.
func restructuredComments(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		at := indent(line)
		rest, ok := bytes.CutPrefix(line[at:], []byte(".."))
		if !ok || len(rest) > 0 && rest[0] != ' ' || construct(bytes.TrimLeft(rest, " ")) {
			i = next
			continue
		}
		end := next
		// An empty comment does not take what stands below an empty line.
		if body, to := indented(b, next, at, false); to > body && (len(rest) > 0 || len(bytes.TrimSpace(b[next:lineEnd(b, next)])) > 0) {
			end = to
		}
		leave(i+at, i+at+len(bytes.TrimRight(b[i+at:end], " \t\r\n")))
		i = end
	}
}

// construct reports whether explicit markup is no comment: a footnote, a citation,
// a target, a substitution or a directive.
func construct(rest []byte) bool {
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == '[' || rest[0] == '_' || rest[0] == '|':
		return true
	}
	n := 0
	for n < len(rest) && (isAlnum(rest[n]) || n > 0 && bytes.IndexByte([]byte("-_+.:"), rest[n]) >= 0) {
		n++
	}
	return n > 2 && bytes.HasSuffix(rest[:n], []byte("::")) || bytes.HasPrefix(rest[n:], []byte(" ::"))
}

// asciidocComments calls leave for the comments of AsciiDoc: lines that begin with
// "//", and what stands between two lines of four or more "/".
func asciidocComments(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		switch n := len(line) - len(bytes.TrimLeft(line, "/")); {
		case n >= 4 && n == len(line) && n <= 64:
			if end := closing(b, next, string(line)); end > 0 {
				leave(i, end+len(line))
				next = lineEnd(b, end)
			}
		case n == 2:
			leave(i, i+len(line))
		}
		i = next
	}
}

// restructuredCode calls leave for the literal blocks, code directives and
// inline literals of reStructuredText.
func restructuredCode(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		if len(line) == 0 {
			i = next
			continue
		}
		if opens, blank := literalBlock(line); opens {
			if body, end := indented(b, next, edge(line), blank); end > body {
				inlineLiterals(b, i, next, leave)
				leave(body, end)
				i = end
				continue
			}
		}
		// A paragraph, whose literals may go over lines.
		from := i
		for i = next; i < len(b) && !endsPlain(b[from:i]); i = next {
			next = lineEnd(b, i)
			if len(bytes.TrimSpace(b[i:next])) == 0 {
				break
			}
		}
		i = lastLine(b, from, i)
		inlineLiterals(b, from, i, leave)
	}
}

// lastLine gives the beginning of the last line of b[from:to] where that line
// opens a block, else to; it is never from.
func lastLine(b []byte, from, to int) int {
	if !endsPlain(b[from:to]) {
		return to
	}
	if k := bytes.LastIndexByte(bytes.TrimRight(b[from:to], " \t\r\n"), '\n'); k >= 0 {
		return from + k + 1
	}
	return to
}

// endsPlain reports whether a paragraph's last line ends in "::", with which a
// block may begin.
func endsPlain(b []byte) bool { return bytes.HasSuffix(bytes.TrimRight(b, " \t\r\n"), []byte("::")) }

// literalBlock reports whether a line opens a block of code, and whether an empty
// line must follow it.
func literalBlock(line []byte) (opens, blank bool) {
	text := bytes.TrimLeft(line, " \t")
	if !bytes.HasPrefix(text, []byte(".. ")) {
		return bytes.HasSuffix(text, []byte("::")), true
	}
	name, _, ok := bytes.Cut(bytes.TrimLeft(text[3:], " "), []byte("::"))
	if !ok {
		return false, false
	}
	switch string(name) {
	case "code", "code-block", "sourcecode", "doctest", "testcode", "testoutput", "testsetup", "prompt", "highlight":
		return true, false
	}
	return false, false
}

// indent is the number of blanks that a line begins with.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// edge is where the text of a line begins, behind the mark of a list's item.
func edge(line []byte) int {
	at := indent(line)
	text := line[at:]
	n := 0
	for n < len(text) && n < 8 && (isAlnum(text[n]) || text[n] == '#') {
		n++
	}
	switch {
	case len(text) > 1 && text[1] == ' ' && bytes.IndexByte([]byte("-*+"), text[0]) >= 0:
		return at + 2
	case n > 0 && n+1 < len(text) && (text[n] == '.' || text[n] == ')') && text[n+1] == ' ':
		return at + n + 2
	}
	return at
}

// indented gives the lines from b[i] on that are empty or indented by more than
// base. With blank, the first of them must be empty.
func indented(b []byte, i, base int, blank bool) (from, to int) {
	from, to = i, i
	for first := true; i < len(b); first = false {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		if first && blank && len(line) > 0 {
			return from, from
		}
		if len(line) > 0 {
			if indent(line) <= base {
				break
			}
			to = next
		}
		i = next
	}
	return from, to
}

// inlineLiterals leaves out what stands between two grave accents and two.
func inlineLiterals(b []byte, from, to int, leave func(from, to int)) {
	mark := []byte("``")
	for {
		open := bytes.Index(b[from:to], mark)
		if open < 0 {
			return
		}
		open += from
		n := bytes.Index(b[open+2:to], mark)
		if n < 0 {
			return
		}
		leave(open, open+2+n+2)
		from = open + 2 + n + 2
	}
}

// asciidocCode calls leave for the listing, literal and fenced blocks of AsciiDoc,
// for its source paragraphs, and for what "`+" and "+`" enclose: a URL within
// grave accents alone is a link.
func asciidocCode(b []byte, leave func(from, to int)) {
	var (
		before []byte         // the line before
		never  map[string]int // delimiters that no line closes any more
	)
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		mark := fence(line)
		switch {
		case mark != "" && !underline(before, line) && never[mark] == 0:
			if end := closing(b, next, mark); end > next {
				leave(next, end)
				before, i = nil, lineEnd(b, end)
				continue
			}
			if never == nil {
				never = map[string]int{}
			}
			never[mark] = 1
		case bytes.HasPrefix(line, []byte("[source")) || bytes.HasPrefix(line, []byte("[listing")) || bytes.HasPrefix(line, []byte("[literal")):
			if after := b[next:lineEnd(b, min(next, max(len(b)-1, 0)))]; next < len(b) && fence(bytes.TrimRight(after, " \t\r\n")) == "" && !bytes.HasPrefix(after, []byte("--")) && after[0] != '.' {
				end := next
				for end < len(b) && len(bytes.TrimSpace(b[end:lineEnd(b, end)])) > 0 {
					end = lineEnd(b, end)
				}
				leave(next, end)
				before, i = nil, end
				continue
			}
		default:
			passed(b, i, next, leave)
		}
		before, i = line, next
	}
}

// fence gives the delimiter of a block of code that a line is, or "": four or more
// "-" or ".", or three grave accents and perhaps a language.
func fence(line []byte) string {
	if bytes.HasPrefix(line, []byte("```")) && bytes.IndexByte(line[3:], '`') < 0 {
		return "```"
	}
	if len(line) < 4 || len(line) > 64 || line[0] != '-' && line[0] != '.' {
		return ""
	}
	for _, c := range line {
		if c != line[0] {
			return ""
		}
	}
	return string(line)
}

// underline reports whether a line makes a title of the one before it.
func underline(before, line []byte) bool {
	if len(before) == 0 || line[0] != '-' || before[0] == '.' || before[0] == '[' || before[0] == '+' || before[0] == '/' {
		return false
	}
	n := len(bytes.Runes(before)) - len(line)
	return -2 < n && n < 2
}

// closing gives the beginning of the line from b[i] on that is a delimiter, or 0.
func closing(b []byte, i int, mark string) int {
	for i < len(b) {
		next := lineEnd(b, i)
		if string(bytes.TrimRight(b[i:next], " \t\r\n")) == mark {
			return i
		}
		i = next
	}
	return 0
}

// passed leaves out what "`+" and "+`" enclose on a line.
func passed(b []byte, from, to int, leave func(from, to int)) {
	for {
		open := bytes.Index(b[from:to], []byte("`+"))
		if open < 0 {
			return
		}
		open += from
		n := bytes.Index(b[open+2:to], []byte("+`"))
		if n < 0 {
			return
		}
		leave(open, open+2+n+2)
		from = open + 2 + n + 2
	}
}
