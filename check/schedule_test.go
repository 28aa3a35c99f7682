package check

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestGather holds that a host with few tasks waits for more as long as some may
// come, and that one with enough for a turn does not.
func TestGather(t *testing.T) {
	asked := make(chan string, 2*perTurn)
	s := &schedule{
		pace:    &Pace{},
		workers: 1, perHost: 1, now: time.Now, gather: time.Hour,
		ask: func(_ context.Context, t *target) again {
			asked <- t.text
			return again{}
		},
	}
	add := make(chan task)
	var done sync.WaitGroup
	done.Go(func() { s.serve(context.Background(), add) })
	give := func(host string) { add <- task{host, &target{mention: mention{text: host}}} }
	give("few.example")
	give("few.example")
	for range perTurn {
		give("many.example")
	}
	give("few.example")
	for i := range perTurn {
		if host := <-asked; host != "many.example" {
			t.Fatalf("%d: %s was asked, whose tasks are few", i, host)
		}
	}
	close(add) // there will be no more
	done.Wait()
	close(asked)
	for range 3 {
		if host := <-asked; host != "few.example" {
			t.Fatalf("asked: %q", host)
		}
	}
}

// TestHostsTogether holds that what is known of a host is asked for in one go,
// however the list mixes hosts.
func TestHostsTogether(t *testing.T) {
	const hosts, each = 20, perTurn * 3 / 4
	var order []string
	s := &schedule{
		pace:    &Pace{},
		workers: 1, perHost: 16, now: time.Now, gather: time.Hour,
		ask: func(_ context.Context, t *target) again {
			order = append(order, t.text) // there is one worker
			return again{}
		},
	}
	add := make(chan task, hosts*each)
	for range each {
		for i := range hosts {
			host := fmt.Sprintf("%d.example", i)
			add <- task{host, &target{mention: mention{text: host}}}
		}
	}
	close(add)
	s.serve(context.Background(), add)
	if len(order) != hosts*each {
		t.Fatalf("%d of %d were asked", len(order), hosts*each)
	}
	if turns := len(slices.Compact(order)); turns != hosts {
		t.Errorf("%d hosts had %d turns", hosts, turns)
	}
}
