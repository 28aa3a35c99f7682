package audit_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"anyurl/audit"
)

var update = flag.Bool("update", false, "write docs/findings.md anew")

// TestDocs holds docs/findings.md to the table of codes.
func TestDocs(t *testing.T) {
	const path = "../docs/findings.md"
	var b strings.Builder
	b.WriteString(`# Findings

What ` + "`anyurl audit`" + ` reports: every code, with its severity, what is the matter and what to do, where that is written, and an input
that has it. A ✗ behind the severity tells that a guarded fetch refuses the URL for it (what opens no connection, such as mailto, is
flagged only). This page is written by
` + "`go test ./audit -run Docs -update`" + ` from the table in audit/codes.go; ` + "`anyurl explain CODE`" + ` tells the same.

| code | severity | what, and what to do | written in | example |
|---|---|---|---|---|
`)
	for _, c := range audit.Codes() {
		severity := c.Severity.String()
		if c.Blocks {
			severity += " ✗"
		}
		example := ""
		if c.Example != "" {
			example = "`" + strings.Trim(fmt.Sprintf("%+q", c.Example), `"`) + "`"
			if c.Base != "" {
				example += " against `" + c.Base + "`"
			}
		}
		bar := strings.NewReplacer("|", `\|`)
		fmt.Fprintf(&b, "| `%s` | %s | %s: %s | %s | %s |\n", c.Code, severity, bar.Replace(spans(c.Says)), bar.Replace(spans(c.Fix)), c.Cite, bar.Replace(example))
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("docs/findings.md is not what the table says: run go test ./audit -run Docs -update")
	}
}

// spans puts what is a URL in a sentence into a code span: it is no link.
func spans(s string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		if strings.Contains(word, "://") {
			words[i] = "`" + word + "`"
		}
	}
	return strings.Join(words, " ")
}
