package report

import (
	"bytes"
	"testing"
	"time"

	"anyurl/check"
	"anyurl/fetch"
)

// TestPlain holds that verdicts that are written by hand are written as
// encoding/json writes them, and that all others are left to it.
func TestPlain(t *testing.T) {
	here := []check.Place{{Source: "a.md", Line: 3, Col: 7}}
	for _, tt := range []struct {
		result check.Result
		plain  bool
	}{
		{check.Result{URL: "http://h/", State: check.Alive, Status: 200, Sources: here, MS: 12, From: "network"}, true},
		{check.Result{URL: "http://h/?a=<b>&c='", State: check.Broken, Status: 404, Reason: "404 not found", Sources: here, MS: 1 << 40}, true},
		{check.Result{URL: "#x", State: check.Skipped, Reason: "left out by --exclude", Sources: []check.Place{}, From: "rule"}, true},
		{check.Result{URL: "http://h/", State: check.Alive, Sources: []check.Place{{Source: "-", Line: 1}, {Col: 2}, {Source: "b c/%20.md", Line: 1, Col: 1, Start: 4, End: 9}}}, true},
		{check.Result{URL: "http://h/", Sources: here, RetryAfter: time.Second, At: time.Unix(1, 0)}, true}, // these are never written
		{check.Result{URL: "http://h/"}, false},                        // null
		{check.Result{URL: "http://ü.example/", Sources: here}, false}, // beyond ASCII
		{check.Result{URL: "http://h/", Reason: `the title is "404"`, Sources: here}, false},
		{check.Result{URL: "http://h/", Sources: []check.Place{{Source: `C:\a.md`}}}, false},
		{check.Result{URL: "http://h/", From: "a\x7f", Sources: here}, false},
		{check.Result{URL: "http://h/", State: "a\nb", Sources: here}, false},
		{check.Result{URL: "http://h/", Final: "http://i/", Sources: here}, false},
		{check.Result{URL: "http://h/", To: "http://i/", Sources: here}, false},
		{check.Result{URL: "http://h/", Hops: []fetch.Hop{{URL: "http://h/"}}, Sources: here}, false},
		{check.Result{URL: "http://h/", Evidence: []string{"HEAD: 404"}, Sources: here}, false},
		{check.Result{URL: "http://h/", Past: &check.Past{Seen: 1}, Sources: here}, false},
		{check.Result{URL: "http://h/", Suggestions: []check.Suggestion{{URL: "http://i/"}}, Sources: here}, false},
		{check.Result{URL: "http://h/", Written: []string{"http://i/"}, Sources: here}, false},
	} {
		line := appendPlain(nil, &tt.result)
		if (line != nil) != tt.plain {
			t.Errorf("%+v: written by hand: %t", tt.result, line != nil)
		}
		var want bytes.Buffer
		if err := WriteJSON(&want, tt.result); err != nil {
			t.Fatal(err)
		}
		if line != nil && string(line) != want.String() {
			t.Errorf("got  %swant %s", line, want.String())
		}
	}
}
