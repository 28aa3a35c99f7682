module anyurl/difftest

go 1.26.0

require (
	github.com/go-git/go-billy/v5 v5.6.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/willscott/go-nfs v0.0.4
	go.yaml.in/yaml/v3 v3.0.6
	mvdan.cc/xurls/v2 v2.6.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/cyphar/filepath-securejoin v0.2.5 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/golang-lru/v2 v2.0.7 // indirect
	github.com/rasky/go-xdr v0.0.0-20170124162913-1a41d1a06c93 // indirect
	github.com/willscott/go-nfs-client v0.0.0-20240104095149-b44639837b00 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

require (
	anyurl v0.0.0
	github.com/nlnwa/whatwg-url v0.6.2
	golang.org/x/text v0.44.0 // indirect
)

replace anyurl => ../
