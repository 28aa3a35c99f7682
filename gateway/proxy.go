package gateway

import (
	"net/http"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/fetch"
	gopher "anyurl/scheme/gopher"
)

// proxy answers an absolute-form request, as lynx, wget and curl send it when
// gopher_proxy, ftp_proxy and their kin name the gateway: the object as it is,
// and what is no object for HTTP, a menu, a folder, a group, as a page whose
// links stay the URLs that they are.
func (g *Gateway) proxy(w http.ResponseWriter, r *http.Request) {
	if !g.o.ProxyFor(g.clientOf(r)) {
		g.fail(w, r, problem{Status: http.StatusForbidden, Title: "No proxy for you", Says: "this gateway is a proxy for its own machine alone", Try: "whoever runs it can allow other addresses"})
		return
	}
	report := audit.Inspect(r.RequestURI)
	if report.Err != nil {
		g.fail(w, r, g.unreadable(report))
		return
	}
	v := &visit{g: g, w: w, r: r, target: r.RequestURI, url: report.URL, findings: report.Findings, proxy: true}
	w.Header().Add("Via", "1.1 "+g.name)
	if scheme := v.url.Scheme(); !g.opens(scheme) {
		try := "it opens " + strings.Join(g.schemes, ", ")
		if isWeb(scheme) {
			try = "ask the web without a proxy, or whoever runs this gateway, who can have it fetch the web with --http; " + try
		}
		v.fail(problem{Status: http.StatusForbidden, Title: "Not through here", Says: "this gateway opens no " + scheme + " URLs", Try: try})
		return
	}
	if err := g.client.Gate(v.url); err != nil {
		v.refused(err)
		return
	}
	if list := g.dubious(v.url, v.findings); len(list) > 0 {
		v.fail(problem{Status: http.StatusForbidden, Title: "Refused", Says: list[0].Says, Cite: list[0].Cite, Try: list[0].Fix, Step: "asking whether it may be opened"})
		return
	}
	if strings.HasPrefix(r.UserAgent(), "w3m/") && isGopher(v.url.Scheme()) {
		v.url = typed(v.url)
	}
	if isGopher(v.url.Scheme()) && v.url.HasQuery() {
		// What the form of a client of that age makes of a search; in a selector
		// "?" would be data.
		if ref, err := gopher.Read1630(v.url); err == nil && ref.HasSearch {
			v.url = ref.URL()
		}
	}
	if f, ok := searchable(v.url); ok && f.Words == "" && isGopher(v.url.Scheme()) {
		v.isindex(f)
		return
	}
	if v.url.Scheme() == "http" || v.url.Scheme() == "https" || !v.page() {
		v.stream(v.label)
		return
	}
	v.show()
}

// typed undoes what w3m 0.5.3 does to a gopher URL before it asks a proxy for it:
// it takes the type out of "/0/readme.txt" and asks for "/readme.txt". The type
// is guessed from the name.
func typed(u anyurl.URL) anyurl.URL {
	path := u.Path()
	if len(path) < 2 || len(path) > 2 && path[2] == '/' {
		return u // none was there, or w3m has learned
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	kind := "1"
	if strings.Contains(name, ".") {
		switch typ := fetch.TypeByName(name); media(typ) {
		case "text":
			kind = "0"
		case "image":
			kind = "I"
		default:
			kind = "9"
		}
	}
	if v, err := u.WithPath("/" + kind + path); err == nil {
		return v
	}
	return u
}

func isGopher(scheme string) bool { return scheme == "gopher" || scheme == "gophers" }

// page reports whether the object is to come as a page: what it holds is a
// message or a form of text that only a page makes sense of, and the client
// says that it reads pages.
func (v *visit) page() bool {
	switch v.url.Scheme() {
	case "gopher", "gophers", "ftp", "ftps", "file", "data":
		return false // these have files; listings find their own way
	}
	return strings.Contains(v.r.Header.Get("Accept"), "text/html")
}

// label is the type that a proxy tells: the object's own.
func (v *visit) label(typ string) string {
	if !isWeb(v.url.Scheme()) {
		v.w.Header().Set("Content-Security-Policy", "sandbox")
	}
	return typ // without a charset: the octets are whatever the server has
}

// proxyListing answers with a listing as a page, unless the client would rather
// have it as it came. It reports whether it has answered.
func (v *visit) proxyListing(res *fetch.Result) bool {
	accept := v.r.Header.Get("Accept")
	if strings.Contains(accept, fetch.ListingType) {
		v.entries(res)
		return true
	}
	if !strings.Contains(accept, "text/html") && accept != "" && !strings.Contains(accept, "*/*") {
		return false
	}
	o := &object{Response: *res.Response, hops: res.Hops, at: v.g.o.Now()}
	o.Body = nil
	if v.r.Method != http.MethodHead {
		if err := o.read(res.Body, v.g.o.Page); err != nil {
			v.failed(err)
			return true
		}
	}
	v.present(o)
	return true
}

// entries answers with a listing for a program that takes it as we have it.
func (v *visit) entries(res *fetch.Result) {
	h := v.w.Header()
	h.Set("Content-Type", fetch.ListingType)
	h.Set("Content-Security-Policy", inert)
	if v.r.Method == http.MethodHead {
		return
	}
	if err := fetch.WriteEntries(v.w, res.Entries); err != nil {
		v.g.o.Log.Warn("broken off", "url", logURL(v.url), "error", logError(err))
		panic(http.ErrAbortHandler)
	}
}

// isindex is the page of a search without words, with a form of the kind that
// lynx and its age put behind a "?": the proxy is asked for the URL with that.
func (v *visit) isindex(f form) {
	frame := v.frame()
	v.send(http.StatusOK, frame, "isindex", f, time.Time{})
}
