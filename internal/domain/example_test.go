package domain_test

import (
	"fmt"

	"anyurl/internal/domain"
)

func ExampleToASCII() {
	fmt.Println(domain.ToASCII("Bücher.example", false))
	fmt.Println(domain.ToASCII("a\u2488.example", false))
	fmt.Println(domain.ToASCII("xn--a.example", false)) // ASCII passes as it is
	// Output:
	// xn--bcher-kva.example <nil>
	//  offset 1: host name holds a code point that is not allowed in one (URL Standard, domain to ASCII; UTS 46, section 4.1, criterion 7)
	// xn--a.example <nil>
}

func ExampleToUnicode() {
	fmt.Println(domain.ToUnicode("xn--bcher-kva.example"))
	fmt.Println(domain.ToUnicode("xn--a.example"))
	// Output:
	// bücher.example true
	// xn--a.example false
}

func ExampleWhy() {
	fmt.Println(domain.Why("xn--0.example", true))
	// Output:
	// offset 5: label begins with "xn--" but what follows is not Punycode (RFC 3492, section 6.2; UTS 46, section 4, step 4)
}

func ExampleNFC() {
	fmt.Printf("%+q\n", domain.NFC("e\u0301"))
	// Output: "\u00e9"
}
