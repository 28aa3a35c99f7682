package format

import "bytes"

// The Markdown parser's time grows faster than a paragraph does: with the
// square of its brackets, with more than that of its emphasis marks. Long
// documents are therefore read in chunks that begin at a block of their own,
// and a chunk that holds more marks in one paragraph than people write is read
// as plain text.
const (
	chunkAim   = 32 << 10  // a chunk ends at the first block behind it
	chunkLimit = 256 << 10 // a chunk ends at the first line behind it
	maxMarks   = 2048      // of brackets, emphasis and code in a paragraph
	maxNesting = 64        // of quotes and lists that one line opens
)

// cutMarkdown gives the length of the chunk that b begins with, and whether
// it may be parsed.
func cutMarkdown(b []byte) (n int, parse bool) {
	var (
		marks  int
		fence  []byte // what the code block we are in began with
		closes []byte // what ends the HTML block we are in; "\n" is an empty line
		blank  = true // the line before is empty
	)
	parse = true
	for i := 0; i < len(b); {
		end := lineEnd(b, i)
		line := b[i:end]
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		text = bytes.TrimRight(text, " \t\r\n")
		switch {
		case fence != nil:
			if indent < 4 && bytes.HasPrefix(text, fence) && len(bytes.TrimLeft(text, string(fence[:1]))) == 0 {
				fence = nil
			}
			i, blank = end, false
			continue
		case closes != nil && closes[0] != '\n':
			if bytes.Contains(bytes.ToLower(line), closes) {
				closes = nil
			}
			i, blank = end, false
			continue
		}
		if len(text) == 0 {
			marks, closes, blank = 0, nil, true
			i = end
			continue
		}
		item := bytes.IndexByte([]byte("-*+"), text[0]) >= 0 && len(text) > 2 && text[1] == ' '
		if i >= chunkLimit || i >= chunkAim && (blank && indent == 0 || item && indent < 4) {
			return i, parse
		}
		blank = false
		nested, deep := nesting(text)
		if deep {
			parse = false
		}
		if nested || text[0] == '|' {
			marks = 0
		}
		if indent < 4 && closes == nil {
			if fence = fenceOf(text); fence != nil {
				i = end
				continue
			}
			if text[0] == '<' {
				if closes = closingOf(text); closes[0] != '\n' && bytes.Contains(bytes.ToLower(text), closes) {
					closes = nil
				}
			}
		}
		for k := 0; k < len(text); k++ {
			switch text[k] {
			case '[':
				marks++
				k += max(0, wholeLink(text[k:])-1) // its marks find each other at once
			case ']', '(', '*', '_', '~', '`', '<':
				marks++
			}
		}
		if marks > maxMarks {
			parse = false
		}
		i = end
	}
	return len(b), parse
}

// wholeLink gives the length of the plain link, [text](place), that a line begins
// with; 0 where it is none, or has further marks in it.
func wholeLink(b []byte) int {
	n := 1 + bytes.IndexAny(b[1:], "[]*_~`<\\")
	if n == 0 || b[n] != ']' || n+1 == len(b) || b[n+1] != '(' {
		return 0
	}
	n += 2
	end := bytes.IndexAny(b[n:], "()[]<`\\ \t")
	if end < 0 || b[n+end] != ')' {
		return 0
	}
	return n + end + 1
}

// nesting reports whether a line begins with a quote's or a list's mark, and
// whether with more of them than maxNesting.
func nesting(text []byte) (nested, deep bool) {
	n := 0
	for i := 0; i < len(text); {
		k := i
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '>':
			k++
		case c == '-' || c == '*' || c == '+':
			if k++; k < len(text) && text[k] != ' ' && text[k] != '\t' {
				return n > 0, false
			}
		case '0' <= c && c <= '9':
			for k < len(text) && k-i < 10 && '0' <= text[k] && text[k] <= '9' {
				k++
			}
			if k == len(text) || text[k] != '.' && text[k] != ')' {
				return n > 0, false
			}
			k++
		default:
			return n > 0, false
		}
		if n++; n > maxNesting {
			return true, true
		}
		i = k
	}
	return n > 0, false
}

// fenceOf gives the fence that a line opens a code block with, or nil:
// CommonMark, section 4.5.
func fenceOf(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] == text[0] {
		n++
	}
	if n < 3 || text[0] != '~' && (text[0] != '`' || bytes.IndexByte(text[n:], '`') >= 0) {
		return nil
	}
	return text[:n]
}

// closingOf gives what ends the HTML block that a line begins: CommonMark,
// section 4.6.
func closingOf(text []byte) []byte {
	for _, kind := range [...][2]string{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![cdata[", "]]>"}, {"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"},
		{"<textarea", "</textarea>"},
	} {
		if n := len(kind[0]); len(text) >= n && bytes.EqualFold(text[:n], []byte(kind[0])) {
			return []byte(kind[1])
		}
	}
	if len(text) > 2 && text[1] == '!' && isAlnum(text[2]) {
		return []byte(">")
	}
	return []byte("\n")
}
