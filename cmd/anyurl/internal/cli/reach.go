package cli

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
	"anyurl/scheme/known"
)

// A reach is how far a command may go, and by which way, as its flags say.
type reach struct {
	http3 bool // https over HTTP/3 first
	way
	guard    bool // refuse internal addresses
	private  bool // let redirects from public addresses lead to internal ones
	timeout  time.Duration
	maxSize  int64
	retries  int      // how often what may pass is tried again
	articles int      // of a newsgroup; 0 is the default
	ports    []uint   // that a URL may name whatever its scheme
	cacert   string   // a file of certificates that are trusted, too
	mail     *mailAsk // nil for what neither sends nor reads mail
	perHost  int      // connections to one host; 0 is no bound
	hops     int      // redirects that are followed; 0 is the default
}

// client gives what opens URLs within the reach, with the servers, proxies and
// gateways that flags, the environment and the configuration files name. The
// caller closes it.
func (r reach) client(c *call) (*fetch.Client, error) {
	table, err := r.table(c)
	if err != nil {
		return nil, err
	}
	trust, err := trusted(r.cacert)
	if err != nil {
		return nil, err
	}
	options := builtin.Options{Articles: r.articles, News: c.setting("news", "server"), AFS: c.setting("afs", "root"),
		SSH:         c.ssh(),
		GeminiHosts: homeFile(c.getenv, "XDG_STATE_HOME", ".local/state", "gemini-hosts"),
		PerHost:     r.perHost, HTTP3: r.http3}
	if r.mail != nil {
		r.mail.into(&options, c.setting)
	}
	options.NoProxy = r.noProxies(c)
	options.Proxy = func(scheme string) (dial.Proxy, bool) {
		p, ok, _ := table.of(scheme)
		return p, ok
	}
	client := &fetch.Client{Limits: fetch.Limits{Total: r.timeout, MaxBody: r.maxSize, MaxHops: r.hops}}
	if len(r.ports) > 0 {
		client.AllowPort = func(_ string, port uint16) bool { return slices.Contains(r.ports, uint(port)) }
	}
	free := &dial.Dialer{TLS: trust}
	switch {
	case r.guard:
		client.Gate = audit.Guard
		client.Transports, err = r.transports(c, &dial.Dialer{Allow: dial.Guard, TLS: trust}, options, table)
	case r.private:
		client.Transports, err = r.transports(c, free, options, table)
	default:
		client.Transports, err = r.transports(c, free, options, table)
		if err == nil {
			client.Outside, err = r.transports(c, &dial.Dialer{Allow: dial.Guard, TrustProxy: true, TLS: trust}, options, table)
		}
	}
	if err != nil {
		return nil, err
	}
	return client, nil
}

// trusted is what TLS starts from: the system's authorities, and those of a
// file, if it is not "".
func trusted(file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, cannot(fmt.Errorf("reading the certificates: %w", err), "")
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, usage("it begins with -----BEGIN CERTIFICATE-----", "--cacert: %s holds no certificate in PEM", file)
	}
	return &tls.Config{RootCAs: pool}, nil
}

// transports gives what opens URLs through d.
func (r reach) transports(c *call, d *dial.Dialer, o builtin.Options, table *proxyTable) (map[string]fetch.Transport, error) {
	m := table.transports(d, o)
	// Where the gateways are is the user's choice, so nobody asks whether they
	// may be connected to; what they are asked for is another matter.
	via := func() map[string]fetch.Transport { return table.transports(&dial.Dialer{TLS: d.TLS}, o) }
	g, err := r.gates(c, via, d.Vet)
	if err != nil {
		return nil, err
	}
	g.into(m)
	if r.retries > 0 {
		for name, t := range m {
			m[name] = &fetch.Retry{Transport: t, Attempts: 1 + r.retries}
		}
	}
	return m, nil
}

// opens lists the schemes that this build opens.
func opens() []string {
	var names []string
	for name := range builtin.Transports(&dial.Dialer{}, builtin.Options{}) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// knownScheme refuses a scheme that a flag names and that is in no list.
func knownScheme(flag, name string) error {
	lower := strings.ToLower(name)
	if _, ok := known.Lookup(lower); ok || slices.Contains(opens(), lower) {
		return nil
	}
	hint := "anyurl schemes lists what there is"
	if near := closest(lower, opens()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usage(hint, "%s: there is no scheme \"%s\"", flag, name)
}

// misspelt says of a URL which scheme may be meant, where it has "//" and a scheme
// that nobody knows and that is close to one that opens; else it says nothing.
func misspelt(u anyurl.URL) string {
	if _, ok := known.Lookup(u.Scheme()); ok || !u.HasHost() {
		return ""
	}
	if near := closest(u.Scheme(), opens()); near != "" && !slices.Contains(opens(), u.Scheme()) {
		return "there is no scheme " + u.Scheme() + "; " + near + " may be meant"
	}
	return ""
}

// list is names in a sentence.
func list(names []string) string { return strings.Join(names, ", ") }

// ssh is the user as SSH's own programs know them: the agent, the keys and the
// known hosts in the usual places. New hosts are remembered in a file of ours.
func (c *call) ssh() builtin.SSH {
	s := builtin.SSH{
		User: orElse(c.getenv("LOGNAME"), c.getenv("USER")), Agent: c.getenv("SSH_AUTH_SOCK"),
		Known: []string{"/etc/ssh/ssh_known_hosts"}, Hosts: homeFile(c.getenv, "XDG_STATE_HOME", ".local/state", "ssh-hosts"),
	}
	if home := c.getenv("HOME"); filepath.IsAbs(home) {
		folder := filepath.Join(home, ".ssh")
		s.Known = append(s.Known, filepath.Join(folder, "known_hosts"))
		for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
			s.Keys = append(s.Keys, filepath.Join(folder, name))
		}
	}
	return s
}
