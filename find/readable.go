package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Readable writes a URL the way a reader of text wants to see it, so that
// the profile [UTS58] finds exactly it again between two spaces: UTS #58's
// minimal escaping. (A "?" at the very end cannot be kept from the sentence.) In path, query and fragment, what is percent-encoded is
// decoded, except where the character would be read as something else there: as
// syntax of its part, as a character that ends a link, or as no character at
// all, and except for what shows nothing. The rest of the URL, and a URL without "://", is given as it is. A host
// in Punycode is not decoded.
func Readable(url string) string {
	i := strings.Index(url, "://")
	if i < 0 {
		return url
	}
	i += 3
	n := strings.IndexAny(url[i:], "/?#")
	if n < 0 {
		return url
	}
	i += n
	var b strings.Builder
	b.Grow(len(url))
	b.WriteString(url[:i])
	for i < len(url) {
		part := url[i]
		end := len(url)
		switch part {
		case '/':
			end = i + indexOr(url[i:], "?#")
		case '?':
			end = i + indexOr(url[i:], "#")
		}
		b.WriteByte(part)
		readable(&b, part, url[i+1:end], end == len(url))
		i = end
	}
	return b.String()
}

func indexOr(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

// A glyph is a character of a part: raw is how the URL has it.
type glyph struct {
	r     rune
	raw   string
	coded bool // raw is percent-encoded
	keep  bool // it is shown as raw
}

// readable writes one part. last tells that the URL ends with it.
func readable(b *strings.Builder, part byte, s string, last bool) {
	glyphs := make([]glyph, 0, len(s))
	for i := 0; i < len(s); {
		g := nextGlyph(s[i:])
		i += len(g.raw)
		g.keep = g.coded && syntax(part, g.r) || unseen(g.r)
		glyphs = append(glyphs, g)
	}
	// A "%" that would make an escape of what follows it stays one.
	for i, g := range glyphs {
		if g.r != '%' {
			continue
		}
		if g.coded {
			glyphs[i].keep = true
			continue
		}
		// Nor does one that escapes nothing begin to, by a digit that is decoded.
		for k := i + 1; k < min(i+3, len(glyphs)) && glyphs[k].r < utf8.RuneSelf && isHex(byte(glyphs[k].r)); k++ {
			if glyphs[k].coded {
				glyphs[k].keep = true
				break
			}
		}
	}
	// Brackets match within one piece of the part.
	var opened []int
	for i := range glyphs {
		g := &glyphs[i]
		if g.keep {
			continue
		}
		if !g.coded && clears(part, glyphs, i) {
			opened = opened[:0]
		}
		switch linkTerm(g.r) {
		case linkHard:
			g.keep = true
		case linkOpen:
			if len(opened) == 125 {
				g.keep = true
				break
			}
			opened = append(opened, i)
		case linkClose:
			if len(opened) > 0 && glyphs[opened[len(opened)-1]].r == linkBracket(g.r) {
				opened = opened[:len(opened)-1]
			} else {
				g.keep = true
			}
		}
	}
	if n := len(glyphs); last && n > 0 {
		switch linkTerm(glyphs[n-1].r) {
		case linkSoft, linkOpen:
			glyphs[n-1].keep = true // at the end it would be the sentence's
		}
	}
	for _, g := range glyphs {
		switch {
		case !g.keep:
			b.WriteRune(g.r)
		case g.coded:
			b.WriteString(g.raw)
		default:
			for i := range len(g.raw) {
				const hex = "0123456789ABCDEF"
				b.WriteByte('%')
				b.WriteByte(hex[g.raw[i]>>4])
				b.WriteByte(hex[g.raw[i]&15])
			}
		}
	}
}

// nextGlyph reads a character, or the longest percent-encoded one; octets that
// encode none are kept as they are.
func nextGlyph(s string) glyph {
	if first, ok := octet(s); ok {
		buf := [utf8.UTFMax]byte{first}
		for n := 1; n <= utf8.UTFMax; n++ {
			if utf8.FullRune(buf[:n]) {
				r, size := utf8.DecodeRune(buf[:n])
				if size == n && (r != utf8.RuneError || n == 3) {
					return glyph{r: r, raw: s[:3*n], coded: true}
				}
				break
			}
			next, ok := octet(s[3*n:])
			if !ok {
				break
			}
			buf[n] = next
		}
		return glyph{r: -1, raw: s[:3], coded: true, keep: true}
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return glyph{r: -1, raw: s[:1]}
	}
	return glyph{r: r, raw: s[:size]}
}

// octet reads "%" HEXDIG HEXDIG.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' || !isHex(s[1]) || !isHex(s[2]) {
		return 0, false
	}
	return unhex(s[1])<<4 | unhex(s[2]), true
}

func unhex(c byte) byte {
	if is(c, digit) {
		return c - '0'
	}
	return lower(c) - 'a' + 10
}

// syntax reports whether a character that was encoded would be syntax of its
// part when it is not: it is data.
func syntax(part byte, r rune) bool {
	switch part {
	case '/':
		return r == '/' || r == '?' || r == '#' || r == '\\'
	case '?':
		return r == '#' || r == '=' || r == '&' || r == '+'
	}
	return r == ':' || r == '~' || r == '&' || r == '=' // of a fragment directive
}

// unseen reports whether a character shows nothing and may change how others
// are shown: RFC 3987, 4.1, forbids the bidi controls among them.
func unseen(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != 0x200C && r != 0x200D
}

// clears reports whether brackets do not match across glyph i.
func clears(part byte, g []glyph, i int) bool {
	switch part {
	case '/':
		return g[i].r == '/'
	case '?':
		return g[i].r == '=' || g[i].r == '&'
	}
	return g[i].r == ':' && i+2 < len(g) && g[i+1].r == '~' && g[i+2].r == ':' && !g[i+1].coded && !g[i+2].coded ||
		g[i].r == '=' || g[i].r == '&'
}
