// Package fetch opens URLs. It holds the contract between those who want an
// object ([Request], [Response]) and the protocols that bring it
// ([Transport]), and a [Client] that does what no protocol should decide
// alone: it asks the gate before every hop, keeps the budgets, follows
// redirects from the top, and never carries credentials to another origin.
//
// It knows no protocol; proto/builtin lists those that this build speaks.
// Start with [Client.Do].
package fetch

import (
	"context"
	"io"
	"time"

	"anyurl"
)

// A Request is what to open and how.
type Request struct {
	// URL is what to open, as it was read and vetted. Transports read its
	// parts; nobody prints it and parses it again.
	URL anyurl.URL
	// Base is the URL of the document that URL stands in; zero for none. It tells
	// where to look for what only has a meaning inside another object: cid in a
	// message.
	Base anyurl.URL
	// Method is "GET", also when empty, or "HEAD": everything but the body,
	// for the protocols that have a way to ask for that.
	Method string
	// Header holds further fields for protocols that send them, by name. To
	// another origin than that of URL go those alone that cannot be a key, such
	// as Accept-Language.
	Header map[string][]string
	// Auth is who asks, for the origin of URL. Nil leaves it to what the URL
	// says itself.
	Auth *Auth
	// Offset asks for the object from that octet on. Whether it came so is in
	// the Response's Offset.
	Offset int64
	// Validator is the ETag or Last-Modified value that the first Offset octets
	// came with: a transport that can, asks for the rest only if it still holds.
	Validator string
	// Before asks, of a listing that is numbered and too long to come at once, for
	// those before that number, where the latest come otherwise: of a newsgroup's
	// articles. What came is in the Header's Content-Range.
	Before uint64
	// When asks for the time of the last change, too, where the protocol tells
	// that only in answer to a question of its own.
	When bool
	// Limits bound this request; a zero field means the Client's, then the default.
	Limits Limits
	// Trace, if not nil, is told what is said on the wire, secrets masked.
	Trace func(Event)
	// Progress, if not nil, is told as the body is read how many octets of it
	// have come so far.
	Progress func(octets int64)
}

// Head reports whether the request wants no body.
func (r *Request) Head() bool { return r.Method == "HEAD" }

// An Auth is a user and a password, decoded. HasPassword tells an empty password
// from none.
type Auth struct {
	User, Password string
	HasPassword    bool
}

// An Event is one line of a conversation, for a person to look at.
type Event struct {
	// Kind is '>' for what was sent, '<' for what came, '*' for a remark.
	Kind byte
	// Text is the line without its end, as it was: quote it before showing it.
	Text string
}

// A Response is an object, or word of where it is.
type Response struct {
	// URL is what was opened. It may differ from the Request's where a server
	// turned a name into a folder.
	URL anyurl.URL
	// Protocol is what was spoken, with its version where it has one:
	// "HTTP/1.1", "ftp", "gopher".
	Protocol string
	// Status is the protocol's own number for how it went; 0 where it has none.
	Status int
	// Type is the media type, told or guessed, in lower case and without
	// parameters; "" if nothing is known.
	Type string
	// Size is how many octets Body will give; -1 if unknown. For HEAD it is what
	// Body would have given.
	Size int64
	// Offset is where in the object Body begins.
	Offset int64
	// Header holds what the server said about the object, by field name.
	Header map[string][]string
	// ModTime is when the object was last changed, if known.
	ModTime time.Time
	// Location is where the server says the object is, as it said it. A
	// transport never goes there.
	Location string
	// Permanent is set when Location is said to be for good.
	Permanent bool
	// Listing is set when the object is a list of others: a folder, a menu, a
	// group. Entries are its parts; Body is the list as it came.
	Listing bool
	Entries []Entry
	// Body is the object, never nil. Whoever has the Response closes it. When
	// the context ends, a Read that waits ends too.
	Body io.ReadCloser
}

// An Entry is one line of a listing.
type Entry struct {
	// Name is what the server calls it, cleaned of nothing: quote it before
	// showing it, and take no path from it.
	Name string `json:"name"`
	// URL opens it; "" for what cannot be opened.
	URL string `json:"url"`
	// Type says what it is: "file", "dir", "link" or "other" in a folder, the
	// item's type character in a gopher menu, else the protocol's word.
	Type string `json:"type"`
	// Size in octets; -1 if unknown.
	Size int64 `json:"size"`
	// Time it was last changed; zero if unknown.
	Time time.Time `json:"time,omitzero"`
	// Raw is the line as it came, without its end.
	Raw string `json:"-"`
}

// A Transport speaks one protocol. It asks once and reports what came; it
// follows nothing, retries nothing, changes nothing of the Request, and opens
// connections only through the dialer it was made with. Errors are *[Error] with
// at least Step and Err.
//
// The context rules the Body too: it ends when the caller is done with it. A
// Transport may be used by several goroutines at once. One that keeps
// connections for later is an io.Closer whose Close lets go of them, may be
// called more than once, and leaves the Transport fit for use.
type Transport interface {
	Fetch(ctx context.Context, req *Request) (*Response, error)
}

// TransportFunc is a function as a Transport.
type TransportFunc func(ctx context.Context, req *Request) (*Response, error)

// Fetch calls f.
func (f TransportFunc) Fetch(ctx context.Context, req *Request) (*Response, error) {
	return f(ctx, req)
}

// A RawBody is a Body whose octets are what a socket or a file holds, with
// nothing in between. Where the object goes to a file, the system can then
// move them without bringing them into this process.
type RawBody interface {
	io.ReadCloser
	// Raw returns the socket or the file, and end, which is called when it has
	// given its last octet, with how many it gave, and says how the object
	// ended: nil for whole. A nil src says that some octets have to be taken by
	// Read first. After src was returned, Read is not called any more.
	Raw() (src io.Reader, end func(octets int64) error)
}

// A BoundedBody is a RawBody whose source goes on where the object ends.
type BoundedBody interface {
	RawBody
	// Left is how many octets the object still has when Raw gave its source.
	Left() int64
}
