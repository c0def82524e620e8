package events

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"fairground/internal/platform/db"
)

const (
	readBatch = 256
	readPoll  = 500 * time.Millisecond // finds changes that no replica reported
	readPause = 10 * time.Millisecond  // under load, one read takes the rows of many commits
	retention = time.Minute            // rows are deleted after this time
	trimPause = time.Second
	// A replica that has not read for this long may have missed deleted rows.
	missedAfter = retention - 10*time.Second
	// A transaction that takes longer to commit its row goes unnoticed.
	gapTimeout = time.Minute
	gapPause   = 50 * time.Millisecond
	maxGap     = 1000 // ids
	firstGap   = 64
)

// SubjectMissed is delivered with no data when changes may have been missed, for example because the database was
// unreachable. Subscribers drop everything that they keep.
const SubjectMissed = "missed"

// An Outbox reads the changes of all replicas after their commit and passes them to the bus of this process.
type Outbox struct {
	store *db.Store
	bus   *Bus
	log   *slog.Logger
	wake  chan struct{} // this process has committed
	told  chan struct{} // another replica has
	poll  time.Duration

	started  bool
	failing  bool
	last     int64               // the highest id read
	gaps     map[int64]time.Time // lower ids that were not committed when last was read, by the time of that read
	gapsRead time.Time
	readAt   time.Time
	passed   []position // oldest first
	trimmed  int64
	trimTime time.Time
}

// A position is the last id that was read, and when.
type position struct {
	id int64
	at time.Time
}

// NewOutbox returns an outbox. Run starts its reader.
func NewOutbox(store *db.Store, bus *Bus, log *slog.Logger) *Outbox {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{store: store, bus: bus, log: log, wake: make(chan struct{}, 1), told: make(chan struct{}, 1), poll: readPoll, gaps: map[int64]time.Time{}}
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

// Wake makes this and the other replicas look for new rows. It never blocks.
func (o *Outbox) Wake() { signal(o.wake) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Start sets the position after the existing rows. Call it before anything is read that changes invalidate.
func (o *Outbox) Start(ctx context.Context) error {
	if err := o.store.Reader.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM outbox").Scan(&o.last); err != nil {
		return fmt.Errorf("read outbox: %w", err)
	}
	o.started, o.readAt = true, time.Now()
	return o.findGaps(ctx)
}

// Run reads until ctx ends.
func (o *Outbox) Run(ctx context.Context) {
	o.bus.onChanges(func() { signal(o.told) })
	stop, err := o.answerProbes(ctx)
	if err != nil {
		o.log.Error("read outbox", "error", err) // the bus is closed
		return
	}
	defer stop()
	poll := time.NewTicker(o.poll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
			o.bus.tellReplicas()
		case <-o.told:
		case <-poll.C:
		}
		o.report(ctx, o.read(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(readPause):
		}
	}
}

// report logs the first of several failures, and their end.
func (o *Outbox) report(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !o.failing:
		o.failing = true
		o.log.Error("changes cannot be read: will retry", "error", err)
	case err == nil && o.failing:
		o.failing = false
		o.log.Info("changes are read again")
	}
}

// read delivers all new rows and deletes old ones.
func (o *Outbox) read(ctx context.Context) error {
	if !o.started {
		if err := o.Start(ctx); err != nil {
			return err
		}
	}
	missed := time.Since(o.readAt) > missedAfter
	for n := readBatch; n == readBatch; {
		var err error
		if n, err = o.readNew(ctx); err != nil {
			return err
		}
	}
	if err := o.readGaps(ctx); err != nil {
		return err
	}
	o.readAt = time.Now()
	if missed {
		o.log.Warn("changes could not be read for a long time: all caches are dropped and all streams restarted")
		o.bus.deliver(SubjectMissed, nil)
	}
	return o.trim(ctx)
}

func (o *Outbox) query(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	rows, err := db.Bind(o.store.Engine, o.store.Reader).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	return rows, nil
}

func (o *Outbox) readNew(ctx context.Context) (n int, err error) {
	rows, err := o.query(ctx,
		"SELECT id, subject, payload FROM outbox WHERE id > $1 ORDER BY id LIMIT $2", o.last, readBatch)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var subject string
		var payload []byte
		if err := rows.Scan(&id, &subject, &payload); err != nil {
			return 0, fmt.Errorf("read outbox: %w", err)
		}
		o.noteGap(o.last+1, id)
		o.last = id
		n++
		o.bus.deliver(subject, payload)
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("read outbox: %w", err)
	}
	return n, nil
}

// noteGap records the ids from first to before end. PostgreSQL assigns ids before the commit, so that a lower id may
// appear later. SQLite has one writer at once.
func (o *Outbox) noteGap(first, end int64) {
	if o.store.Engine == db.SQLite {
		return
	}
	if first == 1 { // the outbox was empty: most ids are deleted ones
		first = max(first, end-firstGap)
	}
	for id := max(first, end-maxGap); id < end; id++ {
		o.gaps[id] = time.Now()
	}
}

// findGaps records the ids below the first position that are not committed yet.
func (o *Outbox) findGaps(ctx context.Context) error {
	if o.store.Engine == db.SQLite {
		return nil
	}
	rows, err := o.query(ctx, "SELECT id FROM outbox WHERE id > $1 AND id <= $2 ORDER BY id", o.last-maxGap, o.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	before := int64(0)
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("read outbox: %w", err)
		}
		if before > 0 {
			o.noteGap(before+1, id)
		}
		before = id
	}
	return rows.Err()
}

// readGaps delivers rows that were committed after a higher id.
func (o *Outbox) readGaps(ctx context.Context) error {
	if len(o.gaps) == 0 || time.Since(o.gapsRead) < gapPause {
		return nil
	}
	o.gapsRead = time.Now()
	ids := make([]int64, 0, len(o.gaps))
	for id, since := range o.gaps {
		if time.Since(since) > gapTimeout { // rolled back
			delete(o.gaps, id)
			continue
		}
		ids = append(ids, id)
	}
	rows, err := o.query(ctx, "SELECT id, subject, payload FROM outbox WHERE id = ANY($1) ORDER BY id", ids)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var subject string
		var payload []byte
		if err := rows.Scan(&id, &subject, &payload); err != nil {
			return fmt.Errorf("read outbox: %w", err)
		}
		delete(o.gaps, id)
		o.bus.deliver(subject, payload)
	}
	return rows.Err()
}

// trim deletes the rows that this process has read at least retention ago. Other replicas have read them too, or drop
// their caches when they read again.
func (o *Outbox) trim(ctx context.Context) error {
	now := time.Now()
	if now.Sub(o.trimTime) < trimPause {
		return nil
	}
	o.trimTime = now
	if len(o.passed) == 0 || o.passed[len(o.passed)-1].id != o.last {
		o.passed = append(o.passed, position{o.last, now})
	}
	upTo := o.trimmed
	for len(o.passed) > 0 && now.Sub(o.passed[0].at) >= retention {
		upTo, o.passed = o.passed[0].id, o.passed[1:]
	}
	if upTo == o.trimmed {
		return nil
	}
	err := o.store.Write(ctx, func(tx *db.Tx) error {
		if tx.Engine == db.Postgres { // rows that a crash brings back are deleted again
			if _, err := tx.ExecContext(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
				return err
			}
		}
		_, err := db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, "DELETE FROM outbox WHERE id <= $1", upTo)
		return err
	})
	if err != nil {
		return fmt.Errorf("trim outbox: %w", err)
	}
	o.trimmed = upTo
	return nil
}
