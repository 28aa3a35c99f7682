package cli

import (
	"fmt"

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
		strict, relaxed, unique, asJSON, places, null bool
		profile                                       string
		how                                           reading
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
scripts. Links that HTML or Markdown makes there and data in scripts stay. Comments of
markup are left out always; those of source code, CSS, YAML and TeX are read. In CSV
and TSV a URL ends with its field.

Text is read as UTF-8, or as UTF-16 or UTF-32 where it is that; single bytes that are
none count as Windows-1252, but in HTML and XML as what the document says it is in, and
in mail and WARC as what the part or the answer is said to be in. A file that is binary,
in no format known here, gives a note, and so does what lies beyond a limit (--max-…);
one that is damaged gives a note and status 3.

The objects of --json have url (white space of line breaks removed, and decoded where
the format says so), text (as it stands in the source), start and end (its place there,
in bytes; in a member of an archive in the member), line and col (from 1, in bytes),
kind (url, www, domain, email, ip, relative), source (a member stands behind "!/"),
href (what a browser makes of it; null where that refuses it) and, where there is such a
thing, via (what pointed there: "a href", "image", "comment" …) and hyphen (true: a line
ended in a hyphen that may not be the URL's).`,
		Example: `anyurl find --unique README.md docs/
anyurl find --json --relaxed < mail.txt
anyurl find --places docs/ | grep example.com
anyurl find '**/*.md' | anyurl parse --check`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := how.check(); err != nil {
				return err
			}
			if asJSON && (places || null) {
				return usage("each JSON object has its place, and stands on a line", "--json excludes --places and --null")
			}
			if strict && relaxed {
				return usage("--strict is the default", "--strict and --relaxed exclude each other")
			}
			if err := oneOf("--profile", profile, findProfiles...); err != nil {
				return err
			}
			f := how.finder(relaxed)
			line := c.out.line
			if null {
				line = c.out.null
			}
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
				switch {
				case asJSON:
					err = c.emit(foundOf(m))
				case places:
					err = line(c.plain(fmt.Sprintf("%s:%d:%d: %s", m.Source, m.Line, m.Col, m.URL)))
				default:
					err = line(c.plain(m.URL))
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
	how.flags(cmd)
	cmd.Flags().StringVar(&profile, "profile", "rfc3986", "whose `RULES` say where a URL ends in running text: rfc3986, or uts58 (Unicode Link Detection)")
	complete(cmd, "profile", findProfiles...)
	cmd.Flags().BoolVar(&unique, "unique", false, "give each URL once")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, with place and kind")
	cmd.Flags().BoolVar(&places, "places", false, "put the source, line and column in front of each URL: notes.txt:3:14: http://…; columns count bytes")
	cmd.Flags().BoolVarP(&null, "null", "0", false, "end each URL with a NUL in place of a line's end, for xargs -0")
	either(cmd, "strict", "relaxed")
	either(cmd, "json", "places")
	either(cmd, "json", "null")
	return cmd
}

// findProfiles are the values of --profile.
var findProfiles = []string{"rfc3986", "uts58"}

// formats are the values of --format.
func formats() []string { return append([]string{"auto"}, format.Formats()...) }

func foundOf(m format.Match) found {
	f := found{URL: m.URL, Text: m.Text, Start: m.Start, End: m.End, Line: m.Line, Col: m.Col, Kind: m.Kind, Hyphen: m.Hyphen, Via: m.Via, Source: m.Source}
	if m.Kind == find.URL {
		if u, err := anyurl.Parse(m.URL); err == nil {
			f.Href = ptr(u.String())
		}
	}
	return f
}
