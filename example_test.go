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
