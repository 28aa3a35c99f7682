package check

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"anyurl/percent"
)

// An anchorSet is the places in a document that a fragment can lead to.
type anchorSet map[string]bool

// anchorsOf reads the anchors of a document, by its media type or, where that
// tells nothing, by its name. It gives nil where fragments mean something that
// cannot be looked up here, or the document was too long to be read whole.
func anchorsOf(data []byte, mediaType, name string) anchorSet {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	read := htmlAnchors
	switch ext := strings.ToLower(path.Ext(name)); {
	case kind == "text/html", kind == "application/xhtml+xml", kind == "image/svg+xml":
	case kind == "text/markdown", kind == "" && (ext == ".md" || ext == ".markdown"):
		read = markdownAnchors
	case kind == "" && (ext == ".html" || ext == ".htm" || ext == ".xhtml" || ext == ".svg"):
	default:
		return nil
	}
	if len(data) >= maxPage {
		return nil
	}
	set := anchorSet{}
	read(data, set)
	return set
}

// htmlAnchors takes every id, and the name of every a: "indicated part of the
// document" (HTML Standard, "scroll to the fragment").
func htmlAnchors(data []byte, set anchorSet) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			isA := len(tag) == 1 && tag[0] == 'a'
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				if string(key) == "id" || isA && string(key) == "name" {
					set[string(value)] = true
				}
			}
		}
	}
}

// markdownAnchors takes what GitHub and its like make of headings, and the
// HTML that stands in the text.
func markdownAnchors(data []byte, set anchorSet) {
	htmlAnchors(data, set)
	seen := map[string]int{}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(data))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		// Headings in lists and quotations have anchors, too.
		ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			h, ok := n.(*ast.Heading)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			slug := slugOf(textOf(h, data))
			k := seen[slug]
			seen[slug]++
			if k > 0 {
				slug += "-" + strconv.Itoa(k)
			}
			set[slug] = true
			// An emoji leaves its space behind as a hyphen, on GitHub; elsewhere
			// it does not.
			set[strings.Trim(slug, "-")] = true
			return ast.WalkSkipChildren, nil
		})
	}
}

// textOf is what a reader sees of a node.
func textOf(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(n.Segment.Value(source))
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(b.String())
}

// slugOf makes a heading's anchor as GitHub does: lower case, letters, marks,
// digits, "-" and "_" stay, and a space becomes "-".
func slugOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// lacks reports whether a fragment leads nowhere in the document.
func (set anchorSet) lacks(fragment string) bool {
	// A text directive is no part of the fragment (Scroll To Text Fragment).
	fragment, _, _ = strings.Cut(fragment, ":~:")
	if fragment == "" || strings.EqualFold(fragment, "top") {
		return false // the top of the document
	}
	if strings.HasPrefix(fragment, "!") || strings.HasPrefix(fragment, "/") || strings.ContainsAny(fragment, "=&") {
		return false // for a script on the page, which we do not run
	}
	// The fragment as it stands goes first, then decoded; GitHub's own pages
	// put "user-content-" in front of the anchors that people write.
	decoded := percent.Decode(fragment)
	for _, name := range [...]string{fragment, decoded} {
		if set[name] || set["user-content-"+name] || set["user-content-"+strings.ToLower(name)] {
			return false
		}
	}
	return true
}
