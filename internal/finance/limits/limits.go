// Package limits enforces the limits that members set for themselves: deposits, stakes and losses per day, week and
// month, reality checks, and breaks from play. Its gate decides in the transaction of the transfer. Stricter limits apply
// at once; looser ones wait and must be confirmed. It never moves money and never blocks a withdrawal.
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

// Errors of the gate. The ledger stores them with the transfer's key.
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

// Messages writes messages of the system to members. nil: there are none.
type Messages interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Tasks    *tasks.Queue // nil: held accounts make no tasks
	Outbox   Outbox
	Messages Messages
	Plays    Plays            // nil: members have no open games
	Digester Digester         // nil: traits are not compared
	Now      func() time.Time // used on SQLite, which has no shared clock
}

// A Service stores and enforces members' limits.
type Service struct {
	o       Options
	guarded *otter.Cache[int64, struct{}] // members who had limits at the last read; chooses the query, never skips it
}

// maxGuarded bounds the cache. A member who is not in it costs one more query.
const maxGuarded = 1 << 16

// New returns a Service.
func New(o Options) *Service {
	return &Service{o, otter.Must(&otter.Options[int64, struct{}]{MaximumSize: maxGuarded})}
}

// readClock must be the clock that the ledger uses.
const readClock = `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`

// clock returns the database's time in unix ms, or the server's time on SQLite.
func (s *Service) clock(ctx context.Context, x query.DBTX) (at int64, err error) {
	if s.o.Store.Engine == db.SQLite {
		return db.Millis(s.o.Now()), nil
	}
	if err := x.QueryRowContext(ctx, readClock).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	return at, nil
}

// lockMember waits for running transfers of the member and blocks new ones. It locks in the ledger's order, so that it
// cannot deadlock with it.
const lockMember = `SELECT id FROM account WHERE member_id = $1 ORDER BY id FOR NO KEY UPDATE`

// change runs fn in a transaction that excludes transfers of the member, and notifies the member's pages.
func (s *Service) change(ctx context.Context, memberID int64, what string, fn func(tx *db.Tx, at int64) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.changeIn(ctx, tx, memberID, what, fn) })
	if err != nil {
		return fmt.Errorf("change %s: %w", what, err)
	}
	s.o.Outbox.Wake()
	return nil
}

// changeIn is change within the caller's transaction. The caller wakes the outbox after the commit.
func (s *Service) changeIn(ctx context.Context, tx *db.Tx, memberID int64, what string, fn func(tx *db.Tx, at int64) error) error {
	if err := lockGuard(ctx, tx, memberID); err != nil {
		return err
	}
	at, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return err
	}
	if err := fn(tx, at); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]string{"what": what})
	if err != nil {
		return err
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: strconv.FormatInt(memberID, 10), Event: Event, Data: data})
}

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

// guardOf reads the member's guard row. Members without one have an empty guard.
func guardOf(ctx context.Context, q *query.Queries, memberID int64) (query.LimitGuard, error) {
	g, err := q.LimitGuard(ctx, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return query.LimitGuard{MemberID: memberID}, nil
	}
	if err != nil {
		return g, fmt.Errorf("read guard: %w", err)
	}
	return g, nil
}
