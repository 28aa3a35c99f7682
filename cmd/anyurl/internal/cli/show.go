package cli

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/report"
	"anyurl/rule"
)

// whole is an error's text with the query that package fetch leaves out: it was
// the user who named the URL. Where it is to be masked, that is still to come.
func whole(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		text = strings.Replace(text, e.Error(), e.Whole(), 1)
	}
	return text
}

// show makes an error fit for people: passwords masked, nothing that a
// terminal would obey, and for a broken rule the caret under its place.
func (c *call) show(err error) string {
	if all, ok := errors.AsType[inLines](err); ok {
		lines := slices.Clone(all)
		for i := range lines {
			lines[i] = c.masked(lines[i])
		}
		return strings.Join(lines, "\n")
	}
	e, ok := errors.AsType[*rule.Error](err)
	if !ok {
		return c.masked(whole(err))
	}
	before := strings.TrimSuffix(err.Error(), e.Error())
	if before != "" {
		before = c.masked(strings.TrimSuffix(before, ": ")) + "\n"
	}
	if i := strings.IndexByte(e.Input, '?'); c.maskQuery && i >= 0 {
		if e.Offset > i {
			return before + c.masked(e.Error()) // where in the query, the offset tells
		}
		e = &rule.Error{Input: e.Input[:i] + "?" + quote.Hidden, Offset: e.Offset, Rule: e.Rule}
	}
	return before + e.Caret()
}

// masked makes a report's text fit for people.
func (c *call) masked(s string) string { return quote.Text(report.MaskText(s, c.maskQuery)) }

// maskedWire is a line of a conversation as it may be shown. It is no sentence:
// where queries are masked, whatever stands behind a "?" is one.
func (c *call) maskedWire(s string) string {
	// "RCPT TO:<joe@a.example>" (RFC 5321, section 4.1.1.3) has a colon and an
	// "@" as a login does, and no secret.
	verb, rest, ok := strings.Cut(s, ":")
	if ok && (strings.EqualFold(verb, "MAIL FROM") || strings.EqualFold(verb, "RCPT TO")) {
		s = verb + ":" + quote.Mask(rest)
	} else {
		s = quote.Mask(s)
	}
	if c.maskQuery {
		words := strings.Split(s, " ")
		for i, word := range words {
			if at := strings.IndexByte(word, '?'); at >= 0 && at+1 < len(word) {
				words[i] = word[:at+1] + quote.Hidden
			}
		}
		s = strings.Join(words, " ")
	}
	return quote.Text(s)
}

// hidden is a URL as a report shows it.
func (c *call) hidden(s string) string { return report.Mask(s, c.maskQuery) }

// plain makes data safe for a terminal; to a file or a pipe it goes as it is.
func (c *call) plain(s string) string {
	if c.out.terminal {
		return quote.Text(s)
	}
	return s
}

// line writes one line of data.
func (c *call) line(s string) error {
	return c.out.line(c.plain(s))
}

// wrap breaks text into lines of at most width columns, all but the first of
// them indented; a word that is longer stays whole.
func wrap(text string, width, indent int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
		}
		column := indent
		for k, word := range strings.Fields(paragraph) {
			n := utf8.RuneCountInString(word)
			switch {
			case k == 0:
			case column+1+n > width:
				b.WriteString("\n" + strings.Repeat(" ", indent))
				column = indent
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
	}
	return b.String()
}

// firstSentence is what a table has room for.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
