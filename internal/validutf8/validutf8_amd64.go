//go:build !purego

package validutf8

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// hasAVX512 is set where there are vectors of 64 bytes, and masks for them.
var hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

func vectors() bool { return hasAVX2 }

// scan looks at b[from:to], whose length is the greatest multiple of 32 that
// there is room for. It reports whether all characters that lie in it, and in
// the three bytes before it, are valid; the last one may be broken off. Three
// bytes must stand before b[from].
//
//go:noescape
func scan(b []byte, from int) (to int, ok bool)

// scanWide is scan with vectors of 64 bytes.
//
//go:noescape
func scanWide(b []byte, from int) (to int, ok bool)
