package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// PureFTPd starts Pure-FTPd with further arguments, for the user alice alone, whose
// password is "secret" and whose folder is pub in the tree. It gives its address.
func PureFTPd(t testing.TB, tree string, more ...string) string {
	t.Helper()
	program, users := Look(t, "pure-ftpd", "pure-ftpd"), Look(t, "pure-pw", "pure-ftpd")
	if os.Getuid() != 0 {
		t.Skip("pure-ftpd changes its user and wants to be started by root")
	}
	dir := t.TempDir()
	passwd, db := filepath.Join(dir, "passwd"), filepath.Join(dir, "users.pdb")
	// The password "secret", hashed by crypt: the program's own hash is made to
	// take seconds.
	const hash = "$6$anyurl$M/ar1w5PGiNz1VHDE/dZvd8IY42bgcF1n/LpSWCZx2VMY89f7TZdgvzG8YZdBO8NtEAgIQTTqJn4AL6q7Cdg9/"
	line := strings.Join([]string{"alice", hash, "65534", "65534", "", filepath.Join(tree, "pub"), "", "", "", "", "", "", "", "", "", "", "", ""}, ":")
	if err := os.WriteFile(passwd, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(users, "mkdb", db, "-f", passwd).CombinedOutput(); err != nil {
		t.Fatalf("pure-pw: %v\n%s", err, out)
	}
	port := Port(t)
	argv := append([]string{"-l", "puredb:" + db, "-E", "-S", fmt.Sprint("127.0.0.1,", port), "-u", "1", "-H", "-4", "-g", filepath.Join(dir, "pid")}, more...)
	Start(t, exec.Command(program, argv...)).Await(t, Addr(port))
	return Addr(port)
}
