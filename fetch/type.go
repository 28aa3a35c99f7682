package fetch

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// types are the media types that a file's name tells, for the kinds that the
// servers without media types hold. It is ours, so that the answer does not
// depend on the machine.
var types = map[string]string{
	"aac": "audio/aac", "ai": "application/postscript", "asc": "text/plain", "au": "audio/basic", "avi": "video/x-msvideo",
	"bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2", "c": "text/plain", "conf": "text/plain",
	"css": "text/css", "csv": "text/csv", "deb": "application/vnd.debian.binary-package", "djvu": "image/vnd.djvu",
	"doc": "application/msword", "eml": "message/rfc822", "eps": "application/postscript", "epub": "application/epub+zip",
	"exe": "application/octet-stream", "flac": "audio/flac", "gemini": "text/gemini", "gif": "image/gif", "gmi": "text/gemini",
	"go": "text/plain", "gz": "application/gzip", "h": "text/plain", "hqx": "application/mac-binhex40", "htm": "text/html",
	"html": "text/html", "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "img": "application/octet-stream",
	"iso": "application/octet-stream", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json",
	"log": "text/plain", "md": "text/markdown", "mid": "audio/midi", "mkv": "video/matroska", "mov": "video/quicktime",
	"mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "odt": "application/vnd.oasis.opendocument.text",
	"ogg": "audio/ogg", "pdf": "application/pdf", "pem": "application/x-pem-file", "pl": "text/plain", "png": "image/png",
	"ps": "application/postscript", "py": "text/plain", "rtf": "application/rtf", "sh": "text/plain", "snd": "audio/basic",
	"svg": "image/svg+xml", "tar": "application/x-tar", "tex": "text/x-tex", "text": "text/plain", "tgz": "application/gzip",
	"tif": "image/tiff", "tiff": "image/tiff", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp",
	"woff2": "font/woff2", "xbm": "image/x-xbitmap", "xhtml": "application/xhtml+xml", "xml": "application/xml",
	"xz": "application/x-xz", "z": "application/x-compress", "zip": "application/zip", "zst": "application/zstd",
}

// TypeByName guesses a media type from a name's ending; "" if it tells nothing.
func TypeByName(name string) string {
	return types[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
}

// magics are the beginnings that tell a type.
var magics = []struct{ begin, typ string }{
	{"%PDF-", "application/pdf"},
	{"%!PS-", "application/postscript"},
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"PK\x03\x04", "application/zip"},
	{"\x1f\x8b", "application/gzip"},
	{"BZh", "application/x-bzip2"},
	{"\xfd7zXZ\x00", "application/x-xz"},
	{"(This file must be converted with BinHex", "application/mac-binhex40"},
	{"<?xml", "application/xml"},
}

// TypeByContent guesses a media type from an object's first octets; 512 are
// enough.
func TypeByContent(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return m.typ
		}
	}
	low := bytes.ToLower(bytes.TrimLeft(head[:min(len(head), 64)], " \t\r\n"))
	if bytes.HasPrefix(low, []byte("<!doctype html")) || bytes.HasPrefix(low, []byte("<html")) {
		return "text/html"
	}
	// Text has no controls but those of layout; a character cut off at the end
	// of head is none of its faults.
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			// ISO 8859-1 is text too, but its C1 controls are not.
			if utf8.FullRune(rest) && rest[0] < 0xA0 {
				return "application/octet-stream"
			}
		case r < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", r), r == 0x7F:
			return "application/octet-stream"
		}
		rest = rest[n:]
	}
	return "text/plain"
}
