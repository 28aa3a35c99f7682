package ftp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

func Example() {
	u := anyurl.MustParse("ftp://ftp.example/%2Fetc/motd;type=a")
	r, err := Read(u)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("dial %s\n", r.Addr())
	for _, dir := range r.Dirs {
		fmt.Printf("CWD %s\n", dir)
	}
	fmt.Printf("TYPE %s\nRETR %s\n", strings.ToUpper(r.Type.String()), r.Name)
	// Output:
	// dial ftp.example:21
	// CWD /etc
	// TYPE A
	// RETR motd
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		url  string
		dirs []string
		name string
		code Type
	}{
		{"ftp://h", nil, "", 0},
		{"ftp://h/", nil, "", 0},
		{"ftp://h/motd", nil, "motd", 0},
		{"ftp://h/etc/motd", []string{"etc"}, "motd", 0},               // CWD etc, RETR motd
		{"ftp://h/%2Fetc/motd", []string{"/etc"}, "motd", 0},           // RFC 1738, 3.2.2: %2F is data, not a step
		{"ftp://h//etc/motd", []string{"", "etc"}, "motd", 0},          // ibid.: an empty CWD, then etc
		{"ftp://h/%2Fetc%2Fmotd", nil, "/etc/motd", 0},                 // ibid.: RETR /etc/motd
		{"ftp://h/pub/", []string{"pub"}, "", 0},                       // a folder
		{"ftp://h/a//b/", []string{"a", "", "b"}, "", 0},               // empty segments stay
		{"ftp://h/x;type=a", nil, "x", ASCII},                          // 3.2.2
		{"ftp://h/x;type=I", nil, "x", Image},                          // ibid.: in any case
		{"ftp://h/x;TYPE=D", nil, "x", Dir},                            // ibid.
		{"ftp://h/;type=d", nil, "", Dir},                              // NLST without an argument
		{"ftp://h/a%3Btype=a", nil, "a;type=a", 0},                     // an encoded ";" is data
		{"ftp://h/a%20b/c%25d", []string{"a b"}, "c%d", 0},             // decoded once
		{"ftp://h/what?/x?y;type=i", []string{"what?"}, "x?y", Image},  // section 5: fsegment holds "?"
		{"ftp://h/a?/../.", []string{"a?", ".."}, ".", 0},              // no path to climb in, so the segments stay
		{"ftp://h/?a?/..;type=i", []string{"?a?"}, "..", Image},        // ibid.
		{"ftp://h/..%2Fx", nil, "../x", 0},                             // no dot segment, but one argument
		{"ftp://h/a/../b", nil, "b", 0},                                // the URL Standard has taken it out
		{"ftp://h/caf%C3%A9", nil, "café", 0},                          // octets, here UTF-8
		{"ftp://h/a%09b", nil, "a\tb", 0},                              // a TAB ends no command
		{"ftps://h", nil, "", 0},                                       // not special: the path may be empty
		{"ftps://h/%2Fetc/motd;type=i", []string{"/etc"}, "motd", 'i'}, // as ftp
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if !reflect.DeepEqual(r.Dirs, tt.dirs) || r.Name != tt.name || r.Type != tt.code {
			t.Errorf("%s: %q %q %v; want %q %q %v", tt.url, r.Dirs, r.Name, r.Type, tt.dirs, tt.name, tt.code)
		}
		if again, err := Read(r.URL()); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s is written as %s, which reads as %+v, %v", tt.url, r.URL(), again, err)
		}
	}
}

func TestAuthority(t *testing.T) {
	for _, tt := range []struct {
		url, addr, user, password   string
		hasUser, hasPassword, isTLS bool
	}{
		{"ftp://h/", "h:21", "", "", false, false, false},
		{"ftp://h:2121/", "h:2121", "", "", false, false, false},
		{"ftp://[::1]/", "[::1]:21", "", "", false, false, false},
		{"ftp://0x7f.1/", "127.0.0.1:21", "", "", false, false, false},
		{"ftps://H.Example/", "h.example:990", "", "", false, false, true},
		{"ftps://0x7f.1/", "127.0.0.1:990", "", "", false, false, true}, // an opaque host, made fit to dial
		{"ftps://%65x%2Eexample:21/", "ex.example:21", "", "", false, false, true},
		{"ftp://u@h/", "h:21", "u", "", true, false, false},
		{"ftp://u:p@h/", "h:21", "u", "p", true, true, false},
		{"ftp://a%40b:p%3Aq%2F@h/", "h:21", "a@b", "p:q/", true, true, false},
		{"ftp://:p@h/", "h:21", "", "p", true, true, false},
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if r.Addr() != tt.addr || r.User != tt.user || r.Password != tt.password ||
			r.HasUser != tt.hasUser || r.HasPassword != tt.hasPassword || r.TLS != tt.isTLS {
			t.Errorf("%s: %+v, %s; want %+v", tt.url, r, r.Addr(), tt)
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
		at   string // what stands where the rule is broken
	}{
		{"ftp://h/x%0D%0ADELE%20y", ControlOctet, "%0D%0ADELE"},
		{"ftp://h/a%0a/x", ControlOctet, "%0a/x"},
		{"ftp://h/x%00", ControlOctet, "%00"},
		{"ftp://h/%FF%F4", ControlOctet, "%FF%F4"}, // RFC 854: IAC IP
		{"ftp://u%0D%0APASS@h/", ControlOctet, "%0D%0APASS"},
		{"ftp://u:p%0A@h/", ControlOctet, "%0A@h"},
		{"ftp://h/x?y%0D", ControlOctet, "%0D"},
		{"ftp://h/x;type=e", Typecode, "e"},
		{"ftp://h/x;type=", Typecode, ""},
		{"ftp://h/x;type=aa", Typecode, "aa"},
		{"ftp://h/x;type=a/y", Semicolon, ";type=a/y"},
		{"ftp://h/x;v=1", Semicolon, ";v=1"},
		{"ftp://h/x;v=1;type=a", Semicolon, ";v=1"},
		{"ftps:///x", scheme.HostMissing, "/x"},
		{"ftps:x", scheme.HostMissing, "x"},
		{"http://h/", scheme.OtherScheme, "http"},
	} {
		u := anyurl.MustParse(tt.url)
		_, err := Read(u)
		e, ok := err.(*rule.Error)
		if !ok || e.Rule != tt.rule || e.Input != u.String() || !strings.HasPrefix(e.Input[e.Offset:], tt.at) {
			t.Errorf("%s: %v; want %s at %q", tt.url, err, tt.rule.ID, tt.at)
		}
	}
	if _, err := Read(anyurl.URL{}); err == nil {
		t.Error("the zero URL is read")
	}
}

func TestUnwritable(t *testing.T) {
	h := anyurl.MustParse("ftp://h/").Host()
	for _, r := range []Ref{{Host: h, Port: 21, Dirs: []string{".."}}, {Host: h, Port: 21, Name: "."}, {}} {
		if u := r.URL(); !u.IsZero() {
			t.Errorf("%+v is written as %s", r, u)
		}
	}
}

func TestJSON(t *testing.T) {
	r, _ := Read(anyurl.MustParse("ftp://h/%2Fetc/motd;type=A"))
	got, err := json.Marshal(r)
	if want := `{"host":"h","port":21,"dirs":["/etc"],"name":"motd","type":"a"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"ftp://h/%2Fetc/motd;type=a", "ftps://u:p@h:1//x?y;type=d", "ftp://h/a%00;type=", "ftp://h/%2E%2e%2f", "ftp://h/?/."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		r, err := Read(u)
		if err != nil {
			if e, ok := err.(*rule.Error); !ok || e.Rule.IsZero() || e.Offset < 0 || e.Offset > len(e.Input) {
				t.Fatalf("%s: %#v", u, err)
			}
			return
		}
		if strings.ContainsAny(strings.Join(r.Dirs, "")+r.Name+r.User+r.Password, "\r\n\x00") {
			t.Fatalf("%s: %+v would reach the wire", u, r)
		}
		if again, err := Read(r.URL()); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s: %+v is written as %s, which reads as %+v, %v", u, r, r.URL(), again, err)
		}
	})
}
