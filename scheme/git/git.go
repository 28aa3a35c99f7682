// Package git reads git URLs: a repository, by Git's own protocol. Start with
// [Read].
package git

import (
	"strings"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is the Git protocol's.
const Port = 9418

// Ref is what a git URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Path is the repository's, decoded, with its slash in front.
	Path string `json:"path"`
}

var (
	// Repository is broken by a URL that names no repository.
	Repository = rule.Rule{
		ID:      "git/repository",
		Cite:    "git-fetch(1), Git URLs",
		Says:    "the path names the repository, and there is none",
		Fix:     "write the repository's path behind the host",
		Example: "git://git.example/",
	}
	// ControlOctet is broken by an octet that would end the request.
	ControlOctet = rule.Rule{
		ID:      "git/control",
		Cite:    "gitprotocol-pack(5), Git Transport; RFC 1738, section 6",
		Says:    "NUL, CR or LF in the path would end it and add parameters to the request",
		Fix:     "take the escape out",
		Example: "git://git.example/a%00host=b.example",
	}
	// Option is broken by a host that begins with "-".
	Option = rule.Rule{
		ID:      "git/option",
		Cite:    "POSIX.1-2024, section 12.2, guideline 4; CVE-2017-1000117",
		Says:    "a host that begins with \"-\" is taken for an option by the program that it is handed to",
		Fix:     "no host's name begins with \"-\"; leave it out",
		Example: "git://-x/a",
	}
)

// Rules lists the rules that a git URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Repository, ControlOctet, Option} }

// Read reads u, a git URL. The error, if any, is a *rule.Error. A "?" is part of
// the path.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "git"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	if strings.HasPrefix(host.String(), "-") {
		return Ref{}, scheme.HostPart(u).Error(0, Option)
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	path := scheme.Rest(u)
	if err := path.Forbid(&scheme.LineEnds, ControlOctet); err != nil {
		return Ref{}, err
	}
	if strings.Trim(path.Raw(), "/") == "" || path.Raw()[0] != '/' {
		return Ref{}, path.Error(0, Repository)
	}
	return Ref{host, scheme.Port(u, Port), path.Text()}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	path := strings.TrimPrefix(r.Path, "/")
	if scheme.IsDot(path) {
		return anyurl.URL{}
	}
	return scheme.Build("git", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, "/"+scheme.EscapePath(path, scheme.Segment))
}

// Addr is the host and port to dial, "a.example:9418".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about git.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "git", Family: "git", Port: Port, Authority: true, Status: "provisional",
		Defined:  "git-fetch(1), Git URLs",
		Says:     "A Git repository, by Git's own protocol, which knows neither users nor encryption: good for reading what anyone may read.",
		Syntax:   "git://host[:port]/path",
		Example:  "git://git.example/tulips/garden.git",
		Protocol: "Git (gitprotocol-pack)",
		Read:     scheme.Reader(Read),
	}}
}
