package check

import (
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"anyurl"
)

// Variants tell which pages of a site are one page under several addresses, by what
// they say themselves: their canonical links (RFC 6596). Else a site that puts a
// new session into each of its links has no end.
//
// A page is believed as far as it can be seen that nothing is lost by it. Its
// canonical link has to lead to a page of its own site, at the same path but for a
// slash, the name of an index or parameters at the end, and the links on both have to
// be the same: as they stand there, or without the parameters that the page itself
// has more than its canonical link. So a site all of whose pages call themselves
// its front page is read as a whole.
//
// The zero value knows of none. It serves one goroutine at a time.
type Variants struct {
	seed  maphash.Seed
	read  map[uint64]*readAs // by canonical link, and the parameters in which variants differ from it
	links int                // that are kept in all
}

// A readAs is what was read of the variants of a page that differ from it in the
// same parameters.
type readAs struct {
	pages map[uint64]struct{} // whose links were followed
	links map[uint64]struct{} // of the same site, without these parameters
	depth int                 // how many steps on
}

// mostKnown bounds how many links are kept; behind that, variants are read anew.
const mostKnown = 1 << 19

// News gives those of the links that an answer found which are to be met: all of
// them, unless its page is known as another one's variant. What leads off the site is
// met in any case.
func (v *Variants) News(a Answer) []Link {
	page, err := anyurl.Parse(a.Page)
	canonical, err2 := anyurl.Parse(a.Canonical)
	if err != nil || err2 != nil {
		return a.Found
	}
	depth, urls := 0, make([]anyurl.URL, len(a.Found))
	for i, link := range a.Found {
		depth = max(depth, link.Depth)
		urls[i], _ = anyurl.ParseRef(link.URL, link.Base)
	}
	if v.isNew(page, canonical, depth, slices.Values(urls)) {
		return a.Found
	}
	var off []Link
	for i, link := range a.Found {
		if !sameSite(urls[i], page) {
			off = append(off, link)
		}
	}
	return off
}

// isNew reports whether the links of a page are to be followed, so many steps on.
// Texts that are no URL may be among them as zero URLs.
func (v *Variants) isNew(page, canonical anyurl.URL, depth int, links iter.Seq[anyurl.URL]) bool {
	if v.read == nil || v.links > mostKnown {
		v.seed, v.read, v.links = maphash.MakeSeed(), map[uint64]*readAs{}, 0
	}
	page, canonical = page.WithoutFragment(), canonical.WithoutFragment()
	more := surplus(page, canonical)
	itself := v.of(canonical, nil) // the page that others are variants of
	as := v.of(canonical, more)
	name := maphash.String(v.seed, page.String())
	isNew := depth > as.depth && depth > itself.depth
	if _, again := as.pages[name]; again {
		isNew = true // who asks anew has forgotten what it said
	}
	for u := range links {
		if isNew {
			break
		}
		if !sameSite(u, page) {
			continue
		}
		_, met := as.links[v.hash(u, more)]
		if !met {
			_, met = itself.links[v.hash(u, nil)]
		}
		isNew = !met
	}
	if !isNew {
		return false
	}
	as.pages[name] = struct{}{}
	as.depth = max(as.depth, depth)
	before := len(as.links)
	for u := range links {
		if sameSite(u, page) {
			as.links[v.hash(u, more)] = struct{}{}
		}
	}
	v.links += len(as.links) - before + 1
	return true
}

// of is what was read of a page's variants that have these parameters more.
func (v *Variants) of(canonical anyurl.URL, more []string) *readAs {
	key := maphash.String(v.seed, canonical.String()+" "+strings.Join(more, "&"))
	if v.read[key] == nil {
		v.read[key] = &readAs{pages: map[uint64]struct{}{}, links: map[uint64]struct{}{}, depth: -1}
	}
	return v.read[key]
}

// hash is that of a link without its fragment and some parameters.
func (v *Variants) hash(u anyurl.URL, without []string) uint64 {
	var h maphash.Hash
	h.SetSeed(v.seed)
	path, params := cutParams(u.Path())
	h.WriteString(path)
	for name, value := range params {
		if !slices.Contains(without, name) {
			h.WriteString(name + value)
		}
	}
	h.WriteByte('?')
	for name, value := range queryParams(u) {
		if !slices.Contains(without, name) {
			h.WriteString("&" + name + value)
		}
	}
	return h.Sum64()
}

// isVariant reports whether a page with this canonical link may be another one's
// variant, or is one that others may be variants of.
func isVariant(page, canonical anyurl.URL) bool {
	return isWeb(page) && sameSite(page, canonical) && plainPath(page) == plainPath(canonical)
}

// plainPath is a path without what often makes no difference at its end.
func plainPath(u anyurl.URL) string {
	path, _ := cutParams(u.Path())
	at := strings.LastIndexByte(path, '/') + 1
	if name := path[at:]; strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "default.") {
		path = path[:at]
	}
	return strings.TrimSuffix(path, "/")
}

// surplus are the names of the parameters that a page's address has more than its
// canonical link, or with other values.
func surplus(page, canonical anyurl.URL) (names []string) {
	has := map[string]int{}
	count := func(u anyurl.URL, by int) {
		_, inPath := cutParams(u.Path())
		for name, value := range inPath {
			has[name+value] += by
		}
		for name, value := range queryParams(u) {
			has[name+value] += by
		}
	}
	count(page, 1)
	count(canonical, -1)
	for param, n := range has {
		if n > 0 {
			name, _, _ := strings.Cut(param, "=")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// cutParams cuts the parameters off a path's end, as in /a;jsessionid=1. Their names
// have their semicolon, and their values the equals sign.
func cutParams(path string) (plain string, params iter.Seq2[string, string]) {
	at := strings.LastIndexByte(path, '/') + 1
	plain, rest, has := strings.Cut(path[at:], ";")
	return path[:at] + plain, func(yield func(string, string) bool) {
		if has {
			eachParam(rest, ";", ";", yield)
		}
	}
}

// queryParams gives a query's parameters as they are written, in their order; values
// have the equals sign.
func queryParams(u anyurl.URL) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if u.Query() != "" {
			eachParam(u.Query(), "&", "", yield)
		}
	}
}

func eachParam(text, between, before string, yield func(string, string) bool) {
	for param := range strings.SplitSeq(text, between) {
		end := strings.IndexByte(param, '=')
		if end < 0 {
			end = len(param)
		}
		if param != "" && !yield(before+param[:end], param[end:]) {
			return
		}
	}
}

// canonicalIn gives the target of the canonical link in an answer's header (RFC 8288,
// section 3), as it stands there; "" where there is none, or where there are several.
func canonicalIn(header map[string][]string) (target string) {
	for name, lines := range header {
		if !strings.EqualFold(name, "Link") {
			continue
		}
		for _, line := range lines {
			for found, params := range linkValues(line) {
				if !isCanonical(params) || found == target {
					continue
				}
				if target != "" {
					return ""
				}
				target = found
			}
		}
	}
	return target
}

// isCanonical reports whether a link's parameters say that it is canonical, for the
// page that they came with.
func isCanonical(params string) bool {
	rel := false
	for param := range splitQuoted(params, ';') {
		name, value, _ := strings.Cut(param, "=")
		switch value = strings.Trim(strings.TrimSpace(value), `"`); strings.ToLower(strings.TrimSpace(name)) {
		case "anchor":
			return false // it is about something else
		case "rel":
			if rel {
				continue // the first counts
			}
			rel = true
			if !slices.ContainsFunc(strings.Fields(value), func(word string) bool { return strings.EqualFold(word, "canonical") }) {
				return false
			}
		}
	}
	return rel
}

// linkValues gives the targets in a Link field, with their parameters.
func linkValues(line string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for {
			_, rest, ok := strings.Cut(line, "<")
			if !ok {
				return
			}
			target, rest, ok := strings.Cut(rest, ">")
			if !ok {
				return
			}
			params := rest
			for part := range splitQuoted(rest, ',') {
				params = part
				break
			}
			if !yield(strings.TrimSpace(target), params) {
				return
			}
			line = rest[len(params):]
		}
	}
}

// splitQuoted splits a text at a mark that stands in no quotes.
func splitQuoted(text string, mark byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, quoted := 0, false
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case c == mark && !quoted:
				if !yield(text[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(text[start:])
	}
}
