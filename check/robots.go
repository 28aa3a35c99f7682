package check

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

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
	delay    time.Duration // between two requests; 0: it says nothing of that
	failed   string        // why it could not be read, which keeps us from all of the site
	by       string        // the page for which it was asked first
}

// allow reports whether a site lets us follow the links of a page, or why it does
// not. With its first page it gives the sitemaps that it names.
func (r *run) allow(ctx context.Context, client Fetcher, t *target, u anyurl.URL) (sitemaps []Link, refused string) {
	if r.checker.NoRobots || !isWeb(u) {
		return nil, ""
	}
	said, isNew := r.robots.of(ctx, client, t, u)
	if said.by == t.text {
		sitemaps = said.sitemaps
	}
	if isNew && said.delay > 0 {
		r.pace.slow(HostOf(u), min(said.delay, mostDelay))
		says := fmt.Sprintf("robots.txt asks for %s between two requests, which are left", said.delay)
		if said.delay > mostDelay {
			says = fmt.Sprintf("robots.txt asks for %s between two requests; %s are left", said.delay, mostDelay)
		}
		r.note(t, u, says)
	}
	path := u.Path()
	if u.HasQuery() {
		path += "?" + u.Query()
	}
	switch {
	case said.failed != "":
		return sitemaps, "robots.txt could not be read, which keeps us from all of the site: " + said.failed
	case !allowed(said.rules, path):
		return sitemaps, "robots.txt keeps us from that"
	}
	return sitemaps, ""
}

// mostDelay is the most that a robots.txt may have us leave between two requests.
const mostDelay = 10 * time.Second

// of gives what a site's robots.txt says, and whether it was asked for just now.
func (r *robots) of(ctx context.Context, client Fetcher, t *target, u anyurl.URL) (said siteRobots, isNew bool) {
	site := u.Scheme() + "://" + u.HostPort()
	r.mu.Lock()
	if r.sites == nil || len(r.sites) >= maxSites {
		r.sites = map[string]*once[siteRobots]{}
	}
	rules := r.sites[site]
	isNew = rules == nil
	if isNew {
		rules = newOnce[siteRobots]()
		r.sites[site] = rules
	}
	r.mu.Unlock()
	return rules.get(ctx, isNew, func() siteRobots {
		said := askRobots(ctx, client, site)
		said.by = t.text
		return said
	}), isNew
}

// askRobots gets a site's rules. RFC 9309, section 2.3.1: a site without a
// robots.txt allows all, one that fails allows nothing.
func askRobots(ctx context.Context, client Fetcher, site string) (none siteRobots) {
	u, err := anyurl.Parse(site + "/robots.txt")
	if err != nil {
		return none
	}
	result, err := client.Do(ctx, &fetch.Request{URL: u})
	if err != nil {
		return siteRobots{failed: reasonOf(err)}
	}
	defer finish("GET", result.Body)
	switch {
	case result.Status >= 500:
		return siteRobots{failed: httpWords(result.Status)}
	case result.Status >= 400:
		return none
	}
	data, err := io.ReadAll(io.LimitReader(result.Body, maxRobots))
	if err != nil {
		return siteRobots{failed: reasonOf(err)}
	}
	said := readRobots(string(data))
	said.sitemaps = sitemapsIn(string(data), result.URL)
	return said
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
// everybody where none does: RFC 9309, section 2.2.1. Crawl-delay is none of its
// rules, but an old custom: seconds between two requests.
func readRobots(text string) siteRobots {
	var ours, everybodys siteRobots
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
				ours.rules = append(ours.rules, rule)
			}
			if forAll {
				everybodys.rules = append(everybodys.rules, rule)
			}
		case "crawl-delay":
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || !(seconds > 0) {
				continue
			}
			inRules = true
			delay := time.Duration(min(seconds, 1e6) * float64(time.Second)).Round(time.Millisecond)
			if forUs {
				ours.delay = max(ours.delay, delay)
			}
			if forAll {
				everybodys.delay = max(everybodys.delay, delay)
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
