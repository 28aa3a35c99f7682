package frontier

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash"
	"maps"

	"modernc.org/sqlite"

	"anyurl/check"
)

// mostInMemory bounds the file that goes on in memory when it cannot be written
// any more, in bytes.
const mostInMemory = 1 << 30

// write writes events. Where the file takes no more, because its disk is full,
// say, it goes on in memory as it last was, and takes them there: nobody waits
// for a disk, and what is known is not lost.
func (r *run) write(e *events, more bool) (questions []check.Question, results []check.Result, err error) {
	seen, digest := r.seen, r.digest
	if r.memory == nil {
		if digest, err = clone(r.digest); err != nil {
			return nil, nil, err
		}
	}
	questions, results, err = r.writeOnce(e, more)
	if err == nil || r.memory != nil || r.stuck || errors.Is(err, ErrChanged) {
		return questions, results, err
	}
	if failed := r.toMemory(); failed != nil {
		return questions, nil, err // the first one counts
	}
	r.summary.Faults = append(r.summary.Faults, fmt.Sprintf("the state could not be written any more, and its links and answers were kept in memory from there on: %v", err))
	r.seen, r.digest = seen, digest
	// What was loaded before the end of the transaction is on its way already.
	again, results, err := r.writeOnce(e, more && !r.loaded)
	return append(questions, again...), results, err
}

func clone(h hash.Hash) (hash.Hash, error) {
	c, ok := h.(hash.Cloner)
	if !ok {
		return nil, errors.New("the digest cannot be cloned")
	}
	return c.Clone()
}

// toMemory takes the file, as it last was, into memory.
func (r *run) toMemory() error {
	db, err := copied(r.ctx, r.conn)
	if err != nil {
		return err
	}
	s, err := openStore(r.ctx, db, r.fragments)
	if err != nil {
		db.Close()
		return err
	}
	maps.Copy(s.grown, r.grown)
	r.store.close()
	r.store, r.memory = s, db
	return nil
}

// copied is a database in memory with all that conn's has.
func copied(ctx context.Context, conn *sql.Conn) (*sql.DB, error) {
	var size int64
	if err := conn.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`).Scan(&size); err != nil {
		return nil, err
	}
	if size > mostInMemory {
		return nil, errors.New("the file is too long for memory")
	}
	var copy driver.Conn
	err := conn.Raw(func(c any) error {
		from, ok := c.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver makes no copies")
		}
		b, err := from.NewBackup(":memory:")
		if err != nil {
			return err
		}
		if _, err := b.Step(-1); err != nil {
			return errors.Join(err, b.Finish())
		}
		copy, err = b.Commit()
		return err
	})
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(&only{copy})
	db.SetMaxOpenConns(1)
	return db, nil
}

// only is a connector with one connection.
type only struct{ conn driver.Conn }

func (o *only) Connect(context.Context) (driver.Conn, error) {
	c := o.conn
	if o.conn = nil; c == nil {
		return nil, driver.ErrBadConn // it was closed, and its database with it
	}
	return c, nil
}

func (o *only) Driver() driver.Driver { return &sqlite.Driver{} }
