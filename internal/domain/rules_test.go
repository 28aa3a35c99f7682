package domain_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"anyurl/internal/domain"
	"anyurl/percent"
	"anyurl/rule"
)

// TestRules holds that each rule is told apart, says where it is written, and
// is broken by its own example.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range domain.Rules() {
		if seen[r.ID] || r.Cite == "" || r.Says == "" {
			t.Errorf("%+v is not whole, or is twice there", r)
		}
		seen[r.ID] = true
		if r.Example == "" || !strings.HasPrefix(r.ID, "idna/") {
			continue
		}
		_, host, _ := strings.Cut(r.Example, "://")
		host, _, _ = strings.Cut(host, "/")
		host = percent.Decode(host)
		if _, err := netip.ParseAddr(host); err == nil {
			t.Errorf("%s: the example's host is an address", r.ID)
		}
		if !errors.Is(domain.Why(host, false), &rule.Error{Rule: r}) && !errors.Is(domain.Why(host, true), &rule.Error{Rule: r}) {
			t.Errorf("%s is not what %+q breaks, but %v", r.ID, host, domain.Why(host, true))
		}
	}
}
