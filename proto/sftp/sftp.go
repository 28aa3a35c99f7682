// Package sftp opens sftp URLs: files and folders over SSH (RFC 4251 to 4254;
// the SSH File Transfer Protocol, draft-ietf-secsh-filexfer-02). It reads and
// lists; it never writes. SSH and SFTP themselves are golang.org/x/crypto/ssh's
// and github.com/pkg/sftp's. Start with [New].
package sftp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	sshurl "anyurl/scheme/ssh"
)

// A Transport opens sftp URLs. It keeps no connections.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// User is who logs in where the URL names nobody; "" is "anonymous".
	User string
	// Hosts are the host keys that are known, and where new ones are remembered.
	Hosts *Hosts
	// Agent gives the keys of an SSH agent, and what to close when they are of no
	// more use. Nil is no agent.
	Agent func() ([]ssh.Signer, io.Closer, error)
	// Keys are files that hold private keys without a passphrase; those that are
	// not there, or have one, are passed over.
	Keys []string
}

// New returns a Transport that connects through d and trusts a host's key on
// its first use, remembering it as long as the Transport lives.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d, Hosts: &Hosts{}} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"sftp"} }

// readAhead is how much of a file is asked for at once, in several requests.
const readAhead = 1 << 20

// Fetch logs in, and opens the file or lists the folder.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := sshurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	s, err := t.connect(ctx, req, ref)
	if err != nil {
		return nil, err
	}
	resp, err := s.open(req, ref)
	if err != nil {
		s.Close()
		return nil, s.failed(err)
	}
	return resp, nil
}

// A session is one login.
type session struct {
	ctx  context.Context
	stop func() bool
	conn *metered
	ssh  *ssh.Client
	sftp *sftp.Client
	once sync.Once
}

// Close ends the session. The network connection goes first: nobody has to be
// waited for.
func (s *session) Close() error {
	s.once.Do(func() {
		s.stop()
		s.conn.Close()
		if s.sftp != nil {
			s.sftp.Close()
		}
		if s.ssh != nil {
			s.ssh.Close()
			s.ssh.Wait()
		}
	})
	return nil
}

// A metered connection gives up once the server has sent more than it may.
type metered struct {
	net.Conn
	left atomic.Int64 // octets; negative for no bound
}

var errFlood = errors.New("the server sends more than this can take")

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if left := m.left.Load(); left >= 0 {
		if left = m.left.Add(-int64(n)); left <= 0 {
			m.left.Store(0)
			return 0, errFlood
		}
	}
	return n, err
}

// handshakeMost is how much a server may say before files are spoken of.
const handshakeMost = 1 << 20

// connect dials and logs in.
func (t *Transport) connect(ctx context.Context, req *fetch.Request, ref sshurl.Ref) (*session, error) {
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	s := &session{ctx: ctx, conn: &metered{Conn: conn}, stop: wire.Watch(ctx, conn)}
	s.conn.left.Store(handshakeMost)
	who, release, err := t.login(req, ref)
	defer release()
	if err == nil {
		err = s.greet(req, ref, t.Hosts, who)
	}
	if err != nil {
		s.Close()
		return nil, s.failed(err)
	}
	return s, nil
}

// login says who logs in and how. release is called when that is over.
func (t *Transport) login(req *fetch.Request, ref sshurl.Ref) (config *ssh.ClientConfig, release func(), err error) {
	config = &ssh.ClientConfig{User: ref.User, ClientVersion: "SSH-2.0-anyurl"}
	release = func() {}
	password, has := ref.Password, ref.Password != ""
	if req.Auth != nil && ref.User == "" {
		config.User, password, has = req.Auth.User, req.Auth.Password, req.Auth.HasPassword
	}
	if config.User == "" {
		config.User = t.User
	}
	if config.User == "" {
		config.User = "anonymous"
	}
	if has {
		// Who says a password wants it used, and not the keys of the agent told.
		config.Auth = []ssh.AuthMethod{ssh.Password(password), ssh.KeyboardInteractive(func(_, _ string, questions []string, echos []bool) ([]string, error) {
			answers := make([]string, len(questions))
			for i := range answers {
				if !echos[i] {
					answers[i] = password
				}
			}
			return answers, nil
		})}
		return config, release, nil
	}
	var signers []ssh.Signer
	if t.Agent != nil {
		fromAgent, closer, err := t.Agent()
		if err != nil && req.Trace != nil {
			req.Trace(fetch.Event{Kind: '*', Text: "the SSH agent does not answer: " + err.Error()})
		}
		if closer != nil {
			release = func() { closer.Close() }
		}
		signers = fromAgent
	}
	for _, name := range t.Keys {
		if data, err := os.ReadFile(name); err == nil {
			if signer, err := ssh.ParsePrivateKey(data); err == nil {
				signers = append(signers, signer)
			}
		}
	}
	if len(signers) > 0 {
		config.Auth = []ssh.AuthMethod{ssh.PublicKeys(signers...)}
	}
	return config, release, nil
}

// greet exchanges keys, logs in and begins SFTP.
func (s *session) greet(req *fetch.Request, ref sshurl.Ref, hosts *Hosts, config *ssh.ClientConfig) error {
	known := &vetting{hosts: hosts, addr: ref.Addr(), fingerprint: ref.Fingerprint}
	config.HostKeyCallback = known.check
	config.HostKeyAlgorithms = hosts.algorithms(ref.Addr())
	config.BannerCallback = func(text string) error {
		if req.Trace != nil {
			req.Trace(fetch.Event{Kind: '<', Text: text})
		}
		return nil
	}
	conn, channels, requests, err := ssh.NewClientConn(s.conn, ref.Addr(), config)
	if err != nil {
		switch {
		case known.err != nil:
			return known.err
		case known.passed && strings.Contains(err.Error(), "unable to authenticate"):
			return s.denied(config)
		}
		return &fetch.Error{Step: fetch.Greeting, Kind: kindOf(err), Err: plainly(err)}
	}
	s.ssh = ssh.NewClient(conn, channels, requests)
	if req.Trace != nil {
		req.Trace(fetch.Event{Kind: '<', Text: string(conn.ServerVersion())})
	}
	if s.sftp, err = sftp.NewClient(s.ssh, sftp.UseConcurrentReads(true)); err != nil {
		return &fetch.Error{Step: fetch.Greeting, Kind: kindOf(err), Err: fmt.Errorf("the host offers no SFTP: %w", plainly(err))}
	}
	return nil
}

func (s *session) denied(config *ssh.ClientConfig) error {
	e := &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Err: fmt.Errorf("the host does not let %q in", config.User)}
	if len(config.Auth) == 0 {
		e.Hint = "there is no key to log in with: start an SSH agent, or put the password into .netrc or the URL"
	}
	return e
}

// kindOf tells an end that came too early from words that are not SSH's.
func kindOf(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
		return fetch.ErrTruncated
	}
	var n net.Error
	if errors.As(err, &n) {
		return nil
	}
	return fetch.ErrMalformed
}

// plainly leaves out the names that the libraries put before their errors.
func plainly(err error) error {
	text := err.Error()
	for _, prefix := range []string{"ssh: handshake failed: ", "ssh: ", "sftp: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return said{text, err}
}

// said is an error in other words.
type said struct {
	text string
	err  error
}

func (s said) Error() string { return s.text }
func (s said) Unwrap() error { return s.err }

// failed gives an error its step and kind; the context's end goes before what
// it brought about.
func (s *session) failed(err error) error {
	if s.ctx.Err() != nil {
		return &fetch.Error{Step: fetch.Asking, Err: context.Cause(s.ctx)}
	}
	var own *fetch.Error
	if errors.As(err, &own) {
		return err
	}
	e := &fetch.Error{Step: fetch.Status, Err: plainly(err)}
	var status *sftp.StatusError
	switch {
	case errors.Is(err, errFlood):
		e.Step, e.Kind, e.Err = fetch.Limit, fetch.ErrTooLarge, errFlood
	case errors.As(err, &status):
		e.Status, e.Said, e.Err = int(status.Code), status.Error(), fmt.Errorf("the server refuses")
		switch status.FxCode() {
		case sftp.ErrSSHFxNoSuchFile:
			e.Kind = fetch.ErrNotFound
		case sftp.ErrSSHFxPermissionDenied:
			e.Kind = fetch.ErrDenied
		}
	case errors.Is(err, fs.ErrNotExist):
		e.Kind, e.Status = fetch.ErrNotFound, int(sftp.ErrSSHFxNoSuchFile)
	case errors.Is(err, fs.ErrPermission):
		e.Kind, e.Status = fetch.ErrDenied, int(sftp.ErrSSHFxPermissionDenied)
	case errors.Is(err, sftp.ErrSSHFxConnectionLost), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		e.Kind = fetch.ErrTruncated
	}
	return e
}

// open opens what the URL names: an empty path is the folder that the login
// begins in.
func (s *session) open(req *fetch.Request, ref sshurl.Ref) (*fetch.Response, error) {
	path := ref.Path
	if path == "" {
		path = "."
	}
	if req.Trace != nil {
		req.Trace(fetch.Event{Kind: '>', Text: "STAT " + path})
	}
	info, err := s.sftp.Stat(path)
	if err != nil {
		return nil, err
	}
	// A host may say that all is well, and nothing of the file.
	if stat, ok := info.Sys().(*sftp.FileStat); !ok || stat == nil {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Err: errors.New("the answer to STAT says nothing about the file")}
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "sftp", ModTime: info.ModTime().UTC(), Size: -1, Body: io.NopCloser(strings.NewReader(""))}
	switch {
	case info.IsDir():
		err = s.list(req, resp, ref, path)
	case strings.HasSuffix(ref.Path, "/"):
		err = &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("it is a file, and the URL's final \"/\" says folder")}
	case !info.Mode().IsRegular():
		err = &fetch.Error{Step: fetch.Gate, Kind: fetch.ErrRefused, Err: errors.New("it is neither a file nor a folder, and opening a device can do things")}
	default:
		return resp, s.read(req, resp, path, info)
	}
	s.Close()
	return resp, err
}

// read makes a file the response's body.
func (s *session) read(req *fetch.Request, resp *fetch.Response, path string, info fs.FileInfo) error {
	f, err := s.sftp.Open(path)
	if err != nil {
		return err
	}
	s.conn.left.Store(-1) // the caller bounds the body
	resp.Size = info.Size()
	if resp.Type = fetch.TypeByName(path); resp.Type == "" {
		head := make([]byte, 512)
		n, err := f.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		resp.Type = fetch.TypeByContent(head[:n])
	}
	if req.Head() {
		s.Close()
		return nil
	}
	if req.Offset > 0 {
		if _, err := f.Seek(req.Offset, io.SeekStart); err != nil {
			return err
		}
		resp.Offset = req.Offset
		resp.Size = max(resp.Size-req.Offset, 0)
	}
	resp.Body = &body{session: s, r: bufio.NewReaderSize(f, readAhead), left: resp.Size}
	return nil
}

// A body is an open file and the session that it is read in.
type body struct {
	*session
	r     *bufio.Reader
	left  int64 // of what the server said that the file has
	ended error
}

func (b *body) Read(p []byte) (int, error) {
	if b.ended != nil {
		return 0, b.ended
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF) && b.left <= 0:
		b.ended = io.EOF
	case errors.Is(err, io.EOF):
		b.ended = &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: fmt.Errorf("the file ends %d octets before the end that the server told", b.left)}
	default:
		err = b.failed(err)
		var e *fetch.Error
		if errors.As(err, &e) && e.Step == fetch.Status {
			e.Step = fetch.Body
		}
		b.ended = err
	}
	return n, b.ended
}

// most octets that an entry of a folder may take on the way, on average.
const entryMost = 2 << 10

// list makes a folder the response's entries, sorted by the octets of their
// names.
func (s *session) list(req *fetch.Request, resp *fetch.Response, ref sshurl.Ref, path string) error {
	resp.Listing, resp.Type = true, "text/plain"
	if !strings.HasSuffix(ref.Path, "/") {
		ref.Path += "/" // what stands in it is relative to it
	}
	if u := ref.URL(); !u.IsZero() && ref.Path != "/" {
		resp.URL = u
	}
	if req.Head() {
		return nil
	}
	if most := int64(req.Limits.MaxEntries); most >= 0 {
		s.conn.left.Store(handshakeMost + most*entryMost)
	}
	infos, err := s.sftp.ReadDirContext(s.ctx, path)
	if errors.Is(err, errFlood) || s.conn.left.Load() == 0 {
		return &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: fmt.Errorf("the folder has more than %d entries", req.Limits.MaxEntries)}
	}
	if err != nil {
		return err
	}
	if err := fetch.CheckEntries(len(infos), req.Limits); err != nil {
		return err
	}
	if path == "." { // URLs name places from the root on
		if path, err = s.sftp.RealPath("."); err != nil {
			return err
		}
		ref.Path = strings.TrimSuffix(path, "/") + "/"
		if u := ref.URL(); !u.IsZero() {
			resp.URL = u
		}
	}
	for _, info := range infos {
		if name := info.Name(); name != "." && name != ".." {
			resp.Entries = append(resp.Entries, entry(ref, info))
		}
	}
	slices.SortFunc(resp.Entries, func(a, b fetch.Entry) int { return strings.Compare(a.Name, b.Name) })
	var text strings.Builder
	for i := range resp.Entries {
		text.WriteString(resp.Entries[i].Raw + "\n")
	}
	resp.Size = int64(text.Len())
	resp.Body = io.NopCloser(strings.NewReader(text.String()))
	return nil
}

// entry is a line of a folder's listing. A name with a slash in it, which no
// file has, can be shown and not opened.
func entry(folder sshurl.Ref, info fs.FileInfo) fetch.Entry {
	e := fetch.Entry{Name: info.Name(), Type: "other", Size: -1, Time: info.ModTime().UTC()}
	suffix := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		e.Type, e.Size = "file", info.Size()
	case mode.IsDir():
		e.Type, suffix = "dir", "/"
	case mode&fs.ModeSymlink != 0:
		e.Type = "link"
	}
	e.Raw = fetch.Line(e.Name) + suffix
	if e.Name != "" && !strings.ContainsAny(e.Name, "/\x00") {
		folder.Path += e.Name + suffix
		if u := folder.URL(); !u.IsZero() {
			e.URL = u.String()
		}
	}
	return e
}
