module anyurl/bench

go 1.26.0

require anyurl v0.0.0

require (
	golang.org/x/sys v0.50.0 // indirect
	mvdan.cc/xurls/v2 v2.6.0
)

replace anyurl => ../
