package gateway

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
)

// logged writes the request's line in the log.
func (g *Gateway) logged(r *http.Request, rec *recorder, kind string, took time.Duration) {
	level := slog.LevelInfo
	if kind == "healthz" || kind == "metrics" || kind == "static" {
		level = slog.LevelDebug
	}
	if !g.o.Log.Enabled(r.Context(), level) {
		return
	}
	if rec.target == "" {
		rec.target = logTarget(r.RequestURI)
	}
	g.o.Log.LogAttrs(r.Context(), level, "request",
		slog.String("client", g.clientOf(r).String()),
		slog.String("method", masked(r.Method)),
		slog.String("target", rec.target),
		slog.String("kind", kind),
		slog.Int("status", rec.status),
		slog.Int64("octets", rec.octets),
		slog.Duration("took", took))
}

// logTarget is a request's target as the log may have it. A password stands there
// in a URL without its slashes, where nothing would know it for one; so the URL is
// logged that is meant. What somebody types is nobody's business: not a letter, not
// the words of a search, and not a URL before it is one.
func logTarget(target string) string {
	path, _, asked := strings.Cut(target, "?")
	switch path {
	case "/search", "/message", "/explain":
		if asked {
			path += "?…"
		}
		return path
	}
	t := Route(target)
	view := ""
	if t.View != "" {
		view, _, _ = strings.Cut(t.View, "-") // a confirmation is a key
		view = masked("~"+view) + " "
	}
	switch {
	case t.Input != "":
		return view + logInput(t.Input)
	case !strings.HasPrefix(target, "/"):
		return logInput(target)
	case path == "/open":
		return "/open?…"
	case asked:
		path += "?…"
	}
	return masked(path)
}

// logInput is what is meant for a URL. What is none may be the beginning of one,
// cut off in its password.
func logInput(input string) string {
	u, err := anyurl.Parse(input)
	if err != nil {
		scheme, _, found := strings.Cut(input, ":")
		if !found || !isScheme(scheme) {
			return "…"
		}
		return scheme + ":…"
	}
	return logURL(u)
}

// logURL is a URL without its password, its query and the words that are searched
// for.
func logURL(u anyurl.URL) string {
	if u.Scheme() == "data" {
		return "data:…" // the object itself
	}
	end := ""
	if u.HasQuery() {
		end = "?…"
	}
	if f, ok := searchable(u); ok && f.Words != "" {
		if empty, err := filled(u, ""); err == nil && !empty.HasQuery() {
			u, end = empty, "…"
		}
	}
	return masked(u.WithoutFragment().WithoutQuery().Redacted()) + end
}

// logError is a failure without the URL, which stands beside it.
func logError(err error) string {
	var e *fetch.Error
	if errors.As(err, &e) {
		own := *e
		own.URL = anyurl.URL{}
		return masked(own.Error())
	}
	return masked(err.Error())
}
