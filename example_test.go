package anyurl_test

import (
	"fmt"

	"anyurl"
	"anyurl/rule"
)

func ExampleParse() {
	u, err := anyurl.Parse("HTTP://user@Ex.example:8080/a/../b?q#f")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u)
	fmt.Println(u.Scheme(), u.Username(), u.Host(), u.Port(), u.Path(), u.Query(), u.Fragment())
	// Output:
	// http://user@ex.example:8080/b?q#f
	// http user ex.example 8080 /b q f
}

func ExampleParse_error() {
	_, err := anyurl.Parse("http://[::1/x")
	fmt.Println(err)
	// Output:
	// offset 7: IPv6 address is never closed by "]" (URL Standard, host parsing)
}

func ExampleURL_Resolve() {
	base := anyurl.MustParse("http://a.example/b/c?d")
	u, err := base.Resolve("../e")
	fmt.Println(u, err)
	// Output:
	// http://a.example/e <nil>
}

func ExampleParser() {
	p := anyurl.Parser{Report: func(e *rule.Error) { fmt.Println(e.Offset, e.Rule.ID) }}
	u, err := p.Parse(`https:\\me@ex.example/a b`)
	fmt.Println(u, err)
	// Output:
	// 6 url/special-scheme-missing-following-solidus
	// 6 url/special-scheme-missing-following-solidus
	// 7 url/special-scheme-missing-following-solidus
	// 10 url/invalid-credentials
	// 23 url/invalid-url-unit
	// https://me@ex.example/a%20b <nil>
}

func ExampleURL_Join() {
	u := anyurl.MustParse("https://a.example/files/?v=1")
	v, err := u.Join("2026", "a/b 50%.txt")
	fmt.Println(v, err)
	_, err = u.Join("..", "secret")
	fmt.Println(err)
	// Output:
	// https://a.example/files/2026/a%2Fb%2050%25.txt?v=1 <nil>
	// offset 0: "." and "..", encoded or not, are steps in a URL's path and cannot be names (URL Standard, URL representation)
}

func ExampleURL_WithHost() {
	u := anyurl.MustParse("http://a.example/b")
	v, err := u.WithHost("[::1]:8080")
	fmt.Println(v, err)
	// Output: http://[::1]:8080/b <nil>
}

func ExampleQuery() {
	u := anyurl.MustParse("http://a.example/?b=2&bare&a=%7e1")
	q := u.Params()
	fmt.Println(q.Get("a"))
	u, err := u.WithParams(q.Set("b", "x y").Add("c", "&"))
	fmt.Println(u, err)
	// Output:
	// ~1 true
	// http://a.example/?b=x+y&bare&a=%7e1&c=%26 <nil>
}

func ExampleParseTyped() {
	for _, s := range []string{"localhost:8080", "example.com/x", "/etc/motd"} {
		u, err := anyurl.ParseTyped(s)
		fmt.Println(u, err)
	}
	// Output:
	// http://localhost:8080/ <nil>
	// https://example.com/x <nil>
	// file:///etc/motd <nil>
}

func ExampleFileURL() {
	u, err := anyurl.FileURL(`C:\Users\me\50%.txt`, anyurl.WindowsPath)
	fmt.Println(u, err)
	path, err := u.FilePath(anyurl.WindowsPath)
	fmt.Println(path, err)
	// Output:
	// file:///C:/Users/me/50%25.txt <nil>
	// C:\Users\me\50%.txt <nil>
}

func ExampleParseHost() {
	h, err := anyurl.ParseHost("0x7f.1", true)
	fmt.Println(h, h.Kind(), err)
	// Output: 127.0.0.1 ipv4 <nil>
}
