// Package events publishes changes to the parts and replicas of the server and to open browsers. A Bus runs on NATS,
// embedded unless a URL is given. An Outbox publishes messages only after their commit. A Hub sends messages to event
// streams. A message may arrive twice, and a disconnected browser may miss it, so every message has a version or says
// what to reload; the database is authoritative.
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

// prefix separates our subjects from others on a shared NATS.
const prefix = "fairground."

// connectTimeout is generous, for busy machines.
const connectTimeout = 30 * time.Second

// defaultFlushWait is how long the relay waits for NATS before it publishes again.
const defaultFlushWait = 2 * time.Second

// BusOptions configure OpenBus.
type BusOptions struct {
	URL    string // nats://…; empty starts NATS in this process
	Listen string // HOST:PORT of the embedded NATS for other replicas; empty means none
	Token  string // required by the embedded NATS, or sent to the one at URL
	Log    *slog.Logger

	FlushWait time.Duration // timeout of Flush; 0 means 2 s
}

// A Bus publishes to and receives from every replica, including this one.
type Bus struct {
	conn     *nats.Conn
	embedded *server.Server
	log      *slog.Logger
	flush    time.Duration // timeout of Flush
}

// OpenBus connects to NATS or starts it in this process. It fails if the URL cannot be reached. Later connection losses
// are retried.
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
				b.log.Warn("events: connection lost, reconnecting", "error", err)
			}
		}),
		nats.Token(o.Token), // a token in URL takes precedence
		nats.ReconnectHandler(func(*nats.Conn) { b.log.Info("events: reconnected") }),
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
			return fmt.Errorf("invalid events server address %q: %w", listen, err)
		}
		// NATS would retry for a long time without reporting the reason.
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
		return fmt.Errorf("create events server: %w", err)
	}
	b.embedded = s
	s.Start()
	if !s.ReadyForConnections(connectTimeout) {
		s.Shutdown()
		return errors.New("events server did not start")
	}
	return nil
}

// Close closes the connection and stops an embedded NATS.
func (b *Bus) Close() {
	if b.conn != nil {
		b.conn.Close()
	}
	if b.embedded != nil {
		b.embedded.Shutdown()
		b.embedded.WaitForShutdown()
	}
}

// Connected reports whether the bus has a connection to NATS.
func (b *Bus) Connected() bool { return b.conn.IsConnected() }

// Publish sends data to every subscriber of subject in every replica. It does not wait for delivery.
func (b *Bus) Publish(subject string, data []byte) error {
	if err := b.conn.Publish(prefix+subject, data); err != nil {
		return fmt.Errorf("publish %s: %w", subject, err)
	}
	return nil
}

// Notify publishes a committed change. It logs a failure instead of returning it, because other replicas find the change
// within maxDelay anyway.
func (b *Bus) Notify(subject string, data []byte, maxDelay time.Duration) {
	if err := b.Publish(subject, data); err != nil {
		b.log.Warn("could not publish a change: other replicas find it later", "error", err, "unseen_for_at_most", maxDelay.String())
	}
}

// Flush waits until NATS has received everything published.
func (b *Bus) Flush() error {
	if err := b.conn.FlushTimeout(b.flush); err != nil {
		return fmt.Errorf("flush events: %w", err)
	}
	return nil
}

// Subscribe calls fn for each message on subject, sequentially, in each sender's order, until stop is called.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (stop func(), err error) {
	sub, err := b.conn.Subscribe(prefix+subject, func(m *nats.Msg) { fn(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("subscribe %s: %w", subject, err)
	}
	// Wait until NATS has registered the subscription.
	if err := b.conn.FlushTimeout(connectTimeout); err != nil {
		return nil, fmt.Errorf("subscribe %s: %w", subject, err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // fails only on a closed connection
}
