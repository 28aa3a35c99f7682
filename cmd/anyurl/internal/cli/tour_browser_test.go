package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"anyurl/internal/peer"
)

// TestTourBrowser clicks through the tour in Chromium: every link of every step,
// and back, on a desk, and the first ones on a phone. Where ANYURL_SHOTS names a folder, it leaves pictures of the pages
// there, on a desk by day and on a phone by night.
func TestTourBrowser(t *testing.T) {
	b := peer.Chromium(t)
	s := staying(t)
	shots := os.Getenv("ANYURL_SHOTS")
	look := func(name string) {
		t.Helper()
		if wide := b.Eval(t, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); wide != "0" {
			t.Errorf("%s is %s pixels wider than the window", name, wide)
		}
		b.Accessible(t, name)
		if shots != "" {
			b.Shot(t, filepath.Join(shots, name+".png"))
		}
	}
	want := tourShows()
	for _, w := range []struct {
		name          string
		width, height int
		dark          bool
	}{{"desk", 1100, 900, false}, {"phone", 360, 740, true}} {
		b.Window(t, w.width, w.height, w.dark)
		b.Open(t, s.at+"/tour")
		look("tour-" + w.name)
		n, err := strconv.Atoi(b.Eval(t, "document.querySelectorAll('.ways a').length"))
		if err != nil || n != len(want) {
			t.Fatalf("%d links, %v; want %d", n, err, len(want))
		}
		if w.dark {
			n = 8 // the rest differs from the desk's in nothing that the gateway's own tests do not look at
		}
		for i := range n {
			name := b.Eval(t, "document.querySelectorAll('.ways a')["+strconv.Itoa(i)+"].innerText")
			b.Eval(t, "document.querySelectorAll('.ways a')["+strconv.Itoa(i)+"].setAttribute('data-next', '')")
			b.Click(t, ".ways a[data-next]")
			if text := want[name].text; !strings.HasPrefix(text, "name=") {
				if page := b.Eval(t, "document.body.innerText"); !strings.Contains(page, text) {
					t.Errorf("%s lacks %q:\n%s", name, text, page)
				}
			}
			look("tour-" + w.name + "-" + strconv.Itoa(i))
			b.Click(t, ".totour")
		}
	}
}
