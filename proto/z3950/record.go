package z3950

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"anyurl/internal/ber"
	"anyurl/internal/quote"
)

// Record syntaxes: appendix 5 of the standard, all below 1.2.840.10003.5.
const (
	syntaxMARC21 = arc + "5.10"
	syntaxSUTRS  = arc + "5.101"
	syntaxOPAC   = arc + "5.102"
	syntaxGRS1   = arc + "5.105"
	syntaxXML    = arc + "5.109.10"
)

// syntaxes are the names that "rs=" may use, and the syntaxes' names here.
var syntaxes = map[string]string{
	"unimarc": "1", "intermarc": "2", "ccf": "3", "usmarc": "10", "marc": "10", "marc21": "10", "ukmarc": "11", "normarc": "12",
	"librismarc": "13", "danmarc": "14", "finmarc": "15", "mab": "16", "canmarc": "17", "sbn": "18", "picamarc": "19", "ausmarc": "20",
	"ibermarc": "21", "catmarc": "22", "malmarc": "23", "explain": "100", "sutrs": "101", "opac": "102", "summary": "103", "grs-0": "104",
	"grs-1": "105", "grs1": "105", "pdf": "109.1", "postscript": "109.2", "html": "109.3", "tiff": "109.4", "gif": "109.5", "jpeg": "109.6",
	"png": "109.7", "mpeg": "109.8", "sgml": "109.9", "xml": "109.10",
}

// syntaxOID is a name of "rs=" as an object identifier; "" if it is none.
func syntaxOID(name string) string {
	if tail := syntaxes[strings.ToLower(name)]; tail != "" {
		return arc + "5." + tail
	}
	if !ber.OID(ber.Universal, ber.TagOID, name).IsZero() {
		return name
	}
	return ""
}

// syntaxName is an object identifier as its shortest name.
func syntaxName(oid string) string {
	tail, ok := strings.CutPrefix(oid, arc+"5.")
	switch tail {
	case "10":
		return "marc"
	case "105":
		return "grs-1"
	}
	for name, t := range syntaxes {
		if ok && t == tail {
			return name
		}
	}
	return oid
}

// isMARC reports whether a syntax is one of the MARC family: ISO 2709.
func isMARC(oid string) bool {
	tail, ok := strings.CutPrefix(oid, arc+"5.")
	n, err := strconv.Atoi(tail)
	return ok && err == nil && n >= 1 && n <= 39
}

// mediaType is the media type of a record's octets.
func mediaType(oid string) string {
	tail, _ := strings.CutPrefix(oid, arc+"5.")
	switch {
	case isMARC(oid):
		return "application/marc"
	case oid == syntaxSUTRS:
		return "text/plain"
	case oid == syntaxXML:
		return "text/xml"
	}
	switch tail {
	case "109.1":
		return "application/pdf"
	case "109.2":
		return "application/postscript"
	case "109.3":
		return "text/html"
	case "109.4":
		return "image/tiff"
	case "109.5":
		return "image/gif"
	case "109.6":
		return "image/jpeg"
	case "109.7":
		return "image/png"
	case "109.8":
		return "video/mpeg"
	case "109.9":
		return "text/sgml"
	}
	return "application/octet-stream"
}

// Readable is the record for a person, and its media type. What is text
// already is as it came; MARC, GRS-1 and other structures are written as lines.
func (r Record) Readable() (text []byte, typ string) {
	switch {
	case r.Value != nil && r.Syntax == syntaxGRS1:
		var b bytes.Buffer
		grs(&b, *r.Value, 0)
		return b.Bytes(), "text/plain"
	case r.Value != nil && r.Syntax == syntaxOPAC:
		return opac(*r.Value), "text/plain"
	case r.Value != nil:
		var b bytes.Buffer
		dump(&b, *r.Value, 0)
		return b.Bytes(), "text/plain"
	case isMARC(r.Syntax):
		if m, err := r.marc(); err == nil {
			return []byte(m.String()), "text/plain"
		}
	}
	return r.Octets, mediaType(r.Syntax)
}

// marc is the record as MARC for a person. Only MARC 21 says in its leader how
// its texts are encoded.
func (r Record) marc() (MARC, error) {
	m, err := ParseMARC(r.Octets)
	if err == nil && r.Syntax == syntaxMARC21 {
		m = m.Decoded()
	}
	return m, err
}

// A MARC is a record in ISO 2709, which all the MARC formats share.
type MARC struct {
	Leader string // 24 octets
	Fields []MARCField
}

// A MARCField is a field: a control field, below 010, has Data alone.
type MARCField struct {
	Tag        string
	Indicators string
	Data       string
	Subfields  []Subfield
}

// A Subfield is a part of a data field.
type Subfield struct {
	Code string
	Data string
}

// Separators of ISO 2709.
const (
	subfieldMark = 0x1f
	fieldEnd     = 0x1e
)

// ParseMARC reads a record: the leader, the directory that begins at octet 24
// with an entry of tag, length and place for each field, and the fields.
func ParseMARC(b []byte) (MARC, error) {
	if len(b) < 25 {
		return MARC{}, fmt.Errorf("a MARC record of %d octets has no leader", len(b))
	}
	m := MARC{Leader: string(b[:24])}
	// Leader: 10 the indicators' count, 11 the length of a subfield's code with
	// its mark, 12-16 where the fields begin, 20-22 the directory's map.
	digit := func(at, otherwise int) int {
		if c := b[at]; c >= '0' && c <= '9' {
			return int(c - '0')
		}
		return otherwise
	}
	indicators, code := digit(10, 2), max(digit(11, 2), 1)
	lenLength, lenStart := digit(20, 4), digit(21, 5)
	base, err := strconv.Atoi(string(b[12:17]))
	if err != nil || base < 25 || base > len(b) {
		return MARC{}, fmt.Errorf("a MARC record's fields begin at %q, which is not within it", b[12:17])
	}
	size := 3 + lenLength + lenStart + digit(22, 0)
	if lenLength == 0 || lenStart == 0 {
		return MARC{}, fmt.Errorf("a MARC record's directory has entries without a place")
	}
	for dir := b[24:base]; len(dir) >= size && dir[0] != fieldEnd; dir = dir[size:] {
		n, err1 := strconv.Atoi(string(dir[3 : 3+lenLength]))
		at, err2 := strconv.Atoi(string(dir[3+lenLength : 3+lenLength+lenStart]))
		if err1 != nil || err2 != nil || n < 0 || at < 0 || base+at+n > len(b) {
			return MARC{}, fmt.Errorf("a MARC record's field %q lies outside of it", dir[:3])
		}
		f := MARCField{Tag: string(dir[:3])}
		data := bytes.TrimRight(b[base+at:base+at+n], "\x1e\x1d")
		if strings.HasPrefix(f.Tag, "00") || bytes.IndexByte(data, subfieldMark) < 0 {
			f.Data = string(data)
			m.Fields = append(m.Fields, f)
			continue
		}
		head, rest, _ := bytes.Cut(data, []byte{subfieldMark})
		f.Indicators = string(head[:min(len(head), indicators)])
		for part := range bytes.SplitSeq(rest, []byte{subfieldMark}) {
			n := min(code-1, len(part))
			f.Subfields = append(f.Subfields, Subfield{string(part[:n]), string(part[n:])})
		}
		m.Fields = append(m.Fields, f)
	}
	return m, nil
}

// Field gives the data of the first field with a tag: of its subfield with a
// code, or of all of them when code is "".
func (m MARC) Field(tag, code string) string {
	for _, f := range m.Fields {
		if f.Tag != tag {
			continue
		}
		if len(f.Subfields) == 0 {
			return f.Data
		}
		var all []string
		for _, s := range f.Subfields {
			if code == "" || s.Code == code {
				all = append(all, s.Data)
			}
		}
		return strings.Join(all, " ")
	}
	return ""
}

// String writes the leader and a line for each field: tag, indicators, and
// subfields after "$" and their code.
func (m MARC) String() string {
	var b strings.Builder
	b.WriteString(quote.Text(m.Leader))
	b.WriteByte('\n')
	for _, f := range m.Fields {
		b.WriteString(quote.Text(f.Tag))
		b.WriteByte(' ')
		if len(f.Subfields) == 0 {
			b.WriteString(quote.Text(f.Data))
		} else {
			b.WriteString(quote.Text(f.Indicators))
			for _, s := range f.Subfields {
				b.WriteString(" $" + quote.Text(s.Code) + " " + quote.Text(s.Data))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// grs writes a GRS-1 record, SEQUENCE OF TaggedElement, a line for each
// element and what is under it further in.
func grs(b *bytes.Buffer, v ber.Value, depth int) {
	for _, e := range v.Parts {
		var typ, tag string
		if f, ok := e.Field(1); ok { // tagType
			if n, ok := f.Int(); ok {
				typ = strconv.FormatInt(n, 10)
			}
		}
		if f, ok := e.Field(2); ok && len(f.Parts) > 0 { // tagValue: StringOrNumeric
			tag = f.Parts[0].Text()
			if n, ok := f.Parts[0].Int(); ok && f.Parts[0].Is(ber.Context, 2) {
				tag = strconv.FormatInt(n, 10)
			}
		}
		fmt.Fprintf(b, "%s(%s,%s)", strings.Repeat("  ", depth), typ, quote.Text(tag))
		content, _ := e.Field(4) // ElementData
		for _, c := range content.Parts {
			if c.Is(ber.Context, 6) { // subtree: SEQUENCE OF TaggedElement
				b.WriteByte('\n')
				grs(b, c, depth+1)
				continue
			}
			b.WriteString(" " + element(c) + "\n")
		}
		if len(content.Parts) == 0 {
			b.WriteByte('\n')
		}
	}
}

// element is ElementData other than a subtree.
func element(v ber.Value) string {
	switch {
	case v.Is(ber.Universal, ber.TagInteger):
		if n, ok := v.Int(); ok {
			return strconv.FormatInt(n, 10)
		}
	case v.Is(ber.Universal, ber.TagBoolean):
		return strconv.FormatBool(v.Bool())
	case v.Is(ber.Universal, ber.TagOID):
		if s, ok := v.OID(); ok {
			return s
		}
	case v.Is(ber.Universal, ber.TagExternal):
		var r Record
		external(&r, v)
		text, _ := r.Readable()
		return quote.Text(string(text))
	case v.Is(ber.Context, 2), v.Is(ber.Context, 3), v.Is(ber.Context, 4):
		return "(nothing)"
	}
	return quote.Text(v.Text())
}

// opac writes an OPACRecord { bibliographicRecord [1] EXTERNAL, … }: the
// record, and what is said of its holdings.
func opac(v ber.Value) []byte {
	var b bytes.Buffer
	for _, p := range v.Parts {
		if p.Is(ber.Context, 1) {
			var r Record
			external(&r, p)
			text, _ := r.Readable()
			b.Write(text)
			continue
		}
		dump(&b, p, 0)
	}
	return b.Bytes()
}

// dump writes a value of which the module is not known: its tags and its text.
func dump(b *bytes.Buffer, v ber.Value, depth int) {
	fmt.Fprintf(b, "%s[%d]", strings.Repeat("  ", depth), v.Tag)
	if v.Constructed {
		b.WriteByte('\n')
		for _, p := range v.Parts {
			dump(b, p, depth+1)
		}
		return
	}
	switch n, ok := v.Int(); {
	case ok && (v.Is(ber.Universal, ber.TagInteger) || len(v.Octets) <= 4 && !printable(v.Octets)):
		fmt.Fprintf(b, " %d\n", n)
	default:
		b.WriteString(" " + quote.Text(string(v.Octets)) + "\n")
	}
}

func printable(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// Title is what a person would call the record; "" if nothing tells.
func (r Record) Title() string {
	title, _ := r.names()
	return title
}

// ID is the record's own number, by which its server finds it again; "" if the
// record does not tell it.
func (r Record) ID() string {
	_, id := r.names()
	return id
}

// names gives the record's title and number.
func (r Record) names() (title, id string) {
	switch {
	case isMARC(r.Syntax):
		m, err := r.marc()
		if err != nil {
			return "", ""
		}
		title = m.Field("245", "a")
		if b := m.Field("245", "b"); b != "" {
			title += " " + b
		}
		if title == "" {
			title = m.Field("200", "a") // UNIMARC
		}
		id = m.Field("001", "")
	case r.Syntax == syntaxXML:
		title, id = xmlNames(r.Octets)
	case r.Syntax == syntaxGRS1 && r.Value != nil:
		title, id = grsNames(*r.Value)
	case r.Syntax == syntaxOPAC && r.Value != nil:
		if bib, ok := r.Value.Field(1); ok {
			var inner Record
			external(&inner, bib)
			if inner.Syntax != syntaxOPAC {
				return inner.names()
			}
		}
	case r.Syntax == syntaxSUTRS:
		for line := range strings.Lines(string(r.Octets)) {
			if title = strings.TrimSpace(line); title != "" {
				break
			}
		}
	}
	return strings.TrimRight(strings.TrimSpace(title), " /:;,="), strings.TrimSpace(id)
}

// xmlNames looks for a title and a number in MARCXML, and in other vocabularies
// for elements of such names.
func xmlNames(b []byte) (title, id string) {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var text strings.Builder
	var to *string
	var field string
	for range 100_000 {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			attr := func(name string) string {
				for _, a := range t.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			to = nil
			switch strings.ToLower(t.Name.Local) {
			case "controlfield":
				if attr("tag") == "001" {
					to = &id
				}
			case "datafield":
				field = attr("tag")
			case "subfield":
				if (field == "245" || field == "200") && attr("code") == "a" {
					to = &title
				}
			case "title":
				to = &title
			case "id", "identifier":
				to = &id
			}
			text.Reset()
		case xml.CharData:
			if to != nil && text.Len() < 4096 {
				text.Write(t)
			}
		case xml.EndElement:
			if to != nil && *to == "" {
				*to = strings.TrimSpace(text.String())
			}
			to = nil
		}
		if title != "" && id != "" {
			break
		}
	}
	return title, id
}

// grsNames looks for title (2,1) and localControlNumber (1,14) of the tag sets
// M and G in a GRS-1 record.
func grsNames(v ber.Value) (title, id string) {
	for _, e := range v.Parts {
		typ, tag := int64(-1), int64(-1)
		name := ""
		if f, ok := e.Field(1); ok {
			typ, _ = f.Int()
		}
		if f, ok := e.Field(2); ok && len(f.Parts) > 0 {
			if f.Parts[0].Is(ber.Context, 2) || f.Parts[0].Is(ber.Universal, ber.TagInteger) {
				tag, _ = f.Parts[0].Int()
			} else {
				name = strings.ToLower(f.Parts[0].Text())
			}
		}
		content, _ := e.Field(4)
		for _, c := range content.Parts {
			if c.Is(ber.Context, 6) {
				t, i := grsNames(c)
				if title == "" {
					title = t
				}
				if id == "" {
					id = i
				}
				continue
			}
			switch {
			case title == "" && (typ == 2 && tag == 1 || name == "title"):
				title = c.Text()
			case id == "" && (typ == 1 && tag == 14 || name == "id" || name == "identifier"):
				id = c.Text()
			}
		}
	}
	return title, id
}
