package check

import (
	"fmt"
	"testing"
	"time"
)

func TestInSeconds(t *testing.T) {
	for ms := range time.Duration(10000) {
		if got, want := fmt.Sprint(inSeconds(ms*time.Millisecond+400*time.Microsecond)), fmt.Sprintf("%g", float64(ms)/1000); got != want || len(got) > 6 {
			t.Fatalf("%d ms: %s, want %s", ms, got, want)
		}
	}
}
