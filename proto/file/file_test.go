//go:build unix

package file_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/proto/file"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "a b.txt"), []byte("hello\n"), 0o666)

	client := fetch.Client{Transports: map[string]fetch.Transport{"file": file.New(dir)}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("file://" + filepath.ToSlash(dir) + "/a%20b.txt")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	_, err = client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("file:///etc/passwd")})
	fmt.Println(err)
	// Output:
	// hello
	// gate file:///etc/passwd: it is not below a folder that may be read
}

// tree makes a folder with one of everything and returns its URL and path.
func tree(t *testing.T) (url, path string) {
	t.Helper()
	path, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(path, "root")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(root, "sub dir"), 0o777))
	for name, text := range map[string]string{"root/motd": "hello\n", "root/.hidden": "", "root/a;b.txt": "x", "root/caf\xe9": "x", "root/new\nline": "x", "secret": "no"} {
		must(os.WriteFile(filepath.Join(path, name), []byte(text), 0o666))
	}
	must(os.Symlink("motd", filepath.Join(root, "inside")))
	must(os.Symlink("../secret", filepath.Join(root, "outside")))
	must(syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666))
	return "file://" + root, root
}

func get(t *testing.T, tr fetch.Transport, url string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	req := &fetch.Request{URL: anyurl.MustParse(url)}
	for _, f := range change {
		f(req)
	}
	c := fetch.Client{Transports: map[string]fetch.Transport{"file": tr}}
	fetchtest.Opened(t, "this machine", &c)
	got, err := c.Do(t.Context(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

func TestFetch(t *testing.T) {
	url, root := tree(t)
	all, rooted := file.New(), file.New(root)
	for _, tt := range []struct {
		tail string
		want string
		kind error // with and without a root
		only error // with the root alone
	}{
		{tail: "/motd", want: "hello\n"},
		{tail: "/%6Dotd", want: "hello\n"},
		{tail: "/a;b.txt", want: "x"},
		{tail: "/caf%E9", want: "x"},
		{tail: "/sub%20dir/../motd", want: "hello\n"},
		{tail: "/inside", want: "hello\n"},
		{tail: "/outside", want: "no", only: fetch.ErrRefused},
		{tail: "/../secret", want: "no", only: fetch.ErrRefused},
		{tail: "/nothing", kind: fetch.ErrNotFound},
		{tail: "/motd/", kind: fetch.ErrNotFound},
		{tail: "/motd/x", kind: fetch.ErrNotFound},
		{tail: "/pipe", kind: fetch.ErrRefused},
	} {
		for _, tr := range []*file.Transport{all, rooted} {
			kind := tt.kind
			if tr == rooted && kind == nil {
				kind = tt.only
			}
			got, body, err := get(t, tr, url+tt.tail)
			var e *fetch.Error
			if kind != nil {
				if !errors.Is(err, kind) || !errors.As(err, &e) || e.Step == "" || strings.Count(err.Error(), root) > 1 {
					t.Errorf("%s: %v, want %v", tt.tail, err, kind)
				}
				continue
			}
			if err != nil || body != tt.want {
				t.Errorf("%s: %q, %v", tt.tail, body, err)
			} else if got.Size != int64(len(body)) || got.Protocol != "file" || got.ModTime.IsZero() || got.Type != "text/plain" {
				t.Errorf("%s: %+v", tt.tail, got.Response)
			}
		}
	}
	for _, bad := range []string{"file://other.example/motd", "file:///a%2Fb", "file:///a%00b", "file:///motd?x"} {
		if _, _, err := get(t, all, bad); err == nil {
			t.Errorf("%s is opened", bad)
		}
	}
	if _, _, err := get(t, all, "file:///dev/null"); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("a device: %v", err)
	}
	// Where the system says 0 and has octets.
	if _, err := os.Stat("/proc/version"); err == nil {
		if got, body, err := get(t, all, "file:///proc/version"); err != nil || body == "" || got.Size != -1 {
			t.Errorf("/proc: %q, %v", body, err)
		}
	}
	got, body, err := get(t, all, url+"/motd", func(r *fetch.Request) { r.Offset = 2 })
	if err != nil || body != "llo\n" || got.Offset != 2 || got.Size != 4 {
		t.Errorf("from octet 2: %q, %v", body, err)
	}
	if got, body, err = get(t, all, url+"/motd", func(r *fetch.Request) { r.Offset = 9 }); err != nil || body != "" || got.Size != 0 {
		t.Errorf("past the end: %q, %v", body, err)
	}
}

func TestList(t *testing.T) {
	url, root := tree(t)
	for _, tail := range []string{"", "/"} {
		got, body, err := get(t, file.New(root), url+tail)
		if err != nil {
			t.Fatal(err)
		}
		var entries []string
		for _, e := range got.Entries {
			entries = append(entries, fmt.Sprint(e.Type, " ", e.Name, " ", e.Size, " ", strings.TrimPrefix(e.URL, url)))
			if e.Time.IsZero() {
				t.Errorf("%s has no time", e.Name)
			}
		}
		want := []string{"file .hidden 0 /.hidden", "file a;b.txt 1 /a;b.txt", "file caf\xe9 1 /caf%E9", "link inside -1 /inside", "file motd 6 /motd",
			"file new\nline 1 /new%0Aline", "link outside -1 /outside", "other pipe -1 /pipe", "dir sub dir -1 /sub%20dir/"}
		if !slices.Equal(entries, want) {
			t.Errorf("got  %q\nwant %q", entries, want)
		}
		if !strings.HasPrefix(body, ".hidden\na;b.txt\n\"caf\\xe9\"\n") || !strings.HasSuffix(body, "sub dir/\n") || !got.Listing || got.Size != int64(len(body)) || got.URL.String() != url+"/" {
			t.Errorf("%q, %+v", body, got.Response)
		}
	}
	if _, _, err := get(t, file.New(), url, func(r *fetch.Request) { r.Limits.MaxEntries = 2 }); !errors.Is(err, fetch.ErrTooLarge) {
		t.Errorf("a folder over the limit: %v", err)
	}
}

func TestSuite(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "motd"), []byte("hello\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(*dial.Dialer) fetch.Transport { return file.New(dir) },
		URL:  "file://" + filepath.ToSlash(dir) + "/motd",
		Want: "hello\n",
		Head: true,
	})
}
