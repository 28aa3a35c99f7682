package cli

import (
	"time"

	"github.com/spf13/cobra"

	"anyurl/check/queue"
)

func newWorker(c *call) *cobra.Command {
	ask := defaultCheck()
	var lease time.Duration
	cmd := &cobra.Command{
		Use:     "worker [flags] NATS-URL",
		Short:   "ask for the URLs of checks that others run",
		GroupID: groupReaches,
		Long: `Asks for the URLs that anyurl check --queue puts into the JetStream of a NATS server,
and sends the answers back, until it is interrupted. Any number of workers may do so:
each host belongs to one of them at a time, so that its limits hold over all. A worker
that is killed is replaced by the others; what it had not answered they ask.

How is asked is said here, and not to the check that wants to know: give every worker
the same flags, and --fragments where the check has it.`,
		Example: `anyurl worker --interval 1s --per-host 1 nats://queue.example:4222`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			checker, closeClients, err := c.checker(ask)
			if err != nil {
				return err
			}
			defer closeClients()
			conn, err := queue.Connect(c.ctx, args[0], queue.Options{Lease: lease})
			if err != nil {
				return cannot(err, "is a NATS server with JetStream there? nats-server -js is one")
			}
			defer conn.Close()
			if err := conn.Work(c.ctx, checker); err != nil {
				return cannot(err, "")
			}
			return nil
		},
	}
	numberFlag(cmd, &ask.workers, "workers", 32, 1, 1<<16, "ask for at most this `NUMBER` of URLs at once in each of the queue's parts")
	numberFlag(cmd, &ask.perHost, "per-host", 16, 1, 1<<16, "and for at most this `NUMBER` at one host")
	durationFlag(cmd, &ask.interval, "interval", 0, "leave this `DURATION` between the answer to one request and the next to the same host")
	timeoutFlag(cmd, &ask.timeout, 30*time.Second, "give up on an answer after this long")
	numberFlag(cmd, &ask.retries, "retries", 2, 0, 100, "try what may pass again this `NUMBER` of times")
	durationFlag(cmd, &ask.patience, "patience", time.Minute, "wait at most this `DURATION` when a host says how long (Retry-After)")
	durationFlag(cmd, &lease, "lease", 12*time.Second, "others take over when nothing was heard for this `DURATION`; the first to connect says it")
	f := cmd.Flags()
	f.StringSliceVar(&ask.accept, "accept", nil, "take these HTTP `STATUSES` for good, too: 403,500..599")
	f.BoolVar(&ask.allowPrivate, "allow-private", false, "let pages from the network lead to internal addresses")
	f.BoolVar(&ask.fragments, "fragments", false, "read pages, and look up the fragment of each link in them")
	f.StringArrayVarP(&ask.header, "header", "H", nil, "send this `NAME: VALUE` with every HTTP request; may be given again")
	f.BoolVar(&ask.guard, "guard", false, "refuse internal addresses, for documents that strangers wrote")
	ask.way.flags(cmd)
	return cmd
}
