package format

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"io"
	"maps"
	"slices"
	"strconv"
)

// pdfObjects are the objects of a PDF file by their numbers, as far as the text of
// pages needs them. They are found where they lie, not by the file's table, so that
// one that is damaged is read as well; of two with one number the later holds.
type pdfObjects struct {
	at    map[int]pdfObject
	fonts map[int]*pdfFont // that were read
	users map[int]pdfNames // the fonts of content streams, by the stream's number
	names pdfNames         // of all pages: for streams that none claims
	above map[int]pdfNames // of pages, by their number; nil while they are looked for
	lists map[int]bool     // arrays of content streams that were read
	held  int              // bytes of object streams that are kept
}

func newPDFObjects() *pdfObjects {
	return &pdfObjects{at: map[int]pdfObject{}, fonts: map[int]*pdfFont{}, users: map[int]pdfNames{}, names: pdfNames{}, above: map[int]pdfNames{}, lists: map[int]bool{}}
}

// A pdfObject is what stands between "obj" and its stream or end.
type pdfObject struct {
	body   []byte
	stream []byte // decoded by whoever needs it
}

// pdfNames are the numbers of fonts by the names that a page has for them.
type pdfNames map[string]int

const (
	// maxPDFObjects bounds what a file of nothing but objects costs.
	maxPDFObjects = 1 << 20
	// maxPDFHeld bounds the object streams that are kept until the pages are read.
	maxPDFHeld = 64 << 20
)

// add takes the objects of b, a file's or an object stream's bytes between two
// streams; stream is what follows the last.
func (o *pdfObjects) add(b, stream []byte) {
	for at := 0; len(o.at) < maxPDFObjects; {
		n := bytes.Index(b[at:], []byte("obj"))
		if n < 0 {
			return
		}
		i := at + n
		at = i + len("obj")
		number, _, ok := objectHead(b, i)
		if !ok {
			continue
		}
		end := len(b)
		if m := bytes.Index(b[at:], []byte("endobj")); m >= 0 {
			end = at + m
		}
		object := pdfObject{body: b[at:end]}
		if end == len(b) {
			object.stream = stream
		}
		o.at[number] = object
		at = end
	}
}

// objectHead reads backwards from the "obj" at b[i]: the number of an object, and
// where its head begins.
func objectHead(b []byte, i int) (number, start int, ok bool) {
	k := i
	back := func(f func(byte) bool) bool {
		from := k
		for k > 0 && f(b[k-1]) && from-k < 16 {
			k--
		}
		return k < from
	}
	if !back(isSpace) || !back(isDigit) || !back(isSpace) {
		return 0, 0, false
	}
	end := k
	if !back(isDigit) {
		return 0, 0, false
	}
	number = atoi(string(b[k:end]))
	return number, k, number >= 0
}

// unpacked takes the objects of an object stream: ISO 32000-1, 7.5.7.
func (o *pdfObjects) unpacked(dict, data []byte) {
	first := atoi(string(pdfValue(dict, "First")))
	if o.held += len(data); first < 0 || first > len(data) || o.held > maxPDFHeld {
		return
	}
	heads := bytes.Fields(data[:first])
	for i := 0; i+1 < len(heads) && len(o.at) < maxPDFObjects; i += 2 {
		number, from, to := atoi(string(heads[i])), atoi(string(heads[i+1])), len(data)-first
		if i+3 < len(heads) {
			to = atoi(string(heads[i+3]))
		}
		if number < 0 || from < 0 || to < from || first+to > len(data) {
			continue
		}
		o.at[number] = pdfObject{body: data[first+from : first+to]}
	}
}

// pdfValue gives the value of a key in a dictionary: a dictionary or an array with
// its marks, a reference's number ("7 0 R"), or a word.
func pdfValue(dict []byte, key string) []byte {
	for at := 0; ; {
		n := bytes.Index(dict[at:], []byte("/"+key))
		if n < 0 {
			return nil
		}
		i := at + n + 1 + len(key)
		at = i
		if i < len(dict) && isAlnum(dict[i]) {
			continue // a longer name
		}
		for i < len(dict) && isSpace(dict[i]) {
			i++
		}
		rest := dict[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("<<")):
			return rest[:pdfClose(rest, "<<", ">>")]
		case bytes.HasPrefix(rest, []byte("[")):
			return rest[:pdfClose(rest, "[", "]")]
		}
		end := 0
		for end < len(rest) && (end == 0 && rest[0] == '/' || bytes.IndexByte([]byte("/<>[]()"), rest[end]) < 0) {
			end++
		}
		return bytes.TrimSpace(rest[:end])
	}
}

// pdfClose gives where what b begins with ends.
func pdfClose(b []byte, open, shut string) int {
	depth := 0
	for i := 0; i < len(b); {
		switch {
		case bytes.HasPrefix(b[i:], []byte(open)):
			depth++
			i += len(open)
		case bytes.HasPrefix(b[i:], []byte(shut)):
			i += len(shut)
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(b)
}

// pdfRefs gives the numbers of the objects that a value refers to.
func pdfRefs(value []byte) (numbers []int) {
	words := bytes.FieldsFunc(value, func(r rune) bool { return r <= ' ' || r == '[' || r == ']' || r == '/' || r == '<' || r == '>' })
	for i := 2; i < len(words); i++ {
		if string(words[i]) == "R" {
			if n := atoi(string(words[i-2])); n >= 0 {
				numbers = append(numbers, n)
			}
		}
	}
	return numbers
}

// value is pdfValue for what may stand in an object of its own.
func (o *pdfObjects) value(dict []byte, key string) []byte {
	v := pdfValue(dict, key)
	if len(v) > 0 && isDigit(v[0]) {
		if refs := pdfRefs(v); len(refs) == 1 {
			return bytes.TrimSpace(o.at[refs[0]].body)
		}
	}
	return v
}

// link tells which fonts the content streams of pages, and of forms, use.
func (o *pdfObjects) link() {
	for number, object := range o.at {
		kind := string(pdfValue(object.body, "Type"))
		form := string(pdfValue(object.body, "Subtype")) == "/Form"
		if kind != "/Page" && !form {
			continue
		}
		names := o.namesOf(number, 32)
		if form {
			o.users[number] = names
			continue
		}
		contents := pdfRefs(pdfValue(object.body, "Contents"))
		if len(contents) == 1 {
			if list := o.at[contents[0]]; list.stream == nil && !o.lists[contents[0]] { // an array of its own
				o.lists[contents[0]] = true
				contents = pdfRefs(list.body)
			}
		}
		for _, stream := range contents {
			o.users[stream] = names
		}
	}
}

// namesOf gives the fonts of a page, a form or a node of pages, from which pages
// inherit: ISO 32000-1, 7.7.3.4. Each object is looked at once.
func (o *pdfObjects) namesOf(number, depth int) pdfNames {
	if names, ok := o.above[number]; ok || depth == 0 {
		return names
	}
	o.above[number] = nil
	body := o.at[number].body
	names := pdfNames{}
	o.collect(names, o.value(o.value(body, "Resources"), "Font"))
	maps.Copy(o.names, names)
	if len(names) == 0 {
		if up := pdfRefs(pdfValue(body, "Parent")); len(up) > 0 {
			names = o.namesOf(up[0], depth-1)
		}
	}
	o.above[number] = names
	return names
}

// collect takes the names of a dictionary of fonts.
func (o *pdfObjects) collect(names pdfNames, fonts []byte) {
	for part := range bytes.SplitSeq(fonts, []byte("/")) {
		words := bytes.Fields(part)
		if len(words) >= 4 && bytes.HasPrefix(words[3], []byte("R")) {
			if n := atoi(string(words[1])); n >= 0 {
				names[string(words[0])] = n
			}
		}
	}
}

// pdfFilters are the filters of a stream, in their order, by their long names.
func pdfFilters(dict []byte) (filters []string) {
	value := pdfValue(dict, "Filter")
	if value == nil {
		value = pdfValue(dict, "F") // of an image within a page
	}
	for name := range bytes.SplitSeq(bytes.Trim(value, "[] \t\r\n"), []byte("/")) {
		switch name := string(bytes.TrimSpace(name)); name {
		case "":
		case "Fl":
			filters = append(filters, "FlateDecode")
		case "A85":
			filters = append(filters, "ASCII85Decode")
		case "AHx":
			filters = append(filters, "ASCIIHexDecode")
		case "RL":
			filters = append(filters, "RunLengthDecode")
		default:
			filters = append(filters, name)
		}
	}
	return filters
}

// decoded undoes the filters of a stream, of which it is likely to be read a few
// times its length. It reports false for filters that are not known here. What
// breaks off gives what came before.
func (s *scan) decoded(data []byte, filters []string) ([]byte, bool, error) {
	var r io.Reader = bytes.NewReader(data)
	likely := int64(len(data))
	for i, name := range filters {
		switch name {
		case "FlateDecode":
			unzip := s.zlib
			if slices.Contains(filters[:i], name) { // which is in use
				unzip = func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
			}
			z, err := unzip(r)
			if err != nil {
				return nil, true, nil
			}
			r = z
			likely *= 2
		case "ASCII85Decode":
			r = ascii85.NewDecoder(&ascii85Body{r: r})
		case "ASCIIHexDecode":
			r = hex.NewDecoder(&hexBody{r: r})
		case "RunLengthDecode":
			r = &runLength{r: r}
		default:
			return nil, false, nil
		}
	}
	if len(filters) == 0 {
		return data, true, nil
	}
	out, err := unpack(&meter{s, r}, likely, s.f.limits().Document)
	if isLimit(err) {
		return out, true, err
	}
	return out, true, nil
}

// ascii85Body passes on the text of an ASCII85 stream up to its end, "~>", and
// without the "<~" that some begin with.
type ascii85Body struct {
	r    io.Reader
	over bool
}

func (a *ascii85Body) Read(b []byte) (int, error) {
	if a.over {
		return 0, io.EOF
	}
	n, err := a.r.Read(b)
	if end := bytes.IndexByte(b[:n], '~'); end > 0 && b[end-1] != '<' || end == 0 {
		a.over = true
		return end, io.EOF
	}
	for i, c := range b[:n] {
		if c == '<' && i+1 < n && b[i+1] == '~' {
			b[i], b[i+1] = ' ', ' '
		}
	}
	return n, err
}

// hexBody passes on the digits of a hexadecimal stream up to its end, ">".
type hexBody struct {
	r    io.Reader
	odd  bool
	over bool
}

func (h *hexBody) Read(b []byte) (int, error) {
	for !h.over {
		n, err := h.r.Read(b[:max(len(b)-1, 1)])
		kept := 0
		for _, c := range b[:n] {
			if c == '>' {
				h.over = true
				break
			}
			if _, ok := unhex(c); ok {
				b[kept] = c
				kept++
				h.odd = !h.odd
			}
		}
		if (h.over || err == io.EOF) && h.odd && kept < len(b) { // the last digit is 0: 7.4.2
			b[kept] = '0'
			kept++
			h.odd = false
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
	return 0, io.EOF
}

// runLength undoes the run-length filter: ISO 32000-1, 7.4.5.
type runLength struct {
	r   io.Reader
	out []byte
}

func (l *runLength) Read(b []byte) (int, error) {
	var in [129]byte
	for len(l.out) == 0 {
		if _, err := io.ReadFull(l.r, in[:1]); err != nil {
			return 0, io.EOF
		}
		switch n := int(in[0]); {
		case n < 128:
			k, _ := io.ReadFull(l.r, in[:n+1])
			l.out = slices.Clone(in[:k])
		case n == 128:
			return 0, io.EOF
		default:
			if _, err := io.ReadFull(l.r, in[:1]); err != nil {
				return 0, io.EOF
			}
			l.out = bytes.Repeat(in[:1], 257-n)
		}
	}
	n := copy(b, l.out)
	l.out = l.out[n:]
	return n, nil
}

// pdfNumber is a decimal number of a content stream.
func pdfNumber(b []byte) float64 {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return 0
	}
	return f
}
