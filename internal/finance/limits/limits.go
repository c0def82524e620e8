// Package limits keeps what members set against themselves: how much they may deposit, stake and lose in a day, a week
// and a month, how often a game asks them about the time, and breaks from play. Its gate decides in the transaction
// of the movement it limits. What makes play less is true at once, what makes it more waits and is asked for twice. It
// knows no game and no vendor, never moves money, and never stands between a member and a withdrawal.
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
)

// What the gate refuses a movement with. The ledger remembers them under the movement's key.
var (
	ErrReached  = fault.New(fault.Refused, "limits.reached")   // it would go beyond a limit
	ErrExcluded = fault.New(fault.Refused, "limits.excluded")  // the member is on a break
	ErrCheckDue = fault.New(fault.Refused, "limits.check_due") // the reality check has not been answered
)

// Faults of changing limits.
var (
	ErrNothingWaits = fault.New(fault.NotFound, "limits.nothing_waits") // no change was asked for, or it has lapsed
	ErrTooSoon      = fault.New(fault.Refused, "limits.too_soon")       // the wait is not over
	ErrBreakStands  = fault.New(fault.Refused, "limits.break_stands")   // a break is never made shorter
)

// Event is the name of what open pages are told when something here has changed.
const Event = "limits.changed"

// Outbox announces what was committed.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Plays are the games that members have open.
type Plays interface {
	// IsOpen tells whether a play is the member's and goes on.
	IsOpen(ctx context.Context, memberID, playID int64) (bool, error)
	// CloseAllIn closes all of a member's. tell spreads it once it is committed.
	CloseAllIn(ctx context.Context, tx *db.Tx, memberID int64) (tell func(), err error)
}

// Options of the service.
type Options struct {
	Store  *db.Store
	Outbox Outbox
	Plays  Plays            // a break closes them; nil: there are none
	Now    func() time.Time // counts where the database has no time of its own
}

// Service keeps the members' limits.
type Service struct {
	o       Options
	guarded *otter.Cache[int64, struct{}] // members who had set something when they were last looked at: how they are read, never whether
}

// mostGuarded bounds how many are remembered. Whoever is forgotten costs one question more.
const mostGuarded = 1 << 16

// New makes the service.
func New(o Options) *Service {
	return &Service{o, otter.Must(&otter.Options[int64, struct{}]{MaximumSize: mostGuarded})}
}

// readClock is the ledger's time too: both must mean the same now.
const readClock = `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`

// clock gives the database's time, or the server's where it has none.
func (s *Service) clock(ctx context.Context, x query.DBTX) (at int64, err error) {
	if s.o.Store.Engine == db.SQLite {
		return db.Millis(s.o.Now()), nil
	}
	if err := x.QueryRowContext(ctx, readClock).Scan(&at); err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	return at, nil
}

// lockMember waits for the movements of the member's money that are under way, in the order in which the ledger
// locks: what is changed then was not yet true for those before, and is for all that follow.
const lockMember = `SELECT id FROM account WHERE member_id = $1 ORDER BY id FOR NO KEY UPDATE`

// change runs fn in one transaction that no movement of the member's money overlaps, and tells the member's open
// pages.
func (s *Service) change(ctx context.Context, memberID int64, what string, fn func(tx *db.Tx, at int64) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
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
	})
	if err != nil {
		return fmt.Errorf("change %s: %w", what, err)
	}
	s.o.Outbox.Wake()
	return nil
}

func lockGuard(ctx context.Context, tx *db.Tx, memberID int64) error {
	if tx.Engine == db.Postgres {
		if _, err := tx.ExecContext(ctx, lockMember, memberID); err != nil {
			return fmt.Errorf("wait for the member's movements: %w", err)
		}
	}
	if err := tx.Q.LockLimitGuard(ctx, memberID); err != nil { // who has no account yet is locked by it alone
		return fmt.Errorf("lock the member: %w", err)
	}
	return nil
}

// guardOf reads what the member has set; one who set nothing has an empty one.
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
