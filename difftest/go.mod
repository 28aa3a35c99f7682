module anyurl/difftest

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	go.yaml.in/yaml/v3 v3.0.6
	mvdan.cc/xurls/v2 v2.6.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

require (
	anyurl v0.0.0
	github.com/nlnwa/whatwg-url v0.6.2
	golang.org/x/text v0.43.0 // indirect
)

replace anyurl => ../
