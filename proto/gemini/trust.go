package gemini

import (
	"bufio"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"anyurl/fetch"
)

// Hosts remembers the certificate of each capsule, which is trusted on its
// first use: most vouch for themselves, so the first one seen is kept, and
// another one is refused for as long as the kept one is valid.
//
// The zero value remembers for as long as it lives. It may be used by several
// goroutines at once.
type Hosts struct {
	// Path is the file that is remembered in, with a line for each host: the
	// host and port, the SHA-256 of the certificate, and when that ends. It is
	// made when there is something to remember. "" is no file. It is not changed
	// after the first use.
	Path string

	mu    sync.Mutex
	read  bool
	hosts map[string]pin
}

// A pin is what is known of a host.
type pin struct {
	sum string
	end time.Time // the certificate's; zero if unknown
}

// A Changed is a certificate that is not the one of before.
type Changed struct {
	Addr      string // the host and port
	Was, Now  string // SHA-256, hexadecimal
	Until     time.Time
	Remembers string // the file that holds the old one, or ""
}

// Error says that the certificate has changed.
func (c *Changed) Error() string {
	return "the certificate is not the one of before, which is valid until " + c.Until.UTC().Format(time.DateOnly) + ": the server has been set up anew, or somebody else answers for it"
}

// maxHosts bounds the file.
const maxHosts = 16 << 20

// load reads the file, once.
func (h *Hosts) load() error {
	if h.read {
		return nil
	}
	h.hosts = map[string]pin{}
	if h.Path != "" {
		f, err := os.Open(h.Path)
		if errors.Is(err, fs.ErrNotExist) {
			h.read = true
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || info.Size() > maxHosts {
			return errors.Join(err, fmt.Errorf("%s is too large", h.Path))
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			// A later line takes the place of an earlier one.
			words := strings.Fields(lines.Text())
			if len(words) < 2 || words[0][0] == '#' {
				continue
			}
			p := pin{sum: strings.ToLower(words[1])}
			if len(words) > 2 {
				p.end, _ = time.Parse(time.RFC3339, words[2]) // a date that is none is unknown
			}
			h.hosts[words[0]] = p
		}
		if err := lines.Err(); err != nil {
			return err
		}
	}
	h.read = true
	return nil
}

// check decides about a certificate at a time.
func (h *Hosts) check(addr string, cert *x509.Certificate, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.load(); err != nil {
		return fmt.Errorf("reading what is known of certificates: %w", err)
	}
	sum := sha256.Sum256(cert.Raw)
	is := pin{hex.EncodeToString(sum[:]), cert.NotAfter}
	was, known := h.hosts[addr]
	switch {
	case known && was.sum == is.sum:
		return nil
	case known && now.Before(was.end):
		return &Changed{Addr: addr, Was: was.sum, Now: is.sum, Until: was.end, Remembers: h.Path}
	}
	// A certificate whose time is over is no beginning.
	if now.After(cert.NotAfter) || now.Before(cert.NotBefore) {
		return fmt.Errorf("the certificate is valid from %s to %s, and not now", cert.NotBefore.UTC().Format(time.DateOnly), cert.NotAfter.UTC().Format(time.DateOnly))
	}
	h.hosts[addr] = is
	if err := h.keep(addr, is); err != nil {
		return &fetch.Error{Step: fetch.TLS, Err: fmt.Errorf("remembering the certificate: %w", err),
			Here: "who answers is remembered in " + h.Path + ", which has to be writable"}
	}
	return nil
}

// keep adds a line to the file. Several processes may do so at once.
func (h *Hosts) keep(addr string, p pin) error {
	if h.Path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %s %s\n", addr, p.sum, p.end.UTC().Format(time.RFC3339))
	return errors.Join(err, f.Close())
}
