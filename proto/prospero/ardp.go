package prospero

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"
)

// The defaults of a Conn's Limits.
const (
	defaultMessage = 16 << 20
	defaultWait    = 10 * time.Minute
)

// How an answer is waited for: so long the first time, twice as long each time
// that nothing new came, so many times.
const (
	firstTry = 4 * time.Second
	tries    = 4
)

// maxForeign is how many datagrams that are no part of the answer are passed
// over while waiting for one.
const maxForeign = 1000

// mostRequests is how many requests one socket is used for: there are 65535
// identifiers, and each takes the one with its octets exchanged along.
const mostRequests = 0x4000

// maxRepeats is how many packets that bring nothing new are acknowledged before
// it is time to ask again. A server that gives its window again for every
// acknowledgement, and loses the same packet each time, would have us talk as
// fast as the network goes.
const maxRepeats = 16

// maxGaps is how often a server may have lost parts of the request.
const maxGaps = 16

// Limits bound what a Conn waits for and keeps. A zero field means its default,
// a negative one none.
type Limits struct {
	Message int64         // octets of one reply; default 16 MiB
	Lines   int           // lines of one reply; default 200000
	Wait    time.Duration // how long a server may have us wait, all its wait packets together; default 10 minutes
}

// A Conn asks a Prospero server, by the Asynchronous Reliable Delivery Protocol
// over a connected UDP socket: requests and replies are messages of numbered
// packets, acknowledged, repeated when lost, put in order. It is not safe for
// use by several goroutines at once, except for Close.
type Conn struct {
	// Log, if not nil, is told in a few words what is sent and what came.
	Log func(sent bool, what string)

	conn   net.Conn
	limits Limits
	used   map[uint16]bool
	buf    []byte
}

// NewConn asks over conn, a UDP socket that is connected to the server, which
// the Conn then owns.
func NewConn(conn net.Conn, limits Limits) *Conn {
	if limits.Message == 0 {
		limits.Message = defaultMessage
	}
	if limits.Lines == 0 {
		limits.Lines = 200_000
	}
	if limits.Wait == 0 {
		limits.Wait = defaultWait
	}
	return &Conn{conn: conn, limits: limits, used: map[uint16]bool{}, buf: make([]byte, 64<<10)}
}

// Close closes the socket. Servers are not told: they forget by themselves.
func (c *Conn) Close() error { return c.conn.Close() }

// A Moved is a server's word that another one is to be asked, at an address.
type Moved struct{ Addr netip.AddrPort }

// Error says where.
func (m *Moved) Error() string { return "the server sends us to " + m.Addr.String() }

// Malformed is what came when it is not ARDP, or not Prospero.
type Malformed struct {
	Says string
	Head string // what came, cut; quote it before showing it
}

// Error says what is wrong.
func (m *Malformed) Error() string { return m.Says }

var (
	errTooLong  = errors.New("the reply is larger than the limit")
	errTooMany  = errors.New("the reply has more lines than the limit")
	errRefused  = errors.New("the server refuses the conversation")
	errVersion  = errors.New("the server speaks another version of ARDP")
	errNoAnswer = &noAnswer{}
)

// noAnswer is silence after the last try.
type noAnswer struct{ foreign int }

func (e *noAnswer) Error() string {
	text := fmt.Sprintf("no answer, asked %d times", tries)
	if e.foreign > 0 {
		text += fmt.Sprintf("; %d datagrams came that were none", e.foreign)
	}
	return text
}

func (e *noAnswer) Is(target error) bool { return target == errNoAnswer }

func (e *noAnswer) Unwrap() error { return context.DeadlineExceeded }

// fresh gives an identifier that this socket has not used: servers answer one
// they know with the old reply. Nor one whose octets are those of a used one
// exchanged, which a late answer may carry. It cannot be guessed, since it is all that
// tells an answer from a datagram with a false sender.
func (c *Conn) fresh() uint16 {
	var b [2]byte
	for {
		rand.Read(b[:])
		if id := binary.BigEndian.Uint16(b[:]); id != 0 && !c.used[id] && !c.used[id<<8|id>>8] && len(c.used) < mostRequests {
			c.used[id] = true
			return id
		}
	}
}

// An exchange is one request under way.
type exchange struct {
	c        *Conn
	id       uint16
	request  []packet
	accepted uint16 // the server has the request's packets up to this one
	parts    map[uint16][]byte
	size     int64
	through  uint16 // all parts up to this one have come
	highest  uint16 // the highest number among the parts that have come
	total    uint16 // of the reply; 0 if not known yet
	gaps     int    // how often the server asked for parts of the request again
	repeats  int    // packets that brought nothing new since something did or we asked
	foreign  int
	waited   time.Duration
}

// Ask sends a message and gives the reply. The reply is *[Moved] where another
// server is to be asked.
func (c *Conn) Ask(ctx context.Context, message []byte) ([]byte, error) {
	if len(c.used) >= mostRequests {
		return nil, errors.New("the socket has been used for too many requests")
	}
	x := &exchange{c: c, id: c.fresh(), parts: map[uint16][]byte{}}
	var err error
	if x.request, err = split(x.id, message); err != nil {
		return nil, err
	}
	if err := x.send(); err != nil {
		return nil, err
	}
	wait := firstTry
	end := time.Now().Add(wait)
	for try := 1; ; {
		p, err := x.receive(ctx, end)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil:
			if try == tries {
				return nil, &noAnswer{foreign: x.foreign}
			}
			try++
			x.repeats = 0
			wait *= 2
			end = time.Now().Add(wait)
			if err := x.again(); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		}
		news, err := x.take(p)
		if err != nil {
			return nil, err
		}
		if x.repeats++; news {
			x.repeats = 0
		}
		if p.flags&flagAcknowledge != 0 && x.repeats <= maxRepeats {
			if err := x.acknowledge(); err != nil {
				return nil, err
			}
		}
		if x.complete() {
			return x.message(), nil
		}
		switch {
		case p.hasWait && x.mayWait(p.wait):
			try, wait = 1, firstTry
			end = time.Now().Add(max(wait, time.Duration(p.wait)*time.Second))
		case news:
			try, wait = 1, firstTry
			end = time.Now().Add(wait)
		}
	}
}

// mayWait reports whether the server may have us wait for that long, once more.
func (x *exchange) mayWait(seconds uint16) bool {
	d := max(firstTry, time.Duration(seconds)*time.Second)
	if l := x.c.limits.Wait; l >= 0 && x.waited+d > l {
		return false
	}
	x.waited += d
	return true
}

// send sends what the server has not said to have of the request.
func (x *exchange) send() error {
	for _, p := range x.request {
		if p.number > x.accepted {
			if err := x.c.write(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// again asks again. A server that is in the middle of its reply goes on where
// the acknowledgement says; one that knows nothing of us, or that has answered
// and believes us served, takes the request for what it is.
func (x *exchange) again() error {
	if x.through > 0 {
		if err := x.acknowledge(); err != nil {
			return err
		}
		x.accepted = 0
	}
	if int(x.accepted) == len(x.request) {
		x.accepted = 0
	}
	return x.send()
}

// acknowledge says up to where the reply has come.
func (x *exchange) acknowledge() error {
	return x.c.write(packet{id: x.id, received: x.through})
}

func (c *Conn) write(p packet) error {
	if c.Log != nil {
		switch {
		case p.number == 0:
			c.Log(true, fmt.Sprintf("acknowledgement up to packet %d", p.received))
		default:
			c.Log(true, fmt.Sprintf("packet %d of %d, %d octets", p.number, p.total, len(p.data)))
		}
	}
	_, err := c.conn.Write(p.append(nil))
	return err
}

// receive waits until end for a packet of this exchange.
func (x *exchange) receive(ctx context.Context, end time.Time) (packet, error) {
	c := x.c
	if err := c.conn.SetReadDeadline(end); err != nil {
		return packet{}, err
	}
	// Whoever watches the context may have set a deadline before ours.
	if ctx.Err() != nil {
		return packet{}, context.Cause(ctx)
	}
	for {
		n, err := c.conn.Read(c.buf)
		if err != nil {
			return packet{}, err
		}
		p, err := parsePacket(c.buf[:n])
		// A server of release Alpha.5.3 answers a repeated request with the
		// octets of the identifier exchanged.
		if err == nil && (p.id == x.id || p.id == x.id<<8|x.id>>8) {
			return p, nil
		}
		if x.foreign++; x.foreign > maxForeign {
			return packet{}, &Malformed{"datagrams come that are no answer, without end", head(c.buf[:n])}
		}
	}
}

func head(b []byte) string { return string(b[:min(len(b), 200)]) }

// take takes a packet in and reports whether it brought anything new.
func (x *exchange) take(p packet) (news bool, err error) {
	c := x.c
	if c.Log != nil {
		c.Log(false, p.describe())
	}
	if p.hasReceived && int(p.received) <= len(x.request) {
		x.accepted = max(x.accepted, p.received)
	}
	switch p.option {
	case optionRefused:
		return false, errRefused
	case optionBadVersion:
		return false, errVersion
	case optionRedirect, optionRedirectNotify:
		return false, &Moved{p.redirect}
	}
	if p.number == 0 {
		if x.foreign++; x.foreign > maxForeign {
			return false, &Malformed{"control packets come without end", ""}
		}
		if int(x.accepted) < len(x.request) && p.hasReceived && p.wait == 0 && x.gaps < maxGaps {
			x.gaps++
			return false, x.send()
		}
		return false, nil
	}
	if p.total != 0 {
		if x.total != 0 && p.total != x.total || p.total < x.highest {
			return false, &Malformed{fmt.Sprintf("the reply's number of packets changes from %d to %d", max(x.total, x.highest), p.total), head(p.data)}
		}
		x.total = p.total
	}
	if x.total != 0 && p.number > x.total {
		return false, &Malformed{fmt.Sprintf("packet %d came of %d", p.number, x.total), head(p.data)}
	}
	if _, twice := x.parts[p.number]; twice || p.number <= x.through {
		return false, nil
	}
	if p.flags&flagControl != 0 {
		p.data = nil
	}
	x.size += int64(len(p.data))
	if l := c.limits.Message; l >= 0 && x.size > l {
		return false, errTooLong
	}
	x.parts[p.number] = append([]byte{}, p.data...)
	x.highest = max(x.highest, p.number)
	for {
		if _, ok := x.parts[x.through+1]; !ok || x.through == 0xFFFF {
			return true, nil
		}
		x.through++
	}
}

// describe says what a packet is in a few words.
func (p packet) describe() string {
	switch {
	case p.option == optionQueue && p.position >= 0:
		return fmt.Sprintf("number %d in the server's queue", p.position)
	case p.number == 0 && p.hasWait:
		return fmt.Sprintf("wait %d seconds", p.wait)
	case p.number == 0:
		return fmt.Sprintf("acknowledgement up to packet %d", p.received)
	case p.total == 0:
		return fmt.Sprintf("packet %d, %d octets", p.number, len(p.data))
	}
	return fmt.Sprintf("packet %d of %d, %d octets", p.number, p.total, len(p.data))
}

func (x *exchange) complete() bool { return x.total != 0 && x.through == x.total }

// message puts the parts together.
func (x *exchange) message() []byte {
	b := make([]byte, 0, x.size)
	for n := uint16(1); ; n++ {
		b = append(b, x.parts[n]...)
		if n == x.total {
			return b
		}
	}
}
