package audit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"anyurl"
	"anyurl/audit"
	"anyurl/rfc3986"
	"anyurl/rule"
)

func ExampleCompare() {
	c := audit.Compare("http://0x7f.1/")
	for _, d := range c.Differences {
		fmt.Printf("%s (%s): %s\n", d.Part, d.Standard, d.Says)
	}
	// Output:
	// ok (rfc1738): at offset 12, the rightmost label of a domain name starts with a letter; an address is four numbers between dots
	// ok (rfc1630): at offset 7, what starts with a digit is an address: four numbers between dots
	// host (rfc3986): the URL Standard reads a host whose last label is a number as an IPv4 address, which elsewhere is four plain decimal numbers: the URL Standard reads the host "127.0.0.1", RFC 3986 the host "0x7f.1"
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct{ in, differ string }{
		{"http://a.example/", ""},
		{"HTTP://A.example:80/b/../c?d", "ok"}, // one URL by RFC 3986, section 6.2.3, and "HTTP" is no http in RFC 1630
		{"http://a.example", ""},
		{"http://a.example/%7Eb", ""},
		{"x:y", ""},
		{"mailto:a@b.example", ""},
		{"ftp://u:p@a.example/b;type=I", ""},
		{"nonsense", ""},              // all refuse it
		{"http://u@a.example/", "ok"}, // RFC 1630 and RFC 1738 have no user there
		{"http://a.example/~b", "ok"},
		{"http://a.example/#b", "ok"},
		{`http://a.example\@b.example/`, "ok"},
		{"http:a.example/", "ok host path"},
		{"http:///a.example/", "ok host path"},
		{"http://0x7f.1/", "ok host"},
		{"http://é.example/", "ok"},           // one host, in two spellings
		{"http://%C3%A9.example/", "ok host"}, // decoded by one standard alone
		{"file://localhost/a", "host"},
		{"file:///a", ""},
		{"mailto:a@b.example?subject=c", "ok path query"},
		{"gopher://a.example/7b?c", "ok path query"},
		{"http://a.example/?a'b", ""},
		{"https://u:p%3Aq@a.example:444/b?c=d", "ok"},
		{"http://u:p:q@a.example/", "ok"},
	} {
		c := audit.Compare(tt.in)
		if got := strings.Join(c.Differ(), " "); got != tt.differ {
			t.Errorf("%s: %q, want %q: %+v", tt.in, got, tt.differ, c.Differences)
		}
		for _, d := range c.Differences {
			if d.Says == "" || d.Cite == "" || d.Standard == "" {
				t.Errorf("%s: %+v", tt.in, d)
			}
		}
	}
}

// Secrets stay out of the sentences.
func TestCompareKeepsSecrets(t *testing.T) {
	for _, in := range []string{"http://user:s3cret@0x7f.1/", "ftp://user:s3cret@a.example/?s3cret", "mailto:a@b.example?s3cret", "http:user:s3cret@b.example/", "http:///user:s3cret@b.example/"} {
		for _, d := range audit.Compare(in).Differences {
			if strings.Contains(d.Says, "s3cret") {
				t.Errorf("%s: %s", in, d.Says)
			}
		}
	}
}

// Whatever the text, and whoever reads it: a refusal is a rule's, and what a
// strict grammar takes the URL Standard reads with the same host, or Compare
// says so and Inspect reports host-differs.
func FuzzCompare(f *testing.F) {
	for _, s := range []string{"http://a.example/", "http:a", "http:///a", "http://0x7f.1", "file://C:/x", "gopher://a/1?b", "http://%41%2e/", "x://é/"} {
		f.Add(s)
	}
	f.Fuzz(sameHosts)
}

// The same on URLs of the real world.
func TestCompareRealURLs(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/urls/real-urls.txt")
	if err != nil {
		t.Skip("the list of real URLs is not here: ", err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; n%10 == 0 {
			sameHosts(t, strings.TrimSpace(line))
		}
	}
}

func sameHosts(t *testing.T, s string) {
	c := audit.Compare(s)
	for _, r := range c.Readings {
		if e, ok := r.Err.(*rule.Error); r.Err != nil && (!ok || e.Offset < 0 || e.Offset > len(s)) {
			t.Fatalf("%q: %#v", s, r.Err)
		}
	}
	whatwg, strict := c.Readings[0], c.Readings[1]
	if whatwg.Err != nil || strict.Err != nil {
		return
	}
	differs := false
	for _, d := range c.Differences {
		differs = differs || d.Part == "host" && d.Standard == "rfc3986"
	}
	reported := false
	for _, finding := range audit.Inspect(s).Findings {
		reported = reported || finding.Code == "host-differs"
	}
	if differs != reported {
		t.Fatalf("%q: Compare says the hosts differ: %v; Inspect: %v (%q and %q)", s, differs, reported, whatwg.Host.Text, strict.Host.Text)
	}
}

// Every reading of the attack corpus, by both standards it speaks of.
func TestAttackReadings(t *testing.T) {
	const file = "../../shared/data/attack-urls.jsonl"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the attack corpus is not here: ", err)
	}
	type reading struct {
		OK        bool    `json:"ok"`
		Href      *string `json:"href"`
		Scheme    *string `json:"scheme"`
		Username  *string `json:"username"`
		Password  *string `json:"password"`
		Userinfo  *string `json:"userinfo"`
		Host      *string `json:"host"`
		HostType  *string `json:"host_type"`
		Port      any     `json:"port"`
		Path      *string `json:"path"`
		Search    *string `json:"search"`
		Hash      *string `json:"hash"`
		Query     *string `json:"query"`
		Fragment  *string `json:"fragment"`
		Authority *bool   `json:"authority"`
	}
	whatwg, strict := 0, 0
	for line := range strings.Lines(string(data)) {
		var c struct {
			ID, Kind, Input string
			Base            *string
			Recipe          []any // strings, and pairs of a string and how often it stands
			Readings        struct {
				WHATWG  *reading `json:"whatwg"`
				RFC3986 *reading `json:"rfc3986"`
			}
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		for _, piece := range c.Recipe {
			if pair, ok := piece.([]any); ok {
				c.Input += strings.Repeat(pair[0].(string), int(pair[1].(float64)))
			} else {
				c.Input += piece.(string)
			}
		}
		var got map[string]string
		expect := func(by, what string, want *string) {
			if want != nil && got[what] != *want {
				t.Errorf("%s %.200q by %s: %s is %.200q, want %.200q", c.ID, c.Input, by, what, got[what], *want)
			}
		}
		if want := c.Readings.WHATWG; want != nil {
			whatwg++
			var p anyurl.Parser
			if c.Base != nil {
				p.Base = anyurl.MustParse(*c.Base)
			}
			u, err := p.Parse(c.Input)
			if (err == nil) != want.OK {
				t.Errorf("%s %.200q by whatwg: %v, want ok %v", c.ID, c.Input, err, want.OK)
				continue
			}
			if err == nil {
				got = map[string]string{"href": u.String(), "scheme": u.Scheme(), "username": u.Username(), "password": u.Password(),
					"host": u.Host().String(), "path": u.Path(), "port": "", "search": "", "hash": ""}
				if u.HasPort() {
					got["port"] = fmt.Sprint(u.Port())
				}
				if u.Query() != "" {
					got["search"] = "?" + u.Query()
				}
				if u.Fragment() != "" {
					got["hash"] = "#" + u.Fragment()
				}
				port := text(want.Port)
				for what, w := range map[string]*string{"href": want.Href, "scheme": want.Scheme, "username": want.Username, "password": want.Password,
					"host": want.Host, "path": want.Path, "port": port, "search": want.Search, "hash": want.Hash} {
					expect("whatwg", what, w)
				}
			}
		}
		if want := c.Readings.RFC3986; want != nil {
			strict++
			u, err := rfc3986.Parse(c.Input)
			if c.Base != nil {
				u, err = resolved(*c.Base, c.Input)
			}
			if (err == nil) != want.OK {
				t.Errorf("%s %.200q by rfc3986: %v, want ok %v", c.ID, c.Input, err, want.OK)
				continue
			}
			if err == nil {
				got = map[string]string{"href": u.String(), "scheme": u.Scheme(), "userinfo": u.Userinfo(), "host": strings.Trim(u.Host(), "[]"),
					"host_type": u.HostKind().String(), "path": u.Path(), "port": u.Port(), "query": u.Query(), "fragment": u.Fragment()}
				if u.HostKind() == rfc3986.IPv6 {
					want.Href = nil // written with the address in its longest form
				}
				for what, w := range map[string]*string{"href": want.Href, "scheme": want.Scheme, "userinfo": want.Userinfo, "host": want.Host,
					"host_type": want.HostType, "path": want.Path, "port": text(want.Port), "query": want.Query, "fragment": want.Fragment} {
					expect("rfc3986", what, w)
				}
				if want.Authority != nil && u.HasAuthority() != *want.Authority {
					t.Errorf("%s %q by rfc3986: authority %v", c.ID, c.Input, u.HasAuthority())
				}
			}
		}
	}
	t.Logf("%d readings by the URL Standard, %d by RFC 3986", whatwg, strict)
}

func text(v any) *string {
	if v == nil {
		return nil
	}
	s := fmt.Sprint(v)
	return &s
}

func resolved(base, ref string) (rfc3986.URI, error) {
	b, err := rfc3986.Parse(base)
	if err != nil {
		return rfc3986.URI{}, err
	}
	r, err := rfc3986.ParseReference(ref)
	if err != nil {
		return rfc3986.URI{}, err
	}
	return rfc3986.Resolve(b, r)
}
