package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
)

// An object is what a URL gave, as far as a page needs it.
type object struct {
	fetch.Response
	hops []fetch.Hop
	body []byte // as far as it was read; Response.Body is nil
	cut  bool   // the object goes on behind body
	at   time.Time
	late error // what ended the body before its end
}

// pageTime is how long a page may wait for all of its object.
const pageTime = 45 * time.Second

// request is what the client is asked for.
func (v *visit) request() *fetch.Request {
	req := v.g.request(v.r, v.url.WithoutFragment())
	req.Before = v.before()
	return req
}

// request is what the client is asked for, for an HTTP request.
func (g *Gateway) request(r *http.Request, u anyurl.URL) *fetch.Request {
	req := &fetch.Request{URL: u, Limits: g.o.Limits, When: true}
	if isWeb(u.Scheme()) {
		req.Header = map[string][]string{"Via": {"1.1 " + g.name}}
		for _, name := range []string{"Accept", "Accept-Language"} {
			if v := r.Header.Values(name); len(v) > 0 {
				req.Header[name] = v
			}
		}
	}
	return req
}

// anew reports whether what is kept will not do: the reader has reloaded the page.
func anew(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Cache-Control"), "no-cache") || r.Header.Get("Pragma") == "no-cache"
}

// key is the object's in the cache.
func (v *visit) key() string {
	key := v.url.WithoutFragment().String()
	if n := v.before(); n > 0 {
		key = "before " + strconv.FormatUint(n, 10) + " " + key
	}
	return key
}

// load gives the object of the visit, from the cache or from where it is. Only what
// a page shows is read; of anything else the beginning tells what it is.
func (v *visit) load() (*object, error) {
	g, key := v.g, v.key()
	if o, ok := g.cache.object(key); ok && !anew(v.r) {
		g.metrics.hit()
		return o, nil
	}
	enter := func() (func(), error) { return g.limit.enter(g.clientOf(v.r)) }
	if anew(v.r) || v.url.HasUserinfo() {
		done, err := enter()
		if err != nil {
			return nil, err
		}
		defer done()
		return v.fetch(v.r.Context(), key)
	}
	return g.flights.open(v.r.Context(), key, enter, func(ctx context.Context) (*object, error) { return v.fetch(ctx, key) })
}

// fetch opens the URL of the visit for a page.
func (v *visit) fetch(ctx context.Context, key string) (*object, error) {
	g := v.g
	ctx, cancel := context.WithTimeoutCause(ctx, pageTime, fetch.ErrTotal)
	defer cancel()
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	req := v.request()
	req.Limits.MaxListing = g.o.Page // many times that is in memory until the page is written
	res, err := g.client.Do(ctx, req)
	if err != nil {
		g.metrics.outcome(v.url.Scheme(), outcome(err))
		return nil, err
	}
	defer res.Body.Close()
	o := &object{Response: *res.Response, hops: res.Hops, at: g.o.Now()}
	o.Body = nil
	g.metrics.outcome(v.url.Scheme(), "ok")
	body := &patient{r: res.Body, leave: leave}
	defer body.stop()
	if err := o.read(body, g.o.Page); err != nil {
		return nil, err
	}
	if o.late != nil && context.Cause(ctx) == errSlow {
		o.late = errSlow
	}
	g.metrics.octets.Add(float64(len(o.body)))
	if o.late == nil && !v.url.HasUserinfo() {
		g.cache.put("object "+key, o, o.octets(), o.at.Add(g.o.Fresh))
	}
	return o, nil
}

// patience is how long a page waits for the rest of an object that has begun to
// come.
const patience = 10 * time.Second

// errSlow is why a page shows no more of an object.
var errSlow = errors.New("the server is slow")

// A patient reader leaves the object once patience has passed since its first octet.
type patient struct {
	r     io.Reader
	leave context.CancelCauseFunc
	timer *time.Timer
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 && p.timer == nil {
		p.timer = time.AfterFunc(patience, func() { p.leave(errSlow) })
	}
	return n, err
}

func (p *patient) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

// read takes as much of the body as a page shows.
func (o *object) read(body io.Reader, most int64) error {
	if media(o.Type) == "" && o.Type != "" && o.Type != "application/octet-stream" && !o.Listing {
		o.cut = true
		return nil
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(body, head)
	o.body = head[:n]
	if (o.Type == "" || o.Type == "application/octet-stream") && n > 0 {
		o.Type = fetch.TypeByContent(o.body)
	}
	if err == nil && (o.Listing || media(o.Type) == "text") {
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(body, most+1-int64(n)))
		o.body = append(o.body, rest...)
		if int64(len(o.body)) > most {
			o.body, o.cut = o.body[:most], true
		}
	} else if err == nil {
		o.cut = true
	}
	if err == nil || errors.Is(err, io.EOF) && !isCut(err) || err == io.ErrUnexpectedEOF {
		return nil
	}
	if len(o.body) == 0 {
		return err
	}
	o.late = err
	return nil
}

// isCut tells a body that ended too early, as fetch says it, from ReadFull's word
// for a short one.
func isCut(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e)
}

// octets is about what the object takes in memory.
func (o *object) octets() int64 {
	n := int64(cap(o.body))
	for i := range o.Entries {
		e := &o.Entries[i]
		n += int64(len(e.Name)+len(e.URL)+len(e.Raw)+len(e.Type)) + 128
	}
	return n
}

// said is what the server said in a field; "" for nothing.
func (o *object) said(name string) string {
	for key, values := range o.Header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// media is how a browser shows a media type: "text", "image", "audio", "video",
// or "" for a file to keep. Pictures that hold programs are none.
func media(typ string) string {
	kind, _, _ := strings.Cut(typ, "/")
	switch {
	case kind == "text", strings.HasSuffix(typ, "+xml"), strings.HasSuffix(typ, "+json"):
		return "text"
	case kind == "message", kind == "audio", kind == "video":
		if kind == "message" {
			return "text"
		}
		return kind
	case kind == "image":
		switch typ {
		case "image/gif", "image/png", "image/jpeg", "image/webp", "image/bmp", "image/avif", "image/vnd.microsoft.icon":
			return "image"
		}
	case typ == "application/json", typ == "application/xml", typ == "application/gopher-menu", typ == "application/yaml", typ == "application/toml",
		typ == "application/x-wais-source", typ == "application/x-pem-file":
		return "text"
	}
	return ""
}

// outcome is a failure as a metric names it.
func outcome(err error) string {
	var e *fetch.Error
	if errors.As(err, &e) && e.Step != "" {
		return e.Step
	}
	return "failed"
}
