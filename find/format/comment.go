package format

import "bytes"

// comment tells of the comment that v.data[from:to] is, marks and all.
func (s *scan) comment(v *view, from, to int) {
	if s.f.Comment == nil {
		return
	}
	text := bytes.TrimSpace(v.data[from:to])
	if n := bytes.IndexByte(text, '('); n > 0 && text[0] == '[' {
		text = text[n:] // [//]: # (text)
	}
	for _, marks := range [...][2]string{{"<!--", "-->"}, {"{/*", "*/}"}, {"(", ")"}, {"..", ""}, {"////", "////"}, {"//", ""}} {
		if rest, ok := bytes.CutPrefix(text, []byte(marks[0])); ok {
			text = bytes.TrimSpace(bytes.TrimSuffix(rest, []byte(marks[1])))
			break
		}
	}
	from, to = v.span(from, to)
	s.f.Comment(Comment{Start: from, End: to, Text: string(text)})
}

// braced tells of the comments that MDX writes in a paragraph, {/* … */}, which
// stands in v.data[from:to].
func (s *scan) braced(v *view, from, to int) {
	if s.f.Comment == nil {
		return
	}
	for {
		n := bytes.Index(v.data[from:to], []byte("{/*"))
		if n < 0 {
			return
		}
		from += n
		end := bytes.Index(v.data[from:to], []byte("*/}"))
		if end < 0 {
			return
		}
		end += from + len("*/}")
		if from == 0 || v.data[from-1] != '`' { // or it is only shown
			s.comment(v, from, end)
		}
		from = end
	}
}
