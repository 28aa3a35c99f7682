package check

import (
	"context"
	"io"
	"strings"
	"sync"

	"anyurl"
	"anyurl/fetch"
)

// robotName is how robots.txt may call us.
const robotName = "anyurl"

// maxRobots is how much of a robots.txt is read: RFC 9309, section 2.5, asks
// for half a mebibyte at least.
const maxRobots = 512 << 10

// maxSites is how many sites' rules are kept; behind that, all are asked for
// anew.
const maxSites = 1 << 12

// robots are the rules of each site, asked for once.
type robots struct {
	mu    sync.Mutex
	sites map[string]*once[siteRobots]
}

// A siteRobots is what a site's robots.txt says.
type siteRobots struct {
	rules    []robotRule
	sitemaps []Link
}

// allow reports whether a site lets us follow the links of a page, and gives the
// sitemaps that it names.
func (r *robots) allow(ctx context.Context, client Fetcher, u anyurl.URL) (bool, []Link) {
	if u.Scheme() != "http" && u.Scheme() != "https" {
		return true, nil
	}
	site := u.Scheme() + "://" + u.HostPort()
	r.mu.Lock()
	if r.sites == nil || len(r.sites) >= maxSites {
		r.sites = map[string]*once[siteRobots]{}
	}
	rules := r.sites[site]
	isNew := rules == nil
	if isNew {
		rules = newOnce[siteRobots]()
		r.sites[site] = rules
	}
	r.mu.Unlock()
	path := u.Path()
	if u.HasQuery() {
		path += "?" + u.Query()
	}
	said := rules.get(ctx, isNew, func() siteRobots { return askRobots(ctx, client, site) })
	return allowed(said.rules, path), said.sitemaps
}

// askRobots gets a site's rules. RFC 9309, section 2.3.1: a site without a
// robots.txt allows all, one that fails allows nothing.
func askRobots(ctx context.Context, client Fetcher, site string) (none siteRobots) {
	nothing := siteRobots{rules: []robotRule{{path: "/"}}}
	u, err := anyurl.Parse(site + "/robots.txt")
	if err != nil {
		return none
	}
	result, err := client.Do(ctx, &fetch.Request{URL: u})
	if err != nil {
		return nothing
	}
	defer finish("GET", result.Body)
	switch {
	case result.Status >= 500:
		return nothing
	case result.Status >= 400:
		return none
	}
	data, err := io.ReadAll(io.LimitReader(result.Body, maxRobots))
	if err != nil {
		return nothing
	}
	return siteRobots{rules: readRobots(string(data)), sitemaps: sitemapsIn(string(data), result.URL)}
}

// mostSitemaps bounds how many sitemaps a robots.txt may name.
const mostSitemaps = 1000

// sitemapsIn takes the lines that name sitemaps (sitemaps.org, "Specifying the
// Sitemap location in your robots.txt file"): they belong to no group.
func sitemapsIn(text string, u anyurl.URL) (all []Link) {
	n, start := 0, 0
	for line := range strings.Lines(text) {
		n++
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "\ufeff"), ":")
		value, _, _ = strings.Cut(value, "#")
		if at := strings.TrimSpace(value); ok && strings.EqualFold(strings.TrimSpace(key), "sitemap") && at != "" && len(all) < mostSitemaps {
			col := strings.LastIndex(line, at)
			all = append(all, Link{URL: at, Base: u, Place: Place{Source: u.Redacted(), Line: n, Col: col + 1, Start: start + col, End: start + col + len(at)}})
		}
		start += len(line)
	}
	return all
}

// A robotRule is one line that allows or disallows paths.
type robotRule struct {
	path  string // with "*" for anything and "$" for the end
	allow bool
}

// readRobots takes the rules of the groups that name us, or of those for
// everybody where none does: RFC 9309, section 2.2.1.
func readRobots(text string) []robotRule {
	var ours, everybodys []robotRule
	var forUs, forAll, named, inRules bool
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch key = strings.ToLower(strings.TrimSpace(key)); key {
		case "user-agent":
			if inRules {
				forUs, forAll, inRules = false, false, false
			}
			if value == "*" {
				forAll = true
			} else if product, _, _ := strings.Cut(value, "/"); strings.EqualFold(product, robotName) {
				forUs, named = true, true
			}
		case "allow", "disallow":
			inRules = true
			if value == "" {
				continue // "Disallow:" disallows nothing
			}
			rule := robotRule{value, key == "allow"}
			if forUs {
				ours = append(ours, rule)
			}
			if forAll {
				everybodys = append(everybodys, rule)
			}
		}
	}
	if named {
		return ours
	}
	return everybodys
}

// allowed applies the rule with the longest path that matches; of equals, the
// one that allows: RFC 9309, section 2.2.2.
func allowed(rules []robotRule, path string) bool {
	best, may := -1, true
	for _, r := range rules {
		if n := len(r.path); (n > best || n == best && r.allow) && matches(r.path, path) {
			best, may = n, r.allow
		}
	}
	return may || path == "/robots.txt"
}

// matches reports whether a pattern fits the beginning of a path.
func matches(pattern, path string) bool {
	pattern, end := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, pieces[0]) {
		return false
	}
	path = path[len(pieces[0]):]
	for i, piece := range pieces[1:] {
		if end && i == len(pieces)-2 {
			return strings.HasSuffix(path, piece)
		}
		at := strings.Index(path, piece)
		if at < 0 {
			return false
		}
		path = path[at+len(piece):]
	}
	return !end || path == ""
}
