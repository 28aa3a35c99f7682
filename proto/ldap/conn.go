package ldap

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"

	"anyurl/fetch"
	"anyurl/internal/ber"
	"anyurl/internal/wire"
	ldapurl "anyurl/scheme/ldap"
)

// The protocolOps of RFC 4511 that are spoken here, by their application tags.
const (
	opBindRequest      = 0
	opBindResponse     = 1
	opUnbindRequest    = 2
	opSearchRequest    = 3
	opSearchEntry      = 4
	opSearchDone       = 5
	opSearchReference  = 19
	opExtendedRequest  = 23
	opExtendedResponse = 24
	opIntermediate     = 25
)

// startTLS is the extended operation of RFC 4511, section 4.14.
const startTLS = "1.3.6.1.4.1.1466.20037"

// A Result is a server's answer that an operation failed, or leads elsewhere:
// RFC 4511, section 4.1.9.
type Result struct {
	Code      int
	MatchedDN string   // as much of the entry's name as there is
	Message   string   // the server's words; quote them before showing them
	Referral  []string // URLs of servers that know more
}

// Error says the code in the standard's word.
func (e *Result) Error() string {
	return fmt.Sprintf("the server answers %d (%s)", e.Code, cmp.Or(codes[e.Code], "no code of RFC 4511's"))
}

// codes are the result codes of RFC 4511, appendix A.
var codes = map[int]string{
	1: "operationsError", 2: "protocolError", 3: "timeLimitExceeded", 4: "sizeLimitExceeded", 7: "authMethodNotSupported",
	8: "strongerAuthRequired", 10: "referral", 11: "adminLimitExceeded", 12: "unavailableCriticalExtension", 13: "confidentialityRequired",
	14: "saslBindInProgress", 16: "noSuchAttribute", 17: "undefinedAttributeType", 18: "inappropriateMatching", 19: "constraintViolation",
	21: "invalidAttributeSyntax", 32: "noSuchObject", 33: "aliasProblem", 34: "invalidDNSyntax", 36: "aliasDereferencingProblem",
	48: "inappropriateAuthentication", 49: "invalidCredentials", 50: "insufficientAccessRights", 51: "busy", 52: "unavailable",
	53: "unwillingToPerform", 54: "loopDetect", 64: "namingViolation", 80: "other",
}

// An Attribute is a name and its values.
type Attribute struct {
	Name   string
	Values []string
}

// An Entry is one of a directory, or where others of a search are.
type Entry struct {
	DN         string
	Attributes []Attribute
	// Elsewhere are the URLs of a continuation reference (RFC 4511, section
	// 4.5.3), whose other fields are empty.
	Elsewhere []string
}

// A Conn is a conversation with a server, one operation at a time.
type Conn struct {
	conn   net.Conn
	r      *bufio.Reader
	limits ber.Limits
	id     int64
	log    func(kind byte, text string) // nil for nobody
}

// NewConn talks on conn, which the Conn then owns. No message of the server's
// may have more octets than the limit; 0 is 1 MiB.
func NewConn(conn net.Conn, limit int64) *Conn {
	return &Conn{conn: conn, r: bufio.NewReader(conn), limits: ber.Limits{Size: limit, Values: 1 << 18}}
}

func (c *Conn) tell(kind byte, format string, args ...any) {
	if c.log != nil {
		c.log(kind, fmt.Sprintf(format, args...))
	}
}

// send sends an operation: LDAPMessage, RFC 4511, section 4.1.1.
func (c *Conn) send(op ber.Value) error {
	c.id++
	m := ber.Of(ber.Universal, ber.TagSequence, ber.Int(ber.Universal, ber.TagInteger, c.id), op)
	_, err := c.conn.Write(m.Append(nil))
	return err
}

// A malformed answer is not the protocol.
func malformed(why string) error {
	return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Err: errors.New("the server's answer is no LDAP: " + why)}
}

// receive reads an answer to the last operation.
func (c *Conn) receive() (ber.Value, error) {
	m, err := ber.Read(c.r, c.limits)
	var bad *ber.Malformed
	switch {
	case errors.As(err, &bad):
		return ber.Value{}, malformed(bad.Error())
	case errors.Is(err, ber.ErrTooLarge):
		return ber.Value{}, &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: errors.New("an answer of the server's is larger than the limit")}
	case err == io.EOF:
		return ber.Value{}, io.ErrUnexpectedEOF
	case err != nil:
		return ber.Value{}, err
	case !m.Is(ber.Universal, ber.TagSequence) || len(m.Parts) < 2 || m.Parts[1].Class != ber.Application:
		return ber.Value{}, malformed("it is no message")
	}
	id, ok := m.Parts[0].Int()
	op := m.Parts[1]
	switch {
	case ok && id == 0 && op.Tag == opExtendedResponse: // section 4.4: a notice of disconnection
		if r, err := result(op); err == nil && r != nil {
			return ber.Value{}, r
		}
		return ber.Value{}, malformed("it is a notice without a reason")
	case !ok || id != c.id:
		return ber.Value{}, malformed("it is to something that was not asked")
	}
	return op, nil
}

// result reads the LDAPResult that op is; nil for success.
func result(op ber.Value) (*Result, error) {
	if !op.Constructed || len(op.Parts) < 3 || !op.Parts[0].Is(ber.Universal, ber.TagEnumerated) {
		return nil, malformed("a result lacks its code")
	}
	code, ok := op.Parts[0].Int()
	if !ok || code < 0 || code > 1<<16 {
		return nil, malformed("a result has no code")
	}
	if code == 0 {
		return nil, nil
	}
	r := &Result{Code: int(code), MatchedDN: op.Parts[1].Text(), Message: op.Parts[2].Text()}
	if refs, ok := op.Field(3); ok {
		for _, u := range refs.Parts {
			r.Referral = append(r.Referral, u.Text())
		}
	}
	return r, nil
}

// ask sends an operation that has one answer.
func (c *Conn) ask(op ber.Value, want uint32) error {
	if err := c.send(op); err != nil {
		return err
	}
	answer, err := c.receive()
	if err != nil {
		return err
	}
	if answer.Tag != want {
		return malformed("it is of another operation")
	}
	r, err := result(answer)
	if err == nil && r != nil {
		c.tell('<', "%s", r.Error())
		return r
	}
	return err
}

// Bind logs in with a name and a password: RFC 4511, section 4.2. Without it
// the client is anonymous.
func (c *Conn) Bind(dn, password string) error {
	c.tell('>', "bind %s, password ***", wire.Quote(dn))
	return c.ask(ber.Of(ber.Application, opBindRequest, ber.Int(ber.Universal, ber.TagInteger, 3), octets(dn),
		ber.String(ber.Context, 0, password)), opBindResponse)
}

// StartTLS asks the server to go on in TLS, which upgrade then begins.
func (c *Conn) StartTLS(upgrade func(net.Conn) (net.Conn, error)) error {
	c.tell('>', "start TLS")
	if err := c.ask(ber.Of(ber.Application, opExtendedRequest, ber.String(ber.Context, 0, startTLS)), opExtendedResponse); err != nil {
		return err
	}
	if c.r.Buffered() > 0 {
		return malformed("something stands between its consent to TLS and TLS")
	}
	conn, err := upgrade(c.conn)
	if err != nil {
		return err
	}
	c.conn = conn
	c.r.Reset(conn)
	return nil
}

// searchRequest is RFC 4511, section 4.5.1, for a URL. most is how many entries
// to ask for; 0 for all.
func searchRequest(ref ldapurl.Ref, most int) (ber.Value, error) {
	filter, err := readFilter(ref.Filter)
	if err != nil {
		return ber.Value{}, err
	}
	scope := map[string]int64{"base": 0, "one": 1, "sub": 2}[ref.Scope]
	attributes := ber.Of(ber.Universal, ber.TagSequence)
	for _, a := range ref.Attributes {
		if a != "*" && a != "+" && !isAttribute(a) { // RFC 4511, section 4.5.1.8; RFC 3673
			return ber.Value{}, errAttribute
		}
		attributes.Parts = append(attributes.Parts, octets(a))
	}
	return ber.Of(ber.Application, opSearchRequest,
		octets(ref.DN),
		ber.Int(ber.Universal, ber.TagEnumerated, scope),
		ber.Int(ber.Universal, ber.TagEnumerated, 0), // aliases are entries
		ber.Int(ber.Universal, ber.TagInteger, int64(most)),
		ber.Int(ber.Universal, ber.TagInteger, 0), // the time limits are ours
		ber.Bool(ber.Universal, ber.TagBoolean, false),
		filter, attributes), nil
}

// Search asks for what ref means, as it is anonymous or was bound, and gives
// each entry to yield until that has an error. A server that failed or knows of
// another gives a *[Result].
func (c *Conn) Search(ref ldapurl.Ref, most int, yield func(Entry) error) error {
	request, err := searchRequest(ref, most)
	if err != nil {
		return fetch.Fail(fetch.Reading, err)
	}
	c.tell('>', "search %s, scope %s, filter %s", wire.Quote(ref.DN), ref.Scope, wire.Quote(ref.Filter))
	if err := c.send(request); err != nil {
		return err
	}
	for {
		op, err := c.receive()
		if err != nil {
			return err
		}
		var e Entry
		switch op.Tag {
		case opIntermediate: // section 4.13: for those that asked for it
			continue
		case opSearchDone:
			r, err := result(op)
			if err != nil {
				return err
			}
			if r != nil {
				c.tell('<', "%s", r.Error())
				return r
			}
			return nil
		case opSearchReference:
			for _, u := range op.Parts {
				e.Elsewhere = append(e.Elsewhere, u.Text())
			}
			if len(e.Elsewhere) == 0 {
				return malformed("a reference leads nowhere")
			}
			c.tell('<', "elsewhere")
		case opSearchEntry:
			if e, err = readEntry(op); err != nil {
				return err
			}
			c.tell('<', "entry %s", wire.Quote(e.DN))
		default:
			return malformed("it is of another operation")
		}
		if err := yield(e); err != nil {
			return err
		}
	}
}

// readEntry is SearchResultEntry of section 4.5.2.
func readEntry(op ber.Value) (e Entry, err error) {
	if len(op.Parts) < 2 || !op.Parts[1].Constructed {
		return e, malformed("an entry lacks its name or its attributes")
	}
	e.DN = op.Parts[0].Text()
	for _, p := range op.Parts[1].Parts {
		if len(p.Parts) < 2 || !p.Parts[1].Constructed {
			return e, malformed("an attribute lacks its name or its values")
		}
		a := Attribute{Name: p.Parts[0].Text()}
		if !isAttribute(a.Name) {
			return e, malformed("an attribute is called " + wire.Quote(a.Name))
		}
		for _, v := range p.Parts[1].Parts {
			a.Values = append(a.Values, v.Text())
		}
		e.Attributes = append(e.Attributes, a)
	}
	return e, nil
}

// Close says goodbye (RFC 4511, section 4.3) and closes the connection.
func (c *Conn) Close() error {
	c.send(ber.Value{Class: ber.Application, Tag: opUnbindRequest})
	return c.conn.Close()
}
