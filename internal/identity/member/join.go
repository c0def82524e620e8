package member

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/validation"
)

// Faults of registering.
var (
	ErrClosed = fault.New(fault.Forbidden, "register.closed")

	// ErrNotPossible refuses what would let somebody who takes a break from play come in as another. It names no field and
	// no reason: whoever types a number must not learn from it what its owner has decided.
	ErrNotPossible = fault.New(fault.Refused, "register.not_possible")
)

// registerLimit is how many members one network may make, by the form and by external accounts together.
var registerLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// ErrMobileTaken refuses a number that is another member's.
var ErrMobileTaken = fault.New(fault.Conflict, "member.mobile_taken")

// Breaks knows who takes a break from play.
type Breaks interface {
	// BarredIn tells whether a number or an address is that of somebody else on a break. Either may be empty.
	BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error)
}

// JoinIn adds somebody who becomes a member by themselves and has confirmed an age. It counts against their network, and is
// refused where the number or the address is that of somebody on a break.
func (s *Service) JoinIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams, age int, network, mobile, email string) error {
	if err := s.addIn(ctx, tx, s.ofAge(row, age)); err != nil {
		return err
	}
	if err := s.o.Limiter.TakeAllIn(ctx, tx, ratelimit.NetworkBuckets("member/register/", network, "", registerLimit, ratelimit.BlockFactor)); err != nil {
		return err
	}
	barred, err := s.o.Breaks.BarredIn(ctx, tx, row.MerchantID, row.ID, mobile, email)
	if err == nil && barred {
		err = ErrNotPossible
	}
	return err
}

// addIn adds a member and the member's accounts.
func (s *Service) addIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams) error {
	added, err := tx.Q.AddMember(ctx, row)
	if err == nil && added == 0 {
		return ErrUsernameTaken.On("username")
	}
	if err != nil {
		return err
	}
	return s.o.Ledger.EnsureMemberIn(ctx, tx, row.MerchantID, row.ID, row.Currency)
}

// NewName draws a username for somebody who chooses none.
func (*Service) NewName() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000_000)) // never fails (it aborts the program instead)
	return fmt.Sprintf("u%09d", n)
}

// Taken refuses a username or a number that somebody has. Either may be empty.
func (s *Service) Taken(ctx context.Context, q *query.Queries, merchantID int64, username, mobile string) error {
	if username != "" {
		_, err := q.MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
		if err == nil {
			return ErrUsernameTaken.On("username")
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("find member: %w", err)
		}
	}
	if mobile != "" {
		_, err := q.MemberByMobile(ctx, merchantID, db.Text(mobile))
		if err == nil {
			return ErrMobileTaken.On("mobileNum")
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("find member: %w", err)
		}
	}
	return nil
}
