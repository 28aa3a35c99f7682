package format

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/zstd"
)

// A budget is what unpacking one source may still cost.
type budget struct {
	entries  int
	expanded int64
}

var errBudget = errors.New("unpacked data is larger than the limit")

// unpack reads r whole, as far as the budget goes. It is likely to give so many
// bytes.
func (s *scan) unpack(r io.Reader, likely int64) ([]byte, error) {
	allowed := min(s.budget.expanded, s.f.limits().Document)
	// Room for all of it at once: growing would take as much again, and more.
	data := bytes.NewBuffer(make([]byte, 0, min(max(likely, 0), allowed)+bytes.MinRead))
	_, err := data.ReadFrom(&wanted{s, io.LimitReader(r, allowed+1)})
	unpacked := data.Bytes()
	if int64(len(unpacked)) > allowed {
		unpacked, err = unpacked[:allowed], errBudget
	}
	s.budget.expanded -= int64(len(unpacked))
	return unpacked, err
}

// sizeText is a number of bytes for people.
func sizeText(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }

// expands is how many bytes a deflated one may stand for at most; an archive that
// says more is not believed.
const expands = 1032

// unpackMember reads a member of v that is unpacked by r. Long text is read as it
// comes, in constant memory; anything else is held whole.
func (s *scan) unpackMember(v *view, name string, r io.Reader, likely int64) error {
	if s.depth >= s.f.limits().Depth {
		s.tooDeep(v)
		return nil
	}
	if likely < memberHead {
		data, err := s.unpack(r, likely)
		s.member(v, name, data)
		return err
	}
	head := make([]byte, memberHead)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	r = io.MultiReader(bytes.NewReader(head), r)
	if err == nil && s.given == "" && s.f.formatOf(name, head[:headLen]) == "text" && Streams(head) {
		return s.streamMember(name, r)
	}
	data, err := s.unpack(r, likely)
	s.member(v, name, data)
	return err
}

// memberHead is how long a text must be at least to be read as it comes.
const memberHead = 1 << 20

// streamMember reads a member of plain text.
func (s *scan) streamMember(name string, r io.Reader) error {
	allowed := s.budget.expanded
	limited := &io.LimitedReader{R: &wanted{s, r}, N: allowed + 1}
	g := *s.f
	g.Options.Source = s.source + "!/" + name
	var failed error
	g.stream(name, limited, func(m Match, err error) bool {
		if err != nil {
			failed = err
			return false
		}
		if int64(m.End) > allowed {
			return true
		}
		s.done = !s.yield(m)
		return !s.done
	})
	s.budget.expanded -= min(allowed, allowed+1-limited.N)
	if failed == nil && limited.N == 0 {
		failed = errBudget
	}
	return failed
}

// wanted is a reader that ends when no more is wanted.
type wanted struct {
	s *scan
	r io.Reader
}

func (w *wanted) Read(b []byte) (int, error) {
	if w.s.over() {
		return 0, io.EOF
	}
	return w.r.Read(b)
}

// cut tells of what could not be unpacked to its end, or at all: damage, but for
// a limit of ours and a way of packing that we do not know.
func (s *scan) cut(v *view, what string, err error) {
	says := what + ": " + err.Error()
	if errors.Is(err, errBudget) || errors.Is(err, zip.ErrAlgorithm) {
		s.note(v, 0, says)
		return
	}
	s.damage(v, says)
}

// entry counts one member and reports whether the budget allows it.
func (s *scan) entry(v *view) bool {
	if s.budget.entries == 0 {
		s.note(v, 0, "the archive has more members than the limit")
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
	inner := &scan{f: s.f, source: s.source + "!/" + name, yield: s.yield, budget: s.budget, depth: s.depth + 1, code: s.code, given: s.given}
	inner.whole(data, s.f.formatOf(name, data), name)
	s.done = inner.done
}

func (s *scan) tooDeep(v *view) {
	s.note(v, 0, "documents within documents lie deeper than the limit")
}

// zip reads every member of a zip archive, so also of office documents, EPUB,
// JAR and their like.
func (s *scan) zip(v *view) {
	r, err := zip.NewReader(bytes.NewReader(v.data), int64(len(v.data)))
	if err != nil {
		s.damage(v, "the zip archive cannot be read: "+err.Error())
		return
	}
	for _, f := range r.File {
		if s.over() || s.budget.expanded <= 0 {
			break
		}
		if f.FileInfo().IsDir() || !worthReading(f.Name) {
			continue
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
		err = s.unpackMember(v, f.Name, body, int64(likely&(1<<62-1)))
		body.Close()
		if err != nil {
			s.cut(v, f.Name, err)
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
	r := tar.NewReader(bytes.NewReader(v.data))
	for !s.over() && s.budget.expanded > 0 {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			s.damage(v, "the tar archive cannot be read to its end: "+err.Error())
			return
		}
		if h.Typeflag != tar.TypeReg || !worthReading(h.Name) {
			continue
		}
		if !s.entry(v) {
			return
		}
		if err := s.unpackMember(v, h.Name, r, min(h.Size, int64(len(v.data)))); err != nil {
			s.cut(v, h.Name, err)
		}
	}
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
	if len(v.data)*expands > memberHead {
		likely = max(likely, memberHead)
	}
	if err := s.unpackMember(v, inner, r, likely); err != nil {
		s.cut(v, "the "+format+" data cannot be read to its end", err)
	}
}
