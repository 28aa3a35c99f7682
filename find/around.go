package find

import "strings"

// A name under a top-level domain that is a word or a field's name as well
// ("info", "is", "to") may be a host, a sentence that lacks its blank, or a
// program's "frame.info". Only what stands around it tells. It is looked at
// last, when everything else says that the name is a host.

// lineBack and lineAhead bound what is looked at of the line around a name.
const (
	lineBack  = 160
	lineAhead = lookAhead - 16
)

// wordiness is how much a top-level domain is used for other things.
type wordiness uint8

const (
	rarely wordiness = iota // "de", "io"
	often                   // "in", "info": known domains, and short names of fields
	mostly                  // "name", "next": few domains, and fields everywhere
)

// meantAsHost reports whether what stands around the name s[start:end], whose
// labels but the last are name, lets it be a host's.
func (e *engine) meantAsHost(start, end int, name, tld string) bool {
	first, _, several := strings.Cut(name, ".")
	switch first {
	case "this", "self":
		return false
	case "com", "org", "net":
		if several { // "com.example.app": a package
			return false
		}
	}
	if several && len(first) == 1 {
		return false // "c.fd.net"
	}
	words := wordUse(tld)
	if s := e.s[end-len(tld) : end]; several && s != tld {
		for part := range strings.SplitSeq(name, ".") {
			if len(part) == 1 {
				return false // "AMOSWAP.W.AQ"
			}
		}
	}
	if words == mostly && (fieldOwner(first) || toLower(name) != name) || words == often && camel(name) {
		return false
	}
	sure := strings.IndexByte(name, '-') > 0 || asciiLen(name) < len(name) // no program's name
	switch tld {
	case "id", "in", "is":
		if fieldOwner(first) {
			return false // "obj.id", "System.in"
		}
	case "am", "pm":
		if allDigits(name) {
			return false // "10.30.am"
		}
	}
	if s := e.s; words != rarely && !sure && start > 0 && s[start-1] == '{' && end < len(s) && strings.IndexByte("}!:", s[end]) >= 0 {
		return false // "{item.name}", a template
	}
	if !e.neighbours(start, end, sure) {
		return false
	}
	if several && sure {
		return true
	}
	l := e.lineAround(start, end)
	if l.program && !sure {
		return false
	}
	if len(name) <= 2 && (l.comment || l.quoted || l.assigned || allDigits(name) || l.indented && !l.prose || words == mostly) {
		return false // "x.in", "fn.is"
	}
	switch words {
	case often:
		return sure || l.prose || !l.indented && !l.assigned && !l.comment
	case mostly:
		return sure && !l.comment || (l.prose || !l.indented && !l.assigned) && !l.comment && !l.ticked
	}
	return !l.ticked || !l.comment
}

// neighbours reports whether the bytes beside a name are what stands beside a
// host in a sentence. sure says that no program has such a name.
func (e *engine) neighbours(start, end int, sure bool) bool {
	s := e.s
	var before byte = ' '
	if start > 0 {
		before = s[start-1]
	}
	if before == '(' || before == '[' {
		if start > 1 && s[start-2] < 0x80 && is(s[start-2], word) {
			return false // a call, an index
		}
	}
	if end == len(s) {
		return before != '*' && before != '!'
	}
	next, behind := s[end], byte(' ')
	if end+1 < len(s) {
		behind = s[end+1]
	}
	ends := is(behind, blank) || strings.IndexByte(".,;:!?)]}>\"'*_~", behind) >= 0
	if before == '*' && next != '*' && !sure {
		// "*heise.de and others*", and not "*frame.lr": a pointer.
		if k := strings.IndexByte(s[end:min(len(s), end+lineAhead)], '*'); k < 0 {
			return false
		}
	}
	switch next {
	case '=', '[', '{', '$', '^':
		return false
	case '\\':
		return strings.IndexByte("nrtu\"'", behind) >= 0 && e.inString(start)
	case '+', '/':
		return ends && behind != '.'
	case '-':
		return ends || behind == '-' && end+2 < len(s) && (s[end+2] == ' ' || is(s[end+2], alpha))
	case '*':
		return ends
	case '!':
		return behind != '=' && behind != '.'
	case '?':
		return behind != '.' && behind != '?'
	case '|', '&':
		return behind != next && behind != '='
	case ';':
		return sure || behind != '\n' && behind != '\r' && behind != '}' && end+1 < len(s)
	case ')', ']', '}':
		return e.closes(start, end, next)
	}
	return true
}

// closes reports whether the bracket at s[end] closes one that a sentence
// opened, and not a call's or an index's.
func (e *engine) closes(start, end int, c byte) bool {
	s := e.s
	depth := 0
	for i := start - 1; i >= max(0, start-lineBack) && s[i] != '\n'; i-- {
		switch s[i] {
		case c:
			depth++
		case opener(c):
			if depth--; depth < 0 {
				return i == 0 || s[i-1] >= 0x80 || !is(s[i-1], word) && s[i-1] != ')'
			}
		}
	}
	return true
}

// inString reports whether s[i] is inside double quotes that its line opened.
func (e *engine) inString(i int) bool {
	from := max(0, i-lineBack)
	if k := strings.LastIndexByte(e.s[from:i], '\n'); k >= 0 {
		from += k + 1
	}
	return strings.Count(e.s[from:i], `"`)%2 == 1
}

// A setting is what the line around a name shows.
type setting struct {
	program  bool // operators, calls and keywords of a program
	comment  bool // the name is in a comment that "//" or "/*" began
	indented bool // white space begins the line
	prose    bool // two words of a sentence stand beside each other
	assigned bool // an operator and a blank stand before the name, or behind it
	quoted   bool // the name is in a string
	ticked   bool // "`" stands before it
}

// lineAround looks at the line of s[start:end], or, where the name is in a
// string or a comment, at that.
func (e *engine) lineAround(start, end int) (l setting) {
	s := e.s
	from := max(0, start-lineBack)
	if k := strings.LastIndexByte(s[from:start], '\n'); k >= 0 {
		from += k + 1
	}
	to := min(len(s), end+lineAhead)
	if k := strings.IndexByte(s[end:to], '\n'); k >= 0 {
		to = end + k
	}
	e.see(to)
	l.indented = from < start && is(s[from], blank)
	l.ticked = start > 0 && s[start-1] == '`'
	quotes, opened := 0, from
	for i := from; i < start; i++ {
		switch s[i] {
		case '"':
			quotes++
			opened = i + 1
		case '/', '*':
			if quotes%2 == 0 && i > from && s[i-1] == '/' && (i < from+2 || s[i-2] != ':') {
				l.comment, from = true, i+1
			}
		}
	}
	if quotes%2 == 1 && opened >= from {
		from, l.indented, l.comment = opened, false, false
		l.quoted = true
		if k := strings.IndexByte(s[end:to], '"'); k >= 0 {
			to = end + k
		}
	}
	if l.indented && equalPrefix(strings.TrimLeft(s[from:start], " \t"), "# ") {
		l.comment = true
	}
	if l.comment {
		l.indented = false
	}
	if b := strings.TrimRight(s[from:start], " "); b != "" && len(b) < start-from && strings.IndexByte("=%+<>", b[len(b)-1]) >= 0 {
		l.assigned = true
	}
	if b := strings.TrimLeft(s[end:to], " "); b != "" && len(b) < to-end && (b[0] == '=' || b[0] == '<' || b[0] == '>') {
		l.assigned = true
	}
	l.program = program(s[from:start], s[end:to])
	l.prose = prose(s[from:start]) || prose(s[end:to])
	return l
}

// program reports whether what stands before and behind a name on its line
// belongs to a program.
func program(before, behind string) bool {
	switch first, _, _ := strings.Cut(strings.TrimLeft(before, " \t"), " "); first {
	case "return", "case", "func", "def", "elif", "struct", "typedef", "assert", "const", "defer", "yield", "await", "throw", "raise", "import", "#if", "#define":
		return true
	case "from":
		if equalPrefix(behind, " import") {
			return true
		}
	case "if", "for", "while", "switch", "else", "range":
		if b := strings.TrimRight(behind, " \t\r"); b != "" && (b[len(b)-1] == '{' || b[len(b)-1] == ':') {
			return true
		}
	}
	switch b := strings.TrimRight(behind, " \t\r"); {
	case b == "":
	case b[len(b)-1] == '{', strings.HasSuffix(b, ");"), b == ";", b == ":" && before == "":
		return true
	}
	return operators(before) || operators(behind)
}

// operators reports whether s holds a call, or an operator of two characters.
func operators(s string) bool {
	for i := 1; i < len(s); i++ {
		switch a, b := s[i-1], s[i]; b {
		case '=':
			if strings.IndexByte(":=!<>+-*|&^", a) >= 0 {
				return true
			}
		case '(':
			if a < 0x80 && is(a, word) && !strings.HasPrefix(s[i:], "(s)") && !strings.HasPrefix(s[i:], "(es)") {
				return true
			}
		case '&', '|', ':', '+':
			if a == b {
				return true
			}
		case '-':
			if a == '<' {
				return true
			}
		case '>':
			if a == '-' && i > 1 && is(s[i-2], word) {
				return true
			}
		}
	}
	return false
}

// prose reports whether s holds two words beside each other.
func prose(s string) bool {
	words, letters := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && (is(s[i], alpha) || s[i] >= 0x80 || s[i] == '\''):
			letters++
		case i == len(s) || s[i] == ' ':
			if letters > 0 {
				if words++; words == 2 {
					return true
				}
			}
			letters = 0
		default:
			words, letters = 0, 0
			for i+1 < len(s) && s[i+1] != ' ' {
				i++
			}
		}
	}
	return false
}

// wordUse gives how much a top-level domain, in lower case, is a word of
// programs as well.
func wordUse(label string) wordiness {
	switch label {
	case "id", "is", "in", "to", "info", "cc", "no", "at", "as", "be", "by", "it", "me", "my", "so", "re", "nl", "mu", "fm", "tm", "ms", "sc", "st", "ps", "pm", "sr", "tr", "br", "hr", "li", "td", "th", "tt", "ws", "cx", "gt", "lt",
		"lr", "hu", "pw", "cw", "bw", "mr", "bm", "ht", "mg", "pn", "int", "ad", "ac", "ai", "app", "cat", "bz", "lc", "va", "vi", "za", "la", "ly", "sv", "tc", "pro", "dev":
		return often
	case "name", "host", "link", "next", "new", "open", "call", "date", "day", "page", "pub", "select", "stream", "style", "tools", "top", "total", "win", "work", "watch",
		"box", "global", "group", "show", "search", "team", "tips", "today", "trade", "trust", "zone", "case", "digital", "data", "auto", "pid", "compare", "prod", "red", "green", "blue", "black", "property",
		"creditcard", "windows", "got", "able", "sharp", "ping", "codes", "ftr", "bar", "foo", "free", "target", "direct", "events", "exchange", "express", "fail", "fit", "how", "now",
		"one", "photo", "pin", "play", "plus", "post", "prime", "read", "report", "rest", "reviews", "run", "save", "secure", "services", "shell", "sky", "soy", "space", "support", "tax", "tel", "voting", "wiki", "world", "you", "zero",
		"abc", "audio", "delta", "directory", "docs", "dot", "download", "family", "jmp", "kids", "lds", "map", "network", "prof", "store", "tab", "video":
		return mostly
	}
	return rarely
}

// fieldOwner reports whether programs call their own things so: what stands
// behind its dot is a field.
func fieldOwner(label string) bool {
	switch toLower(label) {
	case "app", "args", "attr", "attribute", "block", "bar", "baz", "button", "cfg", "child", "class", "client", "cls", "cmd", "col", "column", "conf", "config", "container", "context", "ctx", "current", "data", "db", "dir", "doc", "document",
		"e", "el", "elem", "element", "entry", "env", "err", "error", "ev", "evt", "event", "f", "field", "file", "foo", "form", "func", "function", "git", "go", "group", "head", "header", "host", "image", "img", "index", "info", "input",
		"item", "iter", "it", "java", "json", "key", "link", "list", "loc", "location", "map", "match", "message", "meta", "method", "metadata", "model", "module", "msg", "navigator", "next", "node", "num", "obj", "object", "op", "opt", "options", "opts",
		"os", "output", "package", "page", "param", "params", "parent", "path", "pkg", "prev", "process", "project", "prop", "props", "ptr", "query", "range", "rec", "record", "ref", "req", "request", "res", "resp", "response", "result",
		"root", "row", "rule", "schema", "server", "service", "session", "socket", "source", "src", "st", "stack", "start", "state", "stmt", "str", "sym", "symbol", "sys", "system", "tab", "table", "tag", "target", "task", "test",
		"tmp", "token", "type", "url", "user", "val", "value", "var", "view", "window", "xml":
		return true
	}
	return false
}

// camel reports whether a small letter stands before a capital.
func camel(name string) bool {
	for i := 1; i < len(name); i++ {
		if 'a' <= name[i-1] && name[i-1] <= 'z' && 'A' <= name[i] && name[i] <= 'Z' {
			return true
		}
	}
	return false
}
