package waisd

import (
	"bytes"
	"fmt"
	"net"
	"time"
)

// An Act is one thing that a server does on a connection: it waits, it says
// something, and perhaps it ends.
type Act struct {
	Pause time.Duration // before it says something; a bubble's time
	Say   []byte
	End   End
}

// An End is how a server goes on after an Act.
type End uint8

// The ends.
const (
	Stay  End = iota
	Close     // the connection
	Reset     // it, as a crash would
	Mute      // says no more, and leaves the connection open
)

// perform does what acts say, and reports whether the conversation goes on.
func perform(conn net.Conn, acts []Act) bool {
	for _, a := range acts {
		if a.Pause > 0 {
			time.Sleep(a.Pause)
		}
		if len(a.Say) > 0 {
			if _, err := conn.Write(a.Say); err != nil {
				return false
			}
		}
		switch a.End {
		case Close:
			return false
		case Reset:
			if r, ok := conn.(interface{ Reset() error }); ok {
				r.Reset()
			}
			return false
		case Mute:
			for b := make([]byte, 512); ; {
				if _, err := conn.Read(b); err != nil {
					return false
				}
			}
		}
	}
	return true
}

// At makes a Fault that happens to one reply of a connection and leaves the
// others alone.
func At(n int, do func(reply []byte) []Act) func(int, []byte) []Act {
	return func(i int, reply []byte) []Act {
		if i != n {
			return []Act{{Say: reply}}
		}
		return do(reply)
	}
}

// Octets sends a reply octet by octet, with a pause before each.
func Octets(pause time.Duration) func(reply []byte) []Act {
	return func(reply []byte) (acts []Act) {
		for i := range reply {
			acts = append(acts, Act{Pause: pause, Say: reply[i : i+1]})
		}
		return acts
	}
}

// Cut sends the first n octets of a reply and ends so.
func Cut(n int, end End) func(reply []byte) []Act {
	return func(reply []byte) []Act {
		return []Act{{Say: reply[:min(n, len(reply))], End: end}}
	}
}

// Twice sends a reply two times in one piece, the second of which answers
// nothing.
func Twice(reply []byte) []Act {
	return []Act{{Say: append(bytes.Clone(reply), reply...)}}
}

// Head writes something else over the message header from an offset on.
func Head(offset int, text string) func(reply []byte) []Act {
	return func(reply []byte) []Act {
		reply = bytes.Clone(reply)
		copy(reply[offset:headLength], text)
		return []Act{{Say: reply}}
	}
}

// Claim has the message header say n octets more or less than there are.
func Claim(more int, end End) func(reply []byte) []Act {
	return func(reply []byte) []Act {
		head := fmt.Appendf(nil, "%010d", len(reply)-headLength+more)
		return []Act{{Say: append(head, reply[10:]...), End: end}}
	}
}

// Reply sends something else instead, in a message of its own.
func Reply(apdu []byte) func(reply []byte) []Act {
	return func([]byte) []Act { return []Act{{Say: Message(apdu)}} }
}

// Raw sends octets that are no message.
func Raw(octets string) func(reply []byte) []Act {
	return func([]byte) []Act { return []Act{{Say: []byte(octets)}} }
}

// Refer has the reply name another reference than the request's. One without
// a reference gets one.
func Refer(reference string) func(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		// A Search-Response's fixed part has 11 octets with the PDU type, an
		// Init-Response's two.
		fixed := 11
		if header[0] == initResponse {
			fixed = 2
		}
		out := bytes.Clone(header[:fixed])
		fs, err := fields(header[fixed:])
		if err != nil {
			return header, info
		}
		for _, f := range fs {
			if f.tag != tagReference {
				out = append(out, tagged(f.tag, f.value)...)
			}
		}
		return append(out, tagged(tagReference, reference)...), info
	})
}

// Count has a Search-Response say how many records it holds.
func Count(n int) func(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		header = bytes.Clone(header)
		copy(header[5:8], three(n))
		return header, info
	})
}

// Complain puts a diagnostic in place of all records.
func Complain(d Diagnostic) func(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		return header, tagged(tagUserInfo, diagnostic(d, false))
	})
}

// Also puts a diagnostic behind the records.
func Also(d Diagnostic) func(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		fs, err := fields(info)
		if err != nil || len(fs) != 1 {
			return header, info
		}
		return header, tagged(tagUserInfo, append(bytes.Clone(fs[0].value), diagnostic(d, false)...))
	})
}

// Halve leaves out the second half of every text.
func Halve(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		return header, halve(info)
	})(reply)
}

// halve halves the texts in fields that hold fields. What is no field, as a
// diagnostic is none, stays.
func halve(b []byte) []byte {
	fs, err := fields(b)
	if err != nil {
		return b
	}
	var out []byte
	for _, f := range fs {
		switch f.tag {
		case tagUserInfo, tagDocumentText:
			f.value = halve(f.value)
		case tagText:
			f.value = f.value[:len(f.value)/2]
		}
		out = append(out, tagged(f.tag, f.value)...)
	}
	return out
}

// Empty leaves out all records.
func Empty(reply []byte) []Act {
	return Change(func(header, info []byte) ([]byte, []byte) {
		return header, tagged(tagUserInfo, "")
	})(reply)
}

// Change makes another reply of the header and the user information of a
// well-formed one.
func Change(do func(header, info []byte) ([]byte, []byte)) func(reply []byte) []Act {
	return func(reply []byte) []Act {
		b := reply[headLength:]
		n := 2 + int(b[0])<<8 + int(b[1])
		return []Act{{Say: Message(apdu(do(b[2:n], b[n:])))}}
	}
}
