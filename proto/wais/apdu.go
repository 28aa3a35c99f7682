package wais

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The message around an APDU: WAIS protocol, "the WAIS message header".
const (
	headerSize = 25
	lengthSize = 10
	// leastAPDU is the length of the header length and a PDU type.
	leastAPDU = 3
)

// PDU types of the 1988 profile.
const (
	pduInit           = 20
	pduInitResponse   = 21
	pduSearch         = 22
	pduSearchResponse = 23
)

// Tags of the header's fields.
const (
	tagReferenceID           = 2
	tagProtocolVersion       = 3
	tagOptions               = 4
	tagPreferredMessageSize  = 5
	tagMaximumRecordSize     = 6
	tagIDAuthentication      = 7
	tagImplementationID      = 8
	tagImplementationName    = 9
	tagImplementationVersion = 10
	tagResultSetName         = 17
	tagDatabaseNames         = 18
	// The document of 1990 prints 19 for the query's type. Servers and clients
	// that run use 20 for it and 19 for the element sets.
	tagElementSetNames = 19
	tagQueryType       = 20
	tagQuery           = 21
)

// Tags of the user information and of what it holds.
const (
	tagDiagnostic      = 28 // 1c, and no tagged field in spite of it
	tagDiagnosticEnd   = 29 // 1d
	tagUserInformation = 99
	tagSeedWords       = 106
	tagDateFactor      = 111
	tagMaxDocuments    = 114
	tagDocumentID      = 116
	tagScore           = 118
	tagDocumentLength  = 120
	tagSource          = 121
	tagDate            = 122
	tagHeadline        = 123
	tagOriginCity      = 124
	tagText            = 127
	tagLines           = 131
	tagTypeBlock       = 132
	tagType            = 133
	tagDocumentHeader  = 150
	tagShortHeader     = 151
	tagLongHeader      = 152
	tagDocumentText    = 153
	tagHeadlineGroup   = 154
	tagCodes           = 155
)

// Tags of a retrieval's query, which is a postfix list.
const (
	tagAttributes = 44
	tagTerm       = 45
	tagOperator   = 46
)

// errShort is a field that says it is longer than what holds it.
var errShort = errors.New("a field is longer than what holds it")

// A Malformed is a reply that is not the protocol.
type Malformed struct {
	// Why says what is wrong with it.
	Why string
	// Head is how the reply begins; quote it before showing it.
	Head string
	// Z3950 is set when the reply is BER, as later versions of Z39.50 speak on
	// the same port.
	Z3950 bool
}

// Error says what is wrong and shows nothing of the reply.
func (e *Malformed) Error() string { return "the reply is no WAIS message: " + e.Why }

// appendInt appends a compressed integer: seven bits an octet, the most
// significant first, the top bit set on all but the last.
func appendInt(b []byte, n uint64) []byte {
	shift := 0
	for n>>(shift+7) != 0 {
		shift += 7
	}
	for ; shift > 0; shift -= 7 {
		b = append(b, byte(n>>shift)|0x80)
	}
	return append(b, byte(n)&0x7f)
}

// appendField appends tag, length and value.
func appendField[T string | []byte](b []byte, tag uint64, value T) []byte {
	b = appendInt(b, tag)
	b = appendInt(b, uint64(len(value)))
	return append(b, value...)
}

// number is a value that is a number: unsigned, big-endian, as short as it can be.
func number(n uint64) string {
	var b []byte
	for shift := 56; shift > 0; shift -= 8 {
		if n>>shift != 0 {
			b = append(b, byte(n>>shift))
		}
	}
	return string(append(b, byte(n)))
}

// cutInt takes a compressed integer off b. One of more than 32 bits is none.
func cutInt(b []byte) (n uint64, rest []byte, err error) {
	for i, c := range b {
		n = n<<7 | uint64(c&0x7f)
		if n > 1<<32 {
			break
		}
		if c&0x80 == 0 {
			return n, b[i+1:], nil
		}
	}
	return 0, nil, errShort
}

// cutField takes a tagged field off b.
func cutField(b []byte) (tag uint64, value, rest []byte, err error) {
	tag, b, err = cutInt(b)
	if err != nil {
		return 0, nil, nil, err
	}
	n, b, err := cutInt(b)
	if err != nil || n > uint64(len(b)) {
		return 0, nil, nil, errShort
	}
	return tag, b[:n], b[n:], nil
}

// fields calls each for every tagged field of b.
func fields(b []byte, each func(tag uint64, value []byte) error) error {
	for len(b) > 0 {
		tag, value, rest, err := cutField(b)
		if err != nil {
			return err
		}
		if err := each(tag, value); err != nil {
			return err
		}
		b = rest
	}
	return nil
}

// toNumber reads a value that is a number; ok is false for one that has no
// octet or does not fit.
func toNumber(value []byte) (n int64, ok bool) {
	for _, c := range value {
		if n >= 1<<55 {
			return 0, false
		}
		n = n<<8 | int64(c)
	}
	return n, len(value) > 0
}

// message puts the header before an APDU.
func message(apdu []byte) []byte {
	b := make([]byte, 0, headerSize+len(apdu))
	b = fmt.Appendf(b, "%0*d", lengthSize, len(apdu))
	b = append(b, "z2wais        0"...) // type, version, name; no compression, no encoding, no checksum
	return append(b, apdu...)
}

// apdu puts the header's length before the header, and what follows behind.
func apdu(header, rest []byte) ([]byte, error) {
	if len(header) > 0xFFFF {
		return nil, errors.New("the database's name is too long for the protocol")
	}
	b := append(make([]byte, 0, 2+len(header)+len(rest)), byte(len(header)>>8), byte(len(header)))
	return append(append(b, header...), rest...), nil
}

// initAPDU says who asks and what it can take.
func initAPDU(size uint64) []byte {
	h := []byte{pduInit}
	h = appendField(h, tagProtocolVersion, "\x80")
	h = appendField(h, tagOptions, "\x80") // search
	h = appendField(h, tagPreferredMessageSize, number(size))
	h = appendField(h, tagMaximumRecordSize, number(size))
	h = appendField(h, tagIDAuthentication, "anyurl")
	h = appendField(h, tagImplementationID, "anyurl")
	h = appendField(h, tagImplementationName, "anyurl")
	h = appendField(h, tagImplementationVersion, "1")
	b, _ := apdu(h, nil) // never too long
	return b
}

// searchAPDU is a Search with a query of type 3, relevance feedback.
func searchAPDU(database, words string, most int) ([]byte, error) {
	h := []byte{pduSearch, 0, 0, 30, 0, 5000 >> 8, 5000 & 0xFF, 0, 0, 30, 1} // small, large, medium set; replace
	h = appendField(h, tagResultSetName, "")
	h = appendField(h, tagDatabaseNames, database)
	h = appendField(h, tagQueryType, "3")
	var q []byte
	q = appendField(q, tagSeedWords, words)
	q = appendField(q, tagDateFactor, "\x01")
	q = appendField(q, tagMaxDocuments, number(uint64(most)))
	return apdu(h, appendField(nil, tagUserInformation, q))
}

// reference is what a retrieval's answer is known by.
const reference = "3"

// retrievalAPDU is a Search with a query of type 1 for a part of a document.
func retrievalAPDU(database, doc, typ string, unit Unit, from, to uint64) ([]byte, error) {
	h := []byte{pduSearch, 0, 0, 10, 0, 0, 16, 0, 0, 15, 1}
	h = appendField(h, tagResultSetName, "FOO")
	h = appendField(h, tagDatabaseNames, database)
	h = appendField(h, tagQueryType, "1")
	h = appendField(h, tagElementSetNames, " \x1fDocument Text")
	h = appendField(h, tagReferenceID, reference)

	var q []byte
	term := func(use, relation, value string) {
		if q = appendField(q, tagAttributes, use+" "+relation+" ig ig ig ig"); value != "" {
			q = appendField(q, tagTerm, value)
		}
	}
	and := func() { q = appendField(q, tagOperator, "a") }
	term("un", "re", doc)
	if typ != "" {
		term("wt", "re", typ)
		and()
	}
	term(string(unit), "ro", strconv.FormatUint(from, 10))
	and()
	term(string(unit), "rl", strconv.FormatUint(to, 10))
	and()
	return apdu(h, appendField(nil, tagQuery, q))
}

// readMessage reads one message and gives its type and its APDU. What it says
// to be longer than limit is not read; 0 is no limit.
func readMessage(r io.Reader, limit int64) (kind byte, apdu []byte, err error) {
	var head [headerSize]byte
	// The length comes first and is looked at before anything is waited for
	// that it speaks of.
	if n, err := io.ReadFull(r, head[:1]); err != nil {
		return 0, nil, eof(n, err)
	}
	if head[0] >= 0xb4 && head[0] <= 0xbf {
		return 0, nil, &Malformed{Why: "it is in BER, as Z39.50 of 1992 and later speaks it", Head: string(head[:1]), Z3950: true}
	}
	for i := 1; ; i++ {
		if c := head[i-1]; c < '0' || c > '9' {
			return 0, nil, &Malformed{Why: "it does not begin with a length in ten digits", Head: string(head[:i])}
		}
		if i == lengthSize {
			break
		}
		if _, err := io.ReadFull(r, head[i:i+1]); err != nil {
			return 0, nil, eof(i, err)
		}
	}
	length, err := strconv.ParseInt(string(head[:lengthSize]), 10, 64)
	if err != nil {
		return 0, nil, &Malformed{Why: "its length is no number", Head: string(head[:lengthSize])}
	}
	if limit > 0 && length > limit {
		return 0, nil, fmt.Errorf("the reply says that it has %d octets: %w", length, errTooLong)
	}
	if n, err := io.ReadFull(r, head[lengthSize:]); err != nil {
		return 0, nil, eof(n+lengthSize, err)
	}
	kind = head[10]
	if kind == 'z' && length == 0 { // an acknowledgement may be empty
		return 0, nil, &Malformed{Why: "its length is 0", Head: string(head[:lengthSize])}
	}
	if head[22] != ' ' || head[23] != ' ' {
		return 0, nil, fmt.Errorf("the reply is compressed or encoded (%q, %q): %w", head[22], head[23], errEncoded)
	}
	// What arrives is kept, not what is announced.
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, length); err != nil {
		return 0, nil, eof(lengthSize, err)
	}
	return kind, b.Bytes(), nil
}

var (
	errTooLong = errors.New("longer than the limit")
	errEncoded = errors.New("nothing here undoes that")
)

// eof tells the end before a message from the end within one.
func eof(n int, err error) error {
	if err == io.EOF && n > 0 || err == io.ErrUnexpectedEOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cutHeader takes an APDU apart: its type, the fixed part of so many octets,
// the header's tagged fields, and what follows the header.
func cutHeader(apdu []byte, want byte, fixed int) (fixedPart, tagged, rest []byte, err error) {
	if len(apdu) < leastAPDU {
		return nil, nil, nil, &Malformed{Why: "it is too short", Head: string(apdu)}
	}
	n := int(apdu[0])<<8 | int(apdu[1])
	if n < 1+fixed || n > len(apdu)-2 {
		return nil, nil, nil, &Malformed{Why: "its header is longer or shorter than it can be", Head: string(apdu[:leastAPDU])}
	}
	header := apdu[2 : 2+n]
	if header[0] != want {
		return nil, nil, nil, &Malformed{Why: fmt.Sprintf("it is of type %d where %d was due", header[0], want), Head: string(apdu[:leastAPDU])}
	}
	return header[1 : 1+fixed], header[1+fixed:], apdu[2+n:], nil
}

// parseInit reads an Init-Response.
func parseInit(apdu []byte) (Server, error) {
	fixed, tagged, _, err := cutHeader(apdu, pduInitResponse, 1)
	if err != nil {
		return Server{}, err
	}
	s := Server{Accepted: fixed[0] == 1}
	err = fields(tagged, func(tag uint64, value []byte) error {
		switch tag {
		case tagImplementationID:
			s.ID = string(value)
		case tagImplementationName:
			s.Name = string(value)
		case tagImplementationVersion:
			s.Version = string(value)
		case tagMaximumRecordSize:
			s.MaxRecord, _ = toNumber(value)
		}
		return nil
	})
	return s, malformed(err)
}

func malformed(err error) error {
	if err == errShort {
		return &Malformed{Why: err.Error()}
	}
	return err
}

// parseReply reads a Search-Response to a question with a reference, which is ""
// for none. Its status and counts are not looked at: freeWAIS gives 0 for both
// on a retrieval that went well.
func parseReply(apdu []byte, reference string, most int) (Reply, error) {
	_, header, rest, err := cutHeader(apdu, pduSearchResponse, 10)
	if err != nil {
		return Reply{}, err
	}
	err = fields(header, func(tag uint64, value []byte) error {
		if tag == tagReferenceID && reference != "" && string(value) != reference {
			return &Malformed{Why: "it answers another question", Head: string(value)}
		}
		return nil
	})
	if err != nil {
		return Reply{}, malformed(err)
	}
	var reply Reply
	err = fields(rest, func(tag uint64, value []byte) error {
		if tag != tagUserInformation {
			return nil
		}
		return reply.records(value, most)
	})
	return reply, malformed(err)
}

// records reads the groups of the user information. A group that is not known
// is skipped by its length.
func (r *Reply) records(b []byte, most int) error {
	for len(b) > 0 {
		if b[0] == tagDiagnostic {
			d, rest, err := cutDiagnostic(b)
			if err != nil {
				return err
			}
			if len(r.Diagnostics) < 100 {
				r.Diagnostics = append(r.Diagnostics, d)
			}
			b = rest
			continue
		}
		tag, value, rest, err := cutField(b)
		if err != nil {
			return err
		}
		b = rest
		switch tag {
		case tagDocumentHeader, tagShortHeader, tagLongHeader, tagHeadlineGroup, tagCodes:
			d, err := parseDocument(value)
			if err != nil {
				return err
			}
			if most > 0 && len(r.Documents) >= most {
				return errTooMany
			}
			r.Documents = append(r.Documents, d)
		case tagDocumentText:
			r.HasText = true
			err := fields(value, func(tag uint64, value []byte) error {
				if tag == tagText {
					r.Text = append(r.Text, value...)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

var errTooMany = errors.New("more documents than the limit")

// cutDiagnostic takes a diagnostic off b: 1c, a length in two octets, then the
// code, the text and the surrogate flag; 1d behind it.
func cutDiagnostic(b []byte) (d Diagnostic, rest []byte, err error) {
	if len(b) < 3 {
		return Diagnostic{}, nil, errShort
	}
	n := int(b[1])<<8 | int(b[2])
	b = b[3:]
	if n > len(b) || n < 2 {
		return Diagnostic{}, nil, errShort
	}
	d.Code, d.Text = string(b[:2]), string(b[2:max(n-1, 2)])
	b = b[n:]
	if len(b) > 0 && b[0] == tagDiagnosticEnd {
		b = b[1:]
	}
	return d, b, nil
}

// parseDocument reads a document's header.
func parseDocument(b []byte) (Document, error) {
	d := Document{Score: -1, Size: -1, Lines: -1}
	count := func(to *int64, value []byte) {
		if n, ok := toNumber(value); ok {
			*to = n
		}
	}
	err := fields(b, func(tag uint64, value []byte) error {
		switch tag {
		case tagDocumentID:
			d.ID = string(value)
		case tagScore:
			count(&d.Score, value)
		case tagDocumentLength:
			count(&d.Size, value)
		case tagLines:
			count(&d.Lines, value)
		case tagSource:
			d.Source = string(value)
		case tagDate:
			d.Date = string(value)
		case tagHeadline:
			d.Headline = string(value)
		case tagOriginCity:
			d.Origin = string(value)
		case tagTypeBlock:
			return fields(value, func(tag uint64, value []byte) error {
				if tag == tagType && len(d.Types) < 100 {
					d.Types = append(d.Types, string(value))
				}
				return nil
			})
		}
		return nil
	})
	return d, err
}
