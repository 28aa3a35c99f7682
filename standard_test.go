package anyurl_test

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
)

// TestStandard is the URL Standard by theme. Want is the serialisation, or, if
// it is in <>, the rule that the input breaks and where; each row names the step
// that decides it.
func TestStandard(t *testing.T) {
	for _, tt := range []struct{ in, base, want string }{
		// Input: basic URL parser, steps 1 to 3
		{" \x00\x1fhttp://h/\x1f ", "", "http://h/"},
		{"h\tt\nt\rp://h\t/", "", "http://h/"},
		{"http://h/ a ", "", "http://h/%20a"},
		{"http://h/\u00a0", "", "http://h/%C2%A0"},                              // no C0 control or space
		{"\ufeffhttp://h/", "", "<url/missing-scheme-non-relative-url 0>"},      // a byte order mark is a code point like any other
		{"http://h/\xff", "", "http://h/%EF%BF%BD"},                             // Encoding Standard, UTF-8 decoder
		{"http://h/\xe2\x82x", "", "http://h/%EF%BF%BDx"},                       // ibid.: a maximal subpart is one U+FFFD
		{"http://h/\xe2\t\x82\xac", "", "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"}, // ibid.: decoded before tabs are removed
		{"http://h/\xed\xa0\x80", "", "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},   // ibid.: a surrogate
		{"", "", "<url/missing-scheme-non-relative-url 0>"},

		// Scheme: scheme start state, scheme state, no scheme state
		{"A1+-.:x", "", "a1+-.:x"},
		{"1a:x", "", "<url/missing-scheme-non-relative-url 0>"},
		{"a_b:x", "", "<url/missing-scheme-non-relative-url 0>"},
		{"  a_b:x", "", "<url/missing-scheme-non-relative-url 2>"},
		{"a_b:x", "http://h/c", "http://h/a_b:x"}, // scheme state, step 3
		{"x", "mailto:a", "<url/missing-scheme-non-relative-url 0>"},
		{"?x", "mailto:a", "<url/missing-scheme-non-relative-url 0>"},
		{"#x", "mailto:a?b#c", "mailto:a?b#x"}, // no scheme state, step 2
		{"", "mailto:a", "<url/missing-scheme-non-relative-url 0>"},
		{"x:", "", "x:"},
		{"x:?", "", "x:?"},
		{"x:#", "", "x:#"},

		// Slashes: special authority slashes state, special authority ignore slashes state
		{"http:h", "", "http://h/"},
		{"http:/h", "", "http://h/"},
		{"http:////h", "", "http://h/"},
		{`http:\\h\a`, "", "http://h/a"},
		{`x:\\h\a`, "", `x:\\h\a`},
		{`x://h\a`, "", "<url/host-invalid-code-point 5>"},
		{"http:a", "http://h/b/c", "http://h/b/a"}, // special relative or authority state, step 2
		{"http:a", "https://h/b/c", "http://a/"},   // scheme state, step 2.7
		{"http://a", "http://h/b/c", "http://a/"},  // special relative or authority state, step 1
		{"http:///a", "http://h/b/c", "http://a/"}, // special authority ignore slashes state, step 2
		{"x:a", "x://h/b", "x:a"},                  // scheme state, step 2.9: only special schemes are relative to themselves

		// Credentials: authority state
		{"http://u@h/", "", "http://u@h/"},
		{"http://u:p@h/", "", "http://u:p@h/"},
		{"http://u:@h/", "", "http://u@h/"},
		{"http://:@h/", "", "http://h/"},
		{"http://@h/", "", "http://h/"},
		{"http://:p@h/", "", "http://:p@h/"},
		{"http://a@b@c/", "", "http://a%40b@c/"},
		{"http://a:b:c@d/", "", "http://a:b%3Ac@d/"},
		{"http://a/@b", "", "http://a/@b"},
		{`http://a\@b`, "", "http://a/@b"},
		{`x://a\@b`, "", "x://a%5C@b"},
		{"http://u@/", "", "<url/host-missing 9>"}, // step 2.1
		{"x://u@/", "", "<url/host-missing 6>"},
		{"http://<>\"^|`{}'~@h/", "", "http://%3C%3E%22%5E%7C%60%7B%7D'~@h/"}, // userinfo percent-encode set

		// Host: host state, host parser
		{"http://", "", "<url/host-missing 7>"},
		{"http:///", "", "<url/host-missing 8>"},
		{"http://:80/", "", "<url/host-missing 7>"},
		{"http://?q", "", "<url/host-missing 7>"},
		{"x://", "", "x://"},
		{"x:///a", "", "x:///a"},
		{"x://:80/", "", "<url/host-missing 4>"},
		{"HTTP://EX.Example/", "", "http://ex.example/"},
		{"x://EX.Example/", "", "x://EX.Example/"},
		{"http://a_b~!$&'()*+,;=/", "", "http://a_b~!$&'()*+,;=/"}, // no forbidden domain code points
		{"http://a b/", "", "<url/domain-to-ascii 8>"},
		{"http://a%b/", "", "<url/domain-to-ascii 8>"},
		{"http://a%00b/", "", "<url/domain-to-ascii 8>"},
		{"http://a\x7fb/", "", "<url/domain-to-ascii 8>"},
		{"http://%65x/", "", "http://ex/"},
		{"http://%ff/", "", "<url/domain-to-ascii 7>"},
		{"http://xn--a/", "", "http://xn--a/"}, // domain parser, step 4: bad Punycode in an ASCII domain
		{"http://a..b./", "", "http://a..b./"},
		{"http://bücher.example/", "", "http://xn--bcher-kva.example/"},
		{"http://ＢÜcher。example/", "", "http://xn--bcher-kva.example/"}, // UTS 46, mapping
		{"http://faß.example/", "", "http://xn--fa-hia.example/"},       // Transitional_Processing false
		{"http://\u00ad/", "", "<url/domain-to-ascii 7>"},               // domain parser, step 5
		{"http://a<\u0338b/", "", "http://xn--ab-tjv/"},                 // "<" and U+0338 compose to U+226E
		{"x://a b/", "", "<url/host-invalid-code-point 5>"},
		{"x://a%zz<b/", "", "<url/host-invalid-code-point 8>"},
		{"x://é\x7f%/", "", "x://%C3%A9%7F%/"}, // opaque-host parser, step 4

		// Host: ends in a number checker, IPv4 parser
		{"http://1.2.3.4/", "", "http://1.2.3.4/"},
		{"http://1.2.3.4./", "", "http://1.2.3.4/"},
		{"http://1/", "", "http://0.0.0.1/"},
		{"http://1.2/", "", "http://1.0.0.2/"},
		{"http://1.2.65535/", "", "http://1.2.255.255/"},
		{"http://1.2.65536/", "", "<url/ipv4-out-of-range-part 11>"},
		{"http://256.0.0.1/", "", "<url/ipv4-out-of-range-part 7>"},
		{"http://4294967295/", "", "http://255.255.255.255/"},
		{"http://4294967296/", "", "<url/ipv4-out-of-range-part 7>"},
		{"http://99999999999999999999999999/", "", "<url/ipv4-out-of-range-part 7>"},
		{"http://0x7f.1/", "", "http://127.0.0.1/"},
		{"http://0X7F.0000000000000000001/", "", "http://127.0.0.1/"},
		{"http://0300.0250.1/", "", "http://192.168.0.1/"},
		{"http://0x/", "", "http://0.0.0.0/"}, // IPv4 number parser, step 6
		{"http://0x.0x.0/", "", "http://0.0.0.0/"},
		{"http://09/", "", "<url/ipv4-non-numeric-part 7>"},
		{"http://a.09/", "", "<url/ipv4-non-numeric-part 7>"},
		{"http://1..2/", "", "<url/ipv4-non-numeric-part 9>"},
		{"http://1.2.3.4.5/", "", "<url/ipv4-too-many-parts 7>"},
		{"http://a.0xg/", "", "http://a.0xg/"},
		{"http://1.2.3.4a/", "", "http://1.2.3.4a/"},
		{"http://1.2.3.4../", "", "http://1.2.3.4../"},
		{"http://１.２.３.４/", "", "http://1.2.3.4/"},
		{"http://%30x7f.1/", "", "http://127.0.0.1/"},
		{"x://0x7f.1/", "", "x://0x7f.1/"},

		// Host: IPv6 parser, IPv6 serializer
		{"http://[::1]/", "", "http://[::1]/"},
		{"http://[::]:80/", "", "http://[::]/"},
		{"x://[1:0:0:2:0:0:0:3]/", "", "x://[1:0:0:2::3]/"},
		{"http://[0:f:0:0:f:f:0:0]/", "", "http://[0:f::f:f:0:0]/"},    // the first of the longest
		{"http://[1:0:2:3:4:5:6:7]/", "", "http://[1:0:2:3:4:5:6:7]/"}, // one piece is not compressed
		{"http://[ABCD:00ef::]/", "", "http://[abcd:ef::]/"},
		{"http://[::127.0.0.1]/", "", "http://[::7f00:1]/"},
		{"http://[1:2:3:4:5:6:7::]/", "", "http://[1:2:3:4:5:6:7:0]/"},
		{"http://[::1/x", "", "<url/ipv6-unclosed 7>"},
		{"http://[::1]x/", "", "<url/ipv6-unclosed 7>"},
		{"http://[:1]/", "", "<url/ipv6-invalid-compression 8>"},
		{"http://[1:2:3:4:5:6:7:8:9]/", "", "<url/ipv6-too-many-pieces 24>"},
		{"http://[1::2::3]/", "", "<url/ipv6-multiple-compression 13>"},
		{"http://[1:2:3!:4]/", "", "<url/ipv6-invalid-code-point 13>"},
		{"http://[fe80::1%25eth0]/", "", "<url/ipv6-invalid-code-point 15>"},
		{"http://[1:2:]/", "", "<url/ipv6-invalid-code-point 12>"},
		{"http://[1:2:3]/", "", "<url/ipv6-too-few-pieces 13>"},
		{"http://[]/", "", "<url/ipv6-too-few-pieces 8>"},
		{"http://[12345::]/", "", "<url/ipv6-invalid-code-point 12>"},
		{"http://[1:1:1:1:1:1:1:127.0.0.1]/", "", "<url/ipv4-in-ipv6-too-many-pieces 22>"},
		{"http://[ffff::.0.0.1]/", "", "<url/ipv4-in-ipv6-invalid-code-point 14>"},
		{"http://[ffff::127.0.xyz.1]/", "", "<url/ipv4-in-ipv6-invalid-code-point 20>"},
		{"http://[ffff::127.00.0.1]/", "", "<url/ipv4-in-ipv6-invalid-code-point 19>"},
		{"http://[ffff::127.0.0.1.2]/", "", "<url/ipv4-in-ipv6-invalid-code-point 23>"},
		{"http://[ffff::127.0.0.4000]/", "", "<url/ipv4-in-ipv6-out-of-range-part 24>"},
		{"http://[ffff::127.0.0]/", "", "<url/ipv4-in-ipv6-too-few-parts 21>"},

		// Port: port state
		{"http://h:80/", "", "http://h/"},
		{"https://h:80/", "", "https://h:80/"},
		{"ftp://h:21/", "", "ftp://h/"},
		{"ws://h:80/", "", "ws://h/"},
		{"wss://h:443/", "", "wss://h/"},
		{"x://h:80/", "", "x://h:80/"},
		{"http://h:/", "", "http://h/"},
		{"http://h:0/", "", "http://h:0/"},
		{"x://h:0/", "", "x://h:0/"},
		{"http://h:00081/", "", "http://h:81/"},
		{"http://h:65535/", "", "http://h:65535/"},
		{"http://h:65536/", "", "<url/port-out-of-range 9>"},
		{"http://h:8x/", "", "<url/port-invalid 10>"},
		{"http://h:-1/", "", "<url/port-invalid 9>"},
		{"http://h:8\t0/", "", "http://h/"},
		{"http://h:8\t0x/", "", "<url/port-invalid 12>"},

		// Path: path start state, path state
		{"http://h", "", "http://h/"},
		{"http://h?q", "", "http://h/?q"},
		{"http://h#f", "", "http://h/#f"},
		{"x://h", "", "x://h"},
		{"x://h?q", "", "x://h?q"},
		{"x://h/", "", "x://h/"},
		{"http://h/a/./b/../c", "", "http://h/a/c"},
		{"http://h/a/..", "", "http://h/"},
		{"http://h/a/.", "", "http://h/a/"},
		{"http://h/../../a", "", "http://h/a"},
		{"http://h/a/%2e/%2E%2e/b", "", "http://h/b"},
		{"http://h/a/.%2e/b", "", "http://h/b"},
		{"http://h/a/.../b", "", "http://h/a/.../b"},
		{"http://h/a//../b", "", "http://h/a/b"},
		{`http://h/a\..\b`, "", "http://h/b"},
		{`x://h/a\..\b`, "", `x://h/a\..\b`},
		{"http://h/%zz%", "", "http://h/%zz%"},
		{"http://h/ \"#<>?^`{}", "", "http://h/%20%22#%3C%3E?^%60{}"},
		{"http://h/\"<>^`{}|[]~'", "", "http://h/%22%3C%3E%5E%60%7B%7D|[]~'"}, // path percent-encode set
		{"http://h/é", "", "http://h/%C3%A9"},
		{"x:/..", "", "x:/"},
		{"x:/.//a", "", "x:/.//a"},    // URL serializing, step 3
		{"x:/a/..//b", "", "x:/.//b"}, // ibid.
		{"x:/..//a", "", "x:/.//a"},
		{"b", "x:/.//a", "x:/.//b"},
		{"/b", "x:/.//a", "x:/b"},
		{"?q", "x:/.//a", "x:/.//a?q"},
		{"..", "x:/.//a", "x:/"},

		// Opaque path: opaque path state
		{"x:a b", "", "x:a b"},
		{"x:a \u00e9<>\"`{}|^", "", "x:a %C3%A9<>\"`{}|^"}, // C0 control percent-encode set
		{"x:a  ", "", "x:a"},
		{"x:a  ?q", "", "x:a %20?q"},
		{"x:a  #f", "", "x:a %20#f"},
		{"x:a/../b", "", "x:a/../b"},
		{"data:text/plain,a%zz", "", "data:text/plain,a%zz"},

		// Query and fragment: query state, fragment state
		{"http://h/?'\"<>`{}|^é", "", "http://h/?%27%22%3C%3E`{}|^%C3%A9"}, // special-query percent-encode set
		{"x://h/?'\"<>", "", "x://h/?'%22%3C%3E"},                          // query percent-encode set
		{"http://h/?a?b#c#d", "", "http://h/?a?b#c#d"},
		{"http://h/#'\"<>`{}|^é", "", "http://h/#'%22%3C%3E%60{}|^%C3%A9"}, // fragment percent-encode set
		{"http://h/?", "", "http://h/?"},
		{"http://h/#", "", "http://h/#"},
		{"http://h/?\x00\x7f", "", "http://h/?%00%7F"},

		// Relative: relative state, relative slash state
		{"", "http://u:p@h:81/a/b?q#f", "http://u:p@h:81/a/b?q"},
		{"#g", "http://h/a/b?q#f", "http://h/a/b?q#g"},
		{"?r", "http://h/a/b?q#f", "http://h/a/b?r"},
		{"c", "http://h/a/b?q#f", "http://h/a/c"},
		{"./c", "http://h/a/b", "http://h/a/c"},
		{"../c", "http://h/a/b", "http://h/c"},
		{"../../../c", "http://h/a/b", "http://h/c"},
		{"..", "http://h/a/b/c", "http://h/a/"},
		{".", "http://h/a/b/c", "http://h/a/b/"},
		{"/c", "http://u@h:81/a", "http://u@h:81/c"},
		{"//i/c", "http://u@h:81/a", "http://i/c"},
		{`\\i\c`, "http://h/a", "http://i/c"},
		{`\c`, "http://h/a", "http://h/c"},
		{`\c`, "x://h/a", `x://h/\c`},
		{"///i", "http://h/a", "http://i/"},
		{"//", "http://h/a", "<url/host-missing 2>"},
		{"//", "x://h/a", "x://"},
		{"c", "x://h", "x://h/c"},
		{"..", "x://h", "x://h/"},
		{"a:b", "http://h/c", "a:b"},
		{"./a:b", "http://h/c", "http://h/a:b"},

		// Files: file state, file slash state, file host state
		{"file:", "", "file:///"},
		{"file:a", "", "file:///a"},
		{"file:/a", "", "file:///a"},
		{"file://a", "", "file://a/"},
		{"file:///a", "", "file:///a"},
		{"file:////a", "", "file:////a"},
		{"file://localhost/a", "", "file:///a"},
		{"file://LOCALHOST/a", "", "file:///a"},
		{"file://1.2/a", "", "file://1.0.0.2/a"},
		{"file://h:80/a", "", "<url/domain-to-ascii 8>"}, // a file URL has no port
		{"file://u@h/a", "", "<url/domain-to-ascii 8>"},
		{`file:\\h\a`, "", "file://h/a"},
		{"file:C|/a", "", "file:///C:/a"},
		{"file:/C|/a", "", "file:///C:/a"},
		{"file://C|/a", "", "file:///C:/a"}, // file host state, step 1.1
		{"file:///C|/a", "", "file:///C:/a"},
		{"file:///C|a", "", "file:///C|a"},
		{"file:///C:/..", "", "file:///C:/"}, // shorten, step 3
		{"file:///C:/../..", "", "file:///C:/"},
		{"file:///C:", "", "file:///C:"},
		{"file:///a/C|", "", "file:///a/C|"},
		{"..", "file:///C:/a", "file:///C:/"},
		{"/", "file:///C:/a/b", "file:///C:/"}, // file slash state, step 2.1.2
		{"/b", "file://h/C:/a", "file://h/C:/b"},
		{"/D:/b", "file:///C:/a", "file:///D:/b"},
		{"D|/b", "file://h/C:/a", "file://h/D:/b"}, // file state, step 4.4.3
		{"//i/b", "file://h/a", "file://i/b"},
		{"///b", "file://h/a", "file:///b"},
		{"?q", "file://h/a?b", "file://h/a?q"},
		{"#f", "file://h/a?b", "file://h/a?b#f"},
		{"", "file://h/a?b#c", "file://h/a?b"},
		{"b", "file:///a", "file:///b"},
		{"file:b", "file://h/a/c", "file://h/a/b"},
		{"file:b", "http://h/a", "file:///b"},
	} {
		var base anyurl.URL
		if tt.base != "" {
			base = anyurl.MustParse(tt.base)
		}
		u, err := anyurl.ParseRef(tt.in, base)
		got := u.String()
		if err != nil {
			e := err.(*rule.Error)
			got = fmt.Sprintf("<%s %d>", e.Rule.ID, e.Offset)
			if e.Input != tt.in {
				t.Errorf("%q: the error's input is %q", tt.in, e.Input)
			}
		}
		if got != tt.want {
			t.Errorf("%q on %q = %s, want %s", tt.in, tt.base, got, tt.want)
		}
	}
}

// TestReport holds what is told of inputs that are mended, in its order.
func TestReport(t *testing.T) {
	for _, tt := range []struct {
		in, base string
		want     string // "offset:rule …", without "url/"
	}{
		{"http://h/", "", ""},
		{"x://h/?q#f", "", ""},
		{" http://h/", "", "0:invalid-url-unit"},
		{"http://h/ ", "", "9:invalid-url-unit"},
		{"http://h/\ta\nb", "", "9:invalid-url-unit"},
		{" h\tttp://h/a b", "", "0:invalid-url-unit 2:invalid-url-unit 12:invalid-url-unit"},
		{"http:h", "", "5:special-scheme-missing-following-solidus"},
		{"http:///h", "", "7:special-scheme-missing-following-solidus"},
		{"http:a", "http://h/", "5:special-scheme-missing-following-solidus"},
		{"file:a", "", "5:special-scheme-missing-following-solidus"},
		{"http://u:p@h/", "", "10:invalid-credentials"},
		{"http://a@b@h/", "", "8:invalid-credentials 10:invalid-credentials"},
		{`http://h\a\b`, "", "8:invalid-reverse-solidus 10:invalid-reverse-solidus"},
		{`\a`, "http://h/", "0:invalid-reverse-solidus"},
		{"http://h/%zz", "", "9:invalid-url-unit"},
		{"http://h/%4", "", "9:invalid-url-unit"},
		{"http://h/a|b", "", "10:invalid-url-unit"},
		{"http://h/é\u0080\ufdd0", "", "11:invalid-url-unit 13:invalid-url-unit"},
		{"http://h/?a\"b#c#d", "", "11:invalid-url-unit 15:invalid-url-unit"},
		{"x:a b", "", "3:invalid-url-unit"},
		{"x://a\"%zz/", "", "5:invalid-url-unit 6:invalid-url-unit"},
		{"http://1.2.3/", "", "7:ipv4-too-few-parts"},
		{"http://1.2.3.4./", "", "15:domain-to-ascii 14:ipv4-empty-part"},
		{"http://1.2.0x3.04/", "", "11:ipv4-non-decimal-part 15:ipv4-non-decimal-part"},
		{"http://1.2.65535/", "", "7:ipv4-too-few-parts 11:ipv4-out-of-range-part"},
		{"http://[::01]/", "", "10:ipv6-piece-leading-zero"},
		{"http://[0001::2]/", "", "8:ipv6-piece-leading-zero"},
		{"http://ex%61mple/", "", "9:domain-percent-encoded"},
		{"http://a_b/", "", "8:domain-to-ascii"},
		{"C|/a", "file:///b", "0:file-invalid-windows-drive-letter 1:invalid-url-unit"},
		{"file://C|/a", "", "7:file-invalid-windows-drive-letter-host 8:invalid-url-unit"},
		{"a\xffb\xff", "http://h/", "1:not-utf-8"},
	} {
		var base anyurl.URL
		if tt.base != "" {
			base = anyurl.MustParse(tt.base)
		}
		var told []string
		p := anyurl.Parser{Base: base, Report: func(e *rule.Error) {
			told = append(told, fmt.Sprintf("%d:%s", e.Offset, strings.TrimPrefix(e.Rule.ID, "url/")))
			if e.Input != tt.in {
				t.Errorf("%q: the report's input is %q", tt.in, e.Input)
			}
		}}
		u, err := p.Parse(tt.in)
		if got := strings.Join(told, " "); err != nil || got != tt.want {
			t.Errorf("%q on %q = %s, %v, tells\n %s, want\n %s", tt.in, tt.base, u, err, got, tt.want)
		}
		if v, err := anyurl.ParseRef(tt.in, base); err != nil || u != v {
			t.Errorf("%q reads as %s when it reports and as %s when not", tt.in, u, v)
		}
	}
}

// TestExamples holds that the example of each rule breaks it.
func TestExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range anyurl.Rules() {
		if seen[r.ID] || r.ID == "" || r.Cite == "" || r.Says == "" || r.Fix == "" {
			t.Errorf("rule %+v is not unique or not complete", r)
		}
		seen[r.ID] = true
		if r.Example == "" {
			continue
		}
		broken := map[string]bool{}
		tell := func(e *rule.Error) { broken[e.Rule.ID] = true }
		for _, base := range []string{"", "file:///c:/"} {
			p := anyurl.Parser{Report: tell}
			if base != "" {
				p.Base = anyurl.MustParse(base)
			}
			if _, err := p.Parse(r.Example); err != nil {
				tell(err.(*rule.Error))
			}
		}
		if _, err := anyurl.ParseTyped(r.Example); err != nil {
			tell(err.(*rule.Error))
		}
		if !broken[r.ID] {
			t.Errorf("%q does not break %s, but %v", r.Example, r.ID, broken)
		}
	}
}

// TestNoPassword holds that no error shows what it is about.
func TestNoPassword(t *testing.T) {
	for _, s := range []string{"http://u:secret@/", "http://u:secret@h:x/", "http://u:secret@[::1/", "http://u:secret@a b/"} {
		_, err := anyurl.Parse(s)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%q): %v", s, err)
		}
	}
}
