package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Postgres starts a PostgreSQL server on loopback, with a database of its own,
// and gives its DSN. The server does not run as root; when the test does, it is
// started as nobody.
func Postgres(t testing.TB) string {
	t.Helper()
	initdb, postgres := Look(t, "initdb", "postgresql-15"), Look(t, "postgres", "postgresql-15")
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	_, as := unprivileged(t, dir)
	data := filepath.Join(dir, "data")
	init := exec.Command(initdb, "-D", data, "-U", "anyurl", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	init.Dir, init.SysProcAttr = dir, &syscall.SysProcAttr{Credential: as}
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := Port(t)
	server := exec.Command(postgres, "-D", data, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
	server.Dir = dir
	p := startAs(t, server, as)
	p.Await(t, Addr(port))
	dsn := fmt.Sprintf("postgres://anyurl@127.0.0.1:%d/postgres?sslmode=disable", port)
	p.await(t, "database system is ready to accept connections")
	return dsn
}
