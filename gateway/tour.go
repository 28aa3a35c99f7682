package gateway

import (
	"net/http"
	"time"
)

// A Stop is one step of a tour: a scheme, and what to open to get to know it.
type Stop struct {
	Name    string // the scheme, or the schemes
	Says    string // what it is
	History string // where it comes from, in a sentence
	Look    string // what to look at on the page that opens
	Links   []Link // what opens it; a Link's Says is not shown
}

// A stop is a Stop as its page shows it.
type stop struct {
	Stop
	Number int
	Ways   []startLink
}

// tour answers with the tour, if there is one.
func (g *Gateway) tour(w http.ResponseWriter, r *http.Request) {
	if g.o.Tour == nil {
		g.fail(w, r, problem{Status: http.StatusNotFound, Title: "No tour", Says: "this gateway has no small internet to show", Try: "anyurl demo --stay starts one that has"})
		return
	}
	var stops []stop
	for i, s := range g.o.Tour {
		one := stop{Stop: s, Number: i + 1}
		for _, l := range s.Links {
			one.Ways = append(one.Ways, startLink{Address(l.URL), l.Name, masked(l.URL.String()), l.Says})
		}
		stops = append(stops, one)
	}
	v := &visit{g: g, w: w, r: r}
	v.send(http.StatusOK, &page{Title: "A tour of the schemes"}, "tour", stops, time.Time{})
}
