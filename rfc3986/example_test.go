package rfc3986_test

import (
	"errors"
	"fmt"

	"anyurl/rfc3986"
	"anyurl/rule"
)

func ExampleParse() {
	u, err := rfc3986.Parse("foo://user@Example.com:8042/over/there?name=ferret#nose")
	if err != nil {
		panic(err)
	}
	fmt.Println(u.Scheme(), u.Userinfo(), u.Host(), u.HostKind(), u.Port())
	fmt.Println(u.Path(), u.Query(), u.Fragment())
	fmt.Println(u.Span(rfc3986.PartHost))
	// Output:
	// foo user Example.com regname 8042
	// /over/there name=ferret nose
	// 11 22 true
}

func ExampleParse_refused() {
	_, err := rfc3986.Parse(`http://a.example\@b.example/`)
	fmt.Println(err)
	var e *rule.Error
	if errors.As(err, &e) {
		fmt.Println(e.Rule.ID)
	}
	// Output:
	// offset 16: "\" is read as "/" by the URL Standard; RFC 3986 has no such character (RFC 3986, section 2)
	// rfc3986/reg-name
}

func ExampleResolve() {
	base, _ := rfc3986.Parse("http://a/b/c/d;p?q")
	ref, _ := rfc3986.ParseReference("../g")
	u, err := rfc3986.Resolve(base, ref)
	fmt.Println(u, err)
	// Output: http://a/b/g <nil>
}

func ExampleNormalize() {
	u, _ := rfc3986.Parse("eXAMPLE://a/./b/../b/%63/%7bfoo%7d")
	n, err := rfc3986.Normalize(u, rfc3986.LevelSegments)
	fmt.Println(n, err)
	// Output: example://a/b/c/%7Bfoo%7D <nil>
}

func ExampleRelative() {
	base, _ := rfc3986.Parse("http://a.example/docs/v1/index.html")
	target, _ := rfc3986.Parse("http://a.example/img/logo.png")
	ref, err := rfc3986.Relative(base, target)
	fmt.Println(ref, err)
	// Output: ../../img/logo.png <nil>
}

func ExampleToURI() {
	iri, _ := rfc3986.ParseIRI("http://example.org/résumé")
	u, err := rfc3986.ToURI(iri)
	fmt.Println(u, err)
	// Output: http://example.org/r%C3%A9sum%C3%A9 <nil>
}
