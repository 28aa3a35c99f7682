package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exitTable is said at the end of every help and in the manual.
var exitTable = [...]struct {
	status int
	says   string
}{
	{statusWell, "all well"},
	{statusProblem, "an answer with a problem in it: a URL that is not valid, findings at the chosen level, broken links"},
	{statusUsage, "wrong usage"},
	{statusCannot, "could not do it: a file that cannot be read, nothing retrieved"},
	{statusInterrupted, "interrupted, after writing what was known"},
}

// helped gives every command our help instead of the library's.
func helped(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		width := 100
		if out, ok := cmd.OutOrStdout().(*output); ok && out.width > 0 {
			width = min(out.width, 120)
		}
		writeHelp(cmd.OutOrStdout(), cmd, width)
	})
}

// newHelp is `anyurl help [VERB]`.
func newHelp(root *cobra.Command) *cobra.Command {
	var manual bool
	cmd := &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "say how a command is used",
		Long:    "Says what a command does, how it is asked, and each of its flags. With --manual, the whole manual as Markdown.",
		Example: "anyurl help parse",
		RunE: func(cmd *cobra.Command, args []string) error {
			if manual {
				writeManual(cmd.OutOrStdout(), root)
				return nil
			}
			about, rest, err := root.Find(args)
			if err != nil || about == nil || len(rest) > 0 || about == root && len(args) > 0 {
				name := strings.Join(args, " ")
				hint := "anyurl help lists the commands"
				if near := closest(name, commandNames(root)); near != "" {
					hint = "did you mean anyurl help " + near + "?"
				}
				return usage(hint, "there is no command \"%s\"", name)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&manual, "manual", false, "the whole manual, as Markdown")
	return cmd
}

// writeHelp writes a command's help, at most width columns wide.
func writeHelp(w io.Writer, cmd *cobra.Command, width int) {
	fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(orElse(cmd.Long, cmd.Short)))
	fmt.Fprintf(w, "Usage:\n  %s\n", useLine(cmd))
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n  %s\n", strings.ReplaceAll(cmd.Example, "\n", "\n  "))
	}
	if cmd.HasAvailableSubCommands() {
		writeCommands(w, cmd)
	}
	for _, set := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags:", cmd.LocalNonPersistentFlags()}, {"Flags of every command:", cmd.Root().PersistentFlags()}} {
		if set.flags.HasAvailableFlags() {
			fmt.Fprintf(w, "\n%s\n%s", set.title, set.flags.FlagUsagesWrapped(width))
		}
	}
	fmt.Fprint(w, "\nExit status:\n")
	for _, row := range exitTable {
		fmt.Fprintf(w, "  %3d  %s\n", row.status, row.says)
	}
	if !cmd.HasParent() {
		fmt.Fprint(w, "\nanyurl help COMMAND tells more; where a URL is asked for, no argument or - reads standard input.\n")
	}
}

func writeCommands(w io.Writer, cmd *cobra.Command) {
	width := 0
	for _, sub := range cmd.Commands() {
		width = max(width, len(sub.Name()))
	}
	list := func(group string) {
		for _, sub := range cmd.Commands() {
			if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(w, "  %-*s  %s\n", width, sub.Name(), sub.Short)
			}
		}
	}
	if len(cmd.Groups()) == 0 {
		fmt.Fprint(w, "\nCommands:\n")
		list("")
		return
	}
	for _, group := range cmd.Groups() {
		fmt.Fprintf(w, "\n%s\n", group.Title)
		list(group.ID)
	}
}

func useLine(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "anyurl COMMAND [flags] [arguments]"
	}
	return strings.TrimSuffix(cmd.UseLine(), " [flags]")
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// complete offers the values of a flag to the shell.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("cli: " + cmd.Name() + " has no flag --" + flag) // a slip of ours: every test would meet it
	}
}
