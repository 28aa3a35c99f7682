package ldap_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/ldap"
)

// TestSlapd is against OpenLDAP's server, in the clear and in TLS.
func TestSlapd(t *testing.T) {
	ldif := "dn: o=Tulips\nobjectClass: organization\no: Tulips\n\n" +
		"dn: cn=Zoë/Kim\\, jr,o=Tulips\nobjectClass: inetOrgPerson\ncn: Zoë/Kim, jr\nsn: Kim\nmail: kim@a.example\ntelephoneNumber: 12345\ndescription: (a*b)\n\n" +
		"dn: ou=elsewhere,o=Tulips\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ldap://192.0.2.8/ou=there\n\n"
	for i := range 25 {
		ldif += fmt.Sprintf("dn: cn=bulb %[1]d,o=Tulips\nobjectClass: device\ncn: bulb %[1]d\n\n", i)
	}
	server := peer.Slapd(t, ldif)
	tr := ldap.New(&dial.Dialer{TLS: &tls.Config{RootCAs: server.Pool}})
	c := fetch.Client{Transports: map[string]fetch.Transport{"ldap": tr, "ldaps": tr}, AllowPort: func(string, uint16) bool { return true }, Limits: fetch.Limits{MaxHops: -1}}
	fetchtest.Opened(t, peer.Version("slapd"), &c)
	ask := func(url string, auth *fetch.Auth) (*fetch.Result, string, error) {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Auth: auth})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	clear, secure := "ldap://"+server.Addr, "ldaps://"+server.TLS
	const kim = "/cn=Zo%C3%AB%2FKim%5C%2C%20jr,o=Tulips"
	for _, tt := range []struct{ url, want string }{
		{clear + "/o=Tulips", "version: 1\n\ndn: o=Tulips\nobjectClass: organization\no: Tulips\n"},
		{secure + "/o=Tulips?o", "version: 1\n\ndn: o=Tulips\no: Tulips\n"},
		{clear + kim + "?mail,telephoneNumber", "mail: kim@a.example\n"},
		{clear + "/o=Tulips?description?sub?(description=%5C28a%5C2Ab%5C29)", "\ndescription: (a*b)\n"},
		{clear + "/?namingContexts", "namingContexts: o=Tulips\n"},
		{clear + "/o=Tulips?cn?one?(%7C(cn=bulb%201)(cn=*2))", "cn: bulb 12\n"},
	} {
		if _, body, err := ask(tt.url, nil); err != nil || !strings.Contains(body, tt.want) || strings.Contains(body, "12345") {
			t.Errorf("%s: got %q, %v", tt.url, body, err)
		}
	}
	// A search's entries are URLs that open.
	got, _, err := ask(clear+"/o=Tulips?mail?sub?(sn=Kim)", nil)
	if err != nil || len(got.Entries) != 2 || !got.Listing {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, e := range got.Entries {
		if e.Type == "link" {
			if e.URL != "ldap://192.0.2.8/ou=there??sub" {
				t.Errorf("the reference leads to %s", e.URL)
			}
		} else if _, body, err := ask(e.URL, nil); err != nil || !strings.Contains(body, "mail: kim@a.example\n") {
			t.Errorf("%s: got %q, %v", e.URL, body, err)
		}
	}
	for _, tt := range []struct {
		url  string
		kind error
		auth *fetch.Auth
	}{
		{clear + "/cn=nobody,o=Tulips", fetch.ErrNotFound, nil},
		{clear + "/o=Tulips??sub", fetch.ErrTooLarge, nil}, // the server's limit is 20
		{clear + "/o=Tulips", fetch.ErrDenied, &fetch.Auth{User: "cn=admin,o=Tulips", Password: "wrong", HasPassword: true}},
	} {
		if _, body, err := ask(tt.url, tt.auth); !errors.Is(err, tt.kind) {
			t.Errorf("%s: got %q, %v; want %v", tt.url, body, err, tt.kind)
		}
	}
	// A login goes in TLS, which is asked for where it is not there from the start.
	admin := &fetch.Auth{User: "cn=admin,o=Tulips", Password: "secret", HasPassword: true}
	for _, url := range []string{clear, secure} {
		if _, body, err := ask(url+kim, admin); err != nil || !strings.Contains(body, "telephoneNumber: 12345\n") {
			t.Errorf("%s: got %q, %v", url, body, err)
		}
	}
	// What is not this server's is the other's that it names.
	resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(clear + "/o=Roses")})
	if err != nil || resp.Location != "ldap://192.0.2.7/o=Roses??base" {
		t.Errorf("%+v, %v", resp, err)
	}
}
