package anyurl_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"anyurl"
)

// shared is where the web platform's vectors lie when they are at hand.
const shared = "../shared/data"

// readVectors reads a file of the web platform's vectors into v and skips the
// test where it is absent.
func readVectors(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, "wpt", name))
	if os.IsNotExist(err) {
		t.Skipf("%s is not here: the web platform's vectors are left out", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// A vector is a case of urltestdata.json.
type vector struct {
	Input    string
	Base     *string
	Failure  bool
	Href     string
	Origin   *string
	Protocol string
	Username string
	Password string
	Host     string
	Hostname string
	Port     string
	Pathname string
	Search   string
	Hash     string
}

func readURLVectors(t *testing.T, name string) []vector {
	t.Helper()
	var raw []json.RawMessage
	readVectors(t, name, &raw)
	var cases []vector
	for _, r := range raw {
		if r[0] == '"' {
			continue // a comment
		}
		var v vector
		if err := json.Unmarshal(r, &v); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, v)
	}
	return cases
}

// dom gives what the DOM's getters give, in the vectors' form.
func dom(u anyurl.URL) vector {
	v := vector{
		Href: u.String(), Protocol: u.Scheme() + ":",
		Username: u.Username(), Password: u.Password(),
		Host: u.HostPort(), Hostname: u.Host().String(), Pathname: u.Path(),
	}
	if u.HasPort() {
		v.Port = u.HostPort()[len(v.Hostname)+1:]
	}
	if u.Query() != "" {
		v.Search = "?" + u.Query()
	}
	if u.Fragment() != "" {
		v.Hash = "#" + u.Fragment()
	}
	return v
}

func TestURLVectors(t *testing.T) {
	for _, file := range []string{"urltestdata.json", "urltestdata-javascript-only.json", "extra-urltestdata.json"} {
		t.Run(file, func(t *testing.T) {
			for _, tt := range readURLVectors(t, file) {
				got, err := parseVector(tt)
				if tt.Failure {
					if err == nil {
						t.Errorf("%q on %s = %q, want failure", tt.Input, show(tt.Base), got)
					}
					continue
				}
				if err != nil {
					t.Errorf("%q on %s: %v, want %q", tt.Input, show(tt.Base), err, tt.Href)
					continue
				}
				if tt.Origin != nil && got.Origin() != *tt.Origin {
					t.Errorf("%q on %s has origin %q, want %q", tt.Input, show(tt.Base), got.Origin(), *tt.Origin)
				}
				want := tt
				want.Input, want.Base, want.Origin = "", nil, nil
				if g := dom(got); g != want {
					t.Errorf("%q on %s\n got %+v\nwant %+v", tt.Input, show(tt.Base), g, want)
				}
			}
		})
	}
}

func parseVector(tt vector) (anyurl.URL, error) {
	var base anyurl.URL
	if tt.Base != nil {
		var err error
		if base, err = anyurl.Parse(*tt.Base); err != nil {
			return anyurl.URL{}, err
		}
	}
	return anyurl.ParseRef(tt.Input, base)
}

func show(base *string) string {
	if base == nil {
		return "no base"
	}
	return *base
}
