package mid_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/mid"
)

// letter is a message with parts as RFC 2392, section 3, has them: text that
// shows a picture, and a message within.
const letter = "Received: from a.example\r\n\tby b.example; Mon, 30 Nov 2026 08:52:07 +0000\r\n" +
	"From: kim@a.example\r\nDate: Mon, 30 Nov 2026 08:52:07 +0000\r\nSubject: tulips\r\nMessage-ID: (a comment <x@y>)\r\n <one/1%2@A.example>\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"out er\"\r\nContent-ID: <all@a.example>\r\n\r\n" +
	"preamble\r\n--out er\r\nContent-Type: multipart/related;\r\n boundary=in\r\n\r\n" +
	"--in\r\nContent-Type: text/html; charset=utf-8\r\nContent-ID: <html@a.example>\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<img src=3D\"cid:gif@a.example\">=\r\n caf=C3=A9\r\n\r\n" +
	"--in\r\nContent-Type: image/gif\r\nContent-ID: <gif@a.example>\r\nContent-Disposition: inline; filename*=utf-8''caf%C3%A9.gif\r\nContent-Transfer-Encoding: BASE64\r\n\r\nR0lG\r\n ODlh?AQ\r\nABAAAAACw=\r\n--in--\r\nepilogue of in\r\n" +
	"--out er\r\nContent-Type: message/rfc822\r\nContent-ID: <inner@a.example>\r\n\r\nMessage-ID: <two@a.example>\r\nContent-ID: <deep@a.example>\r\n\r\n--in\r\nno boundary here\r\n" +
	"--out er\r\n\r\n" + // a part without header fields or body
	"--out er\r\nContent-ID: <x@a.example>\r\n" + // nor an empty line
	"--out er\r\nContent-ID: <uu@a.example>\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nas it is\r\n--out er--\r\nepilogue\r\n"

const gif = "GIF89a\x01\x00\x01\x00\x00\x00\x00,"

// client looks at places.
func client(places ...string) *fetch.Client {
	t := mid.New(&dial.Dialer{}, places...)
	return &fetch.Client{Transports: map[string]fetch.Transport{"mid": t, "cid": t}}
}

func get(t *testing.T, c *fetch.Client, url string) (*fetch.Result, string, error) {
	t.Helper()
	fetchtest.Opened(t, "mailboxes of this machine: mbox, Maildir, letters in a folder", c)
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "mail")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "letter.eml")
	os.WriteFile(file, []byte("Message-ID: <1@a.example>\nContent-Type: multipart/related; boundary=x\n\n"+
		"--x\nContent-ID: <logo@a.example>\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\ndHVsaXBz\n--x--\n"), 0o600)

	client := fetch.Client{Transports: map[string]fetch.Transport{"cid": mid.New(&dial.Dialer{}, file)}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("cid:logo@a.example")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	fmt.Println(got.Type, string(b), err)
	// Output: text/plain tulips <nil>
}

// A message by its identifier and a part by its own: what comes, and as what.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"crlf.eml": letter, "lf.eml": strings.ReplaceAll(letter, "\r\n", "\n")} {
		file := filepath.Join(dir, name)
		write(t, file, text)
		end := "\r\n"
		if name == "lf.eml" {
			end = "\n"
		}
		for _, tt := range []struct{ url, kind, want string }{
			{"mid:one%2F1%252@A.example", "message/rfc822", text},
			{"mid:one%2F1%252@a.EXAMPLE", "message/rfc822", text}, // the right side in another case, if no other has it
			{"mid:%3Cone%2F1%252@A.example%3E", "message/rfc822", text},
			{"mid:one%2F1%252@A.example/gif@a.example", "image/gif", gif},
			{"cid:gif@a.example", "image/gif", gif},
			{"cid:%3Cgif@a.example%3E", "image/gif", gif},
			{"cid:html@a.example", "text/html", "<img src=\"cid:gif@a.example\"> café" + end},
			{"cid:deep@a.example", "text/plain", "--in" + end + "no boundary here"}, // RFC 2046, 5.1.1: that boundary is closed
			{"cid:inner@a.example", "message/rfc822", "Message-ID: <two@a.example>" + end + "Content-ID: <deep@a.example>" + end + end + "--in" + end + "no boundary here"},
			{"cid:uu@a.example", "application/octet-stream", "as it is"}, // RFC 2045, 6.4
			{"cid:all@a.example", "multipart/mixed", text[strings.Index(text, "preamble"):]},
		} {
			got, body, err := get(t, client(file), tt.url)
			if err != nil || got.Type != tt.kind || body != tt.want {
				t.Errorf("%s in %s: got %+v\n%q, %v\nwant %q", tt.url, name, got, body, err, tt.want)
			} else if got.Size != -1 && got.Size != int64(len(body)) {
				t.Errorf("%s: size %d of %d", tt.url, got.Size, len(body))
			}
		}
		got, _, err := get(t, client(file), "cid:gif@a.example")
		if err != nil || got.Header["Filename"][0] != "café.gif" || got.Header["Content-ID"][0] != "<gif@a.example>" {
			t.Errorf("got %v, %v", got, err)
		}
		got, _, err = get(t, client(file), "mid:one%2F1%252@A.example")
		if err != nil || got.Header["Subject"][0] != "tulips" || got.ModTime.Unix() != 1796028727 {
			t.Errorf("got %v, %v", got, err)
		}
		for url, says := range map[string]string{
			"mid:one@a.example":                        "none of the 1 messages looked at has it",
			"mid:ONE%2F1%252@A.example":                "none of the 1 messages", // the left side is octet for octet
			"cid:none@a.example":                       "none of the 1 messages",
			"mid:one%2F1%252@A.example/none@a.example": "has no part with this Content-ID",
		} {
			_, _, err := get(t, client(file), url)
			if !errors.Is(err, fetch.ErrNotFound) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: got %v", url, err)
			}
			var e *fetch.Error
			if errors.As(err, &e) && strings.Contains(url, "/none") && e.Hint != "it has all@a.example, html@a.example, gif@a.example, inner@a.example, deep@a.example, x@a.example, uu@a.example" {
				t.Errorf("the hint is %q", e.Hint)
			}
		}
	}
}

// What is broken gives what there is of it, and says so.
func TestBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.eml")
	const head = "Message-ID: <1@a.example>\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-ID: <c@a.example>\n"
	for _, tt := range []struct {
		name, text, want string
		kind             error
	}{
		{"cut off", head + "\nabc\n", "abc\n", fetch.ErrTruncated},
		{"cut off in a line", head + "\nabc", "abc", fetch.ErrTruncated},
		{"an outer boundary ends the inner parts", "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: multipart/mixed; boundary=y\n\n--y\nContent-ID: <c@a.example>\n\nabc\n--x--\n", "abc", nil},
		{"a boundary that begins as another", "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: multipart/mixed; boundary=xy\n\n--xy\nContent-ID: <c@a.example>\n\nabc\n--xyz\n--xy--\n--x--", "abc\n--xyz", nil},
		{"bad base64", head + "Content-Transfer-Encoding: base64\n\nYWJjZ\n--x--", "abc", fetch.ErrMalformed},
		{"odd quoted-printable", head + "Content-Transfer-Encoding: quoted-printable\n\nabc=ZZ=41=\n\n--x--", "abc=ZZA", nil}, // RFC 2045, 6.7: as it stands
		{"bad quoted-printable", head + "Content-Transfer-Encoding: quoted-printable\n\nabc=\x01\n--x--", "abc=", fetch.ErrMalformed},
		{"a line that is no field", head + "what is this\nContent-Type: text/x-a\n\nabc\n--x--", "abc", nil},
		{"no boundary named", "Content-Type: multipart/mixed\nContent-ID: <c@a.example>\n\nabc\n", "abc\n", nil},
		{"no header", "\nabc\n", "", fetch.ErrNotFound},
		{"nothing", "", "", fetch.ErrNotFound},
		{"a header alone", "Content-ID: <c@a.example>\n", "", nil},
		{"a header without an end", "Content-ID: <c@a.example>", "", nil},
	} {
		write(t, file, tt.text)
		_, body, err := get(t, client(file), "cid:c@a.example")
		if body != tt.want || tt.kind == nil && err != nil || tt.kind != nil && !errors.Is(err, tt.kind) {
			t.Errorf("%s: got %q, %v", tt.name, body, err)
		}
	}
}

// Parts in parts in parts end at a bound, and so do parts beside each other;
// in a mailbox such a message hides no other.
func TestBombs(t *testing.T) {
	dir := t.TempDir()
	deep := ""
	for i := range 200 {
		deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	messages := strings.Repeat("Content-Type: message/rfc822\n\n", 200)
	for name, text := range map[string]string{
		"deep":     deep + "Content-ID: <c@a.example>\n\nabc\n",
		"messages": messages + "Content-ID: <c@a.example>\n\nabc\n",
		"many":     "Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\n", 20_000) + "--x\nContent-ID: <c@a.example>\n\nabc\n--x--\n",
		"folds":    "X: y\n" + strings.Repeat(" z\n", 400_000) + "Content-Type: text/plain\n\nabc\n",
		"header":   "Content-Type: multipart/mixed; boundary=x\n\n--x\n" + strings.Repeat("X: y\n", 1<<19) + "Content-ID: <c@a.example>\n\nabc\n--x--\n",
	} {
		file := filepath.Join(dir, name)
		write(t, file, "Message-ID: <1@a.example>\n"+text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := get(t, client(file), "mid:1@a.example/c@a.example")
		runtime.ReadMemStats(&after)
		if want := map[bool]error{false: fetch.ErrTooLarge, true: fetch.ErrNotFound}[name == "folds"]; !errors.Is(err, want) {
			t.Errorf("%s: got %v", name, err)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<20 {
			t.Errorf("%s: %d KiB were allocated", name, spent>>10)
		}
		// The mailbox behind it is looked at all the same.
		last := filepath.Join(dir, "last")
		write(t, last, "Content-ID: <c@a.example>\n\nhere\n")
		if _, body, err := get(t, client(file, last), "cid:c@a.example"); body != "here\n" {
			t.Errorf("%s: got %q, %v", name, body, err)
		}
	}
}

// A large mailbox is gone through, and a large message given, a line at a time.
func TestMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mbox")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	filler := strings.Repeat("What is in a letter, and how it goes on and on.\n", 100)
	for i := range 5000 {
		fmt.Fprintf(w, "From kim@a.example Mon Nov 30 08:52:07 2026\nMessage-ID: <%d@a.example>\n\n%s\n", i, filler)
	}
	io.WriteString(w, "From kim@a.example Mon Nov 30 08:52:07 2026\nMessage-ID: <last@a.example>\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-ID: <c@a.example>\n\n")
	for range 2000 {
		io.WriteString(w, filler)
	}
	io.WriteString(w, "\n--x--\n")
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"mid:last@a.example", "mid:last@a.example/c@a.example", "cid:c@a.example"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := client(file).Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, struct{ io.Reader }{got.Body})
		got.Body.Close()
		runtime.ReadMemStats(&after)
		if err != nil || n < int64(2000*len(filler)) {
			t.Errorf("%s: %d octets, %v", url, n, err)
		}
		// All that was allocated, which is more than what was held at any time: the
		// mailbox has 34 MiB.
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 16<<20 {
			t.Errorf("%s: %d KiB were allocated", url, spent>>10)
		}
	}
}

// In a mailbox of every kind each message is found, and ends where it ends.
func TestStores(t *testing.T) {
	dir := t.TempDir()
	message := func(id, body string) string { return "Message-ID: <" + id + "@a.example>\n\n" + body }
	const from = "From kim@a.example Mon Nov 30 08:52:07 2026\n"
	box := filepath.Join(dir, "mbox")
	write(t, box, from+message("1", "one\n\nFrom here on it is text\n>From too\n")+"\n"+from+message("2", "two\n"+from+"inside, no empty line before it\n\n\n")+"\n"+from+message("3", "")+"\n"+from+message("4", "no end"))
	crlf := filepath.Join(dir, "mbox.crlf")
	write(t, crlf, strings.ReplaceAll(from+message("1", "one\n")+"\n"+from+message("2", "two\n")+"\n", "\n", "\r\n"))
	maildir := filepath.Join(dir, "Maildir")
	write(t, filepath.Join(maildir, "cur", "1:2,S"), message("1", "one\n"))
	write(t, filepath.Join(maildir, "new", "2"), message("2", "two\n"))
	write(t, filepath.Join(maildir, "tmp", "9"), message("9", "not delivered\n"))
	write(t, filepath.Join(maildir, ".Sent", "cur", "3:2,"), message("3", "three\n"))
	write(t, filepath.Join(maildir, "dovecot.index"), message("8", "no mail\n"))
	secret := filepath.Join(dir, "elsewhere", "secret")
	write(t, secret, message("7", "outside\n"))
	if err := os.Symlink(secret, filepath.Join(maildir, "cur", "7")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(maildir, "new", "cur")); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	write(t, filepath.Join(folder, "a.eml"), message("1", "one\n"))
	write(t, filepath.Join(folder, "sub", "b.EML"), message("2", "two\n"))
	write(t, filepath.Join(folder, "c.txt"), message("3", "no mail\n"))

	for _, tt := range []struct{ place, id, want string }{
		{box, "1", "one\n\nFrom here on it is text\n>From too\n"},
		{box, "2", "two\n" + from + "inside, no empty line before it\n\n\n"},
		{box, "3", ""},
		{box, "4", "no end"},
		{box, "5", "-"},
		{maildir, "1", "one\n"},
		{maildir, "2", "two\n"},
		{maildir, "3", "three\n"},
		{maildir, "7", "-"},
		{maildir, "8", "-"},
		{maildir, "9", "-"},
		{folder, "1", "one\n"},
		{folder, "2", "two\n"},
		{folder, "3", "-"},
	} {
		_, body, err := get(t, client(tt.place), "mid:"+tt.id+"@a.example")
		if want := message(tt.id, tt.want); tt.want == "-" && !errors.Is(err, fetch.ErrNotFound) || tt.want != "-" && (err != nil || body != want) {
			t.Errorf("%s of %s: got %q, %v", tt.id, filepath.Base(tt.place), body, err)
		}
	}
	if _, body, err := get(t, client(crlf), "mid:1@a.example"); err != nil || body != strings.ReplaceAll(message("1", "one\n"), "\n", "\r\n") {
		t.Errorf("CR LF: got %q, %v", body, err)
	}
	// The exact identifier goes first, wherever it stands.
	write(t, filepath.Join(dir, "cases"), from+"Message-ID: <1@A.EXAMPLE>\n\nalike\n\n"+from+message("1", "same\n"))
	if _, body, err := get(t, client(filepath.Join(dir, "cases")), "mid:1@a.example"); err != nil || !strings.HasSuffix(body, "same\n") {
		t.Errorf("got %q, %v", body, err)
	}
}

// A mailbox that is not there hides no other, and is told of when nothing else is.
// TestBase holds that a cid URL in a message means a part of that message, also
// where another has a part of the same name.
func TestBase(t *testing.T) {
	box := filepath.Join(t.TempDir(), "mbox")
	message := func(id, text string) string {
		return "From kim@a.example Mon Nov 30 08:52:07 2026\nMessage-ID: <" + id + "@a.example>\nContent-Type: multipart/related; boundary=x\n\n" +
			"--x\nContent-ID: <logo>\nContent-Type: text/plain\n\n" + text + "\n--x--\n\n"
	}
	write(t, box, message("1", "one")+message("2", "two"))
	for _, tt := range []struct {
		base, url, want string
		err             error
	}{
		{"", "cid:logo", "one", nil},
		{"mid:1@a.example", "cid:logo", "one", nil},
		{"mid:2@a.example", "cid:logo", "two", nil},
		{"mid:2@a.example/other", "cid:logo", "two", nil}, // from one part to another
		{"mid:3@a.example", "cid:logo", "", fetch.ErrNotFound},
		{"mid:2@a.example", "cid:other", "", fetch.ErrNotFound},
		{"http://a.example/", "cid:logo", "one", nil},
	} {
		req := &fetch.Request{URL: anyurl.MustParse(tt.url)}
		if tt.base != "" {
			req.Base = anyurl.MustParse(tt.base)
		}
		body := ""
		got, err := client(box).Do(t.Context(), req)
		if err == nil {
			b, _ := io.ReadAll(got.Body)
			got.Body.Close()
			body = string(b)
		}
		if body != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s in %s: got %q, %v; want %q, %v", tt.url, tt.base, body, err, tt.want, tt.err)
		}
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.eml")
	write(t, file, "Message-ID: <1@a.example>\n\nx\n")
	missing := filepath.Join(dir, "missing")
	if _, _, err := get(t, client(missing, file), "mid:1@a.example"); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		places []string
		kind   error
		says   string
	}{
		{nil, fetch.ErrUnsupported, "no mailbox is configured"},
		{[]string{missing}, fetch.ErrNotFound, "missing\" that is configured is not there"},
		{[]string{os.DevNull}, nil, "no mailbox"},
		{[]string{"imap://kim:s3cret@"}, nil, "no URL of an IMAP server"},
		{[]string{"imap://kim:s3cret@a.example/INBOX;UID=20"}, nil, "no URL of an IMAP server"},
	} {
		_, _, err := get(t, client(tt.places...), "mid:2@a.example")
		if err == nil || tt.kind != nil && !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: got %v", tt.places, err)
		}
	}
	// A news server is the last to be asked, and never for a part.
	asked := ""
	tr := mid.New(&dial.Dialer{}, file)
	tr.News = func(_ context.Context, _ *fetch.Request, id string) (*fetch.Response, error) {
		asked += id + " "
		return &fetch.Response{Protocol: "nntp", Size: -1, Body: io.NopCloser(strings.NewReader("news"))}, nil
	}
	c := &fetch.Client{Transports: map[string]fetch.Transport{"mid": tr, "cid": tr}}
	for url, want := range map[string]string{"mid:1@a.example": "Message-ID: <1@a.example>\n\nx\n", "mid:2@a.example": "news", "mid:2@a.example/c@a.example": "", "cid:c@a.example": ""} {
		if _, body, _ := get(t, c, url); body != want {
			t.Errorf("%s: got %q", url, body)
		}
	}
	if asked != "2@a.example " {
		t.Errorf("news was asked for %q", asked)
	}
}

func TestSuiteFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.eml")
	write(t, file, letter)
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(d *dial.Dialer) fetch.Transport { return mid.New(d, file) },
		URL:  "cid:gif@a.example",
		Want: gif,
		Head: true,
	})
}

// play plays a script to a client, and goes when that says something else.
func play(script string) func(net.Conn, func() (net.Listener, error)) {
	return func(conn net.Conn, _ func() (net.Listener, error)) {
		for _, step := range transcript.Parse(script) {
			switch step.Do {
			case "say":
				if _, err := io.WriteString(conn, step.Text); err != nil {
					return
				}
			case "want":
				if line(conn) != step.Text {
					return
				}
			}
		}
	}
}

// line reads one line, without its end, an octet at a time.
func line(conn net.Conn) string {
	var b []byte
	for one := make([]byte, 1); ; {
		if _, err := conn.Read(one); err != nil {
			return string(b)
		}
		if one[0] == '\n' {
			return strings.TrimSuffix(string(b), "\r")
		}
		b = append(b, one[0])
	}
}

// Conversations with an IMAP server, as RFC 9051's examples have them.
const (
	loggedIn = `
		S: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready
		C: a1 AUTHENTICATE PLAIN
		S: +
		C: AGtpbQBzM2NyZXQ=
		S: a1 OK [CAPABILITY IMAP4rev1] in
		C: a2 EXAMINE "INBOX"
		S: * FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)
		S: * OK [PERMANENTFLAGS ()] Read-only mailbox.
		S: * 3 EXISTS
		S: * 1 RECENT
		S: * OK [UIDVALIDITY 1] x
		S: a2 OK [READ-ONLY] done
		`
	searched = loggedIn + `
		C: a3 UID SEARCH HEADER Message-ID "one@a.example"
		S: * SEARCH 7 9
		S: a3 OK done
		C: a4 UID FETCH 7,9 (BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])
		S: * 1 FETCH (UID 7 BODY[HEADER.FIELDS (MESSAGE-ID)] {35}
		S: Message-ID: <not.one@a.example>
		S:
		S: )
		S: * 5 EXISTS
		S: * 3 FETCH (FLAGS (\\Seen))
		S: * 3 FETCH (BODY[HEADER.FIELDS (MESSAGE-ID)] {32}
		S: Message-ID:
		S:  <one@A.example>
		S:  UID 9)
		S: a4 OK done
		`
)

func TestSuiteIMAP(t *testing.T) {
	for _, tt := range []struct{ name, url, want, script string }{
		{"message", "mid:one@a.example", "Message-ID: <one@a.example>\r\n\r\nHello\r\n", searched + `
			C: a5 UID FETCH 9 (BODY.PEEK[])
			S: * 3 FETCH (UID 9 BODY[] {38}
			S: Message-ID: <one@a.example>
			S:
			S: Hello
			S: )
			S: a5 OK done`},
		{"part", "mid:one@a.example/gif@a.example", gif, searched + `
			C: a5 UID FETCH 9 (BODYSTRUCTURE)
			S: * 3 FETCH (UID 9 BODYSTRUCTURE (("text" "html" ("charset" "us-ascii") "<html@a.example>" NIL "7bit" 32 1)("image" "gif" NIL "<gif@a.example>" NIL "base64" 20 NIL ("inline" ("filename" "a.gif")) NIL NIL) "related" ("boundary" "x")))
			S: a5 OK done
			C: a6 UID FETCH 9 (BODY.PEEK[2])
			S: * 3 FETCH (UID 9 BODY[2] {20}
			S: R0lGODlhAQABAAAAACw=)
			S: a6 OK done`},
		{"part anywhere", "cid:gif@a.example", gif, loggedIn + `
			C: a3 FETCH 1:3 (UID BODYSTRUCTURE)
			S: * 1 FETCH (UID 4 BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7bit" 3 1))
			S: * 2 FETCH (UID 5 BODYSTRUCTURE (("message" "rfc822" NIL NIL NIL "7bit" 500 (NIL "x" NIL NIL NIL NIL NIL NIL NIL "<x@a.example>") (("text" "plain" NIL NIL NIL "7bit" 3 1)("image" "gif" NIL {15}
			S: <gif@a.example> NIL "base64" 20) "mixed") 20)("text" "plain" NIL NIL NIL "7bit" 3 1) "mixed"))
			S: a3 OK done
			C: a4 UID FETCH 5 (BODY.PEEK[1.2])
			S: * 3 FETCH (UID 5 BODY[1.2] "R0lGODlhAQABAAAAACw=")
			S: a4 OK done`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fetchtest.Run(t, fetchtest.Subject{
				New: func(d *dial.Dialer) fetch.Transport {
					tr := mid.New(d, "imap://kim:s3cret@"+fetchtest.Host+"/INBOX")
					tr.ClearLogin = true
					return tr
				},
				URL: tt.url, Port: 143, Want: tt.want, Head: true,
				Serve: play(tt.script),
			})
		})
	}
}
