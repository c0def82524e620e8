// Package limits enforces the limits that members set for themselves: deposits, stakes and losses per day, week and
// month, reality checks, and breaks from play. Its gate decides within the transfer's transaction. Stricter limits apply
// at once. Looser limits wait and must be confirmed. The package never moves money and never blocks a withdrawal.
package limits

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/tasks"
)

// Faults of the gate. The ledger stores their codes with the transfer's key.
var (
	ErrReached  = fault.New(fault.Refused, "limits.reached")   // the transfer would exceed a limit
	ErrExcluded = fault.New(fault.Refused, "limits.excluded")  // the member is on a break
	ErrCheckDue = fault.New(fault.Refused, "limits.check_due") // a reality check must be acknowledged
)

// Faults of changing limits.
var (
	ErrNoPendingChange = fault.New(fault.NotFound, "limits.nothing_waits") // there is no pending change, or it has expired
	ErrTooSoon         = fault.New(fault.Refused, "limits.too_soon")       // the pending change cannot be confirmed yet
	ErrBreakShorter    = fault.New(fault.Refused, "limits.break_stands")   // the new break would end before the current one
)

// Event is the name of the event that a member's pages receive after a change.
const Event = "limits.changed"

// Outbox publishes events after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Plays manages the games that members have open.
type Plays interface {
	// IsOpen reports whether a play belongs to the member and is open.
	IsOpen(ctx context.Context, memberID, playID int64) (bool, error)
	// CloseAllIn closes all plays of a member. The caller must call announce after the commit.
	CloseAllIn(ctx context.Context, tx *db.Tx, memberID int64) (announce func(), err error)
}

// Bets are bets whose results come later.
type Bets interface {
	// QueueReturnIn arranges that the stakes of a member's bets are returned, if they can still be cancelled.
	QueueReturnIn(ctx context.Context, tx *db.Tx, memberID int64) error
}

// Messages sends system messages to members.
type Messages interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Tasks    *tasks.Queue // nil: held accounts create no tasks
	Outbox   Outbox
	Messages Messages         // nil: members get no messages
	Plays    Plays            // nil: members have no open games
	Bets     Bets             // nil: members have no such bets
	Digester *Digester        // nil: traits are not compared
	Now      func() time.Time // used on SQLite, which has no shared clock
}

// A Service stores and enforces members' limits.
type Service struct {
	o              Options
	limitedMembers *otter.Cache[int64, struct{}] // members who had limits at the last read; selects the faster query, but limits are always read
}

// maxCachedMembers is the size of the cache. A member with limits who is not in it costs one more query.
const maxCachedMembers = 1 << 16

// New returns a Service.
func New(o Options) *Service {
	return &Service{o, otter.Must(&otter.Options[int64, struct{}]{MaximumSize: maxCachedMembers})}
}

// readClock must be the clock that the ledger uses.
const readClock = `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`

// clock returns the database's time in unix ms, or the server's time on SQLite.
func (s *Service) clock(ctx context.Context, x query.DBTX) (now int64, err error) {
	if s.o.Store.Engine == db.SQLite {
		return db.Millis(s.o.Now()), nil
	}
	if err := x.QueryRowContext(ctx, readClock).Scan(&now); err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	return now, nil
}

// lockMember waits for running transfers of the member and blocks new ones. It locks accounts in the same order as the
// ledger, so that the two cannot deadlock.
const lockMember = `SELECT id FROM account WHERE member_id = $1 ORDER BY id FOR NO KEY UPDATE`

// change runs fn in a transaction that blocks the member's transfers, and notifies the member's pages.
func (s *Service) change(ctx context.Context, memberID int64, topic string, fn func(tx *db.Tx, now int64) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.changeIn(ctx, tx, memberID, topic, fn) })
	if err != nil {
		return fmt.Errorf("change %s: %w", topic, err)
	}
	s.o.Outbox.Wake()
	return nil
}

// changeIn does the same as change within the caller's transaction. The caller wakes the outbox after the commit.
func (s *Service) changeIn(ctx context.Context, tx *db.Tx, memberID int64, topic string, fn func(tx *db.Tx, now int64) error) error {
	if err := lockGuard(ctx, tx, memberID); err != nil {
		return err
	}
	now, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return err
	}
	if err := fn(tx, now); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]string{"what": topic})
	if err != nil {
		return err
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: strconv.FormatInt(memberID, 10), Event: Event, Data: data})
}

// lockGuard locks the member against concurrent transfers and changes of limits.
func lockGuard(ctx context.Context, tx *db.Tx, memberID int64) error {
	if tx.Engine == db.Postgres {
		if _, err := tx.ExecContext(ctx, lockMember, memberID); err != nil {
			return fmt.Errorf("wait for transfers of the member: %w", err)
		}
	}
	if err := tx.Q.LockLimitGuard(ctx, memberID); err != nil { // also locks members without accounts
		return fmt.Errorf("lock the member: %w", err)
	}
	return nil
}

// loadGuard reads the member's row of limit_guard, which has the break and the reality check. Members without a row have
// an empty guard.
func loadGuard(ctx context.Context, q *query.Queries, memberID int64) (query.LimitGuard, error) {
	g, err := q.LimitGuard(ctx, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return query.LimitGuard{MemberID: memberID}, nil
	}
	if err != nil {
		return g, fmt.Errorf("read guard: %w", err)
	}
	return g, nil
}
