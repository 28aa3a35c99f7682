// Package format finds URLs in documents: HTML, Markdown, mail, JSON, source
// code, office documents, archives of all of these, and more. Each match knows
// where in the source's own bytes it stands, also where the source writes it
// with escapes.
//
// Text that names no character set is read as UTF-8, or UTF-16 where it is that
// by its mark or its looks, or UTF-32 by its mark; single bytes that are no UTF-8 count as Windows-1252,
// but in HTML and XML as what the document says it is in, and in mail and WARC as
// what the part or the answer is said to be in.
//
// Start with [Finder.Bytes]. Plain text alone needs only package find.
package format

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"iter"
	"strconv"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"anyurl/find"
	"anyurl/internal/validutf8"
)

// A Match is a URL found in a document.
type Match struct {
	find.Match
	// Via says what pointed there: an element and its attribute ("a href"), or
	// the format's word ("link", "image", "comment"). It is empty for running text.
	Via string `json:"via,omitempty"`
	// Base is the base URL that the document itself gives, as it stands there:
	// HTML's <base href>, say. It is empty where there is none.
	Base string `json:"base,omitempty"`
	// Charset is the character set that an HTML document says it is in, where that is
	// not UTF-8. URL is in UTF-8 all the same; but browsers write its query in this.
	Charset string `json:"-"`
}

// A Note says that something could not be read, and where. What could be read
// was.
type Note struct {
	// Source is the document, as Match.Source says it.
	Source string
	// Offset is a byte offset in it, 0 where none is known.
	Offset int
	// Says is what is wrong: lower case, no full stop.
	Says string
	// Damaged is set when the document should have been readable: an archive
	// that is cut off, say. It is not for what is in no known format, or beyond
	// a limit.
	Damaged bool
}

// A Comment is a comment of a document in markup: what its readers do not see.
type Comment struct {
	// Start and End are where it stands, in bytes of the document, its marks
	// included.
	Start, End int
	// Text is what stands between its marks, without white space around it.
	Text string
}

// Limits bound what one source may cost. Zero fields take the default; negative
// ones allow nothing. What a limit keeps from being read is told by a [Note], which
// names the limit.
type Limits struct {
	// Depth is how deep documents may lie within documents: archives in
	// archives, messages in messages. What an archive or a message holds lies at 1.
	// The default is 8.
	Depth int
	// Entries is how many members the archives of one source may have in all.
	// The default is 100,000.
	Entries int
	// Expanded is how many bytes all that is unpacked from one source may come
	// to. A packed archive counts, and its members do not count again. The default is
	// 1 GiB.
	Expanded int64
	// Document is how many bytes a document may have that must be held whole:
	// all but plain text, tar archives and mailboxes, of which it bounds a message. A
	// larger one is read as plain text. What is found in it takes some 300 bytes a
	// URL beside it. The default is 256 MiB.
	Document int64
}

// A Finder finds URLs in documents. The zero Finder reads each document as what
// its name or its content says it is, and finds URLs with a scheme.
type Finder struct {
	// Options are those of package find, for running text.
	Options find.Options
	// Format names the format of every document; "" takes each by name and content.
	Format string
	// References makes it give, besides URLs, the relative references that
	// markup says are links ("../index.html", "#top"), with kind
	// [find.Reference].
	References bool
	// Code makes it read code spans and code blocks in markup too, and in HTML what
	// stands in pre, code, kbd, samp, textarea and scripts. Links that markup makes
	// there, and data in scripts, are read without it.
	Code bool
	// Limits bound what a source may cost.
	Limits Limits
	// Note, if not nil, is told what could not be read.
	Note func(Note)
	// Place, if not nil, is told the names of places in an HTML page, to which
	// fragments lead: every id, and the name of every a. Title is told the text of
	// every title element in front of the body. Neither hears of documents within
	// the page, and the page is taken for UTF-8.
	Place, Title func(string)
	// Comment, if not nil, is told the comments of HTML, XML, Markdown,
	// reStructuredText and AsciiDoc.
	Comment func(Comment)
	// Done, if not nil, ends the reading of a document when it is closed, without
	// a note: what was found until then may be given or not.
	Done <-chan struct{}
}

func (f *Finder) note(n Note) {
	if f.Note != nil {
		f.Note(n)
	}
}

func (f *Finder) limits() Limits {
	l := f.Limits
	if l.Depth == 0 {
		l.Depth = 8
	}
	if l.Entries == 0 {
		l.Entries = 100_000
	}
	if l.Expanded == 0 {
		l.Expanded = 1 << 30
	}
	if l.Document == 0 {
		l.Document = 256 << 20
	}
	return l
}

// Bytes finds the URLs of one document, in order. name is the document's file
// name, or "" when it has none; it helps to tell the format, and is what
// [find.Match.Source] says unless Options.Source is set.
//
// A match in a member of an archive has the member behind "!/" in its Source,
// and its offsets count in the member's unpacked bytes.
func (f *Finder) Bytes(name string, data []byte) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		s := f.scan(name, yield)
		format := f.Format
		if format == "" {
			format = Of(name, data)
		}
		s.whole(data, format, name)
	}
}

// scan begins to read a document.
func (f *Finder) scan(name string, yield func(Match) bool) *scan {
	l := f.limits()
	s := &scan{f: f, source: name, yield: yield, code: f.Code, budget: &budget{entries: l.Entries, expanded: l.Expanded}}
	if f.Options.Source != "" {
		s.source = f.Options.Source
	}
	return s
}

// Reader finds the URLs of a document that is read from r. Plain text is read
// as a stream, in constant memory, in which bytes that are no UTF-8 end a URL; an
// mbox is read a message at a time. A document of any other format, and text that
// does not begin in UTF-8, is held whole, up to Limits.Document, beyond which it is
// read as plain text with a note. The error, if any, is r's own and comes last.
func (f *Finder) Reader(name string, r io.Reader) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		if r == nil {
			f.stream(name, nil, yield) // which says that there is none
			return
		}
		br := bufio.NewReaderSize(r, 64<<10)
		head, err := br.Peek(headLen)
		if err != nil && err != io.EOF {
			// What came before the error is read, and the error comes where it came.
			br = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(head)), failed{err}), 64<<10)
		}
		format := f.Format
		if format == "" {
			format = Of(name, head)
		}
		if format == "text" && Streams(head) {
			f.stream(name, br, yield)
			return
		}
		if format == "mbox" {
			f.mailbox(name, br, yield)
			return
		}
		limit := max(f.limits().Document, 0)
		data, err := io.ReadAll(io.LimitReader(br, limit+1))
		if int64(len(data)) > limit {
			f.note(Note{Source: name, Says: "the document is larger than the limit of " + sizeText(limit) + ", and is read as plain text"})
			f.stream(name, io.MultiReader(bytes.NewReader(data), br), yield)
			return
		}
		g := *f
		g.Format = format
		for m := range g.Bytes(name, data) {
			if !yield(m, nil) {
				return
			}
		}
		if err != nil {
			yield(Match{}, err)
		}
	}
}

// failed is a reader of nothing but an error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// A Mapper is a file that may lie in memory without being read and copied. Map
// may fail, and the file is read then.
type Mapper interface {
	io.ReaderAt
	// Map gives size bytes of the file. ahead hears, before any stretch of them
	// is looked at, where it begins and ends, from several goroutines at the same
	// time; an error of it ends the search. unmap is called when text is not
	// needed any more.
	Map(size int64) (text []byte, ahead func(from, to int) error, unmap func(), err error)
}

// File finds the URLs of a document of size bytes in r, as Reader does. Plain
// text is read at several places at once, by up to n workers: r must allow calls
// of ReadAt at the same time, as a file does; where it has less than size bytes the
// error is io.ErrUnexpectedEOF. Where r is a [Mapper], plain text
// is not read but mapped.
func (f *Finder) File(name string, r io.ReaderAt, size int64, n int) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		if r == nil {
			f.stream(name, nil, yield) // which says that there is none
			return
		}
		size = max(size, 0)
		head := make([]byte, min(size, headLen))
		k, err := r.ReadAt(head, 0)
		head = head[:k]
		format := f.Format
		if format == "" {
			format = Of(name, head)
		}
		if err != nil && err != io.EOF || format != "text" || !Streams(head) {
			f.Reader(name, io.NewSectionReader(r, 0, size))(yield)
			return
		}
		opts := f.Options
		if opts.Source == "" {
			opts.Source = name
		}
		w := &utf8WatchAt{r: r, bad: size}
		found, unmap := w.found(size, n, opts)
		defer unmap()
		for m, err := range found {
			if !yield(Match{Match: m}, err) {
				return
			}
		}
		if w.bad < size {
			f.note(notUTF8(opts.Source, int(w.bad)))
		}
	}
}

// found finds the URLs of what it watches.
func (w *utf8WatchAt) found(size int64, n int, opts find.Options) (found iter.Seq2[find.Match, error], unmap func()) {
	if m, ok := w.r.(Mapper); ok {
		text, ahead, unmap, err := m.Map(size)
		if err == nil {
			w.r = bytes.NewReader(text)
			return find.Mapped(text, n, opts, func(from, to int) error {
				if err := ahead(from, to); err != nil {
					return err
				}
				w.watch(text[from:to], int64(from))
				return nil
			}), unmap
		}
	}
	return find.Parallel(w, size, n, opts), func() {}
}

// headLen is how much of a document's beginning tells its format.
const headLen = 16 << 10

// notUTF8 tells of text that is no UTF-8, a byte of which stands at offset at.
func notUTF8(source string, at int) Note {
	return Note{Source: source, Offset: at, Says: "the text is no UTF-8 at byte " + strconv.Itoa(at) + "; a URL ends at such bytes"}
}

func (f *Finder) stream(name string, r io.Reader, yield func(Match, error) bool) {
	opts := f.Options
	if opts.Source == "" {
		opts.Source = name
	}
	if r != nil {
		r = &utf8Watch{r: r, note: func(at int) {
			f.note(notUTF8(opts.Source, at))
		}}
	}
	for m, err := range find.Reader(r, opts) {
		if !yield(Match{Match: m}, err) {
			return
		}
	}
}

// Text finds the URLs in plain text as it comes from r: in constant memory, each
// match as soon as what decides about it was read. Bytes that are no UTF-8 end a
// URL, with a note of the first.
func (f *Finder) Text(name string, r io.Reader) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) { f.stream(name, r, yield) }
}

// Streams reports whether plain text that begins with head can be read by
// [Finder.Text] without loss: it is in UTF-8 and not in UTF-16.
func Streams(head []byte) bool { return !UTF16(head) && validHead(head) }

// validHead reports whether the beginning of a document is UTF-8; its last
// character may be cut.
func validHead(b []byte) bool {
	for i := range min(utf8.UTFMax, len(b)) {
		if c := b[len(b)-1-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-1-i:]) {
				b = b[:len(b)-1-i]
			}
			break
		}
	}
	return validutf8.Is(b)
}

// A utf8Watch passes text on and says where the first byte stands that is no
// UTF-8, since a URL ends in front of it.
type utf8Watch struct {
	r    io.Reader
	note func(offset int)
	n    int    // bytes passed on
	tail []byte // the beginning of a character, cut by a read
	told bool
}

func (w *utf8Watch) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if w.told || n == 0 {
		w.n += n
		return n, err
	}
	data, at := b[:n], w.n
	w.n += n
	bad := -1 // the offset of a byte that is no UTF-8
	if len(w.tail) > 0 {
		at -= len(w.tail)
		for len(data) > 0 && !utf8.FullRune(w.tail) {
			w.tail, data = append(w.tail, data[0]), data[1:]
		}
		if !utf8.FullRune(w.tail) {
			return n, err
		}
		r, size := utf8.DecodeRune(w.tail)
		if r == utf8.RuneError && size == 1 {
			bad = at
		}
		at += len(w.tail)
	}
	if bad < 0 && !validHead(data) {
		bad = at + validLen(data)
	}
	if bad >= 0 {
		w.told = true
		w.note(bad)
		return n, err
	}
	w.tail = w.tail[:0]
	for i := range min(utf8.UTFMax, len(data)) {
		if last := data[len(data)-1-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				w.tail = append(w.tail, last...)
			}
			break
		}
	}
	return n, err
}

// validLen is how many bytes of b stand before the first that is no UTF-8.
func validLen(b []byte) (n int) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// A utf8WatchAt is a utf8Watch for reads at any place and at the same time.
type utf8WatchAt struct {
	r   io.ReaderAt
	mu  sync.Mutex
	bad int64 // the first byte known that is no UTF-8
}

func (w *utf8WatchAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := w.r.ReadAt(b, off)
	w.watch(b[:n], off)
	return n, err
}

// watch looks at data, which stands at off.
func (w *utf8WatchAt) watch(data []byte, off int64) {
	w.mu.Lock()
	known := w.bad
	w.mu.Unlock()
	if off >= known || len(data) == 0 {
		return
	}
	if off > 0 && !utf8.RuneStart(data[0]) {
		rest := min(w.rest(data, off), len(data))
		data, off = data[rest:], off+int64(rest)
	}
	valid := validHead(data)
	if valid {
		valid, data, off = w.wholeTail(data, off)
	}
	if valid {
		return
	}
	off += int64(validLen(data))
	w.mu.Lock()
	w.bad = min(w.bad, off)
	w.mu.Unlock()
}

// rest is how many bytes of data, which stands at off, belong to a character that
// began before it.
func (w *utf8WatchAt) rest(data []byte, off int64) int {
	before := min(off, utf8.UTFMax-1)
	around := make([]byte, before, 2*utf8.UTFMax)
	n, _ := w.r.ReadAt(around, off-before)
	around = append(around[:n], data[:min(len(data), utf8.UTFMax)]...)
	for i := n - 1; i >= 0; i-- {
		if utf8.RuneStart(around[i]) {
			_, size := utf8.DecodeRune(around[i:])
			return max(i+size-n, 0)
		}
	}
	return 0
}

// wholeTail reports whether the character that data, which stands at off, breaks
// off in goes on behind it, and gives the bytes of that character.
func (w *utf8WatchAt) wholeTail(data []byte, off int64) (bool, []byte, int64) {
	for i := range min(utf8.UTFMax, len(data)) {
		last := data[len(data)-1-i:]
		if !utf8.RuneStart(last[0]) {
			continue
		}
		if utf8.FullRune(last) {
			break
		}
		whole := make([]byte, utf8.UTFMax)
		off += int64(len(data) - len(last))
		n, _ := w.r.ReadAt(whole, off)
		whole = whole[:n]
		r, size := utf8.DecodeRune(whole)
		return r != utf8.RuneError || size > 1 || !utf8.FullRune(whole), whole, off
	}
	return true, data, off
}

// formatOf is the format of a document within another.
func (f *Finder) formatOf(name string, data []byte) string { return Of(name, data) }

// whole reads a document that is held whole.
func (s *scan) whole(data []byte, format, name string) {
	s.root = data
	s.read(&view{data: data}, format, name)
	s.flush()
}

// read reads v as the named format.
func (s *scan) read(v *view, format, name string) {
	s.charset = ""
	label := s.given
	s.given = ""
	if cut, ok := bytes.CutPrefix(v.data, []byte(`@charset "`)); ok && format == "css" && label == "" {
		cut, _, _ = bytes.Cut(cut[:min(len(cut), 64)], []byte(`"`)) // CSS Syntax, section 3.2
		label = string(cut)
	}
	known := true
	if label != "" && (ownCharset(format) || format == "html" || format == "xml") && !UTF16(v.data) {
		var inner *view
		if inner, known = s.inCharset(v, label); inner != v && format == "html" {
			_, s.charset = charset.Lookup(label)
		}
		v = inner
	}
	if order, ok := utf32Of(v.data); ok && !binaryFormat(format) && format != "tar" {
		p := &piece{}
		p.utf32(v.data, order)
		v = v.within(p)
		if format == "binary" || format == "text" {
			format = Of(name, v.data)
		}
	} else if big, mark, ok := utf16Of(v.data); ok && !binaryFormat(format) && format != "tar" {
		p := &piece{}
		if at := p.utf16(v.data, mark, big); at < len(v.data)-1 {
			s.note(v, at, "the text is in UTF-16 and changes its script too often; it is read up to byte "+strconv.Itoa(at))
		}
		v = v.within(p)
		if format == "binary" || format == "text" {
			format = Of(name, v.data)
		}
	} else if ownCharset(format) && known && !validutf8.Is(v.data) {
		p := &piece{}
		if at := p.mixed(v.data); at < len(v.data) {
			s.note(v, at, "the text is in no UTF-8 and too long; URLs end where others of its bytes stand, from byte "+strconv.Itoa(at)+" on")
		}
		v = v.within(p)
	} else if format == "html" || format == "xml" {
		v = s.inUTF8(v, format)
	}
	switch format {
	case "html":
		s.html(v)
	case "css":
		s.css(v)
	case "markdown":
		s.markdown(v)
	case "rst":
		s.restructured(v)
	case "asciidoc":
		s.asciidoc(v)
	case "mail":
		s.mail(v)
	case "mbox":
		s.mbox(v)
	case "json":
		s.escaped(v, escapeJSON, "")
	case "source", "toml", "po":
		s.literals(v, languageOf(format, name))
	case "yaml":
		s.yaml(v)
	case "properties":
		s.properties(v)
	case "csv":
		s.table(v, 0)
	case "tsv":
		s.table(v, '\t')
	case "xml":
		s.xml(v)
	case "latex":
		s.escaped(v, escapeLaTeX, "")
	case "ical":
		s.ical(v)
	case "jupyter":
		s.notebook(v)
	case "pdf":
		s.pdf(v)
	case "warc":
		s.warc(v)
	case "zip":
		s.zip(v)
	case "tar":
		s.tar(v)
	case "gzip", "bzip2", "zstd":
		s.compressed(v, format, name)
	case "binary":
		s.note(v, 0, "the file is binary and in no format known here")
	default:
		s.prose(v, all(v.data), "")
	}
}

// ownCharset reports whether documents of a format are in UTF-8, or in another
// character set that they do not name.
func ownCharset(format string) bool {
	switch format {
	case "text", "markdown", "rst", "asciidoc", "css", "json", "source", "yaml", "toml", "latex", "properties", "po", "csv", "tsv":
		return true
	}
	return false
}

// mixed appends text in UTF-8. What of it is none is read as Windows-1252, the
// Encoding Standard's choice for text that names no character set, of which
// ISO 8859-1 is a part. It reads so many such bytes and leaves the others as they
// are; end is where it stopped.
func (p *piece) mixed(b []byte) (end int) {
	const most = 1 << 20
	from := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			if len(p.runs) >= most {
				p.copy(b, from, len(b))
				return i
			}
			p.copy(b, from, i)
			r = rune(b[i])
			if r < 0xa0 {
				r = windows1252[r-0x80]
			}
			p.put(string(r), i, i+1)
			from = i + 1
		}
		i += n
	}
	p.copy(b, from, len(b))
	return len(b)
}

// windows1252 is the Encoding Standard's index windows-1252 from 0x80 up to
// 0x9F; from there on it is ISO 8859-1.
var windows1252 = [...]rune{
	0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
	0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
}

// utf32 appends UTF-32 text, the mark at its beginning left out, as UTF-8.
func (p *piece) utf32(b []byte, order binary.ByteOrder) {
	for i := 4; i+4 <= len(b); i += 4 {
		p.put(string(rune(min(order.Uint32(b[i:]), utf8.MaxRune+1))), i, i+4)
	}
}

// utf16 appends UTF-16 text, the mark at its beginning left out, as UTF-8, and
// gives the place where it stopped: at the end, or where characters of different
// lengths have followed each other too many times.
func (p *piece) utf16(b []byte, mark int, big bool) int {
	const most = 1 << 22
	unit := func(i int) rune {
		if big {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	i := mark
	for i+1 < len(b) && len(p.runs) < most {
		r, n := unit(i), 2
		if utf16.IsSurrogate(r) {
			if i+3 < len(b) {
				if full := utf16.DecodeRune(r, unit(i+2)); full != utf8.RuneError {
					r, n = full, 4
				}
			}
			if n == 2 {
				r = utf8.RuneError
			}
		}
		p.put(string(r), i, i+n)
		i += n
	}
	return i
}
