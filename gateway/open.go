package gateway

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/audit"
	"anyurl/percent"
)

// A visit is one request for one URL.
type visit struct {
	g        *Gateway
	w        http.ResponseWriter
	r        *http.Request
	target   string // as it was asked for
	views    []string
	url      anyurl.URL
	findings []audit.Finding
	proxy    bool // asked for in absolute form: links stay what they are
}

// isView reports whether there is a view of that name.
func isView(view string) bool {
	switch view {
	case "raw", "save", "first", "terminal":
		return true
	}
	if by, ok := strings.CutPrefix(view, "by-"); ok {
		return slices.Contains(columns[:], strings.TrimSuffix(by, "-down"))
	}
	_, isBefore := before(view)
	return isBefore || strings.HasPrefix(view, sure)
}

// before reads the view of a newsgroup's articles before one, by its number.
func before(view string) (number uint64, ok bool) {
	text, ok := strings.CutPrefix(view, "before-")
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseUint(text, 10, 64)
	return number, err == nil && number > 0
}

// before is the number before which a group's articles are to be; 0 for the latest.
func (v *visit) before() (number uint64) {
	for _, view := range v.views {
		if n, ok := before(view); ok {
			number = n
		}
	}
	return number
}

// has reports whether a view was asked for.
func (v *visit) has(view string) bool { return slices.Contains(v.views, view) }

// here is the address of the same URL in further views, with the confirmation
// that this one came with, and the place in a group.
func (v *visit) here(views ...string) string {
	for _, view := range v.views {
		if _, isBefore := before(view); isBefore || strings.HasPrefix(view, sure) {
			views = append([]string{view}, views...)
		}
	}
	return address(strings.Join(views, "~"), v.url)
}

// page answers for a URL: audited first, then opened and shown.
func (g *Gateway) page(w http.ResponseWriter, r *http.Request, target string, t Target) {
	report := audit.Inspect(t.Input)
	if report.Err != nil {
		g.fail(w, r, g.unreadable(report))
		return
	}
	v := &visit{g: g, w: w, r: r, target: target, url: report.URL, findings: report.Findings}
	if t.View != "" {
		v.views = strings.Split(t.View, "~")
	}
	if i := slices.IndexFunc(v.views, func(view string) bool { return !isView(view) }); i >= 0 {
		g.fail(w, r, problem{Status: http.StatusNotFound, Title: "No such view", Says: "this gateway shows nothing by way of " + shown("~"+v.views[i]),
			Try: "the page itself has links to all that there is", Links: []choice{{Href: Address(v.url), Name: "open the page"}}})
		return
	}
	if v.url.Password() != "" {
		g.fail(w, r, problem{Status: http.StatusBadRequest, Title: "A password in the address", URL: v.url,
			Says: "the address holds a password, and addresses are kept and shown in many places", Try: "open it without",
			Links: []choice{{Href: Address(anonymous(v.url)), Name: "open it without user and password"}}})
		return
	}
	if t.Typed && len(v.views) == 0 {
		canonical := Address(v.url)
		if !strings.HasPrefix(canonical, "/open?") {
			if raw := onlyTyped(report); len(raw) > 0 {
				v.askTyped(report, raw, canonical)
				return
			}
			redirect(w, canonical)
			return
		}
	}
	v.open()
}

// open shows what the URL is, and opens it where that is wanted and allowed.
func (v *visit) open() {
	g := v.g
	switch name := v.url.Scheme(); {
	case name == "mailto":
		v.letter()
		return
	case isWeb(name) && !g.opens(name):
		v.outside()
		return
	case !g.opens(name):
		v.unopened()
		return
	}
	if err := g.client.Gate(v.url); err != nil {
		v.refused(err)
		return
	}
	if list := g.dubious(v.url, v.findings); len(list) > 0 && !v.confirmed() {
		v.ask(list)
		return
	}
	switch {
	case v.has("terminal"):
		v.terminal()
	case v.has("raw"), v.has("save"):
		v.deliver()
	case isSession(v.url.Scheme()) && !v.has("first"):
		v.console()
	case v.form():
	default:
		v.show()
	}
}

func (v *visit) confirmed() bool {
	now := v.g.o.Now()
	return slices.ContainsFunc(v.views, func(view string) bool { return v.g.seal.holds(view, v.url, v.g.clientOf(v.r), now) })
}

// anonymous is u without user info.
func anonymous(u anyurl.URL) anyurl.URL {
	v, err := withoutPassword(u).WithUsername("")
	if err != nil {
		return u
	}
	return v
}

// onlyTyped gives the warnings about the input that the URL does not show any
// more, once it is read: a backslash, a host in disguise.
func onlyTyped(report audit.Report) (list []audit.Finding) {
	after := audit.InspectURL(report.URL)
	for _, f := range report.Findings {
		if f.Severity >= audit.Warning && !slices.ContainsFunc(after, func(a audit.Finding) bool { return a.Code == f.Code }) {
			list = append(list, f)
		}
	}
	return list
}

// redirect sends a browser to another address of the gateway.
func redirect(w http.ResponseWriter, path string) {
	w.Header().Set("Location", path)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
}

// A link is a way on, as a page shows it. The zero value leads nowhere.
type link struct {
	Href string // "" for none
	Web  bool   // leaves the gateway
	Warn string // the code of the worst finding, from Warning on
	Says string // what it says
}

// link makes a link of what a server gave as a URL. Nothing that runs in a
// browser is ever one.
func (v *visit) link(raw string) link {
	if raw == "" {
		return link{}
	}
	u, err := anyurl.ParseRef(raw, v.url)
	if err != nil {
		return link{}
	}
	return v.linkTo(u)
}

func (v *visit) linkTo(u anyurl.URL) (l link) {
	findings := audit.InspectURL(u)
	for _, f := range findings {
		if f.Code == "scheme-dangerous" && !(u.Scheme() == "file" && v.url.Scheme() == "file" && v.g.opens("file")) {
			return link{Warn: f.Code, Says: f.Says}
		}
	}
	why := v.g.o.Gate(u)
	worst := audit.Notice
	for _, f := range findings {
		if f.Severity > worst && !(f.Blocks && why == nil) {
			worst, l.Warn, l.Says = f.Severity, f.Code, f.Says
		}
	}
	if refusal, ok := errors.AsType[*audit.Refusal](why); ok {
		// The one for which it will not open, of several.
		l.Warn, l.Says = refusal.Finding.Code, refusal.Finding.Says
	}
	switch {
	case v.proxy:
		if name := u.Scheme(); v.g.opens(name) || isWeb(name) || isSession(name) || name == "mailto" {
			l.Href = withoutPassword(u).String()
		}
	case isWeb(u.Scheme()) && !v.g.opens(u.Scheme()) && l.Warn == "":
		l.Href, l.Web = withoutPassword(u).String(), true
	default:
		l.Href = Address(u)
	}
	return l
}

// with is a link to one of the gateway's own pages, with a parameter.
func with(path, name, value string) string {
	return path + "?" + name + "=" + percent.Encode(value, &percent.Component)
}
