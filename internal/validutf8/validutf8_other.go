//go:build !amd64 || purego

package validutf8

const hasAVX512 = false

func vectors() bool { return false }

func scan(b []byte, from int) (to int, ok bool) { return from, true }

func scanWide(b []byte, from int) (to int, ok bool) { return from, true }
