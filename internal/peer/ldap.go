package peer

import (
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// An LDAP is a directory server on loopback.
type LDAP struct {
	Addr string // in clear, and TLS when asked for
	TLS  string // TLS from the start
	Pool *x509.CertPool
}

// Slapd starts OpenLDAP's server with the entries of an LDIF text, all below
// o=Tulips. Its administrator is cn=admin,o=Tulips, with the password "secret".
func Slapd(t testing.TB, ldif string) LDAP {
	t.Helper()
	program := Look(t, "slapd", "slapd")
	pool, cert, key, _ := Certificate(t)
	own := filepath.Join(Root(), "slapd") // where it is unpacked, if it is
	schema, modules := "/etc/ldap/schema", "/usr/lib/ldap"
	env := os.Environ()
	if program == filepath.Join(own, "usr/sbin/slapd") {
		schema, modules = own+schema, own+modules
		libs, err := filepath.Glob(filepath.Join(own, "usr/lib/*-linux-gnu"))
		if err != nil || len(libs) != 1 {
			t.Fatalf("the libraries of slapd: %q, %v", libs, err)
		}
		env = append(env, "LD_LIBRARY_PATH="+libs[0])
	}
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	conf, entries := filepath.Join(dir, "slapd.conf"), filepath.Join(dir, "entries.ldif")
	text := fmt.Sprintf("include %[1]s/core.schema\ninclude %[1]s/cosine.schema\ninclude %[1]s/inetorgperson.schema\nmodulepath %[2]s\nmoduleload back_mdb\n"+
		"pidfile %[3]s/pid\nTLSCertificateFile %[4]s\nTLSCertificateKeyFile %[5]s\nreferral ldap://192.0.2.7\nsizelimit 20\n"+
		"database mdb\nsuffix \"o=Tulips\"\nrootdn \"cn=admin,o=Tulips\"\nrootpw secret\ndirectory %[6]s\nmaxsize 10485760\n"+
		"access to attrs=telephoneNumber by users read by * none\naccess to * by * read\n",
		schema, modules, dir, cert, key, data)
	for name, what := range map[string]string{conf: text, entries: ldif} {
		if err := os.WriteFile(name, []byte(what), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	add := exec.Command(program, "-T", "add", "-f", conf, "-l", entries) // slapadd, as which it is called too
	add.Env = env
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("adding the entries: %v\n%s", err, out)
	}
	l := LDAP{Addr: Addr(Port(t)), TLS: Addr(Port(t)), Pool: pool}
	cmd := exec.Command(program, "-d", "0", "-f", conf, "-h", "ldap://"+l.Addr+" ldaps://"+l.TLS)
	cmd.Env = env
	p := Start(t, cmd)
	p.Await(t, l.Addr)
	p.Await(t, l.TLS)
	return l
}
