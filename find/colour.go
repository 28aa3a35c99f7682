package find

import "strings"

// A terminal's colours are no text: "https://www.\x1b[1mbank\x1b[0m.example/" shows
// one URL, as programs print it that set off what was searched for.

const (
	// maxColour bounds the length of a control sequence.
	maxColour = 32
	// maxColoured bounds how much of a URL may stand behind the first.
	maxColoured = 1 << 10
)

// colour gives the length of the control sequence at s[i] that changes how text
// looks and not where it stands (ECMA-48, SGR: ESC [ ... m; EL, which goes with it:
// ESC [ K; ISO 2022's ESC ( B, with which terminals are reset), or 0. It reports
// cut where s ends in one.
func colour(s string, i int) (n int, cut bool) {
	if i == len(s) || s[i] != 0x1B {
		return 0, false
	}
	if strings.HasPrefix(s[i:], "\x1b(B") {
		return 3, false
	}
	if len(s)-i < 2 {
		return 0, true
	}
	if s[i+1] != '[' {
		return 0, s[i+1] == '(' && len(s)-i == 2
	}
	k := i + 2
	for k < len(s) && k-i < maxColour && (is(s[k], digit) || s[k] == ';' || s[k] == ':') {
		k++
	}
	if k == len(s) {
		return 0, true
	}
	if s[k] == 'm' || s[k] == 'K' {
		return k + 1 - i, false
	}
	return 0, false
}

// uncoloured gives the place behind a control sequence that ends within
// s[start:end], or start.
func uncoloured(s string, start, end int) int {
	if start >= 2 {
		if c := s[start-1]; (c == '[' || c == ';' || c == ':') && (is(s[start], digit) || s[start] == 'm' || s[start] == 'K') {
			return behindColour(s, start, end)
		}
	}
	return start
}

func behindColour(s string, start, end int) int {
	low := max(0, start-maxColour)
	if k := strings.LastIndexByte(s[low:start], 0x1B); k >= 0 {
		if n, _ := colour(s, low+k); low+k+n > start && low+k+n <= end {
			return low + k + n
		}
	}
	return start
}

// coloured reads the reference that begins at start, whose scheme's ":" is s[p],
// and of which extent read the part up to end, as a terminal shows it. It reports
// false in coloured where no colour changes there.
func (e *engine) coloured(start, p, end int) (next int, ok, coloured bool) {
	s := e.s
	k := end
	for k < len(s) && k-end < 8 && tailClass[s[k]] != escape && tailClass[s[k]] != stop {
		k++ // the sentence's marks, if it is none
	}
	if k == len(s) || s[k] != 0x1B {
		return 0, false, false
	}
	limit := min(len(s), k+maxColoured)
	from := max(start-1, 0)
	e.joined = append(e.joined[:0], s[from:k]...)
	changes := 0
	for k < limit {
		n, cut := colour(s, k)
		if cut {
			k = limit
			break
		}
		if n > 0 {
			changes++
			k += n
			continue
		}
		e.joined = append(e.joined, s[k])
		if tailClass[s[k]] == stop || tailClass[s[k]] == escape {
			break
		}
		k++
	}
	e.see(k + 1)
	if changes == 0 {
		return 0, false, false
	}
	long := k == limit && limit < len(s)
	shown := view(e.joined)
	inner := engine{opts: e.opts, eof: true}
	stop, ok := inner.extent(shown, start-from, p-from)
	if !ok || long && stop == len(shown) {
		return p + 3, false, true
	}
	// Back to where its last byte stands.
	last := start
	for left := stop - (start - from); left > 0; last++ {
		for n, _ := colour(s, last); n > 0; n, _ = colour(s, last) {
			last += n
		}
		left--
	}
	if last-start == stop-(start-from) {
		return 0, false, false // the colour changes behind it
	}
	n := copy(e.joined, shown[start-from:stop])
	e.joined = e.joined[:n]
	e.found = span{start: start, end: last, kind: URL, joined: true}
	return last, true, true
}
