package check

import (
	"context"
	"maps"
	"strings"

	"anyurl"
	"anyurl/fetch"
)

// An identified fetcher tells servers what only they are to be told. Where a
// redirect leads to another origin, the client that asks leaves it out.
type identified struct {
	Fetcher
	of func(anyurl.URL) (map[string][]string, *fetch.Auth)
}

// Do asks as req says, and says who asks.
func (i identified) Do(ctx context.Context, req *fetch.Request) (*fetch.Result, error) {
	fields, auth := i.of(req.URL)
	own := *req
	if len(fields) > 0 {
		own.Header = maps.Clone(req.Header)
		if own.Header == nil {
			own.Header = map[string][]string{}
		}
		for name, values := range fields {
			maps.DeleteFunc(own.Header, func(n string, _ []string) bool { return strings.EqualFold(n, name) })
			own.Header[name] = values
		}
	}
	if own.Auth == nil && auth != nil && req.URL.Password() == "" {
		own.Auth = auth
	}
	return i.Fetcher.Do(ctx, &own)
}
