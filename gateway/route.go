package gateway

import (
	"strings"

	"anyurl"
	"anyurl/percent"
	"anyurl/scheme/known"
)

// Address gives the path at which the gateway shows u: "/SCHEME/REST" where that
// comes back as it was through a browser, "/open?url=…" where it would not, as
// for a URL with a dot segment in an opaque path. A fragment stays one. The path
// holds no password; [Route] reads it back.
func Address(u anyurl.URL) string { return address("", u) }

// address is Address for one of the gateway's views of u.
func address(view string, u anyurl.URL) string {
	if u.IsZero() {
		return "/"
	}
	u = withoutPassword(u)
	fragment := ""
	if u.HasFragment() {
		fragment = "#" + u.Fragment()
	}
	plain := u.WithoutFragment()
	prefix := "/"
	if view != "" {
		prefix = "/~" + view + "/"
	}
	if rest, ok := restOf(plain); ok {
		path := prefix + plain.Scheme() + "/" + rest
		if survives(path) {
			if r := Route(path); r.Input == plain.String() && r.View == view {
				return path + fragment
			}
		}
	}
	open := "/open?"
	if view != "" {
		open = "/~" + view + "/open?"
	}
	return open + "url=" + percent.Encode(u.String(), &percent.Component)
}

// withoutPassword is u as a link may show it.
func withoutPassword(u anyurl.URL) anyurl.URL {
	if u.Password() == "" {
		return u
	}
	v, err := u.WithPassword("")
	if err != nil {
		return anyurl.URL{}
	}
	return v
}

// restOf is what follows the scheme in the gateway's path: what stands behind
// "//" where the scheme has an authority, behind the colon where it has none.
func restOf(u anyurl.URL) (string, bool) {
	href := u.String()
	rest := href[len(u.Scheme())+1:]
	if !hasAuthority(u.Scheme()) {
		return rest, true
	}
	return strings.CutPrefix(rest, "//")
}

func hasAuthority(name string) bool {
	s, ok := known.Lookup(name)
	return ok && s.Authority
}

// survives reports whether a path comes out of a browser as it went in: whether
// the URL Standard, which is what browsers read by, leaves it alone.
func survives(path string) bool {
	const origin = "http://gateway.example"
	u, err := anyurl.Parse(origin + path)
	return err == nil && u.String() == origin+path
}

// A Target is what a path of the gateway asks for.
type Target struct {
	// Input is the URL that is meant, not parsed yet; "" if the path is none of
	// a URL's.
	Input string
	// View says how it is to be shown; "" is as a page.
	View string
	// Typed is set where the input came through the address field or from
	// another program and was not written by the gateway.
	Typed bool
}

// Route reads a request's path and query, as they stand in the request line,
// for the URL that they mean: "/SCHEME/REST", "/open?url=…", and both behind a
// view, "/~VIEW".
func Route(target string) (t Target) {
	rest, ok := strings.CutPrefix(target, "/")
	if !ok {
		return Target{}
	}
	if viewed, ok := strings.CutPrefix(rest, "~"); ok {
		if t.View, rest, ok = strings.Cut(viewed, "/"); !ok || t.View == "" {
			return Target{}
		}
	}
	if query, ok := strings.CutPrefix(rest, "open?"); ok {
		t.Input, t.Typed = parameter(query, "url"), true
		return t
	}
	name, rest, ok := strings.Cut(rest, "/")
	if !ok || !isScheme(name) {
		return Target{}
	}
	if hasAuthority(name) {
		rest = "//" + rest
	}
	t.Input = name + ":" + rest
	return t
}

// isScheme reports whether name is a scheme in the spelling of a serialised
// URL: RFC 3986, section 3.1, in lower case.
func isScheme(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return name != ""
}

// parameter gives the first value of that name in a query as forms send it, in
// which "+" is a space; "" if there is none.
func parameter(query, name string) string {
	for pair := range strings.SplitSeq(query, "&") {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return percent.Decode(strings.ReplaceAll(value, "+", " "))
		}
	}
	return ""
}
