package check

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"anyurl"
)

// MemberURL gives the URL of a member of an archive, to which its relative links
// are relative: "!/" stands before the member's name in it, as in the source of a
// match. ok is false for what is no member of a ZIP file, as EPUB and office
// documents are some; of others no links are looked up.
func MemberURL(source string) (u anyurl.URL, ok bool) {
	file, member, ok := strings.Cut(source, "!/")
	if !ok || strings.Contains(member, "!/") || !isZip(file) {
		return anyurl.URL{}, false
	}
	u, err := FileURL(file + "!" + string(filepath.Separator) + filepath.FromSlash(member))
	return u, err == nil
}

func isZip(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && bytes.Equal(head[:], []byte("PK\x03\x04"))
}

// archives are the ZIP files whose members links lead to. They know the names of
// the latest.
type archives struct {
	mu    sync.Mutex
	names map[string]map[string]bool // of files and folders, by the archive's path
}

// mostArchives is how many archives' names are kept.
const mostArchives = 16

// memberOf divides the path of an archive's member; ok is false for another path.
func memberOf(name string) (file, member string, ok bool) {
	file, member, ok = strings.Cut(name, "!"+string(filepath.Separator))
	return file, filepath.ToSlash(member), ok && isZip(file)
}

// has reports whether an archive has a member, or a folder of that name.
func (a *archives) has(file, member string) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	names, ok := a.names[file]
	if !ok {
		z, err := zip.OpenReader(file)
		if err != nil {
			return false, err
		}
		defer z.Close()
		names = map[string]bool{"": true}
		for _, f := range z.File {
			name := strings.Trim(strings.ReplaceAll(f.Name, `\`, "/"), "/")
			for ; name != "." && !names[name]; name = path.Dir(name) {
				names[name] = true
			}
		}
		if a.names == nil || len(a.names) >= mostArchives {
			a.names = map[string]map[string]bool{}
		}
		a.names[file] = names
	}
	return names[strings.Trim(member, "/")], nil
}

// packed gives the verdict on a file URL that leads into an archive; ok is false
// for any other.
func (rules Files) packed(t *target, all *archives, pages bool) (v verdict, ok bool) {
	path, err := t.url.FilePath(pathStyle())
	if err != nil || t.url.Host().String() != "" {
		return v, false
	}
	file, member, ok := memberOf(path)
	if _, err := os.Lstat(path); !ok || err == nil {
		return v, false
	}
	return rules.member(t, all, file, member, pages), true
}

// member gives the verdict on a member of an archive.
func (rules Files) member(t *target, all *archives, file, member string, pages bool) verdict {
	v := verdict{Result: Result{State: Alive, From: "file"}}
	for _, extension := range append([]string{""}, rules.Extensions...) {
		switch has, err := all.has(file, member+extension); {
		case err != nil:
			v.State, v.Reason = Unsure, "the archive cannot be read: "+err.Error()
			return v
		case has:
			if pages {
				t.anchors = memberAnchors(file, member+extension)
			}
			return v
		}
	}
	v.State, v.Reason = Broken, "the archive has no such file"
	return v
}

// memberAnchors reads the anchors of an archive's member; one that cannot be read
// has none that we know of.
func memberAnchors(file, member string) *anchors {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil
	}
	defer z.Close()
	f, err := z.Open(member)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode()&fs.ModeType != 0 {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxPage))
	if err != nil {
		return nil
	}
	return anchorsOf(data, "", member)
}
