package history

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver called sqlite
)

//go:embed sqlite/*.sql
var sqliteScripts embed.FS

type sqliteEngine struct{}

// openSQLite opens a file. The log that is written ahead (WAL) is handed to the
// system with each transaction and to the disk from time to time: a killed
// process loses nothing of it, a machine without power perhaps the last
// transactions, and neither damages the file.
func openSQLite(file string) (*sql.DB, engine, time.Duration, error) {
	db, err := sql.Open("sqlite", "file:"+escape(file)+"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-8192)")
	if err != nil {
		return nil, nil, 0, err
	}
	db.SetMaxOpenConns(4) // each has a cache of its own
	return db, sqliteEngine{}, 0, nil
}

// escape is a file name within an SQLite URI.
func escape(file string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file)
}

func (sqliteEngine) migrations() fs.FS {
	sub, err := fs.Sub(sqliteScripts, "sqlite")
	if err != nil {
		return sqliteScripts // the name is valid, and so there is no error
	}
	return sub
}

func (sqliteEngine) lock(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	return db.BeginTx(ctx, nil) // immediate: it is the only writer
}

func (sqliteEngine) query(sql string) string { return strings.ReplaceAll(sql, "$", "?") }

func (sqliteEngine) find(url string) (string, any) { return "url = $1", url }

func (e sqliteEngine) change(ctx context.Context, db *sql.DB, urls []string, f func([]*standing) []row) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	load, err := tx.PrepareContext(ctx, `SELECT `+columns+` FROM url WHERE url = ?1`)
	if err != nil {
		return err
	}
	defer load.Close()
	standings := make([]*standing, len(urls))
	for i, url := range urls {
		s := &standing{}
		if err := load.QueryRowContext(ctx, url).Scan(s.fields()...); errors.Is(err, sql.ErrNoRows) {
			s = &standing{url: url}
		} else if err != nil {
			return err
		}
		standings[i] = s
	}
	rows := f(standings)
	insert, err := tx.PrepareContext(ctx, `INSERT INTO url (`+strings.TrimPrefix(columns, "id, ")+`) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	update, err := tx.PrepareContext(ctx, `UPDATE url SET last_seen = ?2, seen = ?3, state = ?4, status = ?5, reason = ?6, final = ?7, sure = ?8, since = ?9,
		last_good = ?10, good_final = ?11, outcomes = ?12, sures = ?13, interval = ?14, due = ?15, places = ?16 WHERE id = ?1`)
	if err != nil {
		return err
	}
	defer update.Close()
	for _, s := range standings {
		if s.id != 0 {
			if _, err := update.ExecContext(ctx, s.id, s.lastSeen, s.seen, string(s.state), s.status, s.reason, s.final, string(s.sure), s.since,
				s.lastGood, s.goodFinal, s.outcomes, s.sures, s.interval, s.due, s.places); err != nil {
				return err
			}
			continue
		}
		result, err := insert.ExecContext(ctx, s.url, s.host, s.firstSeen, s.lastSeen, s.seen, string(s.state), s.status, s.reason, s.final, string(s.sure), s.since,
			s.lastGood, s.goodFinal, s.outcomes, s.sures, s.interval, s.due, s.places)
		if err != nil {
			return err
		}
		if s.id, err = result.LastInsertId(); err != nil {
			return err
		}
	}
	observe, err := tx.PrepareContext(ctx, `INSERT INTO observation VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT DO NOTHING`)
	if err != nil {
		return err
	}
	defer observe.Close()
	for _, r := range rows {
		if _, err := observe.ExecContext(ctx, r.of.id, r.at, string(r.result.State), r.result.Status, r.result.Reason, r.result.Final, r.evidence, r.result.MS); err != nil {
			return err
		}
	}
	return tx.Commit()
}
