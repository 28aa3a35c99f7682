package format_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"anyurl/internal/peer"
)

// What scripts/test unpacks of Debian's packages.

// python runs a program with the packages that scripts/test unpacks.
func python(t *testing.T, dir, text string) {
	t.Helper()
	packages := filepath.Join(peer.Root(), "python3-icalendar", "usr/lib/python3/dist-packages")
	if _, err := os.Stat(packages); err != nil {
		peer.Look(t, "icalendar", "python3-icalendar") // says that it is missing
	}
	write(t, dir, "m.py", text)
	run(t, dir, "env", "PYTHONPATH="+packages, "python3", "m.py")
}

// A calendar by python3-icalendar, which folds lines at 75 octets, escapes commas
// and has an alarm that links to a page.
func TestPythonCalendar(t *testing.T) {
	dir := t.TempDir()
	python(t, dir, `
from datetime import datetime
from icalendar import Calendar, Event, vUri
cal, event = Calendar(), Event()
cal.add('prodid', '-//a//b//')
cal.add('version', '2.0')
event.add('uid', '1')
event.add('dtstamp', datetime(2026, 11, 1))
event.add('url', vUri('http://a.example/q?x=1&y=2'))
event.add('summary', 'Links')
event.add('description', 'Bring, please, what is on http://a.example/a/rather/long/path/that/goes/over/the/end/of/the/line,\nor on http://a.example/plain; thanks')
event.add('attach', vUri('http://a.example/i.png'))
cal.add_component(event)
open('x.ics', 'wb').write(cal.to_ical())
`)
	want := []string{"http://a.example/a/rather/long/path/that/goes/over/the/end/of/the/line", image, plain, query}
	slices.Sort(want)
	if got := urls(t, filepath.Join(dir, "x.ics")); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Feeds by python3-feedgenerator, which escapes the page in an item.
func TestPythonFeeds(t *testing.T) {
	dir := t.TempDir()
	python(t, dir, `
import feedgenerator
for name, kind in (('x.rss', feedgenerator.Rss201rev2Feed), ('x.atom', feedgenerator.Atom1Feed)):
    feed = kind(title='x', link='http://a.example/plain', description='y', language='en')
    feed.add_item(title='z', link='http://a.example/q?x=1&y=2', description='<p>see <a href="http://a.example/caf%C3%A9">it</a>',
        enclosure=feedgenerator.Enclosure('http://a.example/i.png', '10', 'image/png'))
    feed.write(open(name, 'w'), 'utf-8')
`)
	for _, name := range []string{"x.rss", "x.atom"} {
		got := urls(t, filepath.Join(dir, name))
		for _, u := range []string{plain, query, escape, image} {
			if !slices.Contains(got, u) {
				t.Errorf("%s: %s is missing in %q", name, u, got)
			}
		}
	}
}

// A workbook by python3-openpyxl: a link of a cell, a formula and a text.
func TestPythonWorkbook(t *testing.T) {
	dir := t.TempDir()
	python(t, dir, `
from openpyxl import Workbook
book = Workbook()
sheet = book.active
sheet['A1'] = 'a link'
sheet['A1'].hyperlink = 'http://a.example/q?x=1&y=2'
sheet['A2'] = '=HYPERLINK("http://a.example/plain", "plain")'
sheet['A3'] = 'see http://a.example/~user/a_b for more'
book.save('x.xlsx')
`)
	got := urls(t, filepath.Join(dir, "x.xlsx"))
	for _, u := range []string{query, plain, tilde} {
		if !slices.Contains(got, u) {
			t.Errorf("%s is missing in %q", u, got)
		}
	}
}

// YAML by python3-yaml, which breaks long texts over lines in each of its
// styles, and TOML by python3-tomlkit.
func TestPythonData(t *testing.T) {
	dir := t.TempDir()
	python(t, dir, `
import yaml, tomlkit
long = 'so many words that the line is broken in two before it, or behind, '
data = {'plain': long + 'http://a.example/plain is it', 'quoted': "it's: " + long + 'http://a.example/q?x=1&y=2',
    'coded': 'caf\u00e9 ' + long + 'http://a.example/caf%C3%A9 \x07 ' + long, 'lines': 'one\nhttp://a.example/~user/a_b\ntwo\n',
    'apostrophe': "see: http://a.example/o'clock"}
open('x.yaml', 'w').write(yaml.dump(data))
open('y.yaml', 'w').write(yaml.dump(data, default_style='|'))
open('z.yaml', 'w').write(yaml.dump(data, allow_unicode=True, width=40, default_style='"'))
open('x.toml', 'w').write(tomlkit.dumps(data))
`)
	want := []string{escape, "http://a.example/o'clock", plain, query, tilde}
	slices.Sort(want)
	for _, name := range []string{"x.yaml", "y.yaml", "z.yaml", "x.toml"} {
		if got := urls(t, filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Scripts and style sheets that esbuild has made small: quotes are chosen anew,
// and all stands in a line. What a template leaves open stays in its URL, as it
// does elsewhere: check says what it is.
func TestEsbuild(t *testing.T) {
	esbuild := peer.Look(t, "esbuild", "esbuild")
	dir := t.TempDir()
	write(t, dir, "a.ts", "// see "+tilde+"\nconst a: string = \""+query+"\", b = `"+plain+"${location.hash}`; export default [a, b, 1 > 2 ? '"+escape+"' : \"it's\"]\n")
	write(t, dir, "a.css", "@import url(\""+plain+"\");\nbody { background: url( '"+image+"' ) ; }\n")
	run(t, dir, esbuild, "--minify", "--outdir=out", "a.ts", "a.css")
	want := []string{escape, plain + "${location.hash}", query}
	slices.Sort(want)
	if got := urls(t, filepath.Join(dir, "out", "a.js")); !slices.Equal(got, want) {
		t.Errorf("a.js: got %q, want %q", got, want)
	}
	if got := urls(t, filepath.Join(dir, "out", "a.css")); !slices.Equal(got, []string{image, plain}) {
		t.Errorf("a.css: got %q", got)
	}
}

// Tables by sqlite3 and by Python's csv, in each of its dialects.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	const text = "say \"" + query + "\", or " + plain + ", x"
	write(t, dir, "a.sql", "create table t(n, u, x);\ninsert into t values (1, '"+query+"', 'a,b'), (2, '"+plain+"', '"+text+"'), (3, '"+tilde+"', null);\n"+
		".headers on\n.mode csv\n.output s.csv\nselect * from t;\n.mode tabs\n.output s.tsv\nselect * from t;\n")
	run(t, dir, peer.Look(t, "sqlite3", "sqlite3"), ":memory:", ".read a.sql")
	run(t, dir, "python3", "-c", `
import csv
rows = [['n', 'u', 'x'], [1, '`+query+`', 'a\nb'], [2, '`+plain+`', '`+text+`'], [3, '`+tilde+`', '']]
for name, how in (('excel.csv', dict()), ('semicolon.csv', dict(delimiter=';')), ('all.csv', dict(quoting=csv.QUOTE_ALL)), ('unix.csv', dict(dialect='unix')),
        ('tab.tsv', dict(dialect='excel-tab')), ('pipe.csv', dict(delimiter='|'))):
    with open(name, 'w', newline='') as f:
        csv.writer(f, **how).writerows(rows)
`)
	want := []string{plain, query, tilde}
	slices.Sort(want)
	for _, name := range []string{"s.csv", "s.tsv", "excel.csv", "semicolon.csv", "all.csv", "unix.csv", "tab.tsv", "pipe.csv"} {
		if got := urls(t, filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A template and a catalogue of translations by gettext, which breaks lines within
// a URL, too.
func TestGettext(t *testing.T) {
	dir := t.TempDir()
	const long = "http://a.example/a/rather/long/path/that/goes/over/the/end/of/the/line/and/over/the/next/one/as/well"
	write(t, dir, "a.c", "/* "+plain+" */\nint main(void) { puts(gettext(\"So \\\"many\\\" words that the line is broken: "+long+"\\n"+query+"\")); }\n")
	xgettext := peer.Look(t, "xgettext", "gettext")
	run(t, dir, xgettext, "--add-comments", "-k", "-kgettext", "--from-code=UTF-8", "-o", "a.pot", "a.c")
	run(t, dir, peer.Look(t, "msgen", "gettext"), "-o", "a.po", "a.pot")
	run(t, dir, peer.Look(t, "msgattrib", "gettext"), "--set-obsolete", "-o", "old.po", "a.po")
	for _, name := range []string{"a.pot", "a.po", "old.po"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(long)) {
			t.Errorf("%s: the URL is on one line", name)
		}
		got := urls(t, filepath.Join(dir, name))
		for _, u := range []string{long, query} {
			if !slices.Contains(got, u) {
				t.Errorf("%s: %s is missing in %q", name, u, got)
			}
		}
		for _, u := range got {
			if u != long && u != query && u != plain {
				t.Errorf("%s: %s is nothing the program says", name, u)
			}
		}
	}
}
