package check

import (
	"bytes"
	"compress/zlib"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"anyurl/percent"
)

// A pdfPlaces is the places in a PDF document that a fragment can lead to (RFC
// 8118, section 3).
type pdfPlaces struct {
	pages int       // at most; 0: not known
	names anchorSet // every string and name in its objects: what is not among them is no named destination
}

const (
	// mostObjects bounds what is unpacked of a document's object streams, in bytes.
	mostObjects = 64 << 20
	// mostNamed bounds how many strings of a document are kept.
	mostNamed = 1 << 17
)

// pdfAnchors reads a PDF document's objects as they lie, and follows no reference
// in them: there may be more pages and names in it than it has, which old
// versions of objects left behind, and never fewer. It gives nil where it cannot
// read all.
func pdfAnchors(data []byte) *anchors {
	if !bytes.HasPrefix(data, []byte("%PDF-")) || bytes.Contains(data, []byte("/Encrypt")) || len(data) >= maxPage {
		return nil
	}
	p := &pdfPlaces{names: anchorSet{}}
	leaves, counted, room := 0, 0, int64(mostObjects)
	take := func(objects []byte) {
		leaves += len(pdfPage().FindAllIndex(objects, -1))
		for _, m := range pdfCount().FindAllSubmatch(objects, -1) {
			if n, err := strconv.Atoi(string(m[1])); err == nil && n < 1<<24 {
				counted = max(counted, n)
			}
		}
		p.named(objects)
	}
	for len(data) > 0 {
		before, rest, ok := bytes.Cut(data, []byte("stream"))
		take(before)
		if !ok {
			break
		}
		rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
		end := bytes.Index(rest, []byte("endstream"))
		if end < 0 {
			return nil // it breaks off
		}
		dict := before
		if i := bytes.LastIndex(before, []byte(" obj")); i >= 0 {
			dict = before[i:]
		}
		if bytes.Contains(dict, []byte("/ObjStm")) {
			objects := rest[:end]
			if bytes.Contains(dict, []byte("/Filter")) {
				var ok bool
				if objects, ok = inflated(objects, &room); !ok {
					return nil
				}
			}
			take(objects)
		}
		data = rest[end+len("endstream"):]
	}
	p.pages = max(leaves, counted)
	if len(p.names) >= mostNamed {
		return nil
	}
	return &anchors{pdf: p}
}

func inflated(data []byte, room *int64) ([]byte, bool) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	objects, err := io.ReadAll(io.LimitReader(z, *room))
	*room -= int64(len(objects))
	return objects, err == nil && *room > 0
}

var (
	pdfPage  = pattern(`/Type\s*/Page\b`)
	pdfCount = pattern(`/Count\s+([0-9]+)`)
	pdfName  = pattern(`\(((?:[^()\\]|\\.){1,255})\)|<([0-9A-Fa-f\s]{2,512})>|/([^\s/<>\[\](){}%]{1,255})`)
)

// named takes the strings and names of objects.
func (p *pdfPlaces) named(objects []byte) {
	for _, m := range pdfName().FindAllSubmatch(objects, -1) {
		if len(p.names) >= mostNamed {
			return
		}
		switch {
		case m[1] != nil:
			p.names[pdfText(unescaped(m[1]))] = true
		case m[2] != nil:
			p.names[pdfText(unhexed(m[2]))] = true
		default:
			p.names[string(m[3])] = true
		}
	}
}

// unescaped is what a literal string's bytes are (ISO 32000-1, 7.3.4.2), as far as
// names need it.
func unescaped(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		code, n := 0, 0
		for n < 3 && i+n < len(s) && '0' <= s[i+n] && s[i+n] <= '7' {
			code, n = code<<3|int(s[i+n]-'0'), n+1
		}
		if n == 0 {
			out = append(out, s[i])
			continue
		}
		out = append(out, byte(code))
		i += n - 1
	}
	return out
}

func unhexed(s []byte) []byte {
	var out []byte
	digits := strings.Join(strings.Fields(string(s)), "")
	if len(digits)%2 == 1 {
		digits += "0" // ISO 32000-1, 7.3.4.3
	}
	for i := 0; i+1 < len(digits); i += 2 {
		b, err := strconv.ParseUint(digits[i:i+2], 16, 8)
		if err != nil {
			return nil
		}
		out = append(out, byte(b))
	}
	return out
}

// pdfText is a text string in UTF-8: PDF has it in UTF-16 behind a mark, or else in
// an encoding that has ASCII in its place.
func pdfText(s []byte) string {
	if !bytes.HasPrefix(s, []byte{0xFE, 0xFF}) {
		return string(s)
	}
	units := make([]uint16, 0, len(s)/2)
	for i := 2; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(units))
}

// look says whether a fragment leads anywhere in the document. Its further
// parameters say how a place is shown.
func (p *pdfPlaces) look(fragment string) finding {
	for part := range strings.SplitSeq(fragment, "&") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case strings.EqualFold(key, "page") && ok:
			if n, err := strconv.Atoi(value); err == nil && (n < 1 || p.pages > 0 && n > p.pages) {
				return missing
			}
			continue
		case !ok:
			value = key // a name alone
		case !strings.EqualFold(key, "nameddest"):
			continue
		}
		if name := percent.Decode(value); value != "" && !p.names[value] && !p.names[name] {
			return missing
		}
	}
	return there
}
