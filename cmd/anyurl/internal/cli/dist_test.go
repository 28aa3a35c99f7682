package cli

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"anyurl/internal/peer"
)

const dist = "../../../../dist"

// shipped is a file of those that a service needs.
func shipped(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dist, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// instructions are the lines of a file that begin with a word, without it.
func instructions(text, word string) (list []string) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, word); ok {
			list = append(list, strings.TrimSpace(rest))
		}
	}
	return list
}

// parses holds that a command line is one of ours, without running it.
func parses(t *testing.T, args []string) {
	t.Helper()
	root := newRoot(newCall(context.Background(), Env{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}), nil)
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Name() != "serve" {
		t.Fatalf("%q is no command line of serve: %v", args, err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%q: %v", args, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%q: %v", args, err)
	}
}

// TestContainerfile reads it: what it copies is what docs/serve.md says to put
// there, and what it starts is a command line of ours.
func TestContainerfile(t *testing.T) {
	text := shipped(t, "Containerfile")
	docs, err := os.ReadFile("../../../../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]string{ // what is copied, and the line that makes it
		"ca-certificates.crt": "cp /etc/ssl/certs/ca-certificates.crt dist/",
		"anyurl":              "CGO_ENABLED=0 go build -trimpath -o dist/anyurl ./cmd/anyurl",
	}
	copied := map[string]bool{}
	for _, c := range instructions(text, "COPY ") {
		from, to, _ := strings.Cut(c, " ")
		copied[to] = true
		if line := made[from]; line == "" || !strings.Contains(text, line) || !strings.Contains(string(docs), line) {
			t.Errorf("nothing says how %s is made", from)
		}
	}
	var entry []string
	if err := json.Unmarshal([]byte(instructions(text, "ENTRYPOINT ")[0]), &entry); err != nil {
		t.Fatal(err)
	}
	if !copied[entry[0]] {
		t.Errorf("%s is not in the image", entry[0])
	}
	parses(t, entry[1:])
	parses(t, strings.Fields(instructions(shipped(t, "anyurl.service"), "ExecStart=")[0])[1:])
}

// TestShippedConfig serves with the configuration that comes along.
func TestShippedConfig(t *testing.T) {
	at, log, end := serving(t, "--config", filepath.Join(dist, "config.toml"))
	if status, body := got(t, at+"/healthz"); status != http.StatusOK || body != "ok\n" {
		t.Errorf("%d %q\n%s", status, body, log)
	}
	if status := end(); status != statusInterrupted {
		t.Errorf("it ends with %d", status)
	}
}

// TestImage builds the image with Buildah, looks at what it says of itself, and
// serves from it: as nobody, with nothing else in its file system.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program once more")
	}
	if os.Getuid() != 0 {
		t.Skip("a container without a runtime takes root")
	}
	program := peer.Look(t, "buildah", "buildah")
	dir, store := t.TempDir(), t.TempDir()
	buildah := func(args ...string) []string {
		return append([]string{program, "--root", filepath.Join(store, "storage"), "--runroot", filepath.Join(store, "run"), "--storage-driver", "vfs"}, args...)
	}
	// Nothing but the program is in the image. To build it with CGO_ENABLED=0, as
	// it is shipped, would be to compile all of it once more, which on a new
	// machine takes minutes: what the tests are built of can be linked so, too.
	flags := "-linkmode=external -extldflags=-static"
	if cgo := peer.Run(t, dir, "go", "env", "CGO_ENABLED"); strings.TrimSpace(string(cgo)) == "0" {
		flags = ""
	}
	build := exec.Command("go", "build", "-ldflags="+flags, "-o", filepath.Join(dir, "anyurl"), "anyurl/cmd/anyurl")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "ca-certificates.crt"), []byte("no authority\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(dist, "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	peer.Run(t, dir, buildah("build", "--isolation", "chroot", "-t", "anyurl", "-f", file, dir)...)
	var image struct {
		OCIv1 struct {
			Config struct {
				User, StopSignal string
				Entrypoint       []string
				ExposedPorts     map[string]any
			} `json:"config"`
		}
	}
	if err := json.Unmarshal(peer.Run(t, dir, buildah("inspect", "--type", "image", "localhost/anyurl")...), &image); err != nil {
		t.Fatal(err)
	}
	c := image.OCIv1.Config
	if c.User != "65534:65534" || c.StopSignal != "SIGINT" || len(c.ExposedPorts) != 1 || strings.Join(c.Entrypoint, " ") != "/anyurl serve --listen 0.0.0.0:7070" {
		t.Errorf("the image is %+v", c)
	}
	container := strings.TrimSpace(string(peer.Run(t, dir, buildah("from", "--pull-never", "localhost/anyurl")...)))
	port := peer.Port(t)
	run := buildah("run", "--isolation", "chroot", container, "--")
	run = append(run, c.Entrypoint[:2]...)
	peer.Start(t, exec.Command(run[0], append(run[1:], "--listen", "127.0.0.1:"+strconv.Itoa(port))...)).Await(t, peer.Addr(port))
	if status, body := got(t, "http://"+peer.Addr(port)+"/healthz"); status != http.StatusOK || body != "ok\n" {
		t.Errorf("%d %q", status, body)
	}
	if status, body := got(t, "http://"+peer.Addr(port)+"/"); status != http.StatusOK || !strings.Contains(body, "back in the browser") {
		t.Errorf("the start page: %d %q", status, body)
	}
}

// TestUnit has systemd read the unit and say how far it shuts the service in.
func TestUnit(t *testing.T) {
	program := peer.Look(t, "systemd-analyze", "systemd")
	text := shipped(t, "anyurl.service")
	const installed = "/usr/local/bin/anyurl"
	if !strings.Contains(text, "ExecStart="+installed+" ") {
		t.Fatalf("it does not start %s", installed)
	}
	own, err := os.Executable() // the service's program is not installed here
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "anyurl.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(text, installed, own)), 0o644); err != nil {
		t.Fatal(err)
	}
	verify := exec.Command(program, "verify", "--man=no", unit)
	if out, err := verify.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	// What is left open is the network, and what the Go runtime and the metrics
	// read of /proc. 10 is a service that may do everything.
	secure := exec.Command(program, "security", "--offline=true", "--no-pager", "--threshold=15", unit)
	if out, err := secure.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
