// Package svn reads svn and svn+ssh URLs: a file or a folder of a Subversion
// repository. Start with [Read].
package svn

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports of Subversion's own protocol and of SSH.
const (
	Port    = 3690
	PortSSH = 22
)

// Ref is what an svn URL points at.
type Ref struct {
	// SSH is set for svn+ssh, which reaches the server through a login.
	SSH  bool        `json:"ssh,omitempty"`
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// User and Password are decoded.
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	HasUser  bool   `json:"hasUser,omitempty"`
	// Path is decoded, with its slash in front. Which part of it is the
	// repository, only the server knows.
	Path string `json:"path"`
}

// Option is broken by a host or a user name that begins with "-".
var Option = rule.Rule{
	ID:      "svn/option",
	Cite:    "POSIX.1-2024, section 12.2, guideline 4; CVE-2017-9800",
	Says:    "a host or user name that begins with \"-\" is taken for an option by the program that it is handed to",
	Fix:     "no host's name begins with \"-\"; leave it out",
	Example: "svn+ssh://-oProxyCommand=x/a",
}

// Rules lists the rules that an svn URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Option} }

var nul = abnf.Bytes("\x00")

// Read reads u, an svn or svn+ssh URL. The error, if any, is a *rule.Error. A "?"
// is part of the path.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "svn", "svn+ssh"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
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
	r := Ref{SSH: u.Scheme() == "svn+ssh", Host: host, User: user.Text(), Password: password.Text(), HasUser: u.HasUserinfo(), Path: path.Text()}
	r.Port = scheme.Port(u, r.defaultPort())
	if strings.HasPrefix(r.User, "-") {
		return Ref{}, user.Error(0, Option)
	}
	if !strings.HasPrefix(r.Path, "/") {
		r.Path = "/" + r.Path
	}
	return r, nil
}

func (r Ref) defaultPort() uint16 {
	if r.SSH {
		return PortSSH
	}
	return Port
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	name, path := "svn", strings.TrimPrefix(r.Path, "/")
	if r.SSH {
		name = "svn+ssh"
	}
	if scheme.IsDot(path) {
		return anyurl.URL{}
	}
	return scheme.Build(name, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: r.defaultPort()}, "/"+scheme.EscapePath(path, scheme.Segment))
}

// Addr is the host and port to dial, "a.example:3690".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about svn and svn+ssh.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "svn", Family: "svn", Port: Port, Authority: true, Status: "provisional",
		Defined:  "the Subversion book, Subversion repository URLs",
		Says:     "A file or a folder of a Subversion repository, by Subversion's own protocol.",
		Syntax:   "svn://[user@]host[:port]/path",
		Example:  "svn://svn.example/garden/trunk/tulips.txt",
		Protocol: "Subversion (svnserve)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "svn+ssh", Family: "svn", Port: PortSSH, Authority: true, Status: "unregistered",
		Defined:  "the Subversion book, Subversion repository URLs",
		Says:     "A file or a folder of a Subversion repository, by Subversion's own protocol through a Secure Shell login.",
		Syntax:   "svn+ssh://[user@]host[:port]/path",
		Example:  "svn+ssh://joe@svn.example/srv/svn/garden/trunk",
		Protocol: "Subversion (svnserve) on SSH",
		Read:     scheme.Reader(Read),
	}}
}
