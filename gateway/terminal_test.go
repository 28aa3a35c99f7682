package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"anyurl/fetch"
)

// A switchboard is a transport whose services are the other end of a pipe.
type switchboard struct {
	fetch.TransportFunc
	t     *testing.T
	hosts chan net.Conn
}

func (b switchboard) Talk(_ context.Context, req *fetch.Request, terminal fetch.Terminal) (fetch.Session, error) {
	if req.URL.Host().String() == "down.example" {
		return nil, &fetch.Error{Step: fetch.Connecting, Err: errors.New("nobody <b>answers</b>")}
	}
	if columns, rows := terminal.Size(); columns != Columns || rows != Rows {
		b.t.Errorf("a terminal of %d by %d", columns, rows)
	}
	here, there := net.Pipe()
	b.hosts <- there
	return wire{here}, nil
}

// A wire is a session that shows what is typed.
type wire struct{ net.Conn }

func (wire) Echoes() bool  { return true }
func (wire) Resize() error { return nil }

// console starts a gateway whose services are a test's.
func console(t *testing.T, change func(*Options)) (at string, hosts chan net.Conn) {
	t.Helper()
	hosts = make(chan net.Conn, 8)
	g := try(t, answers, func(o *Options) {
		o.Client.Transports["telnet"] = switchboard{answers, t, hosts}
		if change != nil {
			change(o)
		}
	})
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	return s.URL, hosts
}

// pictures reads what the page is sent until it holds a text.
func pictures(t *testing.T, ctx context.Context, c *websocket.Conn, want string) {
	t.Helper()
	all := ""
	for !strings.Contains(all, want) {
		_, b, err := c.Read(ctx)
		if err != nil {
			t.Fatalf("%v; before that came %s", err, all)
		}
		if !json.Valid(b) {
			t.Fatalf("no JSON: %q", b)
		}
		all += string(b)
	}
}

func TestTerminal(t *testing.T) {
	at, hosts := console(t, nil)
	ctx := t.Context()
	c, _, err := websocket.Dial(ctx, at+"/~terminal/telnet/a.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	host := <-hosts
	go io.WriteString(host, "\x1b[1mlogin:\x1b[0m <script>alert(1)</script>\x1b[6n")
	pictures(t, ctx, c, `["login:","bold"]`)
	buf := make([]byte, 64)
	n, err := host.Read(buf)
	if err != nil || string(buf[:n]) != "\x1b[1;33R" {
		t.Errorf("the host's question is answered with %q, %v", buf[:n], err)
	}
	go c.Write(ctx, websocket.MessageText, []byte("joe\r"))
	if n, err = host.Read(buf); err != nil || string(buf[:n]) != "joe\r" {
		t.Errorf("the host hears %q, %v", buf[:n], err)
	}
	host.Close()
	pictures(t, ctx, c, `"ended":"the host has ended the session"`)
}

func TestTerminalRefusals(t *testing.T) {
	at, hosts := console(t, func(o *Options) { o.Terminals = 1 })
	ctx := t.Context()
	_, resp, err := websocket.Dial(ctx, at+"/~terminal/telnet/a.example/", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://evil.example"}}})
	if err == nil || resp == nil || resp.StatusCode != 403 {
		t.Errorf("a page of another site has a terminal: %v", err)
	}
	c, _, err := websocket.Dial(ctx, at+"/~terminal/telnet/down.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	pictures(t, ctx, c, `"ended":"nobody`)
	c.Close(websocket.StatusNormalClosure, "")
	first, _, err := websocket.Dial(ctx, at+"/~terminal/telnet/a.example/", nil)
	for err != nil { // the one before may still be on its way out
		first, _, err = websocket.Dial(ctx, at+"/~terminal/telnet/a.example/", nil)
	}
	defer first.CloseNow()
	host := <-hosts
	defer host.Close()
	_, resp, err = websocket.Dial(ctx, at+"/~terminal/telnet/a.example/", nil)
	if err == nil || resp == nil || resp.StatusCode != 503 {
		t.Errorf("a second terminal where one is allowed: %v", err)
	}
	// When the page leaves, so does the session.
	first.CloseNow()
	if _, err := host.Read(make([]byte, 1)); err == nil {
		t.Error("the host is still asked")
	}
	if _, resp, err = websocket.Dial(ctx, at+"/~terminal/gopher/a.example/1", nil); err == nil || resp.StatusCode != 501 {
		t.Errorf("a terminal on gopher: %v", err)
	}
}
