package audit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"anyurl"
	"anyurl/audit"
	"anyurl/internal/quote"
	"anyurl/percent"
	"anyurl/rfc3986"
)

func ExampleInspect() {
	const input = "http://trusted.example@10.1/"
	report := audit.Inspect(input)
	fmt.Println(report.Verdict)
	for _, f := range report.Findings {
		fmt.Printf("%s %s %q: %s\n", f.Severity, f.Code, input[f.Start:f.End], f.Says)
	}
	// Output:
	// block
	// info scheme-cleartext "http": what is sent and received can be read and changed on the way
	// danger userinfo-looks-like-host "trusted.example": "trusted.example" is the user name; the host is "10.1"
	// notice userinfo-present "trusted.example@": a user name part stands before the host, and ends with "@"
	// info userinfo-not-allowed "trusted.example@": an http URL has no user name or password
	// danger ip-private "10.1": 10.0.0.1: private-use (10.0.0.0/8)
	// danger host-differs "10.1": the URL Standard reads the host "10.0.0.1", RFC 3986 the host "10.1"
	// warning ip-noncanonical "10.1": "10.1" is read as the IPv4 address 10.0.0.1
}

func ExampleGate() {
	gate := audit.Gate(audit.Danger)
	fmt.Println(gate(anyurl.MustParse("http://trusted.example/")))
	fmt.Println(gate(anyurl.MustParse("http://[::1]/")))
	// Output:
	// <nil>
	// ::1: loopback address (::1/128) [ip-loopback]
}

func ExampleRedirect() {
	from := anyurl.MustParse("https://a.example/")
	to := anyurl.MustParse("http://192.168.1.1/")
	for _, f := range audit.Redirect(from, to, "http://192.168.1.1/") {
		fmt.Println(f.Severity, f.Code)
	}
	// Output:
	// danger redirect-to-internal
	// warning redirect-downgrade
}

// TestExamples holds that every code's example has the finding, at most as
// severe as the table says and with a span of its own.
func TestExamples(t *testing.T) {
	for _, c := range audit.Codes() {
		if c.Example == "" {
			continue
		}
		report := audit.Inspect(c.Example)
		if c.Base != "" {
			report = audit.InspectRef(c.Example, anyurl.MustParse(c.Base))
		}
		i := slices.IndexFunc(report.Findings, func(f audit.Finding) bool { return f.Code == c.Code })
		if i < 0 {
			t.Errorf("%s: %+q has only %v", c.Code, c.Example, codes(report.Findings))
			continue
		}
		if f := report.Findings[i]; f.Severity != c.Severity || f.Blocks != c.Blocks {
			t.Errorf("%s: %+q is %v, blocks: %t", c.Code, c.Example, f.Severity, f.Blocks)
		}
	}
}

// TestCodes holds that every code is explained, once.
func TestCodes(t *testing.T) {
	names := map[string]bool{}
	for _, c := range audit.Codes() {
		if c.Code == "" || c.Says == "" || c.Fix == "" || c.Cite == "" {
			t.Errorf("%+v leaves something unsaid", c)
		}
		if names[c.Code] {
			t.Errorf("%s stands twice", c.Code)
		}
		names[c.Code] = true
		if strings.HasSuffix(c.Says, ".") || strings.ToLower(c.Says[:1]) != c.Says[:1] && !strings.HasPrefix(c.Says, "RFC") {
			t.Errorf("%s says %q", c.Code, c.Says)
		}
		if got, ok := audit.Lookup(c.Code); !ok || got != c {
			t.Errorf("Lookup(%q) = %v, %t", c.Code, got, ok)
		}
	}
	if _, ok := audit.Lookup("no-such-code"); ok {
		t.Error("a code from nowhere is found")
	}
}

// TestInspect has an input, and the codes it must have; "-" stands before one
// it must not have. With "BASE REF" the second is resolved against the first.
func TestInspect(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		// The name before "@", in all its dresses.
		{"http://joe@trusted.example/", "flag userinfo-present -userinfo-looks-like-host -password-in-url"},
		{"http://john.doe@trusted.example/", "flag -userinfo-looks-like-host"}, // no top-level domain
		{"http://www.trusted.co.uk%2Flogin@evil.example/", "flag userinfo-looks-like-host encoded-delimiter-in-userinfo"},
		{"http://10.0.0.1@evil.example/", "flag userinfo-looks-like-host -ip-private"},
		{"http://trusted.example\uff3c@evil.example/", "flag userinfo-looks-like-host"},
		{"http://www.trusted.org\u2215login@evil.example/", "flag userinfo-looks-like-host"},
		{"http://[::1]@evil.example/", "flag userinfo-looks-like-host"},
		{"http://joe:x@trusted.example@evil.example/", "flag userinfo-looks-like-host password-in-url"},
		{"http://0x7f.1@evil.example/", "flag userinfo-looks-like-host"},
		{"http://trusted\u3002example@evil.example/", "flag userinfo-looks-like-host"},
		{"http://trusted%EF%BC%8Eexample@evil.example/", "flag userinfo-looks-like-host"},
		{"ftp://joe%40trusted.example@ftp.example/", "flag userinfo-looks-like-host encoded-delimiter-in-userinfo"},
		{"gopher://trusted.example@evil.example/1", "flag userinfo-present userinfo-looks-like-host -userinfo-not-allowed"},
		{"http://@trusted.example/", "flag userinfo-present"},
		{"http://:secret@trusted.example/", "flag password-in-url"},
		{"http://joe:@trusted.example/", "flag -password-in-url"},
		{"https://x:ghp_0123456789abcdefghijklmnopqrstuvwxyz@trusted.example/", "flag secret-in-userinfo password-in-url"},
		// What ends the host.
		{"http://trusted.example?@evil.example/", "flag delimiter-right-after-host"},
		{"http://trusted.example#.evil.example", "flag delimiter-right-after-host"},
		{"http://trusted.example?evil.example", "flag delimiter-right-after-host"},
		{"http://trusted.example?file=x.com", "allow -delimiter-right-after-host"},
		{"http://trusted.example#section.two", "allow"},
		{"http://trusted.example/#@evil.example", "allow"},
		// Slashes of both kinds.
		{`http:\\trusted.example\x`, "flag backslash -missing-slashes"},
		{`http:/\trusted.example`, "flag backslash -missing-slashes -extra-slashes"},
		{"https:trusted.example", "flag missing-slashes host-differs"},
		{"http:///trusted.example", "flag extra-slashes host-differs"},
		{"file:////server.example/share", "block extra-slashes file-remote-host"},
		{"file:///etc/motd", "block scheme-dangerous -extra-slashes -missing-slashes -host-differs -empty-host"},
		{"gopher:trusted.example", "block missing-slashes"},
		{"telnet:///", "block empty-host"},
		{"http://:80/", "reject empty-host"},
		{"http://#x", "reject empty-host"},
		{"http://trusted.example/a#b\\c", "allow -backslash"},
		{"http://trusted.example/x?y=%5C", "flag encoded-backslash"},
		// No scheme.
		{"www.trusted.example", "reject missing-scheme"},
		{"://trusted.example", "reject missing-scheme"},
		{"1http://trusted.example", "reject missing-scheme"},
		{"localhost:8080/x", "block missing-scheme scheme-unexpected"},
		{`c:\windows`, "block windows-drive scheme-unexpected backslash"},
		{"", "reject missing-scheme"},
		// Hosts in escapes, and numbers.
		{"http://%31%30.1/", "block encoded-host ip-private ip-noncanonical host-differs"},
		{"gopher://%31%30.0.0.1/", "block encoded-host ip-private"},
		{"gopher://0x7f000001/", "block ip-noncanonical ip-loopback"},
		{"http://1.2.3.4./", "flag trailing-dot-host ip-noncanonical"},
		{"http://134744072/", "flag ip-noncanonical -ip-private"},
		{"telnet://[::ffff:10.0.0.1]/", "block ip-private ip-embedded-v4"},
		{"http://trusted.example%00.evil.example/", "reject encoded-nul encoded-delimiter-in-host invalid-host"},
		{"http://trusted.example%25.evil.example/", "reject encoded-delimiter-in-host"},
		{"http://%e2%91%a0.0.0.1/", "flag host-normalizes encoded-host"}, // a one in a circle
		{"http://[::1]:8a/", "reject invalid-port -invalid-host"},
		{"http://fe80::1/", "reject invalid-host"},
		{"http://[::1]x/", "reject invalid-host"},
		{"http://trusted.example:99999/", "reject invalid-port"},
		{"http://trusted.example:+80/", "reject invalid-port"},
		// Names.
		{"http://foo.localhost/", "block localhost-name"},
		{"http://localhost.localdomain/", "block localhost-name internal-name"},
		{"http://localhost./", "block localhost-name trailing-dot-host"},
		{"gopher://LOCALHOST/", "block localhost-name"},
		{"http://trusted.example\u3002/", "flag trailing-dot-host idn-dot-lookalike"},
		{"x-made-up://localhost/", "block localhost-name"},
		{"x-made-up://metadata.google.internal/", "block metadata-name"},
		{"x-made-up://db.internal/", "block internal-name"},
		{"x-made-up://settings/", "block -internal-name"},
		{"http://instance-data.eu-west-1.compute.internal/", "block metadata-name"},
		{"http://a.lcl.host/", "flag wildcard-dns"},
		{"http://metadata/", "block metadata-name"},
		{"http://vault.home.arpa/", "block internal-name"},
		{"http://router./", "block internal-name"},
		{"http://internal.trusted.example/", "allow"},
		{"http://127-0-0-1.sslip.io/", "flag wildcard-dns -ip-loopback"},
		{"http://notnip.io/", "allow"},
		{"http://trusted.test/", "allow"},
		{"http://a..b.example/", "flag empty-label"},
		{"http://example..com./", "flag empty-label trailing-dot-host"},
		{"http://-a.example/", "flag host-not-ldh"},
		{"http://a-.example/", "flag host-not-ldh"},
		{"http://a-b.example/", "allow"},
		{"http://" + strings.Repeat("a", 64) + ".example/", "flag label-too-long"},
		{"http://" + strings.Repeat("abc.", 64) + "example/", "flag label-too-long"},
		{"http://xn--" + strings.Repeat("a", 2000) + ".example/", "flag label-too-long -too-long"},
		{"http://xn--" + strings.Repeat("a", 2001) + "/", "reject too-long"},
		{"http://" + strings.Repeat("ü", 1001) + "/", "reject too-long"},
		// Ports.
		{"http://trusted.example:80/", "allow -nondefault-port"},
		{"http://trusted.example:080/", "allow -nondefault-port"},
		{"http://trusted.example:443/", "flag nondefault-port"},
		{"https://trusted.example:6000/", "block bad-port"},
		{"http://trusted.example:0/", "block bad-port"},
		{"ftp://trusted.example:2121/", "flag nondefault-port"},
		{"ftp://trusted.example:11211/", "block port-crosses-protocol"},
		{"nntp://trusted.example:119/a/1", "allow"},
		{"news://trusted.example:25/a", "block port-crosses-protocol"},
		// Lines.
		{"http://trusted.example/?a=%0a", "flag encoded-crlf -protocol-smuggling"},
		{"http://trusted.example/#%0a", "flag encoded-crlf"},
		{"ftp://trusted.example/%0aDELE", "block protocol-smuggling encoded-crlf"},
		{"ftp://trusted.example/x#%0a", "flag -protocol-smuggling"}, // a fragment is not sent
		{"ftp://j%0doe@trusted.example/", "block protocol-smuggling"},
		{"ftp://trusted.example/%ff%f4", "block protocol-smuggling"}, // RFC 854: IAC IP
		{"news:alt.test%0d%0aQUIT", "block protocol-smuggling"},
		{"wais://trusted.example/db?x%0ay", "block protocol-smuggling"},
		// A document's name is made of types, lengths and octets: numbers end no line.
		{"wais://trusted.example/db/TEXT/%01%01h%03%0Atulips.txt%07%01%00", "allow -protocol-smuggling -encoded-crlf -encoded-nul -encoded-control"},
		{"wais://trusted.example/db/TEXT/%03%81%00" + strings.Repeat("x", 128), "flag invalid-utf8 -encoded-control -encoded-nul"}, // a length of two octets
		{"wais://trusted.example/db/TEXT/163/3=tulips.txt;7=%00;", "allow -encoded-nul"},                                           // RFC 1630's spelling
		{"wais://trusted.example/db/TEXT/%03%0Atulips%0Dtxt%07%01%00", "block protocol-smuggling"},
		{"wais://trusted.example/db/TEXT/%03%0Atulips.txt%0D%0AQUIT", "block protocol-smuggling"}, // the lengths do not add up
		{"wais://trusted.example/db/TEXT/3=tulips%0A.txt;7=%00;", "block protocol-smuggling"},
		{"wais://trusted.example/db/TEXT/%0D%0Atulips.txt", "block protocol-smuggling"},      // there is no component of type 13
		{"wais://trusted.example/db/TEXT/%03%0D%0Atulips.text1", "block protocol-smuggling"}, // a length, and a line feed in the name
		{"wais://trusted.example/db/TEXT/%03%02%0D%0A", "block protocol-smuggling"},
		{"wais://trusted.example/db/TEXT/%00%0Atulips.txt", "block protocol-smuggling"},
		{"wais://trusted.example/db%0A/TEXT/%03%01x", "block protocol-smuggling"},
		{"http://trusted.example/db/TEXT/%03%0Atulips.txt", "flag encoded-crlf encoded-control"},
		{"prospero://trusted.example/x%00y", "block protocol-smuggling encoded-nul"},
		{"gopher://trusted.example/7x%09a%09+", "allow"}, // RFC 4266: the delimiter
		{"gopher://trusted.example/7x?a%0d%0aQUIT", "block gopher-payload"},
		{"http://trusted.example/%09", "flag encoded-control"},
		{"http://trusted.example/%7f", "flag encoded-control"},
		{"http://trusted.example/%c2%9b31m", "flag terminal-escape"},
		{"http://trusted.example/\x1b[2J", "flag terminal-escape control-char"},
		{"http://trusted.example/\u0085", "flag control-char"},
		{"mailto:joe@trusted.example?subject=hi&body=a%0D%0Ab", "allow -mailto-header"}, // RFC 6068, 5
		{"mailto:joe@trusted.example?subject=hi%0D%0ABcc:eve@evil.example", "flag mailto-header encoded-crlf protocol-smuggling"},
		{"mailto:joe@trusted.example?CC=eve@evil.example", "flag mailto-header"},
		// Escapes.
		{"http://trusted.example/%252F", "flag double-encoding"},
		{"http://trusted.example/%25", "allow -double-encoding"},
		{"http://trusted.example/%25zz", "allow -double-encoding"},
		{"http://trusted.example/?%e2%82", "flag invalid-utf8"},
		{"http://trusted.example/%e2%82%ac%f0%9f%98%80", "allow"},
		{"http://trusted.example/%c0%af", "flag invalid-utf8"},
		{"http://trusted.example/\xff", "flag invalid-utf8"},
		{"http://trusted.example/?a=50%&b", "flag invalid-percent"},
		{"http://trusted.example/%0\nA", "flag encoded-crlf control-char -invalid-percent"}, // the line end is dropped first
		// Climbing.
		{"http://trusted.example/a/./b", "allow dot-segments"},
		{"http://trusted.example/a/..", "allow dot-segments -dot-segments-above-root"},
		{"http://trusted.example/a/../..", "flag dot-segments-above-root"},
		{"http://trusted.example/%2e%2E/x", "flag encoded-dot-segments dot-segments-above-root"},
		{"http://trusted.example/a/.%2e/x", "flag encoded-dot-segments -dot-segments-above-root"},
		{"http://trusted.example/a%2f..%2fb", "flag encoded-slash-traversal"},
		{"http://trusted.example/a/%2e%2e%2fb", "flag encoded-slash-traversal encoded-dot-segments"},
		{"http://trusted.example/..%5cb", "flag encoded-slash-traversal encoded-backslash"},
		{"http://trusted.example/a%2fb..", "allow -encoded-slash-traversal"},
		{"http://trusted.example/a/..;x=y/b", "flag dot-segment-lookalike"},
		{"http://trusted.example/a/%2e%2e;/b", "flag dot-segment-lookalike"},
		{"http://trusted.example/a/..%00/b", "flag dot-segment-lookalike encoded-nul"},
		{"http://trusted.example/a/%252e%252e/b", "flag dot-segment-lookalike double-encoding"},
		{"http://trusted.example/a/%c0%ae%c0%ae/b", "flag dot-segment-lookalike"},
		{"http://trusted.example/a/\uff0e\uff0e/b", "flag dot-segment-lookalike"},
		{"http://trusted.example/..a/...", "allow -dot-segment-lookalike"},
		{"https://trusted.example/a/b/ ../../c", "allow dot-segments -dot-segments-above-root"},
		{"https://trusted.example/a/b/ ../../../c", "flag dot-segments-above-root"},
		{"https://trusted.example/a/b/ /../c", "flag dot-segments-above-root"},
		// Schemes.
		{"JAVASCRIPT:alert(1)", "block scheme-dangerous"},
		{"data:text/html,x", "block scheme-dangerous"},
		{"view-source:javascript:alert(1)", "block scheme-wrapper nested-url"},
		{"feed:https://trusted.example/x", "block scheme-wrapper nested-url"},
		{"blob:https://trusted.example/1", "block scheme-unexpected nested-url"},
		{"magnet:?xt=urn:btih:0", "block scheme-unexpected -nested-url"},
		{"http://trusted.example/http://evil.example/", "allow -nested-url"},
		{"file:///C:/x", "block windows-drive"},
		{"file:c|/x", "block windows-drive"},
		{"file://localhost/x", "block -file-remote-host -host-differs"},
		{"file://LOCALHOST/x", "block -host-differs"},
		{"ftp://trusted.example/%2fetc/motd;type=a", "flag ftp-absolute-path -ftp-type-guessed"},
		{"ftp://trusted.example/pub/", "allow -ftp-type-guessed"},
		{"https://trusted.example/", "allow -scheme-cleartext"},
		// Secrets and targets in parameters.
		{"https://trusted.example/?Access-Token=x", "flag secret-in-query"},
		{"https://trusted.example/?user[password]=x", "flag secret-in-query"},
		{"https://trusted.example/?access%5Ftoken=x", "flag secret-in-query"},
		{"https://trusted.example/?user%5Bpassword%5D=x", "flag secret-in-query"},
		{"https://trusted.example/?se%63ret=x", "flag secret-in-query"},
		{"https://trusted.example/?private_token=x", "flag secret-in-query"},
		{"https://trusted.example/?k=%41KIA0000000000000000", "flag secret-in-query"},
		{"https://trusted.example/?nextPageToken=x&$skiptoken=y", "allow -secret-in-query"},
		{"https://trusted.example/?password=", "allow -secret-in-query"},
		{"https://trusted.example/?tokens=3&passage=2&design=1", "allow -secret-in-query"},
		{"https://trusted.example/?k=AKIA0000000000000000", "flag secret-in-query"},
		{"https://trusted.example/#id_token=x", "flag secret-in-fragment"},
		{"https://trusted.example/#/cb?token=x", "flag secret-in-fragment"},
		{"https://trusted.example/#ghp_0123456789abcdefghijklmnopqrstuvwxyz", "flag secret-in-fragment"},
		{"https://trusted.example/#section-2", "allow -secret-in-fragment"},
		{"https://trusted.example/?u=https%3A%2F%2Fevil.example%2F", "flag open-redirect-param"},
		{"https://trusted.example/?u=%2F%5Cevil.example", "flag open-redirect-param"},
		{"https://trusted.example/?u=/%09/evil.example", "flag open-redirect-param"},
		{"https://trusted.example/?u=+//evil.example", "flag open-redirect-param"},
		{"https://trusted.example/?u=https:evil.example", "allow -open-redirect-param"}, // the same scheme: a path
		{"https://trusted.example/?u=http:evil.example", "flag open-redirect-param"},
		{"https://trusted.example/?u=java%09script:alert(1)", "flag open-redirect-param"},
		{"https://trusted.example/?u=JavaScript%3Aalert(1)", "flag open-redirect-param"},
		{"https://trusted.example/?u=https://trusted.example/x", "allow -open-redirect-param"},
		{"https://trusted.example/?u=/x&v=a:b&w=../y", "allow"},
		{"https://trusted.example/?https://evil.example/", "flag open-redirect-param"},
		{"https://trusted.example/?//evil.example", "allow -open-redirect-param"}, // the name of a parameter
		{"https://trusted.example/login/x ?//evil.example", "allow -open-redirect-param -leaves-site"},
		// Invisible and reordering.
		{"http://trusted.example/\u200b", "flag zero-width"},
		{"http://trusted%e2%80%8b.example/", "flag zero-width host-normalizes encoded-host"},
		{"http://trusted.example/%e2%80%8b", "allow -zero-width"}, // as in many languages' words
		{"http://trusted.example/?\u2066", "flag bidi-control"},
		{"http://trusted.example/%f3%a0%81%81", "flag invisible-tag"},
		{"http://trusted.example/\u05d0/\u05d1", "flag bidi-mixed-order"},
		{"http://trusted.example/\u05d0/1", "flag bidi-mixed-order"},
		{"http://trusted.example/\u05d0/a/\u05d1", "allow -bidi-mixed-order"},
		{"https://trusted\uff0eexample/", "flag host-normalizes idn-dot-lookalike"},
		{"http://TRUSTED.example/\u00c9", "allow -host-normalizes"},
		// White space.
		{" http://trusted.example/", "flag whitespace"},
		{"http://trusted.example/ ", "flag whitespace"},
		{"http://trusted.example/a b", "flag whitespace"},
		{"http://trusted.example/a\u00a0b", "flag whitespace"},
		{"https://trusted.example/ a b", "allow"},
		{"https://trusted.example/  //evil.example", "flag whitespace leaves-site"},
		{"https://trusted.example/ //trusted.example/x", "flag scheme-relative -leaves-site"},
		{"https://trusted.example/ http://trusted.example/x", "allow -leaves-site -scheme-relative"},
		{"https://trusted.example/ https://evil.example/x", "flag leaves-site -scheme-relative"},
		{"https://trusted.example/ mailto:joe@trusted.example", "allow -leaves-site"},
		{"https://trusted.example/ \\\\\\evil.example", "flag scheme-relative extra-slashes leaves-site"},
	} {
		report := audit.Inspect(tt.in)
		if base, ref, ok := strings.Cut(tt.in, " "); ok && strings.HasPrefix(base, "https://trusted.example/") {
			report = audit.InspectRef(ref, anyurl.MustParse(base))
		}
		have := codes(report.Findings)
		for i, want := range strings.Fields(tt.want) {
			not, absent := strings.CutPrefix(want, "-")
			switch {
			case i == 0:
				if report.Verdict.String() != want {
					t.Errorf("%+q: verdict %s, want %s: %v", tt.in, report.Verdict, want, have)
				}
			case absent:
				if slices.Contains(have, not) {
					t.Errorf("%+q: %s is reported", tt.in, not)
				}
			case !slices.Contains(have, want):
				t.Errorf("%+q: no %s among %v", tt.in, want, have)
			}
		}
	}
}

// TestSpans holds the stretch that a finding speaks of.
func TestSpans(t *testing.T) {
	for _, tt := range []struct{ in, code, want string }{
		{"http://joe:secret@trusted.example:81/", "password-in-url", "secret"},
		{"http://joe:secret@trusted.example:81/", "userinfo-present", "joe:secret@"},
		{"http://joe:secret@trusted.example:81/", "nondefault-port", "81"},
		{" http://10.1/", "ip-private", "10.1"},
		{"ht\ntp:/\t/1\t0.1/", "ip-private", "1\t0.1"},
		{"http:/trusted.example", "missing-slashes", "/"},
		{"http:trusted.example", "missing-slashes", ""},
		{"http:////trusted.example", "extra-slashes", "////"},
		{"http://trusted.example/a/..;/b", "dot-segment-lookalike", "..;"},
		{"http://trusted.example/a%0d%0ab", "encoded-crlf", "%0d"},
		{"http://trusted.example/%e2%80%ae", "bidi-control-encoded", "%e2%80%ae"},
		{"http://trusted.example/a%e2%80%ae", "bidi-control-encoded", "%e2%80%ae"},
		{"http://trusted.example/%e2%80%ae%e2%80%ae", "bidi-control-encoded", "%e2%80%ae"},
		{"http://trusted.example/a?b&token=x&c", "secret-in-query", "token=x"},
		{"http://trusted.example/?u=//evil.example&x", "open-redirect-param", "//evil.example"},
		{"http://trusted\u3002example/", "idn-dot-lookalike", "\u3002"},
		{"http://trusted.example:-1/", "invalid-port", "-"},
		{"jdbc:mysql://trusted.example/", "nested-url", "mysql://trusted.example/"},
	} {
		i := slices.IndexFunc(audit.Inspect(tt.in).Findings, func(f audit.Finding) bool { return f.Code == tt.code })
		if i < 0 {
			t.Errorf("%+q: no %s", tt.in, tt.code)
			continue
		}
		if f := audit.Inspect(tt.in).Findings[i]; tt.in[f.Start:f.End] != tt.want {
			t.Errorf("%+q: %s speaks of %q, want %q", tt.in, tt.code, tt.in[f.Start:f.End], tt.want)
		}
	}
}

func TestGate(t *testing.T) {
	for _, tt := range []struct {
		level audit.Severity
		in    string
		code  string // of the refusal, "" for none
	}{
		{audit.Danger, "http://trusted.example/", ""},
		{audit.Danger, "http://joe:secret@trusted.example/", ""},
		{audit.Warning, "http://joe:secret@trusted.example/", "password-in-url"},
		{audit.Danger, "http://127.0.0.1/", "ip-loopback"},
		{audit.Danger, "http://router/", "internal-name"}, // a guarded fetch refuses it
		{audit.Info, "http://trusted.example/", "scheme-cleartext"},
		{audit.Danger, "gopher://trusted.example/0x%0d%0aQUIT", "protocol-smuggling"},
	} {
		err := audit.Gate(tt.level)(anyurl.MustParse(tt.in))
		var refusal *audit.Refusal
		got := ""
		if errors.As(err, &refusal) {
			got = refusal.Finding.Code
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: the error shows the password: %v", tt.in, err)
			}
		}
		if got != tt.code {
			t.Errorf("Gate(%s)(%s) = %v, want %q", tt.level, tt.in, err, tt.code)
		}
	}
	if err := audit.Guard(anyurl.MustParse("http://trusted.example@evil.example/")); err != nil {
		t.Errorf("Guard refuses what is only suspicious: %v", err)
	}
	if audit.Guard(anyurl.MustParse("http://10.0.0.1/")) == nil || audit.Guard(anyurl.URL{}) == nil {
		t.Error("Guard lets through what it must not")
	}
}

func TestLater(t *testing.T) {
	u := anyurl.MustParse("http://name.example:8080/")
	f, ok := audit.ResolvesInternal(u, netip.MustParseAddr("10.0.0.1"))
	if !ok || f.Code != "resolves-internal" || u.String()[f.Start:f.End] != "name.example" || !f.Blocks {
		t.Errorf("ResolvesInternal = %+v, %t", f, ok)
	}
	if _, ok := audit.ResolvesInternal(u, netip.MustParseAddr("8.8.8.8")); ok {
		t.Error("a public address is internal")
	}
	for _, code := range []string{"no-address", "redirect-loop", "too-many-redirects", "redirect-no-location", "hyphen-at-break"} {
		if f, ok := audit.At(code, u.String()); !ok || f.Code != code || f.End != len(u.String()) {
			t.Errorf("At(%s) = %+v, %t", code, f, ok)
		}
	}
	if _, ok := audit.At("no-such-code", ""); ok {
		t.Error("a code from nowhere is found")
	}
	for _, tt := range []struct{ from, location, want string }{
		{"http://a.example/", "/x", ""},
		{"http://a.example/", "https://b.example/", ""},
		{"http://a.example/", "http://[::1]/", "redirect-to-internal"},
		{"http://a.example/", "http://0x7f.1/", "redirect-to-internal"},
		{"http://a.example/", "http://localhost/", "redirect-to-internal"},
		{"http://a.example/", "file:///etc/passwd", "redirect-to-scheme"},
		{"http://a.example/", "gopher://b.example/1", "redirect-to-scheme"},
		{"https://a.example/", "javascript:alert(1)", "redirect-to-scheme"},
		{"https://a.example/", "http://b.example/", "redirect-downgrade"},
		{"http://a.example/", "http://b.example/a b", "redirect-odd-location"},
		{"http://a.example/", `\\b.example`, "redirect-odd-location"},
		{"gopher://a.example/", "gopher://b.example/1", ""},
	} {
		from := anyurl.MustParse(tt.from)
		to, err := from.Resolve(tt.location)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(codes(audit.Redirect(from, to, tt.location)), " "); got != tt.want {
			t.Errorf("Redirect(%s, %s) = %s, want %s", tt.from, tt.location, got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	f := audit.Inspect("http://joe@trusted.example/").Findings[1]
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back audit.Finding
	if err := json.Unmarshal(got, &back); err != nil || back != f {
		t.Errorf("%s becomes %+v, %v", got, back, err)
	}
	if !strings.HasPrefix(string(got), `{"code":"userinfo-present","severity":"notice","start":7,"end":11,"says":`) {
		t.Errorf("%s", got)
	}
	if v, _ := json.Marshal(audit.Block); string(v) != `"block"` {
		t.Errorf("%s", v)
	}
	var s audit.Severity
	if s.UnmarshalText([]byte("grave")) == nil {
		t.Error("a severity from nowhere is taken")
	}
}

// FuzzInspect holds what everyone leans on: spans within the input, sentences
// that are safe to show and hold no password, a verdict that follows from the
// findings, and that a canonical URL is judged no better parsed than as text.
func FuzzInspect(f *testing.F) {
	for _, c := range audit.Codes() {
		f.Add(c.Example, c.Base)
	}
	f.Add("ht\ntp:\\\\a\t:b@[::1]:8\n0/%\n2e/..;?a=//b#\u202e", "http://a/b?c")
	f.Add("//@:\\?#%", "file:///c:/x")
	f.Add("\xff\xfe%ff\u0301", "mailto:a@b")
	f.Fuzz(func(t *testing.T, in, base string) {
		report := audit.Inspect(in)
		check(t, in, report)
		if b, err := anyurl.Parse(base); err == nil {
			check(t, in, audit.InspectRef(in, b))
		}
		if report.Err == nil {
			u := report.URL
			again := audit.InspectURL(u)
			check(t, u.String(), audit.Report{URL: u, Findings: again, Verdict: audit.Judge(again)})
			if text := audit.Inspect(u.String()); text.Err != nil || !slices.Equal(text.Findings, again) {
				t.Errorf("%+q: as text %v, parsed %v", u.String(), codes(text.Findings), codes(again))
			}
		}
	})
}

// FuzzReadings holds that what a strict reader takes is read with the same host,
// or audit says so; and that audit knows who takes what.
func FuzzReadings(f *testing.F) {
	for _, c := range audit.Codes() {
		f.Add(c.Example)
	}
	f.Add("http://[0:0:0::1]/")
	f.Add("x://%41%2d/")
	f.Fuzz(func(t *testing.T, in string) {
		uri, err := rfc3986.Parse(in)
		report := audit.Inspect(in)
		has := func(code string) bool { return slices.Contains(codes(report.Findings), code) }
		ours, theirs := report.Err == nil, err == nil
		if has("not-rfc3986") != (ours && !theirs) || has("not-whatwg") != (theirs && !ours) {
			t.Errorf("%+q: %v, %v, and %v", in, report.Err, err, codes(report.Findings))
		}
		if !ours || !theirs {
			return
		}
		canonical := func(host string) string {
			host = percent.Encode(strings.ToLower(percent.Decode(host)), &percent.Unreserved)
			if a, err := netip.ParseAddr(strings.Trim(percent.Decode(host), "[]")); err == nil {
				return a.String()
			}
			return host
		}
		// A decoded delimiter is the one thing that this simpler way confuses.
		if a, b := report.URL.Host().String(), uri.Host(); canonical(a) != canonical(b) && !has("host-differs") {
			t.Errorf("%+q: %s and %s, and audit is silent", in, a, b)
		}
	})
}

func check(t *testing.T, in string, r audit.Report) {
	if (r.Err != nil) != (r.Verdict == audit.Reject) || r.Err == nil && r.Verdict != audit.Judge(r.Findings) {
		t.Errorf("%+q: verdict %s with %v", in, r.Verdict, r.Err)
	}
	if r.Err != nil && len(r.Findings) == 0 {
		t.Errorf("%+q is rejected for nothing", in)
	}
	seen := map[string]bool{}
	for _, f := range r.Findings {
		if f.Start < 0 || f.End < f.Start || f.End > len(in) {
			t.Errorf("%+q: %s stands at [%d, %d) of %d", in, f.Code, f.Start, f.End, len(in))
		}
		if seen[f.Code] {
			t.Errorf("%+q: %s twice", in, f.Code)
		}
		seen[f.Code] = true
		if quote.Text(f.Says) != f.Says || !utf8.ValidString(f.Says) {
			t.Errorf("%+q: %s says %+q", in, f.Code, f.Says)
		}
		if f.Says == "" || f.Cite == "" || f.Fix == "" {
			t.Errorf("%+q: %s leaves something unsaid", in, f.Code)
		}
		c, ok := audit.Lookup(f.Code)
		if !ok || f.Severity > c.Severity {
			t.Errorf("%+q: %s is %s", in, f.Code, f.Severity)
		}
	}
}

func codes(findings []audit.Finding) (names []string) {
	for _, f := range findings {
		names = append(names, f.Code)
	}
	return names
}

// TestWatch holds that a text gives the same however it is cut.
func TestWatch(t *testing.T) {
	const text = "see https\u202e://trusted.example/ and \u202e no https://trusted.example/ here\nhttp://\u200fx"
	for _, size := range []int{1, 2, 3, 7, len(text)} {
		var got []string
		w := audit.Watch{Report: func(s audit.Sighting) {
			got = append(got, fmt.Sprintf("%d %d:%d %+q %s %+q", s.Start, s.Line, s.Col, s.Word, s.Finding.Code, s.Word[s.Finding.Start:s.Finding.End]))
		}}
		for part := range slices.Chunk([]byte(text), size) {
			w.Write(part)
		}
		w.Close()
		if want := []string{
			`4 1:5 "https\u202e://trusted.example/" bidi-control "\u202e"`,
			fmt.Sprintf(`%d 2:1 "http://\u200fx" bidi-control "\u200f"`, strings.LastIndex(text, "http:")),
		}; !slices.Equal(got, want) {
			t.Errorf("in parts of %d: %q, want %q", size, got, want)
		}
	}
}

func TestShownText(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"http://trusted.example/?a b", "http://trusted.example/?a b"},
		{"http://joe:pw@[::1/\u202e", `http://joe:***@[::1/\u{202e}`},
		{"https://\u0430\u0440\u0440\u04cf\u0435.com/", "https://xn--80ak6aa92e.com/"},
		{"https://b\u00fccher.example/\u00e9", "https://bücher.example/%C3%A9"},
		{"../xn--a", "../xn--a"},
	} {
		if got := audit.ShownText(tt.in); got != tt.want {
			t.Errorf("ShownText(%+q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func ExampleShown() {
	for _, s := range []string{"https://xn--bcher-kva.example/%C3%A9", "https://xn--80ak6aa92e.com/", "ftp://joe:secret@trusted.example/"} {
		fmt.Println(audit.Shown(anyurl.MustParse(s)))
	}
	// Output:
	// https://bücher.example/%C3%A9
	// https://xn--80ak6aa92e.com/
	// ftp://joe:***@trusted.example/
}

// A reference without a scheme is judged by where it leads, too.
func TestReferenceLeads(t *testing.T) {
	for _, tt := range []struct{ base, ref, verdict, code string }{
		{"file:///x", "//evil.example", "block", "scheme-dangerous"},
		{"gopher://trusted.example/1", "///evil.example/1", "block", "empty-host"},
		{"tn3270://trusted.example/", "//evil.example/", "block", "scheme-unexpected"},
		{"nfs://trusted.example/", "//evil.example/", "block", "scheme-unexpected"},
		{"https://trusted.example/", "//127.0.0.1/", "block", "ip-loopback"},
		{"ftp://trusted.example/", "//evil.example/", "flag", "leaves-site"},
		{"gopher://trusted.example/1", "//evil.example/1", "flag", "leaves-site"},
	} {
		report := audit.InspectRef(tt.ref, anyurl.MustParse(tt.base))
		if report.Verdict.String() != tt.verdict || !slices.Contains(codes(report.Findings), tt.code) {
			t.Errorf("%s from %s: %s %v, want %s %s", tt.ref, tt.base, report.Verdict, codes(report.Findings), tt.verdict, tt.code)
		}
		for _, f := range report.Findings {
			if f.Start < 0 || f.End < f.Start || f.End > len(tt.ref) {
				t.Errorf("%s from %s: %s stands at %d to %d", tt.ref, tt.base, f.Code, f.Start, f.End)
			}
		}
	}
}
