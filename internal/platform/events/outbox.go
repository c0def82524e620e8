package events

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"fairground/internal/platform/db"
)

const (
	readBatch       = 256
	pollInterval    = 500 * time.Millisecond // to find changes that no replica reported
	minReadInterval = 10 * time.Millisecond  // so that, under load, one read returns the rows of many commits
	retention       = time.Minute            // rows are deleted after this time
	trimInterval    = time.Second
	// A replica that has not read for this long may have missed rows that were deleted meanwhile.
	missedAfter = retention - 10*time.Second
	// The row of a transaction that takes longer than this to commit is never read.
	gapTimeout      = time.Minute
	gapReadInterval = 50 * time.Millisecond
	maxGap          = 1000 // ids
	maxFirstGap     = 64   // ids
)

// SubjectMissed is delivered with no data when changes may have been missed, for example because the database was
// unreachable. Subscribers drop everything that they keep.
const SubjectMissed = "missed"

// An Outbox reads the changes of all replicas after their commit and passes them to the bus of this process.
type Outbox struct {
	store        *db.Store
	bus          *Bus
	log          *slog.Logger
	localCommit  chan struct{} // has a value after this process has committed changes
	remoteCommit chan struct{} // has a value after another replica has committed changes
	pollInterval time.Duration

	started       bool
	failing       bool
	lastID        int64               // the highest id read
	gaps          map[int64]time.Time // lower ids that were not committed yet, with the time when each gap was found
	gapsReadAt    time.Time
	readAt        time.Time
	readPositions []position // oldest first
	deletedUpTo   int64      // id
	trimmedAt     time.Time

	completeAt atomic.Int64 // when Run last had all changes, in Unix milliseconds; 0: never
}

// A position is the highest id that had been read at some time.
type position struct {
	id int64
	at time.Time
}

// NewOutbox returns an outbox. Run starts its reader.
func NewOutbox(store *db.Store, bus *Bus, log *slog.Logger) *Outbox {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Outbox{store: store, bus: bus, log: log, localCommit: make(chan struct{}, 1), remoteCommit: make(chan struct{}, 1), pollInterval: pollInterval, gaps: map[int64]time.Time{}}
}

// Add writes messages in a transaction. Call Wake after its commit.
func (o *Outbox) Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...Message) error {
	return addIn(ctx, tx, now, messages...)
}

func addIn(ctx context.Context, tx *db.Tx, now time.Time, messages ...Message) error {
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
func (o *Outbox) Wake() { signal(o.localCommit) }

// signal sends to c unless c already has a value.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Start skips the existing rows. Call it before reading data that changes invalidate.
func (o *Outbox) Start(ctx context.Context) error {
	if err := o.store.Reader.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM outbox").Scan(&o.lastID); err != nil {
		return fmt.Errorf("read outbox: %w", err)
	}
	o.started, o.readAt = true, time.Now()
	o.completeAt.Store(o.readAt.UnixMilli())
	return o.findGaps(ctx)
}

// Run reads the outbox until ctx ends.
func (o *Outbox) Run(ctx context.Context) {
	o.bus.onRemoteChange(func() { signal(o.remoteCommit) })
	stop, err := o.answerProbes(ctx)
	if err != nil {
		o.log.Error("read outbox", "error", err) // the bus is closed
		return
	}
	defer stop()
	poll := time.NewTicker(o.pollInterval)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.localCommit:
			o.bus.wakeReplicas()
		case <-o.remoteCommit:
		case <-poll.C:
		}
		o.report(ctx, o.read(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(minReadInterval):
		}
	}
}

// Lag returns the time since this process last had all changes. It is about half a second if all is well.
func (o *Outbox) Lag() time.Duration {
	at := o.completeAt.Load()
	if at == 0 {
		return 0
	}
	return max(0, time.Since(time.UnixMilli(at)))
}

// report logs the first of several failures in a row, and the first success after them.
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

// read delivers all new rows to the subscribers and deletes old rows.
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
	o.completeAt.Store(o.readAt.UnixMilli())
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
		"SELECT id, subject, payload FROM outbox WHERE id > $1 ORDER BY id LIMIT $2", o.lastID, readBatch)
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
		o.recordGap(o.lastID+1, id)
		o.lastID = id
		n++
		o.bus.deliver(subject, payload)
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("read outbox: %w", err)
	}
	return n, nil
}

// recordGap records that the ids from first up to but not including end are missing. PostgreSQL assigns ids before the
// commit, so a lower id may appear later. SQLite has only one writer at once and therefore no gaps.
func (o *Outbox) recordGap(first, end int64) {
	if o.store.Engine == db.SQLite {
		return
	}
	if first == 1 { // the outbox was empty: most missing ids belong to deleted rows
		first = max(first, end-maxFirstGap)
	}
	for id := max(first, end-maxGap); id < end; id++ {
		o.gaps[id] = time.Now()
	}
}

// findGaps records the ids below lastID that are not committed yet.
func (o *Outbox) findGaps(ctx context.Context) error {
	if o.store.Engine == db.SQLite {
		return nil
	}
	rows, err := o.query(ctx, "SELECT id FROM outbox WHERE id > $1 AND id <= $2 ORDER BY id", o.lastID-maxGap, o.lastID)
	if err != nil {
		return err
	}
	defer rows.Close()
	previous := int64(0)
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("read outbox: %w", err)
		}
		if previous > 0 {
			o.recordGap(previous+1, id)
		}
		previous = id
	}
	return rows.Err()
}

// readGaps delivers rows that were committed after a higher id.
func (o *Outbox) readGaps(ctx context.Context) error {
	if len(o.gaps) == 0 || time.Since(o.gapsReadAt) < gapReadInterval {
		return nil
	}
	o.gapsReadAt = time.Now()
	ids := make([]int64, 0, len(o.gaps))
	for id, foundAt := range o.gaps {
		if time.Since(foundAt) > gapTimeout { // the transaction was rolled back
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

// trim deletes the rows that this process read at least retention ago. Other replicas have read them too, or will drop
// their caches when they read again.
func (o *Outbox) trim(ctx context.Context) error {
	now := time.Now()
	if now.Sub(o.trimmedAt) < trimInterval {
		return nil
	}
	o.trimmedAt = now
	if len(o.readPositions) == 0 || o.readPositions[len(o.readPositions)-1].id != o.lastID {
		o.readPositions = append(o.readPositions, position{o.lastID, now})
	}
	upTo := o.deletedUpTo
	for len(o.readPositions) > 0 && now.Sub(o.readPositions[0].at) >= retention {
		upTo, o.readPositions = o.readPositions[0].id, o.readPositions[1:]
	}
	if upTo == o.deletedUpTo {
		return nil
	}
	err := o.store.Write(ctx, func(tx *db.Tx) error {
		if tx.Engine == db.Postgres { // after a crash, the rows may reappear and are deleted again
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
	o.deletedUpTo = upTo
	return nil
}
