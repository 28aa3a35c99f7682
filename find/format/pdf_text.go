package format

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf16"
)

// A pdfFont is what of a font its text needs: which characters its codes are, and
// how wide they are.
type pdfFont struct {
	wide   bool            // codes of two bytes
	toText map[int]string  // by ToUnicode: ISO 32000-1, 9.10.3; nil without
	widths map[int]float64 // in thousandths of the font's size
	other  float64         // of codes that widths lacks
}

// maxPDFCodes bounds the characters of a font.
const maxPDFCodes = 1 << 16

// font reads the font of an object.
func (s *scan) pdfFont(o *pdfObjects, number int) *pdfFont {
	if f, ok := o.fonts[number]; ok {
		return f
	}
	f := &pdfFont{widths: map[int]float64{}, other: 500}
	o.fonts[number] = f
	dict := o.at[number].body
	f.wide = string(pdfValue(dict, "Subtype")) == "/Type0"
	if refs := pdfRefs(pdfValue(dict, "ToUnicode")); len(refs) == 1 {
		object := o.at[refs[0]]
		if cmap, ok, _ := s.decoded(object.stream, pdfFilters(object.body)); ok {
			f.toUnicode(cmap)
		}
	}
	if f.wide {
		below := o.value(dict, "DescendantFonts")
		if refs := pdfRefs(below); len(refs) > 0 {
			below = o.at[refs[0]].body
		}
		f.other = 1000
		if w := pdfValue(below, "DW"); w != nil {
			f.other = pdfNumber(w)
		}
		f.wideWidths(o.value(below, "W"))
		return f
	}
	f.differences(pdfValue(o.value(dict, "Encoding"), "Differences"))
	first := max(atoi(string(pdfValue(dict, "FirstChar"))), 0)
	for i, w := range bytes.Fields(bytes.Trim(o.value(dict, "Widths"), "[] \t\r\n")) {
		if i < 256 {
			f.widths[first+i] = pdfNumber(w)
		}
	}
	return f
}

// differences reads what an encoding says of single codes: 9.6.6.1.
func (f *pdfFont) differences(value []byte) {
	code := 0
	names := bytes.Fields(bytes.ReplaceAll(bytes.Trim(value, "[] \t\r\n"), []byte("/"), []byte(" /")))
	for _, name := range names {
		if name[0] != '/' {
			code = max(atoi(string(name)), 0)
			continue
		}
		text, ok := glyphs[string(name[1:])]
		if len(name) == 2 {
			text, ok = string(name[1:]), true
		}
		if _, mapped := f.toText[code]; ok && !mapped && code < 256 {
			if f.toText == nil {
				f.toText = map[int]string{}
			}
			f.toText[code] = text
		}
		code++
	}
}

// glyphs are the names of what URLs are written with, letters aside: the Adobe
// Glyph List for ASCII, and the ligatures.
var glyphs = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"space": " ", "exclam": "!", "quotedbl": "\"", "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&", "quotesingle": "'", "quoteright": "'", "parenleft": "(",
	"parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-", "period": ".", "slash": "/", "colon": ":", "semicolon": ";", "less": "<", "equal": "=",
	"greater": ">", "question": "?", "at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]", "asciicircum": "^", "underscore": "_", "grave": "`",
	"braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~", "tilde": "~", "minus": "-", "ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "f_f": "ff", "f_i": "fi", "f_l": "fl", "f_f_i": "ffi", "f_f_l": "ffl",
}

// wideWidths reads the widths of a composite font: 9.7.4.3.
func (f *pdfFont) wideWidths(w []byte) {
	w = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(w), []byte("[")), []byte("]"))
	words := bytes.Fields(bytes.ReplaceAll(bytes.ReplaceAll(w, []byte("["), []byte(" [ ")), []byte("]"), []byte(" ] ")))
	for i := 0; i+2 < len(words) && len(f.widths) < maxPDFCodes; {
		first := atoi(string(words[i]))
		if string(words[i+1]) != "[" {
			last, width := atoi(string(words[i+1])), pdfNumber(words[i+2])
			for code := first; code >= 0 && code <= last && code < maxPDFCodes; code++ {
				f.widths[code] = width
			}
			i += 3
			continue
		}
		for i += 2; i < len(words) && string(words[i]) != "]"; i++ {
			f.widths[first] = pdfNumber(words[i])
			first++
		}
		i++
	}
}

// toUnicode reads a font's map from codes to characters: the bfchar and bfrange of
// Adobe's technical note 5411.
func (f *pdfFont) toUnicode(cmap []byte) {
	f.toText = map[int]string{}
	for len(f.toText) < maxPDFCodes {
		at := bytes.Index(cmap, []byte("beginbf"))
		if at < 0 {
			return
		}
		cmap = cmap[at+len("beginbf"):]
		end := bytes.Index(cmap, []byte("endbf"))
		if end < 0 {
			end = len(cmap)
		}
		f.mapped(cmap[:end], bytes.HasPrefix(cmap, []byte("char")))
		cmap = cmap[end:]
	}
}

// mapped reads the entries of one section.
func (f *pdfFont) mapped(b []byte, pairs bool) {
	for i := 0; i < len(b) && len(f.toText) < maxPDFCodes; {
		first, i2, ok := pdfCode(b, i)
		if !ok {
			return
		}
		last := first
		if !pairs {
			if last, i2, ok = pdfCode(b, i2); !ok {
				return
			}
		}
		for i = i2; i < len(b) && isSpace(b[i]); i++ {
		}
		if i < len(b) && b[i] == '[' {
			end := i + pdfClose(b[i:], "[", "]")
			for k := i + 1; first <= last; first++ {
				text, next, ok := pdfUTF16(b[:end], k)
				if !ok {
					break
				}
				f.toText[first], k = ligatures.Replace(text), next
			}
			i = end
			continue
		}
		text, next, ok := pdfUTF16(b, i)
		if !ok {
			return
		}
		i = next
		runes := []rune(text)
		for ; first <= last && len(runes) > 0 && len(f.toText) < maxPDFCodes; first++ {
			f.toText[first] = ligatures.Replace(string(runes))
			runes[len(runes)-1]++
		}
	}
}

// ligatures are the letters that fonts have one glyph for: Unicode, Alphabetic
// Presentation Forms.
var ligatures = strings.NewReplacer("\uFB00", "ff", "\uFB01", "fi", "\uFB02", "fl", "\uFB03", "ffi", "\uFB04", "ffl", "\uFB05", "st", "\uFB06", "st")

// pdfCode reads a code, a hexadecimal string of up to four bytes.
func pdfCode(b []byte, i int) (code, end int, ok bool) {
	raw, end, ok := pdfBytes(b, i)
	if !ok || len(raw) > 4 {
		return 0, end, false
	}
	for _, c := range raw {
		code = code<<8 | int(c)
	}
	return code, end, true
}

// pdfUTF16 reads a hexadecimal string of UTF-16.
func pdfUTF16(b []byte, i int) (text string, end int, ok bool) {
	raw, end, ok := pdfBytes(b, i)
	units := make([]uint16, 0, len(raw)/2)
	for k := 0; k+1 < len(raw); k += 2 {
		units = append(units, uint16(raw[k])<<8|uint16(raw[k+1]))
	}
	if len(units) > 16 {
		units = units[:16] // no glyph is so many characters
	}
	return string(utf16.Decode(units)), end, ok
}

func pdfBytes(b []byte, i int) (raw []byte, end int, ok bool) {
	n := bytes.IndexByte(b[i:], '<')
	if n < 0 {
		return nil, len(b), false
	}
	var p piece
	end = p.pdfHex(b, i+n, len(b))
	return p.text, end, true
}

// show gives the characters of a shown string, and how far they go in the text's
// own units for a font of size 1.
func (f *pdfFont) show(raw []byte) (text string, width float64, codes, blanks int) {
	var out strings.Builder
	step := 1
	if f != nil && f.wide {
		step = 2
	}
	for i := 0; i+step <= len(raw); i += step {
		code := int(raw[i])
		if step == 2 {
			code = code<<8 | int(raw[i+1])
		}
		codes++
		if step == 1 && code == ' ' {
			blanks++
		}
		switch {
		case f == nil:
			out.WriteByte(raw[i])
		default:
			text, ok := f.toText[code]
			switch {
			case ok:
			case f.wide && f.toText == nil:
				text = "\x01" // a glyph's number, no character
			case !f.wide:
				text = string(raw[i : i+1])
			}
			out.WriteString(text)
		}
		w, ok := 500.0, false
		if f != nil {
			if w, ok = f.widths[code]; !ok {
				w = f.other
			}
		}
		width += w / 1000
	}
	return out.String(), width, codes, blanks
}

// A pdfPen is where text is shown: ISO 32000-1, 9.4.
type pdfPen struct {
	out          []byte
	font         *pdfFont
	size, char   float64 // of the font; Tc
	word         float64 // Tw
	leading      float64
	matrix       [6]float64 // of the line
	x            float64    // along the line from where it begins
	end          [6]float64 // the matrix when text was shown last
	endX         float64    // and where that ended
	shown, moved bool       // something was shown; the space around it changed since
}

// next begins another line, moved by tx and ty.
func (p *pdfPen) next(tx, ty float64) {
	m := &p.matrix
	m[4] += tx*m[0] + ty*m[2]
	m[5] += tx*m[1] + ty*m[3]
	p.x = 0
}

// part puts what parts the text shown last from what follows: nothing, where the
// one begins where the other ends, a blank further on in the line, or a new line.
func (p *pdfPen) part() {
	if !p.shown {
		return
	}
	m, e := &p.matrix, &p.end
	scale := math.Hypot(m[0], m[1])
	same := !p.moved && scale > 0 && m[0] == e[0] && m[1] == e[1] && m[2] == e[2] && m[3] == e[3]
	if same && (p.font == nil || len(p.font.widths) == 0) && (m[4] != e[4] || m[5] != e[5]) {
		same = false // nobody knows how wide the text before was
	}
	if !same {
		p.out = append(p.out, '\n')
		return
	}
	// How far it moved along the line, and across it.
	dx, dy := m[4]-e[4], m[5]-e[5]
	along := (dx*m[0]+dy*m[1])/(scale*scale) + p.x - p.endX
	across := (dx*m[1] - dy*m[0]) / (scale * scale)
	em := math.Max(math.Abs(p.size), 1e-6)
	switch {
	case math.Abs(across) > em/2, along < -em, along > 4*em:
		p.out = append(p.out, '\n')
	case along > em/7:
		if n := len(p.out); n > 0 && p.out[n-1] != ' ' {
			p.out = append(p.out, ' ')
		}
	}
}

// show shows a string.
func (p *pdfPen) show(raw []byte) {
	if len(raw) == 0 {
		return
	}
	p.part()
	text, width, codes, blanks := p.font.show(raw)
	p.out = append(p.out, text...)
	p.x += width*p.size + float64(codes)*p.char + float64(blanks)*p.word
	p.end, p.endX, p.shown, p.moved = p.matrix, p.x, true, false
}

// pdfText gives the text that a content stream shows, in which fonts have names.
func (s *scan) pdfText(o *pdfObjects, b []byte, names pdfNames) []byte {
	if !bytes.Contains(b, []byte("BT")) {
		return nil
	}
	pen := &pdfPen{size: 1}
	var numbers []float64 // operands
	var name []byte
	var strung []piece // strings, and between them
	var kerns []float64
	for i := 0; i < len(b) && !s.over(); {
		switch c := b[i]; {
		case c == '(' || c == '<' && i+1 < len(b) && b[i+1] != '<':
			var p piece
			if c == '(' {
				i = p.pdfString(b, i, len(b))
			} else {
				i = p.pdfHex(b, i, len(b))
			}
			strung = append(strung, piece{text: p.text})
			kerns = append(kerns, 0)
		case c == '<':
			i += 2
		case c == '%':
			i = lineEnd(b, i)
		case c == '/':
			start := i + 1
			for i++; i < len(b) && !isSpace(b[i]) && bytes.IndexByte([]byte("/<>[]()"), b[i]) < 0; i++ {
			}
			name = b[start:i]
		case c == '-' || c == '+' || '0' <= c && c <= '9' || c == '.':
			start := i
			for i++; i < len(b) && ('0' <= b[i] && b[i] <= '9' || b[i] == '.' || b[i] == '-'); i++ {
			}
			n := pdfNumber(b[start:i])
			numbers = append(numbers, n)
			if k := len(kerns); k > 0 {
				kerns[k-1] += n
			}
		case isAlnum(c) || c == '\'' || c == '"' || c == '*':
			start := i
			for i++; i < len(b) && (isAlnum(b[i]) || b[i] == '*'); i++ {
			}
			s.pdfOperator(o, pen, string(b[start:i]), numbers, name, strung, kerns, names)
			numbers, strung, kerns = numbers[:0], strung[:0], kerns[:0]
		default:
			i++
		}
	}
	odd := 0 // what no font shows
	for _, c := range pen.out {
		if c < ' ' && c != '\n' && c != '\t' {
			odd++
		}
	}
	if odd*20 > len(pen.out) {
		return nil // glyph numbers, not characters
	}
	return pen.out
}

// pdfOperator does what an operator says: ISO 32000-1, 9.3 and 9.4.
func (s *scan) pdfOperator(o *pdfObjects, pen *pdfPen, op string, numbers []float64, name []byte, strung []piece, kerns []float64, names pdfNames) {
	arg := func(i int) float64 { // from the end
		if i > len(numbers) {
			return 0
		}
		return numbers[len(numbers)-i]
	}
	switch op {
	case "BT":
		pen.matrix, pen.x = [6]float64{1, 0, 0, 1, 0, 0}, 0
	case "cm", "Q", "q", "Do":
		pen.moved = true
	case "Tf":
		pen.size = arg(1)
		pen.font = nil
		if number, ok := names[string(name)]; ok {
			pen.font = s.pdfFont(o, number)
		}
	case "Tc":
		pen.char = arg(1)
	case "Tw":
		pen.word = arg(1)
	case "TL":
		pen.leading = arg(1)
	case "Td":
		pen.next(arg(2), arg(1))
	case "TD":
		pen.leading = -arg(1)
		pen.next(arg(2), arg(1))
	case "T*":
		pen.next(0, -pen.leading)
	case "Tm":
		for i := range pen.matrix {
			pen.matrix[i] = arg(6 - i)
		}
		pen.x = 0
	case "'", "\"":
		pen.next(0, -pen.leading)
		if pen.leading == 0 {
			pen.moved = true // a line of its own all the same
		}
		if op == "\"" {
			pen.word, pen.char = arg(2), arg(1)
		}
		fallthrough
	case "Tj", "TJ":
		for i := range strung {
			pen.show(strung[i].text)
			pen.x -= kerns[i] / 1000 * pen.size
		}
	}
}
