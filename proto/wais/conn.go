package wais

import (
	"bufio"
	"errors"
	"fmt"
	"net"
)

// A Conn is a conversation with a WAIS server: a profile of Z39.50 of 1988
// with its own message header (RFC 1625). It is not safe for use by several
// goroutines at once, except for Close.
type Conn struct {
	// Log, if not nil, is told in a few words what is sent and what came. What
	// the server chose is as it came: quote it before showing it.
	Log func(sent bool, what string)

	conn   net.Conn
	r      *bufio.Reader
	limits Limits
}

// Limits bound what is read. A zero field means its default, a negative one
// none.
type Limits struct {
	Message   int64 // octets of one reply; default 1 MiB
	Documents int   // documents in one reply; default 100000
}

// messageSize is what Init says that a message or a record may have.
const messageSize = 100_000

// readAhead is how many octets are read at once: more than a slice's reply has,
// so that what comes unasked behind one is seen.
const readAhead = 16 << 10

// A Server is what a server says of itself.
type Server struct {
	Accepted          bool   // it opened the session
	ID, Name, Version string // of the implementation
	MaxRecord         int64  // octets; 0 if it did not say
}

// A Unit is what the parts of a document are counted in.
type Unit string

// The units.
const (
	Octets     Unit = "wb"
	Lines      Unit = "wl"
	Paragraphs Unit = "wp"
)

// A Document is what a search says of a document it found.
type Document struct {
	ID       string   // its identifier, octet for octet; it means something to the server alone
	Headline string   // what a person is shown
	Types    []string // "TEXT", "GIF"; one document may come in several
	Score    int64    // the higher the better; -1 if it was not said
	Size     int64    // octets; -1 if it was not said
	Lines    int64    // -1 if it was not said
	Date     string   // as the server writes it, "0" for unknown
	Source   string   // the database
	Origin   string   // the city it comes from
}

// A Diagnostic is a server's word that something is wrong.
type Diagnostic struct {
	Code string // two characters, "S1"
	Text string // the server's words; quote them before showing them
}

// String is the code and the text.
func (d Diagnostic) String() string { return d.Code + " " + d.Text }

// Error says the code, and what it is known to mean.
func (d Diagnostic) Error() string {
	switch {
	case d.Code == "S1":
		return "the server answered S1 (the database is not available)"
	case d.OutOfRange():
		return "the server answered " + d.Code + " (nothing there)"
	}
	return fmt.Sprintf("the server answered %q", d.Code)
}

// OutOfRange reports whether the diagnostic says that what was asked for lies
// behind the document's end, which is also said of a document that is none.
func (d Diagnostic) OutOfRange() bool { return d.Code == "S4" || d.Code == "SF" }

// A Reply is the answer to a search or a retrieval.
type Reply struct {
	Documents   []Document
	Text        []byte
	HasText     bool // a part of a document came, maybe an empty one
	Diagnostics []Diagnostic
}

// remark is the first diagnostic that says more than where a document ends.
func (r Reply) remark() *Diagnostic {
	for i := range r.Diagnostics {
		if !r.Diagnostics[i].OutOfRange() {
			return &r.Diagnostics[i]
		}
	}
	return nil
}

// NewConn starts a conversation on conn, which the Conn then owns. The client
// speaks first.
func NewConn(conn net.Conn, limits Limits) *Conn {
	if limits.Message == 0 {
		limits.Message = 1 << 20
	}
	if limits.Documents == 0 {
		limits.Documents = 100_000
	}
	return &Conn{conn: conn, r: bufio.NewReaderSize(conn, readAhead), limits: limits}
}

// Close ends the connection; the protocol has no word for it.
func (c *Conn) Close() error { return c.conn.Close() }

// Init says who asks. Most servers answer a search without it.
func (c *Conn) Init() (Server, error) {
	c.log(true, "Init")
	answer, err := c.ask(initAPDU(messageSize))
	if err != nil {
		return Server{}, err
	}
	s, err := parseInit(answer)
	if err == nil {
		c.log(false, "Init-Response: "+s.Name+" "+s.Version)
	}
	return s, err
}

// Search looks for words in a database and asks for at most so many documents.
// A server that finds nothing may answer with a document that says so.
func (c *Conn) Search(database, words string, most int) (Reply, error) {
	ask, err := searchAPDU(database, words, most)
	if err != nil {
		return Reply{}, err
	}
	c.log(true, "Search in "+database+" for "+words)
	return c.reply(ask, "")
}

// Retrieve asks for a part of a document, from a unit to before another.
// Without a type freeWAIS drops the connection.
func (c *Conn) Retrieve(database, doc, typ string, unit Unit, from, to uint64) (Reply, error) {
	ask, err := retrievalAPDU(database, doc, typ, unit, from, to)
	if err != nil {
		return Reply{}, err
	}
	c.log(true, fmt.Sprintf("Search in %s for a document's %s %d to %d as %s", database, unit, from, to, typ))
	return c.reply(ask, reference)
}

// reply asks with a reference, or with none, and reads what answers.
func (c *Conn) reply(ask []byte, reference string) (Reply, error) {
	answer, err := c.ask(ask)
	if err != nil {
		return Reply{}, err
	}
	r, err := parseReply(answer, reference, c.limits.Documents)
	if err != nil {
		return Reply{}, err
	}
	c.log(false, fmt.Sprintf("Search-Response: %d documents, %d octets of text", len(r.Documents), len(r.Text)))
	for _, d := range r.Diagnostics {
		c.log(false, "diagnostic "+d.String())
	}
	return r, nil
}

// mostAcks is how many acknowledgements may come before an answer.
const mostAcks = 16

var errNak = errors.New("the server could not read the message (it answered with a negative acknowledgement)")

// ask sends an APDU and reads the one that answers.
func (c *Conn) ask(apdu []byte) ([]byte, error) {
	if c.r.Buffered() > 0 {
		// Taken for the answer to this question it would be part of an object
		// that it does not belong to.
		return nil, &Malformed{Why: "something follows it that nobody asked for"}
	}
	if _, err := c.conn.Write(message(apdu)); err != nil {
		return nil, err
	}
	for range mostAcks {
		kind, answer, err := readMessage(c.r, c.limits.Message)
		if err != nil {
			return nil, err
		}
		switch kind {
		case 'z':
			return answer, nil
		case 'n':
			return nil, errNak
		case 'a': // an acknowledgement: the answer is still to come
		default:
			return nil, &Malformed{Why: fmt.Sprintf("it is of kind %q", kind)}
		}
	}
	return nil, &Malformed{Why: "nothing but acknowledgements came"}
}

func (c *Conn) log(sent bool, what string) {
	if c.Log != nil {
		c.Log(sent, what)
	}
}
