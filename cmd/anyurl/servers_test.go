package main

import (
	"encoding/binary"
	"io"
	"net"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"anyurl/internal/xdr"
)

// served is what the scripts' small servers have.
const served = "Tulips are spring flowers.\n"

// udp serves datagrams with answer, which gives none for what is no question,
// and returns its address. other answers from another port, as TFTP servers do.
func udp(answer func([]byte) []byte, other bool) (addr string, stop func(), err error) {
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	from := l
	if other {
		if from, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
			l.Close()
			return "", nil, err
		}
	}
	go func() {
		b := make([]byte, 2048)
		for {
			n, to, err := l.ReadFrom(b)
			if err != nil {
				return
			}
			if reply := answer(b[:n]); reply != nil {
				from.WriteTo(reply, to)
			}
		}
	}()
	return l.LocalAddr().String(), func() { l.Close(); from.Close() }, nil
}

// prospero is a directory "garden" with one object, and a link to a file that
// an FTP server has.
func prospero(b []byte) []byte {
	if len(b) < 9 || b[0] != 9 || b[4] == 0 {
		return nil
	}
	text := "FAILURE NOT-FOUND\n"
	switch request := string(b[9:]); {
	case strings.Contains(request, "GET-OBJECT-INFO #ALL ASCII garden/tulip "):
		text = "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 27' bytes'\nATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n"
	case strings.Contains(request, "GET-OBJECT-INFO CONTENTS ASCII garden/tulip "):
		text = "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA '" + served + "'\n"
	case strings.Contains(request, "GET-OBJECT-INFO #ALL ASCII local "):
		text = "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' /etc/passwd\n"
	case strings.Contains(request, "DIRECTORY ASCII garden\nLIST "):
		text = "LINK  L FILE tulip INTERNET-D prospero.example ASCII garden/tulip 0\nLINK L EXTERNAL motd EXTERNAL '' ASCII '' 0\n" +
			"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D ftp.example ASCII /motd TEXT\n"
	case strings.Contains(request, "DIRECTORY ASCII "):
		text = "FAILURE NOT-A-DIRECTORY\n"
	}
	return append([]byte{3, b[1], b[2]}, text...)
}

// tftp has one file, "tulip", and no options.
func tftp(b []byte) []byte {
	switch {
	case len(b) > 2 && b[1] == 1 && strings.HasPrefix(string(b[2:]), "tulip\x00"):
		return append([]byte{0, 3, 0, 1}, served...)
	case len(b) > 2 && b[1] == 1:
		return []byte("\x00\x05\x00\x01File not found\x00")
	}
	return nil
}

// nfs serves NFS 3 from a public file handle: a folder with one file, "tulip".
func nfs(conn net.Conn) {
	defer conn.Close()
	attributes := func(kind uint32) []byte {
		b := xdr.AppendUint64(xdr.Append(nil, 1, kind, 0o644, 1, 0, 0), uint64(len(served)))
		return xdr.Append(append(b, make([]byte, 40)...), 946684800, 0, 0, 0)
	}
	for {
		var mark [4]byte
		if _, err := io.ReadFull(conn, mark[:]); err != nil {
			return
		}
		call := make([]byte, binary.BigEndian.Uint32(mark[:])&0xFFFF)
		if _, err := io.ReadFull(conn, call); err != nil {
			return
		}
		r := xdr.NewReader(call)
		xid := r.Uint32()
		r.Fixed(8)
		_, version, procedure := r.Uint32(), r.Uint32(), r.Uint32()
		for range 2 {
			r.Uint32()
			r.Opaque(400)
		}
		handle := r.String(64)
		result := xdr.Append(nil, 0)
		switch name := ""; {
		case version != 3:
			result = xdr.Append(nil, 2, 3, 3)
		case procedure == 3: // LOOKUP
			switch name = r.String(255); {
			case handle == "" && name == ".":
				result = append(xdr.AppendOpaque(xdr.Append(result, 0), "."), attributes(2)...)
			case name == "tulip":
				result = append(xdr.AppendOpaque(xdr.Append(result, 0), "tulip"), attributes(1)...)
			default:
				result = xdr.Append(result, 2)
			}
			result = xdr.Append(result, 0)
		case procedure == 6: // READ
			at := min(int(r.Uint64()), len(served))
			result = xdr.AppendOpaque(xdr.Append(result, 0, 0, uint32(len(served)-at), 1), served[at:])
		case procedure == 17: // READDIRPLUS
			result = append(xdr.Append(result, 0, 0), make([]byte, 8)...) // the verifier
			result = xdr.AppendOpaque(xdr.AppendUint64(xdr.Append(result, 1), 7), "tulip")
			result = append(xdr.AppendUint64(result, 1), attributes(1)...)
			result = xdr.Append(result, 0, 0, 1) // no handle; no more; the end
		default:
			result = xdr.Append(nil, 1)
		}
		reply := append(xdr.Append(nil, xid, 1, 0, 0, 0), result...)
		conn.Write(append(xdr.Append(nil, 1<<31|uint32(len(reply))), reply...))
	}
}

// small gives a script those servers: $PROSPERO, $TFTP and $NFS.
func small(env *testscript.Env) error {
	for name, s := range map[string]struct {
		answer func([]byte) []byte
		other  bool
	}{"PROSPERO": {prospero, false}, "TFTP": {tftp, true}} {
		addr, stop, err := udp(s.answer, s.other)
		if err != nil {
			return err
		}
		env.Defer(stop)
		env.Setenv(name, addr)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Defer(func() { l.Close() })
	env.Setenv("NFS", l.Addr().String())
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go nfs(conn)
		}
	}()
	return nil
}
