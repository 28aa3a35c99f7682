package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The packets of RFC 1350 and RFC 2347.
const (
	tftpRead  = 1
	tftpData  = 3
	tftpAck   = 4
	tftpError = 5
	tftpOACK  = 6
)

// serveTFTP gives the files in root, as RFC 1350 says, with the sizes of RFC 2348
// and RFC 2349. Each file goes from a port of its own.
func serveTFTP(ctx context.Context, conn net.PacketConn, root fs.FS, open *ports) {
	var transfers sync.WaitGroup
	defer transfers.Wait()
	datagrams(ctx, conn, func(p []byte, from net.Addr) {
		words := strings.Split(string(p[min(2, len(p)):]), "\x00")
		if len(p) < 2 || binary.BigEndian.Uint16(p) != tftpRead || len(words) < 3 {
			conn.WriteTo(tftpSays(4, "files are read here, nothing else"), from)
			return
		}
		name := strings.TrimPrefix(words[0], "/")
		text, err := fs.ReadFile(root, name)
		if err != nil {
			conn.WriteTo(tftpSays(1, "no such file"), from)
			return
		}
		if strings.EqualFold(words[1], "netascii") {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) // what is built in has no CR
		}
		options := words[2 : len(words)-1]
		transfers.Go(func() { tftpSend(ctx, from, text, options, open) })
	})
}

// tftpSend sends a file, block by block, each once more when no answer comes.
func tftpSend(ctx context.Context, to net.Addr, text []byte, options []string, open *ports) {
	conn, err := net.ListenPacket("udp", loopback)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	open.open(conn.LocalAddr())
	defer open.close(conn.LocalAddr())
	size := 512
	agreed := binary.BigEndian.AppendUint16(nil, tftpOACK)
	for i := 0; i+1 < len(options); i += 2 {
		switch n, err := strconv.Atoi(options[i+1]); {
		case err != nil:
		case strings.EqualFold(options[i], "blksize") && n >= 8:
			size = min(n, 1428) // what goes through without being cut in two
			agreed = append(agreed, "blksize\x00"+strconv.Itoa(size)+"\x00"...)
		case strings.EqualFold(options[i], "tsize"):
			agreed = append(agreed, "tsize\x00"+strconv.Itoa(len(text))+"\x00"...)
		}
	}
	if len(agreed) > 2 && !tftpExchange(conn, to, agreed, 0) {
		return
	}
	for block := 1; ; block++ {
		part := text[:min(size, len(text))]
		text = text[len(part):]
		p := binary.BigEndian.AppendUint16(nil, tftpData)
		p = append(binary.BigEndian.AppendUint16(p, uint16(block)), part...)
		if !tftpExchange(conn, to, p, uint16(block)) || len(part) < size {
			return
		}
	}
}

// tftpExchange sends a packet until it is acknowledged, and gives up after some
// tries.
func tftpExchange(conn net.PacketConn, to net.Addr, p []byte, block uint16) bool {
	for range 5 {
		if _, err := conn.WriteTo(p, to); err != nil {
			return false
		}
		conn.SetReadDeadline(time.Now().Add(time.Second))
		var b [512]byte
		for {
			n, from, err := conn.ReadFrom(b[:])
			if err != nil {
				break // again, or, where the port is closed, nothing more
			}
			if from.String() != to.String() || n < 4 {
				continue
			}
			switch op := binary.BigEndian.Uint16(b[:]); {
			case op == tftpError:
				return false
			case op == tftpAck && binary.BigEndian.Uint16(b[2:]) == block:
				return true
			}
		}
	}
	return false
}

func tftpSays(code uint16, text string) []byte {
	p := binary.BigEndian.AppendUint16(nil, tftpError)
	return append(append(binary.BigEndian.AppendUint16(p, code), text...), 0)
}
