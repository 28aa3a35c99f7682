package format_test

import (
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"anyurl/find/format"
)

// TestMemory bounds what stays in memory for each URL of documents that hold many,
// each in a run of text of its own: what is live at the first match, by which all
// of the document was read.
func TestMemory(t *testing.T) {
	const n = 20_000
	for _, tt := range []struct {
		name string
		text string
		most int // bytes for each URL
	}{
		{"a.xml", "<urlset>" + strings.Repeat("<url><loc>http://x.example/</loc></url>\n", n), 600},
		{"b.xml", strings.Repeat("<b c='see http://x.example/'/>\n", n), 600},
		{"a.eml", strings.Repeat("X: http://x.example/\r\n", n) + "\r\n", 600},
		{"b.eml", "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nhttp://x.example/\r\n", n), 600},
		{"a.mbox", strings.Repeat("From a@b.example Fri Nov 27 10:00:00 2026\n\nhttp://x.example/\n\n", n), 100},
		{"a.html", strings.Repeat("<p>http://x.example/\n", n), 600},
		{"a.json", strings.Repeat("[\"http://x.example/\"]\n", n), 600},
		{"a.md", strings.Repeat("http://x.example/\n\n", n), 2500},
	} {
		data := []byte(tt.text)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got := 0
		for range new(format.Finder).Bytes(tt.name, data) {
			if got++; got == 1 {
				runtime.GC()
				runtime.ReadMemStats(&after)
			}
		}
		if got != n {
			t.Errorf("%s: %d URLs, want %d", tt.name, got, n)
		}
		each := (int(after.HeapAlloc) - int(before.HeapAlloc)) / n
		if each > tt.most {
			t.Errorf("%s: %d bytes are live for each URL, want at most %d", tt.name, each, tt.most)
		}
		t.Logf("%s: %d bytes", tt.name, each)
		runtime.KeepAlive(data)
	}
}

// TestMailbox holds that an mbox is the same from a reader as from memory, and that
// neither its length nor that of a message costs memory.
func TestMailbox(t *testing.T) {
	const sep = "From a@b.example Fri Nov 27 10:00:00 2026\r\n"
	text := "in front of it http://x.example/\n" + sep + "Subject: one\r\n\r\nhttp://a.example/1\r\nFrom here\r\n\r\nFrom there on http://a.example/2\r\n\r\n" +
		sep + "Content-Transfer-Encoding: base64\r\n\r\naHR0cDovL2EuZXhhbXBsZS8z\r\n\r\n" + "From b\nSubject: http://a.example/4\n\n" + strings.Repeat("long ", 50_000) + "\n\n" + sep + sep + "\r\nhttp://a.example/5"
	for _, r := range []struct {
		name string
		r    io.Reader
	}{
		{"whole", strings.NewReader(text)},
		{"a byte at a time", iotest.OneByteReader(strings.NewReader(text))},
		{"with its end", iotest.DataErrReader(strings.NewReader(text))},
	} {
		f := format.Finder{Format: "mbox"}
		var got, want []format.Match
		for m, err := range f.Reader("a", r.r) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, m)
		}
		for m := range f.Bytes("a", []byte(text)) {
			want = append(want, m)
			if m.Text != text[m.Start:m.End] || m.Line != 1+strings.Count(text[:m.Start], "\n") || m.Col != m.Start-strings.LastIndexByte(text[:m.Start], '\n') {
				t.Errorf("%q does not stand at %d:%d, line %d, column %d", m.Text, m.Start, m.End, m.Line, m.Col)
			}
		}
		if len(want) != 5 || !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", r.name, got, want)
		}
	}

	var notes []format.Note
	f := format.Finder{Format: "mbox", Limits: format.Limits{Document: 1000}, Note: func(n format.Note) { notes = append(notes, n) }}
	var urls []string
	for m, err := range f.Reader("a", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, m.URL)
	}
	if len(urls) != 5 || len(notes) != 1 || !strings.Contains(notes[0].Says, "1000 B") || notes[0].Offset != strings.Index(text, "Subject: http:") {
		t.Errorf("with a limit: %q, notes %v", urls, notes)
	}

	broken := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(text)))
	for _, err := range (&format.Finder{Format: "mbox"}).Reader("a", broken) {
		if err != iotest.ErrTimeout {
			t.Errorf("a reader's own error: %v", err)
		}
	}

	// 64 MiB of messages, of which no more than one is held.
	one := sep + "Subject: x\r\n\r\n" + strings.Repeat("some text\r\n", 100_000) + "http://a.example/\r\n\r\n"
	var readers []io.Reader
	for range 60 {
		readers = append(readers, strings.NewReader(one))
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for m, err := range (&format.Finder{Format: "mbox"}).Reader("a", io.MultiReader(readers...)) {
		if n++; err != nil || m.Start != n*len(one)-len("http://a.example/\r\n\r\n") || m.Line != (n-1)*100_005+100_004 {
			t.Fatalf("match %d stands at %d, line %d", n, m.Start, m.Line)
		}
		runtime.GC()
		runtime.ReadMemStats(&now)
		if live := int(now.HeapAlloc) - int(before.HeapAlloc); live > 8*len(one) {
			t.Fatalf("%d bytes are live at message %d", live, n)
		}
	}
	if n != 60 {
		t.Errorf("%d of 60", n)
	}
}
