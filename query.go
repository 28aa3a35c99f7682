package anyurl

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"anyurl/percent"
)

// A Query is a query read as an ordered list of names and values, as
// application/x-www-form-urlencoded text is (URL Standard, section
// "application/x-www-form-urlencoded"). It is a value: Add, Set, Delete and
// Sort give a new one, in which every pair they do not touch stands as it
// stood, octet for octet: "a" stays apart from "a=", "%7e" from "~", and ";" is
// a character like any other.
//
// Queries are compared with ==. The zero Query has no pairs.
type Query struct {
	raw string
}

// ParseQuery reads a query, with or without its "?". Every text is a query.
func ParseQuery(query string) Query {
	return Query{strings.TrimPrefix(query, "?")}
}

// QueryOf gives a query of the pairs, encoded, in their order.
func QueryOf(pairs iter.Seq2[string, string]) Query {
	var out []byte
	for name, value := range pairs {
		out = appendPair(out, name, value)
	}
	return Query{string(out)}
}

// Params gives the query as a list of names and values.
func (u URL) Params() Query { return Query{u.Query()} }

// WithParams gives u with another query. A query without pairs removes it. The
// rule of its error is [TooLong].
func (u URL) WithParams(q Query) (URL, error) {
	if q.raw == "" {
		return u.WithoutQuery(), nil
	}
	return u.WithQuery("?" + q.raw)
}

// String gives the query as text, encoded, without "?".
func (q Query) String() string { return q.raw }

// pairs gives the raw pairs: what stands between "&", where it is not empty.
func (q Query) pairs() iter.Seq[string] {
	return func(yield func(string) bool) {
		rest := q.raw
		for rest != "" {
			var pair string
			pair, rest, _ = strings.Cut(rest, "&")
			if pair != "" && !yield(pair) {
				return
			}
		}
	}
}

// All gives the names and values, decoded, in order. A bare key has the value "".
func (q Query) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for pair := range q.pairs() {
			name, value, _ := strings.Cut(pair, "=")
			if !yield(formDecode(name), formDecode(value)) {
				return
			}
		}
	}
}

// Len gives the number of pairs.
func (q Query) Len() int {
	n := 0
	for range q.pairs() {
		n++
	}
	return n
}

// Get gives the first value for name, and whether there is one. A bare key has
// the value "".
func (q Query) Get(name string) (value string, ok bool) {
	for n, v := range q.All() {
		if n == name {
			return v, true
		}
	}
	return "", false
}

// Values gives all the values for name, in order.
func (q Query) Values(name string) []string {
	var values []string
	for n, v := range q.All() {
		if n == name {
			values = append(values, v)
		}
	}
	return values
}

// Has reports whether there is a pair with that name.
func (q Query) Has(name string) bool {
	_, ok := q.Get(name)
	return ok
}

// Add gives q with a pair behind all others.
func (q Query) Add(name, value string) Query {
	return Query{string(appendPair([]byte(q.raw), name, value))}
}

// AddKey gives q with a bare key, without "=", behind all others.
func (q Query) AddKey(name string) Query {
	return Query{string(appendForm(appendSeparator([]byte(q.raw)), name))}
}

// Set gives q with value in place of the first value for name, and without any
// further one. A name that q lacks is added.
func (q Query) Set(name, value string) Query {
	return q.replace(name, func(out []byte) []byte { return appendPair(out, name, value) }, true)
}

// Delete gives q without the pairs of that name.
func (q Query) Delete(name string) Query {
	if !q.Has(name) {
		return q
	}
	return q.replace(name, func(out []byte) []byte { return out }, false)
}

// replace calls with in place of the first pair of that name, or at the end if
// there is none and it is to be added.
func (q Query) replace(name string, with func([]byte) []byte, add bool) Query {
	out := make([]byte, 0, len(q.raw)+len(name)+16)
	found := false
	for pair := range q.pairs() {
		if n, _, _ := strings.Cut(pair, "="); formDecode(n) != name {
			out = append(appendSeparator(out), pair...)
		} else if !found {
			out = with(out)
			found = true
		}
	}
	if add && !found {
		out = with(out)
	}
	return Query{string(out)}
}

// Sort gives q with its pairs sorted by name, in the order of their UTF-16 code
// units as the URL Standard has it; pairs of one name keep their order.
func (q Query) Sort() Query {
	type named struct{ name, pair string }
	var list []named
	for pair := range q.pairs() {
		name, _, _ := strings.Cut(pair, "=")
		list = append(list, named{formDecode(name), pair})
	}
	slices.SortStableFunc(list, func(a, b named) int { return compareUTF16(a.name, b.name) })
	out := make([]byte, 0, len(q.raw))
	for _, n := range list {
		out = append(appendSeparator(out), n.pair...)
	}
	return Query{string(out)}
}

// compareUTF16 compares as if both were UTF-16: surrogates, and so the code
// points above U+FFFF, sort before U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	// In UTF-8, the lead bytes of U+E000 to U+FFFF are 0xEE and 0xEF, and those
	// of the code points above them 0xF0 to 0xF4.
	key := func(c byte) int {
		if c == 0xEE || c == 0xEF {
			return int(c) + 0x10
		}
		return int(c)
	}
	return key(a[i]) - key(b[i])
}

func appendSeparator(out []byte) []byte {
	if len(out) > 0 && out[len(out)-1] != '&' {
		out = append(out, '&')
	}
	return out
}

func appendPair(out []byte, name, value string) []byte {
	out = appendForm(appendSeparator(out), name)
	return appendForm(append(out, '='), value)
}

// appendForm encodes s with the application/x-www-form-urlencoded
// percent-encode set, and a space as "+".
func appendForm(out []byte, s string) []byte {
	s = scalarValues(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			out = append(out, '+')
		case percent.Form[c]:
			out = percent.AppendByte(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// formDecode reads "+" as a space, decodes escapes, and reads the result as
// UTF-8, in which what is ill-formed is U+FFFD.
func formDecode(s string) string {
	if strings.IndexByte(s, '+') >= 0 {
		s = strings.ReplaceAll(s, "+", " ")
	}
	s = percent.Decode(s)
	if !utf8.ValidString(s) {
		return scalarValues(s)
	}
	return s
}
