// Command anyurl reads any URL, finds it in text, vets it, opens it, and keeps
// watch on it. Its commands are in package cli; `anyurl help` lists them.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"anyurl/cmd/anyurl/internal/cli"
)

func main() {
	// Output that nobody reads any more is a failed write like another: the
	// command ends in its own way and takes its temporary files with it.
	signal.Ignore(syscall.SIGPIPE)
	// net/http tells the standard logger what it finds odd in strangers' answers;
	// what is worth saying of them we say ourselves.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// The first signal asks the command to say what it knows; a second one
	// ends the process as it would any other.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, cli.System()))
}
