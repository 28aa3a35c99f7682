package check

import (
	"encoding/json"
	"os"
	"testing"

	"anyurl"
)

func TestInCharset(t *testing.T) {
	base := anyurl.MustParse("http://a.example/d/")
	for _, tt := range []struct{ ref, set, want string }{
		{"?q=é", "windows-1252", "http://a.example/d/?q=%E9"}, // URL Standard, query state, 1.2
		{"é?q=é#é", "iso-8859-1", "http://a.example/d/%C3%A9?q=%E9#%C3%A9"},
		{"?q=%C3%A9é é&x='", "windows-1252", "http://a.example/d/?q=%C3%A9%E9%20%E9&x=%27"},
		{"?q=é", "utf-8", "http://a.example/d/?q=%C3%A9"},
		{"?q=é", "utf-16le", "http://a.example/d/?q=%C3%A9"}, // Encoding Standard, get an output encoding
		{"?q=é", "no such set", "http://a.example/d/?q=%C3%A9"},
		{"?q=привет", "windows-1251", "http://a.example/d/?q=%EF%F0%E8%E2%E5%F2"},
		{"?q=привет", "koi8-r", "http://a.example/d/?q=%D0%D2%C9%D7%C5%D4"},
		{"?q=日本", "shift_jis", "http://a.example/d/?q=%93%FA%96{"}, // the second octets are ASCII's
		{"?q=日本", "euc-jp", "http://a.example/d/?q=%C6%FC%CB%DC"},
		{"?q=日本 x", "iso-2022-jp", "http://a.example/d/?q=%1B$BF|K\\%1B(B%20x"},
		{"?q=中", "gbk", "http://a.example/d/?q=%D6%D0"},
		{"?q=日", "windows-1252", "http://a.example/d/?q=%26%2326085%3B"}, // percent-encode after encoding, 5.5
		{"#a?é", "windows-1252", "http://a.example/d/#a?%C3%A9"},
		{"ws://a.example/?q=é", "windows-1252", "ws://a.example/?q=%C3%A9"}, // ibid., 1.1
		{"mailto:a@b.example?subject=é", "windows-1252", "mailto:a@b.example?subject=%C3%A9"},
	} {
		u, err := anyurl.ParseRef(InCharset(tt.ref, base, tt.set), base)
		if err != nil || u.String() != tt.want {
			t.Errorf("%q in %s: got %s, %v, want %s", tt.ref, tt.set, u, err, tt.want)
		}
	}
}

// TestInCharsetVectors holds it against the web platform's own tests.
func TestInCharsetVectors(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/wpt/percent-encoding.json")
	if err != nil {
		t.Skip("the vectors are not here: ", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	base := anyurl.MustParse("http://a.example/")
	n := 0
	for _, raw := range all {
		var tt struct {
			Input  string
			Output map[string]string
		}
		if json.Unmarshal(raw, &tt) != nil {
			continue // a comment
		}
		for set, want := range tt.Output {
			u, err := anyurl.ParseRef(InCharset("?"+tt.Input, base, set), base)
			if err != nil || u.Query() != want {
				t.Errorf("%q in %s: got %s, %v, want %s", tt.Input, set, u.Query(), err, want)
			}
			n++
		}
	}
	if n < 15 {
		t.Errorf("%d vectors, which is too few", n)
	}
}
