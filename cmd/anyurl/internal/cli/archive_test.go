package cli_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The links of a book lead to its other chapters, and are looked up in it.
func TestCheckLooksIntoArchives(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "a book.epub")
	f, err := os.Create(book)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, m := range [][2]string{
		{"mimetype", "application/epub+zip"},
		{"OEBPS/content.opf", `<package xmlns="http://www.idpf.org/2007/opf"><item href="gone.xhtml"/></package>`},
		{"OEBPS/a b.xhtml", `<html><a href="text/c.xhtml#y"/><a href="text/c.xhtml#no"/><a href="#here"/><p id="here"/><img src="i.png"/><img src="j.png"/><a href="../../out.md"/><a href="text/"/><a href="text/c"/></html>`},
		{"OEBPS/text/c.xhtml", `<p id="y"/>`},
		{"OEBPS/i.png", "\x89PNG"},
	} {
		w, err := z.Create(m[0])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(m[1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	stdout, stderr, status := run("", "check", "--offline", "--fragments", "--fallback-extensions", "xhtml", "--json", book)
	if status != 1 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	got := map[string]string{}
	for line := range strings.Lines(stdout) {
		var r struct{ URL, State, Reason string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		_, member, inside := strings.Cut(r.URL, "!/")
		if !inside {
			member = r.URL
		}
		got[member] = r.State + " " + r.Reason
	}
	for member, want := range map[string]string{
		"OEBPS/text/c.xhtml#y":   "alive ",
		"OEBPS/text/c.xhtml#no":  "broken the page has no place called #no",
		"OEBPS/a%20b.xhtml#here": "alive ",
		"OEBPS/i.png":            "alive ",
		"OEBPS/j.png":            "broken the archive has no such file",
		"OEBPS/gone.xhtml":       "broken the archive has no such file",
		"OEBPS/text/":            "alive ",
		"OEBPS/text/c":           "alive ",
		"../../out.md":           "skipped it leads out of the archive",
	} {
		if got[member] != want {
			t.Errorf("%s: %q, want %q", member, got[member], want)
		}
	}
}

// What is in other archives is counted.
func TestCheckSkipsWhatItCannotLookUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.tar")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	const text = "[a](b.md)\n"
	if err := w.WriteHeader(&tar.Header{Name: "a.md", Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	stdout, stderr, status := run("", "check", "--offline", "--all", file)
	if status != 0 || !strings.Contains(stdout, "what is in such an archive is not looked up") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// A compressed document's links start from where its file stands.
func TestCheckReadsCompressedDocuments(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "log.html.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	w.Write([]byte(`<a href="#x">x</a><a href="b.html">b</a><a href="c.html">c</a><a href="log.html">d</a>`))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.WriteFile(filepath.Join(dir, "b.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, _, status := run("", "check", "--offline", "--all", file)
	for _, want := range []string{"alive .*/log.html.gz#x", "alive .*/b.html", "broken .*/c.html +no such file\n", "broken .*/log.html +no such file, but log.html.gz is there"} {
		if !regexp.MustCompile(want).MatchString(stdout) {
			t.Errorf("no %s in %s", want, stdout)
		}
	}
	if status != 1 {
		t.Errorf("status %d", status)
	}
}
