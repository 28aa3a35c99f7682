// Package magnet reads magnet URLs: a file by its content's hash, and hints where
// to look for it. They are described by the magnet-URI project and by BitTorrent's
// BEP 9. Start with [Read].
package magnet

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what a magnet URL points at. All of it is decoded, with "+" for a space
// undone.
type Ref struct {
	// Topics are the files by URNs of their hashes ("xt").
	Topics []string `json:"topics"`
	// Name is the name to show ("dn"). Anyone may put anything there.
	Name string `json:"name,omitempty"`
	// Length is the file's in octets ("xl"), or 0.
	Length uint64 `json:"length,omitempty"`
	// Trackers are the trackers' URLs ("tr").
	Trackers []string `json:"trackers,omitempty"`
	// Sources are URLs to get the file from ("as", "xs" and "ws").
	Sources []string `json:"sources,omitempty"`
	// Params are all parameters, in the order of the URL, of which the fields
	// above are made.
	Params []Param `json:"params"`
}

// A Param is a parameter of the URL, decoded.
type Param struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Topic is broken by a URL that names no file.
var Topic = rule.Rule{
	ID:      "magnet/topic",
	Cite:    "BEP 9, magnet URI format",
	Says:    `the file is named by "xt=urn:" and its hash, and there is none`,
	Fix:     `write "magnet:?xt=urn:btih:" and the torrent's hash`,
	Example: "magnet:?dn=tulips",
}

// Rules lists the rules that a magnet URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Topic} }

// escape leaves a URN's colons readable.
var escape = percent.Component.Minus(abnf.Bytes(":/@"))

// Read reads u, a magnet URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "magnet"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	var r Ref
	text := func(p scheme.Part) string {
		return percent.Decode(strings.ReplaceAll(p.Raw(), "+", " "))
	}
	query := scheme.Query(u)
	for _, p := range query.Split('&') {
		if p.Len() == 0 {
			continue
		}
		key, value, _ := p.Cut('=')
		one := Param{text(key), text(value)}
		r.Params = append(r.Params, one)
		name, _, _ := strings.Cut(strings.ToLower(one.Key), ".") // "xt.1" is one of several
		switch name {
		case "xt":
			if one.Value != "" {
				r.Topics = append(r.Topics, one.Value)
			}
		case "dn":
			if r.Name == "" {
				r.Name = one.Value
			}
		case "xl":
			if n, err := strconv.ParseUint(one.Value, 10, 64); err == nil && r.Length == 0 {
				r.Length = n
			}
		case "tr":
			r.Trackers = append(r.Trackers, one.Value)
		case "as", "xs", "ws":
			r.Sources = append(r.Sources, one.Value)
		}
	}
	if r.Topics == nil {
		return Ref{}, query.Error(0, Topic)
	}
	return r, nil
}

// URL writes the reference back from its Params: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	for i, p := range r.Params {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(percent.Encode(p.Key, &percent.Component) + "=" + percent.Encode(p.Value, &escape))
	}
	return scheme.Opaque("magnet", "?"+b.String())
}

// Schemes gives the facts about magnet.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "magnet", Family: "magnet", Status: "provisional",
		Defined:  "BEP 9; the magnet-URI project",
		Says:     "A file by the hash of what is in it, with hints where peers or copies may be found. Whoever has a file with that hash has the right one.",
		Syntax:   "magnet:?xt=urn:btih:hash[&dn=name][&tr=tracker]...",
		Example:  "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=tulips",
		Protocol: "BitTorrent and other file sharing",
		Read:     scheme.Reader(Read),
	}}
}
