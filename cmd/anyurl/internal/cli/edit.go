package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/internal/quote"
	"anyurl/rule"
)

// partNames are the parts that edit changes, as the URL Standard's API calls
// them (where a part has a mark, the value may bring it or not).
var partNames = [...]string{"href", "scheme", "username", "password", "host", "hostname", "port", "path", "query", "fragment"}

// An edit is one change that the command line asks for.
type edit struct {
	says  string // as it was asked, without the value
	apply func(anyurl.URL) (anyurl.URL, error)
}

// editFlag collects edits in the order of the command line, over several flags.
type editFlag struct {
	edits *[]edit
	kind  string
	read  func(string) (edit, error)
}

func (f editFlag) String() string { return "" }
func (f editFlag) Type() string   { return f.kind }

// GetSlice, Append and Replace make it a flag that may be given again. The
// edits of all flags stand in one list, so there is none of its own to give.
func (f editFlag) GetSlice() []string    { return nil }
func (f editFlag) Append(s string) error { return f.Set(s) }
func (f editFlag) Replace(all []string) error {
	for _, s := range all {
		if err := f.Set(s); err != nil {
			return err
		}
	}
	return nil
}
func (f editFlag) Set(s string) error {
	e, err := f.read(s)
	if err != nil {
		return err
	}
	*f.edits = append(*f.edits, e)
	return nil
}

func newEdit(c *call) *cobra.Command {
	var (
		edits   []edit
		in, get string
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:     "edit [flags] [URL...]",
		Short:   "change parts of URLs, or take them out",
		GroupID: groupReads,
		Long: `Changes each URL as the flags say, in their order, and writes it. --set follows
the URL Standard's setters: what a setter refuses leaves the URL as it was, and is
told on standard error with status 1. --append takes text that is not encoded yet
and encodes it for its place. Parts: ` + strings.Join(partNames[:], ", ") + `.
host takes host:port, hostname the host alone.

--get writes a template instead of the URL: {href} and every part by its name,
{origin}, and {param:NAME} for a value of the query. {{ and }} are braces.`,
		Example: `anyurl edit --set scheme=https --remove fragment http://ex.example/a#b
anyurl edit --append 'path=50% off' --append 'query=q=a&b' http://ex.example/
anyurl edit --get '{host} {path}' http://ex.example/a`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			var shape []piece
			if cmd.Flags().Changed("get") {
				if asJSON {
					return usage("--json gives every part", "--get and --json exclude each other")
				}
				var err error
				if shape, err = readTemplate(get); err != nil {
					return err
				}
			}
			for a, err := range c.asked(args, in) {
				if err != nil {
					c.complain(err)
					continue
				}
				answer := readWHATWG(a)
				if answer.OK {
					answer = c.edited(a, answer, edits)
				}
				switch {
				case asJSON || !answer.OK:
					err = c.answer(answer, asJSON)
				case shape != nil:
					err = c.line(fill(shape, answer.url))
				default:
					err = c.line(answer.Href)
				}
				if err != nil {
					return cannot(err, "")
				}
			}
			return nil
		},
	}
	flag := func(name, kind, says string, read func(string) (edit, error)) {
		cmd.Flags().Var(editFlag{&edits, kind, read}, name, says)
	}
	flag("set", "PART=VALUE", "set a part by the URL Standard's setter", readSet)
	flag("append", "path=SEG|query=K=V", "append a path segment or a query parameter, given as plain text", readAppend)
	flag("remove", "PART|query=K", "remove a part, or the parameters named K", readRemove)
	cmd.Flags().BoolFunc("sort-query", "sort the query's parameters by name", func(string) error {
		edits = append(edits, edit{"--sort-query", sortQuery})
		return nil
	})
	cmd.Flags().StringVar(&get, "get", "", "write this `TEMPLATE` instead of the URL")
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, as parse gives it")
	either(cmd, "get", "json")
	return cmd
}

// edited applies the edits. A change that is refused leaves the URL as it was.
func (c *call) edited(a asked, was answer, edits []edit) answer {
	u := was.url
	for _, e := range edits {
		v, err := e.apply(u)
		if err != nil {
			c.complain(&failure{statusProblem, fmt.Errorf("%s: %w", e.says, err), ""})
		}
		u = v // a setter that refuses leaves what the standard's leaves
	}
	return answerOf(a, u, *was.parts)
}

func readSet(s string) (edit, error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return edit{}, fmt.Errorf("\"%s\" has no =; it is written PART=VALUE", s)
	}
	if !slices.Contains(partNames[:], name) {
		return edit{}, noSuchPart(name)
	}
	return edit{"--set " + name, func(u anyurl.URL) (anyurl.URL, error) {
		v, err := withPart(u, name, value)
		if e, ok := errors.AsType[*rule.Error](err); ok && name == "password" {
			err = &rule.Error{Input: quote.Hidden, Rule: e.Rule} // no error shows it
		}
		return v, err
	}}, nil
}

func noSuchPart(name string) error {
	if near := closest(name, partNames[:]); near != "" {
		return fmt.Errorf("a URL has no part \"%s\"; did you mean %s?", name, near)
	}
	return fmt.Errorf("a URL has no part \"%s\"; its parts are %s", name, strings.Join(partNames[:], ", "))
}

func withPart(u anyurl.URL, name, value string) (anyurl.URL, error) {
	switch name {
	case "href":
		v, err := anyurl.Parse(value)
		if err != nil {
			return u, err
		}
		return v, nil
	case "scheme":
		return u.WithScheme(value)
	case "username":
		return u.WithUsername(value)
	case "password":
		return u.WithPassword(value)
	case "host":
		return u.WithHost(value)
	case "hostname":
		return u.WithHostname(value)
	case "port":
		return u.WithPort(value)
	case "path":
		return u.WithPath(value)
	case "query":
		return u.WithQuery(value)
	}
	return u.WithFragment(value)
}

func readAppend(s string) (edit, error) {
	name, value, ok := strings.Cut(s, "=")
	switch {
	case ok && name == "path":
		return edit{"--append path", func(u anyurl.URL) (anyurl.URL, error) { return u.Join(value) }}, nil
	case ok && name == "query":
		key, value, _ := strings.Cut(value, "=")
		return edit{"--append query", func(u anyurl.URL) (anyurl.URL, error) {
			return u.WithParams(u.Params().Add(key, value))
		}}, nil
	}
	return edit{}, fmt.Errorf("\"%s\" is neither path=SEGMENT nor query=KEY=VALUE", s)
}

func readRemove(s string) (edit, error) {
	if key, ok := strings.CutPrefix(s, "query="); ok {
		return edit{"--remove query=" + key, func(u anyurl.URL) (anyurl.URL, error) {
			return u.WithParams(u.Params().Delete(key))
		}}, nil
	}
	if !slices.Contains(partNames[:], s) {
		return edit{}, noSuchPart(s)
	}
	switch s {
	case "href", "scheme":
		return edit{}, fmt.Errorf("a URL cannot be without its %s", s)
	case "query":
		return edit{"--remove query", func(u anyurl.URL) (anyurl.URL, error) { return u.WithoutQuery(), nil }}, nil
	case "fragment":
		return edit{"--remove fragment", func(u anyurl.URL) (anyurl.URL, error) { return u.WithoutFragment(), nil }}, nil
	}
	return edit{"--remove " + s, func(u anyurl.URL) (anyurl.URL, error) {
		if value, _ := valueNamed(s); value(u) == "" {
			return u, nil // there is none
		}
		return withPart(u, s, "")
	}}, nil
}

func sortQuery(u anyurl.URL) (anyurl.URL, error) {
	if !u.HasQuery() {
		return u, nil
	}
	return u.WithParams(u.Params().Sort())
}

// A piece is a stretch of a template: words, or a name to be filled in.
type piece struct {
	words string
	value func(anyurl.URL) string
}

// readTemplate reads what --get asks for.
func readTemplate(s string) (pieces []piece, err error) {
	var words strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{") || strings.HasPrefix(s[i:], "}}"):
			words.WriteByte(s[i])
			i++
		case s[i] == '{':
			name, _, ok := strings.Cut(s[i+1:], "}")
			if !ok {
				return nil, usage(`a brace of its own is written "{{"`, `--get "%s": a "{" is never closed`, s)
			}
			value, ok := valueNamed(name)
			if !ok {
				return nil, usage("it knows "+strings.Join(partNames[:], ", ")+", origin and param:NAME", "--get knows no {%s}", name)
			}
			pieces = append(pieces, piece{words: words.String()}, piece{value: value})
			words.Reset()
			i += len(name) + 1
		default:
			words.WriteByte(s[i])
		}
	}
	return append(pieces, piece{words: words.String()}), nil
}

func valueNamed(name string) (func(anyurl.URL) string, bool) {
	if key, ok := strings.CutPrefix(name, "param:"); ok {
		return func(u anyurl.URL) string {
			v, _ := u.Params().Get(key)
			return v
		}, true
	}
	switch name {
	case "href":
		return anyurl.URL.String, true
	case "scheme":
		return anyurl.URL.Scheme, true
	case "username":
		return anyurl.URL.Username, true
	case "password":
		return anyurl.URL.Password, true
	case "host":
		return anyurl.URL.HostPort, true
	case "hostname":
		return func(u anyurl.URL) string { return u.Host().String() }, true
	case "port":
		return func(u anyurl.URL) string {
			if !u.HasPort() {
				return ""
			}
			return fmt.Sprint(u.Port())
		}, true
	case "path":
		return anyurl.URL.Path, true
	case "query":
		return anyurl.URL.Query, true
	case "fragment":
		return anyurl.URL.Fragment, true
	case "origin":
		return anyurl.URL.Origin, true
	}
	return nil, false
}

func fill(pieces []piece, u anyurl.URL) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.words)
		if p.value != nil {
			b.WriteString(p.value(u))
		}
	}
	return b.String()
}
