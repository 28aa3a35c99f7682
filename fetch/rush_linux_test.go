package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"anyurl"
)

// sockets gives both ends of a connection on loopback.
func sockets(t *testing.T) (here, there *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a.(*net.TCPConn), b.(*net.TCPConn)
}

// rushing gives a rush from what is sent there to a file.
func rushing(t *testing.T, ctx context.Context, mode int) (r *rush, there *net.TCPConn, file *os.File) {
	t.Helper()
	here, there := sockets(t)
	name := filepath.Join(t.TempDir(), "object")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, mode, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if r = newRush(ctx, here, file); r == nil {
		t.Fatal("a socket and a file are not rushed")
	}
	t.Cleanup(r.close)
	return r, there, file
}

func TestRush(t *testing.T) {
	object := make([]byte, 3<<20+5)
	for i := range object {
		object[i] = byte(i * i >> 8)
	}
	r, there, file := rushing(t, t.Context(), os.O_WRONLY)
	var sender sync.WaitGroup
	sender.Go(func() {
		there.Write(object)
		there.Write([]byte{'x'})
		there.Close()
	})
	defer sender.Wait()
	for _, tt := range []struct{ limit, want int64 }{{1 << 20, 1 << 20}, {1, 1}, {2<<20 + 4, 2<<20 + 4}} {
		if n, err := r.ReadFrom(&io.LimitedReader{R: r, N: tt.limit}); n != tt.want || err != nil {
			t.Errorf("up to %d octets: %d, %v", tt.limit, n, err)
		}
	}
	if n, err := r.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the octet behind: %d, %v", n, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("the end: %d, %v", n, err)
	}
	if n, err := r.ReadFrom(&io.LimitedReader{R: r, N: 9}); n != 0 || err != nil {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if got, err := os.ReadFile(file.Name()); err != nil || !bytes.Equal(got, object) {
		t.Errorf("%d octets in the file, %v; or others than were sent", len(got), err)
	}
}

// TestRushEnds: a rush ends with its context, with its time, with the
// connection, and with the file.
func TestRushEnds(t *testing.T) {
	gone := errors.New("nobody wants it any more")
	all := &io.LimitedReader{N: 1 << 20}
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, there, _ := rushing(t, ctx, os.O_WRONLY)
		there.Write([]byte("the beginning"))
		go cancel(gone)
		var n int64
		var err error
		for n, err = r.ReadFrom(all); errors.Is(err, os.ErrDeadlineExceeded); n, err = r.ReadFrom(all) {
		}
		if err != gone {
			t.Errorf("%d, %v", n, err)
		}
		if _, err := r.Read(make([]byte, 1)); err != gone {
			t.Errorf("Read: %v", err)
		}
	})
	t.Run("silence", func(t *testing.T) {
		r, _, _ := rushing(t, t.Context(), os.O_WRONLY)
		if n, err := r.ReadFrom(all); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d, %v", n, err)
		}
	})
	t.Run("time", func(t *testing.T) {
		r, there, _ := rushing(t, t.Context(), os.O_WRONLY)
		there.Write([]byte("slowly"))
		r.SetReadDeadline(time.Now())
		if n, err := r.ReadFrom(all); n != 6 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%d, %v", n, err)
		}
	})
	t.Run("connection", func(t *testing.T) {
		r, there, _ := rushing(t, t.Context(), os.O_WRONLY)
		there.SetLinger(0)
		there.Close()
		if n, err := r.ReadFrom(all); n != 0 || !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%d, %v", n, err)
		}
	})
	t.Run("file", func(t *testing.T) {
		r, there, file := rushing(t, t.Context(), os.O_RDONLY)
		there.Write([]byte("to a file that takes nothing"))
		n, err := r.ReadFrom(all)
		var wrong *fs.PathError
		if n != 0 || !errors.As(err, &wrong) || wrong.Path != file.Name() || !errors.Is(err, syscall.EBADF) {
			t.Errorf("%d, %v", n, err)
		}
	})
}

// TestNoRush: what is no socket or no file stays as it is.
func TestNoRush(t *testing.T) {
	here, there := sockets(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if newRush(t.Context(), here, w) != nil || newRush(t.Context(), here, there) != nil || newRush(t.Context(), r, w) != nil {
		t.Error("a pipe is rushed")
	}
	go there.Write([]byte("still there"))
	if _, err := io.ReadFull(here, make([]byte, 11)); err != nil {
		t.Error(err)
	}
}

// A socketBody is a body whose octets are a socket's.
type socketBody struct {
	net.Conn
	ended int64
}

func (b *socketBody) Raw() (io.Reader, func(int64) error) {
	return b.Conn, func(n int64) error { b.ended = n; return nil }
}

// TestMoveLarge moves so much that a fast line is known for one.
func TestMoveLarge(t *testing.T) {
	const size = 80<<20 + 3
	for _, tt := range []struct {
		name       string
		limit      int64
		come, told int64
		want       error
	}{
		{"whole", 0, size, size, nil},
		{"too large", 70 << 20, 70 << 20, 0, ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			here, there := sockets(t)
			block := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
			var sender sync.WaitGroup
			sender.Go(func() {
				defer there.Close()
				for sent := 0; sent < size; sent += len(block) {
					if _, err := there.Write(block[:min(len(block), size-sent)]); err != nil {
						return
					}
				}
			})
			body := &socketBody{Conn: here}
			c := Client{Limits: Limits{MaxBody: tt.limit}, Transports: map[string]Transport{"x": TransportFunc(func(context.Context, *Request) (*Response, error) {
				return &Response{Size: -1, Body: body}, nil
			})}}
			var last int64
			got, err := c.Do(t.Context(), &Request{URL: anyurl.MustParse("x:"), Progress: func(n int64) { last = n }})
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.Create(filepath.Join(t.TempDir(), "object"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			n, err := io.Copy(file, got.Body)
			got.Body.Close()
			there.Close()
			sender.Wait()
			if n != tt.come || last != tt.come || body.ended != tt.told || !errors.Is(err, tt.want) {
				t.Errorf("%d octets came, %d were told of, it ended at %d, %v", n, last, body.ended, err)
			}
			if info, err := file.Stat(); err != nil || info.Size() != tt.come {
				t.Errorf("the file: %d octets, %v", info.Size(), err)
			}
		})
	}
}
