package format_test

import (
	"slices"
	"strings"
	"testing"

	"anyurl/find/format"
)

// What a page shows besides its links: HTML Standard, "indicated part of the
// document" (every id, and the name of an a), and the title.
func TestPlacesAndTitle(t *testing.T) {
	for _, tt := range []struct {
		page   string
		places []string
		title  string
	}{
		{`<title>A &amp; B</title><body><p id=one>x</p><a name="two">y</a><img name=three>`, []string{"one", "two"}, "A & B"},
		{`<P ID='caf&eacute;'><A NAME=" x ">`, []string{"café", " x "}, ""},
		{`<body><svg><title>not the page's</title><use id=i /></svg>`, []string{"i"}, ""},
		{`<!-- <p id=no> --><script>"<p id=no>"</script><iframe srcdoc="<p id=no>"></iframe><noscript><p id=no></noscript>`, nil, ""},
		{`<a id=both name=both2 href="/x">`, []string{"both", "both2"}, ""},
	} {
		var places, titles []string
		f := format.Finder{Format: "html", References: true, Place: func(s string) { places = append(places, s) }, Title: func(s string) { titles = append(titles, s) }}
		for range f.Bytes("", []byte(tt.page)) {
		}
		if title := strings.Join(titles, "|"); !slices.Equal(places, tt.places) || title != tt.title {
			t.Errorf("%s: places %q, title %q; want %q, %q", tt.page, places, title, tt.places, tt.title)
		}
	}
}
