package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyurl/audit"
	"anyurl/cmd/anyurl/internal/demo"
)

func newDemo(c *call) *cobra.Command {
	var stay bool
	cmd := &cobra.Command{
		Use:     "demo [flags]",
		Short:   "show it all on a small internet of its own",
		GroupID: groupReaches,
		Long: `Starts a web server, an FTP server and a gopher server on loopback, writes a text
that links to all of them, to what is there and to what is gone, and checks it:
links are found, read by the rules of their scheme, opened and judged. A second
text, with links that nobody should follow, is vetted and not opened. Nothing
leaves this machine, and nothing is left behind.`,
		Example: "anyurl demo\nanyurl demo --stay",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			internet, err := demo.Start(c.ctx)
			if err != nil {
				return cannot(fmt.Errorf("starting the servers: %w", err), "")
			}
			defer internet.Close()
			dir, err := os.MkdirTemp("", "anyurl-demo-")
			if err != nil {
				return cannot(err, "")
			}
			defer os.RemoveAll(dir)
			guide, letter := filepath.Join(dir, "guide.md"), filepath.Join(dir, "letter.txt")
			for path, text := range map[string]string{guide: internet.Sample(), letter: demo.Letter} {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					return cannot(err, "")
				}
			}
			fmt.Fprintf(c.out, "A small internet, on this machine alone: http://%s/, ftp://%s/, gopher://%s/\n", internet.Web, internet.FTP, internet.Gopher)
			c.present("guide.md, a text that links to it", internet.Sample(), "anyurl check --all guide.md")
			ask := defaultCheck()
			ask.all, ask.pause = true, 50*time.Millisecond // what does not answer here never will
			if err := c.check([]string{guide}, ask); err != nil {
				return err
			}
			c.present("letter.txt, a text that lies", demo.Letter, "anyurl audit --find letter.txt")
			a := auditor{call: c, least: audit.Warning}
			if err := a.texts([]string{letter}, finder("auto", false, false)); err != nil {
				return err
			}
			c.status = statusWell // that some are broken is the point
			if stay {
				fmt.Fprintf(c.out, "\nThe servers stay until you interrupt. Try, elsewhere:\n  anyurl get gopher://%s/1/\n  anyurl get ftp://%s/motd\n", internet.Gopher, internet.FTP)
				c.out.Flush()
				<-c.ctx.Done()
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&stay, "stay", false, "keep the servers running until interrupted, to try other commands on")
	return cmd
}

// present shows a text and the command that is run on it.
func (c *call) present(title, text, command string) {
	fmt.Fprintf(c.out, "\n%s:\n\n", title)
	for line := range strings.Lines(text) {
		fmt.Fprintf(c.out, "    %s", line)
	}
	fmt.Fprintf(c.out, "\n$ %s\n\n", command)
}
