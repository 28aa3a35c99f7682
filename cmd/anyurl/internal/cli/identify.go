package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/fetch"
)

// A whoAsk says who the user is, to which servers.
type whoAsk struct {
	header []string
	netrc  netrcAsk
}

func (w *whoAsk) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.header, "host-header", nil, "send a header field to one host alone, over https: `'HOST NAME: VALUE'`; http://HOST sends it in the clear; may be given again")
	w.netrc.flags(cmd)
}

// annotate notes which of the flags no project's file may set.
func (w *whoAsk) annotate(cmd *cobra.Command) {
	const why = "where somebody logs in is not the project's to say"
	notForProjects(cmd, "netrc", why)
	notForProjects(cmd, "netrc-file", why)
}

// identify gives what [check.Checker.Identify] asks; nil where nobody is told
// anything.
func (c *call) identify(ask whoAsk) (func(anyurl.URL) (map[string][]string, *fetch.Auth), error) {
	logins, err := c.logins(ask.netrc)
	if err != nil {
		return nil, err
	}
	fields, err := readHostHeader(ask.header)
	if err != nil || logins == nil && len(fields) == 0 {
		return nil, err
	}
	return func(u anyurl.URL) (map[string][]string, *fetch.Auth) {
		if logins == nil {
			return fields[u.Origin()], nil
		}
		return fields[u.Origin()], logins(u)
	}, nil
}

// readHostHeader reads header fields that are for one origin each: a host alone
// means https. No error shows a value.
func readHostHeader(lines []string) (map[string]map[string][]string, error) {
	all := map[string]map[string][]string{}
	for _, line := range lines {
		host, field, _ := strings.Cut(strings.TrimSpace(line), " ")
		wrong := func(says string) error {
			return usage(`it is written as in --host-header "api.example X-Api-Key: VALUE"`, "--host-header for \"%s\": %s", host, says)
		}
		switch {
		case field == "":
			host = "…" // it may be the value alone
			return nil, wrong("no header field follows")
		case strings.HasSuffix(host, ":"):
			host = strings.TrimSuffix(host, ":")
			return nil, wrong("a host stands in front of the field's name")
		}
		u, err := anyurl.Parse(host)
		if !strings.Contains(host, "://") {
			u, err = anyurl.Parse("https://" + host)
		}
		// The origin, written out, is all there may be.
		if err != nil || u.Scheme() != "https" && u.Scheme() != "http" || u.HasUserinfo() || u.Path() != "/" || u.HasQuery() || u.HasFragment() {
			host = "…" // it may be part of the value
			return nil, wrong("it begins with no host")
		}
		one, err := readHeader([]string{field})
		if err != nil {
			return nil, wrong("no header field that may be sent follows")
		}
		at := all[u.Origin()]
		if at == nil {
			at = map[string][]string{}
			all[u.Origin()] = at
		}
		for name, values := range one {
			at[name] = append(at[name], values...)
		}
	}
	return all, nil
}
