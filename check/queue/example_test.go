package queue_test

import (
	"context"
	"fmt"
	"time"

	"anyurl/check"
	"anyurl/check/queue"
)

// A worker, until its context ends. Without a server it says so.
func ExampleConn_Work() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	conn, err := queue.Connect(ctx, "nats://127.0.0.1:1", queue.Options{}) // nobody listens there
	if err != nil {
		fmt.Println("no queue")
		return
	}
	defer conn.Close()
	conn.Work(ctx, &check.Checker{})
	// Output: no queue
}
