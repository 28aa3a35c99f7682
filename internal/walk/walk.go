// Package walk gives the files that a command line names: files, folders with
// all that is in them, and globs. Start with [Files].
//
// A folder's .gitignore is obeyed as git obeys it, with those of the folders
// above it up to the repository's root, for folders and globs alike; a file that
// is named itself is always given.
package walk

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"
)

// ErrNoMatch is a glob that matches no file.
var ErrNoMatch = errors.New("no file matches")

// ErrBadGlob is a glob with a bracket or a brace that is never closed.
var ErrBadGlob = errors.New("a bracket or a brace of the glob is not closed")

// Files gives the path of every file that names stand for, in the order of the
// names and, within a folder, of the alphabet; a file that is met twice is
// given once. A name is a file, a folder or a glob, in which ** stands for
// folders at any depth. What cannot be read comes as an *[fs.PathError], or as
// [ErrNoMatch] or [ErrBadGlob] wrapped with the glob, and the files after it
// still come.
//
// The name "-", which stands for standard input, is given as it is.
//
// Folders and globs are walked alike: symbolic links, what is no regular file,
// version control's own folders and what a .gitignore leaves out are passed
// over, and hidden files are not. Any of these is given where it is named
// itself, or the folder that a glob starts from is.
func Files(names ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		seen := map[string]bool{}
		w := walker{yield: func(path string, err error) bool {
			if err == nil {
				path = filepath.Clean(path)
				if seen[path] {
					return true
				}
				seen[path] = true
			}
			return yield(path, err)
		}}
		for _, name := range names {
			if !w.name(name) {
				return
			}
		}
	}
}

// A walker walks for one call of Files. Its methods report whether to go on.
type walker struct {
	yield func(string, error) bool
	glob  *glob // what of a folder is wanted; nil: all
}

func (w walker) name(name string) bool {
	if name == "-" {
		return w.yield(name, nil)
	}
	info, err := os.Stat(name)
	if err != nil {
		missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		if missing && strings.ContainsAny(name, "*?[{") {
			return w.expand(name)
		}
		return w.yield(name, err)
	}
	if !info.IsDir() {
		return w.yield(name, nil)
	}
	return w.folder(name, ignoresAbove(name))
}

// expand walks the folder that the pattern names in front of its first special
// character, as it would be walked if it were named alone, and gives what
// matches the rest.
func (w walker) expand(pattern string) bool {
	slashed := filepath.ToSlash(pattern)
	if !doublestar.ValidatePattern(slashed) {
		return w.yield(pattern, fmt.Errorf("%s: %w", pattern, ErrBadGlob))
	}
	base, rest := doublestar.SplitPattern(slashed)
	g := &glob{base: filepath.FromSlash(literal(base)), pattern: rest, steps: stepsOf(rest)}
	matched := false
	inner := walker{glob: g, yield: func(path string, err error) bool {
		matched = true
		return w.yield(path, err)
	}}
	if info, err := os.Stat(g.base); err == nil && info.IsDir() {
		if !inner.folder(g.base, ignoresAbove(g.base)) {
			return false
		}
	}
	return matched || w.yield(pattern, fmt.Errorf("%s: %w", pattern, ErrNoMatch))
}

// A glob is what of a folder is wanted.
type glob struct {
	base    string   // the folder
	pattern string   // against the path from base, with slashes
	steps   []string // the pattern's, one a folder; nil when they cannot be told apart
}

// stepsOf divides a pattern at its slashes; it gives nil for one that has
// slashes within braces.
func stepsOf(pattern string) []string {
	steps := strings.Split(pattern, "/")
	for _, step := range steps {
		if !doublestar.ValidatePattern(step) {
			return nil
		}
	}
	return steps
}

// literal is the text that a pattern without special characters stands for.
func literal(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// wants reports whether the glob matches a file; no glob wants every one.
func (g *glob) wants(path string) bool {
	if g == nil {
		return true
	}
	rel, err := filepath.Rel(g.base, path)
	if err != nil {
		return false
	}
	ok, _ := doublestar.Match(g.pattern, filepath.ToSlash(rel))
	return ok
}

// enters reports whether a file that the glob matches may lie below a folder.
func (g *glob) enters(dir string) bool {
	if g == nil || g.steps == nil {
		return true
	}
	rel, err := filepath.Rel(g.base, dir)
	if err != nil {
		return false
	}
	for i, name := range strings.Split(filepath.ToSlash(rel), "/") {
		if i == len(g.steps) {
			return false
		}
		if g.steps[i] == "**" {
			return true
		}
		if ok, _ := doublestar.Match(g.steps[i], name); !ok {
			return false
		}
	}
	return true
}

func (w walker) folder(dir string, layers []layer) bool {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil && !w.yield(dir, err) {
		return false
	}
	if rules := readIgnore(filepath.Join(dir, ".gitignore")); rules != nil {
		layers = append(slices.Clip(layers), layer{dir, rules})
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case ignored(layers, path, entry.IsDir()):
		case entry.IsDir():
			if isRepository(entry.Name()) || !w.glob.enters(path) {
				continue
			}
			if !w.folder(path, layers) {
				return false
			}
		case entry.Type().IsRegular() && w.glob.wants(path):
			if !w.yield(path, nil) {
				return false
			}
		}
	}
	return true
}

// isRepository reports whether a folder holds a version control system's own
// files.
func isRepository(name string) bool {
	return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj"
}
