package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"anyurl/internal/wire"
)

func ExampleWriteLine() {
	var sent bytes.Buffer
	fmt.Println(wire.WriteLine(&sent, "RETR ", "motd"))
	fmt.Println(wire.WriteLine(&sent, "RETR ", "a\r\nDELE b"))
	fmt.Printf("%q\n", sent.String())
	// Output:
	// <nil>
	// octet 1 is CR, which cannot be sent inside a line
	// "RETR motd\r\n"
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		in     string
		octet  byte
		offset int // -1: nothing to refuse
	}{
		{"", 0, -1},
		{"a file.txt", 0, -1},
		{"tab\tescape\x1b\x7f\x80\xfe", 0, -1}, // odd, but one line
		{"a\rb", '\r', 1},
		{"a\nb", '\n', 1},
		{"ab\x00", 0, 2},
		{"\xff\xf4", 0xff, 0}, // RFC 854: IAC IP
	} {
		err := wire.Check(tt.in)
		var bad *wire.Unsafe
		if got := errors.As(err, &bad); got != (tt.offset >= 0) {
			t.Errorf("Check(%q) = %v", tt.in, err)
		} else if got && (bad.Octet != tt.octet || bad.Offset != tt.offset) {
			t.Errorf("Check(%q) = octet %d at %d, want %d at %d", tt.in, bad.Octet, bad.Offset, tt.octet, tt.offset)
		}
	}
}

// conn is a conversation whose other side says all of in and closes.
func conn(t *testing.T, in string, limits wire.Limits) *wire.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	go func() {
		io.WriteString(theirs, in)
		theirs.Close()
	}()
	t.Cleanup(func() { ours.Close() })
	return wire.NewConn(ours, limits)
}

func TestReadReply(t *testing.T) {
	for _, tt := range []struct {
		in   string
		code int
		want []string
		err  error
	}{
		{"220 ready\r\n", 220, []string{"ready"}, nil},
		{"220 ready\n", 220, []string{"ready"}, nil},
		{"220\r\n", 220, []string{""}, nil},
		{"220 \r\n", 220, []string{""}, nil},
		// RFC 959, 4.2: the last line begins with the same code and a space.
		{"123-First line\r\nSecond line\r\n  234 A line beginning with numbers\r\n123 The last line\r\n", 123,
			[]string{"First line", "Second line", "  234 A line beginning with numbers", "The last line"}, nil},
		{"211-a\r\n211-b\r\n212 c\r\n211 end\r\n", 211, []string{"a", "211-b", "212 c", "end"}, nil},
		{"", 0, nil, io.ErrUnexpectedEOF},
		{"22", 0, nil, io.ErrUnexpectedEOF},
		{"220-a\r\nb\r\n", 0, nil, io.ErrUnexpectedEOF},
		{"220-" + strings.Repeat("a", 100) + "\r\n", 0, nil, wire.ErrLong},
		{"220-a\r\n" + strings.Repeat("b\r\n", 500), 0, nil, wire.ErrTooMuch},
		{"220-a\r\n" + strings.Repeat("\r\n", 500), 0, nil, wire.ErrTooMuch},
	} {
		got, err := conn(t, tt.in, wire.Limits{Line: 80, Reply: 400}).ReadReply()
		if !errors.Is(err, tt.err) || got.Code != tt.code || !slices.Equal(got.Lines, tt.want) {
			t.Errorf("%.40q: got %d %q, %v", tt.in, got.Code, got.Lines, err)
		}
	}
	for _, in := range []string{"SSH-2.0-OpenSSH_9\r\n", "22 x\r\n", "2200\r\n", "099 x\r\n", "600 x\r\n", "220:x\r\n", "\r\n"} {
		_, err := conn(t, in, wire.Limits{}).ReadReply()
		var bad *wire.Garbled
		if !errors.As(err, &bad) {
			t.Errorf("%q: got %v, want a *Garbled", in, err)
		}
	}
}

func TestReadLineLimits(t *testing.T) {
	long := strings.Repeat("x", 10000) // longer than any buffer below
	for _, tt := range []struct {
		in, want string
		limit    int
		err      error
	}{
		{"abc\r\n", "abc", 3, nil},
		{"abc\n", "abc", 3, nil},
		{"abcd\n", "", 3, wire.ErrLong},
		{"abcd\r\n", "", 3, wire.ErrLong},
		{"abc\r\r\n", "", 3, wire.ErrLong}, // only one CR is the line's end
		{"a\rb\r\n", "a\rb", 3, nil},
		{long + "\r\n", long, len(long), nil},
		{long + "\r\n", "", len(long) - 1, wire.ErrLong},
		{"rest", "rest", 80, io.ErrUnexpectedEOF},
		{"", "", 80, io.EOF},
	} {
		got, err := wire.ReadLine(bufio.NewReaderSize(strings.NewReader(tt.in), 16), tt.limit)
		if got != tt.want || err != tt.err {
			t.Errorf("%.20q, limit %d: got %.20q, %v; want %v", tt.in, tt.limit, got, err, tt.err)
		}
	}
}

func TestSend(t *testing.T) {
	ours, theirs := net.Pipe()
	got := make(chan string)
	go func() {
		b, _ := io.ReadAll(theirs)
		got <- string(b)
	}()
	var log []string
	c := wire.NewConn(ours, wire.Limits{})
	c.Log = func(sent bool, line string) { log = append(log, fmt.Sprint(sent, " ", line)) }
	for _, err := range []error{
		c.Send("NLST"),
		c.Send("CWD", ""),
		c.Send("MAIL", "a", "b"),
		c.SendSecret("PASS", "secret"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Send("CWD", "a\nDELE b"); err == nil {
		t.Error("a line feed went out")
	}
	if err := c.SendSecret("PASS", "se\ncret"); err == nil || strings.Contains(err.Error(), "cret") {
		t.Errorf("a secret line feed gives %v", err)
	}
	c.Close()
	if want := "NLST\r\nCWD \r\nMAIL a b\r\nPASS secret\r\n"; <-got != want {
		t.Errorf("want %q", want)
	}
	if want := []string{"true NLST", "true CWD ", "true MAIL a b", "true PASS ***"}; !slices.Equal(log, want) {
		t.Errorf("logged %q", log)
	}
}

func TestWatch(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer wire.Watch(ctx, ours)()
	go cancel()
	if _, err := ours.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after the context's end gives %v", err)
	}
}

func TestQuote(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"530 no", `"530 no"`},
		{"\x1b[31mno\r\n", `"\u{1b}[31mno\r\n"`},
		{"a\u202eb", `"a\u{202e}b"`}, // right-to-left override
		{"a\u2028b", `"a\u{2028}b"`},
		{"\xff", `"\xff"`},
		{strings.Repeat("é", 200), `"` + strings.Repeat("é", 150) + `"…`},
	} {
		if got := wire.Quote(tt.in); got != tt.want {
			t.Errorf("Quote(%q) = %s", tt.in, got)
		}
	}
}

func TestDotReader(t *testing.T) {
	for _, tt := range []struct {
		in, want, rest string
		err            error
	}{
		{".\r\n", "", "", nil},
		{"a\r\n.\r\nnext", "a\r\n", "next", nil},
		{"..a\r\n...\r\n.\r\n", ".a\r\n..\r\n", "", nil},
		{".a\r\n.\r\n", "a\r\n", "", nil}, // not doubled, against the rule: the first dot goes all the same
		{"a\n.\n", "a\n", "", nil},
		{"a.\r\n.\r\n", "a.\r\n", "", nil},
		{"a\r\n", "a\r\n", "", io.ErrUnexpectedEOF},
		{"a\r\n.", "a\r\n", "", io.ErrUnexpectedEOF},
		{strings.Repeat("x", 41) + "\r\n.\r\n", strings.Repeat("x", 32), "", wire.ErrLong},
		{strings.Repeat("x", 40) + "\r\n.\r\n", strings.Repeat("x", 40) + "\r\n", "", nil},
	} {
		r := bufio.NewReaderSize(strings.NewReader(tt.in), 16)
		got, err := io.ReadAll(wire.NewDotReader(r, 40))
		if string(got) != tt.want || err != tt.err {
			t.Errorf("%q: got %q, %v", tt.in, got, err)
		}
		if rest, _ := io.ReadAll(r); tt.err == nil && string(rest) != tt.rest {
			t.Errorf("%q: left %q", tt.in, rest)
		}
	}
}

// FuzzDots holds that what DotWriter writes, DotReader reads back, up to the
// line ends, which become CR LF.
func FuzzDots(f *testing.F) {
	for _, s := range []string{"", ".", "..\n.", "a\r\nb\n", "a\rb", "\r", ".\r\n.\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var b bytes.Buffer
		w := wire.NewDotWriter(&b)
		w.Write(in)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(&b)
		got, err := io.ReadAll(wire.NewDotReader(r, 1<<30))
		if err != nil {
			t.Fatal(err)
		}
		if r.Buffered() != 0 {
			t.Errorf("the text ended early in %q", in)
		}
		lines := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
		want := lines(in)
		if n := len(want); n > 0 && want[n-1] != '\n' {
			want = append(bytes.TrimSuffix(want, []byte("\r")), '\n')
		}
		if !bytes.Equal(lines(got), want) {
			t.Errorf("%q came back as %q", in, got)
		}
	})
}

// FuzzReply holds that any octets give a reply within its limits or an error.
func FuzzReply(f *testing.F) {
	for _, s := range []string{"220 hi\r\n", "220-a\r\nb\r\n220 c\r\n", "SSH-2.0-x\r\n", "\xff\xfb\x01\r\n", "229 (|||1|)\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c := wire.NewConn(reading{bytes.NewReader(in)}, wire.Limits{Line: 100, Reply: 1000})
		for {
			reply, err := c.ReadReply()
			if err != nil {
				return
			}
			if reply.Code < 100 || reply.Code > 599 || len(reply.Lines) == 0 || len(reply.Lines) > 600 {
				t.Fatalf("%q gives %+v", in, reply)
			}
		}
	})
}

// reading is a connection that only reads.
type reading struct{ io.Reader }

func (reading) Write(p []byte) (int, error)      { return len(p), nil }
func (reading) Close() error                     { return nil }
func (reading) LocalAddr() net.Addr              { return nil }
func (reading) RemoteAddr() net.Addr             { return nil }
func (reading) SetDeadline(time.Time) error      { return nil }
func (reading) SetReadDeadline(time.Time) error  { return nil }
func (reading) SetWriteDeadline(time.Time) error { return nil }

// TestReadPieces holds that a body in pieces is read whole and to its end, empty
// pieces and a piece that comes with the end included.
func TestReadPieces(t *testing.T) {
	for _, tt := range []struct {
		pieces []string
		end    error
		last   bool // the end comes with the last piece
	}{
		{nil, io.EOF, false},
		{[]string{"a"}, io.EOF, false},
		{[]string{"", "ab", "", "c"}, io.EOF, false},
		{[]string{"ab", "c"}, io.EOF, true},
		{[]string{"ab", "c"}, io.ErrUnexpectedEOF, true},
		{[]string{"ab"}, io.ErrUnexpectedEOF, false},
	} {
		var piece []byte
		var ended error
		left, asked := tt.pieces, 0
		next := func() error {
			asked++
			if len(left) == 0 {
				return tt.end
			}
			piece, left = []byte(left[0]), left[1:]
			if tt.last && len(left) == 0 {
				return tt.end
			}
			return nil
		}
		got := ""
		var err error
		for err == nil {
			p := make([]byte, 2)
			var n int
			n, err = wire.ReadPieces(p[:1], &piece, &ended, next)
			got += string(p[:n])
		}
		if got != strings.Join(tt.pieces, "") || err != tt.end {
			t.Errorf("%q: got %q, %v", tt.pieces, got, err)
		}
		before := asked
		if n, err := wire.ReadPieces(make([]byte, 1), &piece, &ended, next); n != 0 || err != tt.end || asked != before {
			t.Errorf("%q, behind its end: %d, %v, asked %d times more", tt.pieces, n, err, asked-before)
		}
	}
}
