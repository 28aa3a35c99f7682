package check

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"
)

// packed is a stream of objects as PDF 1.5 has them.
func packed(objects string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(objects))
	z.Close()
	return fmt.Sprintf("9 0 obj\n<</Type/ObjStm/N 3/First 10/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n", b.Len(), b.String())
}

func TestPDFAnchors(t *testing.T) {
	const (
		page  = "3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n"
		tree  = "2 0 obj\n<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>\nendobj\n"
		names = "5 0 obj\n<</Names[(chapter.1) 6 0 R (a\\050b\\051) 7 0 R <FEFF00E9> 8 0 R]/Dests<</old 3 0 R>>>>\nendobj\n"
	)
	whole := "%PDF-1.5\n" + tree + page + page + names
	zipped := "%PDF-1.5\n" + packed("<</Type/Pages/Count 2>> <</Type/Page>> <</Type/Page>> (chapter.1) (a\\(b\\)) <feff00e9> /old")
	for _, document := range []string{whole, zipped} {
		d := anchorsOf([]byte(document), "application/pdf", "")
		if d == nil {
			t.Fatalf("%.40q has no places", document)
		}
		for _, tt := range []struct {
			fragment string
			want     finding
		}{
			{"page=1", there}, {"page=2", there}, {"page=3", missing}, {"Page=3&zoom=100", missing}, // RFC 8118, section 3
			{"page=2&view=FitH,100", there}, {"zoom=50", there}, {"search=%22a%20b%22", there},
			{"chapter.1", there}, {"nameddest=chapter.1", there}, {"nameddest=chapter.2", missing}, {"chapter.2", missing},
			{"a(b)", there}, {"a%28b%29", there}, {"%C3%A9", there}, {"old", there}, {"", there},
		} {
			if got := d.look(tt.fragment); got != tt.want {
				t.Errorf("#%s in %.20q: %d, want %d", tt.fragment, document, got, tt.want)
			}
		}
	}
	for name, document := range map[string]string{
		"encrypted": whole + "trailer <</Encrypt 1 0 R>>", "cut off": "%PDF-1.5\n<<>>\nstream\nxx", "not a PDF": "<html>",
		"damaged": "%PDF-1.5\n9 0 obj <</Type/ObjStm/Filter/FlateDecode>>\nstream\nnothing\nendstream", "too long": "%PDF-" + strings.Repeat(" ", maxPage),
	} {
		if d := anchorsOf([]byte(document), "", "a.pdf"); d.opaque == "" {
			t.Errorf("%s: its places are said to be known", name)
		}
	}
}
