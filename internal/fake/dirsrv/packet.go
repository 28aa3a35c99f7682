package dirsrv

import (
	"encoding/binary"
	"errors"
)

// The flags and options of an ARDP header that are used here.
const (
	flagAcknowledge = 0x80

	optionCancel = 1 // from a server: refused
	optionReset  = 2
)

// A Packet is a datagram of ARDP, version 0: a header that may stop behind any
// of its fields, and data.
type Packet struct {
	// Length is how many octets the header has; the fields behind are not
	// written. 0 is as many as are needed for what is set.
	Length  int
	ID      uint16 // of the connection
	Number  uint16 // from 1; 0 is an unsequenced control packet
	Total   uint16 // 0: not known yet
	Through uint16 // received through
	Wait    uint16 // seconds
	Flags   byte
	Option  byte
	More    []byte // what flags and option bring behind octet 12
	Data    []byte
}

// Octets writes the packet.
func (p Packet) Octets() []byte {
	b := []byte{0}
	for _, f := range []uint16{p.ID, p.Number, p.Total, p.Through, p.Wait} {
		b = binary.BigEndian.AppendUint16(b, f)
	}
	b = append(append(b, p.Flags, p.Option), p.More...)
	n := p.Length
	if n == 0 {
		switch {
		case p.Option != 0 || len(p.More) > 0:
			n = len(b)
		case p.Flags != 0:
			n = 12
		case p.Wait != 0:
			n = 11
		case p.Through != 0 || p.Number == 0:
			n = 9
		case p.Number != 1 || p.Total != 1:
			n = 7
		default:
			n = 3
		}
	}
	b = b[:n]
	b[0] = byte(n)
	return append(b, p.Data...)
}

// read reads a packet. A number that is absent is 1, and so is a total that is
// absent with it.
func read(b []byte) (p Packet, err error) {
	if len(b) == 0 {
		return p, errors.New("a datagram without an octet")
	}
	p.Length = int(b[0] & 0x3F)
	switch {
	case b[0]>>6 != 0:
		return p, errors.New("a header that is not of version 0")
	case p.Length == 0:
		return p, errors.New("a header of length 0")
	case p.Length > len(b):
		return p, errors.New("a header longer than its datagram")
	}
	h := b[1:p.Length]
	p.Data = b[p.Length:]
	p.Number, p.Total = 1, 1
	for _, f := range []*uint16{&p.ID, &p.Number, &p.Total, &p.Through, &p.Wait} {
		if len(h) < 2 {
			break
		}
		if f == &p.Number {
			p.Total = 0
		}
		*f = binary.BigEndian.Uint16(h)
		h = h[2:]
	}
	if p.Length > 11 {
		p.Flags = h[0]
	}
	if p.Length > 12 {
		p.Option, p.More = h[1], h[2:]
	}
	return p, nil
}
