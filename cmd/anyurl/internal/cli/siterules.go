package cli

import (
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"anyurl"
	"anyurl/check"
	"anyurl/find"
	"anyurl/find/format"
	"anyurl/internal/walk"
	"anyurl/report"
)

// siteRules say how the links of a site's files are meant.
type siteRules struct {
	base   anyurl.URL // where documents are taken to stand; the zero URL is where they are
	root   anyurl.URL // the folder that links beginning with "/" start from; the zero URL is none
	files  check.Files
	remaps []remap
	saw    func(source string) // is told of each source before its links; nil tells nobody

	written *rewritten // what stands in the documents where a rule put another URL
}

// A remap has another URL checked in the place of those that match.
type remap struct {
	match    *regexp.Regexp
	template string
}

// A rewritten is what stands in the documents, by the URL that is checked in its
// place.
type rewritten struct {
	mu sync.Mutex // one goroutine reads links, others have results
	by map[string][]string
}

// mostWritten is how many spellings are kept of one URL.
const mostWritten = 3

func (w *rewritten) add(url, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by == nil {
		w.by = map[string][]string{}
	}
	if all := w.by[url]; len(all) < mostWritten && !slices.Contains(all, text) {
		w.by[url] = append(all, text)
	}
}

// of gives what stands in the documents for a URL that takes its place, or nil.
func (w *rewritten) of(url string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.by[url])
}

// readRules reads what the flags say.
func readRules(ask checkAsk) (r siteRules, err error) {
	r.written = &rewritten{}
	if r.root, err = rootOf(ask.root); err != nil {
		return r, err
	}
	if ask.base != "" {
		if r.base, err = anyurl.Parse(ask.base); err != nil || r.base.OpaquePath() {
			return r, usage("it is written as in --base https://example.com/docs/", "--base \"%s\" is no URL that links start from", ask.base)
		}
	}
	for _, extension := range ask.extensions {
		if extension = strings.TrimPrefix(extension, "."); extension == "" || strings.ContainsAny(extension, `/\`) {
			return r, usage("it is written as in --fallback-extensions html,htm", "--fallback-extensions: \"%s\" is no extension", extension)
		}
		r.files.Extensions = append(r.files.Extensions, "."+extension)
	}
	for _, name := range ask.index {
		if name == "" || strings.ContainsAny(name, `/\`) {
			return r, usage("it is written as in --index-files index.html,README.md", "--index-files: \"%s\" is no file name", name)
		}
		r.files.Index = append(r.files.Index, name)
	}
	for _, text := range ask.remap {
		pattern, template, ok := strings.Cut(strings.TrimSpace(text), " ")
		if !ok {
			return r, usage(`it is written as in --remap 'https://example\.com/(.*) ./public/$1'`, "--remap \"%s\" has no template", text)
		}
		all, err := compile("--remap", []string{pattern})
		if err != nil {
			return r, err
		}
		template = strings.TrimSpace(template)
		if err := groupsOf(template, all[0]); err != nil {
			return r, err
		}
		r.remaps = append(r.remaps, remap{all[0], template})
	}
	return r, nil
}

// readChoice reads what the flags say of folders and globs.
func readChoice(ask checkAsk) (walk.Choice, error) {
	choice := walk.Choice{Without: ask.without}
	for _, extension := range ask.only {
		if extension = strings.TrimPrefix(extension, "."); extension == "" || strings.ContainsAny(extension, `/\*`) {
			return choice, usage("it is written as in --extensions md,html", "--extensions: \"%s\" is no extension", extension)
		}
		choice.Extensions = append(choice.Extensions, extension)
	}
	if err := choice.Check(); err != nil {
		return choice, usage("it is written as in --exclude-path 'docs/archive/' or '*.tmpl.md'", "--exclude-path: %w", err)
	}
	return choice, nil
}

// groupsOf refuses a template that names a group which its expression does not
// have: Expand puts nothing there, and all links would lead to one place.
func groupsOf(template string, re *regexp.Regexp) error {
	for rest := template; ; {
		_, after, ok := strings.Cut(rest, "$")
		if !ok {
			return nil
		}
		name, braced := after, false
		switch {
		case strings.HasPrefix(after, "$"):
			rest = after[1:]
			continue
		case strings.HasPrefix(after, "{"):
			name, _, braced = strings.Cut(after[1:], "}")
			rest = after[1+len(name):]
		default:
			end := strings.IndexFunc(after, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
			if end >= 0 {
				name = after[:end]
			}
			rest = after[len(name):]
		}
		if name == "" && !braced {
			continue // Expand leaves it out, too, but nobody meant a group
		}
		if n, err := strconv.Atoi(name); err == nil && n <= re.NumSubexp() || err != nil && slices.Contains(re.SubexpNames()[1:], name) {
			continue
		}
		hint := fmt.Sprintf("the expression has %d groups; a dollar sign is written $$", re.NumSubexp())
		if digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]; digits != "" && digits != name {
			hint = "where a letter or an underscore follows, it is written ${" + digits + "}" + name[len(digits):]
		}
		return usage(hint, "--remap: there is no group %s for \"%s\"", name, template)
	}
}

// remap puts another URL in the place of a link's, by the first rule that
// matches it. A template without a scheme is a path.
func (r siteRules) remap(link check.Link) check.Link {
	if len(r.remaps) == 0 || link.Skip != "" {
		return link
	}
	u, err := anyurl.ParseRef(link.URL, link.Base)
	if err != nil {
		return link
	}
	for _, m := range r.remaps {
		at := m.match.FindStringSubmatchIndex(u.String())
		if at == nil {
			continue
		}
		to := string(m.match.ExpandString(nil, m.template, u.String(), at))
		rest := u.String()[at[1]:]
		if at[0] > 0 {
			to = u.String()[:at[0]] + to
		}
		to += rest
		link.Base = anyurl.URL{}
		if !anyurl.CanParse(to) {
			to = fileRef(to)
		}
		link.URL = to
		if v, err := anyurl.Parse(to); err == nil && v != u {
			r.written.add(v.String(), u.String())
		}
		return link
	}
	return link
}

// within resolves a link of a file of the site as a browser resolves one of its
// page: ".." ends at the root. ok is false where the site has no part in it.
func (r siteRules) within(base anyurl.URL, ref string) (_ anyurl.URL, ok bool) {
	if r.root.IsZero() || base.Scheme() != "file" {
		return anyurl.URL{}, false
	}
	place, inside := strings.CutPrefix(base.Path(), r.root.Path()) // the root's ends in "/"
	if !inside && !strings.HasPrefix(ref, "/") {
		return anyurl.URL{}, false
	}
	if !inside {
		place = ""
	}
	page, err := anyurl.MustParse("http://site.invalid/").WithPath("/" + place)
	if err != nil {
		return anyurl.URL{}, false
	}
	to, err := page.Resolve(ref)
	if err != nil || to.Origin() != page.Origin() {
		return anyurl.URL{}, false
	}
	file, err := r.root.WithPath(strings.TrimSuffix(r.root.Path(), "/") + to.Path())
	if err == nil && to.HasQuery() {
		file, err = file.WithQuery(to.Query())
	}
	if err == nil && to.HasFragment() {
		file, err = file.WithFragment(to.Fragment())
	}
	return file, err == nil
}

// fileRef gives the file URL for a path, as links write paths: percent-encoded,
// perhaps with a query and a fragment.
func fileRef(ref string) string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return ref
	}
	base, err := check.FileURL(dir)
	if err != nil {
		return ref
	}
	if base, err = base.Join(""); err != nil {
		return ref
	}
	u, err := base.Resolve(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// exempt says why a match is not to be checked, or "".
func exempt(m format.Match, ignored ignoring) string {
	if ignored.has(m.Start) {
		return "left out by a comment"
	}
	if why := check.Unfilled(m); why != "" {
		return why
	}
	if m.Via != "" || m.Kind != find.URL {
		return ""
	}
	// Text that is no link is an example as often as not: http://<server>/,
	// file:///path/to/it. In a document without markup, nobody can tell what is
	// a link; files of another machine's are told by what stands before them.
	const why = "it stands in the text, and is no link"
	plain := format.Of(path.Base(filepath.ToSlash(m.Source)), nil) == "text"
	switch u, err := anyurl.Parse(m.URL); {
	case err != nil && !plain, err == nil && u.Scheme() == "file" && (!plain || m.Col > 1):
		return why
	}
	return ""
}

// listed reports whether standard input holds URLs, one a line or as --in says,
// instead of a document.
func (c *call) listed(args []string, ask checkAsk) bool {
	return ask.in != "" && (len(args) == 0 || len(args) == 1 && args[0] == "-")
}

// listedLinks gives the URLs of standard input. unread is told of lines that
// hold none.
func (c *call) listedLinks(args []string, ask checkAsk, r siteRules, unread func(error)) iter.Seq[check.Link] {
	return func(yield func(check.Link) bool) {
		for a, err := range c.asked(args, ask.in) {
			if err != nil {
				unread(err)
				continue
			}
			link := check.Link{URL: a.url, Depth: ask.depth, Place: check.Place{Source: "-", Line: a.line, Col: 1}}
			if a.hasBase {
				base, err := anyurl.Parse(a.base)
				if err != nil {
					unread(cannot(fmt.Errorf("line %d of standard input: the base: %w", a.line, err), ""))
					continue
				}
				link.Base = base
			}
			if !yield(r.remap(link)) {
				return
			}
		}
	}
}

// apart refuses a report that would be written over what is checked. Only an
// earlier report may be among that: it is left out.
func (c *call) apart(args []string, output string) error {
	if info, err := os.Stat(output); output == "" || err != nil || !info.Mode().IsRegular() || isReport(output) {
		return nil
	}
	var paths []string
	for _, arg := range args {
		if arg != "-" && !isURL(arg) {
			paths = append(paths, arg)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	for path, err := range c.choice.Files(paths...) {
		if c.ctx.Err() != nil {
			break
		}
		if err == nil && sameFile(path, output) {
			return usage("write it to another place", "-o %s would be written over what is checked", output)
		}
	}
	return nil
}

// isReport reports whether a file is a report of an earlier check.
func isReport(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && report.IsReport(f, info.Size())
}

// writes gives the files that a check writes, which are no sources of it or of the
// next: its report, and what SQLite keeps of its history and its state.
func (ask checkAsk) writes() (files []string) {
	for _, name := range [...]string{ask.watch.history, ask.watch.state} {
		if name != "" && !strings.Contains(name, "://") {
			files = append(files, name, name+"-wal", name+"-shm", name+"-journal")
		}
	}
	if ask.output != "" {
		files = append(files, ask.output)
	}
	return files
}
