package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"anyurl"
	"anyurl/rfc3986"
	"anyurl/rule"
	"anyurl/scheme/known"
)

// A standard reads a URL by one document.
type standard struct {
	name string // as --as takes it
	read func(asked) answer
}

// standards lists the documents we read by; the first is the default.
func standards() []standard {
	return []standard{
		{"whatwg", readWHATWG},
		{"rfc3986", by3986("rfc3986", rfc3986.Parse, rfc3986.ParseReference, rfc3986.Resolve)},
		{"rfc3987", by3986("rfc3987", rfc3986.ParseIRI, rfc3986.ParseIRIReference, rfc3986.Resolve)},
		{"rfc1738", by1738},
		{"rfc1630", by1630},
	}
}

func standardNames() (names []string) {
	for _, s := range standards() {
		names = append(names, s.name)
	}
	return names
}

// chosen gives the standards that --as names.
func chosen(as string) ([]standard, error) {
	all := standards()
	if as == "all" {
		return all, nil
	}
	for _, s := range all {
		if s.name == as {
			return []standard{s}, nil
		}
	}
	return nil, oneOf("--as", as, append(standardNames(), "all")...)
}

// An answer is what a standard makes of one input: the object of parse,
// resolve and edit.
type answer struct {
	Input string `json:"input"`
	Base  string `json:"base,omitempty"`
	As    string `json:"as"`
	OK    bool   `json:"ok"`
	*parts
	Error *broken `json:"error,omitempty"`

	url anyurl.URL // where the standard is whatwg and OK holds
	err error      // what Error tells
}

// parts are the components of a URL that was read.
type parts struct {
	Href     string       `json:"href"`
	Scheme   *string      `json:"scheme"`
	Username *string      `json:"username"`
	Password *string      `json:"password"`
	Host     *string      `json:"host"`
	HostType string       `json:"hostType"`
	Port     *json.Number `json:"port"`
	Path     string       `json:"path"`
	Query    *string      `json:"query"`
	Fragment *string      `json:"fragment"`
	Origin   *string      `json:"origin"`
	Reading  any          `json:"reading,omitempty"`
	Notes    []broken     `json:"notes,omitempty"`
	// MoreNotes counts the notes behind the first mostURLNotes: those are told
	// as a number only.
	MoreNotes int `json:"moreNotes,omitempty"`
}

// mostURLNotes is how many notes are told of one URL. The URL Standard has a
// violation for each "@" of a megabyte of them.
const mostURLNotes = 256

// note keeps what is worth saying of a URL that was read all the same.
func (p *parts) note(b broken) {
	if len(p.Notes) == mostURLNotes {
		p.MoreNotes++
		return
	}
	p.Notes = append(p.Notes, b)
}

// A broken is a broken rule, as parse's objects tell it.
type broken struct {
	Offset int    `json:"offset"`
	Rule   string `json:"rule"`
	Cite   string `json:"cite"`
	Says   string `json:"says"`
	Fix    string `json:"fix,omitempty"`
}

func brokenBy(err error) *broken {
	if e, ok := errors.AsType[*rule.Error](err); ok {
		return &broken{e.Offset, e.Rule.ID, e.Rule.Cite, e.Rule.Says, e.Rule.Fix}
	}
	return &broken{Says: err.Error()}
}

// refused is the answer to an input that breaks a rule.
func refused(a asked, as string, err error) answer {
	return answer{Input: a.url, Base: a.base, As: as, Error: brokenBy(err), err: err}
}

// sayWho has a refusal name its standard: one of several that were asked.
func (a *answer) sayWho() {
	if a.err != nil {
		a.err = fmt.Errorf("as %s: %w", a.As, a.err)
	}
}

// readWHATWG reads by the URL Standard, against the base where there is one.
func readWHATWG(a asked) answer {
	var noted parts
	p := anyurl.Parser{Report: func(e *rule.Error) { noted.note(*brokenBy(e)) }}
	if a.hasBase {
		base, err := anyurl.Parse(a.base)
		if err != nil {
			return refused(a, "whatwg", &baseError{err})
		}
		p.Base = base
	}
	u, err := p.Parse(a.url)
	if err != nil {
		return refused(a, "whatwg", err)
	}
	return answerOf(a, u, noted)
}

// answerOf tells of a URL value, with the notes that were made of it.
func answerOf(a asked, u anyurl.URL, noted parts) answer {
	p := &parts{
		Href:     u.String(),
		Scheme:   ptr(u.Scheme()),
		Username: ptr(u.Username()),
		Password: ptr(u.Password()),
		HostType: u.Host().Kind().String(),
		Path:     u.Path(),
		Origin:   ptr(u.Origin()),
		Notes:    slices.Clip(noted.Notes),

		MoreNotes: noted.MoreNotes,
	}
	if u.HasHost() {
		p.Host = ptr(u.Host().String())
	}
	if u.HasPort() {
		p.Port = portNumber(strconv.Itoa(int(u.Port())))
	}
	if u.HasQuery() {
		p.Query = ptr(u.Query())
	}
	if u.HasFragment() {
		p.Fragment = ptr(u.Fragment())
	}
	if s, ok := known.Lookup(u.Scheme()); ok && s.Read != nil {
		reading, err := s.Read(u)
		if err != nil {
			p.note(*brokenBy(err))
		} else {
			p.Reading = reading
		}
	}
	return answer{Input: a.url, Base: a.base, As: "whatwg", OK: true, parts: p, url: u}
}

func ptr[T any](v T) *T { return &v }

// A baseError is a base that is no URL.
type baseError struct{ err error }

func (e *baseError) Error() string { return "the base is no URL: " + e.err.Error() }
func (e *baseError) Unwrap() error { return e.err }
