package wire_test

import (
	"testing"

	"anyurl/internal/wire"
)

func TestVeil(t *testing.T) {
	for _, tt := range []struct{ user, password, text, want string }{
		{"joe", "hunter2", "530 wrong: PASS hunter2", "530 wrong: PASS ***"},
		{"joe", "hunter2", "hunter2hunter2", "******"},
		{"joe", "hunter2", "Authorization: Basic am9lOmh1bnRlcjI=", "Authorization: Basic ***"},
		{"joe", "hunter2", "AUTH PLAIN AGpvZQBodW50ZXIy", "AUTH PLAIN ***"},
		{"joe", "hunter2", "334 aHVudGVyMg==", "334 ***"},
		{"joe", "is", "this is wrong: PASS is", "this *** wrong: PASS ***"},
		{"joe", "", "nothing to hide", "nothing to hide"},
		{"joe", "é", "é café", "*** café"},
		{"joe", "a", "", ""},
	} {
		if got := wire.Veil(tt.text, wire.Secrets(tt.user, tt.password)); got != tt.want {
			t.Errorf("%q without %q: %q, want %q", tt.text, tt.password, got, tt.want)
		}
	}
}
