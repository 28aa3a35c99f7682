package demo

import (
	"bufio"
	"context"
	"io/fs"
	"net"
	"strings"
	"time"

	"anyurl/internal/ber"
)

// A person is an entry of the directory: its name, and attributes as they stand
// in the file.
type person struct {
	dn         string
	attributes [][2]string
}

// readPeople reads entries that are parted by empty lines, a "name: value" a
// line, as LDIF (RFC 2849) has them where nothing has to be encoded.
func readPeople(root fs.FS) (all []person) {
	text, _ := fs.ReadFile(root, "people.ldif")
	for entry := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		var p person
		for line := range strings.Lines(entry) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			if name == "dn" {
				p.dn = value
				continue
			}
			p.attributes = append(p.attributes, [2]string{name, value})
		}
		all = append(all, p)
	}
	return all
}

// The operations of RFC 4511 and the result codes that are used here.
const (
	ldapBind, ldapBound     = 0, 1
	ldapUnbind              = 2
	ldapSearch              = 3
	ldapEntry, ldapDone     = 4, 5
	ldapExtend, ldapExtends = 23, 24

	ldapSuccess     = 0
	ldapProtocol    = 2
	ldapTooMany     = 4
	ldapNoSuch      = 32
	ldapCredentials = 49
)

// serveLDAP answers for the people in root, as RFC 4511 says: everybody may ask,
// nobody can log in, and nothing changes.
func serveLDAP(ctx context.Context, l net.Listener, root fs.FS) {
	people := readPeople(root)
	accept(ctx, l, func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for {
			conn.SetDeadline(time.Now().Add(patience))
			m, err := ber.Read(r, ber.Limits{Size: 64 << 10, Values: 1 << 12})
			if err != nil || len(m.Parts) < 2 {
				return
			}
			var answers []ber.Value
			switch op := m.Parts[1]; op.Tag {
			case ldapUnbind:
				return
			case ldapBind:
				answers = append(answers, ldapResult(ldapBound, bind(op)))
			case ldapSearch:
				answers = search(people, op)
			case ldapExtend:
				answers = append(answers, ldapResult(ldapExtends, ldapProtocol)) // there is no TLS here
			default:
				return
			}
			var out []byte
			for _, a := range answers {
				out = ber.Of(ber.Universal, ber.TagSequence, m.Parts[0], a).Append(out)
			}
			if _, err := conn.Write(out); err != nil {
				return
			}
		}
	})
}

// bind lets in who says neither a name nor a password.
func bind(op ber.Value) (code int64) {
	if len(op.Parts) < 3 {
		return ldapProtocol
	}
	if op.Parts[1].Text() != "" || len(op.Parts[2].Bytes()) > 0 {
		return ldapCredentials
	}
	return ldapSuccess
}

func ldapResult(tag uint32, code int64) ber.Value {
	empty := ber.String(ber.Universal, ber.TagOctetString, "")
	return ber.Of(ber.Application, tag, ber.Int(ber.Universal, ber.TagEnumerated, code), empty, empty)
}

// search is RFC 4511, section 4.5.
func search(people []person, op ber.Value) (answers []ber.Value) {
	if len(op.Parts) < 8 {
		return []ber.Value{ldapResult(ldapDone, ldapProtocol)}
	}
	base := op.Parts[0].Text()
	scope, _ := op.Parts[1].Int()
	most, _ := op.Parts[3].Int()
	code := int64(ldapNoSuch)
	for _, p := range people {
		if strings.EqualFold(p.dn, base) || base == "" {
			code = ldapSuccess
		}
	}
	for _, p := range people {
		if code != ldapSuccess || !p.within(base, scope) || !p.fits(op.Parts[6], 0) {
			continue
		}
		if most > 0 && int64(len(answers)) == most {
			code = ldapTooMany
			break
		}
		answers = append(answers, p.entry(op.Parts[7]))
	}
	return append(answers, ldapResult(ldapDone, code))
}

// within reports whether an entry is base itself, one step below it, or anywhere
// below it, as the scope says.
func (p person) within(base string, scope int64) bool {
	if strings.EqualFold(p.dn, base) {
		return scope != 1
	}
	switch _, above, _ := strings.Cut(p.dn, ","); scope {
	case 1:
		return strings.EqualFold(above, base)
	case 2:
		return base == "" || strings.HasSuffix(strings.ToLower(p.dn), ","+strings.ToLower(base))
	}
	return false
}

// fits is Filter of RFC 4511, section 4.5.1.7, for what can be compared as text.
func (p person) fits(f ber.Value, depth int) bool {
	if depth > 20 || f.Class != ber.Context {
		return false
	}
	switch f.Tag {
	case 0: // and
		for _, part := range f.Parts {
			if !p.fits(part, depth+1) {
				return false
			}
		}
		return true
	case 1: // or
		for _, part := range f.Parts {
			if p.fits(part, depth+1) {
				return true
			}
		}
		return false
	case 2: // not
		return len(f.Parts) == 1 && !p.fits(f.Parts[0], depth+1)
	case 3: // equal
		return len(f.Parts) == 2 && p.has(f.Parts[0].Text(), func(v string) bool { return strings.EqualFold(v, f.Parts[1].Text()) })
	case 4: // begins with, holds, ends in
		return len(f.Parts) == 2 && p.has(f.Parts[0].Text(), func(v string) bool { return fitsParts(strings.ToLower(v), f.Parts[1].Parts) })
	case 7: // is there
		return p.has(f.Text(), func(string) bool { return true })
	}
	return false
}

func (p person) has(name string, ok func(value string) bool) bool {
	for _, a := range p.attributes {
		if strings.EqualFold(a[0], name) && ok(a[1]) {
			return true
		}
	}
	return false
}

// fitsParts reports whether a value has the parts of a SubstringFilter in it, in
// their order.
func fitsParts(value string, parts []ber.Value) bool {
	for _, part := range parts {
		text := strings.ToLower(part.Text())
		at := strings.Index(value, text)
		if part.Tag == 2 {
			return strings.HasSuffix(value, text)
		}
		if at < 0 || part.Tag == 0 && at > 0 {
			return false
		}
		value = value[at+len(text):]
	}
	return true
}

// entry is SearchResultEntry, with the attributes that were asked for: all where
// none is named.
func (p person) entry(wanted ber.Value) ber.Value {
	octets := func(s string) ber.Value { return ber.String(ber.Universal, ber.TagOctetString, s) }
	attributes := ber.Of(ber.Universal, ber.TagSequence)
	for _, a := range p.attributes {
		asked := len(wanted.Parts) == 0
		for _, w := range wanted.Parts {
			asked = asked || w.Text() == "*" || strings.EqualFold(w.Text(), a[0])
		}
		if asked {
			attributes.Parts = append(attributes.Parts, ber.Of(ber.Universal, ber.TagSequence, octets(a[0]), ber.Of(ber.Universal, ber.TagSet, octets(a[1]))))
		}
	}
	return ber.Of(ber.Application, ldapEntry, octets(p.dn), attributes)
}
