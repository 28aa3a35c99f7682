package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// roomForGarbage is how large the heap may grow before it is collected, in
// octets, though little of it be in use. A check has an answer's garbage for each
// URL and keeps little of it: with Go's own measure, twice what is in use, a
// quarter of its time went into collecting a heap of a few MiB again and again.
const roomForGarbage = 48 << 20

// leastPercent and mostPercent bound the garbage in proportion to what is in use.
// The first is Go's own: who keeps more than half the room gets no less of it.
// The second is for the time before anything is known to be in use, when Go
// reckons with 4 MiB.
const leastPercent, mostPercent = 100, 100 * roomForGarbage / (4 << 20)

// besides is what Go has in memory that is no heap: stacks, and its own tables.
const besides = 32 << 20

// useRoom has the heap grow to roomForGarbage before it is collected. GOGC and
// GOMEMLIMIT, where the user has set one, stay as they are. stop takes it back.
func useRoom() (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	k := &heapKeeper{}
	percent, limit := debug.SetGCPercent(mostPercent), debug.SetMemoryLimit(memoryLimit(0))
	k.watch()
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.stopped = true
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// A heapKeeper sets after each collection how much may come until the next.
type heapKeeper struct {
	mu      sync.Mutex
	stopped bool
}

// watch has adjust called after the next collection, which finds nobody using
// the mark.
func (k *heapKeeper) watch() {
	mark := &struct{ k *heapKeeper }{} // with a pointer, or it would share its place with others
	runtime.AddCleanup(mark, (*heapKeeper).adjust, k)
}

func (k *heapKeeper) adjust() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stopped {
		return
	}
	used := inUse()
	debug.SetMemoryLimit(memoryLimit(used))
	debug.SetGCPercent(garbagePercent(used))
	k.watch()
}

// inUse is what the last collection left and went through, in octets: Go reckons
// its percentage by that.
func inUse() (octets uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			octets += s.Value.Uint64()
		}
	}
	return octets
}

// memoryLimit is what Go may have in memory when that much of it is in use. It
// holds until adjust is called, which may be some time after a collection: where
// much came into use at once, a percentage of before would let the heap grow far.
func memoryLimit(used uint64) int64 {
	return int64(min(used+max(used, roomForGarbage)+besides, math.MaxInt64))
}

// garbagePercent is how much garbage may come to what is in use, in percent of
// it, until both fill the room.
func garbagePercent(used uint64) int {
	if used == 0 {
		return mostPercent
	}
	if used >= roomForGarbage {
		return leastPercent
	}
	return int(min(max((roomForGarbage-used)*100/used, leastPercent), mostPercent))
}
