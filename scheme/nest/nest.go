// Package nest reads URLs that hold another: view-source, jar and feed. Start
// with [Read].
//
// What is inside is a URL like any other: whoever judges or opens the outer one
// has to judge the inner one too.
package nest

import (
	"strings"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what such a URL holds.
type Ref struct {
	// Scheme is "view-source", "jar" or "feed".
	Scheme string `json:"scheme"`
	// Inner is the URL inside.
	Inner anyurl.URL `json:"inner"`
	// Entry is the path behind "!" in a jar URL, as it is written, with its
	// slash in front; it is empty for the archive itself.
	Entry string `json:"entry,omitempty"`
}

var (
	// Inner is broken by what should be a URL inside and is none.
	Inner = rule.Rule{
		ID:      "nest/inner",
		Cite:    "RFC 3986, section 4.3",
		Says:    "behind the scheme's colon stands another URL, from its own scheme on, and this is none",
		Fix:     "write the inner URL in full",
		Example: "view-source:tulips",
	}
	// Entry is broken by a jar URL that does not part the archive from what is in it.
	Entry = rule.Rule{
		ID:      "nest/entry",
		Cite:    "java.net.JarURLConnection, Syntax",
		Says:    `an archive's URL ends at "!/", and what follows is the entry's path`,
		Fix:     `write "!/" behind the archive's URL`,
		Example: "jar:https://a.example/x.jar",
	}
)

// Rules lists the rules that these URLs can break here.
func Rules() []rule.Rule { return []rule.Rule{Inner, Entry} }

// Read reads u, a view-source, jar or feed URL. The error, if any, is a
// *rule.Error. A feed URL that has a host means the same by http.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "view-source", "jar", "feed"); err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme()}
	inner := scheme.All(u).From(len(r.Scheme) + 1)
	text := inner.Raw()
	switch r.Scheme {
	case "jar":
		i := strings.LastIndex(text, "!/")
		if i < 0 {
			return Ref{}, inner.Error(inner.Len(), Entry)
		}
		if r.Entry = text[i+1:]; r.Entry == "/" {
			r.Entry = ""
		}
		text = text[:i]
	case "feed":
		if u.HasHost() {
			text = "http:" + text
		}
	}
	var err error
	if r.Inner, err = anyurl.Parse(text); err != nil {
		return Ref{}, inner.Error(0, Inner)
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	rest := r.Inner.String()
	if r.Scheme == "jar" {
		rest += "!/" + strings.TrimPrefix(r.Entry, "/")
	}
	return scheme.Opaque(r.Scheme, rest)
}

// Schemes gives the facts about view-source, jar and feed.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "view-source", Family: "nest", Status: "provisional",
		Defined:  "IANA's registry, prov/view-source",
		Says:     "The source text of the page at the URL inside, as browsers show it.",
		Syntax:   "view-source:URL",
		Example:  "view-source:https://a.example/",
		Protocol: "that of the URL inside",
		Read:     scheme.Reader(Read),
	}, {
		Name: "jar", Family: "nest", Status: "provisional",
		Defined:  "java.net.JarURLConnection",
		Says:     "A file in a Java or ZIP archive that is at the URL inside.",
		Syntax:   "jar:URL!/[entry]",
		Example:  "jar:https://a.example/tulips.jar!/META-INF/MANIFEST.MF",
		Protocol: "that of the URL inside",
		Read:     scheme.Reader(Read),
	}, {
		Name: "feed", Family: "nest", Status: "provisional",
		Defined:  "draft-obasanjo-feed-URI-scheme",
		Says:     "A news feed (RSS or Atom) at the URL inside, so that a feed reader is asked to subscribe to it.",
		Syntax:   "feed:URL | feed://host/path",
		Example:  "feed:https://a.example/news.xml",
		Protocol: "that of the URL inside",
		Read:     scheme.Reader(Read),
	}}
}
