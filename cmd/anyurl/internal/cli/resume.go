package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// overlap is how many octets of a file are asked for once more when get goes
// on where it ends: they tell whether it still is the object's beginning.
const overlap = 16 << 10

// resumeAt is the octet from which the rest of a file's object is asked for.
func resumeAt(name string) int64 {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return max(0, info.Size()-overlap)
}

// resume goes on where a file ends. What comes is compared with what is there
// already, be it the overlap or, from a server that begins anew, all of it; only
// what lies beyond is written. So nothing that is there is ever lost: a file
// that is not the object's beginning is left as it was.
func (c *call) resume(f *fetched, body io.Reader, name string) error {
	file, err := await(c.ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666) })
	if err != nil {
		return unwritable(name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return unwritable(name, err)
	}
	if !info.Mode().IsRegular() {
		return usage("without -C it is written to", "%s is no regular file, and -C has nothing to go on with", name)
	}
	size, at := info.Size(), f.result.Offset
	const hint = "without -C, -o writes over the file"
	switch when := f.result.ModTime; {
	case at > size:
		return cannot(fmt.Errorf("%s has become shorter meanwhile, and is left as it is", name), "")
	case size > 0 && when.After(info.ModTime()):
		return cannot(fmt.Errorf("%s was written before the object last changed, and is left as it is", name), hint)
	case at == 0 && f.offset > 0:
		c.note("%s: the server sends the object from its beginning; what is there already is compared with it", name)
	}
	same, err := isBeginning(body, io.NewSectionReader(file, at, size-at))
	switch {
	case err != nil:
		return notCopied(name, err)
	case !same:
		return cannot(fmt.Errorf("%s, with its %d octets, is not the beginning of what is there now, and is left as it is", name, size), hint)
	}
	if _, err := file.Seek(size, io.SeekStart); err != nil {
		return unwritable(name, err)
	}
	if _, err := io.Copy(file, body); err != nil {
		if _, ok := errors.AsType[*fs.PathError](err); ok {
			return unwritable(name, err)
		}
		return cannot(err, "-C goes on with what came")
	}
	if err := file.Close(); err != nil {
		return unwritable(name, err)
	}
	return nil
}

// isBeginning reads as much from body as there is of part, and reports whether
// it is the same.
func isBeginning(body io.Reader, part *io.SectionReader) (bool, error) {
	have := bufio.NewReaderSize(part, 64<<10)
	buf := make([]byte, 64<<10)
	for {
		if _, err := have.Peek(1); err == io.EOF {
			return true, nil
		} else if err != nil {
			return false, err
		}
		want, _ := have.Peek(have.Buffered())
		got := buf[:len(want)]
		n, err := io.ReadFull(body, got)
		if !bytes.Equal(got[:n], want[:n]) {
			return false, nil
		}
		have.Discard(n)
		switch {
		case err == io.EOF, err == io.ErrUnexpectedEOF: // io.ReadFull's own: a body that was cut off says so in another way
			return false, nil // the object is shorter
		case err != nil:
			return false, err
		}
	}
}
