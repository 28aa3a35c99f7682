package fetch_test

import (
	"context"
	"errors"
	"io"
	"strings"
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

// echoing is a session that notes what it gets.
type echoing struct {
	silence
	on  bool
	got []string
}

func (e *echoing) Echoes() bool { return e.on }
func (e *echoing) Write(p []byte) (int, error) {
	e.got = append(e.got, string(p))
	return len(p), nil
}

func TestKeyboard(t *testing.T) {
	for _, tt := range []struct {
		name, typed string
		echoes      bool
		got, shown  string
	}{
		{"a line", "ab\r", false, "ab\r\n", "ab\r\n"},
		{"several", "a\rb\nc", false, "a\r\n|b\r\n", "a\r\nb\r\nc"},
		{"corrected", "ab\x7fc\x08\x08\x08d\r", false, "d\r\n", "ab\b \bc\b \b\b \bd\r\n"},
		{"a letter of two octets is one", "aé\x7f\r", false, "a\r\n", "aé\b \b\r\n"},
		{"erased", "aé\x15b\r", false, "b\r\n", "aé\b \b\b \bb\r\n"},
		{"the service's own", "ab\x03", false, "ab\x03", "ab"},
		{"the service shows it", "ab\r\x7f", true, "ab\r\x7f", ""},
	} {
		s, shown := &echoing{on: tt.echoes}, ""
		k := fetch.Keyboard{Session: s, Show: func(text []byte) { shown += string(text) }}
		if err := k.Type([]byte(tt.typed)); err != nil {
			t.Error(err)
		}
		if got := strings.Join(s.got, "|"); got != tt.got || shown != tt.shown {
			t.Errorf("%s: the service gets %q, the terminal shows %q; want %q, %q", tt.name, got, shown, tt.got, tt.shown)
		}
	}
	s := &echoing{} // a line without an end is bounded
	k := fetch.Keyboard{Session: s, Show: func([]byte) {}}
	k.Type([]byte(strings.Repeat("x", 5000) + "\r"))
	if len(s.got) != 1 || len(s.got[0]) != 4096+2 {
		t.Errorf("%d octets", len(s.got[0]))
	}
}
