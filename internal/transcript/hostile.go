package transcript

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Hostile is what a broken or malicious server does on one connection, as
// data: a list of steps in the JSON form that the corpus of attack replies
// uses. Each step is an object with one of send, send_repeat, send_hex,
// send_slow, send_gzip_zeros, send_gzip_nested, wait_for, on, listen_data,
// data, data_repeat, close_data, sleep_ms, close, hang, rst, loop. Over UDP a
// script is steps with on_udp, a pattern for a datagram, and send_udp or
// send_udp_repeat: the datagram that answers it, many times.
type Hostile []json.RawMessage

type hostileStep struct {
	Send       *string `json:"send"`
	SendRepeat *[2]any `json:"send_repeat"`
	SendSlow   *[3]any `json:"send_slow"`
	SendHex    *string `json:"send_hex"`
	GzipZeros  *int64  `json:"send_gzip_zeros"`
	GzipNested *[2]int `json:"send_gzip_nested"`
	WaitFor    *string `json:"wait_for"`
	On         *string `json:"on"`
	ListenData bool    `json:"listen_data"`
	Data       *string `json:"data"`
	DataRepeat *[2]any `json:"data_repeat"`
	CloseData  bool    `json:"close_data"`
	SleepMS    *int    `json:"sleep_ms"`
	Close      bool    `json:"close"`
	Hang       bool    `json:"hang"`
	RST        bool    `json:"rst"`
	Loop       bool    `json:"loop"`
	OnUDP      *string `json:"on_udp"`
	SendUDP    *string `json:"send_udp"`
	RepeatUDP  *[2]any `json:"send_udp_repeat"`
}

// Serve plays the script, in a network, to everybody who connects to the address that
// it gives. wrap, if not nil, may listen in; polite is as in [Hostile.Play]. stop ends
// every conversation and gives the first error of the script's.
func (h Hostile) Serve(n *Network, wrap func(net.Conn) net.Conn, polite func(line string) string) (at netip.AddrPort, stop func() error, err error) {
	loopback := netip.MustParseAddr("127.0.0.1")
	l, err := n.Listen(netip.AddrPortFrom(loopback, 0))
	if err != nil {
		return netip.AddrPort{}, nil, err
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	open := []io.Closer{l}
	keep := func(c io.Closer) {
		mu.Lock()
		defer mu.Unlock()
		open = append(open, c)
	}
	listen := func() (net.Listener, error) {
		l, err := n.Listen(netip.AddrPortFrom(loopback, 0))
		if err == nil {
			keep(l)
		}
		return l, err
	}
	play := func(conn net.Conn) {
		defer conn.Close()
		heard := conn
		if wrap != nil {
			heard = wrap(conn)
		}
		if err := h.Play(heard, listen, polite); err != nil {
			mu.Lock()
			failed = cmp.Or(failed, err)
			mu.Unlock()
		}
	}
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			keep(conn)
			wg.Go(func() { play(conn) })
		}
	})
	stop = func() error {
		mu.Lock()
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
		return failed
	}
	return l.Addr().(*net.TCPAddr).AddrPort(), stop, nil
}

// Play plays the script on conn. Polite answers a line that no "on" step of
// the script answers; listen opens a data port, which the caller closes too,
// since a client may never come to it. It returns an error only for a script
// it does not understand, and leaves conn for the caller to close.
func (h Hostile) Play(conn net.Conn, listen func() (net.Listener, error), polite func(line string) string) error {
	steps := make([]hostileStep, len(h))
	for i, raw := range h {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&steps[i]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if len(steps) > 0 && steps[0].OnUDP != nil {
		return playUDP(conn, steps)
	}
	p := &hostile{conn: conn, listen: listen, polite: polite}
	defer p.end()
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if s.On != nil {
			// A run of "on" steps answers until its last one has been asked for;
			// when nothing comes after it, until the client goes.
			first := i
			for i+1 < len(steps) && steps[i+1].On != nil {
				i++
			}
			if err := p.learn(steps[first : i+1]); err != nil {
				return err
			}
			if !p.answer(*steps[i].On, i+1 == len(steps)) {
				return nil
			}
			continue
		}
		if s.Loop {
			i = -1
			continue
		}
		p.keep = i+1 < len(steps) && steps[i+1].On != nil
		if err := p.do(s); errors.Is(err, errStop) {
			return nil
		} else if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// manyTimes is how often a datagram of send_udp_repeat is sent.
const manyTimes = 5000

// playUDP answers datagrams until the client is gone, each by the first step
// that matches it.
func playUDP(conn net.Conn, steps []hostileStep) error {
	var rules []hostileRule
	for i, s := range steps {
		if s.OnUDP == nil || s.SendUDP == nil && s.RepeatUDP == nil {
			return fmt.Errorf("step %d: it answers no datagram", i+1)
		}
		re, err := regexp.Compile("(?s)" + *s.OnUDP)
		if err != nil {
			return err
		}
		rules = append(rules, hostileRule{*s.OnUDP, re, s})
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return nil
		}
		for _, r := range rules {
			if !r.on.Match(buf[:n]) {
				continue
			}
			answer, times := []byte(nil), 1
			if r.step.SendUDP != nil {
				answer = latin1(*r.step.SendUDP)
			} else {
				answer = bytes.Repeat(latin1(r.step.RepeatUDP[0].(string)), int(r.step.RepeatUDP[1].(float64)))
				times = manyTimes
			}
			for range times {
				if _, err := conn.Write(answer); err != nil {
					return nil
				}
			}
			break
		}
	}
}

type hostile struct {
	conn   net.Conn
	listen func() (net.Listener, error)
	polite func(string) string
	in     []byte // received and not yet looked at
	keep   bool   // leave the line that was waited for
	rules  []hostileRule
	port   net.Listener
	data   net.Conn
}

type hostileRule struct {
	pattern string
	on      *regexp.Regexp
	step    hostileStep
}

func (p *hostile) end() {
	if p.data != nil {
		p.data.Close()
	}
	if p.port != nil {
		p.port.Close()
	}
}

func (p *hostile) learn(steps []hostileStep) error {
	for _, s := range steps {
		re, err := regexp.Compile(*s.On)
		if err != nil {
			return err
		}
		p.rules = append(p.rules, hostileRule{*s.On, re, s})
	}
	return nil
}

// more receives some octets.
func (p *hostile) more() bool {
	buf := make([]byte, 4096)
	n, err := p.conn.Read(buf)
	p.in = append(p.in, buf[:n]...)
	return err == nil
}

// answer answers lines until one matches the pattern until. Rules learnt
// before keep answering.
func (p *hostile) answer(until string, forever bool) bool {
	for {
		end := bytes.IndexByte(p.in, '\n')
		if end < 0 {
			if !p.more() {
				return false
			}
			continue
		}
		line := string(bytes.TrimRight(p.in[:end+1], "\r\n"))
		p.in = p.in[end+1:]
		answered := false
		for _, r := range p.rules {
			if !r.on.MatchString(line) {
				continue
			}
			answered = true
			s := r.step
			s.On = nil
			if p.do(s) != nil {
				return false
			}
			if r.pattern == until && !forever {
				return true
			}
			break
		}
		if !answered && p.polite != nil {
			if p.say(p.polite(line)) != nil {
				return false
			}
		}
	}
}

func (p *hostile) do(s hostileStep) error {
	if s.ListenData {
		l, err := p.listen()
		if err != nil {
			return err
		}
		p.port = l
	}
	switch {
	case s.Send != nil:
		return p.say(*s.Send)
	case s.SendRepeat != nil:
		return repeat(p.conn, latin1(s.SendRepeat[0].(string)), int64(s.SendRepeat[1].(float64)))
	case s.SendHex != nil:
		b, err := hex.DecodeString(*s.SendHex)
		if err != nil {
			return err
		}
		return stop(p.conn.Write(b))
	case s.SendSlow != nil:
		text, n, ms := latin1(s.SendSlow[0].(string)), int(s.SendSlow[1].(float64)), s.SendSlow[2].(float64)
		for ; len(text) > 0; text = text[min(n, len(text)):] {
			if err := stop(p.conn.Write(text[:min(n, len(text))])); err != nil {
				return err
			}
			time.Sleep(time.Duration(ms) * time.Millisecond)
		}
	case s.GzipZeros != nil:
		z := gzip.NewWriter(p.conn)
		if err := repeat(z, make([]byte, 1<<20), *s.GzipZeros>>20); err != nil {
			return err
		}
		return stop(0, z.Close())
	case s.GzipNested != nil:
		b := make([]byte, s.GzipNested[1])
		for range s.GzipNested[0] {
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			z.Write(b)
			z.Close()
			b = out.Bytes()
		}
		return stop(p.conn.Write(b))
	case s.WaitFor != nil:
		re, err := regexp.Compile(*s.WaitFor)
		if err != nil {
			return err
		}
		for !re.Match(p.in) {
			if !p.more() {
				return errStop
			}
		}
		if p.keep { // an "on" step that follows answers this line
			break
		}
		at := re.FindIndex(p.in)[1]
		for bytes.IndexByte(p.in[max(at-1, 0):], '\n') < 0 {
			if !p.more() {
				return errStop
			}
		}
		p.in = p.in[max(at-1, 0)+bytes.IndexByte(p.in[max(at-1, 0):], '\n')+1:]
	case s.Data != nil:
		if err := p.acceptData(); err != nil {
			return err
		}
		return stop(p.data.Write(latin1(*s.Data)))
	case s.DataRepeat != nil:
		if err := p.acceptData(); err != nil {
			return err
		}
		return repeat(p.data, latin1(s.DataRepeat[0].(string)), int64(s.DataRepeat[1].(float64)))
	case s.CloseData:
		if err := p.acceptData(); err != nil {
			return err
		}
		return stop(0, p.data.Close())
	case s.SleepMS != nil:
		time.Sleep(time.Duration(*s.SleepMS) * time.Millisecond)
	case s.Close:
		p.conn.Close()
		return errStop
	case s.RST:
		reset(p.conn)
		return errStop
	case s.Hang:
		io.Copy(io.Discard, p.conn)
		return errStop
	}
	return nil
}

func (p *hostile) acceptData() error {
	if p.data != nil {
		return nil
	}
	if p.port == nil {
		return errors.New("no data port is open")
	}
	conn, err := p.port.Accept()
	if err != nil {
		return errStop
	}
	p.data = conn
	return nil
}

func (p *hostile) say(text string) error {
	if p.port != nil {
		text = strings.ReplaceAll(text, "{dataport}", fmt.Sprint(p.port.Addr().(*net.TCPAddr).Port))
	}
	text = strings.ReplaceAll(text, "{port}", fmt.Sprint(p.conn.LocalAddr().(*net.TCPAddr).Port))
	return stop(p.conn.Write(latin1(text)))
}

// stop makes a write's failure the end of the script: the client went.
func stop(_ int, err error) error {
	if err != nil {
		return errStop
	}
	return nil
}

// repeat writes text n times, in larger pieces.
func repeat(w io.Writer, text []byte, n int64) error {
	if len(text) == 0 {
		return nil
	}
	per := max(1, int64(32<<10/len(text)))
	block := bytes.Repeat(text, int(min(per, n)))
	for ; n > 0; n -= per {
		if _, err := w.Write(block[:int(min(per, n))*len(text)]); err != nil {
			return errStop
		}
	}
	return nil
}

// latin1 turns each character into its octet.
func latin1(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}
