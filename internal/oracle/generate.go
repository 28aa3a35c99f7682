package oracle

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Generate derives a text from a production, at random. The text may be longer
// than [MaxLen].
func (g *Grammar) Generate(r *rand.Rand, production string, runes bool) string {
	var b strings.Builder
	g.generate(r, &b, g.nodes[fold(g.notation, production)], runes, 0)
	return b.String()
}

func (g *Grammar) generate(r *rand.Rand, b *strings.Builder, n *node, runes bool, depth int) {
	switch n.op {
	case opClass:
		s := n.class[r.IntN(len(n.class))]
		if c := s.lo + rune(r.Int64N(int64(s.hi-s.lo)+1)); runes {
			b.WriteRune(c)
		} else {
			b.WriteByte(byte(c))
		}
	case opRef:
		g.generate(r, b, n.ref, runes, depth+1)
	case opSeq:
		for _, sub := range n.subs {
			g.generate(r, b, sub, runes, depth)
		}
	case opAlt:
		g.generate(r, b, n.subs[r.IntN(len(n.subs))], runes, depth)
	case opRepeat:
		times := n.min
		for times != n.max && r.IntN(depth/8+5) < 3 && b.Len() < MaxLen {
			times++
		}
		for range times {
			g.generate(r, b, n.subs[0], runes, depth)
		}
	}
}

// Mutate changes a text at one to three places, at random: a symbol of
// alphabet put in, put in place of another, or one taken out, doubled, moved.
func Mutate(r *rand.Rand, text string, alphabet []rune) string {
	t := []byte(text)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(t) + 1)
		var c [utf8.UTFMax]byte
		sym := c[:encode(&c, alphabet[r.IntN(len(alphabet))])]
		switch k := r.IntN(6); {
		case k < 2 || i == len(t):
			t = splice(t, i, i, sym)
		case k == 2:
			t = splice(t, i, i+1, sym)
		case k == 3:
			t = splice(t, i, i+1, nil)
		case k == 4:
			t = splice(t, i, i, t[i:i+1])
		default:
			j := r.IntN(len(t))
			t[i], t[j] = t[j], t[i]
		}
	}
	return string(t)
}

// encode writes a symbol: below 0x100 an octet, above a character in UTF-8.
func encode(dst *[utf8.UTFMax]byte, r rune) int {
	if r < 0x100 {
		dst[0] = byte(r)
		return 1
	}
	return utf8.EncodeRune(dst[:], r)
}

func splice(t []byte, i, j int, with []byte) []byte {
	out := make([]byte, 0, len(t)+len(with))
	out = append(out, t[:i]...)
	out = append(out, with...)
	return append(out, t[j:]...)
}

// Short yields every text of at most length symbols of alphabet, after prefix
// and before suffix.
func Short(prefix, alphabet, suffix string, length int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		buf := []byte(prefix)
		var grow func(left int) bool
		grow = func(left int) bool {
			n := len(buf)
			if !yield(string(append(buf, suffix...))) {
				return false
			}
			for i := 0; left > 0 && i < len(alphabet); i++ {
				buf = append(buf[:n], alphabet[i])
				if !grow(left - 1) {
					return false
				}
			}
			buf = buf[:n]
			return true
		}
		grow(length)
	}
}
