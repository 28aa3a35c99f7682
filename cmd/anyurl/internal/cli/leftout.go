package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"anyurl"
	"anyurl/dial"
)

// skip gives the rule for what is not asked.
func (c *call) skip(ask checkAsk) (func(string, anyurl.URL) string, error) {
	include, err := compile("--include", ask.include)
	if err != nil {
		return nil, err
	}
	exclude, err := compile("--exclude", ask.exclude)
	if err != nil {
		return nil, err
	}
	ignored, err := c.readIgnored()
	if err != nil {
		return nil, err
	}
	speaks := map[string]bool{"file": true}
	for _, scheme := range opens() {
		speaks[scheme] = true
	}
	return func(text string, u anyurl.URL) string {
		scheme, _, _ := strings.Cut(text, ":")
		switch {
		case len(ask.schemes) > 0 && !slices.ContainsFunc(ask.schemes, func(s string) bool { return strings.EqualFold(s, scheme) }):
			return "left out by --only-schemes"
		case ask.excludePrivate && isInternal(u):
			return "left out by --exclude-private"
		case len(include) > 0 && !slices.ContainsFunc(include, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by --include"
		case slices.ContainsFunc(exclude, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by --exclude"
		case slices.ContainsFunc(ignored, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by " + ignoreFile
		case u.IsZero():
			return "" // no URL, and none of the rules is about that
		case ask.offline && u.Scheme() != "file":
			return "left out by --offline"
		case u.Scheme() == "mailto" && ask.mail:
			return ""
		case u.Scheme() == "mailto" || u.Scheme() == "mailserver":
			return "nobody is written to"
		case !speaks[u.Scheme()] && misspelt(u) == "":
			return "nothing here opens " + u.Scheme() + " URLs"
		}
		return ""
	}, nil
}

// isInternal reports whether a URL names an internal address, or localhost, itself.
func isInternal(u anyurl.URL) bool {
	if a, ok := u.Host().Addr(); ok {
		return dial.Guard(u.Host().Unbracketed(), netip.AddrPortFrom(a, u.EffectivePort())) != nil
	}
	name := "." + strings.TrimSuffix(u.Host().String(), ".")
	return strings.HasSuffix(name, ".localhost")
}

func compile(flag string, texts []string) (all []*regexp.Regexp, err error) {
	for _, text := range texts {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, usage("regular expressions are RE2's", "%s: %w", flag, err)
		}
		all = append(all, re)
	}
	return all, nil
}

// ignoreFile, in the folder where check is run, holds what --exclude could say:
// a regular expression a line; a line that begins with "#" is a remark.
const ignoreFile = ".anyurlignore"

func (c *call) readIgnored() ([]*regexp.Regexp, error) {
	f, err := c.open(ignoreFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(ignoreFile, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLine))
	if err != nil {
		return nil, unreadable(ignoreFile, err)
	}
	var all []*regexp.Regexp
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		res, err := compile(fmt.Sprintf("%s:%d", ignoreFile, n), []string{line})
		if err != nil {
			return nil, err
		}
		all = append(all, res...)
	}
	return all, nil
}
