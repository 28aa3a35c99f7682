package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"anyurl/cmd/anyurl/internal/config"
)

// What lychee's and markdown-link-check's keys mean, in our words.
func TestTheirKeys(t *testing.T) {
	about := &cobra.Command{Use: "check"}
	for _, tt := range []struct {
		key    string
		value  any
		want   string // the settings that it makes
		refuse string // the beginning of what to write instead
	}{
		{"max_retries", int64(3), "retries=3", ""},
		{"no_progress", true, "no-progress=true", ""},
		{"verbose", "info", "", ""},
		{"cache", false, "", ""},
		{"cache", true, "", "what was asked is remembered"},
		{"max_cache_age", "1d", "cache-age=24h0m0s", ""},
		{"retry_wait_time", int64(2), "retry-wait=2", ""},
		{"host_request_interval", "100ms", "interval=100ms", ""},
		{"host_request_interval", "soon", "", "a length of time"},
		{"include_fragments", true, "fragments=true", ""},
		{"include_fragments", "none", "fragments=false", ""},
		{"include_fragments", "full", "fragments=true", ""},
		{"exclude_path", []any{"docs/old"}, "exclude-path=[docs/old]", ""},
		{"exclude_path", []any{`\.md$`}, "", "exclude-path holds paths"},
		{"exclude_all_private", true, "exclude-private=true", ""},
		{"exclude_loopback", true, "", "exclude-private = true"},
		{"exclude_loopback", false, "", ""},
		{"insecure", true, "", "what is wrong with a certificate"},
		{"require_https", true, "", `fix = "diff"`},
		{"header.Accept", "text/html", "header=[Accept: text/html]", ""},
		{"user_agent", "x/1", "header=[User-Agent: x/1]", ""},
		{"hosts.a.example.headers.X-Key", "k", "host-header=[a.example X-Key: k]", ""},
		{"hosts.a.example.concurrency", int64(2), "", "per-host and interval"},
		{"format", "json", "", "the form of the report"},
		{"base_url", "https://a.example/", "base=https://a.example/", ""},
		{"basic_auth", []any{"a.example u:p"}, "", "logins stand in"},

		{"ignorePatterns", []any{map[string]any{"pattern": "^http://a"}, "b"}, "exclude=[^http://a b]", ""},
		{"ignorePatterns", []any{map[string]any{"patern": "^http://a"}}, "", `exclude = `},
		{"httpHeaders", []any{map[string]any{"urls": []any{"https://a.example/", "http://b.example"}, "headers": map[string]any{"B": "2", "A": "1"}}},
			"host-header=[a.example A: 1 a.example B: 2 http://b.example A: 1 http://b.example B: 2]", ""},
		{"httpHeaders", []any{map[string]any{"urls": []any{"https://a.example/x"}, "headers": map[string]any{"A": "1"}}}, "", "fields go to a whole host"},
		{"replacementPatterns", []any{map[string]any{"pattern": "^/", "replacement": "{{BASEURL}}/"}}, "root=.", ""},
		{"replacementPatterns", []any{map[string]any{"pattern": "^https://a", "replacement": "https://b"}}, "remap=[^https://a https://b]", ""},
		{"replacementPatterns", []any{map[string]any{"pattern": "^.attachments", "replacement": "x"}}, "", "remap sees whole URLs"},
		{"projectBaseUrl", "file:///srv/docs", "root=/srv/docs", ""},
		{"projectBaseUrl", "https://a.example/x", "base=https://a.example/x/", ""},
		{"retryOn429", true, "", ""},
		{"retryOn429", false, "", "who answers 429"},
		{"fallbackRetryDelay", "30s", "retry-wait=30s", ""},
		{"aliveStatusCodes", []any{int64(206)}, "accept=[206]", ""},
		{"fragments", true, "fragments=true", ""}, // our own
	} {
		own, says := ownSettings(about, &config.File{}, config.Setting{Key: tt.key, Value: tt.value, Line: 7}, nil)
		var got []string
		for _, s := range own {
			got = append(got, fmt.Sprintf("%s=%v", s.Key, s.Value))
			if s.Line != 7 {
				t.Errorf("%s: its line is %d", tt.key, s.Line)
			}
		}
		if strings.Join(got, " ") != tt.want || !strings.HasPrefix(says, tt.refuse) || (says != "") != (tt.refuse != "") {
			t.Errorf("%s = %v means %q, %q", tt.key, tt.value, got, says)
		}
	}
}

// In lychee's own file its format is that of the report.
func TestTheirFormat(t *testing.T) {
	about := &cobra.Command{Use: "check"}
	for value, want := range map[string]string{"json": "json", "compact": "text", "detailed": "text", "junit": "junit"} {
		own, says := ownSettings(about, &config.File{Theirs: true}, config.Setting{Key: "format", Value: value}, nil)
		if says != "" || len(own) != 1 || own[0].Key != "report" || own[0].Value != want {
			t.Errorf("format = %q means %v, %q", value, own, says)
		}
	}
}

func TestReadSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"1d": 24 * time.Hour, "2h 30m": 150 * time.Minute, "20 seconds": 20 * time.Second, "1.5h": 90 * time.Minute, "100ms": 100 * time.Millisecond,
		"1week": 168 * time.Hour, "5 min": 5 * time.Minute, "2msecs": 2 * time.Millisecond,
		"": -1, "d": -1, "3": -1, "3 fortnights": -1, "9999999999999d": -1,
	} {
		got, ok := readSpan(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

// The page for those who come from other programs knows each of their keys.
func TestTheirKeysAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range theirKeys() {
		if !strings.Contains(string(page), "`"+strings.TrimSuffix(k.name, ".")+"`") {
			t.Errorf("docs/check.md does not tell of %s", k.name)
		}
		if k.own != "" && newCheck(&call{}).Flag(k.own) == nil {
			t.Errorf("%s stands for --%s, which is no flag", k.name, k.own)
		}
	}
}
