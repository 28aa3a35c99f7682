package mid_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/internal/wire"
	"anyurl/proto/mid"
)

// ask fetches a URL from a server on loopback that plays a script.
func ask(t *testing.T, script, mailbox, url string) (body, log string, err error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &transcript.Server{Scripts: []transcript.Script{transcript.Parse(script)}}
	server.Start(l)
	c := client("imap://" + fmt.Sprintf(mailbox, l.Addr()))
	c.Limits = fetch.Limits{MaxHeader: 16 << 10, MaxEntries: 5, Total: 20 * time.Second}
	var said bytes.Buffer
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Trace: func(e fetch.Event) { fmt.Fprintln(&said, e.Text) }})
	if err == nil {
		var b []byte
		b, err = io.ReadAll(got.Body)
		body = string(b)
		got.Body.Close()
	}
	if fault := server.Close(); fault != nil && !strings.Contains(fault.Error(), "the client went away") {
		t.Error(fault)
	}
	return body, said.String(), err
}

// What servers do and what comes of it.
func TestIMAP(t *testing.T) {
	const in = "S: * PREAUTH [CAPABILITY IMAP4rev1] in\nC: a1 EXAMINE \"INBOX\"\nS: * 1 EXISTS\nS: a1 OK x\n"
	const found = in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * SEARCH 7\nS: a2 OK x\nC: a3 UID FETCH 7 (BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])\n" +
		"S: * 1 FETCH (UID 7 BODY[HEADER.FIELDS (MESSAGE-ID)] \"Message-ID: <1@a.example>\")\nS: a3 OK x\n"
	for _, tt := range []struct {
		name, script, mailbox, url, want string
		step                             string
		kind                             error
		says                             string
	}{
		{name: "busy", script: "S: * BYE [UNAVAILABLE] later", step: fetch.Greeting, kind: fetch.ErrBusy, says: "not now"},
		{name: "another protocol", script: "S: 220 smtp.a.example ESMTP", step: fetch.Greeting, kind: fetch.ErrMalformed},
		{name: "wrong password", script: "S: * OK [CAPABILITY AUTH=PLAIN] x\nC: a1 AUTHENTICATE PLAIN\nS: +\nC: AGtpbQBzM2NyZXQ=\nS: a1 NO [AUTHENTICATIONFAILED] no \\x1b[2J",
			step: fetch.Login, kind: fetch.ErrDenied, says: `the user name or the password is wrong): the server said "no \u{1b}[2J"`},
		{name: "LOGIN", script: "S: * OK x\nC: a1 CAPABILITY\nS: * CAPABILITY IMAP4rev1\nS: a1 OK x\nC: a2 LOGIN \"kim\" \"s3cret\"\nS: a2 BAD what", step: fetch.Login, kind: fetch.ErrDenied},
		{name: "a password in octets", mailbox: "kim:s3cr%%C3%%A9t@%s/INBOX", script: "S: * OK [CAPABILITY IMAP4rev1] x\nC: a1 LOGIN \"kim\" {7}\nS: + go\nC: s3cr\\xc3\\xa9t\nS: a1 NO no", step: fetch.Login, kind: fetch.ErrDenied},
		{name: "no user", mailbox: "%s/INBOX", script: "S: * OK x", step: fetch.Login, kind: fetch.ErrDenied},
		{name: "no mailbox", script: "S: * PREAUTH x\nC: a1 EXAMINE \"INBOX\"\nS: a1 NO [NONEXISTENT] x", step: fetch.Asking, kind: fetch.ErrNotFound, says: "no such mailbox"},
		{name: "a name in modified UTF-7", mailbox: "%s/B%%C3%%BCcher%%20%%26%%20%%F0%%9F%%92%%8C", script: "S: * PREAUTH x\nC: a1 EXAMINE \"B&APw-cher &- &2D3cjA-\"\nS: a1 NO x", step: fetch.Asking, kind: fetch.ErrNotFound},
		{name: "none found", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * SEARCH\nS: a2 OK x", step: fetch.Asking, kind: fetch.ErrNotFound, says: "none of the 1 messages"},
		{name: "an empty mailbox", script: "S: * PREAUTH x\nC: a1 EXAMINE \"INBOX\"\nS: * 0 EXISTS\nS: a1 OK x", step: fetch.Asking, kind: fetch.ErrNotFound, says: "none of the 0 messages"},
		{name: "too many found", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * SEARCH 1 2 3 4 5 6 7\nS: a2 OK x", step: fetch.Asking, kind: fetch.ErrTooLarge},
		{name: "quotes and backslashes", url: "mid:%22a%5Cb%22@a.example", script: in + "C: a2 UID SEARCH HEADER Message-ID \"\\\\\\x22a\\\\\\\\b\\\\\\x22@a.example\"\nS: * SEARCH\nS: a2 OK x",
			step: fetch.Asking, kind: fetch.ErrNotFound},
		{name: "an identifier beyond ASCII", url: "mid:caf%C3%A9@a.example", script: in + "C: a2 UID SEARCH CHARSET UTF-8 HEADER Message-ID {15}\nS: + go\nC: caf\\xc3\\xa9@a.example\nS: * SEARCH\nS: a2 OK x",
			step: fetch.Asking, kind: fetch.ErrNotFound},
		{name: "all mailboxes", mailbox: "%s", script: "S: * PREAUTH x\nC: a1 LIST \"\" \"*\"\nS: * LIST (\\\\HasNoChildren) \"/\" inbox\nS: * LIST (\\\\Noselect) \"/\" \"none\"\nS: * LIST () NIL {4}\nS- a\\x22b\\xff\nS:\nS: * LIST () \"/\" \"last\"\nS: a1 OK x\n" +
			"C: a2 EXAMINE \"INBOX\"\nS: * 0 EXISTS\nS: a2 OK x\nC: a3 EXAMINE \"last\"\nclose", step: fetch.Asking, kind: fetch.ErrTruncated},
		{name: "a mailbox that may not be opened", mailbox: "%s", script: "S: * PREAUTH x\nC: a1 LIST \"\" \"*\"\nS: * LIST () \"/\" \"x y\"\nS: a1 OK x\nC: a2 EXAMINE \"INBOX\"\nS: * 0 EXISTS\nS: a2 OK x\nC: a3 EXAMINE \"x y\"\nS: a3 NO [NOPERM] x",
			step: fetch.Asking, kind: fetch.ErrNotFound},
		{name: "whole", want: "Message-ID: <1@a.example>\r\n\r\nx", script: found + "C: a4 UID FETCH 7 (BODY.PEEK[])\nS: * 1 FETCH (FLAGS () BODY[] {30}\nS: Message-ID: <1@a.example>\nS:\nS: x)\nS: a4 OK x"},
		{name: "gone", script: found + "C: a4 UID FETCH 7 (BODY.PEEK[])\nS: * 1 FETCH (UID 7 BODY[] NIL)\nS: a4 OK x", step: fetch.Asking, kind: fetch.ErrNotFound, says: "any more"},
		{name: "cut off", want: "Message-ID: <1@a.ex", script: found + "C: a4 UID FETCH 7 (BODY.PEEK[])\nS: * 1 FETCH (UID 7 BODY[] {1000}\nS- Message-ID: <1@a.ex\nclose", step: fetch.Body, kind: fetch.ErrTruncated},
		{name: "a part that the description has not", url: "mid:1@a.example/m@a.example", want: "--x\r\n\r\n--x--\r\n", script: found + "C: a4 UID FETCH 7 (BODYSTRUCTURE)\nS: * 1 FETCH (UID 7 BODYSTRUCTURE ((\"text\" \"plain\" NIL NIL NIL \"7bit\" 0 0) \"mixed\"))\nS: a4 OK x\n" +
			"C: a5 UID FETCH 7 (BODY.PEEK[])\nS: * 1 FETCH (UID 7 BODY[] {86}\nS: Content-ID: <m@a.example>\nS: Content-Type: multipart/mixed; boundary=x\nS:\nS: --x\nS:\nS: --x--\nS: )\nS: a5 OK x"},
		{name: "a part that is not there", url: "mid:1@a.example/n@a.example", script: found + "C: a4 UID FETCH 7 (BODYSTRUCTURE)\nS: * 1 FETCH (UID 7 BODYSTRUCTURE ((\"text\" \"plain\" NIL NIL NIL \"7bit\" 0 0) \"mixed\"))\nS: a4 OK x\n" +
			"C: a5 UID FETCH 7 (BODY.PEEK[])\nS: * 1 FETCH (UID 7 BODY[] {86}\nS: Content-ID: <m@a.example>\nS: Content-Type: multipart/mixed; boundary=x\nS:\nS: --x\nS:\nS: --x--\nS: )\nS: a5 OK x", step: fetch.Asking, kind: fetch.ErrNotFound, says: "no part"},
		// Servers that mean harm.
		{name: "lists in lists", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS- * X " + strings.Repeat("(", 5000), step: fetch.Asking, kind: fetch.ErrTooLarge},
		{name: "a literal without end", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * X {99999999999}", step: fetch.Asking, kind: fetch.ErrTooLarge},
		{name: "a literal of less than nothing", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * X {-1}", step: fetch.Asking, kind: fetch.ErrMalformed},
		{name: "a literal without a number", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * X {}", step: fetch.Asking, kind: fetch.ErrMalformed},
		{name: "chatter", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\n" + strings.Repeat("S: * OK x "+strings.Repeat("y", 1000)+"\n", 400), step: fetch.Asking, kind: fetch.ErrTooLarge},
		{name: "a long line", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * OK " + strings.Repeat("y", 20_000), step: fetch.Asking, kind: fetch.ErrTooLarge},
		{name: "a number too large", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * SEARCH 4294967296", step: fetch.Asking, kind: fetch.ErrMalformed},
		{name: "another's tag", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: a1 OK x", step: fetch.Asking, kind: fetch.ErrMalformed},
		{name: "a string over the line", script: in + "C: a2 UID SEARCH HEADER Message-ID \"1@a.example\"\nS: * X \"a\nS: b\"", step: fetch.Asking, kind: fetch.ErrMalformed},
		{name: "a mailbox whose name is a command", mailbox: "%s", script: "S: * PREAUTH x\nC: a1 LIST \"\" \"*\"\nS: * LIST () \"/\" {17}\nS: x\nS: a9 DELETE INBOX\nS: a1 OK x\nC: a2 EXAMINE \"INBOX\"\nS: * 0 EXISTS\nS: a2 OK x\nC: a3 LOGOUT",
			step: fetch.Asking, kind: fetch.ErrNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mailbox, url := "kim:s3cret@%s/INBOX", "mid:1@a.example"
			if tt.mailbox != "" {
				mailbox = tt.mailbox
			}
			if tt.url != "" {
				url = tt.url
			}
			body, log, err := ask(t, tt.script, mailbox, url)
			var e *fetch.Error
			switch {
			case tt.step == "" && (err != nil || body != tt.want):
				t.Errorf("got %q, %v", body, err)
			case tt.step != "" && (!errors.As(err, &e) || e.Step != tt.step || !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) || body != tt.want):
				t.Errorf("got %q, %v", body, err)
			}
			for _, secret := range []string{"s3cret", "AGtpbQBzM2NyZXQ", "s3cr\xc3\xa9t"} {
				if strings.Contains(log, secret) || err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("%q is shown:\n%s%v", secret, log, err)
				}
			}
		})
	}
}

// A password goes to another machine in TLS or not at all.
func TestClearLogin(t *testing.T) {
	said := make(chan string, 1)
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go func() {
		io.WriteString(theirs, "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] x\r\n")
		said <- line(theirs)
	}()
	tr := mid.New(pipe(ours), "imap://kim:s3cret@"+fetchtest.Host)
	c := &fetch.Client{Transports: map[string]fetch.Transport{"mid": tr}}
	_, _, err := get(t, c, "mid:1@a.example")
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step != fetch.Login || !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("got %v", err)
	}
	theirs.Close()
	if got := <-said; got != "" {
		t.Errorf("the client said %q in the clear", got)
	}
}

// What somebody in the middle says before TLS begins is not taken for the
// server's.
func TestInjected(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go func() {
		io.WriteString(theirs, "* OK [CAPABILITY IMAP4rev1 STARTTLS] x\r\n")
		line(theirs)
		io.WriteString(theirs, "a1 OK go\r\n* PREAUTH injected\r\n")
		io.Copy(io.Discard, theirs)
	}()
	tr := mid.New(pipe(ours), "imap://kim:s3cret@"+fetchtest.Host)
	_, _, err := get(t, &fetch.Client{Transports: map[string]fetch.Transport{"mid": tr}}, "mid:1@a.example")
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step != fetch.TLS || !strings.Contains(err.Error(), "spoke on before TLS") {
		t.Errorf("got %v", err)
	}
}

// FuzzResponses holds that any octets are read within their bounds.
func FuzzResponses(f *testing.F) {
	for _, s := range []string{
		"* OK [CAPABILITY IMAP4rev1] x\r\n* CAPABILITY X\r\na1 OK x\r\n",
		"* PREAUTH x\r\n* LIST (\\Noselect) \"/\" {3}\r\nabc\r\na1 OK x\r\n* 5 EXISTS\r\na2 OK x\r\n* SEARCH 1 2\r\na3 OK x\r\n",
		"* OK x\r\n* 1 FETCH (UID 7 BODYSTRUCTURE ((\"a\" \"b\" NIL NIL NIL \"7bit\" 1)(\"message\" \"rfc822\" NIL \"<c@a>\" NIL \"7bit\" 1 NIL (\"text\" \"plain\" NIL NIL NIL \"7bit\" 1 1) 1) \"mixed\"))\r\na1 OK x\r\n",
		"* BYE\r\n", "+ x\r\n", "* 1 FETCH (BODY[] {5}\r\nab", "* X (((\r\n", "* X {1}\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, do := range []func(c *mid.Conn) error{
			func(c *mid.Conn) error { _, err := c.List(10); return err },
			func(c *mid.Conn) error { _, err := c.Search("x", 10); return err },
			func(c *mid.Conn) error { _, err := c.Examine("x"); return err },
			func(c *mid.Conn) error { return c.Login("a", "b") },
			func(c *mid.Conn) error { return c.Identifiers([]uint32{1}, func(uint32, string) {}) },
			func(c *mid.Conn) error { return c.Walk(1) },
			func(c *mid.Conn) error {
				r, size, err := c.Body(1, "")
				if err == nil {
					n, err := io.Copy(io.Discard, r)
					if err == nil && n != size {
						t.Errorf("%d octets of %d, and no error", n, size)
					}
				}
				return err
			},
		} {
			c := mid.NewConn(&reading{in: bytes.NewReader(in)}, wire.Limits{Reply: 1000})
			if c.Greeting() == nil {
				do(c)
			}
		}
	})
}

// reading is a connection that gives what it was given, and takes anything.
type reading struct {
	net.Conn
	in io.Reader
}

func (r *reading) Read(p []byte) (int, error)  { return r.in.Read(p) }
func (r *reading) Write(p []byte) (int, error) { return len(p), nil }
func (r *reading) Close() error                { return nil }
