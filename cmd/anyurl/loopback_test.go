package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDemoWithoutLoopback holds that the demo says so where it cannot work, in a
// network namespace whose loopback interface is down: listening succeeds there.
func TestDemoWithoutLoopback(t *testing.T) {
	if out, err := exec.Command("unshare", "-rn", "true").CombinedOutput(); err != nil {
		t.Skipf("no namespace of its own to be had: %v %s", err, out)
	}
	program := t.TempDir() + "/anyurl"
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("unshare", "-rn", program, "demo")
	out, _ := cmd.CombinedOutput()
	if status := cmd.ProcessState.ExitCode(); status != 3 || !strings.Contains(string(out), "hint: the demo takes a loopback interface") {
		t.Errorf("got status %d:\n%s", status, out)
	}
}
