package find

import (
	"strings"
	"testing"
	"testing/iotest"
)

// A foundRow is a text, the URLs in it with a blank between them, and what
// decides it.
type foundRow struct{ text, want, why string }

// checkRows holds the rows with all kinds on, in memory and in a stream that
// comes byte by byte.
func checkRows(t *testing.T, rows []foundRow) {
	t.Helper()
	for _, row := range rows {
		var got []string
		for m := range Text(row.text, Options{Relaxed: true}) {
			got = append(got, m.URL)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%q: got %q, want %q: %s", row.text, got, row.want, row.why)
		}
		var stream []string
		for m, err := range Reader(iotest.OneByteReader(strings.NewReader(row.text)), Options{Relaxed: true}) {
			if err != nil {
				t.Fatal(err)
			}
			stream = append(stream, m.URL)
		}
		if strings.Join(stream, " ") != strings.Join(got, " ") {
			t.Errorf("%q: a stream gives %q, the text %q", row.text, stream, got)
		}
	}
}

// TestBare holds what a bare name must show to be a domain.
func TestBare(t *testing.T) {
	const (
		list   = "a label of IANA's list is a top-level domain, whatever else it means"
		prose  = "the sentence's punctuation is the sentence's"
		file   = "a name of two labels with a file's ending is a file"
		field  = "code around it: a field"
		mark   = "emphasis that was opened before"
		spoken = "a path, a port or www speaks for it"
	)
	checkRows(t, []foundRow{
		{"see example.info now", "example.info", list},
		{"bol.nl", "bol.nl", list},
		{"orf.at", "orf.at", list},
		{"see spiegel.it for more", "spiegel.it", list},
		{"bit.ly", "bit.ly", list},
		{"amazon.in", "amazon.in", list},
		{"rust-lang.org, go.dev and python.org", "rust-lang.org go.dev python.org", list},
		{"mail.example.nl", "mail.example.nl", list},
		{"shop.example.info", "shop.example.info", list},
		{"en.wiktionary.info", "en.wiktionary.info", list},
		{"google.xxx", "google.xxx", list},
		{"see kim.name and about.me", "kim.name about.me", list},
		{`{"host": "example.be"}`, "example.be", list},
		{"youtu.be, t.me or last.fm", "youtu.be t.me last.fm", list},
		{"archive.today", "archive.today", list},
		{"t.co", "t.co", "a label of one letter is a label: RFC 1035, 2.3.1"},
		{"schau auf spiegel.de!", "spiegel.de", prose},
		{"(at spiegel.de)", "spiegel.de", prose},
		{"spiegel.de|heise.de", "spiegel.de heise.de", "a bar separates cells"},
		{"Url like bro-215.co; with a hyphen?", "bro-215.co", prose},
		{"my-shop.co.uk!", "my-shop.co.uk", prose},
		{"bücher.de!", "bücher.de", prose},
		{"{spiegel.de}", "spiegel.de", prose},
		{"spiegel.de-", "spiegel.de", "a hyphen ends no label: RFC 1035, 2.3.1"},
		{"tests!brennan.com. and", "brennan.com", "a sentence that lacks its blank"},
		{"*heise.de*", "heise.de", mark},
		{"_www.example.com_", "www.example.com", mark},
		{"_mail.example.com_", "mail.example.com", mark},
		{"_kim@example.com_", "kim@example.com", mark},
		{"_example.com_", "example.com", mark},
		{"_dmarc.example.com is", "_dmarc.example.com", "a name of the DNS: RFC 8552"},
		{"example.com:8080: text", "example.com:8080", "the second colon is the sentence's"},
		{"dial tcp 192.0.2.1:443: refused", "192.0.2.1:443", "the second colon is the sentence's"},
		{"run foo.py, a.pl, main.cc and pam.so", "", file},
		{"Makefile.in, configure.ac, config.h.in and tar.bz", "", file},
		{"app.min.js.map and x.pb.cc", "", file},
		{"example.rs:8080/x and www.example.rs", "example.rs:8080/x www.example.rs", spoken},
		{"docs.example.rs", "docs.example.rs", "three labels, and none is a file's"},
		{"foo.py:12: error", "", "a place in a file"},
		{"at com.example.Foo.bar(Foo.java:42)", "", "a place in a file"},
		{"com.example.app", "", "a package is named from behind"},
		{"It was done.It was over.So we left.", "", "a capital behind the dot: a sentence"},
		{"self.id = other.name; x.is(y)", "", field},
		{"\tif frame.info != nil {", "", field},
		{"\treturn frame.info", "", field},
		{"\t\tframe.pc, frame.info,", "", field},
		{"f(a, frame.de)", "", field},
		{"x := frame.de", "", field},
		{"p.next = q.next", "", field},
		{"// sets user.name", "", field},
		{"G[go.shape.int]", "", field},
		{"from pygments.style import Style", "", field},
		{"the obj.id and System.in things", "", field},
		{"x.co = y.me", "", field},
		{"at 10.30.am, price 5.co", "", "numbers"},
		{"AMOSWAP.W.AQ", "", "an assembler's instruction"},
		{`f"{item.name}"`, "", "a template"},
	})
}
