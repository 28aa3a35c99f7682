package find

import (
	"strings"
	"unsafe"
)

// view reads b as a string without copying it, so that one engine serves
// strings, byte slices and the Reader's window. Nothing that outlives the
// bytes may keep the string: matches go through an arena.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// An arena keeps copies of short strings, many to an allocation.
type arena struct {
	b      *strings.Builder
	copies bool // the text may change or move: what is kept of it must be a copy
}

// An arena's blocks grow from the first size to the last: many a text has one match.
const (
	arenaFirst = 128
	arenaLast  = 8 << 10
)

// keep copies s. Strings of an arena share memory in blocks.
func (a *arena) keep(s string) string {
	if len(s) >= arenaLast/4 {
		return strings.Clone(s)
	}
	if a.b == nil || a.b.Cap()-a.b.Len() < len(s) {
		size := arenaFirst
		if a.b != nil {
			size = min(2*a.b.Cap(), arenaLast)
		}
		a.b = new(strings.Builder)
		a.b.Grow(max(size, len(s)))
	}
	at := a.b.Len()
	a.b.WriteString(s)
	return a.b.String()[at:]
}
