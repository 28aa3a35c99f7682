package anyurl

import (
	"strings"

	"anyurl/rule"
)

// A record is the standard's URL record (URL representation), for the setters,
// which change one field and serialise the whole again.
type record struct {
	scheme             string
	special            schemeType
	username, password string
	host               Host
	port               uint16
	hasPort            bool
	path               string // a list serialised, or opaque
	opaque             bool
	query, fragment    string
	hasQuery           bool // query is not null
	hasFragment        bool // fragment is not null
}

func (u URL) record() record {
	return record{
		scheme: u.Scheme(), special: u.special,
		username: u.Username(), password: u.Password(),
		host: u.Host(), port: u.port, hasPort: u.HasPort(),
		path: u.Path(), opaque: u.OpaquePath(),
		query: u.Query(), hasQuery: u.HasQuery(),
		fragment: u.Fragment(), hasFragment: u.HasFragment(),
	}
}

// serialize is the URL serializer (URL Standard, URL serializing). Its error is
// TooLong, with an offset into value, which the caller has set.
func (r record) serialize(value string) (URL, error) {
	length := len(r.scheme) + len("://:@:65535/.?#") + len(r.username) + len(r.password) +
		len(r.host.text) + len(r.path) + len(r.query) + len(r.fragment)
	if length > MaxLen {
		return URL{}, &rule.Error{Input: value, Offset: len(value), Rule: TooLong}
	}
	var out strings.Builder
	out.Grow(length)
	at := func() uint32 { return uint32(out.Len()) }
	u := URL{parts: parts{special: r.special, kind: r.host.kind}}
	// 1. Let output be url's scheme and ":" concatenated.
	out.WriteString(r.scheme)
	u.scheme = at()
	out.WriteByte(':')
	u.user, u.host = at(), at()
	// 2. If url's host is non-null:
	if r.host.kind != HostNone {
		out.WriteString("//")
		u.user = at()
		// 2.2. If url includes credentials, then:
		if r.username != "" || r.password != "" {
			out.WriteString(r.username)
			u.user = at()
			if r.password != "" {
				out.WriteByte(':')
				out.WriteString(r.password)
			}
			out.WriteByte('@')
		}
		u.host = at()
		out.WriteString(r.host.text)
	}
	u.hostEnd = at()
	// 2.4. If url's port is non-null, append ":" followed by url's port.
	if r.hasPort {
		u.port = r.port
		var port [6]byte
		out.Write(appendDecimal(append(port[:0], ':'), uint32(r.port)))
	}
	// 3. If url's host is null, url does not have an opaque path, url's path's
	//    size is greater than 1, and url's path[0] is the empty string, then
	//    append "/.".
	if r.host.kind == HostNone && !r.opaque && strings.HasPrefix(r.path, "//") {
		out.WriteString("/.")
	}
	// 4. Append the result of URL path serializing url.
	u.path = at()
	out.WriteString(r.path)
	u.pathEnd = at()
	// 5. If url's query is non-null, append "?", followed by url's query.
	if r.hasQuery {
		out.WriteByte('?')
		out.WriteString(r.query)
	}
	u.queryEnd = at()
	// 6. If url's fragment is non-null, append "#", followed by url's fragment.
	if r.hasFragment {
		out.WriteByte('#')
		out.WriteString(r.fragment)
	}
	u.href = out.String()
	return u, nil
}
