package find_test

import (
	"fmt"
	"strings"

	"anyurl/find"
)

func ExampleText() {
	text := "see <URL:http://a.example/\n x> soon (or http://b.example/(c))."
	for m := range find.Text(text, find.Options{}) {
		fmt.Printf("%d-%d %d:%d %s %s\n", m.Start, m.End, m.Line, m.Col, m.Kind, m.URL)
	}
	// Output:
	// 9-29 1:10 url http://a.example/x
	// 40-60 2:14 url http://b.example/(c)
}

func ExampleReader() {
	r := strings.NewReader("Write to kim@example.com,\nor look at www.example.org/help.")
	for m, err := range find.Reader(r, find.Options{Relaxed: true}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Line, m.Kind, m.URL)
	}
	// Output:
	// 1 email kim@example.com
	// 2 www www.example.org/help
}

func ExampleOptions() {
	text := "at [2001:db8::1]:8080/status, www.example.org or //cdn.example.com/a.js"
	for m := range find.Text(text, find.Options{Relaxed: true}) {
		fmt.Println(m.Kind, m.URL)
	}
	// Output:
	// ip [2001:db8::1]:8080/status
	// www www.example.org
	// relative //cdn.example.com/a.js
}
