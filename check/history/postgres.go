package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"anyurl/dial"
)

//go:embed postgres/*.sql
var postgresScripts embed.FS

type postgresEngine struct{}

// patience is how long a server may take for an answer, unless the DSN has a
// connect_timeout.
const patience = 10 * time.Second

// openPostgres speaks to a server. The tables stand in a schema called anyurl,
// unless the DSN names a search_path.
func openPostgres(dsn string) (*sql.DB, engine, time.Duration, error) {
	name, rest, _ := strings.Cut(dsn, "://")
	config, err := pgx.ParseConfig(strings.ToLower(name) + "://" + rest) // pgx knows no capitals
	if err != nil {
		// pgx's own words show the DSN.
		if e, ok := errors.AsType[*pgconn.ParseConfigError](err); ok && e.Unwrap() != nil {
			return nil, nil, 0, errors.Join(errors.New("the history's DSN cannot be read"), e.Unwrap())
		}
		return nil, nil, 0, errors.New("the history's DSN cannot be read")
	}
	if config.RuntimeParams["search_path"] == "" {
		config.RuntimeParams["search_path"] = "anyurl"
	}
	if !strings.HasPrefix(config.Host, "/") { // a socket of this machine is no network
		config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
		config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			return (&dial.Dialer{}).DialContext(ctx, network, address)
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = patience
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(4)
	return db, postgresEngine{}, config.ConnectTimeout, nil
}

func (postgresEngine) migrations() fs.FS {
	sub, err := fs.Sub(postgresScripts, "postgres")
	if err != nil {
		return postgresScripts // the name is valid, and so there is no error
	}
	return sub
}

// lock has whoever comes second wait: several workers may start at once.
func (postgresEngine) lock(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	const key = 0x616e7975726c // "anyurl"
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(key)); err != nil {
		tx.Rollback()
		return nil, err
	}
	var path string
	err = tx.QueryRowContext(ctx, `SHOW search_path`).Scan(&path)
	if err == nil && path == "anyurl" {
		_, err = tx.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS anyurl`)
	}
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return tx, nil
}

func (postgresEngine) query(sql string) string { return sql }

func (postgresEngine) find(url string) (string, any) { return "key = $1", postgresKey(url) }

// postgresKey is what finds a URL: an index of PostgreSQL takes no text of more
// than some 2,700 octets.
func postgresKey(url string) []byte {
	sum := sha256.Sum256([]byte(postgresText(url)))
	return sum[:]
}

// postgresText is text as PostgreSQL takes it: UTF-8 without NUL.
func postgresText(s string) string {
	if strings.IndexByte(s, 0) < 0 {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "%00")
}

func (e postgresEngine) change(ctx context.Context, db *sql.DB, urls []string, f func([]*standing) []row) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Rows are made and locked in the order of their keys, so that two workers
	// never wait for each other.
	byKey := map[string]int{}
	keys := make([][]byte, len(urls))
	for i, url := range urls {
		keys[i] = postgresKey(url)
		byKey[string(keys[i])] = i
	}
	slices.SortFunc(keys, slices.Compare)
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = postgresText(urls[byKey[string(key)]])
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO url (key, `+strings.TrimPrefix(columns, "id, ")+`)
		SELECT key, url, '', 0, 0, 0, '', 0, '', '', '', 0, 0, '', 0, 0, 0, 0, ''
		FROM unnest($1::bytea[], $2::text[]) AS new (key, url) ON CONFLICT (key) DO NOTHING`, keys, texts); err != nil {
		return err
	}
	loaded, err := tx.QueryContext(ctx, `SELECT key, `+columns+` FROM url WHERE key = ANY($1::bytea[]) ORDER BY key FOR UPDATE`, keys)
	if err != nil {
		return err
	}
	defer loaded.Close()
	standings := make([]*standing, len(urls))
	for loaded.Next() {
		s := &standing{}
		var key []byte
		if err := loaded.Scan(append([]any{&key}, s.fields()...)...); err != nil {
			return err
		}
		standings[byKey[string(key)]] = s
	}
	if err := loaded.Err(); err != nil {
		return err
	}
	if slices.Contains(standings, nil) {
		return errors.New("a row that was just written is not there")
	}
	rows := f(standings)
	if err := e.keep(ctx, tx, standings); err != nil {
		return err
	}
	if err := e.observe(ctx, tx, rows); err != nil {
		return err
	}
	return tx.Commit()
}

// keep writes standings back, in one statement.
func (postgresEngine) keep(ctx context.Context, tx *sql.Tx, standings []*standing) error {
	n := len(standings)
	numbers := make([][]int64, 11)
	for i := range numbers {
		numbers[i] = make([]int64, 0, n)
	}
	texts := make([][]string, 7)
	for _, s := range standings {
		for i, v := range []int64{s.id, s.firstSeen, s.lastSeen, s.seen, s.status, s.since, s.lastGood, s.outcomes, s.sures, s.interval, s.due} {
			numbers[i] = append(numbers[i], v)
		}
		for i, v := range []string{s.host, string(s.state), s.reason, s.final, string(s.sure), s.goodFinal, s.places} {
			texts[i] = append(texts[i], postgresText(v))
		}
	}
	var args []any
	for _, column := range numbers {
		args = append(args, column)
	}
	for _, column := range texts {
		args = append(args, column)
	}
	_, err := tx.ExecContext(ctx, `UPDATE url SET first_seen = n.first_seen, last_seen = n.last_seen, seen = n.seen, status = n.status, since = n.since,
			last_good = n.last_good, outcomes = n.outcomes, sures = n.sures, interval = n.interval, due = n.due,
			host = n.host, state = n.state, reason = n.reason, final = n.final, sure = n.sure, good_final = n.good_final, places = n.places
		FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
			$12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[])
			AS n (id, first_seen, last_seen, seen, status, since, last_good, outcomes, sures, interval, due, host, state, reason, final, sure, good_final, places)
		WHERE url.id = n.id`, args...)
	return err
}

// observe writes observations, in one statement.
func (postgresEngine) observe(ctx context.Context, tx *sql.Tx, rows []row) error {
	var ids, ats, statuses, times []int64
	var states, reasons, finals, evidence []string
	for _, r := range rows {
		ids, ats = append(ids, r.of.id), append(ats, r.at)
		statuses, times = append(statuses, int64(r.result.Status)), append(times, r.result.MS)
		states, reasons = append(states, string(r.result.State)), append(reasons, postgresText(r.result.Reason))
		finals, evidence = append(finals, postgresText(r.result.Final)), append(evidence, postgresText(r.evidence))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO observation SELECT * FROM
		unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[]) ON CONFLICT DO NOTHING`,
		ids, ats, states, statuses, reasons, finals, evidence, times)
	return err
}
