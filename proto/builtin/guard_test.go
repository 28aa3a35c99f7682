package builtin_test

import (
	"slices"
	"testing"

	"anyurl"
	"anyurl/audit"
	"anyurl/dial"
	"anyurl/proto/builtin"
	"anyurl/scheme/known"
)

// TestGuardedSchemes holds audit's list of schemes that a guarded fetch opens
// to the transports: what it lets through can be opened.
func TestGuardedSchemes(t *testing.T) {
	transports := builtin.Transports(&dial.Dialer{}, builtin.Options{})
	open := 0
	for _, s := range known.Schemes() {
		if s.Example == "" {
			continue
		}
		u, err := anyurl.Parse(s.Example)
		if err != nil {
			continue // the registry's examples are its own
		}
		refused := slices.ContainsFunc(audit.InspectURL(u), func(f audit.Finding) bool {
			return f.Code == "scheme-unexpected" || f.Code == "scheme-dangerous" || f.Code == "scheme-wrapper"
		})
		if refused {
			continue
		}
		open++
		if transports[s.Name] == nil {
			t.Errorf("a guard lets %s pass, and nothing opens it", s.Name)
		}
	}
	if open < 15 { // those of the founding documents, and the web's
		t.Errorf("only %d schemes pass the guard", open)
	}
}
