package telnet

import "strconv"

// Telnet commands (RFC 854; EOR: RFC 885).
const (
	cmdEOR  = 239
	cmdSE   = 240
	cmdNOP  = 241
	cmdSB   = 250
	cmdWILL = 251
	cmdWONT = 252
	cmdDO   = 253
	cmdDONT = 254
	cmdIAC  = 255
)

// Telnet options, by IANA's registry.
const (
	Binary       = 0  // RFC 856
	Echo         = 1  // RFC 857
	SuppressGA   = 3  // RFC 858
	TerminalType = 24 // RFC 1091
	EndOfRecord  = 25 // RFC 885
	WindowSize   = 31 // RFC 1073
)

// commandNames and optionNames name commands and options for a trace.
var commandNames = map[byte]string{cmdWILL: "WILL", cmdWONT: "WONT", cmdDO: "DO", cmdDONT: "DONT", cmdSB: "SB"}

var optionNames = map[byte]string{
	Binary: "BINARY", Echo: "ECHO", SuppressGA: "SUPPRESS-GO-AHEAD", 5: "STATUS", 6: "TIMING-MARK", TerminalType: "TERMINAL-TYPE", EndOfRecord: "END-OF-RECORD",
	WindowSize: "NAWS", 32: "TERMINAL-SPEED", 33: "REMOTE-FLOW-CONTROL", 34: "LINEMODE", 35: "X-DISPLAY-LOCATION", 36: "ENVIRON", 37: "AUTHENTICATION",
	38: "ENCRYPT", 39: "NEW-ENVIRON", 40: "TN3270E", 42: "CHARSET", 44: "COM-PORT", 46: "START-TLS", 86: "COMPRESS2", 201: "GMCP",
}

func optionName(o byte) string {
	if name, ok := optionNames[o]; ok {
		return name
	}
	return strconv.Itoa(int(o))
}

// A state is where one side stands with one option, in the words of RFC 1143,
// section 7: the state and its queue bit.
type state byte

const (
	no state = iota
	yes
	wantNo
	wantNoOpposite // wanted off; on again once that is settled
	wantYes
	wantYesOpposite // wanted on; off again once that is settled
)

// A reaction is what a message makes us say.
type reaction byte

const (
	silent  reaction = iota
	assent           // DO or WILL
	dissent          // DONT or WONT
)

// offered takes a WILL (or a DO, for our own side); agree says whether we want
// the option.
func (s *state) offered(agree bool) reaction {
	switch *s {
	case no:
		if agree {
			*s = yes
			return assent
		}
		return dissent
	case yes: // a confirmation is never answered
	case wantNo: // an error of the other side: DONT answered by WILL
		*s = no
	case wantNoOpposite: // the same, and we want it by now
		*s = yes
	case wantYes:
		*s = yes
	case wantYesOpposite:
		*s = wantNo
		return dissent
	}
	return silent
}

// refused takes a WONT (or a DONT).
func (s *state) refused() reaction {
	switch *s {
	case no:
	case yes:
		*s = no
		return dissent
	case wantNo:
		*s = no
	case wantNoOpposite:
		*s = wantYes
		return assent
	case wantYes, wantYesOpposite:
		*s = no
	}
	return silent
}

// enable asks for the option.
func (s *state) enable() reaction {
	switch *s {
	case no:
		*s = wantYes
		return assent
	case wantNo:
		*s = wantNoOpposite
	case wantYesOpposite:
		*s = wantYes
	}
	return silent // it is on, or asked for
}

// disable asks for its end.
func (s *state) disable() reaction {
	switch *s {
	case yes:
		*s = wantNo
		return dissent
	case wantYes:
		*s = wantYesOpposite
	case wantNoOpposite:
		*s = wantNo
	}
	return silent
}
