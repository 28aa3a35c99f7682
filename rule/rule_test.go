package rule_test

import (
	"errors"
	"fmt"
	"strings"
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

// TestFormat holds that no verb shows a password.
func TestFormat(t *testing.T) {
	err := &rule.Error{Input: "http://joe:secret@[::1/x", Offset: 18, Rule: unclosed}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%60s"} {
		for _, v := range []any{err, *err, []error{err}, struct{ E rule.Error }{*err}} {
			got := fmt.Sprintf(verb, v)
			if strings.Contains(got, "secret") || strings.Contains(got, "736563726574") {
				t.Errorf("%s of %T shows the password: %s", verb, v, got)
			}
		}
	}
	const want = `rule.Error{Input:"http://joe:***@[::1/x", Offset:18, Rule:rule.Rule{ID:"url/ipv6-unclosed", `
	if got := fmt.Sprintf("%#v", err); !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want it to begin %s", got, want)
	}
	if got, want := fmt.Sprintf("%v", *err), err.Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprint((*rule.Error)(nil)); got != "<nil>" {
		t.Errorf("nil prints %s", got)
	}
}

func TestRuleIsZero(t *testing.T) {
	if !(rule.Rule{}).IsZero() || unclosed.IsZero() {
		t.Error("IsZero must hold for the zero rule alone")
	}
}
