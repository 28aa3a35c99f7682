package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/percent"
)

// A getAsk is what the flags of get ask for.
type getAsk struct {
	output, meta, as, in       string
	named, resume, guard, wire bool
	head, anyStatus            bool
	private, capture, http3    bool
	several                    bool // URLs may be asked for
	listed                     bool // a form of listings was asked for
	way                        way
	netrc                      netrcAsk
	maxSize                    size
	timeout                    time.Duration
	retries, articles          int
	ports                      []uint
	cacert                     string
	header                     []string
	mail                       mailAsk
}

func newGet(c *call) *cobra.Command {
	ask := getAsk{maxSize: 1 << 30}
	cmd := &cobra.Command{
		Use:     "get [flags] [URL...]",
		Short:   "open URLs and give what is there",
		GroupID: groupReaches,
		Long: `Opens each URL by the protocol of its scheme, follows where servers send it, and
writes the object to standard output, or to a FILE that appears when it is whole.
Folders, menus and other listings are written as they came, or as --as says. With
no URL, or -, URLs come from standard input, and several are fetched at once.

A mailto URL gives the letter that it stands for, and sends it only with --send; what
mid and cid URLs name is looked for in one's own mail.

A telnet, tn3270 or rlogin URL names a service to talk to: at a terminal that is what
happens, and the user name of the URL is told and not sent. Elsewhere, and with
--capture, what the service says first is the object.

A password in the URL is used and never shown. Nothing that a terminal would obey
reaches one, but what a telnet or rlogin session sends it: text is escaped, and what
is no text is not written there.`,
		Example: `anyurl get gopher://gopher.floodgap.com/1/
anyurl get -o motd --meta motd.json ftp://ftp.example.com/pub/motd
anyurl get --as json ftp://ftp.example.com/pub/
anyurl find --unique page.html | anyurl get -O -`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.get(cmd, args, ask) },
	}
	f := cmd.Flags()
	f.StringVarP(&ask.output, "output", "o", "", "write the object to `FILE`")
	f.BoolVarP(&ask.named, "remote-name", "O", false, "write each object to a file named after its URL")
	f.BoolVarP(&ask.resume, "continue", "C", false, "go on where the file of -o or -O ends, if its end stands there in the object")
	f.StringVar(&ask.meta, "meta", "", "write what is known about the object to `FILE`, as JSON, a line for each URL")
	f.StringVar(&ask.as, "as", "", "write a listing as `text|json|raw` (default text on a terminal, else raw)")
	complete(cmd, "as", "text", "json", "raw")
	f.Var(&ask.maxSize, "max-size", "take at most this `SIZE`: octets, or with K, M or G behind")
	timeoutFlag(cmd, &ask.timeout, 0, "give up after this long; else after an hour, or when nothing comes for a minute")
	numberFlag(cmd, &ask.retries, "retries", 2, 0, 100, "ask a server that is busy, or a connection that broke before its answer, again this `NUMBER` of times")
	f.BoolVar(&ask.guard, "guard", false, "refuse internal addresses, and what audit would block")
	f.BoolVar(&ask.private, "allow-private", false, "let a redirect from a public address lead to an internal one")
	f.UintSliceVar(&ask.ports, "allow-port", nil, "let a URL name this `PORT`, whatever protocol it is known for; may be given again")
	f.StringVar(&ask.cacert, "cacert", "", "trust the certificates in `FILE`, too: PEM, an authority's or a server's own")
	numberFlag(cmd, &ask.articles, "articles", 100, 1, 100_000, "list this `NUMBER` of a newsgroup's latest articles")
	ask.way.flags(cmd)
	ask.netrc.flags(cmd)
	f.StringArrayVarP(&ask.header, "header", "H", nil, "send this `NAME: VALUE` with an HTTP request; may be given again")
	f.BoolVarP(&ask.head, "head", "I", false, "ask about the object only, and write --meta's JSON")
	f.BoolVar(&ask.anyStatus, "any-status", false, "write what comes with an HTTP error, too")
	f.BoolVar(&ask.http3, "http3", false, "ask https servers over HTTP/3 first, and those that do not speak it over TCP")
	f.BoolVar(&ask.capture, "capture", false, "take what a telnet, tn3270 or rlogin service says first, and do not talk to it")
	f.BoolVarP(&ask.wire, "verbose", "v", false, "show the conversation on standard error")
	ask.mail.flags(cmd)
	inFlag(cmd, &ask.in)
	either(cmd, "output", "remote-name")
	return cmd
}

// A fetched is one URL's answer on its way to be written.
type fetched struct {
	asked  asked
	url    anyurl.URL
	offset int64 // how much of it is there already
	result *fetch.Result
	err    error
	start  time.Time
	octets int64              // of the body that have come
	came   func(octets int64) // told how much that is; nil for nobody

	part    *wholeFile // what it was written to already, not yet in its place; nil for nothing
	partErr error      // why that is not whole
}

// discard takes away what nobody wants any more.
func (f *fetched) discard() {
	if f.part != nil {
		f.part.finish(false)
	}
	if f.result != nil {
		f.result.Body.Close()
	}
}

func (c *call) get(cmd *cobra.Command, args []string, ask getAsk) error {
	if err := oneOf("--in", ask.in, "lines", "nul", "json"); err != nil {
		return err
	}
	ask.listed = ask.as == "text" || ask.as == "json"
	switch {
	case ask.as == "" && c.out.terminal && ask.output == "" && !ask.named:
		ask.as = "text"
	case ask.as == "":
		ask.as = "raw"
	}
	if err := oneOf("--as", ask.as, "text", "json", "raw"); err != nil {
		return err
	}
	switch {
	case cmd.Flags().Changed("output") && ask.output == "":
		return usage("-o - is standard output", "-o names no file")
	case slices.ContainsFunc(ask.ports, func(p uint) bool { return p == 0 || p > 65535 }):
		return usage("", "--allow-port is a number from 1 to 65535")
	case ask.output != "" && (len(args) != 1 || args[0] == "-"):
		return usage("-O names a file after each URL", "-o is for one URL")
	case ask.output != "" && ask.named:
		return usage("", "-o and -O exclude each other")
	case ask.resume && ask.output == "-":
		return usage("-C -o FILE goes on with FILE", "standard output is nothing that -C could go on with")
	case cmd.Flags().Changed("meta") && ask.meta == "":
		return usage("--meta - is standard output", "--meta names no file")
	case ask.resume && ask.output == "" && !ask.named:
		return usage("-C -o FILE goes on with FILE", "-C needs a file to go on with")
	case ask.meta == "-" && (ask.output == "" && !ask.named || ask.output == "-"):
		return usage("--head writes it to standard output; so does --meta - with -o FILE", "the object goes to standard output, and --meta cannot")
	case ask.meta != "" && sameFile(ask.meta, ask.output):
		return usage("", "-o and --meta name the same file")
	}
	header, err := readHeader(ask.header)
	if err != nil {
		return err
	}
	meta := c.out
	if ask.meta != "" && ask.meta != "-" {
		f, err := c.create(ask.meta)
		if err != nil {
			return err
		}
		meta = newOutput(f)
		defer func() {
			flushErr := meta.Flush()
			if err := errors.Join(flushErr, f.finish(flushErr == nil)); err != nil {
				c.complain(err)
			}
		}()
	}
	client, err := reach{http3: ask.http3, way: ask.way, guard: ask.guard, private: ask.private, timeout: ask.timeout, maxSize: int64(ask.maxSize), retries: ask.retries,
		articles: ask.articles, ports: ask.ports, cacert: ask.cacert, mail: &ask.mail}.client(c)
	if err != nil {
		return err
	}
	defer client.Close()
	if client.Credentials, err = c.logins(ask.netrc); err != nil {
		return err
	}

	var trace func(fetch.Event)
	if ask.wire {
		trace = func(e fetch.Event) { fmt.Fprintf(c.errw, "%c %s\n", e.Kind, c.maskedWire(e.Text)) }
	}
	shown := &conversations{}
	traceOf := func(u anyurl.URL) func(fetch.Event) {
		if trace == nil || !ask.several {
			return trace
		}
		return func(e fetch.Event) {
			shown.line(u, func() { fmt.Fprintf(c.errw, "* %s\n", c.hidden(u.String())) }, func() { trace(e) })
		}
	}
	if c.talks(args, ask) {
		if u, err := anyurl.Parse(args[0]); err == nil {
			if talked, err := c.talk(client, u, trace); talked {
				return err
			}
		}
	}
	ask.several = len(args) != 1 || args[0] == "-"
	begin := func(ctx context.Context, a asked) *fetched {
		f := &fetched{asked: a, start: time.Now()}
		p := anyurl.Parser{}
		if a.hasBase {
			if p.Base, f.err = anyurl.Parse(a.base); f.err != nil {
				f.err = &baseError{f.err}
				return f
			}
		}
		if f.url, f.err = p.Parse(a.url); f.err != nil {
			f.err = &failure{statusProblem, f.err, noScheme(f.err, a.url)}
			return f
		}
		req := &fetch.Request{URL: f.url, Base: p.Base, Header: header, Trace: traceOf(f.url)}
		if ask.head {
			req.Method = "HEAD"
		}
		if ask.resume {
			f.offset = resumeAt(ask.fileOf(f.url))
			req.Offset = f.offset
		}
		req.Progress = func(octets int64) {
			f.octets = octets
			if f.came != nil {
				f.came(octets)
			}
		}
		f.result, f.err = c.ask(ctx, client, req)
		if f.err == nil && ask.savesAhead(f) {
			f.part, f.partErr = copied(c.createNew, ask.fileOf(f.url), f.result.Body)
		} else if f.err == nil {
			f.result.Pause() // those before it are written first
		}
		return f
	}
	most := atOnce
	if ask.named {
		most = atOnceToFiles
	}
	for f := range c.ahead(args, ask.in, most, begin) {
		err := c.deliver(f, ask)
		if ask.meta != "" || ask.head {
			if metaErr := c.metaOf(meta, f, err); metaErr != nil {
				return cannot(metaErr, "")
			}
		}
		if err != nil && c.ctx.Err() == nil {
			if e, ok := errors.AsType[*fetch.Error](err); ok {
				e.Hint = orElse(ask.wayOut(e, f.url), e.Hint)
			}
			c.complain(err)
		}
		c.out.idle()
	}
	return nil
}

// ask opens what is asked for. A server of HTTP that knows no HEAD (RFC 9110,
// sections 15.5.6 and 15.6.2) is asked for the object, of which nothing is taken.
func (c *call) ask(ctx context.Context, client *fetch.Client, req *fetch.Request) (*fetch.Result, error) {
	r, err := client.Do(ctx, req)
	if err != nil || !req.Head() || !strings.HasPrefix(r.Protocol, "HTTP/") || r.Status != 405 && r.Status != 501 {
		return r, err
	}
	r.Body.Close()
	req.Method = ""
	if r, err = client.Do(ctx, req); err != nil {
		return nil, err
	}
	r.Body.Close()
	c.note("%s: the server does not answer HEAD; it was asked for the object, which was not taken", c.hidden(req.URL.String()))
	return r, nil
}

// conversations are those with the servers of several URLs, which go on at the same
// time and are told apart.
type conversations struct {
	mu   sync.Mutex
	last anyurl.URL
}

// line shows a line of u's conversation, under a heading where another's came
// before it.
func (t *conversations) line(u anyurl.URL, heading, line func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u != t.last {
		heading()
		t.last = u
	}
	line()
}

// atOnce is how many URLs get fetches at once, while the first of them is
// written.
const atOnce = 8

// atOnceToFiles is the same where each goes to a file of its own, and need not
// wait for those before it.
const atOnceToFiles = 16

// aheadMost is how many URLs may be begun before the first of them is answered
// for. One that is slow would else let the others' connections stand idle.
const aheadMost = 256

// A turn is a URL on its way from where it was asked for to its answer.
type turn struct {
	asked  asked
	answer chan *fetched
	over   chan struct{} // closed when the answer was used
}

// ahead begins with several URLs at once and gives their answers in the order
// in which they were asked for. An answer that still has an object to give takes
// one of the most places until it was used.
func (c *call) ahead(args []string, in string, most int, begin func(context.Context, asked) *fetched) iter.Seq[*fetched] {
	return func(yield func(*fetched) bool) {
		ctx, stop := context.WithCancel(c.ctx)
		queue, work := make(chan *turn, aheadMost), make(chan *turn)
		var workers sync.WaitGroup
		for range most {
			workers.Go(func() {
				for t := range work {
					f := begin(ctx, t.asked)
					holds := f.err == nil && f.part == nil && f.partErr == nil
					t.answer <- f
					if holds {
						<-t.over
					}
				}
			})
		}
		defer workers.Wait()
		defer func() {
			stop()
			for t := range queue { // begun, and not asked for any more
				(<-t.answer).discard()
				close(t.over)
			}
		}()
		go func() {
			defer close(queue)
			defer close(work)
			for a, err := range c.asked(args, in) {
				t := &turn{a, make(chan *fetched, 1), make(chan struct{})}
				select {
				case queue <- t:
				case <-ctx.Done():
					return
				}
				if err != nil {
					t.answer <- &fetched{err: err, start: time.Now()}
					continue
				}
				select {
				case work <- t:
				case <-ctx.Done():
					t.answer <- &fetched{asked: a, err: ctx.Err(), start: time.Now()}
					return
				}
			}
		}()
		for t := range queue {
			select {
			case f := <-t.answer:
				more := yield(f)
				close(t.over)
				if !more {
					return
				}
			case <-ctx.Done():
				(<-t.answer).discard()
				close(t.over)
				return
			}
		}
	}
}

// deliver writes an answer where it belongs.
func (c *call) deliver(f *fetched, ask getAsk) error {
	if f.err != nil {
		return f.err
	}
	defer f.result.Body.Close()
	r := f.result
	r.Resume()
	switch r.URL.Scheme() {
	case "telnet", "tn3270", "rlogin": // where it is advice (RFC 4248, RFC 6270), and never sent
		for _, user := range r.Header["Suggested-User"] {
			c.note("the URL suggests the user name %s; it was not sent", user)
		}
	case "gemini", "sftp": // whose servers are known by having been there before
		if homeFile(c.getenv, "XDG_STATE_HOME", ".local/state", "hosts") == "" {
			c.note("%s: who answers there cannot be remembered, as neither XDG_STATE_HOME nor HOME is set: another would not be noticed", c.hidden(r.URL.String()))
		}
	}
	if r.Protocol == "websocket" {
		agreed := ""
		for _, name := range r.Header["Sec-Websocket-Protocol"] {
			agreed = ", for the subprotocol " + name
		}
		if r.Size == 0 {
			agreed += "; it says nothing first"
		}
		c.note("the server opened the WebSocket%s", agreed)
	}
	if rest, ok := strings.CutPrefix(strings.Join(r.Header["Content-Range"], ""), "articles "); ok && r.Listing {
		listed, all, _ := strings.Cut(rest, "/")
		c.note("the group has %s articles; those listed are %s; --articles lists more", all, listed)
	}
	c.noteLetter(r)
	if coded := r.Header["Content-Encoding"]; len(coded) > 0 && !wantsCoded(ask.header) {
		c.note("%s: it is coded as %s, which nobody here undoes: it is written as it came", c.hidden(r.URL.String()), quote.Text(strings.Join(coded, ", ")))
	}
	if !r.Listing && ask.listed && strings.HasPrefix(r.Protocol, "HTTP/") && r.URL.Scheme() != "http" && r.URL.Scheme() != "https" {
		c.note("%s: a gateway or a proxy answered with %s, and --as %s is for listings: it is written as it came",
			c.hidden(r.URL.String()), orElse(quote.Text(r.Type), "an object"), ask.as)
	}
	if f.part != nil || f.partErr != nil {
		return c.savedAhead(f)
	}
	if err := c.badStatus(f, ask); err != nil {
		return err
	}
	if ask.head {
		return nil
	}
	body := io.Reader(r.Body)
	if r.Listing && ask.as != "raw" {
		var err error
		if body, err = c.listing(r, ask.as); err != nil {
			return err
		}
	}
	name := ask.output
	if ask.named {
		name = ask.fileOf(f.url)
	}
	if name == "" || name == "-" {
		return c.toOutput(body)
	}
	if r.Status == 304 && strings.HasPrefix(r.Protocol, "HTTP/") { // what is here is what there is
		c.note("%s: it has not changed, says the server; %s stays as it is", c.hidden(r.URL.String()), name)
		return nil
	}
	return c.save(f, body, name, ask)
}

// isBasic reports whether a server's challenge is one of RFC 7617.
func isBasic(challenge string) bool {
	return len(challenge) >= 5 && strings.EqualFold(challenge[:5], "Basic")
}

// wantsCoded reports whether header lines ask for codings.
func wantsCoded(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return strings.EqualFold(strings.TrimSpace(name), "Accept-Encoding")
	})
}

// badStatus is what HTTP's status says against an answer; nil for nothing.
func (c *call) badStatus(f *fetched, ask getAsk) error {
	r := f.result
	if !strings.HasPrefix(r.Protocol, "HTTP/") || ask.anyStatus && !ask.resume {
		return nil
	}
	says := ""
	switch {
	case f.offset > 0 && r.Offset == f.offset: // 416, where nothing is left
	case r.Status == 416 && f.offset > 0:
		says = "the server has no octet where the file ends: the object is shorter now"
	case r.Status >= 400:
		says = fmt.Sprintf("the server answers %d", r.Status)
		if scheme := r.URL.Scheme(); scheme != "http" && scheme != "https" {
			says = fmt.Sprintf("the gateway or proxy answers %d", r.Status)
			if words := firstWords(r); words != "" {
				says += ": " + words
			}
		}
	case r.Status == 101:
		says = "the server answers 101 and goes on in another protocol, which nobody asked for"
	case len(r.Hops) > 0 && slices.Contains(r.Hops[len(r.Hops)-1].Codes, "redirect-no-location"):
		says = fmt.Sprintf("the server answers %d, which leads elsewhere, and does not say where", r.Status)
	}
	if says == "" {
		return nil
	}
	hint := "--any-status writes what came with it"
	switch {
	case r.Status == 401 && !f.url.HasUserinfo():
		hint = "the server wants a login: --netrc gives one, or USER:PASSWORD@ before the host"
	case r.Status == 401:
		hint = "the server takes no such user and password; --any-status writes what came with it"
		if kinds := r.Header["Www-Authenticate"]; len(kinds) > 0 && !slices.ContainsFunc(kinds, isBasic) {
			hint = "the server wants a login of another kind than Basic, which alone is spoken here"
		}
	case ask.resume:
		hint = "without -C the object is taken from its beginning"
	}
	return cannot(fmt.Errorf("%s: %s", c.hidden(r.URL.String()), says), hint)
}

// firstWords is the first line of what came with an answer, where that is a text.
func firstWords(r *fetch.Result) string {
	if r.Type != "text/plain" {
		return ""
	}
	line, _ := bufio.NewReaderSize(io.LimitReader(r.Body, 1000), 1000).ReadString('\n') // as far as it came
	return quote.Text(quote.Mask(strings.TrimSpace(line)))
}

// save writes an object to a file.
func (c *call) save(f *fetched, body io.Reader, name string, ask getAsk) error {
	if isTerminal(c.errw) {
		bar := c.transferBar(name, f.result.Size)
		defer bar.Clear()
		f.came = func(octets int64) { bar.Set64(octets) }
	}
	if ask.resume {
		return c.resume(f, body, name)
	}
	create := c.create
	if ask.named {
		if err := isFree(name); err != nil {
			return err
		}
		create = c.createNew
	}
	out, err := copied(create, name, body)
	if err != nil {
		return err
	}
	return out.finish(true)
}

// copied writes an object beside the file that it will be.
func copied(create func(name string) (*wholeFile, error), name string, body io.Reader) (*wholeFile, error) {
	out, err := create(name)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(out, body); err != nil {
		out.finish(false)
		return nil, notCopied(name, err)
	}
	return out, nil
}

// savesAhead reports whether an answer is written to its file as it comes,
// before those that were asked for before it: of several objects, each that is
// one and that nothing stands in the way of.
func (ask getAsk) savesAhead(f *fetched) bool {
	return ask.several && ask.named && !ask.resume && !ask.head && !f.result.Listing &&
		(ask.anyStatus || f.result.Status < 300 || !strings.HasPrefix(f.result.Protocol, "HTTP/")) && isFree(ask.fileOf(f.url)) == nil
}

// savedAhead puts what was written ahead into its place, unless that was taken
// in the meantime, by another of the objects.
func (c *call) savedAhead(f *fetched) error {
	if f.partErr != nil {
		return f.partErr
	}
	part := f.part
	f.part = nil
	return part.finish(true)
}

// notCopied says which side of a copy failed: the file, or the object.
func notCopied(name string, err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return unwritable(name, err)
	}
	return cannot(err, "")
}

// fileOf is the file that -O names after a URL: its last segment, decoded, with
// nothing in it that leads elsewhere.
func (ask getAsk) fileOf(u anyurl.URL) string {
	if ask.output != "" {
		return ask.output
	}
	name := mailName(u)
	for segment := range u.Segments() {
		if segment != "" {
			name = segment
		}
	}
	name, _, _ = strings.Cut(name, ";type=") // FTP's
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(percent.Decode(name), "_"))
	// Neither hidden nor, on a command line, an option.
	name = strings.TrimLeft(quote.Text(name), ".-")
	if name == "" {
		return "index"
	}
	return shortened(name)
}

// maxName is how many octets a file's name has at most: file systems take 255,
// and a part of a file has a longer name than the whole.
const maxName = 200

// shortened is a name cut to maxName, its ending kept.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	end := filepath.Ext(name)
	if len(end) > 20 {
		end = ""
	}
	return strings.ToValidUTF8(name[:maxName-len(end)], "") + end
}

// toOutput writes an object to standard output, and to a terminal only what
// does no harm there: text, line by line and escaped.
func (c *call) toOutput(body io.Reader) error {
	if !c.out.terminal {
		if _, err := io.Copy(c.out, body); err != nil {
			return cannot(err, "")
		}
		return nil
	}
	buf := make([]byte, 32<<10)
	rest := ""
	for first := true; ; first = false {
		n, err := body.Read(buf)
		chunk := rest + string(buf[:n])
		if first && strings.IndexByte(chunk, 0) >= 0 {
			return cannot(errors.New("this is no text, and a terminal could take it for commands"), "-o FILE writes it to a file; so does >")
		}
		lines := strings.SplitAfter(chunk, "\n")
		rest = lines[len(lines)-1]
		if len(rest) < 64<<10 && err == nil {
			lines = lines[:len(lines)-1]
		} else {
			rest = ""
		}
		for _, line := range lines {
			text := strings.TrimRight(line, "\r\n")
			for i, piece := range strings.Split(text, "\t") {
				if i > 0 {
					io.WriteString(c.out, "\t")
				}
				io.WriteString(c.out, quote.Text(piece))
			}
			if _, err := io.WriteString(c.out, line[len(strings.TrimRight(line, "\n")):]); err != nil {
				return cannot(err, "")
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return cannot(err, "")
		}
	}
}

// transferBar is the bar of one object on a terminal.
func (c *call) transferBar(name string, size int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(c.errw),
		progressbar.OptionSetDescription(quote.Text(name)),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
}

// A size is a number of octets on the command line.
type size int64

func (s *size) String() string {
	n := int64(*s)
	for _, unit := range []string{"", "K", "M", "G"} {
		if n%1024 != 0 || n == 0 || unit == "G" {
			return fmt.Sprintf("%d%s", n, unit)
		}
		n /= 1024
	}
	return ""
}

func (s *size) Type() string { return "SIZE" }

func (s *size) Set(text string) error {
	digits := strings.TrimRight(strings.ToUpper(text), "BI")
	unit := int64(1)
	for i, letter := range "KMG" {
		if cut, ok := strings.CutSuffix(digits, string(letter)); ok {
			digits, unit = cut, 1<<(10*(i+1))
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/unit {
		return fmt.Errorf("\"%s\" is no size: it is written as in 500, 64K or 10M", text)
	}
	*s = size(n * unit)
	return nil
}
