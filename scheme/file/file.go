// Package file reads file URLs as RFC 8089 says, and RFC 1738, section 3.10,
// said before it: the name of a file on some host, and no protocol to get it
// by. Start with [Read]; [Ref.OSPath] gives the name that this machine's
// operating system takes.
package file

import (
	"runtime"
	"slices"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what a file URL points at.
type Ref struct {
	// Host is the machine where the path means something. It is empty for this
	// one, also where the URL says "localhost".
	Host anyurl.Host `json:"host"`
	// Parts are the path's segments, decoded. None of them holds "/" or NUL; an
	// empty one comes from "//". A DOS drive is a part of its own, "C:".
	Parts []string `json:"parts,omitempty"`
	// Dir is set when the URL ends in "/" and so names a folder. The root has
	// no parts and is one.
	Dir bool `json:"dir,omitempty"`
}

var (
	// Slash is broken by an encoded "/" in a file name.
	Slash = rule.Rule{
		ID:      "file/slash",
		Cite:    "RFC 8089, section 4; RFC 1738, section 3.10",
		Says:    "\"%2F\" would be a slash inside a file's name, which no system has",
		Fix:     "write \"/\" where a folder ends",
		Example: "file:///etc%2Fmotd",
	}
	// Nul is broken by an encoded NUL in a path.
	Nul = rule.Rule{
		ID:      "file/nul",
		Cite:    "RFC 8089, section 4",
		Says:    "\"%00\" would end the file's name early",
		Fix:     "take it out",
		Example: "file:///etc/motd%00.txt",
	}
	// Query is broken by a "?" in a file URL.
	Query = rule.Rule{
		ID:      "file/query",
		Cite:    "RFC 8089, section 2",
		Says:    "a file URL has no query",
		Fix:     "write \"%3F\" for a question mark in a name",
		Example: "file:///srv/what?.txt",
	}
	// RemoteHost is broken by a host other than this one, where a file has to
	// be opened.
	RemoteHost = rule.Rule{
		ID:      "file/host-remote",
		Cite:    "RFC 8089, section 3; RFC 1738, section 3.10",
		Says:    "the file is on another host, and the scheme says no way to get it from there",
		Fix:     "use a scheme with a protocol, such as ftp or https, or leave the host empty",
		Example: "file://other.example/etc/motd",
	}
	// Name is broken by a path that the operating system takes for something
	// else than the file it names.
	Name = rule.Rule{
		ID:      "file/name",
		Cite:    "RFC 8089, section 4",
		Says:    "the operating system takes this part for something else than a file's name",
		Fix:     "name the file as the system does",
		Example: "file:///c:/docs/NUL",
	}
)

// Rules lists the rules that a file URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Slash, Nul, Query, RemoteHost, Name} }

var (
	slash = abnf.Bytes("/")
	nul   = abnf.Bytes("\x00")
)

// Read reads u, a file URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "file"); err != nil {
		return Ref{}, err
	}
	r := Ref{Host: u.Host()}
	path := scheme.Path(u)
	if u.HasQuery() {
		return Ref{}, path.Error(path.Len(), Query)
	}
	if path.Len() <= 1 {
		r.Dir = true
		return r, nil
	}
	for _, p := range path.From(1).Split('/') {
		if err := p.Forbid(&slash, Slash); err != nil {
			return Ref{}, err
		}
		if err := p.Forbid(&nul, Nul); err != nil {
			return Ref{}, err
		}
		r.Parts = append(r.Parts, p.Text())
	}
	if last := len(r.Parts) - 1; r.Parts[last] == "" {
		r.Parts, r.Dir = r.Parts[:last], true
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL when a part is "." or "..", or holds "/", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	for _, p := range r.Parts {
		if scheme.IsDot(p) || strings.Contains(p, "/") {
			return anyurl.URL{}
		}
		b.WriteByte('/')
		b.WriteString(percent.Encode(p, &scheme.Segment))
	}
	if r.Dir || len(r.Parts) == 0 {
		b.WriteByte('/')
	}
	return scheme.Build("file", scheme.Authority{Host: r.Host}, b.String())
}

// OSPath gives the path as this machine's operating system takes it. The error,
// if any, is a *rule.Error: for a host that is not this machine, and for a part
// that the system takes for something else than a name.
func (r Ref) OSPath() (string, error) { return r.osPath(runtime.GOOS == "windows") }

func (r Ref) osPath(windows bool) (string, error) {
	if r.Host.String() != "" {
		return "", r.fault(RemoteHost, -1)
	}
	for i, p := range r.Parts {
		if scheme.IsDot(p) || strings.ContainsAny(p, "/\x00") || windows && !windowsName(p, i) {
			return "", r.fault(Name, i)
		}
	}
	if !windows {
		path := "/" + strings.Join(r.Parts, "/")
		if r.Dir && len(r.Parts) > 0 {
			path += "/"
		}
		return path, nil
	}
	// RFC 8089, appendix E.2: a drive stands first, "c:" or "c|".
	if len(r.Parts) == 0 || !drive(r.Parts[0]) {
		return "", r.fault(Name, 0)
	}
	path := r.Parts[0][:1] + `:\` + strings.Join(r.Parts[1:], `\`)
	if r.Dir && len(r.Parts) > 1 {
		path += `\`
	}
	return path, nil
}

// fault is an error about a part of the reference as it is written in its URL.
func (r Ref) fault(broken rule.Rule, part int) error {
	href := r.URL().String()
	at := min(len("file://"), len(href))
	for i := 0; i <= part && i < len(r.Parts); i++ {
		if i > 0 {
			at += len(percent.Encode(r.Parts[i-1], &scheme.Segment))
		}
		at++
	}
	return &rule.Error{Input: href, Offset: min(at, len(href)), Rule: broken}
}

func drive(p string) bool {
	return len(p) == 2 && (p[1] == ':' || p[1] == '|') && abnf.Alpha[p[0]]
}

// devices are the names that Windows takes for a device in every folder, with
// any extension.
var devices = strings.Fields(`CON PRN AUX NUL COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9
	LPT0 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9 CONIN$ CONOUT$ CLOCK$`)

// windowsName reports whether Windows takes the i-th part for a plain name: no
// device, no alternate stream, nothing it would cut off.
func windowsName(p string, i int) bool {
	if i == 0 && drive(p) {
		return true
	}
	if p == "" || strings.ContainsAny(p, "\\:*?\"<>|") || strings.HasSuffix(p, ".") || strings.HasSuffix(p, " ") {
		return false
	}
	for j := range len(p) {
		if p[j] < ' ' {
			return false
		}
	}
	stem, _, _ := strings.Cut(p, ".")
	stem = strings.TrimRight(strings.ToUpper(stem), " ")
	for digit, n := range map[string]string{"¹": "1", "²": "2", "³": "3"} {
		stem = strings.ReplaceAll(stem, digit, n)
	}
	return !slices.Contains(devices, stem)
}

// Schemes gives the facts about file.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "file", Family: "file", Authority: true, Status: "permanent",
		Defined:  "RFC 8089; RFC 1738, section 3.10",
		Says:     "A file on a host, mostly on this one, where the host is empty or \"localhost\". It names no protocol, so a file on another host cannot be fetched by it, and a link to it in a page from elsewhere must never be opened.",
		Syntax:   "file://[host]/path",
		Example:  "file:///srv/docs/read%20me.txt",
		Protocol: "the operating system",
		Read:     scheme.Reader(Read),
	}}
}
