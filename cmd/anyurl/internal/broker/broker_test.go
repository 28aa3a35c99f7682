package broker_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"anyurl/cmd/anyurl/internal/broker"
)

func ExampleStart() {
	dir, err := os.MkdirTemp("", "broker")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	b, err := broker.Start("127.0.0.1:0", dir) // a port that is free
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	fmt.Println(strings.HasPrefix(b.URL(), "nats://127.0.0.1:"))
	// Output: true
}

// TestRefused: what is no address, or somebody else's, is an error and no wait.
func TestRefused(t *testing.T) {
	for _, address := range []string{"", "4222", "127.0.0.1:http", "127.0.0.1:99999", "nats://127.0.0.1:4222"} {
		if _, err := broker.Start(address, t.TempDir()); !errors.Is(err, broker.ErrAddress) {
			t.Errorf("%q: got %v", address, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := broker.Start(l.Addr().String(), t.TempDir()); err == nil {
		t.Error("somebody else listens there")
	}
}
