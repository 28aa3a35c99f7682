package walk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A layer is one .gitignore and the folder it stands in.
type layer struct {
	dir   string
	rules []ignoreRule
}

// An ignoreRule is one line of a .gitignore.
type ignoreRule struct {
	pattern string // against the path from the layer's folder, with slashes
	negate  bool
	dirOnly bool
}

// ignored reports whether the layers, the deepest last, leave path out. The
// last rule that matches decides, as gitignore(5) says.
func ignored(layers []layer, path string, isDir bool) bool {
	for _, l := range slices.Backward(layers) {
		rel, err := filepath.Rel(l.dir, path)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		for _, r := range slices.Backward(l.rules) {
			if r.dirOnly && !isDir {
				continue
			}
			if ok, _ := doublestar.Match(r.pattern, rel); ok {
				return !r.negate
			}
		}
	}
	return false
}

// readIgnore reads a .gitignore; one that cannot be read says nothing.
func readIgnore(path string) (rules []ignoreRule) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if r, ok := readIgnoreRule(strings.TrimRight(line, "\r\n")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func readIgnoreRule(line string) (r ignoreRule, ok bool) {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1] // trailing spaces are ignored unless quoted
	}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		r.negate, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		r.dirOnly, line = true, rest
	}
	if line == "" {
		return r, false
	}
	// A pattern with a slash before its end is bound to the folder of its
	// file; any other matches at every depth.
	rest, rooted := strings.CutPrefix(line, "/")
	if !rooted && !strings.Contains(line, "/") {
		rest = "**/" + line
	}
	r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(rest) // git knows no alternatives in braces
	return r, doublestar.ValidatePattern(r.pattern)
}

// ignoresAbove gives the layers of the folders above dir, up to the root of
// the repository it is in; none when it is in no repository.
func ignoresAbove(dir string) []layer {
	if isRoot(dir) {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var layers []layer
	up := dir
	for at := abs; ; {
		parent := filepath.Dir(at)
		if parent == at {
			return nil // no repository
		}
		at, up = parent, filepath.Join(up, "..")
		if rules := readIgnore(filepath.Join(at, ".gitignore")); rules != nil {
			layers = append(layers, layer{up, rules})
		}
		if isRoot(at) {
			slices.Reverse(layers)
			return layers
		}
	}
}

// isRoot reports whether dir is the root of a repository.
func isRoot(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}
