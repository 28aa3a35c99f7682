package report

import (
	"io"
	"path/filepath"

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
	Rule  string // a rule's ID
	Level string // "error", "warning" or "note"
	Says  string
	Place check.Place // an empty Source is no place
}

// A Rule is what issues speak of.
type Rule struct {
	ID   string
	Says string
	Help string // what to do about it, and where it is written
}

func (s *sarif) Result(r check.Result) error {
	if r.State == check.Alive || r.State == check.Skipped {
		return nil
	}
	r = s.o.masked(r)
	for _, place := range r.Sources {
		s.issues = append(s.issues, Issue{Rule: "link/" + string(r.State), Level: level(r.State), Says: r.URL + ": " + r.Reason, Place: place})
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

func (s *sarif) Close(check.Summary) error {
	return WriteSARIF(s.w, []Rule{
		{"link/broken", "the link leads nowhere", "mend the link or take it out"},
		{"link/moved", "what the link leads to has moved for good", "link to its new place"},
		{"link/blocked", "the link leads where the guard lets nobody go", "take the link out, or allow private addresses if it is right"},
		{"link/unsure", "whether the link is alive could not be found out", "look at it by hand, or check again later"},
	}, s.issues)
}

type (
	object = map[string]any
	array  = []any
)

// WriteSARIF writes issues as a SARIF 2.1.0 log.
func WriteSARIF(w io.Writer, rules []Rule, issues []Issue) error {
	declared := array{}
	for _, r := range rules {
		declared = append(declared, object{"id": r.ID, "shortDescription": object{"text": r.Says}, "help": object{"text": orElse(r.Help, r.Says)}})
	}
	results := array{}
	for _, i := range issues {
		result := object{"ruleId": i.Rule, "level": i.Level, "message": object{"text": i.Says}}
		if i.Place.Source != "" {
			physical := object{"artifactLocation": object{"uri": artifact(i.Place.Source)}}
			if i.Place.Line > 0 {
				// Columns of SARIF are characters, ours are bytes; the byte
				// offsets say exactly where.
				physical["region"] = object{"startLine": i.Place.Line, "byteOffset": i.Place.Start, "byteLength": i.Place.End - i.Place.Start}
			}
			result["locations"] = array{object{"physicalLocation": physical}}
		}
		results = append(results, result)
	}
	return writeJSON(w, " ", object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": array{object{
			"tool":    object{"driver": object{"name": "anyurl", "rules": declared}},
			"results": results,
		}},
	})
}

// artifact is a file name as a relative reference; a URL stays what it is.
func artifact(source string) string {
	if source == "-" {
		return "stdin"
	}
	return percent.Encode(filepath.ToSlash(source), &percent.Path)
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
