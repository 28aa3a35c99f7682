package rfc1630

import (
	"strings"

	"anyurl/rule"
)

// Resolve reads a partial form in the context of another URI, or a whole URI,
// which stands for itself (section "Partial (relative) form"):
//
//   - A form that starts with a scheme is whole.
//   - One that starts with slashes takes from the context everything up to the
//     first run of exactly as many. (The rule as printed also asks that no longer
//     run follows; the printed examples deny that. Where there is no such run,
//     only the scheme is taken.)
//   - Any other takes the place of what follows the rightmost slash of the
//     context's path; then "xxx/../" and "/." are removed, where xxx, ".." and "."
//     are complete path elements. What follows "//" at the start, a host in every
//     scheme that has one, is no such xxx.
//   - One with no path, but a search or a fragment identifier or nothing, keeps
//     the context's path.
//
// The error is a *[rule.Error]. Its input is the partial form, or, where the
// scheme's grammar does not take what came out, that.
func Resolve(context URI, form string) (URI, error) {
	if n := schemeLen(form); n > 0 && n < len(form) && form[n] == ':' {
		return Parse(form)
	}
	p := parser{s: form}
	if p.i = partial.Scan(p.s, 0); !p.end(&rulePath) {
		return URI{}, &rule.Error{Input: form, Offset: p.i, Rule: *p.bad}
	}
	if _, _, ok := context.Span(Scheme); !ok {
		return URI{}, &rule.Error{Input: context.s, Rule: ruleScheme}
	}
	_, scheme, _ := context.Span(Scheme)
	whole, _, _ := strings.Cut(context.s, "#")
	base, _, _ := strings.Cut(whole, "?") // without its search
	scheme++                              // behind the colon
	end := strings.IndexAny(form, "?#")
	if end < 0 {
		end = len(form)
	}
	name, tail := form[:end], form[end:]
	switch n := leadingSlashes(name); {
	case name == "" && strings.HasPrefix(tail, "?"):
		return Parse(base + tail)
	case name == "":
		return Parse(whole + tail)
	case n > 0:
		return Parse(base[:scheme+runOf(base[scheme:], n)] + form)
	default:
		base = base[:max(scheme, strings.LastIndexByte(base, '/')+1)]
		return Parse(base[:scheme] + removeDots(base[scheme:]+name) + tail)
	}
}

func leadingSlashes(s string) int { return len(s) - len(strings.TrimLeft(s, "/")) }

// runOf is the offset of the first run of exactly n slashes in s, or 0.
func runOf(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if run := leadingSlashes(s[i:]); run == n {
			return i
		} else if run > 0 {
			i += run - 1
		}
	}
	return 0
}

// removeDots removes "xxx/../" and "/." from a path, where xxx, ".." and "." are
// complete path elements and xxx is not "..". The element behind "//" at the
// start stays.
func removeDots(path string) string {
	kept := 0
	if strings.HasPrefix(path, "//") {
		if kept = strings.IndexByte(path[2:], '/') + 2; kept < 2 {
			return path
		}
	}
	elements := strings.Split(path[kept:], "/")
	floor := 1 // a void first element is the slash that starts the path
	if kept == 0 && elements[0] != "" {
		floor = 0
	}
	out := elements[:0:0]
	for i, e := range elements {
		switch {
		case e == "." && i > 0: // "/."
		case e == ".." && i < len(elements)-1 && len(out) > floor && out[len(out)-1] != "..":
			out = out[:len(out)-1] // "xxx/../"
		default:
			out = append(out, e)
		}
	}
	return path[:kept] + strings.Join(out, "/")
}
