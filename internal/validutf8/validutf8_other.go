//go:build !amd64 || purego

package validutf8

func vectors() bool { return false }

func scan(b []byte, from int) (to int, ok bool) { return from, true }
