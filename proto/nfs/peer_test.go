//go:build linux

package nfs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
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
	"anyurl/proto/nfs"
)

// ganesha finds NFS-Ganesha, writes a configuration that exports a tree, and
// gives the command with the environment it takes.
func ganesha(t *testing.T, core, tree, protocols string) (argv, env []string) {
	t.Helper()
	program := peer.Look(t, "ganesha.nfsd", "nfs-ganesha")
	// Where it was unpacked and not installed, its libraries are beside it.
	root := filepath.Dir(filepath.Dir(filepath.Dir(program)))
	if modules, err := filepath.Glob(filepath.Join(root, "usr", "lib", "*", "ganesha")); err == nil && len(modules) == 1 {
		core += fmt.Sprintf(" Plugins_Dir = %q;", modules[0])
	}
	dir := t.TempDir()
	if _, err := os.Stat("/run/ganesha"); err != nil {
		if err := os.MkdirAll("/run/ganesha", 0o755); err != nil {
			t.Skip("NFS-Ganesha wants /run/ganesha, which takes root")
		}
	}
	file := filepath.Join(dir, "ganesha.conf")
	conf := fmt.Sprintf(`NFS_CORE_PARAM { %s Enable_NLM = false; Enable_RQUOTA = false; Rquota_Port = 0; Protocols = %s; }
NFSV4 { Graceless = true; Minor_Versions = 0,1; Allow_Numeric_Owners = true; Only_Numeric_Owners = true; RecoveryRoot = %q; }
EXPORT { Export_Id = 77; Path = %q; Pseudo = /tree; Access_Type = RO; Squash = No_Root_Squash; SecType = sys,none; Protocols = %s; Transports = TCP; FSAL { Name = VFS; } }
`, core, protocols, dir, tree, protocols)
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{program, "-F", "-f", file, "-L", filepath.Join(dir, "log"), "-p", filepath.Join(dir, "pid")},
		append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(root, "usr", "lib", "ganesha"))
}

// same opens what the tree holds, at an URL, and holds it against the tree.
func same(t *testing.T, tr *nfs.Transport, url, tree string) {
	client := fetch.Client{Transports: map[string]fetch.Transport{"nfs": tr}, AllowPort: func(string, uint16) bool { return true }}
	fetchtest.Opened(t, peer.Version("nfs-ganesha"), &client)
	get := func(path string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
		u := anyurl.MustParse(url + path)
		req := &fetch.Request{URL: u}
		for _, c := range change {
			c(req)
		}
		got, err := client.Do(t.Context(), req)
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	for path, name := range map[string]string{
		"/pub/hello.txt":                   "pub/hello.txt",
		"/pub/blob.bin":                    "pub/blob.bin",
		"/pub/large":                       "pub/large",
		"/pub/a%3Bb.txt":                   "pub/a;b.txt",
		"/pub/caf%C3%A9.txt":               "pub/café.txt",
		"/dir%20with%20space/a%20file.txt": "dir with space/a file.txt",
		"/pub/inside":                      "pub/sub/inner.txt",
		"/pub/folder/inner.txt":            "pub/sub/inner.txt",
	} {
		want, err := os.ReadFile(filepath.Join(tree, name))
		if err != nil {
			t.Fatal(err)
		}
		got, body, err := get(path)
		if err != nil || body != string(want) {
			t.Errorf("%s: %d octets of %d, %v", path, len(body), len(want), err)
			continue
		}
		if info, _ := os.Stat(filepath.Join(tree, name)); got.Size != info.Size() || !got.ModTime.Equal(info.ModTime()) {
			t.Errorf("%s: %+v", path, got.Response)
		}
	}
	got, body, err := get("/pub")
	if err != nil || !got.Listing {
		t.Fatalf("/pub: %q, %v", body, err)
	}
	var names []string
	list, err := os.ReadDir(filepath.Join(tree, "pub"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		names = append(names, d.Name())
	}
	slices.Sort(names)
	var there []string
	for _, e := range got.Entries {
		there = append(there, e.Name)
		if e.Name == "hello.txt" && (e.Type != "file" || e.Size != 43 || e.URL != got.URL.String()+"hello.txt") || e.Name == "sub" && e.Type != "dir" || e.Name == "inside" && e.Type != "link" {
			t.Errorf("%+v", e)
		}
	}
	if !slices.Equal(there, names) {
		t.Errorf("/pub has %q, want %q", there, names)
	}
	if got, _, err = get("/many/"); err != nil || len(got.Entries) != 1500 {
		t.Errorf("1500 files: %v", err)
	}
	want, _ := os.ReadFile(filepath.Join(tree, "pub", "large"))
	if got, body, err = get("/pub/large", func(r *fetch.Request) { r.Offset = 300_001 }); err != nil || body != string(want[300_001:]) || got.Offset != 300_001 {
		t.Errorf("from octet 300001: %d octets, %v", len(body), err)
	}
	for path, kind := range map[string]error{"/pub/nothing": fetch.ErrNotFound, "/pub/hello.txt/x": fetch.ErrNotFound, "/pub/outside": fetch.ErrNotFound} {
		if _, body, err := get(path); !errors.Is(err, kind) {
			t.Errorf("%s: %.40q, %v, want %v", path, body, err, kind)
		}
	}
	if _, _, err := get("/pub/closed"); !errors.Is(err, fetch.ErrDenied) {
		t.Errorf("a file for its owner alone: %v", err)
	}
}

// documents is a tree that a server can export, with links and many files.
func documents(t *testing.T) string {
	tree := peer.Tree(t)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(tree, "pub", "large"), bytes.Repeat(peer.Blob(), 300), 0o644))
	must(os.WriteFile(filepath.Join(tree, "pub", "closed"), []byte("closed"), 0o600))
	must(os.Symlink("sub/inner.txt", filepath.Join(tree, "pub", "inside")))
	must(os.Symlink("sub", filepath.Join(tree, "pub", "folder")))
	must(os.Symlink("../../../../../../../etc/passwd-there-is-none", filepath.Join(tree, "pub", "outside")))
	must(os.Mkdir(filepath.Join(tree, "many"), 0o755))
	for i := range 1500 {
		must(os.WriteFile(filepath.Join(tree, "many", fmt.Sprintf("a file of a long enough name %04d", i)), nil, 0o644))
	}
	return tree
}

func TestGanesha(t *testing.T) {
	tree, port := documents(t), peer.Port(t)
	argv, env := ganesha(t, fmt.Sprintf("Bind_addr = 127.0.0.1; NFS_Port = %d;", port), tree, "4")
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = env
	p := peer.Start(t, cmd)
	p.Await(t, peer.Addr(port))
	same(t, nfs.New(&dial.Dialer{}), "nfs://"+peer.Addr(port)+"/tree", tree)
}

// TestGanesha3 is the same by version 3: the portmapper, MOUNT and NFS, which
// stand at their own ports and therefore in a network of their own.
func TestGanesha3(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("a network of its own takes root")
	}
	rpcbind := peer.Look(t, "rpcbind", "rpcbind")
	unshare, ip, socat := peer.Look(t, "unshare", "util-linux"), peer.Look(t, "ip", "iproute2"), peer.Look(t, "socat", "socat")
	tree, dir := documents(t), t.TempDir()
	argv, env := ganesha(t, "NFS_Port = 2049; MNT_Port = 20048;", tree, "3")
	// The portmapper gives up root for a user that its package makes when it is
	// installed, and here it is only unpacked.
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	passwd := filepath.Join(dir, "passwd")
	if err := os.WriteFile(passwd, append(users, "_rpc:x:65533:65534::/run/rpcbind:/usr/sbin/nologin\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	// The portmapper of this machine, if it has one, keeps its files.
	script := "mount --bind " + passwd + " /etc/passwd && mount -t tmpfs tmpfs /run && mkdir -p /run/ganesha /run/rpcbind && " + ip + " link set lo up && { " + rpcbind + " -f & for i in $(seq 1200); do " + socat + " -u OPEN:/dev/null TCP:127.0.0.1:111 2>/dev/null && break; sleep 0.1; done; " +
		strings.Join(argv, " ") + " & "
	for _, port := range []string{"111", "20048", "2049"} {
		script += socat + " UNIX-LISTEN:" + dir + "/" + port + ",fork TCP:127.0.0.1:" + port + " & "
	}
	cmd := exec.Command(unshare, "-n", "-m", "sh", "-c", script+"wait; }")
	cmd.Env = env
	p := peer.Start(t, cmd)
	bridge := func(ctx context.Context, _ string, addr netip.AddrPort) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, fmt.Sprint(addr.Port())))
	}
	tr := nfs.New(&dial.Dialer{Connect: bridge})
	// It is up when it answers.
	p.Until(t, func() error {
		resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("nfs://127.0.0.1" + tree + "/pub/hello.txt"), Limits: fetch.DefaultLimits()})
		if err == nil {
			if resp.Protocol != "NFS 3" {
				t.Errorf("spoken is %s", resp.Protocol)
			}
			resp.Body.Close()
		}
		return err
	})
	same(t, tr, "nfs://127.0.0.1"+strings.TrimSuffix(tree, "/"), tree)
}
