package format

import "sort"

// A piece is a stretch of text taken out of a source: what a reader of the
// format sees, and for every byte of it where it stands in the source.
type piece struct {
	text []byte
	runs []run // in order of dst, without gaps
}

// A run is a part of a piece: dn bytes of its text, which the source writes as
// sn bytes at src. Where own is set they are the source's own bytes, one for
// one; elsewhere they are what an escape stands for, and cannot be divided.
type run struct {
	dst, dn, src, sn int
	own              bool
}

// copy appends the source's own bytes data[from:to].
func (p *piece) copy(data []byte, from, to int) {
	if to <= from {
		return
	}
	if n := len(p.runs); n > 0 {
		if last := &p.runs[n-1]; last.own && last.src+last.sn == from {
			last.dn += to - from
			last.sn = last.dn
			p.text = append(p.text, data[from:to]...)
			return
		}
	}
	p.runs = append(p.runs, run{len(p.text), to - from, from, to - from, true})
	p.text = append(p.text, data[from:to]...)
}

// put appends text that the source writes as the bytes from:to. It may be
// empty: a soft line break, say.
func (p *piece) put(text string, from, to int) {
	if text == "" {
		return
	}
	p.runs = append(p.runs, run{len(p.text), len(text), from, to - from, false})
	p.text = append(p.text, text...)
}

// source gives the stretch of the source that text[start:end] was read from.
func (p *piece) source(start, end int) (from, to int) {
	i := p.runAt(start)
	if i == len(p.runs) {
		if i == 0 {
			return 0, 0
		}
		last := p.runs[i-1]
		return last.src + last.sn, last.src + last.sn
	}
	r := p.runs[i]
	from = r.src
	if r.own {
		from += start - r.dst
	}
	if end <= start {
		return from, from
	}
	r = p.runs[p.runAt(end-1)]
	if r.own {
		return from, r.src + end - r.dst
	}
	return from, r.src + r.sn
}

// runAt is the index of the run that holds text[i], or len(p.runs).
func (p *piece) runAt(i int) int {
	return sort.Search(len(p.runs), func(k int) bool { return p.runs[k].dst+p.runs[k].dn > i })
}

// trim cuts white space, as HTML counts it, from both ends.
func (p *piece) trim() (start, end int) {
	start, end = 0, len(p.text)
	for start < end && isSpace(p.text[start]) {
		start++
	}
	for end > start && isSpace(p.text[end-1]) {
		end--
	}
	return start, end
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

// slice is p[start:end] as a piece of its own.
func (p *piece) slice(start, end int) *piece {
	q := &piece{}
	for i := p.runAt(start); i < len(p.runs) && p.runs[i].dst < end; i++ {
		r := p.runs[i]
		lo, hi := max(start, r.dst), min(end, r.dst+r.dn)
		if r.own {
			r.src += lo - r.dst
			r.sn = hi - lo
		}
		q.runs = append(q.runs, run{len(q.text), hi - lo, r.src, r.sn, r.own})
		q.text = append(q.text, p.text[lo:hi]...)
	}
	return q
}
