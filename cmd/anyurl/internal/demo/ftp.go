package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"strings"
	"time"
)

// serveFTP serves root to anybody who only wants to read, as RFC 959 says,
// with the passive modes of RFC 1123 and RFC 2428 and the listings of RFC 3659.
// It opens no connection of its own, so it knows no active mode.
func serveFTP(ctx context.Context, l net.Listener, root fs.FS, open *ports) {
	accept(ctx, l, func(conn net.Conn) {
		s := &ftpControl{ctx: ctx, conn: conn, root: root, dir: "/", ports: open}
		defer s.closeData()
		s.serve()
	})
}

// An ftpControl is one control connection.
type ftpControl struct {
	ctx  context.Context
	conn net.Conn
	root fs.FS
	user string
	in   bool   // the user is logged in
	dir  string // absolute, clean
	data *net.TCPListener
	*ports
}

func (s *ftpControl) reply(code int, says string) { fmt.Fprintf(s.conn, "%d %s\r\n", code, says) }

func (s *ftpControl) serve() {
	s.conn.SetDeadline(time.Now().Add(time.Minute))
	s.reply(220, "a small FTP server on loopback")
	lines := bufio.NewScanner(s.conn)
	lines.Buffer(make([]byte, 0, 512), 4096)
	for lines.Scan() {
		verb, arg, _ := strings.Cut(strings.TrimRight(lines.Text(), "\r"), " ")
		verb = strings.ToUpper(verb)
		if verb == "QUIT" {
			s.reply(221, "goodbye")
			return
		}
		s.conn.SetDeadline(time.Now().Add(time.Minute))
		s.command(verb, arg)
	}
}

func (s *ftpControl) command(verb, arg string) {
	switch verb {
	case "USER":
		s.user, s.in = arg, false
		s.reply(331, "a mail address for the password, please")
		return
	case "PASS":
		if s.in = s.user == "anonymous" || s.user == "ftp"; s.in {
			s.reply(230, "welcome")
		} else {
			s.reply(530, "only anonymous may come in")
		}
		return
	case "FEAT":
		fmt.Fprint(s.conn, "211-what else\r\n EPSV\r\n MDTM\r\n MLST type*;size*;modify*;\r\n SIZE\r\n UTF8\r\n211 end\r\n")
		return
	case "SYST":
		s.reply(215, "UNIX Type: L8")
		return
	case "NOOP", "OPTS":
		s.reply(200, "well")
		return
	}
	if !s.in {
		s.reply(530, "log in first")
		return
	}
	switch verb {
	case "TYPE", "MODE", "STRU":
		s.reply(200, "well")
	case "PWD", "XPWD":
		s.reply(257, `"`+strings.ReplaceAll(s.dir, `"`, `""`)+`" is where you are`)
	case "CWD", "XCWD":
		s.change(arg)
	case "CDUP", "XCUP":
		s.change("..")
	case "PASV", "EPSV":
		s.passive(verb)
	case "SIZE", "MDTM":
		s.fact(verb, arg)
	case "RETR":
		s.retrieve(arg)
	case "LIST", "NLST", "MLSD":
		s.list(verb, arg)
	case "STOR", "STOU", "APPE", "DELE", "MKD", "RMD", "RNFR", "RNTO":
		s.reply(550, "this server takes nothing")
	default:
		s.reply(502, "no such command here")
	}
}

// at gives the name in root of a path that the client names.
func (s *ftpControl) at(arg string) string {
	if !path.IsAbs(arg) {
		arg = path.Join(s.dir, arg)
	}
	if name := strings.TrimPrefix(path.Clean(arg), "/"); name != "" {
		return name
	}
	return "."
}

func (s *ftpControl) change(arg string) {
	name := s.at(arg)
	if info, err := fs.Stat(s.root, name); err != nil || !info.IsDir() {
		s.reply(550, "no such directory")
		return
	}
	s.dir = path.Clean("/" + name)
	s.reply(250, "well")
}

func (s *ftpControl) fact(verb, arg string) {
	info, err := fs.Stat(s.root, s.at(arg))
	switch {
	case err != nil || info.IsDir():
		s.reply(550, "no such file")
	case verb == "SIZE":
		s.reply(213, fmt.Sprint(info.Size()))
	default:
		s.reply(213, "19940101000000") // as LIST says; what is built in has no time of its own
	}
}

func (s *ftpControl) passive(verb string) {
	s.closeData()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		s.reply(425, "no port to listen on")
		return
	}
	s.data = l
	s.ports.open(l.Addr())
	port := l.Addr().(*net.TCPAddr).Port
	if verb == "EPSV" {
		s.reply(229, fmt.Sprintf("come in (|||%d|)", port))
		return
	}
	s.reply(227, fmt.Sprintf("come in (127,0,0,1,%d,%d)", port>>8, port&0xFF))
}

func (s *ftpControl) retrieve(arg string) {
	name := s.at(arg)
	if info, err := fs.Stat(s.root, name); err != nil || info.IsDir() {
		s.closeData()
		s.reply(550, "no such file")
		return
	}
	f, err := s.root.Open(name)
	if err != nil {
		s.closeData()
		s.reply(550, "no such file")
		return
	}
	defer f.Close()
	s.send(f)
}

func (s *ftpControl) list(verb, arg string) {
	if strings.HasPrefix(arg, "-") {
		arg = "" // options for somebody's ls
	}
	name := s.at(arg)
	entries, err := fs.ReadDir(s.root, name)
	if err != nil {
		s.closeData()
		s.reply(550, "no such directory")
		return
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		modes, kind := "-r--r--r--", "file"
		if e.IsDir() {
			modes, kind = "dr-xr-xr-x", "dir"
		}
		switch verb {
		case "NLST":
			fmt.Fprintf(&b, "%s\r\n", e.Name())
		case "LIST":
			fmt.Fprintf(&b, "%s 1 ftp ftp %d Jan  1  1994 %s\r\n", modes, info.Size(), e.Name())
		default:
			fmt.Fprintf(&b, "type=%s;size=%d;modify=19940101000000; %s\r\n", kind, info.Size(), e.Name())
		}
	}
	s.send(strings.NewReader(b.String()))
}

// send gives r over the data connection that the client opens.
func (s *ftpControl) send(r io.Reader) {
	if s.data == nil {
		s.reply(425, "say PASV or EPSV first")
		return
	}
	defer s.closeData()
	s.reply(150, "here it comes")
	data := s.data
	data.SetDeadline(time.Now().Add(10 * time.Second))
	defer context.AfterFunc(s.ctx, func() { data.Close() })()
	conn, err := data.Accept()
	if err != nil {
		s.reply(425, "nobody came for it")
		return
	}
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, err = io.Copy(conn, r)
	if closeErr := conn.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.reply(426, "the data connection broke")
		return
	}
	s.reply(226, "that was all")
}

func (s *ftpControl) closeData() {
	if s.data != nil {
		s.ports.close(s.data.Addr())
		s.data.Close()
		s.data = nil
	}
}
