package iana

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func ExampleLookup() {
	e, ok := Lookup("gopher")
	fmt.Println(ok, e.Status, e.Reference)
	e, ok = Lookup("wais")
	fmt.Println(ok, e.Status, e.Reference)
	// Output:
	// true permanent RFC 4266
	// true historical RFC 4156
}

// TestSchemes holds facts of the registry that do not change with a new list.
func TestSchemes(t *testing.T) {
	all := Schemes()
	if len(all) < 380 {
		t.Errorf("%d schemes; the registry had more than 380 in 2022 and forgets none", len(all))
	}
	for i, e := range all {
		switch e.Status {
		case "permanent", "provisional", "historical":
		default:
			t.Errorf("%s: status %q is not one of RFC 7595", e.Name, e.Status)
		}
		if e.Name == "" || e.Name != strings.ToLower(e.Name) || !schemeName(e.Name) {
			t.Errorf("%q is not a scheme's name (RFC 3986, section 3.1)", e.Name)
		}
		if i > 0 && all[i-1].Name >= e.Name {
			t.Errorf("%s is not after %s", e.Name, all[i-1].Name)
		}
		if e.Reference == "" && e.Template == "" {
			t.Errorf("%s is defined nowhere", e.Name)
		}
		if got, ok := Lookup(e.Name); !ok || got != e {
			t.Errorf("Lookup(%q) = %v, %v", e.Name, got, ok)
		}
	}
	for _, tt := range []struct{ name, status, ref string }{
		{"http", "permanent", "RFC 9110, Section 4.2.1"},
		{"file", "permanent", "RFC 8089"},
		{"ftp", "permanent", "RFC 1738"},
		{"news", "permanent", "RFC 5538"},
		{"prospero", "historical", "RFC 4157"},
		{"mailserver", "historical", "RFC 6196"},
		{"afs", "provisional", "RFC 1738"},
		{"tn3270", "permanent", "RFC 6270"},
		{"z39.50", "historical", "RFC 1738; RFC 2056"},
	} {
		if e, ok := Lookup(tt.name); !ok || e.Status != tt.status || e.Reference != tt.ref {
			t.Errorf("Lookup(%q) = %+v, %v; want %s, %s", tt.name, e, ok, tt.status, tt.ref)
		}
	}
	if _, ok := Lookup("no-such-scheme"); ok {
		t.Error("no-such-scheme is registered")
	}
}

func schemeName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || i > 0 && ('0' <= c && c <= '9' || strings.IndexByte("+-.", c) >= 0)) {
			return false
		}
	}
	return s != ""
}

func TestReserved(t *testing.T) {
	for _, r := range Reserved() {
		if _, ok := Lookup(r.Name); !ok {
			t.Errorf("RFC 1738 reserved %s, but the registry has forgotten it", r.Name)
		}
	}
}

func TestTLD(t *testing.T) {
	for label, want := range map[string]bool{
		"com": true, "org": true, "de": true, "arpa": true, "museum": true, "zip": true,
		"xn--p1ai": true, "рф": true, "中国": true,
		"COM": false, "": false, ".com": false, "example": false, "test": false, "onion": false, "local": false, "internal": false,
	} {
		if TLD(label) != want {
			t.Errorf("TLD(%q) = %v", label, !want)
		}
	}
	all := TLDs()
	if !slices.IsSorted(all) || len(all) < 1400 {
		t.Errorf("%d top-level domains, sorted: %v", len(all), slices.IsSorted(all))
	}
}

func TestPorts(t *testing.T) {
	if !slices.IsSorted(badPorts[:]) {
		t.Error("bad ports are not sorted")
	}
	for port, want := range map[uint16]bool{0: true, 21: true, 25: true, 80: false, 443: false, 70: false, 6667: true, 6679: true, 8080: false, 10080: true} {
		if BadPort(port) != want {
			t.Errorf("BadPort(%d) = %v", port, !want)
		}
	}
	if !slices.IsSortedFunc(servers[:], func(a, b Server) int { return int(a.Port) - int(b.Port) }) {
		t.Error("servers are not sorted")
	}
	for port, want := range map[uint16]string{25: "smtp", 70: "gopher", 6379: "redis", 11211: "memcached"} {
		if s, ok := Service(port); !ok || s.Name != want || !s.Lines {
			t.Errorf("Service(%d) = %+v, %v", port, s, ok)
		}
	}
	if _, ok := Service(8080); ok {
		t.Error("8080 is nobody's in particular")
	}
}

// TestTablesAreOf holds that the tables name the lists they came from and that
// each list's lines are all in.
func TestTablesAreOf(t *testing.T) {
	csv, err := os.ReadFile(filepath.Join("data", "uri-schemes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(csv), "\n") - 2; lines != len(schemes) {
		t.Errorf("data/uri-schemes.csv has %d entries, the table %d; run go generate ./internal/iana", lines, len(schemes))
	}
	list, err := os.ReadFile(filepath.Join("data", "tlds.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if l := strings.ToLower(strings.TrimSpace(line)); l != "" && l[0] != '#' && !TLD(l) {
			t.Errorf("%s is in data/tlds.txt but not in the table; run go generate ./internal/iana", l)
		}
	}
}
