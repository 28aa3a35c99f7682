package gateway

import (
	"slices"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/find"
	"anyurl/scheme/known"
)

// mostGuesses is how many URLs are offered for one input.
const mostGuesses = 4

// guesses are URLs that somebody may have meant who wrote an input that is none,
// or none that opens, the likeliest first: what is wrapped as URLs are in letters,
// a host, a newsgroup, an address of mail, a scheme without its colon or slashes.
func (g *Gateway) guesses(input string) (list []string) {
	text := strings.TrimSpace(input)
	add := func(raw string) {
		u, err := anyurl.Parse(raw)
		if err != nil || u.Password() != "" || u.String() == input || len(list) == mostGuesses {
			return
		}
		if !slices.Contains(list, u.String()) {
			list = append(list, u.String())
		}
	}
	if len(text) > longest || text == "" {
		return nil
	}
	if _, err := anyurl.Parse(text); err != nil {
		n := 0
		for m := range find.Text(text, find.Options{}) {
			if n++; m.Kind == find.URL {
				add(m.URL)
			}
			if n == mostGuesses {
				break
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	name, rest, colon := strings.Cut(text, ":")
	name = strings.ToLower(name)
	s, isKnown := known.Lookup(name)
	switch {
	case strings.ContainsAny(text, " \t\r\n<>\"\\"):
	case colon && isKnown:
		g.guessRest(s.Name, s.Authority, rest, add)
	case colon:
		guessPort(text, rest, add)
	case strings.HasPrefix(text, "//"):
		add("https:" + text)
	case strings.HasPrefix(text, "/"):
		if g.opens("file") {
			add("file://" + text)
		}
	case strings.Contains(text, "//"):
		if name, rest, _ := strings.Cut(text, "//"); name != "" {
			if s, ok := known.Lookup(strings.ToLower(name)); ok { // without its colon
				add(s.Name + "://" + rest)
			}
		}
	case strings.Contains(text, "@") && !strings.Contains(text, "/"):
		add("mailto:" + text)
		if g.opens("news") {
			add("news:" + text)
		}
	default:
		guessName(text, add)
	}
	return list
}

// guessRest guesses where the scheme is there and what follows is not as it wants
// it.
func (g *Gateway) guessRest(name string, authority bool, rest string, add func(string)) {
	bare := strings.TrimLeft(rest, "/")
	switch {
	case authority && !strings.HasPrefix(rest, "//"), authority && strings.HasPrefix(rest, "///"):
		if bare != "" {
			add(name + "://" + bare)
		}
	case name == "news" || name == "nntp" || name == "snews":
		host, group, slash := strings.Cut(bare, "/")
		switch {
		case bare == "" && g.opens("news"):
			add("news:*")
		case group == "" && (slash || strings.HasPrefix(rest, "//")):
			add(name + "://" + host + "/*")
		case slash:
			add(name + "://" + host + "/" + group)
		}
	}
}

// guessPort guesses the scheme of "host:port", by the port.
func guessPort(text, rest string, add func(string)) {
	digits, _, _ := strings.Cut(rest, "/")
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return
	}
	for _, s := range known.Schemes() {
		if s.Authority && s.Read != nil && uint64(s.Port) == port && s.Status != "historical" {
			add(s.Name + "://" + text)
			return
		}
	}
	add("http://" + text)
}

// hierarchies are the first names of most newsgroups.
var hierarchies = [...]string{"alt", "biz", "comp", "de", "fr", "gmane", "gnu", "humanities", "it", "linux", "misc", "news", "rec", "sci", "soc", "talk", "uk"}

// guessName guesses what a name with dots stands for: a newsgroup, or a host, by
// what it is called after or else on the web. Some may be either, as comp.games.
func guessName(text string, add func(string)) {
	host, path, _ := strings.Cut(text, "/")
	first, others, dotted := strings.Cut(strings.ToLower(host), ".")
	if !dotted || others == "" {
		return
	}
	isHost := false
	for m := range find.Text(host, find.Options{Relaxed: true}) {
		isHost = m.Start == 0 && m.End == len(host) // its end is a domain that there is
		break
	}
	isGroup := path == "" && slices.Contains(hierarchies[:], first)
	if isHost || !isGroup {
		switch first {
		case "gopher", "ftp", "gemini", "finger", "dict", "wais", "spartan", "telnet", "ldap", "nntp":
			add(first + "://" + text)
		case "news":
			add("nntp://" + text)
		default:
			add("https://" + text)
		}
	}
	if isGroup {
		add("news:" + host)
	}
}
