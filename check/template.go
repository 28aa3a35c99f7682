package check

import (
	"strings"

	"anyurl/find"
	"anyurl/find/format"
)

// Unfilled says why a match is no link that anybody can follow as it stands, or "": it
// stands in a template, and some program puts its parts in; or a form is filled in and
// sent there, and whoever just asked would get an error, or set something off. What only the text of a document has may be
// a URI template (RFC 6570) as well.
func Unfilled(m format.Match) string {
	if m.Via == "form action post" || strings.HasSuffix(m.Via, " formaction") {
		return "a form is sent there"
	}
	const template, expression = "a template fills it in", "it is a URI template, and no URL yet"
	text := braces.Replace(m.URL)
	for _, marks := range [...][2]string{{"{{", "}}"}, {"{%", "%}"}, {"<%", "%>"}, {"${", "}"}, {"<?", "?>"}, {"#{", "}"}} {
		// An attribute ends at the first quote of a template within it.
		if _, rest, ok := strings.Cut(text, marks[0]); ok && (strings.Contains(rest, marks[1]) || m.Via != "" && marks[0] != "#{") {
			return template
		}
	}
	switch {
	case m.Via == "" && hasExpression(text):
		return expression
	case m.Via == "":
		return ""
	// AsciiDoc's macros, whose targets name attributes of the document or its site.
	case strings.HasSuffix(m.Via, ":") && hasExpression(strings.ReplaceAll(text, "-", "_")):
		return template
	case isCode(text) || isMark(text):
		return template
	case m.Kind == find.URL && hasExpression(text):
		return expression
	}
	return ""
}

// braces are what Markdown makes of braces in a link, undone.
var braces = strings.NewReplacer("%7B", "{", "%7b", "{", "%7D", "}", "%7d", "}")

// isMark reports whether a link is, or begins with, what some program puts a place
// for: "@/" of Zola and Vite, "~/" of ASP.NET, a call in Razor, a tag of JSP, an ERB
// expression in Markdown, a word in double brackets, dollar or percent signs, and
// what Pelican has before a path.
func isMark(text string) bool {
	within := func(open, close string) bool {
		inner, ok := strings.CutPrefix(text, open)
		inner, closed := strings.CutSuffix(inner, close)
		return ok && closed && inner != "" && !strings.Contains(inner, "/")
	}
	switch {
	case strings.HasPrefix(text, "@/"), strings.HasPrefix(text, "~/"), strings.HasPrefix(text, "<"):
		return true
	case strings.HasPrefix(text, "@"):
		return strings.Contains(text, "(") || strings.HasPrefix(text, "@Model.")
	case strings.HasPrefix(text, "%="), strings.HasPrefix(text, "% "):
		return strings.HasSuffix(text, "%")
	case strings.HasPrefix(text, "|"):
		return strings.Contains(text, "|/")
	}
	return within("[[", "]]") || within("%%", "%%") || within("$", "$")
}

// isCode reports whether a whole attribute, or its beginning, is an expression in
// braces, as JSX, Svelte and others have it; HTML ends one without quotes at its
// first blank. A GUID in braces is a name.
func isCode(text string) bool {
	name, ok := strings.CutPrefix(text, "{")
	if !ok {
		return false
	}
	if first, rest, closed := strings.Cut(name, "}"); closed && rest != "" {
		return hasExpression("{" + first + "}")
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
