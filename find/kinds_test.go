package find

import "testing"

// TestAddresses holds where a mail address and a mailto URL begin and end.
func TestAddresses(t *testing.T) {
	const (
		atext = "atext: RFC 5322, 3.2.3"
		rest  = "an address has no path; ? and , alone follow it in a mailto: RFC 6068, 2"
		glued = "mailto: is a URL's scheme whatever stands before it"
	)
	checkRows(t, []foundRow{
		{"~kim/list-dev@lists.example.org", "~kim/list-dev@lists.example.org", atext},
		{"~kim@example.org", "~kim@example.org", atext},
		{"~~kim@example.com~~", "kim@example.com", "struck out"},
		{"bounce-123=kim=example.com@lists.example.org", "bounce-123=kim=example.com@lists.example.org", atext},
		{"SRS0=abc=de=example.com=kim@example.org", "SRS0=abc=de=example.com=kim@example.org", atext},
		{"user=kim@example.com&x=1", "kim@example.com", "one = in front is a form's"},
		{"mailto:kim@example.com/foo/bar", "mailto:kim@example.com", rest},
		{"mailto:kim@example.com-", "mailto:kim@example.com", rest},
		{"mailto:kim@example.comです", "mailto:kim@example.com", "an ASCII host ends at its last known top-level domain"},
		{"mailto:kim@example.com,jo@example.org?x=y", "mailto:kim@example.com,jo@example.org?x=y", rest},
		{"mailto:kim@example.com?subject=a/b, jo", "mailto:kim@example.com?subject=a/b", rest},
		{"mailto:a@example.com,mailto:b@example.org", "mailto:a@example.com mailto:b@example.org", "a delimiter and a scheme separate"},
		{"tel:+123456,tel:+1234567", "tel:+123456 tel:+1234567", "a delimiter and a scheme separate"},
		{"Contact:mailto:kim@example.com", "mailto:kim@example.com", glued},
		{"_mailto:kim@example.com_", "mailto:kim@example.com", glued},
		{"#mailto:kim@example.com", "mailto:kim@example.com", glued},
		{"See mailto:αβ@example.com?subject=x", "mailto:αβ@example.com?subject=x", "RFC 3987, RFC 6532"},
		{"邮箱kim@example.com。", "kim@example.com", "an ASCII address straight after Chinese text"},
		{"Write to kim@[192.0.2.1], or kim@[IPv6:2001:db8::1].", "kim@[192.0.2.1] kim@[IPv6:2001:db8::1]", "address literals: RFC 5321, 4.1.3"},
		{"a@[192.0.2.300] a@[IPv6:x] a[192.0.2.1]", "", "no address literals"},
		{"kim+@example.org, jo-@example.org", "kim+@example.org jo-@example.org", atext},
		{"rsync kim@example.com::mod", "", "a module, not an address"},
	})
}

// TestOpaque holds URLs without authority by the forms of their schemes.
func TestOpaque(t *testing.T) {
	checkRows(t, []foundRow{
		{"<URL:news:*>", "news:*", "RFC 1738, 3.6"},
		{"news:*", "news:*", "RFC 1738, 3.6"},
		{"*news:* and **news:**", "", "emphasis"},
		{"cid:foo-32x32.v2_fe0f1423.png", "cid:foo-32x32.v2_fe0f1423.png", "mail programs write the file's name"},
		{"sip:atlanta.example.com;method=REGISTER?to=alice%40atlanta.example.com", "sip:atlanta.example.com;method=REGISTER?to=alice%40atlanta.example.com", "RFC 3261, 19.1.3"},
		{"sip:kim@[2001:db8::1] sip:[2001:db8::1]:5060", "sip:kim@[2001:db8::1] sip:[2001:db8::1]:5060", "RFC 3261, 25.1"},
		{"dns:www.example.com?type=A", "dns:www.example.com?type=A", "RFC 4501"},
		{"stun:stun.example.com:3478", "stun:stun.example.com:3478", "RFC 7064"},
		{"turn:left", "", "no host"},
		{"im:kim@example.com", "im:kim@example.com", "RFC 3860"},
		{"h323:kim@example.com", "h323:kim@example.com", "RFC 3508"},
		{"iax:example.com/x", "iax:example.com/x", "RFC 5456"},
		{"mailserver:x@example.com", "mailserver:x@example.com", "RFC 1738, 5"},
		{"see pkcs11:object=my-pubkey;type=public, or", "pkcs11:object=my-pubkey;type=public", "RFC 7512"},
		{"12:30:11:22 key11:object=x", "", "no scheme"},
		{"javascript:alert(1) and javascript:void(0);", "javascript:alert(1) javascript:void(0)", "a call"},
		{"javascript: alert, javascript:x, javascript:1(2)", "", "no call"},
		{"thismessage:/x", "thismessage:/x", "RFC 2557"},
		{"file:/", "file:/", "RFC 8089"},
		{"see:magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a", "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a", "a label stands before it"},
		{"link:tel:+1-201-555-0123 see:news:comp.lang.c see:sip:joe@ex.example _tel:+1-201-555-0123_ _news:comp.lang.c_", "tel:+1-201-555-0123 news:comp.lang.c sip:joe@ex.example tel:+1-201-555-0123 news:comp.lang.c", "a label or emphasis stands before it"},
		{"std::tel:+12015550123 a:tel:123", "", "code"},
		{"about:blank、次 «about:blank» \u00a0about:blank\u00a0 about:blank. about:blanket", "about:blank about:blank about:blank about:blank", "punctuation of any script ends it"},
		{"X-Frame-Options:DENY X-Real-IP:1.2.3.4 DNS:www.example.com, Fax:(415)555-1234 Geo:1,2 SMS:123", "www.example.com", "labels of fields"},
		{"x-apple.systempreferences:com.apple.x dns:www.example.com fax:+14155551234 Fax:+14155551234", "x-apple.systempreferences:com.apple.x dns:www.example.com fax:+14155551234 Fax:+14155551234", "URLs"},
	})
}

// TestHosts holds hosts and userinfo that are seldom written.
func TestHosts(t *testing.T) {
	const (
		wide  = "a browser reads full-width letters as ASCII's: UTS 46, 4"
		empty = "userinfo may be empty: RFC 3986, 3.2.1"
	)
	checkRows(t, []foundRow{
		{"http://ｅｘａｍｐｌｅ.com/", "http://ｅｘａｍｐｌｅ.com/", wide},
		{"https://www.ｅxample.com/", "https://www.ｅxample.com/", wide},
		{"http://１２７.0.0.1/a", "http://１２７.0.0.1/a", wide},
		{"http://example.comＡＢＣ", "http://example.com", "an ASCII host ends at its last known top-level domain"},
		{"http://example.com／ａ, https://example.com＠evil.example/", "http://example.com https://example.com", "full-width marks are a sentence's"},
		{"(http://@example.com), ftp://@host.example/", "http://@example.com ftp://@host.example/", empty},
		{"http://@ and http://@/a and http://@:80/", "", "no host"},
	})
}

// TestWrappers holds what angle brackets join.
func TestWrappers(t *testing.T) {
	const (
		white = "white space anywhere goes: RFC 1738, appendix"
		marks = "what marks each line is the text's: RFC 3676, 4.5"
		two   = "two URLs in one pair"
		sign  = "a sign of a comparison, and no bracket"
	)
	checkRows(t, []foundRow{
		{"<http:\n//example.com/a>", "http://example.com/a", white},
		{"<URL:ftp:\n //ftp.example.org/x>", "ftp://ftp.example.org/x", white},
		{"<http://example.com/a\n\n/b>", "http://example.com/a/b", white},
		{"> see <http://example.com/long/\n> path/x>", "http://example.com/long/path/x", marks},
		{">> <URL:http://example.com/long/\n>> path/x>", "http://example.com/long/path/x", marks},
		{"# <http://example.com/long/\n# path>", "http://example.com/long/path", marks},
		{" * <http://example.com/long/\n *  path>", "http://example.com/long/path", marks},
		{"// <http://example.com/long/\n// path>", "http://example.com/long/path", marks},
		{"/* See <http://a.example/x/\n * y.html> */ /** <http://a.example/x/\n * y.html> */", "http://a.example/x/y.html http://a.example/x/y.html", marks},
		{"-- See <http://a.example/x/\n-- y.html>", "http://a.example/x/y.html", marks},
		{"% See <http://a.example/x/\n% y.html>", "http://a.example/x/y.html", marks},
		{"//! <http://a.example/x/\n//! y.html>", "http://a.example/x/y.html", marks},
		{"! <http://a.example/x/\n! y.html>", "http://a.example/x/y.html", marks},
		{"-<http://old.example/long/\n-path>\n+<http://new.example/long/\n+path>", "http://old.example/long/path http://new.example/long/path", "a patch"},
		{"- <http://a.example/long/\n  path>", "http://a.example/long/path", "an item of a list"},
		{"<http://example.com/a, http://example.com/b>", "http://example.com/a http://example.com/b", two},
		{"<http://example.com/a\n  http://example.com/b>", "http://example.com/a http://example.com/b", two},
		{"<http://example.com/a\n\nNew paragraph. x > y", "http://example.com/a", sign},
		{"if (x < http://example.com/a && y > 3)", "http://example.com/a", sign},
		{"<http://example.com/a is > than b", "http://example.com/a", sign},
		{"< http://example.com/spaced >", "http://example.com/spaced", white},
	})
}

// TestFilesOfPrograms holds names of files under endings that are top-level
// domains, beside hosts that look like them.
func TestFilesOfPrograms(t *testing.T) {
	const (
		entry = "an entry of a change log names files: GNU Coding Standards, Style of Change Logs"
		known = "a file that comes with programs"
		made  = "what configure makes another file of"
		host  = "a host"
	)
	checkRows(t, []foundRow{
		{"\t* gmp-h.in (x): New.", "", entry},
		{"x\n\t* Makefile.am, mp-h.in: New.", "", entry},
		{"\t* gdb.tui/tuiterm.exp (p): New.", "", entry},
		{"\t\t* ltmain.in: New.", "", entry},
		{"\t* New site: spiegel.de, fine.", "spiegel.de", host},
		{"\t* see spiegel.de, and more", "spiegel.de", host},
		{"* tulips.in: a list", "tulips.in", host},
		{" * tulips.in: a list", "tulips.in", host},
		{"\t* example.com: a list", "example.com", "no ending of files"},
		{"\t* ", "", entry},
		{"* gmp.in (", "gmp.in", host},
		{"see README.dev and Makefile.vc, README-ci.win.dev.", "", known},
		{"see readme.dev, readmes.dev and NEWSROOM.dev.", "readme.dev readmes.dev NEWSROOM.dev", host},
		{"libexslt.pc.in, etip.h.in and libbsd.map.in", "", made},
		{"shop.tulips.in and tulips.co.in", "shop.tulips.in tulips.co.in", host},
	})
}

// TestAside holds what sets a reference off in the ways of writing that have no
// format of their own here.
func TestAside(t *testing.T) {
	checkRows(t, []foundRow{
		{"=https://code.example/= and ==https://mark.example/x== (=http://a.example/=)", "https://code.example/ https://mark.example/x http://a.example/", "Org, Muse"},
		{"@https://code.example/@ $https://m.example/$ %%https://code.example/%%", "https://code.example/ https://m.example/ https://code.example/", "Textile, mathematics, DokuWiki"},
		{"url=https://a.example/?q= &u=https://a.example/?a=b=", "https://a.example/?q= https://a.example/?a=b=", "a value: its end is its own"},
		{"``https://c.example/x'' and ``http://d.example/f('a')''", "https://c.example/x http://d.example/f('a')", "TeX's quotation marks"},
		{"@uref{https://a.example/?x=1&y=2,link} @url{http://b.example/a,b}", "https://a.example/?x=1&y=2 http://b.example/a", "Texinfo"},
		{"{http://a.example/a,b}", "http://a.example/a,b", "a comma is the URL's"},
		{"👉example.com 📧joe@example.com 🌐www.example.com →www.example.com │example.com│ ★a.example.com/x", "example.com joe@example.com www.example.com www.example.com example.com a.example.com/x", "IDNA 2008 has no symbols"},
		{"☃.net i❤.ws 日本example.com", "☃.net i❤.ws example.com", "symbols that are a label's"},
	})
}
