package demo

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// greeting is what the WebSocket server says first.
const greeting = "You are connected. Whatever you say, I say it again."

// serveWS speaks first, and then repeats what it hears (RFC 6455).
func serveWS(ctx context.Context, l net.Listener) {
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // which it has said
		}
		defer conn.CloseNow()
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		kind, text := websocket.MessageText, []byte(greeting)
		for err == nil {
			if err = conn.Write(ctx, kind, text); err == nil {
				kind, text, err = conn.Read(ctx)
			}
		}
	})}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	server.Serve(l)
}
