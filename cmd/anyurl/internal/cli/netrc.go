package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/cmd/anyurl/internal/config"
	"anyurl/fetch"
	"anyurl/percent"
)

// A netrcAsk says whether and where logins are looked up.
type netrcAsk struct {
	use   bool
	file  string
	named bool // for hosts that the file names: its default is for nobody
}

func (n *netrcAsk) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&n.use, "netrc", false, "log in as the file $NETRC or ~/.netrc says, where the URL has no password")
	f.StringVar(&n.file, "netrc-file", "", "the same, with this `FILE`")
}

// logins gives what finds the login for a URL; nil where none is looked up.
func (c *call) logins(ask netrcAsk) (func(anyurl.URL) *fetch.Auth, error) {
	name := ask.file
	switch {
	case name != "":
	case !ask.use:
		return nil, nil
	case c.getenv("NETRC") != "":
		name = c.getenv("NETRC")
	case filepath.IsAbs(c.getenv("HOME")):
		name = filepath.Join(c.getenv("HOME"), ".netrc")
	default:
		return nil, usage("--netrc-file FILE names one", "--netrc: nothing says where the home folder is")
	}
	in, err := c.open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer in.Close()
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		c.note("others may read %s and the passwords in it; chmod 600 keeps them out", name)
	}
	text, err := io.ReadAll(io.LimitReader(in, config.MaxSize+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	netrc, err := config.ReadNetrc(name, text)
	if err != nil {
		return nil, usage("", "%w", err)
	}
	return func(u anyurl.URL) *fetch.Auth {
		host, _, err := fetch.Target(u)
		if err != nil || host == "" {
			return nil
		}
		l, ok := netrc.Find(host, percent.Decode(u.Username()))
		if !ok || l.User == "" && l.Password == "" || ask.named && l.Machine == "" {
			return nil
		}
		return &fetch.Auth{User: l.User, Password: l.Password, HasPassword: l.HasPassword}
	}, nil
}
