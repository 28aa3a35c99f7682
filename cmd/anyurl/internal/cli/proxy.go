package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/percent"
	"anyurl/proto/builtin"
)

// A way is what stands between this machine and the servers, as flags say.
type way struct {
	gateways []string // KEY=TEMPLATE
	proxies  []string // [SCHEME=]URL
	noProxy  string
}

func (w *way) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&w.gateways, "gateway", nil, "open a scheme's URLs, or a host's and those below it, by a gateway: `KEY=TEMPLATE`, as in wais=http://gw.example/?{url}; may be given again")
	f.StringArrayVar(&w.proxies, "proxy", nil, "open URLs, of one scheme or of all, by a proxy: `[SCHEME=]URL` of http, https, socks5 or socks5h; empty for none; may be given again")
	f.StringVar(&w.noProxy, "no-proxy", "", "ask no proxy for these `HOSTS`: names, with all below them, addresses and CIDR blocks, with commas between; * for all")
}

// A proxyTable says by which proxy the URLs of a scheme are opened, whoever said
// so: a flag, the environment, a configuration file.
type proxyTable struct {
	flags  map[string]string // by scheme; "" is all
	getenv func(string) string
	file   func(key string) string // [proxy] of the configuration files
}

// table reads the flags.
func (w way) table(c *call) (*proxyTable, error) {
	t := &proxyTable{flags: map[string]string{}, getenv: c.getenv, file: func(key string) string { return c.setting("proxy", key) }}
	for _, text := range w.proxies {
		scheme, url, ok := strings.Cut(text, "=")
		if !ok || strings.Contains(scheme, ":") {
			scheme, url = "", text
		} else if err := knownScheme("--proxy", scheme); err != nil {
			return nil, err
		}
		if _, _, err := readProxy(url); err != nil {
			return nil, usage(proxyHint, "--proxy: %w", err)
		}
		t.flags[strings.ToLower(scheme)] = url
	}
	return t, nil
}

const proxyHint = "a proxy is written as in http://proxy.example:3128 or socks5h://user:password@proxy.example:1080"

// of gives a scheme's proxy. What a flag says comes before the environment,
// that before the files; and of each, what it says about the scheme before what
// it says about all.
func (t *proxyTable) of(scheme string) (p dial.Proxy, ok bool, err error) {
	for _, key := range []string{scheme, ""} {
		if url, ok := t.flags[key]; ok {
			return readProxy(url)
		}
	}
	for _, name := range proxyNames(scheme) {
		if url := t.getenv(name); url != "" && (name != "HTTP_PROXY" || t.getenv("REQUEST_METHOD") == "") {
			p, ok, err := readProxy(url)
			if err != nil {
				err = fmt.Errorf("the environment's %s: %w", name, err)
			}
			return p, ok, err
		}
	}
	for _, key := range []string{scheme, "all"} {
		if url := t.file(key); url != "" {
			return readProxy(url)
		}
	}
	return dial.Proxy{}, false, nil
}

// transports gives the built-in transports by their proxies. Where a proxy is
// written wrongly, its schemes alone cannot be opened.
func (t *proxyTable) transports(d *dial.Dialer, o builtin.Options) map[string]fetch.Transport {
	m := builtin.Transports(d, o)
	for name := range m {
		if _, _, err := t.of(name); err != nil {
			m[name] = fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
				return nil, &fetch.Error{Step: fetch.Connecting, Err: err, Hint: proxyHint}
			})
		}
	}
	return m
}

// proxyNames are the environment's names for a scheme's proxy. A CGI program
// gets a request's Proxy field as HTTP_PROXY, which of asks about.
func proxyNames(scheme string) (names []string) {
	schemes := []string{scheme}
	switch scheme {
	case "nntp": // the protocol that news speaks
		schemes = append(schemes, "news")
	case "ws":
		schemes = append(schemes, "http")
	case "wss":
		schemes = append(schemes, "https")
	}
	for _, s := range append(schemes, "all") {
		names = append(names, s+"_proxy", strings.ToUpper(s)+"_PROXY")
	}
	return names
}

// noProxies are the hosts that no proxy is asked for.
func (w way) noProxies(c *call) fetch.Hosts {
	list := w.noProxy
	for _, name := range []string{"no_proxy", "NO_PROXY"} {
		list = orElse(list, c.getenv(name))
	}
	return fetch.ParseHosts(orElse(list, c.setting("proxy", "no")))
}

// proxyPorts are what a proxy's URL means without a port, and the kinds of
// proxies there are.
var proxyPorts = map[string]int{"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}

// readProxy reads a proxy's URL. Without a scheme it is an HTTP proxy's, and
// empty it is none. Its errors never hold the text, which may hold a password.
func readProxy(text string) (p dial.Proxy, ok bool, err error) {
	if text == "" {
		return p, false, nil
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := anyurl.Parse(text)
	if err != nil {
		return p, false, errors.New("this is no URL of a proxy")
	}
	p.Kind = u.Scheme()
	if p.Kind == "socks" { // as desktops write it
		p.Kind = "socks5h"
	}
	port, ok := proxyPorts[p.Kind]
	if !ok {
		return p, false, fmt.Errorf("no kind of proxy is called %s", p.Kind)
	}
	if u.HasPort() {
		port = int(u.Port())
	}
	host, _, err := fetch.Target(u)
	if err != nil || host == "" {
		return p, false, errors.New("the URL of a proxy names no host")
	}
	p.Address = net.JoinHostPort(host, strconv.Itoa(port))
	p.User, p.Password = percent.Decode(u.Username()), percent.Decode(u.Password())
	return p, true, nil
}

// A gateKeeper puts gateways in front of transports.
type gateKeeper struct {
	keys     []string // schemes, then hosts
	gateways map[string]*fetch.Gateway
	hosts    map[string]bool // the keys that are hosts
}

// gates reads the gateways that the configuration files and then the flags name.
// via gives what opens the gateways themselves; vet is asked about what they are
// to open.
func (w way) gates(c *call, via func() map[string]fetch.Transport, vet func(context.Context, string, uint16) error) (*gateKeeper, error) {
	g := &gateKeeper{gateways: map[string]*fetch.Gateway{}, hosts: map[string]bool{}}
	var open map[string]fetch.Transport
	add := func(key, template, where string) error {
		key = strings.ToLower(key)
		scheme := knownScheme(where, key)
		if scheme != nil && !strings.ContainsAny(key, ".:") && key != "localhost" {
			return scheme
		}
		if open == nil {
			open = via()
		}
		gateway, err := fetch.NewGateway(template, open)
		if err != nil {
			return usage("a gateway is written as in wais=http://gw.example/?{url}, or with {+url} for the URL as it is", "%s: %w", where, err)
		}
		gateway.Vet = vet
		if !slices.Contains(g.keys, key) {
			g.keys = append(g.keys, key)
		}
		g.gateways[key], g.hosts[key] = gateway, scheme != nil
		return nil
	}
	for i := len(c.files) - 1; i >= 0; i-- { // what counts most comes last
		for _, t := range c.files[i].Tables {
			for _, s := range t.Settings {
				if text, ok := s.Value.(string); ok && t.Name == "gateway" {
					if err := add(s.Key, text, fmt.Sprintf("%s:%d", c.files[i].Name, s.Line)); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	for _, text := range w.gateways {
		key, template, ok := strings.Cut(text, "=")
		if !ok {
			return nil, usage("it is written as in wais=http://gw.example/?{url}", "--gateway \"%s\" says not what it is for", text)
		}
		if err := add(key, template, "--gateway"); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// into puts the gateways in front of m: a host's before a scheme's.
func (g *gateKeeper) into(m map[string]fetch.Transport) {
	for _, key := range g.keys {
		if !g.hosts[key] {
			m[key] = g.gateways[key]
		}
	}
	for _, key := range g.keys {
		if !g.hosts[key] {
			continue
		}
		for name, t := range m {
			if name == "file" || name == "data" {
				continue // they are nobody's but this machine's
			}
			m[name] = &fetch.ByHost{Hosts: fetch.ParseHosts(key), For: g.gateways[key], Else: t}
		}
	}
}
