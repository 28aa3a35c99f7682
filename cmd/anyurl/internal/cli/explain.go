package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/audit"
	"anyurl/percent"
	"anyurl/rfc1630"
	"anyurl/rfc1738"
	"anyurl/rfc3986"
	"anyurl/rule"
	"anyurl/scheme/known"
)

// An entry is one thing that explain can tell about.
type entry struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // rule, finding, scheme
	Says     string `json:"says"`
	Fix      string `json:"fix,omitempty"`
	Cite     string `json:"cite,omitempty"`
	Severity string `json:"severity,omitempty"`
	Syntax   string `json:"syntax,omitempty"`
	Example  string `json:"example,omitempty"`
	Status   string `json:"status,omitempty"` // of a scheme
	Port     uint16 `json:"port,omitempty"`   // of a scheme
}

// entries lists everything that explain knows.
func entries() (all []entry) {
	for _, r := range rules() {
		all = append(all, entry{Name: r.ID, Kind: "rule", Says: r.Says, Fix: r.Fix, Cite: r.Cite, Example: r.Example})
	}
	for _, f := range audit.Codes() {
		e := entry{Name: f.Code, Kind: "finding", Says: f.Says, Fix: f.Fix, Cite: f.Cite, Severity: f.Severity.String(), Example: f.Example}
		if f.Base != "" {
			e.Example += " against " + f.Base
		}
		all = append(all, e)
	}
	for _, s := range known.Schemes() {
		all = append(all, entry{Name: s.Name, Kind: "scheme", Says: s.Says, Cite: s.Defined, Syntax: s.Syntax, Example: s.Example, Status: s.Status, Port: s.Port})
	}
	return all
}

// rules lists the rules of every grammar.
func rules() []rule.Rule {
	return slices.Concat(anyurl.Rules(), percent.Rules(), rfc3986.Rules(), rfc1738.Rules(), rfc1630.Rules(), known.Rules())
}

func newExplain(c *call) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "explain [flags] [RULE|FINDING|SCHEME...]",
		Short:   "say what a rule, a finding or a scheme means",
		GroupID: groupReads,
		Long: `Says what a rule or a finding means, what to do about it, where it is written, and
gives an example; of a scheme, what it is for and how its URLs look. Without a
name, lists every name it knows.`,
		Example: `anyurl explain url/ipv6-unclosed
anyurl explain gopher`,
		RunE: func(cmd *cobra.Command, args []string) error {
			all := entries()
			if len(args) == 0 {
				return c.listEntries(all, asJSON)
			}
			for _, name := range args {
				known := false
				for _, e := range all {
					if strings.EqualFold(e.Name, strings.TrimSuffix(name, ":")) {
						known = true
						if err := c.writeEntry(e, asJSON); err != nil {
							return cannot(err, "")
						}
					}
				}
				if !known {
					c.complain(&failure{statusProblem, fmt.Errorf("nothing here is called \"%s\"", name), nearEntry(name, all)})
				}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, e := range entries() {
				names = append(names, e.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func (c *call) listEntries(all []entry, asJSON bool) error {
	width := 0
	for _, e := range all {
		width = max(width, len(e.Name))
	}
	for _, e := range all {
		var err error
		if asJSON {
			err = c.emit(e)
		} else {
			_, err = fmt.Fprintf(c.out, "%-*s  %s\n", width, e.Name, firstSentence(e.Says))
		}
		if err != nil {
			return cannot(err, "")
		}
	}
	return nil
}

func (c *call) writeEntry(e entry, asJSON bool) error {
	if asJSON {
		return c.emit(e)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", e.Name, strings.TrimSpace(cmp.Or(e.Severity, e.Status)+" "+e.Kind))
	if e.Says != "" {
		fmt.Fprintf(&b, "  %s\n", wrap(e.Says, 80, 2))
	}
	port := ""
	if e.Port != 0 {
		port = strconv.Itoa(int(e.Port))
	}
	for _, row := range [...]struct{ name, says string }{
		{"do", e.Fix}, {"written in", e.Cite}, {"syntax", e.Syntax}, {"port", port}, {"example", e.Example},
	} {
		if row.says != "" {
			fmt.Fprintf(&b, "  %-10s  %s\n", row.name, wrap(c.plain(row.says), 80, 14))
		}
	}
	_, err := c.out.Write([]byte(b.String()))
	return err
}

// nearEntry hints at a name that may have been meant: a near spelling, or an
// ID without its standard's prefix.
func nearEntry(name string, all []entry) string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		if _, bare, ok := strings.Cut(e.Name, "/"); ok && strings.EqualFold(bare, name) {
			return "did you mean " + e.Name + "?"
		}
	}
	if near := closest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	for _, n := range names {
		if len(name) >= 3 && strings.Contains(n, strings.ToLower(name)) {
			return "did you mean " + n + "?"
		}
	}
	return "anyurl explain, without a name, lists them all"
}
