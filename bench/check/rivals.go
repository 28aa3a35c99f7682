package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"anyurl"
)

// A job is what a checker is given: the front page of a site, the same site as
// files, or a list of URLs.
type job struct {
	origin string // of the site, or "" for a list
	dir    string // the site's files
	list   string // a file of URLs, one a line
	index  string // a page that links to those of the list
	work   string // a folder to work in
}

// A checker is a program that finds broken links.
type checker struct {
	name  string
	argv  func(job) []string                  // nil: not for this job
	read  func(job, []byte) ([]string, error) // the URLs it calls broken, from its standard output
	about string                              // how it was set up, where that matters

	// It ends before all that it has to say has gone through a pipe, as node's
	// programs may; into a file it goes at once.
	toFile bool
}

// bare is the name of the loop that the others are held against.
const bare = "bare loop"

func checkers(self, ours string, rivals map[string]string) []checker {
	all := []checker{
		{name: bare, argv: func(j job) []string { return []string{self, "-loop", j.list} }, read: readLines, about: "given the URLs; finds no link, sees no fragment"},
		{name: "anyurl", argv: func(j job) []string {
			if j.origin == "" {
				return []string{ours, "check", "--report", "json", j.list}
			}
			return []string{ours, "check", "--report", "json", "--depth", "20", "--fragments", "--allow-private", j.origin + "/"}
		}, read: readAnyurl},
	}
	add := func(program string, c checker) {
		path := rivals[program]
		if path == "" {
			path, _ = exec.LookPath(program)
		}
		if path == "" {
			fmt.Fprintf(os.Stderr, "check: no %s here; it is left out\n", program)
			return
		}
		c.name = program
		argv := c.argv
		c.argv = func(j job) []string {
			args := argv(j)
			switch {
			case args == nil:
			case c.toFile:
				return append([]string{"sh", "-c", `out=$1; shift; "$@" > "$out"; cat "$out"`, "sh", filepath.Join(j.work, program), path}, args...)
			default:
				return append([]string{path}, args...)
			}
			return nil
		}
		all = append(all, c)
	}
	add("muffet", checker{argv: func(j job) []string {
		page := j.origin + "/"
		if j.origin == "" {
			page = j.index
		}
		return []string{"--format", "json", "--buffer-size", "65536", page}
	}, read: readMuffet})
	add("htmltest", checker{argv: func(j job) []string {
		if j.origin == "" {
			return nil
		}
		config := filepath.Join(j.work, "htmltest.yml")
		os.WriteFile(config, fmt.Appendf(nil, "DirectoryPath: %s\nOutputDir: %s\nCheckDoctype: false\nEnforceHTTPS: false\nIgnoreAltMissing: true\nIgnoreAltEmpty: true\nIgnoreInternalEmptyHash: true\nStripQueryString: false\nCacheExpires: \"0s\"\nTestFilesConcurrently: true\n", j.dir, j.work), 0o644)
		return []string{"-c", config}
	}, read: readHTMLTest, about: "given the site as files"})
	add("linkinator", checker{argv: func(j job) []string {
		if j.origin == "" {
			return nil
		}
		return []string{"--recurse", "--check-fragments", "--check-css", "--retry", "--format", "json", j.origin + "/"}
	}, toFile: true, read: readLinkinator, about: "its checks of fragments and CSS on"})
	add("linkchecker", checker{argv: func(j job) []string {
		if j.origin == "" {
			return nil
		}
		config := filepath.Join(j.work, "linkcheckerrc")
		os.WriteFile(config, []byte("[AnchorCheck]\n[checking]\nthreads=16\nmaxrequestspersecond=10000\n"), 0o644)
		return []string{"-f", config, "--no-status", "--check-extern", "-o", "csv", j.origin + "/"}
	}, read: readLinkchecker, about: "16 threads, anchors checked, its rate limit lifted"})
	return all
}

func readLines(_ job, out []byte) ([]string, error) { return strings.Fields(string(out)), nil }

func readAnyurl(_ job, out []byte) (broken []string, err error) {
	for line := range bytes.Lines(out) {
		var r struct{ URL, State string }
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		switch r.State {
		case "broken":
			broken = append(broken, r.URL)
		case "unsure":
			broken = append(broken, "?"+r.URL)
		}
	}
	return broken, nil
}

func readMuffet(_ job, out []byte) (broken []string, err error) {
	if len(bytes.TrimSpace(out)) == 0 {
		return nil, nil
	}
	var found []struct{ Links []struct{ URL, Error string } }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, err
	}
	for _, page := range found {
		for _, link := range page.Links {
			if link.Error != "" {
				broken = append(broken, link.URL)
			}
		}
	}
	return broken, nil
}

// htmlTestLine is "WHAT --- PAGE --> URL".
var htmlTestLine = regexp.MustCompile(`^(.+) --- (.+) --> (\S.*)$`)

// readHTMLTest reads the log, as the standard output is laid out for people.
func readHTMLTest(j job, _ []byte) (broken []string, err error) {
	log, err := os.ReadFile(filepath.Join(j.work, "htmltest.log"))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(log) {
		m := htmlTestLine.FindSubmatch(bytes.TrimSpace(line))
		if m == nil {
			continue
		}
		base, err := anyurl.Parse(j.origin + "/" + string(m[2]))
		if err != nil {
			return nil, err
		}
		if u, err := base.Resolve(string(m[3])); err == nil {
			broken = append(broken, u.String())
		}
	}
	return broken, nil
}

func readLinkinator(_ job, out []byte) (broken []string, err error) {
	var found struct {
		Links []struct{ URL, State string }
	}
	if i := bytes.IndexByte(out, '{'); i > 0 {
		out = out[i:]
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, err
	}
	for _, link := range found.Links {
		if link.State == "BROKEN" {
			broken = append(broken, link.URL)
		}
	}
	return broken, nil
}

func readLinkchecker(_ job, out []byte) (broken []string, err error) {
	r := csv.NewReader(bytes.NewReader(out))
	r.Comma, r.Comment, r.FieldsPerRecord, r.LazyQuotes = ';', '#', -1, true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if len(row) < 8 || row[0] == "urlname" {
			continue
		}
		if row[6] == "False" || strings.Contains(row[4], "Anchor") {
			broken = append(broken, row[7])
		}
	}
	return broken, nil
}
