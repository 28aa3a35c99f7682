package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// SSHD starts OpenSSH's server on loopback and gives its address and the user
// whom it lets in with the key of authorized, a line in OpenSSH's form; hostKey
// is the server's private key, in PEM. It does not run as root, so it needs no
// user of its own on this machine, and lets in only who runs it.
func SSHD(t testing.TB, hostKey []byte, authorized string) (addr, user string) {
	t.Helper()
	program := Look(t, "sshd", "openssh-server")
	dir, err := os.MkdirTemp("", "sshd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	key, keys, conf := filepath.Join(dir, "key"), filepath.Join(dir, "keys"), filepath.Join(dir, "conf")
	port := Port(t)
	config := []string{
		fmt.Sprint("Port ", port), "ListenAddress 127.0.0.1", "HostKey " + key, "AuthorizedKeysFile " + keys, "StrictModes no", "UsePAM yes",
		"PidFile none", "Subsystem sftp internal-sftp", "PasswordAuthentication no", "MaxStartups 100",
	}
	for name, data := range map[string]string{key: string(hostKey), keys: authorized, conf: strings.Join(config, "\n") + "\n"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	user, as := unprivileged(t, dir, key, keys, conf)
	p := startAs(t, exec.Command(program, "-D", "-e", "-f", conf), as)
	p.Await(t, Addr(port))
	return Addr(port), user
}
