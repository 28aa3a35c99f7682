package check_test

import (
	"strings"
	"testing"

	"anyurl/check"
	"anyurl/find"
	"anyurl/find/format"
)

func TestUnfilled(t *testing.T) {
	const template, expression = "a template fills it in", "it is a URI template, and no URL yet"
	for _, tt := range []struct{ url, via, want string }{
		{"{{ pathto('genindex') }}", "a href", template},
		{"{{.URL}}", "a href", template},
		{"http://a.example/{{id}}/x", "", template},
		{"{% url 'home' %}", "a href", template},
		{"<%= root %>/x", "a href", template},
		{"<?php echo $x ?>", "a href", template},
		{"${base}/x", "img src", template},
		{"#{root_path}", "a href", template},
		{"#{", "a href", ""},
		{`{useBaseUrl("/docs")}`, "a href", template},
		{`{require("./x.png").default}`, "img src", template},
		{"{site-url}/x", "link:", template},
		{"http://a.example/{v}", "image::", template},
		{"x{}", "link:", ""},
		{"{wide", "img src", template}, // the rest stands behind a blank
		{"{url}", "", expression},
		{"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "a href", ""},
		{"{base}/about", "a href", template},  // Svelte
		{"{static}/x.png", "image", template}, // Pelican
		{"{a b", "a href", template},
		{"{3F2504E0-4F89-11D3-9A0C-0305E82C3301}/x", "a href", ""},
		{"/docs/{{ url ", "a href", template}, // cut at the quote within
		{"pre-{%", "a href", template},
		{"x/<%= a(", "a href", template},
		{"%7B%7Bx%7D%7D", "link", template},
		{"[[x]]", "a href", template},
		{"[[x]]/a", "a href", ""},
		{"%%x%%", "a href", template},
		{"$x$", "a href", template},
		{"$x", "a href", ""},
		{"@/blog/x.md", "link", template},
		{"@types/node", "link", ""},
		{"@Url.Action(", "a href", template},
		{"~/x.css", "link href", template},
		{"~kim/x.css", "link href", ""},
		{"<c:url value='/x'/>", "a href", template},
		{"%= x %", "link", template},
		{"%20x", "link", ""},
		{"|filename|/x.png", "directive", template},
		{"__init__", "link", ""},
		{"http://a.example/users/{id}", "", expression},     // RFC 6570, 1.2, level 1
		{"http://a.example/{+path}/here", "", expression},   // level 2
		{"http://a.example/find{?q,lang*}", "", expression}, // level 3 and 4
		{"http://a.example/users/{id}", "a href", expression},
		{"http://a.example/users/%7Bid%7D", "link", expression},
		{"https://{host}/x", "a href", expression},
		{"users/{id}.html", "a href", ""}, // files have such names
		{"http://a.example/{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "", ""},
		{"http://a.example/{}", "", ""},
		{"http://a.example/{open", "", ""},
		{"http://a.example/", "", ""},
	} {
		m := format.Match{Match: find.Match{URL: tt.url, Kind: find.Reference}, Via: tt.via}
		if strings.Contains(tt.url, "://") {
			m.Kind = find.URL
		}
		if got := check.Unfilled(m); got != tt.want {
			t.Errorf("%q by %q: %q, want %q", tt.url, tt.via, got, tt.want)
		}
	}
}
