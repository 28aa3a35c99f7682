package rule_test

import (
	"errors"
	"fmt"
	"testing"

	"anyurl/rule"
)

var unclosed = rule.Rule{
	ID:   "url/ipv6-unclosed",
	Cite: "URL Standard, host parsing",
	Says: `IPv6 address is never closed by "]"`,
}

func ExampleError() {
	err := &rule.Error{Input: "http://[::1/x", Offset: 7, Rule: unclosed}
	fmt.Println(err)
	// Output:
	// offset 7: IPv6 address is never closed by "]" (URL Standard, host parsing)
}

func ExampleError_Caret() {
	err := &rule.Error{Input: "http://joe:secret@[::1/x", Offset: 18, Rule: unclosed}
	fmt.Println(err.Caret())
	// Output:
	// http://joe:***@[::1/x
	//                ^ IPv6 address is never closed by "]"
	//   URL Standard, host parsing [url/ipv6-unclosed]
}

func TestErrorIs(t *testing.T) {
	err := fmt.Errorf("reading the base: %w", &rule.Error{Input: "http://[", Offset: 7, Rule: unclosed})
	if !errors.Is(err, &rule.Error{Rule: unclosed}) {
		t.Error("an error for the rule is not the rule's error")
	}
	other := unclosed
	other.ID = "url/ipv4-too-many-parts"
	if errors.Is(err, &rule.Error{Rule: other}) {
		t.Error("an error for one rule is taken for another's")
	}
}

func TestRuleIsZero(t *testing.T) {
	if !(rule.Rule{}).IsZero() || unclosed.IsZero() {
		t.Error("IsZero must hold for the zero rule alone")
	}
}
