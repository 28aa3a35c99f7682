package rfc1738_test

import (
	"fmt"
	"slices"

	"anyurl/rfc1738"
)

func ExampleParse() {
	u, err := rfc1738.Parse("FTP://myname@host.dom/%2Fetc/motd;type=a")
	if err != nil {
		panic(err)
	}
	fmt.Println(u.Production())
	for part, text := range u.Parts() {
		fmt.Println(part, text)
	}
	fmt.Println(slices.Collect(u.Segments()))
	// Output:
	// ftpurl
	// scheme FTP
	// user myname
	// host host.dom
	// fpath %2Fetc/motd
	// ftptype a
	// [%2Fetc motd]
}

func ExampleParse_refused() {
	_, err := rfc1738.Parse("http://a.example/~user/")
	fmt.Println(err)
	// Output:
	// offset 17: one of {, }, |, ^, ~, [, ] and `, which gateways modify and which must be encoded (RFC 1738, section 2.2, Unsafe)
}
