package gateway

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
)

// shape writes threads as "subject(answers)".
func shape(list []*thread) string {
	var all []string
	for _, t := range list {
		s := t.Subject
		if len(t.Answers) > 0 {
			s += "(" + shape(t.Answers) + ")"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func overview(lines ...string) *object {
	o := &object{}
	for i, l := range lines { // subject|message-id|references
		f := strings.Split(l, "|")
		o.Entries = append(o.Entries, fetch.Entry{Name: f[0], Type: "article",
			Raw: fmt.Sprintf("%d\t%s\tjoe@a.example\tx\t<%s>\t%s\t1\t1", i+1, f[0], f[1], f[2])})
	}
	return o
}

func TestThreads(t *testing.T) {
	v := &visit{g: try(t, answers, nil), url: anyurl.MustParse("nntp://a.example/g")}
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"an answer", []string{"a|1|", "Re: a|2|<1>"}, "a(Re: a)"},
		{"the latest first", []string{"a|1|", "b|2|"}, "b a"},
		{"an answer to an answer", []string{"a|1|", "Re: a|2|<1>", "Re: a|3|<1> <2>"}, "a(Re: a(Re: a))"},
		{"a reference that is not there", []string{"a|1|", "Re: a|3|<1> <gone>"}, "a(Re: a)"},
		{"without references", []string{"a|1|", "Re: a|2|"}, "a(Re: a)"},
		{"the same subject anew", []string{"a|1|", "a|2|"}, "a a"},
		{"an answer that came first", []string{"Re: a|2|<1>", "a|1|"}, "a(Re: a)"},
		{"itself", []string{"a|1|<1>"}, "a"},
		{"in a circle", []string{"a|1|<2>", "b|2|<1>"}, "b(a)"},
		{"the same identifier", []string{"a|1|", "b|1|"}, "b a"},
	} {
		_, got := v.group(overview(tt.lines...))
		if s := shape(got.(group).Threads); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
	// However deep, a page of it can be written.
	var deep []string
	refs := ""
	for i := range 3000 {
		deep = append(deep, fmt.Sprintf("Re: a|%d|%s", i, refs))
		refs = fmt.Sprintf("<%d>", i)
	}
	_, got := v.group(overview(deep...))
	if n := got.(group).Threads[0].Size(); n != 3000 {
		t.Errorf("%d of 3000 articles are there", n)
	}
	if strings.Count(shape(got.(group).Threads), "(") > deepest {
		t.Error("the answers are deeper than a page can show")
	}
}

func TestBaseSubject(t *testing.T) {
	for _, tt := range []struct {
		in, base string
		answer   bool
	}{{"a", "a", false}, {"Re: A", "a", true}, {"RE: AW: a", "a", true}, {"Really", "really", false}, {"", "", false}} {
		if base, answer := baseSubject(tt.in); base != tt.base || answer != tt.answer {
			t.Errorf("%q: %q %v", tt.in, base, answer)
		}
	}
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain\r\ntext\rhere", "plain\ntext\nhere"},
		{"\x1b[31mred\x1b[0m and \x1b]0;x", "red and 0;x"},
		{"N\bNA\bAM\bME\bE", "NAME"},
		{"\b\bx", "x"},
		{"caf\xe9", "café"},
		{"caf\xc3\xa9", "café"},
		{"a\x00b\x7fc", "abc"},
		{"a\u202eb", `a\u{202e}b`},
		{"\xef\xbb\xbfbom", "bom"},
		{"tab\tand\nline", "tab\tand\nline"},
	} {
		if got := readable([]byte(tt.in)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}
