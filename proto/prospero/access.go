package prospero

import (
	"strconv"
	"strings"

	"anyurl"
	afsurl "anyurl/scheme/afs"
	fileurl "anyurl/scheme/file"
	ftpurl "anyurl/scheme/ftp"
	gopherurl "anyurl/scheme/gopher"
	nfsurl "anyurl/scheme/nfs"
	prosperourl "anyurl/scheme/prospero"
	telneturl "anyurl/scheme/telnet"
)

// contents is the access method of objects that the directory server has
// itself.
const contents = "PROSPERO-CONTENTS"

// A Method is how an object is to be had: the value of its attribute
// ACCESS-METHOD.
type Method struct {
	Name   string // "AFTP", "GOPHER", "PROSPERO-CONTENTS" …
	Object Object
	More   []string // what else the method wants: "BINARY", a file system
}

// Methods gives the access methods among attributes, in the server's order.
func Methods(attributes []Attribute) (methods []Method) {
	for _, a := range attributes {
		if a.Name != "ACCESS-METHOD" || a.Kind != "SEQUENCE" || len(a.Values) == 0 {
			continue
		}
		m := Method{Name: a.Values[0]}
		rest := append(a.Values[1:len(a.Values):len(a.Values)], make([]string, 4)...)
		m.Object = Object{rest[0], rest[1], rest[2], rest[3]}
		if len(a.Values) > 5 {
			m.More = a.Values[5:]
		}
		methods = append(methods, m)
	}
	return methods
}

// more gives the n-th of what else a method wants, from 0; "" if it is not
// there.
func (m Method) more(n int) string {
	if n < len(m.More) {
		return m.More[n]
	}
	return ""
}

// hostPort takes "a.example(1525)" apart; port is the given one where there is
// none.
func hostPort(s string, port uint16) (anyurl.Host, uint16, bool) {
	name, rest, has := strings.Cut(s, "(")
	if has {
		digits, ok := strings.CutSuffix(rest, ")")
		n, err := strconv.ParseUint(digits, 10, 16)
		if !ok || err != nil || n == 0 {
			return anyurl.Host{}, 0, false
		}
		port = uint16(n)
	}
	h, err := anyurl.ParseHost(strings.ToLower(name), false)
	if err != nil || h.Kind() == anyurl.HostEmpty || h.Kind() == anyurl.HostNone {
		return anyurl.Host{}, 0, false
	}
	return h, port, true
}

// URL is the object as a prospero URL.
func (o Object) URL(version uint64) (anyurl.URL, bool) {
	h, port, ok := hostPort(o.Host, prosperourl.Port)
	if !ok {
		return anyurl.URL{}, false
	}
	ref := prosperourl.Ref{Host: h, Port: port, Name: o.Name, Version: version}
	return back(ref.URL(), func(u anyurl.URL) bool {
		r, err := prosperourl.Read(u)
		return err == nil && r.Name == o.Name && r.Version == version
	})
}

// back gives u if it reads as what it was made of: what a server says may be
// what no URL of the scheme can hold.
func back(u anyurl.URL, same func(anyurl.URL) bool) (anyurl.URL, bool) {
	if u.IsZero() || !same(u) {
		return anyurl.URL{}, false
	}
	return u, true
}

// URL is the method as a URL of its own protocol. Of is the object it belongs
// to, which stands for what the method leaves empty. Ok is false for methods
// that have no URL.
func (m Method) URL(of Object) (u anyurl.URL, ok bool) {
	o := m.Object
	if o.Host == "" {
		o.Host, _, _ = strings.Cut(of.Host, "(") // the port is the directory server's
	}
	if o.Name == "" {
		o.Name = of.Name
	}
	switch m.Name {
	case "AFTP", "FTP":
		return m.ftp(o)
	case "GOPHER":
		h, port, ok := hostPort(o.Host, gopherurl.Port)
		typ := m.more(0)
		if typ == "" && o.Name != "" {
			typ = o.Name[:1] // a selector begins with the type, by custom
		}
		if !ok || len(typ) != 1 {
			return anyurl.URL{}, false
		}
		ref := gopherurl.Ref{Host: h, Port: port, Type: gopherurl.Type(typ[0]), Selector: o.Name}
		return back(ref.URL(), func(u anyurl.URL) bool {
			r, err := gopherurl.Read(u)
			return err == nil && r.Selector == o.Name && r.Type == ref.Type
		})
	case "NFS":
		h, port, ok := hostPort(o.Host, nfsurl.Port)
		if !ok {
			return anyurl.URL{}, false
		}
		parts := segments(m.more(0) + "/" + o.Name)
		ref := nfsurl.Ref{Host: h, Port: port, Absolute: true, Parts: parts, Dir: len(parts) == 0}
		return back(ref.URL(), func(u anyurl.URL) bool {
			r, err := nfsurl.Read(u)
			return err == nil && r.Path() == ref.Path()
		})
	case "AFS":
		path := strings.TrimPrefix(o.Name, "/afs/")
		cell, rest, _ := strings.Cut(path, "/")
		ref := afsurl.Ref{Cell: strings.ToLower(cell), Parts: segments(rest)}
		ref.Dir = len(ref.Parts) == 0
		return back(ref.URL(), func(u anyurl.URL) bool {
			r, err := afsurl.Read(u)
			return err == nil && r.Path() == ref.Path()
		})
	case "TELNET":
		h, port, ok := hostPort(o.Host, 23)
		if !ok {
			return anyurl.URL{}, false
		}
		return (telneturl.Ref{Scheme: "telnet", Host: h, Port: port}).URL(), true
	case "LOCAL":
		ref := fileurl.Ref{Parts: segments(o.Name)}
		return back(ref.URL(), func(u anyurl.URL) bool {
			_, err := fileurl.Read(u)
			return err == nil && len(ref.Parts) > 0 && strings.HasPrefix(o.Name, "/")
		})
	}
	return anyurl.URL{}, false
}

// ftp is the method FTP, whose path is the machine's, or AFTP, whose path is
// that of the anonymous user.
func (m Method) ftp(o Object) (anyurl.URL, bool) {
	h, port, ok := hostPort(o.Host, ftpurl.Port)
	parts := segments(o.Name)
	if !ok || len(parts) == 0 {
		return anyurl.URL{}, false
	}
	ref := ftpurl.Ref{Host: h, Port: port, Type: ftpurl.Image}
	if strings.EqualFold(m.more(0), "TEXT") {
		ref.Type = ftpurl.ASCII
	}
	if m.Name == "FTP" && strings.HasPrefix(o.Name, "/") {
		parts[0] = "/" + parts[0]
	}
	ref.Dirs, ref.Name = parts[:len(parts)-1], parts[len(parts)-1]
	return back(ref.URL(), func(u anyurl.URL) bool {
		r, err := ftpurl.Read(u)
		return err == nil && r.Name == ref.Name && strings.Join(r.Dirs, "\x00") == strings.Join(ref.Dirs, "\x00")
	})
}

// segments takes a path apart at its slashes, empty parts left out.
func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
