package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	httpurl "anyurl/scheme/http"
)

// A Forward opens URLs of any scheme by asking an HTTP proxy for them, in the
// absolute form of RFC 9112, section 3.2.2. Close it to let go of idle
// connections.
//
// The proxy speaks for the user, so it is told the user info of the URL or the
// request's Auth where it has to log in: in the URL itself, but for http, where
// they are a header field. Its own user and password go to it alone.
type Forward struct {
	t     *Transport
	proxy dial.Proxy
	vet   func(ctx context.Context, host string, port uint16) error
}

// NewForward returns a Forward that asks p, of Kind "http" or "https". The
// proxy's own address is the user's choice and not asked of d's Allow; the hosts
// that it is asked for are, see [dial.Dialer.Vet].
func NewForward(d *dial.Dialer, p dial.Proxy) *Forward {
	open := *d
	open.Allow, open.Proxy = nil, nil
	return &Forward{t: New(&open), proxy: p, vet: d.Vet}
}

// Close closes the connections that wait for another request.
func (f *Forward) Close() error { return f.t.Close() }

// Fetch asks the proxy once.
func (f *Forward) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	host, port, err := fetch.Target(req.URL)
	if err == nil && host != "" {
		err = f.vet(ctx, host, port)
	}
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	out, err := f.request(req)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if req.Trace != nil {
		trace(req, '*', "by the proxy "+f.proxy.Address, nil)
	}
	resp, err := f.t.exchange(ctx, req, out, shownTarget(out))
	var own *dial.Error
	if errors.As(err, &own) {
		return nil, fetch.Fail(fetch.Connecting, &dial.Error{Step: own.Step, Host: host, Proxy: f.proxy.Address, Err: own.Err})
	}
	if errors.Is(err, fetch.ErrTruncated) || errors.Is(err, syscall.ECONNRESET) {
		return nil, &fetch.Error{Step: fetch.Connecting, Kind: fetch.ErrTruncated, Err: &dial.Error{Step: dial.Connecting, Host: host, Proxy: f.proxy.Address, Err: err}}
	}
	if err != nil {
		return nil, err
	}
	if resp.Status == http.StatusProxyAuthRequired {
		resp.Body.Close()
		e := &fetch.Error{Step: fetch.Connecting, Status: resp.Status, Kind: fetch.ErrDenied,
			Err: fmt.Errorf("the proxy %s wants a login", f.proxy.Address), Hint: "the proxy's URL may hold it: http://USER:PASSWORD@HOST:PORT"}
		if f.proxy.User != "" {
			e.Err = fmt.Errorf("the proxy %s refuses the login", f.proxy.Address)
		}
		return nil, e
	}
	if resp.Status == http.StatusOK && resp.Type == fetch.ListingType && !isWeb(req.URL.Scheme()) {
		return listed(resp, req.Limits)
	}
	return resp, nil
}

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// listed is a listing that a proxy took apart, as if it had been taken apart here.
func listed(resp *fetch.Response, limits fetch.Limits) (*fetch.Response, error) {
	defer resp.Body.Close()
	text, err := fetch.ReadListing(resp.Body, limits)
	if err != nil {
		return nil, fetch.Fail(fetch.Body, err)
	}
	if resp.Entries, err = fetch.ReadEntries(text, limits); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	for _, e := range resp.Entries {
		raw.WriteString(e.Raw + "\r\n")
	}
	resp.Listing, resp.Type, resp.Size, resp.Body = true, "text/plain", int64(raw.Len()), io.NopCloser(&raw)
	return resp, nil
}

// request writes req for the proxy.
func (f *Forward) request(req *fetch.Request) (*request, error) {
	u := req.URL.WithoutFragment()
	auth := req.Auth
	var target string
	switch u.Scheme() {
	case "http", "https":
		ref, err := httpurl.Read(u)
		if err != nil {
			return nil, err
		}
		if auth == nil && ref.HasUser {
			auth = &fetch.Auth{User: ref.User, Password: ref.Password}
		}
		target = u.Scheme() + "://" + u.HostPort() + ref.Target()
	default:
		if auth != nil && u.Password() == "" {
			var err error
			if u, err = withAuth(u, *auth); err != nil {
				return nil, err
			}
		}
		auth = nil
		// An opaque path may hold spaces, which a request line may not.
		target = strings.ReplaceAll(u.String(), " ", "%20")
	}
	accept := "*/*"
	if !isWeb(u.Scheme()) {
		accept = fetch.ListingType + ", */*;q=0.9" // a page made of a menu or a folder is for people
	}
	out := newRequest(req, auth, accept)
	out.scheme, out.address, out.host, out.target = f.proxy.Kind, f.proxy.Address, u.HostPort(), target
	if f.proxy.User != "" {
		out.fields = slices.DeleteFunc(out.fields, func(f field) bool { return f.name == "Proxy-Authorization" })
		out.add("Proxy-Authorization", basic(f.proxy.User, f.proxy.Password))
	}
	return out, nil
}

// withAuth is u with who asks for it.
func withAuth(u anyurl.URL, auth fetch.Auth) (anyurl.URL, error) {
	u, err := u.WithUsername(auth.User)
	if err == nil && auth.HasPassword {
		u, err = u.WithPassword(auth.Password)
	}
	return u, err
}

// shownTarget is what stands in the request line, without a password.
func shownTarget(out *request) string {
	if u, err := anyurl.Parse(out.target); err == nil && u.Password() != "" {
		return u.Redacted()
	}
	return out.target
}
