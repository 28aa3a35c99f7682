package main

import (
	"errors"
	"regexp"
	"strings"
	"unicode"

	"anyurl"
	"anyurl/percent"
	"anyurl/rule"
)

// A class is a kind of difference that is understood, with what decides it.
type class struct {
	name    string
	against string // the peers that it is about
	why     string
	cite    string
	is      func(in input, ours, theirs reading) bool
}

var known = []class{
	{
		name: "caret", against: "nlnwa node",
		why:  "the path percent-encode set holds ^ today",
		cite: "URL Standard, percent-encoded bytes",
		is: func(_ input, ours, theirs reading) bool {
			return ours.OK && theirs.OK && fold(ours, caret) == fold(theirs, caret)
		},
	},
	{
		name: "space before ? or #", against: "nlnwa node",
		why:  "the last space of an opaque path is encoded when a query or a fragment follows",
		cite: "URL Standard, opaque path state, step 3",
		is: func(_ input, ours, theirs reading) bool {
			return ours.OK && theirs.OK && fold(ours, caret, lastSpace) == fold(theirs, caret, lastSpace)
		},
	},
	{
		name: "relative to an opaque path", against: "node",
		why:  "a base with an opaque path takes a fragment alone",
		cite: "URL Standard, no scheme state, step 1",
		is: func(in input, ours, theirs reading) bool {
			return !ours.OK && theirs.OK && opaque.MatchString(in.Base)
		},
	},
	{
		name: "dots", against: "node",
		why:  "ada 2.9 leaves a dot segment, or shortens a path wrongly, behind an empty or a dotted segment and at the root",
		cite: "URL Standard, path state, steps 1.2 and 1.3",
		is: func(in input, ours, theirs reading) bool {
			path := ours.Path
			ours.Path, ours.Href, theirs.Path, theirs.Href = "", "", "", ""
			return ours.OK && ours == theirs && !dotted.MatchString(path) && dotted.MatchString(tabs.Replace(in.URL+" "+in.Base))
		},
	},
	{
		name: "empty query of the base", against: "node",
		why:  "an empty reference, or a fragment alone, keeps the base's query, also an empty one",
		cite: "URL Standard, relative state, step 4",
		is: func(in input, ours, theirs reading) bool {
			our, fragment, _ := strings.Cut(ours.Href, "#")
			their, theirFragment, _ := strings.Cut(theirs.Href, "#")
			return ours.OK && theirs.OK && fragment == theirFragment && strings.HasSuffix(our, "?") && strings.TrimSuffix(our, "?") == their
		},
	},
	{
		name: "sign in a number", against: "nlnwa",
		why:  `"+" and "-" are no digits, so the host does not end in a number`,
		cite: "URL Standard, ends in a number checker, steps 4 and 5",
		is: func(in input, ours, theirs reading) bool {
			return (ours.OK != theirs.OK || ours.Hostname != theirs.Hostname) && signed.MatchString(tabs.Replace(in.URL+" "+in.Base))
		},
	},
	{
		name: "number above 64 bits", against: "nlnwa",
		why:  "a label that begins with many digits and goes on otherwise is no number",
		cite: "URL Standard, ends in a number checker, steps 4 and 5",
		is: func(in input, ours, theirs reading) bool {
			return ours.OK && !theirs.OK && manyDigits.MatchString(tabs.Replace(in.URL+" "+in.Base))
		},
	},
	{
		name: "bracket in an IPv6 address", against: "nlnwa",
		why:  `"[" and "]" are no hexadecimal digits`,
		cite: "URL Standard, IPv6 parser, step 6.7",
		is: func(in input, ours, theirs reading) bool {
			return !ours.OK && theirs.OK && brackets.MatchString(in.URL+" "+in.Base)
		},
	},
	{
		name: "not a drive letter", against: "node",
		why:  `"C:b" is no Windows drive letter, so it is shortened away`,
		cite: "URL Standard, shorten a url's path, step 3",
		is: func(in input, ours, theirs reading) bool {
			return ours.OK && theirs.OK && strings.HasPrefix(ours.Href, "file:") && driveLike.MatchString(theirs.Path)
		},
	},
	{
		name: "ASCII domain", against: "nlnwa node",
		why:  "a domain in ASCII is put in lower case and not refused by ToASCII",
		cite: "URL Standard, domain parser, step 4",
		is: func(in input, ours, theirs reading) bool {
			return ours.OK && (!theirs.OK || ours.Hostname != theirs.Hostname) && strings.Contains(strings.ToLower(tabs.Replace(in.URL+in.Base)), "xn--")
		},
	},
	{
		name: "long Punycode", against: "nlnwa node whatwg-url",
		why:  "a label of more than 2,000 bytes behind xn--, or of more than 1,000 code points to be encoded, is refused: a limit of ours",
		cite: "Infra Standard, section 3.2",
		is:   func(in input, ours, theirs reading) bool { return !ours.OK && theirs.OK && limited(in) },
	},
	{
		name: "newer Unicode", against: "nlnwa node",
		why:  "the tables of UTS 46 are those of another version",
		cite: "UTS 46, revision 35, section 5",
		is: func(in input, ours, theirs reading) bool {
			return (ours.OK != theirs.OK || ours.Hostname != theirs.Hostname) && notASCII(percent.Decode(in.URL+in.Base))
		},
	},
	{
		name: "credentials above U+FFFF", against: "whatwg-url",
		why:  "the peer counts UTF-16 code units where the standard counts code points",
		cite: "URL Standard, authority state, step 2.2",
		is: func(in input, ours, theirs reading) bool {
			return ours.OK && theirs.OK && ours.Username+ours.Password != theirs.Username+theirs.Password && astral(in.URL+in.Base)
		},
	},
}

var (
	opaque     = regexp.MustCompile(`(?s)^[\x00- ]*[A-Za-z][A-Za-z0-9+.\-\t\r\n]*:([^/]|$)`)
	dotted     = regexp.MustCompile(`(?i)(^|[/\\\\:])(\.|%2e){1,2}([/\\\\?#\x00- ]|$)`)
	brackets   = regexp.MustCompile(`\[[^/?#\\\\]*\[|\][^/?#\\\\]*\]`)
	manyDigits = regexp.MustCompile(`[0-9]{19}|0[xX][0-9A-Fa-f]{16}`)
	driveLike  = regexp.MustCompile(`^/[A-Za-z]:[^/]`)
	tabs       = strings.NewReplacer("\t", "", "\n", "", "\r", "")
	signed     = regexp.MustCompile(`[+-][0-9]|0[xX][+-]`)
)

func fold(r reading, with ...func(string) string) reading {
	for _, f := range with {
		r.Href, r.Path = f(r.Href), f(r.Path)
	}
	return r
}

func caret(s string) string { return strings.ReplaceAll(s, "%5E", "^") }

// lastSpace leaves out spaces, encoded or not, that end a path.
func lastSpace(s string) string {
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	path := s[:end]
	for strings.HasSuffix(path, " ") || strings.HasSuffix(path, "%20") {
		path = strings.TrimSuffix(strings.TrimSuffix(path, " "), "%20")
	}
	return path + s[end:]
}

// limited reports whether one of our own limits is what refuses in.
func limited(in input) bool {
	_, err := parse(in)
	broken, ok := errors.AsType[*rule.Error](err)
	return ok && broken.Rule == anyurl.PunycodeTooLong
}

func notASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) >= 0
}

func astral(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > 0xffff }) >= 0 }

// explain gives the name of the class that a difference belongs to, or "".
func explain(against string, in input, ours, theirs reading) string {
	for _, k := range known {
		if strings.Contains(" "+k.against+" ", " "+against+" ") && k.is(in, ours, theirs) {
			return k.name
		}
	}
	return ""
}
