package ftp_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/ftp"
)

// A real is a server that nobody here wrote, with a peer.Tree in it.
type real struct {
	addr string
	// user is "" for anonymous, else "alice:secret@".
	user string
	// base is the login folder's name in the tree: "" or "pub".
	base string
	// absolute is where the tree's root is, for "%2F".
	absolute string
	config   *tls.Config
	name     string // with its version
}

// asRoot skips a test of a server that gives up root, which it needs first.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() == 0 {
		return
	}
	t.Skip("this server changes its user and wants to be started by root")
}

func startVsftpd(t *testing.T, more ...string) *real {
	t.Helper()
	program := peer.Look(t, "vsftpd", "vsftpd")
	asRoot(t)
	tree := peer.Tree(t)
	dir := t.TempDir()
	peer.Open(t, dir)
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	port := peer.Port(t)
	conf := filepath.Join(dir, "vsftpd.conf")
	lines := append([]string{"listen=YES", "listen_address=127.0.0.1", fmt.Sprint("listen_port=", port), "background=NO", "anonymous_enable=YES",
		"anon_root=" + tree, "local_enable=NO", "pasv_address=127.0.0.1", "connect_from_port_20=NO", "seccomp_sandbox=NO",
		"secure_chroot_dir=" + empty, "ascii_download_enable=YES", "xferlog_enable=NO"}, more...)
	if err := os.WriteFile(conf, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := peer.Start(t, exec.Command(program, conf))
	p.Await(t, peer.Addr(port))
	return &real{addr: peer.Addr(port), absolute: "/", name: peer.Version("vsftpd")}
}

func startPureFTPd(t *testing.T, more ...string) *real {
	t.Helper()
	tree := peer.Tree(t)
	return &real{addr: peer.PureFTPd(t, tree, more...), user: "alice:secret@", base: "pub", absolute: tree, name: peer.Version("pure-ftpd")}
}

func startProFTPD(t *testing.T, user bool) *real {
	t.Helper()
	program := peer.Look(t, "proftpd", "proftpd-core")
	asRoot(t)
	tree := peer.Tree(t)
	dir := t.TempDir()
	peer.Open(t, dir)
	port := peer.Port(t)
	conf := fmt.Sprintf(`
ServerType standalone
DefaultAddress 127.0.0.1
Port %d
UseIPv6 off
User nobody
Group nogroup
PidFile %[2]s/pid
ScoreboardFile %[2]s/score
SystemLog %[2]s/log
DelayTable none
AuthPAM off
RequireValidShell off
UseReverseDNS off
WtmpLog off
`, port, dir)
	r := &real{addr: peer.Addr(port), absolute: "/", name: peer.Version("proftpd-core")}
	if user {
		passwd := filepath.Join(dir, "passwd")
		cmd := exec.Command("perl", peer.Look(t, "ftpasswd", "proftpd-core"), "--passwd", "--name", "alice", "--uid", "65534", "--gid", "65534",
			"--home", tree+"/pub", "--shell", "/bin/false", "--file", passwd, "--stdin")
		cmd.Stdin = strings.NewReader("secret\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("ftpasswd: %v\n%s", err, out)
		}
		conf += fmt.Sprintf("AuthOrder mod_auth_file.c\nAuthUserFile %s\nDefaultRoot %s\n", passwd, tree)
		r.user, r.base = "alice:secret@", "pub"
	} else {
		conf += fmt.Sprintf("<Anonymous %s>\nUser ftp\nGroup nogroup\nUserAlias anonymous ftp\nRequireValidShell off\n<Limit WRITE>\nDenyAll\n</Limit>\n</Anonymous>\n", tree)
	}
	file := filepath.Join(dir, "proftpd.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	p := peer.Start(t, exec.Command(program, "-n", "-c", file))
	p.Await(t, peer.Addr(port))
	return r
}

func (r *real) client() *fetch.Client {
	tr := ftp.New(&dial.Dialer{TLS: r.config})
	return &fetch.Client{Transports: map[string]fetch.Transport{"ftp": tr, "ftps": tr}}
}

// get opens a path, which begins with "/" and counts from the login folder.
func (r *real) get(t *testing.T, c *fetch.Client, path string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	scheme := "ftp"
	if r.config != nil {
		scheme = "ftps"
	}
	req := &fetch.Request{URL: anyurl.MustParse(scheme + "://" + r.user + r.addr + path)}
	for _, f := range change {
		f(req)
	}
	got, err := c.Do(t.Context(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

// behaves is what every server must let us do.
func (r *real) behaves(t *testing.T) {
	t.Helper()
	c := r.client()
	fetchtest.Opened(t, r.name, c)
	defer c.Close()
	pub := "/pub"
	if r.base == "pub" {
		pub = ""
	}
	absolute := strings.ReplaceAll(r.absolute, "/", "%2F")
	if absolute != "%2F" {
		absolute += "%2F"
	}
	hello := "Hello plain text\nsecond line\n.\n..dots\nlast\n"
	for _, tt := range []struct{ path, want string }{
		{pub + "/hello.txt", hello},
		{pub + "/hello.txt;type=i", hello},
		{pub + "/nonl.txt", "no final line end"},
		{pub + "/blob.bin", string(peer.Blob())},
		{pub + "/sub/inner.txt", "inner\n"},
		{pub + "/caf%C3%A9.txt", "café\n"},
		{pub + "/a%3Bb.txt", "semicolon\n"},
		{"/" + absolute + "pub/hello.txt", hello},
		{"/" + absolute + "pub%2Fhello.txt", hello},
		{"/" + absolute + "dir%20with%20space/a%20file.txt", "spaces\n"},
	} {
		got, body, err := r.get(t, c, tt.path)
		if err != nil || body != tt.want {
			t.Errorf("%s: %.60q, %v", tt.path, body, err)
		} else if got.Size != -1 && got.Size != int64(len(body)) {
			t.Errorf("%s: size %d of %d", tt.path, got.Size, len(body))
		}
	}
	// Text is told as text; whether line ends change is the server's business.
	if _, body, err := r.get(t, c, pub+"/hello.txt;type=a"); err != nil || strings.ReplaceAll(body, "\r\n", "\n") != hello {
		t.Errorf("text: %q, %v", body, err)
	}
	// Folders, by MLSD or LIST, and by NLST.
	for _, path := range []string{pub + "/", pub + "/;type=d", "/" + absolute + "pub"} {
		got, _, err := r.get(t, c, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var names []string
		for _, e := range got.Entries {
			names = append(names, e.Name)
		}
		slices.Sort(names)
		want := []string{"a;b.txt", "big.txt", "blob.bin", "café.txt", "hello.txt", "nonl.txt", "page.html", "pic.gif", "sub"}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q", path, names)
		}
		for _, e := range got.Entries {
			if strings.HasSuffix(path, ";type=d") {
				continue
			}
			if e.Name == "sub" && (e.Type != "dir" || !strings.HasSuffix(e.URL, "/sub/")) || e.Name == "blob.bin" && (e.Type != "file" || e.Size != 3000 || e.Time.IsZero()) {
				t.Errorf("%s: %+v", path, e)
			}
			// Each entry's own URL opens it. It has no password, so the login is
			// given apart.
			if e.Name == "a;b.txt" {
				req := &fetch.Request{URL: anyurl.MustParse(e.URL), Auth: &fetch.Auth{User: "alice", Password: "secret", HasPassword: true}}
				if r.user == "" {
					req.Auth = nil
				}
				if got, err := c.Do(t.Context(), req); err != nil {
					t.Errorf("%s: %v", e.URL, err)
				} else {
					if b, err := io.ReadAll(got.Body); string(b) != "semicolon\n" || err != nil {
						t.Errorf("%s: %q, %v", e.URL, b, err)
					}
					got.Body.Close()
				}
			}
		}
	}
	// What is not there.
	for _, path := range []string{pub + "/nothing", "/no/such/folder/x", pub + "/hello.txt/x"} {
		_, _, err := r.get(t, c, path)
		var e *fetch.Error
		if !errors.Is(err, fetch.ErrNotFound) || !errors.As(err, &e) || e.Said == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	// The rest of a file.
	got, body, err := r.get(t, c, pub+"/blob.bin", func(req *fetch.Request) { req.Offset = 1000 })
	if err != nil || got.Offset != 1000 || body != string(peer.Blob()[1000:]) || got.Size != 2000 {
		t.Errorf("from octet 1000: %d octets from %d, %v", len(body), got.Offset, err)
	}
	// About a file.
	got, body, err = r.get(t, c, pub+"/blob.bin", func(req *fetch.Request) { req.Method = "HEAD" })
	if err != nil || body != "" || got.Size != 3000 || got.ModTime.IsZero() {
		t.Errorf("HEAD: %+v, %v", got, err)
	}
	// Into a file, by the short way where there is one.
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	scheme := map[bool]string{true: "ftps", false: "ftp"}[r.config != nil]
	res, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(scheme + "://" + r.user + r.addr + pub + "/big.txt")})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(out, res.Body); err != nil || n != 112000 {
		t.Errorf("into a file: %d, %v", n, err)
	}
	res.Body.Close()
	if b, err := os.ReadFile(out.Name()); err != nil || !bytes.Equal(b, bytes.Repeat([]byte("the same line over and over\n"), 4000)) {
		t.Errorf("into a file: %d octets, %v", len(b), err)
	}
	// Someone else.
	wrong := *r
	wrong.user = "mallory:wrong@"
	_, _, err = wrong.get(t, c, pub+"/hello.txt")
	var e *fetch.Error
	if !errors.Is(err, fetch.ErrDenied) || !errors.As(err, &e) || e.Step != fetch.Login || strings.Contains(err.Error(), "wrong") {
		t.Errorf("a wrong password: %v", err)
	}
}

func TestVsftpd(t *testing.T) { startVsftpd(t).behaves(t) }

func TestPureFTPd(t *testing.T) { startPureFTPd(t).behaves(t) }

func TestProFTPD(t *testing.T) {
	t.Run("anonymous", func(t *testing.T) { startProFTPD(t, false).behaves(t) })
	t.Run("user", func(t *testing.T) {
		r := startProFTPD(t, true)
		r.behaves(t)
		// ProFTPD takes no CWD with an empty argument; that is told, not worked round.
		c := r.client()
		defer c.Close()
		if _, _, err := r.get(t, c, "//pub/hello.txt"); err == nil || !strings.Contains(err.Error(), `changing to the folder ""`) {
			t.Errorf("an empty CWD: %v", err)
		}
	})
}

// TestVsftpdTLS holds both ways to TLS, against a server that takes a data
// connection only when it resumes the control connection's session.
func TestVsftpdTLS(t *testing.T) {
	for _, way := range []string{"explicit", "implicit", "explicit, as its greeting shows"} {
		t.Run(way, func(t *testing.T) {
			pool, cert, key, _ := peer.Certificate(t)
			more := []string{"ssl_enable=YES", "allow_anon_ssl=YES", "force_anon_data_ssl=YES", "force_anon_logins_ssl=YES", "rsa_cert_file=" + cert, "rsa_private_key_file=" + key,
				"require_ssl_reuse=YES", "ssl_ciphers=HIGH"}
			if way == "implicit" {
				more = append(more, "implicit_ssl=YES")
			}
			r := startVsftpd(t, more...)
			r.config = &tls.Config{RootCAs: pool}
			tr := ftp.New(&dial.Dialer{TLS: r.config})
			known := func(uint16) bool { return way == "explicit" }
			if way == "explicit" || way == "implicit" {
				tr.Explicit = known
			}
			c := &fetch.Client{Transports: map[string]fetch.Transport{"ftps": tr}}
			fetchtest.Opened(t, r.name, c)
			defer c.Close()
			for range 2 {
				got, body, err := r.get(t, c, "/pub/blob.bin")
				if err != nil || body != string(peer.Blob()) || got.Protocol != "ftps" {
					t.Errorf("%d octets, %v", len(body), err)
				}
			}
			if got, _, err := r.get(t, c, "/pub/"); err != nil || len(got.Entries) != 9 {
				t.Errorf("%+v, %v", got, err)
			}
			// Nobody vouches for it.
			tr = ftp.New(&dial.Dialer{})
			if way == "explicit" || way == "implicit" {
				tr.Explicit = known
			}
			c2 := &fetch.Client{Transports: map[string]fetch.Transport{"ftps": tr}}
			defer c2.Close()
			_, _, err := r.get(t, c2, "/pub/blob.bin")
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step != fetch.TLS {
				t.Errorf("an unknown certificate: %v", err)
			}
		})
	}
}
