package history

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"anyurl"
	"anyurl/check"
)

// A move is what a permanent redirect tells about its neighbours: what begins
// with one text may begin with the other now.
type move struct {
	from, to string
	votes    int // redirects that tell the same
}

// mostMoves is how many redirects of a host are looked at.
const mostMoves = 500

// moves gives what the redirects of a host tell, the longest beginning first.
func (h *History) moves(ctx context.Context, host string) ([]move, error) {
	if host == "" {
		return nil, nil
	}
	rows, err := h.db.QueryContext(ctx, h.engine.query(`SELECT url, final FROM url WHERE host = $1 AND state = 'moved' LIMIT 500`), host)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	votes := map[[2]string]int{}
	for n := 0; rows.Next() && n < mostMoves; n++ {
		var old, final string
		if err := rows.Scan(&old, &final); err != nil {
			return nil, err
		}
		if from, to, ok := parted(old, final); ok {
			votes[[2]string{from, to}]++
		}
	}
	var all []move
	for pair, n := range votes {
		all = append(all, move{pair[0], pair[1], n})
	}
	slices.SortFunc(all, func(a, b move) int {
		return cmp.Or(cmp.Compare(len(b.from), len(a.from)), cmp.Compare(b.votes, a.votes), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return all, rows.Err()
}

// parted takes from two URLs the path's segments that they end in both, and
// reports whether the rest tells of a move: the last segment at least has to be
// the same, and what is left of the old one a folder.
func parted(old, final string) (from, to string, ok bool) {
	n := 0
	for n < len(old) && n < len(final) && old[len(old)-1-n] == final[len(final)-1-n] {
		n++
	}
	tail := old[len(old)-n:]
	slash := strings.IndexByte(tail, '/')
	if slash < 0 || slash == len(tail)-1 {
		return "", "", false
	}
	from, to = strings.TrimSuffix(old, tail[slash+1:]), strings.TrimSuffix(final, tail[slash+1:])
	return from, to, from != to && isFolder(from) && isFolder(to)
}

// isFolder reports whether a text is a URL that ends in a folder of its path.
func isFolder(s string) bool {
	u, err := anyurl.Parse(s)
	return err == nil && u.HasHost() && !u.HasQuery() && !u.HasFragment() && strings.HasSuffix(u.Path(), "/") && strings.HasSuffix(s, "/")
}

// mostSuggestions is how many a dead link gets.
const mostSuggestions = 3

// suggest gives what may stand in the place of a dead link: where it led when
// it last was good, and where its neighbours have moved to.
func (h *History) suggest(ctx context.Context, s standing, moves []move) (all []check.Suggestion) {
	add := func(url, why string) {
		if url == "" || url == s.url || len(all) == mostSuggestions || slices.ContainsFunc(all, func(o check.Suggestion) bool { return o.URL == url }) {
			return
		}
		if known, ok, err := h.standing(ctx, url); err != nil || ok && known.state == check.Broken {
			return
		}
		all = append(all, check.Suggestion{URL: url, Why: why})
	}
	if s.lastGood != 0 {
		add(s.goodFinal, "it led there when it was last good, on "+instant(s.lastGood).Format("2006-01-02"))
	}
	for _, m := range moves {
		if rest, ok := strings.CutPrefix(s.url, m.from); ok {
			add(m.to+rest, "others below "+m.from+" have moved to "+m.to)
		}
	}
	return all
}
