package cli

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/check"
	"anyurl/find"
	"anyurl/find/format"
	"anyurl/scheme/known"
)

// links gives the links that the arguments name or hold. order is told the
// sources as they come, and unread what keeps one from being read.
func (c *call) links(args []string, ask checkAsk, rules siteRules, order map[string]int, unread func(error)) iter.Seq[check.Link] {
	return func(yield func(check.Link) bool) {
		var paths []string
		if len(args) == 0 {
			paths = []string{"-"}
		}
		for i, arg := range args {
			if isURL(arg) {
				if err := opensAt(arg); err != nil {
					unread(err)
					continue
				}
				// An argument's place is the command line itself.
				if !yield(rules.remap(check.Link{URL: arg, Depth: ask.depth, Place: check.Place{Start: i}})) {
					return
				}
				continue
			}
			paths = append(paths, arg)
		}
		if len(paths) == 0 {
			return
		}
		order[""] = 0
		f := ask.finder(false)
		f.References = !ask.noReference
		var base anyurl.URL
		var ignored ignoring
		source := ""
		homeless, slashed := 0, 0 // links that start from nowhere, and at a root that nobody named
		for m, err := range c.matches(paths, f) {
			if err != nil {
				unread(err)
				continue
			}
			if !check.Follows(m) {
				continue
			}
			if m.Source != source {
				source = m.Source
				order[source] = len(order)
				if base = rules.base; base.IsZero() {
					base = baseOf(source)
				}
				ignored = ignoredIn(source, f.Format)
				if ignored.open > 0 {
					c.note("%s: the comment on line %d exempts the links of all the rest, as none ends it", source, ignored.open)
				}
				if rules.saw != nil {
					rules.saw(source)
				}
			}
			link := check.Link{URL: m.URL, Base: base, Place: check.Place{Source: m.Source, Line: m.Line, Col: m.Col, Start: m.Start, End: m.End}}
			if m.Base != "" {
				if b, ok := rules.within(base, m.Base); ok && !anyurl.CanParse(m.Base) {
					link.Base = b
				} else if b, err := anyurl.ParseRef(m.Base, base); err == nil {
					link.Base = b
				}
			}
			if m.Charset != "" {
				link.URL = check.InCharset(m.URL, link.Base, m.Charset)
			}
			if m.Kind != find.URL {
				switch {
				case link.Base.IsZero() && strings.Contains(source, "!/"):
					link.Skip = "what is in such an archive is not looked up"
				case link.Base.IsZero():
					link.Skip = nowhere
					homeless++
				case leaves(link.Base, m.URL):
					link.Skip = "it leads out of the archive"
				case link.Base.Scheme() != "file":
				case m.Kind == find.Relative:
					link.URL = "https:" + link.URL // as it will be where the page is published
				case strings.HasPrefix(m.URL, "/") && rules.root.IsZero():
					link.Skip = rootless
					slashed++
				default:
					if file, ok := rules.within(link.Base, m.URL); ok {
						link.URL, link.Base = file.String(), anyurl.URL{}
					}
				}
			}
			if why := exempt(m, ignored); why != "" {
				link.Skip = why
			}
			if !yield(rules.remap(link)) {
				return
			}
		}
		if slashed > 0 {
			c.note("links that begin with a slash were skipped, %d of them: %s", slashed, rootless)
		}
		if homeless > 0 {
			c.note("relative links that start from nowhere were skipped, %d of them: %s", homeless, nowhere)
		}
	}
}

// leaves reports whether a relative link leads out of the archive that its document
// is a member of.
func leaves(base anyurl.URL, ref string) bool {
	archive, _, member := strings.Cut(base.Path(), "!/")
	if !member || base.Scheme() != "file" {
		return false
	}
	to, err := base.Resolve(ref)
	return err == nil && !strings.HasPrefix(to.Path(), archive+"!/")
}

// nowhere says why a relative link cannot be looked up.
const nowhere = "--base URL says where the document stands"

// rootless says why a link that begins with a slash is skipped.
const rootless = "--root DIR says where the site begins"

// baseOf is what the relative links of a source are relative to: its own file,
// where it has one; standard input has none, nor has a member of an archive that
// is not looked into.
func baseOf(source string) anyurl.URL {
	if source == "-" {
		return anyurl.URL{}
	}
	if _, err := os.Stat(source); err != nil {
		if file, member, ok := strings.Cut(source, "!/"); ok && strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) == member && member != "" {
			base, _ := check.FileURL(file) // one document, compressed: it stands where its file does
			return base
		}
		base, _ := check.MemberURL(source)
		return base
	}
	base, err := check.FileURL(source)
	if err != nil {
		return anyurl.URL{} // a path that no URL can name
	}
	return base
}

// rootOf gives the URL of the folder that links beginning with "/" start from.
func rootOf(dir string) (anyurl.URL, error) {
	if dir == "" {
		return anyurl.URL{}, nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return anyurl.URL{}, unreadable(dir, err)
	}
	u, err := check.FileURL(dir)
	if err != nil {
		return anyurl.URL{}, unreadable(dir, err)
	}
	return u.Join("") // what is relative to a folder needs its slash
}

// isURL reports whether an argument is a URL and no file.
func isURL(arg string) bool {
	if !strings.Contains(arg, ":") {
		return false
	}
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return anyurl.CanParse(arg) || strings.Contains(arg, "://")
}

// opensAt refuses an argument with a scheme that nobody knows: as often as not it
// is a host with a port. A document may hold what it likes.
func opensAt(arg string) error {
	u, err := anyurl.Parse(arg)
	if err != nil || slices.Contains(opens(), u.Scheme()) {
		return nil
	}
	if _, ok := known.Lookup(u.Scheme()); ok {
		return nil
	}
	err = fmt.Errorf("checking %s: nothing here opens %s URLs", arg, u.Scheme())
	if near := closest(u.Scheme(), opens()); near != "" && u.HasHost() {
		return cannot(err, "did you mean "+near+"?")
	}
	return cannot(err, withScheme(arg))
}

// withScheme is a hint for what may be a URL that lacks its scheme, or "".
func withScheme(arg string) string {
	host, _, _ := strings.Cut(arg, "/")
	name, port, hasPort := strings.Cut(host, ":")
	if n, err := strconv.ParseUint(port, 10, 16); hasPort && (err != nil || n == 0) {
		return ""
	}
	h, err := anyurl.ParseHost(name, true)
	if err != nil || !hasPort && !strings.Contains(name, ".") {
		return ""
	}
	scheme := "https"
	switch {
	case h.Kind() == anyurl.HostIPv4 && strings.Count(name, ".") == 3, hasPort:
		scheme = "http"
	case host == arg && format.Of(arg, nil) != "text": // README.md is a host in Moldova, and a file
		return ""
	case !isDomain(name):
		return ""
	}
	return "a URL has a scheme: " + scheme + "://" + arg
}

// isDomain reports whether a name ends in a top-level domain.
func isDomain(name string) bool {
	for m := range find.Text(name, find.Options{Relaxed: true}) {
		return m.Kind <= find.Domain && m.Text == name
	}
	return false
}
