package mid

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// A message is one that a mailbox holds: its header, and the rest as a stream.
type message struct {
	header header
	raw    []byte // the header as it stands, up to the empty line
	body   *bufio.Reader
	size   int64 // of all of it; -1 if unknown
	close  func() error
}

// A reading ends with its context, also in the middle of a large file.
type reading struct {
	ctx context.Context
	io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}

// each calls f with every message at a place on this machine, which is one
// message, an mbox, a Maildir with its folders, or a folder of .eml files. f says
// whether it keeps the message; then nothing more is read, and its body stays
// open until close is called. Nothing is written, moved or marked.
func each(ctx context.Context, place string, limit int64, f func(*message) (keep bool, err error)) error {
	info, err := os.Stat(place)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return eachBelow(ctx, place, limit, f)
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: place, Err: errors.New("this is no mailbox: neither a file nor a folder")}
	}
	file, err := os.Open(place)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(reading{ctx, file}, 64<<10)
	if first, _ := r.Peek(200); !fromLine(first) {
		_, err = offer(r, limit, info.Size(), file.Close, f)
		return err
	}
	kept, err := eachIn(ctx, r, limit, file.Close, f)
	if !kept {
		file.Close()
	}
	return err
}

// offer reads a message's header from r and hands the message to f; it is
// closed unless f keeps it.
func offer(r *bufio.Reader, limit, size int64, end func() error, f func(*message) (bool, error)) (kept bool, err error) {
	m := &message{body: r, size: size, close: end}
	m.header, m.raw, err = readHeader(fileLines{r}, limit)
	// A header without an end, or one beyond the limit, is judged by what there
	// was of it; the rest counts as the body.
	if _, failed := errors.AsType[*fs.PathError](err); failed {
		m.close()
		return false, err
	}
	kept, err = f(m)
	if !kept {
		m.close()
	}
	return kept, err
}

// folderBatch is how many names of a folder are held at a time.
const folderBatch = 512

// eachBelow goes through a folder and those in it. It stays below the folder
// whatever links lie there, and follows none.
func eachBelow(ctx context.Context, place string, limit int64, f func(*message) (bool, error)) error {
	root, err := os.OpenRoot(place)
	if err != nil {
		return err
	}
	kept := false
	r := bufio.NewReaderSize(nil, 16<<10)
	var walk func(dir string) error
	walk = func(dir string) error {
		d, err := root.Open(dir)
		if err != nil {
			return gone(err)
		}
		defer d.Close()
		var folders []string
		for {
			entries, err := d.ReadDir(folderBatch)
			for _, e := range entries {
				name := path.Join(dir, e.Name())
				switch {
				case e.IsDir() && e.Name() != "tmp": // what is there is not delivered yet
					folders = append(folders, name)
				case e.Type().IsRegular() && isMail(dir, e.Name()):
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					if kept, err = offerFile(ctx, root, name, r, limit, f); kept || err != nil {
						return err
					}
				}
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
		}
		for _, name := range folders {
			if err := walk(name); kept || err != nil {
				return err
			}
		}
		return nil
	}
	err = walk(".")
	root.Close() // a file that is open stays so
	return err
}

// isMail reports whether a file in a folder is a message: every file in a
// Maildir's new and cur, else those that say so.
func isMail(dir, name string) bool {
	switch path.Base(dir) {
	case "new", "cur":
		return true
	}
	return strings.EqualFold(path.Ext(name), ".eml")
}

func offerFile(ctx context.Context, root *os.Root, name string, r *bufio.Reader, limit int64, f func(*message) (bool, error)) (kept bool, err error) {
	file, err := root.Open(name)
	if err != nil {
		return false, gone(err)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return false, gone(err)
	}
	r.Reset(reading{ctx, file})
	return offer(r, limit, info.Size(), file.Close, f)
}

// gone lets pass that a file went, as they do when a message is read or moved,
// and that one is not ours to read.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// fromLine reports whether a line parts an mbox's messages: RFC 4155, appendix
// A. Text may begin with "From " as well, and not every writer put ">" before
// it; a line that parts has a time of day in it.
func fromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	for i := 5; i+5 <= len(line); i++ {
		if digit(line[i]) && digit(line[i+1]) && line[i+2] == ':' && digit(line[i+3]) && digit(line[i+4]) {
			return true
		}
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// eachIn goes through an mbox. Its messages come as they stand in it: what the
// writer quoted as ">From " stays quoted, since how many of the ">" are his
// depends on which of four mboxes it is.
func eachIn(ctx context.Context, r *bufio.Reader, limit int64, end func() error, f func(*message) (bool, error)) (kept bool, err error) {
	box := &mbox{r: r, fresh: true}
	if err := box.advance(); err != nil {
		return false, err
	}
	one := bufio.NewReaderSize(box, 16<<10)
	for !box.done {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		// Only the message that is kept closes the file.
		one.Reset(box)
		kept, err := offer(one, limit, -1, func() error { return nil }, func(m *message) (bool, error) {
			keep, err := f(m)
			if keep {
				m.close = end
			}
			return keep, err
		})
		if kept || err != nil {
			return kept, err
		}
		if err := box.advance(); err != nil {
			return false, err
		}
	}
	return false, nil
}

// An mbox reads one message after the other; Read gives io.EOF at the end of
// each. The empty line before the next one's "From " line is not the message's.
type mbox struct {
	r      *bufio.Reader
	rest   []byte
	held   []byte // an empty line that may be the last
	fresh  bool   // nothing has been read
	inside bool   // the next octet is inside a line
	over   bool   // the message is at its end
	done   bool   // and so is the mailbox
}

// advance skips what is left of a message, and the next one's "From " line.
func (b *mbox) advance() error {
	for !b.over && !b.done {
		if err := b.fill(); err != nil && err != io.EOF {
			return err
		}
	}
	b.rest, b.held, b.over, b.inside = nil, nil, false, false
	return nil
}

func (b *mbox) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(b.rest) == 0 {
		if b.over || b.done {
			return 0, io.EOF
		}
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// fill takes the next line, or as much of one as the buffer holds.
func (b *mbox) fill() error {
	line, err := b.r.ReadSlice('\n')
	if err != nil && err != bufio.ErrBufferFull && err != io.EOF {
		return err
	}
	start := !b.inside
	b.inside = err == bufio.ErrBufferFull
	if err == io.EOF && len(line) == 0 {
		b.done = true
		return io.EOF
	}
	after := b.fresh || b.held != nil
	b.fresh = false
	if start && after && fromLine(line) {
		for err == bufio.ErrBufferFull {
			_, err = b.r.ReadSlice('\n')
		}
		b.inside, b.over = false, true
		return nil
	}
	held := b.held
	b.held = nil
	if start && (string(line) == "\n" || string(line) == "\r\n") {
		b.rest, b.held = held, append([]byte(nil), line...)
		return nil
	}
	if b.rest = line; held != nil {
		b.rest = append(held, line...)
	}
	return nil
}
