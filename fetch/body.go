package fetch

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"anyurl"
)

// A body keeps the budgets of a Response's Body: its size, its silence, and
// the context's end.
type body struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	release  func() // ends the request's context
	rc       io.ReadCloser
	url      anyurl.URL
	limit    int64 // negative: none
	most     int64 // what the whole object may have
	idle     time.Duration
	timer    *time.Timer // of idle, from the first wait on
	progress func(int64)
	n        int64 // octets so far
	err      error // what every further Read gives
	closed   bool
}

func newBody(ctx context.Context, cancel context.CancelCauseFunc, release func(), resp *Response, req *Request) *body {
	b := &body{ctx: ctx, cancel: cancel, release: release, rc: resp.Body, url: req.URL, limit: req.Limits.MaxBody, most: req.Limits.MaxBody,
		idle: req.Limits.Idle, progress: req.Progress}
	if b.limit >= 0 {
		b.limit = max(0, b.limit-resp.Offset)
	}
	return b
}

// wait and came frame what may be silent for at most the idle limit.
func (b *body) wait() {
	switch {
	case b.idle <= 0:
	case b.timer == nil:
		b.timer = time.AfterFunc(b.idle, func() { b.cancel(ErrIdle) })
	default:
		b.timer.Reset(b.idle)
	}
}

func (b *body) came(n int64) {
	if b.timer != nil {
		b.timer.Stop()
	}
	if n > 0 {
		b.n += n
		if b.progress != nil {
			b.progress(b.n)
		}
	}
}

// end notes the body's end. What the server sent is used up or of no use now,
// so the request's context ends too.
func (b *body) end(err error) error {
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		b.err = io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		e := complete(b.ctx, err, b.url, Body)
		if e.Kind == nil {
			e.Kind = ErrTruncated
		}
		b.err = e
	default:
		b.err = complete(b.ctx, err, b.url, Body)
	}
	return b.err
}

func (b *body) tooLarge() error {
	return b.end(&Error{Step: Limit, Kind: ErrTooLarge, Err: tooLarge(b.most)})
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.closed {
		return 0, b.end(errors.New("the body is closed"))
	}
	if b.ctx.Err() != nil {
		return 0, b.end(context.Cause(b.ctx))
	}
	if len(p) == 0 {
		return 0, nil
	}
	probe := [1]byte{}
	left := b.limit - b.n
	full := b.limit >= 0 && left <= 0
	if full {
		p = probe[:] // nothing more may come; see whether it does
	} else if b.limit >= 0 && int64(len(p)) > left {
		p = p[:left]
	}
	b.wait()
	n, err := b.rc.Read(p)
	if full {
		b.came(0)
		if n > 0 {
			return 0, b.tooLarge()
		}
	} else {
		b.came(int64(n))
	}
	if err != nil {
		err = b.end(err)
	}
	if full {
		n = 0
	}
	return n, err
}

// The pieces in which WriteTo moves octets. A piece should take well under a
// second, so that progress and silence are noticed, and as few calls as
// possible on a fast line.
const (
	leastPiece = 64 << 10
	mostPiece  = 16 << 20
	pieceTime  = time.Second // after which a piece that waits is cut short
)

// WriteTo writes the rest of the body to w, by the short way if there is one.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	before := b.n
	raw, _ := b.rc.(RawBody)
	to, _ := w.(io.ReaderFrom)
	var buf []byte
	for {
		if raw != nil && to != nil && b.err == nil && !b.closed && b.ctx.Err() == nil {
			if src, end := raw.Raw(); src != nil {
				left := int64(-1)
				if bounded, ok := raw.(BoundedBody); ok {
					left = bounded.Left()
				}
				err := b.move(to, src, end, left)
				return b.n - before, err
			}
		}
		if buf == nil {
			buf = make([]byte, leastPiece)
		}
		n, err := b.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil {
				return b.n - before, werr
			}
		}
		if err == io.EOF {
			return b.n - before, nil
		}
		if err != nil {
			return b.n - before, err
		}
	}
}

// A timed source is one whose waits can be given an end, as a socket's can.
type timed interface{ SetReadDeadline(time.Time) error }

// move hands pieces of src to the target until its end, or until left octets
// were moved where that is not negative.
func (b *body) move(to io.ReaderFrom, src io.Reader, end func(int64) error, left int64) error {
	cut, _ := src.(timed)
	var moved int64
	b.wait()
	for piece := int64(leastPiece); ; {
		if left == moved {
			return b.finish(end, moved)
		}
		size := piece
		if left >= 0 {
			size = min(size, left-moved)
		}
		if b.limit >= 0 && size > b.limit-b.n {
			size = b.limit - b.n
		}
		start := time.Now()
		until := start.Add(pieceTime)
		if size == 0 {
			until = time.Time{}
		}
		if cut != nil && cut.SetReadDeadline(until) != nil {
			cut = nil // a file, whose reads wait for nobody
		}
		// After the deadline, which would hide the one that the context's end sets.
		if b.ctx.Err() != nil {
			return b.end(context.Cause(b.ctx))
		}
		if size == 0 {
			return b.probe(src, end, moved)
		}
		n, err := to.ReadFrom(&io.LimitedReader{R: src, N: size})
		moved += n
		if n > 0 {
			b.came(n)
			b.wait()
		}
		took := time.Since(start)
		switch {
		case err != nil && b.ctx.Err() != nil:
			return b.end(context.Cause(b.ctx))
		case err != nil && cut != nil && took >= pieceTime && errors.Is(err, os.ErrDeadlineExceeded):
			// The line is slower than it was. How long it may bring nothing is
			// for the timer to say.
			piece = leastPiece
			inLumps(src, false)
			continue
		case err != nil:
			b.came(0)
			// It may be the target that failed; the words say which.
			b.err = complete(b.ctx, err, b.url, Body)
			return b.err
		case n < size:
			return b.finish(end, moved)
		}
		switch {
		case took >= pieceTime/4:
			inLumps(src, false)
			if took > pieceTime/2 && piece > leastPiece {
				piece /= 2
			}
		case piece < mostPiece:
			piece *= 2
		default:
			// A bounded source goes on behind the object, and is not ours to take.
			if left < 0 {
				if r := newRush(b.ctx, src, to); r != nil {
					defer r.close()
					src, to, cut = r, r, r
				}
			}
			inLumps(src, true)
		}
	}
}

// probe looks whether more comes than the limit allows.
func (b *body) probe(src io.Reader, end func(int64) error, moved int64) error {
	inLumps(src, false)
	b.wait()
	n, err := src.Read(make([]byte, 1))
	b.came(0)
	if n > 0 {
		return b.tooLarge()
	}
	if err != nil && err != io.EOF {
		return b.end(err)
	}
	return b.finish(end, moved)
}

// finish asks how the object ended and keeps it as the body's end.
func (b *body) finish(end func(int64) error, moved int64) error {
	b.wait()
	err := end(moved)
	b.came(0)
	if err != nil {
		return b.end(err)
	}
	b.err = io.EOF
	return nil
}

func (b *body) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	if b.timer != nil {
		b.timer.Stop()
	}
	err := b.rc.Close()
	b.release()
	return err
}
