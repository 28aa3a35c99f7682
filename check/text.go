package check

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"anyurl/percent"
)

// wantsText reports whether a link leads to some text in a target.
func (r *run) wantsText(t *target) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for m := range t.each() {
		if strings.Contains(m.fragment(), ":~:") {
			return true
		}
	}
	return false
}

// visible is what a page says, in lower case and with single spaces. The text of
// elements within a line runs on, as browsers read it.
func visible(page []byte) string {
	var b strings.Builder
	hidden := ""
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return spaced(b.String())
		case html.TextToken:
			if hidden == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "script", "style", "template", "title":
				hidden = string(name)
			case "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr":
			default:
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if string(name) == hidden {
				hidden = ""
			}
			switch string(name) {
			case "p", "div", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "tr":
				b.WriteByte(' ')
			}
		}
	}
}

func spaced(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// lookText says whether the texts that a directive names stand in the page:
// text=[prefix-,]start[,end][,-suffix] (Scroll To Text Fragment, 3.2).
func (d *anchors) lookText(directive string) finding {
	for part := range strings.SplitSeq(directive, "&") {
		value, ok := strings.CutPrefix(part, "text=")
		if !ok {
			continue
		}
		if d.words == "" {
			return unlooked // nobody read it for that
		}
		rest := d.words
		for text := range strings.SplitSeq(value, ",") {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "-"), "-")
			text = spaced(percent.Decode(text))
			at := indexWords(rest, text)
			if at < 0 {
				return unseen
			}
			rest = rest[at+len(text):]
		}
	}
	return there
}

// indexWords is where words stand in a text, from the beginning of one to the end of
// one; -1 where they do not. Where a script has no spaces, any place is a beginning.
func indexWords(text, words string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		first, size := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		after, _ := utf8.DecodeRuneInString(text[at+len(words):])
		if words == "" || !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after)) {
			return at
		}
		from = at + size
	}
}

// inWord reports whether a character goes on with the word that one like it began.
func inWord(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
