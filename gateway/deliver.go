package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"anyurl/fetch"
)

// stall is how long a client may take nothing of what is sent to it.
const stall = time.Minute

// deliver gives the object itself, as it came, to a browser. Whatever it is, it
// can do nothing there: it has no script, no form and no origin, and what a
// browser would run is text.
func (v *visit) deliver() {
	h := v.w.Header()
	kind := "inline"
	if v.has("save") {
		kind = "attachment"
	}
	v.stream(func(typ string) string {
		shown := harmless(typ)
		if shown == "application/octet-stream" {
			kind = "attachment"
		}
		h.Set("Content-Security-Policy", inert)
		h.Set("Content-Disposition", attachment(kind, lastName(v.url)))
		return shown
	})
}

// harmless is the type under which a browser is given an object of a type.
func harmless(typ string) string {
	switch media(typ) {
	case "image", "audio", "video":
		return typ
	case "text":
		return "text/plain; charset=utf-8"
	}
	if typ == "application/pdf" {
		return typ
	}
	return "application/octet-stream"
}

// stream opens the URL and passes its octets on as they come. label chooses the
// type that is told, and may set further fields.
func (v *visit) stream(label func(typ string) string) {
	g := v.g
	v.w.Header()["Cross-Origin-Resource-Policy"] = ownSite
	done, err := g.limit.enter(g.clientOf(v.r))
	if err != nil {
		v.failed(err)
		return
	}
	defer done()
	if o, ok := g.cache.object(v.key()); ok && !o.cut && !o.Listing && !anew(v.r) {
		g.metrics.hit()
		v.serveKept(o, label)
		return
	}
	req := v.request()
	if user, password, ok := v.r.BasicAuth(); ok && v.proxy {
		req.Auth = &fetch.Auth{User: user, Password: password, HasPassword: true}
	}
	if v.unchanged(req) {
		v.w.WriteHeader(http.StatusNotModified)
		return
	}
	span, ranged := rangeOf(v.r)
	if span.last < 0 && ranged && span.first < 0 {
		span, ranged = v.suffix(req, -span.first)
	}
	if ranged {
		req.Offset = span.first
	}
	if v.r.Method == http.MethodHead {
		req.Method = http.MethodHead
	}
	ctx, cancel := context.WithCancelCause(v.r.Context())
	defer cancel(nil)
	res, err := g.client.Do(ctx, req)
	if err != nil {
		g.metrics.outcome(v.url.Scheme(), outcome(err))
		v.failed(err)
		return
	}
	defer res.Body.Close()
	g.metrics.outcome(v.url.Scheme(), "ok")
	if v.proxy && res.Listing && v.proxyListing(res) {
		return
	}
	if isWeb(v.url.Scheme()) && v.proxy {
		if res.URL != v.url.WithoutFragment() {
			// Links in it count from where it is.
			v.w.Header().Set("Location", withoutPassword(res.URL).String())
			v.w.WriteHeader(http.StatusFound)
			return
		}
		v.own(res)
	}
	v.pass(res, span, ranged, label)
}

// own takes from an answer of the web what a browser goes by; ours would get in
// its way.
func (v *visit) own(res *fetch.Result) {
	h := v.w.Header()
	h.Del("Cross-Origin-Resource-Policy")
	for name := range v.g.fields {
		h.Del(name)
	}
	for _, name := range []string{"Cache-Control", "Content-Disposition", "Content-Language", "Content-Security-Policy", "Cross-Origin-Embedder-Policy",
		"Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Etag", "Expires", "Last-Modified", "Permissions-Policy", "Referrer-Policy", "Retry-After", "Vary",
		"Www-Authenticate", "X-Content-Type-Options", "X-Frame-Options"} {
		if values := res.Header[name]; len(values) > 0 {
			h[name] = values
		}
	}
}

// unchanged reports whether the object has not changed since the time that the
// client's copy is of. Few protocols tell that along with the object, so it is
// asked for beforehand.
func (v *visit) unchanged(req *fetch.Request) bool {
	since, err := http.ParseTime(v.r.Header.Get("If-Modified-Since"))
	if err != nil || v.r.Header.Get("If-None-Match") != "" || isWeb(v.url.Scheme()) {
		return false
	}
	res, ok := v.head(req)
	return ok && !res.ModTime.IsZero() && !res.ModTime.Truncate(time.Second).After(since)
}

// head asks about the object of a request. Why it cannot will show when the object
// itself is asked for.
func (v *visit) head(req *fetch.Request) (*fetch.Result, bool) {
	ask := *req
	ask.Method = http.MethodHead
	res, err := v.g.client.Do(v.r.Context(), &ask)
	if err != nil {
		return nil, false
	}
	res.Body.Close()
	return res, true
}

// suffix is the span of the last n octets of an object, if its size is to be had.
func (v *visit) suffix(req *fetch.Request, n int64) (span, bool) {
	res, ok := v.head(req)
	if !ok || res.Size < 0 || res.Listing {
		return span{}, false
	}
	return span{max(res.Size-n, 0), -1}, true
}

// serveKept answers from the cache, with ranges and conditions as net/http reads
// them.
func (v *visit) serveKept(o *object, label func(string) string) {
	h := v.w.Header()
	h.Set("Content-Type", label(o.Type))
	h.Set("Etag", newAnswer(0, o.body, "").etag)
	h.Set("Age", strconv.Itoa(int(v.g.o.Now().Sub(o.at).Seconds())))
	http.ServeContent(v.w, v.r, "", o.ModTime, strings.NewReader(string(o.body)))
}

// pass writes a response's fields and its body.
func (v *visit) pass(res *fetch.Result, span span, ranged bool, label func(string) string) {
	h := v.w.Header()
	body := io.Reader(res.Body)
	typ := res.Type
	if typ == "" {
		head := make([]byte, 512)
		n, _ := io.ReadFull(res.Body, head) // how it ended shows again below
		typ = fetch.TypeByContent(head[:n])
		body = io.MultiReader(strings.NewReader(string(head[:n])), res.Body)
	}
	if label := label(typ); label != "" {
		h.Set("Content-Type", label)
	}
	if full := res.Header["Content-Type"]; v.proxy && isWeb(v.url.Scheme()) && len(full) > 0 {
		h["Content-Type"] = full // with its charset
	}
	if !res.ModTime.IsZero() {
		h.Set("Last-Modified", res.ModTime.UTC().Format(http.TimeFormat))
	}
	status := http.StatusOK
	if isWeb(v.url.Scheme()) && res.Status >= 400 {
		status = res.Status
	}
	length := res.Size
	total := int64(-1)
	if res.Size >= 0 {
		total = res.Offset + res.Size
		if v.r.Method == http.MethodHead {
			total = res.Size
		}
	}
	if ranged && res.Offset == span.first && v.r.Method != http.MethodHead && total >= 0 {
		if span.first >= total {
			v.behind(res, span)
			return
		}
		last := total - 1
		if span.last >= 0 {
			last = min(last, span.last)
		}
		length = last - span.first + 1
		h.Set("Content-Range", "bytes "+strconv.FormatInt(span.first, 10)+"-"+strconv.FormatInt(last, 10)+"/"+strconv.FormatInt(total, 10))
		body = io.LimitReader(body, length)
		status = http.StatusPartialContent
	} else if res.Offset > 0 {
		// The rest came, but how much there is nobody knows: a partial answer
		// cannot be written without.
		v.failed(&fetch.Error{Step: fetch.Asking, Kind: fetch.ErrUnsupported, Err: errors.New("the server does not tell how large the object is, so a part of it cannot be named"),
			Hint: "ask for the whole"})
		return
	}
	if total >= 0 && v.url.Scheme() != "gopher" {
		h.Set("Accept-Ranges", "bytes")
	}
	if length >= 0 {
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	v.w.WriteHeader(status)
	if v.r.Method == http.MethodHead {
		return
	}
	n, err := v.copy(body)
	v.g.metrics.octets.Add(float64(n))
	if err == nil || v.r.Context().Err() != nil {
		return
	}
	// The answer is under way; to cut it is the one way left to say that it is
	// not whole.
	v.g.o.Log.Warn("broken off", "url", logURL(v.url), "octets", n, "error", logError(err))
	panic(http.ErrAbortHandler)
}

// behind answers for a range that begins behind the object's end. A server that
// was asked to begin there has not said where that end is.
func (v *visit) behind(res *fetch.Result, span span) {
	p := problem{Status: http.StatusRequestedRangeNotSatisfiable, Title: "Behind its end", Says: "the object ends before the octets that were asked for", Try: "ask for the whole"}
	if whole, ok := v.head(v.g.request(v.r, res.URL)); ok && whole.Size >= 0 && whole.Size <= span.first {
		size := strconv.FormatInt(whole.Size, 10)
		v.w.Header().Set("Content-Range", "bytes */"+size)
		p.Says += "; it has " + size
	}
	v.w.Header().Del("Last-Modified")
	v.fail(p)
}

// copy passes the body on, each piece as it comes. A client that takes nothing
// for a minute is left.
func (v *visit) copy(body io.Reader) (total int64, err error) {
	c := http.NewResponseController(v.w)
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			c.SetWriteDeadline(time.Now().Add(stall)) // where it cannot be set there is a limit on the whole
			if _, err := v.w.Write(buf[:n]); err != nil {
				return total, err
			}
			total += int64(n)
			if n < len(buf) {
				c.Flush()
			}
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// A span is the one range of octets that is asked for; last is -1 for the end. As
// it is read, a first of -n stands for the last n octets.
type span struct{ first, last int64 }

// rangeOf reads a Range field with one range from a place on; of others the whole
// is sent, which RFC 9110, section 14.2, always allows.
func rangeOf(r *http.Request) (s span, ok bool) {
	if r.Header.Get("If-Range") != "" {
		return span{}, false
	}
	text, ok := strings.CutPrefix(textproto.TrimString(r.Header.Get("Range")), "bytes=")
	if !ok {
		return span{}, false
	}
	first, last, ok := strings.Cut(text, "-")
	if !ok {
		return span{}, false
	}
	s.last = -1
	var err error
	if first == "" {
		n, err := strconv.ParseInt(last, 10, 64)
		return span{-n, -1}, err == nil && n > 0
	}
	if s.first, err = strconv.ParseInt(first, 10, 64); err != nil || s.first < 0 {
		return span{}, false
	}
	if last != "" {
		if s.last, err = strconv.ParseInt(last, 10, 64); err != nil || s.last < s.first {
			return span{}, false
		}
	}
	return s, true
}
