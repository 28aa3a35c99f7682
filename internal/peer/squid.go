package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Squid starts Squid 5, a proxy that knows ftp besides http, and keeps nothing. Its
// log notes what it was asked for.
func Squid(t testing.TB) (addr, log string) {
	t.Helper()
	program := Look(t, "squid", "squid")
	dir, port := t.TempDir(), Port(t)
	Open(t, dir)
	if err := os.Chmod(dir, 0o777); err != nil { // it gives up root
		t.Fatal(err)
	}
	share := strings.TrimSuffix(program, "sbin/squid") + "share/squid"
	log = filepath.Join(dir, "access.log")
	conf := filepath.Join(dir, "conf")
	text := fmt.Sprintf(`http_port 127.0.0.1:%d
http_access allow all
access_log stdio:%s
cache_log /dev/null
cache deny all
cache_store_log none
pid_filename none
coredump_dir %[3]s
mime_table %[4]s/mime.conf
icon_directory %[4]s/icons
error_directory %[4]s-langpack/templates
netdb_filename none
pinger_enable off
unlinkd_program %[4]s/../../lib/squid/unlinkd
shutdown_lifetime 0 seconds
`, port, log, dir, share)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	Start(t, exec.Command(program, "-N", "-f", conf)).Await(t, Addr(port))
	return Addr(port), log
}
