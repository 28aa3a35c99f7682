package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/canon"
	"anyurl/rfc3986"
)

// A profile is a way to write a URL so that others can be compared with it.
type profile struct {
	name string // as --profile takes it
	says string
	run  func(asked) (string, error)
}

func profiles() []profile {
	return []profile{
		{"whatwg", "as the URL Standard serialises it", byURL(func(u anyurl.URL) (string, error) { return u.String(), nil })},
		{"rfc3986", "RFC 3986, section 6.2, up to what the schemes say; no character outside US-ASCII is touched", normalize3986},
		{"surt", "the key that web archives sort by: example,a)/path", byURL(func(u anyurl.URL) (string, error) { return canon.SURT(u), nil })},
		{"dedupe", "one URL for the spellings of a page: no fragment, no tracking parameters, the query sorted", byURL(func(u anyurl.URL) (string, error) {
			u, err := canon.Dedupe(u)
			return u.String(), err
		})},
	}
}

// byURL makes a profile of what is done with a URL that the URL Standard reads.
func byURL(write func(anyurl.URL) (string, error)) func(asked) (string, error) {
	return func(a asked) (string, error) {
		answer := readWHATWG(a)
		if !answer.OK {
			return "", answer.err
		}
		return write(answer.url)
	}
}

func normalize3986(a asked) (string, error) {
	u, err := rfc3986.Parse(a.url)
	if a.hasBase {
		base, baseErr := rfc3986.Parse(a.base)
		if baseErr != nil {
			return "", &baseError{baseErr}
		}
		if u, err = rfc3986.ParseReference(a.url); err == nil {
			u, err = rfc3986.Resolve(base, u)
		}
	}
	if err != nil {
		return "", err
	}
	u, err = rfc3986.Normalize(u, rfc3986.LevelScheme)
	return u.String(), err
}

// A normal is the object of normalize.
type normal struct {
	Input   string  `json:"input"`
	Base    string  `json:"base,omitempty"`
	Profile string  `json:"profile"`
	OK      bool    `json:"ok"`
	URL     *string `json:"url,omitempty"`
	Error   *broken `json:"error,omitempty"`
}

func newNormalize(c *call) *cobra.Command {
	var (
		as, in string
		asJSON bool
	)
	all := profiles()
	names := make([]string, len(all))
	var long strings.Builder
	for i, p := range all {
		names[i] = p.name
		long.WriteString("\n  " + p.name + strings.Repeat(" ", 9-len(p.name)) + p.says)
	}
	cmd := &cobra.Command{
		Use:     "normalize [flags] [URL...]",
		Short:   "write URLs in one form, to compare or sort them",
		GroupID: groupReads,
		Long: `Writes each URL in the form of a profile, one a line. A URL that its standard does
not take is told on standard error, with status 1. The profiles:
` + long.String() + `

surt and dedupe lose something on purpose: they are keys, not for opening.`,
		Example: `anyurl normalize 'HTTP://Ex.example:80/a/../b'
anyurl normalize --profile rfc3986 'http://ex.example/%7eb'
anyurl normalize --profile dedupe < urls.txt | sort -u`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--profile", as, names...); err != nil {
				return err
			}
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			var by profile
			for _, p := range all {
				if p.name == as {
					by = p
				}
			}
			for a, err := range c.asked(args, in) {
				if err != nil {
					c.complain(err)
					continue
				}
				url, err := by.run(a)
				switch {
				case err != nil && asJSON:
					c.raise(statusProblem)
					err = c.emit(normal{Input: a.url, Base: a.base, Profile: by.name, Error: brokenBy(err)})
				case err != nil:
					c.raise(statusProblem)
					c.tell(err)
					err = nil
				case asJSON:
					err = c.emit(normal{Input: a.url, Base: a.base, Profile: by.name, OK: true, URL: &url})
				default:
					err = c.line(url)
				}
				if err != nil {
					return cannot(err, "")
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&as, "profile", "whatwg", "write by this `PROFILE`: "+strings.Join(names, ", "))
	complete(cmd, "profile", names...)
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}
