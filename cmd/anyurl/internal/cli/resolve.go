package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func newResolve(c *call) *cobra.Command {
	var (
		as, in string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     "resolve [flags] BASE [REF...]",
		Short:   "read relative references against a base",
		GroupID: groupReads,
		Long: `Reads each reference against BASE, as a browser does with a link on a page (whatwg)
or as another standard says, and writes the URL it comes to. With no REF, or -,
references come from standard input; with --in json and no argument at all, each
object brings its own base: {"url": "../x", "base": "http://ex.example/a/b"}.`,
		Example: `anyurl resolve http://ex.example/a/b ../c '?q'
anyurl resolve --json ftp://ex.example/pub/ README`,
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := chosen(as)
			if err != nil {
				return err
			}
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			if len(args) == 0 && in != "json" {
				return usage(helpHint(cmd), "resolve needs a BASE to start from")
			}
			var base asked
			if len(args) > 0 {
				base.base, base.hasBase = args[0], true
				args = args[1:]
			}
			for a, err := range c.asked(args, in) {
				if err != nil {
					c.complain(err)
					continue
				}
				if !a.hasBase {
					a.base, a.hasBase = base.base, base.hasBase
				}
				for _, s := range by {
					answer := s.read(a)
					if asJSON || !answer.OK {
						err = c.answer(answer, asJSON)
					} else {
						err = c.line(answer.Href)
					}
					if err != nil {
						return cannot(err, "")
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&as, "as", "whatwg", "resolve by this `STANDARD`: "+strings.Join(standardNames(), ", ")+", or all of them")
	complete(cmd, "as", append(standardNames(), "all")...)
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, as parse gives it")
	return cmd
}
