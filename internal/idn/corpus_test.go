package idn_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"anyurl/internal/idn"
	"anyurl/percent"
)

// codes are those that this package tells; the corpus has others, which are
// not its business.
var codes = []string{
	idn.MixedScript, idn.WholeScriptConfusable, idn.Confusable, idn.SlashLookalike, idn.DotLookalike, idn.MixedNumbers,
	idn.RepeatedMark, idn.DisallowedForDisplay, idn.InvalidPunycode, idn.Deviation, idn.ASCIIConfusable, idn.HostNormalizes,
}

// TestCorpus holds Display to the corpus of dangerous URLs: what it must find
// is found, what it must not find is not, and a control raises no alarm.
func TestCorpus(t *testing.T) {
	f, err := os.Open("../../../shared/data/attack-urls.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the corpus is not at hand")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	rows, with := 0, 0
	for lines.Scan() {
		var row struct {
			ID, Kind, Input, Verdict string
			Findings                 []string
			Optional                 []string `json:"findings_optional"`
			Absent                   []string `json:"findings_absent"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		host, ok := hostOf(row.Input)
		if row.Kind != "url" || !ok {
			continue
		}
		rows++
		_, findings := idn.Display(host)
		var got []string
		for _, f := range findings {
			got = append(got, f.Code)
			if f.Start < 0 || f.Start > f.End || f.End > len(host) {
				t.Errorf("%s: %+v lies outside %+q", row.ID, f, host)
			}
		}
		for _, code := range row.Findings {
			if !slices.Contains(codes, code) {
				continue
			}
			with++
			if !slices.Contains(got, code) {
				t.Errorf("%s: %+q gives %v, want %s", row.ID, host, got, code)
			}
		}
		for _, code := range got {
			if slices.Contains(row.Absent, code) {
				t.Errorf("%s: %+q gives %s, which is not there", row.ID, host, code)
			}
			if row.Verdict == "allow" && code != idn.ASCIIConfusable && !slices.Contains(row.Findings, code) && !slices.Contains(row.Optional, code) {
				t.Errorf("%s: %+q raises %s for a control", row.ID, host, code)
			}
		}
	}
	t.Logf("%d hosts, %d findings asked for", rows, with)
}

// hostOf takes the host out of a URL that is in no way unusual but for it.
func hostOf(s string) (string, bool) {
	_, rest, ok := strings.Cut(s, "://")
	if !ok || strings.HasPrefix(rest, "/") {
		return "", false
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if strings.HasPrefix(rest, "[") {
		return "", false
	}
	host, _, _ := strings.Cut(rest, ":")
	return percent.Decode(host), true
}
