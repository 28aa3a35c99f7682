package check

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/find/format"
)

// A verdict is what one request tells about a target.
type verdict struct {
	Result
	doubtful bool          // HEAD may have been answered wrongly: ask with GET
	passing  bool          // it may be different a little later
	crowded  bool          // the host wants to be asked less
	mute     bool          // the host did not answer in time
	atLeast  int           // how often it is tried again in any case
	settled  bool          // it may pass, but hardly does
	nameless bool          // the resolver knows no such name
	wait     time.Duration // how long the server wants to be left alone; 0 when it does not say
	more     []task        // what the page's links have us ask for
	front    bool          // a good answer, though from the front page of the site
	followed bool          // its page's links were
	unread   string        // why not, where the verdict does not say it
	kept     bool          // it was robots.txt
}

// ask asks for a target and gives it its verdict, or says when to ask again.
func (r *run) ask(ctx context.Context, t *target) again {
	if t.asking == nil {
		u, err := anyurl.Parse(t.text)
		if err != nil { // nothing is serialised that cannot be read again
			r.mu.Lock()
			defer r.mu.Unlock()
			r.decide(t, Result{State: Broken, Reason: "no URL: " + broken(err), From: "rule"})
			return again{}
		}
		t.asking = &asking{url: u.WithoutFragment(), spent: time.Duration(t.ms) * time.Millisecond}
	}
	start, before := time.Now(), waited(ctx)
	v := r.request(ctx, t)
	if v.doubtful && t.method == "HEAD" {
		t.method = "GET" // and stay with it
		v = r.request(ctx, t)
	}
	t.spent += time.Since(start) - (waited(ctx) - before)
	nameless := v.nameless && r.noNames(ctx)
	if nameless {
		v.State, v.Reason = Unsure, "no name resolves here, and so nothing can be said of this one"
	}
	if ctx.Err() != nil {
		return again{} // interrupted, not answered
	}
	c := r.checker
	// That a name is not there is only believed when it was said twice.
	if v.passing && t.tries < max(c.triesOf(v), v.atLeast) && v.wait <= c.patience() {
		pause := min(c.pause()<<min(t.tries, 10), max(c.patience(), c.pause()))
		t.tries++
		return again{in: max(v.wait, pause), host: v.mood(false), rest: v.wait}
	}
	if c.Defer > 0 && v.passing && v.wait >= c.Defer && r.answer != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.answer(Answer{ID: t.id, Later: v.wait})
		return again{hold: v.wait}
	}
	v.At = time.Now()
	v.MS, v.RetryAfter = t.spent.Milliseconds(), v.wait
	if v.From == "" {
		v.From = "network"
	}
	if v.State != Alive {
		v.Evidence = t.evidence
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if why := cmp.Or(v.unread, v.Reason); (t.begins() || v.kept) && !v.followed && v.State != Broken && why != "" {
		r.note(t, t.url, "none of its links were followed: "+why)
	}
	if nameless {
		r.names.lost++
	}
	r.decide(t, v.Result)
	if t.unread() { // a link to a place in it was met meanwhile
		r.reopen(t)
		return again{in: 1, more: v.more}
	}
	t.asking = nil
	return again{more: v.more, host: v.mood(true), rest: v.wait}
}

// mood is what an answer tells about its host; last, where it is the last one to
// its task.
func (v verdict) mood(last bool) mood {
	switch {
	case v.crowded:
		return crowded
	case v.mute && last:
		return mute
	case v.passing:
		return unknown
	}
	return well
}

// noNames reports whether no name resolves here.
func (r *run) noNames(ctx context.Context) bool {
	if r.checker.Resolves == nil {
		return false
	}
	r.names.asked.Do(func() { r.names.none = !r.checker.Resolves(ctx) && ctx.Err() == nil })
	return r.names.none && !r.names.some.Load()
}

// resolved reports whether an answer, or an error in its place, shows that the
// name in a URL resolved.
func resolved(u anyurl.URL, err error) bool {
	host := u.Host().String()
	if u.Host().Kind() != anyurl.HostDomain || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return false
	}
	e, ok := errors.AsType[*fetch.Error](err)
	return err == nil || ok && e.Step != fetch.Gate && e.Step != fetch.Resolving && e.Step != fetch.Connecting
}

// request asks once and judges what comes.
func (r *run) request(ctx context.Context, t *target) verdict {
	r.mu.Lock()
	depth, trusted, begins, within := int(t.depth), t.trusted, t.begins(), t.within
	// A page whose links are followed is read in any case: whoever meets a link
	// to a place in it later need not ask again.
	pages := t.pages || depth > 0 && r.checker.Fragments
	r.mu.Unlock()
	if r.checker.Unknown != nil {
		if why := r.checker.Unknown(t.url); why != "" {
			return verdict{Result: Result{State: Unsure, Reason: why, From: "rule"}}
		}
	}
	if t.url.Scheme() == "afs" && !trusted {
		return verdict{Result: Result{State: Blocked, Reason: "a page from the network links to a file that this machine has by AFS", From: "rule"}}
	}
	if t.url.Scheme() == "mailto" && r.checker.Mail != nil {
		return r.mail(ctx, t)
	}
	if t.url.Scheme() == "file" {
		if !trusted {
			return verdict{Result: Result{State: Blocked, Reason: "a page from the network links to a file of this machine", From: "rule"}}
		}
		t.read = pages
		v, packed := r.checker.Files.packed(t, &r.archives, pages)
		if !packed {
			v = r.checker.Files.local(t, pages, pages && r.wantsText(t))
		}
		v.unread = "those of a file are checked where it is named by its path"
		return v
	}
	switch {
	case pages || depth > 0:
		t.method = "GET"
	case t.method == "":
		t.method = "HEAD"
	}
	client := r.checker.Client
	if !trusted && r.checker.Guarded != nil {
		client = r.checker.Guarded
	}
	client = inTurn(ctx, client)
	if trusted && r.checker.Identify != nil {
		client = identified{client, r.checker.Identify}
	}
	result, err := client.Do(ctx, &fetch.Request{URL: t.url, Method: t.method, Header: r.checker.Header})
	if resolved(t.url, err) {
		r.names.some.Store(true)
	}
	if err != nil {
		t.evidence = append(t.evidence, t.method+": "+err.Error())
		v := judgeError(t.url, err)
		if v.State == Alive { // as far as it can be
			t.anchors, t.read = &anchors{opaque: "what cannot be read"}, true
		}
		return v
	}
	v := r.checker.judge(t.url, result)
	t.evidence = append(t.evidence, t.method+": "+v.said())
	if v.State != Alive && v.State != Moved && !(v.front && begins) {
		finish(t.method, result.Body)
		return v
	}
	// Where a check begins, the site is where that ends; elsewhere, what leads out of
	// it is none of its pages.
	follows := func() bool {
		return depth > 0 && (crawlable(result) || begins) && !(within && !sameSite(result.URL, t.url))
	}
	body, err := bodyOf(t.method, result, pages || follows())
	led := false // to the page by a stub
	for n := 0; err == nil && n < mostStubs && isPage(result.Type) && result.Status == 200; n++ {
		s, leads := stubOf(result.URL, result.Header, inUTF8(body, contentType(result)))
		if !leads {
			break
		}
		next, further, failed := r.goOn(ctx, t, client, result, s)
		if failed {
			return further
		}
		if next == nil {
			break
		}
		v, result, led = further, next, true
		if body, err = bodyOf(t.method, result, pages || follows()); v.front && !begins {
			return v
		}
	}
	if err != nil {
		t.evidence = append(t.evidence, "reading the page: "+err.Error())
		return judgeError(t.url, err)
	}
	follow := follows()
	text := textOfPage(result, body)
	var seen *sight
	if follow {
		sitemaps, refused := r.allow(ctx, client, t, result.URL)
		switch {
		case refused != "":
			v.unread, v.kept = refused, true
		case !result.Listing && format.Of(path.Base(result.URL.Path()), body) == "binary":
			v.unread = "nothing here reads " + cmp.Or(result.Type, "what it is")
		default:
			v.more, seen = r.crawl(t, result, text, sitemaps)
			v.followed = true
		}
	}
	var title *string
	if pages && t.method == "GET" {
		t.anchors, t.read = anchorsSeen(text.data, text.textKind(), "", seen), true
		title, t.anchors.title = t.anchors.title, nil // it is looked at once
		t.anchors.built = t.anchors.built || led      // whether the fragment came along is not seen
		switch d := t.anchors; {
		case !r.wantsText(t):
		case isPage(result.Type):
			d.words = visible(text.data)
		case d.open || d.loose != nil:
			d.words = spaced(string(text.data))
		}
	}
	if v.front {
		return v
	}
	r.doubt(ctx, client, t, result, body, title, &v)
	return v
}

// bodyOf reads a page where it has to be read, and ends with the answer.
func bodyOf(method string, result *fetch.Result, wanted bool) (body []byte, err error) {
	if method == "GET" && wanted {
		if body, err = readPage(result); err != nil {
			return nil, err
		}
	}
	if body != nil && len(body) < maxPage {
		result.Body.Close() // it was read to its end
	} else {
		finish(method, result.Body)
	}
	return body, nil
}

// contentType is an answer's media type, with the character set that was said
// with it.
func contentType(result *fetch.Result) string {
	for name, values := range result.Header {
		if strings.EqualFold(name, "Content-Type") && len(values) > 0 && strings.HasPrefix(strings.ToLower(values[0]), result.Type+";") {
			return values[0]
		}
	}
	return result.Type
}

// finish closes a body. A short one is read to its end first: that leaves the
// connection for the next request. What was asked with HEAD has none.
func finish(method string, body io.ReadCloser) {
	if method != "HEAD" {
		io.CopyN(io.Discard, body, 16<<10)
	}
	body.Close()
}
