// Package data opens data URLs (RFC 2397; Fetch Standard, "data: URL
// processor"): the object stands in the URL, and nobody is asked for it. Start
// with [New].
package data

import (
	"bytes"
	"context"
	"io"
	"strings"

	"anyurl/fetch"
	dataurl "anyurl/scheme/data"
)

// A Transport opens data URLs. It opens no connection.
type Transport struct{}

// New returns a Transport.
func New() *Transport { return &Transport{} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"data"} }

// Fetch gives the data. Header's Content-Type holds the media type as it is
// written, with its parameters.
func (*Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := dataurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if ctx.Err() != nil {
		return nil, fetch.Fail(fetch.Asking, context.Cause(ctx))
	}
	typ, _, _ := strings.Cut(ref.Type, ";")
	resp := &fetch.Response{
		URL: req.URL, Protocol: "data",
		Type:   strings.ToLower(strings.TrimSpace(typ)),
		Header: map[string][]string{"Content-Type": {ref.Type}},
		Offset: max(0, min(req.Offset, int64(len(ref.Data)))),
	}
	rest := ref.Data[resp.Offset:]
	resp.Size = int64(len(rest))
	if req.Head() {
		rest = nil
	}
	resp.Body = io.NopCloser(bytes.NewReader(rest))
	return resp, nil
}
