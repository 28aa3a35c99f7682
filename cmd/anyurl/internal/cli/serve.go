package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"anyurl"
	"anyurl/audit"
	"anyurl/check"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/gateway"
	"anyurl/proto/builtin"
)

// A serveAsk is what the flags of serve say.
type serveAsk struct {
	listen       string
	allowPrivate bool
	allowNets    []string
	allowPorts   []string
	root         string
	http         bool
	schemes      []string
	hosts        []string
	proxyFor     []string
	timeout      time.Duration
	cache        size
	fresh        time.Duration
	rate         int
	together     int
	connections  int
	logAs        string
	logLevel     string
	addressOf    string
	mail         []string
	netrc        netrcAsk
	cacert       string
}

func newServe(c *call) *cobra.Command {
	ask := serveAsk{cache: 64 << 20}
	cmd := &cobra.Command{
		Use:     "serve [flags]",
		Short:   "put every scheme back into the browser, and be a proxy for it",
		GroupID: groupReaches,
		Long: `Serves a gateway: gopher menus, FTP folders, newsgroups, library searches, terminals
and letters as pages of any browser, at /SCHEME/REST and /open?url=URL. It is a
proxy as well, for programs that ask for such URLs by HTTP: gopher_proxy,
ftp_proxy, news_proxy and wais_proxy name it.

It listens on this machine alone, opens nothing in private networks, asks before
it opens what looks dangerous, and hands http and https to the browser. An
interruption ends it once the answers under way are given.`,
		Example: `anyurl serve
anyurl serve --listen 127.0.0.1:8080 --root /srv/docs
gopher_proxy=http://127.0.0.1:7070/ lynx gopher://gopher.example/1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.serve(ask) },
	}
	f := cmd.Flags()
	f.StringVar(&ask.listen, "listen", "127.0.0.1:7070", "where to listen, as `ADDRESS:PORT`")
	f.BoolVar(&ask.allowPrivate, "allow-private", false, "open what is in private networks and on this machine, too")
	f.StringSliceVar(&ask.allowNets, "allow-net", nil, "open what is in this private `NETWORK`, as in 10.1.0.0/16; may be given again")
	f.StringSliceVar(&ask.allowPorts, "allow-port", nil, "open what is at this `PORT`, though it belongs to another protocol; may be given again")
	f.StringVar(&ask.root, "root", "", "open file URLs below this `FOLDER`")
	f.BoolVar(&ask.http, "http", false, "fetch http and https as well, where they are otherwise left to the browser")
	f.StringSliceVar(&ask.schemes, "schemes", nil, "open these schemes alone, as `LIST` with commas")
	f.StringSliceVar(&ask.hosts, "host", nil, "answer to this `NAME` too, as in gateway.example; may be given again")
	f.StringSliceVar(&ask.proxyFor, "proxy-for", nil, "be a proxy for this `NETWORK`, as in 192.168.1.0/24; may be given again")
	f.StringArrayVar(&ask.mail, "mail", nil, "look for mid and cid URLs in this `PLACE`, as get does; may be given again. Whoever reaches the gateway can read what is there")
	ask.netrc.flags(cmd)
	ask.netrc.named = true // a link of a stranger's must not take the default to any host
	f.Lookup("netrc").Usage = "log in as the file $NETRC or ~/.netrc says of a host by its name, for whoever reaches the gateway"
	f.StringVar(&ask.cacert, "cacert", "", "trust the certificates in `FILE`, too: PEM, an authority's or a server's own")
	timeoutFlag(cmd, &ask.timeout, 20*time.Second, "how long a server may take to answer")
	f.Var(&ask.cache, "cache", "keep at most `SIZE` of what was opened, for who asks next")
	durationFlag(cmd, &ask.fresh, "fresh", time.Minute, "keep it for at most this `DURATION`")
	numberFlag(cmd, &ask.rate, "rate", 10, 1, 100_000, "open at most `NUMBER` objects a second for one client")
	numberFlag(cmd, &ask.together, "together", 16, 1, 10_000, "open at most `NUMBER` objects at once for one client")
	numberFlag(cmd, &ask.connections, "connections", 4096, 1, 1_000_000, "keep at most `NUMBER` connections")
	f.StringVar(&ask.logAs, "log", "text", "how the log is written, to standard error: `text|json|none`")
	f.StringVar(&ask.logLevel, "log-level", "info", "what is logged: `debug|info|warn|error`")
	f.StringVar(&ask.addressOf, "address-of", "", "serve nothing; print the address at which the gateway shows this `URL`")
	complete(cmd, "log", "text", "json", "none")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	return cmd
}

// serve serves the gateway until the run is interrupted.
func (c *call) serve(ask serveAsk) error {
	if ask.addressOf != "" {
		return c.addressOf(ask)
	}
	log, err := c.logger(ask)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", ask.listen)
	if err != nil {
		return cannot(fmt.Errorf("listening: %w", err), "--listen names another address; port 0 is any that is free")
	}
	defer l.Close()
	own, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return cannot(err, "")
	}
	options, err := c.gatewayOf(ask, own, log)
	if err != nil {
		return err
	}
	defer options.Client.Close()
	fmt.Fprintf(c.out, "http://%s/\n", address(own))
	c.out.Flush()
	if !own.Addr().IsLoopback() {
		c.note("it listens beyond this machine: whoever reaches it can have it open URLs")
	}
	return c.listen(netutil.LimitListener(l, ask.connections), gateway.New(options), log)
}

// listen answers on l until the run is interrupted, and then gives the answers
// that are under way some seconds.
func (c *call) listen(l net.Listener, h http.Handler, log *slog.Logger) error {
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      2 * time.Minute, // of a page; an object that comes piece by piece has that for each
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(c.ctx) },
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return cannot(err, "")
	case <-c.ctx.Done():
	}
	log.Info("ending", "reason", "interrupted")
	wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), 10*time.Second)
	defer cancel()
	if err := s.Shutdown(wait); err != nil {
		s.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return cannot(err, "")
	}
	return nil
}

// gatewayOf makes the gateway's options.
func (c *call) gatewayOf(ask serveAsk, own netip.AddrPort, log *slog.Logger) (o gateway.Options, err error) {
	nets, err := networks("--allow-net", ask.allowNets)
	if err != nil {
		return o, err
	}
	ports, err := portNumbers("--allow-port", ask.allowPorts)
	if err != nil {
		return o, err
	}
	proxyNets, err := networks("--proxy-for", ask.proxyFor)
	if err != nil {
		return o, err
	}
	for _, name := range ask.schemes {
		if err := knownScheme("--schemes", name); err != nil {
			return o, err
		}
	}
	var files anyurl.URL
	private := func(a netip.Addr) bool { return ask.allowPrivate || within(nets, a) }
	trust, err := trusted(ask.cacert)
	if err != nil {
		return o, err
	}
	logins, err := c.logins(ask.netrc)
	if err != nil {
		return o, err
	}
	d := &dial.Dialer{TLS: trust, Allow: func(host string, ap netip.AddrPort) error {
		if itself(own, ap) {
			return errItself
		}
		if private(ap.Addr()) {
			return nil
		}
		return dial.Guard(host, ap)
	}}
	transports := builtin.Transports(d, builtin.Options{News: c.setting("news", "server"), Articles: articlesShown, Mailboxes: ask.mail,
		GeminiHosts: homeFile(c.getenv, "XDG_STATE_HOME", ".local/state", "gemini-hosts")})
	delete(transports, "file")
	if len(ask.mail) == 0 && c.setting("news", "server") == "" {
		delete(transports, "mid") // there is nowhere to look
		delete(transports, "cid")
	}
	if ask.root != "" {
		if info, err := os.Stat(ask.root); err != nil || !info.IsDir() {
			return o, usage("name a folder", "--root: %s is no folder", ask.root)
		}
		transports["file"] = builtin.Folder(ask.root)
		if files, err = folderURL(ask.root); err != nil {
			return o, usage("", "--root: %v", err)
		}
	}
	o = gateway.Options{
		Client: &fetch.Client{Transports: transports, Credentials: logins, AllowPort: func(_ string, port uint16) bool { return slices.Contains(ports, port) }},
		Gate: gateOf(private, ask.allowPrivate || len(nets) > 0, func(u anyurl.URL, code string) bool {
			switch code {
			case "bad-port", "port-crosses-protocol":
				return slices.Contains(ports, u.EffectivePort())
			case "scheme-dangerous":
				return u.Scheme() == "data" && slices.Contains(ask.schemes, "data")
			}
			return false
		}),
		Schemes:  ask.schemes,
		Files:    files,
		HTTP:     ask.http,
		Hosts:    append(ask.hosts, address(own)),
		Limits:   fetch.Limits{FirstByte: ask.timeout},
		Cache:    int64(ask.cache),
		Fresh:    ask.fresh,
		Rate:     float64(ask.rate),
		Burst:    6 * ask.rate,
		Together: ask.together,
		Log:      log,
	}
	if o.Cache == 0 {
		o.Cache = -1
	}
	if len(proxyNets) > 0 {
		o.ProxyFor = func(a netip.Addr) bool { return a.IsLoopback() || within(proxyNets, a) }
	}
	if o.Schemes == nil {
		for name := range transports {
			if name != "mailto" { // the gateway has a form of its own for a letter
				o.Schemes = append(o.Schemes, name)
			}
		}
	}
	return o, nil
}

// articlesShown is how many of a newsgroup's articles the gateway shows at a time.
const articlesShown = 500

// folderURL is the URL of a folder of this machine, with the slash at its end.
func folderURL(name string) (anyurl.URL, error) {
	u, err := check.FileURL(name)
	if err != nil {
		return anyurl.URL{}, err
	}
	return u.WithPath(strings.TrimSuffix(u.Path(), "/") + "/")
}

// errItself is why the gateway does not ask itself.
var errItself = fmt.Errorf("that is this gateway itself: %w", fetch.ErrRefused)

// itself reports whether an address is where we listen.
func itself(own, other netip.AddrPort) bool {
	if own.Port() != other.Port() {
		return false
	}
	a := other.Addr().Unmap().WithZone("")
	if own.Addr().IsUnspecified() {
		return a.IsLoopback() || a.IsUnspecified() || isOurs(a)
	}
	return a == own.Addr().Unmap() || a.IsUnspecified() || own.Addr().IsLoopback() && a.IsLoopback()
}

// isOurs reports whether an address belongs to this machine.
func isOurs(a netip.Addr) bool {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return true // in doubt it is
	}
	return slices.ContainsFunc(list, func(n net.Addr) bool {
		p, err := netip.ParsePrefix(n.String())
		return err == nil && p.Addr().Unmap() == a
	})
}

// gateOf is the gateway's gate: the guard, but for private places that are
// allowed, and for which schemes are opened: a gateway has a list of its own, and
// dict or tftp on it would otherwise be refused by name. Where some are, a private name may lead there; the dialer asks again
// about the address that it has. also, if not nil, lets further findings pass, by their code.
func gateOf(private func(netip.Addr) bool, some bool, also func(u anyurl.URL, code string) bool) func(anyurl.URL) error {
	return func(u anyurl.URL) error {
		var worst *audit.Finding
		found := audit.InspectURL(u)
		for i := range found {
			f := &found[i]
			if !f.Blocks || f.Code == "scheme-unexpected" || f.Code == "scheme-dangerous" && u.Scheme() == "file" || isPlace(f.Code) && allowedPlace(u, private, some) ||
				also != nil && also(u, f.Code) {
				continue
			}
			if worst == nil || f.Severity > worst.Severity {
				worst = f
			}
		}
		if worst == nil {
			return nil
		}
		return &audit.Refusal{URL: u, Finding: *worst}
	}
}

// isPlace tells the findings about where a host is.
func isPlace(code string) bool {
	switch code {
	case "ip-loopback", "ip-private", "ip-link-local", "ip-cgnat", "ip-unspecified", "ip-reserved", "ip-embedded-v4", "localhost-name", "internal-name", "empty-host":
		return true
	}
	return false
}

// allowedPlace reports whether a URL's host may be private.
func allowedPlace(u anyurl.URL, private func(netip.Addr) bool, some bool) bool {
	if u.Scheme() == "file" {
		return true
	}
	if a, ok := hostAddr(u); ok {
		return private(a)
	}
	return some
}

// hostAddr is the address that a URL's host is, also where the scheme is not
// special and the host therefore a mere string to the URL Standard.
func hostAddr(u anyurl.URL) (netip.Addr, bool) {
	if a, ok := u.Host().Addr(); ok {
		return a.Unmap(), true
	}
	h, err := anyurl.ParseHost(u.Host().String(), true)
	if err != nil {
		return netip.Addr{}, false
	}
	a, ok := h.Addr()
	return a.Unmap(), ok
}

// networks reads networks or single addresses.
func networks(flag string, texts []string) (list []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, errAddr := netip.ParseAddr(text)
			if errAddr != nil {
				return nil, usage("it is written as in 192.168.1.0/24 or 192.168.1.7", "%s: \"%s\" is no network", flag, text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// portNumbers reads ports.
func portNumbers(flag string, texts []string) (list []uint16, err error) {
	for _, text := range texts {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 {
			return nil, usage("it is a number from 1 to 65535", "%s: \"%s\" is no port", flag, text)
		}
		list = append(list, uint16(n))
	}
	return list, nil
}

func within(nets []netip.Prefix, a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(nets, func(p netip.Prefix) bool { return p.Contains(a) })
}

// address is where a browser on this machine finds a listener.
func address(own netip.AddrPort) string {
	a := own.Addr()
	if a.IsUnspecified() {
		a = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return net.JoinHostPort(a.String(), strconv.Itoa(int(own.Port())))
}

// logger writes the log as asked.
func (c *call) logger(ask serveAsk) (*slog.Logger, error) {
	if err := oneOf("--log", ask.logAs, "text", "json", "none"); err != nil {
		return nil, err
	}
	if err := oneOf("--log-level", ask.logLevel, "debug", "info", "warn", "error"); err != nil {
		return nil, err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(ask.logLevel)); err != nil {
		return nil, usage("", "--log-level: %v", err)
	}
	options := &slog.HandlerOptions{Level: level}
	switch ask.logAs {
	case "json":
		return slog.New(slog.NewJSONHandler(c.errw, options)), nil
	case "none":
		return slog.New(slog.DiscardHandler), nil
	}
	return slog.New(slog.NewTextHandler(c.errw, options)), nil
}

// addressOf prints where the gateway shows a URL, for a desktop that hands over
// links.
func (c *call) addressOf(ask serveAsk) error {
	u, err := anyurl.Parse(strings.TrimSpace(ask.addressOf))
	if err != nil {
		return &failure{statusProblem, err, ""}
	}
	host := ask.listen
	if ap, err := netip.ParseAddrPort(ask.listen); err == nil {
		host = address(ap)
	}
	_, err = io.WriteString(c.out, "http://"+host+gateway.Address(u)+"\n")
	return err
}
