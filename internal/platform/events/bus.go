// Package events carries news between the parts and replicas of the server and on to open browsers: a Bus on
// NATS (embedded unless an address is given), an Outbox so that nothing is announced before it is committed,
// and a Hub that hands news to event streams. News may come twice and may be lost by a browser that was away:
// every item says where to look, or carries a version, and the database stays the truth. It never decides
// what is worth telling.
package events

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// prefix keeps the product's subjects apart from others on a shared NATS.
const prefix = "fairground."

// connectTimeout is how long a start waits for NATS. One that is there answers at once, on a machine that has time for it.
const connectTimeout = 30 * time.Second

// defaultFlushWait is how long the relay waits until NATS has what was published. After that it publishes it again.
const defaultFlushWait = 2 * time.Second

// BusOptions say where NATS is.
type BusOptions struct {
	URL    string // nats://…; empty starts one inside this process
	Listen string // HOST:PORT for the embedded one to be reached from outside; empty means not at all
	Token  string // what the embedded one asks everybody for, or what the one at URL asks for
	Log    *slog.Logger

	FlushWait time.Duration // how long Flush waits; 0 means 2 s
}

// Bus publishes to, and hears from, every replica, this one too.
type Bus struct {
	conn     *nats.Conn
	embedded *server.Server
	log      *slog.Logger
	flush    time.Duration // how long Flush waits
}

// OpenBus connects, or starts NATS in this process. A NATS by address that is away at the start is an error;
// one that goes away later is waited for.
func OpenBus(o BusOptions) (*Bus, error) {
	b := &Bus{log: o.Log, flush: cmp.Or(o.FlushWait, defaultFlushWait)}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	options := []nats.Option{
		nats.Name("fairground"),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(connectTimeout),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				b.log.Warn("events: connection lost", "error", err)
			}
		}),
		nats.Token(o.Token), // what URL itself holds goes before
		nats.ReconnectHandler(func(*nats.Conn) { b.log.Info("events: connected again") }),
	}
	if o.URL == "" {
		if err := b.embed(o.Listen, o.Token); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(b.embedded))
	}
	conn, err := nats.Connect(o.URL, options...)
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("reach events server: %w", err)
	}
	b.conn = conn
	return b, nil
}

func (b *Bus) embed(listen, token string) error {
	o := &server.Options{ServerName: "fairground", NoSigs: true, NoLog: true, DontListen: true, MaxPayload: 8 << 20, Authorization: token}
	if listen != "" {
		host, port, err := splitAddress(listen)
		if err != nil {
			return fmt.Errorf("events server's address %q: %w", listen, err)
		}
		// The server itself would try for a long time and not say why.
		probe, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", listen)
		if err != nil {
			return fmt.Errorf("events server: %w", err)
		}
		if err := probe.Close(); err != nil {
			return fmt.Errorf("events server: %w", err)
		}
		o.DontListen, o.Host, o.Port = false, host, port
	}
	s, err := server.NewServer(o)
	if err != nil {
		return fmt.Errorf("make events server: %w", err)
	}
	b.embedded = s
	s.Start()
	if !s.ReadyForConnections(connectTimeout) {
		s.Shutdown()
		return errors.New("events server did not start")
	}
	return nil
}

// Close leaves the bus; an embedded NATS stops.
func (b *Bus) Close() {
	if b.conn != nil {
		b.conn.Close()
	}
	if b.embedded != nil {
		b.embedded.Shutdown()
		b.embedded.WaitForShutdown()
	}
}

// Publish sends data to every subscriber of subject in every replica. It returns before they have it.
func (b *Bus) Publish(subject string, data []byte) error {
	if err := b.conn.Publish(prefix+subject, data); err != nil {
		return fmt.Errorf("publish %s: %w", subject, err)
	}
	return nil
}

// Tell publishes word of what is committed already. It never fails the change it tells of: without word the
// others find out as well, within maxDelay.
func (b *Bus) Notify(subject string, data []byte, maxDelay time.Duration) {
	if err := b.Publish(subject, data); err != nil {
		b.log.Warn("tell of a change", "error", err, "unseen_for_at_most", maxDelay.String())
	}
}

// Flush waits until the server has all that was published.
func (b *Bus) Flush() error {
	if err := b.conn.FlushTimeout(b.flush); err != nil {
		return fmt.Errorf("flush events: %w", err)
	}
	return nil
}

// Subscribe calls fn for each item on subject, one at a time, in the order of their sender, until stop.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (stop func(), err error) {
	sub, err := b.conn.Subscribe(prefix+subject, func(m *nats.Msg) { fn(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("subscribe %s: %w", subject, err)
	}
	// Heard from now on, not from whenever the server gets to know of it.
	if err := b.conn.FlushTimeout(connectTimeout); err != nil {
		return nil, fmt.Errorf("subscribe %s: %w", subject, err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // fails only when the connection is closed: then there is nothing to stop
}
