package fetchtest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"anyurl/fetch"
)

// OpenedDir is the environment variable that names the folder in which [Opened]
// notes what came; without it nothing is noted.
const OpenedDir = "ANYURL_OPENED"

// An Opening is what came of one scheme from one server.
type Opening struct {
	Scheme string `json:"scheme"`
	// Server is who answered, with its version; of what no package serves, the
	// server whose recorded words were played, or our own that stood in for it.
	Server string `json:"server"`
	// Objects are what came whole, each kind once: "text/plain, 45 octets",
	// "listing, 9 entries".
	Objects []string `json:"objects"`
	// Protocols are what was spoken.
	Protocols []string `json:"protocols"`
	Test      string   `json:"test"`
}

// Opened watches what c opens at a server for the rest of the test, for the
// table of docs/schemes.md, and notes it when the test has passed. c is changed
// in place, before its first use.
func Opened(t testing.TB, server string, c *fetch.Client) {
	t.Helper()
	dir := os.Getenv(OpenedDir)
	if dir == "" {
		return
	}
	if server == "" {
		t.Error("what opened, opened at no server: which version of its package is here?")
	}
	w := &watch{openings: map[string]*Opening{}}
	for name, tr := range c.Transports {
		c.Transports[name] = &watched{Transport: tr, watch: w, scheme: name}
	}
	t.Cleanup(func() {
		if t.Failed() || t.Skipped() {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, o := range w.openings {
			o.Server, o.Test = server, t.Name()
			b, err := json.Marshal(o)
			if err != nil {
				t.Error(err)
				continue
			}
			name := fmt.Sprintf("%s-%x.json", o.Scheme, sha256.Sum256(b))
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Error(err)
			}
		}
	})
}

// Openings reads what was noted in a folder, by scheme and server: what several
// tests saw of one is put together.
func Openings(dir string) ([]Opening, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	merged := map[string]*Opening{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var o Opening
		if err := json.Unmarshal(b, &o); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m := merged[o.Scheme+" "+o.Server]
		if m == nil {
			m = &Opening{Scheme: o.Scheme, Server: o.Server, Test: o.Test}
			merged[o.Scheme+" "+o.Server] = m
		}
		for _, what := range o.Objects {
			m.object(what)
		}
		m.protocol(o.Protocols...)
	}
	var all []Opening
	for _, key := range slices.Sorted(maps.Keys(merged)) {
		all = append(all, *merged[key])
	}
	return all, nil
}

// object notes an object, unless one of its kind is there already; of two, the
// larger one tells more.
func (o *Opening) object(what string) {
	kind, size, _ := strings.Cut(what, ", ")
	for i, had := range o.Objects {
		if k, s, _ := strings.Cut(had, ", "); k == kind {
			if len(size) > len(s) || len(size) == len(s) && size > s {
				o.Objects[i] = what
			}
			return
		}
	}
	o.Objects = append(o.Objects, what)
	slices.Sort(o.Objects)
}

func (o *Opening) protocol(names ...string) {
	o.Protocols = append(o.Protocols, names...)
	slices.Sort(o.Protocols)
	o.Protocols = slices.Compact(o.Protocols)
}

type watch struct {
	mu       sync.Mutex
	openings map[string]*Opening // by scheme
}

type watched struct {
	fetch.Transport
	watch  *watch
	scheme string
}

// Fetch watches over an answer.
func (w *watched) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	resp, err := w.Transport.Fetch(ctx, req)
	if err == nil && resp.Location == "" && resp.Offset == 0 && !req.Head() && resp.Status < 400 {
		resp.Body = &watchedBody{ReadCloser: resp.Body, resp: *resp, by: w}
	}
	return resp, err
}

// Close lets go of what the transport keeps.
func (w *watched) Close() error {
	if c, ok := w.Transport.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// A watchedBody counts, and notes its object when it came whole.
type watchedBody struct {
	io.ReadCloser
	resp fetch.Response
	by   *watched
	n    int64
	done bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !b.done {
		b.done = true
		b.note()
	}
	return n, err
}

func (b *watchedBody) note() {
	w := b.by.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.openings[b.by.scheme]
	if o == nil {
		o = &Opening{Scheme: b.by.scheme}
		w.openings[b.by.scheme] = o
	}
	what := b.resp.Type
	if what == "" {
		what = "an object"
	}
	if b.resp.Listing {
		o.object(fmt.Sprintf("listing, %d entries", len(b.resp.Entries)))
	} else {
		o.object(fmt.Sprintf("%s, %d octets", what, b.n))
	}
	o.protocol(b.resp.Protocol)
}
