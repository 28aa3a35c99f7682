package check

import (
	"bytes"
	"context"
	"io"

	"anyurl"
	"anyurl/fetch"
)

// Secure gives the https URL for an http one, where that answers the same: with
// the same status, type and content, and without leading elsewhere.
func Secure(ctx context.Context, client Fetcher, u anyurl.URL) (anyurl.URL, bool) {
	if u.Scheme() != "http" || u.HasPort() {
		return anyurl.URL{}, false
	}
	secure, err := u.WithScheme("https")
	if err != nil {
		return anyurl.URL{}, false
	}
	plain, ok := sample(ctx, client, u)
	if !ok {
		return anyurl.URL{}, false
	}
	tls, ok := sample(ctx, client, secure)
	if !ok || plain.kind != tls.kind {
		return anyurl.URL{}, false
	}
	if bytes.Equal(plain.body, tls.body) {
		return secure, true
	}
	// A page may hold the time of day, or its own address.
	return secure, isPage(plain.kind) && newLikeness(u, u, plain.body).like(newLikeness(secure, secure, tls.body))
}

// A sampled is the beginning of an object.
type sampled struct {
	kind string
	body []byte
}

// sample gets the beginning of what u answers with, where it leads nowhere else.
func sample(ctx context.Context, client Fetcher, u anyurl.URL) (s sampled, ok bool) {
	result, err := client.Do(ctx, &fetch.Request{URL: u, Method: "GET"})
	if err != nil {
		return s, false
	}
	defer result.Body.Close()
	if result.Status != 200 || result.URL.WithoutFragment() != u.WithoutFragment() {
		return s, false
	}
	body, err := io.ReadAll(io.LimitReader(result.Body, maxLook))
	return sampled{result.Type, body}, err == nil
}
