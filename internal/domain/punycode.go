package domain

import "slices"

// Bootstring's parameters for Punycode, RFC 3492, section 5.
const (
	base, tMin, tMax = 36, 1, 26
	skew, damp       = 38, 700
	initialBias      = 72
	initialN         = 0x80
	acePrefix        = "xn--"

	longLabel = 128 // from here on the ways whose time stays linear, save a logarithm, pay
	maxRune   = 0x10FFFF
)

// adapt is RFC 3492, section 6.1.
func adapt(delta uint64, points int, first bool) uint64 {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / uint64(points)
	k := uint64(0)
	for delta > (base-tMin)*tMax/2 {
		delta /= base - tMin
		k += base
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}

func threshold(k, bias uint64) uint64 {
	switch {
	case k <= bias+tMin:
		return tMin
	case k >= bias+tMax:
		return tMax
	}
	return k - bias
}

// appendInteger is the generalized variable-length integer of RFC 3492,
// section 3.3.
func appendInteger(dst []byte, q, bias uint64) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := uint64(base); ; k += base {
		t := threshold(k, bias)
		if q < t {
			return append(dst, digits[q])
		}
		var whole uint64
		if q <= 0xffffffff { // the usual case, and a quicker division
			whole = uint64(uint32(q-t) / uint32(base-t))
		} else {
			whole = (q - t) / (base - t)
		}
		dst = append(dst, digits[q-whole*(base-t)])
		q = whole
	}
}

// encode appends the Punycode of label, RFC 3492, section 6.3. Nothing can
// overflow: a delta is at most 2^21 times the length.
func encode(dst []byte, label []rune) []byte {
	basic := 0
	for _, c := range label {
		if c < initialN {
			dst = append(dst, byte(c))
			basic++
		}
	}
	if basic > 0 {
		dst = append(dst, '-')
	}
	if len(label) >= longLabel {
		return encodeLong(dst, label, basic)
	}
	n, delta, bias, handled := rune(initialN), uint64(0), uint64(initialBias), basic
	for handled < len(label) {
		next := rune(maxRune)
		for _, c := range label {
			if c >= n && c < next {
				next = c
			}
		}
		delta += uint64(next-n) * uint64(handled+1)
		n = next
		for _, c := range label {
			if c < n {
				delta++
			}
			if c == n {
				dst = appendInteger(dst, delta, bias)
				handled++
				if handled == len(label) {
					return dst
				}
				bias = adapt(delta, handled, handled == basic+1)
				delta = 0
			}
		}
		delta++
		n++
	}
	return dst
}

// encodeLong is encode's loop for a label of any length: it visits each code
// point once, in the order of their values, and counts the smaller ones
// between two places with a tree instead of walking over them.
func encodeLong(dst []byte, label []rune, basic int) []byte {
	smaller := make(tree, len(label)+1) // the places of code points below n
	todo := make([]uint64, 0, len(label)-basic)
	for at, c := range label {
		if c < initialN {
			smaller.add(at, 1)
		} else {
			todo = append(todo, uint64(c)<<32|uint64(at))
		}
	}
	slices.Sort(todo)
	n, delta, bias, handled := rune(initialN), uint64(0), uint64(initialBias), basic
	for len(todo) > 0 {
		next := rune(todo[0] >> 32)
		delta += uint64(next-n) * uint64(handled+1)
		n = next
		below, seen, same := handled, 0, 0
		for same < len(todo) && rune(todo[same]>>32) == n {
			before := smaller.before(int(uint32(todo[same])))
			delta += uint64(before - seen)
			seen = before
			dst = appendInteger(dst, delta, bias)
			bias = adapt(delta, handled+1, handled == basic)
			delta = 0
			handled++
			same++
		}
		for _, k := range todo[:same] {
			smaller.add(int(uint32(k)), 1)
		}
		delta += uint64(below-seen) + 1
		n++
		todo = todo[same:]
	}
	return dst
}

// An insertion is one step of the decoder: c goes to place at of the text so
// far.
type insertion struct {
	c  rune
	at int
}

// decode appends what the Punycode in label stands for, RFC 3492, section 6.2.
// Label is in lower case and ASCII. Where it is not Punycode, bad is the place
// of the code point that shows it, and -1 otherwise.
func decode(dst []rune, label []rune) (out []rune, bad int) {
	start, in := len(dst), 0
	if d := lastHyphen(label); d > 0 {
		dst = append(dst, label[:d]...)
		in = d + 1
	}
	basic := len(dst) - start
	long := len(label) >= longLabel
	var steps []insertion
	points := basic
	n, i, bias := uint64(initialN), uint64(0), uint64(initialBias)
	for in < len(label) {
		// Beyond this, n would pass the last code point.
		limit := (maxRune - n + 1) * uint64(points+1)
		old, w, first := i, uint64(1), in
		for k := uint64(base); ; k += base {
			if in == len(label) {
				return dst, in
			}
			digit := digitOf(label[in])
			if digit >= base {
				return dst, in
			}
			if digit > 0 && w > limit || i-old+digit*w > limit {
				return dst, first
			}
			in++
			i += digit * w
			t := threshold(k, bias)
			if digit < t {
				break
			}
			if w <= limit { // no further: then only zeros may follow
				w *= base - t
			}
		}
		points++
		bias = adapt(i-old, points, old == 0)
		n += i / uint64(points)
		i %= uint64(points)
		if n > maxRune || 0xD800 <= n && n <= 0xDFFF {
			return dst, first
		}
		if long {
			steps = append(steps, insertion{rune(n), int(i)})
		} else {
			dst = slices.Insert(dst, start+int(i), rune(n))
		}
		i++
	}
	if long {
		dst = place(dst[:start], dst[start:], steps)
	}
	return dst, -1
}

// place carries out insertions all at once, last one first: the last stands
// where it was put, and each one before it at its place among those left free.
func place(dst, basic []rune, steps []insertion) []rune {
	total := len(basic) + len(steps)
	text := make([]rune, total)
	taken := make([]bool, total)
	free := make(tree, total+1)
	for at := range total {
		free.add(at, 1)
	}
	for k := len(steps) - 1; k >= 0; k-- {
		at := free.find(steps[k].at)
		text[at], taken[at] = steps[k].c, true
		free.add(at, -1)
	}
	next := 0
	for at := range text {
		if !taken[at] {
			text[at] = basic[next]
			next++
		}
	}
	return append(dst, text...)
}

func lastHyphen(label []rune) int {
	for i := len(label) - 1; i >= 0; i-- {
		if label[i] == '-' {
			return i
		}
	}
	return -1
}

func digitOf(c rune) uint64 {
	switch {
	case 'a' <= c && c <= 'z':
		return uint64(c - 'a')
	case '0' <= c && c <= '9':
		return uint64(c-'0') + 26
	}
	return base
}

// A tree counts over places in logarithmic time (Fenwick, 1994). It has one
// element more than there are places.
type tree []int32

func (t tree) add(at int, by int32) {
	for i := at + 1; i < len(t); i += i & -i {
		t[i] += by
	}
}

// before counts the places below at.
func (t tree) before(at int) int {
	sum := int32(0)
	for i := at; i > 0; i -= i & -i {
		sum += t[i]
	}
	return int(sum)
}

// find gives the place that has k counted places before it and is counted.
func (t tree) find(k int) int {
	step := 1
	for step*2 < len(t) {
		step *= 2
	}
	at := 0
	for ; step > 0; step /= 2 {
		if at+step < len(t) && int(t[at+step]) <= k {
			at += step
			k -= int(t[at])
		}
	}
	return at
}
