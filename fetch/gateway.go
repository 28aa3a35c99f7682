package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"anyurl"
	"anyurl/percent"
)

// A Gateway opens URLs by asking a server that knows their protocol, as RFC
// 1630 foresaw ("gateways"). It is a Transport for the schemes that the user
// sends through it.
//
// The URL goes to the gateway without its user info, and no credentials go with
// it: they are for the origin, and a gateway is another. Whether the gateway
// may be asked is the user's choice, so the gate and the port rule are asked
// about the URL, and the dialer about the gateway's address.
type Gateway struct {
	before, after string // what stands around the URL
	reserved      bool   // {+url}
	via           map[string]Transport

	// Vet is asked about the host that the gateway is to open, which the gateway
	// looks up for itself: see [dial.Dialer.Vet]. Nil lets everything pass.
	Vet func(ctx context.Context, host string, port uint16) error
}

// NewGateway makes a Gateway of a template, as in
// "http://gateway.example/open?url={url}": {url} stands for the URL with
// everything but unreserved characters escaped, {+url} for the URL as it is
// (RFC 6570, sections 3.2.2 and 3.2.3). via opens what the template gives.
func NewGateway(template string, via map[string]Transport) (*Gateway, error) {
	g := &Gateway{via: via}
	mark := "{url}"
	if strings.Contains(template, "{+url}") {
		mark, g.reserved = "{+url}", true
	}
	var ok bool
	if g.before, g.after, ok = strings.Cut(template, mark); !ok {
		return nil, errors.New(`a gateway's template needs "{url}" where the URL goes`)
	}
	if strings.Contains(g.after, "{url}") || strings.Contains(g.after, "{+url}") {
		return nil, errors.New("a gateway's template has one place for the URL")
	}
	u, err := anyurl.Parse(g.before + g.after)
	if err != nil {
		return nil, fmt.Errorf("a gateway's template must be a URL: %w", err)
	}
	if via[u.Scheme()] == nil {
		return nil, fmt.Errorf("nothing here opens a gateway's %s URL", u.Scheme())
	}
	return g, nil
}

// URL is what the gateway is asked for.
func (g *Gateway) URL(u anyurl.URL) (anyurl.URL, error) {
	u = withoutUserinfo(u.WithoutFragment())
	text := u.String()
	if !g.reserved {
		text = escape(text)
	}
	return anyurl.Parse(g.before + text + g.after)
}

// Fetch asks the gateway.
func (g *Gateway) Fetch(ctx context.Context, req *Request) (*Response, error) {
	u, err := g.URL(req.URL)
	if err != nil {
		return nil, Fail(Reading, err)
	}
	if g.Vet != nil {
		host, port, err := Target(req.URL)
		if err == nil && host != "" {
			err = g.Vet(ctx, host, port)
		}
		if err != nil {
			return nil, Fail(Reading, err)
		}
	}
	r := *req
	r.URL, r.Auth = u, nil
	r.Header = toStrangers(req.Header)
	if req.Trace != nil {
		req.Trace(Event{Kind: '*', Text: "by the gateway " + shown(u)})
	}
	resp, err := g.via[u.Scheme()].Fetch(ctx, &r)
	if err != nil {
		var e *Error
		if errors.As(Fail(Asking, err), &e) && e.URL.IsZero() {
			own := *e
			own.URL = u // what failed is the gateway
			return nil, &own
		}
		return nil, err
	}
	resp.URL = req.URL
	if resp.Location != "" {
		// It is relative to what was asked.
		if next, err := anyurl.ParseRef(resp.Location, u); err == nil {
			resp.Location = next.String()
		}
	}
	return resp, nil
}

// Close lets go of the connections that the transports keep.
func (g *Gateway) Close() error { return (&Client{Transports: g.via}).Close() }

// withoutUserinfo is u with nobody's name in it.
func withoutUserinfo(u anyurl.URL) anyurl.URL {
	if !u.HasUserinfo() {
		return u
	}
	if v, err := u.WithPassword(""); err == nil {
		u = v
	}
	if v, err := u.WithUsername(""); err == nil {
		u = v
	}
	return u
}

// escape escapes all but unreserved characters (RFC 3986, section 2.3).
func escape(s string) string {
	var b []byte
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b = append(b, c)
		default:
			b = percent.AppendByte(b, c)
		}
	}
	return string(b)
}
