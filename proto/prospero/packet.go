package prospero

import (
	"encoding/binary"
	"errors"
	"net/netip"
)

// maxData is how many octets of a message go into one packet.
const maxData = 1250

// The flags of a packet's header, its octet 11.
const (
	flagAcknowledge = 0x80 // please acknowledge
	flagControl     = 0x40 // numbered, and without data for the application
	flagProtocol    = 0x04 // a protocol identifier follows, 2 octets
	flagPriority    = 0x02 // a priority follows, 2 octets
	flagAddress     = 0x01 // an address follows: type, length, octets
)

// The options of a packet's header, its octet 12, that a client acts upon.
const (
	optionRefused        = 1
	optionRedirect       = 4 // ask there: address, 4 octets, and port, 2
	optionRedirectNotify = 5 // the same, and tell the caller
	optionBadVersion     = 8
	optionQueue          = 254 // what the queue looks like: flags, position, time
)

// A packet is one datagram of ARDP: a header that may end after any of its
// fields, and data.
type packet struct {
	id       uint16 // of the conversation
	number   uint16 // from 1; 0 is a control packet outside the sequence
	total    uint16 // packets of the message; 0 if it is not said
	received uint16 // all of the peer's packets up to this one have arrived
	wait     uint16 // seconds until an answer may be expected, when hasWait
	hasWait  bool
	// hasReceived tells a "received" of 0 from none.
	hasReceived bool
	flags       byte
	option      byte
	redirect    netip.AddrPort // of the redirecting options
	position    int            // in the server's queue, of optionQueue; -1 if it is not said
	data        []byte
}

var errPacket = errors.New("no ARDP packet")

// parsePacket reads a datagram. What it gives shares b's octets.
func parsePacket(b []byte) (packet, error) {
	if len(b) == 0 || b[0]>>6 != 0 { // version 0
		return packet{}, errPacket
	}
	length := int(b[0] & 0x3F)
	if length == 0 || length > len(b) {
		return packet{}, errPacket
	}
	h, p := b[1:length], packet{number: 1, total: 1, position: -1, data: b[length:]}
	next := func() (n uint16, ok bool) {
		if len(h) < 2 {
			return 0, false
		}
		n, h = binary.BigEndian.Uint16(h), h[2:]
		return n, true
	}
	p.id, _ = next()
	if n, ok := next(); ok {
		p.number, p.total = n, 0
	}
	if n, ok := next(); ok {
		p.total = n
	}
	p.received, p.hasReceived = next()
	p.wait, p.hasWait = next()
	if length < 12 {
		if len(h) > 0 { // half a field
			return packet{}, errPacket
		}
		return p, nil
	}
	p.flags, h = h[0], h[1:]
	if len(h) == 0 {
		return p, nil
	}
	p.option, h = h[0], h[1:]
	// What the flags and the option announce follows in this order.
	skip := 0
	if p.flags&flagAddress != 0 {
		if len(h) < 2 {
			return packet{}, errPacket
		}
		skip = 2 + int(h[1])
	}
	for _, f := range []byte{flagPriority, flagProtocol} {
		if p.flags&f != 0 {
			skip += 2
		}
	}
	if skip > len(h) {
		return packet{}, errPacket
	}
	h = h[skip:]
	switch p.option {
	case optionRedirect, optionRedirectNotify:
		if len(h) < 6 {
			return packet{}, errPacket
		}
		p.redirect = netip.AddrPortFrom(netip.AddrFrom4([4]byte(h[:4])), binary.BigEndian.Uint16(h[4:]))
	case optionQueue:
		if len(h) >= 3 && h[0]&1 != 0 {
			p.position = int(binary.BigEndian.Uint16(h[1:]))
		}
	}
	return p, nil
}

// append writes p with the nine octets of header that a client needs.
func (p packet) append(b []byte) []byte {
	b = append(b, 9)
	for _, n := range []uint16{p.id, p.number, p.total, p.received} {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return append(b, p.data...)
}

// split makes a message's packets.
func split(id uint16, message []byte) ([]packet, error) {
	n := max(1, (len(message)+maxData-1)/maxData)
	if n > 0xFFFF {
		return nil, errTooLong
	}
	packets := make([]packet, n)
	for i := range packets {
		at := i * maxData
		packets[i] = packet{id: id, number: uint16(i + 1), total: uint16(n), data: message[at:min(at+maxData, len(message))]}
	}
	return packets, nil
}
