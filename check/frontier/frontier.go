// Package frontier keeps the links of a check on disk: which there are, and what
// came of those that were asked for. So a check may have more links than memory
// holds, and one that was killed goes on where it was. Start with [Open].
//
// The file is SQLite's. What is met and what is answered is written in small
// transactions; a process that is killed loses the answers that it had not
// handed over yet, asks those few URLs once more, and reports each URL once.
//
// Of a URL nothing stays in memory but while it is being asked for; of a host,
// but while one of its URLs is.
package frontier

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"iter"
	"strings"

	_ "modernc.org/sqlite" // the driver called sqlite

	"anyurl/check"
)

// An Asker answers questions as they come; a [check.Checker] is one.
type Asker interface {
	Stream(ctx context.Context, questions iter.Seq[check.Question], answer func(check.Answer)) (open int)
}

// A Frontier is one such file. It serves one check at a time.
type Frontier struct {
	// Fragments says that fragments are looked up: see [check.Checker.Fragments].
	Fragments bool
	// Window is how many questions are handed out at once; 0 is 4,096.
	Window int
	// PerHost is how many of these a host gets at first; one that answers them
	// soon gets more. 0 is 32.
	PerHost int
	// Progress, where not nil, is told how many targets have an answer and how
	// many are known.
	Progress func(done, known int)

	db *sql.DB
}

func (f *Frontier) window() int  { return orDefault(f.Window, 4096) }
func (f *Frontier) perHost() int { return orDefault(f.PerHost, 32) }

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

//go:embed 0001.sql
var tables string

// version is that of the tables, which a file carries as its user_version.
const version = 1

// Open opens a file, and makes it where there is none.
func Open(ctx context.Context, file string) (*Frontier, error) {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file)
	db, err := sql.Open("sqlite", "file:"+name+"?_txlock=immediate&_pragma=busy_timeout(2000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-16384)&_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // it is the only user, and has one cache
	f := &Frontier{db: db}
	if err := f.migrate(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("opening the state: %w", err)
	}
	return f, nil
}

// migrate makes the tables in a new file.
func (f *Frontier) migrate(ctx context.Context) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var have int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return err
	}
	switch {
	case have == version:
		return nil
	case have > version:
		return errors.New("a newer version made it")
	}
	if _, err := tx.ExecContext(ctx, tables+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}

// Close ends the use of the file.
func (f *Frontier) Close() error { return f.db.Close() }

// ErrOther says that the file holds a job of another name that is not finished.
var ErrOther = errors.New("it holds another check that is not finished")

// A Job is what a file holds of a check.
type Job struct {
	Resumed  bool // it was begun before
	Read     bool // its last link has been read, and no link is read again
	Targets  int
	Answered int
}

// Begin begins a job, or goes on with it where the file holds it unfinished. A
// finished job makes room for a new one.
func (f *Frontier) Begin(ctx context.Context, name string) (Job, error) {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return Job{}, err
	}
	defer tx.Rollback()
	var have string
	var finished bool
	var job Job
	switch err := tx.QueryRowContext(ctx, `SELECT name, read, finished, targets, answered FROM job`).Scan(&have, &job.Read, &finished, &job.Targets, &job.Answered); {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return Job{}, err
	case !finished && have != name:
		return Job{}, ErrOther
	case !finished:
		job.Resumed = true
		return job, nil
	default:
		// Tables that are dropped and made again take no time, however long.
		if _, err := tx.ExecContext(ctx, `DROP TABLE job; DROP TABLE source; DROP TABLE host; DROP TABLE target; DROP TABLE link;`+tables); err != nil {
			return Job{}, err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO job VALUES (?1, 0, 0, 0, 0, 0, 0)`, name); err != nil {
		return Job{}, err
	}
	return Job{}, tx.Commit()
}
