package builtin_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
	"anyurl/proto/builtin"
)

// elsewhere is a dialer to which a server on loopback is a machine called
// localhost somewhere else, so that nothing is taken to be private.
func elsewhere(m peer.Mail) *dial.Dialer {
	at := netip.MustParseAddr("192.0.2.1")
	return &dial.Dialer{
		Resolver: at1{at},
		TLS:      &tls.Config{RootCAs: m.Pool},
		Connect: func(ctx context.Context, network string, to netip.AddrPort) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), to.Port()).String())
		},
	}
}

type at1 struct{ netip.Addr }

func (a at1) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{a.Addr}, nil
}

// mailClient opens URLs with these options.
func mailClient(t *testing.T, d *dial.Dialer, o builtin.Options) *fetch.Client {
	c := &fetch.Client{Transports: builtin.Transports(d, o)}
	t.Cleanup(func() { c.Close() })
	return c
}

// obtain opens a URL whole, and keeps what was said.
func obtain(t *testing.T, c *fetch.Client, url string) (got *fetch.Result, body, said string, err error) {
	t.Helper()
	var log strings.Builder
	got, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Trace: func(e fetch.Event) { fmt.Fprintf(&log, "%c %s\n", e.Kind, e.Text) }})
	if err != nil {
		return nil, "", log.String(), err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), log.String(), err
}

// delivered waits for a letter with a Message-ID to come to a Maildir.
func delivered(t *testing.T, dir, id string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "new", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			if strings.Contains(string(b), "\nMessage-ID: <"+id+">\n") {
				return string(b)
			}
		}
	}
	t.Fatalf("nothing came to %s", dir)
	return ""
}

// Nothing is asked of the host behind an "@", as clients do that take mailto and
// mid for http with a user.
func TestMailAsksNoHost(t *testing.T) {
	dialled := 0
	d := &dial.Dialer{
		Resolver: at1{netip.MustParseAddr("192.0.2.1")},
		Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
			dialled++
			return nil, errors.New("dialled")
		},
	}
	c := mailClient(t, d, builtin.Options{Mail: builtin.Mail{Server: "mail.a.example", From: "kim@a.example"}, Mailboxes: []string{t.TempDir()}})
	for _, url := range []string{"mailto:joe@b.example", "mailto:joe@b.example/x?subject=x", "mailserver:joe@b.example//x", "mid:1@b.example", "mid:1@b.example/2@b.example", "cid:1@b.example"} {
		_, body, _, err := obtain(t, c, url)
		if letter := strings.HasPrefix(url, "mail"); letter && (err != nil || !strings.Contains(body, "To: joe@b.example")) && !strings.Contains(url, "/x?") || !letter && !errors.Is(err, fetch.ErrNotFound) {
			t.Errorf("%s: %q, %v", url, body, err)
		}
	}
	if dialled > 0 {
		t.Errorf("%d connections", dialled)
	}
}

// A message that no mailbox has is asked of the news server, by its identifier
// as it was read.
func TestMidByNews(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		S: 200 x
		C: MODE READER
		S: 200 x
		C: ARTICLE <a/b%c@a.example>
		S: 220 0 <a/b%c@a.example>
		S: Message-ID: <a/b%c@a.example>
		S:
		S: ..dot
		S: .`)}}
	server.Start(l)
	c := mailClient(t, &dial.Dialer{}, builtin.Options{News: l.Addr().String(), Mailboxes: []string{t.TempDir()}})
	got, body, _, err := obtain(t, c, "mid:a%2Fb%25c@a.example")
	if err != nil || body != "Message-ID: <a/b%c@a.example>\r\n\r\n.dot\r\n" || got.Protocol != "nntp" || got.Type != "message/rfc822" {
		t.Errorf("got %q, %v", body, err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

// A letter goes out by a mailto URL, is delivered, and comes back by a mid URL,
// from the Maildir and over IMAP: through servers that nobody here wrote.
func TestMailThereAndBack(t *testing.T) {
	post := peer.OpenSMTPD(t)
	const url = "mailto:joe@b.example?cc=ann%2Bx@c.example&bcc=secret@d.example&subject=caf%C3%A9%20%26%20tea&body=.%0D%0A..two%0D%0Acaf%C3%A9%0D%0AFrom%20here"
	c := mailClient(t, &dial.Dialer{}, builtin.Options{Mail: builtin.Mail{Send: true, Server: post.Addr, From: "Kim <kim@a.example>"}})
	fetchtest.Opened(t, peer.Version("opensmtpd"), c)
	got, sent, said, err := obtain(t, c, url)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	id := between(sent, "Message-ID: <", ">")
	if got.Protocol != "smtp" || got.Status != 250 || !strings.HasSuffix(id, "@a.example") || strings.Contains(sent, "secret@") {
		t.Fatalf("sent %+v\n%s", got.Response, sent)
	}
	if !strings.Contains(said, "\n> RCPT TO:<secret@d.example>\n") || !strings.Contains(said, "\n> RCPT TO:<ann+x@c.example>\n") {
		t.Errorf("the conversation was\n%s", said)
	}
	for _, to := range []string{"joe@b.example", "secret@d.example"} {
		letter := delivered(t, filepath.Join(post.Dir, to), id)
		// The server puts its own fields in front, and has bare LF in its files.
		if want := strings.ReplaceAll(sent, "\r\n", "\n"); !strings.HasSuffix(letter, want) {
			t.Errorf("%s got %q, want %q at its end", to, letter, want)
		}
	}
	maildir := filepath.Join(post.Dir, "joe@b.example")
	mid := "mid:" + id
	_, body, _, err := obtain(t, mailClient(t, &dial.Dialer{}, builtin.Options{Mailboxes: []string{maildir}}), mid)
	if err != nil || !strings.HasSuffix(body, strings.ReplaceAll(sent, "\r\n", "\n")) {
		t.Errorf("from the Maildir: %q, %v", body, err)
	}
	store := peer.Dovecot(t, maildir)
	got, body, _, err = obtain(t, mailClient(t, &dial.Dialer{}, builtin.Options{Mailboxes: []string{"imap://kim:secret@" + store.Addr + "/INBOX"}}), mid)
	if err != nil || !strings.HasSuffix(body, sent) || got.Size != int64(len(body)) || got.Header["Subject"][0] != "=?utf-8?Q?caf=C3=A9_=26_tea?=" {
		t.Errorf("over IMAP: %q, %v", body, err)
	}
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// To another machine a letter goes in TLS, after a login, and by smtps.
func TestMailInTLS(t *testing.T) {
	post := peer.Exim(t)
	_, port, _ := net.SplitHostPort(post.Addr)
	_, secure, _ := net.SplitHostPort(post.TLS)
	for _, tt := range []struct {
		name, server, user, password string
		url                          string
		step                         string
	}{
		{"STARTTLS", "smtp://kim:secret@localhost:" + port, "", "", "mailserver:list@b.example/x/get%20file", ""},
		{"smtps", "smtps://kim:secret@localhost:" + secure, "", "", "mailto:joe@b.example?body=.", ""},
		{"the user apart", "localhost:" + port, "kim", "secret", "mailto:joe@b.example", ""},
		{"an address beyond ASCII", "localhost:" + port, "kim", "secret", "mailto:jos%C3%A9@b%C3%BCcher.example?subject=%C3%A9", ""},
		{"a wrong password", "smtp://kim:s3cret@localhost:" + port, "", "", "mailto:joe@b.example", fetch.Login},
		{"another's certificate", "smtps://kim:secret@b.example:" + secure, "", "", "mailto:joe@b.example", fetch.TLS},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mailClient(t, elsewhere(post), builtin.Options{Mail: builtin.Mail{Send: true, Server: tt.server, User: tt.user, Password: tt.password, From: "kim@a.example"}})
			got, sent, said, err := obtain(t, c, tt.url)
			var e *fetch.Error
			switch {
			case tt.step == "" && err != nil, tt.step != "" && (!errors.As(err, &e) || e.Step != tt.step):
				t.Fatalf("got %v\n%s", err, said)
			case strings.Contains(said, "c2VjcmV0") || strings.Contains(said, "AGtpbQ"):
				t.Errorf("the log shows the password:\n%s", said)
			case tt.step != "":
				return
			}
			letter := delivered(t, filepath.Join(post.Dir, "all"), between(sent, "Message-ID: <", ">"))
			if received, _, _ := strings.Cut(letter, "Date: "); !strings.Contains(received, "esmtpsa ") { // RFC 3848: in TLS, with a login
				t.Errorf("received %q", received)
			}
			if !strings.HasSuffix(letter, strings.ReplaceAll(sent, "\r\n", "\n")) {
				t.Errorf("delivered %q, want %q at its end", letter, sent)
			}
			if tt.name == "an address beyond ASCII" {
				if got.Type != "message/global" || !strings.Contains(letter, "\nTo: josé@xn--bcher-kva.example\n") || !strings.Contains(said, "BODY=8BITMIME SMTPUTF8\n") {
					t.Errorf("%s: %q\n%s", got.Type, letter, said)
				}
			}
		})
	}
}

const parts = "From: kim@a.example\r\nSubject: parts\r\nMessage-ID: <parts/1@a.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
	"--x\r\nContent-Type: multipart/related; boundary=y\r\nContent-ID: <whole@a.example>\r\n\r\n" +
	"--y\r\nContent-Type: text/html\r\nContent-ID: <html@a.example>\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<img src=3D\"cid:gif@a.example\">\r\n" +
	"--y\r\nContent-Type: image/gif\r\nContent-ID: <gif@a.example>\r\nContent-Disposition: inline; filename=\"a.gif\"\r\nContent-Transfer-Encoding: base64\r\n\r\nR0lGODlhAQABAAAAACw=\r\n--y--\r\n" +
	"--x\r\nContent-Type: message/rfc822\r\n\r\nSubject: within\r\nContent-ID: <within@a.example>\r\nContent-Type: text/plain\r\n\r\ninner text\r\n--x--\r\n"

// Messages and parts from a Maildir with folders, over IMAP in clear and in
// TLS. Nothing is marked as read.
func TestDovecot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "Maildir")
	peer.Open(t, filepath.Dir(dir))
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		for _, d := range []string{"cur", "new", "tmp"} {
			if err := os.MkdirAll(filepath.Join(filepath.Dir(filepath.Dir(path)), d), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("new/1.parts", parts)
	write("new/2.near", "Message-ID: <parts/1@A.EXAMPLE>\r\n\r\nanother\r\n")
	write(".B&APw-cher/cur/3.book:2,", "Message-ID: <buch@a.example>\r\nMIME-Version: 1.0\r\nContent-ID: <far@a.example>\r\n\r\nein Buch\r\n")
	for i := range 250 { // more than are asked about at once
		write(fmt.Sprintf("cur/9%03d.many:2,", i), fmt.Sprintf("Message-ID: <many%d@a.example>\r\n\r\n%d\r\n", i, i))
	}
	store := peer.Dovecot(t, dir)
	_, port, _ := net.SplitHostPort(store.Addr)
	_, secure, _ := net.SplitHostPort(store.TLS)
	for _, tt := range []struct {
		name, box string
		d         *dial.Dialer
	}{
		{"on this machine", "imap://kim:secret@" + store.Addr + "/INBOX", &dial.Dialer{}},
		{"STARTTLS", "imap://kim:secret@localhost:" + port, elsewhere(store)},
		{"imaps", "imaps://kim:secret@localhost:" + secure + "/INBOX", elsewhere(store)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mailClient(t, tt.d, builtin.Options{Mailboxes: []string{tt.box}})
			fetchtest.Opened(t, peer.Version("dovecot-core"), c)
			for _, get := range []struct{ url, kind, want string }{
				{"mid:parts%2F1@a.example", "message/rfc822", parts},
				{"mid:parts%2F1@A.EXAMPLE", "message/rfc822", "Message-ID: <parts/1@A.EXAMPLE>\r\n\r\nanother\r\n"},
				{"mid:parts%2F1@a.example/gif@a.example", "image/gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00,"},
				{"cid:gif@a.example", "image/gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00,"},
				{"cid:html@a.example", "text/html", `<img src="cid:gif@a.example">`},
				{"mid:parts%2F1@a.example/whole@a.example", "multipart/related", between(parts, "<whole@a.example>\r\n\r\n", "\r\n--x\r\n")},
				{"mid:many7@a.example", "message/rfc822", "Message-ID: <many7@a.example>\r\n\r\n7\r\n"},
			} {
				got, body, said, err := obtain(t, c, get.url)
				if err != nil || body != get.want || got.Type != get.kind || got.Protocol != "imap" {
					t.Errorf("%s: got %q, %v\n%s", get.url, body, err, said)
				}
				if strings.Contains(said, "secret") || strings.Contains(said, "AGtpbQ") {
					t.Errorf("the log shows the password:\n%s", said)
				}
			}
			for _, url := range []string{"mid:none@a.example", "mid:parts%2F1@a.example/none@a.example", "cid:none@a.example", "mid:any7@a.example"} {
				if _, _, _, err := obtain(t, c, url); !errors.Is(err, fetch.ErrNotFound) {
					t.Errorf("%s: %v", url, err)
				}
			}
			// A mailbox of another name is looked at where none is named.
			_, body, _, err := obtain(t, c, "cid:far@a.example")
			if all := tt.name == "STARTTLS"; all && body != "ein Buch\r\n" || !all && !errors.Is(err, fetch.ErrNotFound) {
				t.Errorf("in another mailbox: %q, %v", body, err)
			}
		})
	}
	// By its name, decoded.
	c := mailClient(t, &dial.Dialer{}, builtin.Options{Mailboxes: []string{"imap://kim:secret@" + store.Addr + "/B%C3%BCcher"}})
	if _, body, said, err := obtain(t, c, "mid:buch@a.example"); err != nil || !strings.HasSuffix(body, "ein Buch\r\n") {
		t.Errorf("%q, %v\n%s", body, err, said)
	}
	c = mailClient(t, &dial.Dialer{}, builtin.Options{Mailboxes: []string{"imap://kim:wrong@" + store.Addr}})
	var e *fetch.Error
	if _, _, _, err := obtain(t, c, "mid:x@a.example"); !errors.As(err, &e) || e.Step != fetch.Login || !errors.Is(err, fetch.ErrDenied) {
		t.Errorf("a wrong password gives %v", err)
	}
	seen, err := filepath.Glob(filepath.Join(dir, "*", "*:2,*S*"))
	if err != nil || len(seen) > 0 {
		t.Errorf("marked as read: %v, %v", seen, err)
	}
}
