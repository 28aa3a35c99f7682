package audit

import (
	"bytes"
	"unicode/utf8"
)

// A Watch looks at a text in which URLs are searched for, and reports what
// keeps one from being found or seen for what it is: a bidirectional control
// within a word that holds "://". Where a URL is found, [Inspect] tells of it.
//
// It is an io.Writer, so that a reader can be teed into it; its memory does not
// grow with the text. Close tells it that the text has ended.
type Watch struct {
	// Report is called for every such word, in the order of the text.
	Report func(Sighting)

	word   []byte // since the last white space
	at     Sighting
	offset int // of what is written next
	line   int // from 0
	start  int // of the line
}

// A Sighting is a word in a text and what it hides.
type Sighting struct {
	Word    string  // as far as it was looked at
	Start   int     // byte offset of the word in the text
	Line    int     // from 1
	Col     int     // from 1, in bytes
	Finding Finding // what is wrong with it
}

// maxWord is as much of a word without white space as is looked at.
const maxWord = 4096

// Write takes the next part of the text. It does not fail.
func (w *Watch) Write(text []byte) (int, error) {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] > ' ' {
			end++
		}
		if end > i {
			if len(w.word) == 0 {
				w.at = Sighting{Start: w.offset + i, Line: w.line + 1, Col: w.offset + i - w.start + 1}
			}
			room := min(maxWord-len(w.word), end-i)
			w.word = append(w.word, text[i:i+room]...)
		}
		if end < len(text) {
			w.judge()
		}
		for end < len(text) && text[end] <= ' ' {
			if text[end] == '\n' {
				w.line++
				w.start = w.offset + end + 1
			}
			end++
		}
		i = end
	}
	w.offset += len(text)
	return len(text), nil
}

// Close judges the last word. It does not fail.
func (w *Watch) Close() error {
	w.judge()
	return nil
}

func (w *Watch) judge() {
	if bytes.Contains(w.word, []byte("://")) {
		for i := 0; i < len(w.word); {
			r, n := utf8.DecodeRune(w.word[i:])
			if isBidiControl(r) {
				w.at.Word = string(w.word)
				w.at.Finding = newFinding(bidiControl, i, i+n)
				w.at.Finding.Says = bidiNames(r) + " reorders what is shown"
				w.Report(w.at)
				break
			}
			i += n
		}
	}
	w.word = w.word[:0]
}
