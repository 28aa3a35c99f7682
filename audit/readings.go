package audit

import (
	"errors"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/quote"
	"anyurl/percent"
	"anyurl/rfc1630"
	"anyurl/rfc1738"
	"anyurl/rfc3986"
	"anyurl/rule"
)

// A Comparison is what five standards make of one text, and where they part.
type Comparison struct {
	// Input is the text.
	Input string
	// Readings has the standards in this order: whatwg, rfc3986, rfc3987,
	// rfc1738, rfc1630.
	Readings []Reading
	// Differences are in the order of [Parts], with "ok" before them.
	Differences []Difference
}

// A Reading is what one standard makes of a text.
type Reading struct {
	// Standard is whatwg, rfc3986, rfc3987, rfc1738 or rfc1630.
	Standard string
	// Err says why the standard refuses the text; then there are no parts.
	Err error

	// The parts, as the standard gives them.
	Scheme, Username, Password, Host, Port, Path, Query, Fragment Component
}

// A Component is one part of a reading, as the standard gives it.
type Component struct {
	// Text is the part without its delimiters.
	Text string
	// Has is false where the URL has no such part.
	Has bool
	// Silent is set where the standard does not tell such a part from what
	// stands around it, so that there is nothing to compare.
	Silent bool
}

// A Difference is a part that the standards do not agree on.
type Difference struct {
	// Part is one of [Parts], or "ok" where some take the text and one
	// refuses it.
	Part string
	// Standard is the one that stands out: which refuses, or which reads
	// the part in another way than the first that takes the text.
	Standard string
	// Says tells in a sentence what is different and why.
	Says string
	// Cite is where the standards say so.
	Cite string
}

// Parts lists the parts that [Compare] compares, in their order.
func Parts() []string {
	return []string{"scheme", "username", "password", "host", "port", "path", "query", "fragment"}
}

// Component gives a part by its name in [Parts].
func (r *Reading) Component(part string) Component {
	switch part {
	case "scheme":
		return r.Scheme
	case "username":
		return r.Username
	case "password":
		return r.Password
	case "host":
		return r.Host
	case "port":
		return r.Port
	case "path":
		return r.Path
	case "query":
		return r.Query
	case "fragment":
		return r.Fragment
	}
	return Component{}
}

// Differ lists the parts that are different, each once.
func (c *Comparison) Differ() (parts []string) {
	for _, d := range c.Differences {
		if n := len(parts); n == 0 || parts[n-1] != d.Part {
			parts = append(parts, d.Part)
		}
	}
	return parts
}

// Compare reads a text by every standard and says where they part. Two readings
// of a part are the same when they are equivalent by RFC 3986, section 6.2: in
// letter case where it means nothing, in escapes that need not be, in dot
// segments, in default ports; a user name and a password when they decode to
// the same, and hosts in Unicode when they stand for the same in ASCII.
//
// No sentence holds a user name, a password, a query or a fragment.
func Compare(input string) Comparison {
	c := Comparison{Input: input, Readings: []Reading{
		readWHATWG(input),
		read3986("rfc3986", input, rfc3986.Parse),
		read3986("rfc3987", input, rfc3986.ParseIRI),
		read1738(input),
		read1630(input),
	}}
	var took []*Reading
	for i := range c.Readings {
		if c.Readings[i].Err == nil {
			took = append(took, &c.Readings[i])
		}
	}
	if len(took) == 0 {
		return c
	}
	for _, r := range c.Readings {
		if e := (*rule.Error)(nil); errors.As(r.Err, &e) {
			c.Differences = append(c.Differences, Difference{"ok", r.Standard, "at offset " + strconv.Itoa(e.Offset) + ", " + e.Rule.Says, e.Rule.Cite})
		}
	}
	for _, part := range Parts() {
		var first *Reading
		told := map[string]bool{}
		for _, r := range took {
			if r.Component(part).Silent {
				continue
			}
			if first != nil && first.spells(r, part) {
				continue // alike to the letter, and so in every spelling
			}
			same := r.canonical(part)
			if first == nil {
				first = r
			} else if !told[same] {
				says, cite := why(part, first, r)
				c.Differences = append(c.Differences, Difference{part, r.Standard, says, cite})
			}
			told[same] = true
		}
	}
	return c
}

func has(text string, has bool) Component { return Component{Text: text, Has: has} }

func readWHATWG(input string) Reading {
	u, err := anyurl.Parse(input)
	if err != nil {
		return Reading{Standard: "whatwg", Err: err}
	}
	r := Reading{
		Standard: "whatwg",
		Scheme:   has(u.Scheme(), true),
		Username: has(u.Username(), u.Username() != ""),
		Password: has(u.Password(), u.Password() != ""),
		Host:     has(u.Host().String(), u.HasHost()),
		Path:     has(u.Path(), true),
		Query:    has(u.Query(), u.HasQuery()),
		Fragment: has(u.Fragment(), u.HasFragment()),
	}
	if u.HasPort() {
		r.Port = has(strconv.Itoa(int(u.Port())), true)
	}
	return r
}

func read3986(standard, input string, parse func(string) (rfc3986.URI, error)) Reading {
	u, err := parse(input)
	if err != nil {
		return Reading{Standard: standard, Err: err}
	}
	username, password, hasPassword := strings.Cut(u.Userinfo(), ":")
	return Reading{
		Standard: standard,
		Scheme:   has(u.Scheme(), true),
		Username: has(username, u.HasUserinfo()),
		Password: has(password, hasPassword),
		Host:     has(u.Host(), u.HasAuthority()),
		Port:     has(u.Port(), u.HasPort()),
		Path:     has(u.Path(), true),
		Query:    has(u.Query(), u.HasQuery()),
		Fragment: has(u.Fragment(), u.HasFragment()),
	}
}

func read1738(input string) Reading {
	u, err := rfc1738.Parse(input)
	if err != nil {
		return Reading{Standard: "rfc1738", Err: err}
	}
	r := Reading{
		Standard: "rfc1738",
		Scheme:   has(u.Scheme(), true),
		Username: has(u.Text(rfc1738.User), u.Has(rfc1738.User)),
		Password: has(u.Text(rfc1738.Password), u.Has(rfc1738.Password)),
		Port:     has(u.Port(), u.Has(rfc1738.Port)),
		Path:     has(u.GenericPath(), true),
	}
	if u.HasAuthority() {
		r.Host = has(u.Host(), true)
	}
	if u.Production() != rfc1738.GopherURL { // its search is part of the path, behind a TAB
		r.Query = has(u.Query(), u.HasQuery())
	}
	if u.Production() == rfc1738.OtherURL {
		// the generic form has no query, and no authority that it insists on
		if !u.HasAuthority() && strings.HasPrefix(u.GenericPath(), "//") {
			r.silence()
		}
		if strings.Contains(u.GenericPath(), "?") {
			r.Path.Silent, r.Query.Silent = true, true
		}
	}
	return r
}

func read1630(input string) Reading {
	u, err := rfc1630.Parse(input)
	if err != nil {
		return Reading{Standard: "rfc1630", Err: err}
	}
	r := Reading{
		Standard: "rfc1630",
		Scheme:   has(u.Scheme(), true),
		Username: has(u.Text(rfc1630.User), u.Has(rfc1630.User)),
		Password: has(u.Text(rfc1630.Password), u.Has(rfc1630.Password)),
		Port:     has(u.Port(), u.Has(rfc1630.Port)),
		Path:     has(u.GenericPath(), true),
		Query:    has(u.Query(), u.HasQuery()),
		Fragment: has(u.Fragment(), u.HasFragment()),
	}
	if u.HasAuthority() {
		r.Host = has(u.Host(), true)
	} else if strings.HasPrefix(u.GenericPath(), "//") {
		r.silence() // the generic form knows no authority
	}
	return r
}

// silence marks what a form without authority cannot tell apart.
func (r *Reading) silence() {
	for _, c := range []*Component{&r.Username, &r.Password, &r.Host, &r.Port, &r.Path} {
		c.Silent = true
	}
}

// spells reports whether s has a part as r has it, and all else that its
// meaning depends on.
func (r *Reading) spells(s *Reading, part string) bool {
	return r.Component(part) == s.Component(part) && r.Scheme == s.Scheme && r.Host.Has == s.Host.Has
}

// canonical gives a part in a spelling that all equivalent ones share.
func (r *Reading) canonical(part string) string {
	text := r.Component(part).Text
	scheme := strings.ToLower(r.Scheme.Text)
	port, special := anyurl.DefaultPort(scheme)
	special = special || scheme == "file"
	switch part {
	case "scheme":
		return scheme
	case "username", "password":
		return percent.Decode(text)
	case "host":
		if !isASCII(text) {
			if h, err := anyurl.ParseHost(text, special); err == nil {
				text = h.String()
			}
		}
		return plainHost(text)
	case "port":
		if text = strings.TrimLeft(text, "0"); special && text == strconv.Itoa(int(port)) {
			return ""
		}
		return text
	case "path":
		if text == "" && r.Host.Has {
			return "/"
		}
		if r.Host.Has {
			return strings.TrimPrefix(equivalent("x://h"+text), "x://h")
		}
		return equivalent("x:" + text)
	}
	if !r.Component(part).Has {
		return "-" // not the same as an empty one, which has a mark
	}
	if special && part == "query" {
		text = strings.ReplaceAll(text, "'", "%27")
	}
	return "?" + equivalent("x:?"+text)
}

// equivalent normalizes a text as far as RFC 3986 allows where it can be read
// by RFC 3987; what the URL Standard alone takes stays.
func equivalent(s string) string {
	u, err := rfc3986.ParseIRI(s)
	if err != nil {
		return s
	}
	if u, err = rfc3986.ToURI(u); err != nil {
		return s
	}
	if u, err = rfc3986.Normalize(u, rfc3986.LevelSegments); err != nil {
		return s
	}
	return u.String()
}

// spoken is a standard's name in a sentence.
func spoken(standard string) string {
	if standard == "whatwg" {
		return "the URL Standard"
	}
	return "RFC " + strings.TrimPrefix(standard, "rfc")
}

// why says in a sentence how b reads a part in another way than a, and where
// that is written.
func why(part string, a, b *Reading) (says, cite string) {
	left, right := spoken(a.Standard), spoken(b.Standard)
	both := left + ", RFC 3986, section 3"
	if a.Standard == "whatwg" {
		both = "URL Standard, basic URL parser; " + right
	}
	scheme := strings.ToLower(a.Scheme.Text)
	switch {
	case b.Standard == "rfc1738" && strings.Contains(b.Path.Text, "?"):
		return right + ` gives a ` + scheme + ` URL no search part: "?" belongs to what stands before it`, "RFC 1738, section 5, " + scheme + "url"
	case part == "host":
		return whyHost(a, b)
	case a.Standard == "whatwg" && scheme != "file" && a.Host.Has && !b.Host.Has:
		return left + ` takes a host from what ` + right + ` reads as the path`, "URL Standard, special authority slashes state; RFC 3986, section 3"
	case part == "path" && a.Standard == "whatwg" && scheme == "file":
		return left + " reads drive letters and hosts of file URLs in its own way: the path is " + shownPath(a.Path.Text) + ", for " + right + " " + shownPath(b.Path.Text),
			"URL Standard, file host state; RFC 3986, section 3.3"
	case part == "path":
		return left + " reads the path " + shownPath(a.Path.Text) + ", " + right + " " + shownPath(b.Path.Text), both
	case part == "port":
		return left + " reads " + portSays(a.Port) + ", " + right + " " + portSays(b.Port), both
	case part == "scheme":
		return left + " reads the scheme " + shown(a.Scheme.Text) + ", " + right + " " + shown(b.Scheme.Text), both
	}
	return left + " and " + right + " read another " + part, both
}

func portSays(c Component) string {
	if c.Text == "" {
		return "no port"
	}
	return "the port " + shown(c.Text)
}

func whyHost(a, b *Reading) (says, cite string) {
	left, right := spoken(a.Standard), spoken(b.Standard)
	readings := ": " + left + " reads " + hostSays(a.Host.Text) + ", " + right + " " + hostSays(b.Host.Text)
	if a.Standard != "whatwg" {
		return "the hosts differ" + readings, "RFC 3986, section 3.2.2"
	}
	scheme := strings.ToLower(a.Scheme.Text)
	switch {
	case scheme == "file" && a.Host.Text == "":
		return `the URL Standard reads "localhost" and drive letters behind "file://" as no host` + readings,
			"URL Standard, file host state; RFC 3986, section 3.2.2"
	case !b.Host.Has:
		return `the URL Standard finds a host behind a special scheme without "//", which alone starts an authority` + readings,
			"URL Standard, special authority slashes state; RFC 3986, section 3"
	case b.Host.Text == "":
		return "the URL Standard skips every slash behind a special scheme, of which the third ends an authority" + readings,
			"URL Standard, special authority ignore slashes state; RFC 3986, section 3.2"
	case isIPv4(a.Host.Text):
		return "the URL Standard reads a host whose last label is a number as an IPv4 address, which elsewhere is four plain decimal numbers" + readings,
			"URL Standard, ends in a number checker; RFC 3986, section 3.2.2"
	case strings.Contains(b.Host.Text, "%"):
		return "the URL Standard decodes escapes in the host of a special scheme" + readings, "URL Standard, host parsing; RFC 3986, section 3.2.2"
	}
	return "the URL Standard maps the host by UTS 46" + readings, "URL Standard, domain to ASCII; RFC 3986, section 3.2.2"
}

func isIPv4(host string) bool {
	h, err := anyurl.ParseHost(host, true)
	return err == nil && h.Kind() == anyurl.HostIPv4
}

// shownPath quotes a path without what another reader takes for a password in
// it: its slashes may be those before a host.
func shownPath(path string) string {
	rest := strings.TrimLeft(path, "/")
	return shown(path[:len(path)-len(rest)] + strings.TrimPrefix(quote.Mask("//"+rest), "//"))
}
