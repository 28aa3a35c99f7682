package check

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"anyurl"
)

// local gives the verdict on a file URL: whether this machine has the file.
// Only a regular file is ever opened, for its anchors: another may be a device,
// or wait for a writer.
func (rules Files) local(t *target, pages bool) verdict {
	u := t.url
	v := verdict{Result: Result{State: Alive, From: "file"}}
	if host := u.Host().String(); host != "" && pathStyle() == anyurl.UnixPath {
		v.State, v.Reason = Skipped, "a file on another machine"
		return v
	}
	path, err := u.FilePath(pathStyle())
	if err != nil {
		v.State, v.Reason = Broken, "no file has such a name: "+broken(err)
		return v
	}
	path, info, err := rules.find(path)
	switch {
	case errors.Is(err, errNoIndex):
		v.State, v.Reason = Broken, "the folder has no "+strings.Join(rules.Index, " and no ")
	case err == nil:
		if pages && info.Mode().IsRegular() {
			t.anchors = localAnchors(path)
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		v.State, v.Reason = Broken, "no such file"
	default:
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		v.State, v.Reason = Unsure, err.Error()
	}
	return v
}

// errNoIndex says that a folder has no page.
var errNoIndex = errors.New("no index")

// find gives the file that a path stands for. A folder without a page is an
// error only where the rules have a word on that; otherwise the customary page
// serves for its anchors.
func (rules Files) find(path string) (string, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if missing := errors.Is(err, fs.ErrNotExist); missing && !strings.HasSuffix(path, string(filepath.Separator)) {
		for _, extension := range rules.Extensions {
			if with, err := os.Stat(path + extension); err == nil {
				return path + extension, with, nil
			}
		}
	}
	if err != nil || !info.IsDir() {
		return path, info, err
	}
	names := rules.Index
	if names == nil {
		names = []string{"index.html"}
	}
	for _, name := range names {
		if name == "." {
			return path, info, nil
		}
		page := filepath.Join(path, name)
		if in, err := os.Stat(page); err == nil && !in.IsDir() {
			return page, in, nil
		}
	}
	if rules.Index != nil {
		return path, info, errNoIndex
	}
	return path, info, nil
}

// localAnchors reads the anchors of a local file; one that cannot be read has
// none that we know of.
func localAnchors(path string) *anchors {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPage))
	if err != nil {
		return nil
	}
	return anchorsOf(data, "", path)
}

// FileURL gives the URL of a local file, which its relative links are relative
// to: the Base of a [Link].
func FileURL(path string) (anyurl.URL, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return anyurl.URL{}, err
	}
	return anyurl.FileURL(abs, pathStyle())
}

func pathStyle() anyurl.PathStyle {
	if runtime.GOOS == "windows" {
		return anyurl.WindowsPath
	}
	return anyurl.UnixPath
}
