package format

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
)

// Formats lists the formats by name, as Finder.Format takes them.
func Formats() []string {
	names := make([]string, 0, len(byName))
	for _, f := range byName {
		if !slices.Contains(names, f.format) {
			names = append(names, f.format)
		}
	}
	slices.Sort(names)
	return names
}

// byName says which format a file name's ending stands for.
var byName = []struct{ format, endings string }{
	{"text", ".txt .text .log .srt .diff .patch .ini .conf .cfg .env .1 .2 .3 .5 .7 .8"},
	{"html", ".html .htm .xhtml .xht .shtml .vue .svelte .php .hbs .ejs .erb .jsp .aspx"},
	{"css", ".css .scss .sass .less"},
	{"markdown", ".md .markdown .mdown .mkd .mdx .qmd .rmd"},
	{"rst", ".rst .rest"},
	{"asciidoc", ".adoc .asciidoc .asc"},
	{"mail", ".eml .mht .mhtml .nws"},
	{"mbox", ".mbox .mbx"},
	{"json", ".json .jsonl .ndjson .json5 .jsonc .geojson .webmanifest .map .har .avsc"},
	{"yaml", ".yaml .yml"},
	{"toml", ".toml"},
	{"properties", ".properties"},
	{"po", ".po .pot"},
	{"csv", ".csv"},
	{"tsv", ".tsv"},
	{"xml", ".xml .rss .atom .rdf .svg .xsd .xsl .xslt .wsdl .opml .kml .gpx .plist .opf .ncx .rels .xlf .resx .csproj .pom .fb2 .dbk"},
	{"latex", ".tex .ltx .sty .cls .bib"},
	{"ical", ".ics .ifb .vcf .vcard"},
	{"jupyter", ".ipynb"},
	{"pdf", ".pdf .ai"},
	{"warc", ".warc"},
	{"zip", ".zip .docx .docm .dotx .xlsx .xlsm .pptx .pptm .odt .ods .odp .odg .ott .epub .jar .war .whl .apk .xpi .crx .nupkg .vsix"},
	{"tar", ".tar"},
	{"gzip", ".gz .tgz .svgz"},
	{"bzip2", ".bz2 .tbz2"},
	{"zstd", ".zst .tzst"},
	{"source", ".go .js .mjs .cjs .jsx .ts .mts .cts .tsx .py .pyi .rb .rs .c .h .cc .cpp .cxx .hpp .hh .java .kt .kts .scala .swift .cs .fs .vb .pl .pm .lua .r .jl .ex .exs .erl .hrl .hs .ml .mli .clj .cljs .el .lisp .scm .sh .bash .zsh .fish .ps1 .bat .sql .proto .graphql .tf .hcl .gradle .groovy .dart .zig .nim .v .sv .vhd .asm .s .cmake .mk .awk .sed .coffee .sol .nix"},
}

// names are files known by their whole name.
func byWholeName(name string) string {
	switch name {
	case "Makefile", "GNUmakefile", "makefile", "Dockerfile", "Containerfile", "Jenkinsfile", "Rakefile", "Gemfile", "Vagrantfile", "CMakeLists.txt", "BUILD", "WORKSPACE", "go.mod", "go.sum", ".bashrc", ".profile":
		return "source"
	case "README", "LICENSE", "COPYING", "AUTHORS", "CHANGES", "ChangeLog", "NEWS", "TODO", "INSTALL", "THANKS", "robots.txt":
		return "text"
	}
	return ""
}

// Of says which format a document is in, by its name (which may be "") and its
// first bytes. It gives "binary" for what is no text and no format known here.
func Of(name string, head []byte) string {
	if format := magic(head); format != "" {
		return format
	}
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	if format := byWholeName(base); format != "" {
		return format
	}
	if ext := strings.ToLower(path.Ext(base)); ext != "" {
		for _, f := range byName {
			if hasWord(f.endings, ext) {
				if f.format == "zip" && !UTF16(head) {
					return f.format // behind a program that unpacks it, perhaps
				}
				if binaryFormat(f.format) {
					break // its magic did not bear its name out
				}
				if isBinary(head) {
					return "binary"
				}
				return f.format
			}
		}
	}
	if isBinary(head) {
		return "binary"
	}
	return byContent(head)
}

// hasWord reports whether word is one of list's, which are parted by spaces.
func hasWord(list, word string) bool {
	for len(list) > 0 {
		w, rest, _ := strings.Cut(list, " ")
		if w == word {
			return true
		}
		list = rest
	}
	return false
}

// binaryFormat reports whether a format always begins with a magic number.
func binaryFormat(format string) bool {
	switch format {
	case "pdf", "zip", "gzip", "bzip2", "zstd":
		return true
	}
	return false
}

// magic knows formats by the bytes they must begin with.
func magic(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("%PDF-")):
		return "pdf"
	case bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return "zip"
	case bytes.HasPrefix(b, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(b, []byte("BZh")) && len(b) > 9 && string(b[4:10]) == "\x31\x41\x59\x26\x53\x59":
		return "bzip2"
	case bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case bytes.HasPrefix(b, []byte("WARC/1.")), bytes.HasPrefix(b, []byte("WARC/0.")):
		return "warc"
	case len(b) > 262 && string(b[257:262]) == "ustar":
		return "tar"
	case bytes.HasPrefix(b, []byte("BEGIN:VCALENDAR")), bytes.HasPrefix(b, []byte("BEGIN:VCARD")):
		return "ical"
	}
	return ""
}

// byContent guesses by how text begins.
func byContent(b []byte) string {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	lower := bytes.ToLower(b[:min(len(b), 1024)])
	switch {
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")),
		bytes.HasPrefix(lower, []byte("<head")), bytes.HasPrefix(lower, []byte("<body")):
		return "html"
	case bytes.HasPrefix(lower, []byte("<?xml")):
		if bytes.Contains(lower, []byte("<html")) {
			return "html"
		}
		return "xml"
	case bytes.HasPrefix(lower, []byte("<rss")), bytes.HasPrefix(lower, []byte("<feed")), bytes.HasPrefix(lower, []byte("<svg")), bytes.HasPrefix(lower, []byte("<urlset")), bytes.HasPrefix(lower, []byte("<sitemapindex")):
		return "xml"
	case bytes.HasPrefix(b, []byte(`{"`)), bytes.HasPrefix(b, []byte(`[{"`)), bytes.HasPrefix(b, []byte(`["`)), bytes.HasPrefix(lower, []byte("{\n")) && bytes.Contains(lower, []byte(`":`)):
		return "json"
	case bytes.HasPrefix(b, []byte("From ")) && bytes.Contains(b[:min(len(b), 4096)], []byte("\n")) && mailHeaders(b[lineEnd(b, 0):]):
		return "mbox"
	case mailHeaders(b):
		return "mail"
	case bytes.HasPrefix(b, []byte("#!")):
		return "source"
	case bytes.HasPrefix(b, []byte("msgid \"")), bytes.HasPrefix(b, []byte("#")) && bytes.Contains(b, []byte("\nmsgid \"\"\nmsgstr \"")):
		return "po"
	}
	return "text"
}

// mailHeaders reports whether text begins like a message: field lines, one of
// which only a message has.
func mailHeaders(b []byte) bool {
	sure := false
	for n := 0; n < 60 && len(b) > 0; n++ {
		end := lineEnd(b, 0)
		line := bytes.TrimRight(b[:end], "\r\n")
		b = b[end:]
		if len(line) == 0 {
			return sure
		}
		if line[0] == ' ' || line[0] == '\t' {
			if n == 0 {
				return false
			}
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t") {
			return false
		}
		switch strings.ToLower(string(name)) {
		case "message-id", "received", "mime-version", "return-path", "content-transfer-encoding", "delivered-to":
			sure = true
		}
	}
	return sure
}

// isBinary reports whether a document's beginning is no text: it holds a NUL,
// unless it is UTF-16, and control characters make up more than one byte in
// sixteen. A log with a stray NUL in it, or with the hole that a crash leaves,
// which counts as one NUL, is text.
func isBinary(b []byte) bool {
	if UTF16(b) || bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")) {
		return false
	}
	b = b[:min(len(b), 8000)]
	if bytes.IndexByte(b, 0) < 0 {
		return false
	}
	controls, holes := 0, 0
	for i := 0; i < len(b); i++ {
		if isControl(b[i]) {
			controls++
		}
		if run := len(b[i:]) - len(bytes.TrimLeft(b[i:], "\x00")); run >= 8 {
			holes += run - 1
			i += run - 1
		}
	}
	return controls > 1 && controls*16 > len(b)-holes
}

// isControl reports whether c is a control character that plain text does
// without.
func isControl(c byte) bool {
	return c < ' ' && !(c >= '\b' && c <= '\r') && c != 0x1b || c == 0x7f
}

// UTF16 reports whether a document's beginning is UTF-16: by its byte order
// mark or, where it has none, by the NULs of ASCII text standing in every other
// place.
func UTF16(head []byte) bool {
	_, _, ok := utf16Of(head)
	return ok
}

// utf32Of tells the byte order of UTF-32 that begins with a mark.
func utf32Of(b []byte) (order binary.ByteOrder, ok bool) {
	switch {
	case len(b)&3 != 0:
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")):
		return binary.LittleEndian, true
	case bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		return binary.BigEndian, true
	}
	return nil, false
}

// utf16Of tells the byte order of UTF-16 and how many bytes its mark takes.
func utf16Of(b []byte) (big bool, mark int, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return false, 2, true
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return true, 2, true
	}
	b = b[:min(len(b), 8000)&^1]
	if len(b) < 8 {
		return false, 0, false
	}
	var nul, control [2]int // by place within the unit
	for i, c := range b {
		if c == 0 {
			nul[i&1]++
		} else if isControl(c) {
			control[i&1]++
		}
	}
	units := len(b) / 2
	for high := range 2 {
		low := 1 - high
		if nul[high]*10 >= units*7 && (nul[low]+control[low])*50 <= units {
			return high == 0, 0, true
		}
	}
	return false, 0, false
}

// byMediaType is the format of a media type, "" when it tells nothing.
func byMediaType(kind string) string {
	switch kind {
	case "text/html", "application/xhtml+xml":
		return "html"
	case "text/css":
		return "css"
	case "text/markdown", "text/x-markdown":
		return "markdown"
	case "message/rfc822", "message/global":
		return "mail"
	case "application/mbox":
		return "mbox"
	case "text/calendar", "text/vcard", "text/x-vcard":
		return "ical"
	case "application/pdf":
		return "pdf"
	case "application/json", "application/ld+json", "application/manifest+json":
		return "json"
	case "application/x-ipynb+json":
		return "jupyter"
	case "text/javascript", "application/javascript", "application/x-javascript":
		return "source"
	case "application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "image/svg+xml":
		return "xml"
	case "application/yaml", "text/yaml", "application/x-yaml":
		return "yaml"
	case "text/csv":
		return "csv"
	case "text/tab-separated-values":
		return "tsv"
	case "text/x-gettext-translation", "text/x-po":
		return "po"
	case "text/x-java-properties":
		return "properties"
	case "text/x-tex", "application/x-tex", "application/x-latex":
		return "latex"
	case "text/plain":
		return "text"
	}
	switch {
	case strings.HasSuffix(kind, "+json"):
		return "json"
	case strings.HasSuffix(kind, "+xml"):
		return "xml"
	case strings.HasPrefix(kind, "image/"), strings.HasPrefix(kind, "audio/"), strings.HasPrefix(kind, "video/"), strings.HasPrefix(kind, "font/"):
		return "binary"
	}
	return ""
}
