package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"anyurl/audit"
	"anyurl/fetch"
	"anyurl/rule"
)

// A failure is an error that ends the command: the status it ends with and,
// where we can foresee one, a hint at the way out.
type failure struct {
	status int
	err    error
	hint   string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// usage is a failure to ask in a way we understand.
func usage(hint, format string, args ...any) error {
	return &failure{statusUsage, fmt.Errorf(format, args...), hint}
}

// cannot is a failure to do what was asked.
func cannot(err error, hint string) error { return &failure{statusCannot, err, hint} }

func statusOf(err error) int {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.status
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok && e.Step == fetch.Reading {
		if _, ok := errors.AsType[*rule.Error](err); ok {
			return statusProblem // the URL breaks a rule of its scheme, and nobody was asked
		}
	}
	return statusCannot
}

// tell writes an error for people: what went wrong, then a hint.
func (c *call) tell(err error) {
	c.out.Flush() // what was answered before stands before it on a terminal
	fmt.Fprintf(c.errw, "anyurl: %s\n", indent(c.show(err)))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(c.errw, "hint: %s\n", hint)
	}
}

// hintOf is the way out of an error, where somebody foresaw one.
func hintOf(err error) string {
	if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		return f.hint
	}
	if e, ok := errors.AsType[*audit.Refusal](err); ok {
		return e.Finding.Fix + "; anyurl explain " + e.Code() + " tells more"
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		if e.Hint != "" && e.Here != "" {
			return e.Hint + "; " + e.Here
		}
		return orElse(e.Hint, e.Here)
	}
	if e, ok := errors.AsType[*rule.Error](err); ok {
		return orElse(e.Rule.Fix, "anyurl explain "+e.Rule.ID+" tells more")
	}
	return ""
}

// complain tells about one of many inputs and goes on; the run ends with at
// least the error's status.
func (c *call) complain(err error) {
	c.tell(err)
	c.raise(statusOf(err))
}

// indent keeps the later lines of a message under its first.
func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n        ") }

func helpHint(cmd *cobra.Command) string {
	return strings.TrimSpace("anyurl help "+strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "anyurl"), " ")) + " tells how"
}

// wrongFlag turns what the flag library says into our words.
func wrongFlag(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	hint := helpHint(cmd)
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		name := unknown.GetSpecifiedName()
		if says := flagOf(cmd, name); says != "" {
			hint = says
		} else if near := closest(name, names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		cause := wrong.Unwrap()
		if _, ok := errors.AsType[*strconv.NumError](cause); ok {
			cause = fmt.Errorf("\"%s\" is no value for it", wrong.GetValue())
		}
		err = fmt.Errorf("--%s: %w", wrong.GetFlag().Name, cause)
	}
	return &failure{statusUsage, err, hint}
}

// noSuchCommand answers a first argument that is no verb of ours.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		writeHelp(root.ErrOrStderr(), root, 80)
		return &failure{statusUsage, errors.New("which command?"), "anyurl parse, find, check and their kin are listed above"}
	}
	if strings.ContainsAny(args[0], ":/") {
		return usage("to read it: anyurl parse URL; to open it: anyurl get URL", "a command comes first, then the URL")
	}
	hint := "anyurl help lists the commands"
	if near := closest(args[0], commandNames(root)); near != "" {
		hint = "did you mean anyurl " + near + "?"
	}
	return usage(hint, "there is no command \"%s\"", args[0])
}

// noSuchShell answers what anyurl completion cannot complete for.
func noSuchShell(cmd *cobra.Command, args []string) error {
	hint := "anyurl completion knows " + list(commandNames(cmd))
	if len(args) == 0 {
		return usage(hint, "for which shell?")
	}
	return usage(hint, "there are no completions for a shell \"%s\"", args[0])
}

// commandNames gives the names below root.
func commandNames(root *cobra.Command) (names []string) {
	for _, cmd := range root.Commands() {
		if !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	return names
}

// oneOf refuses a flag's value that is not among those it may have.
func oneOf(flag, value string, may ...string) error {
	for _, m := range may {
		if value == m {
			return nil
		}
	}
	named := slices.DeleteFunc(slices.Clone(may), func(m string) bool { return m == "" }) // "" is the flag left out
	hint := flag + " is one of " + strings.Join(named, ", ")
	if near := closest(value, may); near != "" {
		hint = "did you mean " + flag + " " + near + "?"
	}
	return usage(hint, "%s knows no \"%s\"", flag, value)
}

// closest is the name that s was likely meant to be, if there is one: one that
// it begins, or one within an edit for every three letters of s. Of several as
// near, the one that begins alike.
func closest(s string, names []string) string {
	best, at := "", 2*max(1, min(2, len(s)/3))+2
	for _, name := range names {
		d := distance(strings.ToLower(s), strings.ToLower(name))
		if len(s) >= 3 && strings.HasPrefix(name, s) {
			d = min(d, 1)
		}
		if d >= len(name) {
			continue
		}
		d *= 2
		if d > 0 && (s == "" || !strings.EqualFold(s[:1], name[:1])) {
			d++
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}

// distance counts the edits between two short names: an octet put in, taken
// out, changed, or swapped with its neighbour.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var before []int // the row before the last one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// noArguments refuses arguments where a command takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(helpHint(cmd), "%s takes no argument, but was given \"%s\"", cmd.Name(), args[0])
	}
	return nil
}
