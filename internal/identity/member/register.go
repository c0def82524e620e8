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

// Faults of registration.
var (
	ErrClosed = fault.New(fault.Forbidden, "register.closed")

	// ErrNotPossible refuses a new account to someone on a break. It has no field and no reason, so that it does not reveal a break.
	ErrNotPossible = fault.New(fault.Refused, "register.not_possible")
)

// registerLimit limits new members per network, through the form and external accounts together.
var registerLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// ErrMobileTaken refuses a number that another member has.
var ErrMobileTaken = fault.New(fault.Conflict, "member.mobile_taken")

// Breaks knows which members are on a break from play.
type Breaks interface {
	// BarredIn reports whether a mobile number or an e-mail address belongs to another member who is on a break. Either may be empty.
	BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error)
}

// RegisterIn adds a person who confirmed an age. It applies the network's limit, and refuses contacts of someone on a break.
func (s *Service) RegisterIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams, age int, network, mobile, email string) error {
	if err := s.addIn(ctx, tx, s.withAge(row, age)); err != nil {
		return err
	}
	if err := tx.Q.MarkNewMember(ctx, row.ID); err != nil {
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

// NewUsername returns a random username.
func (*Service) NewUsername() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000_000)) // never returns an error
	return fmt.Sprintf("u%09d", n)
}

// RefuseTaken refuses a username or a mobile number that a member has. Either may be empty.
func (s *Service) RefuseTaken(ctx context.Context, q *query.Queries, merchantID int64, username, mobile string) error {
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
