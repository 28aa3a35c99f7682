package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anyurl/find/format"
)

// TestMappedFile holds that a file which is mapped gives what a file that is read
// does, also where memory is given back on the way, and that it ends with the
// context.
func TestMappedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const size = 70 << 20 // most of it is a hole
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	places := []int64{0, 5<<20 - 3, 40 << 20, size - 30}
	for _, at := range places {
		if _, err := f.WriteAt([]byte("\nhttp://a.example/x\n"), at); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{1, 4} {
		ctx, stop := context.WithCancel(context.Background())
		file := &interruptible{ctx, f, size}
		finder := format.Finder{Format: "text"}
		n := 0
		for m, err := range finder.File(name, file.mapped(), size, workers) {
			if err != nil {
				t.Fatal(err)
			}
			if n >= len(places) || int64(m.Start) != places[n]+1 || m.URL != "http://a.example/x" || m.Line != 2*n+2 {
				t.Errorf("%d workers: match %d is %+v", workers, n, m.Match)
			}
			n++
		}
		if n != len(places) {
			t.Errorf("%d workers: %d matches, want %d", workers, n, len(places))
		}
		stop()
		last := error(nil)
		for _, last = range finder.File(name, file.mapped(), size, workers) {
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("%d workers: %v after the end of the context", workers, last)
		}
	}
}

// TestMappedFileCutShort holds that a file which another program cuts short while
// it is searched ends the search with an error, where it is mapped, and no process.
func TestMappedFileCutShort(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	line := "see http://a.example/x, or not\n"
	if err := os.WriteFile(name, []byte(strings.Repeat(line, 200_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := int64(200_000 * len(line))
	file := &interruptible{context.Background(), f, size}
	m, ok := file.mapped().(format.Mapper)
	if !ok {
		t.Skip("no file is mapped here")
	}
	finder := format.Finder{}
	n, last := 0, error(nil)
	for _, err := range finder.File(name, cutting{m, name}, size, 2) {
		if last = err; err == nil {
			n++
		}
	}
	if last == nil || !strings.Contains(last.Error(), "cut short") || n >= 200_000 {
		t.Errorf("%d matches and %v", n, last)
	}
}

// A cutting is a file that is cut short when most of it was looked at.
type cutting struct {
	format.Mapper
	name string
}

func (c cutting) Map(size int64) ([]byte, func(from, to int) error, func(), error) {
	text, ahead, unmap, err := c.Mapper.Map(size)
	return text, func(from, to int) error {
		if to > 3<<20 {
			if err := os.Truncate(c.name, 100); err != nil {
				return err
			}
		}
		return ahead(from, to)
	}, unmap, err
}
