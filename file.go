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

var pathStyles = [...]string{"unix", "windows"}

// String gives unix or windows.
func (s PathStyle) String() string {
	if int(s) < len(pathStyles) {
		return pathStyles[s]
	}
	return "unknown"
}

// fileSet holds what is encoded in a file path: the path percent-encode set,
// the escape, and what a file URL would read as a separator or a drive letter.
// ";" and ":" stay; they mean nothing in a file URL.
var fileSet = percent.Path.Or(abnf.Bytes(`\%|`))

// FileURL gives the file URL of an absolute path. Octets that are not UTF-8
// become escapes, and "." and ".." are resolved, as a URL cannot hold them:
// ".." takes away the name in front of it, and stays below the root, the drive
// or the share.
//
// In the Windows style, both slashes separate; `\\server\share` becomes the
// URL's host and the first segment (RFC 8089, appendix E.3); `\\?\C:\` and
// `\\?\UNC\server\share` are read as what they stand for. The server is read
// as the URL Standard reads a host, so that `\\0` is 0.0.0.0. A path that is
// relative, that names a device as `\\.\` does, that has a server and no share,
// or that has the server localhost, which the standard takes out of a file URL,
// breaks [FilePathForm].
func FileURL(path string, style PathStyle) (URL, error) {
	refuse := func(offset int, r rule.Rule) (URL, error) {
		return URL{}, &rule.Error{Input: path, Offset: offset, Rule: r}
	}
	if i := strings.IndexByte(path, 0); i >= 0 {
		return refuse(i, FilePathForm)
	}
	p := path
	out := []byte("file://")
	root := 0 // how many names ".." never takes away
	if style == UnixPath {
		if !strings.HasPrefix(p, "/") {
			return refuse(0, FilePathForm)
		}
	} else {
		p = strings.ReplaceAll(p, `\`, "/")
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
		at := len(path) - len(p) // of p in path
		root = 1
		if server {
			name, rest, _ := strings.Cut(p, "/")
			h, ok := uncHost(name)
			if !ok {
				return refuse(at, FilePathForm)
			}
			share, _, _ := strings.Cut(rest, "/")
			if share == "" || share == "." || share == ".." {
				return refuse(min(at+len(name)+1, len(path)), FilePathForm)
			}
			out = append(out, h.String()...)
			p = p[len(name):]
		} else {
			if len(p) < 3 || !isAlpha(p[0]) || p[1] != ':' || p[2] != '/' {
				return refuse(at, FilePathForm)
			}
			p = "/" + p
		}
	}
	out = appendEncode(out, resolveNames(p, root), &fileSet)
	u, err := Parse(string(out))
	if err != nil {
		return refuse(0, FilePathForm) // longer than MaxLen
	}
	return u, nil
}

// ipv6Literal ends the name that stands for an IPv6 address in a UNC path, which
// can have no colons: they are hyphens.
const ipv6Literal = ".ipv6-literal.net"

// uncHost reads the server of a UNC path. It is text, in which "%" is no escape.
func uncHost(name string) (h Host, ok bool) {
	if strings.IndexByte(name, '%') >= 0 {
		return Host{}, false
	}
	if n := len(name) - len(ipv6Literal); n > 0 && strings.EqualFold(name[n:], ipv6Literal) {
		name = "[" + strings.ReplaceAll(name[:n], "-", ":") + "]"
	}
	h, err := ParseHost(name, true)
	return h, err == nil && h.text != "." && h.text != "localhost"
}

// uncName writes a host as the server of a UNC path.
func uncName(h Host) string {
	if h.kind != HostIPv6 {
		return h.text
	}
	name := strings.ReplaceAll(h.Unbracketed(), ":", "-")
	if name[0] == '-' {
		name = "0" + name
	}
	if name[len(name)-1] == '-' {
		name += "0"
	}
	return name + ipv6Literal
}

// resolveNames resolves "." and ".." in a path that begins with "/", as file
// systems do: several slashes count as one where ".." goes over them. It keeps
// the first names, as many as root says.
func resolveNames(path string, root int) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	out := make([]byte, 0, len(path))
	least := 0 // how much of out is the root
	for i, name := range strings.Split(path[1:], "/") {
		switch {
		case i < root:
			out = append(append(out, '/'), name...)
			least = len(out)
			continue
		case name == "..":
			for len(out) > least && out[len(out)-1] == '/' {
				out = out[:len(out)-1]
			}
			for len(out) > least && out[len(out)-1] != '/' {
				out = out[:len(out)-1]
			}
			if len(out) > least {
				out = out[:len(out)-1]
			}
		case name != ".":
			out = append(append(out, '/'), name...)
		}
	}
	if strings.HasSuffix(path, "/.") || strings.HasSuffix(path, "/..") || len(out) == least {
		out = append(out, '/')
	}
	return string(out)
}

// FilePath gives the path that a file URL names, decoded. What no path of that
// style can hold breaks [FilePathForm]: another scheme than file; a host, in the
// Unix style; no drive letter and no host, or a host and no share, in the Windows
// style; an encoded separator or NUL.
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
		if u.kind == HostDomain && u.Host().text == "." || len(u.Path()) < 2 || u.Path()[1] == '/' {
			return refuse(int(u.path))
		}
		out.WriteString(`\\` + uncName(u.Host()))
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
