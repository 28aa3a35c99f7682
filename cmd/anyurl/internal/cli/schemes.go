package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anyurl/scheme"
	"anyurl/scheme/known"
)

// A listed is the object of schemes: what is known about a scheme, and what can
// be done with its URLs here.
type listed struct {
	scheme.Scheme
	Reads bool `json:"reads"` // its URLs are taken apart by their own rules
	Opens bool `json:"opens"` // its URLs are opened
}

func newSchemes(c *call) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:     "schemes [flags] [NAME...]",
		Short:   "list the schemes, or tell about some",
		GroupID: groupReads,
		Long: `Lists the schemes whose URLs are read by their own rules, and says which of them
are opened, too; with --all, every scheme that IANA has registered. With names,
tells all about these.`,
		Example: `anyurl schemes
anyurl schemes gopher
anyurl schemes --all --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opened := opens()
			of := func(s scheme.Scheme) listed {
				return listed{s, s.Read != nil, slices.Contains(opened, s.Name)}
			}
			var list []listed
			for _, name := range args {
				s, ok := known.Lookup(strings.ToLower(strings.TrimSuffix(name, ":")))
				if !ok {
					var names []string
					for _, s := range known.Schemes() {
						names = append(names, s.Name)
					}
					hint := "anyurl schemes --all lists every scheme there is"
					if near := closest(name, names); near != "" {
						hint = "did you mean " + near + "?"
					}
					c.complain(&failure{statusProblem, fmt.Errorf("no scheme is called \"%s\"", name), hint})
					continue
				}
				list = append(list, of(s))
			}
			if len(args) == 0 {
				for _, s := range known.Schemes() {
					if l := of(s); all || l.Reads || l.Opens {
						list = append(list, l)
					}
				}
			}
			if err := c.writeSchemes(list, len(args) > 0, asJSON); err != nil {
				return cannot(err, "")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, s := range known.Schemes() {
				names = append(names, s.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every registered scheme, also those that are only known by name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// writeSchemes writes a table, or all that is known where whole is set.
func (c *call) writeSchemes(list []listed, whole, asJSON bool) error {
	width := 0
	for _, s := range list {
		width = max(width, len(s.Name))
	}
	for _, s := range list {
		var err error
		switch {
		case asJSON:
			err = c.emit(s)
		case whole:
			err = c.writeScheme(s)
		default:
			_, err = fmt.Fprintf(c.out, "%-*s  %-6s  %-12s  %s\n", width, s.Name, s.can(), s.Status, cmp.Or(firstSentence(s.Says), s.Defined))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// can says what is done here with the scheme's URLs.
func (s listed) can() string {
	switch {
	case s.Opens:
		return "opened"
	case s.Reads:
		return "read"
	}
	return "known"
}

func (c *call) writeScheme(s listed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.Name)
	row := func(name, says string) {
		if says != "" && says != "0" {
			fmt.Fprintf(&b, "  %-9s  %s\n", name, wrap(says, 80, 13))
		}
	}
	row("says", s.Says)
	row("syntax", s.Syntax)
	row("example", s.Example)
	row("port", fmt.Sprint(s.Port))
	row("protocol", s.Protocol)
	row("status", s.Status)
	row("defined", s.Defined)
	row("here", map[string]string{"opened": "read by its own rules, and opened", "read": "read by its own rules", "known": "known by name"}[s.can()])
	_, err := c.out.Write([]byte(b.String()))
	return err
}
