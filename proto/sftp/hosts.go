package sftp

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"anyurl/dial"
	"anyurl/fetch"
)

// Hosts are the host keys that are known. A host without one is trusted on its
// first use and its key remembered; a host with another key than the known one
// is refused.
//
// The zero value remembers for as long as it lives. It may be used by several
// goroutines at once.
type Hosts struct {
	// Known are files in OpenSSH's form that are read and never written, such as
	// ~/.ssh/known_hosts. Those that are not there are passed over.
	Known []string
	// Path is the file, in the same form, that new keys are added to. It is made
	// when there is something to remember; "" is no file.
	Path string

	mu  sync.Mutex
	new map[string]ssh.PublicKey // what this process has seen, by address
}

// files are those that are there.
func (h *Hosts) files() []string {
	var there []string
	for _, name := range append(slices.Clone(h.Known), h.Path) {
		if name == "" {
			continue
		}
		if _, err := os.Stat(name); err == nil {
			there = append(there, name)
		}
	}
	return there
}

// known gives the keys that are known of an address.
func (h *Hosts) known(addr string) ([]ssh.PublicKey, error) {
	check, err := knownhosts.New(h.files()...)
	if err != nil {
		return nil, err
	}
	// The library tells what it knows when it is asked about a key it does not.
	nobody, err := ssh.NewPublicKey(ed25519.PublicKey(make([]byte, ed25519.PublicKeySize)))
	if err != nil {
		return nil, err
	}
	var keys []ssh.PublicKey
	var unknown *knownhosts.KeyError
	if err := check(addr, &net.TCPAddr{}, nobody); errors.As(err, &unknown) {
		for _, w := range unknown.Want {
			keys = append(keys, w.Key)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if key := h.new[addr]; key != nil {
		keys = append(keys, key)
	}
	return keys, nil
}

// algorithms are the signatures that a known key can make: a server that has
// several keys is asked for the one that we can compare. Nil is any.
func (h *Hosts) algorithms(addr string) []string {
	keys, err := h.known(addr)
	if err != nil {
		return nil // check will say why
	}
	var names []string
	for _, key := range keys {
		if key.Type() == ssh.KeyAlgoRSA {
			names = append(names, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
			continue
		}
		names = append(names, key.Type())
	}
	return names
}

// Socket gives the keys of the SSH agent that listens at a socket, for
// [Transport.Agent].
func Socket(path string) func() ([]ssh.Signer, io.Closer, error) {
	return func() ([]ssh.Signer, io.Closer, error) {
		ctx, cancel := context.WithTimeout(context.Background(), agentTime)
		defer cancel()
		conn, err := dial.Socket(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		conn.SetDeadline(time.Now().Add(agentTime))
		signers, err := agent.NewClient(conn).Signers()
		if err != nil {
			conn.Close()
			return nil, nil, err
		}
		conn.SetDeadline(time.Time{}) // it may ask its user before it signs
		return signers, conn, nil
	}
}

// agentTime is how long an agent has to say which keys it holds.
const agentTime = 5 * time.Second

// A vetting is one host's key, as it is asked about.
type vetting struct {
	hosts       *Hosts
	addr        string
	fingerprint string // what the URL says that the key is; "" for nothing
	passed      bool
	err         error
}

// check is an ssh.HostKeyCallback.
func (v *vetting) check(addr string, remote net.Addr, key ssh.PublicKey) error {
	v.err = v.judge(remote, key)
	v.passed = v.err == nil
	return v.err
}

func (v *vetting) judge(remote net.Addr, key ssh.PublicKey) error {
	refuse := func(err error, hint string) error {
		return &fetch.Error{Step: fetch.Greeting, Kind: fetch.ErrRefused, Err: err, Hint: hint}
	}
	if v.fingerprint != "" {
		if !matches(v.fingerprint, key) {
			return refuse(fmt.Errorf("the host's key is %s, and the URL says another", ssh.FingerprintSHA256(key)), "somebody else may answer for the host, or its key has changed since the URL was written")
		}
		return nil // the URL vouches for the key
	}
	if files := v.hosts.files(); len(files) > 0 {
		check, err := knownhosts.New(files...)
		if err != nil {
			return refuse(fmt.Errorf("the known hosts cannot be read: %w", err), "")
		}
		err = check(v.addr, remote, key)
		var unknown *knownhosts.KeyError
		var revoked *knownhosts.RevokedError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &revoked):
			return refuse(errors.New("the host's key is marked as revoked"), "")
		case !errors.As(err, &unknown):
			return refuse(err, "")
		case len(unknown.Want) > 0:
			return &fetch.Error{Step: fetch.Greeting, Kind: fetch.ErrRefused, Err: fmt.Errorf("the host's key %s is not the known one", ssh.FingerprintSHA256(key)),
				Hint: "somebody else may answer for the host, or its key has changed",
				Here: "the new key is accepted once the old one is gone from " + unknown.Want[0].Filename}
		}
	}
	return v.hosts.remember(v.addr, key)
}

// remember keeps the key of a host that was not known.
func (h *Hosts) remember(addr string, key ssh.PublicKey) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if was := h.new[addr]; was != nil {
		if bytes.Equal(was.Marshal(), key.Marshal()) {
			return nil
		}
		return &fetch.Error{Step: fetch.Greeting, Kind: fetch.ErrRefused, Err: fmt.Errorf("the host's key %s is not the one of before", ssh.FingerprintSHA256(key))}
	}
	if h.new == nil {
		h.new = map[string]ssh.PublicKey{}
	}
	h.new[addr] = key
	if h.Path == "" {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(h.Path), 0o700)
	if err == nil {
		err = appendLine(h.Path, knownhosts.Line([]string{knownhosts.Normalize(addr)}, key))
	}
	if err != nil {
		return &fetch.Error{Step: fetch.Greeting, Err: fmt.Errorf("remembering the host's key: %w", err),
			Here: "who answers is remembered in " + h.Path + ", which has to be writable"}
	}
	return nil
}

// appendLine adds a line in one write: several processes may do so at once.
func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, fs.FileMode(0o600))
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// matches compares a key with a fingerprint: the draft's, an algorithm and the
// MD5 sum in hexadecimal with hyphens, or OpenSSH's, "SHA256:" and Base64.
func matches(fingerprint string, key ssh.PublicKey) bool {
	if _, found := strings.CutPrefix(fingerprint, "SHA256:"); found {
		return strings.TrimRight(fingerprint, "=") == ssh.FingerprintSHA256(key)
	}
	sum := md5.Sum(key.Marshal())
	hexes, algorithm := strings.ToLower(fingerprint), strings.ToLower(key.Type())+"-"
	if rest, found := strings.CutPrefix(hexes, algorithm); found {
		hexes = rest
	}
	return strings.NewReplacer("-", "", ":", "").Replace(hexes) == hex.EncodeToString(sum[:])
}
