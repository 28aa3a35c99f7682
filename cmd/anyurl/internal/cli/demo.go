package cli

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/audit"
	"anyurl/cmd/anyurl/internal/demo"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/gateway"
	"anyurl/proto/builtin"
)

// A demoAsk is what the flags of demo say.
type demoAsk struct {
	stay   bool
	during time.Duration // 0 is no bound, where stay is set
	listen string
}

func newDemo(c *call) *cobra.Command {
	var ask demoAsk
	cmd := &cobra.Command{
		Use:     "demo [flags]",
		Short:   "show it all on a small internet of its own",
		GroupID: groupReaches,
		Long: `Starts a small internet on loopback, with a server for each scheme: the web, FTP,
gopher, news, telnet, finger, gemini, spartan, dict and others. It writes a text
that links to them, to what is there and to what is gone, and checks it: links are
found, read by the rules of their scheme, opened and judged. A second text, with
links that nobody should follow, is vetted and not opened. Then it ends.

With --stay the servers stay, and a gateway shows them to a browser: its page /tour
walks through the schemes. Its links stay on this machine; a URL that you type there
yourself opens where it is public, and nothing else of this machine does. Nothing is
left behind, also after an interruption.`,
		Example: "anyurl demo\nanyurl demo --stay\nanyurl demo --for 10m",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return c.demo(ask) },
	}
	f := cmd.Flags()
	f.BoolVar(&ask.stay, "stay", false, "keep the servers, and a gateway with a tour of them, until interrupted")
	durationFlag(cmd, &ask.during, "for", 0, "as --stay, but for this `DURATION` at the most")
	f.StringVar(&ask.listen, "listen", "127.0.0.1:0", "where the gateway listens, as `ADDRESS:PORT`")
	return cmd
}

// demo shows what there is to show.
func (c *call) demo(ask demoAsk) error {
	internet, err := demo.Start(c.ctx)
	if err != nil {
		return cannot(fmt.Errorf("starting the servers: %w", err), "the demo takes a loopback interface, 127.0.0.1, and nothing else")
	}
	defer internet.Close()
	// Where the interface is down, listening works and nothing else does.
	conn, err := (&dial.Dialer{}).DialContext(c.ctx, "tcp", internet.Web)
	if err != nil {
		return cannot(fmt.Errorf("reaching the demo's own servers: %w", err), "the demo takes a loopback interface that is up, 127.0.0.1, and nothing else")
	}
	conn.Close()
	dir, err := os.MkdirTemp("", "anyurl-demo-")
	if err != nil {
		return cannot(err, "")
	}
	defer os.RemoveAll(dir)
	if err := demo.Keep(dir); err != nil {
		return cannot(err, "")
	}
	if err := c.checkDemo(internet, dir); err != nil {
		return err
	}
	if !ask.stay && ask.during == 0 {
		fmt.Fprint(c.out, "\nanyurl demo --stay keeps it, with a tour of the schemes for a browser.\n")
		return nil
	}
	if ask.during > 0 {
		ctx, stop := context.WithTimeout(c.ctx, ask.during)
		defer stop()
		defer func(was context.Context) { c.ctx = was }(c.ctx)
		c.ctx = ctx
	}
	return c.serveDemo(internet, dir, ask.listen)
}

// checkDemo checks a text that links to the internet, and vets one that lies.
func (c *call) checkDemo(internet *demo.Internet, dir string) error {
	guide, letter := filepath.Join(dir, "guide.md"), filepath.Join(dir, "letter.txt")
	for path, text := range map[string]string{guide: internet.Sample(), letter: demo.Letter} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return cannot(err, "")
		}
	}
	defer c.pretend(map[string]string{
		"XDG_STATE_HOME": dir, // what is trusted here is not remembered
		"NNTPSERVER":     internet.News,
	})()
	fmt.Fprintf(c.out, "A small internet, on this machine alone: http://%s/, ftp://%s/, gopher://%s/\n", internet.Web, internet.FTP, internet.Gopher)
	c.present("guide.md, a text that links to it", internet.Sample(), "anyurl check --all guide.md")
	ask := defaultCheck()
	ask.all, ask.pause = true, 50*time.Millisecond // what does not answer here never will
	if err := c.check([]string{guide}, ask); err != nil {
		return err
	}
	c.present("letter.txt, a text that lies", demo.Letter, "anyurl audit --find letter.txt")
	a := auditor{call: c, least: audit.Warning}
	how := defaultReading()
	if err := a.texts([]string{letter}, how.finder(false)); err != nil {
		return err
	}
	c.status = statusWell // that some are broken is the point
	return nil
}

// pretend has the environment say something else until it is undone.
func (c *call) pretend(says map[string]string) (undo func()) {
	was := c.getenv
	c.getenv = func(name string) string {
		if value, ok := says[name]; ok {
			return value
		}
		return was(name)
	}
	return func() { c.getenv = was }
}

// serveDemo serves the gateway with the tour until the run ends.
func (c *call) serveDemo(internet *demo.Internet, dir, at string) error {
	l, err := net.Listen("tcp", at)
	if err != nil {
		return cannot(fmt.Errorf("listening: %w", err), "--listen names another address; port 0 is any that is free")
	}
	defer l.Close()
	own, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return cannot(err, "")
	}
	log, err := c.logger(serveAsk{logAs: "none", logLevel: "info"})
	if err != nil {
		return err
	}
	options, err := demoGateway(internet, dir, own)
	if err != nil {
		return cannot(err, "")
	}
	defer options.Client.Close()
	fmt.Fprintf(c.out, "\nThe servers stay until you interrupt. A tour of them, for a browser:\n\n  http://%s/tour\n\nTry, elsewhere:\n  anyurl get gopher://%s/1/\n  anyurl get ftp://%s/motd\n  anyurl get finger://%s/ann\n  anyurl get nntp://%s/demo.garden\n  NNTPSERVER=%s anyurl get news:demo.garden\n",
		address(own), internet.Gopher, internet.FTP, internet.Finger, internet.News, internet.News)
	c.out.Flush()
	return c.listen(l, gateway.New(options), log)
}

// demoGateway is a gateway that opens the internet, what is public, and nothing
// else of this machine. What its protocols remember, they remember in dir.
func demoGateway(internet *demo.Internet, dir string, own netip.AddrPort) (o gateway.Options, err error) {
	d := &dial.Dialer{Allow: func(host string, ap netip.AddrPort) error {
		if internet.Has(ap) {
			return nil
		}
		return dial.Guard(host, ap)
	}}
	transports := builtin.Transports(d, builtin.Options{News: internet.News, Articles: articlesShown, GeminiHosts: filepath.Join(dir, "gemini-hosts"),
		SSH: builtin.SSH{Hosts: filepath.Join(dir, "ssh-hosts")}, Mailboxes: []string{filepath.Join(dir, "mailbox")}})
	delete(transports, "afs")
	transports["file"] = builtin.Folder(filepath.Join(dir, "files"))
	files, err := folderURL(filepath.Join(dir, "files"))
	if err != nil {
		return o, err
	}
	o = gateway.Options{
		Client: &fetch.Client{Transports: transports},
		Gate:   demoGate(internet),
		Hosts:  []string{address(own)},
		Files:  files,
		Rate:   100, // one person and servers next door
		Burst:  1000,
	}
	for name := range transports {
		if name != "mailto" && name != "http" && name != "https" {
			o.Schemes = append(o.Schemes, name)
		}
	}
	for _, s := range internet.Tour(dir) {
		stop := gateway.Stop{Name: s.Name, Says: s.Says, History: s.History, Look: s.Look}
		for _, l := range s.Links {
			u, err := anyurl.Parse(l.URL)
			if err != nil {
				return o, err
			}
			stop.Links = append(stop.Links, gateway.Link{URL: u, Name: l.Name})
		}
		o.Tour = append(o.Tour, stop)
	}
	return o, nil
}

// demoGate is the guard, but for the internet's own servers, by address and port
// and no other on loopback, and for data, which the gateway shows as it shows
// what came from anywhere.
func demoGate(internet *demo.Internet) func(anyurl.URL) error {
	guard := gateOf(func(netip.Addr) bool { return false }, false, nil)
	open := gateOf(netip.Addr.IsLoopback, false, nil)
	return func(u anyurl.URL) error {
		if a, ok := hostAddr(u); ok && internet.Has(netip.AddrPortFrom(a, u.EffectivePort())) {
			return open(u)
		}
		if u.Scheme() == "data" {
			return nil
		}
		return guard(u)
	}
}

// present shows a text and the command that is run on it.
func (c *call) present(title, text, command string) {
	fmt.Fprintf(c.out, "\n%s:\n\n", title)
	for line := range strings.Lines(text) {
		fmt.Fprintf(c.out, "    %s", line)
	}
	fmt.Fprintf(c.out, "\n$ %s\n\n", command)
}
