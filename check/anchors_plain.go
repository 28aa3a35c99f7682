package check

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// asciidocAnchors takes the ids that are given by hand and what Asciidoctor and
// the forges make of section titles (AsciiDoc Language Documentation, "IDs").
func asciidocAnchors(data []byte, set anchorSet) {
	htmlAnchors(data, set) // in passthrough blocks
	for _, named := range namedInAsciiDoc {
		for _, m := range named().FindAllSubmatch(data, -1) {
			set[string(m[1])] = true
		}
	}
	var s slugger
	for _, m := range asciidocTitle().FindAllSubmatch(data, -1) {
		title := string(m[1][:min(len(m[1]), longestHeading)])
		s.add(set, title)
		set[title] = true // a cross reference may say the title itself
		// idprefix and idseparator are "_" each where the document does not say.
		for _, lower := range lowered(title) {
			id := strings.Trim(notInID().ReplaceAllString(lower, "_"), "_")
			set["_"+id] = true
			set[strings.ReplaceAll(id, "_", "-")] = true
		}
	}
}

// isPartOfBook reports whether an AsciiDoc document includes others, or has no
// title of its own, as those that others include: its cross references may lead
// to any of them.
func isPartOfBook(data []byte) bool {
	return includesAsciiDoc().Match(data) || !documentTitle().Match(data)
}

var (
	includesAsciiDoc = pattern(`(?m)^include::`)
	documentTitle    = pattern(`(?m)^(?:[=#][ \t]+\S|={4,}[ \t]*\r?$)`)
	includesRST      = pattern(`(?m)^[ \t]*\.\. include::`)

	namedInAsciiDoc = [...]func() *regexp.Regexp{
		pattern(`\[\[([^\],\s]+)(?:,[^\]\n]*)?\]\]`),                // [[id]], [[id,text]]
		pattern(`\[[^\]\n"=,]*#([^\]\s,.%#]+)[^\]\n]*\]`),           // [#id], [quote#id.role]
		pattern(`\[[^\]\n]*\bid=["']?([^\]\s,"']+)["']?[^\]\n]*\]`), // [id=a]
		pattern(`\banchor:([^\[\s]+)\[`),
		pattern(`(?m)^[ \t]*(?:[-*]+[ \t]+)?\[\[\[([^\],\s]+)`), // a bibliography's entry
	}
	asciidocTitle = pattern(`(?m)^(?:={1,6}|#{1,6})[ \t]+(\S[^\n]*?)[ \t]*\r?$`)
	notInID       = pattern(`[^\p{L}\p{M}\p{N}]+`)
)

// rstAnchors takes what docutils makes of targets and section titles, by its
// rule for ids, and the ids that directives give (reStructuredText Markup
// Specification, "Reference Names" and "Sections").
func rstAnchors(data []byte, set anchorSet) {
	var s slugger
	add := func(name string) {
		name = strings.Trim(strings.TrimSpace(name), "`")
		set[name] = true // Sphinx keeps some as they are
		set[docutilsID(name)] = true
	}
	for _, named := range namedInRST {
		for _, m := range named().FindAllSubmatch(data, -1) {
			add(string(m[1]))
		}
	}
	title := ""
	for line := range bytes.Lines(data) {
		text := string(bytes.TrimRight(line[:min(len(line), longestHeading)], " \t\r\n"))
		if title != "" && underlines(text) {
			s.add(set, title)
			add(title)
			title = ""
			continue
		}
		title = strings.TrimSpace(text)
	}
	delete(set, "")
}

var namedInRST = [...]func() *regexp.Regexp{
	pattern("(?m)^[ \t]*\\.\\. _(`[^`\n]+`|[^:\n]+):"),     // .. _name:
	pattern("_`([^`\n]+)`"),                                // _`inline target`
	pattern(`(?m)^[ \t]*:(?:name|target):[ \t]*([^\n]+)$`), // of a directive
	pattern(`(?m)^[ \t]*\.\. \[#?([^\]\n]+)\]`),            // a footnote, a citation
}

// underlines reports whether a line is nothing but one punctuation character,
// again and again.
func underlines(text string) bool {
	const adornment = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	return len(text) > 1 && strings.IndexByte(adornment, text[0]) >= 0 && strings.Count(text, text[:1]) == len(text)
}

// docutilsID is what docutils makes of a name (docutils.nodes.make_id, as its
// documentation describes it): lower case, letters without their marks, hyphens for
// white space and punctuation, from the first letter on; what has no ASCII is left out.
func docutilsID(name string) string {
	name = norm.NFKD.String(latin.Replace(strings.ToLower(name)))
	name = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return -1
	}, strings.Join(strings.Fields(name), " "))
	id := notASCIIID().ReplaceAllString(name, "-")
	return strings.TrimRight(strings.TrimLeft(id, "-0123456789"), "-")
}

// latin are letters that Unicode does not take apart.
var latin = strings.NewReplacer("ß", "sz", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŧ", "t")

var notASCIIID = pattern(`[^a-z0-9]+`)
