package gateway

import (
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyurl/fetch"
	"anyurl/internal/quote"
)

// A thread is an article and the answers to it.
type thread struct {
	Subject string
	From    string
	Time    time.Time
	Link    link
	Same    bool // the subject is its parent's
	Answers []*thread

	id         string
	references []string
}

// Size is how many articles the thread has.
func (t *thread) Size() int {
	n := 1
	for _, a := range t.Answers {
		n += a.Size()
	}
	return n
}

// deepest is how far answers are moved in; what is deeper stays there. It also
// bounds the recursion that writes them.
const deepest = 24

// A group is a newsgroup, or as much of it as a page has.
type group struct {
	Threads              []*thread
	Says                 string // which of its articles these are; "" for all
	Older, Newer, Latest string // pages with others; "" for none
}

// group shows a newsgroup as its threads, or a list of groups.
func (v *visit) group(o *object) (name string, content any) {
	var articles []*thread
	for i := range o.Entries {
		e := &o.Entries[i]
		if e.Type != "article" {
			return "groups", v.groups(o)
		}
		articles = append(articles, v.article(e))
	}
	g := group{Threads: threads(articles)}
	if low, high, all, ok := articlesOf(o); ok {
		v.between(&g, low, high, all)
	}
	return "threads", g
}

// articlesOf reads which articles of a group came, as package proto/nntp says it.
func articlesOf(o *object) (low, high, all uint64, ok bool) {
	n, err := fmt.Sscanf(o.said("Content-Range"), "articles %d-%d/%d", &low, &high, &all)
	return low, high, all, n == 3 && err == nil
}

// between says which part of a group the page has, and where the others are. The
// numbers are the server's, and some of them may be of no article any more.
func (v *visit) between(g *group, low, high, all uint64) {
	if low > high {
		g.Says = "There are none so old; the group has " + counted(all, "article", "articles") + "."
	} else {
		g.Says = fmt.Sprintf("Articles %d to %d, of %s in the group.", low, high, counted(all, "article", "articles"))
	}
	if v.proxy {
		return // an address for each would have to be a URL of the group's, and there is none
	}
	bare := *v
	bare.views = slices.DeleteFunc(slices.Clone(v.views), func(view string) bool { _, ok := before(view); return ok })
	if low <= high && low > 1 {
		g.Older = bare.here("before-" + strconv.FormatUint(low, 10))
	}
	if v.before() > 0 {
		g.Latest = bare.here()
		if low <= high {
			g.Newer = bare.here("before-" + strconv.FormatUint(high+1+(high-low+1), 10))
		}
	}
}

// A newsgroup is a line in a list of groups.
type newsgroup struct {
	Name string
	Link link
}

func (v *visit) groups(o *object) (list []newsgroup) {
	for i := range o.Entries {
		list = append(list, newsgroup{masked(o.Entries[i].Name), v.link(o.Entries[i].URL)})
	}
	return list
}

// article reads a line of the overview (RFC 3977, section 8.3): number, subject,
// from, date, message-id, references.
func (v *visit) article(e *fetch.Entry) *thread {
	t := &thread{Subject: masked(encoded(e.Name)), Time: e.Time, Link: v.link(e.URL)}
	f := strings.Split(e.Raw, "\t")
	if len(f) > 2 {
		t.From = who(f[2])
	}
	if len(f) > 4 {
		t.id = strings.TrimSpace(f[4])
	}
	if len(f) > 5 {
		t.references = strings.Fields(f[5])
	}
	if t.Subject == "" {
		t.Subject = "(no subject)"
	}
	return t
}

// threads hangs each article under the nearest of its references that is there,
// or else under an older article whose subject it answers. The threads come
// with the latest first, the answers in the order of their numbers.
func threads(articles []*thread) []*thread {
	byID := map[string]*thread{}
	bySubject := map[string]*thread{}
	for _, t := range articles {
		if _, ok := byID[t.id]; !ok && t.id != "" {
			byID[t.id] = t
		}
	}
	var roots []*thread
	above := map[*thread]*thread{}
	depth := map[*thread]int{}
	for _, t := range articles { // in the order of their numbers
		base, answer := baseSubject(t.Subject)
		var to *thread
		for i := len(t.references) - 1; i >= 0 && to == nil; i-- {
			if p := byID[t.references[i]]; p != t && p != nil && !leads(above, p, t) {
				to = p
			}
		}
		if first := bySubject[base]; to == nil && answer && first != nil && !leads(above, first, t) {
			to = first
		}
		if to != nil && depth[to] >= deepest {
			to = above[to]
		}
		if bySubject[base] == nil {
			bySubject[base] = t
		}
		if to == nil {
			roots = append(roots, t)
			continue
		}
		above[t], depth[t] = to, depth[to]+1
		parent, _ := baseSubject(to.Subject)
		t.Same = parent == base
		to.Answers = append(to.Answers, t)
	}
	for i, j := 0, len(roots)-1; i < j; i, j = i+1, j-1 {
		roots[i], roots[j] = roots[j], roots[i]
	}
	return roots
}

// leads reports whether the way up from t comes to top: two articles that claim
// to answer each other must not make a circle.
func leads(above map[*thread]*thread, t, top *thread) bool {
	for n := 0; t != nil; t, n = above[t], n+1 {
		if t == top || n > 10*deepest {
			return true
		}
	}
	return false
}

// baseSubject is a subject without its "Re:", and whether it had one.
func baseSubject(s string) (base string, answer bool) {
	for {
		s = strings.TrimSpace(s)
		cut := false
		for _, mark := range []string{"re:", "aw:", "sv:", "antw:"} {
			if len(s) >= len(mark) && strings.EqualFold(s[:len(mark)], mark) {
				s, cut, answer = s[len(mark):], true, true
			}
		}
		if !cut {
			return strings.ToLower(s), answer
		}
	}
}

// who is the name in a From field, or else the address.
func who(from string) string {
	if a, err := mail.ParseAddress(from); err == nil {
		if a.Name != "" {
			return quote.Text(a.Name)
		}
		return quote.Text(a.Address)
	}
	return quote.Text(encoded(from))
}
