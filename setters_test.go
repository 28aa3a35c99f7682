package anyurl_test

import (
	"encoding/json"
	"testing"

	"anyurl"
)

func set(u anyurl.URL, attribute, value string) (anyurl.URL, error) {
	switch attribute {
	case "protocol":
		return u.WithScheme(value)
	case "username":
		return u.WithUsername(value)
	case "password":
		return u.WithPassword(value)
	case "host":
		return u.WithHost(value)
	case "hostname":
		return u.WithHostname(value)
	case "port":
		return u.WithPort(value)
	case "pathname":
		return u.WithPath(value)
	case "search":
		return u.WithQuery(value)
	case "hash":
		return u.WithFragment(value)
	case "href":
		if v, err := anyurl.Parse(value); err == nil {
			return v, nil
		}
		return u, nil
	}
	panic(attribute)
}

func TestSetterVectors(t *testing.T) {
	for _, file := range []string{"setters_tests.json", "extra-setters.json"} {
		t.Run(file, func(t *testing.T) {
			var attributes map[string]json.RawMessage
			readVectors(t, file, &attributes)
			for attribute, raw := range attributes {
				if attribute == "comment" {
					continue
				}
				var cases []struct {
					Comment  string
					Href     string
					NewValue string `json:"new_value"`
					Expected map[string]string
				}
				if err := json.Unmarshal(raw, &cases); err != nil {
					t.Fatal(err)
				}
				for _, tt := range cases {
					u, err := anyurl.Parse(tt.Href)
					if err != nil {
						t.Errorf("Parse(%q): %v", tt.Href, err)
						continue
					}
					got, err := set(u, attribute, tt.NewValue)
					d := dom(got)
					have := map[string]string{
						"href": d.Href, "protocol": d.Protocol, "username": d.Username,
						"password": d.Password, "host": d.Host, "hostname": d.Hostname,
						"port": d.Port, "pathname": d.Pathname, "search": d.Search, "hash": d.Hash,
						"origin": got.Origin(),
					}
					for part, want := range tt.Expected {
						if have[part] != want {
							t.Errorf("%s of %q = %q: %s is %q, want %q (err %v; %s)",
								attribute, tt.Href, tt.NewValue, part, have[part], want, err, tt.Comment)
						}
					}
					if again, err := anyurl.Parse(got.String()); err != nil || again != got {
						t.Errorf("%s of %q = %q: Parse(%q) = %#v, %v, want %#v", attribute, tt.Href, tt.NewValue, got, again, err, got)
					}
				}
			}
		})
	}
}
