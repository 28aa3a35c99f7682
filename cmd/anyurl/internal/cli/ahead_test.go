package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"anyurl/fetch"
)

// TestAhead: answers come in the order of the URLs, whichever is there first. A
// slow one holds up no other, and objects that wait to be read are few.
func TestAhead(t *testing.T) {
	const most = 4
	var urls []string
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("x:%d", i))
	}
	for _, tt := range []struct {
		name  string
		holds bool
		begun int32 // at once, at most
	}{
		{"answers that are written already", false, 40},
		{"answers with objects to read", true, most},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &call{ctx: t.Context()}
				first := make(chan struct{})
				var begun atomic.Int32
				begin := func(_ context.Context, a asked) *fetched {
					begun.Add(1)
					if a.url == urls[0] {
						<-first
					}
					if !tt.holds {
						return &fetched{asked: a, err: errors.New("it went to its file")}
					}
					return &fetched{asked: a, result: &fetch.Result{Response: &fetch.Response{Body: io.NopCloser(strings.NewReader(""))}}}
				}
				go func() {
					synctest.Wait()
					if n := begun.Load(); n != tt.begun {
						t.Errorf("%d were begun beside the first, not %d", n, tt.begun)
					}
					close(first)
				}()
				var got int32
				for f := range c.ahead(urls, "lines", most, begin) {
					if f.asked.url != urls[got] {
						t.Errorf("answer %d is %s", got, f.asked.url)
					}
					if n := begun.Load(); tt.holds && n > got+most {
						t.Errorf("%d were begun before answer %d was used", n, got)
					}
					got++
				}
				if got != 40 {
					t.Errorf("%d answers, not 40", got)
				}
			})
		})
	}
	t.Run("an end in between", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			defer stop()
			c := &call{ctx: ctx}
			var open atomic.Int32
			begin := func(_ context.Context, a asked) *fetched {
				open.Add(1)
				return &fetched{asked: a, result: &fetch.Result{Response: &fetch.Response{Body: closing{strings.NewReader(""), &open}}}}
			}
			for f := range c.ahead(urls, "lines", most, begin) {
				f.discard()
				stop()
			}
			if n := open.Load(); n != 0 {
				t.Errorf("%d objects were left open", n)
			}
		})
	})
}

// A closing body says that it is closed.
type closing struct {
	io.Reader
	open *atomic.Int32
}

func (c closing) Close() error {
	c.open.Add(-1)
	return nil
}
