package demo

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyurl/internal/ber"
)

// What a library's server knows by object identifiers (Z39.50, appendices).
const (
	libraryDiagnostics = "1.2.840.10003.4.1"
	libraryMARC21      = "1.2.840.10003.5.10"
	librarySUTRS       = "1.2.840.10003.5.101"
)

// The diagnostics that this server has to give (appendix 3).
const (
	libraryRange    = 13  // present request out of range
	libraryOperator = 110 // operator unsupported
	libraryUse      = 114
	libraryDatabase = 235
	librarySyntax   = 239
)

// A record is a book: lines of a tag, two indicators and the subfields, each
// behind a "$".
type record struct{ lines []string }

// serveLibrary serves the records in root as Z39.50-1995 says: Init, a search by
// one term, and Present.
func serveLibrary(ctx context.Context, l net.Listener, root fs.FS) {
	var records []record
	for n := 1; ; n++ {
		text, err := fs.ReadFile(root, strconv.Itoa(n))
		if err != nil {
			break
		}
		records = append(records, record{strings.Split(strings.TrimSpace(string(text)), "\n")})
	}
	accept(ctx, l, func(conn net.Conn) {
		s := &librarian{records: records}
		r := bufio.NewReader(conn)
		for {
			conn.SetDeadline(time.Now().Add(patience))
			v, err := ber.Read(r, ber.Limits{})
			if err != nil {
				return
			}
			answer, ok := s.answer(v)
			if !ok {
				return
			}
			if _, err := conn.Write(answer.Append(nil)); err != nil {
				return
			}
		}
	})
}

// A librarian is one association: what was found last.
type librarian struct {
	records []record
	found   []record
}

func tagged(tag uint32, parts ...ber.Value) ber.Value { return ber.Of(ber.Context, tag, parts...) }
func taggedInt(tag uint32, n int) ber.Value           { return ber.Int(ber.Context, tag, int64(n)) }
func taggedText(tag uint32, s string) ber.Value       { return ber.String(ber.Context, tag, s) }

func (s *librarian) answer(v ber.Value) (ber.Value, bool) {
	switch v.Tag {
	case 20: // InitRequest
		return tagged(21, ber.Bits(ber.Context, 3, 0, 1, 2), ber.Bits(ber.Context, 4, 0, 1), taggedInt(5, 1<<16), taggedInt(6, 1<<16),
			ber.Bool(ber.Context, 12, true), taggedText(110, "1"), taggedText(111, "anyurl demo"), taggedText(112, "1")), true
	case 22: // SearchRequest
		return s.search(v), true
	case 24: // PresentRequest
		return s.present(v), true
	}
	return ber.Value{}, false // Close, and what only larger servers have
}

// first is the first part of a value, none of none.
func first(v ber.Value) ber.Value {
	if len(v.Parts) == 0 {
		return ber.Value{}
	}
	return v.Parts[0]
}

func field(v ber.Value, tags ...uint32) ber.Value {
	for _, tag := range tags {
		v, _ = v.Field(tag)
	}
	return v
}

// search answers a query of one term, by any word (Use 1016), the title (4), the
// author (1003) or the record's number (12 and 1032).
func (s *librarian) search(v ber.Value) ber.Value {
	s.found = nil
	fail := func(code int, text string) ber.Value {
		return tagged(23, taggedInt(23, 0), taggedInt(24, 0), taggedInt(25, 0), ber.Bool(ber.Context, 22, false), tagged(130, diagnosis(code, text)...))
	}
	if name := first(field(v, 18)).Text(); !strings.EqualFold(name, "books") && !strings.EqualFold(name, "Default") {
		return fail(libraryDatabase, name)
	}
	operand, ok := field(v, 21, 1, 0).Field(102)
	if !ok {
		return fail(libraryOperator, "one term at a time")
	}
	use := 1016
	for _, a := range field(operand, 44).Parts {
		if kind, _ := field(a, 120).Int(); kind == 1 {
			n, _ := field(a, 121).Int()
			use = int(n)
		}
	}
	term := strings.ToLower(field(operand, 45).Text())
	for i, r := range s.records {
		var fits bool
		switch use {
		case 12, 1032:
			fits = term == strconv.Itoa(i+1) || term == strings.ToLower(r.of("001"))
		case 4:
			fits = strings.Contains(strings.ToLower(r.of("245")), term)
		case 1003:
			fits = strings.Contains(strings.ToLower(r.of("100")), term)
		case 1016:
			fits = strings.Contains(strings.ToLower(strings.Join(r.lines, "\n")), term)
		default:
			return fail(libraryUse, strconv.Itoa(use))
		}
		if fits {
			s.found = append(s.found, r)
		}
	}
	return tagged(23, taggedInt(23, len(s.found)), taggedInt(24, 0), taggedInt(25, 1), ber.Bool(ber.Context, 22, true))
}

// present gives records of the last search, in MARC 21 or as text.
func (s *librarian) present(v ber.Value) ber.Value {
	fail := func(code int, text string) ber.Value {
		return tagged(25, taggedInt(24, 0), taggedInt(25, 1), taggedInt(27, 5), tagged(130, diagnosis(code, text)...))
	}
	from, _ := field(v, 30).Int()
	count, _ := field(v, 29).Int()
	if from < 1 || count < 0 || from-1 > int64(len(s.found)) || count > int64(len(s.found))-from+1 {
		return fail(libraryRange, "")
	}
	syntax := librarySUTRS
	if want, ok := v.Field(104); ok {
		syntax, _ = want.OID()
	}
	var list []ber.Value
	for _, r := range s.found[from-1 : from-1+count] {
		var contents ber.Value
		switch syntax {
		case libraryMARC21:
			contents = taggedText(1, r.marc())
		case librarySUTRS:
			contents = tagged(0, ber.String(ber.Universal, ber.TagGeneralString, r.text()))
		default:
			return fail(librarySyntax, syntax)
		}
		external := ber.Of(ber.Universal, ber.TagExternal, ber.OID(ber.Universal, ber.TagOID, syntax), contents)
		list = append(list, ber.Of(ber.Universal, ber.TagSequence, taggedText(0, "books"), tagged(1, tagged(1, external))))
	}
	return tagged(25, taggedInt(24, int(count)), taggedInt(25, int(from+count)), taggedInt(27, 0), tagged(28, list...))
}

func diagnosis(code int, text string) []ber.Value {
	return []ber.Value{ber.OID(ber.Universal, ber.TagOID, libraryDiagnostics), ber.Int(ber.Universal, ber.TagInteger, int64(code)),
		ber.String(ber.Universal, ber.TagVisibleString, text)}
}

// of is a field's content.
func (r record) of(tag string) string {
	i := slices.IndexFunc(r.lines, func(s string) bool { return strings.HasPrefix(s, tag) })
	if i < 0 {
		return ""
	}
	return r.lines[i][4:]
}

// text is the record as lines for a person (SUTRS).
func (r record) text() string {
	var b strings.Builder
	for _, line := range r.lines {
		if _, content, ok := strings.Cut(line, "$a"); ok {
			b.WriteString(content + "\n")
		}
	}
	return strings.NewReplacer("$b", " ", "$c", " ", "$x", ", ").Replace(b.String())
}

// marc is the record in ISO 2709: a leader of 24 octets, a directory of twelve
// for each field, and the fields.
func (r record) marc() string {
	var directory, fields strings.Builder
	for _, line := range r.lines {
		content := strings.ReplaceAll(line[4:], "$", "\x1f") + "\x1e"
		fmt.Fprintf(&directory, "%s%04d%05d", line[:3], len(content), fields.Len())
		fields.WriteString(content)
	}
	base := 24 + directory.Len() + 1
	return fmt.Sprintf("%05dnam a22%05d   4500%s\x1e%s\x1d", base+fields.Len()+1, base, directory.String(), fields.String())
}
