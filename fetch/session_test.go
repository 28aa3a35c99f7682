package fetch_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"anyurl"
	"anyurl/fetch"
)

// A talker is a transport that can be talked to, and says what it was asked.
type talker struct{ asked *fetch.Request }

func (*talker) Fetch(context.Context, *fetch.Request) (*fetch.Response, error) {
	return nil, errors.New("not asked for")
}

func (t *talker) Talk(_ context.Context, req *fetch.Request, _ fetch.Terminal) (fetch.Session, error) {
	t.asked = req
	if req.URL.Host().String() == "down.example" {
		return nil, io.ErrUnexpectedEOF
	}
	return silence{}, nil
}

type silence struct{}

func (silence) Read([]byte) (int, error)    { return 0, io.EOF }
func (silence) Write(p []byte) (int, error) { return len(p), nil }
func (silence) Close() error                { return nil }
func (silence) Echoes() bool                { return false }
func (silence) Resize() error               { return nil }

func TestTalk(t *testing.T) {
	var asked talker
	c := fetch.Client{
		Transports: map[string]fetch.Transport{"telnet": &fetch.Retry{Transport: &asked, Attempts: 2}, "data": &fetch.Retry{}},
		Gate: func(u anyurl.URL) error {
			if u.Host().String() == "internal.example" {
				return errors.New("no")
			}
			return nil
		},
	}
	for _, tt := range []struct {
		url, step string
		kind      error
	}{
		{"telnet://a.example/", "", nil},
		{"telnet://internal.example/", fetch.Gate, fetch.ErrRefused},
		{"telnet://a.example:25/", fetch.Gate, fetch.ErrRefused}, // another protocol's port
		{"telnet://down.example/", fetch.Asking, nil},
		{"data:,x", fetch.Asking, fetch.ErrUnsupported},
		{"gopher://a.example/", fetch.Asking, fetch.ErrUnsupported},
	} {
		asked.asked = nil
		s, err := c.Talk(t.Context(), &fetch.Request{URL: anyurl.MustParse(tt.url)}, fetch.Terminal{})
		if tt.step == "" {
			if err != nil || s == nil || asked.asked == nil || asked.asked.Limits.Connect != fetch.DefaultLimits().Connect {
				t.Errorf("%s: %v", tt.url, err)
			}
			continue
		}
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || e.URL.IsZero() || tt.kind != nil && !errors.Is(err, tt.kind) || s != nil {
			t.Errorf("%s: %v", tt.url, err)
		}
		if tt.step == fetch.Gate && asked.asked != nil {
			t.Errorf("%s: the transport was asked", tt.url)
		}
	}
	if _, err := c.Talk(t.Context(), nil, fetch.Terminal{}); err == nil {
		t.Error("no request, and no error")
	}
}
