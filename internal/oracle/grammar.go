// Package oracle decides what a grammar says by reading the grammar itself:
// the productions as a document prints them, as data, and a general recognizer
// that knows no URL. Tests hold the hand-written parsers against it.
//
// Only tests import it; the import law has no line that lets anything else.
package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Notation is a way in which documents write productions.
type Notation int

const (
	// ABNF is RFC 5234's: "/" between alternatives, strings that ignore case.
	ABNF Notation = iota
	// RFC1738 is that of RFC 822 as RFC 1738 bends it: "|" between
	// alternatives, brackets around what is optional or repeated, strings
	// that mind case.
	RFC1738
	// RFC1630 is that document's own: "Single letters stand for single
	// letters. All words of more than one letter below are entities".
	RFC1630
)

// A Grammar is a set of productions, ready to be asked.
type Grammar struct {
	notation Notation
	text     map[string]string // the right-hand sides, as written
	nodes    map[string]*node
	classes  int
}

// A node is what a right-hand side is made of.
type node struct {
	op       op
	class    []span // opClass: one symbol of these
	id       int    // opClass: its number
	subs     []*node
	min, max int    // opRepeat: max < 0 is no bound
	name     string // opRef
	ref      *node  // opRef
}

type op int

const (
	opClass op = iota
	opSeq
	opAlt
	opRepeat
	opRef
)

// A span is symbols from lo to hi, both included.
type span struct{ lo, hi rune }

// Parse reads the productions of a document. What amends gives, in the same
// notation, stands in their place: the decisions on slips of the document.
// The productions of starts, and those that they reach, must all be there.
func Parse(notation Notation, printed, amends string, starts ...string) (*Grammar, error) {
	g := &Grammar{notation: notation, text: map[string]string{}, nodes: map[string]*node{}}
	for name, text := range core(notation) {
		g.text[name] = text
	}
	for _, source := range []string{printed, amends} {
		read, err := productions(notation, source)
		if err != nil {
			return nil, err
		}
		maps.Copy(g.text, read)
	}
	for _, start := range starts {
		if _, err := g.production(start); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Names lists the productions that can be asked for: those that the start
// productions reach.
func (g *Grammar) Names() []string { return slices.Sorted(maps.Keys(g.nodes)) }

// Productions lists the names that a text defines, in alphabetical order.
func Productions(notation Notation, printed string) ([]string, error) {
	read, err := productions(notation, printed)
	return slices.Sorted(maps.Keys(read)), err
}

// core gives the names that documents use and define elsewhere.
func core(n Notation) map[string]string {
	switch n {
	case ABNF: // RFC 5234, appendix B.1
		return map[string]string{
			"alpha":  "%x41-5A / %x61-7A",
			"digit":  "%x30-39",
			"hexdig": `DIGIT / "A" / "B" / "C" / "D" / "E" / "F"`,
		}
	case RFC1630: // "Spaces are represented by the word "space", and the vertical line character by "vline"."
		return map[string]string{"space": "", "vline": ""}
	}
	return nil
}

// productions cuts a text into right-hand sides by name. A line that is
// indented deeper than the first one goes on with what the line before began.
func productions(n Notation, source string) (map[string]string, error) {
	out := map[string]string{}
	first, name := -1, ""
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, " \t\r\n")
		if n != RFC1630 {
			line = withoutComment(line)
		}
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			continue
		}
		indent := len(line) - len(body)
		if first < 0 {
			first = indent
		}
		if indent > first {
			if name == "" {
				return nil, fmt.Errorf("nothing goes on with %q", line)
			}
			out[name] += " " + body
			continue
		}
		head, rest, _ := strings.Cut(body, " ")
		rest = strings.TrimLeft(rest, " ")
		if n != RFC1630 {
			after, ok := strings.CutPrefix(rest, "=")
			if !ok {
				return nil, fmt.Errorf("%q defines nothing", line)
			}
			rest = after
		}
		name = fold(n, head)
		out[name] = rest
	}
	return out, nil
}

// fold is the name as it is looked up: names ignore case in ABNF.
func fold(n Notation, name string) string {
	if n == ABNF {
		return strings.ToLower(name)
	}
	return name
}

// withoutComment cuts a line at a ";" outside quotes.
func withoutComment(line string) string {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"' && !(i > 0 && line[i-1] == '<'): // <"> is a quote mark
			quoted = !quoted
		case line[i] == ';' && !quoted:
			return line[:i]
		}
	}
	return line
}

// production gives the node of a name, and reads its text at the first call.
func (g *Grammar) production(name string) (*node, error) {
	key := fold(g.notation, name)
	if n := g.nodes[key]; n != nil {
		return n, nil
	}
	text, ok := g.text[key]
	if !ok {
		return nil, fmt.Errorf("no production %q", name)
	}
	ref := &node{op: opRef, name: key}
	g.nodes[key] = ref // before reading: a production may hold itself
	switch {
	case g.notation == RFC1630 && key == "space":
		ref.ref = g.class(span{' ', ' '})
		return ref, nil
	case g.notation == RFC1630 && key == "vline":
		ref.ref = g.class(span{'|', '|'})
		return ref, nil
	}
	p := &reader{g: g, rest: text}
	p.next()
	n, err := p.alternatives()
	if err == nil && p.tok.kind != tokEnd {
		err = fmt.Errorf("%q is left over", p.tok.text+p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ref.ref = n
	return ref, nil
}

func (g *Grammar) class(spans ...span) *node {
	g.classes++
	return &node{op: opClass, class: spans, id: g.classes - 1}
}

// literal is a string: one class after the other.
func (g *Grammar) literal(s string) *node {
	seq := &node{op: opSeq}
	for _, r := range s {
		spans := []span{{r, r}}
		if lower := r | 0x20; g.notation == ABNF && 'a' <= lower && lower <= 'z' {
			spans = []span{{r &^ 0x20, r &^ 0x20}, {lower, lower}}
		}
		seq.subs = append(seq.subs, g.class(spans...))
	}
	if len(seq.subs) == 1 {
		return seq.subs[0]
	}
	return seq
}

// A reader reads one right-hand side.
type reader struct {
	g    *Grammar
	rest string
	tok  token
	err  error
}

type token struct {
	kind tokKind
	text string
	min  int // tokCount
	max  int // tokCount
	span span
}

type tokKind int

const (
	tokEnd tokKind = iota
	tokName
	tokLiteral
	tokSpan
	tokCount // n*m, or n
	tokOr
	tokOpen      // (
	tokClose     // )
	tokOption    // [
	tokOptionEnd // ]
)

// next reads a token into p.tok.
func (p *reader) next() {
	p.rest = strings.TrimLeft(p.rest, " \t")
	p.tok = token{}
	if p.rest == "" {
		return
	}
	if p.g.notation == RFC1630 {
		p.next1630()
		return
	}
	take := func(n int, kind tokKind) {
		p.tok = token{kind: kind, text: p.rest[:n]}
		p.rest = p.rest[n:]
	}
	switch c := p.rest[0]; {
	case strings.HasPrefix(p.rest, `<">`):
		take(3, tokLiteral)
		p.tok.text = `"`
	case c == '"':
		end := strings.IndexByte(p.rest[1:], '"') + 1
		if end == 0 {
			p.err = fmt.Errorf("%q is never closed", p.rest)
			p.rest = ""
			return
		}
		text := p.rest[1:end]
		take(end+1, tokLiteral)
		p.tok.text = text
	case c == '<': // prose, which names a production in the documents read here
		end := strings.IndexByte(p.rest, '>')
		name := p.rest[1:max(end, 1)]
		take(end+1, tokName)
		p.tok.text = name
	case c == '%':
		n := 2
		for n < len(p.rest) && (isHex(p.rest[n]) || p.rest[n] == '-') {
			n++
		}
		lo, hi, isRange := strings.Cut(p.rest[2:n], "-")
		if !isRange {
			hi = lo
		}
		l, err1 := strconv.ParseInt(lo, 16, 32)
		h, err2 := strconv.ParseInt(hi, 16, 32)
		if err1 != nil || err2 != nil {
			p.err = fmt.Errorf("%q is no range", p.rest[:n])
			p.rest = ""
			return
		}
		take(n, tokSpan)
		p.tok.span = span{rune(l), rune(h)}
	case c == '*' || '0' <= c && c <= '9':
		n := digits(p.rest)
		low, _ := strconv.Atoi(p.rest[:n])
		high := low
		if n < len(p.rest) && p.rest[n] == '*' {
			m := digits(p.rest[n+1:])
			high = -1
			if m > 0 {
				high, _ = strconv.Atoi(p.rest[n+1 : n+1+m])
			}
			n += 1 + m
		}
		take(n, tokCount)
		p.tok.min, p.tok.max = low, high
	case c == '|' || c == '/' && p.g.notation == ABNF:
		take(1, tokOr)
	case c == '/': // RFC 1738 forgets the quotes once, in gopherurl
		take(1, tokLiteral)
	case c == '(':
		take(1, tokOpen)
	case c == ')':
		take(1, tokClose)
	case c == '[':
		take(1, tokOption)
	case c == ']':
		take(1, tokOptionEnd)
	default:
		n := 0
		for n < len(p.rest) && (isWord(p.rest[n]) || strings.IndexByte("-+_", p.rest[n]) >= 0) {
			n++
		}
		if n == 0 {
			p.err = fmt.Errorf("%q is nothing of this notation", p.rest)
			p.rest = ""
			return
		}
		take(n, tokName)
	}
}

// next1630 reads a token of RFC 1630: a word of two letters and more is an
// entity, brackets and the vertical line are the notation's, and any other
// character stands for itself.
func (p *reader) next1630() {
	n := 0
	for n < len(p.rest) && (isWord(p.rest[n]) || n > 0 && p.rest[n] == '-') {
		n++
	}
	switch c := p.rest[0]; {
	case n > 1 && !('0' <= c && c <= '9'):
		p.tok = token{kind: tokName, text: p.rest[:n]}
		p.rest = p.rest[n:]
		return
	case c == '|':
		p.tok.kind = tokOr
	case c == '[':
		p.tok.kind = tokOption
	case c == ']':
		p.tok.kind = tokOptionEnd
	default:
		p.tok.kind = tokLiteral
	}
	p.tok.text = p.rest[:1]
	p.rest = p.rest[1:]
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

func (p *reader) alternatives() (*node, error) {
	alt := &node{op: opAlt}
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		alt.subs = append(alt.subs, n)
		if p.tok.kind != tokOr {
			break
		}
		p.next()
	}
	if len(alt.subs) == 1 {
		return alt.subs[0], p.err
	}
	// alternatives of one symbol each are one class
	var spans []span
	for _, n := range alt.subs {
		if n.op != opClass {
			return alt, p.err
		}
		spans = append(spans, n.class...)
	}
	return p.g.class(spans...), p.err
}

func (p *reader) sequence() (*node, error) {
	seq := &node{op: opSeq}
	for {
		var n *node
		count := token{min: 1, max: 1}
		repeated := p.tok.kind == tokCount
		if repeated {
			count = p.tok
			p.next()
		}
		switch tok := p.tok; tok.kind {
		case tokEnd, tokOr, tokClose, tokOptionEnd:
			if repeated {
				return nil, fmt.Errorf("nothing to repeat before %q", tok.text+p.rest)
			}
			if len(seq.subs) == 1 {
				return seq.subs[0], p.err
			}
			return seq, p.err
		case tokName:
			p.next()
			ref, err := p.g.production(tok.text)
			if err != nil {
				return nil, err
			}
			n = ref
			if ref.ref != nil && ref.ref.op == opClass {
				n = ref.ref
			}
		case tokLiteral:
			n = p.g.literal(tok.text)
			p.next()
		case tokSpan:
			n = p.g.class(tok.span)
			p.next()
		case tokOpen, tokOption:
			p.next()
			inner, err := p.alternatives()
			if err != nil {
				return nil, err
			}
			end := tokClose
			if tok.kind == tokOption {
				end = tokOptionEnd
			}
			if p.tok.kind != end {
				return nil, fmt.Errorf("%q is never closed", tok.text)
			}
			p.next()
			n = inner
			if tok.kind == tokOption && !repeated { // "*[ x ]" is RFC 1738's "*( x )"
				n = &node{op: opRepeat, subs: []*node{inner}, max: 1}
			}
		}
		if repeated {
			n = &node{op: opRepeat, subs: []*node{n}, min: count.min, max: count.max}
		}
		seq.subs = append(seq.subs, n)
	}
}

// symbols are what a grammar is asked about: octets, or the characters of
// UTF-8 with every octet that is none as a symbol beyond Unicode.
func symbols(s string, runes bool) []rune {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if runes && r >= utf8.RuneSelf {
			if r, n = utf8.DecodeRuneInString(s[i:]); n == 1 {
				r = utf8.MaxRune + 1
			}
		}
		out = append(out, r)
		i += n
	}
	return out
}
