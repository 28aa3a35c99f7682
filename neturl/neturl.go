// Package neturl converts between [anyurl.URL] and [net/url.URL], for code that
// already speaks net/url: [To] and [From].
//
// Neither of them hands a string to net/url's parser. A *url.URL is built from
// our parts, and one that comes in is read by the URL Standard; so both sides of
// the border mean the same host.
package neturl

import (
	"net/url"
	"strings"

	"anyurl"
	"anyurl/percent"
	"anyurl/rule"
)

// Differs is broken by a URL that net/url can only write in another way.
var Differs = rule.Rule{
	ID:      "neturl/differs",
	Cite:    "net/url, URL.String",
	Says:    "net/url has no value that is written like this URL",
	Fix:     "hand the URL on as a string",
	Example: "http://ex.example/a|b",
}

// Rules lists the rule that this package upholds.
func Rules() []rule.Rule { return []rule.Rule{Differs} }

// To gives the *url.URL with u's parts. Its String is u's, octet for octet, or
// else the error is one for [Differs] and the value the closest that net/url has:
// it insists on writing "|" as "%7C", say. The zero URL gives the zero url.URL.
func To(u anyurl.URL) (*url.URL, error) {
	v := &url.URL{
		Scheme:      u.Scheme(),
		RawQuery:    u.Query(),
		ForceQuery:  u.HasQuery() && u.Query() == "",
		Fragment:    percent.Decode(u.Fragment()),
		RawFragment: u.Fragment(),
	}
	switch {
	case u.OpaquePath():
		v.Opaque = u.Path()
	case u.HasHost():
		v.Host = u.HostPort()
		v.Path = percent.Decode(u.Path())
		v.RawPath = u.Path()
	case !u.IsZero():
		v.OmitHost = true
		v.Path = percent.Decode(u.Path())
		v.RawPath = u.Path()
		if strings.HasPrefix(u.Path(), "//") {
			// "/." keeps the path from being read as a host; net/url writes it
			// only as part of the path.
			v.Path, v.RawPath = "/."+v.Path, "/."+v.RawPath
		}
	}
	if u.HasUserinfo() {
		name := percent.Decode(u.Username())
		if u.Password() == "" {
			v.User = url.User(name)
		} else {
			v.User = url.UserPassword(name, percent.Decode(u.Password()))
		}
	}
	if v.String() != u.String() {
		return v, &rule.Error{Input: u.String(), Offset: 0, Rule: Differs}
	}
	return v, nil
}

// From reads what v writes, by the URL Standard. A relative v is resolved
// against base; the zero base is none. The error is a *[rule.Error] with an
// offset into v.String().
func From(v *url.URL, base anyurl.URL) (anyurl.URL, error) {
	return anyurl.ParseRef(v.String(), base)
}
