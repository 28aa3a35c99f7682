// Package history remembers what checks observed: every observation of every
// URL, and for each URL since when it is as it is, whether it comes and goes,
// and when to ask again. It is a [check.Memory]. Start with [Open].
//
// It is kept in an SQLite file, or by a PostgreSQL server. Observations are
// written in small transactions: a process that is killed loses those that it
// had not handed over, and no others. A password in a URL is not kept; such a
// URL is known by what is left, and cannot be asked for from here.
package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"anyurl"
	"anyurl/check"
)

// A History is one such memory. Its methods may be called by several goroutines
// at once.
type History struct {
	db       *sql.DB
	engine   engine
	patience time.Duration // with a server that stays mute
}

// An engine is what the two databases do each in its own way.
type engine interface {
	// change loads the standings of URLs, has f change them, and keeps them with
	// the observations that f gives, all in one transaction.
	change(ctx context.Context, db *sql.DB, urls []string, f func([]*standing) []row) error
	// migrations are the numbered scripts that make and change the tables.
	migrations() fs.FS
	// lock begins a transaction in which nobody else migrates.
	lock(ctx context.Context, db *sql.DB) (*sql.Tx, error)
	// query is SQL with $1, $2 … as this database writes it.
	query(sql string) string
	// find is the condition that finds the URL in a parameter, and what to bind.
	find(url string) (where string, arg any)
}

// A row is one of the table observation.
type row struct {
	of       *standing
	at       int64
	result   check.Result
	evidence string
}

// Open opens a history, and makes it where there is none. where is the name of
// an SQLite file, or a PostgreSQL server's DSN: postgres://user@host/database.
// The error holds no password.
func Open(ctx context.Context, where string) (*History, error) {
	open := openSQLite
	switch {
	case IsDSN(where):
		open = openPostgres
	case scheme().MatchString(where), keyword().MatchString(where):
		return nil, ErrName
	}
	db, engine, patience, err := open(where)
	if err != nil {
		return nil, err
	}
	h := &History{db, engine, patience}
	within, stop := h.within(ctx)
	defer stop()
	if err := h.migrate(within); err != nil {
		db.Close()
		if !IsDSN(where) { // SQLite says neither which file it is, nor why
			if _, missing := os.Stat(filepath.Dir(where)); missing != nil {
				err = missing
			}
			err = fmt.Errorf("%s: %w", where, err)
		}
		return nil, fmt.Errorf("opening the history: %w", err)
	}
	return h, nil
}

// within is ctx, for as long as the database may take for an answer.
func (h *History) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if h.patience == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, h.patience)
}

// ErrName refuses the name of a history that looks as if it meant a server, and
// names none that is spoken to here. The name may hold a password, and is not
// shown.
var ErrName = errors.New("the history's name is neither a file's nor a DSN that begins with postgres://")

var (
	scheme  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`) })
	keyword = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(host|hostaddr|port|dbname|user|password|passfile|service|servicefile|sslmode|options|connect_timeout|application_name)\s*=`)
	})
)

// IsDSN reports whether a history's name means a server and no file.
func IsDSN(where string) bool {
	name, _, ok := strings.Cut(where, "://")
	return ok && (strings.EqualFold(name, "postgres") || strings.EqualFold(name, "postgresql"))
}

// Close ends the use of the history.
func (h *History) Close() error { return h.db.Close() }

// ErrNewer says that a newer version of this program made the history.
var ErrNewer = errors.New("a newer version made it")

// migrate brings the tables up to date. The scripts are numbered from 1, and
// each is run once.
func (h *History) migrate(ctx context.Context) error {
	tx, err := h.engine.lock(ctx, h.db)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY)`); err != nil {
		return err
	}
	var have int
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`).Scan(&have); err != nil {
		return err
	}
	scripts, err := fs.Glob(h.engine.migrations(), "*.sql")
	if err != nil {
		return err
	}
	slices.Sort(scripts)
	if have > len(scripts) {
		return fmt.Errorf("%w: its tables are of version %d, and %d is the last one known here", ErrNewer, have, len(scripts))
	}
	for i, name := range scripts[have:] {
		version := have + i + 1
		if n, err := strconv.Atoi(strings.TrimSuffix(name, ".sql")); err != nil || n != version {
			return fmt.Errorf("script %s stands in the place of number %d", name, version)
		}
		script, err := fs.ReadFile(h.engine.migrations(), name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("script %s: %w", name, err)
		}
		if _, err := tx.ExecContext(ctx, h.engine.query(`INSERT INTO schema_version VALUES ($1)`), version); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Remember keeps observations, all of them or none, and tells what is known of
// each URL with them. One that is handed over again, the same URL at the same
// millisecond, is kept once. For what is broken it looks for what may stand in its
// place.
func (h *History) Remember(ctx context.Context, seen []check.Observation) ([]check.Past, error) {
	index := map[string]int{}
	var urls []string
	for _, o := range seen {
		key := keyOf(o.URL)
		if _, ok := index[key]; !ok {
			index[key] = len(urls)
			urls = append(urls, key)
		}
	}
	ctx, stop := h.within(ctx)
	defer stop()
	past := make([]check.Past, len(seen))
	dead := map[int]standing{}
	err := h.engine.change(ctx, h.db, urls, func(standings []*standing) []row {
		rows := make([]row, 0, len(seen))
		clear(dead)
		for i, o := range seen {
			s := standings[index[keyOf(o.URL)]]
			if s.seen == 0 {
				s.host = hostOf(s.url)
			}
			s.places = placesOf(o.Sources)
			s.observe(o)
			rows = append(rows, row{of: s, at: o.At.UnixMilli(), result: o.Result, evidence: textsOf(o.Evidence)})
			past[i] = s.past()
			if o.State == check.Broken {
				dead[i] = *s
			}
		}
		return rows
	})
	if err != nil {
		return nil, err
	}
	hosts := map[string][]move{}
	for i, s := range dead {
		moves, ok := hosts[s.host]
		if !ok {
			if moves, err = h.moves(ctx, s.host); err != nil {
				break // what is asked for is kept; suggestions are extra
			}
			hosts[s.host] = moves
		}
		past[i].Suggestions = h.suggest(ctx, s, moves)
	}
	return past, nil
}

// keyOf is a URL as it is kept: without its password.
func keyOf(url string) string {
	u, err := anyurl.Parse(url)
	if err != nil || u.Password() == "" {
		return url
	}
	return u.Redacted()
}

// hostOf is the host by which URLs that may have moved together are found.
func hostOf(url string) string {
	u, err := anyurl.Parse(url)
	if err != nil {
		return ""
	}
	return u.HostPort()
}

// most places of a URL that are kept: enough to find it again.
const mostPlaces = 20

// A place is a [check.Place] as it is kept: with its span, too.
type place struct {
	Source        string
	Line, Col     int `json:",omitempty"`
	Start, Behind int `json:",omitempty"`
}

func placesOf(places []check.Place) string {
	var kept []place
	for _, p := range places[:min(len(places), mostPlaces)] {
		kept = append(kept, place{p.Source, p.Line, p.Col, p.Start, p.End})
	}
	return jsonOf(kept, len(kept))
}

// readPlaces reads what placesOf wrote. A place that cannot be read is one that
// is not known.
func readPlaces(text string) (places []check.Place) {
	var kept []place
	if text == "" || json.Unmarshal([]byte(text), &kept) != nil {
		return nil
	}
	for _, p := range kept {
		places = append(places, check.Place{Source: p.Source, Line: p.Line, Col: p.Col, Start: p.Start, End: p.Behind})
	}
	return places
}

func textsOf(texts []string) string { return jsonOf(texts, len(texts)) }

// jsonOf is v as JSON, or "" where it has no elements.
func jsonOf(v any, n int) string {
	if n == 0 {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "" // strings and numbers always have a form
	}
	return string(text)
}

// columns are those of a standing, in the order of [standing.fields].
const columns = `id, url, host, first_seen, last_seen, seen, state, status, reason, final, sure, since, last_good, good_final, outcomes, sures, interval, due, places`

// fields are where the columns of a standing are read to.
func (s *standing) fields() []any {
	return []any{&s.id, &s.url, &s.host, &s.firstSeen, &s.lastSeen, &s.seen, &s.state, &s.status, &s.reason, &s.final,
		&s.sure, &s.since, &s.lastGood, &s.goodFinal, &s.outcomes, &s.sures, &s.interval, &s.due, &s.places}
}

// result is the last observation as a check's result.
func (s *standing) result() check.Result {
	past := s.past()
	return check.Result{URL: s.url, State: s.state, Status: int(s.status), Reason: s.reason, Final: s.final, From: check.FromHistory, Past: &past, Sources: readPlaces(s.places)}
}

// Last gives the last observation of a URL, with when it is due again, and
// reports whether there is one.
func (h *History) Last(ctx context.Context, url string) (check.Result, bool, error) {
	s, ok, err := h.standing(ctx, keyOf(url))
	if !ok {
		return check.Result{}, false, err
	}
	return s.result(), true, nil
}

func (h *History) standing(ctx context.Context, url string) (s standing, ok bool, err error) {
	ctx, stop := h.within(ctx)
	defer stop()
	where, arg := h.engine.find(url)
	err = h.db.QueryRowContext(ctx, h.engine.query(`SELECT `+columns+` FROM url WHERE `+where), arg).Scan(s.fields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	return s, err == nil, err
}

// page is how many URLs are read at once, so that no transaction stays open
// while they are asked for.
const page = 1000

// Due gives the URLs that are due at a time, the longest due first: what was
// last observed of each, and where it stood. One whose password was not kept
// cannot be asked for, and is Skipped. It may be used while the history is
// written.
func (h *History) Due(ctx context.Context, at time.Time) iter.Seq2[check.Result, error] {
	return func(yield func(check.Result, error) bool) {
		due, id := int64(-1<<62), int64(0)
		for {
			standings, err := h.dueFrom(ctx, at.UnixMilli(), due, id)
			if err != nil {
				yield(check.Result{}, err)
				return
			}
			for _, s := range standings {
				due, id = s.due, s.id
				r := s.result()
				if keyHasPassword(s.url) {
					r.State, r.Reason = check.Skipped, "its password is not kept, and without it it is not asked for"
				}
				if !yield(r, nil) {
					return
				}
			}
			if len(standings) < page {
				return
			}
		}
	}
}

// keyHasPassword reports whether a URL is kept without its password, and so
// cannot be asked for.
func keyHasPassword(url string) bool {
	u, err := anyurl.Parse(url)
	return err == nil && u.Password() != ""
}

func (h *History) dueFrom(ctx context.Context, at, due, id int64) ([]standing, error) {
	ctx, stop := h.within(ctx)
	defer stop()
	rows, err := h.db.QueryContext(ctx, h.engine.query(`SELECT `+columns+` FROM url WHERE due <= $1 AND (due, id) > ($2, $3) ORDER BY due, id LIMIT `+strconv.Itoa(page)), at, due, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []standing
	for rows.Next() {
		var s standing
		if err := rows.Scan(s.fields()...); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// Observations gives every observation of a URL, the oldest first.
func (h *History) Observations(ctx context.Context, url string) ([]check.Observation, error) {
	ctx, stop := h.within(ctx)
	defer stop()
	where, arg := h.engine.find(keyOf(url))
	rows, err := h.db.QueryContext(ctx, h.engine.query(`SELECT o.at, o.state, o.status, o.reason, o.final, o.evidence, o.ms
		FROM observation o WHERE o.url = (SELECT id FROM url WHERE `+where+`) ORDER BY o.at`), arg)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []check.Observation
	for rows.Next() {
		var at int64
		var evidence string
		o := check.Observation{Result: check.Result{URL: keyOf(url), From: check.FromHistory}}
		if err := rows.Scan(&at, &o.State, &o.Status, &o.Reason, &o.Final, &evidence, &o.MS); err != nil {
			return nil, err
		}
		o.At = instant(at)
		if evidence != "" {
			if err := json.Unmarshal([]byte(evidence), &o.Evidence); err != nil {
				return nil, fmt.Errorf("evidence of %s: %w", o.At.Format(time.RFC3339), err)
			}
		}
		all = append(all, o)
	}
	return all, rows.Err()
}
