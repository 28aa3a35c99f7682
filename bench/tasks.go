package main

import (
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"anyurl"
	"anyurl/rfc1630"
	"anyurl/rfc1738"
	"anyurl/rfc3986"
)

// sink keeps results from being optimised away.
var sink int

func tasks() []task {
	same := func(urls []string) []string { return urls }
	return []task{
		{name: "parse", ada: "parse", input: same, by: []contender{
			{name: "anyurl", run: count(func(s string) bool { _, err := anyurl.Parse(s); return err == nil })},
			{name: "net/url", run: count(func(s string) bool { _, err := url.Parse(s); return err == nil })},
		}},
		{name: "parse by the RFCs", input: strict, by: []contender{
			{name: "rfc3986", run: count(func(s string) bool { _, err := rfc3986.Parse(s); return err == nil })},
			{name: "rfc1738", run: count(func(s string) bool { _, err := rfc1738.Parse(s); return err == nil })},
			{name: "rfc1630", run: count(func(s string) bool { _, err := rfc1630.Parse(s); return err == nil })},
			{name: "net/url", run: count(func(s string) bool { _, err := url.Parse(s); return err == nil })},
			{name: "nlnwa", run: count(func(s string) bool { _, err := whatwg.Parse(s); return err == nil })},
		}},
		{name: "parse and print", ada: "print", input: same, by: []contender{
			{name: "anyurl", run: count(func(s string) bool {
				u, err := anyurl.Parse(s)
				sink += len(u.String())
				return err == nil
			})},
			{name: "net/url", run: count(netPrint)},
			{name: "nlnwa", run: count(nlnwaPrint)},
		}},
		{name: "can parse", ada: "can", input: same, by: []contender{
			{name: "anyurl", run: count(anyurl.CanParse)},
			{name: "net/url", run: count(func(s string) bool { _, err := url.Parse(s); return err == nil })},
		}},
		{name: "resolve and print", ada: "resolve", input: references, by: []contender{
			{name: "anyurl", run: func(refs []string) (n int) {
				base := anyurl.MustParse(baseURL)
				for _, s := range refs {
					u, err := base.Resolve(s)
					sink += len(u.String())
					if err == nil {
						n++
					}
				}
				return n
			}},
			{name: "net/url", run: func(refs []string) (n int) {
				base, _ := url.Parse(baseURL)
				for _, s := range refs {
					u, err := base.Parse(s)
					if err == nil {
						sink += len(u.String())
						n++
					}
				}
				return n
			}},
		}},
		work("upper-case host", func(s string) string {
			scheme, rest, _ := strings.Cut(s, "://")
			host, path, _ := strings.Cut(rest, "/")
			return scheme + "://" + strings.ToUpper(host) + "/" + path
		}),
		work("dot segments", func(s string) string {
			scheme, rest, _ := strings.Cut(s, "://")
			host, path, _ := strings.Cut(rest, "/")
			return scheme + "://" + host + "/x/.././" + path
		}),
		work("to be encoded", func(s string) string { return s + "/a b/é" }),
		work("IDNA", func(s string) string {
			scheme, rest, _ := strings.Cut(s, "://")
			return scheme + "://bücher." + rest
		}),
	}
}

// strict keeps what RFC 3986 takes, since a refusal is told in an allocation.
func strict(urls []string) (taken []string) {
	for _, s := range urls {
		if _, err := rfc3986.Parse(s); err == nil {
			taken = append(taken, s)
		}
	}
	return taken
}

func netPrint(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	sink += len(u.String())
	return true
}

// work is a task on URLs that are not their own serialisation.
func work(name string, change func(string) string) task {
	return task{name: name, ada: "print", input: func(urls []string) []string {
		var changed []string
		for i := 0; i < len(urls); i += 5 {
			changed = append(changed, change(urls[i]))
		}
		return changed
	}, by: []contender{
		{name: "anyurl", run: count(func(s string) bool {
			u, err := anyurl.Parse(s)
			sink += len(u.String())
			return err == nil
		})},
		{name: "net/url", run: count(netPrint)},
		{name: "nlnwa", run: count(nlnwaPrint)},
	}}
}

func nlnwaPrint(s string) bool {
	u, err := whatwg.Parse(s)
	if err != nil {
		return false
	}
	sink += len(u.Href(false))
	return true
}

const baseURL = "https://www.example.org/a/path/to/somewhere.html?q=1"

// references gives relative references: the paths of the URLs, some from the
// root, some from where the base is, some with steps up.
func references(urls []string) []string {
	var refs []string
	for i, s := range urls {
		_, rest, _ := strings.Cut(s, "://")
		_, path, _ := strings.Cut(rest, "/")
		switch i % 4 {
		case 0:
			refs = append(refs, "/"+path)
		case 1:
			refs = append(refs, path)
		case 2:
			refs = append(refs, "../"+path)
		case 3:
			refs = append(refs, "?q="+path)
		}
	}
	return refs
}

func count(take func(string) bool) func([]string) int {
	return func(inputs []string) (n int) {
		for _, s := range inputs {
			if take(s) {
				n++
			}
		}
		return n
	}
}
