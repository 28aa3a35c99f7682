// Package waisd is a WAIS server for tests: it keeps databases, searches them
// and gives their documents out in slices, over the profile of Z39.50 of 1988.
// It can be told to go wrong with any one of its messages. Start with [Server].
//
// It was written from RFC 1625, from a description of the messages in the WAIS
// protocol specification of 1990, and from exchanges recorded with freeWAIS-sf
// 2.2.8, without a look at the client that it is to test: what the two agree on
// was understood twice.
package waisd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
)

// A Document is one document of a database.
type Document struct {
	Path     string // its local identifier holds it
	Headline string // Path's last part and its folder, as freeWAIS writes it, if empty
	Words    string // a search for one of them finds it
	Forms    []Form // what it is to be had as, the first one by default
	Date     string // "0" if empty
}

// A Form is a document in one of its types.
type Form struct {
	Type string // "TEXT"
	Data []byte
}

// The groups in which a search's hits can come.
const (
	Headers      = tagHeader      // everything in one group, as freeWAIS has it
	ShortHeaders = tagShortHeader // without headline, date and origin
	LongHeaders  = tagLongHeader  // as headers, and what else there is
	Headlines    = tagHeadlines   // without score, length, lines and types
)

// A Diagnostic is a server's word that something is wrong.
type Diagnostic struct {
	Code string // two characters
	Text string
}

// The codes of Z39.50-1988's diagnostics that are given here.
const (
	PermanentError    = "S1"
	TemporaryError    = "S2"
	UnsupportedSearch = "S3"
	OutOfRange        = "SF"
	TooLong           = "SC" // too many characters in the search
)

// A Server is the state of a server. Its exported fields are not changed once
// it serves.
type Server struct {
	// Name is what it calls itself in identifiers, "wais.example:210" if empty.
	Name string
	// Databases are its databases by name.
	Databases map[string][]Document
	// WantsInit has it drop a connection that begins with anything but an Init,
	// as a server of the profile of 1988 may.
	WantsInit bool
	// Rejects has it answer an Init with "not accepted".
	Rejects bool
	// Record is the greatest record it sends, in octets, which it says in answer
	// to an Init; a slice that is longer comes cut. 0 is 100,000.
	Record int
	// Group is the group in which hits come; 0 is Headers.
	Group int
	// Extra has every reply hold groups and fields that no document describes,
	// and numbers with zeros before them.
	Extra bool
	// Queries are words for which a search ends in a diagnostic; a code of ""
	// closes the connection instead, as freeWAIS does with what it cannot read.
	Queries map[string]Diagnostic
	// Fault decides what becomes of the n-th reply of a connection, from 1. Nil
	// sends it.
	Fault func(n int, reply []byte) []Act

	mu         sync.Mutex
	complaints []string
	inits      int
	searches   int
	retrievals int
}

// Complaints are what clients sent that the protocol does not have.
func (s *Server) Complaints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.complaints)
}

// Counts are how many requests of each kind came.
func (s *Server) Counts() (inits, searches, retrievals int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inits, s.searches, s.retrievals
}

func (s *Server) complain(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.complaints = append(s.complaints, err.Error())
}

// Serve talks to one client until either has had enough.
func (s *Server) Serve(conn net.Conn) {
	begun := false
	for n := 1; ; n++ {
		r, err := receive(conn)
		if err != nil {
			if !errors.Is(err, io.EOF) && !isNetwork(err) {
				s.complain(err)
			}
			return
		}
		if s.WantsInit && !begun && r.kind != initRequest {
			return
		}
		begun = true
		reply := s.answer(r)
		if reply == nil {
			return
		}
		acts := []Act{{Say: reply}}
		if s.Fault != nil {
			acts = s.Fault(n, reply)
		}
		if !perform(conn, acts) {
			return
		}
	}
}

// isNetwork tells a client that went away from one that speaks wrongly.
func isNetwork(err error) bool {
	var ne *net.OpError
	return errors.As(err, &ne) || errors.Is(err, io.ErrUnexpectedEOF)
}

// receive reads one message.
func receive(conn net.Conn) (request, error) {
	head := make([]byte, headLength)
	if _, err := io.ReadFull(conn, head); err != nil {
		return request{}, err
	}
	n, err := readHead(head)
	if err != nil {
		return request{}, err
	}
	if n > 1<<16 {
		return request{}, fmt.Errorf("a request of %d octets", n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(conn, b); err != nil {
		return request{}, err
	}
	return readRequest(b)
}

// answer gives the reply to a request as a message, nil for closing.
func (s *Server) answer(r request) []byte {
	s.mu.Lock()
	switch {
	case r.kind == initRequest:
		s.inits++
	case r.retrieval:
		s.retrievals++
	default:
		s.searches++
	}
	s.mu.Unlock()
	switch {
	case r.kind == initRequest:
		return s.welcome(r)
	case r.retrieval:
		return s.retrieve(r)
	default:
		return s.search(r)
	}
}

// record is the greatest record.
func (s *Server) record() int {
	if s.Record == 0 {
		return 100_000
	}
	return s.Record
}

func (s *Server) welcome(r request) []byte {
	accepted := byte(1)
	if s.Rejects {
		accepted = 0
	}
	h := []byte{initResponse, accepted}
	h = append(h, tagged(tagVersion, "\x80")...)
	h = append(h, tagged(tagOptions, "\x80")...)
	h = append(h, s.number(tagMessageSize, min(r.messageSize, s.record()))...)
	h = append(h, s.number(tagRecordSize, min(r.recordSize, s.record()))...)
	h = append(h, tagged(tagImplementation, "FAKE")...)
	h = append(h, tagged(tagName, "a server for tests")...)
	h = append(h, tagged(tagRelease, "1")...)
	if r.hasRef {
		h = append(h, tagged(tagReference, r.reference)...)
	}
	info := append(tagged(tagChunkCode, "\x00"), tagged(tagChunkIDLength, "\x00")...)
	return Message(apdu(h, tagged(tagUserInfo, info)))
}

// number writes a number, with zeros before it where that is wanted.
func (s *Server) number(tag, n int) []byte {
	if !s.Extra {
		return number(tag, n)
	}
	return tagged(tag, []byte{0, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// respond makes a Search-Response of record groups. Its counts are as freeWAIS
// gives them: no hits, whatever there are, and what is in the reply.
func (s *Server) respond(r request, groups [][]byte) []byte {
	h := []byte{searchResponse, 0}
	h = append(h, three(0)...)
	h = append(h, three(len(groups))...)
	h = append(h, three(0)...)
	h = append(h, tagged(tagPresentStatus, "\x00")...)
	if r.hasRef {
		h = append(h, tagged(tagReference, r.reference)...)
	}
	var info []byte
	if s.Extra {
		h = append(h, tagged(77, "unheard of")...)
		info = append(info, tagged(tagSeedsUsed, r.words)...)
		info = append(info, tagged(300, "a group that no document describes")...)
	}
	info = append(info, bytes.Join(groups, nil)...)
	return Message(apdu(h, tagged(tagUserInfo, info)))
}

// diagnostic writes a diagnostic, which is no tagged field: its length has two
// octets, and another octet closes it.
func diagnostic(d Diagnostic, surrogate bool) []byte {
	text := d.Code + d.Text + "\x00"
	if surrogate {
		text = text[:len(text)-1] + "\x01"
	}
	out := []byte{tagDiagnostic, byte(len(text) >> 8), byte(len(text))}
	return append(append(out, text...), tagEndDiagnostic)
}

func (s *Server) search(r request) []byte {
	if d, ok := s.Queries[r.words]; ok {
		if d.Code == "" {
			return nil
		}
		return s.respond(r, [][]byte{diagnostic(d, false)})
	}
	db := r.database
	if db == "" {
		db = "INFO"
	}
	docs, ok := s.Databases[db]
	if !ok {
		return s.respond(r, [][]byte{diagnostic(Diagnostic{PermanentError, "The following database is not available: /srv/wais/db/" + db}, false)})
	}
	var groups [][]byte
	words := strings.Fields(strings.ToLower(r.words))
	for _, d := range docs {
		if len(groups) == r.most {
			break
		}
		hits := 0
		for _, w := range words {
			if slices.Contains(strings.Fields(strings.ToLower(d.Words)), w) {
				hits++
			}
		}
		if hits > 0 {
			groups = append(groups, s.hit(db, d, 1000*hits/len(words)))
		}
	}
	return s.respond(r, groups)
}

// DocID is the identifier of a document: its server, database and local
// identifier, once for the origin and once for the distributor, and a
// disposition.
func (s *Server) DocID(database string, d Document) string {
	name := s.Name
	if name == "" {
		name = "wais.example:210"
	}
	path := "/srv/wais/db/" + database
	local := fmt.Sprintf("0 %d %s", len(d.Forms[0].Data), d.Path)
	var id []byte
	for i, v := range []string{name, path, local, name, path, local, "\x00"} {
		id = append(id, tagged(i+1, v)...)
	}
	return string(id)
}

func (s *Server) hit(database string, d Document, score int) []byte {
	headline := d.Headline
	if headline == "" {
		i := strings.LastIndexByte(d.Path, '/') + 1
		headline = d.Path[i:] + "   " + d.Path[:i]
	}
	date := d.Date
	if date == "" {
		date = "0"
	}
	var types []byte
	for _, f := range d.Forms {
		types = append(types, tagged(tagType, f.Type)...)
	}
	group := s.Group
	if group == 0 {
		group = Headers
	}
	b := tagged(tagDocID, s.DocID(database, d))
	b = append(b, number(tagVersionNumber, 0)...)
	if group != Headlines {
		b = append(b, s.number(tagScore, score)...)
		b = append(b, number(tagBestMatch, 0)...)
		b = append(b, s.number(tagLength, len(d.Forms[0].Data))...)
		b = append(b, s.number(tagLines, bytes.Count(d.Forms[0].Data, []byte("\n")))...)
		b = append(b, tagged(tagTypes, types)...)
	}
	b = append(b, tagged(tagSource, "/srv/wais/db/"+database)...)
	if group != ShortHeaders {
		b = append(b, tagged(tagDate, date)...)
		b = append(b, tagged(tagHeadline, headline)...)
		b = append(b, tagged(tagOrigin, "Cambridge")...)
	}
	if s.Extra {
		b = append(b, tagged(199, "a field that no document describes")...)
	}
	return tagged(group, b)
}

// retrieve gives out the part of a document that lies in the range asked for,
// and says so where the range leaves it.
func (s *Server) retrieve(r request) []byte {
	if r.docType == "" {
		return nil // as freeWAIS does
	}
	out := diagnostic(Diagnostic{OutOfRange, "Request out of range"}, true)
	docs, ok := s.Databases[r.database]
	if !ok {
		return s.respond(r, [][]byte{diagnostic(Diagnostic{PermanentError, "The following database is not available: /srv/wais/db/" + r.database}, false)})
	}
	i := slices.IndexFunc(docs, func(d Document) bool { return s.DocID(r.database, d) == string(r.docID) })
	if i < 0 {
		return s.respond(r, [][]byte{out})
	}
	text, past := docs[i].part(r)
	var groups [][]byte
	if len(text) > s.record() { // which leaves the range's end for another time
		text, past = text[:s.record()], false
	}
	if text != nil {
		groups = append(groups, text)
	}
	for i, text := range groups {
		b := tagged(tagDocID, r.docID)
		b = append(b, number(tagVersionNumber, 0)...)
		b = append(b, tagged(tagText, text)...)
		groups[i] = tagged(tagDocumentText, b)
	}
	if past {
		groups = append(groups, out)
	}
	return s.respond(r, groups)
}

// part is what lies in the range that was asked for, in the type asked for; a
// type that the document does not have gives the first, as freeWAIS does. Past
// says that the range leaves the document. Text is nil where the range is wholly
// behind it; a document without octets has an empty text.
func (d Document) part(r request) (text []byte, past bool) {
	data := d.Forms[0].Data
	for _, f := range d.Forms {
		if f.Type == r.docType {
			data = f.Data
		}
	}
	cuts := func(i int) int { return i } // where a unit begins
	n := len(data)
	if r.unit != "wb" {
		end := "\n"
		if r.unit == "wp" {
			end = "\n\n"
		}
		ends := []int{0}
		for part := range bytes.SplitAfterSeq(data, []byte(end)) {
			if len(part) > 0 {
				ends = append(ends, ends[len(ends)-1]+len(part))
			}
		}
		cuts = func(i int) int { return ends[i] }
		n = len(ends) - 1
	}
	if r.from >= n && r.from > 0 || r.to < r.from {
		return nil, true
	}
	text = data[cuts(r.from):cuts(min(r.to, n))]
	if text == nil {
		text = []byte{}
	}
	return text, r.to > n
}
