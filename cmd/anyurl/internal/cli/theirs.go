package cli

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyurl/cmd/anyurl/internal/config"
)

// A theirKey is a key of lychee's or markdown-link-check's configuration, which
// [check] knows.
type theirKey struct {
	name string
	own  string // our key for the same; "" where there is none, or not always
	// turn makes of its value, and of what else stands in the table, settings of
	// ours; none changes nothing. says is what to write instead of a value that is
	// nothing of ours. nil: the value is ours as it is.
	turn func(value any, f *config.File, all map[string]any) (ours []config.Setting, says string)
}

// theirKeys are those whose names are not ours, or whose values are not. The
// name of one that ends in "." is the beginning of several.
func theirKeys() []theirKey {
	return []theirKey{
		// lychee
		{"accept_timeouts", "", noMatter},
		{"base_url", "base", nil},
		{"basic_auth", "", never(`logins stand in ~/.netrc, and netrc = true uses them, or in host-header = ["HOST Authorization: Basic …"]`)},
		{"cache", "", only(false, `what was asked is remembered in a file that you name: history = "links.db" and cache-age = "24h"`)},
		{"cache_exclude_status", "", never("only what was good is not asked for again within cache-age")},
		{"cookie_jar", "", never(`a cookie is a field: host-header = ["HOST Cookie: …"]`)},
		{"default_extension", "", never(`format on the command line says what files are whose names do not tell`)},
		{"dump", "", only(false, "anyurl find lists the links of documents")},
		{"dump_inputs", "", only(false, "anyurl find --json names the documents")},
		{"exclude_all_private", "exclude-private", nil},
		{"exclude_link_local", "", only(false, "exclude-private = true leaves out all internal addresses")},
		{"exclude_loopback", "", only(false, "exclude-private = true leaves out all internal addresses")},
		{"exclude_mail", "", only(true, "mail = true asks for the domains of mail addresses")},
		{"exclude_path", "exclude-path", globs},
		{"exclude_private", "", only(false, "exclude-private = true leaves out all internal addresses")},
		{"fallback_extensions", "fallback-extensions", nil},
		{"files_from", "", never("the documents stand on the command line: xargs anyurl check")},
		{"format", "report", reportForm},
		{"github_token", "", never(`a host's own fields stand in host-header = ["api.github.com Authorization: Bearer …"]`)},
		{"glob_ignore_case", "", only(false, "globs tell capitals from small letters")},
		{"header.", "header", oneField},
		{"hidden", "", only(true, "hidden files of folders are read, but for what .gitignore and exclude-path leave out")},
		{"host_concurrency", "per-host", nil},
		{"host_request_interval", "interval", timeSpan("interval")},
		{"host_stats", "", noMatter},
		{"hosts.", "host-header", ofHost},
		{"include_fragments", "fragments", fragmentKind},
		{"include_mail", "mail", nil},
		{"include_verbatim", "code", nil},
		{"include_wikilinks", "", only(false, "links in double brackets are not read")},
		{"index_files", "index-files", nil},
		{"insecure", "", only(false, "what is wrong with a certificate is the finding, and nothing turns that off")},
		{"max_cache_age", "cache-age", cacheAge},
		{"max_concurrency", "workers", nil},
		{"max_redirects", "max-redirects", nil},
		{"max_retries", "retries", nil},
		{"method", "", noMatter},
		{"min_tls", "", never("TLS 1.2 is the least that is spoken")},
		{"mode", "", noMatter},
		{"no_ignore", "", only(false, "what .gitignore leaves out is read where it is named itself")},
		{"no_progress", "no-progress", nil},
		{"preprocess", "", never("the program runs before: its output is read from standard input, or from a folder")},
		{"require_https", "", only(false, "fix = \"diff\" on the command line shows the http links that https answers, too")},
		{"retry_wait_time", "retry-wait", timeSpan("retry-wait")},
		{"root_dir", "root", nil},
		{"scheme", "only-schemes", nil},
		{"skip_missing", "", only(false, "a document that is not there gives status 3, and the others are read")},
		{"suggest", "", only(false, `archive = "http://archive.example/timegate/" suggests what an archive has`)},
		{"threads", "", noMatter},
		{"user_agent", "header", userAgent},
		{"verbose", "", noMatter},
		// markdown-link-check
		{"aliveStatusCodes", "accept", nil},
		{"fallbackRetryDelay", "retry-wait", timeSpan("retry-wait")},
		{"httpHeaders", "host-header", fieldsOf},
		{"ignoreDisable", "", only(false, "comments that exempt links are obeyed")},
		{"ignorePatterns", "exclude", patterns},
		{"projectBaseUrl", "root", projectRoot},
		{"replacementPatterns", "remap", replacements},
		{"retryCount", "retries", nil},
		{"retryOn429", "", only(true, "who answers 429 is always asked again; retries = 0 asks nobody again")},
	}
}

// theirFile reports whether a configuration file is another program's, by the
// name that it goes by there.
func theirFile(name string) bool {
	base := filepath.Base(name)
	return base == "lychee.toml" || base == ".lychee.toml" || strings.EqualFold(path.Ext(base), ".json")
}

// theirs finds a key of other programs, and what of it follows its name.
func theirs(about *cobra.Command, key string) (t theirKey, rest string, ok bool) {
	if about.Name() != "check" {
		return t, "", false
	}
	for _, t := range theirKeys() {
		rest, ok := strings.CutPrefix(key, t.name)
		if ok && (rest == "" || strings.HasSuffix(t.name, ".")) {
			return t, rest, true
		}
	}
	return t, "", false
}

// ownSettings gives what a setting means in our words; says is what to write
// instead, where it means nothing.
func ownSettings(about *cobra.Command, f *config.File, s config.Setting, all map[string]any) (ours []config.Setting, says string) {
	t, rest, ok := theirs(about, s.Key)
	switch {
	case !ok:
		return []config.Setting{s}, ""
	case t.turn == nil:
		ours = []config.Setting{{Key: t.own, Value: s.Value}}
	case rest != "":
		ours, says = t.turn([2]any{rest, s.Value}, f, all)
	default:
		ours, says = t.turn(s.Value, f, all)
	}
	for i := range ours {
		ours[i].Line = s.Line
	}
	return ours, says
}

// flagOf says what to write in the place of another program's flag, or "".
func flagOf(cmd *cobra.Command, name string) string {
	if name == "base-url" || name == "base_url" {
		return "here it is --base"
	}
	t, _, ok := theirs(cmd, strings.ReplaceAll(name, "-", "_"))
	if !ok {
		t, _, ok = theirs(cmd, name)
	}
	switch {
	case !ok:
		return ""
	case name == "user-agent":
		return "here it is --header 'User-Agent: NAME'"
	case t.own != "":
		return "here it is --" + t.own
	case t.turn == nil:
		return ""
	}
	// Any value that none of them takes.
	_, says := t.turn(struct{}{}, &config.File{}, nil)
	return orElse(says, "leave it out: nothing here depends on it")
}

// The ways to turn a value.

// noMatter is for what changes no verdict here.
func noMatter(any, *config.File, map[string]any) ([]config.Setting, string) { return nil, "" }

// only takes a value that says how it is here anyway, and refuses all others.
func only(value any, says string) func(any, *config.File, map[string]any) ([]config.Setting, string) {
	return func(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
		if v == value {
			return nil, ""
		}
		return nil, says
	}
}

func never(says string) func(any, *config.File, map[string]any) ([]config.Setting, string) {
	return only(struct{ never bool }{}, says)
}

func ours(key string, value any) []config.Setting { return []config.Setting{{Key: key, Value: value}} }

// timeSpan reads a length of time as people write it: "1d", "2h 30m", "20 seconds".
func timeSpan(own string) func(any, *config.File, map[string]any) ([]config.Setting, string) {
	return func(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
		text, ok := v.(string)
		if !ok {
			return ours(own, v), ""
		}
		if span, ok := readSpan(text); ok {
			return ours(own, span.String()), ""
		}
		return nil, "a length of time is written as in 500ms, 30s or 24h"
	}
}

// cacheAge is a length of time. It means nothing without a cache, and lychee's is
// none of ours.
func cacheAge(v any, f *config.File, all map[string]any) ([]config.Setting, string) {
	if f.Theirs || all["cache"] == false {
		return nil, ""
	}
	return timeSpan("cache-age")(v, f, all)
}

func readSpan(text string) (whole time.Duration, ok bool) {
	text = strings.ReplaceAll(text, " ", "")
	for text != "" {
		n := strings.IndexFunc(text, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
		if n <= 0 {
			return 0, false
		}
		end := n + strings.IndexFunc(text[n:]+"0", func(c rune) bool { return '0' <= c && c <= '9' })
		number, err := strconv.ParseFloat(text[:n], 64)
		unit := spanUnit(text[n:end])
		if err != nil || unit == 0 || number > float64(1<<62)/float64(unit) {
			return 0, false
		}
		whole += time.Duration(number * float64(unit))
		text, ok = text[end:], true
	}
	return whole, ok && whole >= 0
}

func spanUnit(name string) time.Duration {
	switch strings.TrimSuffix(strings.ToLower(name), "s") {
	case "m":
		if strings.EqualFold(name, "ms") {
			return time.Millisecond
		}
		return time.Minute
	case "msec", "milli", "millisecond":
		return time.Millisecond
	case "", "sec", "second":
		if name == "" {
			return 0
		}
		return time.Second
	case "min", "minute":
		return time.Minute
	case "h", "hr", "hour":
		return time.Hour
	case "d", "day":
		return 24 * time.Hour
	case "w", "week":
		return 7 * 24 * time.Hour
	}
	return 0
}

// globs takes paths. Expressions, which lychee has there, are none.
func globs(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	all, _ := v.([]any)
	for _, one := range all {
		if text, _ := one.(string); strings.ContainsAny(text, `^$\()|+`) || strings.Contains(text, ".*") {
			return nil, `exclude-path holds paths and globs, and no expressions: "docs/archive", "**/*.tmpl.md"`
		}
	}
	return ours("exclude-path", v), ""
}

// reportForm is lychee's format, the form of its report.
func reportForm(v any, f *config.File, _ map[string]any) ([]config.Setting, string) {
	if !f.Theirs {
		return nil, `the form of the report is report = "json"; what documents are in, only the command line's --format says`
	}
	switch v {
	case "compact", "detailed", "color", "raw", "plain":
		return ours("report", "text"), ""
	}
	return ours("report", v), ""
}

// oneField is a field of a table of header fields.
func oneField(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	field, _ := v.([2]any)
	text, ok := field[1].(string)
	if !ok {
		return nil, `header = ["NAME: VALUE"]`
	}
	return ours("header", []any{fmt.Sprintf("%s: %s", field[0], text)}), ""
}

func userAgent(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	text, ok := v.(string)
	if !ok {
		return nil, `header = ["User-Agent: NAME"]`
	}
	return ours("header", []any{"User-Agent: " + text}), ""
}

// ofHost is what lychee's table of hosts says of one: of that, its fields are
// ours as well.
func ofHost(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	of, _ := v.([2]any)
	key, _ := of[0].(string)
	host, name, ok := strings.Cut(key, ".headers.")
	text, isText := of[1].(string)
	if !ok || !isText {
		return nil, `per-host and interval are for every host; a host's own fields stand in host-header = ["HOST NAME: VALUE"]`
	}
	return ours("host-header", []any{host + " " + name + ": " + text}), ""
}

// fragmentKind is lychee's include_fragments: yes or no, or which of them.
func fragmentKind(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	switch v {
	case "none":
		v = false
	case "anchor-only", "text-only", "full":
		v = true // each kind is looked up in the pages that have it
	}
	return ours("fragments", v), ""
}

// object gives the texts of an object; ok is false where others stand in it.
func object(v any) (texts map[string]string, ok bool) {
	m, ok := v.(map[string]any)
	texts = map[string]string{}
	for name, value := range m {
		text, isText := value.(string)
		texts[name], ok = text, ok && (isText || name != "pattern" && name != "replacement")
	}
	return texts, ok
}

// patterns are expressions, each as a text or in an object.
func patterns(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	const says = `exclude = ["RE"]`
	all, ok := v.([]any)
	texts := []any{}
	for _, one := range all {
		if o, isObject := object(one); isObject && o["pattern"] != "" {
			one = o["pattern"]
		}
		text, isText := one.(string)
		ok = ok && isText
		texts = append(texts, text)
	}
	if !ok {
		return nil, says
	}
	return ours("exclude", texts), ""
}

// projectRoot is markdown-link-check's place of the project: a folder, or where it
// stands in the network.
func projectRoot(v any, _ *config.File, _ map[string]any) ([]config.Setting, string) {
	text, ok := v.(string)
	if !ok {
		return nil, `root = "DIR"`
	}
	if strings.HasPrefix(text, "http:") || strings.HasPrefix(text, "https:") {
		return ours("base", strings.TrimSuffix(text, "/")+"/"), ""
	}
	return ours("root", strings.TrimPrefix(text, "file://")), ""
}

// replacements are remaps. They see a link as it stands, ours the whole URL; the
// one that nearly all have, of a "/" at the beginning, is the root.
func replacements(v any, _ *config.File, all map[string]any) (settings []config.Setting, says string) {
	project, _ := all["projectBaseUrl"].(string)
	project = strings.TrimSuffix(strings.TrimPrefix(orElse(project, "."), "file://"), "/")
	list, ok := v.([]any)
	for _, one := range list {
		o, isObject := object(one)
		pattern, to := o["pattern"], strings.ReplaceAll(o["replacement"], "{{BASEURL}}", project)
		switch {
		case !isObject || pattern == "":
			ok = false
		case pattern == "^/" || pattern == `^\/`:
			settings = append(settings, projectPlace(to)...)
		case strings.HasPrefix(pattern, "^") && !strings.HasPrefix(pattern, "^http") && !strings.HasPrefix(pattern, "^file:") && !strings.HasPrefix(pattern, "^mailto:"):
			return nil, "remap sees whole URLs, as https://example.com/page or file:///folder/page, and relative links where they lead"
		default:
			settings = append(settings, ours("remap", []any{strings.ReplaceAll(pattern, " ", `\x20`) + " " + to})...)
		}
	}
	if !ok {
		return nil, `remap = ["RE TEMPLATE"]`
	}
	return settings, ""
}

func projectPlace(to string) []config.Setting {
	settings, _ := projectRoot(orElse(strings.TrimSuffix(to, "/"), "/"), nil, nil)
	return settings
}

// fieldsOf are header fields for the URLs that begin in some way. Ours are a
// host's.
func fieldsOf(v any, _ *config.File, _ map[string]any) (settings []config.Setting, says string) {
	list, ok := v.([]any)
	lines := []any{}
	for _, one := range list {
		m, _ := one.(map[string]any)
		urls, hasURLs := m["urls"].([]any)
		headers, hasHeaders := object(m["headers"])
		ok = ok && hasURLs && hasHeaders
		for _, u := range urls {
			host, _ := u.(string)
			host = strings.TrimSuffix(strings.TrimPrefix(host, "https://"), "/")
			if strings.Contains(strings.TrimPrefix(host, "http://"), "/") {
				return nil, "fields go to a whole host, and not below a path of it: host-header = [\"HOST NAME: VALUE\"]"
			}
			for _, name := range slices.Sorted(maps.Keys(headers)) {
				lines = append(lines, host+" "+name+": "+headers[name])
			}
		}
	}
	if !ok {
		return nil, `host-header = ["HOST NAME: VALUE"]`
	}
	return ours("host-header", lines), ""
}
