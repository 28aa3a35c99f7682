// Package tel reads tel and sms URLs as RFC 3966 and RFC 5724 say: telephone
// numbers to call or to write to. Start with [Read], or with [ReadSMS].
package tel

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// A Number is a telephone number with its parameters.
type Number struct {
	// Digits are without visual separators: "+12015550123", or in a local
	// number also "*", "#" and "A" to "F".
	Digits string `json:"digits"`
	// Global is set for a number of the whole world, which begins with "+".
	Global bool `json:"global,omitempty"`
	// Extension is to be dialled behind the number ("ext"), without separators.
	Extension string `json:"ext,omitempty"`
	// Subaddress is the ISDN subaddress ("isub"), decoded.
	Subaddress string `json:"isub,omitempty"`
	// Context says where a local number is one ("phone-context"): a domain or
	// the beginning of a global number. RFC 3966 demands it, and hardly anyone
	// writes it.
	Context string `json:"context,omitempty"`
	// Params are the other parameters, names in lower case, values decoded.
	Params []Param `json:"params,omitempty"`
}

// A Param is a ";name=value".
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Ref is what a tel URL points at.
type Ref struct {
	Number
}

// SMS is what an sms URL describes: a short message that is yet to be sent.
type SMS struct {
	Numbers []Number `json:"numbers"`
	// Body is the message, decoded, when HasBody is set.
	Body    string `json:"body,omitempty"`
	HasBody bool   `json:"hasBody,omitempty"`
	// Fields are other fields behind the "?", decoded.
	Fields []Param `json:"fields,omitempty"`
}

var (
	// BadNumber is broken by what is no telephone number.
	BadNumber = rule.Rule{
		ID:      "tel/number",
		Cite:    "RFC 3966, section 3",
		Says:    `a number is "+" and digits, or a local one of digits, "*", "#" and A to F, with "-", ".", "(" and ")" between them as one likes`,
		Fix:     `write the number with its country's code, "+1-201-555-0123"; "%23" for "#"`,
		Example: "tel:call-me",
	}
	// BadParam is broken by a parameter that is none, or that stands twice.
	BadParam = rule.Rule{
		ID:      "tel/parameter",
		Cite:    "RFC 3966, section 3",
		Says:    `a parameter is ";", a name of letters, digits and "-", and for most "=" and a value, each once`,
		Fix:     "leave it out or write it once",
		Example: "tel:+12015550123;ext=1;ext=2",
	}
	// Control is broken by a control character in a short message's fields.
	Control = rule.Rule{
		ID:      "tel/control",
		Cite:    "RFC 5724, sections 2.2 and 4",
		Says:    "a NUL has no place in a short message",
		Fix:     "take it out",
		Example: "sms:+15105550101?body=hi%00",
	}
)

// Rules lists the rules that a tel or sms URL can break here.
func Rules() []rule.Rule { return []rule.Rule{BadNumber, BadParam, Control} }

var (
	separators = abnf.Bytes("-.()")
	local      = abnf.Digit.Or(abnf.Range('A', 'F'), abnf.Range('a', 'f'), abnf.Bytes("*#"))
	paramName  = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-"))
	nul        = abnf.Bytes("\x00")
	// escape leaves RFC 3966's param-unreserved and unreserved alone.
	escape = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-_.!~*'()[]/:&+$")).Not()
)

// Read reads u, a tel URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "tel"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidQuery(u); err != nil {
		return Ref{}, err
	}
	n, err := number(scheme.Path(u))
	return Ref{n}, err
}

// ReadSMS reads u, an sms URL. The error, if any, is a *rule.Error.
func ReadSMS(u anyurl.URL) (SMS, error) {
	if err := scheme.Expect(u, "sms"); err != nil {
		return SMS{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return SMS{}, err
	}
	var r SMS
	// sms-uri = "sms" ":" sms-recipient *( "," sms-recipient ) [ "?" sms-fields ]
	for _, p := range scheme.Path(u).Split(',') {
		n, err := number(p)
		if err != nil {
			return SMS{}, err
		}
		r.Numbers = append(r.Numbers, n)
	}
	if !u.HasQuery() {
		return r, nil
	}
	for _, p := range scheme.Query(u).Split('&') {
		if p.Len() == 0 {
			continue
		}
		if err := p.Forbid(&nul, Control); err != nil {
			return SMS{}, err
		}
		name, value, _ := p.Cut('=')
		if strings.EqualFold(name.Text(), "body") && !r.HasBody {
			r.Body, r.HasBody = value.Text(), true
			continue
		}
		r.Fields = append(r.Fields, Param{name.Text(), value.Text()})
	}
	return r, nil
}

// number reads RFC 3966's telephone-subscriber.
func number(p scheme.Part) (Number, error) {
	parts := p.Split(';')
	var n Number
	digits := parts[0]
	text := digits.Text()
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		n.Global, text = true, rest
	}
	allowed := &local
	if n.Global {
		allowed = &abnf.Digit
	}
	var ok bool
	if n.Digits, ok = strip(text, allowed); !ok {
		return Number{}, digits.Error(0, BadNumber)
	}
	if n.Global {
		n.Digits = "+" + n.Digits
	}
	seen := map[string]bool{}
	for _, p := range parts[1:] {
		key, value, _ := p.Cut('=')
		name := strings.ToLower(key.Raw())
		if name == "" || paramName.Span(name) != len(name) || seen[name] {
			return Number{}, p.Error(0, BadParam)
		}
		seen[name] = true
		text := value.Text()
		switch name {
		case "ext":
			if n.Extension, ok = strip(text, &abnf.Digit); !ok {
				return Number{}, p.Error(0, BadParam)
			}
		case "isub":
			if n.Subaddress = text; text == "" {
				return Number{}, p.Error(0, BadParam)
			}
		case "phone-context":
			if n.Context = text; text == "" || n.Global {
				return Number{}, p.Error(0, BadParam)
			}
		default:
			n.Params = append(n.Params, Param{name, text})
		}
	}
	return n, nil
}

// strip takes visual separators and spaces out of digits, and reports whether
// there are any digits and nothing but digits.
func strip(s string, digits *abnf.Set) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case digits.Has(c):
			b = append(b, c)
		case !separators.Has(c) && c != ' ':
			return "", false
		}
	}
	return strings.ToUpper(string(b)), len(b) > 0
}

// write writes the number as RFC 3966 orders it: ext, isub and phone-context
// first (section 3).
func (n Number) write(b *strings.Builder) {
	b.WriteString(percent.Encode(n.Digits, &escape))
	param := func(name, value string) {
		b.WriteString(";" + name)
		if value != "" {
			b.WriteString("=" + percent.Encode(value, &escape))
		}
	}
	if n.Extension != "" {
		param("ext", n.Extension)
	}
	if n.Subaddress != "" {
		param("isub", n.Subaddress)
	}
	if n.Context != "" {
		param("phone-context", n.Context)
	}
	for _, p := range n.Params {
		param(p.Name, p.Value)
	}
}

// URL writes the number back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	r.write(&b)
	return scheme.Opaque("tel", b.String())
}

// URL writes the message back: ReadSMS(r.URL()) gives r again.
func (r SMS) URL() anyurl.URL {
	var b strings.Builder
	for i, n := range r.Numbers {
		if i > 0 {
			b.WriteByte(',')
		}
		n.write(&b)
	}
	mark := "?"
	field := func(name, value string) {
		b.WriteString(mark + percent.Encode(name, &percent.Component) + "=" + percent.Encode(value, &percent.Component))
		mark = "&"
	}
	if r.HasBody {
		field("body", r.Body)
	}
	for _, f := range r.Fields {
		field(f.Name, f.Value)
	}
	return scheme.Opaque("sms", b.String())
}

// Schemes gives the facts about tel and sms.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "tel", Family: "tel", Status: "permanent",
		Defined:  "RFC 3966",
		Says:     "A telephone number to call. A number that begins with \"+\" is good in the whole world; any other means something in one place only, which phone-context should name.",
		Syntax:   "tel:+number[;ext=...] | tel:number;phone-context=...",
		Example:  "tel:+12015550123;ext=102",
		Protocol: "the telephone",
		Read:     scheme.Reader(Read),
	}, {
		Name: "sms", Family: "tel", Status: "permanent",
		Defined:  "RFC 5724",
		Says:     "A short message to send to one or more telephone numbers, perhaps with its text. It must never be sent before the user has seen it.",
		Syntax:   "sms:number[,number]...[?body=text]",
		Example:  "sms:+15105550101?body=hello%20there",
		Protocol: "the telephone",
		Read:     scheme.Reader(ReadSMS),
	}}
}
