package cli

import (
	"path/filepath"
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
}

// client gives what opens URLs within the reach, with the servers that the
// environment names. The caller closes it.
func (r reach) client(getenv func(string) string) *fetch.Client {
	d := &dial.Dialer{}
	if r.guard {
		d.Allow = dial.Guard
	}
	client := &fetch.Client{
		Transports: builtin.Transports(d, builtin.Options{News: getenv("NNTPSERVER"), GeminiHosts: stateFile(getenv, "gemini-hosts")}),
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

// stateFile is where the program keeps what it has to remember: below
// XDG_STATE_HOME, by the XDG Base Directory Specification. "" is nowhere.
func stateFile(getenv func(string) string, name string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "anyurl", name)
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "anyurl", name)
	}
	return ""
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
