package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"anyurl/audit"
	"anyurl/check"
	"anyurl/internal/quote"
)

// text is the report for people: what is wrong under the source it stands in,
// and one line that tells it all.
type text struct {
	w       io.Writer
	o       Options
	results []check.Result
}

func (t *text) Result(r check.Result) error {
	if t.o.wanted(r.State) {
		t.results = append(t.results, t.o.masked(r))
	}
	return nil
}

func (t *text) Close(s check.Summary) error {
	var b strings.Builder
	for _, section := range bySource(t.results) {
		fmt.Fprintf(&b, "%s\n", t.bold(quote.Text(sourceName(section.source))))
		places, urls := 0, 0
		for _, r := range section.rows {
			places = max(places, len(at(r.place)))
			urls = max(urls, min(len(r.URL), 60))
		}
		for _, r := range section.rows {
			url, why := audit.ShownText(r.URL), quote.Text(short(says(r.Result)))
			head := fmt.Sprintf("  %*s  %s  ", places, at(r.place), t.state(r.State))
			// A reason that would be broken by the terminal's edge has a line of its own.
			before := 2 + places + 2 + stateWidth + 2
			if t.o.Width > 0 && before+max(urls, utf8.RuneCountInString(url))+2+utf8.RuneCountInString(why) > t.o.Width {
				fmt.Fprintf(&b, "%s%s\n", head, url)
				if why != "" {
					fmt.Fprintf(&b, "%*s%s\n", before, "", why)
				}
				continue
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("%s%-*s  %s", head, urls, url, why), " ") + "\n")
		}
		b.WriteByte('\n')
	}
	verdict := check.Alive
	switch {
	case s.Broken > 0 || s.Blocked > 0:
		verdict = check.Broken
	case s.Moved+s.Unsure+s.Unchecked > 0:
		verdict = check.Moved
	}
	fmt.Fprintf(&b, "%s  (%s)\n", t.paint(verdict, tally(s)), totals(s))
	for _, said := range slices.Concat(s.Faults, s.Notes) {
		fmt.Fprintf(&b, "%s\n", quote.Text(short(t.o.words(said))))
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// longest is how many characters of a word, as an address is one, are shown; the
// other forms have it whole.
const longest = 160

// short shortens the words of a sentence that nobody reads to their end.
func short(sentence string) string {
	if len(sentence) <= longest {
		return sentence
	}
	words := strings.Split(sentence, " ")
	for i, word := range words {
		if chars := []rune(word); len(chars) > longest {
			words[i] = string(chars[:longest*2/3]) + "…" + string(chars[len(chars)-longest/4:])
		}
	}
	return strings.Join(words, " ")
}

// at is a place within its source.
func at(p check.Place) string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Col)
}

// mark is a state for eyes that do not read yet.
func mark(s check.State) string {
	switch s {
	case check.Alive:
		return "✓"
	case check.Moved:
		return "→"
	case check.Broken:
		return "✗"
	case check.Blocked:
		return "⊘"
	case check.Unsure:
		return "?"
	}
	return "-"
}

// stateWidth is how many columns a state takes.
const stateWidth = 2 + len("skipped")

func (t *text) state(s check.State) string {
	return t.paint(s, fmt.Sprintf("%s %-7s", mark(s), s))
}

func (t *text) paint(s check.State, words string) string {
	if !t.o.Color {
		return words
	}
	color := 90
	switch s {
	case check.Alive:
		color = 32
	case check.Moved:
		color = 33
	case check.Broken:
		color = 31
	case check.Blocked:
		color = 35
	case check.Unsure:
		color = 36
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, words)
}

func (t *text) bold(words string) string {
	if !t.o.Color {
		return words
	}
	return "\x1b[1m" + words + "\x1b[0m"
}
