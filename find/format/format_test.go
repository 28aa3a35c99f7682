package format_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"anyurl/find"
	"anyurl/find/format"
)

func ExampleFinder_Bytes() {
	var f format.Finder
	page := []byte(`<a href="http://a.example/?x=1&amp;y=2">one</a>`)
	for m := range f.Bytes("page.html", page) {
		fmt.Println(m.URL, m.Via, m.Start, m.End)
	}
	// Output: http://a.example/?x=1&y=2 a href 9 38
}

// Every row: what stands in the document, in its format, and the URLs that
// come out of it, in order, each "via URL" (or the URL alone in running text).
func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		format, name, in string
		want             []string
	}{
		// HTML Standard, index of attributes; 13.2.5 for the tokenizer.
		{"html", "quotes", `<a href="http://a.example/1"><a href='http://a.example/2'><a href=http://a.example/3>`,
			[]string{"a href|http://a.example/1", "a href|http://a.example/2", "a href|http://a.example/3"}},
		{"html", "references decoded", `<a href="http://a.example/?a&amp;b&#38;c&#x26;d">`, []string{"a href|http://a.example/?a&b&c&d"}},
		{"html", "no reference without ; before =", `<a href="http://a.example/?x&copy=1&lt=2">`, []string{"a href|http://a.example/?x&copy=1&lt=2"}},
		{"html", "legacy reference without ;", `<a href="http://a.example/?x&lt">`, []string{"a href|http://a.example/?x<"}},
		{"html", "white space around and inside", "<a href=\"\n http://a.example/\n x \">", []string{"a href|http://a.example/ x"}},
		{"html", "upper case", `<A HREF="http://a.example/">`, []string{"a href|http://a.example/"}},
		{"html", "slash in unquoted value", `<a href=http://a.example/x/>`, []string{"a href|http://a.example/x/"}},
		{"html", "letters set off", "http://www.<b>bank</b>.example/a http://te<em class=x>xt</em>.example/<wbr>b http://<span>c.example</span><!-- -->/c\n<p>http://<mark>d&amp;</mark>",
			[]string{"|http://www.bank.example/a", "|http://text.example/b", "|http://c.example/c", "|http://d"}},
		{"html", "what stands for itself", `http://a.example/<a href="http://b.example/">x</a>, <td>http://c.example<td>d.example <b>http://e.example/</b><br>f http://g.example/<sup>1</sup>`,
			[]string{"|http://a.example/", "a href|http://b.example/", "|http://c.example", "|http://e.example/", "|http://g.example/"}},
		{"html", "srcset", `<img srcset="http://a.example/1,2.png 1x, http://a.example/3.png 2x,http://a.example/4.png">`,
			[]string{"img srcset|http://a.example/1,2.png", "img srcset|http://a.example/3.png", "img srcset|http://a.example/4.png"}},
		{"html", "base", `<base href="http://a.example/dir/"><a href="x">`, []string{"base href|http://a.example/dir/"}},
		{"html", "meta refresh", `<meta http-equiv=refresh content="5; url='http://a.example/next'">`, []string{"meta refresh|http://a.example/next"}},
		{"html", "meta refresh without url=", `<meta http-equiv="Refresh" content="0;http://a.example/next">`, []string{"meta refresh|http://a.example/next"}},
		{"html", "open graph", `<meta property="og:image" content="http://a.example/i.png">`, []string{"meta content|http://a.example/i.png"}},
		{"html", "style attribute", `<p style="background:url( 'http://a.example/i.png' )">`, []string{"css url|http://a.example/i.png"}},
		{"html", "style element", `<style>@import "http://a.example/a.css"; b{background:url(http://a.example/b.png)}</style>`,
			[]string{"css import|http://a.example/a.css", "css url|http://a.example/b.png"}},
		{"html", "script", `<script>var u = "http:\/\/a.example\/s"; // see http://a.example/c</script>`, nil},
		{"html", "data island", `<script type="application/ld+json">{"@id":"http:\/\/a.example\/ld"}</script>`, []string{"script|http://a.example/ld"}},
		{"html", "poster, object, area, svg", `<video poster=http://a.example/p><object data=http://a.example/o><area href=http://a.example/ar><image xlink:href=http://a.example/im>`,
			[]string{"video poster|http://a.example/p", "object data|http://a.example/o", "area href|http://a.example/ar", "image xlink:href|http://a.example/im"}},
		{"html", "ping holds many", `<a ping="http://a.example/1 http://a.example/2">`, []string{"a ping|http://a.example/1", "a ping|http://a.example/2"}},
		{"html", "text", `<p>see http://a.example/t&amp;u.</p>`, []string{"|http://a.example/t&u"}},
		{"html", "comments are no links", `<!-- http://a.example/c -->`, nil},
		{"html", "namespaces are no links", `<html xmlns="http://www.w3.org/1999/xhtml">`, nil},
		{"html", "noscript", `<noscript><img src="http://a.example/n.gif"></noscript>`, []string{"img src|http://a.example/n.gif"}},
		{"html", "srcdoc", `<iframe srcdoc="&lt;a href='http://a.example/?a&amp;amp;b'>">`, []string{"a href|http://a.example/?a&b"}},
		{"html", "a title is text", `<title>http://a.example/<b></title>`, []string{"|http://a.example/"}},
		{"html", "code left out", `<pre>http://a.example/1 <code>x</pre>http://a.example/2<code>http://a.example/3</code>http://a.example/4` +
			`<kbd>http://a.example/5</kbd><samp>http://a.example/6</samp><textarea>http://a.example/7</textarea><xmp>http://a.example/8</xmp><code>` +
			`<a href=http://a.example/9>http://a.example/10</a><script type=application/json>"http://a.example/11"</script></code>`,
			[]string{"|http://a.example/2", "|http://a.example/4", "a href|http://a.example/9", "script|http://a.example/11"}},
		{"html", "a tag cut off", `<a href="http://a.example/`, nil},

		// CSS Syntax Level 3, section 4.
		{"css", "url", `a{b:url(http://a.example/1)}c{d:url("http://a.example/2")}`, []string{"css url|http://a.example/1", "css url|http://a.example/2"}},
		{"css", "escapes", `a{b:url(http\:\2f\2f a.example/\28 x\29)}`, []string{"css url|http://a.example/(x)"}},
		{"css", "image-set", `a{b:image-set("http://a.example/1" 1x, url(http://a.example/2) 2x)}`, []string{"css image-set|http://a.example/1", "css url|http://a.example/2"}},
		{"css", "namespace names no place", `@namespace svg url(http://www.w3.org/2000/svg);`, nil},
		{"css", "comment", `/* from http://a.example/c */`, []string{"comment|http://a.example/c"}},

		// CommonMark 0.31, section 6; GFM, section 6.9.
		{"markdown", "inline link", `[a](http://a.example/(x) "t")`, []string{"link|http://a.example/(x)"}},
		{"markdown", "in angle brackets", `[a](<http://a.example/x y>)`, []string{"link|http://a.example/x y"}},
		{"markdown", "a reference at the end", "http://a.example/?q=x&copy; and http://a.example/?r=x&amp;", []string{"|http://a.example/?q=x", "|http://a.example/?r=x"}},
		{"markdown", "image", `![a](http://a.example/i.png)`, []string{"image|http://a.example/i.png"}},
		{"markdown", "image in a link", `[![a](http://a.example/i.png)](http://a.example/)`, []string{"image|http://a.example/i.png", "link|http://a.example/"}},
		{"markdown", "reference", "[a][b]\n\n[b]: http://a.example/r\n", []string{"reference|http://a.example/r"}},
		{"markdown", "a footnote is no reference", "x[^1] y[^2] z[^3]\n\n[^1]: [a](http://a.example/r)\n[^2]: word\n[^3]: <http://a.example/t>\n[^4]:[^5]:[^6]: http://a.example/u\n",
			[]string{"link|http://a.example/r", "autolink|http://a.example/t", "|http://a.example/u"}},
		{"markdown", "autolink", `<http://a.example/al>`, []string{"autolink|http://a.example/al"}},
		{"markdown", "autolink as RFC 1738 writes URLs", `<URL:ftp://a.example/al>`, []string{"autolink|ftp://a.example/al"}},
		{"markdown", "bare", "see http://a.example/b.\n", []string{"|http://a.example/b"}},
		{"markdown", "code left out", "`http://a.example/c`\n\n    http://a.example/d\n\n```\nhttp://a.example/e\n```\n", nil},
		{"rst", "comments left out", ".. http://a.example/1\n   http://a.example/2\n\n   http://a.example/3\n\n.. http: //x\n..\n\n  http://a.example/4\n\n" +
			".. note:: http://a.example/5\n.. [1] http://a.example/6\n", []string{"|http://a.example/4", "|http://a.example/5", "|http://a.example/6"}},
		{"asciidoc", "comments left out", "// http://a.example/1\nhttp://a.example/2\n////\nhttp://a.example/3\n////\nhttp://a.example/4 // http://a.example/5\n",
			[]string{"|http://a.example/2", "|http://a.example/4", "|http://a.example/5"}},
		{"markdown", "code in raw html", "a <code>http://a.example/1</code> http://a.example/2 <code>[x](http://a.example/3)\n\nhttp://a.example/4\n\n" +
			"<div><pre>\nhttp://a.example/5\n\nhttp://a.example/6\n</pre></div>\n\nhttp://a.example/7\n",
			[]string{"|http://a.example/2", "link|http://a.example/3", "|http://a.example/4", "|http://a.example/7"}},
		{"markdown", "raw html", `x <a href="http://a.example/h">y</a>`, []string{"a href|http://a.example/h"}},
		{"markdown", "html block", "<div>\n<a href=\"http://a.example/h\">\n</div>\n", []string{"a href|http://a.example/h"}},
		{"markdown", "escapes", `[a](http://a.example/a\_b&amp;c)`, []string{"link|http://a.example/a_b&c"}},
		{"markdown", "task list", "- [x] http://a.example/1\n- [x](http://a.example/2)\n1. [X](http://a.example/3)\n- [ ](http://a.example/4)\n- [x][r]\n- [x]\thttp://a.example/6\n\n[r]: http://a.example/5\n",
			[]string{"|http://a.example/1", "link|http://a.example/2", "link|http://a.example/3", "link|http://a.example/4", "|http://a.example/6", "reference|http://a.example/5"}},
		// GFM, section 6.9: parentheses count where the link ends in one, and an address does not end in "-" or "_".
		{"markdown", "parenthesis inside", "http://a.example/?q=(business))+ok, (see http://a.example/b_(c)), http://a.example/(x)).\n", []string{"|http://a.example/?q=(business))+ok", "|http://a.example/b_(c)", "|http://a.example/(x)"}},
		{"markdown", "parenthesis that text opened", "(http://a.example/x)y (http://a.example/(1)),(http://a.example/2)\n", []string{"|http://a.example/x", "|http://a.example/(1)", "|http://a.example/2"}},
		{"markdown", "address that goes on", "mailto:a.b-c_d@a.b\n\nmailto:a.b-c_d@a.b-\n\nmailto:a.b-c_d@a.b_\n\nmailto:kim@b-c.example-d\n", []string{"|mailto:a.b-c_d@a.b", "|mailto:kim@b-c.example-d"}},
		{"markdown", "table, header of fewer cells", "a | b\n-|-|-\n[x](http://a.example/2)\n", []string{"link|http://a.example/2"}},
		{"markdown", "table", "| a | b |\n|---|---|\n| http://a.example/1 | [x](http://a.example/2) |\n", []string{"|http://a.example/1", "link|http://a.example/2"}},
		{"markdown", "quote and list", "> - http://a.example/q\n", []string{"|http://a.example/q"}},
		{"markdown", "front matter", "---\nurl: http://a.example/f\n---\n\ntext\n", []string{"front matter|http://a.example/f"}},

		// RFC 5322, 2045 to 2047, 3676.
		{"mail", "headers", "List-Unsubscribe: <http://a.example/u>\nMessage-ID: <x@a.example>\nSubject: =?utf-8?q?http=3A//a.example/s?=\n\n",
			[]string{"header list-unsubscribe|http://a.example/u", "header subject|http://a.example/s"}},
		{"mail", "folded header", "Archived-At:\n <http://a.example/long/\n  path>\n\n", []string{"header archived-at|http://a.example/long/path"}},
		{"mail", "quoted-printable", "Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/?a=3D1&b=\n=3D2 x", []string{"|http://a.example/?a=1&b=2"}},
		{"mail", "base64", "Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte("see http://a.example/b64 now")), []string{"|http://a.example/b64"}},
		{"mail", "ISO-8859-1", "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/caf=E9 x", []string{"|http://a.example/café"}},
		{"mail", "Windows-1252 in HTML", "Content-Type: text/html; charset=windows-1252\n\n<a href='http://a.example/caf\xe9'>", []string{"a href|http://a.example/café"}},
		{"mail", "a character set not known here", "Content-Type: text/plain; charset=x-nobody\n\nhttp://a.example/\xe9 x", []string{"|http://a.example/"}},
		{"mail", "flowed with delsp", "Content-Type: text/plain; format=flowed; delsp=yes\n\nhttp://a.example/very/ \nlong end\n", []string{"|http://a.example/very/long"}},
		{"mail", "quoted reply", "Subject: x\n\n> > see <URL:http://a.example/\n> > wrapped>\n", []string{"|http://a.example/wrapped"}},
		{"mail", "multipart", "Content-Type: multipart/alternative; boundary=\"b c\"\n\npre http://a.example/preamble\n--b c\n\nhttp://a.example/plain\n--b c\nContent-Type: text/html\n\n<a href=http://a.example/html>\n--b c--\nhttp://a.example/epilogue\n",
			[]string{"|http://a.example/plain", "a href|http://a.example/html"}},
		{"mail", "message in a message", "Content-Type: message/rfc822\n\nSubject: http://a.example/inner\n\nbody http://a.example/body\n",
			[]string{"header subject|http://a.example/inner", "|http://a.example/body"}},
		{"mbox", "two messages", "From a@b Mon\nSubject: x\n\nhttp://a.example/1\n\nFrom c@d Tue\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=32\n",
			[]string{"|http://a.example/1", "|http://a.example/2"}},

		{"mbox", "a line that begins like one that parts", "From a@b Mon\nSubject: x\n\nFrom here to\n\nFrom there: http://a.example/1\n\nFrom x\nhttp://a.example/2\n",
			[]string{"|http://a.example/1", "|http://a.example/2"}},

		// RFC 8259, section 7.
		{"json", "escaped slashes", `{"u":"http:\/\/a.example\/x"}`, []string{"|http://a.example/x"}},
		{"json", "unicode escapes", `["http://a.example/?a\u0026b","http://a.example/\ud83d\ude00"]`, []string{"|http://a.example/?a&b", "|http://a.example/😀"}},
		{"json", "a page in a string", `{"h":"<a href=\"http://a.example/h\">"}`, []string{"|http://a.example/h"}},
		{"yaml", "plain and quoted", "a: http://a.example/1\nb: \"http://a.example/\\u0032\"\n# http://a.example/3\n", []string{"|http://a.example/1", "|http://a.example/2", "|http://a.example/3"}},
		{"toml", "strings", "a = \"http://a.example/1\"\nb = 'http://a.example/2'\n", []string{"|http://a.example/1", "|http://a.example/2"}},
		// YAML 1.2.2, section 7.3: two single quotes, and an escaped line break.
		{"yaml", "quotes", "a: 'http://a.example/it''s'\nb: \"http://b.example/a\\\n  b\"\n- ? 'http://c.example/''x'''\n- [it's, 'http://d.example/''x', don't: 'http://e.example/']\n'http://f.example/''': !t &a 'http://g.example/''h'\n",
			[]string{"|http://a.example/it's", "|http://b.example/ab", "|http://c.example/'x'", "|http://d.example/'x", "|http://e.example/", "|http://f.example/", "|http://g.example/'h"}},
		{"yaml", "block scalars and comments", "- run: |+2 # it''s\n    x='http://a.example/''y'\n\n    z: 'a''b\n  with: 'http://b.example/it''s' # 'http://c.example/''\n  a: it's 'http://d.example/''\n  b: 'http://e.example/o''clock\n    http://f.example/'\n",
			[]string{"|http://a.example/", "|http://b.example/it's", "|http://c.example/", "|http://d.example/", "|http://e.example/o'clock", "|http://f.example/"}},
		{"yaml", "a quote that nothing closes", "a: 'http://a.example/''x\nb: http://b.example/\\u0032", []string{"|http://a.example/", "|http://b.example/2"}},
		// TOML 1.0, "String".
		{"toml", "strings over lines", "a = \"\"\"http://a.example/\\\n   b \\  \r\n\n  http://b.example/\\u0032\\\n'c\"\"\"\nd = 'http://d.example/\\u0032'\ne = '''\nhttp://e.example/\\u0032'''\nf = \"http://f.example/\\u0032\"",
			[]string{"|http://a.example/b", "|http://b.example/2'c", "|http://d.example/", "|http://e.example/", "|http://f.example/2"}},
		// GNU gettext, "The Format of PO Files".
		{"po", "strings that follow each other", "# see http://a.example/1\n#: x.c:1\nmsgid \"\"\n\"See http://a.example/very/\"\n\"long/p\\\"ath\"\nmsgstr \"\"\n  \"Voir http://b.exa\" \r\n\"mple/x\\n\"\n\"http://c.example/\\n\"\n\n#~ msgid \"\"\n#~ \"http://d.exa\"\n#~ \"mple/\"\nmsgid \"http://e.example/\"\nmsgstr \"x\"\n",
			[]string{"|http://a.example/1", "|http://a.example/very/long/p", "|http://b.example/x", "|http://c.example/", "|http://d.example/", "|http://e.example/"}},
		{"source", "escaped quotes", `a = 'http://a.example/it\'s'; b = 'say \'http://b.example/\''; // it's 'http://c.example/'` + "\nx = r'http://d.example/it\\'s'; y = '", []string{"|http://a.example/it's", "|http://b.example/", "|http://c.example/", "|http://d.example/it"}},
		{"source", "text without escapes", `a = r"http://a.example/\u0041"; b = @"http://b.example/\x41"; c = br'http://c.example/\x41'; d = "http://d.example/\x41"; r = var"http://e.example/\x41"`,
			[]string{"|http://a.example/", "|http://b.example/", "|http://c.example/", "|http://d.example/A", "|http://e.example/A"}},
		{"source", "JSON in text without escapes", `a = r'{"u":"http:\/\/a.example\/?x\u0026y"}'; b = r'"http://b.example/?x\u0026y"'`, []string{"|http://a.example/?x&y", "|http://b.example/?x&y"}},
		{"source", "a line that goes on", "a = \"http://a.example/x\\\ny\\\r\nz\"\n#define B http://b.example/ \\\nc\n", []string{"|http://a.example/xyz", "|http://b.example/"}},
		{"source", "HTML in comments and strings", "/** <a href=\"http://a.example/?x&amp;y&#38;z\">http://a.example/?u&amp;v</a> */ b = \"<img src=\\\"http://b.example/?x&amp;y\\\">\"; c = \"http://c.example/?x&amp;y\"\n",
			[]string{"|http://a.example/?x&y&z", "|http://a.example/?u&v", "|http://b.example/?x&y", "|http://c.example/?x&amp;y"}},
		{"json", "HTML in a string", `{"f":"<a href=\"http://f.example/?a&amp;b\">","g":"\u003ca href=\u0022http://g.example/?a\u0026amp;b\u0022\u003ehttp://g.example/?c\u0026amp;d\u003c/a\u003e","h":"http://h.example/?a&amp;b"}`,
			[]string{"|http://f.example/?a&b", "|http://g.example/?a&b", "|http://g.example/?c&d", "|http://h.example/?a&amp;b"}},
		{"jupyter", "an HTML output", `{"cells":[{"cell_type":"code","outputs":[{"data":{"text/html":["<a href=\"http://d.example/?a=1&amp;b\">"]}}]}]}`, []string{"|http://d.example/?a=1&b"}},
		{"ical", "HTML", "X-ALT-DESC;FMTTYPE=text/html:<a href=\"http://alt.example/?a=1&am\r\n p;b=2\">\r\n", []string{"|http://alt.example/?a=1&b=2"}},
		// java.util.Properties.load.
		{"properties", "escapes", "distributionUrl=https\\://services.a.example/x\\=1\\u0032.zip\nu: http\\://b.example/\\\n    y\nk http://c.example/a\\ b\r\n\\\n\nhttp\\://d.example/=http://e.example/=x",
			[]string{"|https://services.a.example/x=12.zip", "|http://b.example/y", "|http://c.example/a", "|http://d.example/", "|http://e.example/=x"}},
		{"properties", "comments", "# http://a.example/1\\\n  ! http://a.example/\\u0032\nx=http://a.example/3", []string{"|http://a.example/1", "|http://a.example/", "|http://a.example/3"}},
		// RFC 4180, section 2.
		{"csv", "fields", "a,u\n1,http://a.example/x,b\n\"http://a.example/y,z\",http://a.example/1\r\n\"see \"\"http://a.example/q\"\"\nor http://a.example/r\",",
			[]string{"|http://a.example/x", "|http://a.example/y,z", "|http://a.example/1", "|http://a.example/q", "|http://a.example/r"}},
		{"csv", "semicolons", "id;u\n1,5;http://a.example/x,y;z\n2,5;http://a.example/w;\"a;http://a.example/v;w\"\n", []string{"|http://a.example/x,y", "|http://a.example/w", "|http://a.example/v;w"}},
		{"csv", "the mark is named", "sep=|\nhttp://a.example/x,y|http://a.example/z,w", []string{"|http://a.example/x,y", "|http://a.example/z,w"}},
		{"csv", "one record", "1,http://a.example/x,http://a.example/y;z", []string{"|http://a.example/x", "|http://a.example/y;z"}},
		{"csv", "one field", "u\nhttp://a.example/@1,2\nhttp://a.example/y;z\n\"http://a.example/\n", []string{"|http://a.example/@1,2", "|http://a.example/y;z", "|http://a.example/"}},
		{"tsv", "fields", "http://a.example/x,y\thttp://a.example/z\n<http://a.example/\tw>", []string{"|http://a.example/x,y", "|http://a.example/z", "|http://a.example/"}},
		{"source", "strings and comments", "// http://a.example/1\nx := \"http://a.example/2\\n\"\n", []string{"|http://a.example/1", "|http://a.example/2"}},
		{"latex", "escapes", `\href{http://a.example/a\_b\%20c}{x} \url{http://a.example/\~{}u}`, []string{"|http://a.example/a_b%20c", "|http://a.example/~u"}},
		{"ical", "folded", "URL:http://a.example/lo\r\n ng\r\nDESCRIPTION:see http://a.example/d\\, or\r\n", []string{"|http://a.example/long", "|http://a.example/d"}},
		{"rst", "targets", "`x <http://a.example/1>`_\n\n.. _y: http://a.example/2\n", []string{"|http://a.example/1", "|http://a.example/2"}},
		{"rst", "code", "So::\n\n  http://c.example/1\n\n    http://c.example/2\n\nhttp://a.example/3 ``http://c.example/4`` and ``x\nhttp://c.example/5`` end\n\n" +
			".. code-block:: sh\n   :linenos:\n\n   curl http://c.example/6\n\n.. note:: see\n   http://a.example/7\n\na\nb::\nhttp://a.example/8\n\n- item::\n\n      http://c.example/9\n\n  http://a.example/10 `` http://a.example/11\n",
			[]string{"|http://a.example/3", "|http://a.example/7", "|http://a.example/8", "|http://a.example/10", "|http://a.example/11"}},
		{"asciidoc", "code", "Title\n-----\n\nhttp://a.example/1 `http://a.example/2` `+http://c.example/3+`\n\n[source,sh]\n----\nhttp://c.example/4\n....\n----\n\n....\nhttp://c.example/5\n....\n\n" +
			"```go\nhttp://c.example/6\n```\n\n[source]\ncurl http://c.example/7\nhttp://c.example/8\n\nhttp://a.example/9\n\n-----\nhttp://a.example/10\n",
			[]string{"|http://a.example/1", "|http://a.example/2", "|http://a.example/9", "|http://a.example/10"}},
		{"rst", "target over lines", ".. _l: http://a.example/1\n   /2\n\nx_ http://a.example/3\n", []string{"target|http://a.example/1/2", "|http://a.example/3"}},
		{"asciidoc", "escaped", "\\http://a.example/1 \\\\ http://a.example/2[x]\n", []string{"|http://a.example/2"}},
		{"asciidoc", "attributes", ":u: http://a.example\n:v: http://a.example/v\n\n{u}[x] ({u}/y). {u}/z[a b] x{u} {w}/q\n",
			[]string{"|http://a.example/v", "link:|http://a.example", "link:|http://a.example/y", "link:|http://a.example/z"}},
		{"asciidoc", "macro", "http://a.example/1[text] and link:http://a.example/2[x]\n", []string{"|http://a.example/1", "|http://a.example/2"}},

		// XML 1.0; RSS 2.0; sitemaps.org.
		{"xml", "sitemap", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/?a&amp;b</loc></url></urlset>`, []string{"loc|http://a.example/?a&b"}},
		{"xml", "atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.example/a"/></feed>`, []string{"link href|http://a.example/a"}},
		{"xml", "rss with escaped html", `<rss><item><link>http://a.example/1</link><description>&lt;a href="http://a.example/2?x&amp;amp;y"&gt;z&lt;/a&gt;</description></item></rss>`,
			[]string{"link|http://a.example/1", "a href|http://a.example/2?x&y"}},
		{"xml", "cdata", `<r><![CDATA[<a href="http://a.example/c">]]></r>`, []string{"a href|http://a.example/c"}},
		{"xml", "entities do not grow", `<!DOCTYPE r [<!ENTITY a "http://a.example/"><!ENTITY b "&a;&a;">]><r>&b;</r>`, nil},
		{"xml", "a paragraph of runs", `<w:p><w:r><w:t>http://a.exam</w:t></w:r><w:r><w:t>ple/w</w:t></w:r></w:p>`, []string{"w:p|http://a.example/w"}},
		{"xml", "external relationship", `<Relationships xmlns="http://x/"><Relationship Type="http://t/" Target="http://a.example/r" TargetMode="External"/></Relationships>`, []string{"relationship target|http://a.example/r"}},

		{"jupyter", "cells", `{"cells":[{"cell_type":"markdown","source":["[a](http://a.example/\n","m)\n", "[b](http://a.example/b\\_c)"]},{"cell_type":"code","source":["x='http://a.example/code'"]}]}`,
			[]string{"|http://a.example/", "link|http://a.example/b_c", "|http://a.example/code"}},
		{"warc", "response", "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/w>\r\nContent-Length: 74\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=http://a.example/in>xxx\r\n\r\n",
			[]string{"warc target|http://a.example/w", "a href|http://a.example/in"}},
		{"text", "utf-16", "\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00e\x00x\x00/\x00", []string{"|http://a.ex/"}},
	} {
		t.Run(tt.format+"/"+tt.name, func(t *testing.T) {
			f := format.Finder{Format: tt.format}
			var got []string
			last := 0
			for m := range f.Bytes("", []byte(tt.in)) {
				got = append(got, m.Via+"|"+m.URL)
				if m.Start < last || m.End < m.Start || m.End > len(tt.in) || tt.in[m.Start:m.End] != m.Text {
					t.Errorf("span %d:%d of %q is not right", m.Start, m.End, m.URL)
				}
				last = m.Start
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestComments holds that the comments of a document are told, wherever their
// format has them, and that what only looks like one is not.
func TestComments(t *testing.T) {
	for _, tt := range []struct{ format, in, want string }{
		{"html", "<p><!-- a --><b title='<!-- b -->'>&lt;!-- c --><script>'<!-- d -->' // e</script><!--f-->", "a 3:13, f 82:90"},
		{"xml", "<a><!-- a --><![CDATA[ <!-- b --> ]]></a>", "a 3:13"},
		{"markdown", "<!-- a -->\n\nx <!-- b --> y <!--c-->\n\n```\n<!-- d -->\n```\n\n    <!-- e -->\n\n`<!-- f -->`\n", "a 0:10, b 14:24, c 27:35"},
		{"markdown", "[//]: # (a)\n[comment]: # (b)\n\n[x]: # (c)\n\n{/* d */}\nx `{/* e */}`\n", "a 0:11, b 12:28, d 42:51"},
		{"rst", ".. a\n\n.. note:: b\n\n.. _c: d\n\n.. |e| f\n\n  .. g\n\nx::\n\n  .. h\n", "a 0:4, g 41:45"},
		{"asciidoc", "// a\n////\nb\n////\n----\n// c\n----\nx // d\n", "a 0:4, b 5:16"},
	} {
		var got []string
		f := format.Finder{Format: tt.format, Comment: func(c format.Comment) {
			got = append(got, fmt.Sprintf("%s %d:%d", c.Text, c.Start, c.End))
		}}
		for range f.Bytes("", []byte(tt.in)) {
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q: got %s, want %s", tt.format, tt.in, s, tt.want)
		}
	}
}

// TestCode holds that code is read where it is asked for.
func TestCode(t *testing.T) {
	for name, doc := range map[string]string{
		"rst":      "So::\n\n  http://c.example/\n",
		"asciidoc": "----\nhttp://c.example/\n----\n",
		"markdown": "    http://c.example/\n<!-- -->\n<code></code>",
		"html":     "<script>'http://c.example/'</script>",
	} {
		if urls, _ := read(format.Finder{Format: name}, "", []byte(doc)); len(urls) > 0 {
			t.Errorf("%s: %q without Code", name, urls)
		}
		if urls, _ := read(format.Finder{Format: name, Code: true}, "", []byte(doc)); fmt.Sprint(urls) != "[http://c.example/]" {
			t.Errorf("%s: %q with Code", name, urls)
		}
	}
}

func TestSpansPointIntoTheSource(t *testing.T) {
	for _, tt := range []struct{ format, in, text string }{
		{"html", `<a href=" http://a.example/?a&amp;b ">`, `http://a.example/?a&amp;b`},
		{"json", `{"u":"http:\/\/a.example\/x"}`, `http:\/\/a.example\/x`},
		{"mail", "Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=\nx=3D y", "http://a.example/=\nx=3D"},
		{"markdown", "---\nx: y\n---\n[a](http://a.example/a\\_b)", `http://a.example/a\_b`},
		{"markdown", "> see http://a.example/x&amp;y z", `http://a.example/x&amp;y`},
	} {
		f := format.Finder{Format: tt.format}
		var got []string
		for m := range f.Bytes("", []byte(tt.in)) {
			got = append(got, m.Text)
		}
		if len(got) != 1 || got[0] != tt.text {
			t.Errorf("%s %q: got %q, want %q", tt.format, tt.in, got, tt.text)
		}
	}
}

// TestAsciidocNames: a document's own attributes stand for what they say, and
// images are where imagesdir is; the rest is for whoever builds the site.
func TestAsciidocNames(t *testing.T) {
	const in = ":base: http://a.example\n:dir: {base}/d\n:imagesdir: img/\n:base: late\n:no-value:\n" +
		"link:{base}/x[] link:{dir}/y[a] image:i.png[] image::{dir}/j.png[] image::/k.png[] link:{site-url}/z[]\n"
	f := format.Finder{Format: "asciidoc", References: true}
	var got []string
	for m := range f.Bytes("", []byte(in)) {
		got = append(got, m.Text+" "+m.URL)
	}
	want := []string{"{base}/x http://a.example/x", "{dir}/y http://a.example/d/y", "i.png img/i.png",
		"{dir}/j.png http://a.example/d/j.png", "/k.png /k.png", "{site-url}/z {site-url}/z"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestReferences(t *testing.T) {
	for _, tt := range []struct {
		format, in string
		want       []string
	}{
		{"html", `<base href="/d/"><a href="x.html#y"><img src=//b.example/i><a href="#top"><a href="">`, []string{"/d/", "x.html#y", "//b.example/i", "#top"}},
		{"markdown", "[a](docs/x.md#y) ![b](i.png)\n\n[c]: ../z.md\n", []string{"docs/x.md#y", "i.png", "../z.md"}},
		{"css", `a{b:url(i.png)} @import "c.css";`, []string{"i.png", "c.css"}},
		{"rst", "`a <x.html>`_\n\n.. image:: i.png\n.. _t: other.html\n", []string{"x.html", "i.png", "other.html"}},
		{"asciidoc", "link:x.html[a] image::i.png[]\n", []string{"x.html", "i.png"}},
		{"asciidoc", "link:++a b.html++[x] \\link:no.html[x] \\<<no>> 1<<2 >> 3\n", []string{"a b.html"}},
		{"asciidoc", "<<a>> <<b,text>> <<#c>> <<d.adoc>> <<e.adoc#,text>> <<f#g,t>> <<sect-1.2>> << h , t>>\n",
			[]string{"#a", "#b", "#c", "d.adoc", "e.adoc", "f.adoc#g", "#sect-1.2", "#h"}}, // AsciiDoc Language Documentation, "Cross References"
		{"asciidoc", "xref:a[] xref:#b[] xref:c.adoc[] xref:d.adoc#e[x] xref:f#g[] xref:h.html[] xref:i:j.adoc[]\n",
			[]string{"#a", "#b", "c.adoc", "d.adoc#e", "f.adoc#g", "h.html"}},
		{"asciidoc", "image::a.png[link=\"b.html\"] image:c.png[Alt, link=d.html, window=_blank] icon:x[link=f.html] image::e.png[link=self]\n",
			[]string{"a.png", "b.html", "c.png", "d.html", "f.html", "e.png"}},
		{"asciidoc", "----\n<<code>>\n----\n", nil},
		{"rst", ".. note:: see `a <1.html>`_\n\n.. [1] `c <2.html>`_\n\n.. |r| replace:: `d <3.html>`__\n", []string{"1.html", "2.html", "3.html"}},
		{"rst", "__ a.rst\n.. __: b.rst\n.. _`c d`: e.rst\n.. _f\\: g: h.rst\n.. _i: j_\n", []string{"a.rst", "b.rst", "e.rst", "h.rst"}},
		{"rst", ".. image:: a.png\n   :target: b.html\n", []string{"a.png", "b.html"}},
		{"rst", ".. _a: b/\n   c.html\n.. _d: e.html\n\n.. _f:\n   g.html\n\ntext\n", []string{"b/c.html", "e.html", "g.html"}}, // "Hyperlink Targets": over lines
		{"rst", ".. _a: \\\n   b.html\n\n.. image:: c.*\n", []string{"b.html"}},
		{"rst", ":download:`a.zip` :download:`text <b.zip>` :doc:`no` `c <d>` x\n", []string{"a.zip", "b.zip"}},
		{"rst", ".. raw:: html\n\n   <a href=\"a.html\">x</a>\n\n.. raw:: latex\n\n   <a href=\"no.html\">\n", []string{"a.html"}},
		{"html", `<img data-src="a.png" data-srcset="b.png 1x, c.png 2x" src="d.gif"><div data-src="no">`, []string{"a.png", "b.png", "c.png", "d.gif"}},
		{"asciidoc", "link:++a__b.html++[x] include::partial$c.adoc[] xref:1.0@d:e:f.adoc[g]\n", []string{"a__b.html"}},
	} {
		f := format.Finder{Format: tt.format, References: true}
		var got []string
		for m := range f.Bytes("", []byte(tt.in)) {
			got = append(got, m.URL)
			if want := find.Reference; m.Kind != want && !strings.HasPrefix(m.URL, "//") {
				t.Errorf("%q has kind %v", m.URL, m.Kind)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %q: got %q, want %q", tt.format, tt.in, got, tt.want)
		}
	}
}

func TestBase(t *testing.T) {
	var f format.Finder
	for m := range f.Bytes("x.html", []byte(`<base href=" http://a.example/d/ "><base href="http://b.example/"><a href="http://c.example/">`)) {
		if m.Base != "http://a.example/d/" {
			t.Errorf("%q has base %q", m.URL, m.Base)
		}
	}
}

func zipped(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		m, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(m, members[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, name, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Archives name the member, and its offsets count in the unpacked bytes.
func TestArchives(t *testing.T) {
	page := `<a href="http://a.example/p">`
	inner := zipped(t, "deep.md", "[x](http://a.example/deep)")
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"a.zip", zipped(t, "x/p.html", page, "i.png", "http://a.example/no"), []string{"a.zip!/x/p.html:9 http://a.example/p"}},
		{"a.bin", zipped(t, "in.zip", string(inner)), []string{"a.bin!/in.zip!/deep.md:4 http://a.example/deep"}},
		{"p.html.gz", gzipped(t, []byte(page)), []string{"p.html.gz!/p.html:9 http://a.example/p"}},
		{"a.tgz", gzipped(t, tarred(t, "d/p.html", page)), []string{"a.tgz!/a.tar!/d/p.html:9 http://a.example/p"}},
		{"a.docx", zipped(t, "word/document.xml", `<w:p><w:r><w:t>http://a.example/t</w:t></w:r></w:p>`, "[Content_Types].xml", "http://a.example/no",
			"word/_rels/document.xml.rels", `<Relationships><Relationship Target="http://a.example/r" TargetMode="External"/></Relationships>`),
			[]string{"a.docx!/word/document.xml:15 http://a.example/t", "a.docx!/word/_rels/document.xml.rels:37 http://a.example/r"}},
	} {
		var f format.Finder
		var got []string
		for m := range f.Bytes(tt.name, tt.data) {
			got = append(got, fmt.Sprintf("%s:%d %s", m.Source, m.Start, m.URL))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	io.WriteString(w, data)
	w.Close()
	return b.String()
}

func TestPDF(t *testing.T) {
	objects := deflated("1 0 <</S/URI/URI(http://a.example/o\\(1\\))>>")
	page := deflated("BT /F1 12 Tf 0 0 Td [(see ht)-20(tp://a.exam)10(ple/page)]TJ 0 -14 Td <6e6578742068747470733a2f2f622e6578616d706c652f>Tj ET")
	glyphs := deflated("BT <0001000200030004>Tj ET")
	doc := "%PDF-1.5\n1 0 obj <</S /URI /URI (http://a.example/a)>> endobj\n" +
		"2 0 obj <</Type/ObjStm/Filter/FlateDecode>>\nstream\n" + objects + "\nendstream endobj\n" +
		"3 0 obj <</Filter/FlateDecode>>\nstream\r\n" + page + "\nendstream endobj\n" +
		"4 0 obj <</Filter/FlateDecode>>\nstream\n" + glyphs + "\nendstream endobj\n" +
		"5 0 obj <</URI <687474703a2f2f612e6578616d706c652f68>>> endobj\n%%EOF"
	var f format.Finder
	var got []string
	for m := range f.Bytes("x.pdf", []byte(doc)) {
		got = append(got, m.URL)
		if m.Start < 0 || m.End > len(doc) || doc[m.Start:m.End] != m.Text {
			t.Errorf("%q: span %d:%d", m.URL, m.Start, m.End)
		}
	}
	want := []string{"http://a.example/a", "http://a.example/o(1)", "http://a.example/page", "https://b.example/", "http://a.example/h"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPDFText holds how the text of a page is put together: by what its fonts say
// of their codes and widths, and by where it stands.
func TestPDFText(t *testing.T) {
	const cmap = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0068> <0002> <FB01> endbfchar " +
		"2 beginbfrange <0010> <0029> <0061> <0030> <0032> [<003A> <002F> <002E>] endbfrange endcmap"
	// h t t p : / / f l . a / x in the codes above, "fl" as the ligature's neighbour.
	const coded = "<0001 0023 0023 001F 0030 0031 0031 0010 0032 0014 0027 0010 001C 001F 001B 0014 0031 0002>"
	page := func(filter, content string) string {
		return "%PDF-1.7\n1 0 obj <</Type /Pages /Kids [2 0 R] /Resources <</Font <</F1 4 0 R /F2 6 0 R>>>>>> endobj\n" +
			"2 0 obj <</Type /Page /Parent 1 0 R /Contents [3 0 R]>> endobj\n" +
			"3 0 obj <</Length " + strconv.Itoa(len(content)) + filter + ">>\nstream\n" + content + "\nendstream endobj\n" +
			"4 0 obj <</Type /Font /Subtype /Type0 /ToUnicode 5 0 R /DescendantFonts [7 0 R]>> endobj\n" +
			"5 0 obj <</Length 9>>\nstream\n" + cmap + "\nendstream endobj\n" +
			"6 0 obj <</Type /Font /Subtype /Type1 /FirstChar 32 /Widths [" + strings.Repeat("500 ", 96) + "] /Encoding <</Differences [2 /fi /fl 65 /slash /A]>>>> endobj\n" +
			"7 0 obj <</DW 1000 /W [0 [500 500 500] 16 64 500]>> endobj\nstartxref\n9\n%%EOF"
	}
	a85 := func(s string) string {
		var b bytes.Buffer
		w := ascii85.NewEncoder(&b)
		io.WriteString(w, s)
		w.Close()
		return b.String() + "~>"
	}
	show := "BT /F2 10 Tf (http://f.example/) Tj ET"
	for _, tt := range []struct{ name, filter, content, want string }{
		{"codes of two bytes", "", "BT /F1 12 Tf " + coded + " Tj ET", "http://a.example/fi"},
		{"codes and literals in turn", "", "BT /F1 12 Tf 1 0 0 1 0 0 Tm " + coded + " Tj /F2 12 Tf 108 0 Td (/x) Tj ET", "http://a.example/fi/x"},
		{"a font's own encoding", "", "BT /F2 12 Tf (http:AA\\102.e/of\\002ce/\\003ow) Tj ET", "http://A.e/office/flow"},
		{"where it ended", "", "BT /F2 10 Tf (http://a.ex) Tj 55 0 Td (ample/x) Tj ET", "http://a.example/x"},
		{"a kern", "", "BT /F2 10 Tf [(http://a.e)15(xample)-20(/x)-300(y)] TJ ET", "http://a.example/x"},
		{"a blank further on", "", "BT /F2 10 Tf (http://a.ex/) Tj 63 0 Td (x) Tj ET", "http://a.ex/"},
		{"another line", "", "BT /F2 10 Tf 14 TL (http://a.ex/) Tj T* (x) Tj 0 -14 TD (http://b.ex/) Tj (y) ' ET", "http://a.ex/ http://b.ex/"},
		{"set off in the line", "", "BT /F2 10 Tf 1 0 0 1 72 700 Tm (http://www.) Tj 1 0 0 1 127 700 Tm (bank) Tj 1 0 0 1 147 700 Tm (.example/) Tj ET", "http://www.bank.example/"},
		{"in texts of their own", "", "BT /F2 10 Tf 1 0 0 1 72 700 Tm (http://www.) Tj ET BT 1 0 0 1 127 700 Tm (bank.example/) Tj ET", "http://www.bank.example/"},
		{"moved by what is around it", "", "BT /F2 10 Tf (http://a.ex/) Tj ET q 1 0 0 1 9 9 cm BT (x) Tj ET Q", "http://a.ex/"},
		{"ASCII85", "/Filter /ASCII85Decode", a85(show), "http://f.example/"},
		{"ASCII85 around deflate", "/Filter [/ASCII85Decode /FlateDecode]", a85(deflated(show)), "http://f.example/"},
		{"deflate twice", "/Filter [ /FlateDecode/Fl ]", deflated(deflated(show)), "http://f.example/"},
		{"hexadecimal", "/Filter /AHx", hex.EncodeToString([]byte(show)) + ">", "http://f.example/"},
		{"runs", "/Filter/RunLengthDecode", string([]byte{byte(len(show) - 1)}) + show + "\x80", "http://f.example/"},
		{"a coding of images", "/Filter /LZWDecode", "\x80\x0b", "note: a stream of the PDF file is in a coding that is not read: LZWDecode"},
	} {
		doc := page(tt.filter, tt.content)
		var got []string
		f := format.Finder{Note: func(n format.Note) { got = append(got, "note: "+n.Says) }}
		for m := range f.Bytes("a.pdf", []byte(doc)) {
			got = append(got, m.URL)
			if m.Text != doc[m.Start:m.End] || m.Text != "3 0 obj" {
				t.Errorf("%s: %q stands at %q", tt.name, m.URL, m.Text)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What cannot be read is told, with its place; what could be read is answered.
func TestNotes(t *testing.T) {
	bomb := gzipped(t, bytes.Repeat([]byte{' '}, 1<<20))
	nest := []byte("http://a.example/")
	for range 12 {
		nest = gzipped(t, nest)
	}
	for _, tt := range []struct {
		what, name string
		data       []byte
		limits     format.Limits
		urls       int
		says       string
	}{
		{"binary", "x.bin", []byte("\x7fELF\x00http://a.example/"), format.Limits{}, 0, "binary"},
		{"cut archive", "x.zip", zipped(t, "a.txt", "http://a.example/")[:40], format.Limits{}, 0, "zip archive cannot be read by its directory"},
		{"a zip without its directory", "x.zip", withoutDirectory(zipped(t, "a.txt", "http://a.example/", "b.html", "<a href=http://b.example/>", "c.txt", "http://c.example/")), format.Limits{}, 3, "by its directory"},
		{"a zip behind a script", "x.jar", append([]byte("#!/bin/sh\nexec java -jar $0\nexit\n"), zipped(t, "a.txt", "http://a.example/")...), format.Limits{}, 1, ""},
		{"no zip but by its name", "x.zip", []byte("\x00\x01\x02\x03\x04 http://a.example/"), format.Limits{}, 0, "binary"},
		{"text with a zip's name", "x.zip", []byte("http://a.example/"), format.Limits{}, 1, ""},
		{"cut in a member", "x.zip", zipped(t, "a.txt", "http://a.example/ "+strings.Repeat("x", 100))[:60], format.Limits{}, 1, "a.txt: unexpected EOF"},
		{"cut gzip", "x.txt.gz", gzipped(t, []byte("http://a.example/ "+strings.Repeat("x", 100)))[:60], format.Limits{}, 1, "to its end"},
		{"too much unpacked", "x.gz", bomb, format.Limits{Expanded: 1000}, 0, "larger than the limit"},
		{"too deep", "x.gz", nest, format.Limits{}, 0, "deeper than the limit"},
		{"too many members", "x.zip", zipped(t, "a.txt", "http://a.example/", "b.txt", "http://b.example/"), format.Limits{Entries: 1}, 1, "more members than the limit"},
		{"cut WARC", "x.warc", []byte("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 900\r\n\r\nhttp://a.example/ cut"), format.Limits{}, 1, "record is cut short"},
		{"WARC without a length", "x.warc", []byte("WARC/1.0\r\nWARC-Type: resource\r\n\r\nhttp://a.example/\r\n\r\nWARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 17\r\n\r\nhttp://b.example/\r\n\r\n"), format.Limits{}, 1, "gives no length"},
		{"open multipart", "x.eml", []byte("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n"), format.Limits{}, 1, "never closed"},
	} {
		var notes []string
		f := format.Finder{Limits: tt.limits, Note: func(n format.Note) { notes = append(notes, n.Source+": "+n.Says) }}
		n := 0
		for range f.Bytes(tt.name, tt.data) {
			n++
		}
		said := slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, tt.says) })
		if n != tt.urls || said == (tt.says == "") {
			t.Errorf("%s: %d URLs, notes %q; want %d and %q", tt.what, n, notes, tt.urls, tt.says)
		}
	}
}

// withoutDirectory is a zip archive as a download leaves it that broke off behind
// the last member.
func withoutDirectory(archive []byte) []byte {
	return archive[:bytes.Index(archive, []byte("PK\x01\x02"))]
}

// Limits end one thing, and say which: what comes behind it is read or counted.
func TestLimits(t *testing.T) {
	text := strings.Repeat(" ", 2000) + "\nhttp://late.example/\n"
	var four bytes.Buffer
	tw := tar.NewWriter(&four)
	for i := range 4 {
		body := strings.Repeat("x", 4000) + fmt.Sprintf("\nhttp://a.example/%d\n", i)
		if err := tw.WriteHeader(&tar.Header{Name: fmt.Sprint("f", i, ".txt"), Size: int64(len(body)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(tw, body)
	}
	tw.Close()
	for _, tt := range []struct {
		what, name string
		data       []byte
		limits     format.Limits
		urls       string
		notes      string
	}{
		{"all but the first", "a.zip", zipped(t, "a.txt", text, "b.txt", text, "c.txt", text), format.Limits{Expanded: 2500}, "http://late.example/",
			"a.zip: b.txt: unpacked data is larger than the limit of 2.4 KiB|a.zip: unpacked data is larger than the limit of 2.4 KiB; members not read: 1"},
		{"just enough", "a.zip", zipped(t, "a.txt", text), format.Limits{Expanded: int64(len(text))}, "http://late.example/", ""},
		{"plain text is not held", "a.zip", zipped(t, "a.txt", text), format.Limits{Document: 1000}, "http://late.example/", ""},
		{"a page is", "a.zip", zipped(t, "a.html", "<a href='http://a.example/?a&amp;b'>"+text), format.Limits{Document: 1000}, "http://a.example/?a&amp;b http://late.example/",
			"a.zip: a.html: the document is larger than the limit of 1000 B, and is read as plain text"},
		{"a packed tar counts once", "a.tar.gz", gzipped(t, four.Bytes()), format.Limits{Expanded: int64(four.Len())}, "http://a.example/0 http://a.example/1 http://a.example/2 http://a.example/3", ""},
		{"a packed tar is read as far as it may", "a.tar.gz", gzipped(t, four.Bytes()), format.Limits{Expanded: 10_000}, "http://a.example/0 http://a.example/1",
			"a.tar.gz: the gzip data cannot be read to its end: unpacked data is larger than the limit of 9.8 KiB"},
		{"a tar counts for nothing", "a.tar", four.Bytes(), format.Limits{Expanded: 1}, "http://a.example/0 http://a.example/1 http://a.example/2 http://a.example/3", ""},
	} {
		var notes, urls []string
		f := format.Finder{Limits: tt.limits, Note: func(n format.Note) {
			notes = append(notes, n.Source+": "+n.Says)
			if n.Damaged {
				t.Errorf("%s: %q is told as damage", tt.what, n.Says)
			}
		}}
		for m := range f.Bytes(tt.name, tt.data) {
			urls = append(urls, m.URL)
		}
		if got := strings.Join(urls, " "); got != tt.urls || strings.Join(notes, "|") != tt.notes {
			t.Errorf("%s:\n got %s, %q\nwant %s, %q", tt.what, got, notes, tt.urls, tt.notes)
		}
	}
}

// Crawlers keep answers as they came, or taken apart with the fields still there.
func TestWARCBodies(t *testing.T) {
	page := "<p>http://a.example/x y</p>"
	for _, tt := range []struct{ what, fields, body, want, says string }{
		{"chunks", "Transfer-Encoding: chunked\r\n", "e;a=b\r\n<p>http://a.ex\r\nD\r\nample/x y</p>\r\n\r\n0\r\n\r\n", "a.warc http://a.example/x", ""},
		{"cut in a chunk", "Transfer-Encoding: chunked\r\n", "ff\r\n" + page, "a.warc http://a.example/x", ""},
		{"no chunks", "Transfer-Encoding: chunked\r\n", page, "a.warc http://a.example/x", ""},
		{"a chunk without a size", "Transfer-Encoding: chunked\r\n", "3\r\n<p>\r\nx\r\n" + page, "", ""},
		{"gzip", "Content-Encoding: gzip\r\n", string(gzipped(t, []byte(page))), "a.warc!/p.html http://a.example/x", ""},
		{"deflate", "Content-Encoding: deflate\r\n", deflated(page), "a.warc!/p.html http://a.example/x", ""},
		{"zstd", "Content-Encoding: zstd\r\n", string(zstandard(t, page)), "a.warc!/p.html http://a.example/x", ""},
		{"decoded", "Content-Encoding: gzip\r\n", page, "a.warc http://a.example/x", ""},
		{"brotli", "Content-Encoding: br\r\n", "\x0b\x0d\x80", "", "a coding that is not read: br"},
		{"cut gzip", "Content-Encoding: gzip\r\n", string(gzipped(t, []byte(page)))[:12], "", "cannot be read to its end"},
	} {
		answer := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + tt.fields + "\r\n" + tt.body
		data := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://b.example/p?q\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(answer), answer)
		var got, notes []string
		f := format.Finder{Note: func(n format.Note) { notes = append(notes, n.Says) }}
		for m := range f.Bytes("a.warc", []byte(data)) {
			if m.Source == "a.warc" && m.Text != data[m.Start:m.End] {
				t.Errorf("%s: %q stands where %q is said to", tt.what, data[m.Start:m.End], m.Text)
			}
			if m.URL != "http://b.example/p?q" {
				got = append(got, m.Source+" "+m.URL)
			}
		}
		if strings.Join(got, ", ") != tt.want || !strings.Contains(strings.Join(notes, "; "), tt.says) {
			t.Errorf("%s: got %q, notes %q; want %q, %q", tt.what, got, notes, tt.want, tt.says)
		}
	}
}

// A reader gives what the bytes give, and its own error last.
func TestReader(t *testing.T) {
	page := `<a href="http://a.example/p">` + strings.Repeat(" ", 100_000) + `<a href="http://b.example/">`
	for _, tt := range []struct{ name, data string }{{"x.html", page}, {"x.txt", page}, {"", ""}} {
		var f format.Finder
		var want, got []string
		for m := range f.Bytes(tt.name, []byte(tt.data)) {
			want = append(want, fmt.Sprint(m.URL, m.Start, m.Line, m.Col))
		}
		for m, err := range f.Reader(tt.name, iotest.OneByteReader(strings.NewReader(tt.data))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(m.URL, m.Start, m.Line, m.Col))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: reader gives %q, bytes give %q", tt.name, got, want)
		}
	}
	var f format.Finder
	var last error
	for _, err := range f.Reader("x.txt", iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("http://a.example/ x")))) {
		last = err
	}
	if last == nil {
		t.Error("the reader's error is lost")
	}
}

func TestOf(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"README.md", "# x", "markdown"},
		{"x.HTML", "", "html"},
		{"gradle-wrapper.properties", "#x", "properties"},
		{"x.csv", "a,b", "csv"},
		{"de.po", "", "po"},
		{"", "# Translation\n#\nmsgid \"\"\nmsgstr \"\"\n", "po"},
		{"x.TSV", "a\tb", "tsv"},
		{"", "a,b\n1,2\n", "text"},
		{"README", "x", "text"},
		{"", "<!DOCTYPE html>", "html"},
		{"", "<?xml version='1.0'?><rss>", "xml"},
		{"", `{"a":1}`, "json"},
		{"", "Received: from x\nSubject: y\n\nz", "mail"},
		{"", "From x@y Mon\nReceived: a\n\nb", "mbox"},
		{"", "Note: this\nis text", "text"},
		{"x.txt", "\x00\x01", "binary"},
		{"x.zip", "no zip", "zip"},
		{"picture.txt", "%PDF-1.4", "pdf"},
		{"x.docx", "PK\x03\x04", "zip"},
		{"a.weird", "plain words", "text"},
		{"Makefile", "all:", "source"},
		{"C:\\dir\\x.md", "", "markdown"},
	} {
		if got := format.Of(tt.name, []byte(tt.head)); got != tt.want {
			t.Errorf("Of(%q, %q) = %q, want %q", tt.name, tt.head, got, tt.want)
		}
	}
}

func FuzzFormats(f *testing.F) {
	for _, name := range format.Formats() {
		f.Add(name, []byte("<a href=\"http://a.example/&amp;\">[x](http://b.example/\\_y) url(http://c.example/\\2f ) =3D"))
		f.Add(name, []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n--b--\n"))
		f.Add(name, []byte("%PDF-1.4\n1 0 obj<</Filter/FlateDecode>>stream\n"+deflated("BT (http://a.example/)Tj ET")+"\nendstream <</URI(http://b.example/\\051)>>"))
		f.Add(name, []byte(`{"cells":[{"cell_type":"markdown","source":["[a](http:\/\/a.example)"]}]}`))
		f.Add(name, []byte("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 40\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhttp://a.example/ "))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		fd := format.Finder{Format: name, References: true, Code: true, Options: find.Options{Relaxed: true},
			Limits: format.Limits{Depth: 4, Entries: 100, Expanded: 1 << 20}}
		last := 0
		for m := range fd.Bytes("s", data) {
			if m.Source != "s" {
				continue // a member of an archive: its bytes are not at hand
			}
			if m.Start < last || m.End < m.Start || m.End > len(data) || string(data[m.Start:m.End]) != m.Text {
				t.Fatalf("%s: span %d:%d of %q", name, m.Start, m.End, m.URL)
			}
			last = m.Start
		}
	})
}

// The labelled cases of a format, where they are at hand.
func TestLabelledCases(t *testing.T) {
	data, err := os.ReadFile("../../../shared/data/find-cases.jsonl")
	if err != nil {
		t.Skip("the labelled cases are not here: ", err)
	}
	for line := range bytes.Lines(data) {
		var c struct {
			ID, Text, Mode, Grade string
			Expected              [][3]any
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Mode == "text" {
			continue
		}
		f := format.Finder{Format: c.Mode, Options: find.Options{Relaxed: true}}
		var got [][3]any
		for m := range f.Bytes("", []byte(c.Text)) {
			got = append(got, [3]any{float64(m.Start), float64(m.End), m.URL})
		}
		if !slices.Equal(got, c.Expected) {
			t.Errorf("%s (%s): got %v, want %v", c.ID, c.Grade, got, c.Expected)
		}
	}
}
