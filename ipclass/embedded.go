package ipclass

import "net/netip"

var (
	wellKnown  = netip.MustParsePrefix("64:ff9b::/96")   // RFC 6052
	localUse   = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215
	translated = netip.MustParsePrefix("::ffff:0:0:0/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
	teredo     = netip.MustParsePrefix("2001::/32")
	siteLocal  = netip.MustParsePrefix("fec0::/10")
)

// Embedded gives the IPv4 address that an IPv6 address carries:
//
//	::ffff:a.b.c.d        IPv4-mapped                RFC 4291, section 2.5.5.2
//	::a.b.c.d             IPv4-compatible            RFC 4291, section 2.5.5.1
//	::ffff:0:a.b.c.d      IPv4-translated            RFC 2765, section 2.1
//	64:ff9b::a.b.c.d      the well-known prefix      RFC 6052, section 2.1
//	64:ff9b:1::/48        local-use translation      RFC 8215; RFC 6052, section 2.2
//	2002:aabb:ccdd::      6to4                       RFC 3056, section 2
//	2001:0::              Teredo: the client's       RFC 4380, section 4
//	…:0:5efe:a.b.c.d      ISATAP                     RFC 5214, section 6.1
//
// The unspecified and the loopback address are none of these.
func Embedded(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() {
		return netip.Addr{}, false
	}
	a = a.WithZone("")
	b := a.As16()
	tail := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case a.Is4In6(), translated.Contains(a), wellKnown.Contains(a):
		return tail, true
	case localUse.Contains(a):
		// With a 48-bit prefix the address stands around octet 8; the block may
		// also be used with longer prefixes, up to 96 bits.
		if [5]byte(b[6:11]) == [5]byte{} {
			return tail, true
		}
		return netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}), true
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case teredo.Contains(a):
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	case [12]byte(b[:12]) == [12]byte{}:
		return tail, a != netip.IPv6Unspecified() && a != netip.IPv6Loopback()
	case [3]byte(b[9:12]) == [3]byte{0, 0x5e, 0xfe} && b[8]&^0x02 == 0:
		return tail, true // the "u" bit tells a global IPv4 address, or should
	}
	return netip.Addr{}, false
}

// teredoServer gives the server that a Teredo address names, to which traffic
// is sent as well. It is not valid where a names none.
func teredoServer(a netip.Addr) netip.Addr {
	b := a.As16()
	if !teredo.Contains(a.WithZone("")) || [4]byte(b[4:8]) == [4]byte{} {
		return netip.Addr{}
	}
	return netip.AddrFrom4([4]byte(b[4:8]))
}
