package known_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme/known"
)

// TestCorpus reads the corpus of attacks, where it is present: what would reach
// a protocol's line is refused by the room, and what is harmless is read.
func TestCorpus(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "attack-urls.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the corpus of attacks is not beside the project")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var read, refused int
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			ID, Kind, Verdict string
			Input             json.RawMessage
			Findings          []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		var input string
		if row.Kind != "url" || json.Unmarshal(row.Input, &input) != nil {
			continue
		}
		u, err := anyurl.Parse(input)
		if err != nil {
			continue
		}
		s, ok := known.Lookup(u.Scheme())
		if !ok || s.Read == nil {
			continue
		}
		_, err = s.Read(u)
		if e, ok := err.(*rule.Error); err != nil && (!ok || e.Offset < 0 || e.Offset > len(u.String())) {
			t.Errorf("%s: %#v", row.ID, err)
		}
		smuggles := slices.Contains(row.Findings, "protocol-smuggling") || slices.Contains(row.Findings, "gopher-payload")
		switch {
		case smuggles && err == nil:
			t.Errorf("%s: %s is read, and would reach the wire", row.ID, u)
		case row.Verdict == "allow" && err != nil:
			t.Errorf("%s: %s is harmless, but %v", row.ID, u, err)
		case err == nil:
			read++
		default:
			refused++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d read, %d refused", read, refused)
}
