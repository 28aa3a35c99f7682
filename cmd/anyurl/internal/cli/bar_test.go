package cli

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
)

// The bar of a transfer says how much has come, at which rate, and how long it
// will take, and leaves nothing behind. A name cannot reach the terminal's ear.
func TestTransferBar(t *testing.T) {
	var b bytes.Buffer
	c := newCall(context.Background(), Env{In: strings.NewReader(""), Out: &b, Err: &b, Getenv: func(string) string { return "" }})
	bar := c.transferBar("a\x1b[2Jb", 4<<20)
	bar.Set64(1 << 20)
	first := b.String()
	if !regexp.MustCompile(`a\\u\{1b\}\[2Jb +25% .*B/s\) \[\d+s:\d+s\]`).MatchString(first) {
		t.Errorf("a quarter: %q", first)
	}
	b.Reset()
	bar.Set64(4 << 20)
	bar.Clear()
	if lines := strings.Split(b.String(), "\r"); strings.TrimSpace(strings.NewReplacer("\x1b[2K", "", "\x1b[0K", "").Replace(lines[len(lines)-1])) != "" {
		t.Errorf("what stays is %q", b.String())
	}

	// Of an object whose size nobody knows, how much has come.
	b.Reset()
	bar = c.transferBar("x", -1)
	bar.Set64(2 << 20)
	if !strings.Contains(b.String(), "2.1 MB") && !strings.Contains(b.String(), "2.0 MB") {
		t.Errorf("of unknown size: %q", b.String())
	}
}
