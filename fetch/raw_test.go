package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/wire"
)

// A rawPipe is a body whose octets are those of one end of a pipe.
type rawPipe struct {
	net.Conn
	stop func() bool
}

func (p *rawPipe) Raw() (io.Reader, func(int64) error) {
	return p.Conn, func(int64) error { return nil }
}

func (p *rawPipe) Close() error {
	p.stop()
	return p.Conn.Close()
}

// A spoilt target takes nothing, in words that a source's deadline has, too.
type spoilt struct{ io.Writer }

func (spoilt) ReadFrom(io.Reader) (int64, error) { return 0, os.ErrDeadlineExceeded }

// TestRaw holds what is moved from a socket to the limits that Read keeps.
func TestRaw(t *testing.T) {
	fast := bytes.Repeat([]byte("fast"), 1<<20) // in pieces that grow to megabytes
	type step struct {
		send  []byte
		pause time.Duration
	}
	var slow []step
	for range 30 {
		slow = append(slow, step{[]byte("."), 4 * time.Second})
	}
	for _, tt := range []struct {
		name  string
		steps []step
		max   int64
		to    io.Writer
		want  error
		came  int64
		took  time.Duration // at least
	}{
		{"at once", []step{{fast, 0}}, 0, nil, nil, 4 << 20, 0},
		{"fast, and then an octet at a time", append([]step{{fast, 0}}, slow...), 0, nil, nil, 4<<20 + 30, 2 * time.Minute},
		{"fast, and then silent", []step{{fast, 20 * time.Second}}, 0, nil, fetch.ErrIdle, 4 << 20, 10 * time.Second},
		{"silent from the beginning", []step{{nil, 20 * time.Second}}, 0, nil, fetch.ErrIdle, 0, 10 * time.Second},
		{"for longer than all may take", append(slow, slow...), 0, nil, fetch.ErrTotal, 46, 181 * time.Second},
		{"to the limit", []step{{fast, 0}}, 4 << 20, nil, nil, 4 << 20, 0},
		{"to the limit, and the end later", []step{{fast, 5 * time.Second}}, 4 << 20, nil, nil, 4 << 20, 5 * time.Second},
		{"past the limit", []step{{fast, 0}}, 4<<20 - 1, nil, fetch.ErrTooLarge, 4<<20 - 1, 0},
		{"past the limit later", []step{{fast, 5 * time.Second}, {[]byte("."), 0}}, 4 << 20, nil, fetch.ErrTooLarge, 4 << 20, 5 * time.Second},
		{"to a target that fails", []step{{fast, 0}}, 0, spoilt{}, os.ErrDeadlineExceeded, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				var sender sync.WaitGroup
				sender.Go(func() {
					defer there.Close()
					for _, s := range tt.steps {
						if _, err := there.Write(s.send); err != nil {
							return
						}
						time.Sleep(s.pause)
					}
				})
				c := fetch.Client{
					Transports: map[string]fetch.Transport{"x": fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
						return &fetch.Response{URL: req.URL, Size: -1, Body: &rawPipe{here, wire.Watch(ctx, here)}}, nil
					})},
					Limits: fetch.Limits{Idle: 10 * time.Second, Total: 181 * time.Second, MaxBody: tt.max},
				}
				start := time.Now()
				var told int64
				got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("x:"), Progress: func(n int64) { told = n }})
				if err != nil {
					t.Fatal(err)
				}
				var buf bytes.Buffer
				to := io.Writer(&buf)
				if tt.to != nil {
					to = tt.to
				}
				n, err := io.Copy(to, got.Body)
				took := time.Since(start)
				got.Body.Close()
				if !errors.Is(err, tt.want) || n != tt.came || int64(buf.Len()) != tt.came || told != tt.came {
					t.Errorf("%d octets, %d kept, %d told of, %v; want %d, %v", n, buf.Len(), told, err, tt.came, tt.want)
				}
				if took < tt.took || took > tt.took+time.Second {
					t.Errorf("it took %v, not %v", took, tt.took)
				}
				here.Close()
				sender.Wait()
			})
		})
	}
}
