package known_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/internal/iana"
	"anyurl/rule"
	"anyurl/scheme/known"
)

func ExampleLookup() {
	s, ok := known.Lookup("gopher")
	fmt.Println(ok, s.Port, s.Status)
	r, err := s.Read(anyurl.MustParse(s.Example))
	fmt.Println(r.URL(), err)
	// Output:
	// true 70 permanent
	// gopher://gopher.example/7/find%09tulips <nil>
}

// TestList: every registered scheme is in the list, and each entry can stand in
// an encyclopedia.
func TestList(t *testing.T) {
	list := known.Schemes()
	for i, s := range list {
		if i > 0 && list[i-1].Name >= s.Name {
			t.Errorf("%s is not after %s", s.Name, list[i-1].Name)
		}
		if s.Family == "" || s.Defined == "" || s.Says == "" {
			t.Errorf("%s: %+v", s.Name, s)
		}
		if !strings.HasSuffix(s.Says, ".") {
			t.Errorf("%s: %q is no sentence", s.Name, s.Says)
		}
		if e, ok := iana.Lookup(s.Name); ok && e.Status != s.Status || !ok && s.Status != "unregistered" {
			t.Errorf("%s is %q here and %q in the registry", s.Name, s.Status, e.Status)
		}
		if got, ok := known.Lookup(strings.ToUpper(s.Name)); !ok || got.Name != s.Name {
			t.Errorf("Lookup(%q) = %+v, %v", s.Name, got, ok)
		}
		if s.Read != nil && (s.Syntax == "" || s.Example == "") {
			t.Errorf("%s is read, but has no syntax or no example", s.Name)
		}
		if s.Example == "" {
			continue
		}
		u, err := anyurl.Parse(s.Example)
		if err != nil || u.Scheme() != s.Name || u.String() != s.Example {
			t.Errorf("%s: the example %s is %s, %v", s.Name, s.Example, u, err)
			continue
		}
		if s.Authority != u.HasHost() {
			t.Errorf("%s: authority is %v, but not in %s", s.Name, s.Authority, s.Example)
		}
		if s.Read == nil {
			continue
		}
		r, err := s.Read(u)
		if err != nil {
			t.Errorf("%s: the example %s: %v", s.Name, s.Example, err)
			continue
		}
		again, err := s.Read(r.URL())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s: %+v is written as %s, which reads as %+v, %v", s.Name, r, r.URL(), again, err)
		}
		if text, err := json.Marshal(r); err != nil || text[0] != '{' {
			t.Errorf("%s: %s, %v", s.Name, text, err)
		}
	}
	for _, e := range iana.Schemes() {
		if _, ok := known.Lookup(e.Name); !ok {
			t.Errorf("%s is registered but not known", e.Name)
		}
	}
	for _, e := range iana.Reserved() {
		if s, _ := known.Lookup(e.Name); s.Read == nil {
			t.Errorf("RFC 1738 reserved %s, and nobody reads it", e.Name)
		}
	}
}

func TestLookup(t *testing.T) {
	if s, ok := known.Lookup("x-exec"); !ok || s.Family != "x-" || s.Read != nil {
		t.Errorf("x-exec: %+v, %v", s, ok)
	}
	for _, name := range []string{"", "no-such", "x-a b", "http:"} {
		if s, ok := known.Lookup(name); ok {
			t.Errorf("%q: %+v", name, s)
		}
	}
}

// TestRules: a rule is found by its ID, says what is wrong, and its example
// breaks it.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range known.Rules() {
		if seen[r.ID] {
			t.Errorf("%s is declared twice", r.ID)
		}
		seen[r.ID] = true
		if r.Cite == "" || r.Says == "" || r.Fix == "" || strings.HasSuffix(r.Says, ".") {
			t.Errorf("%s: %+v", r.ID, r)
		}
		if r.ID == "scheme/other" {
			continue // broken by whom a URL is given to, not by the URL
		}
		u, err := anyurl.Parse(r.Example)
		if err != nil {
			t.Errorf("%s: the example %s: %v", r.ID, r.Example, err)
			continue
		}
		s, ok := known.Lookup(u.Scheme())
		if !ok || s.Read == nil {
			t.Errorf("%s: nobody reads %s", r.ID, u)
			continue
		}
		_, err = s.Read(u)
		if e, ok := err.(*rule.Error); ok && e.Rule == r {
			continue
		}
		if !strings.HasPrefix(r.ID, "file/") { // two of its rules are the operating system's
			t.Errorf("%s: the example %s breaks %v", r.ID, u, err)
		}
	}
}

// FuzzRead: what any room reads, it writes as a URL that reads the same, and
// what it refuses, it refuses at a place in the URL for a rule it lists.
func FuzzRead(f *testing.F) {
	for _, s := range known.Schemes() {
		if s.Read != nil {
			f.Add(s.Example)
			f.Add(s.Name + "://u:p@H%2e.example:0/a%2Fb//..%2F/x;y=z?q%0A&r#f")
			f.Add(s.Name + ":a%40b/c,d?e=f;g&h=%25")
			f.Add(s.Name + "://[::1]:99/?")
		}
	}
	rules := map[string]bool{}
	for _, r := range append(known.Rules(), anyurl.Rules()...) {
		rules[r.ID] = true
	}
	f.Fuzz(func(t *testing.T, input string) {
		u, err := anyurl.Parse(input)
		if err != nil {
			return
		}
		s, ok := known.Lookup(u.Scheme())
		if !ok || s.Read == nil {
			return
		}
		r, err := s.Read(u)
		if err != nil {
			e, ok := err.(*rule.Error)
			if !ok || !rules[e.Rule.ID] || e.Offset < 0 || e.Offset > len(e.Input) || e.Input != u.String() {
				t.Fatalf("%s: %#v", u, err)
			}
			return
		}
		again, err := s.Read(r.URL())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s: %#v is written as %s, which reads as %#v, %v", u, r, r.URL(), again, err)
		}
	})
}

// TestDescribed: what is described is no room's, and stands in order.
func TestDescribed(t *testing.T) {
	for _, name := range []string{"imap", "sip", "jdbc", "hxxp", "url", "vbscript", "redis"} {
		if s, ok := known.Lookup(name); !ok || s.Read != nil || s.Says == "" || s.Syntax == "" || s.Example == "" {
			t.Errorf("%s: %+v, %v", name, s, ok)
		}
	}
}
