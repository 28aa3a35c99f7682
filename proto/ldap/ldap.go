// Package ldap opens ldap and ldaps URLs (RFC 4516) by LDAP version 3 (RFC
// 4511): an entry as LDIF (RFC 2849), the entries of a search as a listing.
// Start with [New]; [Conn] is the conversation alone.
//
// It searches anonymously, or bound to the name and the password that the
// caller hands in, which go in TLS only. It reads and never writes.
package ldap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	ldapurl "anyurl/scheme/ldap"
)

// Type is the media type of LDIF, which IANA lists under no better name.
const Type = "text/x-ldif"

// maxOctets bounds what a search brings, in octets of LDIF: it is held whole.
const maxOctets = 32 << 20

// A Transport opens ldap and ldaps URLs, each on a connection of its own.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"ldap", "ldaps"} }

// Fetch searches. What the server refers elsewhere is a redirect, which is
// returned and not followed.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := ldapurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if err := canAsk(ref); err != nil {
		return nil, err
	}
	limit := int64(maxOctets)
	if req.Limits.MaxBody > 0 {
		limit = min(limit, req.Limits.MaxBody)
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	if ref.TLS {
		if conn, err = t.secure(ctx, conn, ref); err != nil {
			return nil, fetch.Fail(fetch.TLS, err)
		}
	}
	defer wire.Watch(ctx, conn)()
	c := NewConn(conn, limit+64<<10) // and what an entry has besides
	defer func() {
		// Whoever does not read our goodbye is not waited for.
		c.conn.SetWriteDeadline(time.Now().Add(time.Second))
		c.Close()
	}()
	if req.Trace != nil {
		c.log = func(kind byte, text string) { req.Trace(fetch.Event{Kind: kind, Text: text}) }
	}
	if req.Auth != nil {
		if err := t.bind(ctx, c, ref, req.Auth); err != nil {
			return nil, failed(fetch.Login, err, req.URL)
		}
	}
	return search(c, req, ref, limit)
}

// canAsk holds a URL to what it needs of us: RFC 4516, section 2.
func canAsk(ref ldapurl.Ref) error {
	if ref.Addr() == "" {
		return &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported, Err: errors.New("the URL names no server"),
			Hint: "write its name behind the slashes: ldap://HOST/" + ref.DN}
	}
	for _, x := range ref.Extensions {
		if name, critical := strings.CutPrefix(x, "!"); critical {
			return &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported, Err: fmt.Errorf("the URL is not to be opened without its extension %s, which is not known here", wire.Quote(name))}
		}
	}
	if _, err := searchRequest(ref, 0); err != nil {
		return fetch.Fail(fetch.Reading, err)
	}
	return nil
}

func (t *Transport) secure(ctx context.Context, conn net.Conn, ref ldapurl.Ref) (net.Conn, error) {
	secure, err := t.Dialer.StartTLS(ctx, conn, ref.Host.Unbracketed())
	if err != nil {
		return nil, err
	}
	return secure, nil
}

// bind logs in, in TLS whatever the scheme.
func (t *Transport) bind(ctx context.Context, c *Conn, ref ldapurl.Ref, who *fetch.Auth) error {
	if who.User == "" || who.Password == "" {
		// RFC 4513, section 5.1.2: a name without a password is taken for nobody.
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Err: errors.New("a login wants a name and a password")}
	}
	if !ref.TLS {
		err := c.StartTLS(func(conn net.Conn) (net.Conn, error) { return t.secure(ctx, conn, ref) })
		var refused *Result
		if errors.As(err, &refused) {
			return &fetch.Error{Step: fetch.TLS, Status: refused.Code, Said: refused.Message, Kind: fetch.ErrRefused,
				Err: errors.New("the server has no TLS, and a password goes nowhere in clear text"), Hint: "ldaps may have it"}
		}
		if err != nil {
			return err
		}
	}
	return c.Bind(who.User, who.Password)
}

// search asks and puts the answer together.
func search(c *Conn, req *fetch.Request, ref ldapurl.Ref, limit int64) (*fetch.Response, error) {
	resp := &fetch.Response{URL: req.URL, Protocol: "ldap", Type: Type, Listing: ref.Scope != "base"}
	if ref.TLS {
		resp.Protocol = "ldaps"
	}
	most := max(req.Limits.MaxEntries, 0)
	if req.Head() {
		ref.Attributes = []string{"1.1"} // RFC 4511, section 4.5.1.8: names alone
	}
	out, found := []byte("version: 1\n"), 0
	err := c.Search(ref, most, func(e Entry) error {
		found++
		if err := fetch.CheckEntries(found, req.Limits); err != nil {
			return err
		}
		out = appendLDIF(out, e)
		if int64(len(out)) > limit {
			return &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: fmt.Errorf("the entries are %w of %d octets", fetch.ErrTooLarge, limit)}
		}
		if resp.Listing {
			resp.Entries = append(resp.Entries, listed(ref, e)...)
		}
		return nil
	})
	var r *Result
	if errors.As(err, &r) && r.Code == 10 && len(r.Referral) > 0 {
		resp.Location = referral(r.Referral)
		resp.Status, resp.Listing, resp.Entries = r.Code, false, nil
		resp.Body = io.NopCloser(strings.NewReader(""))
		return resp, nil
	}
	if err != nil {
		return nil, failed(fetch.Body, err, req.URL)
	}
	if found == 0 && !resp.Listing {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("the entry does not match the filter, or is not shown to everybody")}
	}
	resp.Size = int64(len(out))
	if req.Head() {
		out, resp.Size = nil, -1
	}
	resp.Body = io.NopCloser(bytes.NewReader(out))
	return resp, nil
}

// referral is the one of several URLs to go to: one for this protocol, where
// there is one.
func referral(urls []string) string {
	i := slices.IndexFunc(urls, func(u string) bool {
		name, _, _ := strings.Cut(u, ":")
		return strings.EqualFold(name, "ldap") || strings.EqualFold(name, "ldaps")
	})
	return urls[max(i, 0)]
}

// listed is what a search found, as entries of a listing.
func listed(ref ldapurl.Ref, e Entry) []fetch.Entry {
	if e.Elsewhere != nil {
		u := referral(e.Elsewhere)
		return []fetch.Entry{{Name: u, URL: u, Type: "link", Size: -1, Raw: u}}
	}
	at := ldapurl.Ref{TLS: ref.TLS, Host: ref.Host, Port: ref.Port, DN: e.DN, Attributes: ref.Attributes, Scope: "base", Filter: "(objectClass=*)"}
	listed := fetch.Entry{Name: e.DN, Type: "entry", Size: -1, Raw: e.DN}
	if u := at.URL(); !u.IsZero() {
		listed.URL = u.String()
	}
	return []fetch.Entry{listed}
}

// failed says what kind of failure a Result is.
func failed(step string, err error, u anyurl.URL) error {
	var r *Result
	if !errors.As(err, &r) {
		return fetch.Fail(step, err)
	}
	e := &fetch.Error{Step: fetch.Status, URL: u, Status: r.Code, Said: r.Message, Err: r}
	if step == fetch.Login {
		e.Step = step
	}
	switch r.Code {
	case 32:
		e.Kind = fetch.ErrNotFound
		if r.MatchedDN != "" {
			e.Hint = "there is " + wire.Quote(r.MatchedDN)
		}
	case 3, 4, 11:
		e.Kind = fetch.ErrTooLarge
		e.Hint = "a filter, or a scope of one, finds fewer entries"
	case 7, 8, 13, 14, 48, 49, 50, 53:
		e.Kind = fetch.ErrDenied
		e.Hint = "a name and a password for this host can stand in .netrc"
	case 51, 52:
		e.Kind = fetch.ErrBusy
	case 34:
		e.Hint = "an entry's name is written cn=NAME,dc=example,dc=com, as RFC 4514 says"
	}
	return e
}
