//go:build !purego

package validutf8

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

func vectors() bool { return hasAVX2 }

// scan looks at b[from:to], whose length is the greatest multiple of 32 that
// there is room for. It reports whether all characters that lie in it, and in
// the three bytes before it, are valid; the last one may be broken off. Three
// bytes must stand before b[from].
//
//go:noescape
func scan(b []byte, from int) (to int, ok bool)
