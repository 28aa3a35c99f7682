// Package format finds URLs in documents: HTML, Markdown, mail, JSON, source
// code, office documents, archives of all of these, and more. Each match knows
// where in the source's own bytes it stands, also where the source writes it
// with escapes.
//
// Start with [Finder.Bytes]. Plain text alone needs only package find.
package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"unicode/utf16"
	"unicode/utf8"

	"anyurl/find"
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
}

// Limits bound what one source may cost. Zero fields take the default.
type Limits struct {
	// Depth is how deep documents may lie within documents: archives in
	// archives, messages in messages. The default is 8.
	Depth int
	// Entries is how many members the archives of one source may have in all.
	// The default is 100,000.
	Entries int
	// Expanded is how many bytes all that is unpacked from one source may come
	// to. The default is 1 GiB.
	Expanded int64
	// Document is how many bytes a document may have that must be held whole
	// (all but plain text). The default is 256 MiB.
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
	// Code makes it read code spans and code blocks in markup too.
	Code bool
	// Limits bound what a source may cost.
	Limits Limits
	// Note, if not nil, is told what could not be read.
	Note func(Note)
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
		l := f.limits()
		s := &scan{f: f, source: name, yield: yield, code: f.Code, budget: &budget{entries: l.Entries, expanded: l.Expanded}}
		if f.Options.Source != "" {
			s.source = f.Options.Source
		}
		format := f.Format
		if format == "" {
			format = Of(name, data)
		}
		s.whole(data, format, name)
	}
}

// Reader finds the URLs of a document that is read from r. Plain text is read
// as a stream, in constant memory; a document of any other format is held
// whole, up to Limits.Document, beyond which it is read as plain text with a
// note. The error, if any, is r's own and comes last.
func (f *Finder) Reader(name string, r io.Reader) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		if r == nil {
			f.stream(name, nil, yield) // which says that there is none
			return
		}
		br := bufio.NewReaderSize(r, 64<<10)
		head, err := br.Peek(16 << 10)
		if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			yield(Match{}, err)
			return
		}
		format := f.Format
		if format == "" {
			format = Of(name, head)
		}
		if format == "text" && !utf16Mark(head) {
			f.stream(name, br, yield)
			return
		}
		limit := f.limits().Document
		data, err := io.ReadAll(io.LimitReader(br, limit+1))
		if int64(len(data)) > limit {
			f.note(Note{Source: name, Says: "the document is larger than the limit and is read as plain text"})
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

func (f *Finder) stream(name string, r io.Reader, yield func(Match, error) bool) {
	opts := f.Options
	if opts.Source == "" {
		opts.Source = name
	}
	for m, err := range find.Reader(r, opts) {
		if !yield(Match{Match: m}, err) {
			return
		}
	}
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
	if utf16Mark(v.data) {
		p := &piece{}
		p.utf16(v.data)
		v = v.within(p)
		if format == "binary" || format == "text" {
			format = Of(name, v.data)
		}
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
	case "source", "yaml", "toml":
		s.escaped(v, escapeSource, "")
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
		p := &piece{}
		p.copy(v.data, 0, len(v.data))
		s.prose(v, p, "")
	}
}

// utf16Mark reports whether b begins with the byte order mark of UTF-16.
func utf16Mark(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))
}

// utf16 appends UTF-16 text, its byte order mark left out, as UTF-8.
func (p *piece) utf16(b []byte) {
	big := b[0] == 0xfe
	unit := func(i int) rune {
		if big {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	for i := 2; i+1 < len(b); {
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
}
