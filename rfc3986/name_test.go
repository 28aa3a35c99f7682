package rfc3986_test

import (
	"testing"

	"anyurl/rfc3986"
)

// TestNames holds that every value has a name, and one out of range no panic.
func TestNames(t *testing.T) {
	for v := range 256 {
		for kind, name := range map[string]string{
			"part": rfc3986.Part(v).String(), "host": rfc3986.HostKind(v).String(), "level": rfc3986.Level(v).String(),
		} {
			if name == "" {
				t.Errorf("%s %d has no name", kind, v)
			}
		}
	}
	for _, tt := range []struct{ got, want string }{
		{rfc3986.PartFragment.String(), "fragment"},
		{(rfc3986.PartFragment + 1).String(), "unknown"},
		{rfc3986.IPvFuture.String(), "ipvfuture"},
		{(rfc3986.IPvFuture + 1).String(), "unknown"},
		{rfc3986.LevelScheme.String(), "scheme"},
		{(rfc3986.LevelScheme + 1).String(), "unknown"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
