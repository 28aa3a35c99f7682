// Package ipclass says which kind of network an IP address belongs to, so that
// a reader can warn of an address and a dialer refuse it by the same rule.
//
// It follows IANA's special-purpose address registries for IPv4 and IPv6
// (RFC 6890), the multicast registries and the IPv6 address space registry,
// and looks into the IPv6 forms that carry an IPv4 address: what such an
// address leads to is decided by the IPv4 address. Start with [Of].
package ipclass

import "net/netip"

// A Class is one kind of network. Its zero value is Public.
type Class uint8

// The classes, the more telling ones later: [Of] gives the last that applies.
const (
	// Public addresses are meant to be reached from anywhere.
	Public Class = iota
	// EmbeddedV4 is an IPv6 address that carries an IPv4 address and may be
	// delivered to it, past a filter that knows IPv4 addresses only.
	EmbeddedV4
	// Reserved addresses lead to no host: documentation, benchmarks,
	// identifiers, deprecated and future use.
	Reserved
	// Multicast addresses name a group, not a host.
	Multicast
	// Broadcast is 255.255.255.255, every host on the link.
	Broadcast
	// CGNAT is shared address space behind a carrier's translator, RFC 6598.
	CGNAT
	// Private addresses belong to one site: RFC 1918, RFC 4193.
	Private
	// LinkLocal addresses belong to one link: RFC 3927, RFC 4291.
	LinkLocal
	// Unspecified is 0.0.0.0 or ::, which many systems take for themselves.
	Unspecified
	// Loopback addresses are this machine: RFC 1122, RFC 4291.
	Loopback
	// Metadata addresses answer a cloud machine with its own credentials.
	Metadata

	classes
)

var names = [classes]string{
	Public: "public", EmbeddedV4: "embedded-v4", Reserved: "reserved", Multicast: "multicast", Broadcast: "broadcast",
	CGNAT: "cgnat", Private: "private", LinkLocal: "link-local", Unspecified: "unspecified", Loopback: "loopback", Metadata: "metadata",
}

// String gives the class as one lower-case word, as in "link-local".
func (c Class) String() string {
	if c < classes {
		return names[c]
	}
	return "unknown"
}

// Public reports whether addresses of the class are meant to be reached from
// anywhere.
func (c Class) Public() bool { return c == Public }

// A Set is the classes that apply to one address. The empty set is public.
type Set uint16

// Has reports whether c is in the set; the empty set has Public alone.
func (s Set) Has(c Class) bool {
	if c == Public {
		return s == 0
	}
	return s>>c&1 != 0
}

func (s Set) with(c Class) Set {
	if c == Public {
		return s
	}
	return s | 1<<c
}

// Of gives the most telling class of a. The zero Addr is Reserved: it leads
// nowhere.
//
// An IPv4-mapped address is EmbeddedV4, or what its IPv4 address is; a caller
// that holds IPv4 addresses in that form passes a.Unmap().
func Of(a netip.Addr) Class {
	s := All(a)
	for c := classes - 1; c > Public; c-- {
		if s.Has(c) {
			return c
		}
	}
	return Public
}

// All gives every class that applies to a, also those of an IPv4 address in it.
// The zone of a does not matter.
func All(a netip.Addr) Set {
	if !a.IsValid() {
		return Set(0).with(Reserved)
	}
	s := own(a)
	if v4, ok := Embedded(a); ok {
		s = s.with(EmbeddedV4) | own(v4)
		if server := teredoServer(a); server.IsValid() {
			s |= own(server)
		}
	}
	return s
}

// own gives the classes by the address as it stands.
func own(a netip.Addr) (s Set) {
	if _, ok := metadata(a); ok {
		s = s.with(Metadata)
	}
	b, ok := Lookup(a)
	if !ok {
		return s
	}
	if b.Prefix == siteLocal {
		s = s.with(Private) // what it was meant for
	}
	return s.with(b.Class)
}

// Service names the cloud service behind a metadata address, also behind one
// that a carries.
func Service(a netip.Addr) (name string, ok bool) {
	if name, ok = metadata(a); ok {
		return name, true
	}
	if v4, embedded := Embedded(a); embedded {
		return metadata(v4)
	}
	return "", false
}

// Lookup gives the block that decides about a itself, whatever it carries. It
// is false for addresses in no special block, which are public.
func Lookup(a netip.Addr) (Block, bool) {
	a = a.WithZone("")
	table := blocks6
	if a.Is4() {
		table = blocks4
	}
	for i := range table {
		if table[i].Prefix.Contains(a) {
			return table[i], table[i].Class != Public
		}
	}
	return Block{}, false
}
