package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/check"
	"anyurl/dial"
	"anyurl/find"
	"anyurl/find/format"
	"anyurl/report"
	"anyurl/scheme/known"
)

// A checkAsk is what the flags of check ask for.
type checkAsk struct {
	form, output, as   string
	root, base         string
	asJSON, sorted     bool
	all, offline       bool
	fragments          bool
	trusting           bool
	mail               bool
	fix, in            string
	index, extensions  []string
	only, without      []string // of folders and globs
	remap              []string
	code               bool
	depth              int
	allowPrivate       bool
	noRobots           bool
	include, exclude   []string
	excludePrivate     bool
	noProgress         bool
	maxRedirects       int
	accept             []string
	schemes            []string
	workers, perHost   int
	interval, timeout  time.Duration
	retries            int
	patience           time.Duration
	header             []string
	who                whoAsk
	guard, noReference bool
	watch              watchAsk
	way                way
	pause              time.Duration // before the first retry; 0 is the usual
}

func newCheck(c *call) *cobra.Command {
	var ask checkAsk
	cmd := &cobra.Command{
		Use:     "check [flags] [PATH|URL...]",
		Short:   "tell which links live",
		GroupID: groupReaches,
		Long: `Finds the links in files, folders, globs and standard input, asks for each URL once,
and tells which live. Relative links are looked up beside their file. A URL as an
argument is itself asked for; with --depth 1 so are the links of its page, and with
more those of the pages of its site that these lead to.

A link is alive; moved, when it leads to another place for good; broken, when it
leads nowhere and there is evidence; blocked, when the guard lets nobody go there;
unsure, when nobody can know: rate-limited, timed out, a login is wanted; or
skipped. What may pass is tried again first. No host is asked for more than a few
URLs at once, and one that wants to be left alone is.

With --history every observation is remembered: the report tells since when a link is
broken, whether it comes and goes, and what may stand in its place. --due then asks only
for what is worth asking for again: what stays as it is, less and less often; what is
broken, sooner.

With --state links and answers are kept in a file, and memory does not grow with them. A
check that was interrupted or killed goes on when it is begun again with the same
arguments; then its report holds all of it, and no URL twice.

A file .anyurlignore in the folder where check is run holds a regular expression a
line, for URLs to skip. Broken and blocked links give status 1. Interrupted, it reports what it knows.`,
		Example: `anyurl check README.md docs/
anyurl check --depth 3 https://example.com/
anyurl check --history links.db docs/ && anyurl check --history links.db --due
git ls-files -z '*.md' | xargs -0 anyurl check --report github`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if ask.asJSON && cmd.Flags().Changed("report") && ask.form != "json" {
				return usage("", "--json and --report %s exclude each other", ask.form)
			}
			ask.watch.job = jobOf(cmd, args)
			return c.check(args, ask)
		},
	}
	ask.flags(cmd)
	either(cmd, "json", "report")
	notForProjects(cmd, "fix", "whether files are rewritten is not the project's to say")
	ask.who.annotate(cmd)
	notForProjects(cmd, "no-robots", "whether a site is yours is not the project's to say")
	notForProjects(cmd, "output", "where a file is written is not the project's to say")
	return cmd
}

// flags declares the flags, with their defaults.
func (ask *checkAsk) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&ask.form, "report", "text", "write the report as `FORM`: "+list(report.Formats()))
	complete(cmd, "report", report.Formats()...)
	f.BoolVar(&ask.asJSON, "json", false, "the same as --report json")
	f.StringVarP(&ask.output, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&ask.sorted, "sorted", false, "report in the order of the input instead of that of the answers")
	f.BoolVar(&ask.all, "all", false, "report what is alive and skipped too")
	f.StringArrayVar(&ask.include, "include", nil, "check only URLs that match this `RE`; may be given again")
	f.StringArrayVar(&ask.exclude, "exclude", nil, "skip URLs that match this `RE`; may be given again")
	f.BoolVar(&ask.excludePrivate, "exclude-private", false, "skip URLs at internal addresses: 10.0.0.1, localhost")
	f.StringArrayVar(&ask.without, "exclude-path", nil, "leave out files and folders that this `PATTERN` names, as a line of .gitignore here would; may be given again")
	f.StringSliceVar(&ask.only, "extensions", nil, "of folders, read only files with these `EXTENSIONS`: md,html")
	f.StringSliceVar(&ask.accept, "accept", nil, "take these HTTP `STATUSES` for good, too: 403,500..599")
	f.StringSliceVar(&ask.schemes, "only-schemes", nil, "check only URLs of these `SCHEMES`, with commas between")
	f.BoolVar(&ask.offline, "offline", false, "check local targets alone, and touch no network")
	numberFlag(cmd, &ask.depth, "depth", 0, 0, anyNumber, "follow the links of a URL's page this `NUMBER` of steps within its site, as robots.txt allows")
	f.BoolVar(&ask.noRobots, "no-robots", false, "ask no site for its robots.txt, and follow all links of its pages: for a site that is yours")
	f.BoolVar(&ask.allowPrivate, "allow-private", false, "let pages from the network lead to internal addresses")
	f.BoolVar(&ask.fragments, "fragments", false, "read pages, and look up the fragment of each link in them")
	f.BoolVar(&ask.trusting, "trusting", false, "take every good answer for what it says, and ask no host for a made-up address to compare")
	f.StringVar(&ask.root, "root", "", "links that begin with / start from this `DIR`")
	f.StringVar(&ask.base, "base", "", "documents are taken to stand at this `URL`: relative links start from there")
	f.BoolVar(&ask.mail, "mail", false, "ask the DNS whether the domains of mail addresses take mail; nobody is written to")
	f.StringSliceVar(&ask.extensions, "fallback-extensions", nil, "a local link to a name that is not there means the name with one of these `EXTENSIONS`: html,htm")
	f.StringSliceVar(&ask.index, "index-files", nil, "a local link to a folder means the first of these `NAMES` in it, as index.html")
	f.StringArrayVar(&ask.remap, "remap", nil, "check another URL or path in the place of those that match, as `'RE TEMPLATE'` with $1 for a group; may be given again")
	// Its value is never left out: with --fix diff FILE, who wants to look first
	// must not be read as who wants files rewritten.
	f.StringVar(&ask.fix, "fix", "", "rewrite links that moved for good, and http where https answers the same, in the files: `diff|write`; diff shows it on standard output and writes nothing")
	complete(cmd, "fix", "diff", "write")
	f.StringVar(&ask.in, "in", "", "standard input is no document but holds URLs, as `lines|nul|json`; json is one string or {\"url\":…,\"base\":…} a line")
	complete(cmd, "in", "lines", "nul", "json")
	f.BoolVar(&ask.noReference, "no-relative", false, "leave out relative links")
	formatFlag(cmd, &ask.as)
	codeFlag(cmd, &ask.code)
	numberFlag(cmd, &ask.workers, "workers", 128, 1, 1<<16, "ask for at most this `NUMBER` of URLs at once")
	numberFlag(cmd, &ask.perHost, "per-host", 16, 1, 1<<16, "and for at most this `NUMBER` at one host")
	durationFlag(cmd, &ask.interval, "interval", 0, "leave this `DURATION` between the answer to one request and the next to the same host")
	timeoutFlag(cmd, &ask.timeout, 30*time.Second, "give up on an answer after this long")
	numberFlag(cmd, &ask.retries, "retries", 2, 0, 100, "try what may pass again this `NUMBER` of times")
	durationFlag(cmd, &ask.pause, "retry-wait", 500*time.Millisecond, "wait this `DURATION` before that, and twice as long before the next")
	numberFlag(cmd, &ask.maxRedirects, "max-redirects", 20, 1, 100, "follow at most this `NUMBER` of redirects of a link")
	durationFlag(cmd, &ask.patience, "patience", time.Minute, "wait at most this `DURATION` when a host says how long (Retry-After)")
	f.StringArrayVarP(&ask.header, "header", "H", nil, "send this `NAME: VALUE` with every HTTP request; may be given again")
	ask.who.flags(cmd)
	f.BoolVar(&ask.guard, "guard", false, "refuse internal addresses, for documents that strangers wrote")
	f.BoolVar(&ask.noProgress, "no-progress", false, "show no progress, also on a terminal")
	ask.watch.flags(cmd)
	ask.way.flags(cmd)
}

// defaultCheck asks what check asks without flags.
func defaultCheck() (ask checkAsk) {
	ask.flags(&cobra.Command{})
	return ask
}

func (c *call) check(args []string, ask checkAsk) (err error) {
	if ask.asJSON {
		ask.form = "json"
	}
	if err := oneOf("--report", ask.form, report.Formats()...); err != nil {
		return err
	}
	if err := oneOf("--format", ask.as, formats()...); err != nil {
		return err
	}
	for _, name := range ask.schemes {
		if err := knownScheme("--only-schemes", name); err != nil {
			return err
		}
	}
	skip, err := c.skip(ask)
	if err != nil {
		return err
	}
	rules, err := readRules(ask)
	if err != nil {
		return err
	}
	if err := oneOf("--fix", ask.fix, "diff", "write", ""); err != nil {
		return err
	}
	if ask.fix == "diff" && ask.form != "text" && (ask.output == "" || ask.output == "-") {
		return usage("-o FILE has the report elsewhere", "--fix diff and --report %s both want standard output", ask.form)
	}
	if err := oneOf("--in", ask.in, "lines", "nul", "json", ""); err != nil {
		return err
	}
	if c.choice, err = readChoice(ask); err != nil {
		return err
	}
	listed := c.listed(args, ask)
	if err := c.apart(args, ask.output); err != nil {
		return err
	}
	c.writes = ask.writes()
	if len(c.choice.Extensions) == 0 {
		c.passes = passedOver
	}
	watch, err := c.openWatch(ask.watch, args)
	if err != nil {
		return err
	}
	defer watch.close()
	out, err := c.reportTo(ask.output)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.finish(err == nil)); err == nil {
			watch.reported(c)
		}
	}()
	diffTo := io.Writer(c.out)
	if ask.fix == "diff" && (ask.output == "" || ask.output == "-") {
		// Standard output is the diff alone, for who applies it; what was found is
		// for people.
		out = &reportFile{Writer: bufio.NewWriter(c.errw)}
	}
	width := 0
	if out.live && ask.fix != "diff" {
		width = c.out.width
	}
	w, err := report.New(ask.form, out, report.Options{Width: width, Color: ask.output == "" && c.colored(c.out), All: ask.all, MaskQuery: c.maskQuery, Trends: watch.trends(c.ctx)})
	if err != nil {
		return err
	}

	checker, closeClients, err := c.checker(ask)
	if err != nil {
		return err
	}
	defer closeClients()
	client := checker.Pace.Through(checker.Client) // for what is asked beside the check
	checker.Skip, checker.Files = skip, rules.files
	pages := pageNotes{call: c}
	checker.Note = pages.take
	checker.Nameless = func(urls int) {
		watch.fail("no name resolves here, and so nothing can be said of URLs whose name is looked up: %d", urls)
	}
	if ask.mail {
		checker.Mail = (&dial.Dialer{}).MX
	}
	var bar *progressbar.ProgressBar
	if isTerminal(c.errw) && !ask.noProgress {
		bar = c.progress()
		checker.Progress = func(done, known int) {
			bar.ChangeMax(known)
			bar.Set(done)
		}
	}
	var fix *fixer
	if ask.fix != "" {
		fix = &fixer{call: c, seen: map[string]fs.FileInfo{}, edits: map[string][]rewrite{}}
		fix.upgrade = func(ctx context.Context, u anyurl.URL) (anyurl.URL, bool) { return check.Secure(ctx, client, u) }
		rules.saw = fix.saw
	}
	var writeErr error
	var held, mayFix []check.Result
	emit := func(r check.Result) {
		r.Written = rules.written.of(r.URL)
		if fix != nil && (r.State == check.Moved || r.State == check.Alive) {
			mayFix = append(mayFix, r)
		}
		if ask.sorted {
			held = append(held, r)
			return
		}
		writeErr = cmp.Or(writeErr, w.Result(r))
		if out.live {
			out.Flush()
			c.out.Flush()
		}
	}
	order := map[string]int{}
	checker.Known = watch.known(c.ctx, time.Now())
	take, finish := watch.stages(c.ctx, client, emit)
	links := c.links(args, ask, rules, order, watch.unread(c))
	if listed {
		links = c.listedLinks(args, ask, rules, watch.unread(c))
	}
	if watch.ask.allDue {
		links = watch.links(c.ctx, time.Now())
	}
	stop := useRoom()
	summary, err := watch.run(c, checker, links, take)
	finish()
	stop()
	if err != nil {
		return err
	}
	summary.Faults = append(summary.Faults, watch.faults...)
	summary.Notes = append(summary.Notes, slices.Concat(watch.notes, pages.lines())...)
	if bar != nil {
		bar.Clear()
	}
	slices.SortStableFunc(held, func(a, b check.Result) int {
		p, q := a.Sources[0], b.Sources[0]
		return cmp.Or(cmp.Compare(order[p.Source], order[q.Source]), cmp.Compare(p.Start, q.Start))
	})
	for _, r := range held {
		writeErr = cmp.Or(writeErr, w.Result(r))
	}
	if writeErr = cmp.Or(writeErr, w.Close(summary)); writeErr != nil {
		return cannot(fmt.Errorf("writing the report: %w", writeErr), "")
	}
	if summary.Links > 0 && summary.Skipped == summary.Unique {
		c.note("every link was skipped; --all tells why")
	}
	for _, failure := range watch.failed {
		c.complain(failure)
	}
	if summary.Broken+summary.Blocked > 0 {
		c.raise(statusProblem)
	}
	switch {
	case fix != nil && c.ctx.Err() != nil:
		fix.interrupted()
	case fix != nil:
		for _, r := range mayFix {
			fix.take(r)
		}
		fix.finish(diffTo, ask.fix == "write")
	}
	return nil
}

// pageNotes are what is said of pages whose links are followed. People hear of each
// thing once, and the report counts the pages.
type pageNotes struct {
	call *call

	mu    sync.Mutex
	says  []string // in the order in which they came
	first map[string]string
	pages map[string]int
}

// mostPageNotes bounds how many different things are said of pages.
const mostPageNotes = 100

func (p *pageNotes) take(n check.Note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pages[n.Says] == 0 {
		if len(p.says) == mostPageNotes {
			return
		}
		if p.pages == nil {
			p.first, p.pages = map[string]string{}, map[string]int{}
		}
		p.says, p.first[n.Says] = append(p.says, n.Says), n.Page
		p.call.note("%s: %s", n.Page, n.Says)
	}
	p.pages[n.Says]++
}

// lines are what the report has of it.
func (p *pageNotes) lines() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, says := range p.says {
		line := p.first[says] + ": " + says
		if n := p.pages[says] - 1; n > 0 {
			line += fmt.Sprintf("; so it is with %d more", n)
		}
		all = append(all, line)
	}
	return all
}

// checker gives what asks as the flags say. Its clients are closed when nobody
// asks any more.
func (c *call) checker(ask checkAsk) (*check.Checker, func(), error) {
	header, err := readHeader(ask.header)
	if err != nil {
		return nil, nil, err
	}
	accept, err := readAccept(ask.accept)
	if err != nil {
		return nil, nil, err
	}
	identify, err := c.identify(ask.who)
	if err != nil {
		return nil, nil, err
	}
	client, err := reach{way: ask.way, guard: ask.guard, private: ask.allowPrivate, timeout: ask.timeout, perHost: ask.perHost, hops: ask.maxRedirects}.client(c)
	if err != nil {
		return nil, nil, err
	}
	checker := &check.Checker{
		Client: client, Header: header, Identify: identify, Fragments: ask.fragments, Trusting: ask.trusting, NoRobots: ask.noRobots, Code: ask.code, Unknown: misspelt, Accept: accept,
		Workers: ask.workers, PerHost: ask.perHost, Pace: &check.Pace{Interval: ask.interval},
		Retries: ask.retries, Patience: ask.patience, Pause: ask.pause,
		Resolves: func(ctx context.Context) bool {
			ctx, stop := context.WithTimeout(ctx, ask.timeout)
			defer stop()
			return (&dial.Dialer{}).Resolves(ctx)
		},
	}
	if ask.retries == 0 {
		checker.Retries = -1
	}
	if ask.allowPrivate {
		return checker, func() { client.Close() }, nil
	}
	guarded, err := reach{way: ask.way, guard: true, timeout: ask.timeout, perHost: ask.perHost, hops: ask.maxRedirects}.client(c)
	if err != nil {
		client.Close()
		return nil, nil, err
	}
	checker.Guarded = guarded
	return checker, func() { client.Close(); guarded.Close() }, nil
}

// links gives the links that the arguments name or hold. order is told the
// sources as they come, and unread what keeps one from being read.
func (c *call) links(args []string, ask checkAsk, rules siteRules, order map[string]int, unread func(error)) iter.Seq[check.Link] {
	return func(yield func(check.Link) bool) {
		var paths []string
		if len(args) == 0 {
			paths = []string{"-"}
		}
		for i, arg := range args {
			if isURL(arg) {
				if err := opensAt(arg); err != nil {
					unread(err)
					continue
				}
				// An argument's place is the command line itself.
				if !yield(rules.remap(check.Link{URL: arg, Depth: ask.depth, Place: check.Place{Start: i}})) {
					return
				}
				continue
			}
			paths = append(paths, arg)
		}
		if len(paths) == 0 {
			return
		}
		order[""] = 0
		f := finder(ask.as, false, ask.code)
		f.References = !ask.noReference
		var base anyurl.URL
		var ignored ignoring
		source := ""
		homeless, slashed := 0, 0 // links that start from nowhere, and at a root that nobody named
		for m, err := range c.matches(paths, f) {
			if err != nil {
				unread(err)
				continue
			}
			if !check.Follows(m) {
				continue
			}
			if m.Source != source {
				source = m.Source
				order[source] = len(order)
				if base = rules.base; base.IsZero() {
					base = baseOf(source)
				}
				ignored = ignoredIn(source, f.Format)
				if ignored.open > 0 {
					c.note("%s: the comment on line %d exempts the links of all the rest, as none ends it", source, ignored.open)
				}
				if rules.saw != nil {
					rules.saw(source)
				}
			}
			link := check.Link{URL: m.URL, Base: base, Place: check.Place{Source: m.Source, Line: m.Line, Col: m.Col, Start: m.Start, End: m.End}}
			if m.Base != "" {
				if b, ok := rules.within(base, m.Base); ok && !anyurl.CanParse(m.Base) {
					link.Base = b
				} else if b, err := anyurl.ParseRef(m.Base, base); err == nil {
					link.Base = b
				}
			}
			if m.Charset != "" {
				link.URL = check.InCharset(m.URL, link.Base, m.Charset)
			}
			if m.Kind != find.URL {
				switch {
				case link.Base.IsZero() && strings.Contains(source, "!/"):
					link.Skip = "what is in such an archive is not looked up"
				case link.Base.IsZero():
					link.Skip = nowhere
					homeless++
				case leaves(link.Base, m.URL):
					link.Skip = "it leads out of the archive"
				case link.Base.Scheme() != "file":
				case m.Kind == find.Relative:
					link.URL = "https:" + link.URL // as it will be where the page is published
				case strings.HasPrefix(m.URL, "/") && rules.root.IsZero():
					link.Skip = rootless
					slashed++
				default:
					if file, ok := rules.within(link.Base, m.URL); ok {
						link.URL, link.Base = file.String(), anyurl.URL{}
					}
				}
			}
			if why := exempt(m, ignored); why != "" {
				link.Skip = why
			}
			if !yield(rules.remap(link)) {
				return
			}
		}
		if slashed > 0 {
			c.note("links that begin with a slash were skipped, %d of them: %s", slashed, rootless)
		}
		if homeless > 0 {
			c.note("relative links that start from nowhere were skipped, %d of them: %s", homeless, nowhere)
		}
	}
}

// leaves reports whether a relative link leads out of the archive that its document
// is a member of.
func leaves(base anyurl.URL, ref string) bool {
	archive, _, member := strings.Cut(base.Path(), "!/")
	if !member || base.Scheme() != "file" {
		return false
	}
	to, err := base.Resolve(ref)
	return err == nil && !strings.HasPrefix(to.Path(), archive+"!/")
}

// nowhere says why a relative link cannot be looked up.
const nowhere = "--base URL says where the document stands"

// rootless says why a link that begins with a slash is skipped.
const rootless = "--root DIR says where the site begins"

// baseOf is what the relative links of a source are relative to: its own file,
// where it has one; standard input has none, nor has a member of an archive that
// is not looked into.
func baseOf(source string) anyurl.URL {
	if source == "-" {
		return anyurl.URL{}
	}
	if _, err := os.Stat(source); err != nil {
		if file, member, ok := strings.Cut(source, "!/"); ok && strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) == member && member != "" {
			base, _ := check.FileURL(file) // one document, compressed: it stands where its file does
			return base
		}
		base, _ := check.MemberURL(source)
		return base
	}
	base, err := check.FileURL(source)
	if err != nil {
		return anyurl.URL{} // a path that no URL can name
	}
	return base
}

// rootOf gives the URL of the folder that links beginning with "/" start from.
func rootOf(dir string) (anyurl.URL, error) {
	if dir == "" {
		return anyurl.URL{}, nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return anyurl.URL{}, unreadable(dir, err)
	}
	u, err := check.FileURL(dir)
	if err != nil {
		return anyurl.URL{}, unreadable(dir, err)
	}
	return u.Join("") // what is relative to a folder needs its slash
}

// isURL reports whether an argument is a URL and no file.
func isURL(arg string) bool {
	if !strings.Contains(arg, ":") {
		return false
	}
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return anyurl.CanParse(arg) || strings.Contains(arg, "://")
}

// opensAt refuses an argument with a scheme that nobody knows: as often as not it
// is a host with a port. A document may hold what it likes.
func opensAt(arg string) error {
	u, err := anyurl.Parse(arg)
	if err != nil || slices.Contains(opens(), u.Scheme()) {
		return nil
	}
	if _, ok := known.Lookup(u.Scheme()); ok {
		return nil
	}
	err = fmt.Errorf("checking %s: nothing here opens %s URLs", arg, u.Scheme())
	if near := closest(u.Scheme(), opens()); near != "" && u.HasHost() {
		return cannot(err, "did you mean "+near+"?")
	}
	return cannot(err, withScheme(arg))
}

// withScheme is a hint for what may be a URL that lacks its scheme, or "".
func withScheme(arg string) string {
	host, _, _ := strings.Cut(arg, "/")
	name, port, hasPort := strings.Cut(host, ":")
	if n, err := strconv.ParseUint(port, 10, 16); hasPort && (err != nil || n == 0) {
		return ""
	}
	h, err := anyurl.ParseHost(name, true)
	if err != nil || !hasPort && !strings.Contains(name, ".") {
		return ""
	}
	scheme := "https"
	switch {
	case h.Kind() == anyurl.HostIPv4 && strings.Count(name, ".") == 3, hasPort:
		scheme = "http"
	case host == arg && format.Of(arg, nil) != "text": // README.md is a host in Moldova, and a file
		return ""
	case !isDomain(name):
		return ""
	}
	return "a URL has a scheme: " + scheme + "://" + arg
}

// isDomain reports whether a name ends in a top-level domain.
func isDomain(name string) bool {
	for m := range find.Text(name, find.Options{Relaxed: true}) {
		return m.Kind <= find.Domain && m.Text == name
	}
	return false
}

// skip gives the rule for what is not asked.
func (c *call) skip(ask checkAsk) (func(string, anyurl.URL) string, error) {
	include, err := compile("--include", ask.include)
	if err != nil {
		return nil, err
	}
	exclude, err := compile("--exclude", ask.exclude)
	if err != nil {
		return nil, err
	}
	ignored, err := c.readIgnored()
	if err != nil {
		return nil, err
	}
	speaks := map[string]bool{"file": true}
	for _, scheme := range opens() {
		speaks[scheme] = true
	}
	return func(text string, u anyurl.URL) string {
		scheme, _, _ := strings.Cut(text, ":")
		switch {
		case len(ask.schemes) > 0 && !slices.ContainsFunc(ask.schemes, func(s string) bool { return strings.EqualFold(s, scheme) }):
			return "left out by --only-schemes"
		case ask.excludePrivate && isInternal(u):
			return "left out by --exclude-private"
		case len(include) > 0 && !slices.ContainsFunc(include, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by --include"
		case slices.ContainsFunc(exclude, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by --exclude"
		case slices.ContainsFunc(ignored, func(re *regexp.Regexp) bool { return re.MatchString(text) }):
			return "left out by " + ignoreFile
		case u.IsZero():
			return "" // no URL, and none of the rules is about that
		case ask.offline && u.Scheme() != "file":
			return "left out by --offline"
		case u.Scheme() == "mailto" && ask.mail:
			return ""
		case u.Scheme() == "mailto" || u.Scheme() == "mailserver":
			return "nobody is written to"
		case !speaks[u.Scheme()] && misspelt(u) == "":
			return "nothing here opens " + u.Scheme() + " URLs"
		}
		return ""
	}, nil
}

// isInternal reports whether a URL names an internal address, or localhost, itself.
func isInternal(u anyurl.URL) bool {
	if a, ok := u.Host().Addr(); ok {
		return dial.Guard(u.Host().Unbracketed(), netip.AddrPortFrom(a, u.EffectivePort())) != nil
	}
	name := "." + strings.TrimSuffix(u.Host().String(), ".")
	return strings.HasSuffix(name, ".localhost")
}

func compile(flag string, texts []string) (all []*regexp.Regexp, err error) {
	for _, text := range texts {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, usage("regular expressions are RE2's", "%s: %w", flag, err)
		}
		all = append(all, re)
	}
	return all, nil
}

// ignoreFile, in the folder where check is run, holds what --exclude could say:
// a regular expression a line; a line that begins with "#" is a remark.
const ignoreFile = ".anyurlignore"

func (c *call) readIgnored() ([]*regexp.Regexp, error) {
	f, err := c.open(ignoreFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(ignoreFile, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLine))
	if err != nil {
		return nil, unreadable(ignoreFile, err)
	}
	var all []*regexp.Regexp
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		res, err := compile(fmt.Sprintf("%s:%d", ignoreFile, n), []string{line})
		if err != nil {
			return nil, err
		}
		all = append(all, res...)
	}
	return all, nil
}

// readAccept reads statuses and ranges of them: "403", "500..599".
func readAccept(texts []string) (func(int) bool, error) {
	type span struct{ from, to int }
	var spans []span
	for _, text := range texts {
		from, to, ranged := strings.Cut(text, "..")
		if !ranged {
			to = from
		}
		a, errA := strconv.Atoi(strings.TrimSpace(from))
		b, errB := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(to, "=")))
		if errA != nil || errB != nil || a < 100 || b > 999 || a > b {
			return nil, usage("it is written as in 403 or 500..599", "--accept \"%s\" is no status", text)
		}
		spans = append(spans, span{a, b})
	}
	if len(spans) == 0 {
		return nil, nil
	}
	return func(status int) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.from <= status && status <= s.to })
	}, nil
}

// readHeader reads header fields as they are written on a command line.
func readHeader(lines []string) (map[string][]string, error) {
	fields := map[string][]string{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(line, "\r\n\x00") {
			word, _, _ := strings.Cut(name, " ") // what follows may be a secret
			return nil, usage(`it is written as in --header "Accept-Language: de"`, "--header \"%s\" is no header field", word)
		}
		switch strings.ToLower(name) {
		case "host", "connection", "content-length", "transfer-encoding", "trailer", "te", "upgrade", "keep-alive", "proxy-connection":
			// What net/http would leave out or get wrong.
			return nil, usage("", "--header \"%s\": this field says how the request is sent, which the URL decides", name)
		}
		fields[name] = append(fields[name], value)
	}
	return fields, nil
}

// A reportFile is where a report goes.
type reportFile struct {
	*bufio.Writer
	live bool       // somebody may be reading along
	file *wholeFile // nil for standard output
}

func (c *call) reportTo(name string) (*reportFile, error) {
	if name == "" || name == "-" {
		return &reportFile{Writer: bufio.NewWriter(c.out), live: c.out.live}, nil
	}
	f, err := c.create(name)
	if err != nil {
		return nil, err
	}
	return &reportFile{Writer: bufio.NewWriter(f), file: f}, nil
}

func (f *reportFile) finish(whole bool) error {
	err := f.Flush()
	if f.file == nil {
		return err
	}
	return errors.Join(err, f.file.finish(whole && err == nil))
}

// progress is the bar on standard error, where that is a terminal.
func (c *call) progress() *progressbar.ProgressBar {
	return progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(c.errw),
		progressbar.OptionSetDescription("checking"),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("URLs"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
}
