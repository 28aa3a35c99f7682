package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"anyurl/cmd/anyurl/internal/config"
)

func ExampleRead() {
	f, err := config.Read("config.toml", []byte("[get]\ntimeout = \"30s\"\nretries = 3\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range f.Tables {
		for _, s := range t.Settings {
			fmt.Printf("%s:%d: %s %s = %v\n", f.Name, s.Line, t.Name, s.Key, s.Value)
		}
	}
	// Output:
	// config.toml:2: get timeout = 30s
	// config.toml:3: get retries = 3
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []config.Table
	}{
		{"nothing", "", nil},
		{"a remark", "# none\n", nil},
		{"an empty table", "\n[get]\n", []config.Table{{"get", 2, nil}}},
		{"a list", "[get]\nheader = [\n  \"A: b\",\n]\n\n[find]\nunique = true", []config.Table{
			{"get", 1, []config.Setting{{"header", 2, []any{"A: b"}}}},
			{"find", 6, []config.Setting{{"unique", 7, true}}}}},
		{"a host needs no quotes", "[gateway]\nwww.ex.example = \"http://g.example/{url}\"\n\"b.example\" = \"x\"", []config.Table{
			{"gateway", 1, []config.Setting{{"www.ex.example", 2, "http://g.example/{url}"}, {"b.example", 3, "x"}}}}},
		{"inline", "gateway = {wais = \"a\", ftp = \"b\"}", []config.Table{
			{"gateway", 1, []config.Setting{{"ftp", 1, "b"}, {"wais", 1, "a"}}}}},
		{"dotted", "get.timeout = \"1s\"\ncheck.timeout = \"2s\"\nget.retries = 1", []config.Table{
			{"get", 1, []config.Setting{{"timeout", 1, "1s"}, {"retries", 3, int64(1)}}},
			{"check", 2, []config.Setting{{"timeout", 2, "2s"}}}}},
		{"a table within", "[mail.imap]\nserver = \"x\"", []config.Table{
			{"mail", 1, []config.Setting{{"imap.server", 2, "x"}}}}},
		{"CR LF", "[get]\r\nretries = 1\r\n", []config.Table{{"get", 1, []config.Setting{{"retries", 2, int64(1)}}}}},
	} {
		f, err := config.Read("f", []byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if !reflect.DeepEqual(f.Tables, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, f.Tables, tt.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no TOML", "[get]\ntimeout = 30s\n", "f:2: this is no TOML"},
		{"cut off", "[get]\nheader = [\n", "f:2: this is no TOML"},
		{"twice", "[get]\nretries = 1\nretries = 2\n", "f:3: this is no TOML"},
		{"a table twice", "[get]\n[find]\n[get]\n", "f:3: this is no TOML"},
		{"in no table", "\ntimeout = \"3s\"\n", "f:2: timeout stands in no table"},
		{"a list of tables", "[get]\n[[check]]\n", "f:2: check is one table"},
		{"no UTF-8", "[get]\noutput = \"\xff\"\n", "f:2: this is no TOML"},
	} {
		_, err := config.Read("f", []byte(tt.text))
		var e *config.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := config.Read("f", make([]byte, config.MaxSize+1)); err == nil {
		t.Error("a file of any size is read")
	}
}

// What goes wrong with a password is told without it.
func TestFaultsHoldNoValue(t *testing.T) {
	for _, text := range []string{
		"[smtp]\npassword = hunter2\n",
		"[smtp]\npassword = \"hunter2\n",
		"[smtp]\npassword = \"hunter2\"\npassword = \"hunter2\"\n",
		"[smtp]\npassword = \"hunter2\" hunter2\n",
		"password = \"hunter2\"\n",
	} {
		if _, err := config.Read("f", []byte(text)); err == nil || strings.Contains(err.Error(), "unter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Every line that is told lies in the file, whatever the file is.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "[get]\nretries = 1\n", "a.b.c = {d = 1, e = [1, {f = 2}]}", "[[x]]", "[\"\"]\n\"\" = 1", "[a]\nb=1979-05-27", "\"\" = {}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := strings.Count(string(text), "\n") + 1
		file, err := config.Read("f", text)
		if err != nil {
			var e *config.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > lines {
				t.Errorf("%#v of %d lines", err, lines)
			}
			return
		}
		for _, table := range file.Tables {
			if table.Line < 1 || table.Line > lines {
				t.Errorf("table %q in line %d of %d", table.Name, table.Line, lines)
			}
			for _, s := range table.Settings {
				if s.Line < 1 || s.Line > lines {
					t.Errorf("%q in line %d of %d", s.Key, s.Line, lines)
				}
			}
		}
	})
}

// Another program's file is one table, in TOML or in JSON, each value with its line.
func TestReadAs(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"lychee.toml", "a = 1\n\n[hosts.\"a.example\"]\nheaders = {B = \"c\"}\n", "a@1=1 hosts.a.example.headers.B@4=c"},
		{".x.json", "{\"a\": 1,\n \"b\": [{\"c\": 2}],\n\"d\": {\"e\": 1.5}}\n", "a@1=1 b@2=[map[c:2]] d.e@3=1.5"},
		{"x.json", "[1]", "x.json:1: it holds no object: {…}"},
		{"x.json", "{\"a\": 1,\n", "x.json:1: this is no JSON: unexpected EOF"},
		{"x.json", "", "x.json:1: this is no JSON: unexpected EOF"},
		{"x.json", "{}\n{}", "x.json:2: this is no JSON: something follows the object"},
		{"lychee.toml", "a = 1\nb =\n", "lychee.toml:2: this is no TOML"},
	} {
		f, err := config.ReadAs("check", tt.name, []byte(tt.text))
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case len(f.Tables) != 1 || f.Tables[0].Name != "check" || !f.Theirs:
			t.Errorf("%s: %+v", tt.name, f)
		default:
			for _, s := range f.Tables[0].Settings {
				got += fmt.Sprintf(" %s@%d=%v", s.Key, s.Line, s.Value)
			}
		}
		if !strings.HasPrefix(strings.TrimSpace(got), tt.want) || err == nil && strings.TrimSpace(got) != tt.want {
			t.Errorf("%s %q: %s", tt.name, tt.text, got)
		}
	}
}
