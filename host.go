package anyurl

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"

	"anyurl/internal/domain"
	"anyurl/percent"
	"anyurl/rule"
)

// A HostKind says what a host is.
type HostKind uint8

const (
	HostNone   HostKind = iota // no host, as in "mailto:a@b.example"
	HostEmpty                  // the empty host, as in "file:///etc/motd"
	HostDomain                 // a domain of a special URL, in ASCII
	HostIPv4                   // an IPv4 address of a special URL
	HostIPv6                   // an IPv6 address, in brackets
	HostOpaque                 // any other host of a URL that is not special
)

// String gives "none", "empty", "domain", "ipv4", "ipv6" or "opaque".
func (k HostKind) String() string {
	switch k {
	case HostNone:
		return "none"
	case HostEmpty:
		return "empty"
	case HostDomain:
		return "domain"
	case HostIPv4:
		return "ipv4"
	case HostIPv6:
		return "ipv6"
	case HostOpaque:
		return "opaque"
	}
	return "unknown"
}

// A Host is the host of a URL, without a port. Hosts are compared with ==. The
// zero Host is no host.
type Host struct {
	text string
	kind HostKind
}

// ParseHost reads a host as the URL Standard's host parser does: as a domain or
// an address in a special URL, otherwise as an opaque host or an IPv6 address.
// A special URL's host may not be empty. Its error is a *[rule.Error].
func ParseHost(s string, special bool) (Host, error) {
	if len(s) > MaxLen {
		return Host{}, tooLong(s)
	}
	in, exact := cleanText(s)
	m := machine{src: s, in: in, exact: exact}
	var err *rule.Error
	var room [roomy]byte
	out := room[:0]
	if special && in == "" {
		err = m.fail(HostMissing, 0)
	} else {
		if special {
			m.url.special = schemeHTTP
		}
		out, err = m.host(out, 0, len(in), !special)
	}
	if err != nil {
		err.Input = s
		return Host{}, err
	}
	if string(out) == in {
		return Host{in, m.url.kind}, nil
	}
	return Host{string(out), m.url.kind}, nil
}

// String gives the host as it stands in a URL: "ex.example", "127.0.0.1",
// "[::1]" or an opaque text.
func (h Host) String() string { return h.text }

// MarshalText gives what [Host.String] gives, so that a host is a string in JSON.
func (h Host) MarshalText() ([]byte, error) { return []byte(h.text), nil }

// Kind says what the host is.
func (h Host) Kind() HostKind { return h.kind }

// IsZero reports whether h is no host.
func (h Host) IsZero() bool { return h.kind == HostNone }

// Addr gives the address of a host that is one.
func (h Host) Addr() (addr netip.Addr, ok bool) {
	if h.kind != HostIPv4 && h.kind != HostIPv6 {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(h.Unbracketed())
	return addr, err == nil
}

// Unbracketed gives "::1" for the host [::1], and String for any other.
func (h Host) Unbracketed() string {
	if h.kind == HostIPv6 {
		return h.text[1 : len(h.text)-1]
	}
	return h.text
}

// Unicode gives a domain with its "xn--" labels decoded, as the standard's
// "domain to Unicode" does, and String for any other host. It is for people to
// read; it may look like another host.
func (h Host) Unicode() string {
	if h.kind == HostDomain {
		shown, _ := domain.ToUnicode(h.text)
		return shown
	}
	return h.text
}

// host is the host parser (URL Standard, host parsing): it appends the host
// that in[from:to] is.
func (m *machine) host(out []byte, from, to int, isOpaque bool) ([]byte, *rule.Error) {
	input := m.in[from:to]
	// 1. If input starts with "[":
	if strings.HasPrefix(input, "[") {
		// 1.1. If input does not end with "]", IPv6-unclosed validation error,
		//      return failure.
		if !strings.HasSuffix(input, "]") {
			return out, m.fail(IPv6Unclosed, from)
		}
		address, err := m.ipv6(from+1, to-1)
		if err != nil {
			return out, err
		}
		out = append(out, '[')
		out = appendIPv6(out, address)
		out = append(out, ']')
		m.endHost(out, HostIPv6)
		return out, nil
	}
	// 2. If isOpaque is true, then return the result of opaque-host parsing input.
	if isOpaque {
		return m.opaqueHost(out, from, to)
	}
	start := len(out)
	// 4.–8. Nearly every domain is lower case, ASCII and free of escapes. It is
	//       its own result then, unless it ends in a number.
	out, plain, err := m.plainDomain(out, from, to)
	if !plain && err == nil {
		out, err = m.domain(out, from, to)
	}
	if err != nil {
		return out, err
	}
	// 9. If asciiDomain ends in a number, then return the result of IPv4
	//    parsing asciiDomain.
	if asciiDomain := out[start:]; mayEndInNumber(asciiDomain) && endsInNumber(asciiDomain) {
		address, err := m.ipv4(asciiDomain, from, to)
		if err != nil {
			return out, err
		}
		out = appendIPv4(out[:start], address)
		m.endHost(out, HostIPv4)
		return out, nil
	}
	// 10. Return asciiDomain.
	m.endHost(out, HostDomain)
	return out, nil
}

// plainDomain is the domain parser for an ASCII domain without escapes: "when
// beStrict is false and domain is an ASCII string", the result is domain,
// lowercased. It reports whether that is what in[from:to] was; if not, it
// appends nothing.
func (m *machine) plainDomain(out []byte, from, to int) (result []byte, plain bool, err *rule.Error) {
	input := m.in[from:to]
	var classes domainClass
	for i := range len(input) {
		classes |= domainClasses[input[i]]
	}
	switch {
	case classes&domainMapped != 0:
		// The domain parser, 6., has to see what becomes of it first: also a
		// forbidden code point can vanish, as "<" and U+0338 compose to U+226E.
		return out, false, nil
	case classes&domainForbidden != 0:
		i := from
		for !forbiddenDomain[m.in[i]] {
			i++
		}
		return out, false, m.fail(DomainToASCII, i)
	}
	start := len(out)
	out = appendLower(out, input)
	if i := domain.TooLong(out[start:]); i >= 0 {
		return out, false, m.fail(PunycodeTooLong, from+i)
	}
	if m.report != nil {
		m.tellStrict(strings.ToLower(input), from, to)
	}
	return out, true, nil
}

// A domainClass tells what bytes of a domain ask for.
type domainClass uint8

const (
	domainForbidden domainClass = 1 << iota // a forbidden domain code point other than "%"
	domainMapped                            // "%" or not ASCII
)

var domainClasses = func() (t [256]domainClass) {
	for i := range t {
		switch {
		case i == '%' || i >= 0x80:
			t[i] = domainMapped
		case forbiddenDomain[i]:
			t[i] = domainForbidden
		}
	}
	return t
}()

// domain appends the result of steps 4 to 8 of the host parser, for a domain
// that has escapes or is not ASCII.
func (m *machine) domain(out []byte, from, to int) ([]byte, *rule.Error) {
	input := m.in[from:to]
	// 4. If input contains a percent-encoded byte, domain-percent-encoded
	//    validation error.
	for i := from; i < to && m.report != nil; i++ {
		if _, ok := percent.At(m.in[:to], i); ok {
			m.tell(DomainPercentEncoded, i)
			break
		}
	}
	// 5. Let domain be the result of running UTF-8 decode without BOM on the
	//    percent-decoding of input.
	decoded := input
	if strings.IndexByte(input, '%') >= 0 {
		decoded = percent.Decode(input)
	}
	// 6., 7. Let asciiDomain be the result of running the domain parser with
	//        domain and false. If it is failure, then return failure.
	out, err := domain.AppendASCII(out, decoded, false)
	if err != nil {
		r, i := m.domainError(err, from, to)
		return out, m.fail(r, i)
	}
	if m.report != nil {
		m.tellStrict(decoded, from, to)
	}
	return out, nil
}

// tellStrict reports a domain that the strict ToASCII refuses (domain parser,
// step 2). Name is in[from:to] without its escapes.
func (m *machine) tellStrict(name string, from, to int) {
	if _, err := domain.ToASCII(name, true); err != nil {
		r, i := m.domainError(err, from, to)
		m.tell(r, i)
	}
}

// domainError gives the rule that the domain parser says was broken, and the
// place in m.in: its offset counts each escape in in[from:to] as one byte.
func (m *machine) domainError(err error, from, to int) (rule.Rule, int) {
	broken, ok := errors.AsType[*rule.Error](err)
	if !ok {
		return DomainToASCII, from
	}
	if broken.Rule.ID == domain.PunycodeLength.ID {
		broken.Rule = PunycodeTooLong
	}
	i := from
	for range broken.Offset {
		if _, ok := percent.At(m.in[:to], i); ok {
			i += 2
		}
		i++
	}
	return broken.Rule, i
}

// opaqueHost is the opaque-host parser (URL Standard, host parsing).
func (m *machine) opaqueHost(out []byte, from, to int) ([]byte, *rule.Error) {
	// 1. If input contains a forbidden host code point, host-invalid-code-point
	//    validation error, return failure.
	for i := from; i < to; i++ {
		if forbiddenHost[m.in[i]] {
			return out, m.fail(HostInvalidCodePoint, i)
		}
	}
	// 2., 3. URL units; 4. UTF-8 percent-encode with the C0 control
	// percent-encode set.
	out = m.encode(out, from, to, &percent.C0Control)
	if from == to {
		m.endHost(out, HostEmpty)
	} else {
		m.endHost(out, HostOpaque)
	}
	return out, nil
}

// forbiddenHost holds the forbidden host code points (host miscellaneous).
var forbiddenHost = func() (set percent.Set) {
	for _, c := range []byte("\x00\t\n\r #/:<>?@[\\]^|") {
		set[c] = true
	}
	return set
}()

// forbiddenDomain holds the forbidden domain code points: forbidden host code
// points, C0 controls, "%" and U+007F.
var forbiddenDomain = func() (set percent.Set) {
	set = forbiddenHost
	for c := range 0x20 {
		set[c] = true
	}
	set['%'] = true
	set[0x7f] = true
	return set
}()

// endsInNumber is the ends in a number checker (URL Standard, host parsing).
func endsInNumber(input []byte) bool {
	// 2. If the last item in parts is the empty string, then remove it.
	input = bytes.TrimSuffix(input, []byte("."))
	last := input[bytes.LastIndexByte(input, '.')+1:]
	// 4. If last is not the empty string and contains only ASCII digits, then
	//    return true.
	if len(last) == 0 || !isDigit(last[0]) {
		return false
	}
	digits := 0
	for digits < len(last) && isDigit(last[digits]) {
		digits++
	}
	if digits == len(last) {
		return true
	}
	// 5. If parsing last as an IPv4 number does not return failure, then return
	//    true: "0x", followed by zero or more ASCII hex digits.
	_, _, ok := ipv4Number(last)
	return ok
}
