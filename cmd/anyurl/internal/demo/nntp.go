package demo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A newsroom is the groups of a news server, each with its articles in order.
type newsroom struct {
	groups []string
	of     map[string][]article
	byID   map[string]article
}

// An article is a text as it stands on the wire, its lines ending in CR LF.
type article struct {
	text []byte
	id   string
}

// readNews reads root: a folder for each group, a file for each article, called
// by its number.
func readNews(root fs.FS) *newsroom {
	room := &newsroom{of: map[string][]article{}, byID: map[string]article{}}
	groups, _ := fs.ReadDir(root, ".")
	for _, g := range groups {
		room.groups = append(room.groups, g.Name())
		for n := 1; ; n++ {
			text, err := fs.ReadFile(root, g.Name()+"/"+strconv.Itoa(n))
			if err != nil {
				break
			}
			a := article{text: bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))}
			a.id = a.field("Message-ID")
			room.of[g.Name()] = append(room.of[g.Name()], a)
			room.byID[a.id] = a
		}
	}
	return room
}

// field gives what a header field holds; none of ours is folded.
func (a article) field(name string) string {
	head, _, _ := bytes.Cut(a.text, []byte("\r\n\r\n"))
	for line := range bytes.Lines(head) {
		if key, value, ok := bytes.Cut(line, []byte(": ")); ok && string(key) == name {
			return string(bytes.TrimRight(value, "\r\n"))
		}
	}
	return ""
}

// overview is the article's line in an overview (RFC 3977, section 8.3).
func (a article) overview(number int) string {
	_, body, _ := bytes.Cut(a.text, []byte("\r\n\r\n"))
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d", number, a.field("Subject"), a.field("From"), a.field("Date"), a.id, a.field("References"),
		len(a.text), bytes.Count(body, []byte("\n")))
}

// serveNews serves root to readers, as RFC 3977 says. It takes no article.
func serveNews(ctx context.Context, l net.Listener, root fs.FS) {
	room := readNews(root)
	accept(ctx, l, func(conn net.Conn) {
		s := &newsReader{newsroom: room, conn: conn, out: bufio.NewWriter(conn)}
		s.serve()
	})
}

// A newsReader is one conversation.
type newsReader struct {
	*newsroom
	conn  net.Conn
	out   *bufio.Writer
	group string // the one that was chosen
	at    int    // the current article's number; 0 for none
}

func (s *newsReader) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\r\n", args...) }

// text sends lines as a multi-line block: a dot more before a dot, a dot alone
// at the end (RFC 3977, section 3.1.1).
func (s *newsReader) text(text []byte) {
	for line := range bytes.Lines(text) {
		if line[0] == '.' {
			s.out.WriteByte('.')
		}
		s.out.Write(line)
	}
	s.say(".")
}

func (s *newsReader) serve() {
	defer s.out.Flush()
	s.say("201 a small news server on loopback, nothing can be posted")
	s.out.Flush()
	lines := readLines(s.conn)
	for {
		line, ok := lines.next()
		if !ok {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			words = []string{""}
		}
		verb := strings.ToUpper(words[0])
		if verb == "QUIT" {
			s.say("205 goodbye")
			return
		}
		s.command(verb, words[1:])
		s.out.Flush()
	}
}

func (s *newsReader) command(verb string, args []string) {
	arg := ""
	if len(args) > 0 {
		arg = args[0]
	}
	switch verb {
	case "CAPABILITIES":
		s.say("101 what it can")
		s.text([]byte("VERSION 2\r\nIMPLEMENTATION anyurl-demo\r\nREADER\r\nLIST ACTIVE NEWSGROUPS OVERVIEW.FMT\r\nOVER MSGID\r\n"))
	case "MODE":
		s.say("201 nothing can be posted")
	case "DATE":
		s.say("111 19940101000000") // as the whole demo has it
	case "LIST":
		s.list(strings.ToUpper(arg), args)
	case "GROUP", "LISTGROUP":
		s.choose(verb, arg)
	case "OVER", "XOVER":
		s.over(arg)
	case "ARTICLE", "HEAD", "BODY", "STAT":
		s.article(verb, arg)
	case "NEXT", "LAST":
		s.step(verb)
	case "POST", "IHAVE":
		s.say("440 nothing can be posted")
	case "HELP":
		s.say("100 what it can")
		s.text([]byte("It reads RFC 3977: GROUP, OVER, ARTICLE and their kin.\r\n"))
	default:
		s.say("500 no such command here")
	}
}

func (s *newsReader) list(what string, args []string) {
	pattern := "*"
	if len(args) > 1 {
		pattern = args[1]
	}
	var lines strings.Builder
	for _, g := range s.groups {
		if ok, err := path.Match(pattern, g); err != nil || !ok {
			continue
		}
		if what == "NEWSGROUPS" {
			fmt.Fprintf(&lines, "%s\tA group of the demo\r\n", g)
		} else {
			fmt.Fprintf(&lines, "%s %d 1 n\r\n", g, len(s.of[g]))
		}
	}
	switch what {
	case "", "ACTIVE", "NEWSGROUPS":
		s.say("215 the groups")
		s.text([]byte(lines.String()))
	case "OVERVIEW.FMT":
		s.say("215 the fields of an overview")
		s.text([]byte("Subject:\r\nFrom:\r\nDate:\r\nMessage-ID:\r\nReferences:\r\n:bytes\r\n:lines\r\n"))
	default:
		s.say("503 no such list")
	}
}

func (s *newsReader) choose(verb, name string) {
	if name == "" && verb == "LISTGROUP" {
		name = s.group
	}
	if !slices.Contains(s.groups, name) {
		s.say("411 no such group")
		return
	}
	s.group, s.at = name, 1
	n := len(s.of[name])
	s.say("211 %d 1 %d %s", n, n, name)
	if verb == "LISTGROUP" {
		var numbers strings.Builder
		for i := range n {
			fmt.Fprintf(&numbers, "%d\r\n", i+1)
		}
		s.text([]byte(numbers.String()))
	}
}

// over gives the overview of a range, "2", "2-" or "2-5", of a message, or of
// the current article.
func (s *newsReader) over(which string) {
	if strings.HasPrefix(which, "<") {
		a, ok := s.byID[which]
		if !ok {
			s.say("430 no such article")
			return
		}
		s.say("224 its overview")
		s.text([]byte(a.overview(0) + "\r\n"))
		return
	}
	if s.group == "" {
		s.say("412 no group is chosen")
		return
	}
	first, last, _ := strings.Cut(which, "-")
	from, _ := strconv.Atoi(first)
	to, err := strconv.Atoi(last)
	switch {
	case which == "":
		from, to = s.at, s.at
	case !strings.Contains(which, "-"):
		to = from
	case err != nil:
		to = len(s.of[s.group])
	}
	var lines strings.Builder
	for i, a := range s.of[s.group] {
		if n := i + 1; n >= from && n <= to {
			lines.WriteString(a.overview(n) + "\r\n")
		}
	}
	if lines.Len() == 0 {
		s.say("423 no articles there")
		return
	}
	s.say("224 their overview")
	s.text([]byte(lines.String()))
}

func (s *newsReader) article(verb, which string) {
	a, n, ok := s.find(which)
	if !ok {
		return
	}
	head, body, _ := bytes.Cut(a.text, []byte("\r\n\r\n"))
	switch verb {
	case "STAT":
		s.say("223 %d %s", n, a.id)
	case "HEAD":
		s.say("221 %d %s", n, a.id)
		s.text(append(slices.Clip(head), "\r\n"...))
	case "BODY":
		s.say("222 %d %s", n, a.id)
		s.text(body)
	default:
		s.say("220 %d %s", n, a.id)
		s.text(a.text)
	}
}

// find finds an article by its Message-ID or its number; "" is the current one.
// It says why it does not.
func (s *newsReader) find(which string) (a article, number int, ok bool) {
	if strings.HasPrefix(which, "<") {
		if a, ok = s.byID[which]; !ok {
			s.say("430 no such article")
		}
		return a, 0, ok
	}
	if s.group == "" {
		s.say("412 no group is chosen")
		return a, 0, false
	}
	if which != "" {
		number, _ = strconv.Atoi(which)
	} else {
		number = s.at
	}
	if number < 1 || number > len(s.of[s.group]) {
		s.say("423 no article of that number")
		return a, 0, false
	}
	s.at = number
	return s.of[s.group][number-1], number, true
}

func (s *newsReader) step(verb string) {
	next, code := s.at+1, 421
	if verb == "LAST" {
		next, code = s.at-1, 422
	}
	switch {
	case s.group == "":
		s.say("412 no group is chosen")
	case next < 1 || next > len(s.of[s.group]):
		s.say("%d no more articles that way", code)
	default:
		s.at = next
		s.say("223 %d %s", next, s.of[s.group][next-1].id)
	}
}
