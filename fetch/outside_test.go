package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/ipclass"
)

// What was found at a public address leads to public addresses alone; what was
// asked for within the network may lead on within it.
func TestOutside(t *testing.T) {
	for _, tt := range []struct {
		name     string
		url      string
		internal []string // host names, as often as they are internal from then on: "host", or "host after N"
		answers  map[string]answer
		want     string // where it ends; "" for refused
		inside   int    // how many requests the transports for all addresses saw
	}{
		{"public", "http://a.test/", nil, map[string]answer{"http://a.test/": {200, "", ""}}, "http://a.test/", 0},
		{"asked for", "http://in.test/", []string{"in.test"}, map[string]answer{"http://in.test/": {200, "", ""}}, "http://in.test/", 1},
		{"public to internal", "http://a.test/", []string{"in.test"},
			map[string]answer{"http://a.test/": {302, "http://in.test/", ""}, "http://in.test/": {200, "", ""}}, "", 0},
		{"internal to internal", "http://in.test/", []string{"in.test", "in2.test"},
			map[string]answer{"http://in.test/": {302, "http://in2.test/", ""}, "http://in2.test/": {200, "", ""}}, "http://in2.test/", 2},
		{"internal to public", "http://in.test/", []string{"in.test"},
			map[string]answer{"http://in.test/": {302, "http://a.test/", ""}, "http://a.test/": {200, "", ""}}, "http://a.test/", 1},
		{"out and in again", "http://in.test/", []string{"in.test"},
			map[string]answer{"http://in.test/": {302, "http://a.test/", ""}, "http://a.test/": {302, "http://in.test/x", ""}, "http://in.test/x": {200, "", ""}}, "", 1},
		{"a name that changes sides", "http://a.test/", []string{"a.test after 1"},
			map[string]answer{"http://a.test/": {302, "/x", ""}, "http://a.test/x": {200, "", ""}}, "", 0},
	} {
		seen := map[string]int{}
		refuses := func(host string) bool {
			seen[host]++
			return slices.Contains(tt.internal, host) || slices.Contains(tt.internal, host+" after 1") && seen[host] > 1
		}
		inside, outside := &site{answers: tt.answers}, &site{answers: tt.answers}
		c := fetch.Client{Transports: map[string]fetch.Transport{"http": inside}, Outside: map[string]fetch.Transport{
			"http": fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
				req.Trace(fetch.Event{Kind: '>', Text: "GET " + req.URL.String()})
				if host := req.URL.Host().String(); refuses(host) {
					return nil, fetch.Fail(fetch.Connecting, &dial.Error{Step: dial.Connecting, Host: host,
						Err: &dial.Refused{Host: host, Addr: netip.MustParseAddrPort("10.0.0.1:80"), Class: ipclass.Private}})
				}
				resp, err := outside.Fetch(ctx, req)
				req.Trace(fetch.Event{Kind: '<', Text: "200"})
				return resp, err
			})}}
		var said []string
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(tt.url), Trace: func(e fetch.Event) { said = append(said, e.Text) }})
		var e *fetch.Error
		switch {
		case tt.want == "" && (!errors.As(err, &e) || e.Code != "redirect-to-internal" || !errors.Is(err, fetch.ErrRefused)):
			t.Errorf("%s: %v, %v", tt.name, got, err)
		case tt.want != "" && (err != nil || got.URL.String() != tt.want):
			t.Errorf("%s: %v, %v, want %s", tt.name, got, err, tt.want)
		}
		if len(inside.asked) != tt.inside {
			t.Errorf("%s: within the network were asked %q", tt.name, inside.asked)
		}
		// What was refused and then asked within is told once, by whoever asked.
		if n := len(outside.asked); strings.Count(strings.Join(said, "\n"), "200") != n || tt.want != "" && len(said) != 2*n {
			t.Errorf("%s: the conversation was %q", tt.name, said)
		}
		if err == nil {
			io.Copy(io.Discard, got.Body)
			got.Body.Close()
		}
	}
}
