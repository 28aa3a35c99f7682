package check

import (
	"testing"

	"anyurl"
)

func TestStubOf(t *testing.T) {
	page := anyurl.MustParse("http://a.example/old/")
	for _, tt := range []struct {
		text  string
		to    string // "": it is no stub
		moved bool
	}{
		// jekyll-redirect-from
		{`<!DOCTYPE html><html lang="en-US"><meta charset="utf-8"><title>Redirecting&hellip;</title><link rel="canonical" href="http://a.example/new"><script>location="http://a.example/new"</script><meta http-equiv="refresh" content="0; url=http://a.example/new"><meta name="robots" content="noindex"><h1>Redirecting&hellip;</h1><a href="http://a.example/new">Click here if you are not redirected.</a></html>`, "http://a.example/new", true},
		// Hugo
		{`<!DOCTYPE html><html lang="en"><head><title>http://a.example/new/</title><link rel="canonical" href="http://a.example/new/"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=http://a.example/new/"></head></html>`, "http://a.example/new/", true},
		// mkdocs-redirects
		{`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Redirecting...</title><link rel="canonical" href="../new/"><script>var anchor=window.location.hash.substr(1);location.href="../new/"+(anchor?"#"+anchor:"")</script><meta http-equiv="refresh" content="0; url=../new/"></head><body>You're being redirected to a <a href="../new/">new destination</a>.</body></html>`, "http://a.example/new/", true},
		{`<meta http-equiv=REFRESH content="0;URL='/new#x'">`, "http://a.example/new#x", false},
		{`<meta http-equiv=refresh content="1, /new">`, "http://a.example/new", false},
		{`<base href=/b/><meta http-equiv=refresh content="0; url=new">`, "http://a.example/b/new", false},
		{`<script>window.location.replace("new.html"+location.hash);</script>`, "http://a.example/old/new.html", false},
		{`<script>document.location.href = '/new'</script>`, "http://a.example/new", false},
		{`<script>if (x) location.replace("new.html")</script>`, "", false},
		{`<script>location.replace(a + "new.html")</script>`, "", false},
		{`<script>count();</script><script>location="/new"</script>`, "", false},
		{`<noscript><meta http-equiv=refresh content="0; url=/nojs"></noscript><div id=app></div>`, "", false},
		{`<meta http-equiv=refresh content="5; url=/next">`, "", false}, // one has time to read it
		{`<meta http-equiv=refresh content="0">`, "", false},
		{`<meta http-equiv=refresh content="0; url=/old/#top">`, "", false}, // it loads itself again
		{`<meta http-equiv=refresh content="0; url=javascript:x()">`, "", false},
		{`<meta http-equiv=refresh content="0; url=/new"><p>` + filler, "", false},
		{`<p>location, location, location`, "", false},
	} {
		s, ok := stubOf(page, nil, []byte(tt.text))
		if ok != (tt.to != "") || ok && s.to.String() != tt.to || s.moved != tt.moved {
			t.Errorf("%q: got %s, %v, want %q, %v", tt.text, s.to, s.moved, tt.to, tt.moved)
		}
	}
	s, ok := stubOf(page, map[string][]string{"Refresh": {"0; url=/new"}}, nil)
	if !ok || s.to.String() != "http://a.example/new" {
		t.Errorf("by the header: got %s, %v", s.to, ok)
	}
}

const filler = "There is something to read here, and as much of it that nobody takes it for a page that has nothing to say but where else one should go; some words more, then, until there are enough of them to be a page. And a few that make it sure."

func FuzzStubOf(f *testing.F) {
	f.Add(`<meta http-equiv=refresh content="0; url=/new">`, "0; url='x")
	f.Add(`<script>location="x"</script>`, "1,")
	page := anyurl.MustParse("http://a.example/old/")
	f.Fuzz(func(t *testing.T, text, field string) {
		if s, ok := stubOf(page, map[string][]string{"Refresh": {field}}, []byte(text)); ok && s.to.IsZero() {
			t.Error("it leads nowhere")
		}
	})
}
