package events

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"fairground/internal/platform/db"
)

const (
	relayBatch = 256
	relayPoll  = time.Second           // finds rows of a replica that died
	relayPause = 10 * time.Millisecond // under load, one relay publishes many commits
)

// An Outbox publishes messages after their commit, at least once. Rows are written in the transaction that they report.
type Outbox struct {
	store *db.Store
	bus   *Bus
	log   *slog.Logger
	wake  chan struct{}
	poll  time.Duration
	sent  int64 // SQLite: the last id that this process published
	clear int64 // SQLite: the last id deleted
}

// NewOutbox returns an outbox. Run starts its relay.
func NewOutbox(store *db.Store, bus *Bus, log *slog.Logger) *Outbox {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{store: store, bus: bus, log: log, wake: make(chan struct{}, 1), poll: relayPoll}
}

// Add writes messages in a transaction. Call Wake after its commit.
func (o *Outbox) Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...Message) error {
	payload, err := json.Marshal(messages)
	if err != nil {
		return fmt.Errorf("encode messages: %w", err)
	}
	_, err = db.Bind(tx.Engine, tx.Tx).ExecContext(ctx,
		"INSERT INTO outbox (payload, created_at) VALUES ($1, $2)", string(payload), db.Millis(now))
	if err != nil {
		return fmt.Errorf("write outbox: %w", err)
	}
	return nil
}

// Wake makes the relay look for new rows. It never blocks.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run relays until ctx ends.
func (o *Outbox) Run(ctx context.Context) {
	poll := time.NewTicker(o.poll)
	defer poll.Stop()
	for {
		tick := false
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case <-poll.C:
			tick = true
		}
		if err := o.relay(ctx, tick); err != nil && ctx.Err() == nil {
			o.log.Error("relay outbox", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(relayPause):
		}
	}
}

func (o *Outbox) relay(ctx context.Context, tick bool) error {
	for {
		var n int
		var err error
		if o.store.Engine == db.SQLite {
			n, err = o.relaySQLite(ctx)
		} else {
			n, err = o.relayPostgres(ctx)
		}
		if err != nil {
			return err
		}
		if n < relayBatch {
			break
		}
	}
	if tick && o.store.Engine == db.SQLite {
		return o.clearSQLite(ctx)
	}
	return nil
}

// relaySQLite only reads. Rows are deleted once a second, because a write per batch would cost the ledger a disk sync.
// Rows that a crash leaves are published again.
func (o *Outbox) relaySQLite(ctx context.Context) (int, error) {
	rows, err := o.store.Reader.QueryContext(ctx,
		"SELECT id, payload FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2", o.sent, relayBatch)
	if err != nil {
		return 0, fmt.Errorf("read outbox: %w", err)
	}
	defer rows.Close()
	n, last := 0, o.sent
	for rows.Next() {
		var payload []byte
		if err := rows.Scan(&last, &payload); err != nil {
			return 0, fmt.Errorf("read outbox: %w", err)
		}
		if err := o.bus.Publish(subjectMessages, payload); err != nil {
			return 0, err
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("read outbox: %w", err)
	}
	if n == 0 {
		return 0, nil
	}
	if err := o.bus.Flush(); err != nil {
		return 0, err
	}
	o.sent = last
	return n, nil
}

func (o *Outbox) clearSQLite(ctx context.Context) error {
	if o.clear == o.sent {
		return nil
	}
	if _, err := o.store.Writer.ExecContext(ctx, "DELETE FROM outbox WHERE id <= ?1", o.sent); err != nil {
		return fmt.Errorf("clear outbox: %w", err)
	}
	o.clear = o.sent
	return nil
}

// relayPostgres deletes rows that no other replica has locked, publishes them and commits. The commit need not be durable,
// because the rows would only be published again.
func (o *Outbox) relayPostgres(ctx context.Context) (n int, err error) {
	err = o.store.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
			return fmt.Errorf("disable synchronous commit: %w", err)
		}
		rows, err := tx.QueryContext(ctx, `
			WITH taken AS (
				DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
				RETURNING id, payload)
			SELECT payload FROM taken ORDER BY id`, relayBatch)
		if err != nil {
			return fmt.Errorf("take from outbox: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var payload []byte
			if err := rows.Scan(&payload); err != nil {
				return fmt.Errorf("read outbox: %w", err)
			}
			if err := o.bus.Publish(subjectMessages, payload); err != nil {
				return err
			}
			n++
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read outbox: %w", err)
		}
		if n == 0 {
			return nil
		}
		return o.bus.Flush()
	})
	return n, err
}
