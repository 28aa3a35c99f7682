// Package dial is the one door to the network: it resolves a name once, asks
// whether each address may be reached, and connects to one of those addresses
// and to nothing else. A check that looks at a name and a connection that
// looks it up again could see two different addresses; here there is only one
// look-up.
//
// Start with [Dialer]. [Guard] is the rule that keeps a client which follows
// other people's links out of one's own network.
package dial

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The steps that an [Error] names.
const (
	Resolving  = "resolving"
	Connecting = "connecting"
	TLS        = "tls"
)

// The defaults of [Dialer].
const (
	DefaultTimeout = 15 * time.Second
	DefaultStagger = 250 * time.Millisecond // RFC 8305, section 5: Connection Attempt Delay
)

// A Resolver finds the addresses of a host name. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// A Dialer connects. Its zero value uses the system's resolver, allows every
// address and is ready. It may be used by several goroutines at once; its
// fields are not changed after the first use.
type Dialer struct {
	// Resolver finds addresses; nil is the system's.
	Resolver Resolver
	// Allow is asked about each address after it has been resolved and before
	// anything is sent there; an error refuses it. host is the name in lower
	// case without a final dot, or the address in text when the URL gave one.
	// Nil allows everything. See [Guard].
	Allow func(host string, addr netip.AddrPort) error
	// Timeout bounds resolving and connecting together, for each call; 0 is
	// DefaultTimeout. [WithTimeout] sets it for one context.
	Timeout time.Duration
	// Stagger is how long one address may keep silent before the next is tried
	// at the same time; 0 is DefaultStagger.
	Stagger time.Duration
	// Connect opens the connection to an address that has been allowed; nil is
	// the system's. A test hands in its own network.
	Connect func(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)
	// Proxy decides through which proxy, if any, a host is reached over TCP. Nil
	// is none.
	Proxy func(host string, port uint16) (p Proxy, ok bool)
	// TrustProxy leaves it to a proxy that looks names up which addresses they
	// lead to. Allow is then asked only about what a URL itself says: addresses,
	// and localhost.
	TrustProxy bool
	// TLS is what TLS connections start from: roots, versions, certificates.
	// Nil is the system's defaults. It is cloned and never changed.
	TLS *tls.Config
}

// An Error is a failure to resolve, to connect or to agree on TLS.
type Error struct {
	Step  string // Resolving, Connecting or TLS
	Host  string // the host and port that were asked for
	Proxy string // the host and port of the proxy that was asked for it, if that failed
	Err   error  // the cause
}

// Error says what was being done, with which host, and why it failed.
func (e *Error) Error() string { return e.Step + " " + strconv.Quote(e.Host) + ": " + e.Cause() }

// Cause says why it failed, and no more.
func (e *Error) Cause() string {
	if e.Proxy != "" {
		return "by the proxy " + e.Proxy + ": " + strings.TrimPrefix(cause(e.Err), e.Proxy+": ")
	}
	if e.Step == TLS {
		if says := handshake(e.Err); says != "" {
			return says
		}
	}
	return cause(e.Err)
}

// handshake says in plain words why there was no TLS, or "".
func handshake(err error) string {
	var noTLS tls.RecordHeaderError
	var stranger x509.UnknownAuthorityError
	switch {
	case HungUp(err):
		return "the server closed the connection during the TLS handshake"
	case errors.As(err, &noTLS):
		return "the server does not speak TLS on this port"
	case errors.As(err, &stranger):
		return "the server's certificate is signed by nobody who is trusted here"
	}
	return ""
}

// HungUp reports whether err is the other side's going away without a word. The
// same going away is an end to who reads, a broken pipe or a reset connection to
// who writes, and which of them comes first is chance.
func HungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// cause leaves out what net's errors say twice.
func cause(err error) string {
	var own *Error
	if errors.As(err, &own) {
		return own.Cause()
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return dns.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return op.Addr.String() + ": " + Plainly(op.Err)
	}
	return err.Error()
}

// Plainly is an error's text without what only a programmer reads in the errors
// of package net: which system call it was, and between which addresses.
func Plainly(err error) string {
	text := err.Error()
	var op *net.OpError
	if errors.As(err, &op) {
		text = strings.Replace(text, op.Error(), op.Err.Error(), 1)
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		text = strings.Replace(text, call.Error(), call.Err.Error(), 1)
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors that look-ups give besides the resolver's own.
var (
	// ErrNoAddress is a name that exists and has no address.
	ErrNoAddress = errors.New("the name has no address")
	// ErrTimeout is a Dialer's own time limit.
	ErrTimeout = fmt.Errorf("no connection within the time limit: %w", context.DeadlineExceeded)
)

type timeoutKey struct{}

// WithTimeout returns a context in which a Dialer's calls take at most d,
// whatever its Timeout says.
func WithTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, timeoutKey{}, d)
}

type transferKey struct{}

// WithTransfer returns a context for a connection that carries one object and
// then ends, as FTP's data connections do. The system does not ask such a
// connection whether the other side is still there: it never stands idle by
// right, and whoever reads from it knows for how long it may be silent.
func WithTransfer(ctx context.Context) context.Context {
	return context.WithValue(ctx, transferKey{}, true)
}

// DialContext connects to address, a host and a port as in "ex.example:70" or
// "[::1]:70". The network is "tcp" or "udp", with "4" or "6" after it to keep
// to one family. Errors are *[Error]; one that wraps *[Refused] says that the
// address was found and may not be reached.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, _, err := d.Dial(ctx, network, address)
	return conn, err
}

// Dial is DialContext that also returns the address it connected to: the one
// that was vetted, and the only one a second connection of the same
// conversation may use. It is not valid where a proxy was given the name.
func (d *Dialer) Dial(ctx context.Context, network, address string) (net.Conn, netip.AddrPort, error) {
	return d.dial(ctx, network, address, system)
}

// dial is Dial by the given means of the system.
func (d *Dialer) dial(ctx context.Context, network, address string, system connector) (net.Conn, netip.AddrPort, error) {
	fail := func(step string, err error) (net.Conn, netip.AddrPort, error) {
		return nil, netip.AddrPort{}, &Error{Step: step, Host: address, Err: err}
	}
	host, port, err := split(address)
	if err != nil {
		return fail(Resolving, err)
	}
	ctx, cancel := d.within(ctx)
	defer cancel()

	if d.Proxy != nil {
		if p, ok := d.Proxy(name(host), port); ok && !strings.HasPrefix(network, "tcp") {
			return fail(Connecting, ErrNoDatagrams)
		} else if ok {
			return d.viaProxy(ctx, p, network, host, port)
		}
	}
	allowed, step, err := d.vetted(ctx, network, host, port)
	if err != nil {
		return fail(step, err)
	}
	if d.Connect != nil {
		system = d.Connect
	}
	conn, ap, err := race(ctx, network, interleave(allowed), system, d.Stagger)
	if err != nil {
		return fail(Connecting, ended(ctx, err))
	}
	return conn, ap, nil
}

// within is a context for one call, with its time limit.
func (d *Dialer) within(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := d.Timeout
	if t, ok := ctx.Value(timeoutKey{}).(time.Duration); ok && t > 0 {
		timeout = t
	}
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return context.WithTimeoutCause(ctx, timeout, ErrTimeout)
}

// vetted gives the addresses of host that may be reached, at least one; step is
// where it failed.
func (d *Dialer) vetted(ctx context.Context, network, host string, port uint16) (allowed []netip.AddrPort, step string, err error) {
	addrs, err := d.resolve(ctx, network, host)
	if err != nil {
		return nil, Resolving, ended(ctx, err)
	}
	var refused error
	for _, a := range addrs {
		ap := netip.AddrPortFrom(a, port)
		if d.Allow != nil {
			if err := d.Allow(name(host), ap); err != nil {
				if refused == nil {
					refused = err
				}
				continue
			}
		}
		allowed = append(allowed, ap)
	}
	if len(allowed) == 0 {
		return nil, Connecting, refused
	}
	return allowed, "", nil
}

// ended names the context's cause when that is why err came about.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// split takes "host:port" or "[v6]:port" apart.
func split(address string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", 0, errors.New("port " + strconv.Quote(text) + " is no port number")
	}
	if host == "" {
		// net would take it for this machine.
		return "", 0, errors.New("no host")
	}
	return host, uint16(n), nil
}

// name is the form in which Allow sees a host: a trailing dot or a capital
// letter must not make it another one.
func name(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// resolve gives the addresses of host, each once, without a zone.
func (d *Dialer) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	family := "ip" + strings.TrimPrefix(strings.TrimPrefix(network, "tcp"), "udp")
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return nil, errors.New("an address with a zone leads to one link only")
		}
		return []netip.Addr{a.Unmap()}, nil
	}
	var r Resolver = net.DefaultResolver
	if d.Resolver != nil {
		r = d.Resolver
	}
	found, err := r.LookupNetIP(ctx, family, host)
	if err != nil {
		return nil, err
	}
	var addrs []netip.Addr
	seen := map[netip.Addr]bool{}
	for _, a := range found {
		if a = a.Unmap().WithZone(""); a.IsValid() && !seen[a] {
			seen[a] = true
			addrs = append(addrs, a)
		}
	}
	if len(addrs) == 0 {
		return nil, ErrNoAddress
	}
	return addrs, nil
}

// Resolves reports whether names resolve here at all, by asking for one that is
// as old as the root of the tree. Where that is not there, no name is, and that
// says nothing about any of them.
func (d *Dialer) Resolves(ctx context.Context) bool {
	_, err := d.resolve(ctx, "tcp", "a.root-servers.net")
	return err == nil
}

// interleave alternates the families, beginning with the first address's, as
// RFC 8305, section 4, asks.
func interleave(addrs []netip.AddrPort) []netip.AddrPort {
	var first, second, out []netip.AddrPort
	for _, a := range addrs {
		if a.Addr().Is4() == addrs[0].Addr().Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	for i := range max(len(first), len(second)) {
		if i < len(first) {
			out = append(out, first[i])
		}
		if i < len(second) {
			out = append(out, second[i])
		}
	}
	return out
}

// race connects to the first of addrs that answers. An attempt that fails or
// keeps silent for the stagger lets the next begin; the losers are closed.
func race(ctx context.Context, network string, addrs []netip.AddrPort, connect connector, stagger time.Duration) (net.Conn, netip.AddrPort, error) {
	if len(addrs) == 1 {
		conn, err := connect(ctx, network, addrs[0])
		return conn, addrs[0], err
	}
	if stagger <= 0 {
		stagger = DefaultStagger
	}
	ctx, cancel := context.WithCancel(ctx)
	type result struct {
		conn net.Conn
		addr netip.AddrPort
		err  error
	}
	results := make(chan result)
	begin := func(a netip.AddrPort) {
		go func() {
			conn, err := connect(ctx, network, a)
			results <- result{conn, a, err}
		}()
	}
	timer := time.NewTimer(stagger)
	defer timer.Stop()
	begun, ended := 1, 0
	begin(addrs[0])
	var first error
	for {
		select {
		case <-timer.C:
			if begun < len(addrs) {
				begin(addrs[begun])
				begun++
				timer.Reset(stagger)
			}
		case r := <-results:
			ended++
			if r.err == nil {
				cancel()
				// Every attempt ends soon, its context being over.
				go func() {
					for ; ended < begun; ended++ {
						if late := <-results; late.err == nil {
							late.conn.Close()
						}
					}
				}()
				return r.conn, r.addr, nil
			}
			if first == nil {
				first = r.err
			}
			if ended == len(addrs) {
				cancel()
				return nil, netip.AddrPort{}, first
			}
			if begun < len(addrs) && ctx.Err() == nil {
				begin(addrs[begun])
				begun++
				timer.Reset(stagger)
			} else if ended == begun {
				cancel()
				return nil, netip.AddrPort{}, first
			}
		}
	}
}

// A connector opens the connection to an address.
type connector func(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)

// system connects with the operating system's means.
func system(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	if ctx.Value(transferKey{}) != nil {
		d.KeepAlive = -1 // which is four system calls less
	}
	return d.DialContext(ctx, network, addr.String())
}

// StartTLS makes conn a TLS connection to host, a name or an address in text,
// and shakes hands. On failure conn is closed and the error is an *[Error].
// The protocols are offered by ALPN, the best first.
func (d *Dialer) StartTLS(ctx context.Context, conn net.Conn, host string, protocols ...string) (*tls.Conn, error) {
	c := tls.Client(conn, d.TLSConfig(host, protocols...))
	if err := c.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &Error{Step: TLS, Host: host, Err: ended(ctx, err)}
	}
	return c, nil
}

// TLSConfig returns a copy of the Dialer's TLS configuration for host.
func (d *Dialer) TLSConfig(host string, protocols ...string) *tls.Config {
	config := &tls.Config{}
	if d.TLS != nil {
		config = d.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = strings.TrimSuffix(host, ".")
	}
	if len(protocols) > 0 {
		config.NextProtos = protocols
	}
	return config
}
