package dial

import (
	"net/netip"
	"strings"

	"anyurl/ipclass"
)

// A Refused is an address that may not be reached.
type Refused struct {
	Host  string         // the name that led there
	Addr  netip.AddrPort // where it led
	Class ipclass.Class  // why
}

// Error says which kind of network was refused.
func (e *Refused) Error() string {
	text := "the guard refuses " + e.Addr.Addr().String() + ", which is " + article(e.Class.String()) + " address"
	if name, ok := ipclass.Service(e.Addr.Addr()); ok {
		text += " (" + name + ")"
	}
	return text
}

func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// Guard refuses every address that is not public, with a *[Refused]. It is a
// Dialer's Allow for those who open what others wrote.
func Guard(host string, addr netip.AddrPort) error {
	if c := ipclass.Of(addr.Addr()); !c.Public() {
		return &Refused{Host: host, Addr: addr, Class: c}
	}
	return nil
}
