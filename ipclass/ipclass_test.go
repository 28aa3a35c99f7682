package ipclass

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func ExampleOf() {
	for _, s := range []string{"192.168.1.1", "169.254.169.254", "64:ff9b::7f00:1", "2001:4860:4860::8888"} {
		a := netip.MustParseAddr(s)
		fmt.Println(a, Of(a), Of(a).Public())
	}
	// Output:
	// 192.168.1.1 private false
	// 169.254.169.254 metadata false
	// 64:ff9b::7f00:1 loopback false
	// 2001:4860:4860::8888 public true
}

// TestAll has the classes of an address, the most telling first.
func TestAll(t *testing.T) {
	for _, tt := range []struct{ addr, want string }{
		// IPv4: the first and the last address of every block, and the neighbours.
		{"0.0.0.0", "unspecified"},
		{"0.0.0.1", "reserved"},
		{"0.255.255.255", "reserved"},
		{"1.0.0.0", "public"},
		{"9.255.255.255", "public"},
		{"10.0.0.0", "private"},
		{"10.255.255.255", "private"},
		{"11.0.0.0", "public"},
		{"100.63.255.255", "public"},
		{"100.64.0.0", "cgnat"},
		{"100.127.255.255", "cgnat"},
		{"100.128.0.0", "public"},
		{"126.255.255.255", "public"},
		{"127.0.0.0", "loopback"},
		{"127.255.255.255", "loopback"},
		{"128.0.0.0", "public"},
		{"169.253.255.255", "public"},
		{"169.254.0.0", "link-local"},
		{"169.254.255.255", "link-local"},
		{"169.255.0.0", "public"},
		{"172.15.255.255", "public"},
		{"172.16.0.0", "private"},
		{"172.31.255.255", "private"},
		{"172.32.0.0", "public"},
		{"192.0.0.0", "reserved"},
		{"192.0.0.8", "reserved"},
		{"192.0.0.9", "public"}, // RFC 7723: globally reachable
		{"192.0.0.10", "public"},
		{"192.0.0.170", "reserved"},
		{"192.0.1.0", "public"},
		{"192.0.2.0", "reserved"},
		{"192.0.3.0", "public"},
		{"192.31.196.1", "public"},
		{"192.52.193.1", "public"},
		{"192.88.98.255", "public"},
		{"192.88.99.1", "reserved"},
		{"192.167.255.255", "public"},
		{"192.168.0.0", "private"},
		{"192.168.255.255", "private"},
		{"192.169.0.0", "public"},
		{"192.175.48.1", "public"},
		{"198.17.255.255", "public"},
		{"198.18.0.0", "reserved"},
		{"198.19.255.255", "reserved"},
		{"198.20.0.0", "public"},
		{"198.51.100.0", "reserved"},
		{"198.51.101.0", "public"},
		{"203.0.113.255", "reserved"},
		{"203.0.114.0", "public"},
		{"223.255.255.255", "public"},
		{"224.0.0.0", "multicast"},
		{"239.255.255.255", "multicast"},
		{"240.0.0.0", "reserved"},
		{"255.255.255.254", "reserved"},
		{"255.255.255.255", "broadcast"},
		// Metadata services, with the network each stands in.
		{"169.254.169.254", "metadata link-local"},
		{"169.254.170.2", "metadata link-local"},
		{"100.100.100.200", "metadata cgnat"},
		{"168.63.129.16", "metadata"},
		{"192.0.0.192", "metadata reserved"},
		{"fd00:ec2::254", "metadata private"},
		{"fe80::a9fe:a9fe", "metadata link-local"},
		// IPv6.
		{"::", "unspecified"},
		{"::1", "loopback"},
		{"::1%eth0", "loopback"},
		{"::2", "reserved embedded-v4"}, // RFC 4291, 2.5.5.1: 0.0.0.2
		{"64:ff9a::", "reserved"},
		{"64:ff9b:0:0:0:1::", "reserved"}, // past the /96
		{"64:ff9b:2::", "reserved"},
		{"100::1", "reserved"},
		{"100:0:0:1::1", "reserved"},
		{"100:0:0:2::1", "reserved"}, // outside 2000::/3
		{"1fff:ffff::", "reserved"},
		{"2000::1", "public"},
		{"2001:1::1", "public"},
		{"2001:1::3", "public"},
		{"2001:1::4", "reserved"},
		{"2001:2::1", "reserved"},
		{"2001:2:1::1", "reserved"}, // 2001::/23
		{"2001:3::1", "public"},
		{"2001:4:112::1", "public"},
		{"2001:10::1", "reserved"},
		{"2001:20::1", "reserved"},
		{"2001:2f:ffff::1", "reserved"},
		{"2001:30::1", "reserved"},
		{"2001:1ff:ffff::", "reserved"},
		{"2001:200::1", "public"},
		{"2001:db7:ffff::1", "public"},
		{"2001:db8::1", "reserved"},
		{"2001:db9::1", "public"},
		{"2606:4700:4700::1111", "public"},
		{"2620:4f:8000::1", "public"},
		{"3ffe::1", "public"},
		{"3fff::1", "reserved"},
		{"3fff:fff:ffff::1", "reserved"},
		{"3fff:1000::1", "public"},
		{"4000::1", "reserved"},
		{"5f00::1", "reserved"},
		{"fbff::1", "reserved"},
		{"fc00::1", "private"},
		{"fdff:ffff::1", "private"},
		{"fe00::1", "reserved"},
		{"fe80::1", "link-local"},
		{"fe80::1%1", "link-local"},
		{"febf::1", "link-local"},
		{"fec0::1", "private reserved"}, // RFC 3879: site-local, deprecated
		{"feff::1", "private reserved"},
		{"ff02::1", "multicast"},
		// IPv4 within.
		{"::ffff:127.0.0.1", "loopback embedded-v4"},
		{"::ffff:8.8.8.8", "embedded-v4"},
		{"::ffff:169.254.169.254", "metadata link-local embedded-v4"},
		{"::127.0.0.1", "loopback embedded-v4"},
		{"::8.8.8.8", "embedded-v4"},
		{"::ffff:0:127.0.0.1", "loopback embedded-v4"},
		{"64:ff9b::10.0.0.1", "private embedded-v4"},
		{"64:ff9b::8.8.8.8", "embedded-v4"},
		{"64:ff9b:1::7f00:1", "loopback reserved embedded-v4"},
		{"64:ff9b:1:7f00:0:100::", "loopback reserved embedded-v4"}, // RFC 6052, 2.2: PL 48
		{"2002:7f00:1::", "loopback embedded-v4"},
		{"2002:c0a8:101::1", "private embedded-v4"},
		{"2002:808:808::1", "embedded-v4"},
		{"2001:0:53aa:64c::80ff:fffe", "loopback embedded-v4"},
		{"2001:0:7f00:1::f7f7:f7f7", "loopback embedded-v4"}, // the server is this machine
		{"2001:0:53aa:64c::f7f7:f7f7", "embedded-v4"},
		{"fe80::5efe:7f00:1", "loopback link-local embedded-v4"},
		{"2606:4700::5efe:a00:1", "private embedded-v4"},
		{"2606:4700::200:5efe:808:808", "embedded-v4"},
		{"2606:4700::300:5efe:808:808", "public"}, // not ISATAP's identifier
	} {
		a := netip.MustParseAddr(tt.addr)
		var got []string
		for c := classes; c > 0; c-- {
			if All(a).Has(c - 1) {
				got = append(got, (c - 1).String())
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("All(%s) = %s, want %s", tt.addr, s, tt.want)
		}
		if of := Of(a).String(); of != got[0] {
			t.Errorf("Of(%s) = %s, want %s", tt.addr, of, got[0])
		}
	}
}

func TestOfNothing(t *testing.T) {
	if Of(netip.Addr{}).Public() {
		t.Error("no address is public")
	}
	if Class(200).String() != "unknown" {
		t.Error("a class from nowhere has a name")
	}
}

func TestEmbedded(t *testing.T) {
	for _, tt := range []struct{ addr, want string }{
		{"192.0.2.33", ""},
		{"::", ""},
		{"::1", ""},
		{"2001:db8::192.0.2.33", ""}, // a prefix of somebody's own cannot be told
		{"::ffff:192.0.2.33", "192.0.2.33"},
		{"64:ff9b::192.0.2.33", "192.0.2.33"},                  // RFC 6052, 2.4
		{"64:ff9b:1:c000:2:2100::", "192.0.2.33"},              // RFC 6052, 2.2, the row of 48 bits
		{"2002:c000:221::", "192.0.2.33"},                      // RFC 3056, 2
		{"2001:0:cb00:7101:8000:f227:3fff:fdde", "192.0.2.33"}, // RFC 4380, 4
		{"fe80::5efe:192.0.2.33", "192.0.2.33"},                // RFC 5214, 6.1
		{"fe80::200:5efe:192.0.2.33%2", "192.0.2.33"},
	} {
		got, ok := Embedded(netip.MustParseAddr(tt.addr))
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("Embedded(%s) = %s, %t, want %s", tt.addr, got, ok, tt.want)
		}
	}
}

func TestService(t *testing.T) {
	for _, s := range []string{"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fd00:ec2::254"} {
		if name, ok := Service(netip.MustParseAddr(s)); !ok || name == "" {
			t.Errorf("Service(%s) is none", s)
		}
	}
	if _, ok := Service(netip.MustParseAddr("169.254.169.253")); ok {
		t.Error("a neighbour is no metadata service")
	}
}

// TestOrder holds that no block hides behind an earlier, wider one, and that
// each says what it is.
func TestOrder(t *testing.T) {
	for _, table := range [][]Block{blocks4, blocks6} {
		for i, b := range table {
			if b.Prefix != b.Prefix.Masked() || b.Name == "" || b.Cite == "" {
				t.Errorf("%v is not written as it should be", b)
			}
			for _, wider := range table[:i] {
				if wider.Prefix.Bits() <= b.Prefix.Bits() && wider.Prefix.Contains(b.Prefix.Addr()) {
					t.Errorf("%s is never reached behind %s", b.Prefix, wider.Prefix)
				}
			}
		}
	}
}

// FuzzOf holds that what carries an address that is not public is not public
// either, and that no zone changes a class.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "fe80::1", "2606:4700::1"} {
		f.Add(netip.MustParseAddr(s).AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		if v4, ok := Embedded(a); ok && (Of(a).Public() || All(v4)&^All(a) != 0) {
			t.Errorf("%s carries %s (%v) and is %v", a, v4, Of(v4), Of(a))
		}
		if a.Is6() && All(a.WithZone("x")) != All(a) {
			t.Errorf("a zone changes %s", a)
		}
		if Of(a).Public() != (All(a) == 0) {
			t.Errorf("Of and All part on %s", a)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	a, c := netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("2606:4700::1111")
	for b.Loop() {
		Of(a)
		Of(c)
	}
}
