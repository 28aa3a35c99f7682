// Package dict opens dict URLs by the DICT protocol (RFC 2229): a word's
// definitions, the words that match one, or the list of a server's databases.
// Start with [New].
package dict

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	dicturl "anyurl/scheme/dict"
)

// A Transport opens dict URLs, each on a connection of its own.
type Transport struct {
	dialer *dial.Dialer
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"dict"} }

// Fetch looks the word up. Definitions come as one text, each under its
// database's name; one that the URL numbers comes alone. Matches and databases
// come as a listing. The user in a URL logs in only where the Request has a
// secret for it.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := dicturl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	ask, err := request(ref)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	defer conn.Close()
	defer wire.Watch(ctx, conn)()
	s := newSession(conn, req)
	resp := &fetch.Response{URL: req.URL, Protocol: "dict", Type: "text/plain"}
	body, err := s.run(ref, ask, resp)
	if err != nil {
		return nil, err
	}
	resp.Size = int64(len(body))
	if req.Head() {
		body = nil
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// request is the command for a reference.
func request(ref dicturl.Ref) (string, error) {
	line := "SHOW DB"
	switch {
	case ref.Word == "":
	case ref.Define:
		line = "DEFINE " + word(ref.Database) + " " + quoted(ref.Word)
	default:
		line = "MATCH " + word(ref.Database) + " " + word(ref.Strategy) + " " + quoted(ref.Word)
	}
	if err := wire.Check(line); err != nil {
		return "", err
	}
	// RFC 2229, section 2.3: a command line has at most 1024 octets.
	if len(line)+2 > 1024 {
		return "", &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrRefused, Err: errors.New("the word is longer than a command can be")}
	}
	return line, nil
}

// word writes an atom as it is, and anything else as a string.
func word(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F || strings.ContainsRune(`"'\`, r) }) {
		return s
	}
	return quoted(s)
}

// quoted writes a string: RFC 2229, section 2.2.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// A session is one conversation.
type session struct {
	c   *wire.Conn
	req *fetch.Request
}

func newSession(conn net.Conn, req *fetch.Request) *session {
	limits := wire.Limits{Line: max(req.Limits.MaxLine, 0), Reply: max(req.Limits.MaxHeader, 0)}
	s := &session{c: wire.NewConn(conn, limits), req: req}
	if req.Trace != nil {
		s.c.Log = func(sent bool, line string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			req.Trace(fetch.Event{Kind: kind, Text: line})
		}
	}
	return s
}

// run holds the conversation and gives the object.
func (s *session) run(ref dicturl.Ref, ask string, resp *fetch.Response) ([]byte, error) {
	hello, err := s.reply(fetch.Greeting, 220)
	if err != nil {
		return nil, err
	}
	if err := s.command(fetch.Greeting, 250, "CLIENT", "anyurl"); err != nil {
		return nil, err
	}
	if a := s.req.Auth; a != nil && a.HasPassword {
		if err := s.login(a, hello.Text()); err != nil {
			return nil, err
		}
	}
	if err := s.c.Send(ask); err != nil {
		return nil, fetch.Fail(fetch.Asking, err)
	}
	var body []byte
	switch {
	case ref.Word == "":
		body, err = s.databases(resp)
	case ref.Define:
		body, err = s.definitions(ref, resp)
	default:
		body, err = s.matches(ref, resp)
	}
	if err != nil {
		return nil, err
	}
	s.c.Send("QUIT") // a courtesy; nobody waits for the answer
	return body, nil
}

// reply reads one reply, which has to be of a code.
func (s *session) reply(step string, code int) (wire.Reply, error) {
	r, err := s.c.ReadReply()
	if err != nil {
		return r, fetch.Fail(step, err)
	}
	if r.Code != code {
		return r, refusal(step, r)
	}
	return r, nil
}

// refusal is a reply of another code than the one that was wanted.
func refusal(step string, r wire.Reply) error {
	e := &fetch.Error{Step: step, Status: r.Code, Said: r.Text()}
	switch r.Code {
	case 420, 421:
		e.Kind, e.Err = fetch.ErrBusy, errors.New("the server wants to be asked again later")
	case 530, 531, 532:
		e.Kind, e.Err = fetch.ErrDenied, errors.New("the server does not let us in")
	case 550:
		e.Kind, e.Err, e.Hint = fetch.ErrNotFound, errors.New("the server has no such database"), "the URL of the server alone lists its databases"
	case 551:
		e.Kind, e.Err, e.Hint = fetch.ErrNotFound, errors.New("the server has no such strategy"), "leave the strategy out"
	case 552:
		e.Kind, e.Err = fetch.ErrNotFound, errors.New("the server has no such word")
	case 554:
		e.Kind, e.Err = fetch.ErrNotFound, errors.New("the server has no databases")
	default:
		e.Err = fmt.Errorf("the server refuses (%d)", r.Code)
		if r.Code < 400 {
			e.Kind, e.Err = fetch.ErrMalformed, fmt.Errorf("the server answers %d, which is no answer to that", r.Code)
		}
	}
	return e
}

func (s *session) command(step string, code int, verb string, args ...string) error {
	if err := s.c.Send(verb, args...); err != nil {
		return fetch.Fail(step, err)
	}
	_, err := s.reply(step, code)
	return err
}

// login says who we are: RFC 2229, section 3.11, where the secret is hashed
// with the greeting's message-id.
func (s *session) login(a *fetch.Auth, greeting string) error {
	open := strings.LastIndexByte(greeting, '<')
	if open < 0 || !strings.HasSuffix(greeting, ">") || !strings.Contains(strings.ToLower(greeting), "auth") {
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrUnsupported, Err: errors.New("the server takes no login")}
	}
	if err := wire.Check(a.User); err != nil {
		return fetch.Fail(fetch.Login, err)
	}
	sum := md5.Sum([]byte(greeting[open:] + a.Password))
	if err := s.c.SendSecret("AUTH", word(a.User), hex.EncodeToString(sum[:])); err != nil {
		return fetch.Fail(fetch.Login, err)
	}
	_, err := s.reply(fetch.Login, 230)
	return err
}

// text reads a text of at most room octets up to its line ".".
//
// A line that begins with "." begins with ".." on the wire (RFC 2229, section
// 2.4.1). dictd doubles only the dot of a line that is nothing else, so where a
// line of the text begins with one dot, the others have not been doubled either.
func (s *session) text(room int64) ([]byte, error) {
	limit := s.req.Limits.MaxLine
	if limit <= 0 {
		limit = wire.DefaultLine
	}
	var body []byte
	doubled := true
	for {
		line, err := wire.ReadLine(s.c.Reader(), limit)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, fetch.Fail(fetch.Body, err)
		}
		if line == "." {
			break
		}
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "..") {
			doubled = false
		}
		body = append(append(body, line...), '\r', '\n')
		if int64(len(body)) > room {
			return nil, &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: fmt.Errorf("the text is %w", fetch.ErrTooLarge)}
		}
	}
	out := body[:0]
	for line := range bytes.Lines(body) {
		if doubled && bytes.HasPrefix(line, []byte("..")) || string(line) == "..\r\n" {
			line = line[1:]
		}
		out = append(out, line...)
	}
	return out, nil
}

// definitions: 150, then each with a 151 of its own, then 250.
func (s *session) definitions(ref dicturl.Ref, resp *fetch.Response) ([]byte, error) {
	if _, err := s.reply(fetch.Status, 150); err != nil {
		return nil, err
	}
	room := s.room()
	var body []byte
	for n := 1; ; n++ {
		r, err := s.c.ReadReply()
		if err != nil {
			return nil, fetch.Fail(fetch.Status, err)
		}
		if r.Code == 250 {
			resp.Status = r.Code
			if ref.N >= n {
				return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: fmt.Errorf("the word has %d definitions there, and not %d", n-1, ref.N)}
			}
			return body, nil
		}
		if r.Code != 151 {
			return nil, refusal(fetch.Status, r)
		}
		if err := fetch.CheckEntries(n, s.req.Limits); err != nil {
			return nil, err
		}
		text, err := s.text(room - int64(len(body)))
		if err != nil {
			return nil, err
		}
		switch f := fields(r.Text()); {
		case ref.N == n:
			body = text
		case ref.N == 0:
			if len(body) > 0 {
				body = append(body, '\r', '\n')
			}
			if len(f) >= 3 {
				body = append(body, f[2]+" ["+f[1]+"]\r\n\r\n"...)
			}
			body = append(body, text...)
		}
	}
}

// room is how many octets all texts together may have.
func (s *session) room() int64 {
	const most = 32 << 20
	if m := s.req.Limits.MaxBody; m >= 0 && m < most {
		return m
	}
	return most
}

// matches: 152, and lines of a database and a word.
func (s *session) matches(ref dicturl.Ref, resp *fetch.Response) ([]byte, error) {
	return s.list(resp, 152, func(f []string) fetch.Entry {
		one := dicturl.Ref{Host: ref.Host, Port: ref.Port, User: ref.User, Auth: ref.Auth, Define: true, Database: f[0], Word: f[1]}
		return fetch.Entry{Name: f[1], URL: address(one), Type: "word"}
	}, ref.N)
}

// databases: 110, and lines of a database and what it is.
func (s *session) databases(resp *fetch.Response) ([]byte, error) {
	return s.list(resp, 110, func(f []string) fetch.Entry { return fetch.Entry{Name: f[0] + ": " + f[1], Type: "database"} }, 0)
}

// address is the URL of a word, or "" when the server's words make none.
func address(ref dicturl.Ref) string {
	if ref.Word == "" {
		return ""
	}
	u := ref.URL()
	if back, err := dicturl.Read(u); u == (anyurl.URL{}) || err != nil || back != ref {
		return ""
	}
	return u.String()
}

// list reads a text of lines with two fields, and keeps them all or the one
// that is wanted.
func (s *session) list(resp *fetch.Response, code int, entry func([]string) fetch.Entry, only int) ([]byte, error) {
	if _, err := s.reply(fetch.Status, code); err != nil {
		return nil, err
	}
	body, err := s.text(s.room())
	if err != nil {
		return nil, err
	}
	r, err := s.reply(fetch.Status, 250)
	if err != nil {
		return nil, err
	}
	resp.Status, resp.Listing = r.Code, true
	n := 0
	for line := range strings.Lines(string(body)) {
		line = strings.TrimRight(line, "\r\n")
		f := fields(line)
		if len(f) < 2 {
			continue
		}
		if n++; only > 0 && n != only {
			continue
		}
		e := entry(f)
		e.Size, e.Raw = -1, line
		resp.Entries = append(resp.Entries, e)
		if err := fetch.CheckEntries(len(resp.Entries), s.req.Limits); err != nil {
			return nil, err
		}
	}
	if only > 0 {
		if len(resp.Entries) == 0 {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: fmt.Errorf("%d words match there, and not %d", n, only)}
		}
		body = []byte(resp.Entries[0].Raw + "\r\n")
	}
	return body, nil
}

// fields takes a line apart: atoms, and strings in double or single quotes in
// which "\" takes the next character as it is (RFC 2229, section 2.2).
func fields(line string) []string {
	var out []string
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		var b strings.Builder
		quote := byte(0)
		if line[i] == '"' || line[i] == '\'' {
			quote = line[i]
			i++
		}
		for ; i < len(line); i++ {
			c := line[i]
			if quote != 0 && c == quote || quote == 0 && (c == ' ' || c == '\t') {
				break
			}
			if c == '\\' && i+1 < len(line) {
				i++
				c = line[i]
			}
			b.WriteByte(c)
		}
		if quote != 0 && i < len(line) {
			i++
		}
		out = append(out, b.String())
	}
	return out
}
