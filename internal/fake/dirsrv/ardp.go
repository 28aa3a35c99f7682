package dirsrv

import (
	"net"
	"net/netip"
	"time"
)

// What a server of release Alpha.5.3 does.
const (
	mostData = 1250 // octets of data in a packet
	window   = 16   // packets that are under way without an acknowledgement
	pings    = 3    // how often a rescinded wait is said again
)

// A peer is one client's socket, and what was exchanged with it.
type peer struct {
	s         *Server
	send      func(datagram []byte)
	exchanges map[uint16]*exchange
	timers    []*time.Timer
	gone      bool
}

// An exchange is one request and its reply, which is kept.
type exchange struct {
	id       uint16
	parts    map[uint16][]byte
	total    uint16 // of the request; 0 while unknown
	complete bool
	reply    [][]byte // the data of its packets; nil while it is being worked on
	text     []byte
	waits    bool // the client was told to wait
	through  int  // what the client acknowledged
	high     int  // the highest packet that was sent
	sent     int  // how often the reply was sent
	last     time.Time
}

// Serve answers the datagrams of one socket until it is closed.
func (s *Server) Serve(conn net.Conn) {
	p := s.peer(func(d []byte) { conn.Write(d) })
	defer p.end()
	for b := make([]byte, 64<<10); ; {
		n, err := conn.Read(b)
		if err != nil {
			return
		}
		p.hear(b[:n])
	}
}

// ServePacket answers the datagrams of all who write to a socket.
func (s *Server) ServePacket(conn net.PacketConn) {
	peers := map[netip.AddrPort]*peer{}
	defer func() {
		for _, p := range peers {
			p.end()
		}
	}()
	for b := make([]byte, 64<<10); ; {
		n, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		addr := from.(*net.UDPAddr).AddrPort()
		if peers[addr] == nil {
			peers[addr] = s.peer(func(d []byte) { conn.WriteTo(d, from) })
		}
		peers[addr].hear(b[:n])
	}
}

// peer begins to talk to a socket, over the network that the test has made.
func (s *Server) peer(send func([]byte)) *peer {
	return &peer{s: s, exchanges: map[uint16]*exchange{}, send: func(d []byte) {
		s.toClient++
		out := [][]byte{d}
		if s.ToClient != nil {
			out = s.ToClient(s.toClient, d)
		}
		for _, d := range out {
			send(d)
		}
	}}
}

func (p *peer) end() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.gone = true
	for _, t := range p.timers {
		t.Stop()
	}
}

// hear takes a datagram off the network.
func (p *peer) hear(d []byte) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.toServer++
	in := [][]byte{append([]byte(nil), d...)}
	if s.ToServer != nil {
		in = s.ToServer(s.toServer, in[0])
	}
	for _, d := range in {
		pk, err := read(d)
		if err != nil {
			s.complain(err.Error())
			continue
		}
		p.packet(pk)
	}
}

// packet is what a server does with a packet. The Server is locked.
func (p *peer) packet(pk Packet) {
	e := p.exchanges[pk.ID]
	switch {
	case pk.Option == optionCancel:
		delete(p.exchanges, pk.ID)
	case e != nil && e.reply != nil:
		// A reply that was given is given again, from where the client says
		// that it has it; nothing is done twice.
		progress := int(pk.Through) > e.through
		if progress || pk.Option == optionReset {
			e.through = int(pk.Through)
		}
		switch {
		case progress && pk.Number == 0 && p.s.Acks:
			p.window(e, e.high+1) // one step of many that are under way
		case e.through == len(e.reply) && pk.Number == 0:
		case progress || pk.Option == optionReset || p.s.Eager || time.Since(e.last) >= time.Second:
			p.transmit(e) // but not twice in a second for nothing
		}
	case pk.Number == 0:
	default:
		if e == nil {
			e = &exchange{id: pk.ID, parts: map[uint16][]byte{}}
			p.exchanges[pk.ID] = e
		}
		p.collect(e, pk)
	}
}

// collect takes a packet of a request.
func (p *peer) collect(e *exchange, pk Packet) {
	if _, known := e.parts[pk.Number]; !known {
		e.parts[pk.Number] = append([]byte(nil), pk.Data...)
	}
	if pk.Total != 0 {
		e.total = pk.Total
	}
	got := e.got()
	if e.total == 0 || got < e.total {
		if pk.Flags&flagAcknowledge != 0 {
			p.send(Packet{ID: e.id, Through: got, Length: 9}.Octets())
		}
		return
	}
	if !e.complete {
		e.complete = true
		p.run(e)
		return
	}
	p.wait(e) // it is being worked on: whoever asks again is told to wait
}

// got is through which packet the request has come.
func (e *exchange) got() (n uint16) {
	for e.parts[n+1] != nil {
		n++
	}
	return n
}

// run does what was asked, once, and answers at once or when it has worked long
// enough.
func (p *peer) run(e *exchange) {
	var ask []byte
	for n := uint16(1); n <= e.total; n++ {
		ask = append(ask, e.parts[n]...)
	}
	e.text = []byte(p.s.answer(string(ask)))
	if p.s.Work == 0 {
		p.finish(e)
		return
	}
	p.wait(e)
	p.after(p.s.Work, func() { p.finish(e) })
}

// after does something later, unless the client has gone.
func (p *peer) after(d time.Duration, do func()) {
	p.timers = append(p.timers, time.AfterFunc(d, func() {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		if !p.gone {
			do()
		}
	}))
}

// wait tells the client to wait, for so long or without a time.
func (p *peer) wait(e *exchange) {
	if p.s.Work == 0 || p.s.Quiet {
		return
	}
	e.waits = p.s.Wait > 0
	p.send(Packet{ID: e.id, Wait: uint16(p.s.Wait / time.Second), Length: 11}.Octets())
}

// finish has the reply ready and sends as much of it as one window holds.
func (p *peer) finish(e *exchange) {
	if p.exchanges[e.id] != e {
		return // cancelled
	}
	for b := e.text; len(b) > mostData; b = b[mostData:] {
		e.reply = append(e.reply, b[:mostData])
	}
	e.reply = append(e.reply, e.text[len(e.reply)*mostData:])
	p.transmit(e)
	if e.waits {
		p.ping(e, 4*time.Second, pings)
	}
}

// ping sends the last packet again while nobody says that the wait's end is
// known.
func (p *peer) ping(e *exchange, d time.Duration, left int) {
	p.after(d, func() {
		if e.through == 0 && left > 0 {
			p.send(p.header(e, len(e.reply)).Octets())
			p.ping(e, 2*d, left-1)
		}
	})
}

// transmit sends the window behind what was acknowledged.
func (p *peer) transmit(e *exchange) {
	e.sent++
	e.last = time.Now()
	if p.s.Answer != nil {
		for _, d := range p.s.Answer(e.sent, e.id, e.text) {
			p.send(d)
		}
		return
	}
	p.window(e, e.through+1)
}

// window sends the packets from one on that the client's window has room for.
func (p *peer) window(e *exchange, from int) {
	for n := from; n <= min(e.through+window, len(e.reply)); n++ {
		e.high = max(e.high, n)
		p.send(p.header(e, n).Octets())
	}
}

// header is a packet of the reply. What is sent for the first time has as short
// a header as goes, and its total in the last packet alone; what follows has
// them whole, as the captures show.
func (p *peer) header(e *exchange, n int) Packet {
	pk := Packet{ID: e.id, Number: uint16(n), Data: e.reply[n-1]}
	last := n == len(e.reply)
	if e.sent > 1 || last || p.s.Totals {
		pk.Total = uint16(len(e.reply))
	}
	if e.sent > 1 || e.waits && last {
		pk.Through = e.total
	}
	if e.sent > 1 && p.s.Swaps {
		pk.ID = pk.ID<<8 | pk.ID>>8
	}
	if n == e.through+window || e.waits && last {
		pk.Flags, pk.Through = flagAcknowledge, e.total
	}
	if p.s.Acks {
		pk.Flags, pk.Through = flagAcknowledge, e.total
	}
	return pk
}
