package gateway

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/fetch"
	"anyurl/scheme/known"
)

// Options are what a gateway is made of. A zero field means its default.
type Options struct {
	// Client opens. Its dialer is what keeps the gateway out of a private
	// network; see package dial's Guard.
	Client *fetch.Client
	// Gate decides whether a URL may be opened at all, before every hop. Nil is
	// audit.Guard. What it lets through although a guarded fetch would refuse
	// it counts as meant, and is not asked about.
	Gate func(anyurl.URL) error
	// Schemes are those that are opened; nil is every one that Client has a
	// transport for, but file and afs, which are files of this machine.
	Schemes []string
	// Files is the folder below which file URLs are opened, as a URL that ends with
	// a slash: their pages show no way out of it. What keeps to it is the transport.
	Files anyurl.URL
	// HTTP has http and https URLs fetched too, where the default hands them to
	// the browser.
	HTTP bool
	// Hosts are the names under which the gateway is addressed, "host" or
	// "host:port", besides localhost and addresses. A request with another Host
	// is refused: it may come from a page whose name was bound anew.
	Hosts []string
	// ProxyFor decides whose absolute-form requests are answered. Nil is this
	// machine's alone.
	ProxyFor func(netip.Addr) bool
	// Limits bound what opening a URL costs; zero fields are the gateway's own,
	// see [DefaultLimits].
	Limits fetch.Limits
	// Page bounds what of an object is shown in a page, in octets; what is larger
	// can be downloaded. 0 is 4 MiB.
	Page int64
	// Cache bounds the octets kept for the next who asks; 0 is 64 MiB, negative
	// none. Fresh is how long an object is kept; 0 is a minute.
	Cache int64
	Fresh time.Duration
	// Rate and Burst bound how many objects a second a client may have opened;
	// 0 is 10 and 60. Together bounds how many at once for one client, All for
	// all of them; 0 is 16 and 256. Terminals bounds the open terminals; 0 is 16.
	Rate                            float64
	Burst, Together, All, Terminals int
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// Log takes a record for each request and each failure, secrets masked. Nil
	// logs nothing.
	Log *slog.Logger
	// Links are further ways from the start page.
	Links []Link
	// Tour is shown at /tour, step by step; nil is none.
	Tour []Stop
}

// A Link is a way from the start page.
type Link struct {
	URL  anyurl.URL // what it opens
	Name string     // what it is called
	Says string     // a sentence about it; may be empty
}

// DefaultLimits are the limits of a gateway: a browser's user waits less long
// than a program.
func DefaultLimits() fetch.Limits {
	return fetch.Limits{
		Connect:   10 * time.Second,
		FirstByte: 20 * time.Second,
		Idle:      20 * time.Second,
		Total:     30 * time.Minute,
		MaxHeader: 256 << 10,
		MaxHops:   10,
	}
}

// A Gateway answers requests. It is made by [New], and may serve any number of
// them at once.
type Gateway struct {
	o       Options
	client  *fetch.Client
	schemes []string
	pages   *pages
	cache   *cache
	limit   *limiter
	flights flights
	metrics *metrics
	seal    seal
	name    string // in Via
	fields  map[string][]string

	sessions atomic.Int64  // terminals open
	writing  chan struct{} // has a place for each page that may be in the making
}

// New makes a gateway.
func New(o Options) *Gateway {
	if o.Gate == nil {
		o.Gate = audit.Guard
	}
	if o.ProxyFor == nil {
		o.ProxyFor = netip.Addr.IsLoopback
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.Or(DefaultLimits())
	or(&o.Page, 4<<20)
	or(&o.Cache, 64<<20)
	or(&o.Fresh, time.Minute)
	or(&o.Rate, 10)
	or(&o.Burst, 60)
	or(&o.Together, 16)
	or(&o.All, 256)
	or(&o.Terminals, 16)
	g := &Gateway{o: o, pages: newPages(), cache: newCache(o.Cache, o.Now), seal: newSeal(), name: "anyurl-" + token(6), fields: hardening(),
		writing: make(chan struct{}, runtime.GOMAXPROCS(0))}
	client := *o.Client
	client.Gate = g.gate(client.Gate)
	g.client = &client
	g.schemes = g.opened()
	g.limit = newLimiter(o)
	g.metrics = newMetrics(g)
	return g
}

func or[T comparable](to *T, otherwise T) {
	var zero T
	if *to == zero {
		*to = otherwise
	}
}

// token is n random octets in hexadecimal.
func token(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// gate is the client's own gate and ours, one after the other.
func (g *Gateway) gate(own func(anyurl.URL) error) func(anyurl.URL) error {
	return func(u anyurl.URL) error {
		if own != nil {
			if err := own(u); err != nil {
				return err
			}
		}
		return g.o.Gate(u)
	}
}

// opened lists the schemes that are opened, sorted.
func (g *Gateway) opened() []string {
	var names []string
	for name := range g.client.Transports {
		switch {
		case isWeb(name) && !g.o.HTTP:
		case g.o.Schemes != nil && !slices.Contains(g.o.Schemes, name):
		case g.o.Schemes == nil && (name == "file" || name == "afs"):
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (g *Gateway) opens(scheme string) bool {
	_, found := slices.BinarySearch(g.schemes, scheme)
	return found
}

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// ServeHTTP answers one request: a page of the gateway, or, in absolute form,
// what a proxy is asked for. It answers GET and HEAD alone.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := g.o.Now()
	rec := &recorder{ResponseWriter: w}
	g.metrics.active.Inc()
	defer g.metrics.active.Dec()
	kind := g.serve(rec, r)
	g.metrics.served(kind, rec.status, g.o.Now().Sub(begin))
	g.logged(r, rec, kind, g.o.Now().Sub(begin))
}

// serve answers and says what kind of request it was.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) (kind string) {
	h := w.Header()
	for name, values := range g.fields {
		h[name] = values
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		g.fail(w, r, problem{Status: http.StatusMethodNotAllowed, Title: "Only reading", Says: "this gateway reads and changes nothing: it answers GET and HEAD",
			Try: "https is not tunnelled, either: let the program go there by itself"})
		return "refused"
	}
	if g.loops(r) {
		g.fail(w, r, problem{Status: http.StatusLoopDetected, Title: "A loop", Says: "the request has come through this gateway before",
			Try: "look which proxy sends its requests back here"})
		return "refused"
	}
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") {
		own, mine := g.ownTarget(target)
		if !mine {
			g.proxy(w, r)
			return "proxy"
		}
		target = own
	}
	if !g.known(r.Host) {
		g.fail(w, r, problem{Status: http.StatusMisdirectedRequest, Title: "Another name", Says: "this gateway is not called " + shown(r.Host),
			Try: "use the address it says it listens at; further names are given to it with --host"})
		return "refused"
	}
	if foreign(r) {
		g.fail(w, r, problem{Status: http.StatusForbidden, Title: "Not for other sites", Says: "a page of another site asked for this, not you",
			Try: "open the gateway itself and type the address there"})
		return "refused"
	}
	return g.own(w, r, target)
}

// own answers for the gateway's own pages.
func (g *Gateway) own(w http.ResponseWriter, r *http.Request, target string) (kind string) {
	path, query, _ := strings.Cut(target, "?")
	switch path {
	case "/":
		g.start(w, r)
		return "start"
	case "/tour":
		g.tour(w, r)
		return "tour"
	case "/explain":
		g.explain(w, r, parameter(query, "url"))
		return "explain"
	case "/search":
		g.search(w, r, query)
		return "search"
	case "/message":
		g.message(w, r, query)
		return "message"
	case "/healthz":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Write([]byte("ok\n"))
		return "healthz"
	case "/robots.txt":
		// Every link of every server is a page here.
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("User-agent: *\nDisallow: /\n"))
		return "static"
	case "/metrics":
		g.metrics.ServeHTTP(w, r)
		return "metrics"
	case "/open":
		if parameter(query, "url") == "" {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return "start"
		}
	}
	if name, ok := strings.CutPrefix(path, "/static/"); ok {
		if !g.pages.static(w, r, name) {
			g.fail(w, r, problem{Status: http.StatusNotFound, Title: "No such file", Says: "this gateway has no file of that name", Try: "the start page has a field for addresses"})
		}
		return "static"
	}
	if a, ok := g.cache.answer(target); ok && !anew(r) {
		g.metrics.hit()
		if rec, ok := w.(*recorder); ok {
			rec.target = a.logged
		}
		a.send(w, r, g.o.Now())
		return "page"
	}
	t := Route(target)
	if t.Input == "" {
		name, rest, slash := strings.Cut(path[1:], "/")
		s, ok := known.Lookup(strings.ToLower(name))
		switch {
		case ok && slash && s.Name != name:
			redirect(w, "/"+s.Name+"/"+rest+target[len(path):]) // as people write it, and no URL ever has it
			return "page"
		case ok && !slash && s.Example != "":
			g.fail(w, r, problem{Status: http.StatusNotFound, Title: "No such page", Says: "it names a scheme alone, and nothing to open",
				Try: "write what follows the scheme, too", Links: []choice{{with("/open", "url", s.Example), "as in " + s.Example}}})
			return "page"
		}
		g.fail(w, r, problem{Status: http.StatusNotFound, Title: "No such page", Says: "this gateway has nothing at " + shown(path),
			Try: "the start page has a field for addresses; a page is at /SCHEME/ and what follows, as in /gopher/gopher.example/1"})
		return "page"
	}
	g.page(w, r, target, t)
	return "page"
}

// ownTarget is the target within this gateway that an absolute-form request
// names, if it names this gateway: clients may write that to any server.
func (g *Gateway) ownTarget(target string) (string, bool) {
	rest, ok := strings.CutPrefix(target, "http://")
	if !ok {
		return "", false
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	if !g.listens(rest[:end]) {
		return "", false
	}
	if rest = rest[end:]; !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return rest, true
}

// listens reports whether a Host is certainly this gateway.
func (g *Gateway) listens(host string) bool {
	return slices.ContainsFunc(g.o.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// known reports whether a Host may be this gateway: no page elsewhere can have
// a browser send an address or localhost for a name of its own.
func (g *Gateway) known(host string) bool {
	name := host
	if h, port, ok := cutPort(host); ok && port != "" {
		name = h
	}
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || strings.EqualFold(name, "localhost") {
		return true
	}
	return slices.ContainsFunc(g.o.Hosts, func(h string) bool {
		return strings.EqualFold(h, host) || strings.EqualFold(h, name)
	})
}

// cutPort parts "host:port"; an IPv6 address has its brackets.
func cutPort(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || strings.HasSuffix(s, "]") {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// foreign reports whether a page of another site asks, and not its reader by
// following a link: an image of theirs, or a page fetched ahead of any click, must
// not make this gateway speak to anybody. Fetch Metadata; a browser too old to send
// it sends none of it.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "cross-site" && site != "same-site" {
		return false
	}
	return r.Header.Get("Sec-Purpose") != "" || r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}

// loops reports whether the request has been here already.
func (g *Gateway) loops(r *http.Request) bool {
	for _, via := range r.Header.Values("Via") {
		if strings.Contains(via, g.name) {
			return true
		}
	}
	return false
}

// client is who asks.
func (g *Gateway) clientOf(r *http.Request) netip.Addr {
	if ap, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
