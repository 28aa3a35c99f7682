// Package geo reads geo URLs as RFC 5870 says: a place on the Earth. Start with
// [Read].
package geo

import (
	"math"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is the place that a geo URL names.
type Ref struct {
	// Lat and Lon are in decimal degrees, and Alt in metres, by WGS 84 unless
	// CRS names another system of coordinates.
	Lat    float64 `json:"lat"`
	Lon    float64 `json:"lon"`
	Alt    float64 `json:"alt,omitempty"`
	HasAlt bool    `json:"hasAlt,omitempty"`
	// CRS is in lower case, and "wgs84" unless the URL says otherwise.
	CRS string `json:"crs"`
	// Uncertainty is in metres when HasUncertainty is set.
	Uncertainty    float64 `json:"u,omitempty"`
	HasUncertainty bool    `json:"hasU,omitempty"`
	// Params are the other parameters, names in lower case, values decoded.
	Params []Param `json:"params,omitempty"`
}

// A Param is a ";name=value".
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

var (
	// Coordinates is broken by what are no coordinates.
	Coordinates = rule.Rule{
		ID:      "geo/coordinates",
		Cite:    "RFC 5870, section 3.3",
		Says:    "the place is a latitude, a longitude and perhaps an altitude: decimal numbers with \",\" between them",
		Fix:     "write the degrees as decimal numbers, south and west with \"-\"",
		Example: "geo:48N,16E",
	}
	// Range is broken by a latitude or a longitude that WGS 84 does not have.
	Range = rule.Rule{
		ID:      "geo/range",
		Cite:    "RFC 5870, section 3.4.2",
		Says:    "a latitude is from -90 to 90, a longitude from -180 to 180",
		Fix:     "give the latitude first",
		Example: "geo:148.2,16.3",
	}
	// BadParam is broken by a parameter that is none.
	BadParam = rule.Rule{
		ID:      "geo/parameter",
		Cite:    "RFC 5870, section 3.3",
		Says:    "a parameter is \";\", a name of letters, digits and \"-\", and perhaps \"=\" and a value: crs first, then u, a number of metres, then others",
		Fix:     "leave it out",
		Example: "geo:48.2,16.3;u=near",
	}
)

// Rules lists the rules that a geo URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Coordinates, Range, BadParam} }

var (
	labeltext = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-"))
	// escape leaves RFC 5870's paramchar alone.
	escape = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-_.!~*'()[]:&+$")).Not()
)

// Read reads u, a geo URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "geo"); err != nil {
		return Ref{}, err
	}
	for _, forbid := range []func(anyurl.URL) error{scheme.ForbidAuthority, scheme.ForbidQuery} {
		if err := forbid(u); err != nil {
			return Ref{}, err
		}
	}
	r := Ref{CRS: "wgs84"}
	// geo-path = coordinates p ; coordinates = num "," num [ "," num ]
	parts := scheme.Path(u).Split(';')
	coordinates := parts[0].Split(',')
	if len(coordinates) < 2 || len(coordinates) > 3 {
		return Ref{}, parts[0].Error(0, Coordinates)
	}
	for i, p := range coordinates {
		n, ok := number(p.Raw())
		if !ok {
			return Ref{}, p.Error(0, Coordinates)
		}
		switch i {
		case 0:
			r.Lat = n
		case 1:
			r.Lon = n
		default:
			r.Alt, r.HasAlt = n, true
		}
	}
	for i, p := range parts[1:] {
		key, value, _ := p.Cut('=')
		name, text := strings.ToLower(key.Raw()), value.Text()
		switch {
		case name == "" || labeltext.Span(name) != len(name):
			return Ref{}, p.Error(0, BadParam)
		case name == "crs":
			if i != 0 || text == "" || labeltext.Span(text) != len(text) {
				return Ref{}, p.Error(0, BadParam)
			}
			r.CRS = strings.ToLower(text)
		case name == "u":
			n, ok := number(text)
			if !ok || n < 0 || r.HasUncertainty || len(r.Params) > 0 {
				return Ref{}, p.Error(0, BadParam)
			}
			r.Uncertainty, r.HasUncertainty = n, true
		default:
			r.Params = append(r.Params, Param{name, text})
		}
	}
	if r.CRS == "wgs84" {
		if math.Abs(r.Lat) > 90 {
			return Ref{}, coordinates[0].Error(0, Range)
		}
		if math.Abs(r.Lon) > 180 {
			return Ref{}, coordinates[1].Error(0, Range)
		}
	}
	return r, nil
}

// number reads num = [ "-" ] 1*DIGIT [ "." 1*DIGIT ]. Minus zero is zero.
func number(s string) (float64, bool) {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if whole == "" || abnf.Digit.Span(whole) != len(whole) || abnf.Digit.Span(fraction) != len(fraction) || point && fraction == "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n + 0, err == nil
}

// URL writes the place back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	text := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	var b strings.Builder
	b.WriteString(text(r.Lat) + "," + text(r.Lon))
	if r.HasAlt {
		b.WriteString("," + text(r.Alt))
	}
	if r.CRS != "wgs84" {
		b.WriteString(";crs=" + r.CRS)
	}
	if r.HasUncertainty {
		b.WriteString(";u=" + text(r.Uncertainty))
	}
	for _, p := range r.Params {
		b.WriteString(";" + p.Name)
		if p.Value != "" {
			b.WriteString("=" + percent.Encode(p.Value, &escape))
		}
	}
	return scheme.Opaque("geo", b.String())
}

// Schemes gives the facts about geo.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "geo", Family: "geo", Status: "permanent",
		Defined:  "RFC 5870",
		Says:     "A place on the Earth by its latitude and longitude, perhaps with its altitude and how exact that is. A map opens it; the URL names none.",
		Syntax:   "geo:latitude,longitude[,altitude][;crs=system][;u=metres]",
		Example:  "geo:48.201,16.3695,183;u=10",
		Protocol: "none",
		Read:     scheme.Reader(Read),
	}}
}
