package peer_test

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"anyurl/internal/peer"
)

func ExampleAddr() {
	fmt.Println(peer.Addr(7070))
	// Output: 127.0.0.1:7070
}

func TestInetd(t *testing.T) {
	addr := peer.Inetd(t, "", "cat")
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "hello")
	b := make([]byte, 5)
	if _, err := io.ReadFull(conn, b); err != nil || string(b) != "hello" {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestStartEnds(t *testing.T) {
	var p *peer.Process
	t.Run("inner", func(t *testing.T) {
		p = peer.Start(t, exec.Command("sh", "-c", "echo up; exec sleep 1000"))
	})
	if p == nil || !p.Ended() {
		t.Error("the server outlives the test that started it")
	}
}

func TestLookUnpacked(t *testing.T) {
	root := t.TempDir()
	t.Setenv("ANYURL_TEST_ROOT", root)
	file := filepath.Join(root, "some-package", "usr", "sbin", "some-server-for-tests")
	peer.Run(t, root, "sh", "-c", "mkdir -p "+filepath.Dir(file)+" && echo >"+file+" && chmod +x "+file)
	if got := peer.Look(t, "some-server-for-tests", "some-package"); got != file {
		t.Errorf("found %q", got)
	}
}
