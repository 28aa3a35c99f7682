package format

import "bytes"

// table reads CSV (RFC 4180), or TSV: a URL does not go from one field into the
// next, and what is in quotation marks is read as what it stands for. TSV has no
// quotation marks by its registration (text/tab-separated-values), but spreadsheets
// write them.
func (s *scan) table(v *view, delimiter byte) {
	if delimiter == 0 {
		delimiter = delimiterOf(v.data)
	}
	b, p, reset := v.data, &piece{}, 0
	for i := 0; i < len(b) && !s.over(); {
		i = p.record(b, i, delimiter)
		if i-reset > stretchLen || i >= len(b) {
			s.prose(v, p, "")
			p.text, p.runs, reset = p.text[:0], p.runs[:0], i
		}
	}
}

// between is what stands between fields that are read as one text, so that no URL
// goes over it, not even in angle brackets: ASCII's unit separator, on a line of its
// own.
const between = "\n\x1f\n"

// record appends the record at b[i], field by field, and gives where the next
// begins.
func (p *piece) record(b []byte, i int, delimiter byte) (next int) {
	line := lineEnd(b, i)
	for i < len(b) {
		if b[i] == '"' {
			if i = p.cell(b, i); i > line {
				line = lineEnd(b, i)
			}
		}
		n := bytes.IndexByte(b[i:line], delimiter)
		if n < 0 || delimiter == 0 {
			break
		}
		p.copy(b, i, i+n)
		p.put(between, i+n, i+n+1)
		i += n + 1
	}
	if i < line && b[line-1] == '\n' {
		p.copy(b, i, line-1)
		p.put(between, line-1, line)
	} else {
		p.copy(b, i, line)
	}
	return max(i, line)
}

// cell appends the field in quotation marks at b[i]: of two within it one is
// meant. One that nothing closes is no such field.
func (p *piece) cell(b []byte, i int) (next int) {
	end := i + 1
	for limit := min(len(b), i+maxField); ; end += 2 {
		if end >= limit {
			p.copy(b, i, i+1)
			return i + 1
		}
		n := bytes.IndexByte(b[end:limit], '"')
		if n < 0 {
			end = limit
			continue
		}
		if end += n; end+1 == len(b) || b[end+1] != '"' {
			break
		}
	}
	p.put(between, i, i+1)
	p.replacing(b, i+1, end, '"', func(int) (string, int) { return `"`, 2 })
	p.put(between, end, end+1)
	return end + 1
}

// maxField bounds how far a field's closing mark is looked for, so that many that
// nothing closes cost no more than that each; spreadsheets end a cell at 32,767.
const maxField = 64 << 10

// delimiterOf tells what parts the fields: the mark that the first records have as
// often as each other, and the most of them; 0 where there is but one field.
func delimiterOf(b []byte) (delimiter byte) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if rest, ok := bytes.CutPrefix(b, []byte("sep=")); ok && len(rest) > 0 {
		return rest[0] // as Excel has it
	}
	const marks = ",;\t|"
	var first, same, seen [len(marks)]int
	quoted := false
	for i, records := 0, 0; i < min(len(b), headLen) && records < 32; i++ {
		switch c := b[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			if records == 0 {
				first = seen
			}
			for k := range seen {
				if seen[k] == first[k] {
					same[k]++
				}
			}
			seen = [len(marks)]int{}
			records++
		default:
			if k := bytes.IndexByte([]byte(marks), c); k >= 0 {
				seen[k]++
			}
		}
	}
	if same == [len(marks)]int{} {
		first = seen // a single record
	}
	best := -1
	for k, n := range first {
		if n > 0 && (best < 0 || same[k] > same[best] || same[k] == same[best] && n > first[best]) {
			best, delimiter = k, marks[k]
		}
	}
	return delimiter
}
