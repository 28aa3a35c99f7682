package gopher

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

func Example() {
	r, err := Read(anyurl.MustParse("gopher://gopher.example/7/find%09tulips"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s %q %q\n", r.Addr(), r.Type, r.Selector, r.Search)
	// Output:
	// gopher.example:70 7 "/find" "tulips"
}

func TestRead(t *testing.T) {
	const form = "/0/form%09%09%2B%091%0D%0A%2B-1%0D%0AJoe%0D%0A.%0D%0A"
	for _, tt := range []struct {
		tail string
		want Ref // without the host
	}{
		{"", Ref{Type: '1', Port: 70}},                               // RFC 4266, 2.1: a missing path is the menu
		{"/", Ref{Type: '1', Port: 70}},                              // ibid.
		{"/1", Ref{Type: '1', Port: 70}},                             //
		{"/0", Ref{Type: '0', Port: 70}},                             //
		{"/00/about", Ref{Type: '0', Port: 70, Selector: "0/about"}}, // the selector's own type stays
		{"/0/a.txt", Ref{Type: '0', Port: 70, Selector: "/a.txt"}},   //
		{"/%31/x", Ref{Type: '1', Port: 70, Selector: "/x"}},         // an encoded type
		{"//1x", Ref{Type: '/', Port: 70, Selector: "1x"}},           // xchar holds "/"
		{"/7/find%09tulip", Ref{Type: '7', Port: 70, Selector: "/find", Search: "tulip", HasSearch: true}},
		{"/7/find%09", Ref{Type: '7', Port: 70, Selector: "/find", HasSearch: true}}, // an empty search is one
		{"/7/find%09a+b%20c", Ref{Type: '7', Port: 70, Selector: "/find", Search: "a+b c", HasSearch: true}},
		{"/0/a.txt%09%09%2B", Ref{Type: '0', Port: 70, Selector: "/a.txt", Plus: "+"}}, // RFC 1738, 3.4.4
		{"/0/a%09%09+application/postscript%20Es_ES", Ref{Type: '0', Port: 70, Selector: "/a", Plus: "+application/postscript Es_ES"}},
		{"/1/d%09%09$", Ref{Type: '1', Port: 70, Selector: "/d", Plus: "$"}},
		{"/0/a%09%09!+ABSTRACT", Ref{Type: '0', Port: 70, Selector: "/a", Plus: "!+ABSTRACT"}},
		{"/7/s%09w%09+", Ref{Type: '7', Port: 70, Selector: "/s", Search: "w", Plus: "+", HasSearch: true}},
		{"/7/s%09w%09", Ref{Type: '7', Port: 70, Selector: "/s", Search: "w", HasSearch: true}},
		{form, Ref{Type: '0', Port: 70, Selector: "/form", Plus: "+\t1\r\n+-1\r\nJoe\r\n.\r\n"}}, // 3.4.9
		{"/0/a?b=c", Ref{Type: '0', Port: 70, Selector: "/a?b=c"}},                               // "?" is data
		{"/7/find?tulip", Ref{Type: '7', Port: 70, Selector: "/find?tulip"}},                     // ibid.
		{"/0/a;b/?", Ref{Type: '0', Port: 70, Selector: "/a;b/?"}},
		{"/0/%C3%A9%FF", Ref{Type: '0', Port: 70, Selector: "/\u00e9\xff"}}, // octets
		{"/01%2F..%2Fx", Ref{Type: '0', Port: 70, Selector: "1/../x"}},
		{"/hURL:http://a.example/", Ref{Type: 'h', Port: 70, Selector: "URL:http://a.example/"}},
		{"/0/x#top", Ref{Type: '0', Port: 70, Selector: "/x"}}, // a fragment is not the server's
		{":7070/0/x", Ref{Type: '0', Port: 7070, Selector: "/x"}},
		{":70/0/x", Ref{Type: '0', Port: 70, Selector: "/x"}},
		{":0/0/x", Ref{Type: '0', Port: 0, Selector: "/x"}},
	} {
		for _, name := range []string{"gopher", "gophers"} {
			u := anyurl.MustParse(name + "://h.example" + tt.tail)
			r, err := Read(u)
			if err != nil {
				t.Errorf("%s: %v", u, err)
				continue
			}
			if r.Addr() != fmt.Sprintf("h.example:%d", tt.want.Port) {
				t.Errorf("%s: %s", u, r.Addr())
			}
			want := tt.want
			want.Host, want.TLS = r.Host, name == "gophers"
			if r != want {
				t.Errorf("%s: %+v; want %+v", u, r, want)
			}
			if again, err := Read(r.URL()); err != nil || again != r {
				t.Errorf("%s is written as %s, which reads as %+v, %v", u, r.URL(), again, err)
			}
		}
	}
}

func TestRead1630(t *testing.T) {
	for _, tt := range []struct{ url, selector, search string }{
		{"gopher://h/7/find?tulips+holland", "/find", "tulips holland"},
		{"gopher://h/7/find?a%2Bb", "/find", "a+b"},
		{"gopher://h/7/find%09a?b", "/find", "a?b"}, // "%09" begins the search, so "?" is data
		{"gopher://h/0/find?tulips", "/find?tulips", ""},
	} {
		r, err := Read1630(anyurl.MustParse(tt.url))
		if err != nil || r.Selector != tt.selector || r.Search != tt.search {
			t.Errorf("%s: %+v, %v", tt.url, r, err)
		}
	}
	if _, err := Read1630(anyurl.MustParse("gopher://h/7/find?a%0Ab")); err == nil {
		t.Error("LF in a search is read")
	}
}

// TestHost: what the reading names is what a resolver is asked for, whatever
// the URL Standard leaves in an opaque host.
func TestHost(t *testing.T) {
	for _, tt := range []struct{ url, addr string }{
		{"gopher://EXAMPLE.com/", "example.com:70"},
		{"gopher://ex%61mple.com/", "example.com:70"},
		{"gopher://0x7f.1/", "127.0.0.1:70"},
		{"gopher://2130706433/", "127.0.0.1:70"},
		{"gopher://[::1]/", "[::1]:70"},
		{"gopher://b%C3%BCcher.example/", "xn--bcher-kva.example:70"},
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil || r.Addr() != tt.addr {
			t.Errorf("%s: %s, %v; want %s", tt.url, r.Addr(), err, tt.addr)
		}
	}
	for _, s := range []string{"gopher://a%00b/", "gopher://a%2Fb/", "gopher://a%40b/", "gopher://256.1.1.1/", "gopher://a%20b/"} {
		if r, err := Read(anyurl.MustParse(s)); err == nil {
			t.Errorf("%s: host %s", s, r.Host)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		url  string
		rule rule.Rule
		at   string
	}{
		{"gopher://h:25/1%0D%0AMAIL%20FROM:", SelectorCRLF, "%0D%0AMAIL"},
		{"gopher://h/0x%00", SelectorCRLF, "%00"},
		{"gopher://h/0x?y%0A", SelectorCRLF, "%0A"},
		{"gopher://h/7x%09y%0d", SearchCRLF, "%0d"},
		{"gopher://h/0x%09%09+%0D%0ADELE", Form, "%0D%0ADELE"},
		{"gopher://h/0x%09%09%2B%091%0D%0A%2B-1%0D%0AJoe%0D%0A.%0D%0AQUIT%0D%0A", Form, "%0D%0A%2B-1"}, // more than the form
		{"gopher://h/0x%09%09%2B%091%0D%0A%2B-1%0D%0AJoe%0A.%0D%0A", Form, "%0D%0A%2B-1"},              // LF alone
		{"gopher://h:6379/0x%09%09%2B%091%0D%0A%2B-1%0D%0AFLUSHALL%0D%0A.%0D%0A", Form, "%0D%0A%2B-1"}, // no form to another server
		{"gopher://h/%09x", TypeCharacter, "%09x"},
		{"gopher://h/%0D%0A", TypeCharacter, "%0D"},
		{"gopher://h/%C3%A9", TypeCharacter, "%C3"},
		{"gopher://u@h/1", scheme.NoUserinfo, "u@h"},
		{"gopher://:p@h/1", scheme.NoUserinfo, ":p@h"},
		{"gopher:///1/x", scheme.HostMissing, "/1/x"},
		{"gopher:1/x", scheme.HostMissing, "1/x"},
		{"http://h/", scheme.OtherScheme, "http"},
	} {
		u := anyurl.MustParse(tt.url)
		_, err := Read(u)
		e, ok := err.(*rule.Error)
		if !ok || e.Rule != tt.rule || e.Input != u.String() || !strings.HasPrefix(e.Input[e.Offset:], tt.at) {
			t.Errorf("%s: %v; want %s at %q", tt.url, err, tt.rule.ID, tt.at)
		}
	}
}

func TestUnwritable(t *testing.T) {
	h := anyurl.MustParse("ftp://h/").Host()
	for _, r := range []Ref{{Host: h, Port: 70, Type: '.'}, {Host: h, Port: 70, Type: '.', Selector: "."}} {
		if u := r.URL(); !u.IsZero() {
			t.Errorf("%+v is written as %s", r, u)
		}
	}
}

func TestJSON(t *testing.T) {
	r, _ := Read(anyurl.MustParse("gopher://h/7/find%09tulip"))
	got, err := json.Marshal(r)
	if want := `{"host":"h","port":70,"type":"7","selector":"/find","search":"tulip","hasSearch":true}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"gopher://h/7/find%09tulip%09+", "gophers://H:1/0/../x?y", "gopher://h/.%2F..", "gopher://h/0/f%09%09%2B%091%0D%0A%2B-1%0D%0A.%0D%0A", "gopher://h/."} {
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
		if strings.ContainsAny(r.Selector+r.Search, "\r\n\x00\t") && !strings.Contains(r.Search, "\t") {
			t.Fatalf("%s: %+v would reach the wire", u, r)
		}
		if again, err := Read(r.URL()); err != nil || again != r {
			t.Fatalf("%s: %+v is written as %s, which reads as %+v, %v", u, r, r.URL(), again, err)
		}
	})
}
