package z3950

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"anyurl/internal/ber"
)

// APDU tags: Z39.50-1995, section 4.1, all context and constructed.
const (
	tagInitRequest     = 20
	tagInitResponse    = 21
	tagSearchRequest   = 22
	tagSearchResponse  = 23
	tagPresentRequest  = 24
	tagPresentResponse = 25
	tagClose           = 48
)

// Object identifiers, all below ANSI-Z39-50's.
const (
	arc       = "1.2.840.10003."
	bib1      = arc + "3.1" // attribute set
	bib1Diags = arc + "4.1" // diagnostic set
)

// A Conn is an association with a Z39.50 server (ANSI/NISO Z39.50-1995, ISO
// 23950). It is not safe for use by several goroutines at once, except for
// Close.
type Conn struct {
	// Log, if not nil, is told in a few words what is sent and what came, no
	// password. What the server chose is as it came: quote it before showing it.
	Log func(sent bool, what string)

	conn  net.Conn
	r     *bufio.Reader
	limit int64
}

// A Server is what a server says of itself: section 3.2.1.
type Server struct {
	Accepted          bool     // it opened the session
	ProtocolVersion   int      // the highest that both speak, 1 to 3
	Options           []string // the services that both have, "search", "present"
	ID, Name, Version string   // of the implementation
}

// An Attribute says how a term is meant: a type of the Bib-1 attribute set and
// a value of it. Type 1 is Use.
type Attribute struct{ Type, Value int64 }

// Use attributes of Bib-1.
const (
	UseLocalNumber = 12
	UseAny         = 1016
	UseDocID       = 1032
)

// A Query is one term and its attributes: a type-1 query of one operand.
type Query struct {
	Attributes []Attribute // of Bib-1
	Term       string      // what is looked for
}

// A Record is one of a result set's.
type Record struct {
	Database string // where it was found
	Syntax   string // object identifier
	// Octets are the record where its syntax is one of octets (MARC, XML) or of
	// one string (SUTRS).
	Octets []byte
	// Value is the record where its syntax is ASN.1 (GRS-1, OPAC).
	Value *ber.Value
	// Diagnostic stands in place of a record that the server cannot give.
	Diagnostic *Diagnostic
}

// A Diagnostic is a server's word that it cannot: section 3.2.2.1.
type Diagnostic struct {
	Set  string // object identifier; Bib-1's unless said otherwise
	Code int64
	Text string // the server's addition; quote it before showing it
}

// Error gives the code and what Bib-1 means by it, not the server's words.
func (d *Diagnostic) Error() string {
	text := "the server answered " + strconv.FormatInt(d.Code, 10)
	if d.Set == bib1Diags {
		if m := meanings[d.Code]; m != "" {
			text += " (" + m + ")"
		}
	}
	return text
}

// meanings are what the Bib-1 diagnostic set means: appendix 4 of the standard.
var meanings = map[int64]string{
	1: "permanent system error", 2: "temporary system error", 3: "unsupported search", 4: "terms only stop words",
	5: "too many argument words", 8: "too many records in the result", 11: "result set deleted", 13: "present out of range",
	14: "system error in presenting records", 15: "record not authorized to be sent", 16: "record exceeds the preferred message size",
	17: "record exceeds the exceptional record size", 22: "no such result set to replace", 23: "only one database supported",
	24: "element set names not supported", 25: "no such element set", 29: "unsupported sort", 30: "no such result set",
	31: "resources exhausted", 100: "unspecified error", 101: "access control failure", 107: "query type not supported",
	108: "malformed query", 109: "database unavailable", 110: "operator unsupported", 111: "too many databases",
	113: "unsupported attribute type", 114: "unsupported use attribute", 115: "unsupported term value", 117: "unsupported relation attribute",
	118: "unsupported structure attribute", 121: "unsupported attribute set", 123: "unsupported combination of attributes",
	125: "malformed search term", 126: "illegal term value for the attribute", 227: "no data in the requested record syntax",
	235: "database does not exist", 236: "access to the database denied", 238: "record not available in the requested syntax",
	239: "record syntax not supported", 1010: "user or password refused", 1011: "authentication wanted", 1012: "wrong authentication",
	1013: "wrong authentication type", 1014: "authentication error",
}

// A Closed is a server's Close: section 3.2.11.
type Closed struct {
	Reason int64
	Text   string // the server's words; quote them before showing them
}

// Error gives the reason as the standard names it.
func (e *Closed) Error() string {
	reasons := []string{"finished", "shutdown", "system problem", "cost limit", "resources", "security violation", "protocol error", "lack of activity", "peer abort", "unspecified"}
	why := strconv.FormatInt(e.Reason, 10)
	if e.Reason >= 0 && e.Reason < int64(len(reasons)) {
		why = reasons[e.Reason]
	}
	return "the server closed the session (" + why + ")"
}

// A Malformed is a reply that is not the protocol.
type Malformed struct {
	Why  string
	Head string // how it begins; quote it before showing it
	// WAIS is set when the reply begins with ten digits, as WAIS servers speak
	// on the same port.
	WAIS bool
}

// Error says what is wrong and shows nothing of the reply.
func (e *Malformed) Error() string { return "the reply is no Z39.50 message: " + e.Why }

// DefaultMessage is how many octets a reply may have unless said otherwise.
const DefaultMessage = 32 << 20

// NewConn starts an association on conn, which the Conn then owns. No reply
// may have more than limit octets; 0 is DefaultMessage. The client speaks
// first, with Init.
func NewConn(conn net.Conn, limit int64) *Conn {
	if limit <= 0 {
		limit = DefaultMessage
	}
	return &Conn{conn: conn, r: bufio.NewReader(conn), limit: limit}
}

// Close ends the connection without a word, as most clients do.
func (c *Conn) Close() error { return c.conn.Close() }

// optionNames are the bits of options: section 3.2.1.1.6.
var optionNames = []string{"search", "present", "delSet", "resourceReport", "triggerResourceCtrl", "resourceCtrl", "accessCtrl", "scan",
	"sort", "(reserved)", "extendedServices", "level-1Segmentation", "level-2Segmentation", "concurrentOperations", "namedResultSets"}

// Init begins the session: section 3.2.1. A user of "" is nobody; a password
// goes over the wire in the clear, as the protocol has it.
func (c *Conn) Init(user, password string) (Server, error) {
	parts := []ber.Value{
		ber.Bits(ber.Context, 3, 0, 1, 2), // versions 1, 2 and 3
		ber.Bits(ber.Context, 4, 0, 1),    // search and present
		ber.Int(ber.Context, 5, min(c.limit, 1<<20)),
		ber.Int(ber.Context, 6, min(c.limit, 1<<30)),
	}
	if user != "" {
		// idAuthentication [7]: idPass SEQUENCE { userId [1], password [2] }
		parts = append(parts, ber.Of(ber.Context, 7, ber.Of(ber.Universal, ber.TagSequence,
			ber.String(ber.Context, 1, user), ber.String(ber.Context, 2, password))))
	}
	parts = append(parts, ber.String(ber.Context, 110, "anyurl"), ber.String(ber.Context, 111, "anyurl"), ber.String(ber.Context, 112, "1"))
	c.log(true, "Init")
	answer, err := c.ask(ber.Of(ber.Context, tagInitRequest, parts...), tagInitResponse)
	if err != nil {
		return Server{}, err
	}
	s := Server{}
	for _, f := range answer.Parts {
		if f.Class != ber.Context {
			continue
		}
		switch f.Tag {
		case 3:
			for _, bit := range f.Bits() {
				s.ProtocolVersion = min(max(s.ProtocolVersion, bit+1), 3)
			}
		case 4:
			for _, bit := range f.Bits() {
				if bit < len(optionNames) {
					s.Options = append(s.Options, optionNames[bit])
				}
			}
		case 12:
			s.Accepted = f.Bool()
		case 110:
			s.ID = f.Text()
		case 111:
			s.Name = f.Text()
		case 112:
			s.Version = f.Text()
		}
	}
	c.log(false, "InitResponse from "+s.Name+" "+s.Version)
	return s, nil
}

const resultSet = "default" // the one that a server without named result sets has

// Search makes the result set of a query: section 3.2.2. It gives how many
// records the server says it holds. A server's refusal is a *[Diagnostic].
func (c *Conn) Search(databases []string, q Query) (hits int64, err error) {
	var names, list []ber.Value
	for _, name := range databases {
		names = append(names, ber.String(ber.Context, 105, name))
	}
	for _, a := range q.Attributes {
		list = append(list, ber.Of(ber.Universal, ber.TagSequence, ber.Int(ber.Context, 120, a.Type), ber.Int(ber.Context, 121, a.Value)))
	}
	c.log(true, fmt.Sprintf("Search in %s for %s %v", strings.Join(databases, ", "), q.Term, q.Attributes))
	answer, err := c.ask(ber.Of(ber.Context, tagSearchRequest,
		ber.Int(ber.Context, 13, 0),     // small set: no records come with the answer
		ber.Int(ber.Context, 14, 1),     // large set
		ber.Int(ber.Context, 15, 0),     // medium set
		ber.Bool(ber.Context, 16, true), // replace
		ber.String(ber.Context, 17, resultSet),
		ber.Of(ber.Context, 18, names...),
		ber.Of(ber.Context, 21, ber.Of(ber.Context, 1, // type-1 query
			ber.OID(ber.Universal, ber.TagOID, bib1),
			ber.Of(ber.Context, 0, ber.Of(ber.Context, 102, // operand: attributes and term
				ber.Of(ber.Context, 44, list...),
				ber.String(ber.Context, 45, q.Term)))))), tagSearchResponse)
	if err != nil {
		return 0, err
	}
	if _, d := records(answer); d != nil {
		return 0, d
	}
	if f, ok := answer.Field(22); ok && !f.Bool() {
		return 0, &Diagnostic{Set: bib1Diags, Code: 100}
	}
	f, _ := answer.Field(23)
	hits, ok := f.Int()
	if !ok || hits < 0 {
		return 0, &Malformed{Why: "a search's answer without a count"}
	}
	c.log(false, fmt.Sprintf("SearchResponse: %d records", hits))
	return hits, nil
}

// Present gets records of the result set, from the one numbered start, the
// first being 1: section 3.2.3. elementSet may be "". A record that the server
// cannot give is in the list with its Diagnostic.
func (c *Conn) Present(start, count int64, elementSet, syntax string) ([]Record, error) {
	parts := []ber.Value{
		ber.String(ber.Context, 31, resultSet),
		ber.Int(ber.Context, 30, start),
		ber.Int(ber.Context, 29, count),
	}
	if elementSet != "" {
		parts = append(parts, ber.Of(ber.Context, 19, ber.String(ber.Context, 0, elementSet)))
	}
	if oid := ber.OID(ber.Context, 104, syntax); !oid.IsZero() {
		parts = append(parts, oid)
	}
	c.log(true, fmt.Sprintf("Present %d records from %d as %s %s", count, start, syntax, elementSet))
	answer, err := c.ask(ber.Of(ber.Context, tagPresentRequest, parts...), tagPresentResponse)
	if err != nil {
		return nil, err
	}
	list, d := records(answer)
	if d != nil {
		c.log(false, "PresentResponse: "+d.Error())
		return nil, d
	}
	c.log(false, fmt.Sprintf("PresentResponse: %d records", len(list)))
	return list, nil
}

// records reads the records of a response, or the diagnostic in their place.
func records(v ber.Value) ([]Record, *Diagnostic) {
	var list []Record
	for _, f := range v.Parts {
		if f.Class != ber.Context {
			continue
		}
		switch f.Tag {
		case 28: // responseRecords: SEQUENCE OF NamePlusRecord
			for _, p := range f.Parts {
				list = append(list, record(p))
			}
		case 130: // nonSurrogateDiagnostic: DefaultDiagFormat
			return nil, diagnostic(f)
		case 205: // multipleNonSurDiagnostics: SEQUENCE OF DiagRec
			d := &Diagnostic{Set: bib1Diags, Code: 100}
			if len(f.Parts) > 0 {
				d = diagnostic(f.Parts[0])
			}
			return nil, d
		}
	}
	return list, nil
}

// record reads NamePlusRecord { name [0], record [1] { [1] EXTERNAL | [2] DiagRec | … } }.
func record(v ber.Value) Record {
	r := Record{}
	if name, ok := v.Field(0); ok {
		r.Database = name.Text()
	}
	choice, _ := v.Field(1)
	if f, ok := choice.Field(1); ok {
		for _, ext := range f.Parts {
			external(&r, ext)
			return r
		}
	}
	if f, ok := choice.Field(2); ok {
		for _, rec := range f.Parts {
			r.Diagnostic = diagnostic(rec)
			return r
		}
	}
	r.Diagnostic = &Diagnostic{Set: bib1Diags, Code: 14, Text: "a fragment, which was not asked for"}
	return r
}

// external reads EXTERNAL { OID, [0] single ASN.1 type | [1] octet aligned |
// [2] arbitrary bits }: X.690, section 8.18.
func external(r *Record, v ber.Value) {
	if oid, ok := v.Find(ber.Universal, ber.TagOID); ok {
		r.Syntax, _ = oid.OID()
	}
	if f, ok := v.Field(0); ok && len(f.Parts) > 0 {
		switch one := f.Parts[0]; {
		case !one.Constructed && one.Class == ber.Universal, one.Is(ber.Universal, ber.TagGeneralString), one.Is(ber.Universal, ber.TagVisibleString), one.Is(ber.Universal, ber.TagOctetString):
			r.Octets = one.Bytes()
		default:
			r.Value = &one
		}
		return
	}
	if f, ok := v.Field(1); ok {
		r.Octets = f.Bytes()
		return
	}
	if f, ok := v.Field(2); ok && len(f.Octets) > 0 {
		r.Octets = f.Octets[1:] // after the count of unused bits
	}
}

// diagnostic reads DefaultDiagFormat { OID, INTEGER, addinfo }.
func diagnostic(v ber.Value) *Diagnostic {
	d := &Diagnostic{Set: bib1Diags, Code: 100}
	for _, p := range v.Parts {
		switch {
		case p.Is(ber.Universal, ber.TagOID):
			if s, ok := p.OID(); ok {
				d.Set = s
			}
		case p.Is(ber.Universal, ber.TagInteger):
			if n, ok := p.Int(); ok {
				d.Code = n
			}
		case p.Is(ber.Universal, ber.TagVisibleString), p.Is(ber.Universal, ber.TagGeneralString):
			d.Text = p.Text()
		}
	}
	return d
}

var errSend = errors.New("the request cannot be written in BER")

// ask sends an APDU and reads the one that answers.
func (c *Conn) ask(request ber.Value, want uint32) (ber.Value, error) {
	if slices.ContainsFunc(request.Parts, ber.Value.IsZero) {
		return ber.Value{}, errSend
	}
	if _, err := c.conn.Write(request.Append(nil)); err != nil {
		return ber.Value{}, err
	}
	// The first octet of an APDU is context, constructed: what is none of those
	// is not waited for.
	first, err := c.r.Peek(1)
	if err != nil {
		return ber.Value{}, err
	}
	if first[0]&0xE0 != 0xA0 || first[0] < 0xB4 {
		head, _ := c.r.Peek(min(c.r.Buffered(), 80))
		return ber.Value{}, &Malformed{Why: "it does not begin as one", Head: string(head), WAIS: first[0] >= '0' && first[0] <= '9'}
	}
	v, err := ber.Read(c.r, ber.Limits{Size: c.limit})
	if err != nil {
		var m *ber.Malformed
		if errors.As(err, &m) {
			return ber.Value{}, &Malformed{Why: m.Error()}
		}
		return ber.Value{}, err
	}
	switch {
	case v.Is(ber.Context, want):
		return v, nil
	case v.Is(ber.Context, tagClose):
		e := &Closed{Reason: -1}
		if f, ok := v.Field(211); ok {
			e.Reason, _ = f.Int()
		}
		if f, ok := v.Field(3); ok {
			e.Text = f.Text()
		}
		c.log(false, "Close")
		return ber.Value{}, e
	}
	return ber.Value{}, &Malformed{Why: fmt.Sprintf("APDU %d came where %d was due", v.Tag, want)}
}

func (c *Conn) log(sent bool, what string) {
	if c.Log != nil {
		c.Log(sent, what)
	}
}
