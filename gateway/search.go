package gateway

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/percent"
	dict "anyurl/scheme/dict"
	finger "anyurl/scheme/finger"
	gopher "anyurl/scheme/gopher"
	news "anyurl/scheme/news"
	wais "anyurl/scheme/wais"
	z3950 "anyurl/scheme/z3950"
)

// A form asks for words to put into a URL.
type form struct {
	Base   string // the URL that they go into
	Prompt string
	Words  string
	Secret bool
}

// form shows, for a URL that wants words and has none, a form. It reports
// whether it did. Where the URL has something to say without words, the form
// stands above that.
func (v *visit) form() bool {
	f, ok := searchable(v.url)
	if !ok || f.Words != "" || !isGopher(v.url.Scheme()) {
		return false
	}
	frame := v.frame()
	frame.Crumbs = v.crumbs()
	v.send(http.StatusOK, frame, "search", f, time.Time{})
	return true
}

// searchable reads what a URL could be asked for.
func searchable(u anyurl.URL) (form, bool) {
	f := form{Base: withoutPassword(u).String()}
	switch u.Scheme() {
	case "gopher", "gophers":
		r, err := gopher.Read(u)
		if err != nil || r.Type != '7' && r.Type != '2' || r.Plus != "" {
			return form{}, false
		}
		f.Words, f.Prompt = r.Search, "What to search for"
		return f, true
	case "wais":
		r, err := wais.Read(u)
		if err != nil || r.Doc != "" {
			return form{}, false
		}
		f.Words, f.Prompt = r.Search, "Words to search for"
		if r.Database != "" {
			f.Prompt += " in " + masked(r.Database)
		}
		return f, true
	case "z39.50s", "z39.50":
		r, err := z3950.Read(u)
		if err != nil {
			return form{}, false
		}
		f.Words, f.Prompt = r.DocID, "Words to search for in "+masked(strings.Join(r.Databases, ", "))
		return f, len(r.Databases) > 0
	case "dict":
		r, err := dict.Read(u)
		if err != nil {
			return form{}, false
		}
		f.Words, f.Prompt = r.Word, "A word to look up"
		return f, true
	case "finger":
		r, err := finger.Read(u)
		f.Words, f.Prompt = r.Query, "Whom to ask about"
		return f, err == nil
	case "news", "nntp", "snews":
		f.Prompt = "A group, or a pattern as in comp.*"
		r, err := news.Read(u)
		return f, err == nil && strings.ContainsAny(r.Group, "*?")
	}
	return form{}, false
}

// search puts words into a URL and sends the browser there.
func (g *Gateway) search(w http.ResponseWriter, r *http.Request, query string) {
	base, err := anyurl.Parse(parameter(query, "url"))
	if err != nil {
		g.fail(w, r, problem{Status: http.StatusBadRequest, Title: "Nothing to search", Says: "the form names no URL to search in", Try: "go back to the page that the form was on"})
		return
	}
	u, err := filled(base, parameter(query, "q"))
	if err != nil {
		g.fail(w, r, problem{Status: http.StatusBadRequest, Title: "These words do not fit", URL: base, Says: masked(err.Error()), Try: "leave out what is no letter and no digit"})
		return
	}
	redirect(w, Address(u))
}

// filled is a URL with words in the place that its scheme has for them.
func filled(u anyurl.URL, words string) (anyurl.URL, error) {
	v, err := fill(u, words)
	if err == nil && v.IsZero() {
		err = errors.New("no URL can hold these words")
	}
	return v, err
}

func fill(u anyurl.URL, words string) (anyurl.URL, error) {
	switch u.Scheme() {
	case "gopher", "gophers":
		r, err := gopher.Read(u)
		r.Search, r.HasSearch = words, true
		return r.URL(), err
	case "wais":
		r, err := wais.Read(u)
		r.Search, r.HasSearch = words, true
		return r.URL(), err
	case "z39.50s", "z39.50":
		r, err := z3950.Read(u)
		r.DocID, r.HasDocID = words, true
		return r.URL(), err
	case "dict":
		r, err := dict.Read(u)
		r.Word, r.Define = words, true
		if r.Database == "" {
			r.Database = "!"
		}
		return r.URL(), err
	case "finger":
		r, err := finger.Read(u)
		r.Query = words
		return r.URL(), err
	case "news", "nntp", "snews":
		r, err := news.Read(u)
		r.Group = words
		return r.URL(), err
	case "gemini", "spartan":
		return asked(u, words)
	}
	return u.WithQuery(percent.Encode(words, &percent.Component))
}

// results are what a search found.
type results struct {
	Hits    string
	Records []found
}

// A found is a document with its rank.
type found struct {
	Entry entry
	Score string
}

// results shows what a search found, best first as the server has it.
func (v *visit) results(o *object) results {
	var res results
	res.Hits = masked(o.said("Hits"))
	for i := range o.Entries {
		e := &o.Entries[i]
		f := found{Entry: entry{Name: masked(e.Name), Kind: masked(e.Type), Link: v.link(e.URL), Size: e.Size, Time: e.Time}}
		if v.url.Scheme() == "wais" {
			if score, _, ok := strings.Cut(e.Raw, "\t"); ok && score != "-" {
				f.Score = masked(score)
			}
		}
		if f.Entry.Name == "" {
			f.Entry.Name = "(no title)"
		}
		res.Records = append(res.Records, f)
	}
	return res
}

// statusOf is the protocol's number for a failure, and the server's words.
func statusOf(err error) (int, string) {
	var e *fetch.Error
	if errors.As(err, &e) {
		return e.Status, e.Said
	}
	return 0, ""
}
