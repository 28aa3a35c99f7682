package dirsrv

import "slices"

// Lose loses the datagrams of these numbers.
func Lose(numbers ...int) func(int, []byte) [][]byte {
	return func(n int, d []byte) [][]byte {
		if slices.Contains(numbers, n) {
			return nil
		}
		return [][]byte{d}
	}
}

// Double delivers every datagram twice.
func Double(_ int, d []byte) [][]byte { return [][]byte{d, d} }

// Hold keeps the datagram of a number until so many others have gone by. If
// fewer come, it is lost.
func Hold(number, others int) func(int, []byte) [][]byte {
	var held []byte
	return func(n int, d []byte) [][]byte {
		switch {
		case n == number:
			held = d
			return nil
		case n == number+others && held != nil:
			return [][]byte{d, held}
		}
		return [][]byte{d}
	}
}

// Backwards gathers so many datagrams at a time and delivers the last of them
// first.
func Backwards(many int) func(int, []byte) [][]byte {
	var held [][]byte
	return func(_ int, d []byte) [][]byte {
		if held = append(held, d); len(held) < many {
			return nil
		}
		out := held
		held = nil
		slices.Reverse(out)
		return out
	}
}

// Change delivers something else in place of the datagram of a number.
func Change(number int, do func(d []byte) [][]byte) func(int, []byte) [][]byte {
	return func(n int, d []byte) [][]byte {
		if n != number {
			return [][]byte{d}
		}
		return do(d)
	}
}
