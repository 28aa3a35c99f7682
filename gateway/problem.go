package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/rule"
	"anyurl/scheme/known"
)

// A problem is why there is no page of what was asked for, as a page of its own.
type problem struct {
	Status int
	Title  string
	Says   string     // what failed
	Step   string     // where
	Server string     // the server's own words
	Caret  [2]string  // the input and the mark under the place
	Rule   *rule.Rule // the rule that it breaks
	Cite   string
	Try    string // what to try
	URL    anyurl.URL
	Input  string // what is no URL
	Links  []choice
}

// fail answers with a problem.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, p problem) {
	v := &visit{g: g, w: w, r: r, url: p.URL, proxy: !strings.HasPrefix(r.RequestURI, "/")}
	v.fail(p)
}

func (v *visit) fail(p problem) {
	frame := &page{Title: p.Title}
	if !v.url.IsZero() {
		frame = v.frame()
		frame.Title = p.Title
		frame.Crumbs = v.crumbs()
	} else {
		frame.Typed = masked(p.Input)
	}
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		v.w.Header().Set("Retry-After", "5")
	}
	if v.proxy && !strings.Contains(v.r.Header.Get("Accept"), "text/html") {
		v.plain(p)
		return
	}
	v.send(p.Status, frame, "problem", p, time.Time{})
}

// plain answers with a problem in words, for a program that does not ask for a page.
func (v *visit) plain(p problem) {
	var b strings.Builder
	b.WriteString(p.Title + ": " + p.Says + "\n")
	for _, line := range [][2]string{{"url", masked(v.url.String())}, {"where", p.Step}, {"the server said", p.Server}, {"what to try", p.Try}} {
		if line[1] != "" {
			b.WriteString(line[0] + ": " + line[1] + "\n")
		}
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	v.w.WriteHeader(p.Status)
	if v.r.Method != http.MethodHead {
		io.WriteString(v.w, b.String())
	}
}

// unreadable is the problem with an input that is no URL.
func (g *Gateway) unreadable(report audit.Report) problem {
	p := problem{Status: http.StatusBadRequest, Title: "Not a URL", Says: "this cannot be read as a URL", Input: report.Input}
	var e *rule.Error
	if errors.As(report.Err, &e) {
		p.Says, p.Cite, p.Try, p.Rule = e.Rule.Says, e.Rule.Cite, e.Rule.Fix, &e.Rule
		p.Caret[0], p.Caret[1] = quote.Caret(e.Input, e.Offset)
	}
	if p.Try == "" {
		p.Try = "a URL begins with a scheme and a colon, as in gopher://gopher.example/1"
	}
	p.Links = g.offered(report.Input)
	return p
}

// offered are what somebody may have meant, as ways on.
func (g *Gateway) offered(input string) (list []choice) {
	for _, guess := range g.guesses(input) {
		list = append(list, choice{Href: with("/open", "url", guess), Name: "try " + masked(guess)})
	}
	return list
}

// failed answers for an object that could not be opened.
func (v *visit) failed(err error) {
	if errors.Is(err, context.Canceled) && v.r.Context().Err() != nil {
		return // who asked has gone
	}
	v.g.o.Log.Warn("not opened", "url", logURL(v.url), "error", logError(err))
	p := problemOf(err)
	e, _ := errors.AsType[*fetch.Error](err)
	if v.proxy && e != nil && e.Step == fetch.Login && errors.Is(err, fetch.ErrDenied) && !isWeb(v.url.Scheme()) {
		// A page has no place for a password; a program that asks a proxy has.
		p.Status, p.Try = http.StatusUnauthorized, "give a user and a password of that server's"
		v.w.Header().Set("Www-Authenticate", `Basic realm="`+strings.NewReplacer(`"`, "_", `\`, "_").Replace(masked(v.url.Scheme()+"://"+v.url.HostPort()))+`"`)
	}
	if root := v.g.o.Files; e != nil && e.Step == fetch.Gate && v.url.Scheme() == "file" && !root.IsZero() {
		p.Try = "files are opened below " + masked(root.String()) + " alone"
		p.Links = append(p.Links, choice{Href: v.linkTo(root).Href, Name: "open that folder"})
	}
	if e != nil && e.Step == fetch.Reading && !v.proxy {
		p.Links = v.g.offered(v.url.String())
	}
	v.fail(p)
}

// steps are where opening can fail, in words.
var steps = [...]struct{ step, says, try string }{
	{fetch.Reading, "reading the URL", "see what the URL says below"},
	{fetch.Gate, "asking whether it may be opened", ""},
	{fetch.Resolving, "looking up the host's name", "check how the name is spelled; the host may be gone for good, or your network down"},
	{fetch.Connecting, "connecting to the host", "the host may be down, or listen elsewhere: check the port"},
	{fetch.TLS, "agreeing on encryption", "the server's certificate may have run out or be another's"},
	{fetch.Greeting, "waiting for the server's greeting", "something else may listen at that port"},
	{fetch.Login, "logging in", noPassword},
	{fetch.Asking, "asking for the object", "try the folder or the menu above it"},
	{fetch.Status, "reading the server's answer", "something else may listen at that port"},
	{fetch.Body, "reading the object", "try again"},
	{fetch.Redirect, "following where the server sends us", "open the address it names by itself, if you mean to go there"},
	{fetch.Limit, "keeping within the limits", "ask for less of it: a folder within, or a narrower search; anyurl get opens more at a time"},
}

// noPassword is what to try where a server wants one.
const noPassword = "no address holds a password, as addresses are kept and shown: whoever runs this gateway can have it log in with --netrc; " +
	"as a proxy it passes on what a program gives it; anyurl get takes it from .netrc"

// problemOf says why an object could not be opened, and with which status
// (RFC 9110, section 15: what a gateway answers for those behind it).
func problemOf(err error) problem {
	p := problem{Status: http.StatusBadGateway, Title: "Not opened", Says: "the object could not be opened"}
	switch {
	case errors.Is(err, errRate), errors.Is(err, errTogether):
		return problem{Status: http.StatusTooManyRequests, Title: "Too much at once", Says: err.Error(), Try: "wait a few seconds and try again"}
	case errors.Is(err, errAll):
		return problem{Status: http.StatusServiceUnavailable, Title: "Busy", Says: err.Error(), Try: "wait a few seconds and try again"}
	}
	var e *fetch.Error
	if !errors.As(err, &e) {
		p.Says = masked(err.Error())
		return p
	}
	for _, s := range steps {
		if s.step == e.Step {
			p.Step, p.Try = s.says, s.try
		}
	}
	own := *e
	own.Said, own.URL, own.Step = "", anyurl.URL{}, ""
	if says := strings.TrimPrefix(own.Error(), ": "); says != "" {
		p.Says = masked(says)
	}
	if e.Said != "" {
		p.Server = readable([]byte(e.Said))
	}
	if e.Hint != "" {
		p.Try = masked(e.Hint)
	}
	var broken *rule.Error
	if errors.As(err, &broken) {
		p.Says, p.Cite, p.Rule = broken.Rule.Says, broken.Rule.Cite, &broken.Rule
		p.Caret[0], p.Caret[1] = quote.Caret(broken.Input, broken.Offset)
		if broken.Rule.Fix != "" {
			p.Try = broken.Rule.Fix
		}
		p.Status = http.StatusBadRequest
	}
	switch {
	case fetch.IsTimeout(err):
		p.Status, p.Title = http.StatusGatewayTimeout, "No answer in time"
		p.Try = "the host may be slow or gone: try again later"
	case errors.Is(err, fetch.ErrNotFound):
		p.Status, p.Title = http.StatusNotFound, "Not there"
		p.Try = "go up: the menu or the folder above may show where it is now"
	case errors.Is(err, fetch.ErrDenied):
		p.Status, p.Title = http.StatusForbidden, "Not allowed"
		if e.Step == fetch.Login {
			p.Try = noPassword
		}
	case errors.Is(err, fetch.ErrRefused):
		p.Status, p.Title = http.StatusForbidden, "Refused"
		if e.Step == fetch.Connecting {
			p.Try = "this gateway keeps out of private networks; whoever runs it can allow one with --allow-net, or all with --allow-private"
		}
		p.Try = allowing(e.Code, p.Try)
		var why *audit.Refusal
		if errors.As(err, &why) {
			p.Says, p.Cite, p.Try = why.Finding.Says, why.Finding.Cite, allowing(why.Finding.Code, why.Finding.Fix)
		}
	case errors.Is(err, fetch.ErrBusy):
		p.Status, p.Title = http.StatusServiceUnavailable, "The server is busy"
		p.Try = "try again in a while"
	case errors.Is(err, fetch.ErrUnsupported):
		p.Status, p.Title = http.StatusNotImplemented, "Not supported"
	case errors.Is(err, fetch.ErrLoop), errors.Is(err, fetch.ErrTooManyHops):
		p.Title = "Sent in circles"
	case errors.Is(err, fetch.ErrTooLarge):
		p.Title = "Too large"
	}
	return p
}

// refused answers for a URL that the gate does not let through.
func (v *visit) refused(err error) {
	p := problem{Status: http.StatusForbidden, Title: "Refused", Says: masked(err.Error()), Step: "asking whether it may be opened",
		Try: "whoever runs this gateway can allow more"}
	var why *audit.Refusal
	if errors.As(err, &why) {
		f := why.Finding
		p.Says, p.Cite, p.Try = f.Says, f.Cite, allowing(f.Code, f.Fix)
		if strings.HasSuffix(f.Code, "-slashes") && !v.proxy {
			p.Links = v.g.offered(v.url.String())
		}
	}
	v.fail(p)
}

// allowing is what can be done about a refusal: where somebody may have meant just
// that, whoever runs the gateway can allow it.
func allowing(code, otherwise string) string {
	switch code {
	case "ip-loopback", "ip-private", "ip-link-local", "ip-cgnat", "ip-unspecified", "localhost-name", "internal-name":
		return "this gateway keeps out of private networks; whoever runs it can allow one with --allow-net, or all with --allow-private"
	case "bad-port", "port-crosses-protocol":
		return "this gateway keeps off other protocols' ports; whoever runs it can allow one with --allow-port"
	}
	return otherwise
}

// A question is put before something that looks dangerous is opened.
type question struct {
	Typed    bool
	Caret    [2]string
	Findings []audit.Finding
	Sure     string
	Safe     string // where the name of what is opened is shown without the trick
}

// ask shows what is the matter with a URL and opens it only on a click.
func (v *visit) ask(list []audit.Finding) {
	frame := v.frame()
	frame.Title, frame.Alerts = "Look before you open", nil // the page itself says so
	v.send(http.StatusForbidden, frame, "ask", question{Findings: list, Safe: frame.Shown,
		Sure: v.g.seal.link(v.url, v.g.clientOf(v.r), v.g.o.Now())}, time.Time{})
}

// askTyped shows how an input differs from what it is read as.
func (v *visit) askTyped(report audit.Report, list []audit.Finding, canonical string) {
	frame := v.frame()
	frame.Title = "Look before you open"
	q := question{Typed: true, Findings: list, Safe: frame.Shown, Sure: canonical}
	q.Caret[0], q.Caret[1] = quote.Caret(report.Input, list[0].Start)
	v.send(http.StatusForbidden, frame, "ask", q, time.Time{})
}

// outside is the page before a link to the web, which the browser opens itself.
func (v *visit) outside() {
	frame := v.frame()
	list := frame.Alerts
	frame.Alerts = nil // the page itself says so
	v.send(http.StatusOK, frame, "outside", struct {
		Href, Shown string
		Findings    []audit.Finding
	}{withoutPassword(v.url).String(), frame.Shown, list}, time.Time{})
}

// unopened is the page about a URL that nothing here opens.
func (v *visit) unopened() {
	s, ok := known.Lookup(v.url.Scheme())
	for _, f := range v.findings {
		if f.Code == "scheme-dangerous" {
			v.fail(problem{Status: http.StatusForbidden, Title: "Refused", Says: f.Says, Cite: f.Cite, Try: f.Fix, Step: "asking whether it may be opened"})
			return
		}
	}
	var links []choice
	if !ok {
		links = v.g.offered(v.url.String())
	}
	href := ""
	if ok && handed(s.Name) {
		href = withoutPassword(v.url).String()
	}
	v.send(http.StatusNotImplemented, v.frame(), "unopened", struct {
		Known bool
		Name  string
		Says  string
		Href  string
		Links []choice
		Opens []string
	}{ok, v.url.Scheme(), s.Says, href, links, v.g.schemes}, time.Time{})
}

// handed tells the schemes that a browser hands to another program and that do
// no more there than open a window.
func handed(name string) bool {
	switch name {
	case "sftp", "ssh", "irc", "ircs", "tel", "sms", "sip", "sips", "xmpp", "geo", "magnet", "webcal", "im", "mms", "matrix", "rtsp", "ldap", "nfs":
		return true
	}
	return false
}
