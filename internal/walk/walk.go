// Package walk gives the files that a command line names: files, folders with
// all that is in them, and globs. Start with [Files].
//
// A folder's .gitignore is obeyed as git obeys it, with those of the folders
// above it up to the repository's root; a file that is named itself is always
// given.
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

	"github.com/bmatcuk/doublestar/v4"
)

// ErrNoMatch is a glob that matches no file.
var ErrNoMatch = errors.New("no file matches")

// Files gives the path of every file that names stand for, in the order of the
// names and, within a folder, of the alphabet; a file that is met twice is
// given once. A name is a file, a folder or a glob, in which ** stands for
// folders at any depth. What cannot be read comes as an *[fs.PathError], or as
// [ErrNoMatch] wrapped with the glob, and the files after it still come.
//
// The name "-", which stands for standard input, is given as it is.
//
// Within folders, symbolic links and what is no regular file are passed over; so
// is what a glob matches and is no regular file. A pipe or a device is given
// where it is named itself.
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
type walker struct{ yield func(string, error) bool }

func (w walker) name(name string) bool {
	if name == "-" {
		return w.yield(name, nil)
	}
	info, err := os.Stat(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?[{") {
			return w.glob(name)
		}
		return w.yield(name, err)
	}
	if !info.IsDir() {
		return w.yield(name, nil)
	}
	return w.folder(name, ignoresAbove(name))
}

func (w walker) glob(pattern string) bool {
	paths, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
	if err == nil && len(paths) == 0 {
		err = ErrNoMatch
	}
	if err != nil {
		return w.yield(pattern, fmt.Errorf("%s: %w", pattern, err))
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && !info.Mode().IsRegular() // what cannot be looked at is an error to tell
	})
	if len(paths) == 0 {
		return w.yield(pattern, fmt.Errorf("%s: %w", pattern, ErrNoMatch))
	}
	slices.Sort(paths)
	for _, path := range paths {
		if !w.yield(path, nil) {
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
			if isRepository(entry.Name()) {
				continue
			}
			if !w.folder(path, layers) {
				return false
			}
		case entry.Type().IsRegular():
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
