package smtp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"runtime"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/smtp"
)

func Example() {
	client := fetch.Client{Transports: map[string]fetch.Transport{"mailto": smtp.New(&dial.Dialer{})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("mailto:joe@a.example?subject=Tulips&x-mailer=evil&body=in%20May")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.ReplaceAll(string(text), "\r\n", "\n"))
	fmt.Println("left out:", got.Header["Refused-Field"])
	// Output:
	// To: joe@a.example
	// Subject: Tulips
	// MIME-Version: 1.0
	// Content-Type: text/plain; charset=us-ascii
	// Content-Transfer-Encoding: 7bit
	//
	// in May
	// left out: [x-mailer: evil]
}

// draft fetches the letter of a URL, without sending it.
func draft(t *testing.T, url string) (*fetch.Result, string) {
	t.Helper()
	tr := smtp.New(&dial.Dialer{})
	client := fetch.Client{Transports: map[string]fetch.Transport{"mailto": tr, "mailserver": tr}}
	fetchtest.Opened(t, "none: the letter is written and not sent", &client)
	got, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// The letters that RFC 6068's examples stand for, and others, as they are
// written to the octet.
func TestDraft(t *testing.T) {
	const plain = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n"
	const coded = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
	for _, tt := range []struct{ url, want string }{
		// RFC 6068, section 6.1.
		{"mailto:chris@example.com", "To: chris@example.com\r\n" + plain},
		{"mailto:infobot@example.com?subject=current-issue", "To: infobot@example.com\r\nSubject: current-issue\r\n" + plain},
		{"mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index", "To: infobot@example.com\r\n" + plain + "send current-issue\r\nsend index\r\n"},
		{"mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E", "To: list@example.org\r\nIn-Reply-To: <3469A91.D10AF4C@example.com>\r\n" + plain},
		{"mailto:majordomo@example.com?body=subscribe%20bamboo-l", "To: majordomo@example.com\r\n" + plain + "subscribe bamboo-l\r\n"},
		{"mailto:joe@example.com?cc=bob@example.com&body=hello", "To: joe@example.com\r\nCc: bob@example.com\r\n" + plain + "hello\r\n"},
		{"mailto:addr1@an.example,addr2@an.example", "To: addr1@an.example, addr2@an.example\r\n" + plain},
		{"mailto:?to=addr1@an.example,addr2@an.example", "To: addr1@an.example, addr2@an.example\r\n" + plain},
		{"mailto:gorby%25kremvax@example.com", "To: gorby%kremvax@example.com\r\n" + plain},
		{"mailto:unlikely%3Faddress@example.com?blat=foop", "To: unlikely?address@example.com\r\n" + plain},
		{"mailto:Mike%26family@example.org", "To: Mike&family@example.org\r\n" + plain},
		// Section 6.2: quoted local parts.
		{"mailto:%22not%40me%22@example.org", "To: \"not@me\"@example.org\r\n" + plain},
		{"mailto:%22oh%5C%5Cno%22@example.org", "To: \"oh\\\\no\"@example.org\r\n" + plain},
		{"mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org", "To: \"\\\\\\\"it's\\ ugly\\\\\\\"\"@example.org\r\n" + plain},
		// Section 6.3: UTF-8 in the subject, the body, the domain.
		{"mailto:user@example.org?subject=caf%C3%A9", "To: user@example.org\r\nSubject: =?utf-8?Q?caf=C3=A9?=\r\n" + plain},
		{"mailto:user@example.org?subject=caf%C3%A9&body=caf%C3%A9", "To: user@example.org\r\nSubject: =?utf-8?Q?caf=C3=A9?=\r\n" + coded + "caf=C3=A9\r\n"},
		{"mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO", "To: user@xn--99zt52a.example.org\r\nSubject: Test\r\n" + plain + "NATTO\r\n"},
		// "+" is a plus (RFC 6068, section 5); an encoded comma belongs to its address.
		{"mailto:bill+ietf@example.org?subject=a+b", "To: bill+ietf@example.org\r\nSubject: a+b\r\n" + plain},
		{"mailto:%22a%2Cb%22@example.org,c@example.org", "To: \"a,b\"@example.org, c@example.org\r\n" + plain},
		// RFC 2047: what looks like an encoded word and is none, what a parser would trim.
		{"mailto:a@b.example?subject=%3D%3Fx%3F=", "To: a@b.example\r\nSubject: =?utf-8?Q?=3D=3Fx=3F=3D?=\r\n" + plain},
		{"mailto:a@b.example?subject=%20x", "To: a@b.example\r\nSubject: =?utf-8?Q?_x?=\r\n" + plain},
		{"mailto:a@b.example?subject=a%20%20b", "To: a@b.example\r\nSubject: a  b\r\n" + plain},
		{"mailto:a@b.example?subject=a%1Bb", "To: a@b.example\r\nSubject: =?utf-8?Q?a=1Bb?=\r\n" + plain},
		// Octets that are no UTF-8 are of a charset nobody knows: RFC 1428, section 4.
		{"mailto:a@b.example?subject=caf%E9", "To: a@b.example\r\nSubject: =?unknown-8bit?Q?caf=E9?=\r\n" + plain},
		// Line ends of every kind are the letter's own.
		{"mailto:a@b.example?body=a%0Ab%0Dc%0D%0A", "To: a@b.example\r\n" + plain + "a\r\nb\r\nc\r\n"},
		{"mailto:a@b.example?bcc=c@b.example", "To: a@b.example\r\nBcc: c@b.example\r\n" + plain},
		{"mailto:a@b.example?keywords=x&comments=y", "To: a@b.example\r\nKeywords: x\r\nComments: y\r\n" + plain},
		{"mailto:?subject=x", "Subject: x\r\n" + plain},
		// draft-ietf-uri-url-mailserver-01.
		{"mailserver:infobot@example.org/current-issue/", "To: infobot@example.org\r\nSubject: current-issue\r\n" + plain},
		{"mailserver:listserv@example.org//get%20file%0D%0Aend", "To: listserv@example.org\r\n" + plain + "get file\r\nend\r\n"},
	} {
		got, text := draft(t, tt.url)
		if text != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.url, text, tt.want)
		}
		if got.Type != "message/rfc822" || got.Size != int64(len(text)) {
			t.Errorf("%s: type %q, size %d of %d", tt.url, got.Type, got.Size, len(text))
		}
	}
}

// What a URL may not have in a letter is left out, and said: RFC 6068,
// sections 4 and 7.
func TestRefusedFields(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"from=boss@a.example", "from: boss@a.example"},
		{"Sender=x", "sender: x"},
		{"Reply-To=x", "reply-to: x"},
		{"date=x", "date: x"},
		{"content-type=text/html", "content-type: text/html"},
		{"resent-to=x@a.example", "resent-to: x@a.example"},
		{"apparently-to=x@a.example", "apparently-to: x@a.example"},
		{"attach=/etc/passwd", "attach: /etc/passwd"},
		{"in-reply-to=not%20an%20id", "in-reply-to: not an id"},
		{"in-reply-to=%3Ca@b%3E&in-reply-to=%3Cc@d%3E", "in-reply-to: <c@d>"},
	} {
		got, text := draft(t, "mailto:a@b.example?"+tt.query)
		if refused := got.Header["Refused-Field"]; len(refused) != 1 || refused[0] != tt.want {
			t.Errorf("%s: refused %q", tt.query, refused)
		}
		for line := range strings.SplitSeq(text, "\r\n") {
			switch name, _, _ := strings.Cut(line, ":"); name {
			case "", "To", "In-Reply-To", "MIME-Version", "Content-Transfer-Encoding":
			case "Content-Type":
				if line != "Content-Type: text/plain; charset=us-ascii" {
					t.Errorf("%s: %q", tt.query, line)
				}
			default:
				t.Errorf("%s: the letter has %q", tt.query, line)
			}
		}
	}
	// A line end in a field is no letter at all.
	for _, url := range []string{"mailto:a@b.example?subject=x%0D%0ABcc:%20c@d.example", "mailto:a@b.example%0D%0ADATA", "mailserver:a@b.example/x%0Ay/"} {
		client := fetch.Client{Transports: map[string]fetch.Transport{"mailto": smtp.New(nil), "mailserver": smtp.New(nil)}}
		_, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Reading {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// What a URL costs grows with its length and no faster.
func TestLongURL(t *testing.T) {
	var list strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&list, "a%d@b.example,", i)
	}
	for name, url := range map[string]string{
		"addresses": "mailto:" + list.String() + "a@b.example",
		"bodies":    "mailto:a@b.example?" + strings.Repeat("body=x&", 50_000),
		"fields":    "mailto:a@b.example?" + strings.Repeat("keywords=x&", 20_000) + strings.Repeat("in-reply-to=%3Ca@b%3E&", 20_000),
		"subject":   "mailto:a@b.example?subject=" + strings.Repeat("%C3%A9", 50_000),
	} {
		u := anyurl.MustParse(url)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := smtp.New(nil).Fetch(t.Context(), &fetch.Request{URL: u})
		runtime.ReadMemStats(&after)
		if err != nil || got.Size < 100_000 {
			t.Errorf("%s: %v", name, err)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 100*uint64(len(url)) {
			t.Errorf("%s: %d octets were allocated for %d", name, spent, len(url))
		}
	}
}

// read gives a letter's fields and text as net/mail and mime, which are not
// ours, read them.
func read(t *testing.T, text string) (mail.Header, string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	body := m.Body
	if m.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return m.Header, string(b)
}

// FuzzLetter holds that every mailto URL that reads gives a letter that others
// read as it was meant, in lines that mail carries.
func FuzzLetter(f *testing.F) {
	for _, s := range []string{"mailto:a@b.example?subject=caf%C3%A9%20" + strings.Repeat("%F0%9F%92%8C", 50) + "&body=x", "mailto:a@b.example?subject=" + strings.Repeat("x", 500),
		"mailto:a@b.example?body=" + strings.Repeat("y", 2000), "mailto:" + strings.Repeat("someone@somewhere.example,", 40) + "a@b?subject=" + strings.Repeat("a%20%20", 60),
		"mailto:a@b?keywords=%20&comments==%3F%3F=&subject=%FF%00", "mailto:a@b?subject=" + strings.Repeat("%E4", 90), "mailto:%C3%A9@b?body=.%0A..%0A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil || u.Scheme() != "mailto" {
			return
		}
		got, err := smtp.New(nil).Fetch(t.Context(), &fetch.Request{URL: u})
		if err != nil {
			return
		}
		b, _ := io.ReadAll(got.Body)
		text := string(b)
		head, _, _ := strings.Cut(text, "\r\n\r\n")
		for line := range strings.SplitSeq(text, "\r\n") {
			if len(line) > 998 && got.Type == "message/rfc822" && !strings.HasPrefix(line, "To:") {
				t.Errorf("a line of %d octets in the letter of %q", len(line), s)
			}
			if strings.ContainsAny(line, "\r\n\x00") {
				t.Errorf("a loose line end in %q", line)
			}
		}
		for line := range strings.SplitSeq(head, "\r\n") {
			if strings.TrimLeft(line, " ") == "" {
				t.Errorf("an empty header line in %q", head)
			}
		}
		header, _ := read(t, text)
		want := u.Query()
		if !strings.Contains(want, "&") && strings.HasPrefix(want, "subject=") {
			decoder := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) { return in, nil }}
			subject, err := decoder.DecodeHeader(header.Get("Subject"))
			if plain := unescape(want[len("subject="):]); err != nil || subject != plain {
				t.Errorf("the subject %q is read as %q, %v", plain, subject, err)
			}
		}
	})
}

// unescape undoes percent-encoding.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		var c byte
		if s[i] == '%' && i+2 < len(s) {
			if n, _ := fmt.Sscanf(s[i+1:i+3], "%02x", &c); n == 1 && strings.Trim(s[i+1:i+3], "0123456789abcdefABCDEF") == "" {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func TestSuiteDraft(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(d *dial.Dialer) fetch.Transport { return smtp.New(d) },
		URL:  "mailto:a@b.example?subject=x",
		Want: "To: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n",
		Head: true,
	})
}

// sender is a transport that sends, with the same letter each time.
func sender(d *dial.Dialer, server string) *smtp.Transport {
	t := smtp.New(d)
	t.Send, t.Server, t.From, t.ClearText = true, server, "Kim <kim@a.example>", true
	t.Now = func() time.Time { return time.Date(2026, 11, 30, 8, 52, 7, 0, time.FixedZone("", 3600)) }
	t.ID = func() string { return "1" }
	return t
}

const sent = "Date: Mon, 30 Nov 2026 08:52:07 +0100\r\nFrom: \"Kim\" <kim@a.example>\r\nTo: joe@b.example\r\nSubject: x\r\nMessage-ID: <1@a.example>\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n.\r\n..b\r\n"

const taken = `
	S: 220 ready
	C: EHLO [127.0.0.1]
	S: 250-hello
	S: 250-SIZE 100000
	S: 250 8BITMIME
	C: MAIL FROM:<kim@a.example> SIZE=232
	S: 250 2.1.0 ok
	C: RCPT TO:<joe@b.example>
	S: 250 2.1.5 ok
	C: RCPT TO:<blind@b.example>
	S: 251 forwarded
	C: DATA
	S: 354 go
	C: Date: Mon, 30 Nov 2026 08:52:07 +0100
	C: From: "Kim" <kim@a.example>
	C: To: joe@b.example
	C: Subject: x
	C: Message-ID: <1@a.example>
	C: MIME-Version: 1.0
	C: Content-Type: text/plain; charset=us-ascii
	C: Content-Transfer-Encoding: 7bit
	C:
	C: ..
	C: ...b
	C: .
	S: 250 2.0.0 taken as 1
	C: QUIT`

func TestSuiteSend(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(d *dial.Dialer) fetch.Transport { return sender(d, fetchtest.Host) },
		URL:  "mailto:joe@b.example?subject=x&bcc=blind@b.example&body=.%0A..b",
		Port: 587,
		Want: sent,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			for _, step := range transcript.Parse(taken) {
				switch step.Do {
				case "say":
					if _, err := io.WriteString(conn, step.Text); err != nil {
						return
					}
				case "want":
					got := line(conn)
					if strings.HasPrefix(step.Text, "EHLO ") && strings.HasPrefix(got, "EHLO [") {
						continue // our own address, whatever it is
					}
					if got != step.Text {
						return
					}
				}
			}
		},
	})
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

// serve starts a server on loopback that plays a script.
func serve(t *testing.T, script string) (addr string, server *transcript.Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server = &transcript.Server{Scripts: []transcript.Script{transcript.Parse(script)}}
	server.Start(l)
	return l.Addr().String(), server
}

// send sends the letter of a URL.
func send(t *testing.T, tr *smtp.Transport, url string, trace func(fetch.Event)) (*fetch.Result, error) {
	t.Helper()
	client := fetch.Client{Transports: map[string]fetch.Transport{"mailto": tr, "mailserver": tr}}
	fetchtest.Opened(t, "our own stand-in for an SMTP server", &client)
	got, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Trace: trace})
	if err == nil {
		t.Cleanup(func() { got.Body.Close() })
	}
	return got, err
}

// Nobody reads in a letter who gets a blind copy, dots are doubled on the wire
// alone, and the transcript is held to the line.
func TestSend(t *testing.T) {
	// The goodbye is not waited for, and may be on its way when the server ends.
	addr, server := serve(t, strings.TrimSuffix(taken, "C: QUIT"))
	got, err := send(t, sender(&dial.Dialer{}, addr), "mailto:joe@b.example?subject=x&bcc=blind@b.example&body=.%0A..b", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(got.Body)
	if err != nil || string(text) != sent {
		t.Errorf("got %q, %v", text, err)
	}
	if to := got.Header["Sent-To"]; len(to) != 2 || to[1] != "blind@b.example" || got.Status != 250 || got.Protocol != "smtp" {
		t.Errorf("got %+v", got.Response)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

// A password goes out in a form that no log shows, and never in clear to
// another machine.
func TestLogin(t *testing.T) {
	for _, tt := range []struct{ name, offer, login string }{
		{"PLAIN", "AUTH LOGIN PLAIN", "C: AUTH PLAIN AGtpbQBzM2NyZXQ="},
		{"LOGIN", "AUTH=LOGIN", "C: AUTH LOGIN\nS: 334 VXNlcm5hbWU6\nC: a2lt\nS: 334 UGFzc3dvcmQ6\nC: czNjcmV0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr, server := serve(t, "S: 220 x\nC: EHLO [127.0.0.1]\nS: 250-x\nS: 250 "+tt.offer+"\n"+tt.login+`
				S: 235 2.7.0 in
				C: MAIL FROM:<kim@a.example>
				S: 550 5.7.1 no, `+"\x1b"+`[2J
				close`)
			var log bytes.Buffer
			_, err := send(t, sender(&dial.Dialer{}, "smtp://kim:s3cret@"+addr), "mailto:joe@b.example", func(e fetch.Event) { fmt.Fprintln(&log, e.Text) })
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step != fetch.Sending || e.Status != 550 || !errors.Is(err, fetch.ErrDenied) {
				t.Errorf("got %v", err)
			}
			if want := `sending mailto:joe@b.example: MAIL FROM "kim@a.example": the server answered 550 5.7.1 (not allowed): the server said "5.7.1 no, \u{1b}[2J"`; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			for _, secret := range []string{"s3cret", "czNjcmV0", "AGtpbQBzM2NyZXQ"} {
				if strings.Contains(log.String(), secret) {
					t.Errorf("the log shows %q:\n%s", secret, log.String())
				}
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Every failure names its step, and none leaves a letter half sent.
func TestFailures(t *testing.T) {
	const hello = "S: 220 x\nC: EHLO [127.0.0.1]\nS: 250 x\n"
	const mailed = hello + "C: MAIL FROM:<kim@a.example>\nS: 250 x\n"
	const received = mailed + "C: RCPT TO:<joe@b.example>\nS: 250 x\n"
	for _, tt := range []struct {
		name, script, url, step string
		kind                    error
		says                    string
	}{
		{"busy", "S: 421 4.3.2 closing\nclose", "mailto:joe@b.example", fetch.Greeting, fetch.ErrBusy, "421 4.3.2 (service not available)"},
		{"no mail", "S: 554 no\nclose", "mailto:joe@b.example", fetch.Greeting, nil, "554 (it takes no mail)"},
		{"another protocol", "S: SSH-2.0-OpenSSH_9\nclose", "mailto:joe@b.example", fetch.Greeting, fetch.ErrMalformed, ""},
		{"no hello", "S: 220 x\nC: EHLO [127.0.0.1]\nS: 550 who\nclose", "mailto:joe@b.example", fetch.Greeting, nil, "550"},
		{"an old server", "S: 220 x\nC: EHLO [127.0.0.1]\nS: 502 what\nC: HELO [127.0.0.1]\nS: 250 x\nC: MAIL FROM:<kim@a.example>\nS: 451 later\nclose",
			"mailto:joe@b.example", fetch.Sending, fetch.ErrBusy, `MAIL FROM "kim@a.example": the server answered 451`},
		{"one of two", mailed + "C: RCPT TO:<joe@b.example>\nS: 550 5.1.1 none\nC: RCPT TO:<ann@b.example>\nS: 250 x\nclose",
			"mailto:joe@b.example,ann@b.example", fetch.Sending, fetch.ErrNotFound, `RCPT TO "joe@b.example": the server answered 550 5.1.1 (no such mailbox)`},
		{"both", mailed + "C: RCPT TO:<joe@b.example>\nS: 450 4.2.0 grey\nC: RCPT TO:<ann@b.example>\nS: 450 4.2.0 grey\nclose",
			"mailto:joe@b.example,ann@b.example", fetch.Sending, fetch.ErrBusy, `so it did for 1 more`},
		{"no data", received + "C: DATA\nS: 503 x\nclose", "mailto:joe@b.example", fetch.Sending, fetch.ErrUnsupported, "DATA: the server answered 503"},
		{"refused at the end", received + "C: DATA\nS: 354 go\nC: Date: Mon, 30 Nov 2026 08:52:07 +0100\nC: From: \"Kim\" <kim@a.example>\nC: To: joe@b.example\nC: Message-ID: <1@a.example>\nC: MIME-Version: 1.0\n" +
			"C: Content-Type: text/plain; charset=us-ascii\nC: Content-Transfer-Encoding: 7bit\nC:\nC: .\nS: 554 5.6.0 spam\nclose", "mailto:joe@b.example", fetch.Sending, nil, "the letter: the server answered 554 5.6.0"},
		{"gone after the letter", received + "C: DATA\nS: 354 go\nC: Date: Mon, 30 Nov 2026 08:52:07 +0100\nC: From: \"Kim\" <kim@a.example>\nC: To: joe@b.example\nC: Message-ID: <1@a.example>\nC: MIME-Version: 1.0\n" +
			"C: Content-Type: text/plain; charset=us-ascii\nC: Content-Transfer-Encoding: 7bit\nC:\nC: .\nclose", "mailto:joe@b.example", fetch.Sending, nil, "did not say whether it took the letter"},
		{"too large", "S: 220 x\nC: EHLO [127.0.0.1]\nS: 250-x\nS: 250 SIZE 100\nclose", "mailto:joe@b.example", fetch.Sending, fetch.ErrTooLarge, "at most 100"},
		{"no SMTPUTF8", hello + "close", "mailto:jos%C3%A9@b.example", fetch.Sending, fetch.ErrUnsupported, "SMTPUTF8"},
		{"nobody", "hang", "mailto:?subject=x", fetch.Reading, nil, "nobody"},
		{"a long address", "hang", "mailto:" + strings.Repeat("a", 65) + "@b.example", fetch.Reading, nil, "RFC 5321, section 4.5.3.1"},
		{"many", "hang", "mailto:" + strings.Repeat("a@b.example,", 50) + manyAddresses(), fetch.Reading, nil, "at most 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr, server := serve(t, tt.script)
			_, err := send(t, sender(&dial.Dialer{}, addr), tt.url, nil)
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v", err)
			}
			asked := 0
			again := fetch.Retry{Attempts: 2, Base: 1, Transport: fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
				asked++
				return nil, err
			})}
			again.Fetch(t.Context(), &fetch.Request{})
			if tt.name == "gone after the letter" && asked != 1 {
				t.Error("a letter that may have been sent is sent again")
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func manyAddresses() string {
	var list []string
	for i := range 101 {
		list = append(list, fmt.Sprintf("a%d@b.example", i))
	}
	return strings.Join(list, ",")
}

// Where a letter would go out in clear to another machine it does not, unless
// that was asked for; a password never does.
func TestClear(t *testing.T) {
	const script = "220 x\r\n"
	for _, tt := range []struct {
		server string
		clear  bool
		step   string
	}{
		{fetchtest.Host, false, fetch.TLS},
		{"smtp://kim:s3cret@" + fetchtest.Host, true, fetch.Login},
	} {
		ours, theirs := net.Pipe()
		go func() {
			io.WriteString(theirs, script)
			line(theirs)
			io.WriteString(theirs, "250-x\r\n250 AUTH PLAIN\r\n")
			io.Copy(io.Discard, theirs)
		}()
		tr := sender(pipe(ours), tt.server)
		tr.ClearText = tt.clear
		_, err := send(t, tr, "mailto:joe@b.example", nil)
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || !errors.Is(err, fetch.ErrRefused) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: got %v", tt.step, err)
		}
		theirs.Close()
	}
}

// What somebody in the middle says before TLS begins is not taken for the
// server's.
func TestInjected(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go func() {
		io.WriteString(theirs, "220 x\r\n")
		line(theirs)
		io.WriteString(theirs, "250-x\r\n250 STARTTLS\r\n")
		line(theirs)
		io.WriteString(theirs, "220 go\r\n250 injected\r\n")
		io.Copy(io.Discard, theirs)
	}()
	_, err := send(t, sender(pipe(ours), fetchtest.Host), "mailto:joe@b.example", nil)
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step != fetch.TLS || !strings.Contains(err.Error(), "spoke on before TLS") {
		t.Errorf("got %v", err)
	}
}

// FuzzServer holds that a server may say anything: a letter was taken, which
// takes an answer of 250 to it, or an error says what was not.
func FuzzServer(f *testing.F) {
	for _, s := range []string{"220 x\r\n250-x\r\n250-AUTH=LOGIN\r\n250 SIZE 1\r\n", "220 x\r\n250 x\r\n250 x\r\n250 x\r\n354 x\r\n250 x\r\n",
		"220-x\r\n220 x\r\n502 x\r\n250 x\r\n250 x\r\n551 5.1.6 x\r\n", "220 x\r\n250-x\r\n250 AUTH PLAIN\r\n535 5.7.8 x\r\n", "421 4.3 x\r\n", "220 x\r\n250\r\n250 5.1.1111 x\r\n"} {
		f.Add(s)
	}
	u := anyurl.MustParse("mailto:joe@b.example?body=x")
	f.Fuzz(func(t *testing.T, says string) {
		var sent bytes.Buffer
		tr := sender(pipe(&scripted{in: strings.NewReader(says), sent: &sent}), "smtp://"+fetchtest.Host)
		got, err := tr.Fetch(t.Context(), &fetch.Request{URL: u, Limits: fetch.DefaultLimits()})
		if err == nil && (got.Status != 250 || !strings.Contains(says, "354") || !strings.Contains(sent.String(), "\r\n.\r\n")) {
			t.Errorf("%q took the letter", says)
		}
		var e *fetch.Error
		if err != nil && (!errors.As(err, &e) || e.Step == "") {
			t.Errorf("%v names no step", err)
		}
	})
}

// scripted is a connection that gives what it was given, and keeps what it takes.
type scripted struct {
	net.Conn
	in   io.Reader
	sent io.Writer
}

func (c *scripted) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *scripted) Write(p []byte) (int, error) { return c.sent.Write(p) }
func (c *scripted) Close() error                { return nil }
func (c *scripted) SetDeadline(time.Time) error { return nil }
func (c *scripted) LocalAddr() net.Addr         { return &net.TCPAddr{IP: net.IPv6loopback, Port: 1} }

// Settings that are none are said to be, without what stands in them.
func TestSettings(t *testing.T) {
	for _, tt := range []struct{ server, from, says string }{
		{"", "kim@a.example", "no mail server is configured"},
		{"smtp://kim:s3cret@", "kim@a.example", "no form that is known"},
		{"http://kim:s3cret@a.example", "kim@a.example", "no form that is known"},
		{"a.example:x", "kim@a.example", "no form that is known"},
		{"a.example", "", "without the address of who writes it"},
		{"a.example", "kim", "is no mail address"},
		{"a.example", "a@a.example\r\nBcc: b@b.example", "is no mail address"},
	} {
		tr := sender(&dial.Dialer{}, tt.server)
		tr.From = tt.from
		_, err := send(t, tr, "mailto:joe@b.example", nil)
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Reading || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error()+e.Hint, "s3cret") {
			t.Errorf("%q, %q: got %v", tt.server, tt.from, err)
		}
	}
}
