package spartan

import (
	"testing"

	"anyurl"
)

// FuzzRedirect: whatever a server says, a redirect that is taken for a path
// leads to the same host.
func FuzzRedirect(f *testing.F) {
	for _, s := range []string{"3 /a?b", "3 //elsewhere.example/", "3 /\\elsewhere.example", "3 /\t/elsewhere.example", "2 text/plain", "3", "3 a:b", "3 /..//x"} {
		f.Add(s)
	}
	base := anyurl.MustParse("spartan://capsule.example:3000/here")
	f.Fuzz(func(t *testing.T, line string) {
		status, meta, ok := readStatus(line)
		if !ok || status != 3 || !isPath(meta) {
			return
		}
		if next, err := base.Resolve(meta); err == nil && (next.HostPort() != base.HostPort() || next.Scheme() != "spartan") {
			t.Errorf("%q leads to %s", line, next)
		}
	})
}
