// Package file opens file URLs on this machine (RFC 8089; RFC 1738, section
// 3.10). It reads and lists; it never writes, and never opens what is neither
// a file nor a folder: a pipe can wait for ever, and opening a device can do
// things. Start with [New].
package file

import (
	"context"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/local"
	fileurl "anyurl/scheme/file"
)

// A Transport opens file URLs.
type Transport struct {
	roots []string
}

// New returns a Transport for the files below the given folders, or for all of
// them when none is given. A symbolic link that leads out of its root is
// refused; what counts is where the file is, not how its path is spelled.
func New(roots ...string) *Transport { return &Transport{roots: roots} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"file"} }

// Fetch opens the file, or lists the folder.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := fileurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	path, err := ref.OSPath()
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fetch.Fail(fetch.Asking, context.Cause(ctx))
	}
	p := local.Place{Path: path, Dir: ref.Dir, Roots: t.roots, URL: func(dir bool, names ...string) anyurl.URL {
		r := ref
		r.Parts, r.Dir = append(r.Parts[:len(r.Parts):len(r.Parts)], names...), dir
		return r.URL()
	}}
	if n := len(ref.Parts); n > 0 {
		p.Name = ref.Parts[n-1]
	}
	resp, err := local.Open(req, p)
	if err != nil {
		return nil, err
	}
	resp.Protocol = "file"
	return resp, nil
}
