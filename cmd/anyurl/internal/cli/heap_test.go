package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for _, tt := range []struct {
		used uint64
		want int
	}{
		{0, mostPercent},
		{1, mostPercent},
		{roomForGarbage / 4, 300}, // three times as much fills the room
		{roomForGarbage / 2, 100},
		{roomForGarbage/2 + 1<<20, leastPercent},
		{roomForGarbage, leastPercent},
		{100 * roomForGarbage, leastPercent},
	} {
		if got := garbagePercent(tt.used); got != tt.want {
			t.Errorf("%d in use: %d %%, want %d %%", tt.used, got, tt.want)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	for _, tt := range []struct {
		used uint64
		want int64
	}{
		{0, roomForGarbage + besides},
		{roomForGarbage / 2, roomForGarbage/2 + roomForGarbage + besides}, // all of the room
		{3 * roomForGarbage, 6*roomForGarbage + besides},                  // Go's own measure
		{math.MaxInt64 / 2, math.MaxInt64},
	} {
		if got := memoryLimit(tt.used); got != tt.want {
			t.Errorf("%d in use: %d, want %d", tt.used, got, tt.want)
		}
	}
}

// TestRoomIsGivenBack holds that percentage and limit are set, and as they were
// afterwards.
func TestRoomIsGivenBack(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	limit := debug.SetMemoryLimit(-1)
	stop := useRoom()
	during, bound := debug.SetGCPercent(mostPercent), debug.SetMemoryLimit(-1)
	stop()
	if after := debug.SetGCPercent(77); during < leastPercent || after != 77 {
		t.Errorf("%d %% while it is used, %d %% after it", during, after)
	}
	if after := debug.SetMemoryLimit(-1); bound >= limit || after != limit {
		t.Errorf("limit %d, then %d, and %d after it", limit, bound, after)
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	useRoom()()
	if after := debug.SetMemoryLimit(-1); after != limit {
		t.Errorf("limit %d, though the user has set it", after)
	}
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "50")
	useRoom()()
	if after := debug.SetGCPercent(77); after != 77 {
		t.Errorf("%d %%, though the user has set it", after)
	}
}
