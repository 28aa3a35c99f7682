package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyurl/audit"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

// A reach is how far a command may go, as its flags say.
type reach struct {
	guard   bool
	timeout time.Duration
	maxSize int64
}

// client gives what opens URLs within the reach, with the servers that the
// environment names. The caller closes it.
func (r reach) client(getenv func(string) string) *fetch.Client {
	d := &dial.Dialer{}
	if r.guard {
		d.Allow = dial.Guard
	}
	client := &fetch.Client{
		Transports: builtin.Transports(d, builtin.Options{News: getenv("NNTPSERVER")}),
		Limits:     fetch.Limits{Total: r.timeout, MaxBody: r.maxSize},
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

func timeoutFlag(cmd *cobra.Command, timeout *time.Duration, otherwise time.Duration, says string) {
	cmd.Flags().DurationVar(timeout, "timeout", otherwise, says+", as `DURATION`: 500ms, 30s, 2m")
}

// list is names in a sentence.
func list(names []string) string { return strings.Join(names, ", ") }
