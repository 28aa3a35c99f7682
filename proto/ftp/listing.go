package ftp

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"anyurl/fetch"
	ftpurl "anyurl/scheme/ftp"
)

// parse takes a listing apart. Each entry keeps its line; one that cannot be
// read is an entry of type "other" with nothing but that.
func parse(command string, raw []byte, ref ftpurl.Ref, limits fetch.Limits) ([]fetch.Entry, error) {
	var entries []fetch.Entry
	// The listing is of the folder, or of what NLST was given.
	now := time.Now()
	for len(raw) > 0 {
		var line []byte
		line, raw, _ = bytes.Cut(raw, []byte("\n"))
		text := string(bytes.TrimSuffix(line, []byte("\r")))
		e, ok := fetch.Entry{Name: text, Type: "other", Size: -1}, true
		switch command {
		case "MLSD":
			e, ok = parseMLSD(text)
		case "LIST":
			e, ok = parseLIST(text, now)
		case "NLST":
			// Some servers give the path as they were asked for it, or in full.
			if i := strings.LastIndexByte(strings.TrimSuffix(text, "/"), '/'); i >= 0 {
				e.Name = text[i+1:]
			}
			if strings.HasSuffix(e.Name, "/") {
				e.Name, e.Type = strings.TrimSuffix(e.Name, "/"), "dir"
			}
		}
		// Some servers list "." and ".."; neither is an entry.
		if !ok || e.Name == "" || e.Name == "." || e.Name == ".." {
			continue
		}
		if e.Raw = text; e.URL == "" && known(e, command) {
			e.URL = entryURL(ref, e)
		}
		entries = append(entries, e)
		if err := fetch.CheckEntries(len(entries), limits); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// known reports whether an entry's name was read, rather than its whole line kept.
func known(e fetch.Entry, command string) bool { return e.Name != e.Raw || command == "NLST" }

// entryURL is the folder's URL with the name as its last segment: a name with
// "/" or ".." in it stays one name. Passwords stay out of it.
func entryURL(ref ftpurl.Ref, e fetch.Entry) string {
	ref.Password, ref.HasPassword = "", false
	ref.Type = ftpurl.Unsaid
	ref.Dirs = ref.Dirs[:len(ref.Dirs):len(ref.Dirs)]
	if ref.Name != "" { // NLST of a name
		ref.Dirs = append(ref.Dirs, ref.Name)
	}
	ref.Name = e.Name
	if e.Type == "dir" {
		ref.Dirs, ref.Name = append(ref.Dirs, e.Name), ""
	}
	u := ref.URL()
	if u.IsZero() {
		return ""
	}
	return u.String()
}

// parseMLSD reads "fact=value;...; name" (RFC 3659, section 7.2).
func parseMLSD(line string) (fetch.Entry, bool) {
	facts, name, ok := strings.Cut(line, " ")
	if !ok {
		return fetch.Entry{}, false
	}
	e := fetch.Entry{Name: name, Type: "other", Size: -1}
	for fact := range strings.SplitSeq(facts, ";") {
		key, value, _ := strings.Cut(fact, "=")
		switch strings.ToLower(key) {
		case "type":
			switch v := strings.ToLower(value); {
			case v == "file":
				e.Type = "file"
			case v == "dir":
				e.Type = "dir"
			case v == "cdir", v == "pdir": // the folder itself, and its parent
				return fetch.Entry{}, false
			case strings.HasPrefix(v, "os.unix=slink"), strings.HasPrefix(v, "os.unix=symlink"):
				e.Type = "link"
			}
		case "size":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
				e.Size = n
			}
		case "modify":
			if t, ok := timeVal(value); ok {
				e.Time = t
			}
		}
	}
	if e.Type == "dir" {
		e.Size = -1
	}
	return e, true
}

// parseLIST reads one line of what the usual servers say to LIST: Unix's
// "ls -l", DOS's "dir", EPLF, VMS. now fills in a year that is left out.
func parseLIST(line string, now time.Time) (fetch.Entry, bool) {
	unread := fetch.Entry{Name: line, Type: "other", Size: -1, Raw: line}
	if strings.TrimSpace(line) == "" {
		return fetch.Entry{}, false
	}
	if word, rest, _ := strings.Cut(line, " "); word == "total" {
		if _, err := strconv.Atoi(strings.TrimSpace(rest)); err == nil {
			return fetch.Entry{}, false
		}
	}
	// Some servers give the machine's form to whoever asks.
	if facts, _, ok := strings.Cut(line, " "); ok && strings.HasSuffix(facts, ";") && strings.Contains(facts, "=") {
		return parseMLSD(line)
	}
	for _, form := range []func(string, time.Time) (fetch.Entry, bool){parseEPLF, parseDOS, parseUnix, parseVMS} {
		if e, ok := form(line, now); ok {
			return e, true
		}
	}
	return unread, true
}

// parseEPLF reads "+i8388621.48594,m825718503,r,s280,\tname" (D. J.
// Bernstein's Easily Parsed LIST Format).
func parseEPLF(line string, _ time.Time) (fetch.Entry, bool) {
	facts, name, ok := strings.Cut(line, "\t")
	if !ok || line[0] != '+' {
		return fetch.Entry{}, false
	}
	e := fetch.Entry{Name: name, Type: "other", Size: -1}
	for fact := range strings.SplitSeq(facts[1:], ",") {
		switch {
		case fact == "/":
			e.Type = "dir"
		case fact == "r":
			e.Type = "file"
		case strings.HasPrefix(fact, "s"):
			if n, err := strconv.ParseInt(fact[1:], 10, 64); err == nil && n >= 0 {
				e.Size = n
			}
		case strings.HasPrefix(fact, "m"):
			if n, err := strconv.ParseInt(fact[1:], 10, 64); err == nil {
				e.Time = time.Unix(n, 0).UTC()
			}
		}
	}
	return e, true
}

// parseDOS reads "11-30-26  08:40AM       <DIR>          name", also with a
// year of four digits and a clock of 24 hours.
func parseDOS(line string, _ time.Time) (fetch.Entry, bool) {
	f := fields(line, 3)
	if len(f) < 4 {
		return fetch.Entry{}, false
	}
	when := f[0].text + " " + strings.ToUpper(f[1].text)
	var t time.Time
	var err error
	for _, layout := range []string{"01-02-06 03:04PM", "01-02-2006 03:04PM", "01-02-06 15:04", "01-02-2006 15:04"} {
		if t, err = time.Parse(layout, when); err == nil {
			break
		}
	}
	if err != nil {
		return fetch.Entry{}, false
	}
	e := fetch.Entry{Name: f[3].text, Type: "file", Size: -1, Time: t}
	switch size := f[2].text; size {
	case "<DIR>":
		e.Type = "dir"
	case "<SYMLINK>", "<SYMLINKD>", "<JUNCTION>":
		e.Type = "link"
		e.Name, _, _ = strings.Cut(e.Name, " [")
	default:
		if e.Size, err = strconv.ParseInt(strings.ReplaceAll(size, ",", ""), 10, 64); err != nil || e.Size < 0 {
			return fetch.Entry{}, false
		}
	}
	return e, true
}

// parseUnix reads "-rw-r--r-- 1 owner group 280 Nov 30 08:40 name" and its
// kin: what counts is the date, the size before it and the name after it.
func parseUnix(line string, now time.Time) (fetch.Entry, bool) {
	e := fetch.Entry{Size: -1}
	switch line[0] {
	case '-', 'f':
		e.Type = "file"
	case 'd':
		e.Type = "dir"
	case 'l':
		e.Type = "link"
	case 'b', 'c', 'p', 's', 'D':
		e.Type = "other"
	default:
		return fetch.Entry{}, false
	}
	f := fields(line, 12)
	for i := 3; i+2 < len(f); i++ {
		t, n := unixDate(f, i, now)
		if n == 0 || i+n >= len(f) {
			continue
		}
		size, err := strconv.ParseInt(f[i-1].text, 10, 64)
		if err != nil || size < 0 {
			continue
		}
		if e.Type == "file" || e.Type == "link" {
			e.Size = size
		}
		e.Time = t
		// One space ends the date; a further one belongs to the name.
		last := f[i+n-1]
		e.Name = strings.TrimPrefix(line[last.at+len(last.text):], " ")
		if e.Type == "link" {
			e.Name, _, _ = strings.Cut(e.Name, " -> ")
		}
		return e, e.Name != ""
	}
	return fetch.Entry{}, false
}

// unixDate reads a date of n fields at f[i]: "Nov 30 08:40", "Nov 30 2025",
// "30 Nov 2025" or "2025-11-30 08:40". It is taken for UTC, since nothing says.
func unixDate(f []field, i int, now time.Time) (t time.Time, n int) {
	if i+1 < len(f) {
		for _, layout := range []string{"2006-01-02 15:04", "2006-01-02 15:04:05"} {
			if t, err := time.Parse(layout, f[i].text+" "+f[i+1].text); err == nil {
				return t, 2
			}
		}
	}
	if i+2 >= len(f) {
		return t, 0
	}
	month, day, rest := f[i].text, f[i+1].text, f[i+2].text
	if _, err := strconv.Atoi(month); err == nil {
		month, day = day, month
	}
	if len(month) != 3 {
		return t, 0
	}
	if t, err := time.Parse("Jan 2 2006", month+" "+day+" "+rest); err == nil {
		return t, 3
	}
	t, err := time.Parse("2006 Jan 2 15:04", strconv.Itoa(now.UTC().Year())+" "+month+" "+day+" "+rest)
	if err != nil {
		// February 29 exists only in some years.
		if t, err = time.Parse("2006 Jan 2 15:04", strconv.Itoa(now.UTC().Year()-1)+" "+month+" "+day+" "+rest); err != nil {
			return t, 0
		}
		return t, 3
	}
	// A time instead of a year means the last twelve months.
	if t.After(now.Add(36 * time.Hour)) {
		t = t.AddDate(-1, 0, 0)
	}
	return t, 3
}

// parseVMS reads "NAME.TXT;1   12/24   30-NOV-2026 08:40:24 [owner] (…)"; the
// size is in blocks, so it is not told.
func parseVMS(line string, _ time.Time) (fetch.Entry, bool) {
	f := fields(line, 4)
	if len(f) < 4 {
		return fetch.Entry{}, false
	}
	name, version, ok := strings.Cut(f[0].text, ";")
	if _, err := strconv.Atoi(version); !ok || err != nil {
		return fetch.Entry{}, false
	}
	var t time.Time
	var err error
	for _, layout := range []string{"2-Jan-2006 15:04:05", "2-Jan-2006 15:04"} {
		clock, _, _ := strings.Cut(f[3].text, ".")
		if t, err = time.Parse(layout, capital(f[2].text)+" "+clock); err == nil {
			break
		}
	}
	if err != nil {
		return fetch.Entry{}, false
	}
	e := fetch.Entry{Name: name, Type: "file", Size: -1, Time: t}
	if dir, ok := strings.CutSuffix(name, ".DIR"); ok {
		e.Name, e.Type = dir, "dir"
	}
	return e, true
}

// capital writes "30-NOV-2026" as "30-Nov-2026".
func capital(s string) string {
	b := []byte(strings.ToLower(s))
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
			break
		}
	}
	return string(b)
}

// A field is a word of a line and where it stands.
type field struct {
	text string
	at   int
}

// fields splits a line into at most most+1 fields at runs of spaces; the last
// holds all that is left.
func fields(line string, most int) []field {
	var f []field
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		end := len(line)
		if len(f) < most {
			if n := strings.IndexAny(line[i:], " \t"); n >= 0 {
				end = i + n
			}
		}
		f = append(f, field{line[i:end], i})
		i = end
	}
	return f
}
