package fetch_test

import (
	"strings"
	"testing"

	"anyurl/fetch"
)

func TestTypes(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "text/plain", "README.HTML": "text/html", "x.tar.gz": "application/gzip", "motd": "", "a.": "", ".profile": "", "a.b/c": "",
	} {
		if got := fetch.TypeByName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for head, want := range map[string]string{
		"":                                "text/plain",
		"hello\r\n\tworld\f":              "text/plain",
		"h\xc3\xa9":                       "text/plain",
		"h\xc3":                           "text/plain", // cut off
		"caf\xe9 au lait":                 "text/plain", // ISO 8859-1
		"\x80\x81":                        "application/octet-stream",
		"a\x00b":                          "application/octet-stream",
		"%PDF-1.4":                        "application/pdf",
		"GIF89a\x01":                      "image/gif",
		"\n <!DOCTYPE HTML><p>":           "text/html",
		"<htm":                            "text/plain",
		strings.Repeat("x", 511) + "\xe2": "text/plain",
	} {
		if got := fetch.TypeByContent([]byte(head)); got != want {
			t.Errorf("%.20q: got %q, want %q", head, got, want)
		}
	}
}
