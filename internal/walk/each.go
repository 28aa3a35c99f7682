package walk

import (
	"context"
	"iter"
	"sync"
)

// Each gives what work makes of every path, in the order of the paths, while
// work is done on up to n of them at once. What is made of a path before its
// turn waits, up to a bound, so that memory is bounded by n however many paths
// there are and however much is made of each.
//
// work hands on what it makes by give, and ends when that reports false. An
// error of a path is handed to work with it. All work has ended when the
// iteration has; the context that work is given says when it is to end early.
func Each[T any](ctx context.Context, paths iter.Seq2[string, error], n int, work func(ctx context.Context, path string, err error, give func(T) bool)) iter.Seq[T] {
	const waiting = 8 // of what was made of one path
	return func(yield func(T) bool) {
		ctx, stop := context.WithCancel(ctx)
		turns := make(chan chan T, max(n, 1)) // in the order of the paths
		slots := make(chan struct{}, max(n, 1))
		var all sync.WaitGroup
		all.Go(func() {
			defer close(turns)
			for path, err := range paths {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					return
				}
				made := make(chan T, waiting)
				select {
				case turns <- made:
				case <-ctx.Done():
					return
				}
				all.Go(func() {
					defer func() { close(made); <-slots }()
					work(ctx, path, err, func(v T) bool {
						select {
						case made <- v:
							return true
						case <-ctx.Done():
							return false
						}
					})
				})
			}
		})
		defer all.Wait()
		defer stop()
		for made := range turns {
			for v := range made {
				if !yield(v) {
					return
				}
			}
		}
	}
}
