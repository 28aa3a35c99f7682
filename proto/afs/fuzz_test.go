//go:build unix

package afs_test

import (
	"strings"
	"testing"

	"anyurl"
)

// FuzzTree: whatever an URL says, nothing comes but what is in the tree, and each
// entry of a listing is in its cell.
func FuzzTree(f *testing.F) {
	for _, rest := range []string{"cs.example", "cs.example/", "cs.example/doc/readme", "cs/doc", "..", "../secret", "%2E%2E/secret", "cs.example/..%2F..%2Fsecret", "cs.example/doc/out", "cs.example/etc/passwd", "cs.example/other", "cs.example/round", "cs.example/pipe", "cs.example//doc", "cs.example/doc/a%20b;c", "./plain", "cs.example/%00"} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		u, err := anyurl.Parse("afs://" + rest)
		if err != nil || len(rest) > 1<<10 {
			return
		}
		got, body, err := get(t, tree(t), u.String())
		if err != nil {
			return
		}
		if body == "no" || strings.Contains(body, "root:") {
			t.Errorf("%q gives what is outside: %q", u, body)
		}
		for _, e := range got.Entries {
			if !strings.HasPrefix(e.URL, "afs:") || e.Name == "secret" {
				t.Errorf("%q lists %q, %q", u, e.Name, e.URL)
			}
		}
	})
}
