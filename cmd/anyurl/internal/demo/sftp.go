package demo

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// serveSFTP serves root to whoever logs in, under any name and without a
// password, by the SSH File Transfer Protocol. SSH and SFTP themselves are
// golang.org/x/crypto/ssh's and github.com/pkg/sftp's.
func serveSFTP(ctx context.Context, l net.Listener, root fs.FS) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		l.Close()
		return
	}
	signer, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		l.Close()
		return
	}
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(signer)
	accept(ctx, l, func(plain net.Conn) {
		plain.SetDeadline(time.Now().Add(patience))
		conn, channels, requests, err := ssh.NewServerConn(plain, config)
		if err != nil {
			return
		}
		defer conn.Close()
		go ssh.DiscardRequests(requests) // ends with the connection
		for c := range channels {
			if c.ChannelType() != "session" {
				c.Reject(ssh.UnknownChannelType, "only files are served here")
				continue
			}
			channel, requests, err := c.Accept()
			if err != nil {
				return
			}
			serveSession(channel, requests, root)
		}
	})
}

// serveSession waits for a client to ask for the subsystem, and speaks it.
func serveSession(channel ssh.Channel, requests <-chan *ssh.Request, root fs.FS) {
	defer channel.Close()
	for r := range requests {
		isSFTP := r.Type == "subsystem" && len(r.Payload) > 4 && string(r.Payload[4:]) == "sftp"
		if r.WantReply {
			r.Reply(isSFTP, nil)
		}
		if !isSFTP {
			continue
		}
		go ssh.DiscardRequests(requests)
		files := vault{root}
		sftp.NewRequestServer(channel, sftp.Handlers{FileGet: files, FilePut: files, FileCmd: files, FileList: files}).Serve()
		return
	}
}

// A vault answers SFTP's requests about a folder that is only read.
type vault struct{ root fs.FS }

var errReadOnly = errors.New("this server takes nothing")

func (v vault) Filewrite(*sftp.Request) (io.WriterAt, error) { return nil, errReadOnly }
func (v vault) Filecmd(*sftp.Request) error                  { return errReadOnly }

func (v vault) Fileread(r *sftp.Request) (io.ReaderAt, error) {
	text, err := fs.ReadFile(v.root, nameIn(r.Filepath))
	if err != nil {
		return nil, os.ErrNotExist
	}
	return bytes.NewReader(text), nil
}

func (v vault) Filelist(r *sftp.Request) (sftp.ListerAt, error) {
	name := nameIn(r.Filepath)
	if r.Method != "List" { // Stat; there is no symbolic link here
		info, err := fs.Stat(v.root, name)
		if err != nil {
			return nil, os.ErrNotExist
		}
		return entries{dated{info}}, nil
	}
	list, err := fs.ReadDir(v.root, name)
	if err != nil {
		return nil, os.ErrNotExist
	}
	var all entries
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			all = append(all, dated{info})
		}
	}
	return all, nil
}

// dated is a file that is built in, which has no time of its own, with the one that
// the whole demo has.
type dated struct{ fs.FileInfo }

func (dated) ModTime() time.Time { return time.Date(1994, 1, 1, 0, 0, 0, 0, time.UTC) }

// entries are listed in the parts that a client asks for.
type entries []fs.FileInfo

func (e entries) ListAt(to []fs.FileInfo, from int64) (int, error) {
	if from >= int64(len(e)) {
		return 0, io.EOF
	}
	n := copy(to, e[from:])
	if n < len(to) {
		return n, io.EOF
	}
	return n, nil
}
