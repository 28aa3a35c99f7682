// Package tftp opens tftp URLs (RFC 3617): files of a TFTP server (RFC 1350),
// asked for with the options of RFC 2347 to 2349 and without them where a server
// will not have them. It reads and never writes. Start with [New].
package tftp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	tftpurl "anyurl/scheme/tftp"
)

// The operations (RFC 1350, section 5; RFC 2347).
const (
	opRead  = 1
	opData  = 3
	opAck   = 4
	opError = 5
	opOAck  = 6
)

// The error codes that decide what is done (RFC 1350, appendix; RFC 2347).
const (
	codeUndefined = 0
	codeNotFound  = 1
	codeDenied    = 2
	codeIllegal   = 4
	codeOption    = 8
)

const (
	plainBlock = 512  // octets of a block without options
	askedBlock = 1428 // and with: what goes into one Ethernet frame
	maxForeign = 1000 // datagrams that are no part of the transfer

	// How an answer is waited for: so long the first time, twice as long each
	// time, so many times.
	firstTry = time.Second
	tries    = 5
)

// A Transport opens tftp URLs.
type Transport struct {
	// Dialer connects, by UDP.
	Dialer *dial.Dialer
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"tftp"} }

// New returns a Transport that asks through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Fetch opens a file. Errors are *[fetch.Error]; Status is the server's error
// code, and is 0 for "not defined" too.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := tftpurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	b, err := t.begin(ctx, req, ref, true)
	var refused *refusal
	if errors.As(err, &refused) && (refused.code == codeOption || refused.code == codeIllegal) {
		b, err = t.begin(ctx, req, ref, false)
	}
	if err != nil {
		return nil, failed(ctx, fetch.Asking, err)
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "tftp", Size: b.size, Body: b}
	if resp.Type = fetch.TypeByName(ref.File[strings.LastIndexByte(ref.File, '/')+1:]); resp.Type == "" {
		resp.Type = fetch.TypeByContent(b.data[:min(len(b.data), 512)])
	}
	if req.Head() {
		b.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// begin asks for the file and waits for its first block.
func (t *Transport) begin(ctx context.Context, req *fetch.Request, ref tftpurl.Ref, options bool) (*body, error) {
	conn, _, err := t.Dialer.Associate(ctx, "udp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	b := &body{ctx: ctx, conn: conn, stop: wire.Watch(ctx, conn), block: plainBlock, size: -1, trace: req.Trace, buf: make([]byte, 64<<10)}
	mode := "octet"
	if ref.Mode == "netascii" {
		mode, b.text = ref.Mode, true
	}
	b.last = binary.BigEndian.AppendUint16(nil, opRead)
	for _, s := range []string{ref.File, mode} {
		b.last = append(append(b.last, s...), 0)
	}
	if options {
		for _, s := range []string{"blksize", strconv.Itoa(askedBlock), "tsize", "0"} {
			b.last = append(append(b.last, s...), 0)
		}
	}
	b.options = options
	b.say('>', "RRQ "+ref.File+" "+mode)
	if err := b.next(); err != nil {
		b.end()
		return nil, err
	}
	return b, nil
}

// A refusal is a server's ERROR packet.
type refusal struct {
	code uint16
	text string
}

func (r *refusal) Error() string {
	if name, ok := codes[r.code]; ok {
		return "the server answers: " + name
	}
	return fmt.Sprintf("the server answers with error %d", r.code)
}

// codes are what the error codes say.
var codes = map[uint16]string{
	1: "file not found", 2: "access violation", 3: "disk full", 4: "illegal operation", 5: "unknown transfer", 6: "file already exists", 7: "no such user", 8: "options refused",
}

// malformed is what came when it is not TFTP.
type malformed struct{ says string }

func (m *malformed) Error() string { return m.says }

// noAnswer is silence after the last try.
type noAnswer struct{}

func (noAnswer) Error() string { return fmt.Sprintf("no answer, asked %d times", tries) }
func (noAnswer) Unwrap() error { return context.DeadlineExceeded }

// A body is a file on its way: block by block, each acknowledged before the next
// comes.
type body struct {
	ctx   context.Context
	conn  net.Conn
	stop  func() bool
	trace func(fetch.Event)
	buf   []byte

	options bool   // they were asked for, and no answer has come yet
	last    []byte // what was sent last, and is sent again when nothing comes
	block   int    // octets of a block but the last
	number  uint16 // of the block that came last
	size    int64  // of the file, -1 if unknown
	came    int64  // octets of it so far
	whole   bool   // the last block is there

	text bool   // netascii
	cr   bool   // the block before ended in CR
	data []byte // what came and was not read
	err  error
	once sync.Once
}

func (b *body) say(kind byte, what string) {
	if b.trace != nil {
		b.trace(fetch.Event{Kind: kind, Text: what})
	}
}

// next sends what is to be sent and waits for the next block.
func (b *body) next() error {
	if _, err := b.conn.Write(b.last); err != nil {
		return err
	}
	wait, foreign := firstTry, 0
	end := time.Now().Add(wait) // whatever else comes meanwhile
	for try := 1; ; {
		p, err := b.receive(end)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && b.ctx.Err() == nil:
			if try == tries {
				return noAnswer{}
			}
			try++
			wait *= 2
			end = time.Now().Add(wait)
			if _, err := b.conn.Write(b.last); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		done, err := b.take(p)
		if done || err != nil {
			return err
		}
		if foreign++; foreign > maxForeign {
			return &malformed{"datagrams come that are no part of the transfer, without end"}
		}
	}
}

// receive waits until end for a datagram.
func (b *body) receive(end time.Time) ([]byte, error) {
	if err := b.conn.SetReadDeadline(end); err != nil {
		return nil, err
	}
	// Whoever watches the context may have set a deadline before ours.
	if b.ctx.Err() != nil {
		return nil, context.Cause(b.ctx)
	}
	n, err := b.conn.Read(b.buf)
	return b.buf[:n], err
}

// take takes a datagram and reports whether it was the block that is waited
// for. What was sent is sent again by the clock alone, so that one datagram
// doubled on its way does not double all that follow.
func (b *body) take(p []byte) (done bool, err error) {
	if len(p) < 4 {
		return false, nil
	}
	number, rest := binary.BigEndian.Uint16(p[2:]), p[4:]
	switch binary.BigEndian.Uint16(p) {
	case opError:
		text, _, _ := strings.Cut(string(rest), "\x00")
		b.say('<', fmt.Sprintf("ERROR %d %s", number, text))
		return false, &refusal{number, text}
	case opOAck:
		if !b.options || b.number != 0 {
			return false, nil // once more
		}
		b.options = false
		if err := b.agree(string(p[2:])); err != nil {
			b.refuse(codeOption, "not what was asked for")
			return false, err
		}
		b.acknowledge()
		_, err := b.conn.Write(b.last)
		return false, err
	case opData:
		if number != b.number+1 {
			return false, nil
		}
		b.options = false
		if len(rest) > b.block {
			return false, &malformed{fmt.Sprintf("a block of %d octets came where %d were agreed", len(rest), b.block)}
		}
		b.number = number
		b.whole = len(rest) < b.block
		b.came += int64(len(rest))
		b.data = b.plain(append([]byte(nil), rest...))
		b.acknowledge()
		if b.whole {
			_, err = b.conn.Write(b.last)
		}
		return true, err
	}
	return false, nil
}

// acknowledge makes the last block's acknowledgement what is sent next.
func (b *body) acknowledge() {
	b.last = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, opAck), b.number)
}

// agree takes the options that the server acknowledges (RFC 2347): pairs, each
// of which was asked for.
func (b *body) agree(text string) error {
	b.say('<', "OACK "+strings.ReplaceAll(strings.TrimSuffix(text, "\x00"), "\x00", " "))
	fields := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		n, err := strconv.ParseInt(fields[i+1], 10, 62)
		switch name := strings.ToLower(fields[i]); {
		case err != nil || n < 0:
			return &malformed{"the server acknowledges an option with what is no number"}
		case name == "blksize" && n >= 8 && n <= askedBlock: // RFC 2348: the server's may be smaller
			b.block = int(n)
		case name == "tsize":
			if !b.text { // else it is the file's size before or after its line ends change
				b.size = n
			}
		default:
			return &malformed{"the server acknowledges an option that was not asked for"}
		}
	}
	return nil
}

// plain undoes netascii (RFC 764): CR LF is a line end, CR NUL a CR.
func (b *body) plain(p []byte) []byte {
	if !b.text {
		return p
	}
	out := make([]byte, 0, len(p)+1)
	for _, c := range p {
		switch {
		case b.cr && c == '\n':
			out = append(out, '\n')
			b.cr = false
			continue
		case b.cr:
			out = append(out, '\r')
			b.cr = false
			if c == 0 {
				continue
			}
		}
		if c == '\r' {
			b.cr = true
			continue
		}
		out = append(out, c)
	}
	if b.cr && b.whole {
		out = append(out, '\r')
	}
	return out
}

// Read gives the file.
func (b *body) Read(p []byte) (int, error) { return wire.ReadPieces(p, &b.data, &b.err, b.bring) }

// bring brings the next block, or says why there is none.
func (b *body) bring() error {
	switch {
	case b.whole && b.size >= 0 && b.came < b.size:
		return io.ErrUnexpectedEOF // it ends before the size that was told
	case b.whole:
		return io.EOF
	}
	if err := b.next(); err != nil {
		return failed(b.ctx, fetch.Body, err)
	}
	return nil
}

// Close ends the transfer; a server in the middle of it is told.
func (b *body) Close() error {
	b.once.Do(func() {
		if !b.whole && b.err == nil {
			b.refuse(codeUndefined, "enough")
		}
		b.end()
		b.err = errors.New("read after close")
	})
	return nil
}

// refuse tells the server that it need not go on. Nobody answers that.
func (b *body) refuse(code uint16, why string) {
	p := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, opError), code)
	b.conn.Write(append(append(p, why...), 0))
}

func (b *body) end() {
	b.stop()
	b.conn.Close()
}

// failed says in fetch's words why a step failed.
func failed(ctx context.Context, step string, err error) error {
	if ctx.Err() != nil {
		return fetch.Fail(step, context.Cause(ctx))
	}
	e := &fetch.Error{Step: step, Err: err}
	var r *refusal
	var m *malformed
	switch {
	case errors.As(err, &r):
		if step == fetch.Asking {
			e.Step = fetch.Status
		}
		e.Status, e.Said = int(r.code), r.text[:min(len(r.text), 200)]
		switch {
		case r.code == codeNotFound:
			e.Kind = fetch.ErrNotFound
		case r.code == codeDenied, r.code == codeUndefined && strings.EqualFold(r.text, "Permission denied"): // the second by tftpd-hpa
			e.Kind = fetch.ErrDenied
		}
	case errors.As(err, &m):
		e.Kind = fetch.ErrMalformed
	case errors.As(err, new(noAnswer)):
		e.Hint = "nothing says whether a TFTP server is there: UDP has no connection, and firewalls tend to stop answers from another port"
	case errors.Is(err, io.EOF): // no socket says so, but a connection of the caller's may
		e.Kind, e.Err = fetch.ErrTruncated, io.ErrUnexpectedEOF
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Step, e.Err = fetch.Connecting, errors.New("nothing listens there")
	default:
		return fetch.Fail(step, err)
	}
	return e
}
