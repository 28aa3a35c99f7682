// Package cli is anyurl's command line: a file per command, and [Run], which
// runs one of them. What the commands print and how they end is the contract
// that people and programs lean on; docs/manual.md, generated from here by
// [Manual], tells all of it.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"anyurl/cmd/anyurl/internal/config"
	"anyurl/internal/walk"
)

// Exit statuses. When a run meets several, it ends with the highest.
const (
	statusWell        = 0   // all well
	statusProblem     = 1   // an answer with a problem in it
	statusUsage       = 2   // wrong usage
	statusCannot      = 3   // could not do it
	statusInterrupted = 130 // interrupted, after writing what was known
)

// An Env is what a run of the command sees of the world.
type Env struct {
	Args   []string // without the command's own name
	In     io.Reader
	Out    io.Writer // the answer
	Err    io.Writer // words for people
	Getenv func(string) string
}

// System is the process's own Env.
func System() Env {
	return Env{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}
}

// Run runs the command that env.Args names and gives its exit status. When ctx
// ends, the command writes what it knows and the status is 130. When standard
// output cannot be written, the command stops at once and the status is 3.
func Run(ctx context.Context, env Env) int {
	interrupted := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := newCall(ctx, env)
	c.out.failed = stop
	root := newRoot(c, env.Args)
	root.SetArgs(env.Args)
	err := root.ExecuteContext(ctx)
	c.out.Flush()
	if outErr := c.out.fault(); outErr != nil {
		err = nil // whatever it was, it came of this
		c.raise(statusCannot)
		if !errors.Is(outErr, syscall.EPIPE) { // who has left needs no word
			err = unwritable("standard output", outErr)
		}
	}
	c.moreNotes()
	if interrupted.Err() != nil {
		if err != nil && !errors.Is(err, context.Canceled) {
			c.tell(err)
		}
		return statusInterrupted
	}
	if err != nil {
		c.tell(c.placed(err))
		c.raise(statusOf(err))
	}
	return c.status
}

// A call is one run of the command.
type call struct {
	ctx    context.Context
	in     *liveReader
	out    *output
	errw   io.Writer
	getenv func(string) string
	status int         // the highest so far
	noting *sync.Mutex // held while a note is told
	notes  int         // told or kept back
	halves *halves     // of the folders that were written to

	// watch, where it is set, gets to read along in every source that is
	// searched for URLs
	watch func(source string) io.WriteCloser
	// writes are files that the run writes, and that are no sources of it.
	writes []string
	// passes, where not nil, says what is no source where it was not named itself.
	passes func(path string) bool
	// choice is what of folders and globs is read.
	choice walk.Choice

	// set by the flags that every command has
	color     string
	maskQuery bool

	configFile string
	noConfig   bool
	files      []*config.File    // what was read, what counts most first
	origins    map[string]string // where the value of a flag stands, if in a file
}

func newCall(ctx context.Context, env Env) *call {
	c := &call{ctx: ctx, noting: new(sync.Mutex), halves: new(halves), out: newOutput(env.Out), errw: env.Err, getenv: env.Getenv}
	c.in = &liveReader{ctx: ctx, r: env.In, idle: c.out.idle}
	return c
}

// raise makes the run end with at least this status.
func (c *call) raise(status int) { c.status = max(c.status, status) }

// newRoot lays out the command line: of the verb that args begin with, or else
// all of it. To lay out all verbs and their flags takes longer than to read a file.
func newRoot(c *call, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "anyurl",
		Short: "read, find, vet, open and watch URLs of every scheme",
		Long: `anyurl reads any URL, finds it in text, vets it, opens it, and keeps watch on it,
from gopher to HTTP. Reading and vetting a URL never touches the network.`,
		Example: `anyurl parse 'HTTP://Ex.example:80/a?b'
anyurl find --unique README.md`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              cobra.ArbitraryArgs,
		Version:           version(),
	}
	root.SetVersionTemplate("anyurl {{.Version}}\n")
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.errw)
	root.RunE = func(cmd *cobra.Command, args []string) error { return noSuchCommand(cmd, args) }
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentFlags().StringVar(&c.color, "color", "auto", "colour the text for people: `auto|always|never`; NO_COLOR is obeyed")
	root.PersistentFlags().BoolVar(&c.maskQuery, "mask-query", false, "mask queries as well as passwords in reports and errors")
	c.configFlags(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := c.configured(cmd); err != nil {
			return err
		}
		return oneOf("--color", c.color, "auto", "always", "never")
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.AddGroup(groups()...)
	helped(root)
	root.SetHelpCommand(newHelp(root))
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	for _, verb := range verbs() {
		if len(args) > 0 && verb.name == args[0] {
			root.AddCommand(verb.lay(c))
			root.CompletionOptions.DisableDefaultCmd = true
			return root
		}
	}
	addVerbs(c, root)
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = cobra.ArbitraryArgs, noSuchShell
		}
	}
	return root
}

const (
	groupReads   = "reads"
	groupReaches = "reaches"
	groupOther   = "other"
)

func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupReads, Title: "Commands that read and never touch the network:"},
		{ID: groupReaches, Title: "Commands that reach out:"},
		{ID: groupOther, Title: "More:"},
	}
}

// A verb is a command that can be laid out.
type verb struct {
	name string
	lay  func(*call) *cobra.Command
}

// verbs lists every one.
func verbs() []verb {
	return []verb{
		{"find", newFind},
		{"parse", newParse},
		{"resolve", newResolve},
		{"edit", newEdit},
		{"normalize", newNormalize},
		{"compare", newCompare},
		{"audit", newAudit},
		{"explain", newExplain},
		{"schemes", newSchemes},
		{"get", newGet},
		{"check", newCheck},
		{"worker", newWorker},
		{"serve", newServe},
		{"demo", newDemo},
	}
}

// addVerbs lays out every verb that root has not yet.
func addVerbs(c *call, root *cobra.Command) {
	laid := commandNames(root)
	for _, verb := range verbs() {
		if !slices.Contains(laid, verb.name) {
			root.AddCommand(verb.lay(c))
		}
	}
}

// version is what this build calls itself: its module's version, or the
// revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return "of revision " + setting.Value
		}
	}
	return "of unknown version"
}
