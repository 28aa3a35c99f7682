package peer

import (
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Pygopherd starts pygopherd on a tree and gives its address, and the pool that
// vouches for its certificate. Its one port speaks Gopher and Spartan in clear,
// Gopher and Gemini inside TLS.
func Pygopherd(t testing.TB, tree string) (addr string, pool *x509.CertPool) {
	t.Helper()
	program := Look(t, "pygopherd", "pygopherd")
	original, err := os.ReadFile("/etc/pygopherd/pygopherd.conf")
	if err != nil {
		t.Skip(err)
	}
	dir, port := t.TempDir(), Port(t)
	pool, cert, key, _ := Certificate(t)
	ours := map[string]string{
		"port": fmt.Sprint(port), "interface": "127.0.0.1", "servername": "127.0.0.1", "root": tree, "usechroot": "no", "mimetypes": "/etc/mime.types",
		"pidfile": filepath.Join(dir, "pid"), "detach": "no", "enable_tls": "yes", "tls_certfile": cert, "tls_keyfile": key,
	}
	var conf strings.Builder
	for line := range strings.Lines(string(original)) {
		name, _, _ := strings.Cut(line, "=")
		switch name = strings.TrimSpace(name); {
		case ours[name] != "", name == "setuid", name == "setgid", name == "logmethod":
			continue
		case name == "cachetime":
			// It would read what another connection, of Await, is about to write.
			line = "cachetime = -1\n"
		}
		conf.WriteString(line)
		switch name {
		case "[pygopherd]":
			for name, value := range ours {
				fmt.Fprintf(&conf, "%s = %s\n", name, value)
			}
		case "[logger]":
			conf.WriteString("logmethod = file\n")
		}
	}
	file := filepath.Join(dir, "pygopherd.conf")
	if err := os.WriteFile(file, []byte(conf.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	p := Start(t, exec.Command(program, file))
	p.Await(t, Addr(port))
	return Addr(port), pool
}
