//go:build unix

package file_test

import (
	"strings"
	"testing"

	"anyurl"
	"anyurl/proto/file"
)

// FuzzRooted: whatever stands behind the folder that may be read, nothing comes
// but what is below it, and each entry of a listing is below it, too.
func FuzzRooted(f *testing.F) {
	for _, rest := range []string{"", "/", "/motd", "/sub%20dir", "/../secret", "/%2e%2e/secret", "/..%2Fsecret", "/sub%20dir/..%2f..%2fsecret", "/outside", "/inside", "/pipe", "/./motd", "//motd", "/motd/", "/a;b.txt", "/caf%E9", "/%00", "\\..\\secret", "?/../secret", "#x"} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		url, root := tree(t)
		if _, err := anyurl.Parse(url + rest); err != nil || len(rest) > 1<<10 {
			return
		}
		got, body, err := get(t, file.New(root), url+rest)
		if err != nil {
			return
		}
		if body == "no" {
			t.Errorf("%q gives what is outside", url+rest)
		}
		for _, e := range got.Entries {
			if !strings.HasPrefix(e.URL, url+"/") || e.Name == "secret" {
				t.Errorf("%q lists %q, %q", url+rest, e.Name, e.URL)
			}
		}
	})
}
