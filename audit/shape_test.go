package audit_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"anyurl/audit"
)

// TestDNSLengths holds the findings on the shape of a host to the vectors for
// lengths in the DNS (RFC 1035, section 2.3.4), where they are at hand.
func TestDNSLengths(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/wpt/verifydnslength_tests.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the vectors are not at hand")
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, raw := range list {
		var v struct {
			Message, Input string
			Failure        bool
		}
		if raw[0] == '"' { // a comment
			continue
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		bad := slices.ContainsFunc(audit.Inspect(v.Input).Findings, func(f audit.Finding) bool {
			return f.Code == "label-too-long" || f.Code == "empty-label"
		})
		if bad != v.Failure {
			t.Errorf("%s: found %v, want %v (%s)", v.Input, bad, v.Failure, v.Message)
		}
	}
}
