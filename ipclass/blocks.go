package ipclass

import "net/netip"

// A Block is one entry of the registries.
type Block struct {
	Prefix netip.Prefix // its addresses
	Class  Class        // Public where the registry says "globally reachable"
	Name   string       // the registry's name for it
	Cite   string       // where the block is set aside
}

func block(prefix string, class Class, name, cite string) Block {
	return Block{netip.MustParsePrefix(prefix), class, name, cite}
}

// blocks4 is IANA's IPv4 Special-Purpose Address Registry and
// multicast. A part stands before the whole.
var blocks4 = []Block{
	block("0.0.0.0/32", Unspecified, "this host on this network", "RFC 1122, section 3.2.1.3"),
	block("0.0.0.0/8", Reserved, "this network", "RFC 791, section 3.2"),
	block("10.0.0.0/8", Private, "private-use", "RFC 1918, section 3"),
	block("100.64.0.0/10", CGNAT, "shared address space", "RFC 6598, section 7"),
	block("127.0.0.0/8", Loopback, "loopback", "RFC 1122, section 3.2.1.3"),
	block("169.254.0.0/16", LinkLocal, "link local", "RFC 3927, section 2.1"),
	block("172.16.0.0/12", Private, "private-use", "RFC 1918, section 3"),
	block("192.0.0.9/32", Public, "Port Control Protocol anycast", "RFC 7723, section 4"),
	block("192.0.0.10/32", Public, "TURN anycast", "RFC 8155, section 8"),
	block("192.0.0.0/24", Reserved, "IETF protocol assignments", "RFC 6890, section 2.1"),
	block("192.0.2.0/24", Reserved, "documentation (TEST-NET-1)", "RFC 5737, section 3"),
	block("192.31.196.0/24", Public, "AS112-v4", "RFC 7535, section 3"),
	block("192.52.193.0/24", Public, "AMT", "RFC 7450, section 7.2"),
	block("192.88.99.0/24", Reserved, "deprecated (6to4 relay anycast)", "RFC 7526, section 5"),
	block("192.168.0.0/16", Private, "private-use", "RFC 1918, section 3"),
	block("192.175.48.0/24", Public, "direct delegation AS112 service", "RFC 7534, section 4"),
	block("198.18.0.0/15", Reserved, "benchmarking", "RFC 2544, appendix C"),
	block("198.51.100.0/24", Reserved, "documentation (TEST-NET-2)", "RFC 5737, section 3"),
	block("203.0.113.0/24", Reserved, "documentation (TEST-NET-3)", "RFC 5737, section 3"),
	block("224.0.0.0/4", Multicast, "multicast", "RFC 5771, section 3"),
	block("255.255.255.255/32", Broadcast, "limited broadcast", "RFC 8190, section 2.2; RFC 919, section 7"),
	block("240.0.0.0/4", Reserved, "reserved", "RFC 1112, section 4"),
}

// blocks6 is IANA's IPv6 Special-Purpose Address Registry up to RFC 9780,
// multicast, and at the end what the IPv6 address space registry has not given
// out. A part stands before the whole.
//
// Two blocks are Reserved here although the registry calls them globally
// reachable: the identifiers of RFC 7343 and RFC 9374 are no locators, nothing
// is routed to them.
var blocks6 = []Block{
	block("::1/128", Loopback, "loopback address", "RFC 4291, section 2.5.3"),
	block("::/128", Unspecified, "unspecified address", "RFC 4291, section 2.5.2"),
	block("::ffff:0:0/96", EmbeddedV4, "IPv4-mapped address", "RFC 4291, section 2.5.5.2"),
	block("::ffff:0:0:0/96", EmbeddedV4, "IPv4-translated address", "RFC 2765, section 2.1"),
	block("::/96", EmbeddedV4, "IPv4-compatible address", "RFC 4291, section 2.5.5.1"),
	block("64:ff9b::/96", EmbeddedV4, "IPv4-IPv6 translation", "RFC 6052, section 2.1"),
	block("64:ff9b:1::/48", Reserved, "IPv4-IPv6 translation, local use", "RFC 8215, section 5"),
	block("100::/64", Reserved, "discard-only address block", "RFC 6666, section 2"),
	block("100:0:0:1::/64", Reserved, "dummy IPv6 prefix", "RFC 9780, section 4.1"),
	block("2001::/32", EmbeddedV4, "Teredo", "RFC 4380, section 4"),
	block("2001:1::1/128", Public, "Port Control Protocol anycast", "RFC 7723, section 4"),
	block("2001:1::2/128", Public, "TURN anycast", "RFC 8155, section 8"),
	block("2001:1::3/128", Public, "DNS-SD service registration anycast", "RFC 9665, section 10"),
	block("2001:2::/48", Reserved, "benchmarking", "RFC 5180, section 8"),
	block("2001:3::/32", Public, "AMT", "RFC 7450, section 7.2"),
	block("2001:4:112::/48", Public, "AS112-v6", "RFC 7535, section 3"),
	block("2001:10::/28", Reserved, "deprecated (ORCHID)", "RFC 4843, section 1.3"),
	block("2001:20::/28", Reserved, "ORCHIDv2", "RFC 7343, section 1"),
	block("2001:30::/28", Reserved, "drone remote ID entity tags", "RFC 9374, section 3"),
	block("2001::/23", Reserved, "IETF protocol assignments", "RFC 2928, section 2"),
	block("2001:db8::/32", Reserved, "documentation", "RFC 3849, section 2"),
	block("2002::/16", EmbeddedV4, "6to4", "RFC 3056, section 2"),
	block("2620:4f:8000::/48", Public, "direct delegation AS112 service", "RFC 7534, section 4"),
	block("3fff::/20", Reserved, "documentation", "RFC 9637, section 2"),
	block("5f00::/16", Reserved, "segment routing identifiers", "RFC 9602, section 5"),
	block("fc00::/7", Private, "unique-local", "RFC 4193, section 3.1"),
	block("fe80::/10", LinkLocal, "link-local unicast", "RFC 4291, section 2.5.6"),
	block("fec0::/10", Reserved, "deprecated (site-local unicast)", "RFC 3879, section 4"),
	block("ff00::/8", Multicast, "multicast", "RFC 4291, section 2.7"),
	block("2000::/3", Public, "global unicast", "RFC 4291, section 2.4"),
	block("::/0", Reserved, "reserved by the IETF", "RFC 4291, section 2.4"),
}

// A service is a cloud's metadata address.
type service struct {
	addr netip.Addr
	name string
}

// services are the addresses at which clouds tell a machine about itself, as
// their own documentation names them. They live in link-local, private, shared
// and even public space, so they have to be named one by one.
var services = []service{
	{netip.MustParseAddr("169.254.169.254"), "instance metadata (AWS, Azure, Google Cloud, OpenStack and others)"},
	{netip.MustParseAddr("169.254.170.2"), "Amazon ECS task metadata and credentials"},
	{netip.MustParseAddr("169.254.170.23"), "Amazon EKS Pod Identity credentials"},
	{netip.MustParseAddr("169.254.0.23"), "Tencent Cloud instance metadata"},
	{netip.MustParseAddr("169.254.42.42"), "Scaleway instance metadata"},
	{netip.MustParseAddr("100.100.100.200"), "Alibaba Cloud instance metadata"},
	{netip.MustParseAddr("168.63.129.16"), "Azure WireServer"},
	{netip.MustParseAddr("192.0.0.192"), "Oracle Cloud instance metadata"},
	{netip.MustParseAddr("fd00:ec2::254"), "AWS instance metadata"},
	{netip.MustParseAddr("fd00:ec2::23"), "Amazon EKS Pod Identity credentials"},
	{netip.MustParseAddr("fd20:ce::254"), "Google Cloud instance metadata"},
	{netip.MustParseAddr("fd00:42::42"), "Scaleway instance metadata"},
	{netip.MustParseAddr("fe80::a9fe:a9fe"), "OpenStack instance metadata"},
}

func metadata(a netip.Addr) (string, bool) {
	a = a.WithZone("")
	for i := range services {
		if services[i].addr == a {
			return services[i].name, true
		}
	}
	return "", false
}
