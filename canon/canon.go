// Package canon writes URLs in forms that are made to be compared: lines that
// sort by site, and one line for the many spellings of a page.
//
// Start with [SURT] and [Dedupe]. Both lose something on purpose: they give
// keys, and a key is not for opening. What only undoes spelling, and loses
// nothing, is [anyurl.Parse] itself, or package rfc3986's Normalize.
package canon

import (
	"slices"
	"strings"

	"anyurl"
	"anyurl/percent"
)

// SURT is the Sort-friendly URI Reordering Transform of a URL in the form that
// web archives keep as "urlkey": the labels of the host from the last to the
// first with commas between, the port where it is not the scheme's own, ")",
// and the path and query, so that the pages of a site and of its subdomains
// stand together when sorted:
//
//	https://www.Shop.example:8080/b/?z=1&a=2#top    example,shop:8080)/b?a=2&z=1
//
// All is in lower case; a first label "www", or "www" and digits, is left out,
// and so are the scheme, user name, fragment, and the slash that ends a path;
// the query's parameters are sorted. An address stays in its order. A URL
// without a host comes back as it is, without its fragment.
func SURT(u anyurl.URL) string {
	host := u.Host()
	if !u.HasHost() || host.String() == "" {
		return u.WithoutFragment().String()
	}
	var b strings.Builder
	if _, isAddr := host.Addr(); isAddr {
		b.WriteString(host.String())
	} else {
		labels := strings.Split(strings.ToLower(strings.TrimSuffix(host.String(), ".")), ".")
		if len(labels) > 1 && isWWW(labels[0]) {
			labels = labels[1:]
		}
		slices.Reverse(labels)
		b.WriteString(strings.Join(labels, ","))
	}
	if u.HasPort() {
		b.WriteString(strings.TrimPrefix(u.HostPort(), host.String()))
	}
	b.WriteByte(')')
	path := strings.ToLower(unescaped(u.Path()))
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	if path == "" {
		path = "/"
	}
	b.WriteString(path)
	if query := sorted(strings.ToLower(unescaped(u.Query())), nil); query != "" {
		b.WriteByte('?')
		b.WriteString(query)
	}
	return b.String()
}

// isWWW tells labels that name a web server and no site: www, www2, www13.
func isWWW(label string) bool {
	digits, ok := strings.CutPrefix(strings.ToLower(label), "www")
	return ok && strings.Trim(digits, "0123456789") == ""
}

// Dedupe gives one URL for those spellings of a page that differ in nothing
// that a server is likely to see: escapes of unreserved characters are undone
// and the others written alike; the root dot of the host, an empty query, and
// the fragment go, unless it routes within the page as "#!" and "#/" do. For
// http and https the query's parameters are sorted by name, those of one name
// in their order, and without those that follow a click and not a page
// ([Tracking]).
//
// What may lead to two pages stays two: "www", http and https, a slash at the
// end, letter case in a path, doubled slashes, "index.html".
//
// The error is a *rule.Error, for a host or query that the URL Standard does
// not take back; none has been seen.
func Dedupe(u anyurl.URL) (anyurl.URL, error) {
	if f := u.Fragment(); !strings.HasPrefix(f, "!") && !strings.HasPrefix(f, "/") {
		u = u.WithoutFragment()
	}
	if u.OpaquePath() {
		return u, nil
	}
	var err error
	if host, ok := strings.CutSuffix(u.Host().String(), "."); ok && host != "" && !strings.HasSuffix(host, ".") && u.Host().Kind() == anyurl.HostDomain {
		if u, err = u.WithHostname(host); err != nil {
			return anyurl.URL{}, err
		}
	}
	if path := unescaped(u.Path()); path != u.Path() {
		if u, err = u.WithPath(path); err != nil {
			return anyurl.URL{}, err
		}
	}
	query := unescaped(u.Query())
	if u.Scheme() == "http" || u.Scheme() == "https" {
		query = sorted(query, tracks)
	}
	switch {
	case query == "":
		return u.WithoutQuery(), nil
	case query != u.Query():
		return u.WithQuery("?" + query)
	}
	return u, nil
}

// sorted sorts the parameters of a query by name and leaves out those whose
// name without marks, and empty ones.
func sorted(query string, without func(name string) bool) string {
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		if pair != "" && (without == nil || !without(name(pair))) {
			pairs = append(pairs, pair)
		}
	}
	slices.SortStableFunc(pairs, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	return strings.Join(pairs, "&")
}

func name(pair string) string {
	n, _, _ := strings.Cut(pair, "=")
	return n
}

// Tracking lists the parameters that [Dedupe] leaves out; "*" at the end of a
// name stands for any rest.
func Tracking() []string {
	return []string{
		"utm_*",                                                      // Urchin, and everybody since
		"gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", // Google
		"fbclid", "igshid", "igsh", // Meta
		"msclkid",                                // Microsoft
		"yclid", "ysclid", "_openstat", "ymclid", // Yandex
		"twclid", "ttclid", "li_fat_id", "epik", "rdt_cid", "sccid", // networks
		"mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_anon_id", "oly_enc_id", "wickedid", // mailings
	}
}

func tracks(name string) bool {
	name = strings.ToLower(percent.Decode(name))
	for _, t := range Tracking() {
		if prefix, ok := strings.CutSuffix(t, "*"); name == t || ok && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// unescaped undoes the escapes of unreserved characters and writes the digits
// of all others in upper case (RFC 3986, sections 6.2.2.1 and 6.2.2.2).
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, ok := percent.At(s, i)
		switch {
		case !ok:
			out = append(out, s[i])
			continue
		case percent.Unreserved.Has(c):
			out = percent.AppendByte(out, c)
		default:
			out = append(out, c)
		}
		i += 2
	}
	return string(out)
}
