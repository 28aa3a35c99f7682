package oracle

// MaxLen is how many symbols a text may have to be decided.
const MaxLen = 191

// A set is positions in a text, from 0 to MaxLen.
type set [(MaxLen + 1) / 64]uint64

func (s set) empty() bool { return s == set{} }

func (s *set) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s set) or(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) and(t set) set {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

func (s set) minus(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// step is every position moved one on.
func (s set) step() set {
	carry := uint64(0)
	for i := range s {
		s[i], carry = s[i]<<1|carry, s[i]>>63
	}
	return s
}

// A Matcher asks one grammar. It is not safe for concurrent use.
type Matcher struct {
	g     *Grammar
	runes bool
	text  []rune
	at    []set // by class: where its symbols stand in text
	known []bool
}

// NewMatcher gives a matcher for texts of octets or, where runes is set, of
// characters in UTF-8.
func NewMatcher(g *Grammar, runes bool) *Matcher {
	return &Matcher{g: g, runes: runes, at: make([]set, g.classes), known: make([]bool, g.classes)}
}

// Match reports whether the production derives the text. It follows every
// derivation at once: what it carries along is the set of all positions that
// some derivation has come to, so nothing is tried twice and the order of
// alternatives means nothing. It panics where the production is not one of the
// grammar's, or the text is longer than [MaxLen].
func (m *Matcher) Match(production, text string) bool {
	n := m.g.nodes[fold(m.g.notation, production)]
	if n == nil {
		panic("oracle: the grammar reaches no " + production)
	}
	m.text = symbols(text, m.runes)
	if len(m.text) > MaxLen {
		panic("oracle: text too long")
	}
	clear(m.known)
	var start set
	start.add(0)
	return m.ends(n, start).has(len(m.text))
}

// ends gives the positions that n can end at, having started at one of starts.
func (m *Matcher) ends(n *node, starts set) set {
	if starts.empty() {
		return starts
	}
	switch n.op {
	case opClass:
		return starts.and(m.where(n)).step()
	case opRef:
		return m.ends(n.ref, starts)
	case opSeq:
		for _, sub := range n.subs {
			starts = m.ends(sub, starts)
		}
		return starts
	case opAlt:
		var ends set
		for _, sub := range n.subs {
			ends = ends.or(m.ends(sub, starts))
		}
		return ends
	}
	// opRepeat
	for range n.min {
		starts = m.ends(n.subs[0], starts)
	}
	all := starts
	for i := n.min; i != n.max && !starts.empty(); i++ {
		if starts = m.ends(n.subs[0], starts); n.max < 0 {
			starts = starts.minus(all) // what is there already leads nowhere new
		}
		all = all.or(starts)
	}
	return all
}

// where gives the positions at which the text has a symbol of n's class.
func (m *Matcher) where(n *node) set {
	if !m.known[n.id] {
		m.known[n.id] = true
		var at set
		for i, r := range m.text {
			for _, s := range n.class {
				if s.lo <= r && r <= s.hi {
					at.add(i)
					break
				}
			}
		}
		m.at[n.id] = at
	}
	return m.at[n.id]
}
