package find

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anyurl/find"
)

// TestPeers runs the suites that are there: xurls always, the Rust crate where
// Debian's librust-linkify-dev is installed, and the others, and it, from the
// folder that FIND_PEERS names, which holds checkouts called linkify, linkify-it,
// twitter-text and cmark-gfm.
func TestPeers(t *testing.T) {
	peers := os.Getenv("FIND_PEERS")
	rust := filepath.Join(peers, "linkify")
	if _, err := os.Stat(rust); peers == "" || err != nil {
		if found, _ := filepath.Glob("/usr/share/cargo/registry/linkify-*"); len(found) > 0 {
			rust = found[0]
		}
	}
	suites := []struct {
		name string
		read func() ([]suiteCase, error)
		must bool
	}{
		{"xurls", xurls, true},
		{"linkify", func() ([]suiteCase, error) { return linkify(rust) }, false},
		{"linkify-it", func() ([]suiteCase, error) { return linkifyIt(filepath.Join(peers, "linkify-it")) }, false},
		{"twitter-text", func() ([]suiteCase, error) { return twitterText(filepath.Join(peers, "twitter-text")) }, false},
		{"gfm", func() ([]suiteCase, error) { return gfm(filepath.Join(peers, "cmark-gfm")) }, false},
	}
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			all, err := s.read()
			if err == nil && len(all) == 0 {
				err = os.ErrNotExist
			}
			if err != nil {
				if s.must {
					t.Fatal(err)
				}
				t.Skip("the suite is not there: ", err)
			}
			used := map[int]bool{}
			differ := 0
			for _, c := range all {
				var got []string
				for m := range find.Text(c.text, find.Options{Relaxed: !c.strict}) {
					got = append(got, m.URL)
				}
				if slices.Equal(got, c.want) {
					continue
				}
				differ++
				i := slices.IndexFunc(decided, func(d decision) bool { return d.peer == c.peer && d.fits(c.text) })
				if i < 0 {
					t.Errorf("not decided: %q\n ours %q\ntheirs %q", c.text, got, c.want)
					continue
				}
				used[i] = true
			}
			for i, d := range decided {
				if d.peer == s.name && !used[i] {
					t.Errorf("decided, but no disagreement any more: %q", d.part)
				}
			}
			t.Logf("%d inputs, %d disagreements", len(all), differ)
		})
	}
}

func (d decision) fits(text string) bool {
	if d.part == bareIPv6 {
		return strings.Count(text, ":") > 1 && strings.Trim(text, "0123456789abcdefABCDEF:.") == ""
	}
	if whole, ok := strings.CutPrefix(d.part, "="); ok {
		return text == whole
	}
	return strings.Contains(text, d.part)
}
