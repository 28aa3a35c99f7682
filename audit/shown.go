package audit

import (
	"strings"
	"unicode/utf8"

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

// ShownText is [Shown] for a string that may be a URL: what does not parse is
// shown as it stands, made safe.
func ShownText(s string) string {
	ascii := !strings.Contains(s, "xn--")
	for i := 0; ascii && i < len(s); i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if !ascii {
		if u, err := anyurl.Parse(s); err == nil {
			return Shown(u)
		}
	}
	return quote.Text(quote.Mask(s))
}
