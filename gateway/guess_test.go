package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
)

// TestGuesses is what people paste, and what they will have meant.
func TestGuesses(t *testing.T) {
	g := try(t, answers, nil)
	for _, tt := range []struct{ input, want string }{
		{"<URL:ftp://a.example/pub/>", "ftp://a.example/pub/"},
		{`"gopher://a.example/1"`, "gopher://a.example/1"},
		{"see gopher://a.example/1, and ftp://b.example/", "gopher://a.example/1 ftp://b.example/"},
		{"ftp.example.com", "ftp://ftp.example.com/"},
		{"gopher.example.com/1/docs", "gopher://gopher.example.com/1/docs"},
		{"news.example.com", "nntp://news.example.com news:news.example.com"}, // either
		{"www.example.com", "https://www.example.com/"},
		{"10.1.2.3", "https://10.1.2.3/"},
		{"comp.lang.c", "news:comp.lang.c"},
		{"comp.games", "https://comp.games/ news:comp.games"},
		{"a@b.example", "mailto:a@b.example news:a@b.example"},
		{"//a.example/x", "https://a.example/x"},
		{"gopher//a.example/1", "gopher://a.example/1"},
		{"gopher:/a.example/1", "gopher://a.example/1"},
		{"ftp:a.example", "ftp://a.example"},
		{"FTP:/a.example", "ftp://a.example/"},
		{"localhost:70", "gopher://localhost:70"},
		{"a.example:21/pub", "ftp://a.example/pub"},
		{"a.example:8080", "http://a.example:8080/"},
		{"a.example:99999", ""},
		{"news:", "news:*"},
		{"news://a.example", "news://a.example/*"},
		{"news:/a.example/g.h", "news://a.example/g.h"},
		{"nntp://a.example/", "nntp://a.example/*"},
		{"gopher://a.example/1", ""},
		{"ftp:joe:secret@a.example", ""}, // never with a password
		{"two words", ""},
		{"word", ""},
		{"", ""},
	} {
		got := strings.Join(g.guesses(tt.input), " ")
		if strings.TrimSuffix(got, "/") != strings.TrimSuffix(tt.want, "/") {
			t.Errorf("%q: %s, want %s", tt.input, got, tt.want)
		}
		for _, guess := range g.guesses(tt.input) {
			if _, err := anyurl.Parse(guess); err != nil {
				t.Errorf("%q: %v", tt.input, err)
			}
		}
	}
}

// TestGuessesShown has them on the pages that fail, and while one types.
func TestGuessesShown(t *testing.T) {
	g := try(t, func(context.Context, *fetch.Request) (*fetch.Response, error) {
		return nil, &fetch.Error{Step: fetch.Reading, Err: errors.New("it names nothing")}
	}, nil)
	way := `href="/open?url=ftp%3A%2F%2Fa.example%2F"`
	holds(t, ask(g, "/open?url=%3CURL:ftp://a.example/%3E"), 400, way)
	holds(t, ask(g, "/open?url=gopher:/a.example/1"), 403, `href="/open?url=gopher%3A%2F%2Fa.example%2F1"`)
	holds(t, ask(g, "/a.example/70"), 501, `href="/open?url=gopher%3A%2F%2Fa.example%3A70"`)
	holds(t, ask(g, "/nntp/a.example/"), 502, `href="/open?url=nntp%3A%2F%2Fa.example%2F*"`)
	var x struct {
		Guesses []guessJSON
		Error   explainedJSON
	}
	w := ask(g, "/explain?url=%3CURL:ftp://a.example/%3E")
	if err := json.Unmarshal(w.Body.Bytes(), &x); err != nil {
		t.Fatal(err)
	}
	if len(x.Guesses) != 1 || x.Guesses[0] != (guessJSON{"ftp://a.example/", "/open?url=ftp%3A%2F%2Fa.example%2F"}) || x.Error.Fix == "" {
		t.Errorf("%s", w.Body)
	}
}

func FuzzGuesses(f *testing.F) {
	for _, s := range []string{"<URL:ftp://a.example/>", "comp.lang.c", "a.example:70/x", "gopher:/a", "news://a/", "//", "a@b", "x//y"} {
		f.Add(s)
	}
	g := try(f, answers, nil)
	f.Fuzz(func(t *testing.T, input string) {
		list := g.guesses(input)
		if len(list) > mostGuesses {
			t.Errorf("%d guesses", len(list))
		}
		for _, guess := range list {
			u, err := anyurl.Parse(guess)
			if err != nil || u.Password() != "" || guess == input {
				t.Errorf("%q: %q, %v", input, guess, err)
			}
		}
	})
}
