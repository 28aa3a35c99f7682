package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"anyurl"
	"anyurl/check"
)

// A fixer rewrites links in the files they stand in: what moved for good, and
// what https serves as http does. It touches nothing but the links' own bytes.
type fixer struct {
	call    *call
	upgrade func(context.Context, anyurl.URL) (anyurl.URL, bool) // to https, where that is the same
	seen    map[string]fs.FileInfo                               // files as they were when they were read
	edits   map[string][]rewrite
	left    map[string][]string // where links stand that moved and stay as they are, by the reason
}

// A rewrite is a link with another in its place.
type rewrite struct {
	place    check.Place
	old, new string // URLs
}

// rewrite mends, or shows as a diff, what of the results can be mended; nothing
// where the check was interrupted.
func (f *fixer) rewrite(results []check.Result, diffTo io.Writer, write bool) {
	if f.call.ctx.Err() != nil {
		f.interrupted()
		return
	}
	for _, r := range results {
		f.take(r)
	}
	f.finish(diffTo, write)
}

// saw takes note of a file before it is read.
func (f *fixer) saw(source string) {
	if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() {
		f.seen[source] = info
	}
}

// take looks whether a verdict is one to be fixed.
func (f *fixer) take(r check.Result) {
	to := f.replacement(r)
	if to == r.URL {
		return
	}
	asks := asksMore(r.URL, to)
	for _, place := range r.Sources {
		switch {
		case place.Line == 0 && place.Source == "": // the command line
		case to == "":
			if r.State == check.Moved {
				f.leave(place, "the old place or the new one holds a user name or a password, or is no URL to write")
			}
		case len(r.Written) > 0:
			f.leave(place, "--remap put another URL in its place to be checked")
		case asks:
			f.leave(place, "the new place has a query that the old one has not, perhaps for one visit alone")
		case f.seen[place.Source] == nil || place.End <= place.Start:
			f.leave(place, "it stands in an archive, on standard input or on a page of the network")
		default:
			f.edits[place.Source] = append(f.edits[place.Source], rewrite{place, r.URL, to})
		}
	}
}

// asksMore reports whether the new URL has a query that is not the old one's.
func asksMore(old, new string) bool {
	from, errFrom := anyurl.Parse(old)
	to, errTo := anyurl.Parse(new)
	return errFrom == nil && errTo == nil && to.HasQuery() && to.Query() != from.Query()
}

// leave takes note of a link that stays as it is.
func (f *fixer) leave(place check.Place, why string) {
	if f.left == nil {
		f.left = map[string][]string{}
	}
	f.left[why] = append(f.left[why], fmt.Sprintf("%s:%d", place.Source, place.Line))
}

// replacement gives the URL to be written for one with a verdict, or "".
func (f *fixer) replacement(r check.Result) string {
	from, err := anyurl.Parse(r.URL)
	if err != nil || from.HasUserinfo() {
		return ""
	}
	switch {
	case r.State == check.Moved && r.To != "":
		to, err := anyurl.Parse(r.To)
		if err != nil || to.HasUserinfo() {
			return ""
		}
		if !to.HasFragment() && from.HasFragment() {
			if to, err = to.WithFragment(from.Fragment()); err != nil {
				return ""
			}
		}
		return to.String()
	case r.State == check.Alive && r.From == "network" && from.Scheme() == "http" && len(r.Hops) == 0:
		for _, place := range r.Sources {
			if f.seen[place.Source] != nil {
				if to, ok := f.upgrade(f.call.ctx, from); ok {
					return to.String()
				}
				break
			}
		}
	}
	return ""
}

// finish makes the edits, or shows them in w as a unified diff where write is
// not asked for.
func (f *fixer) finish(w io.Writer, write bool) {
	links, files := 0, 0
	for _, source := range slices.Sorted(maps.Keys(f.edits)) {
		if f.call.ctx.Err() != nil {
			break
		}
		n, fault := f.fix(w, source, write)
		if fault != nil {
			f.call.complain(fault)
			continue
		}
		links += n
		files += min(n, 1)
	}
	if write && links > 0 {
		f.call.note("%s rewritten in %s", counted(links, "link was", "links were"), counted(files, "file", "files"))
	}
	if f.call.ctx.Err() != nil {
		f.interrupted()
	}
	for _, why := range slices.Sorted(maps.Keys(f.left)) {
		places := f.left[why]
		const most = 3
		where := strings.Join(places[:min(len(places), most)], ", ")
		if len(places) > most {
			where += fmt.Sprintf(" and %d more", len(places)-most)
		}
		what := "a link that was to be rewritten stays as it is"
		if len(places) > 1 {
			what = "links that were to be rewritten stay as they are"
		}
		f.call.note("%s: %s: %s", where, what, why)
	}
}

// counted is a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// interrupted tells that nothing more is written: who interrupts a run wants no
// files changed behind their back.
func (f *fixer) interrupted() {
	f.call.note("the run was interrupted, and no file is rewritten after that")
}

// fix makes the edits of one file, and tells how many there were.
func (f *fixer) fix(w io.Writer, source string, write bool) (n int, err error) {
	data, err := os.ReadFile(source)
	if err != nil {
		return 0, unreadable(source, err)
	}
	if err := f.unchanged(source); err != nil {
		return 0, err
	}
	edits := f.edits[source]
	if why := notOurs(source); why != "" {
		for _, e := range edits {
			f.leave(e.place, "the file "+why)
		}
		return 0, nil
	}
	slices.SortFunc(edits, func(a, b rewrite) int { return cmp.Compare(a.place.Start, b.place.Start) })
	var out bytes.Buffer
	at := 0
	var made []rewrite
	links := 0 // less than what is made by the labels among it
	for _, e := range edits {
		if e.place.Start < at || e.place.End > len(data) {
			continue
		}
		text, ok := written(string(data[e.place.Start:e.place.End]), e)
		if !ok {
			// It is spelled in a way that is not ours to imitate.
			f.leave(e.place, "it is spelled with escapes, over several lines or in an encoding that is not written here")
			continue
		}
		if label, ok := labelled(data[at:e.place.Start], data[e.place.Start:e.place.End]); ok {
			place := e.place
			place.Start, place.End = at+label, at+label+(e.place.End-e.place.Start)
			out.Write(data[at:place.Start])
			out.WriteString(text)
			at = place.End
			made = append(made, rewrite{place, string(data[place.Start:place.End]), text})
			links--
		}
		out.Write(data[at:e.place.Start])
		out.WriteString(text)
		at = e.place.End
		made = append(made, rewrite{e.place, string(data[e.place.Start:e.place.End]), text})
	}
	if len(made) == 0 {
		return 0, nil
	}
	out.Write(data[at:])
	if !write {
		return links + len(made), diff(w, source, data, made)
	}
	file, err := f.call.create(source)
	if err != nil {
		return 0, err
	}
	_, err = file.Write(out.Bytes())
	if err == nil {
		err = f.unchanged(source)
	}
	if err == nil {
		err = f.call.ctx.Err()
	}
	if err := errors.Join(err, file.finish(err == nil)); err != nil {
		return 0, err
	}
	return links + len(made), nil
}

// labelled gives where a link's text begins in what stands before the link, where
// that text is the link itself, as Markdown has it: [url](url).
func labelled(before, url []byte) (at int, ok bool) {
	label := len(before) - len("](") - len(url)
	if label < 1 || before[label-1] != '[' || !bytes.HasSuffix(before, []byte("](")) || !bytes.Equal(before[label:label+len(url)], url) {
		return 0, false
	}
	return label, true
}

// notOurs tells why a file is not to be rewritten, or gives "": who took the leave
// to write from a file, or gave it several names or another owner, meant that,
// and a file that is renamed into its place would undo it.
func notOurs(source string) string {
	info, err := os.Stat(source)
	if err != nil {
		return "cannot be looked at"
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "is not writable"
	}
	file, err := os.OpenFile(source, os.O_WRONLY, 0)
	if err != nil {
		return "is not writable"
	}
	file.Close()
	return shared(info)
}

// unchanged refuses a file that is not as it was when its links were found.
func (f *fixer) unchanged(source string) error {
	was := f.seen[source]
	is, err := os.Stat(source)
	if err != nil {
		return unreadable(source, err)
	}
	if !os.SameFile(was, is) || !was.ModTime().Equal(is.ModTime()) || was.Size() != is.Size() {
		return cannot(fmt.Errorf("%s was changed while its links were checked, and is left alone", source), "run check once more")
	}
	return nil
}

// written gives the new URL as it is to be written where the old one stands as
// text; ok is false where text is not the old one, plainly or with HTML's
// character references.
func written(text string, e rewrite) (_ string, ok bool) {
	is := func(text string) bool {
		u, err := anyurl.Parse(text)
		return err == nil && u.String() == e.old
	}
	if strings.ContainsAny(text, " \t\r\n<>\"") {
		return "", false
	}
	switch plain := html.UnescapeString(text); {
	case plain != text && is(plain):
		return strings.ReplaceAll(e.new, "&", "&amp;"), true
	case is(text):
		return e.new, true
	}
	return "", false
}

// diff writes the edits of a file as a unified diff with three lines of context.
func diff(w io.Writer, name string, data []byte, edits []rewrite) error {
	const context = 3
	lines := bytes.SplitAfter(data, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		lines = lines[:last]
	}
	changed := map[int][]byte{} // lines as they will be, by number
	start, next := 0, 0
	var order []int
	for i, line := range lines {
		end := start + len(line)
		var b bytes.Buffer
		at := start
		for next < len(edits) && edits[next].place.Start < end {
			e := edits[next]
			b.Write(data[at:e.place.Start])
			b.WriteString(e.new)
			at = e.place.End
			next++
		}
		if at != start {
			b.Write(data[at:end])
			changed[i] = b.Bytes()
			order = append(order, i)
		}
		start = end
	}
	var b bytes.Buffer
	before, after := name, name
	if !filepath.IsAbs(name) { // as git apply and patch -p1 take it
		before, after = "a/"+filepath.ToSlash(filepath.Clean(name)), "b/"+filepath.ToSlash(filepath.Clean(name))
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", before, after)
	put := func(mark byte, line []byte) {
		b.WriteByte(mark)
		b.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
	for len(order) > 0 {
		hunk := 1 // changed lines in it
		for hunk < len(order) && order[hunk]-order[hunk-1] <= 2*context {
			hunk++
		}
		from, to := max(0, order[0]-context), min(len(lines), order[hunk-1]+context+1)
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1, to-from)
		for i := from; i < to; i++ {
			if changed[i] == nil {
				put(' ', lines[i])
				continue
			}
			put('-', lines[i])
			put('+', changed[i])
		}
		order = order[hunk:]
	}
	_, err := w.Write(b.Bytes())
	return err
}
