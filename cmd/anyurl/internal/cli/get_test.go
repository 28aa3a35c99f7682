package cli

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"anyurl"
)

// TestFileOf: a name that is nobody's option, not hidden, and not too long.
func TestFileOf(t *testing.T) {
	long := strings.Repeat("tulips-", 60)
	for _, tt := range []struct{ url, want string }{
		{"http://a.example/a/b.txt", "b.txt"},
		{"ftp://a.example/a/b.txt;type=a", "b.txt"},
		{"http://a.example/", "index"},
		{"http://a.example/.hidden", "hidden"},
		{"http://a.example/-rf", "rf"},
		{"http://a.example/.-.-x", "x"},
		{"http://a.example/%2e%2e%2fetc%2fpasswd", "_etc_passwd"},
		{"http://a.example/" + long + ".tar.gz", long[:197] + ".gz"},
		{"http://a.example/" + strings.Repeat("%C3%A9", 200), strings.Repeat("é", 100)},
		{"http://a.example/x" + strings.Repeat("%C3%A9", 200), "x" + strings.Repeat("é", 99)},
	} {
		if got := (getAsk{}).fileOf(anyurl.MustParse(tt.url)); got != tt.want {
			t.Errorf("%.60s: got %q, want %q", tt.url, got, tt.want)
		}
	}
}

// TestTrusted: a server's own certificate is trusted where a file has it.
func TestTrusted(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	cert := server.Certificate()
	file := filepath.Join(t.TempDir(), "own.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := trusted(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cert.Verify(x509.VerifyOptions{DNSName: "example.com", Roots: config.RootCAs}); err != nil {
		t.Error(err)
	}
	if config, err := trusted(""); config != nil || err != nil {
		t.Errorf("without a file: %v, %v", config, err)
	}
}

// TestVerbs: each verb is laid out under the name by which it is asked for, alone
// as among the others.
func TestVerbs(t *testing.T) {
	c := newCall(t.Context(), Env{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	all := newRoot(c, nil)
	for _, verb := range verbs() {
		if name := verb.lay(c).Name(); name != verb.name {
			t.Errorf("%s is laid out as %s", verb.name, name)
		}
		alone := newRoot(c, []string{verb.name})
		if names := commandNames(alone); !slices.Equal(names, []string{verb.name}) {
			t.Errorf("%s: alone, %q are laid out", verb.name, names)
		}
		before := commandNames(all)
		if addVerbs(c, all); !slices.Equal(commandNames(all), before) {
			t.Errorf("a verb is laid out twice: %q", commandNames(all))
		}
	}
}
