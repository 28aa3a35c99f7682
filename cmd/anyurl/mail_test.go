package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"anyurl/internal/peer"
)

// TestMail sends a letter with the command and reads it back with it, by a
// mail server and an IMAP server that nobody here wrote.
func TestMail(t *testing.T) {
	post := peer.OpenSMTPD(t)
	maildir := filepath.Join(post.Dir, "joe@b.example")
	if err := os.Mkdir(maildir, 0o755); err != nil {
		t.Fatal(err)
	}
	store := peer.Dovecot(t, maildir)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/mail",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("POST", post.Addr)
			env.Setenv("BOX", maildir)
			env.Setenv("STORE", store.Addr)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}
