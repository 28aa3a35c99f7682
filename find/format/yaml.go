package format

import "bytes"

// yaml reads YAML 1.2: in its double quotes there are escapes, and a line goes on
// behind a backslash; in its single quotes two of them are one.
func (s *scan) yaml(v *view) { s.edited(v, escapeSource, "", yamlStrings) }

// yamlStrings tells what is in the strings of YAML. A quote opens one where a value
// may begin, and nowhere else.
func yamlStrings(b []byte) []edit {
	if bytes.IndexByte(b, '\\') < 0 && !bytes.Contains(b, []byte("''")) {
		return nil
	}
	w := &walk{language: language{how: escapeSource, folds: true}, b: b}
	value, column := true, 0 // a value may begin; where its key stands
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\n':
			value = true
			i++
			column = indent(b[i:lineEnd(b, i)])
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#' && (i == 0 || isSpace(b[i-1])):
			i = endOfText(b, i)
		case value && (c == '"' || c == '\'') && !w.never[c]:
			i, value = w.scalar(i), false
		case value && (c == '|' || c == '>') && blockHeader(b, i):
			i = blockEnd(b, i, column)
		case value && (c == '&' || c == '!' || c == '*'):
			for i < len(b) && !isSpace(b[i]) {
				i++
			}
		case (c == '-' || c == '?' || c == ':') && (i+1 == len(b) || isSpace(b[i+1])):
			if value && c != ':' {
				column += 2
			}
			i, value = i+1, true
		case c == '[' || c == '{' || c == ',' || c == ':' && i > 0 && (b[i-1] == '"' || b[i-1] == '\''):
			i, value = i+1, true
		default:
			i, value = i+1, false
		}
	}
	return w.out
}

// scalar reads the string in quotes at b[i], which may go over lines.
func (w *walk) scalar(i int) (next int) {
	b, q, kept, own := w.b, w.b[i], len(w.out), false
	for j := i + 1; j < len(b); {
		switch c := b[j]; {
		case c == '\\' && q == '"':
			j = w.line(j)
		case c == q && q == '\'' && j+1 < len(b) && b[j+1] == q:
			w.out = append(w.out, edit{from: j, to: j + 2, text: "'"})
			own = true
			j += 2
		case c == q:
			if own {
				w.out = append(w.out, edit{})
				copy(w.out[kept+1:], w.out[kept:])
				w.out[kept] = edit{from: i, to: i + 1, text: between}
				w.out = append(w.out, edit{from: j, to: j + 1, text: between})
			}
			return j + 1
		default:
			j++
		}
	}
	w.never[q] = true
	w.out = w.out[:kept]
	return i + 1
}

// endOfText is where the line of b[i] ends, its line break left out.
func endOfText(b []byte, i int) int {
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(b)
}

// blockHeader reports whether b[i] opens a literal or folded scalar.
func blockHeader(b []byte, i int) bool {
	rest, _, _ := bytes.Cut(b[i+1:endOfText(b, i)], []byte(" #"))
	rest = bytes.TrimSpace(rest)
	return len(bytes.Trim(rest, "+-0123456789")) == 0 && len(rest) < 3
}

// blockEnd is where a scalar ends whose header is at b[i] and whose key stands in a
// column: with the first line that is indented no more than that.
func blockEnd(b []byte, i, column int) int {
	for i = endOfText(b, i); i < len(b); {
		end := endOfText(b, i+1)
		line := bytes.TrimRight(b[i+1:end], "\r")
		if len(line) > 0 && indent(line) <= column && len(bytes.TrimSpace(line)) > 0 {
			break
		}
		i = end
	}
	return i
}
