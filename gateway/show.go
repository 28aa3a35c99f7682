package gateway

import (
	"iter"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/find"
	"anyurl/percent"
	wais "anyurl/scheme/wais"
)

// show opens the URL and shows the object as a page.
func (v *visit) show() {
	o, err := v.load()
	if err != nil {
		if v.input(err) {
			return
		}
		v.failed(err)
		return
	}
	v.present(o)
}

// present shows an object. To make a page takes a processor and several times the
// octets of what it shows, so no more are in the making than there are processors.
func (v *visit) present(o *object) {
	a := v.made(o)
	if a != nil {
		a.send(v.w, v.r, v.g.o.Now())
	}
}

func (v *visit) made(o *object) *answer {
	v.g.writing <- struct{}{}
	defer func() { <-v.g.writing }()
	if a, ok := v.g.cache.answer(v.target); ok && len(v.views) == 0 && !v.proxy && !anew(v.r) {
		return a // somebody who waited for the same object has made it meanwhile
	}
	if !o.URL.IsZero() && o.URL != v.url.WithoutFragment() {
		v.url = o.URL // a folder's own name, or where it moved: links count from there
	}
	frame := v.frame()
	frame.Crumbs = v.crumbs()
	frame.Facts = v.facts(o)
	frame.Notes = notes(o)
	keep := o.at.Add(v.g.o.Fresh)
	if o.late != nil || v.url.HasUserinfo() {
		keep = time.Time{}
	}
	if !v.proxy {
		frame.Actions = append(frame.Actions, choice{v.here("raw"), "as it came"}, choice{v.here("save"), "download"})
	}
	if f, ok := searchable(v.url); ok {
		frame.Form = &f
	}
	if len(o.Entries) > shownEntries {
		short := *o
		short.Entries = o.Entries[:shownEntries]
		o = &short
	}
	name, content := v.content(o, frame)
	status := http.StatusOK
	if isWeb(v.url.Scheme()) && o.Status >= 400 {
		status = o.Status
	}
	return v.write(status, frame, name, content, keep)
}

// shownEntries is how many entries of a listing a page has.
const shownEntries = 10_000

// content chooses how an object is shown.
func (v *visit) content(o *object, frame *page) (name string, content any) {
	switch family := v.url.Scheme(); {
	case o.Listing && (family == "gopher" || family == "gophers"):
		return "menu", v.menu(o)
	case o.Listing && (family == "news" || family == "nntp" || family == "snews"):
		return v.group(o)
	case o.Listing && (family == "wais" || strings.HasPrefix(family, "z39.50")):
		return "results", v.results(o)
	case o.Listing && family == "dict":
		return "words", v.menu(o)
	case o.Listing:
		return "folder", v.folder(o)
	}
	switch media(o.Type) {
	case "image", "audio", "video":
		return media(o.Type), struct{ Href, Name string }{v.here("raw"), lastName(v.url)}
	case "text":
		return v.text(o, frame)
	}
	return "binary", struct {
		Type, Save, Name string
		Size             int64
	}{o.Type, v.here("save"), lastName(v.url), o.Size}
}

// text chooses how a text is shown.
func (v *visit) text(o *object, frame *page) (name string, content any) {
	switch {
	case o.Type == "text/gemini":
		return "gemtext", v.gemtext(decode(o.body), frame)
	case o.Type == "message/rfc822":
		return "mail", v.mail(o.body, frame)
	case o.Type == "text/html" || o.Type == "application/xhtml+xml":
		return "prose", v.prose(o.body, frame)
	case strings.HasPrefix(v.url.Scheme(), "z39.50"):
		if r := record(o.body); len(r) > 0 {
			return "record", r
		}
	}
	return "text", v.linked(readable(o.body))
}

// A stretch is a piece of text, and where it leads if it is a URL.
type stretch struct {
	Text string
	Link link
}

// linked finds the URLs in a text.
func (v *visit) linked(text string) []stretch {
	var list []stretch
	last := 0
	for m := range v.urls(text) {
		if m.Start < last {
			continue
		}
		if l := v.link(m.URL); l.Href != "" {
			list = append(list, stretch{Text: text[last:m.Start]}, stretch{text[m.Start:m.End], l})
			last = m.End
		}
	}
	return append(list, stretch{Text: text[last:]})
}

// urls are the first few thousand URLs in a text.
func (v *visit) urls(text string) iter.Seq[find.Match] {
	return func(yield func(find.Match) bool) {
		n := 0
		for m := range find.Text(text, find.Options{}) {
			if n++; n > 5000 || !yield(m) {
				return
			}
		}
	}
}

// facts are what is known about the object.
func (v *visit) facts(o *object) (rows []row) {
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, row{name, value})
		}
	}
	add("protocol", masked(o.Protocol))
	add("type", masked(o.Type))
	if o.Listing {
		add("entries", count(len(o.Entries), "entry", "entries"))
	} else {
		add("size", octets(o.Size))
	}
	add("changed", day(o.ModTime))
	for i, hop := range o.hops {
		if i < len(o.hops)-1 {
			add("by way of", masked(hop.URL))
		}
	}
	add("opened", o.at.UTC().Format("15:04:05 UTC"))
	return rows
}

// notes are what whoever reads the page should know about it.
func notes(o *object) (list []string) {
	if o.late == errSlow {
		list = append(list, "The server is slow: this is what came in "+strconv.Itoa(int(patience.Seconds()))+" seconds. “As it came” passes on all of it, as it comes.")
	} else if o.late != nil {
		list = append(list, "The object broke off here: "+problemOf(o.late).Says)
	}
	if o.cut && len(o.body) > 512 {
		list = append(list, "This is the beginning alone, "+octets(int64(len(o.body)))+" of it. Download it to have all.")
	}
	if len(o.Entries) > shownEntries {
		list = append(list, "These are the first "+strconv.Itoa(shownEntries)+" of "+strconv.Itoa(len(o.Entries))+" entries. Download the listing to have all.")
	}
	for _, key := range []string{"Diagnostic", "Suggested-User"} {
		if said := o.said(key); said != "" {
			list = append(list, key+": "+masked(said))
		}
	}
	return list
}

// crumbs is the way to the page: the host, and every folder down from it.
func (v *visit) crumbs() []crumb {
	u := v.url
	if u.OpaquePath() {
		return nil
	}
	top, err := u.WithoutFragment().WithoutQuery().WithPath("/")
	if err != nil {
		return nil
	}
	name := u.HostPort()
	if name == "" {
		name = u.Scheme() + "://"
	}
	path := ""
	segments := slices.Collect(u.Segments())
	if root := v.g.o.Files; u.Scheme() == "file" && !root.IsZero() && strings.HasPrefix(u.Path(), root.Path()) {
		top, path, name = root, strings.TrimSuffix(root.Path(), "/"), "files"
		segments = segments[strings.Count(path, "/"):]
	}
	list := []crumb{{masked(name), v.linkTo(top).Href}}
	switch u.Scheme() {
	case "gopher", "gophers":
		return list // a selector is the server's own; it has no folders
	case "wais":
		return append(list, v.database()...)
	}
	for i, s := range segments {
		if s == "" {
			path += "/"
			continue
		}
		last := i == len(segments)-1 || i == len(segments)-2 && segments[len(segments)-1] == ""
		if path += s; !last || u.Path() != path {
			path += "/"
		}
		if path[0] != '/' {
			path = "/" + path
		}
		c := crumb{Name: masked(percent.Decode(strings.TrimSuffix(s, ";type=d")))}
		if step, err := top.WithPath(path); err == nil && !last {
			c.Href = v.linkTo(step).Href
		}
		list = append(list, c)
	}
	return list
}

// database is the way to a page of WAIS: the database, and a document in it, whose
// name is for its server alone.
func (v *visit) database() []crumb {
	ref, err := wais.Read(v.url)
	if err != nil || ref.Database == "" {
		return nil
	}
	name := masked(ref.Database)
	if ref.Doc == "" {
		return []crumb{{Name: name}}
	}
	ref.Doc, ref.Type, ref.Length, ref.HasLength = "", "", 0, false
	return []crumb{{name, v.linkTo(ref.URL()).Href}, {Name: "a document"}}
}

// lastName is what a file of this URL may be called: its last segment, with
// nothing in it that leads elsewhere.
func lastName(u anyurl.URL) string {
	name := ""
	for s := range u.Segments() {
		if s != "" {
			name = s
		}
	}
	name, _, _ = strings.Cut(name, ";")
	name = percent.Decode(name)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || acts(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	if name = strings.TrimLeft(name, "."); name == "" {
		return "object"
	}
	if len(name) > 120 {
		name = strings.ToValidUTF8(name[len(name)-120:], "")
	}
	return name
}

// An entry is one line of a listing.
type entry struct {
	Name string
	Kind string
	Link link
	Size int64
	Time time.Time
}

// A folder is a listing as a table.
type folder struct {
	Up      string
	Entries []entry
	Columns []column
}

// columns are what a folder can be sorted by.
var columns = [...]string{"name", "type", "size", "time"}

// A column heads the table and sorts it.
type column struct{ Name, Href, Sorted string }

// folder shows a listing of files, sorted as asked.
func (v *visit) folder(o *object) folder {
	f := folder{Entries: make([]entry, 0, len(o.Entries))}
	for i := range o.Entries {
		e := &o.Entries[i]
		if e.Name == "." || e.Name == ".." {
			continue
		}
		f.Entries = append(f.Entries, entry{Name: masked(e.Name), Kind: masked(e.Type), Link: v.link(e.URL), Size: e.Size, Time: e.Time})
	}
	by := "name"
	for _, view := range v.views {
		if s, ok := strings.CutPrefix(view, "by-"); ok {
			by = s
		}
	}
	key, down := strings.CutSuffix(by, "-down")
	sort.SliceStable(f.Entries, func(i, j int) bool {
		a, b := &f.Entries[i], &f.Entries[j]
		if down {
			a, b = b, a
		}
		switch key {
		case "size":
			return a.Size < b.Size
		case "time":
			return a.Time.Before(b.Time)
		case "type":
			return a.Kind < b.Kind
		}
		if x, y := a.Kind == "dir", b.Kind == "dir"; x != y {
			return x != down
		}
		return strings.ToLower(a.Name) < strings.ToLower(b.Name)
	})
	for _, name := range columns {
		c := column{Name: name}
		view := "by-" + name
		if key == name {
			c.Sorted = "ascending"
			if down {
				c.Sorted = "descending"
			} else {
				view += "-down"
			}
		}
		if !v.proxy {
			c.Href = v.here(view)
		}
		f.Columns = append(f.Columns, c)
	}
	if up, ok := above(v.url); ok && v.url != v.g.o.Files {
		f.Up = v.linkTo(up).Href
	}
	return f
}

// above is the folder that a folder lies in.
func above(u anyurl.URL) (anyurl.URL, bool) {
	if u.OpaquePath() {
		return anyurl.URL{}, false
	}
	path := strings.TrimSuffix(u.Path(), ";type=d")
	path = strings.TrimSuffix(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 || path == "" {
		return anyurl.URL{}, false
	}
	up, err := u.WithoutFragment().WithoutQuery().WithPath(path[:i+1])
	return up, err == nil
}

// kinds are the item types of gopher, in a word (RFC 1436, section 3.8, and what
// came after).
var kinds = [...]struct {
	typ  byte
	name string
}{
	{'0', "text"}, {'1', "menu"}, {'2', "phone book"}, {'3', "error"}, {'4', "BinHex"}, {'5', "archive"}, {'6', "uuencoded"}, {'7', "search"},
	{'8', "telnet"}, {'9', "binary"}, {'+', "mirror"}, {'T', "tn3270"}, {'g', "GIF"}, {'I', "image"}, {'h', "page"}, {'s', "sound"}, {';', "video"},
	{'d', "document"}, {'M', "mail"}, {'P', "PDF"}, {'p', "PNG"}, {'r', "RTF"}, {'x', "XML"}, {'c', "calendar"}, {':', "bitmap"}, {'<', "sound"},
}

// kindOf names an entry's type.
func kindOf(e *fetch.Entry) string {
	if len(e.Type) == 1 {
		for _, k := range kinds {
			if k.typ == e.Type[0] {
				return k.name
			}
		}
	}
	return masked(e.Type)
}

// A block is a run of words, or one thing, in a menu.
type block struct {
	Words string
	Entry *entry
	Error bool
}

// menu shows a gopher menu: words stand as they are, things are links.
func (v *visit) menu(o *object) []block {
	var list []block
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			list = append(list, block{Words: strings.TrimSuffix(words.String(), "\n")})
			words.Reset()
		}
	}
	for i := range o.Entries {
		e := &o.Entries[i]
		if e.Type == "i" {
			words.WriteString(readable([]byte(e.Name)))
			words.WriteByte('\n')
			continue
		}
		flush()
		list = append(list, block{Entry: &entry{Name: masked(strings.TrimSpace(e.Name)), Kind: kindOf(e), Link: v.link(e.URL), Size: e.Size, Time: e.Time}, Error: e.Type == "3"})
	}
	flush()
	return list
}
