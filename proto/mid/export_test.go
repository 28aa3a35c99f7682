package mid

import (
	"bufio"
	"io"
	"strings"
)

// Walk goes through the sections of a message's structure.
func (c *Conn) Walk(uid uint32) error {
	return c.Structures(uid, uid, func(_ uint32, body value) error {
		sections(body, func(section) bool { return false })
		return nil
	})
}

// FindPart gives the encoded body of a part in a message.
func FindPart(message, id string) (body string, found bool, err error) {
	r := bufio.NewReader(strings.NewReader(message))
	h, _, err := readHeader(fileLines{r}, 1<<20)
	if err != nil && err != io.EOF {
		return "", false, err
	}
	p, _, err := findPart(h, r, id, 1<<20)
	if p == nil {
		return "", false, err
	}
	b, err := io.ReadAll(p.body)
	return string(b), true, err
}
