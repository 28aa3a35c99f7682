// Package ssh reads ssh and sftp URLs: a host to log in to, or a file to get
// from it. They were described in Internet-Drafts and are registered as
// provisional. Start with [Read].
package ssh

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is SSH's (RFC 4253, section 4.1).
const Port = 22

// Ref is what an ssh or sftp URL points at.
type Ref struct {
	// Scheme is "ssh" or "sftp".
	Scheme string      `json:"scheme"`
	Host   anyurl.Host `json:"host"`
	Port   uint16      `json:"port"`
	// User and Password are decoded; Fingerprint is the host key's, from the
	// parameter ";fingerprint=" behind the user name.
	User        string `json:"user,omitempty"`
	Password    string `json:"password,omitempty"`
	HasUser     bool   `json:"hasUser,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// Path is decoded, and empty where the URL names the host alone. In ssh it
	// is what Git and others put there.
	Path string `json:"path,omitempty"`
}

// Option is broken by a host or a user name that begins with "-".
var Option = rule.Rule{
	ID:      "ssh/option",
	Cite:    "POSIX.1-2024, section 12.2, guideline 4; CVE-2017-1000117",
	Says:    "a host or user name that begins with \"-\" is taken for an option by the program that it is handed to",
	Fix:     "no host's name begins with \"-\"; leave it out",
	Example: "ssh://-oProxyCommand=x@a.example/",
}

// Rules lists the rules that an ssh or sftp URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Option} }

var nul = abnf.Bytes("\x00")

// Read reads u, an ssh or sftp URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "ssh", "sftp"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme(), Host: host, Port: scheme.Port(u, Port)}
	if strings.HasPrefix(host.String(), "-") {
		return Ref{}, scheme.HostPart(u).Error(0, Option)
	}
	user, password, path := scheme.User(u), scheme.Password(u), scheme.Rest(u)
	for _, p := range []scheme.Part{user, password} {
		if err := p.Forbid(&scheme.Controls, scheme.Control); err != nil {
			return Ref{}, err
		}
	}
	if err := path.Forbid(&nul, scheme.Control); err != nil {
		return Ref{}, err
	}
	// The userinfo set encodes ";" and "=", so both spellings come to the same.
	name, params, _ := strings.Cut(user.Text(), ";fingerprint=")
	r.User, r.Fingerprint = name, params
	r.Password = password.Text()
	r.HasUser = r.User != "" || r.Password != "" || r.Fingerprint != ""
	if strings.HasPrefix(r.User, "-") {
		return Ref{}, user.Error(0, Option)
	}
	switch r.Path = path.Text(); {
	case r.Path == "/":
		r.Path = ""
	case r.Path != "" && r.Path[0] != '/':
		r.Path = "/" + r.Path // ssh://host?x
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	user := r.User
	if r.Fingerprint != "" {
		user += ";fingerprint=" + r.Fingerprint
	}
	path := "/"
	if r.Path != "" {
		path += scheme.EscapePath(strings.TrimPrefix(r.Path, "/"), scheme.Segment)
	}
	if scheme.IsDot(path[1:]) {
		return anyurl.URL{}
	}
	return scheme.Build(r.Scheme, scheme.Authority{User: user, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: Port}, path)
}

// Names gives the path's names, for a client that opens one after the other.
func (r Ref) Names() []string {
	return strings.FieldsFunc(r.Path, func(c rune) bool { return c == '/' })
}

// Addr is the host and port to dial, "a.example:22".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about ssh and sftp.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "ssh", Family: "ssh", Port: Port, Authority: true, Status: "provisional",
		Defined:  "draft-ietf-secsh-scp-sftp-ssh-uri; RFC 4251 for the protocol",
		Says:     "A host to log in to by Secure Shell. Git and others put a path behind it.",
		Syntax:   "ssh://[user[;fingerprint=key]@]host[:port][/path]",
		Example:  "ssh://joe@host.example:2222/",
		Protocol: "SSH (RFC 4251)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "sftp", Family: "ssh", Port: Port, Authority: true, Status: "provisional",
		Defined:  "draft-ietf-secsh-scp-sftp-ssh-uri; draft-ietf-secsh-filexfer for the protocol",
		Says:     "A file or a folder on a host, got by the file transfer that comes with Secure Shell. It has nothing but the purpose in common with ftp.",
		Syntax:   "sftp://[user[;fingerprint=key]@]host[:port]/path",
		Example:  "sftp://joe@host.example/srv/docs/a.txt",
		Protocol: "SFTP on SSH",
		Read:     scheme.Reader(Read),
	}}
}
