// Package sarif holds our SARIF logs against the published schema of SARIF
// 2.1.0.
package sarif

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema as OASIS published it, out of a Go module that ships it among its
// own test data.
const (
	shipper = "github.com/securego/gosec/v2@v2.30.0"
	inside  = "report/sarif/testdata/sarif-schema-2.1.0.json"
	sum     = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
)

func schema(t *testing.T) *jsonschema.Schema {
	out, err := exec.Command("go", "mod", "download", "-json", shipper).Output()
	if err != nil {
		t.Skipf("no schema to hold our logs against: go mod download %s: %v", shipper, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, inside))
	if err != nil {
		t.Fatal(err)
	}
	if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != sum {
		t.Fatalf("the schema is another one: %x", got)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchema runs the command over hostile names and contents.
func TestSchema(t *testing.T) {
	s := schema(t)
	if s.Validate(map[string]any{"version": "2.1.0"}) == nil {
		t.Fatal("the schema takes a log without runs")
	}
	dir := t.TempDir()
	anyurl := filepath.Join(dir, "anyurl")
	build := exec.Command("go", "build", "-o", anyurl, "./cmd/anyurl")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"a.md":          "see http://joe:secret@10.1/ and\n<URL:http://trusted.example@evil.example/a-\n  b>\n",
		"100%.txt":      "http://xn--80ak6aa92e.com/\u202egpj https\u202e://x/ http://\u0430\u0440\u0440\u04cf\u0435.com/",
		"a:b c.txt":     "ftp://a.example/%0d%0aDELE gopher://x.example:25/0%00 http://[::1]/ http://localhost/",
		"\u00e9/b#.txt": "javascript:alert(1) http://a.example/?u=//b.example&token=x",
		"none.txt":      "nothing at all",
	} {
		path := filepath.Join(dir, "texts", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"audit", "--sarif", "--all", "--find", "texts"},
		{"audit", "--sarif", "--find", "texts/a.md", "texts/none.txt"},
		{"audit", "--sarif", "--find", "texts/none.txt"},
		{"audit", "--sarif", "http://127.0.0.1/", "http://[", ""},
	} {
		cmd := exec.Command(anyurl, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatalf("%q: %v\n%s", args, err, exit.Stderr)
		}
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if err := s.Validate(log); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}
