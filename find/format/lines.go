package format

// ical reads iCalendar and vCard: folded lines are joined (RFC 5545, section
// 3.1), escapes decoded.
func (s *scan) ical(v *view) {
	p := &piece{}
	b := v.data
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		end := next
		for end > i && (b[end-1] == '\n' || b[end-1] == '\r') {
			end--
		}
		if next < len(b) && (b[next] == ' ' || b[next] == '\t') {
			p.copy(b, i, end)
			i = next + 1 // the fold and its one blank vanish
			continue
		}
		p.copy(b, i, next)
		i = next
	}
	s.escaped(v.within(p), escapeICal, "")
}
