package frontier

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"anyurl"
	"anyurl/check"
)

// A store is the file while a job runs: one connection and its prepared
// statements. After [store.begin] all it does is in one transaction, until
// [store.commit].
type store struct {
	ctx       context.Context
	conn      *sql.Conn
	fragments bool

	insertTarget, selectTarget, insertLink, changeTarget, answerTarget *sql.Stmt
	insertSource, selectSource, sourceName                             *sql.Stmt
	insertHost, selectHost, changeHost, nextHosts, todo                *sql.Stmt
	texts, links, answered, spelled, spelledAt, isAnswered             *sql.Stmt

	prepared []*sql.Stmt // all of these

	sources map[string]int64
	names   map[int64]string
	hosts   map[hostName]int64
	grown   map[int64]bool // hosts that have new targets since questions were last loaded
	change  map[int64]int  // of a host's todo, in this transaction

	job   counts
	early int // targets without an answer, but for late ones
}

// counts are the numbers of the table job.
type counts struct {
	read, crawls             bool
	links, targets, answered int
	taken                    int
	digest                   []byte
}

type hostName struct {
	name string
	late bool
}

// most names of hosts and sources that are kept in memory.
const mostNames = 1 << 16

func openStore(ctx context.Context, db *sql.DB, fragments bool) (s *store, err error) {
	s = &store{ctx: ctx, fragments: fragments, sources: map[string]int64{}, names: map[int64]string{}, hosts: map[hostName]int64{}, change: map[int64]int{}, grown: map[int64]bool{}}
	if s.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&s.insertTarget, `INSERT INTO target VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0, NULL) ON CONFLICT DO NOTHING`},
		{&s.selectTarget, `SELECT answered, coalesce(text, key), source, line, col, start, depth, stranger, within FROM target WHERE host = ?1 AND key = ?2`},
		{&s.insertLink, `INSERT INTO link VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`},
		{&s.changeTarget, `UPDATE target SET answered = ?3, depth = ?4, stranger = ?5, within = ?6, more = 1 WHERE host = ?1 AND key = ?2`},
		{&s.answerTarget, `UPDATE target SET answered = 1, result = ?3 WHERE host = ?1 AND key = ?2`},
		{&s.insertSource, `INSERT INTO source (name) VALUES (?1)`},
		{&s.selectSource, `SELECT id FROM source WHERE name = ?1`},
		{&s.sourceName, `SELECT name FROM source WHERE id = ?1`},
		{&s.insertHost, `INSERT INTO host (name, late, todo) VALUES (?1, ?2, 0)`},
		{&s.selectHost, `SELECT id FROM host WHERE name = ?1 AND late = ?2`},
		{&s.changeHost, `UPDATE host SET todo = todo + ?2 WHERE id = ?1`},
		{&s.nextHosts, `SELECT id FROM host WHERE late = ?1 AND todo > 0 AND id > ?2 ORDER BY id LIMIT ?3`},
		{&s.todo, `SELECT ` + rowColumns + ` FROM target WHERE answered = 0 AND host = ?1 AND (depth, key) > (?2, ?3) ORDER BY depth, key LIMIT ?4`},
		{&s.texts, `SELECT DISTINCT text FROM link WHERE host = ?1 AND key = ?2 AND text != ?3`},
		{&s.spelled, `SELECT EXISTS (SELECT 1 FROM link WHERE host = ?1 AND key = ?2 AND text = ?3)`},
		{&s.spelledAt, `SELECT EXISTS (SELECT 1 FROM target WHERE host = ?1 AND key = ?2 AND coalesce(text, key) = ?3) OR EXISTS (SELECT 1 FROM link WHERE host = ?1 AND key = ?2 AND text = ?3)`},
		{&s.isAnswered, `SELECT answered FROM target WHERE host = ?1 AND key = ?2`},
		{&s.links, `SELECT text, source, line, col, start, behind FROM link WHERE host = ?1 AND key = ?2 ORDER BY source, line, col, start`},
		{&s.answered, `SELECT ` + rowColumns + `, result FROM target WHERE (host, key) > (?1, ?2) AND answered = 1 ORDER BY host, key LIMIT 1000`},
	} {
		if *p.to, err = s.conn.PrepareContext(ctx, p.sql); err != nil {
			s.close()
			return nil, err
		}
		s.prepared = append(s.prepared, *p.to)
	}
	err = s.conn.QueryRowContext(ctx, `SELECT read, crawls, links, targets, answered, taken, digest FROM job`).Scan(&s.job.read, &s.job.crawls, &s.job.links, &s.job.targets, &s.job.answered, &s.job.taken, &s.job.digest)
	if err == nil {
		err = s.conn.QueryRowContext(ctx, `SELECT coalesce(sum(todo), 0) FROM host WHERE late = 0 AND todo > 0`).Scan(&s.early)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close gives the connection back. One with statements left would keep its lock
// on the file.
func (s *store) close() error {
	for _, statement := range s.prepared {
		statement.Close()
	}
	return s.conn.Close()
}

func (s *store) begin() error {
	_, err := s.conn.ExecContext(s.ctx, `BEGIN IMMEDIATE`)
	return err
}

// commit ends a transaction, and takes it back where it fails.
func (s *store) commit(err error) error {
	if err == nil {
		err = s.settle()
	}
	clear(s.change)
	if err == nil {
		_, err = s.conn.ExecContext(s.ctx, `UPDATE job SET read = ?1, crawls = ?2, links = ?3, targets = ?4, answered = ?5, taken = ?6, digest = ?7`,
			s.job.read, s.job.crawls, s.job.links, s.job.targets, s.job.answered, s.job.taken, s.job.digest)
	}
	if err == nil {
		_, err = s.conn.ExecContext(s.ctx, `COMMIT`)
	}
	if err != nil {
		s.conn.ExecContext(s.ctx, `ROLLBACK`) // the error that counts is the first
	}
	return err
}

// settle writes what hosts have to do now.
func (s *store) settle() error {
	for host, n := range s.change {
		if n == 0 {
			continue
		}
		if _, err := s.changeHost.ExecContext(s.ctx, host, n); err != nil {
			return err
		}
	}
	clear(s.change)
	return nil
}

// A spot is where a link is put: its target, and whether that is a late one.
type spot struct {
	host      hostName
	key, text string
}

// spotOf reads a link as [check.Checker.Run] does.
func (s *store) spotOf(link check.Link) spot {
	u, err := anyurl.ParseRef(link.URL, link.Base)
	if err != nil || link.Skip != "" {
		return spot{key: link.URL, text: link.URL}
	}
	p := spot{host: hostName{name: check.HostOf(u)}, key: u.WithoutFragment().String(), text: u.String()}
	if s.fragments && u.Fragment() != "" {
		// A page whose places are looked up is read once all of them are known.
		p.host.late = true
		p.key += "#"
	}
	return p
}

// A name is how a target is found.
type name struct {
	host int64
	key  string
}

// A change is what a link did to a target that was there before it.
type change struct {
	of    name
	stale bool // its question has to be asked once more: it lacked something
}

// found decides where a link to a place in a page goes. A page whose links are
// followed is read in its turn, as the shortest way to it leads, and not late: the
// place is looked up then, if it is known by then.
func (s *store) found(at spot, deep bool, isOut func(name) bool) (spot, error) {
	if !at.host.late || !deep && !s.job.crawls {
		return at, nil
	}
	early := spot{hostName{name: at.host.name}, strings.TrimSuffix(at.key, "#"), at.text}
	for _, here := range []spot{at, early} {
		if has, err := s.has(here); has || err != nil {
			return here, err // the same link is there already
		}
	}
	if !deep {
		return at, nil
	}
	host, err := s.host(early.host)
	if err != nil {
		return at, err
	}
	var answered bool
	err = s.isAnswered.QueryRowContext(s.ctx, host, early.key).Scan(&answered)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return early, nil
	case err != nil || answered || isOut(name{host, early.key}):
		return at, err
	}
	return early, nil
}

// has reports whether a link of this text is at a spot.
func (s *store) has(at spot) (has bool, err error) {
	host, err := s.host(at.host)
	if err == nil {
		err = s.spelledAt.QueryRowContext(s.ctx, host, at.key, at.text).Scan(&has)
	}
	return has, err
}

// add puts a link into the file. A link that is there already changes nothing.
// isOut tells whether a target's question is out.
func (s *store) add(link check.Link, isOut func(name) bool) (grown *change, err error) {
	at, err := s.found(s.spotOf(link), link.Depth > 0, isOut)
	if err != nil {
		return nil, err
	}
	host, err := s.host(at.host)
	if err != nil {
		return nil, err
	}
	source, err := s.source(link.Place.Source)
	if err != nil {
		return nil, err
	}
	s.job.crawls = s.job.crawls || link.Depth > 0
	within := link.Within || link.Depth == 0
	var text, skip any
	if at.text != at.key {
		text = at.text
	}
	if link.Skip != "" {
		skip = link.Skip
	}
	p := link.Place
	result, err := s.insertTarget.ExecContext(s.ctx, host, at.key, text, source, p.Line, p.Col, p.Start, p.End, -link.Depth, link.Stranger, within, skip)
	if err != nil {
		return nil, err
	}
	if n, err := result.RowsAffected(); n == 1 || err != nil {
		s.job.links++
		s.job.targets++
		s.owe(host, at.host.late, 1)
		return nil, err
	}
	var was struct {
		answered, stranger, within      bool
		text                            string
		source                          int64
		line, column, start, depth, end int
	}
	if err := s.selectTarget.QueryRowContext(s.ctx, host, at.key).Scan(&was.answered, &was.text, &was.source, &was.line, &was.column, &was.start, &was.depth, &was.stranger, &was.within); err != nil {
		return nil, err
	}
	same := was.text == at.text && was.source == source && was.line == p.Line && was.column == p.Col && was.start == p.Start
	deeper := link.Depth > -was.depth || was.within && !within // or the site is where it ends
	if same && !deeper {
		return nil, nil
	}
	isNew, spelled := int64(0), was.text == at.text
	if !same {
		if !spelled {
			if err := s.spelled.QueryRowContext(s.ctx, host, at.key, at.text).Scan(&spelled); err != nil {
				return nil, err
			}
		}
		result, err := s.insertLink.ExecContext(s.ctx, host, at.key, source, p.Line, p.Col, p.Start, at.text, p.End)
		if err != nil {
			return nil, err
		}
		if isNew, err = result.RowsAffected(); err != nil {
			return nil, err
		}
		s.job.links += int(isNew)
	}
	if isNew == 0 && !deeper {
		return nil, nil
	}
	// Another place of a fragment that is looked up already wants no answer.
	stale := deeper || at.host.late && !spelled
	if stale && was.answered {
		was.answered = false
		s.job.answered--
		s.owe(host, at.host.late, 1)
	}
	if _, err := s.changeTarget.ExecContext(s.ctx, host, at.key, was.answered, min(was.depth, -link.Depth), was.stranger && link.Stranger, was.within && within); err != nil {
		return nil, err
	}
	return &change{name{host, at.key}, stale}, nil
}

// owe counts targets of a host that want an answer.
func (s *store) owe(host int64, late bool, n int) {
	s.change[host] += n
	if n > 0 {
		s.grown[host] = true
	}
	if !late {
		s.early += n
	}
}

func (s *store) host(h hostName) (int64, error) {
	if id, ok := s.hosts[h]; ok {
		return id, nil
	}
	if len(s.hosts) >= mostNames {
		clear(s.hosts)
	}
	id, err := s.number(s.selectHost, s.insertHost, h.name, h.late)
	if err == nil {
		s.hosts[h] = id
	}
	return id, err
}

func (s *store) source(name string) (int64, error) {
	if id, ok := s.sources[name]; ok {
		return id, nil
	}
	if len(s.sources) >= mostNames {
		clear(s.sources)
	}
	id, err := s.number(s.selectSource, s.insertSource, name)
	if err == nil {
		s.sources[name] = id
	}
	return id, err
}

// number gives the ID of a row, which is made where it is not there.
func (s *store) number(find, make *sql.Stmt, args ...any) (id int64, err error) {
	err = find.QueryRowContext(s.ctx, args...).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	result, err := make.ExecContext(s.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// A row is a target as the table has it.
type row struct {
	host                     int64
	key                      string
	text                     string
	source                   int64
	line, col, start, behind int
	depth                    int
	stranger, within, more   bool
	skip                     string
}

const rowColumns = `host, key, coalesce(text, key), source, line, col, start, behind, depth, stranger, within, coalesce(skip, ''), more`

func (r *row) fields() []any {
	return []any{&r.host, &r.key, &r.text, &r.source, &r.line, &r.col, &r.start, &r.behind, &r.depth, &r.stranger, &r.within, &r.skip, &r.more}
}

// A cursor is where a host's targets were taken up to.
type cursor struct {
	depth int
	key   string
}

// start is before all targets.
func start() cursor { return cursor{depth: -1 << 31} }

// take gives up to n targets of a host that have no answer, from a cursor on.
func (s *store) take(host int64, after cursor, n int) (all []row, err error) {
	rows, err := s.todo.QueryContext(s.ctx, host, after.depth, after.key, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(r.fields()...); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// question gives a target's links as they are asked for. Places are there only
// where it has no more links than one.
func (s *store) question(r row) ([]check.Link, error) {
	link := check.Link{URL: r.text, Skip: r.skip, Depth: -r.depth, Stranger: r.stranger, Within: r.within}
	if !r.more {
		name, err := s.nameOf(r.source)
		link.Place = check.Place{Source: name, Line: r.line, Col: r.col, Start: r.start, End: r.behind}
		return r.withPage([]check.Link{link}), err
	}
	links := []check.Link{link}
	rows, err := s.texts.QueryContext(s.ctx, r.host, r.key, r.text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&link.URL); err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return r.withPage(links), rows.Err()
}

// withPage adds the page itself to the links to places in it that is read in its
// turn: its own verdict is that of links which are only met later.
func (r row) withPage(links []check.Link) []check.Link {
	if strings.HasSuffix(r.key, "#") || !slices.ContainsFunc(links, func(l check.Link) bool { return strings.HasPrefix(l.URL, r.key+"#") }) {
		return links
	}
	page := links[0]
	page.URL, page.Place = r.key, check.Place{}
	return append(links, page)
}

// nameOf gives the name of a source.
func (s *store) nameOf(source int64) (name string, err error) {
	if name, ok := s.names[source]; ok {
		return name, nil
	}
	if len(s.names) >= mostNames {
		clear(s.names)
	}
	if err = s.sourceName.QueryRowContext(s.ctx, source).Scan(&name); err == nil {
		s.names[source] = name
	}
	return name, err
}

// hostsFrom gives up to n hosts that have targets without an answer.
func (s *store) hostsFrom(late bool, after int64, n int) (all []int64, err error) {
	rows, err := s.nextHosts.QueryContext(s.ctx, late, after, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}

// A kept result is one as the file has it: without its places, which stand in
// tables of their own.
type kept struct {
	check.Result
	Sources    bool          `json:"sources,omitempty"` // never set; it hides the Result's
	RetryAfter time.Duration `json:"retryAfter,omitempty"`
	At         int64         `json:"at,omitempty"` // milliseconds since 1970
}

// answer gives a target its results.
func (s *store) answer(r row, late bool, results []check.Result) (text string, err error) {
	all := make([]kept, 0, len(results))
	for _, result := range results {
		k := kept{Result: result, RetryAfter: result.RetryAfter}
		if !result.At.IsZero() {
			k.At = result.At.UnixMilli()
		}
		if k.URL == r.key {
			k.URL = "" // the usual case
		}
		all = append(all, k)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	if _, err := s.answerTarget.ExecContext(s.ctx, r.host, r.key, string(data)); err != nil {
		return "", err
	}
	s.job.answered++
	s.owe(r.host, late, -1)
	return string(data), nil
}

// results gives the results of a target that has an answer, with all places.
func (s *store) results(r row, text string) ([]check.Result, error) {
	var all []kept
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	results := make([]check.Result, 0, len(all))
	spelled := map[string]int{}
	for _, k := range all {
		result := k.Result
		result.RetryAfter = k.RetryAfter
		if k.At != 0 {
			result.At = time.UnixMilli(k.At)
		}
		if result.URL == "" {
			result.URL = r.key
		}
		spelled[result.URL] = len(results)
		results = append(results, result)
	}
	place := func(text string, p check.Place) {
		i, ok := spelled[text]
		if !ok && len(results) > 0 {
			// Spelled so only after it was asked for: the verdict is the same.
			i = len(results)
			spelled[text] = i
			other := results[max(0, slices.IndexFunc(results, func(result check.Result) bool { return result.URL == r.key }))]
			other.URL, other.Sources = text, nil
			results = append(results, other)
		}
		results[i].Sources = append(results[i].Sources, p)
	}
	name, err := s.nameOf(r.source)
	if err != nil {
		return nil, err
	}
	place(r.text, check.Place{Source: name, Line: r.line, Col: r.col, Start: r.start, End: r.behind})
	if !r.more {
		return linked(results), nil
	}
	rows, err := s.links.QueryContext(s.ctx, r.host, r.key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type link struct {
		text   string
		source int64
		place  check.Place
	}
	var links []link // names are looked up afterwards: there is one connection
	for rows.Next() {
		var l link
		if err := rows.Scan(&l.text, &l.source, &l.place.Line, &l.place.Col, &l.place.Start, &l.place.End); err != nil {
			return nil, err
		}
		links = append(links, l)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, l := range links {
		if l.place.Source, err = s.nameOf(l.source); err != nil {
			return nil, err
		}
		place(l.text, l.place)
	}
	return linked(results), nil
}

// linked leaves out what no link leads to.
func linked(results []check.Result) []check.Result {
	return slices.DeleteFunc(results, func(r check.Result) bool { return len(r.Sources) == 0 })
}

// A told target is one that has an answer, and its results as they are kept.
type told struct {
	row
	text string
}

// answeredFrom gives targets that have an answer, a page of them.
func (s *store) answeredFrom(host int64, key string) (all []told, err error) {
	rows, err := s.answered.QueryContext(s.ctx, host, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t told
		if err := rows.Scan(append(t.fields(), &t.text)...); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, rows.Err()
}
