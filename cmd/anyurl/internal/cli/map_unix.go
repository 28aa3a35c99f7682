//go:build linux || darwin || freebsd || netbsd || openbsd

package cli

import (
	"errors"
	"io"
	"math"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A mappable is a file that lies in memory while it is searched: the kernel's
// copying costs more than the search. It is done with package find's care for
// files that others cut short meanwhile.
type mappable struct{ *interruptible }

func (r *interruptible) mapped() io.ReaderAt { return mappable{r} }

// tableLen is how much of a mapped file is populated at a time, and given back
// behind, so that a large file does not fill the process's memory: what a page of
// the kernel's tables describes.
const tableLen = 2 << 20

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
	// What a worker may still be at, or wait for the disk to bring, lies no further
	// back: what is populated after it was given back stays to the end.
	lag := (8*runtime.GOMAXPROCS(0) + 1) * tableLen
	there := make([]atomic.Bool, len(text)/tableLen+1) // what was populated
	return text, func(from, to int) error {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		for i := from / tableLen; i*tableLen < to; i++ {
			if !there[i].Swap(true) {
				populate(text[i*tableLen : min((i+1)*tableLen, len(text))])
			}
		}
		if done := behind.Load(); from-int(done) >= lag+tableLen && behind.CompareAndSwap(done, done+tableLen) {
			unix.Madvise(text[done:done+tableLen], unix.MADV_DONTNEED) // it is read again where it is needed after all
		}
		return nil
	}, func() { unix.Munmap(text) }, nil
}
