package cli

import (
	"slices"
	"strings"
	"time"

	"anyurl/audit"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
	"anyurl/scheme/known"
)

// A reach is how far a command may go, as its flags say.
type reach struct {
	guard   bool
	timeout time.Duration
	maxSize int64
	retries int // how often what may pass is tried again
	mail    mailAsk
}

// client gives what opens URLs within the reach, with the servers that the
// environment and the configuration files name. The caller closes it.
func (r reach) client(c *call) *fetch.Client {
	d := &dial.Dialer{}
	if r.guard {
		d.Allow = dial.Guard
	}
	options := builtin.Options{News: c.setting("news", "server"), GeminiHosts: homeFile(c.getenv, "XDG_STATE_HOME", ".local/state", "gemini-hosts")}
	r.mail.into(&options, c.setting)
	client := &fetch.Client{
		Transports: builtin.Transports(d, options),
		Limits:     fetch.Limits{Total: r.timeout, MaxBody: r.maxSize},
	}
	if r.retries > 0 {
		for name, t := range client.Transports {
			client.Transports[name] = &fetch.Retry{Transport: t, Attempts: 1 + r.retries}
		}
	}
	if r.guard {
		client.Gate = audit.Guard
	}
	return client
}

// opens lists the schemes that this build opens.
func opens() []string {
	var names []string
	for name := range builtin.Transports(&dial.Dialer{}, builtin.Options{}) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// knownScheme refuses a scheme that a flag names and that is in no list.
func knownScheme(flag, name string) error {
	lower := strings.ToLower(name)
	if _, ok := known.Lookup(lower); ok || slices.Contains(opens(), lower) {
		return nil
	}
	hint := "anyurl schemes lists what there is"
	if near := closest(lower, opens()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usage(hint, "%s: there is no scheme \"%s\"", flag, name)
}

// list is names in a sentence.
func list(names []string) string { return strings.Join(names, ", ") }
