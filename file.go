package anyurl

import (
	"strings"

	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
)

// A PathStyle is how an operating system writes file paths.
type PathStyle uint8

const (
	UnixPath    PathStyle = iota // "/etc/motd"
	WindowsPath                  // `C:\etc\motd`, `\\server\share\motd`
)

// fileSet holds what is encoded in a file path: the path percent-encode set,
// the escape, and what a file URL would read as a separator or a drive letter.
// ";" and ":" stay; they mean nothing in a file URL.
var fileSet = percent.Path.Or(abnf.Bytes(`\%|`))

// FileURL gives the file URL of an absolute path. Octets that are not UTF-8
// become escapes, and "." and ".." are resolved, as a URL cannot hold them.
//
// In the Windows style, both slashes separate; `\\server\share` becomes the
// URL's host and the first segment; `\\?\C:\` and `\\?\UNC\server\share` are
// read as what they stand for. A path that is relative, or that names a device
// as `\\.\` does, breaks [FilePathForm].
func FileURL(path string, style PathStyle) (URL, error) {
	refuse := func(offset int, r rule.Rule) (URL, error) {
		return URL{}, &rule.Error{Input: path, Offset: offset, Rule: r}
	}
	if i := strings.IndexByte(path, 0); i >= 0 {
		return refuse(i, FilePathForm)
	}
	var out []byte
	switch style {
	case UnixPath:
		if !strings.HasPrefix(path, "/") {
			return refuse(0, FilePathForm)
		}
		out = appendEncode([]byte("file://"), path, &fileSet)
	default:
		p := strings.ReplaceAll(path, `\`, "/")
		server := false
		switch {
		case len(p) >= 8 && strings.EqualFold(p[:8], "//?/UNC/"):
			p, server = p[8:], true
		case strings.HasPrefix(p, "//?/"):
			p = p[4:]
		case strings.HasPrefix(p, "//./"):
			return refuse(0, FilePathForm)
		case strings.HasPrefix(p, "//"):
			p, server = p[2:], true
		}
		if server {
			host, rest, _ := strings.Cut(p, "/")
			h, err := ParseHost(host, true)
			if err != nil || rest == "" {
				return refuse(min(2, len(path)), FilePathForm)
			}
			out = append([]byte("file://"), h.String()...)
			p = "/" + rest
		} else {
			if len(p) < 3 || !isAlpha(p[0]) || p[1] != ':' || p[2] != '/' {
				return refuse(0, FilePathForm)
			}
			out = []byte("file:///")
		}
		out = appendEncode(out, p, &fileSet)
	}
	u, err := Parse(string(out))
	if err != nil {
		return refuse(0, FilePathForm) // longer than MaxLen
	}
	return u, nil
}

// FilePath gives the path that a file URL names, decoded. What no path of that
// style can hold breaks [FilePathForm]: another scheme than file; a host, in the
// Unix style; no drive letter and no host, in the Windows style; an encoded
// separator or NUL.
func (u URL) FilePath(style PathStyle) (string, error) {
	refuse := func(offset int) (string, error) {
		return "", &rule.Error{Input: u.href, Offset: offset, Rule: FilePathForm}
	}
	if u.special != schemeFile {
		return refuse(0)
	}
	if style == UnixPath && u.kind != HostEmpty {
		return refuse(int(u.host))
	}
	separator := "/"
	separators := "/\x00"
	if style == WindowsPath {
		separator = `\`
		separators = "/\\\x00"
	}
	var out strings.Builder
	if style == WindowsPath && u.kind != HostEmpty {
		out.WriteString(`\\` + u.Host().Unbracketed())
	}
	offset := int(u.path) + 1
	first := true
	for segment := range u.Segments() {
		text := percent.Decode(segment)
		if strings.ContainsAny(text, separators) {
			return refuse(offset)
		}
		if !first || style == UnixPath || u.kind != HostEmpty {
			out.WriteString(separator)
		} else if !isDriveLetter(text) || text[1] != ':' {
			return refuse(offset)
		}
		out.WriteString(text)
		offset += len(segment) + 1
		first = false
	}
	if style == WindowsPath && out.Len() == len("C:") {
		out.WriteString(separator) // "C:" alone is where one stands on the drive
	}
	return out.String(), nil
}
