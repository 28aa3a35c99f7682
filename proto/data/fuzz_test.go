package data_test

import (
	"errors"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
	"anyurl/rule"
)

// FuzzFetch: what comes is the object from the octet that was asked for, and its
// type is one word; what does not come breaks a rule.
func FuzzFetch(f *testing.F) {
	for _, rest := range []string{",", "text/plain,a%20b", ";base64,dHVsaXBz", "text/html;charset=x;base64, dH Vs\taXBz ", "a/b;c=\"d,e\",f", ";BASE64,%64A=", "x", "TEXT/plain ; a,%FF%00"} {
		f.Add(rest, int64(1))
	}
	f.Fuzz(func(t *testing.T, rest string, offset int64) {
		u, err := anyurl.Parse("data:" + rest)
		if err != nil {
			return
		}
		from := func(offset int64) (*fetch.Result, string, error) {
			return get(t, u.String(), func(r *fetch.Request) { r.Offset = offset })
		}
		got, all, err := from(0)
		if err != nil {
			if _, ok := errors.AsType[*rule.Error](err); !ok {
				t.Errorf("%q: %v breaks no rule", u, err)
			}
			return
		}
		if got.Size != int64(len(all)) || strings.ContainsAny(got.Type, "; \t\r\nABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("%q: %d octets, said to be %d, of type %q", u, len(all), got.Size, got.Type)
		}
		if offset < 0 {
			return
		}
		got, part, err := from(offset)
		if err != nil || part != all[min(offset, int64(len(all))):] || got.Offset+int64(len(part)) != int64(len(all)) {
			t.Errorf("%q from %d: %q at %d, %v; the whole is %q", u, offset, part, got.Offset, err, all)
		}
	})
}
