package http

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"anyurl"
	"anyurl/fetch"
	httpurl "anyurl/scheme/http"
)

// A request is what is sent. Its parts are those that were vetted, and they are
// sent octet for octet: net/http would encode a path anew and lose what the URL
// Standard leaves alone, such as "|".
type request struct {
	method  string
	scheme  string // how it is sent: "http" or "https"
	address string // where: a host and a port
	target  string // RFC 9112, section 3.2
	host    string
	fields  []field
}

// A field is a header field. Its name is in the canonical form of net/textproto.
type field struct{ name, value string }

// newRequest writes what req asks for; accept is what is taken where req does not
// say.
func newRequest(req *fetch.Request, auth *fetch.Auth, accept string) *request {
	r := &request{method: http.MethodGet, fields: make([]field, 0, 8)}
	if req.Method != "" {
		r.method = req.Method
	}
	part := req.Offset > 0
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if part && (canonical == "Range" || canonical == "Accept-Encoding" || canonical == "If-Range" && req.Validator != "") {
			continue
		}
		for _, v := range req.Header[name] {
			r.add(canonical, v)
		}
	}
	if part {
		r.add("Range", "bytes="+strconv.FormatInt(req.Offset, 10)+"-")
		r.add("Accept-Encoding", "identity")
		if req.Validator != "" {
			r.add("If-Range", req.Validator)
		}
	}
	r.set("User-Agent", UserAgent)
	r.set("Accept", accept)
	r.set("Accept-Encoding", "gzip, deflate")
	if auth != nil {
		r.set("Authorization", basic(auth.User, auth.Password))
	}
	return r
}

func (r *request) add(name, value string) { r.fields = append(r.fields, field{name, value}) }

// set adds a field that is not there yet.
func (r *request) set(name, value string) {
	if !slices.ContainsFunc(r.fields, func(f field) bool { return f.name == name }) {
		r.add(name, value)
	}
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// to says where the request goes: to the URL's own server.
func (r *request) to(u anyurl.URL, ref httpurl.Ref) *request {
	r.scheme, r.address, r.host, r.target = "http", ref.Addr(), u.HostPort(), ref.Target()
	if ref.TLS {
		r.scheme = "https"
	}
	// A path that begins with "//" could be taken for a host: it goes in absolute
	// form (RFC 9112, section 3.2.2).
	if strings.HasPrefix(r.target, "//") {
		r.target = r.scheme + "://" + r.host + r.target
	}
	return r
}

// valid refuses what would end a line early.
func (r *request) valid() error {
	if i := strings.IndexFunc(r.target, func(c rune) bool { return c <= ' ' || c >= 0x7F }); i >= 0 || r.target == "" {
		return fmt.Errorf("invalid request target: octet %d is not allowed there (RFC 9112, section 3.2)", i)
	}
	if !httpguts.ValidHostHeader(r.host) {
		return fmt.Errorf("invalid Host %q (RFC 9110, section 7.2)", r.host)
	}
	for _, f := range r.fields {
		if !httpguts.ValidHeaderFieldName(f.name) {
			return fmt.Errorf("invalid header field name %q (RFC 9110, section 5.1)", f.name)
		}
		if !httpguts.ValidHeaderFieldValue(f.value) {
			return fmt.Errorf("invalid header field value of %s (RFC 9110, section 5.5)", f.name) // which may be a secret
		}
	}
	return nil
}

// write writes a valid request for HTTP/1.1.
func (r *request) write(w *bufio.Writer) error {
	say := func(words ...string) {
		for _, s := range words {
			w.WriteString(s)
		}
	}
	slices.SortStableFunc(r.fields, inOrder)
	say(r.method, " ", r.target, " HTTP/1.1\r\nHost: ", r.named(), "\r\n")
	for _, f := range r.fields {
		say(f.name, ": ", f.value, "\r\n")
	}
	say("\r\n")
	return w.Flush() // which has the first error
}

// inOrder has who asks first, and the rest by name.
func inOrder(a, b field) int {
	if first := cmp.Compare(rank(a), rank(b)); first != 0 {
		return first
	}
	return strings.Compare(a.name, b.name)
}

func rank(f field) int {
	if f.name == "User-Agent" {
		return 0
	}
	return 1
}

// named is who the request names as its host.
func (r *request) named() string {
	if r.host == "" {
		return r.address
	}
	return r.host
}

// header gives the fields in net/http's form.
func (r *request) header() http.Header {
	h := make(http.Header, len(r.fields))
	for _, f := range r.fields {
		h[f.name] = append(h[f.name], f.value)
	}
	return h
}

// std gives the request in net/http's form. What it calls opaque it leaves alone.
func (r *request) std() *http.Request {
	return &http.Request{
		Method:     r.method,
		URL:        &url.URL{Scheme: r.scheme, Host: r.address, Opaque: r.target},
		Host:       r.host,
		Header:     r.header(),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
	}
}
