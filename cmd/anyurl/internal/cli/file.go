package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// open opens a file that the user names. A pipe may wait for ever for somebody
// who writes, and a device has no end: whatever it is, neither the opening nor a
// Read outlives the context.
func (c *call) open(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	open := func() (*os.File, error) { return os.Open(name) }
	if info.Mode().IsRegular() || info.IsDir() {
		f, err := open()
		if err != nil {
			return nil, err
		}
		return &interruptible{c.ctx, f, info.Size()}, nil
	}
	f, err := await(c.ctx, open)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&liveReader{ctx: c.ctx, r: f, idle: c.out.idle}, f}, nil
}

// An interruptible is a file whose Read and ReadAt end with the context.
type interruptible struct {
	ctx  context.Context
	f    *os.File
	size int64 // as it was opened
}

func (r *interruptible) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.f.ReadAt(p, off)
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.f.Read(p)
}

func (r *interruptible) Close() error { return r.f.Close() }

// await opens what may wait for a peer, as a pipe does, for as long as the
// context lasts.
func await(ctx context.Context, open func() (*os.File, error)) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := open()
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		go func() { // in case it still comes
			if o := <-done; o.err == nil {
				o.f.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// A wholeFile is a file that appears under its name when it is whole: it is
// written beside that place and then renamed.
type wholeFile struct {
	*os.File
	name string // what it becomes; "" where the name is no regular file and is written directly
	new  bool   // it takes no other file's place
}

// create begins a file. What is there already stays until the new one is whole,
// and keeps its permissions; through a symbolic link, what it leads to is meant.
func (c *call) create(name string) (*wholeFile, error) {
	mode := fs.FileMode(0)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			f, err := await(c.ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) })
			if err != nil {
				return nil, unwritable(name, err)
			}
			return &wholeFile{File: f}, nil
		}
		mode = info.Mode().Perm()
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			// A file that has no name any more, such as a deleted one that
			// /dev/stdout leads to: it is written, and the link left alone.
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				return nil, unwritable(name, err)
			}
			return &wholeFile{File: f}, nil
		}
		name = real
	} else if name, err = linkedTo(name); err != nil {
		return nil, unwritable(name, err)
	}
	return c.begin(name, mode)
}

// createNew begins a file whose name is free, and never takes the place of
// another, whenever that came.
func (c *call) createNew(name string) (*wholeFile, error) {
	f, err := c.begin(name, 0)
	if err == nil {
		f.new = true
	}
	return f, err
}

// begin opens a file beside the name that it will have, with the permissions of
// mode, or the usual ones where that is 0.
func (c *call) begin(name string, mode fs.FileMode) (*wholeFile, error) {
	dir, base := filepath.Split(name)
	c.halves.sweep(dir, base)
	for {
		part := filepath.Join(dir, halfName(base))
		f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			hold(f)
			if mode != 0 {
				err = f.Chmod(mode)
			}
		}
		if err != nil {
			return nil, unwritable(name, err)
		}
		return &wholeFile{File: f, name: name}, nil
	}
}

// linkedTo is the name that a chain of symbolic links ends at, where nothing
// is yet; without a link, the name itself.
func linkedTo(name string) (string, error) {
	const most = 40 // as systems follow
	at := name
	for range most {
		to, err := os.Readlink(at)
		if err != nil {
			return at, nil // the end, or a folder that is not there, which opening says
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(at)) // from which ".." counts
			if err != nil {
				return name, err
			}
			to = filepath.Join(dir, to)
		}
		at = to
	}
	return name, errors.New("too many symbolic links")
}

// halves are the half-written files of each folder that something was written
// to, by the names of what they are parts of. A folder is listed once in a run:
// a thousand files into one of them would else read a thousand lists.
type halves struct {
	mu sync.Mutex
	in map[string]map[string][]string
}

// of gives the half-written files of one name in a folder, the first time it is
// asked for them.
func (h *halves) of(dir, base string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, listed := h.in[dir]
	if !listed {
		found = map[string][]string{}
		entries, _ := os.ReadDir(orElse(dir, ".")) // whoever may write there, but not list, finds nothing either
		for _, e := range entries {
			if whole, isHalf := halfOf(e.Name()); isHalf && e.Type().IsRegular() {
				found[whole] = append(found[whole], e.Name())
			}
		}
		if h.in == nil {
			h.in = map[string]map[string][]string{}
		}
		h.in[dir] = found
	}
	names := found[base]
	delete(found, base)
	return names
}

// halfName is what a file is called until it is whole.
func halfName(base string) string { return fmt.Sprintf(".%s.%08x.part", base, rand.Uint32()) }

// halfOf tells what a half-written file becomes.
func halfOf(name string) (whole string, ok bool) {
	name, isPart := strings.CutSuffix(name, ".part")
	name, isHidden := strings.CutPrefix(name, ".")
	dot := strings.LastIndexByte(name, '.')
	if !isPart || !isHidden || dot < 0 {
		return "", false
	}
	number := name[dot+1:]
	return name[:dot], len(number) == 8 && strings.Trim(number, "0123456789abcdef") == ""
}

// sweep takes away what a killed process left half-written of a file. What
// another one is writing is held by it.
func (h *halves) sweep(dir, base string) {
	for _, name := range h.of(dir, base) {
		part := filepath.Join(dir, name)
		// One that was made just now may not be held yet.
		if info, err := os.Lstat(part); err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		f, err := os.OpenFile(part, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		if hold(f) {
			os.Remove(part)
		}
		f.Close()
	}
}

// finish closes the file and puts it in its place, or takes it away where it is
// not whole.
func (f *wholeFile) finish(whole bool) error {
	err := f.Close()
	if f.name == "" {
		return err
	}
	if err == nil && whole {
		place := os.Rename
		if f.new {
			place = renameNew
		}
		err = place(f.Name(), f.name)
	}
	if err != nil || !whole {
		os.Remove(f.Name())
	}
	switch {
	case f.new && errors.Is(err, fs.ErrExist):
		return taken(f.name)
	case err != nil:
		return unwritable(f.name, err)
	}
	return nil
}

// renameFree gives a file its name where there is none of that name.
func renameFree(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

// isFree refuses a name that somebody has already.
func isFree(name string) error {
	if _, err := os.Lstat(name); err == nil {
		return taken(name)
	}
	return nil
}

// taken refuses a name that -O found.
func taken(name string) error {
	return cannot(fmt.Errorf("writing %s: %w", name, fs.ErrExist), "-o "+name+" writes over it; of several URLs with one name, each wants an -o of its own")
}

func unwritable(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.SyscallError](err); ok {
		err = e.Err
	}
	return cannot(fmt.Errorf("writing %s: %w", name, err), "")
}

// sameFile reports whether two names, "" for none, mean one file.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}
