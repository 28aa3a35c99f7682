package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"anyurl/check"
	"anyurl/percent"
)

// sarif writes SARIF 2.1.0, for code scanning: a result for each place.
type sarif struct {
	w      io.Writer
	o      Options
	issues []Issue
}

// An Issue is one thing that is wrong at one place.
type Issue struct {
	Rule  string      // a rule's ID
	Level string      // "error", "warning" or "note"
	Says  string      // what is wrong
	Place check.Place // an empty Source is no place
}

// A Rule is what issues speak of.
type Rule struct {
	ID    string // as an Issue names it
	Says  string // the rule in one sentence
	Help  string // what to do about it, and where it is written
	Level string // "error", "warning" or "note"; "" is "warning"
	// Security is how grave it is as a matter of security, from 0.1 to 10, as
	// code scanning sorts its alerts; 0 where it is none.
	Security float64
}

func (s *sarif) Result(r check.Result) error {
	if r.State == check.Alive || r.State == check.Skipped {
		return nil
	}
	r = s.o.masked(r)
	for _, place := range r.Sources {
		s.issues = append(s.issues, Issue{Rule: "link/" + string(r.State), Level: level(r.State), Says: r.URL + ": " + says(r), Place: place})
	}
	return nil
}

// level is how grave a state is, in SARIF's words.
func level(s check.State) string {
	switch s {
	case check.Broken, check.Blocked:
		return "error"
	case check.Moved:
		return "warning"
	}
	return "note"
}

func (s *sarif) Close(summary check.Summary) error {
	return WriteSARIF(s.w, []Rule{
		{ID: "link/broken", Says: "the link leads nowhere", Help: "mend the link or take it out", Level: "error"},
		{ID: "link/moved", Says: "what the link leads to has moved for good", Help: "link to its new place", Level: "warning"},
		{ID: "link/blocked", Says: "the link leads where the guard lets nobody go", Help: "take the link out, or allow private addresses if it is right", Level: "error"},
		{ID: "link/unsure", Says: "whether the link is alive could not be found out", Help: "look at it by hand, or check again later", Level: "note"},
	}, s.issues, s.faults(summary)...)
}

// faults are what went wrong beside the links.
func (s *sarif) faults(summary check.Summary) (texts []string) {
	for _, fault := range summary.Faults {
		texts = append(texts, s.o.words(fault))
	}
	return texts
}

type (
	object = map[string]any
	array  = []any
)

// WriteSARIF writes issues as a SARIF 2.1.0 log. What went wrong beside them
// becomes the tool's own notifications.
func WriteSARIF(w io.Writer, rules []Rule, issues []Issue, faults ...string) error {
	declared, index := array{}, map[string]int{}
	for n, r := range rules {
		index[r.ID] = n
		rule := object{
			"id":                   r.ID,
			"shortDescription":     object{"text": r.Says},
			"help":                 object{"text": orElse(r.Help, r.Says)},
			"defaultConfiguration": object{"level": orElse(r.Level, "warning")},
		}
		if r.Security > 0 {
			rule["properties"] = object{"tags": array{"security"}, "security-severity": strconv.FormatFloat(r.Security, 'f', 1, 64)}
		}
		declared = append(declared, rule)
	}
	results := array{}
	seen := map[string]int{} // how often the same issue stood in the same source
	at := stretches(issues)
	for n, i := range issues {
		result := object{"ruleId": i.Rule, "level": i.Level, "message": object{"text": i.Says}}
		if n, ok := index[i.Rule]; ok {
			result["ruleIndex"] = n
		}
		if i.Place.Source != "" {
			physical := object{"artifactLocation": object{"uri": artifact(i.Place.Source)}}
			if i.Place.Line > 0 {
				region := object{"startLine": i.Place.Line}
				// A line alone is all of it, which the bytes of a link are not: a
				// region's parts have to say the same (SARIF, section 3.30.4).
				if s, ok := at[n]; ok {
					region = object{"startLine": s.line, "startColumn": s.column, "endLine": s.endLine, "endColumn": s.endColumn,
						"byteOffset": i.Place.Start, "byteLength": i.Place.End - i.Place.Start}
				}
				physical["region"] = region
			}
			result["locations"] = array{object{"physicalLocation": physical}}
		}
		// A fingerprint keeps an alert one and the same when lines are put in
		// above it.
		sum := sha256.Sum256([]byte(i.Rule + "\x00" + i.Place.Source + "\x00" + i.Says))
		print := hex.EncodeToString(sum[:8])
		seen[print]++
		result["partialFingerprints"] = object{"anyurl/v1": print + ":" + strconv.Itoa(seen[print])}
		results = append(results, result)
	}
	run := object{
		"tool":    object{"driver": object{"name": "anyurl", "rules": declared}},
		"results": results,

		"columnKind": "utf16CodeUnits",
	}
	if len(faults) > 0 {
		notes := array{}
		for _, fault := range faults {
			notes = append(notes, object{"level": "error", "message": object{"text": fault}})
		}
		run["invocations"] = array{object{"executionSuccessful": false, "toolExecutionNotifications": notes}}
	}
	return newJSONWriter(" ").write(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    array{run},
	})
}

// artifact is a file name as a relative reference; a URL stays what it is.
func artifact(source string) string {
	if source == "-" {
		return "stdin"
	}
	if strings.Contains(source, "://") {
		return percent.Encode(source, &percent.Path)
	}
	path := percent.Encode(strings.ReplaceAll(filepath.ToSlash(source), "%", "%25"), &percent.Path)
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ":") {
		return "./" + path // it would be a scheme (RFC 3986, section 4.2)
	}
	return path
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
