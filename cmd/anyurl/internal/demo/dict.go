package demo

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
)

// A dictionary is one database: its words in order, and what they mean.
type dictionary struct {
	name, title string
	words       []string
	means       map[string]string
}

// readDictionary reads a file whose first line is the title; then come the
// entries, each a word on a line and its meaning on the indented lines below.
func readDictionary(root fs.FS, name string) *dictionary {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		panic(err) // it is built in
	}
	d := &dictionary{name: name, means: map[string]string{}}
	title, rest, _ := strings.Cut(string(text), "\n")
	d.title = title
	word := ""
	for line := range strings.Lines(rest) {
		switch line = strings.TrimRight(line, "\n"); {
		case line == "":
		case line[0] != ' ':
			word = line
			d.words = append(d.words, word)
			d.means[word] = word + "\r\n"
		default:
			d.means[word] += line + "\r\n"
		}
	}
	return d
}

// serveDict serves the dictionary in root as RFC 2229 says.
func serveDict(ctx context.Context, l net.Listener, root fs.FS) {
	d := readDictionary(root, "uniform")
	accept(ctx, l, func(conn net.Conn) {
		w := bufio.NewWriter(conn)
		defer w.Flush()
		fmt.Fprint(w, "220 a small dictionary on loopback <> <1@demo.example>\r\n")
		w.Flush()
		in := readLines(conn)
		for {
			line, ok := in.next()
			if !ok {
				return
			}
			words := unquote(line)
			if len(words) > 0 && strings.EqualFold(words[0], "QUIT") {
				fmt.Fprint(w, "221 goodbye\r\n")
				return
			}
			d.command(w, words)
			w.Flush()
		}
	})
}

// command answers one command; more than one may be on its way (RFC 2229,
// section 4).
func (d *dictionary) command(w *bufio.Writer, words []string) {
	verb := ""
	if len(words) > 0 {
		verb = strings.ToUpper(words[0])
	}
	words = append(words, "", "", "") // what is left out is empty
	switch verb {
	case "CLIENT", "OPTION":
		fmt.Fprint(w, "250 well\r\n")
	case "DEFINE":
		d.define(w, words[1], words[2])
	case "MATCH":
		d.match(w, words[1], words[2], words[3])
	case "SHOW":
		d.show(w, strings.ToUpper(words[1]))
	case "STATUS":
		fmt.Fprint(w, "210 it stands\r\n")
	default:
		fmt.Fprint(w, "500 no such command here\r\n")
	}
}

// knows reports whether a database's name is ours, or stands for all or for the
// first that has the word.
func (d *dictionary) knows(w *bufio.Writer, database string) bool {
	if database == d.name || database == "*" || database == "!" {
		return true
	}
	fmt.Fprint(w, "550 no such database, see SHOW DB\r\n")
	return false
}

func (d *dictionary) define(w *bufio.Writer, database, word string) {
	if !d.knows(w, database) {
		return
	}
	i := slices.IndexFunc(d.words, func(s string) bool { return strings.EqualFold(s, word) })
	if i < 0 {
		fmt.Fprint(w, "552 no such word\r\n")
		return
	}
	word = d.words[i]
	fmt.Fprintf(w, "150 1 definitions\r\n151 \"%s\" %s \"%s\"\r\n%s.\r\n250 well\r\n", word, d.name, d.title, d.means[word])
}

// match finds words by one of the strategies that SHOW STRAT lists; "." is the
// server's choice.
func (d *dictionary) match(w *bufio.Writer, database, strategy, word string) {
	if !d.knows(w, database) {
		return
	}
	fits := map[string]func(string, string) bool{
		"exact": func(a, b string) bool { return a == b }, "prefix": strings.HasPrefix, "suffix": strings.HasSuffix, "substring": strings.Contains, ".": strings.Contains,
	}[strategy]
	if fits == nil {
		fmt.Fprint(w, "551 no such strategy, see SHOW STRAT\r\n")
		return
	}
	var found []string
	for _, s := range d.words {
		if fits(strings.ToLower(s), strings.ToLower(word)) {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		fmt.Fprint(w, "552 no such word\r\n")
		return
	}
	fmt.Fprintf(w, "152 %d matches\r\n", len(found))
	for _, s := range found {
		fmt.Fprintf(w, "%s \"%s\"\r\n", d.name, s)
	}
	fmt.Fprint(w, ".\r\n250 well\r\n")
}

func (d *dictionary) show(w *bufio.Writer, what string) {
	switch what {
	case "DB", "DATABASES":
		fmt.Fprintf(w, "110 1 databases\r\n%s \"%s\"\r\n.\r\n250 well\r\n", d.name, d.title)
	case "STRAT", "STRATEGIES":
		fmt.Fprint(w, "111 4 strategies\r\nexact \"the word itself\"\r\nprefix \"what begins with it\"\r\nsubstring \"what holds it\"\r\nsuffix \"what ends with it\"\r\n.\r\n250 well\r\n")
	case "INFO":
		fmt.Fprintf(w, "112 about it\r\n%s, written for the demo.\r\n.\r\n250 well\r\n", d.title)
	case "SERVER":
		fmt.Fprint(w, "114 about it\r\nA small dictionary server on loopback.\r\n.\r\n250 well\r\n")
	default:
		fmt.Fprint(w, "501 there is no such thing to show\r\n")
	}
}

// unquote parts a line into words; quotation marks hold one together, and a
// backslash takes what follows as it is (RFC 2229, section 2.2).
func unquote(line string) (words []string) {
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			in = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}
