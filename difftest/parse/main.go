// Command parse compares package anyurl with other readings of the URL Standard
// on generated and mutated inputs: github.com/nlnwa/whatwg-url in the same
// process, and any that answers on a pipe, such as Node's URL (which is ada) and
// npm's whatwg-url (the standard's own reference).
//
//	go run ./parse -n 10000000
//	go run ./parse -n 1000000 -against node
//	(cd parse && npm install) && go run ./parse -n 1000000 -against whatwg-url
//
// It prints each class of differences that is known, with the step of the
// standard that decides it and how many inputs fell into it, and every
// difference that is not; then it exits with status 1.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
)

func main() {
	n := flag.Int("n", 1_000_000, "how many inputs")
	seed := flag.Uint64("seed", 1, "where the generator starts")
	against := flag.String("against", "nlnwa", "nlnwa, node or whatwg-url")
	show := flag.Int("show", 20, "how many unknown differences to print")
	flag.Parse()

	peer, err := open(*against)
	if err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(3)
	}
	g := generator{rand: rand.New(rand.NewPCG(*seed, 1))}
	g.seeds = append(g.seeds, vectors()...)
	counts := map[string]int{}
	unknown, both, refused := 0, 0, 0
	const batch = 10_000
	for done := 0; done < *n; done += batch {
		inputs := make([]input, batch)
		for i := range inputs {
			inputs[i] = g.next()
		}
		theirs, err := peer(inputs)
		if err != nil {
			fmt.Fprintln(os.Stderr, "parse:", err)
			os.Exit(3)
		}
		for i, in := range inputs {
			ours := read(in)
			if ours.OK {
				both++
			} else {
				refused++
			}
			if ours == theirs[i] {
				continue
			}
			if name := explain(*against, in, ours, theirs[i]); name != "" {
				counts[name]++
				continue
			}
			unknown++
			if unknown <= *show {
				fmt.Printf("input %q base %q\n  anyurl %+v\n  %s %+v\n", in.URL, in.Base, ours, *against, theirs[i])
			}
		}
	}
	fmt.Printf("%d inputs against %s: %d URLs, %d refused, %d unknown differences\n", both+refused, *against, both, refused, unknown)
	for _, k := range known {
		if counts[k.name] > 0 {
			fmt.Printf("%8d  %s: %s (%s)\n", counts[k.name], k.name, k.why, k.cite)
		}
	}
	if unknown > 0 {
		os.Exit(1)
	}
}
