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
	// Report is called for every such word, as far as it is kept, with where it
	// begins in the text and a finding whose offsets are into the word.
	Report func(word string, offset int64, f Finding)

	word    []byte // since the last white space
	offset  int64  // of the text that was written
	start   int64  // of word
	tooLong bool   // the word is longer than maxWord; the rest is passed over
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
			if len(w.word) == 0 && !w.tooLong {
				w.start = w.offset + int64(i)
			}
			room := min(maxWord-len(w.word), end-i)
			w.word = append(w.word, text[i:i+room]...)
			w.tooLong = w.tooLong || room < end-i
		}
		if end < len(text) {
			w.judge()
		}
		for end < len(text) && text[end] <= ' ' {
			end++
		}
		i = end
	}
	w.offset += int64(len(text))
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
				f := make1(bidiControl, i, i+n)
				f.Says = bidiNames(r) + " reorders what is shown"
				w.Report(string(w.word), w.start, f)
				break
			}
			i += n
		}
	}
	w.word, w.tooLong = w.word[:0], false
}
