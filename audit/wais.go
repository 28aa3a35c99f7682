package audit

import "slices"

// numbers are the places in a wais URL's path at which an octet is a number, and no
// character that could end a line: a document is named there by components of a
// type, a length and as many octets (RFC 1625; RFC 1738, section 3.8.2), and a name
// of ten octets has a line feed for its length. In RFC 1630's spelling, "7=%00;", it
// is the value of one octet. A path that is no such name has none.
func (p *pass) numbers() []int {
	if p.numbered {
		return p.numberAt
	}
	p.numbered = true
	octets, at := p.documentID()
	if len(octets) > 1 && octets[0] >= '0' && octets[0] <= '9' {
		for i, c := range octets {
			if c < ' ' && octets[i-1] == '=' && i+1 < len(octets) && octets[i+1] == ';' {
				p.numberAt = append(p.numberAt, at[i])
			}
		}
		return p.numberAt
	}
	var found []int
	for i := 0; i < len(octets); {
		if octets[i] < 1 || octets[i] > 7 {
			return nil // the original's server, database and name, the copy's, and who may copy it
		}
		found = append(found, at[i]) // the type
		i++
		length, more := 0, true
		for ; more; i++ { // seven bits an octet, the top bit set on all but the last
			if i == len(octets) || length > len(octets) {
				return nil
			}
			length = length<<7 | int(octets[i]&0x7f)
			more = octets[i]&0x80 != 0
			found = append(found, at[i])
		}
		if length > len(octets)-i {
			return nil
		}
		if length == 1 {
			found = append(found, at[i])
		}
		i += length
	}
	p.numberAt = found
	return p.numberAt
}

// documentID decodes what follows "/database/type/" in the path, and says where each
// octet of it stands.
func (p *pass) documentID() (octets []byte, at []int) {
	i, slashes := p.path.start, 0
	for ; i < p.path.end && slashes < 3; i++ {
		if p.in[i] == '/' {
			slashes++
		}
	}
	if slashes < 3 {
		return nil, nil
	}
	for i < p.path.end {
		c, start := p.in[i], i
		i++
		if c == '%' {
			if e := p.escapeAt(start); e.ok {
				c, i = e.c, e.end
			}
		}
		octets, at = append(octets, c), append(at, start)
	}
	return octets, at
}

// isNumber reports whether an escape is a number and nothing else.
func (p *pass) isNumber(e escape) bool {
	if p.name != "wais" || !p.path.ok || e.start < p.path.start || e.start >= p.path.end {
		return false
	}
	_, found := slices.BinarySearch(p.numbers(), e.start)
	return found
}
