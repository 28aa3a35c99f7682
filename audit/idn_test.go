package audit_test

import (
	"slices"
	"strings"
	"testing"

	"anyurl/audit"
)

// TestDisplay holds that what the display rules find is reported, once, at its
// place in the input.
func TestDisplay(t *testing.T) {
	for _, tt := range []struct{ input, code, at string }{
		{"https://www.ex\u0430mple.example/", "idn-mixed-script", "\u0430"},
		{"https://\u0430\u0440\u0440\u04cf\u0435.com/", "idn-whole-script-confusable", "\u0430\u0440\u0440\u04cf\u0435"},
		{"https://user@googl\u00e9.com:8080/", "idn-confusable", "googl\u00e9"},
		{"https://trusted.example\u30ceevil.example/", "idn-slash-lookalike", "\u30ce"},
		{"https://xn--0.example/", "idn-invalid-punycode", "xn--0"},
		{"https://xn--fa-hia.example/", "idn-deviation", "xn--fa-hia"},
		{"https://ex\u00b7ample.example/", "idn-dot-lookalike", "\u00b7"},
		{"https://www.paypa1.com/", "ascii-confusable", "paypa1"},
		{"https://www.g%C3%B6%C3%B6gle.com/", "idn-confusable", "www.g%C3%B6%C3%B6gle.com"}, // escapes: all of the host
		{"https://b\u00fccher.example/", "", ""},
		{"https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/", "", ""},
	} {
		report := audit.Inspect(tt.input)
		var codes []string
		for _, f := range report.Findings {
			codes = append(codes, f.Code)
			if f.Code == tt.code && tt.input[f.Start:f.End] != tt.at {
				t.Errorf("%+q: %s at %+q, want %+q", tt.input, f.Code, tt.input[f.Start:f.End], tt.at)
			}
		}
		if tt.code != "" && !slices.Contains(codes, tt.code) {
			t.Errorf("%+q: %v, want %s", tt.input, codes, tt.code)
		}
		for _, code := range codes {
			if tt.code == "" && (strings.HasPrefix(code, "idn-") || code == "ascii-confusable" || code == "host-normalizes") {
				t.Errorf("%+q raises %s", tt.input, code)
			}
		}
	}
}

func TestShownHost(t *testing.T) {
	for host, want := range map[string]string{
		"xn--bcher-kva.example": "b\u00fccher.example",
		"xn--80ak6aa92e.com":    "xn--80ak6aa92e.com",
		"xn--0.example":         "xn--0.example",
		"www.example.com":       "www.example.com",
		"":                      "",
	} {
		if got := audit.ShownHost(host); got != want {
			t.Errorf("%q is shown as %q, want %q", host, got, want)
		}
	}
}
