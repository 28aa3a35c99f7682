package rfc3986

import (
	"strings"

	"anyurl/rule"
)

// Resolve gives the target of ref where base is the base URI (section 5.2,
// strict: a reference with a scheme is taken as it is). The result's path has
// no "." and ".." segments. The error, a *[rule.Error] with the base as its
// input, says that the base has no scheme.
func Resolve(base, ref URI) (URI, error) { return resolve(base, ref, true) }

// ResolveNonStrict is [Resolve] for references from before RFC 1808 was heeded:
// one that repeats the base's scheme is read as if it had none, so "http:g"
// means "g" (section 5.2.2, "if not strict"). Schemes are compared without
// regard to case.
func ResolveNonStrict(base, ref URI) (URI, error) { return resolve(base, ref, false) }

// components is the five parts of section 5.3, each as text, and whether it is
// there.
type components struct {
	scheme, authority, path, query, fragment string

	hasAuthority, hasQuery, hasFragment bool
}

func (u URI) components() components {
	return components{
		scheme: u.Scheme(), authority: u.Authority(), path: u.Path(), query: u.Query(), fragment: u.Fragment(),
		hasAuthority: u.HasAuthority(), hasQuery: u.HasQuery(), hasFragment: u.HasFragment(),
	}
}

// resolve is the pseudocode of section 5.2.2.
func resolve(base, ref URI, strict bool) (URI, error) {
	if !base.IsAbsolute() {
		return fail(base.s, 0, &ruleBase)
	}
	r, b := ref.components(), base.components()

	// if ((not strict) and (R.scheme == Base.scheme)) then undefine(R.scheme)
	if !strict && strings.EqualFold(r.scheme, b.scheme) {
		r.scheme = ""
	}
	t := r
	switch {
	case r.scheme != "":
		t.path = removeDotSegments(r.path)
	case r.hasAuthority:
		t.scheme = b.scheme
		t.path = removeDotSegments(r.path)
	default:
		t.scheme, t.authority, t.hasAuthority = b.scheme, b.authority, b.hasAuthority
		switch {
		case r.path == "":
			t.path = b.path
			if !r.hasQuery {
				t.query, t.hasQuery = b.query, b.hasQuery
			}
		case r.path[0] == '/':
			t.path = removeDotSegments(r.path)
		default:
			t.path = removeDotSegments(merge(b, r.path))
		}
	}
	return t.recompose(base.IsIRI() || ref.IsIRI())
}

// merge is section 5.2.3.
func merge(base components, path string) string {
	if base.hasAuthority && base.path == "" {
		return "/" + path
	}
	return base.path[:strings.LastIndexByte(base.path, '/')+1] + path
}

// removeDotSegments is section 5.2.4, with the input buffer as the rest of
// path, and no copy where there is nothing to remove. Each step names the
// letter that the section gives it.
func removeDotSegments(path string) string {
	if !hasDotSegment(path) {
		return path
	}
	out := make([]byte, 0, len(path))
	in := path
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[3:]
		case strings.HasPrefix(in, "./"): // A
			in = in[2:]
		case strings.HasPrefix(in, "/./"): // B
			in = in[2:]
		case in == "/.": // B
			in = "/"
		case strings.HasPrefix(in, "/../"): // C
			in = in[3:]
			out = withoutLast(out)
		case in == "/..": // C
			in = "/"
			out = withoutLast(out)
		case in == "." || in == "..": // D
			in = ""
		default: // E
			n := strings.IndexByte(in[1:], '/') + 1
			if n == 0 {
				n = len(in)
			}
			out = append(out, in[:n]...)
			in = in[n:]
		}
	}
	return string(out)
}

// withoutLast removes the last segment and the slash before it.
func withoutLast(out []byte) []byte {
	for len(out) > 0 {
		out = out[:len(out)-1]
		if c := out[:len(out)+1][len(out)]; c == '/' {
			break
		}
	}
	return out
}

// hasDotSegment reports whether any segment of path is "." or "..".
func hasDotSegment(path string) bool {
	start := 0
	for i := 0; i <= len(path); i++ {
		if i == len(path) || path[i] == '/' {
			if n := i - start; (n == 1 || n == 2) && path[start] == '.' && path[i-1] == '.' {
				return true
			}
			start = i + 1
		}
	}
	return false
}

// recompose is section 5.3, and more: section 3.3 says that a path without an
// authority does not start with "//", nor the path of a relative reference
// with a segment that holds ":", but resolution and normalization can make
// such paths. They get "/." or "./" in front, which resolves to nothing, so
// that the text read back has the same parts and never another host.
func (c components) recompose(iri bool) (URI, error) {
	var b strings.Builder
	b.Grow(len(c.scheme) + len(c.authority) + len(c.path) + len(c.query) + len(c.fragment) + 7)
	if c.scheme != "" {
		b.WriteString(c.scheme)
		b.WriteByte(':')
	}
	if c.hasAuthority {
		b.WriteString("//")
		b.WriteString(c.authority)
	} else if strings.HasPrefix(c.path, "//") {
		b.WriteString("/.")
	} else if c.scheme == "" && segmentNCEnd(c.path) {
		b.WriteString("./")
	}
	b.WriteString(c.path)
	if c.hasQuery {
		b.WriteByte('?')
		b.WriteString(c.query)
	}
	if c.hasFragment {
		b.WriteByte('#')
		b.WriteString(c.fragment)
	}
	return parse(b.String(), false, iri)
}

// segmentNCEnd reports whether the first segment of a path holds a colon.
func segmentNCEnd(path string) bool {
	i := strings.IndexAny(path, ":/")
	return i >= 0 && path[i] == ':'
}

// Relative gives a reference that leads from base to target: resolving it
// against base gives target again, octet by octet. It is as short as the
// places allow: a fragment, a query, a path relative to the base's, an
// absolute path, an authority, or target itself.
//
// There is no such reference where base or target have no scheme, or where the
// path of target holds "." or ".." segments, which resolution removes; then
// the error is a *[rule.Error].
func Relative(base, target URI) (URI, error) {
	if !base.IsAbsolute() {
		return fail(base.s, 0, &ruleBase)
	}
	if !target.IsAbsolute() {
		return fail(target.s, noScheme(target.s), &ruleScheme)
	}
	b, t := base.components(), target.components()
	iri := base.IsIRI() || target.IsIRI()

	var tries [5]components
	n := 0
	if b.scheme == t.scheme {
		r := t
		r.scheme = ""
		if b.authority == t.authority && b.hasAuthority == t.hasAuthority {
			r.authority, r.hasAuthority = "", false
			if b.path == t.path {
				same := r
				same.path = ""
				if b.hasQuery == t.hasQuery && b.query == t.query {
					same.query, same.hasQuery = "", false
				}
				tries[n] = same
				n++
			}
			rel := r
			rel.path = relativePath(b, t.path)
			tries[n] = rel
			tries[n+1] = r
			n += 2
		}
		r.authority, r.hasAuthority = t.authority, t.hasAuthority
		tries[n] = r
		n++
	}
	tries[n] = t
	for _, c := range tries[:n+1] {
		ref, err := c.recompose(iri)
		if err != nil {
			continue
		}
		if got, err := Resolve(base, ref); err == nil && got.s == target.s {
			return ref, nil
		}
	}
	start, _, _ := target.Span(PartPath)
	return URI{}, &rule.Error{Input: target.s, Offset: start, Rule: ruleDots}
}

// relativePath climbs from the folder of the base's path to what it has in
// common with path, and descends from there. It need not be right for every
// pair: Relative tries it.
func relativePath(base components, path string) string {
	from := base.path
	if from == "" && base.hasAuthority {
		from = "/"
	}
	dir := from[:strings.LastIndexByte(from, '/')+1]
	common := 0
	for i := 0; i < len(dir) && i < len(path) && dir[i] == path[i]; i++ {
		if dir[i] == '/' {
			common = i + 1
		}
	}
	up := strings.Count(dir[common:], "/")
	rest := path[common:]
	if up == 0 && (rest == "" || rest[0] == '/' || segmentNCEnd(rest)) {
		return "./" + rest
	}
	return strings.Repeat("../", up) + rest
}
