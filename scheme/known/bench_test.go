package known_test

import (
	"testing"

	"anyurl"
	"anyurl/scheme/known"
)

func BenchmarkLookup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := known.Lookup("gopher"); !ok {
			b.Fatal("gopher is not known")
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, s := range []string{
		"https://www.example/docs/index.html?lang=en",
		"ftp://ftp.example/pub/docs/rfc1738.txt;type=a",
		"gopher://gopher.example/7/find%09tulips",
		"mailto:joe@a.example?subject=Tulips",
	} {
		u := anyurl.MustParse(s)
		known, _ := known.Lookup(u.Scheme())
		b.Run(u.Scheme(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := known.Read(u); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
