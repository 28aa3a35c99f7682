package audit

import (
	"anyurl"
	"anyurl/internal/idn"
	"anyurl/internal/quote"
)

// Shown gives a URL as a person may be shown it: the host by the IDN display
// rules, in Unicode where that misleads nobody and in Punycode when in doubt,
// the password hidden, and nothing that a terminal would obey. It is no URL to
// work with; that is u.String().
func Shown(u anyurl.URL) string {
	s := u.String()
	if host := u.Host(); host.Kind() == anyurl.HostDomain {
		if shown, _ := idn.Display(host.String()); shown != "" && shown != host.String() {
			p := pass{in: s, url: u}
			p.split()
			if p.host.ok {
				s = s[:p.host.start] + shown + s[p.host.end:]
			}
		}
	}
	return quote.Text(quote.Mask(s))
}
