package history

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"anyurl/check"
)

// Trends gives how the URLs of hosts stood over time, at so many moments from the
// first observation to the last: at each, a URL has the state that was last
// observed of it. Of the hosts it gives so many at most, those first of which
// most is broken now, then those of which most ever was. It reads the whole
// history.
func (h *History) Trends(ctx context.Context, moments, hosts int) ([]check.Trend, error) {
	ctx, stop := h.within(ctx)
	defer stop()
	var first, last int64
	if err := h.db.QueryRowContext(ctx, `SELECT coalesce(min(first_seen), 0), coalesce(max(last_seen), 0) FROM url`).Scan(&first, &last); err != nil || last == 0 {
		return nil, err
	}
	moments = max(1, min(moments, int((last-first)/time.Minute.Milliseconds())+1))
	at := make([]int64, moments)
	for i := range at {
		at[i] = last - (last-first)*int64(moments-1-i)/int64(max(1, moments-1))
	}
	rows, err := h.db.QueryContext(ctx, `SELECT u.host, o.url, o.at, o.state FROM observation o JOIN url u ON u.id = o.url WHERE u.host != '' ORDER BY o.url, o.at`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string][]map[check.State]int{}
	var host, state string
	var url, from int64
	carry := func(until int64) { // the URL has its state up to then
		of := counts[host]
		if of == nil {
			of = make([]map[check.State]int, moments)
			counts[strings.Clone(host)] = of
		}
		for i, moment := range at {
			if from <= moment && moment < until {
				if of[i] == nil {
					of[i] = map[check.State]int{}
				}
				of[i][check.State(state)]++
			}
		}
	}
	for rows.Next() {
		var nextHost, nextState string
		var nextURL, nextAt int64
		if err := rows.Scan(&nextHost, &nextURL, &nextAt, &nextState); err != nil {
			return nil, err
		}
		switch {
		case url == nextURL:
			carry(nextAt)
		case url != 0:
			carry(last + 1)
		}
		host, url, from, state = nextHost, nextURL, nextAt, nextState
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if url != 0 {
		carry(last + 1)
	}
	return trends(counts, at, hosts), nil
}

// trends puts the hosts in order that are most worth a look.
func trends(counts map[string][]map[check.State]int, at []int64, most int) []check.Trend {
	var all []check.Trend
	for host, of := range counts {
		t := check.Trend{Host: host}
		for i, moment := range at {
			t.Moments = append(t.Moments, check.Moment{At: instant(moment), Count: of[i]})
		}
		all = append(all, t)
	}
	bad := func(m check.Moment) int { return m.Count[check.Broken] + m.Count[check.Blocked] }
	worst := func(t check.Trend) (n int) {
		for _, m := range t.Moments {
			n = max(n, bad(m))
		}
		return n
	}
	slices.SortFunc(all, func(a, b check.Trend) int {
		return cmp.Or(cmp.Compare(bad(b.Moments[len(at)-1]), bad(a.Moments[len(at)-1])), cmp.Compare(worst(b), worst(a)), cmp.Compare(a.Host, b.Host))
	})
	return all[:min(len(all), most)]
}
