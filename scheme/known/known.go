// Package known lists every scheme that anyurl knows: those that a room reads,
// those that are described here, and all that IANA has registered. Start with
// [Lookup], or with [Schemes] for the list.
//
// "Known" is not "read", and "read" is not "opened": the first is a line in the
// list, the second a Read that is not nil, the third is package builtin's.
package known

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"anyurl/internal/iana"
	"anyurl/rule"
	"anyurl/scheme"
	"anyurl/scheme/about"
	"anyurl/scheme/afs"
	"anyurl/scheme/blob"
	"anyurl/scheme/data"
	"anyurl/scheme/dict"
	"anyurl/scheme/file"
	"anyurl/scheme/finger"
	"anyurl/scheme/ftp"
	"anyurl/scheme/gemini"
	"anyurl/scheme/geo"
	"anyurl/scheme/git"
	"anyurl/scheme/gopher"
	"anyurl/scheme/http"
	"anyurl/scheme/irc"
	"anyurl/scheme/javascript"
	"anyurl/scheme/ldap"
	"anyurl/scheme/magnet"
	"anyurl/scheme/mailserver"
	"anyurl/scheme/mailto"
	"anyurl/scheme/mid"
	"anyurl/scheme/nest"
	"anyurl/scheme/news"
	"anyurl/scheme/nfs"
	"anyurl/scheme/prospero"
	"anyurl/scheme/spartan"
	"anyurl/scheme/ssh"
	"anyurl/scheme/svn"
	"anyurl/scheme/tel"
	"anyurl/scheme/telnet"
	"anyurl/scheme/tftp"
	"anyurl/scheme/urn"
	"anyurl/scheme/wais"
	"anyurl/scheme/ws"
	"anyurl/scheme/z3950"
)

// A room is what each package below scheme gives.
type room struct {
	schemes func() []scheme.Scheme
	rules   func() []rule.Rule
}

// rooms is the list of those packages.
func rooms() []room {
	return []room{
		{about.Schemes, noRules},
		{afs.Schemes, afs.Rules},
		{blob.Schemes, blob.Rules},
		{data.Schemes, data.Rules},
		{dict.Schemes, dict.Rules},
		{file.Schemes, file.Rules},
		{finger.Schemes, finger.Rules},
		{ftp.Schemes, ftp.Rules},
		{gemini.Schemes, gemini.Rules},
		{geo.Schemes, geo.Rules},
		{git.Schemes, git.Rules},
		{gopher.Schemes, gopher.Rules},
		{http.Schemes, noRules},
		{irc.Schemes, irc.Rules},
		{javascript.Schemes, noRules},
		{ldap.Schemes, ldap.Rules},
		{magnet.Schemes, magnet.Rules},
		{mailserver.Schemes, mailserver.Rules},
		{mailto.Schemes, mailto.Rules},
		{mid.Schemes, mid.Rules},
		{nest.Schemes, nest.Rules},
		{news.Schemes, news.Rules},
		{nfs.Schemes, nfs.Rules},
		{prospero.Schemes, prospero.Rules},
		{spartan.Schemes, noRules},
		{ssh.Schemes, ssh.Rules},
		{svn.Schemes, svn.Rules},
		{tel.Schemes, tel.Rules},
		{telnet.Schemes, telnet.Rules},
		{tftp.Schemes, tftp.Rules},
		{urn.Schemes, urn.Rules},
		{wais.Schemes, wais.Rules},
		{ws.Schemes, ws.Rules},
		{z3950.Schemes, z3950.Rules},
	}
}

func noRules() []rule.Rule { return nil }

// Schemes gives every known scheme, sorted by name. The slice is the caller's.
func Schemes() []scheme.Scheme { return slices.Clone(all()) }

// Lookup gives a scheme by its name, in any case and without the colon. A name
// that begins with "x-" and is not registered is experimental and known as such
// (RFC 1738, section 4).
func Lookup(name string) (scheme.Scheme, bool) {
	name = strings.ToLower(name)
	i, ok := index()[name]
	switch {
	case ok:
		return all()[i], true
	case strings.HasPrefix(name, "x-") && isName(name):
		return scheme.Scheme{
			Name: name, Family: "x-", Status: "unregistered",
			Defined: "RFC 1738, section 4",
			Says:    "An experimental scheme: names that begin with \"x-\" are for whoever agrees on them, and nobody registers them.",
			Syntax:  "x-name:...",
		}, true
	}
	return scheme.Scheme{}, false
}

// isName is RFC 3986, section 3.1: scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return s != ""
}

// Rules lists the rules that the rooms uphold.
func Rules() []rule.Rule {
	list := scheme.Rules()
	for _, r := range rooms() {
		list = append(list, r.rules()...)
	}
	return list
}

// all is the list, made once: it is a function of this build alone.
var all = sync.OnceValue(func() []scheme.Scheme {
	var list []scheme.Scheme
	have := map[string]bool{}
	add := func(s scheme.Scheme) {
		if !have[s.Name] {
			have[s.Name] = true
			list = append(list, s)
		}
	}
	for _, r := range rooms() {
		for _, s := range r.schemes() {
			add(s)
		}
	}
	for _, s := range described() {
		add(s)
	}
	for _, e := range iana.Schemes() {
		add(registered(e))
	}
	slices.SortFunc(list, func(a, b scheme.Scheme) int { return cmp.Compare(a.Name, b.Name) })
	return list
})

// index tells where in the list a name stands.
var index = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(all()))
	for i, s := range all() {
		m[s.Name] = i
	}
	return m
})

// registered makes a scheme of what the registry says of it, and no more.
func registered(e iana.Entry) scheme.Scheme {
	s := scheme.Scheme{
		Name:    e.Name,
		Family:  e.Name,
		Status:  e.Status,
		Defined: e.Reference,
		Says:    e.Says,
	}
	if s.Defined == "" {
		s.Defined = "IANA's registry, " + e.Template
	}
	switch {
	case s.Says == "":
		s.Says = "Registered with IANA; the registration is all that is known of it here."
	default:
		s.Says = strings.TrimSuffix(s.Says, ".") + "."
	}
	if e.Obsolete {
		s.Says += " The registry marks it as obsolete."
	}
	return s
}
