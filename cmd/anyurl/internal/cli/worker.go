package cli

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"anyurl/check/queue"
	"anyurl/cmd/anyurl/internal/broker"
)

func newWorker(c *call) *cobra.Command {
	ask := defaultCheck()
	var options queue.Options
	var embed string
	cmd := &cobra.Command{
		Use:     "worker [flags] [NATS-URL]",
		Short:   "ask for the URLs of checks that others run",
		GroupID: groupReaches,
		Long: `Asks for the URLs that anyurl check --queue puts into the JetStream of a NATS server,
and sends the answers back, until it is interrupted. Any number of workers may do so:
each host belongs to one of them at a time, so that its limits hold over all. A worker
that is killed is replaced by the others; what it had not answered they ask. When the
server has been away for too long, they end.

With --embed ADDRESS a NATS server listens there while the worker runs: so a check with
workers can be tried out without another program. Its queue does not outlive it; a check
puts what is lost there into the queue again.

How is asked is said here, and not to the check that wants to know: give every worker
the same flags, and --fragments where the check has it.`,
		Example: `anyurl worker --interval 1s --per-host 1 nats://queue.example:4222
anyurl worker --embed 127.0.0.1:4222   # and then: anyurl check --queue nats://127.0.0.1:4222 docs/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (embed != "") {
				return usage("anyurl worker nats://HOST:4222, or anyurl worker --embed 127.0.0.1:4222", "a worker wants the URL of a NATS server, or --embed")
			}
			if embed != "" {
				server, end, err := c.embed(embed)
				if err != nil {
					return err
				}
				defer end()
				args = []string{server}
			}
			checker, closeClients, err := c.checker(ask)
			if err != nil {
				return err
			}
			defer closeClients()
			conn, err := queue.Connect(c.ctx, args[0], options)
			if err != nil {
				return cannot(err, "is a NATS server with JetStream there? nats-server -js is one")
			}
			defer conn.Close()
			defer useRoom()()
			if err := conn.Work(c.ctx, checker); err != nil {
				return cannot(err, "what was not answered is asked by others, or when the server is there again")
			}
			return nil
		},
	}
	numberFlag(cmd, &ask.workers, "workers", 32, 1, 1<<16, "ask for at most this `NUMBER` of URLs at once in each of the queue's parts")
	numberFlag(cmd, &ask.perHost, "per-host", 16, 1, 1<<16, "and for at most this `NUMBER` at one host")
	durationFlag(cmd, &ask.interval, "interval", 0, "leave this `DURATION` between the answer to one request and the next to the same host")
	timeoutFlag(cmd, &ask.timeout, 30*time.Second, "give up on an answer after this long")
	numberFlag(cmd, &ask.retries, "retries", 2, 0, 100, "try what may pass again this `NUMBER` of times")
	durationFlag(cmd, &ask.pause, "retry-wait", 500*time.Millisecond, "wait this `DURATION` before that, and twice as long before the next")
	numberFlag(cmd, &ask.maxRedirects, "max-redirects", 20, 1, 100, "follow at most this `NUMBER` of redirects of a link")
	durationFlag(cmd, &ask.patience, "patience", time.Minute, "wait at most this `DURATION` when a host says how long (Retry-After)")
	durationFlag(cmd, &options.Lease, "lease", 12*time.Second, "others take over when nothing was heard for this `DURATION`; the first to connect says it")
	durationFlag(cmd, &options.Patience, "queue-patience", time.Minute, "end when the queue's server has been away for this `DURATION`")
	numberFlag(cmd, &options.Replicas, "replicas", 1, 1, 5, "keep the queue on this `NUMBER` of a cluster's servers; the first to connect says it")
	f := cmd.Flags()
	f.StringVar(&embed, "embed", "", "run a NATS server that listens at this `ADDRESS`, to try it out: 127.0.0.1:4222")
	f.StringSliceVar(&ask.accept, "accept", nil, "take these HTTP `STATUSES` for good, too: 403,500..599")
	f.BoolVar(&ask.noRobots, "no-robots", false, "ask no site for its robots.txt, and follow all links of its pages: for sites that are yours")
	f.BoolVar(&ask.allowPrivate, "allow-private", false, "let pages from the network lead to internal addresses")
	f.BoolVar(&ask.fragments, "fragments", false, "read pages, and look up the fragment of each link in them")
	codeFlag(cmd, &ask.code)
	f.StringArrayVarP(&ask.header, "header", "H", nil, "send this `NAME: VALUE` with every HTTP request; may be given again")
	ask.who.flags(cmd)
	f.BoolVar(&ask.guard, "guard", false, "refuse internal addresses, for documents that strangers wrote")
	ask.way.flags(cmd)
	return cmd
}

// embed starts a NATS server that listens at an address, and gives its URL.
func (c *call) embed(address string) (url string, end func(), err error) {
	dir, err := os.MkdirTemp("", "anyurl")
	if err != nil {
		return "", nil, cannot(err, "")
	}
	server, err := broker.Start(address, dir)
	if err != nil {
		os.RemoveAll(dir)
		if errors.Is(err, broker.ErrAddress) {
			return "", nil, usage("it is written as in 127.0.0.1:4222", "--embed \"%s\" is no address", address)
		}
		return "", nil, cannot(err, "")
	}
	c.note("a NATS server listens: anyurl check --queue %s", server.URL())
	return server.URL(), func() {
		server.Close()
		os.RemoveAll(dir)
	}, nil
}
