package report

import (
	"bytes"
	"io"
	"os"
	"unicode/utf16"
	"unicode/utf8"
)

// maxSource is how long a source may be whose columns are counted.
const maxSource = 64 << 20

// A stretch is where an issue stands in its source, as SARIF counts: lines and
// columns from 1, columns in UTF-16 code units, the end behind the last of them.
type stretch struct {
	line, column, endLine, endColumn int
}

// stretches finds where issues stand. What is no file, or not as it was when it
// was read, has none: byte offsets alone do not tell.
func stretches(issues []Issue) map[int]stretch {
	bySource := map[string][]int{}
	for n, i := range issues {
		if p := i.Place; p.Source != "" && p.Source != "-" && p.Line > 0 && p.End > p.Start {
			bySource[p.Source] = append(bySource[p.Source], n)
		}
	}
	found := map[int]stretch{}
	for source, all := range bySource {
		text := readSource(source)
		for _, n := range all {
			if s, ok := stretchOf(text, issues[n]); ok {
				found[n] = s
			}
		}
	}
	return found
}

// readSource reads a source that is a file of a bearable length, or gives nil.
func readSource(name string) []byte {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSource))
	if err != nil {
		return nil
	}
	return text
}

// sources are the latest that were read.
type sources struct {
	texts map[string][]byte
	size  int // octets in all
}

// read is readSource for one that may be asked for again.
func (s *sources) read(name string) []byte {
	if text, ok := s.texts[name]; ok {
		return text
	}
	text := readSource(name)
	if s.texts == nil || s.size+len(text) > maxSource || len(s.texts) > 10_000 {
		s.texts, s.size = map[string][]byte{}, 0
	}
	s.texts[name] = text
	s.size += len(text)
	return text
}

// stretchOf finds an issue in its source. The column in bytes has to be the one
// that the issue has: offsets of a document in UTF-16, or within an archive, are
// those of another text.
func stretchOf(text []byte, i Issue) (s stretch, ok bool) {
	p := i.Place
	if p.Start < 0 || p.End > len(text) {
		return s, false
	}
	begin := bytes.LastIndexByte(text[:p.Start], '\n') + 1
	if p.Start-begin+1 != p.Col || !utf8.Valid(text[begin:p.End]) {
		return s, false
	}
	s = stretch{line: p.Line, column: 1 + units(text[begin:p.Start]), endLine: p.Line}
	link := text[p.Start:p.End]
	if last := bytes.LastIndexByte(link, '\n') + 1; last > 0 {
		s.endLine += bytes.Count(link, []byte("\n"))
		s.endColumn = 1 + units(link[last:])
		return s, true
	}
	s.endColumn = s.column + units(link)
	return s, true
}

// units counts UTF-16 code units.
func units(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += utf16.RuneLen(r)
		text = text[size:]
	}
	return n
}
