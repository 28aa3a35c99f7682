package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/find"
	"anyurl/find/format"
)

// A found is the object of find.
type found struct {
	URL    string    `json:"url"`
	Text   string    `json:"text"`
	Start  int       `json:"start"`
	End    int       `json:"end"`
	Line   int       `json:"line"`
	Col    int       `json:"col"`
	Kind   find.Kind `json:"kind"`
	Hyphen bool      `json:"hyphen,omitempty"` // a line ended in a hyphen that may not be the URL's
	Via    string    `json:"via,omitempty"`    // what in the document pointed there
	Source string    `json:"source"`
	Href   *string   `json:"href"` // null when the URL Standard refuses it
}

func newFind(c *call) *cobra.Command {
	var (
		strict, relaxed, unique, asJSON, code bool
		as, profile                           string
	)
	cmd := &cobra.Command{
		Use:     "find [flags] [PATH...]",
		Short:   "find the URLs in files, folders and standard input",
		GroupID: groupReads,
		Long: `Finds the URLs in text as people really write them: in angle brackets and broken
over lines, with a sentence's full stop behind them, in parentheses, in Markdown.
A PATH is a file, a folder (all that .gitignore leaves in) or a glob; ** stands for
folders at any depth. A glob gives no more than its folder would: neither follows
symbolic links. One URL a line, or with --json each with its place.

--strict, the default, finds what has a scheme. --relaxed also finds www.example.com,
bare domains, mail addresses, bracketed addresses and //host/path.

Code in Markdown, HTML, reStructuredText and AsciiDoc holds examples and is left out
unless --code is given: code blocks and spans, pre, code, kbd, samp, textarea and
scripts. Links that HTML or Markdown makes there and data in scripts stay. Text is read as UTF-8, or as UTF-16 where it is that; single
bytes that are neither count as Windows-1252, but in HTML and XML as what the document
says it is in. A file that is binary, in no format known here, gives a note; one that
is damaged gives a note and status 3.`,
		Example: `anyurl find --unique README.md docs/
anyurl find --json --relaxed < mail.txt
anyurl find '**/*.md' | anyurl parse --check`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--format", as, formats()...); err != nil {
				return err
			}
			if strict && relaxed {
				return usage("--strict is the default", "--strict and --relaxed exclude each other")
			}
			if err := oneOf("--profile", profile, findProfiles...); err != nil {
				return err
			}
			f := finder(as, relaxed, code)
			if profile == "uts58" {
				f.Options.Profile = find.UTS58
			}
			defer useRoom()()
			seen := map[string]bool{}
			for m, err := range c.matches(args, f) {
				if err != nil {
					c.complain(err)
					continue
				}
				if unique {
					if seen[m.URL] {
						continue
					}
					seen[m.URL] = true
				}
				if asJSON {
					err = c.emit(foundOf(m))
				} else {
					err = c.line(m.URL)
				}
				if err != nil {
					return cannot(err, "")
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "find only what has a scheme; the default")
	cmd.Flags().BoolVar(&relaxed, "relaxed", false, "find every kind: www, bare domains, mail addresses, //host too")
	formatFlag(cmd, &as)
	codeFlag(cmd, &code)
	cmd.Flags().StringVar(&profile, "profile", "rfc3986", "whose `RULES` say where a URL ends in running text: rfc3986, or uts58 (Unicode Link Detection)")
	complete(cmd, "profile", findProfiles...)
	cmd.Flags().BoolVar(&unique, "unique", false, "give each URL once")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, with place and kind")
	either(cmd, "strict", "relaxed")
	return cmd
}

// findProfiles are the values of --profile.
var findProfiles = []string{"rfc3986", "uts58"}

// formats are the values of --format.
func formats() []string { return append([]string{"auto"}, format.Formats()...) }

func formatFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "format", "auto", "read sources as this `FORMAT`: "+strings.Join(formats(), ", ")+"; auto tells by name and content")
	complete(cmd, "format", formats()...)
}

func codeFlag(cmd *cobra.Command, code *bool) {
	cmd.Flags().BoolVar(code, "code", false, "read code in markup, too: blocks and spans, pre, code, kbd, samp, textarea, scripts")
}

// finder is what reads sources in the format that --format names.
func finder(as string, relaxed, code bool) format.Finder {
	if as == "auto" {
		as = ""
	}
	return format.Finder{Format: as, Code: code, Options: find.Options{Relaxed: relaxed}}
}

func foundOf(m format.Match) found {
	f := found{URL: m.URL, Text: m.Text, Start: m.Start, End: m.End, Line: m.Line, Col: m.Col, Kind: m.Kind, Hyphen: m.Hyphen, Via: m.Via, Source: m.Source}
	if m.Kind == find.URL {
		if u, err := anyurl.Parse(m.URL); err == nil {
			f.Href = ptr(u.String())
		}
	}
	return f
}
