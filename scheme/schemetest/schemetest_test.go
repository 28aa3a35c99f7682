package schemetest_test

import (
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

type path string

func (p path) URL() anyurl.URL { return scheme.Opaque("x", string(p)) }

func read(u anyurl.URL) (path, error) {
	if err := scheme.Expect(u, "x"); err != nil {
		return "", err
	}
	return path(u.Path()), nil
}

func TestReads(t *testing.T) {
	schemetest.Reads(t, read, []schemetest.Row{{"x:a<b", `"a<b"`}})
	schemetest.Refuses(t, read, []schemetest.Fault{{"y:a", scheme.OtherScheme.ID, "y:"}})
}

func FuzzRead(f *testing.F) { schemetest.Fuzz(f, read, "x:a", "y://b") }
