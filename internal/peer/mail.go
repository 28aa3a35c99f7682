package peer

import (
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Mail is a mail server on loopback. Who logs in is kim, with the password
// secret.
type Mail struct {
	Addr string // in clear, and TLS when asked for
	TLS  string // TLS from the start
	Pool *x509.CertPool
	// Dir is where an SMTP server delivers: it has a Maildir for each recipient,
	// named by the address, or one for all.
	Dir string
}

// asInstalled gives the command that runs an unpacked package's program as if
// the package were installed: in a mount namespace of its own its folders lie
// over the system's, and so do the files and folders of over. It takes root.
func asInstalled(t testing.TB, pkg string, over map[string]string, argv ...string) *exec.Cmd {
	t.Helper()
	unshare, mount := Look(t, "unshare", "util-linux"), Look(t, "mount", "mount")
	if err := exec.Command(unshare, "-m", "true").Run(); err != nil {
		t.Skipf("a mount namespace takes root, and a system that allows one: %v", err)
	}
	var script strings.Builder
	script.WriteString("set -e\n" + mount + " --make-rprivate /\n")
	for _, dir := range []string{"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec"} {
		own := filepath.Join(Root(), pkg, dir)
		if _, err := os.Stat(own); err == nil {
			fmt.Fprintf(&script, "%s -t overlay overlay -o lowerdir=%s:%s %s\n", mount, own, dir, dir)
		}
	}
	for there, ours := range over {
		fmt.Fprintf(&script, "%s --bind %s %s\n", mount, ours, there)
	}
	script.WriteString(`exec "$@"` + "\n")
	return exec.Command(unshare, append([]string{"-m", "sh", "-c", script.String(), "sh"}, argv...)...)
}

// nobody is the user that mail belongs to, when the test is root.
func nobody(t testing.TB) (uid, gid int) {
	t.Helper()
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Skip(err)
	}
	uid, _ = strconv.Atoi(u.Uid)
	gid, _ = strconv.Atoi(u.Gid)
	return uid, gid
}

// OpenSMTPD starts OpenSMTPD, which takes letters for anybody, in clear alone:
// its release in Debian cannot use its own key with OpenSSL 3.
func OpenSMTPD(t testing.TB) Mail {
	t.Helper()
	smtpd := Look(t, "smtpd", "opensmtpd")
	base := t.TempDir()
	Open(t, base)
	port := Port(t)
	m := Mail{Addr: Addr(port), Dir: filepath.Join(base, "mail")}
	for _, dir := range []string{"spool/smtpd", "lib/opensmtpd/empty", "run", "mail"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(base, "spool/smtpd"), 0o711); err != nil {
		t.Fatal(err)
	}
	uid, gid := nobody(t)
	if err := os.Chown(m.Dir, uid, gid); err != nil {
		t.Skip(err) // not root
	}
	over := map[string]string{
		"/etc/passwd": withLines(t, base, "/etc/passwd", "opensmtpd:x:990:990::/var/lib/opensmtpd/empty:/usr/sbin/nologin\nopensmtpq:x:991:991::/var/lib/opensmtpd/empty:/usr/sbin/nologin\n"),
		"/etc/group":  withLines(t, base, "/etc/group", "opensmtpd:x:990:\nopensmtpq:x:991:\n"),
		"/var/spool":  filepath.Join(base, "spool"),
		"/var/lib":    filepath.Join(base, "lib"),
		"/run":        filepath.Join(base, "run"),
	}
	conf := filepath.Join(base, "smtpd.conf")
	text := fmt.Sprintf(`table all { "@" = "nobody" }
listen on 127.0.0.1 port %d hostname localhost
action "box" maildir "%s/%%{rcpt}" virtual <all>
match from any for any action "box"
`, port, m.Dir)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p := Start(t, asInstalled(t, "opensmtpd", over, smtpd, "-d", "-f", conf))
	p.Await(t, m.Addr)
	return m
}

// Exim starts Exim, which takes letters for anybody in clear, in TLS and with a
// login in TLS, and delivers them all into the one Maildir all of Dir.
func Exim(t testing.TB) Mail {
	t.Helper()
	exim := Look(t, "exim4", "exim4-daemon-light")
	base := t.TempDir()
	Open(t, base)
	pool, cert, key, _ := Certificate(t)
	port, secure := Port(t), Port(t)
	m := Mail{Addr: Addr(port), TLS: Addr(secure), Pool: pool, Dir: filepath.Join(base, "mail")}
	uid, gid := nobody(t)
	own := func(name string, content []byte) string {
		path := filepath.Join(base, name)
		var err error
		if content == nil {
			err = os.Mkdir(path, 0o755)
		} else {
			err = os.WriteFile(path, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, uid, gid); err != nil {
			t.Skip(err) // not root
		}
		return path
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	conf := filepath.Join(base, "exim.conf")
	text := fmt.Sprintf(`daemon_smtp_ports = %d : %d
tls_on_connect_ports = %d
local_interfaces = 127.0.0.1
primary_hostname = localhost
exim_user = nobody
exim_group = nogroup
never_users =
spool_directory = %s
log_file_path = %s/%%slog
pid_file_path = %s/pid
tls_advertise_hosts = *
tls_certificate = %s
tls_privatekey = %s
smtputf8_advertise_hosts = *
auth_advertise_hosts = ${if def:tls_in_cipher {*}{}}
acl_smtp_rcpt = take
acl_smtp_data = take
begin acl
take:
  accept
begin routers
all:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  directory = %s/all
  create_directory
  maildir_format
  user = nobody
  group = nogroup
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${if and{{eq{$auth2}{kim}}{eq{$auth3}{secret}}}}
  server_set_id = $auth2
`, port, secure, secure, own("spool", nil), own("log", nil), base, own("cert", read(cert)), own("key", read(key)), own("mail", nil))
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p := Start(t, asInstalled(t, "exim4-daemon-light", map[string]string{
		"/etc/passwd": withLines(t, base, "/etc/passwd", "Debian-exim:x:992:992::/nonexistent:/usr/sbin/nologin\n"),
		"/etc/group":  withLines(t, base, "/etc/group", "Debian-exim:x:992:\n"),
	}, exim, "-bdf", "-C", conf))
	p.Await(t, m.Addr)
	p.Await(t, m.TLS)
	return m
}

// withLines gives a copy of a file of the system, in a folder, with lines added
// to it: users that an installation would have made.
func withLines(t testing.TB, dir, file, more string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(dir, filepath.Base(file))
	if err := os.WriteFile(path, []byte(strings.TrimRight(string(text), "\n")+"\n"+more), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Dovecot starts Dovecot as an IMAP server for a Maildir, which is then nobody's.
func Dovecot(t testing.TB, maildir string) Mail {
	t.Helper()
	dovecot := Look(t, "dovecot", "dovecot-core")
	base := t.TempDir()
	Open(t, base)
	pool, cert, key, _ := Certificate(t)
	port, secure := Port(t), Port(t)
	uid, gid := nobody(t)
	err := filepath.WalkDir(maildir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, uid, gid)
	})
	if err != nil {
		t.Skip(err) // not root
	}
	conf := filepath.Join(base, "dovecot.conf")
	text := fmt.Sprintf(`base_dir = %s/run
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <%s
ssl_key = <%s
default_internal_user = mail
default_internal_group = mail
default_login_user = nobody
mail_location = maildir:%s
first_valid_uid = 1
passdb {
  driver = static
  args = user=kim password=secret
}
userdb {
  driver = static
  args = uid=%d gid=%d home=%s
}
service imap-login {
  chroot =
  inet_listener imap {
    port = %d
  }
  inet_listener imaps {
    port = %d
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`, base, cert, key, maildir, uid, gid, base, port, secure)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p := Start(t, asInstalled(t, "dovecot-core", nil, dovecot, "-F", "-c", conf))
	p.Await(t, Addr(port))
	p.Await(t, Addr(secure))
	return Mail{Addr: Addr(port), TLS: Addr(secure), Pool: pool}
}
