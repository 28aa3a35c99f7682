package format

import "sort"

// A piece is a stretch of text taken out of a source: what a reader of the
// format sees, and for every byte of it where it stands in the source.
type piece struct {
	text []byte
	runs []run // in order of dst, without gaps
}

// A run is a part of a piece: n units of d bytes of its text each, from dst on,
// which the source writes as s bytes each, from src on. A unit cannot be divided.
// The source's own bytes are units of one byte for one. Text in UTF-16, or
// nothing but escapes, is one run as well, or few.
type run struct {
	dst, src, n int
	d, s        uint32
}

// all is the whole of data as it stands, without a copy: nothing is put behind it.
func all(data []byte) *piece {
	p := &piece{text: data}
	if len(data) > 0 {
		p.runs = []run{{0, 0, len(data), 1, 1}}
	}
	return p
}

// end is where the run ends in the text.
func (r *run) end() int { return r.dst + r.n*int(r.d) }

// srcEnd is where the run ends in the source.
func (r *run) srcEnd() int { return r.src + r.n*int(r.s) }

// unit gives the stretch of the source for the unit that text[i] is in.
func (r *run) unit(i int) (from, to int) {
	from = r.src + (i-r.dst)/int(r.d)*int(r.s)
	return from, from + int(r.s)
}

// push notes how the text is written that will be appended.
func (p *piece) push(src, n, d, s int) {
	if k := len(p.runs); k > 0 {
		if last := &p.runs[k-1]; int(last.d) == d && int(last.s) == s && last.srcEnd() == src {
			last.n += n
			return
		}
	}
	p.runs = append(p.runs, run{len(p.text), src, n, uint32(d), uint32(s)})
}

// copy appends the source's own bytes data[from:to].
func (p *piece) copy(data []byte, from, to int) {
	if to <= from {
		return
	}
	p.push(from, to-from, 1, 1)
	p.text = append(p.text, data[from:to]...)
}

// put appends text that the source writes as the bytes from:to. It may be
// empty: a soft line break, say.
func (p *piece) put(text string, from, to int) {
	if text == "" {
		return
	}
	p.push(from, 1, len(text), to-from)
	p.text = append(p.text, text...)
}

// add appends q[start:end], whose source is ours from shift on.
func (p *piece) add(q *piece, start, end, shift int) {
	for i := q.runAt(start); i < len(q.runs) && start < end; i++ {
		r := &q.runs[i]
		for stop := min(end, r.end()); start < stop; {
			from, to := r.unit(start)
			n, d := 1, min(stop, start+int(r.d)-(start-r.dst)%int(r.d))-start
			if d == int(r.d) {
				n = (stop - start) / d
			}
			p.push(from+shift, n, d, to-from)
			p.text = append(p.text, q.text[start:start+n*d]...)
			start += n * d
		}
	}
}

// through appends text, which was made of q's, whose source is ours.
func (p *piece) through(q, text *piece) {
	for i := range text.runs {
		r := &text.runs[i]
		if r.d == 1 && r.s == 1 {
			p.add(q, r.src, r.srcEnd(), 0)
			continue
		}
		for k := r.dst; k < r.end(); k += int(r.d) {
			from, to := q.source(r.unit(k))
			p.put(string(text.text[k:k+int(r.d)]), from, to)
		}
	}
}

// source gives the stretch of the source that text[start:end] was read from.
func (p *piece) source(start, end int) (from, to int) {
	i := p.runAt(start)
	if i == len(p.runs) {
		if i == 0 {
			return 0, 0
		}
		to = p.runs[i-1].srcEnd()
		return to, to
	}
	from, _ = p.runs[i].unit(start)
	if end <= start {
		return from, from
	}
	_, to = p.runs[p.runAt(end-1)].unit(end - 1)
	return from, to
}

// runAt is the index of the run that holds text[i], or len(p.runs).
func (p *piece) runAt(i int) int {
	return sort.Search(len(p.runs), func(k int) bool { return p.runs[k].end() > i })
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
	q.add(p, start, end, 0)
	return q
}
