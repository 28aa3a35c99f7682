// Package local opens files and folders of this machine for the protocols whose
// objects they are. It reads and lists; it never writes, and never opens what is
// neither a file nor a folder: a pipe can wait for ever, and opening a device
// can do things. Start with [Open].
package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"anyurl"
	"anyurl/fetch"
)

// A Place is a file or a folder, and how its URL is written.
type Place struct {
	// Path is where it is.
	Path string
	// Dir says that only a folder will do.
	Dir bool
	// Roots are the folders that it must lie below, or none for anywhere. A
	// symbolic link that leads out of its root is refused; what counts is where
	// the file is, not how its path is spelled.
	Roots []string
	// Name is the last part of the URL, by which a file's type is guessed.
	Name string
	// URL gives the URL of the place as a folder, with no names, or of what the
	// names lead to from there; the zero URL for what none can stand for.
	URL func(dir bool, names ...string) anyurl.URL
}

// Open opens the file, or lists the folder. Errors are *[fetch.Error].
func Open(req *fetch.Request, p Place) (*fetch.Response, error) {
	f, info, err := p.open()
	if err != nil {
		return nil, failed(err)
	}
	resp := &fetch.Response{URL: req.URL, ModTime: info.ModTime(), Size: -1, Body: io.NopCloser(strings.NewReader(""))}
	switch {
	case info.IsDir():
		err = p.list(req, resp, f)
		f.Close()
	case p.Dir:
		f.Close()
		err = &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("it is a file, and the URL's final \"/\" says folder")}
	default:
		err = p.read(req, resp, f, info)
	}
	if err != nil {
		return nil, failed(err)
	}
	return resp, nil
}

// open opens what may be opened. It looks before it opens, since opening a
// device can have effects, and again afterwards, at what it got.
func (p Place) open() (*os.File, fs.FileInfo, error) {
	path := p.Path
	stat, open := os.Stat, func(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDONLY|nonBlocking, 0) }
	if len(p.Roots) > 0 {
		root, name, err := p.root()
		if err != nil {
			return nil, nil, err
		}
		defer root.Close()
		path = name
		stat = root.Stat
		open = func(name string) (*os.File, error) { return root.OpenFile(name, os.O_RDONLY|nonBlocking, 0) }
	}
	info, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := plain(info); err != nil {
		return nil, nil, err
	}
	f, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = plain(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// root opens the root that the path lies below, and gives the path from there.
func (p Place) root() (*os.Root, string, error) {
	for _, dir := range p.Roots {
		dir, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(dir, p.Path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		root, err := os.OpenRoot(dir)
		return root, rel, err
	}
	return nil, "", &fetch.Error{Step: fetch.Gate, Kind: fetch.ErrRefused, Err: errors.New("it is not below a folder that may be read")}
}

// plain refuses what is neither a file nor a folder.
func plain(info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	what := "no regular file"
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return &fetch.Error{Step: fetch.Gate, Kind: fetch.ErrRefused, Err: fmt.Errorf("it is %s, and only files and folders are opened", what)}
}

// failed says what the operating system's error means. The path is in the URL
// already.
func failed(err error) error {
	var own *fetch.Error
	if errors.As(err, &own) {
		return err
	}
	e := &fetch.Error{Step: fetch.Status, Err: err}
	var path *fs.PathError
	if errors.As(err, &path) {
		e.Err = path.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotDir(err):
		e.Kind = fetch.ErrNotFound
	case errors.Is(err, fs.ErrPermission):
		e.Kind = fetch.ErrDenied
	case strings.Contains(e.Err.Error(), "escapes from parent"): // os.Root has no error value for it
		e.Step, e.Kind, e.Err = fetch.Gate, fetch.ErrRefused, errors.New("a symbolic link leads out of the folder that may be read")
	}
	return e
}

// read makes a file the response's body.
func (p Place) read(req *fetch.Request, resp *fetch.Response, f *os.File, info fs.FileInfo) error {
	b := &body{f: f}
	fail := func(err error) error {
		f.Close()
		return err
	}
	resp.Size = info.Size()
	resp.Type = fetch.TypeByName(p.Name)
	if resp.Type == "" || resp.Size == 0 {
		// Some files, below /proc, have a size of 0 and octets all the same.
		head := make([]byte, 512)
		n, err := f.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return fail(err)
		}
		if resp.Type == "" {
			resp.Type = fetch.TypeByContent(head[:n])
		}
		if resp.Size == 0 && n > 0 {
			resp.Size = -1
		}
	}
	if req.Head() {
		return f.Close()
	}
	if req.Offset > 0 {
		if _, err := f.Seek(req.Offset, io.SeekStart); err != nil {
			return fail(err)
		}
		resp.Offset = req.Offset
		if resp.Size >= 0 {
			resp.Size = max(resp.Size-req.Offset, 0)
		}
	}
	resp.Body = b
	return nil
}

// A body is an open file.
type body struct{ f *os.File }

func (b *body) Read(p []byte) (int, error) { return b.f.Read(p) }
func (b *body) Close() error               { return b.f.Close() }

// Raw returns the file: the system can copy it to another by itself.
func (b *body) Raw() (io.Reader, func(int64) error) {
	return b.f, func(int64) error { return nil }
}

// list makes a folder the response's entries, sorted by the octets of their
// names, hidden ones too. The body is their names, one a line, quoted where
// they hold what a line cannot.
func (p Place) list(req *fetch.Request, resp *fetch.Response, f *os.File) error {
	resp.Listing, resp.Type = true, "text/plain"
	if u := p.URL(true); !p.Dir && !u.IsZero() {
		resp.URL = u
	}
	if req.Head() {
		return nil
	}
	for {
		some, err := f.ReadDir(1000)
		for _, d := range some {
			resp.Entries = append(resp.Entries, p.entry(d))
		}
		if err := fetch.CheckEntries(len(resp.Entries), req.Limits); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(resp.Entries, func(a, b fetch.Entry) int { return strings.Compare(a.Name, b.Name) })
	var text strings.Builder
	for _, e := range resp.Entries {
		text.WriteString(e.Raw + "\n")
	}
	resp.Size = int64(text.Len())
	resp.Body = io.NopCloser(strings.NewReader(text.String()))
	return nil
}

func (p Place) entry(d fs.DirEntry) fetch.Entry {
	e := fetch.Entry{Name: d.Name(), Type: "other", Size: -1, Raw: fetch.Line(d.Name())}
	switch mode := d.Type(); {
	case mode.IsRegular():
		e.Type = "file"
	case mode.IsDir():
		e.Type = "dir"
	case mode&fs.ModeSymlink != 0:
		e.Type = "link"
	}
	if info, err := d.Info(); err == nil {
		e.Time = info.ModTime().UTC()
		if e.Type == "file" {
			e.Size = info.Size()
		}
	}
	dir := e.Type == "dir"
	if dir {
		e.Raw += "/"
	}
	if u := p.URL(dir, e.Name); !u.IsZero() {
		e.URL = u.String()
	}
	return e
}
