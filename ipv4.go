package anyurl

import (
	"bytes"

	"anyurl/rule"
)

// ipv4 is the IPv4 parser (URL Standard, host parsing). The host stands in
// in[from:to]; input is what the domain parser made of it.
func (m *machine) ipv4(input []byte, from, to int) (uint32, *rule.Error) {
	// An offset in input is one in the host unless something was decoded or
	// mapped; then the host as a whole has to do.
	same := len(input) == to-from
	at := func(i int) int {
		if same {
			return from + i
		}
		return from
	}
	// 1. Let parts be the result of strictly splitting input on ".".
	size := 1 + bytes.Count(input, []byte("."))
	// 2. If the last item in parts is the empty string, then:
	//    IPv4-empty-part validation error; remove the last item.
	if n := len(input) - 1; input[n] == '.' {
		m.tell(IPv4EmptyPart, at(n))
		input = input[:n]
		size--
	}
	// 3. If parts's size is less than 4, IPv4-too-few-parts validation error.
	if size < 4 {
		m.tell(IPv4TooFewParts, from)
	}
	// 4. If parts's size is greater than 4, IPv4-too-many-parts validation
	//    error, return failure.
	if size > 4 {
		return 0, m.fail(IPv4TooManyParts, from)
	}
	// 6. For each part of parts:
	var numbers [4]uint64
	var offsets [4]int
	start := 0
	for i := range size {
		part := input[start:]
		if end := bytes.IndexByte(part, '.'); end >= 0 {
			part = part[:end]
		}
		n, nonDecimal, ok := ipv4Number(part)
		if !ok { // 6.2.
			return 0, m.fail(IPv4NonNumericPart, at(start))
		}
		if nonDecimal { // 6.3.
			m.tell(IPv4NonDecimalPart, at(start))
		}
		numbers[i], offsets[i] = n, at(start)
		start += len(part) + 1
	}
	// 8. If any but the last item in numbers is greater than 255, then return
	//    failure.
	for i := range size - 1 {
		if numbers[i] > 255 {
			return 0, m.fail(IPv4OutOfRangePart, offsets[i])
		}
	}
	// 9. If the last item in numbers is greater than or equal to
	//    256**(5 - numbers's size), then return failure.
	last := numbers[size-1]
	if last >= 1<<(8*(5-size)) {
		return 0, m.fail(IPv4OutOfRangePart, offsets[size-1])
	}
	// 7. If any item in numbers is greater than 255, IPv4-out-of-range-part
	//    validation error.
	if last > 255 {
		m.tell(IPv4OutOfRangePart, offsets[size-1])
	}
	// 10.–13. Each number but the last is one octet, from the left.
	address := uint32(last)
	for i := range size - 1 {
		address += uint32(numbers[i]) << (8 * (3 - i))
	}
	return address, nil
}

// ipv4Number is the IPv4 number parser. A number that cannot fit into an
// address is given as 1<<32.
func ipv4Number(input []byte) (n uint64, nonDecimal, ok bool) {
	// 1. If input is the empty string, then return failure.
	if len(input) == 0 {
		return 0, false, false
	}
	radix := uint64(10)
	switch {
	// 4. If input begins with "0X" or "0x":
	case len(input) >= 2 && input[0] == '0' && input[1]|0x20 == 'x':
		nonDecimal = true
		input = input[2:]
		radix = 16
	// 5. Otherwise, if input contains at least two code points and the first
	//    one is "0":
	case len(input) >= 2 && input[0] == '0':
		nonDecimal = true
		input = input[1:]
		radix = 8
	}
	// 6. If input is the empty string, then return (0, true).
	for _, c := range input {
		// 7. If input contains a code point that is not a radix-R digit, then
		//    return failure.
		digit := uint64(255)
		switch {
		case isDigit(c):
			digit = uint64(c - '0')
		case isHexDigit(c):
			digit = uint64(c|0x20-'a') + 10
		}
		if digit >= radix {
			return 0, false, false
		}
		n = min(n*radix+digit, 1<<32)
	}
	return n, nonDecimal, true
}

// appendIPv4 is the IPv4 serializer.
func appendIPv4(dst []byte, address uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		dst = appendDecimal(dst, address>>shift&0xff)
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// appendDecimal appends n in decimal.
func appendDecimal(dst []byte, n uint32) []byte {
	var digits [10]byte
	i := len(digits)
	for {
		i--
		digits[i] = '0' + byte(n%10)
		if n /= 10; n == 0 {
			return append(dst, digits[i:]...)
		}
	}
}
