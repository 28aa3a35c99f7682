module anyurl

go 1.26.0

require github.com/bmatcuk/doublestar/v4 v4.10.4

require (
	golang.org/x/net v0.62.0
	golang.org/x/text v0.43.0 // indirect
)
