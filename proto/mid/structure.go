package mid

import (
	"mime"
	"strconv"
	"strings"
)

// A section is a part of a message as IMAP numbers it, and its header as far as
// a BODYSTRUCTURE has it.
type section struct {
	number string // as in "2.1"
	header header
	size   int64 // in octets, encoded
}

// sections calls f with each part that a BODYSTRUCTURE (RFC 9051, section 7.5.2)
// tells of and that is no multipart, of which it says no Content-ID; f ends it by
// giving true.
func sections(body value, f func(section) bool) bool { return sectionsIn(body, "", f) }

// sectionsIn goes through a message's body: RFC 9051, section 6.4.5.1. A message
// of one part has that as its part 1.
func sectionsIn(body value, of string, f func(section) bool) bool {
	if !isMultipart(body) {
		return leaf(body, of+"1", f)
	}
	for i, v := range body.list {
		if v.list == nil { // the subtype, and no part is behind it
			return false
		}
		number := of + strconv.Itoa(i+1)
		if isMultipart(v) && sectionsIn(v, number+".", f) || !isMultipart(v) && leaf(v, number, f) {
			return true
		}
	}
	return false
}

func isMultipart(body value) bool { return len(body.list) > 0 && body.list[0].list != nil }

// leaf is a part that is no multipart; a message within is looked into.
func leaf(v value, number string, f func(section) bool) bool {
	at := func(i int) value {
		if i < len(v.list) {
			return v.list[i]
		}
		return value{nothing: true}
	}
	word := func(i int) string {
		if at(i).nothing {
			return ""
		}
		return at(i).text
	}
	s := section{number: number}
	kind := strings.ToLower(word(0) + "/" + word(1))
	s.size, _ = strconv.ParseInt(word(6), 10, 64)
	set := func(name, value string) {
		if value != "" {
			s.header = append(s.header, field{name, value})
		}
	}
	set("Content-Type", withParameters(kind, at(2)))
	set("Content-ID", word(3))
	set("Content-Description", word(4))
	set("Content-Transfer-Encoding", word(5))
	extension := 7
	switch {
	case strings.HasPrefix(kind, "text/"):
		extension = 8 // behind the number of lines
	case kind == "message/rfc822" || kind == "message/global":
		extension = 10 // behind the envelope, the body and the number of lines
	}
	if d := at(extension + 1); len(d.list) == 2 { // behind the MD5
		set("Content-Disposition", withParameters(strings.ToLower(d.list[0].text), d.list[1]))
	}
	return f(s) || extension == 10 && len(at(8).list) > 0 && sectionsIn(at(8), number+".", f)
}

// withParameters writes a type with its parameters, a list of names and values.
func withParameters(kind string, list value) string {
	params := map[string]string{}
	for i := 0; i+1 < len(list.list); i += 2 {
		params[strings.ToLower(list.list[i].text)] = list.list[i+1].text
	}
	if s := mime.FormatMediaType(kind, params); s != "" {
		return s
	}
	return kind
}
