package format_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"anyurl/find"
	"anyurl/find/format"

	"github.com/klauspost/compress/zstd"
)

// hostile are texts that make careless readers take more than linear time or
// memory, to be repeated.
var hostile = map[string][]string{
	"markdown":   {"[", "![", "[a](", "*a_", "*a **a ", "_a __a ", "> ", "- ", "1. ", "* a\n ", "`", "`a``", "<", "<a ", "<!--", "<?", "<![CDATA[", "[a]: b\n", "[a]\n", "[a][", "](", "a](<b", "&", "\\", "|a", "|a|\n|-|\n", "~~a ~", "**a*", "[[a]](", "\t", "#", "- - ", ">\n", "http://a.example/ ", "[a]: <b\n", "<http://a", "(", "[x](((", "]", "[]()", "a\n=\n", "***", "<div>\n", "\"", "[a]: b 'c\n", "[a](b 'c", "```\n", "\x00", "é*", "a**b", "a*b_", "*_", "x\n\n"},
	"html":       {"<meta content=a ", "<", "<a ", "<a href=", "<a href='", "<!--", "<script>", "<iframe srcdoc='", "&", "&#", "&#x1", "&amp;", "<style>", "<img srcset='a,", "<svg>", "</", "<!", "<?", "<a a=b c=d ", "<template>", "<textarea>", "<noscript>", "<p style='", "<div a:", "http://a.example/ "},
	"xml":        {"<a", "<a>", "</a>", "<![CDATA[", "<![CDATA[<p>]]>", "<!--", "<?", "<!DOCTYPE a [", "<!ENTITY a '&b;&b;'>", "&lt;", "&lt;p>", "<w:r>", "<w:t>&lt;p</w:t>", "<a b='", "<Relationship Target='x' ", "<a b='c' "},
	"css":        {"url(", "url(a", "/*", "\"", "'", "@import ", "(", "a(", "\\", "url(\\", "/**/", "image-set(\"a\"", "@a"},
	"json":       {"href=\\\"&amp;", "\\u0026amp;", ">&amp;", "[", "{\"a\":", "\"", "\\", "\\u", "\\/", "\\u0026", "\"http:\\/\\/a.example\\/\","},
	"source":     {"\\'", "'\\'", "r'\\", "\"\\\n", "href=\"&amp;", "&amp;", ">&amp;", "`", "\"\"\"", "\\", "\\x41", "\\u{", "'", "\"", "/*", "//"},
	"jupyter":    {"{\"cells\":[", "[", "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"[\",", "\""},
	"rst":        {"`", "`a <", ".. _a: ", ".. image:: a\n", "`a <b>`_", "\\", "<", "``", "a::\n", "a::\n\n  b\n", ".. code::\n", "a\n"},
	"asciidoc":   {"[", "{", "link:{", ":a: {a}{a}\n", "link:", "link:a[", "image::", "image::a[]", "include::", "xref:a", "\\", "http://[", "----\n", "```a\n", "[source]\n", "`+", "a\n----\n"},
	"latex":      {"\\", "\\textasciitilde", "{", "%", "\\%"},
	"ical":       {"a\n ", "\n ", "\\", "URL:http://a.example/\n "},
	"mail":       {"a: ", "a: b\n", "\n ", "a: =?", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "Content-Type: message/rfc822\n\n", "a: =?utf-8?q?=41?=", "Subject: =?utf-8?b?YQ==?= ", "Content-Type: a/b; ", "Content-Type: a/b;a*0=b;a*1=c;"},
	"mbox":       {"From a\n\n", "From ", "\n", "From a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n"},
	"pdf":        {"stream\n", "stream\nendstream ", "/FlateDecode stream\n\x78\x9cendstream ", "/URI", "/URI(", "/URI<", "/URI(a)", "BT (", "1 0 obj<<>>stream\nBT(a)Tj ET\nendstream", "1 0 obj<</Filter/FlateDecode>>stream\n\x78\x9c\x03\x00endstream\n", "<", "(", "\\", "/ObjStm stream\n/URI(a)endstream "},
	"warc":       {"WARC/1.0\r\n", "WARC/1.0\r\nContent-Length: 0\r\n\r\n", "WARC/1.0\nWARC-Type: response\nContent-Length: 9\n\n", "a\n"},
	"zip":        {"PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK"},
	"tar":        {"\x00", "a", "ustar"},
	"gzip":       {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\x1f\x8b\x08"},
	"bzip2":      {"BZh9", "BZh91AY&SY", "BZh9\x17rE8P\x90\x00\x00\x00\x00"},
	"zstd":       {"\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd\x00\x00\x01\x00\x00", "\x50\x2a\x4d\x18\x00\x00\x00\x00"},
	"yaml":       {"'a''\n", "- ''''", "\"\\\n", "- |\n", "\\|\n", "a: '\\", "[", "{", "- ", "? ", "a: ", "&a [*a,", "*a ", "!!a ", "|\n ", "\"", "'", "''", "\"\\x41", "# ", "---\n", "a\n\n "},
	"toml":       {"\"\"\"\\\n", "\"\"\"a\\", "'\\'", "'''\\", "\"\\\n", "[", "[[a]]\n", "a.", "a = [", "a = {", "\"", "\"\"\"", "'''", "\"\\u0041", "# "},
	"po":         {"msgid \"\"\n", "\"a\"\n", "\"\n", "#~ \"a\"\n", "\"", "\\\"", "\\\n", "#\n", "\"\"\n\n"},
	"properties": {"\\", "a\\\n", "=", "\\u0041", "a=b\n", "#", "\r"},
	"csv":        {",", "\"", "\"\"", ",\"", "\"a\",", "\n", "\",\"\"\",", "a\"\n\","},
	"tsv":        {"\t", "\"", "\t\"", "\"\"\t", "a\t\n"},
	"text":       {"http://", "<URL:"},
}

// TestHostile holds that a document of nothing but what is hard costs memory in
// proportion to its length. What takes quadratic time takes minutes here.
func TestHostile(t *testing.T) {
	const size = 1 << 19
	for _, name := range format.Formats() {
		if hostile[name] == nil {
			t.Errorf("nothing hostile for %s", name)
		}
	}
	for name, parts := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, part := range parts {
				data := []byte(strings.Repeat(part, size/len(part)))
				fd := format.Finder{Format: name, References: true, Code: name != "rst" && name != "asciidoc", Options: find.Options{Relaxed: true}}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range fd.Bytes("s", data) {
				}
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; used > size*4096 {
					t.Errorf("%q: %d bytes allocated for each of the document's", part, used/size)
				}
			}
		})
	}
}

// read gives what is found in data, and what was noted.
func read(fd format.Finder, name string, data []byte) (urls, notes []string) {
	fd.Note = func(n format.Note) { notes = append(notes, n.Says) }
	for m := range fd.Bytes(name, data) {
		urls = append(urls, m.URL)
	}
	return urls, notes
}

func noted(notes []string, what string) bool {
	return strings.Contains(strings.Join(notes, "\n"), what)
}

// bomb is bzip2 of a link and 2 Mi times "a ", by its own program.
func bomb(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWQjXqDkG3cKZgEABgBAiRkRAIABUQ0ANBNVTRoyGOoEQiZzzvKCIRMcfb1rsEgnzFBWSZTWb4nl5wDbuMRAEAAIAAgADCATUaKhCJhUIROYoKyTKaym8GsZgbdxiIAgABAAEAAYQCajCoQiaKhCJzFBWSZTWb4nl5wDbuMRAEAAIAAgADCATUaKhCJhUIROYoKyTKayZEPaogkR3SIAgABAAEAAYQCajBCpUrBCpUri7kinChIAtXS6A")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// zstandard packs text.
func zstandard(t *testing.T, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

func TestBombs(t *testing.T) {
	small := format.Finder{Limits: format.Limits{Depth: 3, Entries: 50, Expanded: 1 << 20}}
	const link = "http://a.example/ "

	// What expands to more than it may is read as far as it may.
	const more = 2 << 20
	text := link + strings.Repeat("a ", more)
	for name, data := range map[string][]byte{
		"a.zip":     zipped(t, "a.txt", text),
		"a.gz":      gzipped(t, []byte(text)),
		"a.zst":     zstandard(t, text),
		"a.bz2":     bomb(t), // bzip2 of the same text
		"a.docx":    zipped(t, "word/document.xml", "<w:document><w:p><w:r><w:t>"+link+strings.Repeat("a ", more)+"</w:t></w:r></w:p></w:document>"),
		"a.pdf":     []byte("%PDF-1.4\n1 0 obj<</URI(http://a.example/)>>endobj\n2 0 obj<</Filter/FlateDecode>>stream\n" + deflated("BT ("+strings.Repeat("a ", more)+")Tj ET") + "\nendstream\nendobj\nstartxref\n9\n%%EOF\n"),
		"a.eml":     []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + link + "\n--b\nContent-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(gzipped(t, []byte(strings.Repeat("a ", more)))) + "\n--b--\n"),
		"a.warc.gz": gzipped(t, []byte("WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: "+fmt.Sprint(len(text))+"\r\n\r\n"+text+"\r\n\r\n")),
	} {
		urls, notes := read(small, name, data)
		if len(urls) != 1 || !noted(notes, "larger than the limit") {
			t.Errorf("%s: %q, %q", name, urls, notes)
		}
	}

	// Archives in archives, each holding the next several times: the limits on
	// depth and members are for all of them together.
	data := zipped(t, "a.txt", link)
	for range 6 {
		var members []string
		for i := range 10 {
			members = append(members, fmt.Sprint(i, ".zip"), string(data))
		}
		data = zipped(t, members...)
	}
	urls, notes := read(small, "a.zip", data)
	if len(urls) != 0 || !noted(notes, "deeper than the limit") || !noted(notes, "more members than the limit") {
		t.Errorf("a tree of archives: %d URLs, notes %q", len(urls), notes[:min(len(notes), 3)])
	}

	// A zip that holds itself, byte for byte: it has no end but the limit's.
	quine := quineZip()
	archive, err := zip.NewReader(bytes.NewReader(quine), int64(len(quine)))
	if err != nil {
		t.Fatal(err)
	}
	member, err := archive.Open("a.zip")
	if err != nil {
		t.Fatal(err)
	}
	if inside, err := io.ReadAll(member); err != nil || !bytes.Equal(inside, quine) {
		t.Fatalf("the zip holds %d bytes, not itself; %v", len(inside), err)
	}
	if urls, notes := read(format.Finder{}, "a.zip", quine); len(urls) != 0 || len(notes) != 1 || !noted(notes, "deeper than the limit") {
		t.Errorf("a zip that holds itself: %d URLs, notes %q", len(urls), notes)
	}

	// Messages in messages.
	mail := "Content-Type: text/plain\n\n" + link
	for i := range 40 {
		mail = fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d.\n\n--b%[1]d.\nContent-Type: message/rfc822\n\n%s\n--b%[1]d.--\n", i, mail)
	}
	if _, notes := read(format.Finder{Format: "mail"}, "", []byte(mail)); !noted(notes, "deeper than the limit") {
		t.Errorf("a tower of messages: %q", notes)
	}
	coded := link
	for range 20 {
		coded = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(coded))
	}
	if _, notes := read(format.Finder{Format: "mail"}, "", []byte(coded)); !noted(notes, "deeper than the limit") {
		t.Errorf("a tower of encodings: %q", notes)
	}

	// XML's entities are not expanded.
	xml := "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'http://b.example/'>"
	for c := 'b'; c < 'z'; c++ {
		xml += fmt.Sprintf("<!ENTITY %c '%s'>", c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	xml += "]><a href='http://a.example/'>&y;</a>"
	if urls, _ := read(format.Finder{Format: "xml"}, "", []byte(xml)); len(urls) != 1 || urls[0] != "http://a.example/" {
		t.Errorf("entities: %q", urls)
	}

	// PDF objects that refer to themselves, and a stream without an end.
	pdf := "%PDF-1.7\n1 0 obj<</Kids[1 0 R]/Parent 1 0 R/Length 1 0 R>>endobj\n2 0 obj<</URI(http://a.example/)/Next 2 0 R>>endobj\n3 0 obj<</Length 9>>stream\nBT(http://b.example/)Tj ET"
	if urls, notes := read(format.Finder{}, "a.pdf", []byte(pdf)); len(urls) != 2 || !noted(notes, "never closed") {
		t.Errorf("PDF: %q, %q", urls, notes)
	}

	// What stands behind a gzip member and is none.
	if urls, notes := read(format.Finder{}, "a.txt.gz", append(gzipped(t, []byte(link)), "garbage"...)); len(urls) != 1 || len(notes) != 1 {
		t.Errorf("gzip with a tail: %q, %q", urls, notes)
	}
}

// TestDamagedPDF holds that a PDF file that is none, or not all of one, is told as
// damaged, and one that is whole is not.
func TestDamagedPDF(t *testing.T) {
	const whole = "%PDF-1.4\n1 0 obj\n<</URI(http://a.example/)>>\nendobj\nxref\n0 0\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n"
	for doc, want := range map[string]string{
		whole:                     "",
		"%PDF-1.4\ngarbage":       "the PDF file breaks off",
		whole[:60]:                "the PDF file breaks off",
		"# Links\n\n[a](dead.md)": "it is no PDF file",
	} {
		got := ""
		f := format.Finder{Format: "pdf", Note: func(n format.Note) {
			if n.Damaged {
				got += n.Says
			}
		}}
		for range f.Bytes("x.pdf", []byte(doc)) {
		}
		if got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// TestLongText holds that text between tags is read whole, however long, and what
// follows it too.
func TestLongText(t *testing.T) {
	long := strings.Repeat("a line of text\n", 100_000)
	for doc, want := range map[string]string{
		long + "http://a.example/ <a href=http://b.example/>" + long + "http://c.example/":            "[http://a.example/ http://b.example/ http://c.example/]",
		"<script>" + long + "http://a.example/</script>" + long + "<p title='<'>http://b.example/":    "[http://a.example/ http://b.example/]",
		"<title>" + long + "<a href=http://a.example/></title>" + long + "<a href=http://b.example/>": "[http://a.example/ http://b.example/]",
	} {
		if urls, notes := read(format.Finder{Format: "html", Code: true}, "", []byte(doc)); fmt.Sprint(urls) != want || len(notes) > 0 {
			t.Errorf("got %q, want %s; notes %q", urls, want, notes)
		}
	}
}

// TestLongMembers holds that a long text in an archive is read as it comes, in
// constant memory, and gives what a short one does; a budget ends it.
func TestLongMembers(t *testing.T) {
	text := strings.Repeat(strings.Repeat(" ", 1023)+"\n", 64<<10) + "see http://a.example/x\n"
	for name, data := range map[string][]byte{
		"a.zip": zipped(t, "b.txt", text, "c.txt", "http://c.example/"),
		"a.gz":  gzipped(t, []byte(text)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var got []string
		fd := format.Finder{}
		for m := range fd.Bytes(name, data) {
			got = append(got, fmt.Sprint(m.Source, " ", m.URL, " ", m.Start, " ", m.Line, ":", m.Col))
		}
		runtime.ReadMemStats(&after)
		want := "[a.zip!/b.txt http://a.example/x 67108868 65537:5 a.zip!/c.txt http://c.example/ 0 1:1]"
		if name == "a.gz" {
			want = "[a.gz!/a http://a.example/x 67108868 65537:5]"
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, want %s", name, got, want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: %d bytes allocated for a text of %d", name, used, len(text))
		}
		small := format.Finder{Limits: format.Limits{Expanded: 32 << 20}}
		if urls, notes := read(small, name, data); len(urls) > 0 || !noted(notes, "larger than the limit") {
			t.Errorf("%s beyond the budget: %q, %q", name, urls, notes)
		}
	}
}

// TestCutShort holds that a document that breaks off anywhere gives no more than
// the whole of it, and no panic.
func TestCutShort(t *testing.T) {
	for name, data := range map[string][]byte{
		"a.zip":   zipped(t, "a.html", "<a href='http://a.example/'>", "b.xml", "<a href='http://b.example/'/>"),
		"a.tar":   tarred(t, "a.txt", "http://a.example/ "),
		"a.gz":    gzipped(t, []byte("http://a.example/ ")),
		"a.html":  []byte("<base href='http://a.example/'><a href=\"x\"><script>'http:\\/\\/b.example'</script><style>a{b:url(c)}</style><!-- x -->"),
		"a.md":    []byte("---\na: b\n---\n[a](http://a.example/\\_) <http://b.example/> ![x][y]\n\n[y]: <z> 't'\n\n> - 1. `a`\n\n```\nx\n```\n"),
		"a.xml":   []byte("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a href='&#x68;ttp://a.example/'><![CDATA[<p>http://b.example/</p>]]></a>"),
		"a.css":   []byte("@import 'a';/* http://a.example/ */b{c:url(\\68 ttp://b.example/);d:image-set(\"e\" 1x)}"),
		"a.json":  []byte(`{"a":"http:\/\/a.example\/\u00e9\ud83d\ude00"}`),
		"a.ipynb": []byte(`{"cells":[{"cell_type":"markdown","source":["[a](http:\/\/a.example)\n","b"]},{"cell_type":"code","source":"x"}]}`),
		"a.eml":   []byte("Subject: =?utf-8?b?aHR0cDovL2EuZXhhbXBsZS8=?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: quoted-printable\n\nhttp=\n://b.example/=3D\n--b--\n"),
		"a.pdf":   []byte("%PDF-1.4\n1 0 obj<</Filter/FlateDecode>>stream\n" + deflated("BT [(http://a)-3(.example/)]TJ ET") + "\nendstream <</URI(http://b.example/\\051)>>"),
		"a.warc":  []byte("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/>\r\nContent-Length: 40\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhttp://b.example/    \r\n\r\n"),
		"a.ics":   []byte("BEGIN:VCALENDAR\r\nURL:http://a.exa\r\n mple/\\,\r\n"),
		"u.txt":   []byte("\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00/\x00\x3d\xd8\x00\xde"),
	} {
		for n := range len(data) + 1 {
			fd := format.Finder{References: true, Code: true, Format: format.Of(name, data)}
			last := 0
			for m := range fd.Bytes(name, data[:n]) {
				if !strings.Contains(m.Source, "!/") && (m.Start < last || m.End > n || m.Text != string(data[m.Start:m.End])) {
					t.Fatalf("%s, %d bytes of it: %+v", name, n, m)
				}
				last = m.Start
			}
		}
	}
}

// TestOneToken holds that a token of 64 MiB is read in every format in which
// one may stand.
func TestOneToken(t *testing.T) {
	if testing.Short() {
		t.Skip("a token of 64 MiB")
	}
	token := strings.Repeat("a", 64<<20)
	for name, around := range map[string][2]string{
		"html":     {"<a href='", "'>http://a.example/"},
		"xml":      {"<a b='", "'/>http://a.example/"},
		"css":      {"a{b:url(", ")} /* http://a.example/ */"},
		"json":     {`["`, `","http://a.example/"]`},
		"markdown": {"[a](", ")\n\nhttp://a.example/"},
		"mail":     {"Subject: ", "\n\nhttp://a.example/"},
		"pdf":      {"/URI(", ") /URI(http://a.example/)"},
		"text":     {"http://", "/x http://a.example/"},
	} {
		urls, _ := read(format.Finder{Format: name}, "", []byte(around[0]+token+around[1]))
		if len(urls) == 0 || urls[len(urls)-1] != "http://a.example/" {
			t.Errorf("%s: %d URLs", name, len(urls))
		}
	}
}

// TestHostileMarkdown holds that a paragraph that cannot be parsed in good time
// is read as text, with a note, and what is around it as ever.
func TestHostileMarkdown(t *testing.T) {
	pad := strings.Repeat("A line of the document's text.\n\n", 2000)
	doc := "[a](../x)\n\n" + pad + strings.Repeat("[a](", 5000) + " http://a.example/\n\n" + pad + "[b](../y)\n"
	urls, notes := read(format.Finder{Format: "markdown", References: true}, "", []byte(doc))
	if want := "[../x http://a.example/ ../y]"; fmt.Sprint(urls) != want {
		t.Errorf("got %v, want %s", urls, want)
	}
	if len(notes) != 1 || !noted(notes, "read as plain text") {
		t.Errorf("notes: %q", notes)
	}
}

// TestLongMarkdown holds that a document that is read in chunks gives what its
// parts give: references across chunks, fences and HTML blocks over many.
func TestLongMarkdown(t *testing.T) {
	lines := strings.Repeat("A line.\n\n", 10_000)
	doc := "[r]: http://r.example/\n\n" + lines + "```\n" + lines + "http://code.example/\n```\n\n<!--\n" + lines + "-->\n\n[http://text.example/][r] http://a.example/\n"
	urls, notes := read(format.Finder{Format: "markdown"}, "", []byte(doc))
	if want := "[http://r.example/ http://a.example/]"; fmt.Sprint(urls) != want || len(notes) > 0 {
		t.Errorf("got %v, want %s; notes %q", urls, want, notes)
	}
}

// TestAutolinks holds that what CommonMark calls an autolink is read whole, and
// that RFC 1738's mark is none of its.
func TestAutolinks(t *testing.T) {
	urls, _ := read(format.Finder{Format: "markdown"}, "", []byte("<http://a.example:99999> <http://[::1/> <URL:ftp://b.example/x;type=a> <url:http://c.example/>\n"))
	if want := "[http://a.example:99999 http://[::1/ ftp://b.example/x;type=a http://c.example/]"; fmt.Sprint(urls) != want {
		t.Errorf("got %v, want %s", urls, want)
	}
}

// TestManyEscapes holds that the way back to the source takes memory in
// proportion to a document, though every character of it be an escape.
func TestManyEscapes(t *testing.T) {
	const size = 10 << 20
	const link = "http://a.example/"
	utf16 := func(text string, units ...string) []byte {
		b := []byte("\xff\xfe" + strings.Repeat(strings.Join(units, ""), size/len(strings.Join(units, ""))))
		for _, c := range []byte(text) {
			b = append(b, c, 0)
		}
		return b
	}
	for _, tt := range []struct {
		name, file string
		data       []byte
		times      uint64 // the document's size may be allocated, garbage counted
	}{
		{"ASCII in UTF-16", "a.txt", utf16(" "+link, "a\x00"), 12},
		{"Chinese in UTF-16", "a.txt", utf16(" "+link, "\x2d\x4e"), 12},
		{"one escape after the other", "a.json", []byte(`"` + strings.Repeat(`\n`, size/2) + link + `"`), 12},
		{"escapes between letters", "a.json", []byte(`["` + strings.Repeat(`a\n`, size/3) + `","` + strings.Repeat(`b\n`, size/3) + link + `"]`), 30},
		{"escapes on lines", "a.js", []byte(strings.Repeat("a\\n\n", size/4) + link), 40},
	} {
		var urls []string
		most := heapDuring(func() { urls, _ = read(format.Finder{}, tt.file, tt.data) })
		if len(urls) != 1 || urls[0] != link {
			t.Errorf("%s: %q", tt.name, urls)
		}
		if times := most / uint64(len(tt.data)); times > tt.times {
			t.Errorf("%s: %d times the document was allocated, want at most %d", tt.name, times, tt.times)
		}
	}
}

// heapDuring is how many bytes are allocated while run runs.
func heapDuring(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestDone holds that every reader of a format ends when no more is wanted.
func TestDone(t *testing.T) {
	done := make(chan struct{})
	close(done)
	for name, text := range map[string]string{
		"text": "http://a.example/ \n", "html": "<p><a href='http://a.example/'>", "xml": "<a href='http://a.example/'/>", "css": "a{b:url(http://a.example/)}\n",
		"markdown": "[a](http://a.example/)\n\n", "rst": "http://a.example/\n", "asciidoc": "http://a.example/[a]\n", "json": `"http:\/\/a.example" `,
		"source": "'http:\\/\\/a.example' ", "latex": "\\url{http://a.example/}\n", "ical": "URL:http://a.example/\r\n",
		"mail": "A: b\n\nhttp://a.example/\n", "mbox": "From a\nA: b\n\nhttp://a.example/\n\n", "pdf": "<</URI(http://a.example/)>>\n",
		"warc": "WARC/1.0\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 0\r\n\r\n",
	} {
		data := []byte(strings.Repeat(text, 5000))
		if name == "pdf" {
			data = append([]byte("%PDF-1.4\n"), data...)
		}
		if urls, _ := read(format.Finder{Format: name}, "", data); len(urls) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		if urls, notes := read(format.Finder{Format: name, Done: done}, "", data); len(urls) > 1 || len(notes) > 0 {
			t.Errorf("%s: %d URLs are found, notes %q", name, len(urls), notes)
		}
	}
	for name, data := range map[string][]byte{"a.zip": zipped(t, "a.txt", "http://a.example/"), "a.tar": tarred(t, "a.txt", "http://a.example/"), "a.gz": gzipped(t, []byte("http://a.example/"))} {
		if urls, notes := read(format.Finder{Done: done}, name, data); len(urls) > 0 || len(notes) > 0 {
			t.Errorf("%s: %q are found, notes %q", name, urls, notes)
		}
	}
}
