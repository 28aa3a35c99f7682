package cli

import (
	"bufio"
	"context"
	"html"
	"io"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"

	"anyurl/cmd/anyurl/internal/demo"
)

// A shown is what the demo has while it stays.
type shown struct {
	at  string     // the gateway's, http://host:port
	tmp string     // where the demo keeps its files
	end func() int // interrupts, and gives the status
	out *words     // what it writes
}

// staying starts the demo with --stay.
func staying(t *testing.T) shown {
	t.Helper()
	s := shown{tmp: t.TempDir(), out: &words{}}
	t.Setenv("TMPDIR", s.tmp)
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- Run(ctx, Env{Args: []string{"demo", "--stay"}, In: strings.NewReader(""), Out: w, Err: s.out, Getenv: func(string) string { return "" }})
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	for s.at == "" && lines.Scan() {
		if at, ok := strings.CutSuffix(strings.TrimSpace(lines.Text()), "/tour"); ok {
			s.at = at
		}
	}
	if s.at == "" {
		t.Fatalf("it does not stay: %s", s.out)
	}
	go io.Copy(io.Discard, r)
	s.end = func() int {
		stop()
		got := <-status
		status <- got
		return got
	}
	t.Cleanup(func() { s.end() })
	return s
}

var tourLink = regexp.MustCompile(`<li><a class="button" href="([^"]*)">([^<]*)</a>`)

// TestTour opens every link of the tour through the gateway, and looks for what
// it should show.
func TestTour(t *testing.T) {
	s := staying(t)
	status, page := got(t, s.at+"/tour")
	if status != 200 {
		t.Fatalf("%d: %s", status, page)
	}
	want := tourShows()
	for _, m := range tourLink.FindAllStringSubmatch(page, -1) {
		href, name := html.UnescapeString(m[1]), html.UnescapeString(m[2])
		w, ok := want[name]
		if !ok {
			t.Errorf("nobody knows what %q should show", name)
			continue
		}
		delete(want, name)
		status, body := got(t, s.at+href)
		text := html.UnescapeString(body)
		if status != w.status || !strings.Contains(text, w.text) {
			t.Errorf("%s, %s: got %d without %q:\n%s", name, href, status, w.text, text)
		}
	}
	for name := range want {
		t.Errorf("the tour lacks %q", name)
	}
}

// TestSearchesLead holds that what the tour's searches find can be opened.
func TestSearchesLead(t *testing.T) {
	s := staying(t)
	_, page := got(t, s.at+"/tour")
	n := 0
	for _, m := range tourLink.FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[2], "Search for") {
			continue
		}
		_, found := got(t, s.at+html.UnescapeString(m[1]))
		_, list, _ := strings.Cut(found, `<ol class="results">`)
		list, _, _ = strings.Cut(list, "</ol>")
		if strings.Contains(list, `class="flag"`) {
			t.Errorf("%s: what was found is warned of:\n%s", m[2], list)
		}
		for _, l := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(list, -1) {
			n++
			if status, body := got(t, s.at+html.UnescapeString(l[1])); status != 200 {
				t.Errorf("%s, %s: %d\n%s", m[2], l[1], status, body)
			}
		}
	}
	if n < 4 {
		t.Errorf("%d results", n)
	}
}

// A view is what a link of the tour shows.
type view struct {
	status int
	text   string
}

// tourShows is what each link shows, by its name.
func tourShows() map[string]view {
	return map[string]view{
		"Open the menu":                   {200, "A small hole in the ground"},
		"Open a text":                     {200, "hole"},
		"Open the folder":                 {200, "motd"},
		"Read a file":                     {200, "uniform"},
		"Open a group":                    {200, "When to plant tulips?"},
		"Read an article":                 {200, "A wire basket helps."},
		"The same, by its number":         {200, "A wire basket helps."},
		"Open the terminal":               {200, "A service at 127.0.0.1"},
		"Open the terminal by rlogin":     {200, "A service at 127.0.0.1"},
		"Look at the mainframe":           {200, "A service at 127.0.0.1"},
		"Ask who is there":                {200, "Who is here:"},
		"Ask about Ann":                   {200, "Plant the tulips before the frost."},
		"Open the capsule":                {200, "A small capsule"},
		"Say something":                   {200, "Say something"},
		"Open the page":                   {200, "A small Spartan"},
		"Define “gateway”":                {200, "brings you the answer"},
		"What holds “or”?":                {200, "locator"},
		"Search for “tulip”":              {200, "Hedges for small gardens"},
		"The field to search in":          {200, `name="q"`},
		"Search for “small”":              {200, "Tulips for small gardens"},
		"One record, in MARC":             {200, "The uniform locator"},
		"The same, as text":               {200, "a short history"},
		"Open the directory":              {200, "names.txt"},
		"Open a file":                     {200, "Each answer was a datagram."},
		"Open the folder behind the door": {200, "letters"},
		"Read a file behind the door":     {200, "an encrypted door"},
		"Read what a machine starts with": {200, "hostname small"},
		"Open an entry":                   {200, "Plants tulips"},
		"Search for people":               {200, "cn=Ben Demo,o=Garden"},
		"Hear what it says":               {200, "You are connected."},
		"Open the letter":                 {200, "Which of them do the mice leave alone?"},
		"Open the answer":                 {200, "It smells of fox."},
		"Open a part":                     {200, "crown imperial"},
		"Open the demo's own folder":      {200, "notes.txt"},
		"What an afs URL says":            {501, "afs: read, not opened"},
		"Open a note":                     {200, "A brief note"},
		"Write the letter":                {200, "A letter"},
		"Look at a page":                  {200, "A page of the web"},
		"A book":                          {501, "urn: read, not opened"},
		"A place":                         {501, "geo: read, not opened"},
		"A telephone":                     {501, "tel: read, not opened"},
	}
}

// TestDemoGuard holds that the demo's gateway opens the demo's servers on
// loopback and no other place of this machine, itself included.
func TestDemoGuard(t *testing.T) {
	s := staying(t)
	own := netip.MustParseAddrPort(strings.TrimPrefix(s.at, "http://"))
	other, err := demo.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, u := range []string{"gopher://" + own.String() + "/1/", "gopher://" + other.Gopher + "/1/", "gopher://10.0.0.1/1/", "gopher://localhost/1/", "ftp://[::1]/", "file:///etc/passwd", "afs://a.example/x"} {
		status, page := got(t, s.at+"/open?url="+u)
		if status == 303 {
			status, page = got(t, s.at+"/"+strings.Replace(u, "://", "/", 1))
		}
		if status < 400 || strings.Contains(page, "A small hole in the ground") || strings.Contains(page, "root:") {
			t.Errorf("%s: got %d:\n%s", u, status, page)
		}
	}
}

// TestDemoEnds holds that nothing of the demo is left after an interruption.
func TestDemoEnds(t *testing.T) {
	s := staying(t)
	left, err := os.ReadDir(s.tmp)
	if err != nil || len(left) != 1 {
		t.Fatalf("it keeps %v, %v", left, err)
	}
	s.end()
	if left, err = os.ReadDir(s.tmp); err != nil || len(left) != 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.at, "http://")); err == nil {
		t.Error("it still listens")
	}
}
