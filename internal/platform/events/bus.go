// Package events notifies the server's packages, its other replicas and connected browsers about changes.
//
// A transaction that changes data also inserts a row into the table outbox. Each replica's Outbox reads the new rows and
// passes them to the subscribers of its Bus. The Bus uses NATS to make the other replicas read the outbox immediately.
// Without NATS they poll it twice a second. NATS runs in this process unless a URL is configured. A Hub sends messages to
// the browsers' event streams.
//
// A change may arrive twice, and a disconnected browser may miss it. Every message therefore has a version or says what to
// reload from the database.
package events

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"fairground/internal/platform/db"
)

// prefix separates our subjects from others on a shared NATS.
const prefix = "fairground."

const (
	// embeddedTimeout is generous, for busy machines.
	embeddedTimeout = 30 * time.Second
	connectTimeout  = 5 * time.Second
)

// subjectChanges is the NATS subject that announces new outbox rows to the other replicas. Its messages are empty.
const subjectChanges = prefix + "changes"

// hintPrefix is the prefix of the NATS subjects that Hint uses.
const hintPrefix = prefix + "hint."

// BusOptions configure OpenBus.
type BusOptions struct {
	URL    string // nats://…, one or several separated by commas; empty starts an embedded NATS server
	Listen string // HOST:PORT where the embedded NATS accepts other replicas; empty means none
	Token  string // required by the embedded NATS, or sent to the one at URL
	Log    *slog.Logger
}

// A Bus passes changes to the subscribers in this process and makes the other replicas read the outbox.
type Bus struct {
	conn     *nats.Conn
	embedded *server.Server
	log      *slog.Logger
	id       string // random
	added    atomic.Int64

	mu             sync.Mutex
	subscribers    map[string][]*subscriber
	changeHandlers []func() // called after another replica has committed a change
}

type subscriber struct {
	mu sync.Mutex // calls are sequential
	fn func(data []byte)
}

// OpenBus connects to NATS or starts it in this process. If no server at URL can be reached, it keeps trying in the
// background. It fails if a server refuses the connection, for example because of a wrong token.
func OpenBus(o BusOptions) (*Bus, error) {
	b := &Bus{log: o.Log, id: rand.Text(), subscribers: map[string][]*subscriber{}}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	options := []nats.Option{
		nats.Name("fairground"),
		nats.NoEcho(), // Notify calls the subscribers in this process directly
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(connectTimeout),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				b.log.Warn("events server: connection lost, reconnecting; replicas read changes from the database", "error", err)
			}
		}),
		nats.Token(o.Token),         // a token in URL takes precedence
		nats.IgnoreAuthErrorAbort(), // keep reconnecting: a restarted server may be misconfigured for some time
		nats.ReconnectHandler(b.onConnected),
	}
	if o.URL == "" {
		if err := b.embed(o.Listen, o.Token); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(b.embedded), nats.Timeout(embeddedTimeout))
	}
	conn, err := nats.Connect(o.URL, options...)
	if o.URL != "" && unreachable(err) {
		b.log.Warn("events server: not reachable, will retry; replicas read changes from the database", "error", err)
		conn, err = nats.Connect(o.URL, append(options, nats.RetryOnFailedConnect(true), nats.ConnectHandler(b.onConnected))...)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("reach events server: %w", err)
	}
	b.conn = conn
	if err := b.listen(); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Bus) onConnected(*nats.Conn) {
	b.log.Info("events server: connected")
	b.callChangeHandlers() // other replicas may have committed changes while this one was disconnected
}

// unreachable reports whether a connection failed before a server responded.
func unreachable(err error) bool {
	var malformed *url.Error // also a net.Error
	if errors.As(err, &malformed) {
		return false
	}
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.As(err, &network)
}

// Connected reports whether NATS can be reached. Without NATS, replicas see changes up to half a second later.
func (b *Bus) Connected() bool { return b.conn.IsConnected() }

// listen subscribes to the messages of the other replicas.
func (b *Bus) listen() error {
	if _, err := b.conn.Subscribe(subjectChanges, func(*nats.Msg) { b.callChangeHandlers() }); err != nil {
		return fmt.Errorf("subscribe to changes: %w", err)
	}
	if _, err := b.conn.Subscribe(hintPrefix+">", func(m *nats.Msg) { b.deliver(strings.TrimPrefix(m.Subject, hintPrefix), m.Data) }); err != nil {
		return fmt.Errorf("subscribe to hints: %w", err)
	}
	return nil
}

func (b *Bus) embed(listen, token string) error {
	o := &server.Options{ServerName: "fairground", NoSigs: true, NoLog: true, DontListen: true, MaxPayload: 8 << 20, Authorization: token}
	if listen != "" {
		host, port, err := splitAddress(listen)
		if err != nil {
			return fmt.Errorf("invalid events server address %q: %w", listen, err)
		}
		// If the port is in use, NATS would retry for a long time without reporting the reason.
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
	if !s.ReadyForConnections(embeddedTimeout) {
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

// AddIn writes a change to the outbox in the transaction that makes the change. After the commit, every other replica
// calls its subscribers of subject within a second. The caller must call Notify after the commit, for the subscribers in
// this process.
func (b *Bus) AddIn(ctx context.Context, tx *db.Tx, subject string, data []byte) error {
	_, err := db.Bind(tx.Engine, tx.Tx).ExecContext(ctx,
		"INSERT INTO outbox (subject, payload, created_at) VALUES ($1, $2, $3)", subject, string(data), db.Millis(time.Now()))
	if err != nil {
		return fmt.Errorf("record change %s: %w", subject, err)
	}
	b.added.Add(1)
	return nil
}

// Added returns the number of changes that AddIn has written. Commands use it to find out whether running servers have
// changes to read.
func (b *Bus) Added() int64 { return b.added.Load() }

// Notify reports a committed change. It calls the subscribers in this process and tells the other replicas to read the
// outbox.
func (b *Bus) Notify(subject string, data []byte) {
	b.deliver(subject, data)
	b.wakeReplicas()
}

// Hint calls the subscribers of subject in the other replicas, without a row in the database. A hint is lost while NATS
// cannot be reached, so the receivers must also look for changes by themselves.
func (b *Bus) Hint(subject string, data []byte) {
	if b.Connected() {
		_ = b.conn.Publish(hintPrefix+subject, data)
	}
}

// wakeReplicas makes the other replicas read the outbox immediately. They poll it anyway, so a failure is ignored.
func (b *Bus) wakeReplicas() {
	if b.Connected() { // NATS would buffer the message until it reconnects, and the replicas will have polled by then
		_ = b.conn.Publish(subjectChanges, nil)
	}
}

// Subscribe calls fn for each change of subject, sequentially, until stop is called.
func (b *Bus) Subscribe(subject string, fn func(data []byte)) (stop func(), err error) {
	if b.conn.IsClosed() {
		return nil, fmt.Errorf("subscribe %s: the bus is closed", subject)
	}
	s := &subscriber{fn: fn}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subscribers[subject] = append(b.subscribers[subject], s)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.subscribers[subject] = slices.DeleteFunc(slices.Clone(b.subscribers[subject]), func(one *subscriber) bool { return one == s })
	}, nil
}

func (b *Bus) deliver(subject string, data []byte) {
	b.mu.Lock()
	subscribers := slices.Clone(b.subscribers[subject])
	b.mu.Unlock()
	for _, s := range subscribers {
		s.call(data)
	}
}

func (s *subscriber) call(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fn(data)
}

// onRemoteChange calls fn after another replica has committed a change.
func (b *Bus) onRemoteChange(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changeHandlers = append(b.changeHandlers, fn)
}

func (b *Bus) callChangeHandlers() {
	b.mu.Lock()
	handlers := slices.Clone(b.changeHandlers)
	b.mu.Unlock()
	for _, fn := range handlers {
		fn()
	}
}
