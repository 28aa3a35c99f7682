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
func Files(names ...string) iter.Seq2[string, error] { return Choice{}.Files(names...) }

// A Choice is what of the files that names stand for is wanted. The zero Choice
// wants all.
type Choice struct {
	// Extensions are those of the files that are wanted of folders: "md". None are
	// all of them. Of what a glob matches, or is named itself, they say nothing.
	Extensions []string
	// Without holds patterns of what is left out, also where it is named itself:
	// as lines of a .gitignore in the working folder would say it.
	Without []string
}

// Check refuses patterns that are none, with [ErrBadGlob].
func (c Choice) Check() error {
	for _, line := range c.Without {
		if _, ok := readIgnoreRule(line); !ok {
			return fmt.Errorf("%s: %w", line, ErrBadGlob)
		}
	}
	return nil
}

// Files gives the path of every file that names stand for and that is wanted, as
// the function [Files] does.
func (c Choice) Files(names ...string) iter.Seq2[string, error] {
	w := walker{extensions: c.Extensions}
	for _, line := range c.Without {
		if r, ok := readIgnoreRule(strings.TrimPrefix(filepath.ToSlash(line), "./")); ok {
			w.without.rules = append(w.without.rules, r)
		}
	}
	if w.without.rules != nil {
		w.without.dir, _ = filepath.Abs(".") // where that is unknown, nothing is left out
	}
	return func(yield func(string, error) bool) {
		seen := map[string]bool{}
		w := w
		w.yield = func(path string, err error) bool {
			if err == nil {
				path = filepath.Clean(path)
				if seen[path] {
					return true
				}
				seen[path] = true
			}
			return yield(path, err)
		}
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

	extensions []string // of a Choice
	without    layer
}

// leftOut reports whether a path, or with above a folder that it lies in, is left
// out.
func (w walker) leftOut(path string, isDir, above bool) bool {
	if w.without.rules == nil {
		return false
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for {
		if abs == w.without.dir {
			return false
		}
		if ignored([]layer{w.without}, abs, isDir) {
			return true
		}
		parent := filepath.Dir(abs)
		if !above || parent == abs {
			return false
		}
		abs, isDir = parent, true
	}
}

// wants reports whether a file of a folder is wanted.
func (w walker) wants(path string) bool {
	if w.glob != nil {
		return w.glob.wants(path)
	}
	return w.extensions == nil || slices.ContainsFunc(w.extensions, func(e string) bool {
		return strings.EqualFold(filepath.Ext(path), "."+e)
	})
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
	if w.leftOut(name, info.IsDir(), true) {
		return true
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
	inner := w
	inner.glob = g
	inner.yield = func(path string, err error) bool {
		matched = true
		return w.yield(path, err)
	}
	if info, err := os.Stat(g.base); err == nil && info.IsDir() {
		if w.leftOut(g.base, true, true) {
			return true
		}
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

// wants reports whether the glob matches a file.
func (g *glob) wants(path string) bool {
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
		case ignored(layers, path, entry.IsDir()), w.leftOut(path, entry.IsDir(), false):
		case entry.IsDir():
			if isRepository(entry.Name()) || !w.glob.enters(path) {
				continue
			}
			if !w.folder(path, layers) {
				return false
			}
		case entry.Type().IsRegular() && w.wants(path):
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
