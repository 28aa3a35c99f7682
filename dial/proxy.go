package dial

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// A Proxy is a server that the user has connect for us.
type Proxy struct {
	// Kind is "socks5" (RFC 1928), which is given the addresses that are found
	// here; "socks5h", which is given names to look up itself; "http" (CONNECT,
	// RFC 9110, section 9.3.6), which is given names too; or "https", the same
	// over TLS.
	Kind string
	// Address is the proxy's host and port. It is the user's choice and not
	// asked of Allow.
	Address string
	// User and Password are for the proxy; without a User none are sent.
	User, Password string
}

// maxProxyHeader bounds what an HTTP proxy says before the connection is ours.
const maxProxyHeader = 16 << 10

// ErrNoDatagrams is what becomes of UDP where a proxy is in the way: it would go
// past the proxy, and so nowhere.
var ErrNoDatagrams = errors.New("a proxy carries no datagrams")

// Vet asks Allow about every address of a host that a proxy will look up for
// itself, and connects to none. One that is refused is enough: which
// of them the proxy takes is not ours to say. Errors are *[Error].
//
// What the proxy finds may be something else than what is found here, so this is
// less than what Dial does, where the address that was vetted is the one that is
// connected to.
func (d *Dialer) Vet(ctx context.Context, host string, port uint16) error {
	if d.Allow == nil {
		return nil
	}
	var addrs []netip.Addr
	if a, ok := told(host); ok {
		addrs = []netip.Addr{a}
	} else if d.TrustProxy {
		return nil
	} else {
		var err error
		ctx, cancel := d.within(ctx)
		defer cancel()
		if addrs, err = d.resolve(ctx, "tcp", host); err != nil {
			return &Error{Step: Resolving, Host: host, Err: ended(ctx, err)}
		}
	}
	for _, a := range addrs {
		if err := d.Allow(name(host), netip.AddrPortFrom(a, port)); err != nil {
			return &Error{Step: Connecting, Host: host, Err: err}
		}
	}
	return nil
}

// told is the address that a host's text itself tells, whoever looks it up: an
// address, or a name of the machine that looks (RFC 6761, section 6.3).
func told(host string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap(), true
	}
	if n := name(host); n == "localhost" || strings.HasSuffix(n, ".localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	return netip.Addr{}, false
}

// looksUp reports whether the proxy is to find the address of host.
func (d *Dialer) looksUp(p Proxy, host string) bool {
	_, literal := told(host)
	switch {
	case p.Kind == "socks5":
		return false
	case d.Allow == nil:
		return true
	}
	return d.TrustProxy && !literal
}

// viaProxy connects through p. What the proxy does not look up itself is
// resolved and vetted here, and the proxy is given the address; else it is given
// the name, and the address that comes back is not valid.
func (d *Dialer) viaProxy(ctx context.Context, p Proxy, network, host string, port uint16) (net.Conn, netip.AddrPort, error) {
	target, vetted := net.JoinHostPort(host, strconv.Itoa(int(port))), netip.AddrPort{}
	if !d.looksUp(p, host) {
		if a, ok := told(host); ok {
			host = a.String()
		}
		allowed, step, err := d.vetted(ctx, network, host, port)
		if err != nil {
			return nil, netip.AddrPort{}, &Error{Step: step, Host: target, Err: err}
		}
		vetted = allowed[0]
		target = vetted.String()
	}
	fail := func(err error) (net.Conn, netip.AddrPort, error) {
		return nil, netip.AddrPort{}, &Error{Step: Connecting, Host: target, Proxy: p.Address, Err: ended(ctx, err)}
	}
	open := Dialer{Resolver: d.Resolver, Stagger: d.Stagger, Connect: d.Connect}
	conn, err := open.DialContext(ctx, "tcp", p.Address)
	if err != nil {
		return fail(err)
	}
	if p.Kind == "https" {
		if d.TLS != nil { // the rest of it is about the target
			open.TLS = &tls.Config{RootCAs: d.TLS.RootCAs}
		}
		if conn, err = open.secure(ctx, conn, p.Address); err != nil {
			return fail(err)
		}
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	switch p.Kind {
	case "socks5", "socks5h":
		err = socks5(conn, p, target)
	case "http", "https":
		err = connect(conn, p, target)
	default:
		err = errors.New("no kind of proxy is called " + strconv.Quote(p.Kind))
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return fail(err)
	}
	return conn, vetted, nil
}

// secure starts TLS with a proxy.
func (d *Dialer) secure(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	host, _, err := split(address)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return d.StartTLS(ctx, conn, host, "http/1.1")
}

// socksReplies are the failures of RFC 1928, section 6.
var socksReplies = [...]string{1: "general failure", 2: "not allowed by its rules", 3: "network unreachable", 4: "host unreachable",
	5: "connection refused", 6: "time to live expired", 7: "command not supported", 8: "address type not supported"}

// socks5 asks a SOCKS proxy for a connection.
func socks5(conn net.Conn, p Proxy, target string) error {
	host, portText, err := net.SplitHostPort(target)
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return err
	}
	if len(host) > 255 || len(p.User) > 255 || len(p.Password) > 255 {
		return errors.New("a name is longer than SOCKS can say")
	}
	methods := []byte{5, 1, 0} // no login
	if p.User != "" {
		methods = []byte{5, 2, 0, 2} // or user and password, RFC 1929
	}
	if _, err := conn.Write(methods); err != nil {
		return err
	}
	var chosen [2]byte
	if _, err := io.ReadFull(conn, chosen[:]); err != nil {
		return err
	}
	switch {
	case chosen[0] != 5:
		return errors.New("it does not speak SOCKS 5")
	case chosen[1] == 0:
	case chosen[1] == 2 && p.User != "":
		login := append([]byte{1, byte(len(p.User))}, p.User...)
		login = append(append(login, byte(len(p.Password))), p.Password...)
		if _, err := conn.Write(login); err != nil {
			return err
		}
		if _, err := io.ReadFull(conn, chosen[:]); err != nil {
			return err
		}
		if chosen[1] != 0 {
			return errors.New("it refuses the login")
		}
	default:
		return errors.New("it wants a login of another kind")
	}
	request := []byte{5, 1, 0} // CONNECT
	switch a, err := netip.ParseAddr(host); {
	case err != nil:
		request = append(append(request, 3, byte(len(host))), host...)
	case a.Is4():
		request = append(append(request, 1), a.AsSlice()...)
	default:
		request = append(append(request, 4), a.AsSlice()...)
	}
	if _, err := conn.Write(binary.BigEndian.AppendUint16(request, uint16(port))); err != nil {
		return err
	}
	var reply [4]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return err
	}
	if code := int(reply[1]); code != 0 {
		if code < len(socksReplies) {
			return errors.New("it says: " + socksReplies[code])
		}
		return fmt.Errorf("it refuses with code %d", code)
	}
	// The address it connects from is of no use, but has to be read.
	var bound int
	switch reply[3] {
	case 1:
		bound = 4
	case 4:
		bound = 16
	case 3:
		var n [1]byte
		if _, err := io.ReadFull(conn, n[:]); err != nil {
			return err
		}
		bound = int(n[0])
	default:
		return errors.New("it does not speak SOCKS 5")
	}
	_, err = io.ReadFull(conn, make([]byte, bound+2))
	return err
}

// connect asks an HTTP proxy for a connection.
func connect(conn net.Conn, p Proxy, target string) error {
	if i := strings.IndexFunc(target, func(r rune) bool { return r <= ' ' || r >= 0x7F }); i >= 0 {
		return errors.New("the host's name cannot stand in a request line")
	}
	request := "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
	if p.User != "" {
		request += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(p.User+":"+p.Password)) + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return err
	}
	// Octet by octet: what comes after the header is the target's.
	var header []byte
	for !strings.HasSuffix(string(header[max(0, len(header)-4):]), "\r\n\r\n") {
		if len(header) == maxProxyHeader {
			return errors.New("its answer is longer than the limit")
		}
		var b [1]byte
		if _, err := io.ReadFull(conn, b[:]); err != nil {
			return err
		}
		header = append(header, b[0])
	}
	line, _, _ := strings.Cut(string(header), "\r\n")
	version, status, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(version, "HTTP/1.") {
		return errors.New("it does not speak HTTP")
	}
	if !strings.HasPrefix(status, "2") {
		return errors.New("it answers " + strconv.Quote(status))
	}
	return nil
}
