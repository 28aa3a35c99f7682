// Package dirsrv is a Prospero directory server for tests: it keeps directories
// and objects, answers by version 5 of the protocol, and makes datagrams
// reliable by ARDP, version 0: windows, acknowledgements, waits, and replies
// that are given again without anything being done again. The network before it
// loses, doubles and moves datagrams as a test says. Start with [Server].
//
// It was written from RFC 4157, from a description of ARDP and of the protocol
// in its draft of 1993, from ISI's page on version 0 of ARDP, and from datagrams
// recorded with a server of release Alpha.5.3, without a look at the client that
// it is to test: what the two agree on was understood twice.
package dirsrv

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An Object is what a name stands for.
type Object struct {
	// Contents are what the server has of it itself, when HasContents is set.
	Contents    []byte
	HasContents bool
	// Methods are further ways to have it, each the tokens of an ACCESS-METHOD.
	Methods [][]string
	// Lines are further lines about it, as they are to be sent.
	Lines []string
	// Links are what it holds if it is a Directory.
	Directory bool
	Links     []Link
	// Forward, if not nil, is where to ask instead.
	Forward *Target
	// Failure, if not empty, is said instead: a code and words.
	Failure string
	// Raw, if not empty, is the reply to whatever is asked about it.
	Raw string
}

// A Target is where something is.
type Target struct {
	Host    string // with a port in parentheses, perhaps
	Name    string
	Version int
}

// A Link is one entry of a directory.
type Link struct {
	Union  bool
	Kind   string // "FILE", "DIRECTORY", "EXTERNAL" …
	Name   string
	Target Target
	// Expires is the DEST-EXP behind it; "" for none.
	Expires string
	// Lines are attributes and filters, as they are to be sent with it when
	// attributes are asked for.
	Lines []string
}

// A Server is the state of a server. Its exported fields are not changed once
// it serves.
type Server struct {
	// Objects are what it knows, by name, and by name, ";" and number for a
	// version that is not the current one.
	Objects map[string]Object
	// Work is how long it works on each request. It tells the client to Wait,
	// or sends a wait packet without a time if that is 0, or nothing if it is
	// Quiet.
	Work, Wait time.Duration
	Quiet      bool
	// Totals has every packet of a reply say how many there are.
	Totals bool
	// Acks has every packet of a reply ask for an acknowledgement.
	Acks bool
	// Eager has it give the window again for every acknowledgement, however soon
	// and however little it says.
	Eager bool
	// Swaps has packets that are not sent for the first time carry the
	// connection's number with its two octets exchanged, as Alpha.5.3 did on the
	// machine of the captures.
	Swaps bool
	// Unsupported has it speak no version that it is asked in.
	Unsupported bool
	// Answer, if not nil, makes the datagrams of a reply, each time it is sent,
	// from 1.
	Answer func(time int, id uint16, reply []byte) [][]byte
	// ToServer and ToClient are the network: what becomes of the n-th datagram
	// in a direction, from 1, over all sockets. Nil delivers it.
	ToServer, ToClient func(n int, datagram []byte) [][]byte

	mu                 sync.Mutex
	complaints         []string
	toServer, toClient int
	asked              []string
}

// Complaints are what clients sent that the protocol does not have.
func (s *Server) Complaints() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.complaints)
}

// Asked are the requests that were run, in order.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Datagrams are how many came and went.
func (s *Server) Datagrams() (toServer, toClient int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.toServer, s.toClient
}

func (s *Server) complain(what string) { s.complaints = append(s.complaints, what) }

// answer is the reply to a message. The Server is locked.
func (s *Server) answer(message string) string {
	ls, err := lines(message)
	if err != nil {
		s.complain(fmt.Sprintf("%v in %q", err, message))
		return "ERROR " + err.Error() + "\n"
	}
	if len(ls) == 0 || ls[0][0] != "VERSION" {
		s.complain(fmt.Sprintf("no version in %q", message))
		return "ERROR no version\n"
	}
	if s.Unsupported || len(ls[0]) > 1 && ls[0][1] != "5" {
		return "VERSION-NOT-SUPPORTED TRY 1-5"
	}
	_, commands, _ := strings.Cut(message, "\n")
	s.asked = append(s.asked, strings.TrimSpace(commands))
	directory := ""
	var out strings.Builder
	for _, l := range ls[1:] {
		switch {
		case len(l) == 0:
			s.complain("an empty line")
		case l[0] == "AUTHENTICATE":
		case l[0] == "DIRECTORY" && len(l) >= 3 && l[1] == "ASCII":
			directory = l[2]
			if len(l) > 3 && l[3] != "0" {
				directory += ";" + l[3]
			}
		case l[0] == "LIST" && len(l) >= 3 && l[2] == "COMPONENTS":
			out.WriteString(s.list(directory, l[1], l[3:]))
		case l[0] == "GET-OBJECT-INFO" && len(l) == 5 && l[2] == "ASCII":
			name := l[3]
			if l[4] != "0" {
				if _, err := strconv.Atoi(l[4]); err != nil {
					s.complain("the version " + l[4])
				}
				name += ";" + l[4]
			}
			out.WriteString(s.info(name, l[1]))
		default:
			s.complain("the command " + l[0])
			return "ERROR Unknown message: " + l[0] + "\n"
		}
	}
	return out.String()
}

// instead is what is said of an object whatever is asked.
func (o Object) instead() string {
	switch {
	case o.Raw != "":
		return o.Raw
	case o.Failure != "":
		return "FAILURE " + o.Failure + "\n"
	case o.Forward != nil:
		f := o.Forward
		return fmt.Sprintf("FORWARDED INTERNET-D %s ASCII %s %d\n", Quote(f.Host), Quote(f.Name), f.Version)
	}
	return ""
}

// info answers GET-OBJECT-INFO as the captures have it.
func (s *Server) info(name, attributes string) string {
	o, ok := s.Objects[name]
	if text := o.instead(); ok && text != "" {
		return text
	}
	wanted := strings.Split(attributes, "+")
	switch {
	case slices.Contains(wanted, "CONTENTS"):
		if !o.HasContents {
			return "NONE-FOUND\n"
		}
		return "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA " + Quote(string(o.Contents)) + "\n"
	case !ok || attributes == "ACCESS-METHOD":
		return "FAILURE NOT-FOUND\n"
	}
	text := fmt.Sprintf("ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE %s\n", Quote(strconv.Itoa(len(o.Contents))+" bytes"))
	if slices.Contains(wanted, "#ALL") {
		text += "ATTRIBUTE OBJECT INTRINSIC NATIVE-OWNER SEQUENCE root\nATTRIBUTE OBJECT INTRINSIC LAST-MODIFIED SEQUENCE 19940613085634Z\n"
		text += strings.Join(o.Lines, "")
	}
	return text + o.methods()
}

// methods are the lines that say how the object is had.
func (o Object) methods() (text string) {
	if o.HasContents {
		text = "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n"
	}
	for _, m := range o.Methods {
		text += Method("OBJECT", m)
	}
	return text
}

// Method is the line that says how an object or a link's target is had.
func Method(applies string, tokens []string) string {
	line := "ATTRIBUTE " + applies + " INTRINSIC ACCESS-METHOD SEQUENCE"
	for _, t := range tokens {
		line += " " + Quote(t)
	}
	return line + "\n"
}

// list answers LIST.
func (s *Server) list(name, options string, components []string) string {
	o, ok := s.Objects[name]
	if text := o.instead(); ok && text != "" {
		return text
	}
	if !o.Directory {
		return "FAILURE NOT-A-DIRECTORY\n"
	}
	attributes := strings.Contains(options, "ATTRIBUTES")
	var out strings.Builder
	for _, l := range o.Links {
		if len(components) > 0 && !slices.ContainsFunc(components, func(c string) bool { m, _ := path.Match(c, l.Name); return m }) {
			continue
		}
		kind := "L"
		if l.Union {
			kind = "U"
		}
		fmt.Fprintf(&out, "LINK  %s %s %s INTERNET-D %s ASCII %s %d", kind, l.Kind, Quote(l.Name), Quote(l.Target.Host), Quote(l.Target.Name), l.Target.Version)
		if l.Expires != "" {
			out.WriteString(" DEST-EXP " + l.Expires)
		}
		out.WriteByte('\n')
		if !attributes {
			continue
		}
		if of, ok := s.Objects[l.Target.Name]; ok && !of.Directory {
			fmt.Fprintf(&out, "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE %s\n", Quote(strconv.Itoa(len(of.Contents))+" bytes"))
			out.WriteString(of.methods())
		}
		out.WriteString(strings.Join(l.Lines, ""))
	}
	if out.Len() == 0 {
		return "NONE-FOUND\n"
	}
	return out.String()
}
