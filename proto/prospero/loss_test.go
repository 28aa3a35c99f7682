package prospero_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/fake/dirsrv"
	"anyurl/internal/fake/stage"
	"anyurl/proto/prospero"

	prosperourl "anyurl/scheme/prospero"
)

// lossLimits leave room for every retry: what passes is a bubble's time.
var lossLimits = fetch.Limits{Connect: 5 * time.Second, FirstByte: 30 * time.Minute, Idle: 30 * time.Minute, Total: 2 * time.Hour, MaxBody: 1 << 20}

// numbered is n octets of lines that differ.
func numbered(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %06d of it's text\n", i)
	}
	return b.Bytes()[:n]
}

// lossServer is a server with objects of many lengths.
func lossServer() *dirsrv.Server {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	objects := map[string]dirsrv.Object{
		"/pros/hello": {HasContents: true, Contents: []byte("hello from prospero\n")},
		"/pros/empty": {HasContents: true},
		"/pros/quote": {HasContents: true, Contents: []byte("it's '' quoted'\n\n ' LINK L FILE\n")},
		"/pros/all":   {HasContents: true, Contents: all},
		"/pros/big":   {HasContents: true, Contents: numbered(5500)},
		"/pros/full":  {HasContents: true, Contents: numbered(16*1250 - 1300)},
		"/pros/huge":  {HasContents: true, Contents: numbered(45_000)},
		"/pros/dir": {Directory: true, Links: []dirsrv.Link{
			{Kind: "FILE", Name: "hello", Target: dirsrv.Target{Host: "SERVER.TEST(1525)", Name: "/pros/hello"}},
			{Kind: "FILE", Name: "a name & 'q'", Target: dirsrv.Target{Host: "SERVER.TEST", Name: "/pros/a name & 'q'"}, Expires: "19951231235959Z"},
			{Kind: "DIRECTORY", Name: "sub", Target: dirsrv.Target{Host: "OTHER.TEST(191)", Name: "AFTP/pub"}, Lines: []string{
				"ATTRIBUTE LINK FIELD FILTER FILTER DIRECTORY CLIENT POST PREDEFINED distribute ARGS size\n",
			}},
			{Union: true, Kind: "DIRECTORY", Name: "more", Target: dirsrv.Target{Host: "SERVER.TEST", Name: "/pros/none", Version: 3}},
			{Kind: "EXTERNAL", Name: "motd", Target: dirsrv.Target{Host: "FTP.TEST", Name: "/pub/motd"}, Lines: []string{
				dirsrv.Method("OBJECT", []string{"AFTP", "INTERNET-D", "FTP.TEST", "ASCII", "/pub/motd", "TEXT"}),
			}},
			{Kind: "SYMBOLIC", Name: "sym", Target: dirsrv.Target{Host: "SERVER.TEST", Name: "/pros/hello"}},
		}},
		"/pros/none":    {Directory: true},
		"/pros/ftp":     {Methods: [][]string{{"LOCAL", "", "", "", "/etc/passwd"}, {"AFTP", "INTERNET-D", "FTP.TEST", "ASCII", "/pub/a b", "BINARY"}}},
		"/pros/twice;2": {HasContents: true, Contents: []byte("the second")},
		"/pros/twice":   {HasContents: true, Contents: []byte("the third")},
	}
	for code, name := range map[string]string{"NOT-FOUND": "lost", "NOT-AUTHORIZED": "shut", "AUTHENTICATION-REQUIRED": "who", "SERVER-FAILED": "sick"} {
		objects["/pros/"+name] = dirsrv.Object{Failure: code + " 'so \x1b[2J it is'"}
	}
	objects["/pros/"+longName] = dirsrv.Object{HasContents: true, Contents: []byte("a long name\n")}
	return &dirsrv.Server{Objects: objects}
}

// longName has a request of several packets ask for it.
var longName = strings.Repeat("a-long-name/", 300)

// onStage runs f in a bubble in which a server is at server.test.
func onStage(t *testing.T, s *dirsrv.Server, f func(t *testing.T, st *stage.Stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := stage.New(t)
		st.Serve("server.test", prosperourl.Port, s.Serve)
		st.Client.Transports = map[string]fetch.Transport{"prospero": prospero.New(&st.Dialer)}
		st.Client.Limits = lossLimits
		f(t, st)
		if c := s.Complaints(); len(c) > 0 {
			t.Errorf("the server complains: %q", c)
		}
	})
}

// open fetches what a name stands for.
func open(t *testing.T, st *stage.Stage, name string, change ...func(*fetch.Request)) (*fetch.Result, []byte, error) {
	req := &fetch.Request{URL: anyurl.MustParse("prospero://server.test/" + name)}
	for _, c := range change {
		c(req)
	}
	got, err := st.Client.Do(t.Context(), req)
	if err != nil {
		return nil, nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return got, body, err
}

// kept are the objects that the server has itself.
func kept(s *dirsrv.Server) (names []string) {
	for name, o := range s.Objects {
		if o.HasContents && !strings.Contains(name, ";") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestLossObjects(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*dirsrv.Server)
	}{
		{"plain", func(*dirsrv.Server) {}},
		{"total in each packet", func(s *dirsrv.Server) { s.Totals = true }},
		{"acknowledgement for each packet", func(s *dirsrv.Server) { s.Acks = true }},
		{"all doubled", func(s *dirsrv.Server) { s.ToClient, s.ToServer = dirsrv.Double, dirsrv.Double }},
		{"requests doubled, the number's octets exchanged", func(s *dirsrv.Server) { s.Swaps, s.ToServer = true, dirsrv.Double }},
		{"eight answers lost", func(s *dirsrv.Server) { s.ToClient = dirsrv.Lose(3, 6, 9, 12, 15, 18, 21, 24) }},
		{"five lost each way", func(s *dirsrv.Server) {
			s.ToClient, s.ToServer = dirsrv.Lose(5, 10, 15, 20, 25), dirsrv.Lose(5, 10, 15, 20, 25)
		}},
		{"eight answers lost, the number's octets exchanged", func(s *dirsrv.Server) { s.Swaps, s.ToClient = true, dirsrv.Lose(3, 6, 9, 12, 15, 18, 21, 24) }},
		{"pairs exchanged", func(s *dirsrv.Server) { s.ToClient = dirsrv.Backwards(2) }},
		{"a wait with a time", func(s *dirsrv.Server) { s.Work, s.Wait = 100*time.Second, 180*time.Second }},
		{"a wait with too short a time", func(s *dirsrv.Server) { s.Work, s.Wait = 100*time.Second, 30*time.Second }},
		{"a wait without a time", func(s *dirsrv.Server) { s.Work = 20 * time.Second }},
		{"slow without a word", func(s *dirsrv.Server) { s.Work, s.Quiet = 20*time.Second, true }},
		{"slow, with answers lost", func(s *dirsrv.Server) {
			s.Work, s.Wait, s.ToClient = 100*time.Second, 180*time.Second, dirsrv.Lose(2, 3, 5, 8, 13, 21, 34)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// What is late does not come to another socket: each has its own server.
			for _, name := range kept(lossServer()) {
				s := lossServer()
				tt.change(s)
				onStage(t, s, func(t *testing.T, st *stage.Stage) {
					_, body, err := open(t, st, name)
					if want := s.Objects[name].Contents; err != nil || !bytes.Equal(body, want) {
						t.Errorf("%.20s: %d octets of %d, %v", name, len(body), len(want), err)
					}
					if asked := s.Asked(); len(asked) != len(slices.Compact(slices.Clone(asked))) {
						t.Errorf("%.20s: was run more than once: %.200q", name, asked)
					}
				})
			}
		})
	}
}

// TestLossWaits: who is told to wait does not ask again before the time is over.
func TestLossWaits(t *testing.T) {
	for _, tt := range []struct {
		work, wait time.Duration
		most       int // datagrams to the server for each request
	}{
		{100 * time.Second, 180 * time.Second, 2}, // the question, and that the answer came
		{100 * time.Second, 60 * time.Second, 3},
	} {
		s := lossServer()
		s.Work, s.Wait = tt.work, tt.wait
		onStage(t, s, func(t *testing.T, st *stage.Stage) {
			if _, body, err := open(t, st, "/pros/hello"); err != nil || string(body) != "hello from prospero\n" {
				t.Fatalf("got %q, %v", body, err)
			}
			if n, _ := s.Datagrams(); n > tt.most*len(s.Asked()) {
				t.Errorf("%v of work, a wait of %v: %d datagrams for %d requests", tt.work, tt.wait, n, len(s.Asked()))
			}
		})
	}
}

// TestLossEach loses, doubles and moves each datagram in turn, in both
// directions. The object comes as it is, and nothing is run twice.
func TestLossEach(t *testing.T) {
	type fault struct {
		name string
		make func(n int) func(int, []byte) [][]byte
	}
	faults := []fault{
		{"lost", func(n int) func(int, []byte) [][]byte { return dirsrv.Lose(n) }},
		{"lost with the next", func(n int) func(int, []byte) [][]byte { return dirsrv.Lose(n, n+1) }},
		{"lost three times", func(n int) func(int, []byte) [][]byte { return dirsrv.Lose(n, n+1, n+2) }},
		{"doubled", func(n int) func(int, []byte) [][]byte {
			return dirsrv.Change(n, func(d []byte) [][]byte { return [][]byte{d, d} })
		}},
		{"moved behind the next", func(n int) func(int, []byte) [][]byte { return dirsrv.Hold(n, 1) }},
		{"moved behind five", func(n int) func(int, []byte) [][]byte { return dirsrv.Hold(n, 5) }},
	}
	for _, name := range []string{"/pros/hello", "/pros/big", "/pros/huge", "/pros/dir", "/pros/" + longName} {
		for _, wait := range []time.Duration{0, 100 * time.Second} {
			plain := lossServer()
			plain.Work, plain.Wait = wait/2, wait
			var want []byte
			onStage(t, plain, func(t *testing.T, st *stage.Stage) {
				var err error
				if _, want, err = open(t, st, name); err != nil {
					t.Fatalf("%.20s: %v", name, err)
				}
			})
			toServer, toClient := plain.Datagrams()
			try := func(what string, n int, to func(*dirsrv.Server)) {
				s := lossServer()
				s.Work, s.Wait = wait/2, wait
				to(s)
				onStage(t, s, func(t *testing.T, st *stage.Stage) {
					_, body, err := open(t, st, name)
					if err != nil || !bytes.Equal(body, want) {
						t.Errorf("%.20s, wait %v, %s %d: %d octets of %d, %v", name, wait, what, n, len(body), len(want), err)
					}
					if !slices.Equal(s.Asked(), plain.Asked()) {
						t.Errorf("%.20s, wait %v, %s %d: ran %.300q", name, wait, what, n, s.Asked())
					}
				})
			}
			step := 1
			if testing.Short() { // some of each, at other places for each object
				step = 7
			}
			for _, f := range faults {
				for n := 1; n <= toServer; n++ {
					try("question "+f.name, n, func(s *dirsrv.Server) { s.ToServer = f.make(n) })
				}
				for n := 1 + len(name)%step; n <= toClient; n += step {
					try("answer "+f.name, n, func(s *dirsrv.Server) { s.ToClient = f.make(n) })
				}
			}
		}
	}
}

// TestLossRandom loses, doubles and moves a quarter of all datagrams.
func TestLossRandom(t *testing.T) {
	noise := func(r *rand.Rand) func(int, []byte) [][]byte {
		var held [][]byte
		return func(_ int, d []byte) (out [][]byte) {
			switch r.IntN(12) {
			case 0:
			case 1:
				out = [][]byte{d, d}
			case 2:
				held = append(held, d)
				return nil
			default:
				out = [][]byte{d}
			}
			out, held = append(out, held...), nil
			return out
		}
	}
	for seed := range uint64(20) {
		for _, name := range []string{"/pros/hello", "/pros/big", "/pros/huge"} {
			s := lossServer()
			s.ToClient, s.ToServer = noise(rand.New(rand.NewPCG(seed, 1))), noise(rand.New(rand.NewPCG(seed, 2)))
			onStage(t, s, func(t *testing.T, st *stage.Stage) {
				_, body, err := open(t, st, name)
				if err != nil || !bytes.Equal(body, s.Objects[name].Contents) {
					t.Errorf("seed %d, %s: %d octets, %v", seed, name, len(body), err)
				}
				if asked := s.Asked(); len(asked) != len(slices.Compact(slices.Clone(asked))) {
					t.Errorf("seed %d, %s: ran %q", seed, name, asked)
				}
			})
		}
	}
}

// TestLossSilence: a server that never answers, and one that is not there, are
// told apart, and given up within bounds.
func TestLossSilence(t *testing.T) {
	s := lossServer()
	s.ToClient = func(int, []byte) [][]byte { return nil }
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		start := time.Now()
		_, _, err := open(t, st, "/pros/hello")
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Asking || !fetch.IsTimeout(err) && !strings.Contains(err.Error(), "no answer") {
			t.Errorf("got %#v", err)
		}
		if n, _ := s.Datagrams(); n < 3 || n > 6 {
			t.Errorf("the question was sent %d times", n)
		}
		if took := time.Since(start); took > 5*time.Minute {
			t.Errorf("took %v", took)
		}
		if len(s.Asked()) != 1 {
			t.Errorf("ran %q", s.Asked())
		}
	})
	gone := &dirsrv.Server{}
	onStage(t, gone, func(t *testing.T, st *stage.Stage) {
		st.Serve("gone.test", prosperourl.Port, func(net.Conn) {})
		start := time.Now()
		_, err := st.Client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("prospero://gone.test//pros/hello")})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Connecting || time.Since(start) > time.Minute {
			t.Errorf("a server that is not there: %v after %v", err, time.Since(start))
		}
	})
}

// TestLossForever: waits end at the caller's limits, and at our own where the
// caller sets none.
func TestLossForever(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits fetch.Limits
		most   time.Duration
	}{
		{"first byte", fetch.Limits{FirstByte: 10 * time.Second}, 10 * time.Second},
		{"total", fetch.Limits{FirstByte: -1, Idle: -1, Total: time.Minute}, time.Minute},
		{"none", fetch.Limits{FirstByte: -1, Idle: -1, Total: -1}, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := lossServer()
			s.Work, s.Wait = 24*time.Hour, 18*time.Hour
			onStage(t, s, func(t *testing.T, st *stage.Stage) {
				start := time.Now()
				_, _, err := open(t, st, "/pros/hello", func(r *fetch.Request) { r.Limits = tt.limits })
				var e *fetch.Error
				if !errors.As(err, &e) || e.Step == "" {
					t.Errorf("got %#v", err)
				}
				if took := time.Since(start); took > tt.most {
					t.Errorf("took %v of the bubble's time", took)
				}
			})
		})
	}
}

// TestLossCancelled cancels at each datagram of the server.
func TestLossCancelled(t *testing.T) {
	for n := 1; n <= 20; n++ {
		s := lossServer()
		ctx, cancel := context.WithCancel(t.Context())
		s.ToClient = func(i int, d []byte) [][]byte {
			if i == n {
				cancel()
			}
			if i >= n {
				return nil
			}
			return [][]byte{d}
		}
		onStage(t, s, func(t *testing.T, st *stage.Stage) {
			start := time.Now()
			got, err := st.Client.Do(ctx, &fetch.Request{URL: anyurl.MustParse("prospero://server.test//pros/huge")})
			if err == nil {
				_, err = io.ReadAll(got.Body)
				got.Body.Close()
			}
			if !errors.Is(err, context.Canceled) || time.Since(start) > 0 {
				t.Errorf("at datagram %d: %v after %v", n, err, time.Since(start))
			}
		})
		cancel()
	}
}

// TestLossStrangers: what carries another connection's number, comes from a
// connection that is over, or goes past the end, is not part of any object.
func TestLossStrangers(t *testing.T) {
	var last []byte
	for name, change := range map[string]func(n int, d []byte) [][]byte{
		"another number": func(n int, d []byte) [][]byte {
			other := bytes.Clone(d)
			binary.BigEndian.PutUint16(other[1:], binary.BigEndian.Uint16(d[1:])+1)
			return [][]byte{append(other[:len(other)-1], '!'), d, other}
		},
		"no number": func(n int, d []byte) [][]byte {
			return [][]byte{append([]byte{1}, "FAILURE NOT-FOUND\n"...), d}
		},
		"the answer before": func(n int, d []byte) [][]byte {
			before := last
			if last = d; before == nil {
				return [][]byte{d}
			}
			return [][]byte{before, d, before}
		},
		"past the end": func(n int, d []byte) [][]byte {
			p := dirsrv.Packet{ID: binary.BigEndian.Uint16(d[1:]), Number: 900, Data: []byte("past\n")}
			return [][]byte{d, p.Octets()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, name := range []string{"/pros/hello", "/pros/empty"} {
				last = nil
				s := lossServer()
				s.ToClient = change
				onStage(t, s, func(t *testing.T, st *stage.Stage) {
					_, body, err := open(t, st, name)
					if err != nil || !bytes.Equal(body, s.Objects[name].Contents) {
						t.Errorf("%s: %q, %v", name, body, err)
					}
				})
			}
		})
	}
}

// datagrams are an Answer that is the same each time.
func datagrams(ps ...dirsrv.Packet) func(int, uint16, []byte) [][]byte {
	return func(_ int, id uint16, _ []byte) (out [][]byte) {
		for _, p := range ps {
			p.ID = id
			out = append(out, p.Octets())
		}
		return out
	}
}

func TestLossMalformed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(time int, id uint16, reply []byte) [][]byte
		kind   error
		step   string
	}{
		{"refused", datagrams(dirsrv.Packet{Number: 0, Option: 1}), fetch.ErrBusy, fetch.Asking},
		{"a number above the total", datagrams(dirsrv.Packet{Number: 1, Total: 2, Data: []byte("NONE-")}, dirsrv.Packet{Number: 3, Data: []byte("FOUND\n")}), fetch.ErrMalformed, fetch.Asking},
		{"a total below a number", datagrams(dirsrv.Packet{Number: 5, Data: []byte("x")}, dirsrv.Packet{Number: 1, Total: 2, Data: []byte("NONE-FOUND\n")}), fetch.ErrMalformed, fetch.Asking},
		{"a total that shrinks", datagrams(dirsrv.Packet{Number: 1, Total: 9, Data: []byte("NONE-FOUND\n")}, dirsrv.Packet{Number: 2, Total: 2, Data: []byte("x")}), fetch.ErrMalformed, fetch.Asking},
		{"no last packet", datagrams(dirsrv.Packet{Number: 1, Length: 7, Data: []byte("NONE-FOUND\n")}), nil, fetch.Asking},
		{"a first packet that never comes", datagrams(dirsrv.Packet{Number: 2, Total: 2, Data: []byte("NONE-FOUND\n")}), nil, fetch.Asking},
		{"an endless reply", func(_ int, id uint16, _ []byte) (out [][]byte) {
			for n := uint16(1); n <= 200; n++ {
				out = append(out, dirsrv.Packet{ID: id, Number: n, Length: 7, Data: bytes.Repeat([]byte("x"), 60_000)}.Octets())
			}
			return out
		}, fetch.ErrTooLarge, fetch.Limit},
		{"quotes that nobody closes", datagrams(dirsrv.Packet{Number: 1, Total: 1, Data: []byte("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'half\n")}), fetch.ErrMalformed, fetch.Asking},
		{"an empty answer", datagrams(dirsrv.Packet{Number: 1, Total: 1}), fetch.ErrMalformed, fetch.Asking},
		{"a link of too few tokens", datagrams(dirsrv.Packet{Number: 1, Total: 1, Data: []byte("LINK L FILE x\n")}), fetch.ErrMalformed, fetch.Asking},
		{"a forward of too few tokens", datagrams(dirsrv.Packet{Number: 1, Total: 1, Data: []byte("FORWARDED INTERNET-D\n")}), fetch.ErrMalformed, fetch.Asking},
		{"words of another protocol", datagrams(dirsrv.Packet{Number: 1, Total: 1, Data: []byte("220 ready\r\n")}), fetch.ErrMalformed, fetch.Asking},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := lossServer()
			s.Answer = tt.answer
			onStage(t, s, func(t *testing.T, st *stage.Stage) {
				_, body, err := open(t, st, "/pros/hello")
				var e *fetch.Error
				if !errors.As(err, &e) || tt.kind != nil && !errors.Is(err, tt.kind) || e.Step != tt.step {
					t.Errorf("%q, %#v", body, err)
				}
				for _, r := range fmt.Sprint(err) {
					if r < ' ' {
						t.Errorf("the error shows %q", err)
					}
				}
			})
		})
	}
}

// TestLossGarbage: a datagram that is none of ARDP's does not end a conversation
// that goes on; if it came in place of an answer, the answer comes when it is
// asked for again.
func TestLossGarbage(t *testing.T) {
	for name, garbage := range map[string][]byte{
		"empty":                         {},
		"a header of nothing":           {0},
		"a header longer than it":       {0x3F, 0, 0},
		"half a number":                 {2, 0x10},
		"a later version":               append([]byte{0x81, 0, 0, 0, 11}, "NONE-FOUND\n"...),
		"a control packet for somebody": dirsrv.Packet{ID: 1, Number: 0, Wait: 600}.Octets(),
		"words":                         []byte("VERSION 5 S53\n"),
	} {
		for _, instead := range []bool{false, true} {
			s := lossServer()
			s.ToClient = func(n int, d []byte) [][]byte {
				if instead && n == 1 {
					return [][]byte{garbage}
				}
				return [][]byte{garbage, d, garbage}
			}
			onStage(t, s, func(t *testing.T, st *stage.Stage) {
				_, body, err := open(t, st, "/pros/big")
				if err != nil || !bytes.Equal(body, s.Objects["/pros/big"].Contents) {
					t.Errorf("%s (instead of an answer: %v): %d octets, %v", name, instead, len(body), err)
				}
			})
		}
	}
}

// TestLossConflict: of two packets with one number the first is kept.
func TestLossConflict(t *testing.T) {
	s := lossServer()
	s.ToClient = func(n int, d []byte) [][]byte {
		other := bytes.Clone(d)
		other[len(other)-2]++
		return [][]byte{d, other}
	}
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		_, body, err := open(t, st, "/pros/big")
		if err != nil || !bytes.Equal(body, s.Objects["/pros/big"].Contents) {
			t.Errorf("%d octets, %v", len(body), err)
		}
	})
}

// TestLossControl: a sequenced control packet counts and brings nothing, and what
// a header holds besides what we ask about is skipped.
func TestLossControl(t *testing.T) {
	s := lossServer()
	s.Answer = func(_ int, id uint16, reply []byte) [][]byte {
		half := len(reply) / 2
		return [][]byte{
			dirsrv.Packet{ID: id, Number: 1, Flags: 0x02 | 0x04, More: []byte{0, 7, 0, 9}, Data: reply[:half]}.Octets(),
			dirsrv.Packet{ID: id, Number: 2, Flags: 0x40, Data: []byte("not for you")}.Octets(),
			dirsrv.Packet{ID: id, Number: 3, Total: 3, Flags: 0x01, More: []byte{1, 6, 192, 0, 2, 9, 5, 245}, Data: reply[half:]}.Octets(),
		}
	}
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		_, body, err := open(t, st, "/pros/hello")
		if err != nil || string(body) != "hello from prospero\n" {
			t.Errorf("%q, %v", body, err)
		}
	})
}

// TestLossReset: a server that has lost what it had of a request is told all of
// it again.
func TestLossReset(t *testing.T) {
	for _, name := range []string{"/pros/hello", "/pros/" + longName} {
		s := lossServer()
		forgot := false
		s.ToClient = func(n int, d []byte) [][]byte {
			if !forgot {
				forgot = true
				return [][]byte{dirsrv.Packet{ID: binary.BigEndian.Uint16(d[1:]), Number: 0, Option: 2}.Octets()}
			}
			return [][]byte{d}
		}
		onStage(t, s, func(t *testing.T, st *stage.Stage) {
			_, body, err := open(t, st, name)
			if err != nil || !bytes.Equal(body, s.Objects[name].Contents) {
				t.Errorf("%.20s: %q, %v", name, body, err)
			}
		})
	}
}

// TestLossStorm: a server that gives its window again for every acknowledgement
// and loses the same packet each time is not talked to without end.
func TestLossStorm(t *testing.T) {
	s := lossServer()
	s.Answer = func(_ int, id uint16, reply []byte) (out [][]byte) {
		for n := uint16(2); n <= 16; n++ {
			p := dirsrv.Packet{ID: id, Number: n, Length: 12, Data: []byte("x")}
			if n == 16 {
				p.Flags = 0x80
			}
			out = append(out, p.Octets())
		}
		return out
	}
	s.Eager = true
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		_, _, err := open(t, st, "/pros/hello")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if n, _ := s.Datagrams(); n > 100 {
			t.Errorf("%d datagrams were sent", n)
		}
	})
}

// TestLossRedirect: a server that sends its clients elsewhere by ARDP sends them
// past the gate.
func TestLossRedirect(t *testing.T) {
	for _, option := range []byte{4, 5} {
		there := lossServer()
		here := lossServer()
		onStage(t, here, func(t *testing.T, st *stage.Stage) {
			st.Serve("other.test", 1600, there.Serve)
			to := st.Addr("other.test").As4()
			here.Answer = func(_ int, id uint16, _ []byte) [][]byte {
				return [][]byte{dirsrv.Packet{ID: id, Number: 0, Option: option, More: append(to[:], 1600>>8, 1600&0xFF)}.Octets()}
			}
			var asked []string
			st.Client.Gate = func(u anyurl.URL) error { asked = append(asked, u.HostPort()); return nil }
			got, body, err := open(t, st, "/pros/hello")
			if err != nil || string(body) != "hello from prospero\n" {
				t.Fatalf("option %d: %q, %v", option, body, err)
			}
			if want := fmt.Sprintf("%v:1600", st.Addr("other.test")); len(asked) != 2 || asked[1] != want || len(got.Hops) != 2 {
				t.Errorf("option %d: the gate was asked about %q, %d hops", option, asked, len(got.Hops))
			}
		})
	}
}

func TestLossForwarded(t *testing.T) {
	chain := func(n int) map[string]dirsrv.Object {
		objects := map[string]dirsrv.Object{"/0": {HasContents: true, Contents: []byte("the end")}}
		for i := 1; i <= n; i++ {
			objects[fmt.Sprintf("/%d", i)] = dirsrv.Object{Forward: &dirsrv.Target{Host: "SERVER.TEST", Name: fmt.Sprintf("/%d", i-1)}}
		}
		objects["/loop"] = dirsrv.Object{Forward: &dirsrv.Target{Host: "SERVER.TEST(1525)", Name: "/pool"}}
		objects["/pool"] = dirsrv.Object{Forward: &dirsrv.Target{Host: "SERVER.TEST", Name: "/loop"}}
		objects["/odd"] = dirsrv.Object{Forward: &dirsrv.Target{Host: "SERVER.TEST", Name: "/a b'c\nGET-OBJECT-INFO"}}
		objects["/away"] = dirsrv.Object{Forward: &dirsrv.Target{Host: "OTHER.TEST(191)", Name: "/pros/twice", Version: 2}}
		return objects
	}
	for _, tt := range []struct {
		name string
		want string
		kind error
	}{
		{"/0", "the end", nil},
		{"/1", "the end", nil},
		{"/5", "the end", nil},
		{"/30", "", fetch.ErrTooManyHops},
		{"/loop", "", fetch.ErrLoop},
		{"/away", "the second", nil},
		{"/odd", "", fetch.ErrUnsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &dirsrv.Server{Objects: chain(30)}
			onStage(t, s, func(t *testing.T, st *stage.Stage) {
				other := lossServer()
				st.Serve("other.test", 191, other.Serve)
				_, body, err := open(t, st, tt.name)
				if string(body) != tt.want || !errors.Is(err, tt.kind) {
					t.Errorf("%q, %v; want %q, %v", body, err, tt.want, tt.kind)
				}
			})
		})
	}
}

func TestLossFailures(t *testing.T) {
	s := lossServer()
	for _, tt := range []struct {
		name string
		kind error
		said string
	}{
		{"/pros/lost", fetch.ErrNotFound, "NOT-FOUND"},
		{"/pros/nothing", fetch.ErrNotFound, "NOT-"},
		{"/pros/shut", fetch.ErrDenied, "NOT-AUTHORIZED"},
		{"/pros/who", fetch.ErrDenied, "AUTHENTICATION-REQUIRED"},
		{"/pros/sick", nil, "SERVER-FAILED"},
		{"/pros/twice;OBJECT-VERSION=7", fetch.ErrNotFound, "NOT-"},
	} {
		onStage(t, s, func(t *testing.T, st *stage.Stage) {
			_, _, err := open(t, st, tt.name)
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step != fetch.Status || !strings.HasPrefix(e.Said, tt.said) || tt.kind != nil && !errors.Is(err, tt.kind) {
				t.Errorf("%s: %#v", tt.name, err)
			}
			if strings.ContainsAny(fmt.Sprint(err), "\x1b\n") {
				t.Errorf("the error shows %q", err)
			}
		})
	}
	s.Unsupported = true
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		_, _, err := open(t, st, "/pros/hello")
		if !errors.Is(err, fetch.ErrUnsupported) {
			t.Errorf("another version: %v", err)
		}
	})
}

func TestLossVersions(t *testing.T) {
	s := lossServer()
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		for name, want := range map[string]string{"/pros/twice": "the third", "/pros/twice;OBJECT-VERSION=2": "the second", "/pros/twice;OBJECT-VERSION=0": "the third"} {
			if _, body, err := open(t, st, name); err != nil || string(body) != want {
				t.Errorf("%s: %q, %v", name, body, err)
			}
		}
	})
}

func TestLossDirectories(t *testing.T) {
	s := lossServer()
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		got, _, err := open(t, st, "/pros/dir")
		if err != nil {
			t.Fatal(err)
		}
		want := []fetch.Entry{
			{Name: "hello", Size: 20, URL: "prospero://server.test//pros/hello"},
			{Name: "a name & 'q'", Size: -1, URL: "prospero://server.test//pros/a%20name%20&%20'q'"},
			{Name: "sub", Size: -1, URL: "prospero://other.test:191/AFTP/pub"},
			{Name: "more", Size: -1, URL: "prospero://server.test//pros/none;OBJECT-VERSION=3"},
			{Name: "motd", Size: -1, URL: "ftp://ftp.test/pub/motd;type=a"},
			{Name: "sym", Size: 20, URL: "prospero://server.test//pros/hello"},
		}
		for i, e := range got.Entries {
			e.Type, e.Raw, e.Time = "", "", time.Time{}
			if i >= len(want) || e != want[i] {
				t.Errorf("entry %d is %+v", i, e)
			}
		}
		if len(got.Entries) != len(want) {
			t.Errorf("%d entries", len(got.Entries))
		}
		if got, _, err := open(t, st, "/pros/none"); err != nil || len(got.Entries) != 0 || !got.Listing {
			t.Errorf("an empty directory: %+v, %v", got, err)
		}
		_, _, err = open(t, st, "/pros/dir", func(r *fetch.Request) { r.Limits.MaxEntries = 5 })
		if !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("six entries where five are allowed: %v", err)
		}
	})
}

// A seen transport notes what it is asked for.
type seen struct{ urls []string }

func (s *seen) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	s.urls = append(s.urls, req.URL.String())
	return &fetch.Response{URL: req.URL, Protocol: "seen", Body: io.NopCloser(strings.NewReader("by ftp"))}, nil
}

// TestLossMethods: what another protocol has is fetched by that one, and never
// from this machine's files.
func TestLossMethods(t *testing.T) {
	s := lossServer()
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		ftp, file := &seen{}, &seen{}
		st.Client.Transports["ftp"], st.Client.Transports["file"] = ftp, file
		_, body, err := open(t, st, "/pros/ftp")
		if err != nil || string(body) != "by ftp" || !slices.Equal(ftp.urls, []string{"ftp://ftp.test/pub/a%20b;type=i"}) || len(file.urls) > 0 {
			t.Errorf("%q, %v; asked %q and %q", body, err, ftp.urls, file.urls)
		}
	})
}

func TestLossSizes(t *testing.T) {
	s := lossServer()
	onStage(t, s, func(t *testing.T, st *stage.Stage) {
		for _, limit := range []int64{100, 44_999, 45_000} {
			_, body, err := open(t, st, "/pros/huge", func(r *fetch.Request) { r.Limits.MaxBody = limit })
			if limit == 45_000 {
				if err != nil || len(body) != 45_000 {
					t.Errorf("a limit that fits: %d octets, %v", len(body), err)
				}
			} else if !errors.Is(err, fetch.ErrTooLarge) || int64(len(body)) > limit {
				t.Errorf("a limit of %d: %d octets, %v", limit, len(body), err)
			}
		}
	})
}

// TestLossStranger: over real sockets, a datagram from another address is no
// answer, whatever number it carries. Both are sent before the client reads.
func TestLossStranger(t *testing.T) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	s := lossServer()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServePacket(forger{conn, stranger})
	}()
	c := fetch.Client{
		Transports: map[string]fetch.Transport{"prospero": prospero.New(&dial.Dialer{})},
		AllowPort:  func(string, uint16) bool { return true },
	}
	u := anyurl.MustParse(fmt.Sprintf("prospero://%v//pros/hello", conn.LocalAddr().(*net.UDPAddr).AddrPort()))
	got, err := c.Do(t.Context(), &fetch.Request{URL: u})
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	got.Body.Close()
	if err != nil || string(body) != "hello from prospero\n" {
		t.Errorf("%q, %v", body, err)
	}
	conn.Close()
	<-done
}

// A forger sends a false answer from another socket before each true one.
type forger struct {
	net.PacketConn
	stranger *net.UDPConn
}

func (f forger) WriteTo(d []byte, to net.Addr) (int, error) {
	id := binary.BigEndian.Uint16(d[1:])
	f.stranger.WriteToUDPAddrPort(append(dirsrv.Packet{ID: id, Number: 1, Total: 1}.Octets(), "FAILURE NOT-AUTHORIZED\n"...), to.(*net.UDPAddr).AddrPort())
	return f.PacketConn.WriteTo(d, to)
}

// TestLossSuite runs the suite of all transports against this server.
func TestLossSuite(t *testing.T) {
	s := lossServer()
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return prospero.New(d) },
		URL: "prospero://server.test//pros/big", Port: prosperourl.Port, Want: string(s.Objects["/pros/big"].Contents),
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) { s.Serve(conn) },
	})
}
