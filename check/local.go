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

// local gives the verdict on a file URL: whether this machine has the file. With
// pages its places are read, and with texts what it says.
// Only a regular file is ever opened, for its anchors: another may be a device,
// or wait for a writer.
func (rules Files) local(t *target, pages, texts bool) verdict {
	v, path, info := rules.file(t, pages, texts)
	if v.State == Alive {
		rules.onFrom(t, path, info, pages, &v)
	}
	return v
}

// file is local for the file itself, and gives which it is; it goes nowhere from there.
func (rules Files) file(t *target, pages, texts bool) (v verdict, path string, info fs.FileInfo) {
	u := t.url
	v = verdict{Result: Result{State: Alive, From: "file"}}
	if host := u.Host().String(); host != "" && pathStyle() == anyurl.UnixPath {
		v.State, v.Reason = Skipped, "a file on another machine"
		return v, "", nil
	}
	path, err := u.FilePath(pathStyle())
	if err != nil {
		v.State, v.Reason = Broken, "no file has such a name: "+broken(err)
		return v, "", nil
	}
	path, info, err = rules.find(path)
	switch {
	case errors.Is(err, errNoIndex):
		v.State, v.Reason = Broken, "the folder has no "+strings.Join(rules.Index, " and no ")
	case err == nil:
		if pages {
			t.anchors = localAnchors(path, info, texts)
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		v.State, v.Reason = Broken, "no such file"
		if packed, err := os.Stat(path + ".gz"); err == nil && packed.Mode().IsRegular() {
			v.Reason += ", but " + filepath.Base(path) + ".gz is there"
		}
	default:
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		v.State, v.Reason = Unsure, err.Error()
	}
	return v, path, info
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

// localAnchors reads the anchors of a local file. A folder has those of the text that
// forges show beneath it.
func localAnchors(path string, info fs.FileInfo, texts bool) *anchors {
	if info.IsDir() {
		readme := filepath.Join(path, "README.md")
		if in, err := os.Stat(readme); err == nil && in.Mode().IsRegular() {
			return localAnchors(readme, in, texts)
		}
		return &anchors{opaque: "a folder"}
	}
	unreadable := &anchors{opaque: "what cannot be read"}
	if !info.Mode().IsRegular() {
		return unreadable
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPage))
	if err != nil {
		return unreadable
	}
	d := anchorsOf(data, "", path)
	switch {
	case !texts || d.pdf != nil || d.opaque != "":
	case d.open || d.loose != nil:
		d.words = spaced(string(data))
	default:
		d.words = visible(decoded(data, ""))
	}
	return d
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
