package fetch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"runtime"
	"syscall"
	"time"
)

// A rush is a fast socket whose octets go to a file, away from the runtime's
// poller. There, every segment that comes while the file is being written wakes
// a thread that finds nobody to tell of it, some fifteen times for each MiB; on
// few processors that thread takes its turns from the copy and from the sender.
// A rush waits in the system instead, on a thread of its own.
//
// It takes the place of both the source and the target of a copy.
type rush struct {
	ctx   context.Context
	fd    int // the socket, in blocking mode
	file  syscall.RawConn
	name  string
	pipe  [2]int // what is in it was read from the socket, and is not in the file yet
	until time.Time
	slice time.Time // when the scheduler was last asked for another turn
	stop  func() bool
	done  chan struct{} // closed once the context's end was told to the socket
}

// pipeSize is how much a pipe of ours holds: as much as the system gives anybody.
const pipeSize = 1 << 20

// slice is after how long a rush lets others go first. The runtime would see to
// that itself after 10 ms, and takes a goroutine that does nothing but call the
// system for one that never ends: it then looks at it every 20 µs, and has it
// begin again on another thread, which costs up to a fifth of the whole.
const slice = 4 * time.Millisecond

// newRush takes src over, which is closed when it succeeds; nil where src and to
// are no socket and no regular file.
func newRush(ctx context.Context, src io.Reader, to io.ReaderFrom) *rush {
	conn, ok := src.(*net.TCPConn)
	if !ok {
		return nil
	}
	target, ok := to.(interface {
		syscall.Conn
		Name() string
	})
	if !ok {
		return nil
	}
	file, err := target.SyscallConn()
	if err != nil || !isRegular(file) {
		return nil
	}
	socket, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	r := &rush{ctx: ctx, fd: -1, file: file, name: target.Name(), pipe: [2]int{-1, -1}, done: make(chan struct{})}
	if err := syscall.Pipe2(r.pipe[:], syscall.O_CLOEXEC); err != nil {
		return nil
	}
	const setPipeSize = 1031 // F_SETPIPE_SZ, which package syscall has no name for
	if _, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(r.pipe[0]), setPipeSize, pipeSize); e != 0 {
		r.close() // a user who has many pipes gets small ones
		return nil
	}
	socket.Control(func(fd uintptr) {
		copied, _, e := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_DUPFD_CLOEXEC, 0)
		if e == 0 {
			r.fd = int(copied)
		}
	})
	if r.fd < 0 || r.wake(pieceTime+pieceTime/16) != nil {
		r.close()
		return nil
	}
	conn.Close() // and with it goes its place in the poller
	syscall.SetNonblock(r.fd, false)
	r.stop = context.AfterFunc(ctx, func() {
		syscall.Shutdown(r.fd, syscall.SHUT_RDWR) // which ends a wait
		close(r.done)
	})
	return r
}

func isRegular(file syscall.RawConn) bool {
	var stat syscall.Stat_t
	err := errors.ErrUnsupported
	file.Control(func(fd uintptr) { err = syscall.Fstat(int(fd), &stat) })
	return err == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// wake has a wait for the socket end after d. The system counts in ticks and
// may be one too early.
func (r *rush) wake(d time.Duration) error {
	tv := syscall.NsecToTimeval(int64(d))
	return syscall.SetsockoptTimeval(r.fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &tv)
}

// SetReadDeadline sets when ReadFrom comes back at the latest, if not much later.
func (r *rush) SetReadDeadline(t time.Time) error {
	r.until = t
	return nil
}

// ReadFrom moves as many octets to the file as from, an *io.LimitedReader, lets
// pass; it is the rush that they are from.
func (r *rush) ReadFrom(from io.Reader) (int64, error) {
	limit := from.(*io.LimitedReader).N
	var moved int64
	for moved < limit {
		n, err := r.again(func() (int64, error) {
			n, err := syscall.Splice(r.fd, nil, r.pipe[1], nil, int(min(limit-moved, pipeSize)), 0)
			return int64(n), err // an int where there are 32 bits
		})
		switch {
		case r.ctx.Err() != nil:
			return moved, context.Cause(r.ctx)
		case err == syscall.EAGAIN:
			return moved, os.ErrDeadlineExceeded
		case err != nil:
			return moved, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("splice", err)}
		case n == 0:
			return moved, nil
		}
		wrote, err := r.write(n)
		moved += wrote
		if err != nil {
			return moved, err
		}
		now := time.Now()
		if moved < limit && !r.until.IsZero() && now.After(r.until) {
			return moved, os.ErrDeadlineExceeded
		}
		if now.Sub(r.slice) > slice {
			runtime.Gosched()
			r.slice = now
		}
	}
	return moved, nil
}

// write moves n octets from the pipe to the file.
func (r *rush) write(n int64) (moved int64, err error) {
	wrong := r.file.Control(func(fd uintptr) {
		for moved < n && err == nil {
			var m int64
			m, err = r.again(func() (int64, error) {
				n, err := syscall.Splice(r.pipe[0], nil, int(fd), nil, int(n-moved), 0)
				return int64(n), err
			})
			moved += m
			if m == 0 && err == nil {
				err = io.ErrShortWrite
			}
		}
	})
	if wrong != nil {
		err = wrong
	}
	if err != nil {
		return moved, &fs.PathError{Op: "write", Path: r.name, Err: err}
	}
	return moved, nil
}

// again calls a system call again when a signal cut it short.
func (r *rush) again(call func() (int64, error)) (int64, error) {
	for {
		n, err := call()
		if err != syscall.EINTR || r.ctx.Err() != nil {
			return max(n, 0), err
		}
	}
}

// Read reads from the socket into p.
func (r *rush) Read(p []byte) (int, error) {
	for {
		n, err := r.again(func() (int64, error) {
			n, err := syscall.Read(r.fd, p)
			return int64(n), err
		})
		switch {
		case r.ctx.Err() != nil:
			return 0, context.Cause(r.ctx)
		case err == syscall.EAGAIN: // the silence of a second
			continue
		case err != nil:
			return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", err)}
		case n == 0:
			return 0, io.EOF
		}
		return int(n), nil
	}
}

// close lets go of the socket.
func (r *rush) close() {
	if r.stop != nil && !r.stop() {
		<-r.done
	}
	for _, fd := range [...]int{r.fd, r.pipe[0], r.pipe[1]} {
		if fd >= 0 {
			syscall.Close(fd)
		}
	}
}
