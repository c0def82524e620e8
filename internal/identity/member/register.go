package member

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// Faults of registration.
var (
	ErrClosed = fault.New(fault.Forbidden, "register.closed")
)

// registerLimit limits new members per network. Registrations by form and by external account share it.
var registerLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// ErrMobileTaken means that another member has the number.
var ErrMobileTaken = fault.New(fault.Conflict, "member.mobile_taken")

// Breaks finds members who are on a break from play.
type Breaks interface {
	// ReviewIn holds a new account if its identity matches a member on a break, until an operator releases it. identity holds form values,
	// verified or not, and the visitor's address and device.
	ReviewIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, identity map[string]string) error
}

// RegisterIn adds a member who confirmed the age limit. It applies the network's limit. It holds an account that matches a member on a
// break.
func (s *Service) RegisterIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams, age int, from rest.Visitor, identity map[string]string) error {
	if err := s.addIn(ctx, tx, s.withAge(row, age)); err != nil {
		return err
	}
	if err := tx.Q.MarkNewMember(ctx, row.ID); err != nil {
		return err
	}
	if err := s.o.Limiter.TakeAllIn(ctx, tx, ratelimit.NetworkBuckets("member/register/", from.Network, "", registerLimit, ratelimit.BlockFactor)); err != nil {
		return err
	}
	personData := maps.Clone(identity)
	personData["address"], personData["device"] = from.Address, from.Hint
	return s.o.Breaks.ReviewIn(ctx, tx, row.MerchantID, row.ID, personData)
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

// RefuseTaken returns an error if a member has the username or the mobile number. Either may be empty.
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
