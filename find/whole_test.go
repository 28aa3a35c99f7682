package find

import "testing"

// TestWhole holds that no cut within an authority makes another host.
func TestWhole(t *testing.T) {
	const (
		apart = "taken apart so that nobody opens it: not live"
		cut   = "what is before the cut is another host"
		dot   = "UTS 46, 4: these are dots in a host"
		ends  = "the host ends before it"
		fails = "URL Standard, host parsing: failure"
	)
	checkRows(t, []foundRow{
		{"https://evil[.]example/a", "", apart},
		{"https://evil(.)example", "", apart},
		{"https://evil[dot]example/a", "", apart},
		{"https://www[.]evil[.]com", "", apart},
		{"http://203.0.113[.]5/x", "", apart},
		{"https://mail.google.com[.]evil.com/", "", apart},
		{"mail.google.com[.]evil.com", "", apart},
		{"kim[at]example.com", "", apart},
		{"http://a[.]example/http://b.example/", "http://b.example/", "what is taken apart ends where another scheme begins"},
		{"https://tru\u202ested.example/", "", cut},
		{"https://trus\u200bted.example/", "", cut},
		{"http://exa\u00admple.com/", "", cut},
		{"exa\u00admple.com", "", cut},
		{"http://example.com\x00x", "", cut},
		{"http://user@/x", "", cut},
		{"http://safeguy:!#$%^&*@host", "", cut},
		{`https://evil\.com/`, "", "a regular expression"},
		{`"https://evil\\.com/"`, "", "a regular expression in a string"},
		{`mail.google\.com`, "", "a regular expression"},
		{"https://api.{region}.example.com/x", "", "a template"},
		{"http://example{1,2}.com/", "", "a template"},
		{"http://api.$ZONE.example.com/", "", "a template"},
		{"http://a.*.example.com/", "", "a pattern"},
		{"http://exa^mple.com/", "", cut},
		{"http://exa%zzmple.com/", "", cut},
		{"http://o'reilly.com/", "", cut},
		{"kafka://a:9092,b:9092/x", "kafka://a:9092,b:9092/x", "several hosts, as mongodb has them"},
		{"http://example\u3002com/", "http://example\u3002com/", dot},
		{"http://example\uff0ecom/", "http://example\uff0ecom/", dot},
		{"http://trusted.example.com\u3002evil.com/", "http://trusted.example.com\u3002evil.com/", dot},
		{"http://127\u30020\u30020\u30021/", "http://127\u30020\u30020\u30021/", dot},
		{"https://example.com\u3002", "https://example.com", ends},
		{"见http://example.com\u3002然后", "http://example.com", ends},
		{"见http://example.com\u3002GitHub上", "http://example.com", ends},
		{"\u2066http://example.com\u2069 x", "http://example.com", ends},
		{"\x1b]8;;http://example.com\x07label", "http://example.com", ends},
		{"http://example.com[1] and http://example.com(mirror)", "http://example.com http://example.com", ends},
		{"http://example.com.[1]", "http://example.com", ends},
		{"**http://example.com.**", "http://example.com", ends},
		{"&quot;balancer://myset&quot;", "balancer://myset", ends},
		{"http://cet-h&ocirc;te/chemin", "", cut},
		{"url=http://a.com&x=1", "http://a.com", ends},
		{"http://localhost* and http://localhost:80&x=1", "http://localhost http://localhost:80", ends},
		{"http://a.example'http://b.example", "http://a.example http://b.example", ends},
		{`\href{http://example.com}{x}`, "http://example.com", ends},
		{`"http://example.com\n"`, "http://example.com", ends},
		{"http://example.com:Connection refused", "http://example.com", ends},
		{"http://111.222.333.444/", "", fails},
		{"http://192.0.2.300/x", "", fails},
		{"http://1.2.3.4.5/", "", fails},
		{"http://[dead::beef:111.222.333.444]", "", fails},
		{"http://[1.2.3.4]/", "", fails},
		{"http://[::1", "", fails},
		{"redis://1.2.3.4.5/", "redis://1.2.3.4.5/", "an opaque host: no failure"},
		{"http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/", "RFC 6874"},
		{"http://[v1.x]/", "http://[v1.x]/", "RFC 3986, 3.2.2: IPvFuture"},
		{"http://127.1 and http://0x7f.1/", "http://127.1 http://0x7f.1/", "URL Standard, IPv4 parsing"},
		{"http://example.com:80808/x", "http://example.com:80808/x", "what was written, for the standard to refuse: to cut it reports a link that nobody wrote"},
		{"http://192.0.2.7:70000", "http://192.0.2.7", "no path behind it: the number is the sentence's"},
		{"[url]http://example.com/a[/url] [img]http://example.com/a.png[/img]", "http://example.com/a http://example.com/a.png", "BBCode: a bracket before a slash closes"},
		{"<!-- see http://example.com/a-->", "http://example.com/a", "the end of a comment, as */ is"},
	})
}
