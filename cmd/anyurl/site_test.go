package main

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	_ "modernc.org/sqlite" // to look into histories
)

// site serves a script's own folder site, which may change while it runs:
// $SITE. The file x.moved says where x has moved to. Below /gate/ is an archive
// that has a copy of whatever is called "old", by RFC 7089.
func site(env *testscript.Env) {
	folder := filepath.Join(env.WorkDir, "site")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		switch about, asked := strings.CutPrefix(path, "gate/"); {
		case asked && strings.Contains(about, "old"):
			w.Header().Set("Location", "/copy/20250102030405/"+about) // http.Redirect would make one slash of two
			w.WriteHeader(http.StatusFound)
		case asked:
			http.NotFound(w, r)
		case strings.HasPrefix(path, "copy/"):
			w.Header().Set("Memento-Datetime", "Thu, 02 Jan 2025 03:04:05 GMT")
		default:
			if to, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)+".moved")); err == nil {
				http.Redirect(w, r, strings.TrimSpace(string(to)), http.StatusMovedPermanently)
				return
			}
			http.ServeFileFS(w, r, os.DirFS(folder), path)
		}
	}))
	env.Defer(server.Close)
	env.Setenv("SITE", strings.TrimPrefix(server.URL, "http://"))
}

// age makes all that a history knows older.
//
//	age FILE DURATION
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: age file duration")
	}
	d, err := time.ParseDuration(args[1])
	ts.Check(err)
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(`UPDATE url SET due = due - ?1, first_seen = first_seen - ?1, since = since - ?1, last_seen = last_seen - ?1, last_good = last_good - ?1`, d.Milliseconds())
	ts.Check(err)
	_, err = db.Exec(`UPDATE observation SET at = at - ?1`, d.Milliseconds())
	ts.Check(err)
}

// unfinished makes a state's file one in which no job ends, or one that it can
// end in again.
//
//	unfinished FILE on|off
func unfinished(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unfinished file on|off")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	script := `CREATE TRIGGER unfinished BEFORE UPDATE OF finished ON job BEGIN SELECT RAISE(ABORT, 'no end'); END`
	if args[1] == "off" {
		script = `DROP TRIGGER unfinished`
	}
	_, err = db.Exec(script)
	ts.Check(err)
}
