// Package tftp reads tftp URLs as RFC 3617 says: a file on a TFTP server. Start
// with [Read].
package tftp

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is TFTP's, by UDP (RFC 1350, section 4).
const Port = 69

// Ref is what a tftp URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// File is the file's name, decoded; it begins after the "/" that ends the
	// authority, and so with a "/" of its own where the URL has two.
	File string `json:"file"`
	// Mode is "netascii" or "octet", in lower case, where the URL says it; else
	// "octet" is meant.
	Mode string `json:"mode,omitempty"`
}

var (
	// BadFile is broken by a URL without a file's name, and by one that the
	// request cannot carry.
	BadFile = rule.Rule{
		ID:      "tftp/file",
		Cite:    "RFC 3617, section 3; RFC 1350, section 5",
		Says:    "the file's name is not empty, holds no NUL, which would end it in the request, and fits into a packet of 512 octets",
		Fix:     `write the file's name behind the "/"`,
		Example: "tftp://boot.example/kernel%00octet",
	}
	// BadMode is broken by a ";" that no mode follows.
	BadMode = rule.Rule{
		ID:      "tftp/mode",
		Cite:    "RFC 3617, section 3",
		Says:    `";" begins the mode of transfer, "mode=netascii" or "mode=octet"`,
		Fix:     `write "%3B" for a semicolon in the file's name`,
		Example: "tftp://boot.example/kernel;mode=mail",
	}
)

// Rules lists the rules that a tftp URL can break here.
func Rules() []rule.Rule { return []rule.Rule{BadFile, BadMode} }

// maxFile leaves room in the smallest packet for the mode and the options.
const maxFile = 400

var (
	nul = abnf.Bytes("\x00")
	// escape is Segment and what begins the mode.
	escape = scheme.Segment.Or(abnf.Bytes(";"))
)

// Read reads u, a tftp URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "tftp"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	for _, forbid := range []func(anyurl.URL) error{scheme.ForbidUserinfo, scheme.ForbidQuery} {
		if err := forbid(u); err != nil {
			return Ref{}, err
		}
	}
	r := Ref{Host: host, Port: scheme.Port(u, Port)}
	// tftpURI = "tftp://" host "/" file [ mode ]; mode = ";" "mode=" ( "netascii" / "octet" )
	path := scheme.Path(u)
	if path.Len() > 0 {
		path = path.From(1)
	}
	parts := path.Split(';')
	if len(parts) > 1 {
		key, value, _ := parts[1].Cut('=')
		r.Mode = strings.ToLower(value.Text())
		if len(parts) > 2 || !strings.EqualFold(key.Text(), "mode") || r.Mode != "netascii" && r.Mode != "octet" {
			return Ref{}, parts[1].Error(0, BadMode)
		}
	}
	file := parts[0]
	if err := file.Forbid(&nul, BadFile); err != nil {
		return Ref{}, err
	}
	if r.File = file.Text(); r.File == "" || len(r.File) > maxFile {
		return Ref{}, file.Error(0, BadFile)
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL when a part of the name is "." or "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	path := "/"
	for i, part := range strings.Split(r.File, "/") {
		if scheme.IsDot(part) {
			return anyurl.URL{}
		}
		if i > 0 {
			path += "/"
		}
		path += percent.Encode(part, &escape)
	}
	if r.Mode != "" {
		path += ";mode=" + r.Mode
	}
	return scheme.Build("tftp", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, path)
}

// Addr is the host and port to send to, "boot.example:69", by UDP.
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about tftp.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "tftp", Family: "tftp", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 3617",
		Says:     "A file on a TFTP server, from which machines without a disk start. There are no users, and no folders are listed.",
		Syntax:   "tftp://host[:port]/file[;mode=netascii|octet]",
		Example:  "tftp://boot.example/kernel;mode=octet",
		Protocol: "TFTP (RFC 1350)",
		Read:     scheme.Reader(Read),
	}}
}
