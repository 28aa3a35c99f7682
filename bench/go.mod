module anyurl/bench

go 1.26.0

require anyurl v0.0.0

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/nlnwa/whatwg-url v0.6.2
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

require (
	golang.org/x/sys v0.50.0 // indirect
	mvdan.cc/xurls/v2 v2.6.0
)

replace anyurl => ../
