package format_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anyurl/find/format"
)

// run runs a tool, or skips the test where it is not installed.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("ANYURL_SERVERS") == "required" {
			t.Fatalf("%s should be installed here and is not", name)
		}
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// urls finds what is in a file, each URL once, sorted.
func urls(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := format.Finder{Note: func(n format.Note) { t.Logf("%s at %d: %s", n.Source, n.Offset, n.Says) }}
	var got []string
	for m := range f.Bytes(filepath.Base(file), data) {
		got = append(got, m.URL)
		if m.Source == filepath.Base(file) && string(data[m.Start:m.End]) != m.Text {
			t.Errorf("%s: span %d:%d of %q is not right", file, m.Start, m.End, m.URL)
		}
	}
	slices.Sort(got)
	return slices.Compact(got)
}

const (
	plain  = "http://a.example/plain"
	query  = "http://a.example/q?x=1&y=2"
	tilde  = "http://a.example/~user/a_b"
	escape = "http://a.example/caf%C3%A9"
	image  = "http://a.example/i.png"
)

// The same document, written by pandoc in every format that it and we know.
func TestPandoc(t *testing.T) {
	dir := t.TempDir()
	src := write(t, dir, "src.md", fmt.Sprintf("# Links\n\nOne [plain](%s), one [query](%s \"title\").\n\n- <%s>\n- [escape](%s)\n\n| a | b |\n|---|---|\n| [x](%s) | y |\n", plain, query, tilde, escape, plain))
	want := []string{escape, plain, query, tilde}
	for _, tt := range []struct{ to, ext string }{
		{"html5", "html"}, {"gfm", "md"}, {"rst", "rst"}, {"asciidoc", "adoc"}, {"latex", "tex"},
		{"docx", "docx"}, {"odt", "odt"}, {"epub3", "epub"}, {"pptx", "pptx"}, {"fb2", "fb2"},
		{"docbook5", "xml"}, {"opml", "opml"}, {"ipynb", "ipynb"}, {"json", "json"}, {"org", "txt"}, {"mediawiki", "txt"}, {"textile", "txt"},
	} {
		t.Run(tt.to, func(t *testing.T) {
			out := filepath.Join(dir, tt.to+"."+tt.ext)
			run(t, dir, "pandoc", "-f", "gfm", "-t", tt.to, "-s", "--metadata", "title=x", "-o", out, src)
			got := urls(t, out)
			for _, u := range want {
				if !slices.Contains(got, u) {
					t.Errorf("%s is missing in %q", u, got)
				}
			}
			for _, u := range got {
				if strings.HasPrefix(u, "http://a.example/") && !slices.Contains(want, u) {
					t.Errorf("%s is nothing the document says", u)
				}
			}
		})
	}
}

// A page printed to PDF by Chromium keeps its links as annotations.
func TestChromiumPDF(t *testing.T) {
	dir := t.TempDir()
	page := write(t, dir, "p.html", fmt.Sprintf(`<a href="%s">one</a> <a href="%s">two</a><p>See http://text.example/office/fl<b>o</b>w, kerned: http://text.example/AVATAR/To.`, plain, strings.ReplaceAll(query, "&", "&amp;")))
	out := filepath.Join(dir, "p.pdf")
	run(t, dir, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+dir, "--print-to-pdf="+out, "file://"+page)
	got := urls(t, out)
	for _, want := range []string{plain, query, "http://text.example/office/flow", "http://text.example/AVATAR/To"} {
		if !slices.Contains(got, want) {
			t.Errorf("got %q, and not %s", got, want)
		}
	}
}

// A page set by groff and distilled by Ghostscript keeps its links as text.
func TestGhostscriptPDF(t *testing.T) {
	dir := t.TempDir()
	src := write(t, dir, "x.ms", ".LP\nSee "+plain+" for more, and of kerns http://www.kernel.example/office/path/x. The text of texts text goes on and on.\n")
	out := filepath.Join(dir, "x.pdf")
	run(t, dir, "sh", "-c", "command -v gs >/dev/null || exit 0; command -v groff >/dev/null || exit 0; groff -ms "+src+" | gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=pdfwrite -sOutputFile="+out+" -")
	if _, err := os.Stat(out); err != nil {
		t.Skip("groff or Ghostscript is not installed")
	}
	if got := urls(t, out); !slices.Equal(got, []string{plain, "http://www.kernel.example/office/path/x"}) {
		t.Errorf("got %q", got)
	}
}

// Archives made by the archivers people use.
func TestArchivers(t *testing.T) {
	for _, tt := range []struct {
		out  string
		argv []string
	}{
		{"x.zip", []string{"zip", "-q", "x.zip", "d/a.html"}},
		{"x.tar", []string{"tar", "-cf", "x.tar", "d"}},
		{"x.tgz", []string{"tar", "-czf", "x.tgz", "d"}},
		{"d/a.html.gz", []string{"gzip", "-k", "d/a.html"}},
		{"d/a.html.bz2", []string{"bzip2", "-k", "d/a.html"}},
		{"d/a.html.zst", []string{"zstd", "-q", "-k", "d/a.html"}},
	} {
		t.Run(tt.out, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "d"), 0o777); err != nil {
				t.Fatal(err)
			}
			write(t, dir, "d/a.html", `<a href="`+plain+`">`)
			run(t, dir, tt.argv[0], tt.argv[1:]...)
			if got := urls(t, filepath.Join(dir, tt.out)); !slices.Equal(got, []string{plain}) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// A crawl archived by wget, which keeps answers as they came: in chunks, one of
// which ends within a URL, and in a coding.
func TestWgetWARC(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := fmt.Sprintf(`<a href="%s">x</a><img src="%s">`, plain, image)
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/coded":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, page)
			z.Close()
		case "/chunks":
			fmt.Fprint(w, page[:20])
			w.(http.Flusher).Flush()
			fmt.Fprint(w, page[20:])
		default:
			fmt.Fprint(w, page)
		}
	}))
	defer server.Close()
	for _, path := range []string{"/page", "/chunks", "/coded"} {
		dir := t.TempDir()
		wget := []string{"-q", "--no-proxy", "--compression=auto", "-O", os.DevNull, server.URL + path, "--warc-file=x"}
		run(t, dir, "wget", append(wget, "--no-warc-compression")...)
		file := filepath.Join(dir, "x.warc")
		if data, err := os.ReadFile(file); err != nil || bytes.Contains(data, []byte(plain)) != (path == "/page") {
			t.Fatalf("%s did not come as the server wrote it: %v", path, err)
		}
		got := urls(t, file)
		for _, u := range []string{plain, image, server.URL + path} {
			if !slices.Contains(got, u) {
				t.Errorf("%s: %s is missing in %q", path, u, got)
			}
		}
		run(t, dir, "wget", wget...) // each record packed by itself
		if again := urls(t, file+".gz"); !slices.Equal(again, got) {
			t.Errorf("%s: got %q of the packed file, want %q", path, again, got)
		}
	}
}

// Messages as Python's standard library writes them: encoded words,
// quoted-printable, base64, parts, an attached page.
func TestPythonMail(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "m.py", `
import mailbox
from email.message import EmailMessage
m = EmailMessage()
m['Subject'] = 'Caf\u00e9 at http://a.example/subject'
m['List-Unsubscribe'] = '<http://a.example/unsubscribe>'
m.set_content('Gr\u00fc\u00dfe! http://a.example/q?x=1&y=2 ' + 'and so on ' * 20)
m.add_alternative('<p>\u00e9 <a href="http://a.example/~user/a_b">x</a>', subtype='html', cte='base64')
m.add_attachment('<a href="http://a.example/plain">', subtype='html', filename='p.html')
open('x.eml', 'wb').write(bytes(m))
box = mailbox.mbox('x.mbox')
box.add(m)
box.add(m)
box.flush()
`)
	run(t, dir, "python3", "m.py")
	want := []string{plain, query, "http://a.example/subject", "http://a.example/unsubscribe", tilde}
	slices.Sort(want)
	for _, name := range []string{"x.eml", "x.mbox"} {
		if got := urls(t, filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A site made small by Hugo: pages without quotes, a feed, JSON with escapes, a
// page that leads on to where it went, and the sitemap, of which the names of
// formats are no part.
func TestHugo(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"content", "layouts/_default"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "config.toml", "baseURL = 'http://a.example/'\ntitle = 'x'\ndisableKinds = ['taxonomy', 'term']\n[outputs]\nhome = ['HTML', 'RSS', 'JSON']\n")
	write(t, dir, "content/page.md", "---\ntitle: Page\ndate: 2026-11-01\naliases: [/old/]\n---\nA [query]("+query+"), <"+tilde+"> and ![i]("+image+").\n")
	write(t, dir, "layouts/_default/single.html", "<!doctype html><title>{{ .Title }}</title><link rel=canonical href='{{ .Permalink }}'>{{ .Content }}")
	write(t, dir, "layouts/_default/list.html", "<!doctype html><title>x</title>{{ range .Site.RegularPages }}<a href='{{ .Permalink }}'>{{ .Title }}</a>{{ end }}")
	write(t, dir, "layouts/_default/list.json", "{{ dict `q` `"+query+"` | jsonify }}")
	run(t, dir, "hugo", "--minify", "--quiet")
	const page, home = "http://a.example/page/", "http://a.example/"
	for name, want := range map[string][]string{
		"sitemap.xml":     {home, page},
		"index.xml":       {home, "http://a.example/index.xml", page, tilde},
		"index.json":      {query},
		"index.html":      {page},
		"old/index.html":  {page},
		"page/index.html": {image, page, query, tilde},
	} {
		slices.Sort(want)
		if got := urls(t, filepath.Join(dir, "public", name)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
