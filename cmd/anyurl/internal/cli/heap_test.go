package cli

import (
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

// TestRoomIsGivenBack holds that the percentage is set, and as it was afterwards.
func TestRoomIsGivenBack(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	stop := useRoom()
	during := debug.SetGCPercent(mostPercent)
	stop()
	if after := debug.SetGCPercent(77); during < leastPercent || after != 77 {
		t.Errorf("%d %% while it is used, %d %% after it", during, after)
	}
	t.Setenv("GOGC", "50")
	useRoom()()
	if after := debug.SetGCPercent(77); after != 77 {
		t.Errorf("%d %%, though the user has set it", after)
	}
}
