package format

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/zstd"
)

// A budget is what unpacking one source may still cost.
type budget struct {
	entries  int
	expanded int64
}

// A limitError says that a limit of ours is reached.
type limitError string

func (e limitError) Error() string { return string(e) }

// spent is the error of what is unpacked beyond the limit.
func (s *scan) spent() error {
	return limitError("unpacked data is larger than the limit of " + sizeText(s.f.limits().Expanded))
}

// tooLarge is the error of a document that is larger than may be held.
func (s *scan) tooLarge() error {
	return limitError("the document is larger than the limit of " + sizeText(s.f.limits().Document))
}

// isLimit reports whether a limit of ours is the reason for err.
func isLimit(err error) bool {
	var limit limitError
	return errors.As(err, &limit)
}

// A meter passes on what was unpacked, as far as the budget goes and more is
// wanted.
type meter struct {
	s *scan
	r io.Reader
}

func (m *meter) Read(b []byte) (int, error) {
	if m.s.over() {
		return 0, io.EOF
	}
	left := &m.s.budget.expanded
	if *left <= 0 {
		// Nothing is left to be read, perhaps.
		if n, err := io.ReadFull(m.r, make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, m.s.spent()
	}
	n, err := m.r.Read(b[:min(int64(len(b)), *left)])
	*left -= int64(n)
	return n, err
}

// unpack reads r, up to so many bytes. It is likely to give some number of them.
func unpack(r io.Reader, likely, most int64) ([]byte, error) {
	// Room for all of it at once: growing would take as much again, and more.
	data := bytes.NewBuffer(make([]byte, 0, min(max(likely, 0), most)+bytes.MinRead))
	_, err := data.ReadFrom(io.LimitReader(r, most))
	return data.Bytes(), err
}

// sizeText is a number of bytes for people.
func sizeText(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }

// expands is how many bytes a deflated one may stand for at most; an archive that
// says more is not believed.
const expands = 1032

// unpackMember reads a member of v that comes from r, unpacked. Long text is read
// as it comes, in constant memory, and so is a tar archive; anything else is held
// whole.
func (s *scan) unpackMember(v *view, name string, r io.Reader, likely int64) error {
	if s.depth >= s.f.limits().Depth {
		s.tooDeep(v)
		return nil
	}
	document := max(s.f.limits().Document, 0)
	short := min(memberHead, document)
	data, err := unpack(r, min(likely, memberHead), short)
	if err != nil {
		r = failed{err}
	}
	more := err == nil && int64(len(data)) == short
	switch format := s.f.formatOf(name, data[:min(len(data), headLen)]); {
	case format == "tar":
		return s.streamTar(name, io.MultiReader(bytes.NewReader(data), r))
	case !more:
		s.member(v, name, data)
		return err
	case format == "binary":
		s.member(v, name, data) // which says so
		return nil
	case s.given == "" && format == "text" && Streams(data):
		return s.streamMember(name, io.MultiReader(bytes.NewReader(data), r))
	}
	rest, err := unpack(io.MultiReader(bytes.NewReader(data), r), likely, document+1)
	if int64(len(rest)) > document {
		s.note(v, 0, name+": "+s.tooLarge().Error()+", and is read as plain text")
		return s.streamMember(name, io.MultiReader(bytes.NewReader(rest), r))
	}
	s.member(v, name, rest)
	return err
}

// memberHead is how long a text must be at least to be read as it comes.
const memberHead = 1 << 20

// streamMember reads a member of plain text.
func (s *scan) streamMember(name string, r io.Reader) error {
	g := *s.f
	g.Options.Source = s.source + "!/" + name
	var failed error
	g.stream(name, r, func(m Match, err error) bool {
		if err != nil {
			failed = err
			return false
		}
		s.done = !s.yield(m)
		return !s.done
	})
	return failed
}

// streamTar reads a tar archive as it comes.
func (s *scan) streamTar(name string, r io.Reader) error {
	inner := s.inner(name)
	err := inner.tarFrom(&view{}, r)
	s.done = inner.done
	return err
}

// cut tells of what could not be unpacked to its end, or at all: damage, but for
// a limit of ours and a way of packing that we do not know.
func (s *scan) cut(v *view, what string, err error) {
	says := what + ": " + err.Error()
	if isLimit(err) || errors.Is(err, zip.ErrAlgorithm) {
		s.note(v, 0, says)
		return
	}
	s.damage(v, says)
}

// entry counts one member and reports whether the budget allows it.
func (s *scan) entry(v *view) bool {
	if s.budget.entries <= 0 {
		s.note(v, 0, "the archive has more members than the limit of "+strconv.Itoa(max(s.f.limits().Entries, 0)))
		return false
	}
	s.budget.entries--
	return true
}

// member reads data that was unpacked from v as a document of its own: its
// offsets count in the unpacked bytes, and its source names the member.
func (s *scan) member(v *view, name string, data []byte) {
	if s.over() {
		return
	}
	if s.depth >= s.f.limits().Depth {
		s.tooDeep(v)
		return
	}
	inner := s.inner(name)
	inner.whole(data, s.f.formatOf(name, data), name)
	s.done = inner.done
}

// inner begins to read a member.
func (s *scan) inner(name string) *scan {
	return &scan{f: s.f, source: s.source + "!/" + name, yield: s.yield, budget: s.budget, depth: s.depth + 1, code: s.code, given: s.given}
}

func (s *scan) tooDeep(v *view) {
	s.note(v, 0, "documents within documents lie deeper than the limit of "+strconv.Itoa(max(s.f.limits().Depth, 0)))
}

// zip reads every member of a zip archive, so also of office documents, EPUB,
// JAR and their like. One whose directory is lost is read by what stands before
// each member.
func (s *scan) zip(v *view) {
	r, err := zip.NewReader(bytes.NewReader(v.data), int64(len(v.data)))
	if err != nil && magic(v.data) != "zip" {
		s.read(v, Of("", v.data), "") // only its name is a zip archive's
		return
	}
	if err != nil {
		s.damage(v, "the zip archive cannot be read by its directory: "+err.Error())
		s.zipLocal(v)
		return
	}
	for i, f := range r.File {
		if s.over() {
			break
		}
		if f.FileInfo().IsDir() || !worthReading(f.Name) {
			continue
		}
		if s.budget.expanded <= 0 && f.UncompressedSize64 > 0 {
			s.note(v, 0, s.spent().Error()+"; members not read: "+strconv.Itoa(len(r.File)-i))
			return
		}
		if !s.entry(v) {
			return
		}
		body, err := f.Open()
		if err != nil {
			s.cut(v, f.Name, err)
			continue
		}
		likely := f.UncompressedSize64
		if most := f.CompressedSize64; likely/expands > most {
			likely = most
		}
		err = s.unpackMember(v, f.Name, &meter{s, body}, int64(likely&(1<<62-1)))
		body.Close()
		if err != nil {
			s.cut(v, f.Name, err)
		}
	}
}

// zipLocal reads the members of a zip archive by their local headers: APPNOTE.TXT,
// section 4.3.7.
func (s *scan) zipLocal(v *view) {
	b := v.data
	for !s.over() && s.budget.expanded > 0 {
		at := bytes.Index(b, []byte("PK\x03\x04"))
		if at < 0 || len(b)-at < 30 {
			return
		}
		h := b[at:]
		flags, method := binary.LittleEndian.Uint16(h[6:]), binary.LittleEndian.Uint16(h[8:])
		size := int64(binary.LittleEndian.Uint32(h[18:]))
		nameLen := int(binary.LittleEndian.Uint16(h[26:]))
		begin := 30 + nameLen + int(binary.LittleEndian.Uint16(h[28:]))
		b = h[4:]
		if begin > len(h) || flags&1 != 0 { // cut, or encrypted
			continue
		}
		name, body := string(h[30:30+nameLen]), bytes.NewReader(h[begin:])
		var r io.Reader
		switch {
		case method == zip.Deflate:
			r = flate.NewReader(body) // which reads no further than its end
		case method == zip.Store && flags&8 == 0:
			r = io.LimitReader(body, size)
		default:
			continue
		}
		if strings.HasSuffix(name, "/") || !worthReading(name) {
			continue
		}
		if !s.entry(v) {
			return
		}
		if err := s.unpackMember(v, name, &meter{s, r}, 0); err != nil {
			s.cut(v, name, err)
		} else {
			b = h[len(h)-body.Len():]
		}
	}
}

// worthReading passes over the members of office packages that only say how
// the package is put together, and over what can hold no text.
func worthReading(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ttf", ".otf", ".woff", ".woff2", ".emf", ".wmf", ".class", ".mp3", ".mp4", ".so", ".o":
		return false
	}
	switch name {
	case "[Content_Types].xml", "mimetype", "META-INF/container.xml", "_rels/.rels":
		return false
	}
	return !strings.HasPrefix(name, "docProps/") && !strings.Contains(name, "/theme/")
}

// tar reads every regular member of a tar archive.
func (s *scan) tar(v *view) {
	if err := s.tarFrom(v, bytes.NewReader(v.data)); err != nil {
		s.cut(v, "the tar archive cannot be read to its end", err)
	}
}

// tarFrom reads the members of a tar archive that comes from r. They count against
// no limit of what is unpacked: r does, if it is packed.
func (s *scan) tarFrom(v *view, from io.Reader) error {
	r := tar.NewReader(from)
	for !s.over() {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || !worthReading(h.Name) {
			continue
		}
		if !s.entry(v) {
			return nil
		}
		if err := s.unpackMember(v, h.Name, r, min(h.Size, memberHead)); err != nil {
			if isLimit(err) || errors.Is(err, io.ErrUnexpectedEOF) {
				return err // of the archive
			}
			s.cut(v, h.Name, err)
		}
	}
	return nil
}

// compressed reads a stream that one compressor made: its member has the
// source's name without the compressor's ending.
func (s *scan) compressed(v *view, format, name string) {
	var r io.Reader
	var err error
	switch format {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(v.data))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(v.data))
	case "bzip2":
		r = bzip2.NewReader(bytes.NewReader(v.data))
	case "zstd":
		var d *zstd.Decoder
		d, err = zstd.NewReader(bytes.NewReader(v.data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err == nil {
			defer d.Close()
			r = d
		}
	}
	if err != nil {
		s.damage(v, "the "+format+" data cannot be read: "+err.Error())
		return
	}
	inner := path.Base(strings.ReplaceAll(name, "\\", "/"))
	switch ext := strings.ToLower(path.Ext(inner)); ext {
	case ".gz", ".bz2", ".zst":
		inner = strings.TrimSuffix(inner, path.Ext(inner))
	case ".tgz", ".tbz2", ".tzst":
		inner = strings.TrimSuffix(inner, path.Ext(inner)) + ".tar"
	}
	likely := int64(len(v.data)) * 4
	if format == "gzip" && len(v.data) > 18 {
		if said := int64(binary.LittleEndian.Uint32(v.data[len(v.data)-4:])); said/expands <= int64(len(v.data)) {
			likely = said // RFC 1952, 2.3.1: ISIZE
		}
	}
	if err := s.unpackMember(v, inner, &meter{s, r}, likely); err != nil {
		s.cut(v, "the "+format+" data cannot be read to its end", err)
	}
}
