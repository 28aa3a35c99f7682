package builtin

import (
	"maps"
	"slices"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/http"
)

// proxied gives the transports that ask the proxies that o names.
func proxied(d *dial.Dialer, o Options) map[string]fetch.Transport {
	m := straight(d, o)
	tunnels := map[dial.Proxy]map[string]fetch.Transport{}
	forwards := map[dial.Proxy]*http.Forward{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		p, ok := o.Proxy(name)
		switch {
		case !ok || local[name]:
		case p.Kind != "http" && p.Kind != "https", tunnelled[name]:
			if tunnels[p] == nil {
				through := *d
				through.Proxy = func(host string, port uint16) (dial.Proxy, bool) { return p, !o.NoProxy.Has(host, port) }
				tunnels[p] = straight(&through, o)
			}
			m[name] = tunnels[p][name]
		default:
			if forwards[p] == nil {
				forwards[p] = http.NewForward(d, p)
			}
			m[name] = &fetch.ByHost{Hosts: o.NoProxy, For: m[name], Else: forwards[p]}
		}
	}
	return m
}

// local are the schemes whose objects are on this machine or in the URL.
var local = map[string]bool{"file": true, "data": true, "afs": true}

// tunnelled are the schemes for which an HTTP proxy is asked for a connection:
// those in which TLS, or SSH, reaches from end to end, those that hold a
// session, and those about the user's own mail.
var tunnelled = map[string]bool{
	"https": true, "ftps": true, "gophers": true, "snews": true, "nntps": true, "gemini": true, "titan": true, "wss": true, "ldaps": true, "ldap": true,
	"sftp": true, "ssh": true, "ws": true, "telnet": true, "telnets": true, "tn3270": true, "rlogin": true,
	"mailto": true, "mailserver": true, "mid": true, "cid": true, "imap": true, "imaps": true,
}
