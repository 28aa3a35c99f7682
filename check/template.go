package check

import (
	"strings"

	"anyurl/find/format"
)

// Unfilled says why a match is no link yet, or "": it stands in a template, and
// some program puts its parts in. What only the text of a document has may be
// a URI template (RFC 6570) as well.
func Unfilled(m format.Match) string {
	for _, marks := range [...][2]string{{"{{", "}}"}, {"{%", "%}"}, {"<%", "%>"}, {"${", "}"}, {"<?", "?>"}, {"#{", "}"}} {
		if _, rest, ok := strings.Cut(m.URL, marks[0]); ok && strings.Contains(rest, marks[1]) {
			return "a template fills it in"
		}
	}
	// AsciiDoc's macros, whose targets name attributes of the document or its site.
	if strings.HasSuffix(m.Via, ":") && hasExpression(strings.ReplaceAll(m.URL, "-", "_")) {
		return "a template fills it in"
	}
	if m.Via != "" && isCode(m.URL) {
		return "a template fills it in"
	}
	if m.Via == "" && hasExpression(m.URL) {
		return "it is a URI template, and no URL yet"
	}
	return ""
}

// isCode reports whether a whole attribute is an expression in braces, as JSX,
// Svelte and others have it; HTML ends one without quotes at its first blank. A
// GUID in braces is a name.
func isCode(text string) bool {
	name, ok := strings.CutPrefix(text, "{")
	if !ok || !strings.HasSuffix(name, "}") && strings.Contains(name, "}") {
		return false
	}
	name = strings.TrimSuffix(name, "}")
	return len(name) != 36 || strings.Trim(name, "0123456789abcdefABCDEF-") != ""
}

// hasExpression reports whether a text has an expression of RFC 6570, section
// 2.2: a name in braces, perhaps with an operator before and others behind it.
// A GUID in braces, as some servers have them, is none: names have no hyphens.
func hasExpression(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			return false
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return false
		}
		name = strings.TrimLeft(name, "+#./;?&=,!@|")
		if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.%,:*") == "" {
			return true
		}
		text = after
	}
}
