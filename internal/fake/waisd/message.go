package waisd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// The kinds of APDU.
const (
	initRequest    = 20
	initResponse   = 21
	searchRequest  = 22
	searchResponse = 23
)

// The tags of fields, in decimal as the protocol's documents have them.
const (
	tagReference      = 2
	tagVersion        = 3
	tagOptions        = 4
	tagMessageSize    = 5
	tagRecordSize     = 6
	tagID             = 7
	tagImplementation = 8
	tagName           = 9
	tagRelease        = 10
	tagResultSet      = 17
	tagDatabase       = 18
	tagElementSets    = 19
	tagQueryType      = 20
	tagQuery          = 21
	tagPresentStatus  = 27
	tagDiagnostic     = 28
	tagEndDiagnostic  = 29
	tagTerm           = 45
	tagAttributes     = 44
	tagOperator       = 46
	tagUserInfo       = 99
	tagChunkCode      = 100
	tagChunkIDLength  = 101
	tagSeedWords      = 106
	tagDateFactor     = 111
	tagMost           = 114
	tagSeedsUsed      = 115
	tagDocID          = 116
	tagVersionNumber  = 117
	tagScore          = 118
	tagBestMatch      = 119
	tagLength         = 120
	tagSource         = 121
	tagDate           = 122
	tagHeadline       = 123
	tagOrigin         = 124
	tagText           = 127
	tagLines          = 131
	tagTypes          = 132
	tagType           = 133
	tagHeader         = 150
	tagShortHeader    = 151
	tagLongHeader     = 152
	tagDocumentText   = 153
	tagHeadlines      = 154
)

// headLength is the length of a message's header.
const headLength = 25

// Message wraps an APDU in the message header, which says its true length.
func Message(apdu []byte) []byte {
	return append(fmt.Appendf(nil, "%010dz2%-10s  0", len(apdu), "wais"), apdu...)
}

// compressed writes a compressed integer: seven bits an octet, the highest
// first, the top bit set on all but the last.
func compressed(n int) []byte {
	out := []byte{byte(n & 0x7F)}
	for n >>= 7; n > 0; n >>= 7 {
		out = append([]byte{byte(n&0x7F) | 0x80}, out...)
	}
	return out
}

// tagged writes a tagged field.
func tagged[T string | []byte](tag int, value T) []byte {
	return append(append(compressed(tag), compressed(len(value))...), value...)
}

// number writes a tagged number: big-endian, as short as it goes.
func number(tag, n int) []byte {
	b := []byte{byte(n)}
	for n >>= 8; n > 0; n >>= 8 {
		b = append([]byte{byte(n)}, b...)
	}
	return tagged(tag, b)
}

// three writes a number in three octets.
func three(n int) []byte { return []byte{byte(n >> 16), byte(n >> 8), byte(n)} }

// apdu puts a header and user information together.
func apdu(header, info []byte) []byte {
	return append(append(binary.BigEndian.AppendUint16(nil, uint16(len(header))), header...), info...)
}

// A field is one tagged field.
type field struct {
	tag   int
	value []byte
}

var errShort = errors.New("a field is longer than what holds it")

// takeCompressed reads a compressed integer.
func takeCompressed(b []byte) (n int, rest []byte, err error) {
	for i, c := range b {
		if i == 4 {
			break
		}
		n = n<<7 | int(c&0x7F)
		if c&0x80 == 0 {
			return n, b[i+1:], nil
		}
	}
	return 0, nil, errors.New("a compressed integer has no end")
}

// fields reads tagged fields to the end of b.
func fields(b []byte) (out []field, err error) {
	for len(b) > 0 {
		var f field
		var n int
		if f.tag, b, err = takeCompressed(b); err != nil {
			return nil, err
		}
		if n, b, err = takeCompressed(b); err != nil {
			return nil, err
		}
		if n > len(b) {
			return nil, errShort
		}
		f.value, b = b[:n], b[n:]
		out = append(out, f)
	}
	return out, nil
}

// first gives the value of the first field with a tag.
func first(fs []field, tag int) (value []byte, ok bool) {
	for _, f := range fs {
		if f.tag == tag {
			return f.value, true
		}
	}
	return nil, false
}

// value reads a number.
func value(b []byte) (n int) {
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}

// A request is what a client asked.
type request struct {
	kind      int
	reference []byte // as it is to be given back
	hasRef    bool

	messageSize, recordSize int // of an Init

	database  string
	words     string // of a search
	most      int
	retrieval bool
	docID     []byte
	docType   string
	unit      string
	from, to  int
}

// readHead reads a message header and says how long the APDU is.
func readHead(b []byte) (int, error) {
	n, err := strconv.ParseUint(string(b[:10]), 10, 31)
	switch {
	case err != nil:
		return 0, fmt.Errorf("the length %q is no number", b[:10])
	case b[10] != 'z' || b[11] != '2' || string(b[12:22]) != "wais      ":
		return 0, fmt.Errorf("the header %q is not of an APDU of version 2 for wais", b)
	case string(b[22:25]) != "  0":
		return 0, fmt.Errorf("the header %q asks for compression, encoding or a checksum", b)
	}
	return int(n), nil
}

// readRequest reads what a client sent, and complains of all that the notes do
// not have.
func readRequest(b []byte) (r request, err error) {
	if len(b) < 3 {
		return r, errShort
	}
	n := int(binary.BigEndian.Uint16(b))
	if n < 1 || n > len(b)-2 {
		return r, errShort
	}
	header, info := b[3:2+n], b[2+n:]
	switch r.kind = int(b[2]); r.kind {
	case initRequest:
		return r, r.readInit(header, info)
	case searchRequest:
		return r, r.readSearch(header, info)
	}
	return r, fmt.Errorf("PDU type %d is neither an Init nor a Search", r.kind)
}

func (r *request) readInit(header, info []byte) error {
	fs, err := fields(header)
	if err != nil {
		return err
	}
	for _, tag := range []int{tagVersion, tagOptions, tagMessageSize, tagRecordSize} {
		if _, ok := first(fs, tag); !ok {
			return fmt.Errorf("an Init without field %d", tag)
		}
	}
	size, _ := first(fs, tagMessageSize)
	record, _ := first(fs, tagRecordSize)
	r.messageSize, r.recordSize = value(size), value(record)
	r.reference, r.hasRef = first(fs, tagReference)
	_, err = fields(info)
	return err
}

func (r *request) readSearch(header, info []byte) error {
	if len(header) < 10 { // three sizes of three octets, and whether to replace
		return errShort
	}
	fs, err := fields(header[10:])
	if err != nil {
		return err
	}
	r.reference, r.hasRef = first(fs, tagReference)
	database, _ := first(fs, tagDatabase)
	r.database = string(database)
	switch kind, _ := first(fs, tagQueryType); string(kind) {
	case "3":
		return r.readWords(info)
	case "1":
		if set, _ := first(fs, tagElementSets); string(set) != " \x1FDocument Text" {
			return fmt.Errorf("a retrieval of the element set %q", set)
		}
		return r.readTerms(info)
	default:
		return fmt.Errorf("query type %q", kind)
	}
}

// readWords reads a query of type 3.
func (r *request) readWords(info []byte) error {
	outer, err := fields(info)
	if err != nil {
		return err
	}
	if len(outer) != 1 || outer[0].tag != tagUserInfo {
		return errors.New("a search without user information, or with more behind it")
	}
	fs, err := fields(outer[0].value)
	if err != nil {
		return err
	}
	words, _ := first(fs, tagSeedWords)
	most, _ := first(fs, tagMost)
	r.words, r.most = string(words), value(most)
	if r.most == 0 {
		return errors.New("a search for no documents")
	}
	return nil
}

// readTerms reads a query of type 1 of the one form that WAIS knows: the
// document's identifier, its type, and from where to where, each "and" to what
// stands before it.
func (r *request) readTerms(info []byte) error {
	outer, err := fields(info)
	if err != nil {
		return err
	}
	if len(outer) != 1 || outer[0].tag != tagQuery {
		return errors.New("a retrieval without a query, or with more behind it")
	}
	fs, err := fields(outer[0].value)
	if err != nil {
		return err
	}
	r.retrieval = true
	terms := 0
	for len(fs) > 0 {
		if len(fs) < 2 || fs[0].tag != tagAttributes || fs[1].tag != tagTerm {
			return errors.New("a query that is no list of attributes and terms")
		}
		if err := r.term(string(fs[0].value), fs[1].value); err != nil {
			return err
		}
		fs = fs[2:]
		if terms++; terms == 1 {
			continue
		}
		if len(fs) == 0 || fs[0].tag != tagOperator || !bytes.Equal(fs[0].value, []byte("a")) {
			return errors.New("a term that no operator joins to those before it")
		}
		fs = fs[1:]
	}
	if terms != 4 && terms != 2 {
		return fmt.Errorf("a query of %d terms", terms)
	}
	return nil
}

// term reads one term by its attributes: use, relation, and four to ignore.
func (r *request) term(attributes string, value []byte) (err error) {
	if len(attributes) != 17 || attributes[5:] != " ig ig ig ig" {
		return fmt.Errorf("the attributes %q", attributes)
	}
	switch use, relation := attributes[:2], attributes[3:5]; {
	case use == "un" && relation == "re":
		r.docID = value
	case use == "wt" && relation == "re":
		r.docType = string(value)
	case (use == "wb" || use == "wl" || use == "wp") && relation == "ro":
		r.unit = use
		r.from, err = strconv.Atoi(string(value))
	case (use == "wb" || use == "wl" || use == "wp") && relation == "rl":
		if use != r.unit {
			return errors.New("a range that begins in one unit and ends in another")
		}
		r.to, err = strconv.Atoi(string(value))
	default:
		err = fmt.Errorf("the attributes %q", attributes)
	}
	return err
}
