package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"anyurl/cmd/anyurl/internal/config"
)

func ExampleReadNetrc() {
	n, err := config.ReadNetrc(".netrc", []byte("machine ftp.example login joe password secret\ndefault login anonymous password me@here.example\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, host := range []string{"FTP.example", "other.example"} {
		l, ok := n.Find(host, "")
		fmt.Println(l.User, ok)
	}
	// Output:
	// joe true
	// anonymous true
}

func TestReadNetrc(t *testing.T) {
	for _, tt := range []struct {
		text string
		want config.Netrc
	}{
		{"", nil},
		{"# none\n", nil},
		{"machine a login u password p", config.Netrc{{"a", "u", "p", true}}},
		{"machine A.\n\tlogin u\n\tpassword p\n", config.Netrc{{"a", "u", "p", true}}},
		{"machine a login u # a remark\nmachine b login v", config.Netrc{{"a", "u", "", false}, {"b", "v", "", false}}},
		{"machine a login u password #p", config.Netrc{{"a", "u", "#p", true}}}, // no remark: a value
		{"machine a login u password machine", config.Netrc{{"a", "u", "machine", true}}},
		{`machine a login u password "p q\"\\\t"`, config.Netrc{{"a", "u", "p q\"\\\t", true}}},
		{`machine a login u password ""`, config.Netrc{{"a", "u", "", true}}},
		{"machine a login u account x password p", config.Netrc{{"a", "u", "p", true}}},
		// ftp(1): a macro ends with an empty line, and is no place for a login
		{"machine a login u\nmacdef init\ncd /pub\nmachine evil login x\n\nmachine b login v", config.Netrc{{"a", "u", "", false}, {"b", "v", "", false}}},
		{"macdef init\nquit", nil},
		{"default login u password p\r\n", config.Netrc{{"", "u", "p", true}}},
	} {
		got, err := config.ReadNetrc("f", []byte(tt.text))
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	for text, want := range map[string]string{
		"login u":                       "f:1: login stands before any machine",
		"machine a\nlogin":              "f:2: nothing stands behind login",
		"machine a\n\nhunter2\n":        "f:3: here should stand machine",
		"machine a password a hunter2 ": "f:1: here should stand machine",
		"machine":                       "f:1: nothing stands behind machine",
		strings.Repeat("x", 2<<20):      "f:1: it has more than",
	} {
		_, err := config.ReadNetrc("f", []byte(text))
		var e *config.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func TestNetrcFind(t *testing.T) {
	n := config.Netrc{{"a", "u", "1", true}, {"a", "v", "2", true}, {"", "w", "3", true}, {"b", "x", "4", true}}
	for _, tt := range []struct {
		host, user, want string
	}{
		{"a", "", "1"}, {"A.", "", "1"}, {"a", "v", "2"}, {"c", "", "3"}, {"b", "", "4"}, {"a", "w", "3"}, {"a", "z", ""}, {"x.a", "", "3"},
	} {
		if l, ok := n.Find(tt.host, tt.user); l.Password != tt.want || ok != (tt.want != "") {
			t.Errorf("%s, %q: %v, %v, want %q", tt.host, tt.user, l, ok, tt.want)
		}
	}
}

func FuzzReadNetrc(f *testing.F) {
	for _, text := range []string{"machine a login u password p", "macdef x\n\n", "\"", "\"\\", "#", "default", "machine \"a\nb\" login\n#\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := config.ReadNetrc("f", text)
		lines := strings.Count(string(text), "\n") + 1
		var e *config.Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Line > lines) {
			t.Errorf("%v of %d lines", err, lines)
		}
		for _, l := range n {
			if got, ok := n.Find(l.Machine, l.User); !ok || got.Machine != l.Machine {
				t.Errorf("%v is not found", l)
			}
		}
	})
}
