// Package rule says what a standard demands and, when something breaks the
// demand, where: a [Rule] is one sentence of one standard, an [Error] is a byte
// offset at which an input broke it.
//
// Every grammar in anyurl declares its rules beside the code that upholds them
// and exports them through a function Rules, so a rule can be explained by its
// ID without any registry.
package rule

import (
	"fmt"
	"io"
	"strconv"

	"anyurl/internal/quote"
)

// A Rule is one demand of one standard.
//
// Rules are compared by value. A rule is declared once, beside the grammar
// that upholds it, and everyone downstream speaks of it by ID.
type Rule struct {
	// ID names the rule for programs: the standard's short name, a slash and
	// the standard's own word, as in "url/ipv6-unclosed" or "rfc1738/hsegment".
	ID string
	// Cite says where the rule is written: document and section.
	Cite string
	// Says is what is wrong when the rule is broken, as a sentence a stranger
	// can act on: lower case, no full stop.
	Says string
	// Fix is what to do about it, in the same form; it may be empty where Says
	// already tells.
	Fix string
	// Example is an input that breaks the rule; it may be empty.
	Example string
}

// IsZero reports whether r is no rule at all.
func (r Rule) IsZero() bool { return r == Rule{} }

// An Error is an input that broke a rule, and where it did.
type Error struct {
	// Input is what the caller gave, untouched. It may hold a password: show
	// it only through a function that masks it, as [Error.Error] and
	// [Error.Caret] do.
	Input string
	// Offset is the byte offset in Input at which the rule was broken:
	// 0 <= Offset <= len(Input). It equals len(Input) when something is
	// missing at the end.
	Offset int
	// Rule is what was broken.
	Rule Rule
}

// Error gives one line for a log. It never holds any part of the input:
//
//	offset 7: IPv6 address is never closed by "]" (URL Standard, host parsing)
func (e *Error) Error() string {
	return "offset " + strconv.Itoa(e.Offset) + ": " + e.Rule.Says + " (" + e.Rule.Cite + ")"
}

// Format writes the error with any verb of package fmt, the Input masked where
// it is shown at all (%#v).
func (e Error) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('#') {
		io.WriteString(f, e.GoString())
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), e.Error())
}

// GoString gives the error as Go source, the passwords in Input masked; Offset
// counts in the Input that was not.
func (e Error) GoString() string {
	return "rule.Error{Input:" + strconv.Quote(quote.Mask(e.Input)) + ", Offset:" + strconv.Itoa(e.Offset) + ", Rule:" + fmt.Sprintf("%#v", e.Rule) + "}"
}

// Caret gives three lines for a person, the input with its passwords masked and
// everything unprintable escaped, the place, and the rule:
//
//	http://[::1/x
//	       ^ IPv6 address is never closed by "]"
//	  URL Standard, host parsing [url/ipv6-unclosed]
//
// There is no line end after the last.
func (e *Error) Caret() string {
	line, marker := quote.Caret(e.Input, e.Offset)
	return line + "\n" + marker + " " + e.Rule.Says + "\n  " + e.Rule.Cite + " [" + e.Rule.ID + "]"
}

// Is reports whether target is an Error for the same rule, wherever it was
// broken, so that errors.Is(err, &rule.Error{Rule: r}) asks for a rule.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Rule.ID == e.Rule.ID
}
