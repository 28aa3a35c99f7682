package file

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
)

func Example() {
	r, err := Read(anyurl.MustParse("file://localhost/srv/docs/read%20me.txt"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %q\n", r.Host.String(), r.Parts)
	// Output:
	// "" ["srv" "docs" "read me.txt"]
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		url, host string
		parts     []string
		dir       bool
	}{
		{"file:///", "", nil, true},
		{"file://", "", nil, true},
		{"file:///etc/motd", "", []string{"etc", "motd"}, false},
		{"file:/etc/motd", "", []string{"etc", "motd"}, false},            // RFC 8089, section 2: no authority
		{"file://localhost/etc/motd", "", []string{"etc", "motd"}, false}, // RFC 1738, 3.10
		{"file://LocalHost/etc/motd", "", []string{"etc", "motd"}, false}, // in any case
		{"file://vms.example/disk$user/n.txt", "vms.example", []string{"disk$user", "n.txt"}, false},
		{"file:///srv/a%20b/", "", []string{"srv", "a b"}, true},
		{"file:///c:/x", "", []string{"c:", "x"}, false},
		{"file:///c|/x", "", []string{"c:", "x"}, false},                      // the URL Standard: a drive letter
		{"file:///C%7C/x", "", []string{"C|", "x"}, false},                    // an escape is no drive letter there
		{"file:////server/share", "", []string{"", "server", "share"}, false}, // RFC 8089, appendix E.3.2
		{"file:////", "", []string{""}, true},
		{"file:///%FF", "", []string{"\xff"}, false},
		{"file:///a%5Cb", "", []string{`a\b`}, false},
		{"file:///a\\b", "", []string{"a", "b"}, false}, // the URL Standard: "\" is "/"
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if r.Host.String() != tt.host || !reflect.DeepEqual(r.Parts, tt.parts) || r.Dir != tt.dir {
			t.Errorf("%s: %+v; want %+v", tt.url, r, tt)
		}
		if again, err := Read(r.URL()); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s is written as %s, which reads as %+v, %v", tt.url, r.URL(), again, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		url  string
		rule rule.Rule
		at   string
	}{
		{"file:///a%2Fb", Slash, "%2Fb"},
		{"file:///etc/..%2f..%2fx", Slash, "%2f..%2fx"},
		{"file:///a%00.txt", Nul, "%00.txt"},
		{"file:///a?b", Query, "?b"},
		{"file:///a?", Query, "?"},
	} {
		u := anyurl.MustParse(tt.url)
		_, err := Read(u)
		e, ok := err.(*rule.Error)
		if !ok || e.Rule != tt.rule || e.Input != u.String() || !strings.HasPrefix(e.Input[e.Offset:], tt.at) {
			t.Errorf("%s: %v; want %s at %q", tt.url, err, tt.rule.ID, tt.at)
		}
	}
}

func TestOSPath(t *testing.T) {
	for _, tt := range []struct{ url, unix, windows string }{ // "" where it is refused
		{"file:///", "/", ""},
		{"file:///srv/a%20b.txt", "/srv/a b.txt", ""},
		{"file:///srv/", "/srv/", ""},
		{"file:///c:/x/y", "/c:/x/y", `c:\x\y`},
		{"file:///c:/", "/c:/", `c:\`},
		{"file:///C%7C/x", "/C|/x", `C:\x`},
		{"file://other.example/x", "", ""},
		{"file://127.0.0.1/x", "", ""}, // only by configuration
		{"file:///c:/NUL", "/c:/NUL", ""},
		{"file:///c:/con.txt", "/c:/con.txt", ""},
		{"file:///c:/COM%C2%B9", "/c:/COM¹", ""},
		{"file:///c:/x:stream", "/c:/x:stream", ""},
		{"file:///c:/x.", "/c:/x.", ""},
		{"file:///c:/x%20/y", "/c:/x /y", ""},
		{"file:///c:/a%5Cb", `/c:/a\b`, ""},
		{"file:////./COM1", "/" + "/COM1", ""},
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		for _, windows := range []bool{false, true} {
			want := tt.unix
			if windows {
				want = tt.windows
			}
			got, err := r.osPath(windows)
			if got != want || (err != nil) != (want == "") {
				t.Errorf("%s (windows: %v): %q, %v; want %q", tt.url, windows, got, err, want)
			}
			if e, ok := err.(*rule.Error); err != nil && (!ok || e.Offset > len(e.Input)) {
				t.Errorf("%s: %#v", tt.url, err)
			}
		}
	}
}

func TestOSPathRefuses(t *testing.T) {
	for _, parts := range [][]string{{".."}, {"a/b"}, {"a\x00"}} {
		r := Ref{Host: anyurl.MustParse("file:///").Host(), Parts: parts}
		if p, err := r.OSPath(); err == nil {
			t.Errorf("%q: %q", parts, p)
		}
	}
	r, _ := Read(anyurl.MustParse("file:///c:/docs/NUL"))
	_, err := r.osPath(true)
	if e := err.(*rule.Error); e.Rule != Name || e.Input[e.Offset:] != "NUL" {
		t.Errorf("%v at %q", e, e.Input[e.Offset:])
	}
}

func TestJSON(t *testing.T) {
	r, _ := Read(anyurl.MustParse("file:///srv/a"))
	got, err := json.Marshal(r)
	if want := `{"host":"","parts":["srv","a"]}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"file:///etc/motd", "file://h/c|/..", "file:////x//", "file:c:/x", "file:///C%3A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		r, err := Read(u)
		if err != nil {
			return
		}
		for _, windows := range []bool{false, true} {
			if p, err := r.osPath(windows); err == nil && strings.Contains(p, "\x00") {
				t.Fatalf("%s: %q", u, p)
			}
		}
		if again, err := Read(r.URL()); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s: %+v is written as %s, which reads as %+v, %v", u, r, r.URL(), again, err)
		}
	})
}
