// Package fetchtest is the suite that every transport passes. Where a new
// demand on transports is found, it is written down here. Start with [Run].
//
// It runs in a synctest bubble on a network in memory: time passes at once, a
// goroutine that is left behind fails the test, and each read, write, look-up
// and connection can be made to fail in turn.
package fetchtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
)

// A Subject is a transport and a server that behaves.
type Subject struct {
	// New makes the transport. One that keeps connections is an io.Closer.
	New func(d *dial.Dialer) fetch.Transport
	// URL is what the server has. Its host is Host; its port is said, unless
	// the scheme is special, which says it itself.
	URL string
	// Port is where the server is at Host, for a URL that names none.
	Port uint16
	// Want is the object.
	Want string
	// Serve serves one connection and returns when it is over; the suite closes
	// conn. Over UDP it is the other end of one socket's datagrams. listen opens a port on the same host, for protocols that need one.
	// Nil is for a transport that uses no network: only what needs none is run.
	Serve func(conn net.Conn, listen func() (net.Listener, error))
	// Head says that the transport knows HEAD.
	Head bool
	// EndsByClose says that the protocol marks the object's end by closing the
	// connection, so that a cut object looks whole.
	EndsByClose bool
	// AnythingGoes says that the protocol has no form of its own: whatever a
	// server says is an object.
	AnythingGoes bool
}

// Host is the host of every Subject's URL.
const Host = "server.test"

var address = netip.MustParseAddr("192.0.2.1")

// limits are small, and what passes in a bubble is not real time.
var limits = fetch.Limits{
	Connect: 5 * time.Second, FirstByte: 10 * time.Second, Idle: 10 * time.Second, Total: 30 * time.Second,
	MaxBody: 1 << 20, MaxExpanded: 1 << 20, MaxLine: 4 << 10, MaxHeader: 64 << 10, MaxEntries: 1000,
}

// Run runs the suite.
func Run(t *testing.T, s Subject) {
	t.Run("contract", func(t *testing.T) { inBubble(t, s, contract) })
	t.Run("limits", func(t *testing.T) { inBubble(t, s, sizes) })
	if s.Head {
		t.Run("head", func(t *testing.T) { inBubble(t, s, head) })
	}
	if s.Serve == nil {
		return
	}
	t.Run("several at once", func(t *testing.T) { inBubble(t, s, several) })
	t.Run("refused address", func(t *testing.T) { inBubble(t, s, refused) })
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) { every(t, s, f) })
	}
	for name, serve := range hostile {
		t.Run("hostile/"+name, func(t *testing.T) { withstand(t, s, serve) })
	}
}

// A world is one bubble's network with the subject's server in it.
type world struct {
	t       *testing.T
	s       Subject
	network transcript.Network
	dialer  dial.Dialer
	client  fetch.Client
	url     anyurl.URL
	plan    plan
}

func inBubble(t *testing.T, s Subject, f func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, s: s, url: anyurl.MustParse(s.URL)}
		w.start(s.Serve, f)
	})
}

// start runs f in the world, with serve on each connection.
func (w *world) start(serve func(net.Conn, func() (net.Listener, error)), f func(*world)) {
	w.dialer = dial.Dialer{Resolver: &w.plan, Connect: w.connect}
	transport := w.s.New(&w.dialer)
	w.client = fetch.Client{
		Transports: map[string]fetch.Transport{w.url.Scheme(): transport},
		Limits:     limits,
		AllowPort:  func(string, uint16) bool { return true },
	}
	var done sync.WaitGroup
	var mu sync.Mutex
	var open []io.Closer
	keep := func(c io.Closer) {
		mu.Lock()
		defer mu.Unlock()
		open = append(open, c)
	}
	listen := func() (net.Listener, error) {
		l, err := w.network.Listen(netip.AddrPortFrom(address, 0))
		if err == nil {
			keep(l)
		}
		return l, err
	}
	if serve != nil {
		l, err := w.network.Listen(netip.AddrPortFrom(address, cmp.Or(w.s.Port, w.url.EffectivePort())))
		if err != nil {
			w.t.Fatalf("the subject's URL needs a port: %v", err)
		}
		keep(l)
		done.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				keep(conn)
				done.Go(func() {
					defer conn.Close()
					serve(conn, listen)
				})
			}
		})
	}
	f(w)
	if c, ok := transport.(io.Closer); ok {
		c.Close()
	}
	mu.Lock()
	for _, c := range open {
		c.Close()
	}
	mu.Unlock()
	done.Wait()
}

func (w *world) connect(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	if err := w.plan.step(ctx, nil); err != nil {
		return nil, err
	}
	conn, err := w.network.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &planned{Conn: conn, plan: &w.plan}, nil
}

// get fetches the subject's URL whole.
func (w *world) get(ctx context.Context, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	req := &fetch.Request{URL: w.url}
	for _, c := range change {
		c(req)
	}
	before := *req
	got, err := w.client.Do(ctx, req)
	if !reflect.DeepEqual(before.Header, req.Header) || before.URL != req.URL {
		w.t.Error("the request was changed")
	}
	if err != nil {
		w.check(err)
		return nil, "", err
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		w.check(err)
	}
	if cerr := got.Body.Close(); cerr != nil && err == nil && !w.plan.meddles() {
		w.t.Errorf("closing a body that was read gives %v", cerr)
	}
	return got, string(body), err
}

// check holds what every error owes its reader.
func (w *world) check(err error) {
	w.t.Helper()
	var e *fetch.Error
	if !errors.As(err, &e) {
		w.t.Errorf("%v is no *fetch.Error", err)
		return
	}
	if e.Step == "" || e.URL.IsZero() {
		w.t.Errorf("%#v says no step or no URL", e)
	}
	for _, r := range err.Error() {
		if r < ' ' || r == 0x7F || r == 0x9B {
			w.t.Errorf("a control character in %q", err)
		}
	}
}

func contract(w *world) {
	t := w.t
	for range 2 { // the second time over whatever the first left open
		got, body, err := w.get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if body != w.s.Want {
			t.Errorf("got %q, want %q", body, w.s.Want)
		}
		if got.Protocol == "" {
			t.Error("the response names no protocol")
		}
		if got.URL.IsZero() || len(got.Hops) != 1 {
			t.Errorf("came to %v over %v", got.URL, got.Hops)
		}
		if got.Size != -1 && got.Size != int64(len(w.s.Want)) {
			t.Errorf("size %d, want %d or -1", got.Size, len(w.s.Want))
		}
		if n, err := got.Body.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("a closed body reads %d, %v", n, err)
		}
		if err := got.Body.Close(); err != nil {
			t.Errorf("closing twice gives %v", err)
		}
	}
	// A caller may lose interest at once.
	got, err := w.client.Do(t.Context(), &fetch.Request{URL: w.url})
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	// An ended context opens nothing.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := len(w.network.Dialled())
	if _, _, err := w.get(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
	if len(w.network.Dialled()) != before {
		t.Error("an ended context opens a connection")
	}
	// And the transport still works.
	if _, body, err := w.get(t.Context()); err != nil || body != w.s.Want {
		t.Errorf("afterwards: %q, %v", body, err)
	}
}

func sizes(w *world) {
	t := w.t
	n := int64(len(w.s.Want))
	if _, body, err := w.get(t.Context(), func(r *fetch.Request) { r.Limits.MaxBody = n }); err != nil || body != w.s.Want {
		t.Errorf("a body of the limit's size: %q, %v", body, err)
	}
	if n < 2 {
		return
	}
	_, body, err := w.get(t.Context(), func(r *fetch.Request) { r.Limits.MaxBody = n - 1 })
	if !errors.Is(err, fetch.ErrTooLarge) || int64(len(body)) > n-1 {
		t.Errorf("a body over the limit: %d octets, %v", len(body), err)
	}
}

func head(w *world) {
	got, body, err := w.get(w.t.Context(), func(r *fetch.Request) { r.Method = "HEAD" })
	if err != nil || body != "" {
		w.t.Errorf("got %q, %v", body, err)
	} else if got.Size != -1 && got.Size != int64(len(w.s.Want)) {
		w.t.Errorf("size %d, want %d or -1", got.Size, len(w.s.Want))
	}
}

func several(w *world) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, body, err := w.get(w.t.Context()); err != nil || body != w.s.Want {
				w.t.Errorf("got %q, %v", body, err)
			}
		})
	}
	wg.Wait()
}

func refused(w *world) {
	w.dialer.Allow = dial.Guard // 192.0.2.0/24 is documentation's, not public
	_, _, err := w.get(w.t.Context())
	var r *dial.Refused
	if !errors.As(err, &r) || !errors.Is(err, fetch.ErrRefused) {
		w.t.Errorf("got %v, want the guard's refusal", err)
	}
	if len(w.network.Dialled()) != 0 {
		w.t.Errorf("dialled %v", w.network.Dialled())
	}
}

// A fault is what happens at one operation.
type fault struct {
	name string
	// do is done instead of the operation; a nil error lets it go on.
	do func(ctx context.Context, w *world, conn *planned) error
	// kind is what the failure must be, if there is one; nil is any.
	kind error
	// octets has reads give an octet at a time.
	octets bool
}

var errInjected = &net.OpError{Op: "test", Net: "tcp", Err: syscall.ECONNRESET}

var faults = []fault{
	{name: "fault at each step", do: func(_ context.Context, _ *world, conn *planned) error {
		if conn != nil {
			conn.Conn.Close()
		}
		return errInjected
	}},
	{name: "end at each step", do: func(_ context.Context, _ *world, conn *planned) error {
		if conn == nil {
			return errInjected
		}
		conn.Conn.Close()
		return io.EOF
	}},
	{name: "end after each octet", octets: true, do: func(_ context.Context, _ *world, conn *planned) error {
		if conn == nil {
			return errInjected
		}
		conn.Conn.Close()
		return io.EOF
	}},
	{name: "silence at each step", kind: context.DeadlineExceeded, do: func(ctx context.Context, _ *world, conn *planned) error {
		if conn == nil {
			<-ctx.Done()
			return ctx.Err()
		}
		conn.mute()
		return nil
	}},
	{name: "cancellation at each step", kind: context.Canceled, do: func(_ context.Context, w *world, _ *planned) error {
		w.plan.mu.Lock()
		defer w.plan.mu.Unlock()
		w.plan.cancel()
		return nil
	}},
}

// most is how many octets a read gives.
func (f fault) most() int {
	if f.octets {
		return 1
	}
	return 8
}

// mostFaults is about how many operations of one fetch meet a fault.
const mostFaults = 100

// every makes each operation of a fetch meet the fault in turn.
func every(t *testing.T, s Subject, f fault) {
	steps := 0
	inBubble(t, s, func(w *world) {
		w.plan.most = f.most()
		if _, body, err := w.get(w.t.Context()); err != nil || body != s.Want {
			w.t.Fatalf("without a fault: %q, %v", body, err)
		}
		steps = w.plan.count()
	})
	if t.Failed() {
		return
	}
	if steps < 3 { // a connection, a write and a read at the least
		t.Fatalf("only %d operations went through the dialer", steps)
	}
	// A long conversation meets the fault at some of its operations, spread over
	// all of it.
	stride := max(1, steps/mostFaults)
	for n := 1; n <= steps; n += stride {
		inBubble(t, s, func(w *world) {
			t := w.t
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			w.plan.most = f.most()
			w.plan.set(n, cancel, func(ctx context.Context, conn *planned) error { return f.do(ctx, w, conn) })
			start := time.Now()
			_, body, err := w.get(ctx)
			took := time.Since(start)
			switch {
			case err == nil:
				// What came after the object does not matter to it.
				if body != s.Want && !(s.EndsByClose && strings.HasPrefix(s.Want, body)) {
					t.Errorf("operation %d: got %q and no error", n, body)
				}
			case f.kind != nil && !errors.Is(err, f.kind):
				t.Errorf("operation %d: got %v, want %v", n, err, f.kind)
			case !strings.HasPrefix(s.Want, body):
				t.Errorf("operation %d: %q came before %v", n, body, err)
			}
			if took > limits.Total || f.kind == context.Canceled && took > time.Second {
				t.Errorf("operation %d: took %v", n, took)
			}
			// One broken conversation does not spoil the next.
			w.plan.set(0, nil, nil)
			if c, ok := w.client.Transports[w.url.Scheme()].(io.Closer); ok && errors.Is(f.kind, context.DeadlineExceeded) {
				c.Close() // a connection that fell silent while idle looks like any other
			}
			if _, body, err := w.get(t.Context()); err != nil || body != s.Want {
				t.Errorf("operation %d: afterwards %q, %v", n, body, err)
			}
		})
	}
}

// hostile servers do not care what the protocol is.
var hostile = map[string]func(net.Conn){
	"closes at once": func(conn net.Conn) {},
	"resets at once": func(conn net.Conn) {
		if r, ok := conn.(interface{ Reset() error }); ok {
			r.Reset()
		}
	},
	"silence":        func(conn net.Conn) { io.Copy(io.Discard, conn) },
	"endless line":   func(conn net.Conn) { endless(conn, strings.Repeat("A", 4096)) },
	"endless lines":  func(conn net.Conn) { endless(conn, strings.Repeat("A\r\n", 1000)) },
	"endless empty":  func(conn net.Conn) { endless(conn, strings.Repeat("\r\n", 1000)) },
	"endless 220-":   func(conn net.Conn) { endless(conn, strings.Repeat("220-more\r\n", 400)) },
	"endless digits": func(conn net.Conn) { endless(conn, strings.Repeat("200", 1000)) },
	"endless NUL":    func(conn net.Conn) { endless(conn, strings.Repeat("\x00", 4096)) },
	"endless IAC":    func(conn net.Conn) { endless(conn, strings.Repeat("\xff\xfd\x18", 1000)) },
	"another protocol": func(conn net.Conn) {
		io.WriteString(conn, "SSH-2.0-OpenSSH_9\r\n")
		io.Copy(io.Discard, conn)
	},
	"noise": func(conn net.Conn) {
		r := rand.New(rand.NewPCG(1, 2))
		b := make([]byte, 64<<10)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		conn.Write(b)
	},
	"terminal escapes": func(conn net.Conn) {
		io.WriteString(conn, "500 \x1b]0;owned\x07\x1b[2J\r\n")
	},
}

func endless(conn net.Conn, text string) {
	go io.Copy(io.Discard, conn)
	for {
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
	}
}

// withstand fetches from a hostile server.
func withstand(t *testing.T, s Subject, serve func(net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, s: s, url: anyurl.MustParse(s.URL)}
		w.start(func(conn net.Conn, _ func() (net.Listener, error)) { serve(conn) }, func(w *world) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, body, err := w.get(t.Context())
			if err == nil && !s.AnythingGoes {
				t.Errorf("got %.80q and no error", body)
			}
			if int64(len(body)) > limits.MaxBody {
				t.Errorf("%d octets came through", len(body))
			}
			if took := time.Since(start); took > limits.Total {
				t.Errorf("took %v", took)
			}
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("%d MiB were allocated", n>>20)
			}
		})
	})
}

// A plan counts the operations that go through the dialer and meddles with
// one of them.
type plan struct {
	most   int // reads give few octets, so that there is a step inside everything; 0 for as many as there are
	mu     sync.Mutex
	n      int
	at     int // the operation to meddle with, from 1; 0 for none
	do     func(ctx context.Context, conn *planned) error
	cancel context.CancelFunc
}

func (p *plan) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

func (p *plan) meddles() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at != 0
}

// set has operation n, from 1, meddled with; 0 is none.
func (p *plan) set(n int, cancel context.CancelFunc, do func(context.Context, *planned) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.cancel, p.do = n, cancel, do
}

// step is one operation; conn is nil for a look-up or a connection.
func (p *plan) step(ctx context.Context, conn *planned) error {
	p.mu.Lock()
	p.n++
	do := p.do
	if p.n != p.at {
		do = nil
	}
	p.mu.Unlock()
	if do == nil {
		return nil
	}
	return do(ctx, conn)
}

// LookupNetIP knows the one host.
func (p *plan) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if err := p.step(ctx, nil); err != nil {
		return nil, err
	}
	if host != Host {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{address}, nil
}

// planned is a connection whose reads and writes are operations of a plan.
type planned struct {
	net.Conn
	plan  *plan
	mu    sync.Mutex
	muted bool
}

// mute makes the other end seem silent from here on: what is written is lost,
// and nothing comes.
func (c *planned) mute() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.muted = true
}

func (c *planned) isMuted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.muted
}

func (c *planned) Read(p []byte) (int, error) {
	if !c.isMuted() {
		if err := c.plan.step(context.Background(), c); err != nil {
			return 0, err
		}
	}
	if c.plan.most > 0 && c.RemoteAddr().Network() != "udp" { // a datagram comes whole or not at all
		p = p[:min(len(p), c.plan.most)]
	}
	for {
		n, err := c.Conn.Read(p)
		if !c.isMuted() || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if err != nil {
			// The other end is gone, which silence hides: wait for our own end.
			return 0, c.hang()
		}
	}
}

// hang waits until the connection's deadline passes or it is closed.
func (c *planned) hang() error {
	for {
		if _, err := c.Conn.Read(nil); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *planned) Write(p []byte) (int, error) {
	if c.isMuted() {
		return len(p), nil
	}
	if err := c.plan.step(context.Background(), c); err != nil {
		return 0, err
	}
	if c.isMuted() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// CloseWrite passes the half close on.
func (c *planned) CloseWrite() error {
	if h, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return h.CloseWrite()
	}
	return nil
}

// String helps a failing test's message.
func (c *planned) String() string { return fmt.Sprint(c.Conn) }
