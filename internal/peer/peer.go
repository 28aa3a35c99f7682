// Package peer finds and starts the real servers and tools that tests run
// against: programs that nobody here wrote. Everything listens on loopback, and
// whatever was started is ended, by its process id, when its test ends.
//
// Start with [Look]. Packages that exclude each other cannot all be installed;
// scripts/test unpacks those into a folder of their own, where Look finds them.
package peer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Required is the environment variable that makes a missing program a failure
// when it says "required"; otherwise the test is skipped.
const Required = "ANYURL_SERVERS"

// Root is where scripts/test unpacks packages, each in a folder of its name:
// $ANYURL_TEST_ROOT, or anyurl/debian in the user's cache folder; for root, in
// the system's, since servers give up root and must still reach their files.
func Root() string {
	if dir := os.Getenv("ANYURL_TEST_ROOT"); dir != "" {
		return dir
	}
	if os.Getuid() == 0 {
		return "/var/cache/anyurl/debian"
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "anyurl", "debian")
}

// Look gives the path of a program that is part of a Debian package: from PATH,
// from the folders for administrators, or unpacked below [Root]. Where there is
// none the test is skipped, or fails if servers are required.
func Look(t testing.TB, program, pkg string) string {
	t.Helper()
	if p, err := exec.LookPath(program); err == nil {
		return p
	}
	for _, dir := range []string{"/usr/sbin", "/sbin", "/usr/games", "/usr/lib/postgresql/15/bin"} {
		if p := filepath.Join(dir, program); executable(p) {
			return p
		}
	}
	for _, dir := range []string{"usr/sbin", "usr/bin", "sbin", "usr/lib/news/bin", "usr/games"} {
		if p := filepath.Join(Root(), pkg, dir, program); executable(p) {
			return p
		}
	}
	if os.Getenv(Required) == "required" {
		t.Fatalf("%s (Debian package %s) should be here and is not", program, pkg)
	}
	t.Skipf("%s is not installed (Debian package %s)", program, pkg)
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Run runs a tool to its end and gives what it wrote to standard output. The
// test fails when the tool does.
func Run(t testing.TB, dir string, argv ...string) []byte {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(argv, " "), err, out.Bytes(), errs.Bytes())
	}
	return out.Bytes()
}

// patience is how long a server may take to come up, or a page to come, before a
// test gives up on it. It is no measure of either: a machine may have much else
// to do. What will never come is mostly known earlier, by its program's end.
const patience = 2 * time.Minute

// A Process is a server that was started for a test.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
	mu   sync.Mutex
	log  bytes.Buffer
}

// Start starts a server and ends it, with all that it started, when the test
// ends. What it said is logged if the test failed.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	return startAs(t, cmd, nil)
}

// startAs is Start for a server that runs as somebody else.
func startAs(t testing.TB, cmd *exec.Cmd, as *syscall.Credential) *Process {
	t.Helper()
	p := &Process{cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p, p
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(3 * time.Second):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-p.done
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), p.Log())
		}
	})
	return p
}

// Ended reports whether the process is gone.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Write keeps what the server says.
func (p *Process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

// Log gives what the server has said so far.
func (p *Process) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// Await waits until the server takes connections at addr. The test fails when
// the server ends first, or never does.
func (p *Process) Await(t testing.TB, addr string) {
	t.Helper()
	p.Until(t, func() error {
		conn, err := net.DialTimeout("tcp", addr, patience)
		if err == nil {
			conn.Close()
		}
		return err
	})
}

// Until waits until ready has no error. The test fails when the server ends
// first, or ready has one for ever.
func (p *Process) Until(t testing.TB, ready func() error) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ended, late := p.Ended(), time.Now().After(end)
		err := ready()
		switch {
		case err == nil:
			return
		case ended:
			t.Fatalf("%s ended, %v: %v\n%s", filepath.Base(p.cmd.Path), p.err, err, p.Log())
		case late:
			t.Fatalf("%s does not come up: %v\n%s", filepath.Base(p.cmd.Path), err, p.Log())
		}
	}
}

// await waits until the server has said something.
func (p *Process) await(t testing.TB, what string) {
	t.Helper()
	p.Until(t, func() error {
		if strings.Contains(p.Log(), what) {
			return nil
		}
		return fmt.Errorf("it has not said %q", what)
	})
}

// Port gives a loopback port that was free a moment ago. It is none of those
// that a system gives to whoever asks for any (on Linux, from 32768 on), which
// another test may be given before the server has it.
func Port(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 10240 + rand.IntN(32768-10240)
		if l, err := net.Listen("tcp", Addr(port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no loopback port is free")
	return 0
}

// Addr is 127.0.0.1 and a port.
func Addr(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// Inetd starts a server of the kind that serves one connection on its standard
// input and output, a process a connection, behind socat, and gives its
// address. user is who runs it when the test is root, "" for nobody else.
func Inetd(t testing.TB, user string, argv ...string) string {
	t.Helper()
	socat := Look(t, "socat", "socat")
	port := Port(t)
	listen := fmt.Sprintf("TCP-LISTEN:%d,bind=127.0.0.1,reuseaddr,fork", port)
	if user != "" && os.Getuid() == 0 {
		listen += ",su=" + user
	}
	p := Start(t, exec.Command(socat, listen, "EXEC:"+strings.Join(argv, " ")))
	p.Await(t, Addr(port))
	return Addr(port)
}

// Enclosed starts a server that cannot be told to keep to loopback in a network
// of its own, which has nothing but loopback, and gives the address at which
// its port is reached from here, which is the same port. It takes root, unshare, ip and socat, and
// skips the test without them.
func Enclosed(t testing.TB, port int, argv ...string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a network of its own takes root")
	}
	unshare, ip, socat := Look(t, "unshare", "util-linux"), Look(t, "ip", "iproute2"), Look(t, "socat", "socat")
	bridge := filepath.Join(t.TempDir(), "bridge")
	script := ip + ` link set lo up && { "$@" & } && exec ` + socat + " UNIX-LISTEN:" + bridge + ",fork " + fmt.Sprintf("TCP:127.0.0.1:%d,retry=1200,interval=0.1", port)
	Start(t, exec.Command(unshare, append([]string{"-n", "sh", "-c", script, "sh"}, argv...)...))
	p := Start(t, exec.Command(socat, fmt.Sprintf("TCP-LISTEN:%d,bind=127.0.0.1,reuseaddr,fork", port), "UNIX-CONNECT:"+bridge+",retry=1200,interval=0.1"))
	p.Await(t, Addr(port))
	return Addr(port)
}

// unprivileged gives who a server runs as that is not to be root: whoever runs
// the test, or for root nobody, who then owns the folders. Its credential is
// nil in the first case.
func unprivileged(t testing.TB, dirs ...string) (name string, as *syscall.Credential) {
	t.Helper()
	if os.Getuid() != 0 {
		self, err := user.Current()
		if err != nil {
			t.Fatal(err)
		}
		return self.Username, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	for _, dir := range dirs {
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return nobody.Username, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// Version is a Debian package with the version that is here, as it is named in
// tables: "vsftpd 3.0.3". It is "" where the package is not here.
func Version(pkg string) string {
	out, err := exec.Command("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", pkg).Output()
	version, installed := strings.CutPrefix(string(out), "installed ")
	if err != nil || !installed {
		// scripts/test notes the version of what it unpacks.
		text, err := os.ReadFile(filepath.Join(Root(), pkg, "VERSION"))
		if err != nil {
			return ""
		}
		version = strings.TrimSpace(string(text))
	}
	if _, upstream, ok := strings.Cut(version, ":"); ok {
		version = upstream // without the epoch
	}
	if i := strings.LastIndexByte(version, '-'); i > 0 {
		version = version[:i] // and without Debian's revision
	}
	return pkg + " " + version
}
