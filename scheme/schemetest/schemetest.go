// Package schemetest tests a scheme's room: a row per URL, with what it reads
// as in JSON, or with the rule it breaks and where. Start with [Reads].
package schemetest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// A Row is a URL and its reading in JSON.
type Row [2]string

// Reads checks that read reads each row's URL as the row says, and that the
// reading is written as a URL that reads the same.
func Reads[R scheme.Reading](t *testing.T, read func(anyurl.URL) (R, error), rows []Row) {
	t.Helper()
	for _, row := range rows {
		input, want := row[0], row[1]
		u, err := anyurl.Parse(input)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		r, err := read(u)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		got, err := json.Marshal(r)
		if string(got) != escaped(want) || err != nil {
			t.Errorf("%s:\n got %s, %v\nwant %s", input, got, err, want)
		}
		if fault := again(read, u, r); fault != "" {
			t.Error(fault)
		}
	}
}

// escaped is JSON with the escapes that encoding/json makes for HTML.
func escaped(s string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(s)
}

// A Fault is a URL, the ID of the rule it breaks, and what stands where it
// breaks it.
type Fault [3]string

// Refuses checks that read refuses each URL for the rule and at the place that
// the row says.
func Refuses[R scheme.Reading](t *testing.T, read func(anyurl.URL) (R, error), rows []Fault) {
	t.Helper()
	for _, row := range rows {
		input, id, at := row[0], row[1], row[2]
		u, err := anyurl.Parse(input)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		r, err := read(u)
		e, ok := err.(*rule.Error)
		switch {
		case err == nil:
			t.Errorf("%s is read: %+v; want %s", input, r, id)
		case !ok || e.Input != u.String():
			t.Errorf("%s: %#v", input, err)
		case e.Rule.ID != id || !strings.HasPrefix(e.Input[e.Offset:], at):
			t.Errorf("%s: %s at %q; want %s at %q", input, e.Rule.ID, e.Input[e.Offset:], id, at)
		}
	}
}

// Fuzz checks for any URL that what is read is written as a URL that reads the
// same, and that what is refused is refused for a rule and at a place in the URL.
func Fuzz[R scheme.Reading](f *testing.F, read func(anyurl.URL) (R, error), seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		r, err := read(u)
		if err != nil {
			if e, ok := err.(*rule.Error); !ok || e.Rule.IsZero() || e.Offset < 0 || e.Offset > len(e.Input) || e.Input != u.String() {
				t.Fatalf("%s: %#v", u, err)
			}
			return
		}
		if fault := again(read, u, r); fault != "" {
			t.Fatal(fault)
		}
	})
}

// again tells what is wrong with writing r and reading it again, or "".
func again[R scheme.Reading](read func(anyurl.URL) (R, error), u anyurl.URL, r R) string {
	v := r.URL()
	r2, err := read(v)
	if err != nil {
		return u.String() + " is written as " + v.String() + ", which is refused: " + err.Error()
	}
	if !reflect.DeepEqual(r, r2) {
		a, _ := json.Marshal(r)
		b, _ := json.Marshal(r2)
		return u.String() + " is written as " + v.String() + ":\nread " + string(a) + "\nthen " + string(b)
	}
	return ""
}
