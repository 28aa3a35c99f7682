package cli

import (
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"anyurl/internal/peer"
)

// TestLynx walks with lynx, which has the gateway for its proxy, from what the tour
// names to what is linked there: through gopher, ftp, news and wais.
func TestLynx(t *testing.T) {
	program := peer.Look(t, "lynx", "lynx")
	s := staying(t)
	lynx := func(argv ...string) string {
		t.Helper()
		cmd := exec.Command(program, append([]string{"-width=200"}, argv...)...)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "LC_ALL=C.UTF-8", "no_proxy=")
		for _, name := range []string{"ftp", "gopher", "news", "nntp", "wais"} {
			cmd.Env = append(cmd.Env, name+"_proxy="+s.at+"/")
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("lynx %q: %v\n%s", argv, err, out)
		}
		return string(out)
	}
	_, tour := got(t, s.at+"/tour")
	for _, tt := range []struct {
		name  string
		first string   // what the tour calls it
		links []string // the end of the URL to follow, from each page
		want  []string // what each page says, the last one's included
	}{
		{"gopher", "Open the menu", []string{"/about.txt"}, []string{"A small hole in the ground", "Gopher is a menu and a file"}},
		{"ftp", "Open the folder", []string{"/docs/", "/uniform.txt"}, []string{"motd", "uniform.txt", "A locator says where a thing is"}},
		{"news", "Open a group", []string{"tulips.3@meadow.example", "tulips.2@orchard.example"}, []string{"When to plant tulips?", "A wire basket helps", "Ben"}},
		{"wais", "Search for “tulip”", []string{"tulips.txt%07%01%00"}, []string{"Tulips and how they grow", "bulb"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var at string
			for _, m := range regexp.MustCompile(`<a class="button" href="[^"]*">([^<]*)</a> <code><bdi>([^<]*)</bdi>`).FindAllStringSubmatch(tour, -1) {
				if html.UnescapeString(m[1]) == tt.first {
					at = html.UnescapeString(m[2])
				}
			}
			for i, want := range tt.want {
				if page := lynx("-dump", at); !strings.Contains(page, want) {
					t.Fatalf("%s lacks %q:\n%s", at, want, page)
				}
				if i == len(tt.links) {
					return
				}
				next := ""
				for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(lynx("-source", at), -1) {
					if href := html.UnescapeString(m[1]); strings.HasSuffix(href, tt.links[i]) {
						next = href
					}
				}
				if next == "" {
					t.Fatalf("%s has no link to %q", at, tt.links[i])
				}
				at = next
			}
		})
	}
}
