package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"anyurl"
	"anyurl/dial"
	"anyurl/internal/wire"
	"anyurl/percent"
)

// A Client opens URLs. Its fields are not changed after the first use; it may
// then be used by several goroutines at once.
type Client struct {
	// Transports are what is spoken, by scheme.
	Transports map[string]Transport
	// Outside are the same for public addresses alone: transports whose dialer has
	// [dial.Guard]. Where they are set, what was found at a public address leads
	// to public addresses only; what the caller asks for itself may be anywhere,
	// and may lead on to its like. A connection that Transports opened within the
	// network is never used for what came from outside. Nil lets every redirect
	// lead anywhere that Gate and Cross allow.
	Outside map[string]Transport
	// Gate is asked before every hop, the first one too; an error refuses it.
	// Nil lets everything pass.
	Gate func(anyurl.URL) error
	// Limits fill the zero fields of a Request's.
	Limits Limits
	// AllowPort permits a port that [Port] would refuse. Nil permits none.
	AllowPort func(scheme string, port uint16) bool
	// Cross decides whether a redirect may lead from one scheme to another. Nil
	// is [Cross]. Whatever it says, the gate and the port rule are asked again.
	Cross func(from, to string) bool
	// Credentials finds who asks for a URL that does not say so itself, or says no
	// password. It is asked for the first hop alone, and what it finds is for that
	// origin. Nil finds nobody.
	Credentials func(anyurl.URL) *Auth
}

// Close lets go of the connections that the transports keep for later.
func (c *Client) Close() error {
	var errs []error
	for _, all := range []map[string]Transport{c.Transports, c.Outside} {
		for _, t := range all { // one may stand for several schemes; closing twice does no harm
			if cl, ok := t.(io.Closer); ok {
				errs = append(errs, cl.Close())
			}
		}
	}
	return errors.Join(errs...)
}

// A Hop is one URL that was asked.
type Hop struct {
	// URL as it was asked, without its password.
	URL string `json:"url"`
	// Status is the protocol's own number for the answer; 0 if it has none.
	Status int `json:"status"`
	// Location is where it sent us, as the server said it; "" for the last hop.
	Location string `json:"location,omitempty"`
	// Permanent is set when that is said to be for good.
	Permanent bool `json:"permanent,omitempty"`
	// Codes are the audit's codes for what is odd about the step.
	Codes []string `json:"codes,omitempty"`
}

// A Result is what came, and the way to it.
type Result struct {
	*Response
	// Hops are every URL that was asked, the last one too.
	Hops []Hop

	clock  *countdown
	paused bool
}

// Pause keeps the time that an object may take in all from running out while nobody
// reads it, as it waits for its turn to be written. It is for whoever reads the Body.
func (r *Result) Pause() { r.paused = r.clock != nil && r.clock.stop() }

// Resume lets the time run that [Result.Pause] stopped.
func (r *Result) Resume() {
	if r.paused {
		r.paused = false
		r.clock.start()
	}
}

// Cross is the default rule for redirects to another scheme: http and https
// may lead to each other; a gopher item may name a page or a session, which is
// what its types are for; a Prospero server says by which protocol an object is
// to be had, which is what it is for. Everything else is refused: a server must not be
// able to have us open a file, or speak another protocol to a third.
func Cross(from, to string) bool {
	switch from {
	case "http", "https":
		return to == "http" || to == "https"
	case "gopher", "gophers":
		switch to {
		case "gopher", "gophers", "http", "https", "telnet", "tn3270":
			return true
		}
	case "prospero":
		switch to {
		case "prospero", "ftp", "gopher", "nfs", "telnet":
			return true
		}
	}
	return false
}

// Do opens what req asks for, following where servers send it. Errors are
// *[Error]. The Result's Body is the caller's to close; until then the limits
// on it run.
func (c *Client) Do(ctx context.Context, req *Request) (*Result, error) {
	switch {
	case ctx == nil:
		return nil, &Error{Step: Asking, Err: errors.New("there is no context")}
	case req == nil || req.URL.IsZero():
		return nil, &Error{Step: Asking, Err: errors.New("there is no URL to open")}
	}
	own := *req // which the caller does not change
	r := &own
	r.Limits = r.Limits.Or(c.Limits).Or(DefaultLimits())
	if r.Limits.Connect > 0 {
		ctx = dial.WithTimeout(ctx, r.Limits.Connect)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	clock := &countdown{}
	if r.Limits.Total > 0 {
		clock = countDown(r.Limits.Total, func() { cancel(ErrTotal) })
	}
	release := func() { clock.end(); cancel(context.Canceled) }
	if r.Auth == nil && c.Credentials != nil && r.URL.Password() == "" {
		r.Auth = c.Credentials(r.URL)
	}
	var hops []Hop
	if r.Trace != nil {
		r.Trace = func(e Event) {
			e.Text = wire.Veil(e.Text, r.secrets())
			req.Trace(e)
		}
	}
	fail := func(e *Error) (*Result, error) {
		e.veil(r.secrets())
		e.Hops = hops
		release()
		return nil, e
	}
	if err := c.vet(r.URL); err != nil {
		return fail(complete(ctx, err, r.URL, Gate))
	}
	var asked map[anyurl.URL]bool // once something has led somewhere else
	var cookie error
	within := true // everything so far was at addresses that are not public
	for {
		u := r.URL
		turn, end, err := await(ctx, u, clock)
		var resp *Response
		if err == nil {
			resp, err = c.hop(turn, cancel, r, &within)
			end()
		}
		if err != nil {
			e := complete(ctx, err, u, Asking)
			if len(hops) > 0 && e.Code == "resolves-internal" {
				e.Code = "redirect-to-internal"
			}
			return fail(e)
		}
		hop := Hop{URL: u.Redacted(), Status: resp.Status, Location: resp.Location, Permanent: resp.Permanent}
		if resp.Location == "" {
			if resp.URL.IsZero() {
				resp.URL = u
			}
			if resp.Status >= 300 && resp.Status < 400 && resp.Status != 304 && isHTTP(u.Scheme()) {
				hop.Codes = append(hop.Codes, "redirect-no-location")
			}
			hops = append(hops, hop)
			if resp.Size >= 0 && Over(resp.Offset+resp.Size, r.Limits.MaxBody) && !r.Head() {
				resp.Body.Close()
				return fail(&Error{Step: Limit, URL: u, Kind: ErrTooLarge,
					Err: fmt.Errorf("the object has %d octets, %w", resp.Offset+resp.Size, tooLarge(r.Limits.MaxBody))})
			}
			resp.Body = newBody(ctx, cancel, release, resp, r)
			return &Result{Response: resp, Hops: hops, clock: clock}, nil
		}
		discard(resp.Body)
		if len(resp.Header["Set-Cookie"]) > 0 {
			cookie = ErrCookie
		}
		if asked == nil {
			asked = map[anyurl.URL]bool{}
		}
		asked[u.WithoutFragment()] = true
		next, codes, err := c.follow(u, resp.Location)
		hop.Codes = codes
		hops = append(hops, hop)
		if err != nil {
			return fail(complete(ctx, err, u, Redirect))
		}
		if asked[next.WithoutFragment()] {
			return fail(&Error{Step: Redirect, URL: u, Kind: ErrLoop, Code: "redirect-loop",
				Err: also(fmt.Errorf("%w: redirect %d of at most %d leads back to %s", ErrLoop, len(hops), r.Limits.MaxHops, shown(next)), cookie)})
		}
		if Over(len(hops), r.Limits.MaxHops) {
			return fail(&Error{Step: Redirect, URL: u, Kind: ErrTooManyHops, Code: "too-many-redirects",
				Err: also(fmt.Errorf("%w: more than %d", ErrTooManyHops, r.Limits.MaxHops), cookie)})
		}
		// As the server said it, user info and all: that is part of the trick.
		if err := c.vet(next); err != nil {
			e := complete(ctx, err, next, Gate)
			if strings.HasPrefix(e.Code, "ip-") || strings.HasSuffix(e.Code, "-name") {
				e.Code = "redirect-to-internal"
			}
			return fail(e)
		}
		r = carry(r, next)
	}
}

// vet asks the gate and the port rule.
func (c *Client) vet(u anyurl.URL) error {
	if c.Gate != nil {
		if err := c.Gate(u); err != nil {
			e := &Error{Step: Gate, URL: u, Kind: ErrRefused, Err: err}
			var why interface{ Code() string } // a gate that tells
			if errors.As(err, &why) {
				e.Code = why.Code()
			}
			return e
		}
	}
	if err := Port(u); err != nil && (c.AllowPort == nil || !c.AllowPort(u.Scheme(), u.EffectivePort())) {
		return err
	}
	return nil
}

// hop asks for one URL. Where Outside is set, it is asked first: that it
// answers is proof that the address was public, whatever the name leads to the
// next time, and from there the way leads only to others.
func (c *Client) hop(ctx context.Context, cancel context.CancelCauseFunc, r *Request, within *bool) (*Response, error) {
	if c.Outside == nil {
		return c.fetch(ctx, cancel, r, c.Transports)
	}
	if !*within {
		return c.fetch(ctx, cancel, r, c.Outside)
	}
	if a, ok := r.URL.Host().Addr(); ok && dial.Guard("", netip.AddrPortFrom(a.Unmap(), 0)) != nil {
		return c.fetch(ctx, cancel, r, c.Transports) // it would be refused
	}
	// A request that was refused before it was connected is no conversation.
	first, tell := r, func() {}
	if r.Trace != nil {
		first, tell = heldBack(r)
	}
	resp, err := c.fetch(ctx, cancel, first, c.Outside)
	var refused *dial.Refused
	if errors.As(err, &refused) && ctx.Err() == nil {
		return c.fetch(ctx, cancel, r, c.Transports)
	}
	tell()
	*within = false
	return resp, err
}

// heldBack is r with what is said kept until there is an answer, or until tell is
// called.
func heldBack(r *Request) (first *Request, tell func()) {
	one := *r
	var events []Event
	held := true
	tell = func() {
		for _, e := range events {
			r.Trace(e)
		}
		events, held = nil, false
	}
	one.Trace = func(e Event) {
		if !held {
			r.Trace(e)
		} else if events = append(events, e); e.Kind == '<' {
			tell()
		}
	}
	return &one, tell
}

// fetch asks the scheme's transport, within the time for a first answer.
func (c *Client) fetch(ctx context.Context, cancel context.CancelCauseFunc, r *Request, transports map[string]Transport) (*Response, error) {
	if r.URL.IsZero() {
		return nil, &Error{Step: Reading, Err: errors.New("the request has no URL")}
	}
	t := transports[r.URL.Scheme()]
	if t == nil {
		return nil, &Error{Step: Asking, URL: r.URL, Kind: ErrUnsupported,
			Err: fmt.Errorf("nothing here opens %s URLs", r.URL.Scheme()), Hint: c.speaks()}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if r.Limits.FirstByte > 0 {
		timer := time.AfterFunc(r.Limits.FirstByte, func() { cancel(ErrFirstByte) })
		defer timer.Stop()
	}
	resp, err := t.Fetch(ctx, r)
	if err == nil && ctx.Err() != nil {
		resp.Body.Close()
		err = context.Cause(ctx)
	}
	return resp, err
}

func (c *Client) speaks() string {
	if len(c.Transports) == 0 {
		return ""
	}
	return "it opens " + strings.Join(slices.Sorted(maps.Keys(c.Transports)), ", ")
}

// follow reads where a server sends us and asks whether we may go.
func (c *Client) follow(from anyurl.URL, location string) (next anyurl.URL, codes []string, err error) {
	next, err = anyurl.ParseRef(octets(location), from)
	if err != nil {
		return anyurl.URL{}, []string{"redirect-odd-location"}, &Error{Step: Redirect, URL: from, Said: location, Kind: ErrMalformed,
			Code: "redirect-odd-location", Err: fmt.Errorf("the place it sends us to does not parse: %w", err)}
	}
	if odd(location) {
		codes = append(codes, "redirect-odd-location")
	}
	if from.Scheme() == "https" && next.Scheme() == "http" {
		codes = append(codes, "redirect-downgrade")
	}
	cross := c.Cross
	if cross == nil {
		cross = Cross
	}
	if f, t := from.Scheme(), next.Scheme(); f != t && !cross(f, t) || t == "file" {
		return anyurl.URL{}, append(codes, "redirect-to-scheme"), &Error{Step: Redirect, URL: from, Said: location, Kind: ErrRefused,
			Code: "redirect-to-scheme", Err: fmt.Errorf("a redirect from %s to %s is not followed", f, t)}
	}
	// Fetch Standard, HTTP-redirect fetch: the fragment stays unless a new one came.
	if !next.HasFragment() && from.HasFragment() {
		if v, err := next.WithFragment("#" + from.Fragment()); err == nil {
			next = v
		}
	}
	return next, codes, nil
}

// octets writes each octet of a text that is not UTF-8 as it would stand in a URL,
// for it means that octet: so browsers take the Location of old servers.
func octets(location string) string {
	if utf8.ValidString(location) {
		return location
	}
	out := make([]byte, 0, len(location)+16)
	for _, c := range []byte(location) {
		if c < utf8.RuneSelf {
			out = append(out, c)
		} else {
			out = percent.AppendByte(out, c)
		}
	}
	return string(out)
}

// also is err with what else is to be known of it, if anything.
func also(err, more error) error {
	if more == nil {
		return err
	}
	return fmt.Errorf("%w; %w", err, more)
}

// odd reports whether a Location had to be mended: it holds octets that a URL
// has not.
func odd(location string) bool {
	return strings.ContainsFunc(location, func(r rune) bool { return r <= ' ' || r >= 0x7F || strings.ContainsRune("\"<>\\^`{|}", r) })
}

// common are the header fields that say nothing about who asks. Every other may
// be a key, and speaks to one origin.
var common = []string{"accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt",
	"if-modified-since", "pragma", "te", "upgrade-insecure-requests", "user-agent"}

// toStrangers leaves of header what may go to another origin.
func toStrangers(header map[string][]string) map[string][]string {
	header = maps.Clone(header)
	maps.DeleteFunc(header, func(name string, _ []string) bool { return !slices.Contains(common, strings.ToLower(name)) })
	return header
}

// carry is the request for the next hop. Credentials stay with the origin they
// were given for, and once dropped they do not come back; those that a server
// puts into a Location are not sent at all.
func carry(from *Request, next anyurl.URL) *Request {
	r := *from
	user, password := "", ""
	if sameOrigin(r.URL, next) {
		user, password = r.URL.Username(), r.URL.Password()
	} else {
		r.Auth = nil
		r.Header = toStrangers(r.Header)
		r.Validator = ""
	}
	if next.HasUserinfo() || user != "" || password != "" {
		// The setters refuse only where a URL can have no user info at all, and
		// then it has none.
		if v, err := next.WithUsername(user); err == nil {
			next = v
		}
		if v, err := next.WithPassword(password); err == nil {
			next = v
		}
	}
	r.URL = next
	return &r
}

func sameOrigin(a, b anyurl.URL) bool {
	return a.Scheme() == b.Scheme() && a.Host() == b.Host() && a.EffectivePort() == b.EffectivePort()
}

func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

// discard reads what little a redirect says, so that the connection can serve
// the next hop, and closes it.
func discard(rc io.ReadCloser) {
	io.CopyN(io.Discard, rc, 16<<10)
	rc.Close()
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w of %d octets", ErrTooLarge, limit)
}

// IsTimeout reports whether err came about because a time limit ran out.
func IsTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
