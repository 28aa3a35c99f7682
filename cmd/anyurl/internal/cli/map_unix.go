//go:build linux || darwin || freebsd || netbsd || openbsd

package cli

import (
	"errors"
	"io"
	"math"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A mappable is a file that lies in memory while it is searched: the kernel's
// copying costs more than the search. It is done with package find's care for
// files that others cut short meanwhile.
type mappable struct{ *interruptible }

func (r *interruptible) mapped() io.ReaderAt { return mappable{r} }

// windowSize is how much of a mapped file is in use at a time, about: what lies
// behind is given back, so that a large file does not fill the process's memory.
const windowSize = 16 << 20

// Map is format.Mapper's.
func (m mappable) Map(size int64) (text []byte, ahead func(from, to int) error, unmap func(), err error) {
	if size < 1 || size > math.MaxInt {
		return nil, nil, nil, errors.ErrUnsupported
	}
	text, err = unix.Mmap(int(m.f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, nil, err
	}
	var behind atomic.Int64 // where what was not given back begins
	page := os.Getpagesize()
	return text, func(from, to int) error {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		populate(text[from/page*page : to])
		if done := behind.Load(); from-int(done) >= 2*windowSize && behind.CompareAndSwap(done, done+windowSize) {
			unix.Madvise(text[done:done+windowSize], unix.MADV_DONTNEED) // it is read again where it is needed after all
		}
		return nil
	}, func() { unix.Munmap(text) }, nil
}
