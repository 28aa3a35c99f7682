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
	"os"
	"strings"

	"modernc.org/sqlite" // the driver called sqlite
	sqlite3 "modernc.org/sqlite/lib"

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
	// Loose says that a job's links are others when they are read again, as those
	// of a queue are. Then a job that goes on takes what it has for its links.
	Loose bool

	db   *sql.DB
	err  error
	done bool // the last run left nothing open
}

// Err is what kept the last [Frontier.Run] from its end, besides its context;
// nil where nothing did.
func (f *Frontier) Err() error { return f.err }

// End is called once the results of [Frontier.Run] are where they are wanted: a
// report is written, a file has its name. Nothing of a job that came to its end is
// left in the file then, as URLs may have passwords in them. Without it, whoever was
// killed in between goes on with a job of which every result is there.
func (f *Frontier) End(ctx context.Context) error {
	if !f.done {
		return nil
	}
	for _, statement := range []string{`UPDATE job SET finished = 1`, `BEGIN IMMEDIATE;` + emptied + `COMMIT`, `VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("the state could not be emptied: %w", err)
		}
	}
	return nil
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
const version = 3

// ErrInUse says that another check has the file open.
var ErrInUse = errors.New("another check is using it")

// Open opens a file, and makes it where there is none: for its owner alone, as
// URLs may have passwords in them. It is nobody else's until [Frontier.Close].
func Open(ctx context.Context, file string) (*Frontier, error) {
	// SQLite makes its further files with the mode of the first. One that exists is
	// not opened here: closing it would give up SQLite's lock.
	if made, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		made.Close()
	}
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file)
	db, err := sql.Open("sqlite", "file:"+name+"?_txlock=immediate&_pragma=busy_timeout(2000)&_pragma=locking_mode(EXCLUSIVE)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-16384)&_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // it is the only user, and has one cache
	f := &Frontier{db: db}
	if err := f.migrate(ctx); err != nil {
		db.Close()
		if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_BUSY {
			err = ErrInUse
		}
		return nil, fmt.Errorf("opening the state: %w", err)
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(file, 0o600); err != nil {
			db.Close()
			return nil, fmt.Errorf("opening the state: %w", err)
		}
	}
	return f, nil
}

// emptied makes the tables anew. That takes no time, however long they are.
var emptied = `DROP TABLE job; DROP TABLE source; DROP TABLE host; DROP TABLE target; DROP TABLE link;` + tables

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
	script := tables
	if have > 0 {
		script = emptied // a check that an older version left is begun anew
	}
	if _, err := tx.ExecContext(ctx, script+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}

// Close ends the use of the file.
func (f *Frontier) Close() error { return f.db.Close() }

// ErrChanged says that what a job reads is not what it read when it was begun.
var ErrChanged = errors.New("what is checked has changed since the check that the file holds was begun")

// ErrOther says that the file holds a job of another name that is not finished.
var ErrOther = errors.New("it holds another check that is not finished")

// A Job is what a file holds of a check.
type Job struct {
	Resumed  bool // it was begun before
	Read     bool // its last link has been read
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
		if _, err := tx.ExecContext(ctx, emptied); err != nil {
			return Job{}, err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO job VALUES (?1, 0, 0, 0, 0, 0, 0, 0, NULL)`, name); err != nil {
		return Job{}, err
	}
	return Job{}, tx.Commit()
}
