// Package afs opens afs URLs through the AFS client of this machine, where it has
// one: the Andrew File System has one tree of names for the whole world, and its
// client shows it below /afs. An URL names a cell and a path in it (RFC 1630);
// there is no other way to the files, since the file system's own protocol asks
// for a Kerberos identity. Start with [New].
package afs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/local"
	afsurl "anyurl/scheme/afs"
)

// DefaultRoot is where AFS clients show the tree.
const DefaultRoot = "/afs"

// A Transport opens afs URLs.
type Transport struct {
	// Root is where the tree is; "" is DefaultRoot.
	Root string
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"afs"} }

// New returns a Transport for the tree at root, "" for [DefaultRoot].
func New(root string) *Transport { return &Transport{Root: root} }

// Fetch opens the file, or lists the folder. Errors are *[fetch.Error]. Links
// may lead to other cells, and nowhere out of the tree.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := afsurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fetch.Fail(fetch.Asking, context.Cause(ctx))
	}
	// The client may ask servers all over the world, and the operating system
	// waits with it: no context ends that, so nobody waits for it here.
	type answer struct {
		resp *fetch.Response
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		resp, err := t.open(req, ref)
		done <- answer{resp, err}
	}()
	select {
	case a := <-done:
		return a.resp, a.err
	case <-ctx.Done():
		go func() {
			if a := <-done; a.err == nil {
				a.resp.Body.Close()
			}
		}()
		return nil, fetch.Fail(fetch.Asking, context.Cause(ctx))
	}
}

func (t *Transport) open(req *fetch.Request, ref afsurl.Ref) (*fetch.Response, error) {
	root := t.Root
	if root == "" {
		root = DefaultRoot
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, &fetch.Error{Step: fetch.Connecting, Kind: fetch.ErrUnsupported, Err: fmt.Errorf("this machine has no AFS client: there is no folder %s", root),
			Hint: "start one, name the folder where its tree is, or reach afs through a gateway"}
	}
	// Links in the tree are often absolute, which no rooted file system can
	// follow: where the path leads is found first, and opened below the root,
	// which refuses it if it has changed.
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, failed(err, false)
	}
	cell := filepath.Join(root, ref.Cell)
	if _, err := os.Stat(cell); err != nil {
		return nil, failed(err, true)
	}
	path, err := filepath.EvalSymlinks(filepath.Join(append([]string{cell}, ref.Parts...)...))
	if err != nil {
		return nil, failed(err, false)
	}
	p := local.Place{Path: path, Dir: ref.Dir, Roots: []string{root}, URL: func(dir bool, names ...string) anyurl.URL {
		r := ref
		r.Parts, r.Dir = append(r.Parts[:len(r.Parts):len(r.Parts)], names...), dir
		return r.URL()
	}}
	if n := len(ref.Parts); n > 0 {
		p.Name = ref.Parts[n-1]
	}
	resp, err := local.Open(req, p)
	if err != nil {
		return nil, failed(err, false)
	}
	resp.Protocol = "afs"
	return resp, nil
}

// failed says what the operating system's error means; cell says that it is
// about the cell itself.
func failed(err error, cell bool) error {
	e := &fetch.Error{Step: fetch.Status, Err: err}
	var path *fs.PathError
	var own *fetch.Error
	switch {
	case errors.As(err, &own):
		copied := *own
		e = &copied
	case errors.As(err, &path):
		e.Err = path.Err
	}
	switch {
	case cell && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENODEV)):
		e.Kind, e.Err = fetch.ErrNotFound, errors.New("the AFS client of this machine knows no such cell")
	case errors.Is(err, syscall.ETIMEDOUT):
		e.Step, e.Hint = fetch.Connecting, "the cell's servers do not answer"
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Hint = fetch.ErrDenied, "the file may want a token of its cell: kinit and aklog get one"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		e.Kind = fetch.ErrNotFound
	}
	return e
}
