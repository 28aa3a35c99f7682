// Package scheme is the contract of a URL scheme's room: what is known about a
// scheme ([Scheme]), and what a URL of it means ([Reading]).
//
// Each family of schemes has a room of its own below this folder, with a Ref
// that says what a URL points at, a Read that makes one of a URL, and the rules
// that a URL can break there although its generic syntax is fine. Package
// known lists them all. The rest of this package is what the rooms share:
// taking a URL apart with the place of every part ([Part]), and putting one
// together ([Build]).
package scheme

import "anyurl"

// A Reading is what a URL means by the rules of its scheme. It is a plain value,
// fit for encoding/json, where octets that are no UTF-8 come out as U+FFFD. What
// a scheme gives no meaning, such as a fragment in most, is not in it.
type Reading interface {
	// URL writes the reading back: reading that URL gives the same value
	// again. It is the zero URL for a value that no URL can stand for.
	URL() anyurl.URL
}

// A Scheme is what is known about a scheme. The facts are there for every
// registered scheme, whether or not anybody here can read or open its URLs.
type Scheme struct {
	// Name is the scheme's name in lower case, without the colon.
	Name string `json:"name"`
	// Family names the room that reads the scheme, or the scheme itself where
	// there is none: "http" for http and https.
	Family string `json:"family"`
	// Port is the default port, or 0 where the scheme has none.
	Port uint16 `json:"port,omitempty"`
	// Authority tells whether "//" and a host follow the colon.
	Authority bool `json:"authority"`
	// Status is what IANA's registry says, "permanent", "provisional" or
	// "historical", or "unregistered".
	Status string `json:"status"`
	// Defined names the document and section that define the scheme.
	Defined string `json:"defined,omitempty"`
	// Says tells a stranger what the scheme is for, in a sentence or two.
	Says string `json:"says,omitempty"`
	// Syntax is the scheme's form, as its document writes it, in short.
	Syntax string `json:"syntax,omitempty"`
	// Example is a URL of the scheme. Where Read is not nil, Read reads it.
	Example string `json:"example,omitempty"`
	// Protocol is what is spoken to open a URL of the scheme; empty where
	// nothing is, or where the registry does not say.
	Protocol string `json:"protocol,omitempty"`
	// Read reads a URL of the scheme. Its error, if any, is a *rule.Error
	// with an offset into the URL's serialisation. It is nil where only the
	// facts are known.
	Read func(anyurl.URL) (Reading, error) `json:"-"`
}

// Reader makes a Scheme's Read of a room's own.
func Reader[R Reading](read func(anyurl.URL) (R, error)) func(anyurl.URL) (Reading, error) {
	return func(u anyurl.URL) (Reading, error) {
		r, err := read(u)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
}
