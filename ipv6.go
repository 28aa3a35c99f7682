package anyurl

import "anyurl/rule"

// ipv6 is the IPv6 parser (URL Standard, host parsing) for in[pointer:end].
func (m *machine) ipv6(pointer, end int) (address [8]uint16, err *rule.Error) {
	in := m.in
	c := func() int {
		if pointer < end {
			return int(in[pointer])
		}
		return eof
	}
	pieceIndex := 0
	compress := -1 // null
	// 5. If c is ":":
	if c() == ':' {
		// 5.1. If remaining does not start with ":", IPv6-invalid-compression
		//      validation error, return failure.
		if pointer+1 >= end || in[pointer+1] != ':' {
			return address, m.fail(IPv6InvalidCompression, pointer)
		}
		pointer += 2 // 5.2.
		pieceIndex++ // 5.3.
		compress = pieceIndex
	}
	// 6. While c is not the EOF code point:
	for c() != eof {
		// 6.1. If pieceIndex is 8, IPv6-too-many-pieces validation error,
		//      return failure.
		if pieceIndex == 8 {
			return address, m.fail(IPv6TooManyPieces, pointer)
		}
		// 6.2. If c is ":":
		if c() == ':' {
			if compress >= 0 { // 6.2.1.
				return address, m.fail(IPv6MultipleCompression, pointer)
			}
			pointer++
			pieceIndex++
			compress = pieceIndex
			continue
		}
		// 6.3.–6.4. A piece: up to four ASCII hex digits.
		value, length := 0, 0
		for length < 4 && c() != eof && isHexDigit(in[pointer]) {
			value = value*0x10 + hexValue(in[pointer])
			pointer++
			length++
		}
		switch c() {
		// 6.5. If c is ".":
		case '.':
			// 6.5.1. If length is 0, IPv4-in-IPv6-invalid-code-point validation
			//        error, return failure.
			if length == 0 {
				return address, m.fail(IPv4InIPv6InvalidCodePoint, pointer)
			}
			pointer -= length // 6.5.2.
			// 6.5.3. If pieceIndex is greater than 6,
			//        IPv4-in-IPv6-too-many-pieces validation error, return failure.
			if pieceIndex > 6 {
				return address, m.fail(IPv4InIPv6TooManyPieces, pointer)
			}
			numbersSeen := 0
			// 6.5.5. While c is not the EOF code point:
			for c() != eof {
				ipv4Piece := -1 // null
				// 6.5.5.2. If numbersSeen is greater than 0, then there must be
				//          a "." and a number less than four seen.
				if numbersSeen > 0 {
					if c() != '.' || numbersSeen >= 4 {
						return address, m.fail(IPv4InIPv6InvalidCodePoint, pointer)
					}
					pointer++
				}
				// 6.5.5.3. If c is not an ASCII digit,
				//          IPv4-in-IPv6-invalid-code-point validation error,
				//          return failure.
				if c() == eof || !isDigit(in[pointer]) {
					return address, m.fail(IPv4InIPv6InvalidCodePoint, pointer)
				}
				// 6.5.5.4. While c is an ASCII digit:
				for c() != eof && isDigit(in[pointer]) {
					number := int(in[pointer] - '0')
					switch ipv4Piece {
					case -1:
						ipv4Piece = number
					case 0: // a leading zero
						return address, m.fail(IPv4InIPv6InvalidCodePoint, pointer)
					default:
						ipv4Piece = ipv4Piece*10 + number
					}
					if ipv4Piece > 255 {
						return address, m.fail(IPv4InIPv6OutOfRangePart, pointer)
					}
					pointer++
				}
				address[pieceIndex] = address[pieceIndex]*0x100 + uint16(ipv4Piece)
				numbersSeen++
				// 6.5.5.7. If numbersSeen is 2 or 4, then increase pieceIndex by 1.
				if numbersSeen == 2 || numbersSeen == 4 {
					pieceIndex++
				}
			}
			// 6.5.6. If numbersSeen is not 4, IPv4-in-IPv6-too-few-parts
			//        validation error, return failure.
			if numbersSeen != 4 {
				return address, m.fail(IPv4InIPv6TooFewParts, pointer)
			}
			continue // c is the EOF code point: 6.5.7. Break.
		// 6.6. Otherwise, if c is ":":
		case ':':
			pointer++
			if c() == eof { // 6.6.2.
				return address, m.fail(IPv6InvalidCodePoint, pointer)
			}
		case eof:
		// 6.7. Otherwise, if c is not the EOF code point,
		//      IPv6-invalid-code-point validation error, return failure.
		default:
			return address, m.fail(IPv6InvalidCodePoint, pointer)
		}
		// 6.8. If length is greater than 1 and value is less than
		//      0x10**(length - 1), IPv6-piece-leading-zero validation error.
		if length > 1 && value < 1<<(4*(length-1)) {
			piece := pointer - length
			if in[pointer-1] == ':' {
				piece--
			}
			m.tell(IPv6PieceLeadingZero, piece)
		}
		address[pieceIndex] = uint16(value) // 6.9.
		pieceIndex++                        // 6.10.
	}
	switch {
	// 7. If compress is non-null, then move the pieces behind it to the end.
	case compress >= 0:
		swaps := pieceIndex - compress
		pieceIndex = 7
		for pieceIndex != 0 && swaps > 0 {
			other := compress + swaps - 1
			address[pieceIndex], address[other] = address[other], address[pieceIndex]
			pieceIndex--
			swaps--
		}
	// 8. Otherwise, if pieceIndex is not 8, IPv6-too-few-pieces validation
	//    error, return failure.
	case pieceIndex != 8:
		return address, m.fail(IPv6TooFewPieces, pointer)
	}
	return address, nil
}

func hexValue(c byte) int {
	if isDigit(c) {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}

// appendIPv6 is the IPv6 serializer (URL Standard, host serializing), which
// agrees with RFC 5952.
func appendIPv6(dst []byte, address [8]uint16) []byte {
	compress := compressedPiece(address)
	ignore0 := false
	for pieceIndex, piece := range address {
		if ignore0 && piece == 0 {
			continue
		}
		ignore0 = false
		if compress == pieceIndex {
			if pieceIndex == 0 {
				dst = append(dst, ':')
			}
			dst = append(dst, ':')
			ignore0 = true
			continue
		}
		dst = appendHex(dst, piece)
		if pieceIndex != 7 {
			dst = append(dst, ':')
		}
	}
	return dst
}

// compressedPiece finds the IPv6 address compressed piece index: where the
// first of the longest runs of at least two zero pieces begins, or -1.
func compressedPiece(address [8]uint16) int {
	longestIndex, longestSize := -1, 1
	foundIndex, foundSize := -1, 0
	for pieceIndex, piece := range address {
		if piece != 0 {
			foundIndex, foundSize = -1, 0
			continue
		}
		if foundIndex < 0 {
			foundIndex = pieceIndex
		}
		foundSize++
		if foundSize > longestSize {
			longestIndex, longestSize = foundIndex, foundSize
		}
	}
	return longestIndex
}

// appendHex appends n as the shortest lower-case hexadecimal number.
func appendHex(dst []byte, n uint16) []byte {
	const digits = "0123456789abcdef"
	for shift := 12; shift > 0; shift -= 4 {
		if n>>shift != 0 {
			dst = append(dst, digits[n>>shift&15])
		}
	}
	return append(dst, digits[n&15])
}
