package builtin_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch/fetchtest"
	"anyurl/proto/builtin"
	"anyurl/scheme"
	"anyurl/scheme/known"
)

var (
	update = flag.Bool("update", false, "write docs/schemes.md anew")
	opened = flag.String("opened", "", "the folder in which a run of the protocols' tests noted what opened: its table goes into docs/schemes.md")
)

// TestSchemesPage holds docs/schemes.md to the list of schemes and of what is
// opened here: every scheme has a row, and every transport reads by a room.
func TestSchemesPage(t *testing.T) {
	by := map[string]string{} // a scheme: the package that opens it
	for name, transport := range builtin.Transports(&dial.Dialer{}, builtin.Options{}) {
		v := reflect.TypeOf(transport)
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		by[name] = strings.TrimPrefix(v.PkgPath(), "anyurl/")
		if s, ok := known.Lookup(name); !ok || s.Read == nil {
			t.Errorf("%s is opened, but nobody reads it", name)
		}
	}
	file := filepath.Join("..", "..", "docs", "schemes.md")
	had, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := openedTable(t, had, by)
	want := page(by, table)
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

func page(opened map[string]string, table []byte) []byte {
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
	b.WriteString(openedHead)
	b.Write(table)
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

const openedHead = `
## Opened against real servers

What opened in the last run of the protocols' tests, at which server, in which version: programs that nobody here wrote, but where the
row says otherwise. "./scripts/test schemes" installs and starts them, opens everything anew, and prints this table. For wais and
prospero no package has a server: what the servers of the 1990s said is played octet for octet, and WAIS_PEER and PROSPERO_PEER name
a living one.

`

const openedColumns = "| scheme | server | spoken | what opened |\n|---|---|---|---|\n"

// openedTable is the table of what opened: of the run that -opened names, or
// else the one that the page has. Each scheme that this build opens has a row.
func openedTable(t *testing.T, had []byte, by map[string]string) []byte {
	t.Helper()
	rows := map[string][]string{}
	if *opened != "" {
		all, err := fetchtest.Openings(*opened)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range all {
			var b bytes.Buffer
			row(&b, o.Scheme, o.Server, strings.Join(o.Protocols, ", "), strings.Join(o.Objects, "; "))
			rows[o.Scheme] = append(rows[o.Scheme], b.String())
		}
	} else if _, rest, ok := bytes.Cut(had, []byte(openedColumns)); ok {
		for line := range strings.Lines(string(rest)) {
			scheme, ok := strings.CutPrefix(line, "| ")
			if !ok {
				break
			}
			scheme, _, _ = strings.Cut(scheme, " ")
			if !strings.Contains(line, unopened) {
				rows[scheme] = append(rows[scheme], line)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(openedColumns)
	for _, scheme := range slices.Sorted(maps.Keys(by)) {
		for _, line := range rows[scheme] {
			b.WriteString(line)
		}
		if len(rows[scheme]) == 0 {
			row(&b, scheme, unopened, "", "")
		}
	}
	return b.Bytes()
}

// unopened stands where a scheme's server was not in the last run.
const unopened = "none in the last run"

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
