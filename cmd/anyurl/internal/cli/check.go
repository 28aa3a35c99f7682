package cli

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"anyurl"
	"anyurl/check"
	"anyurl/dial"
	"anyurl/internal/quote"
	"anyurl/report"
)

// A checkAsk is what the flags of check ask for.
type checkAsk struct {
	form, output string
	reading
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
	ask.reading.flags(cmd)
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

// vet refuses what the flags cannot mean.
func (ask *checkAsk) vet() error {
	if err := oneOf("--report", ask.form, report.Formats()...); err != nil {
		return err
	}
	if err := ask.reading.check(); err != nil {
		return err
	}
	for _, name := range ask.schemes {
		if err := knownScheme("--only-schemes", name); err != nil {
			return err
		}
	}
	if err := oneOf("--fix", ask.fix, "diff", "write", ""); err != nil {
		return err
	}
	if ask.fix == "diff" && ask.form != "text" && ask.toStdout() {
		return usage("-o FILE has the report elsewhere", "--fix diff and --report %s both want standard output", ask.form)
	}
	return oneOf("--in", ask.in, "lines", "nul", "json", "")
}

// toStdout reports whether the report goes to standard output.
func (ask *checkAsk) toStdout() bool { return ask.output == "" || ask.output == "-" }

func (c *call) check(args []string, ask checkAsk) (err error) {
	if ask.asJSON {
		ask.form = "json"
	}
	if err := ask.vet(); err != nil {
		return err
	}
	rules, err := readRules(ask)
	if err != nil {
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
	checker, closeClients, err := c.checker(ask)
	if err != nil {
		return err
	}
	defer closeClients()
	checker.Files = rules.files
	client := checker.Pace.Through(checker.Client) // for what is asked beside the check
	watch, err := c.openWatch(ask.watch, args)
	if err != nil {
		return err
	}
	defer watch.close()
	checker.Nameless = func(urls int) {
		watch.fail("no name resolves here, and so nothing can be said of URLs whose name is looked up: %d", urls)
	}
	checker.Known = watch.known(c.ctx, time.Now())
	told, err := c.reporting(ask, watch.trends(c.ctx))
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, told.file.finish(err == nil)); err == nil {
			watch.reported(c)
		}
	}()
	told.written = rules.written
	told.follow(checker)
	if ask.fix != "" {
		told.fix = &fixer{call: c, seen: map[string]fs.FileInfo{}, edits: map[string][]rewrite{}}
		told.fix.upgrade = func(ctx context.Context, u anyurl.URL) (anyurl.URL, bool) { return check.Secure(ctx, client, u) }
		rules.saw = told.fix.saw
	}
	links := c.links(args, ask, rules, told.order, watch.unread(c))
	switch {
	case watch.ask.allDue:
		links = watch.links(c.ctx, time.Now())
	case listed:
		links = c.listedLinks(args, ask, rules, watch.unread(c))
	}
	take, finish := watch.stages(c.ctx, client, told.take)
	stop := useRoom()
	summary, err := watch.run(c, checker, links, take)
	finish()
	stop()
	if err != nil {
		return err
	}
	summary.Faults = append(summary.Faults, watch.faults...)
	summary.Notes = append(summary.Notes, watch.notes...)
	if err := told.end(summary); err != nil {
		return err
	}
	for _, failure := range watch.failed {
		c.complain(failure)
	}
	if told.fix != nil {
		told.fix.rewrite(told.mayFix, told.diffTo, ask.fix == "write")
	}
	return nil
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
	skip, err := c.skip(ask)
	if err != nil {
		return nil, nil, err
	}
	client, err := reach{way: ask.way, guard: ask.guard, private: ask.allowPrivate, timeout: ask.timeout, perHost: ask.perHost, hops: ask.maxRedirects}.client(c)
	if err != nil {
		return nil, nil, err
	}
	checker := &check.Checker{
		Skip:   skip,
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
	if ask.mail {
		checker.Mail = (&dial.Dialer{}).MX
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
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, usage("a name is made of letters, digits and hyphens, and a value holds no control characters (RFC 9110, section 5)", "--header: the field \"%s\" cannot be sent", quote.Text(name))
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
