// Package find runs the inputs of other finders' own test suites through
// anyurl/find, and holds that every disagreement has been decided (decided.go).
package find

import (
	"bufio"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A suiteCase is an input of a peer's suite and the links that the peer wants.
type suiteCase struct {
	peer, text string
	want       []string
	strict     bool // URLs with a scheme alone
}

// xurls reads the tests of mvdan.cc/xurls/v2, which the module cache has.
func xurls() ([]suiteCase, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "mvdan.cc/xurls/v2").Output()
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "xurls_test.go"))
	if err != nil {
		return nil, err
	}
	var all []suiteCase
	function := ""
	head := regexp.MustCompile(`^(?:func|var) (\w+)`)
	table := regexp.MustCompile(`doTest\(t, "(\w+)"`)
	row := regexp.MustCompile("^\t+\\{`([^`]*)`, (nil|true|`[^`]*`)\\},")
	for line := range strings.Lines(string(source)) {
		if m := head.FindStringSubmatch(line); m != nil {
			function = m[1]
		}
		if m := table.FindStringSubmatch(line); m != nil {
			function = m[1]
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		c := suiteCase{peer: "xurls", text: m[1], strict: strings.Contains(function, "Strict")}
		switch m[2] {
		case "nil":
		case "true":
			c.want = []string{m[1]}
		default:
			c.want = []string{strings.Trim(m[2], "`")}
		}
		all = append(all, c)
	}
	return all, nil
}

// linkify reads the tests of the Rust crate from its sources' folder.
func linkify(dir string) (all []suiteCase, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "tests", "*.rs"))
	if err != nil {
		return nil, err
	}
	const str = `"((?:[^"\\]|\\.)*)"`
	not := regexp.MustCompile(`assert_not_linked\(\s*` + str + `,?\s*\)`)
	linked := regexp.MustCompile(`assert_(?:urls_without_protocol|linked)\w*\(\s*` + str + `\s*,\s*` + str + `,?\s*\)`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range not.FindAllStringSubmatch(string(source), -1) {
			all = append(all, suiteCase{peer: "linkify", text: rust(m[1])})
		}
		for _, m := range linked.FindAllStringSubmatch(string(source), -1) {
			c := suiteCase{peer: "linkify", text: rust(m[1])}
			for i, part := range strings.Split(rust(m[2]), "|") {
				if i%2 == 1 {
					c.want = append(c.want, part)
				}
			}
			all = append(all, c)
		}
	}
	return all, nil
}

var rustRune = regexp.MustCompile(`\\u\{([0-9a-fA-F]+)\}`)

// rust unescapes a string literal.
func rust(s string) string {
	s = rustRune.ReplaceAllStringFunc(s, func(m string) string {
		r, _ := strconv.ParseInt(rustRune.FindStringSubmatch(m)[1], 16, 32)
		return string(rune(r))
	})
	return strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`, `\t`, "\t", `\r`, "\r", `\'`, "'").Replace(s)
}

// linkifyIt reads the fixtures of linkify-it: a text, and below it the link
// unless the text is the link, with "%" before comments.
func linkifyIt(dir string) (all []suiteCase, err error) {
	comment := regexp.MustCompile(`\s+%\s.*$`)
	for _, name := range []string{"links.txt", "not_links.txt"} {
		f, err := os.Open(filepath.Join(dir, "test", "fixtures", name))
		if err != nil {
			return nil, err
		}
		var lines []string
		for in := bufio.NewScanner(f); in.Scan(); {
			lines = append(lines, comment.ReplaceAllString(in.Text(), ""))
		}
		f.Close()
		for i := 0; i < len(lines); i++ {
			if lines[i] == "" || lines[i][0] == '%' {
				continue
			}
			c := suiteCase{peer: "linkify-it", text: lines[i]}
			if name == "links.txt" {
				c.want = []string{lines[i]}
				if i+1 < len(lines) && lines[i+1] != "" && lines[i+1][0] != '%' {
					i++
					c.want = []string{lines[i]}
				}
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// twitterText reads the conformance tests for extracting URLs.
func twitterText(dir string) (all []suiteCase, err error) {
	source, err := os.ReadFile(filepath.Join(dir, "conformance", "extract.yml"))
	if err != nil {
		return nil, err
	}
	var suite struct {
		Tests struct {
			URLs []struct {
				Text     string
				Expected []string
			} `yaml:"urls"`
		}
	}
	if err := yaml.Unmarshal(source, &suite); err != nil {
		return nil, err
	}
	for _, t := range suite.Tests.URLs {
		all = append(all, suiteCase{peer: "twitter-text", text: t.Text, want: t.Expected})
	}
	return all, nil
}

// gfm reads the examples of the autolink extension from cmark-gfm's
// test/spec.txt.
func gfm(dir string) (all []suiteCase, err error) {
	source, err := os.ReadFile(filepath.Join(dir, "test", "spec.txt"))
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(source), "## Autolinks (extension)")
	rest, _, _ = strings.Cut(rest, "## Raw HTML")
	example := regexp.MustCompile("(?s)`{32} example autolink\n(.*?)\n\\.\n(.*?)\n`{32}")
	link := regexp.MustCompile(`<a href="[^"]*">(.*?)</a>`)
	for _, m := range example.FindAllStringSubmatch(rest, -1) {
		c := suiteCase{peer: "gfm", text: m[1]}
		for _, l := range link.FindAllStringSubmatch(m[2], -1) {
			c.want = append(c.want, html.UnescapeString(l[1]))
		}
		all = append(all, c)
	}
	return all, nil
}
