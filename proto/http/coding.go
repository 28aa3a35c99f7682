package http

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"anyurl/fetch"
)

// maxCodings is how many content codings are undone, over all header lines.
// One is usual; each further one multiplies what a few octets can become.
const maxCodings = 2

// expand undoes the content codings of resp, unless the caller asked for codings
// of its own or there is one that nobody here knows.
func expand(req *fetch.Request, resp *fetch.Response) error {
	for name, v := range req.Header {
		if strings.EqualFold(name, "Accept-Encoding") && len(v) > 0 && !strings.EqualFold(strings.TrimSpace(v[0]), "identity") {
			return nil
		}
	}
	var codings []string
	for _, line := range resp.Header["Content-Encoding"] {
		for c := range strings.SplitSeq(line, ",") {
			switch c = strings.ToLower(strings.TrimSpace(c)); c {
			case "", "identity":
			case "gzip", "x-gzip", "deflate":
				codings = append(codings, c)
			default:
				return nil
			}
		}
	}
	if len(codings) == 0 || resp.Status == 206 {
		return nil
	}
	if len(codings) > maxCodings {
		return &fetch.Error{Step: fetch.Limit, Status: resp.Status, Kind: fetch.ErrTooLarge,
			Err: fmt.Errorf("the object is compressed %d times over; at most %d are undone", len(codings), maxCodings)}
	}
	var r io.Reader = resp.Body
	for i := len(codings) - 1; i >= 0; i-- {
		r = &coding{name: codings[i], src: r}
	}
	resp.Body = &expanded{r: r, body: resp.Body, limit: req.Limits.MaxExpanded}
	resp.Size = -1
	delete(resp.Header, "Content-Encoding")
	delete(resp.Header, "Content-Length")
	return nil
}

// A coding undoes one content coding. The first Read opens it, so that a
// response is there before its first octet is.
type coding struct {
	name string
	src  io.Reader
	r    io.Reader
	err  error
}

func (c *coding) Read(p []byte) (int, error) {
	if c.r == nil && c.err == nil {
		c.r, c.err = c.open()
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	return n, malformed(err)
}

func (c *coding) open() (io.Reader, error) {
	src := bufio.NewReader(c.src)
	head, err := src.Peek(2)
	if len(head) == 0 {
		return nil, malformed(err) // an empty body is empty in any coding
	}
	switch c.name {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(src)
		return z, malformed(err)
	}
	// deflate is zlib (RFC 9110, section 8.4.1.2); some servers send it bare.
	if len(head) == 2 && head[0]&0x0F == 8 && (int(head[0])<<8+int(head[1]))%31 == 0 {
		z, err := zlib.NewReader(src)
		return z, malformed(err)
	}
	return flate.NewReader(src), nil
}

// malformed marks what the decompressors complain of.
func malformed(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrHeader),
		errors.Is(err, zlib.ErrChecksum), errors.Is(err, zlib.ErrDictionary), errors.As(err, &corrupt):
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrMalformed, Err: fmt.Errorf("undoing the compression: %w", err)}
	}
	return err
}

// expanded bounds what comes out of a compression.
type expanded struct {
	r     io.Reader
	body  io.Closer
	limit int64
	n     int64
}

func (e *expanded) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.n += int64(n)
	if fetch.Over(e.n, e.limit) {
		return 0, &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge,
			Err: fmt.Errorf("the object expands to %w of %d octets", fetch.ErrTooLarge, e.limit)}
	}
	return n, err
}

func (e *expanded) Close() error { return e.body.Close() }
