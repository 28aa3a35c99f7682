package z3950_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/z3950"
)

func open(t *testing.T, server, url string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	tr := z3950.New(&dial.Dialer{})
	c := &fetch.Client{Transports: map[string]fetch.Transport{}, AllowPort: func(string, uint16) bool { return true }}
	for _, s := range z3950.Schemes() {
		c.Transports[s] = tr
	}
	fetchtest.Opened(t, server, c)
	req := &fetch.Request{URL: anyurl.MustParse(url)}
	for _, f := range change {
		f(req)
	}
	got, err := c.Do(context.Background(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return got, string(body), err
}

// Against YAZ's test server: one database, in which every search finds the
// same records.
func TestYaz(t *testing.T) {
	program, yaz := peer.Look(t, "yaz-ztest", "yaz"), peer.Version("yaz")
	addr := peer.Addr(peer.Port(t))
	cmd := exec.Command(program, "tcp:"+addr)
	cmd.Dir = t.TempDir()
	peer.Start(t, cmd).Await(t, addr)

	for _, tt := range []struct{ url, typ, want string }{
		{"z39.50r://" + addr + "/Default?abc;rs=marc", "text/plain", "\n001    11224466 \n003 DLC\n"},
		{"z39.50r://" + addr + "/Default?abc;esn=F;rs=usmarc", "text/plain", "\n245 10 $a How to program a computer\n"},
		{"z39.50r://" + addr + "/Default?abc;rs=sutrs", "text/plain", "This is dummy SUTRS record number 1\n"},
		{"z39.50r://" + addr + "/Default?abc;rs=xml", "text/xml", `<subfield code="a">How to program a computer</subfield>`},
		{"z39.50r://" + addr + "/Default?abc;rs=opac", "text/plain", "\n245 10 $a How to program a computer\n"},
		{"z39.50r://" + addr + "/Default?abc", "text/xml", "<record "},
		{"z39.50s://" + addr + "/Default", "text/plain", "implementation: GFS/YAZ "},
		{"z39.50://" + addr, "text/plain", "options: search, present\n"},
	} {
		got, body, err := open(t, yaz, tt.url)
		if err != nil || got.Type != tt.typ || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %v %q %+v", tt.url, err, body, got)
		}
	}
	got, body, err := open(t, yaz, "z39.50s://"+addr+"/Default?computer;rs=marc")
	if err != nil || !got.Listing || len(got.Entries) < 2 {
		t.Fatalf("a session: %v %+v", err, got)
	}
	if e := got.Entries[0]; e.Name != "How to program a computer" || e.URL != "z39.50r://"+addr+"/Default?11224466;rs=marc" {
		t.Errorf("%+v", e)
	}
	// How much it finds depends on the word alone: a number finds as many.
	if again, _, err := open(t, yaz, got.Entries[0].URL); err != nil || again.Header["Hits"][0] == "1" {
		t.Errorf("%v %+v", err, again)
	}
	if !strings.Contains(body, "$a How to program a computer\n") {
		t.Errorf("%q", body)
	}
	// Records without a number of their own have MARC's.
	got, _, err = open(t, yaz, "z39.50s://"+addr+"/Default?computer;rs=sutrs")
	if err != nil || len(got.Entries) == 0 || got.Entries[0].URL != "z39.50r://"+addr+"/Default?11224466;rs=sutrs" {
		t.Errorf("%v %+v", err, got)
	}
	got, body, err = open(t, yaz, "z39.50r://"+addr+"/Default?abc;rs=marc", func(r *fetch.Request) { r.Header = map[string][]string{"Accept": {"application/marc"}} })
	if err != nil || got.Type != "application/marc" || len(body) != 366 || !strings.HasPrefix(body, "00366nam") {
		t.Errorf("%v %q", err, body)
	}
	if _, _, err := open(t, yaz, "z39.50r://"+addr+"/nosuch?x"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("no database: %v", err)
	}
	var e *fetch.Error
	if _, _, err := open(t, yaz, "z39.50r://"+addr+"/Default?abc;rs=1.2.3"); !errors.As(err, &e) || e.Status != 239 || e.Said != "1.2.3" {
		t.Errorf("no syntax: %v", err)
	}
}

// Against Zebra, which has an index of identifiers in one database and none
// in the other, and records in XML, SUTRS and GRS-1.
func TestZebra(t *testing.T) {
	idx, srv := peer.Look(t, "zebraidx-2.0", "idzebra-2.0-utils"), peer.Look(t, "zebrasrv-2.0", "idzebra-2.0-utils")
	zebra := peer.Version("idzebra-2.0-utils")
	const tab = "/usr/share/idzebra-2.0/tab"
	modules, err := filepath.Glob("/usr/lib/*/idzebra-2.0/modules")
	if _, terr := os.Stat(filepath.Join(tab, "bib1.att")); terr != nil || err != nil || len(modules) == 0 {
		if os.Getenv(peer.Required) == "required" {
			t.Fatal("Zebra's tables or modules should be here and are not")
		}
		t.Skip("Zebra's tables or modules are not installed (Debian packages idzebra-2.0-common, libidzebra-2.0-modules)")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("zebra.cfg", fmt.Sprintf("profilePath: %[1]s:%[2]s\nmodulePath: %[3]s\nattset: bib1.att\nrecordType: grs.xml\nrecordId: file\nstoreKeys: 1\nstoreData: 1\nregister: %[1]s/register:100M\nlockDir: %[1]s/lock\nperm.anonymous: r\n", dir, tab, modules[0]))
	write("doc.abs", "attset bib1.att\nesetname B @\nesetname F @\nxpath disable\nxelm /doc/id Doc-id:w,Doc-id:p,Local-number:w\nxelm /doc/title Title:w,Any:w\nxelm /doc/text Any:w\n")
	write("note.abs", "attset bib1.att\nesetname B @\nesetname F @\nxpath disable\nxelm /note/id Local-number:w\nxelm /note/title Title:w,Any:w\n")
	write("docs/a.xml", "<doc><id>bkirch_rules__a1</id><title>Rules of Kirch</title><text>about tulips</text></doc>\n")
	write("docs/b.xml", "<doc><id>other__b2</id><title>Another</title><text>about roses and tulips</text></doc>\n")
	write("notes/n.xml", "<note><id>n1</id><title>A note</title></note>\n")
	for _, d := range []string{"register", "lock"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cfg := filepath.Join(dir, "zebra.cfg")
	peer.Run(t, dir, idx, "-l", filepath.Join(dir, "log"), "-c", cfg, "init")
	peer.Run(t, dir, idx, "-l", filepath.Join(dir, "log"), "-c", cfg, "-d", "tmf", "update", "docs")
	peer.Run(t, dir, idx, "-l", filepath.Join(dir, "log"), "-c", cfg, "-d", "notes", "update", "notes")
	addr := peer.Addr(peer.Port(t))
	cmd := exec.Command(srv, "-c", cfg, "tcp:"+addr)
	cmd.Dir = dir
	peer.Start(t, cmd).Await(t, addr)

	for _, tt := range []struct{ url, typ, want string }{
		{"z39.50r://" + addr + "/tmf?bkirch_rules__a1", "text/xml", "<title>Rules of Kirch</title>"}, // RFC 2056's own example
		{"z39.50r://" + addr + "/tmf?bkirch_rules__a1;esn=F;rs=sutrs", "text/plain", "Rules of Kirch"},
		{"z39.50r://" + addr + "/tmf?bkirch_rules__a1;rs=grs-1", "text/plain", "Rules of Kirch"},
		{"z39.50r://" + addr + "/tmf?bkirch_rules__a1;rs=marc+xml", "text/", "Rules of Kirch"},
		{"z39.50r://" + addr + "/notes?n1;rs=xml", "text/xml", "<title>A note</title>"},
		{"z39.50s://" + addr + "/tmf", "text/plain", "implementation: Zebra "},
	} {
		got, body, err := open(t, zebra, tt.url)
		if err != nil || !strings.HasPrefix(got.Type, tt.typ) || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %v %q %+v", tt.url, err, body, got)
		}
	}
	got, body, err := open(t, zebra, "z39.50s://"+addr+"/tmf?tulips")
	if err != nil || len(got.Entries) != 2 || !strings.Contains(body, "found by word: 2\n") {
		t.Fatalf("a session: %v %q %+v", err, body, got)
	}
	for _, e := range got.Entries {
		if e.Name != "Rules of Kirch" && e.Name != "Another" {
			t.Errorf("%+v", e)
		}
		if _, body, err := open(t, zebra, e.URL); err != nil || !strings.Contains(body, "<title>"+e.Name+"</title>") {
			t.Errorf("%s: %v %q", e.URL, err, body)
		}
	}
	var e *fetch.Error
	for _, tt := range []struct {
		url    string
		kind   error
		status int
	}{
		{"z39.50r://" + addr + "/tmf?nosuch", fetch.ErrNotFound, 0},
		{"z39.50r://" + addr + "/nosuch?x", fetch.ErrNotFound, 0},
		{"z39.50r://" + addr + "/tmf?bkirch_rules__a1;esn=Q;rs=sutrs", fetch.ErrUnsupported, 25},
	} {
		if _, _, err := open(t, zebra, tt.url); !errors.As(err, &e) || !errors.Is(err, tt.kind) || tt.status != 0 && e.Status != tt.status {
			t.Errorf("%s: %v", tt.url, err)
		}
	}
}
