package find

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

type labelled struct {
	ID       string            `json:"id"`
	Text     string            `json:"text"`
	Expected []json.RawMessage `json:"expected"`
	Kinds    []string          `json:"kinds"`
	Mode     string            `json:"mode"`
	Grade    string            `json:"grade"`
	Flags    []string          `json:"flags"`
}

// cases reads the labelled texts, where they are present.
func cases(t testing.TB) (all []labelled) {
	f, err := os.Open("../../shared/data/find-cases.jsonl")
	if err != nil {
		t.Skip("the labelled texts are not there: ", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c labelled
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

type want struct {
	start, end int
	url, kind  string
}

func (c labelled) want(t testing.TB) (all []want) {
	for i, raw := range c.Expected {
		var w want
		if err := json.Unmarshal(raw, &[]any{&w.start, &w.end, &w.url}); err != nil {
			t.Fatal(err)
		}
		w.kind = c.Kinds[i]
		all = append(all, w)
	}
	return all
}

// TestLabelled holds the labelled texts of plain text, in every kind and,
// for strict, in kind url alone.
func TestLabelled(t *testing.T) {
	for _, c := range cases(t) {
		if c.Mode != "text" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			wanted := c.want(t)
			var got []want
			hyphen := false
			for m := range Text(c.Text, Options{Relaxed: true}) {
				got = append(got, want{m.Start, m.End, m.URL, m.Kind.String()})
				hyphen = hyphen || m.Hyphen
			}
			same := len(got) == len(wanted)
			for i := 0; same && i < len(wanted); i++ {
				same = got[i] == wanted[i]
			}
			if !same {
				t.Errorf("%s %q\n got %v\nwant %v", c.Grade, c.Text, got, wanted)
			}
			if hyphen != (len(c.Flags) > 0) {
				t.Errorf("hyphen is %v", hyphen)
			}
			var strict []want
			for m := range Text(c.Text, Options{}) {
				strict = append(strict, want{m.Start, m.End, m.URL, m.Kind.String()})
			}
			var urls []want
			for _, w := range wanted {
				if w.kind == "url" {
					urls = append(urls, w)
				}
			}
			same = len(strict) == len(urls)
			for i := 0; same && i < len(urls); i++ {
				same = strict[i] == urls[i]
			}
			if !same {
				t.Errorf("strict %q\n got %v\nwant %v", c.Text, strict, urls)
			}
		})
	}
}
