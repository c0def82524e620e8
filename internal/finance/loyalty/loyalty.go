// Package loyalty rewards members for coming back: check-in, cash back on stakes, VIP levels and referrals. The rules are data that
// operators edit. Package promo pays the rewards, at most one for each member and period.
package loyalty

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/promo"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
)

// Faults that members can see.
var (
	ErrOff       = fault.New(fault.Refused, "loyalty.off")     // the operator has not enabled it
	ErrCheckedIn = fault.New(fault.Conflict, "checkin.done")   // once a day
	ErrPerson    = fault.New(fault.Refused, "checkin.person")  // another account of the same person has checked in today
	ErrClaimed   = fault.New(fault.Conflict, "rebate.claimed") // once in each period
	ErrNothing   = fault.New(fault.Refused, "rebate.nothing")  // too few stakes in the period
	ErrMonth     = fault.New(fault.Invalid, "checkin.month")   // not a month
)

// Limits checks members' breaks.
type Limits interface {
	// Check fails if the member is on a break or held.
	Check(ctx context.Context, memberID int64) error
}

// Persons finds accounts of the same person.
type Persons interface {
	// Same returns the other accounts that share a number, an e-mail address, a device, a card or a document with a member.
	Same(ctx context.Context, merchantID, memberID int64) ([]int64, error)
}

// Members stores the names of members' levels and reads their invitation codes.
type Members interface {
	// LabelIn stores the name of a member's level.
	LabelIn(ctx context.Context, tx *db.Tx, memberID int64, label string) error
	// InvitationCode returns the code with which a member invites others.
	InvitationCode(ctx context.Context, memberID int64) (string, error)
}

// Switches reads a merchant's feature switches.
type Switches interface {
	CashBack(ctx context.Context, merchantID int64) (bool, error)
	Referral(ctx context.Context, merchantID int64) (bool, error)
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, kind, id string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Ledger   *ledger.Ledger
	Rewards  *promo.Service
	Limits   Limits
	Persons  Persons
	Members  Members
	Switches Switches
	Screens  Screens
	Requests *idempotency.Keys
	// Approvals and TwoPersonAbove are used by operators' edits.
	Approvals      Approvals
	TwoPersonAbove func(ctx context.Context, merchantID int64, c money.Currency) (money.Minor, error)

	Currency func(ctx context.Context, merchantID int64) (money.Currency, error)
	Now      func() time.Time
	Time     func(context.Context, *db.Tx) (time.Time, error) // reads the time in a transaction; nil: the database's clock
	Log      *slog.Logger
}

// A Service stores the rules and applies them.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service {
	if o.Time == nil {
		o.Time = func(ctx context.Context, tx *db.Tx) (time.Time, error) { return tx.Now(ctx) }
	}
	return &Service{o}
}

// A Member is the receiver of a reward.
type Member = promo.Member

// startOfDay returns the start of the day that contains a time, in the currency's time zone.
func startOfDay(at time.Time, currency string) time.Time {
	at = at.In(money.Zone(currency))
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
}

// startOfMonth returns the start of the month that contains a time, in the currency's time zone.
func startOfMonth(at time.Time, currency string) time.Time {
	at = at.In(money.Zone(currency))
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, at.Location())
}

const rateUnit = 10_000 // rates are in hundredths of a percent

// share returns the amount times the rate, rounded down.
func share(amount money.Minor, rate int64) money.Minor {
	amount = min(amount, ledger.MaxAmount)
	return amount/rateUnit*money.Minor(rate) + amount%rateUnit*money.Minor(rate)/rateUnit
}

// anyRewarded reports whether one of the accounts already has the promotion's reward for the period.
func anyRewarded(ctx context.Context, tx *db.Tx, accounts []int64, promotionID int64, period string) (bool, error) {
	for _, id := range accounts {
		n, err := tx.Q.CountRewardsOfPeriod(ctx, id, promotionID, period)
		if err != nil {
			return false, fmt.Errorf("count rewards of the person: %w", err)
		}
		if n > 0 {
			return true, nil
		}
	}
	return false, nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
