package builtin_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/proto/builtin"
	"anyurl/scheme"
	"anyurl/scheme/known"
)

var update = flag.Bool("update", false, "write docs/schemes.md anew")

// TestSchemesPage holds docs/schemes.md to the list of schemes and of what is
// opened here: every scheme has a row, and every transport reads by a room.
func TestSchemesPage(t *testing.T) {
	opened := map[string]string{} // a scheme: the package that opens it
	for name, transport := range builtin.Transports(&dial.Dialer{}, builtin.Options{}) {
		v := reflect.TypeOf(transport)
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		opened[name] = strings.TrimPrefix(v.PkgPath(), "anyurl/")
		if s, ok := known.Lookup(name); !ok || s.Read == nil {
			t.Errorf("%s is opened, but nobody reads it", name)
		}
	}
	want := page(opened)
	file := filepath.Join("..", "..", "docs", "schemes.md")
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/schemes.md is not what this build knows: run go test ./proto/builtin -run SchemesPage -update")
	}
	for _, s := range known.Schemes() {
		if !bytes.Contains(got, []byte("\n| "+s.Name+" |")) {
			t.Errorf("%s has no row", s.Name)
		}
	}
}

func page(opened map[string]string) []byte {
	list := known.Schemes()
	reads := 0
	for _, s := range list {
		if s.Read != nil {
			reads++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Schemes

Generated; a test holds this page to what the build knows. anyurl knows %d schemes and reads %d of them by their own rules; those
with a transport it opens, too. "anyurl schemes NAME" tells more about each.

A scheme's **reading** is the package that says what a URL of it means; a **transport** is the package that opens it. They are two
lists, because the world has two: news and nntp both speak NNTP, and most schemes can be read by whoever never opens them. A name
that begins with "x-" is experimental (RFC 1738, section 4) and in no list.

## Read by their own rules

| scheme | reading | transport | protocol | port | status | defined | example |
|---|---|---|---|---|---|---|---|
`, len(list), reads)
	for _, s := range list {
		if s.Read != nil {
			row(&b, s.Name, code("scheme/"+s.Family), code(opened[s.Name]), s.Protocol, port(s), s.Status, s.Defined, code(s.Example))
		}
	}
	b.WriteString(`
## Known

| scheme | port | status | defined | what it is |
|---|---|---|---|---|
`)
	for _, s := range list {
		if s.Read == nil {
			row(&b, s.Name, port(s), s.Status, s.Defined, s.Says)
		}
	}
	b.WriteString(`
## What is read

Each scheme's form, an example, and what the example reads as, which is what "anyurl parse --json" gives under "reading". A key that
is left out says that the URL has no such thing.
`)
	for _, s := range list {
		if s.Read == nil {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n    %s\n    %s\n    %s\n", s.Name, s.Says, s.Syntax, s.Example, reading(s))
	}
	return b.Bytes()
}

// reading is what a scheme's example reads as, in JSON.
func reading(s scheme.Scheme) string {
	u, err := anyurl.Parse(s.Example)
	if err != nil {
		return err.Error()
	}
	r, err := s.Read(u)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// row writes a row of a table.
func row(b *bytes.Buffer, cells ...string) {
	for _, c := range cells {
		b.WriteString("| " + strings.ReplaceAll(cmp.Or(c, "–"), "|", `\|`) + " ")
	}
	b.WriteString("|\n")
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func port(s scheme.Scheme) string {
	if s.Port == 0 {
		return ""
	}
	return fmt.Sprint(s.Port)
}
