package ldap_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/ber"
	"anyurl/internal/transcript"
	"anyurl/proto/ldap"
)

func text(s string) ber.Value { return ber.String(ber.Universal, ber.TagOctetString, s) }

// op is an answer to message id.
func op(id int64, tag uint32, parts ...ber.Value) string {
	return string(ber.Of(ber.Universal, ber.TagSequence, ber.Int(ber.Universal, ber.TagInteger, id), ber.Of(ber.Application, tag, parts...)).Append(nil))
}

// entry is a SearchResultEntry: RFC 4511, section 4.5.2. Attributes are
// "name=value".
func entry(dn string, attributes ...string) []ber.Value {
	list := ber.Of(ber.Universal, ber.TagSequence)
	for _, a := range attributes {
		name, value, _ := strings.Cut(a, "=")
		list.Parts = append(list.Parts, ber.Of(ber.Universal, ber.TagSequence, text(name), ber.Of(ber.Universal, ber.TagSet, text(value))))
	}
	return []ber.Value{text(dn), list}
}

// result is an LDAPResult: section 4.1.9.
func result(code int64, matched, message string, referral ...string) []ber.Value {
	parts := []ber.Value{ber.Int(ber.Universal, ber.TagEnumerated, code), text(matched), text(message)}
	if len(referral) > 0 {
		r := ber.Of(ber.Context, 3)
		for _, u := range referral {
			r.Parts = append(r.Parts, text(u))
		}
		parts = append(parts, r)
	}
	return parts
}

// serve answers a client's first request with what it is told, and gives the
// request and what came after.
func serve(conn net.Conn, answers ...string) (request ber.Value, rest string, err error) {
	r := bufio.NewReader(conn)
	if request, err = ber.Read(r, ber.Limits{}); err != nil {
		return request, "", err
	}
	if _, err := io.WriteString(conn, strings.Join(answers, "")); err != nil {
		return request, "", err
	}
	b, err := io.ReadAll(r)
	return request, string(b), err
}

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:389"))
	go func() {
		conn, err := l.Accept()
		if err == nil {
			serve(conn, op(1, 4, entry("cn=Babs,o=Tulips", "cn=Babs", "mail=babs@a.example")...), op(1, 5, result(0, "", "")...))
			conn.Close()
		}
	}()
	client := fetch.Client{Transports: map[string]fetch.Transport{"ldap": ldap.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("ldap://192.0.2.1/cn=Babs,o=Tulips")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%s", body)
	// Output:
	// version: 1
	//
	// dn: cn=Babs,o=Tulips
	// cn: Babs
	// mail: babs@a.example
}

func TestSuite(t *testing.T) {
	for _, tail := range []string{"/o=Tulips", "/o=Tulips??sub?(cn=a*)"} {
		fetchtest.Run(t, fetchtest.Subject{
			New: func(d *dial.Dialer) fetch.Transport { return ldap.New(d) }, URL: "ldap://" + fetchtest.Host + ":389" + tail,
			Want: "version: 1\n\ndn: o=Tulips\no: Tulips\n", Head: true,
			Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
				serve(conn, op(1, 4, entry("o=Tulips", "o=Tulips")...), op(1, 5, result(0, "", "")...))
			},
		})
	}
}

// open fetches url from a server that gives the answers.
func open(t *testing.T, url string, change func(*fetch.Request), answers ...string) (got *fetch.Result, body string, request ber.Value, rest string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		done := make(chan struct{})
		go func() {
			request, rest, _ = serve(there, answers...)
			there.Close()
			close(done)
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"ldap": ldap.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
			return here, nil
		}})}, Limits: fetch.Limits{MaxHops: -1}}
		req := &fetch.Request{URL: anyurl.MustParse(url)}
		if change != nil {
			change(req)
		}
		if got, err = c.Do(t.Context(), req); err == nil {
			var b []byte
			b, err = io.ReadAll(got.Body)
			body = string(b)
			got.Body.Close()
		}
		here.Close()
		<-done
	})
	return
}

// TestRequest holds a search to RFC 4511, section 4.5.1, octet for octet.
func TestRequest(t *testing.T) {
	_, _, request, rest, err := open(t, "ldap://192.0.2.1/o=Tulips%3F?cn,mail;lang-en?sub?(cn=B%2a)", func(r *fetch.Request) { r.Limits.MaxEntries = 9 },
		op(1, 5, result(0, "", "")...))
	if err != nil {
		t.Fatal(err)
	}
	const want = "\x30\x3e\x02\x01\x01" + "\x63\x39" + "\x04\x09o=Tulips?" + "\x0a\x01\x02" + "\x0a\x01\x00" + "\x02\x01\x09" + "\x02\x01\x00" + "\x01\x01\x00" +
		"\xa4\x09\x04\x02cn\x30\x03\x80\x01B" + "\x30\x12\x04\x02cn\x04\x0cmail;lang-en"
	if got := string(request.Append(nil)); got != want {
		t.Errorf("sent %q,\nnot  %q", got, want)
	}
	if rest != "\x30\x05\x02\x01\x02\x42\x00" { // section 4.3
		t.Errorf("and then %q", rest)
	}
}

// TestAnswers: what comes of what a server says.
func TestAnswers(t *testing.T) {
	done := op(1, 5, result(0, "", "")...)
	many := ""
	for i := range 11 {
		many += op(1, 4, entry(fmt.Sprintf("cn=%d", i))...)
	}
	for _, tt := range []struct {
		name, url string
		answers   []string
		want      string
		kind      error
		step      string
	}{
		{"an entry", "", []string{op(1, 4, entry("o=a", "o=a", "o=b")...), done}, "version: 1\n\ndn: o=a\no: a\no: b\n", nil, ""},
		// RFC 2849, SAFE-STRING and notes 4 and 8
		{"values", "", []string{op(1, 4, entry("o=é", "a= x", "b=:x", "c=<x", "d=x ", "e=", "f=a\nb", "g=a: b", "h;lang-fr=\xff")...), done},
			"version: 1\n\n# dn: o=é\ndn:: bz3DqQ==\n# a:  x\na:: IHg=\n# b: :x\nb:: Ong=\n# c: <x\nc:: PHg=\n# d: x \nd:: eCA=\ne:\nf:: YQpi\ng: a: b\nh;lang-fr:: /w==\n", nil, ""},
		{"none of a search", "/o=a??sub", []string{done}, "version: 1\n", nil, ""},
		{"a search", "/o=a??one", []string{op(1, 4, entry("cn=b,o=a")...), op(1, 25), op(1, 19, text("http://a.example/"), text("ldap://b.example/o=a??one")), done},
			"version: 1\n\ndn: cn=b,o=a\n\n# elsewhere: http://a.example/\n# elsewhere: ldap://b.example/o=a??one\n", nil, ""},
		{"no entry", "", []string{done}, "", fetch.ErrNotFound, fetch.Status},
		{"no such entry", "", []string{op(1, 5, result(32, "dc=a", "none")...)}, "", fetch.ErrNotFound, fetch.Status},
		{"more than is given", "/??sub", []string{op(1, 4, entry("o=a")...), op(1, 5, result(4, "", "")...)}, "", fetch.ErrTooLarge, fetch.Status},
		{"more than is taken", "/??sub", []string{many, done}, "", fetch.ErrTooLarge, fetch.Limit},
		{"a login", "", []string{op(1, 5, result(50, "", "who?")...)}, "", fetch.ErrDenied, fetch.Status},
		{"later", "", []string{op(1, 5, result(51, "", "")...)}, "", fetch.ErrBusy, fetch.Status},
		{"a name that is none", "", []string{op(1, 5, result(34, "", "")...)}, "", nil, fetch.Status},
		{"a goodbye", "", []string{op(0, 24, result(52, "", "going down")...)}, "", fetch.ErrBusy, fetch.Status},
		{"to another question", "", []string{op(2, 5, result(0, "", "")...)}, "", fetch.ErrMalformed, fetch.Status},
		{"of another operation", "", []string{op(1, 1, result(0, "", "")...)}, "", fetch.ErrMalformed, fetch.Status},
		{"no message", "", []string{"\x04\x01x"}, "", fetch.ErrMalformed, fetch.Status},
		{"no BER", "", []string{"\xff\xff\xff\xff\xff\xff\xff"}, "", fetch.ErrMalformed, fetch.Status},
		{"an entry without attributes", "", []string{op(1, 4, text("o=a"))}, "", fetch.ErrMalformed, fetch.Status},
		{"an attribute that adds a line", "", []string{op(1, 4, entry("o=a", "b: c\nd=e")...)}, "", fetch.ErrMalformed, fetch.Status},
		{"a code that is none", "", []string{op(1, 5, text("0"), text(""), text(""))}, "", fetch.ErrMalformed, fetch.Status},
		{"a reference to nothing", "/??sub", []string{op(1, 19)}, "", fetch.ErrMalformed, fetch.Status},
		{"a huge message", "", []string{"\x30\x84\x7f\xff\xff\xff"}, "", fetch.ErrTooLarge, fetch.Limit},
		{"nothing more", "", []string{op(1, 4, entry("o=a")...)}, "", fetch.ErrFirstByte, fetch.Body},
	} {
		got, body, _, _, err := open(t, "ldap://192.0.2.1"+tt.url, func(r *fetch.Request) { r.Limits.MaxEntries = 10 }, tt.answers...)
		var e *fetch.Error
		switch {
		case tt.step == "" && (err != nil || body != tt.want || got.Type != ldap.Type || got.Size != int64(len(body))):
			t.Errorf("%s: got %q, %v", tt.name, body, err)
		case tt.step != "" && (!errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind)):
			t.Errorf("%s: %v; want %v", tt.name, err, tt.kind)
		}
		if tt.name == "a search" {
			if len(got.Entries) != 2 || got.Entries[0].URL != "ldap://192.0.2.1/cn=b,o=a" || got.Entries[0].Name != "cn=b,o=a" ||
				got.Entries[1].URL != "ldap://b.example/o=a??one" || got.Entries[1].Type != "link" {
				t.Errorf("entries %+v", got.Entries)
			}
		}
	}
}

// TestReferral: a server that knows of another gives a redirect.
func TestReferral(t *testing.T) {
	tr := ldap.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			serve(there, op(1, 5, result(10, "", "", "x://a.example/", "LDAPS://b.example/o=a")...))
			there.Close()
		}()
		return here, nil
	}})
	got, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("ldap://192.0.2.1/o=a??sub")})
	if err != nil || got.Location != "LDAPS://b.example/o=a" || got.Listing {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestNothingIsAsked of a URL that cannot be opened as it is.
func TestNothingIsAsked(t *testing.T) {
	tr := ldap.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
		t.Error("connected")
		return nil, io.EOF
	}})
	for _, url := range []string{
		"ldap:///o=a",                // no server
		"ldap://192.0.2.1/o=a????!x", // RFC 4516, section 2: a critical extension
		"ldap://192.0.2.1/o=a??sub?(cn=a",
		"ldap://192.0.2.1/o=a?c%20n",
	} {
		_, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Reading {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestLogin: a password goes in TLS, or not at all.
func TestLogin(t *testing.T) {
	login := func(r *fetch.Request) { r.Auth = &fetch.Auth{User: "cn=joe", Password: "secret", HasPassword: true} }
	_, _, request, rest, err := open(t, "ldap://192.0.2.1/o=a", login, op(1, 24, result(2, "", "no TLS")...))
	if !errors.Is(err, fetch.ErrRefused) || strings.Contains(rest, "secret") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v; sent %q", err, rest)
	}
	if got := string(request.Append(nil)); got != "\x30\x1d\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037" { // RFC 4511, section 4.14
		t.Errorf("asked %q", got)
	}
	// What stands before TLS is not taken for what comes in it.
	_, _, _, rest, err = open(t, "ldap://192.0.2.1/o=a", login, op(1, 24, result(0, "", "")...)+op(2, 1, result(0, "", "")...))
	if !errors.Is(err, fetch.ErrMalformed) || strings.Contains(rest, "secret") {
		t.Errorf("%v; sent %q", err, rest)
	}
	_, _, _, _, err = open(t, "ldap://192.0.2.1/o=a", func(r *fetch.Request) { r.Auth = &fetch.Auth{User: "cn=joe"} })
	if !errors.Is(err, fetch.ErrDenied) {
		t.Error(err)
	}
}
