package rfc1630_test

import (
	"fmt"

	"anyurl/rfc1630"
)

func ExampleParse() {
	u, err := rfc1630.Parse("url:wais://quake.think.com/wais-discussion-archives?lynch")
	if err != nil {
		panic(err)
	}
	fmt.Println(u.Production())
	for part, text := range u.Parts() {
		fmt.Println(part, text)
	}
	// Output:
	// waisindex
	// prefix url
	// scheme wais
	// host quake.think.com
	// database wais-discussion-archives
	// search lynch
}

func ExampleResolve() {
	context, _ := rfc1630.Parse("magic://a/b/c//d/e/f")
	u, err := rfc1630.Resolve(context, "../g")
	fmt.Println(u, err)
	// Output: magic://a/b/c//d/g <nil>
}
