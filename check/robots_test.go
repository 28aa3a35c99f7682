package check

import "testing"

func TestRobots(t *testing.T) {
	for _, tt := range []struct {
		text, path string
		want       bool
	}{ // RFC 9309
		{"", "/x", true},
		{"User-agent: *\nDisallow: /x", "/x/y", false},
		{"User-agent: *\nDisallow: /x", "/y", true},
		{"User-agent: *\nDisallow:", "/x", true},
		{"User-agent: other\nDisallow: /", "/x", true},
		{"User-agent: anyurl\nAllow: /\n\nUser-agent: *\nDisallow: /", "/x", true}, // 2.2.1: the group that names us
		{"user-agent: AnyURL/1\nuser-agent: other\ndisallow: /x # why", "/x", false},
		{"User-agent: anyurl\nDisallow: /a\nUser-agent: *\nDisallow: /\nUser-agent: anyurl\nDisallow: /b", "/b", false}, // groups are joined
		{"User-agent: *\nDisallow: /p\nAllow: /p/ok", "/p/ok/x", true},                                                  // 2.2.2: the longest
		{"User-agent: *\nDisallow: /p\nAllow: /p", "/p", true},                                                          // of equals, allow
		{"User-agent: *\nDisallow: *.gif$", "/a/b.gif", false},                                                          // 2.2.3
		{"User-agent: *\nDisallow: *.gif$", "/a/b.gif?x", true},
		{"User-agent: *\nDisallow: /a*/c", "/abc/d/c/e", false},
		{"User-agent: *\nDisallow: /a$", "/ab", true},
		{"User-agent: *\nDisallow: /", "/robots.txt", true}, // 2.2.2: it is always allowed
		{"Disallow: /", "/x", true},                         // in no group
		{"\ufeffUser-agent: *\r\nDisallow: /x\r\n", "/x", false},
	} {
		if got := allowed(readRobots(tt.text).rules, tt.path); got != tt.want {
			t.Errorf("%q, %s: got %v, want %v", tt.text, tt.path, got, tt.want)
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /", "/axb")
	f.Add("user-agent: anyurl\ndisallow: ***", "")
	f.Fuzz(func(t *testing.T, text, path string) {
		allowed(readRobots(text).rules, path)
		if !allowed(readRobots("User-agent: *\nDisallow: /\n").rules, "/robots.txt") {
			t.Error("robots.txt itself is always allowed")
		}
	})
}
