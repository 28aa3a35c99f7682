package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anyurl/rfc3986"
)

func newResolve(c *call) *cobra.Command {
	var (
		as, in            string
		asJSON, nonStrict bool
	)
	cmd := &cobra.Command{
		Use:     "resolve [flags] BASE [REF...]",
		Short:   "read relative references against a base",
		GroupID: groupReads,
		Long: `Reads each reference against BASE, as a browser does with a link on a page (whatwg)
or as another standard says, and writes the URL it comes to. With no REF, or -,
references come from standard input; with --in json and no argument at all, each
object brings its own base: {"url": "../x", "base": "http://ex.example/a/b"}.

By rfc3986 and rfc3987 a reference with a scheme is taken as it is. With --non-strict
one that repeats the base's scheme is read as if it had none ("http:g" means "g"),
as RFC 3986, section 5.2.2 allows for old references; whatwg and rfc1630 have their own rule.`,
		Example: `anyurl resolve http://ex.example/a/b ../c '?q'
anyurl resolve --json ftp://ex.example/pub/ README`,
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := chosen(as)
			if err != nil {
				return err
			}
			if nonStrict {
				if by, err = looser(by, as); err != nil {
					return err
				}
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
					if len(by) > 1 {
						answer.sayWho()
					}
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
	cmd.Flags().BoolVar(&nonStrict, "non-strict", false, "with rfc3986 or rfc3987: a reference may repeat the base's scheme without meaning it")
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, as parse gives it")
	return cmd
}

// looser gives the standards chosen by name, those of RFC 3986 and 3987 in the
// form that is not strict. Where there is none among them, the flag means nothing.
func looser(by []standard, name string) ([]standard, error) {
	found := false
	by = slices.Clone(by)
	for i, s := range by {
		switch s.name {
		case "rfc3986":
			by[i].read = by3986(s.name, rfc3986.Parse, rfc3986.ParseReference, rfc3986.ResolveNonStrict)
		case "rfc3987":
			by[i].read = by3986(s.name, rfc3986.ParseIRI, rfc3986.ParseIRIReference, rfc3986.ResolveNonStrict)
		default:
			continue
		}
		found = true
	}
	if !found {
		return nil, usage("only --as rfc3986 and --as rfc3987 have a form that is not strict (RFC 3986, section 5.2.2)", "--non-strict says nothing to --as %s", name)
	}
	return by, nil
}
