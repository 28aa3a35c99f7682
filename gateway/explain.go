package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/internal/quote"
	"anyurl/rule"
	"anyurl/scheme"
	"anyurl/scheme/known"
)

// An explanation is what there is to say about an input as it is typed.
type explanation struct {
	OK       bool           `json:"ok"`
	Shown    string         `json:"shown,omitempty"`
	Opens    bool           `json:"opens"`
	Refused  bool           `json:"refused,omitempty"` // by the gate, with no way on
	Page     string         `json:"page,omitempty"`
	Scheme   string         `json:"scheme,omitempty"`
	Says     string         `json:"says,omitempty"`
	Reading  []row          `json:"reading,omitempty"`
	Verdict  audit.Verdict  `json:"verdict"`
	Findings []findingJSON  `json:"findings"`
	Error    *explainedJSON `json:"error,omitempty"`
	Guesses  []guessJSON    `json:"guesses,omitempty"` // what may be meant
}

// A guessJSON is a URL that may be meant, and the address that opens it.
type guessJSON struct {
	URL  string `json:"url"`
	Page string `json:"page"`
}

// A findingJSON is a finding, with the word that it speaks of.
type findingJSON struct {
	audit.Finding
	Text string `json:"text,omitempty"`
}

// An explainedJSON is why an input is no URL, with the caret's two lines.
type explainedJSON struct {
	Offset int    `json:"offset"`
	Rule   string `json:"rule"`
	Cite   string `json:"cite"`
	Says   string `json:"says"`
	Fix    string `json:"fix,omitempty"`
	Line   string `json:"line"`
	Marker string `json:"marker"`
}

// longest is as much of an input as is explained.
const longest = 16 << 10

// explain answers, as JSON, what an input is. It opens nothing.
func (g *Gateway) explain(w http.ResponseWriter, r *http.Request, input string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if len(input) > longest {
		input = input[:longest]
	}
	report := audit.Inspect(input)
	x := explanation{OK: report.Err == nil, Verdict: report.Verdict, Findings: []findingJSON{}}
	for _, f := range report.Findings {
		x.Findings = append(x.Findings, findingJSON{f, masked(input[f.Start:f.End])})
	}
	if e, ok := errors.AsType[*rule.Error](report.Err); ok {
		line, marker := quote.Caret(e.Input, e.Offset)
		x.Error = &explainedJSON{e.Offset, e.Rule.ID, e.Rule.Cite, e.Rule.Says, e.Rule.Fix, line, marker}
	}
	if u := report.URL; !u.IsZero() {
		x.Shown, x.Page, x.Scheme, x.Reading, x.Opens = masked(u.String()), Address(u), u.Scheme(), reading(u), g.opens(u.Scheme())
		if x.Opens {
			x.Refused = g.client.Gate(u) != nil
			x.Opens = !x.Refused
		}
		if s, ok := known.Lookup(u.Scheme()); ok {
			x.Says = s.Says
		}
	}
	if _, isKnown := known.Lookup(x.Scheme); x.Error != nil || !isKnown || x.Refused {
		for _, guess := range g.guesses(input) {
			x.Guesses = append(x.Guesses, guessJSON{masked(guess), with("/open", "url", guess)})
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		http.Error(w, "{}", http.StatusInternalServerError)
		return
	}
	if r.Method != http.MethodHead {
		w.Write(append(text, '\n'))
	}
}

// A start is the start page.
type start struct {
	Links   []startLink
	Schemes []startScheme
	Others  []startScheme
	Handled []string
}

type startLink struct{ Href, Name, Shown, Says string }

type startScheme struct {
	scheme.Scheme
	Href string
}

// handlers are the schemes that browsers let a page answer for (HTML Standard,
// safelisted schemes) and that a gateway has a page for.
var handlers = [...]string{"ftp", "ftps", "mailto", "news", "nntp", "sftp", "urn", "irc", "ssh", "magnet", "mid", "web+gopher"}

// lets reports whether the gate lets an example through.
func (g *Gateway) lets(example string) bool {
	u, err := anyurl.Parse(example)
	return err == nil && g.client.Gate(u) == nil
}

// start answers with the start page.
func (g *Gateway) start(w http.ResponseWriter, r *http.Request) {
	s := start{Handled: handlers[:]}
	for _, l := range g.o.Links {
		s.Links = append(s.Links, startLink{Address(l.URL), l.Name, masked(l.URL.String()), l.Says})
	}
	for _, sc := range known.Schemes() {
		if sc.Read == nil || sc.Example == "" {
			continue
		}
		if sc.Name == "file" && !g.o.Files.IsZero() {
			sc.Example = masked(g.o.Files.String())
		}
		one := startScheme{Scheme: sc, Href: with("/open", "url", sc.Example)}
		if sc.Name == "mailto" || g.opens(sc.Name) && g.lets(sc.Example) {
			s.Schemes = append(s.Schemes, one)
		} else if sc.Status != "historical" || slices.Contains([]string{"prospero", "mailserver", "afs"}, sc.Name) {
			s.Others = append(s.Others, one)
		}
	}
	v := &visit{g: g, w: w, r: r}
	v.send(http.StatusOK, &page{Title: "anyurl"}, "start", s, time.Time{})
}
