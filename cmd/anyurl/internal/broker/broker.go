// Package broker is a NATS server with JetStream within this process, for whoever
// wants to try a check with workers out and has no server yet. Start with [Start].
package broker

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A Broker is a server that runs.
type Broker struct{ server *server.Server }

// ErrAddress refuses what is no address to listen on.
var ErrAddress = errors.New("it is no address to listen on")

// patience is how long a server may take to begin.
const patience = 30 * time.Second

// Start starts a server that listens on an address, as in "127.0.0.1:4222", and
// keeps its queue in a folder. Port 0 is one that is free. What it is told is on
// disk two minutes later at most: it is for trying out.
func Start(address, dir string) (*Broker, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, ErrAddress
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, ErrAddress
	}
	// The server would keep to itself that somebody else listens there.
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l.Close()
	o := &server.Options{Host: host, Port: int(port), JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true, ServerName: "anyurl"}
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("setting up the NATS server: %w", err)
	}
	s.Start()
	b := &Broker{s}
	if !s.ReadyForConnections(patience) {
		b.Close()
		return nil, errors.New("the NATS server does not begin to listen")
	}
	return b, nil
}

// URL is how the server is found.
func (b *Broker) URL() string { return b.server.ClientURL() }

// Close ends the server. The queue stays in its folder.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
