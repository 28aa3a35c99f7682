package walk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"anyurl/internal/walk"
)

func ExampleFiles() {
	for path, err := range walk.Files("walk.go", "-", "*_test.go") {
		fmt.Println(path, err)
	}
	// Output:
	// walk.go <nil>
	// - <nil>
	// walk_test.go <nil>
}

// plant writes files, one "path: content" a line, below a new folder.
func plant(t *testing.T, files string) string {
	t.Helper()
	dir := t.TempDir()
	for line := range strings.Lines(files) {
		name, content, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		content = strings.TrimPrefix(content, " ")
		if name == "" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, `\n`, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func found(t *testing.T, dir string, names ...string) string {
	t.Helper()
	var got []string
	for path, err := range walk.Files(names...) {
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(rel))
	}
	return strings.Join(got, " ")
}

func TestIgnore(t *testing.T) {
	for _, tt := range []struct{ ignore, want string }{ // gitignore(5), "pattern format"
		{"", ".gitignore a.md b/a.md b/c/a.md b/c/d.txt e/f.md"},
		{"*.md", ".gitignore b/c/d.txt"},                         // no slash: at every depth
		{"/a.md", ".gitignore b/a.md b/c/a.md b/c/d.txt e/f.md"}, // a leading slash binds
		{"b/a.md", ".gitignore a.md b/c/a.md b/c/d.txt e/f.md"},  // so does one in the middle
		{"c/", ".gitignore a.md b/a.md e/f.md"},                  // a trailing one asks for a folder
		{"a.md/", ".gitignore a.md b/a.md b/c/a.md b/c/d.txt e/f.md"},
		{"b/**/a.md", ".gitignore a.md b/c/d.txt e/f.md"},            // ** is none or more folders
		{`*.md\n!a.md`, ".gitignore a.md b/a.md b/c/a.md b/c/d.txt"}, // the last match decides
		{`b\n!b/a.md`, ".gitignore a.md e/f.md"},                     // not below a folder left out
		{`# a.md\n\#x`, ".gitignore a.md b/a.md b/c/a.md b/c/d.txt e/f.md"},
		{"{a,f}.md", ".gitignore a.md b/a.md b/c/a.md b/c/d.txt e/f.md"}, // braces are themselves
		{"[ae]*  ", ".gitignore b/c/d.txt"},                              // trailing spaces are nothing
	} {
		dir := plant(t, "a.md: x\nb/a.md: x\nb/c/a.md: x\nb/c/d.txt: x\ne/f.md: x\n.git/HEAD: x\n.gitignore: "+tt.ignore)
		if got := found(t, dir, dir); got != tt.want {
			t.Errorf("with .gitignore %q\n got %s\nwant %s", tt.ignore, got, tt.want)
		}
	}
}

func TestIgnoreFromAbove(t *testing.T) {
	dir := plant(t, ".git/HEAD: x\n.gitignore: /sub/no.md\nsub/no.md: x\nsub/yes.md: x\nsub/deep/.gitignore: !no.md\nsub/deep/no.md: x")
	if got, want := found(t, dir, filepath.Join(dir, "sub")), "sub/deep/.gitignore sub/deep/no.md sub/yes.md"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	named := filepath.Join(dir, "sub", "no.md")
	if got, want := found(t, dir, named), "sub/no.md"; got != want {
		t.Errorf("a file that is named itself: got %q, want %q", got, want)
	}
}

func TestOnceEach(t *testing.T) {
	dir := plant(t, "a.md: x\nb/c.md: x")
	if got, want := found(t, dir, filepath.Join(dir, "b", "c.md"), dir, filepath.Join(dir, "**", "*.md")), "b/c.md a.md"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSymlinksAreNotFollowed(t *testing.T) {
	dir := plant(t, "a/b.md: x")
	if err := os.Symlink("..", filepath.Join(dir, "a", "up")); err != nil {
		t.Skip(err)
	}
	if got, want := found(t, dir, dir), "a/b.md"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestGlobsWalkAsFolders holds that ** over a folder is the folder, and that any
// other glob is a part of it.
func TestGlobsWalkAsFolders(t *testing.T) {
	dir := plant(t, ".git/HEAD: x\n.gitignore: ign/\nign/a.md: x\na.md: x\nb/c.md: x\nb/d.txt: x\nb/e/f.md: x\n.hid/g.md: x\n[x]/h.md: x")
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "b", "link.md")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct{ glob, want string }{
		{"**", found(t, dir, dir)},
		{"**/*", found(t, dir, dir)},
		{"**/*.md", ".hid/g.md [x]/h.md a.md b/c.md b/e/f.md"},
		{"*/*.md", ".hid/g.md [x]/h.md b/c.md"},
		{"*.md", "a.md"},
		{"b/*", "b/c.md b/d.txt"},
		{"b/**/f.md", "b/e/f.md"},
		{"?/**", "b/c.md b/d.txt b/e/f.md"},
		{"{b/e,.hid}/*.md", ".hid/g.md b/e/f.md"},
		{"ign/*", "ign/a.md"}, // the folder is named itself
		{`\[x\]/*`, "[x]/h.md"},
	} {
		if got := found(t, dir, dir+"/"+tt.glob); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.glob, got, tt.want)
		}
	}
	for _, tt := range []struct {
		glob string
		want error
	}{{"*/none", walk.ErrNoMatch}, {"none/*", walk.ErrNoMatch}, {"a.md/*", walk.ErrNoMatch}, {"b/*/", walk.ErrNoMatch}, {"[a", walk.ErrBadGlob}} {
		for path, err := range walk.Files(dir + "/" + tt.glob) {
			if !errors.Is(err, tt.want) {
				t.Errorf("%s: got %s, %v; want %v", tt.glob, path, err, tt.want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	dir := plant(t, "a.md: x")
	var errs []error
	var paths []string
	for path, err := range walk.Files(filepath.Join(dir, "none.md"), filepath.Join(dir, "*.html"), filepath.Join(dir, "a.md")) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		paths = append(paths, path)
	}
	if len(errs) != 2 || !errors.Is(errs[0], fs.ErrNotExist) || !errors.Is(errs[1], walk.ErrNoMatch) {
		t.Errorf("got %v, want a file that is not there and a glob without a match", errs)
	}
	if !slices.Equal(paths, []string{filepath.Join(dir, "a.md")}) {
		t.Errorf("got %v: the files after an error must still come", paths)
	}
}

func paths(n int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for i := range n {
			var err error
			if i%7 == 3 {
				err = errors.New("none")
			}
			if !yield(fmt.Sprint(i), err) {
				return
			}
		}
	}
}

func ExampleEach() {
	for size := range walk.Each(context.Background(), walk.Files("walk.go"), 4, func(_ context.Context, path string, err error, give func(string) bool) {
		give(path + " is read beside others")
	}) {
		fmt.Println(size)
	}
	// Output: walk.go is read beside others
}

func TestEachKeepsTheOrder(t *testing.T) {
	var want []string
	for path, err := range paths(300) {
		for k := range 20 {
			want = append(want, fmt.Sprint(path, err, k))
		}
	}
	for _, n := range []int{0, 1, 2, 16} {
		got := slices.Collect(walk.Each(context.Background(), paths(300), n, func(_ context.Context, path string, err error, give func(string) bool) {
			for k := range 20 {
				if !give(fmt.Sprint(path, err, k)) {
					return
				}
			}
		}))
		if !slices.Equal(got, want) {
			t.Errorf("n = %d: out of order", n)
		}
	}
}

// Two paths whose work waits for each other are both finished: they are worked
// on at once.
func TestEachIsParallel(t *testing.T) {
	var meet sync.WaitGroup
	meet.Add(2)
	for range walk.Each(context.Background(), paths(2), 2, func(_ context.Context, _ string, _ error, give func(int) bool) {
		meet.Done()
		meet.Wait()
		give(1)
	}) {
	}
}

// Leaving early ends all work.
func TestEachEnds(t *testing.T) {
	var working atomic.Int32
	for range walk.Each(context.Background(), paths(1000), 4, func(_ context.Context, _ string, _ error, give func(int) bool) {
		working.Add(1)
		defer working.Add(-1)
		for give(1) {
		}
	}) {
		break
	}
	if n := working.Load(); n != 0 {
		t.Errorf("%d still work", n)
	}
}

// What is left out is left out of folders, of globs and of what is named itself;
// extensions choose in folders alone.
func TestChoice(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.md", "b.HTML", "docs/c.md", "docs/old/d.md", "docs/old/deep/e.md", "docs/f.tmpl.md", "docs/g.txt"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	abs, err := filepath.Abs("docs/old/d.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		choice walk.Choice
		names  []string
		want   string
	}{
		{walk.Choice{Extensions: []string{"md"}}, []string{"."}, "a.md docs/c.md docs/f.tmpl.md docs/old/d.md docs/old/deep/e.md"},
		{walk.Choice{Extensions: []string{"html"}}, []string{".", "docs/g.txt", "docs/*.md"}, "b.HTML docs/g.txt docs/c.md docs/f.tmpl.md"},
		{walk.Choice{Without: []string{"docs/old"}}, []string{"."}, "a.md b.HTML docs/c.md docs/f.tmpl.md docs/g.txt"},
		{walk.Choice{Without: []string{"./docs/old/"}}, []string{"docs/**/*.md", "docs/old/d.md", abs, "docs/old/deep"}, "docs/c.md docs/f.tmpl.md"},
		{walk.Choice{Without: []string{"docs/old"}}, []string{"docs/old/*.md"}, ""},
		{walk.Choice{Without: []string{"*.md", "!c.md"}}, []string{"docs", "-"}, "docs/c.md docs/g.txt -"},
	} {
		if err := tt.choice.Check(); err != nil {
			t.Errorf("%v: %v", tt.choice, err)
		}
		var got []string
		for path, err := range tt.choice.Files(tt.names...) {
			if err != nil {
				t.Errorf("%v of %v: %v", tt.choice, tt.names, err)
			}
			got = append(got, filepath.ToSlash(path))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v of %v: %v", tt.choice, tt.names, got)
		}
	}
	if err := (walk.Choice{Without: []string{"[a"}}).Check(); !errors.Is(err, walk.ErrBadGlob) {
		t.Errorf("a pattern that is none: %v", err)
	}
}
