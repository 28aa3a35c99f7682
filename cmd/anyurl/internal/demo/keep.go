package demo

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Keep writes what is not asked of a server into dir: a mailbox, "mailbox", for
// mid and cid URLs, and a folder, "files", for file URLs. Whoever made dir removes
// it.
func Keep(dir string) error {
	box, err := fs.ReadFile(site, "site/mail/mailbox")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "mailbox"), box, 0o600); err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(dir, "files"), sub("files"))
}
