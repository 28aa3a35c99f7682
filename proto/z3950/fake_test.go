package z3950_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"

	"anyurl/internal/ber"
)

const (
	syntaxes = "1.2.840.10003.5."
	diags    = "1.2.840.10003.4.1"
)

// A fake is a Z39.50 server written from the protocol's description. It keeps
// what was asked.
type fake struct {
	uses     []int64           // Use attributes that have an index; none is all
	records  []string          // what every search finds, by its word, "…word…"
	as       map[string]string // record syntax (the end of its identifier): the record's form
	sets     []string          // element sets it knows; none is all
	refuses  bool              // answers Init with false
	closes   string            // answers every search with a Close of that text
	external func(syntax, text string) []ber.Value
	mu       sync.Mutex
	asked    []string
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
}

func (f *fake) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.asked...)
}

func ctx(tag uint32, parts ...ber.Value) ber.Value { return ber.Of(ber.Context, tag, parts...) }
func num(tag uint32, n int64) ber.Value            { return ber.Int(ber.Context, tag, n) }
func str(tag uint32, s string) ber.Value           { return ber.String(ber.Context, tag, s) }
func oid(s string) ber.Value                       { return ber.OID(ber.Universal, ber.TagOID, s) }

func diagnosis(code int64, text string) []ber.Value {
	return []ber.Value{oid(diags), ber.Int(ber.Universal, ber.TagInteger, code), ber.String(ber.Universal, ber.TagVisibleString, text)}
}

func text(v ber.Value, tag uint32) string {
	f, _ := v.Field(tag)
	return f.Text()
}

func integer(v ber.Value, tag uint32) int64 {
	f, _ := v.Field(tag)
	n, _ := f.Int()
	return n
}

func has[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return len(list) == 0
}

// serve answers one connection.
func (f *fake) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	var found []string
	database := ""
	for {
		v, err := ber.Read(r, ber.Limits{})
		if err != nil {
			return
		}
		var answer ber.Value
		switch v.Tag {
		case 20:
			user := ""
			if auth, ok := v.Field(7); ok {
				user = " by " + text(auth.Parts[0], 1) + "/" + text(auth.Parts[0], 2)
			}
			f.note("init%s", user)
			answer = ctx(21, ber.Bits(ber.Context, 3, 0, 1, 2), ber.Bits(ber.Context, 4, 0, 1, 14), num(5, 1<<20), num(6, 1<<20),
				ber.Bool(ber.Context, 12, !f.refuses), str(110, "7"), str(111, "a fake"), str(112, "1.0"))
		case 22:
			query, _ := v.Field(21)
			rpn := query.Parts[0].Parts
			operand, _ := rpn[1].Field(102)
			attributes, _ := operand.Field(44)
			use := integer(attributes.Parts[0], 121)
			term := text(operand, 45)
			names, _ := v.Field(18)
			database = names.Parts[0].Text()
			f.note("search %s for %s by %d", database, term, use)
			switch {
			case f.closes != "":
				answer = ctx(48, num(211, 2), str(3, f.closes))
			case database == "nosuch":
				answer = ctx(23, num(23, 0), num(24, 0), num(25, 0), ber.Bool(ber.Context, 22, false), ctx(130, diagnosis(235, database)...))
			case !has(f.uses, use):
				answer = ctx(23, num(23, 0), num(24, 0), num(25, 0), ber.Bool(ber.Context, 22, false), ctx(205, ber.Of(ber.Universal, ber.TagSequence, diagnosis(114, fmt.Sprint(use))...)))
			default:
				found = nil
				for _, r := range f.records {
					if strings.Contains(r, term) {
						found = append(found, r)
					}
				}
				answer = ctx(23, num(23, int64(len(found))), num(24, 0), num(25, 1), ber.Bool(ber.Context, 22, true))
			}
		case 24:
			start, count := integer(v, 30), integer(v, 29)
			want, _ := v.Field(104)
			syntax, _ := want.OID()
			syntax = strings.TrimPrefix(syntax, syntaxes)
			sets, _ := v.Field(19)
			f.note("present %d from %d as %s %s", count, start, syntax, text(sets, 0))
			form, known := f.as[syntax]
			if !known {
				answer = ctx(25, num(24, 0), num(25, 1), num(27, 5), ctx(130, diagnosis(239, syntax)...))
				break
			}
			var list []ber.Value
			for _, r := range found[start-1 : start-1+count] {
				var rec ber.Value
				if set, ok := v.Field(19); ok && !has(f.sets, text(set, 0)) {
					rec = ctx(2, ber.Of(ber.Universal, ber.TagSequence, diagnosis(25, text(set, 0))...))
				} else if f.external != nil {
					rec = ctx(1, ber.Of(ber.Universal, ber.TagExternal, f.external(syntax, r)...))
				} else {
					r = strings.ReplaceAll(form, "…", r)
					if syntax == "10" {
						r = marc(r)
					}
					contents := str(1, r)
					if syntax == "101" {
						contents = ctx(0, ber.String(ber.Universal, ber.TagGeneralString, r))
					}
					rec = ctx(1, ber.Of(ber.Universal, ber.TagExternal, oid(syntaxes+syntax), contents))
				}
				list = append(list, ber.Of(ber.Universal, ber.TagSequence, str(0, database), ctx(1, rec)))
			}
			answer = ctx(25, num(24, count), num(25, start+count), num(27, 0), ctx(28, list...))
		default:
			return
		}
		if _, err := conn.Write(answer.Append(nil)); err != nil {
			return
		}
	}
}

// marc makes an ISO 2709 record out of lines: a tag, and what the field holds,
// "$" standing for a subfield's mark.
func marc(lines string) string {
	var dir, fields string
	for line := range strings.SplitSeq(lines, "\n") {
		field := strings.ReplaceAll(line[4:], "$", "\x1f") + "\x1e"
		dir += fmt.Sprintf("%s%04d%05d", line[:3], len(field), len(fields))
		fields += field
	}
	base := 24 + len(dir) + 1
	return fmt.Sprintf("%05dnam a22%05d   4500", base+len(fields)+1, base) + dir + "\x1e" + fields + "\x1d"
}
