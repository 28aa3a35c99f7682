package demo

import (
	"context"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"
)

// serveWeb serves root, with two doors that lead elsewhere and one that asks
// who is there.
func serveWeb(ctx context.Context, l net.Listener, root fs.FS) {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(root))
	mux.Handle("GET /old-notes.html", http.RedirectHandler("/notes.html", http.StatusMovedPermanently))
	mux.Handle("GET /today", http.RedirectHandler("/notes.html", http.StatusFound))
	mux.HandleFunc("GET /members", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="members"`)
		http.Error(w, strings.ToLower(http.StatusText(http.StatusUnauthorized)), http.StatusUnauthorized)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	server.Serve(l) // ends with Close, or with the listener
}
