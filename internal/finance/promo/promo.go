// Package promo holds promotions and the rewards that members get from them. Jobs and members' calls grant rewards by the rule of a
// promotion. A reward is paid once, through the ledger, as cash or as a bonus. A bonus has its own account and becomes cash when the
// member has staked enough.
package promo

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/tasks"
)

// Faults that members can see.
var (
	ErrUnknownPromotion = fault.New(fault.NotFound, "promotion.unknown")
	ErrNotOpen          = fault.New(fault.Refused, "promotion.not_open") // outside its time, or members cannot apply for it
	ErrApplied          = fault.New(fault.Conflict, "promotion.applied") // the member already has its reward
	ErrCode             = fault.New(fault.Refused, "promotion.code")     // no promotion with this code is open
	ErrUsedUp           = fault.New(fault.Refused, "promotion.used_up")  // all rewards are granted
	ErrPerson           = fault.New(fault.Refused, "promotion.person")   // another account of the same person has its reward
	ErrImages           = fault.New(fault.Invalid, "promotion.images")   // more than three
	ErrPicture          = fault.New(fault.Invalid, "promotion.picture")  // not a PNG or JPEG of at most 5 MB
	ErrRemark           = fault.New(fault.Invalid, "promotion.remark")   // longer than 140 characters
	ErrUnknownReward    = fault.New(fault.NotFound, "reward.unknown")
	ErrState            = fault.New(fault.Conflict, "reward.state") // the reward's status does not allow this step
	ErrBonusRuns        = fault.New(fault.Refused, "reward.bonus")  // another bonus must end first
)

// Kinds of promotions. They are stored.
const (
	FirstDeposit = "first_deposit"
	Reload       = "reload"
	LossRebate   = "loss_rebate"
	Birthday     = "birthday"
	PromoCode    = "promo_code"
	Grant        = "grant"
	Application  = "application"
)

// Kinds of promotions whose rewards the loyalty rules grant. They are stored. Members do not see these promotions in the list.
const (
	CheckIn  = "check_in"
	CashBack = "cash_back"
	VIP      = "vip"
	Referral = "referral"
)

var loyaltyKinds = []string{CheckIn, CashBack, VIP, Referral}

// Statuses of a reward. They are stored.
const (
	Applied   = "APPLIED"   // an operator decides
	Unclaimed = "UNCLAIMED" // the member may claim it
	Wagering  = "WAGERING"  // a claimed bonus
	Claimed   = "CLAIMED"   // paid as cash
	Completed = "COMPLETED" // a bonus that became cash
	Expired   = "EXPIRED"
	GivenUp   = "GIVEN_UP"
	Refused   = "REFUSED"
)

// Statuses lists all statuses of a reward.
var Statuses = []string{Applied, Unclaimed, Wagering, Claimed, Completed, Expired, GivenUp, Refused}

// Payouts of a reward. They are stored.
const (
	Cash  = "cash"
	Bonus = "bonus"
)

const (
	// MaxWagering is the maximum number of times that a bonus must be staked (PP-11).
	MaxWagering = 10
	// MaxRemark is the maximum number of characters in a remark.
	MaxRemark = 140
	// MaxImages is the maximum number of pictures in an application.
	MaxImages = 3
	// Event is the name of the event that a member's pages receive after a change.
	Event = "reward.changed"

	taskKind = "promotion"
	once     = "once"
)

// Reasons why a rule refused a reward. They are stored, and operators see them.
const (
	reasonPerson = "person" // another account of the same person has the reward
	reasonBreak  = "break"  // the member is on a break or held
	reasonUsedUp = "used_up"
)

// Limits checks members' breaks.
type Limits interface {
	// Check fails if the member is on a break or held.
	Check(ctx context.Context, memberID int64) error
	// Promotion returns the row that makes the ledger refuse a promotion during a break.
	Promotion(memberID int64, currency string, amount money.Minor) ledger.Row
}

// Persons finds accounts of the same person.
type Persons interface {
	// Same returns the other accounts that share a number, an e-mail address, a device, a card or a document with a member.
	Same(ctx context.Context, merchantID, memberID int64) ([]int64, error)
}

// Births reads the birth dates of verified members.
type Births interface {
	// BirthDate returns a date as YYYY-MM-DD, or "" if it is unknown.
	BirthDate(ctx context.Context, memberID int64) (string, error)
}

// Tasks stores the tasks of operators.
type Tasks interface {
	AddIn(ctx context.Context, tx *db.Tx, t tasks.Task) error
	DoneIn(ctx context.Context, tx *db.Tx, kind, reference string) error
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, kind, id string) error
}

// Outbox publishes events after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
}

// A Notice is a message to a member about a reward.
type Notice string

// The notices.
const (
	Granted  Notice = "granted"  // a reward can be claimed
	Expiring Notice = "expiring" // a reward expires within a day
	Paid     Notice = "paid"     // a bonus became cash
	Ended    Notice = "ended"    // a reward expired or was given up
)

// Notices sends messages to members. The titles are those of the promotion, by language.
type Notices interface {
	TellIn(ctx context.Context, tx *db.Tx, memberID int64, notice Notice, titles map[string]string, amount string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Ledger   *ledger.Ledger
	Limits   Limits
	Persons  Persons
	Births   Births
	Notices  Notices
	Requests *idempotency.Keys
	Outbox   Outbox
	Tasks    Tasks
	Screens  Screens
	Blobs    picture.Blobs
	// Approvals and TwoPersonAbove are used by operators' calls.
	Approvals      Approvals
	TwoPersonAbove func(ctx context.Context, merchantID int64, c money.Currency) (money.Minor, error)

	IDs db.IDs
	Now func() time.Time
	Log *slog.Logger
}

// A Service manages promotions and rewards.
type Service struct {
	o        Options
	decoder  *picture.Decoder
	pictures picture.Store

	birthdaysRead sync.Map // promotion id to the time from which the next run looks for newly verified members; lost at a restart
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, decoder: picture.NewDecoder(), pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}}
}

// A Member is the receiver of a reward.
type Member struct {
	ID, MerchantID int64
	Currency       string
}

// announceIn informs the member's pages and operators' screens about a change of a reward.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, r *query.Reward) error {
	data, err := json.Marshal(map[string]string{"id": formatID(r.ID), "status": r.Status})
	if err != nil {
		return err
	}
	if err := s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: formatID(r.MemberID), Event: Event, Data: data}); err != nil {
		return err
	}
	return s.o.Screens.ChangedOf(ctx, tx, r.MerchantID, "rewards", formatID(r.ID))
}

// notifyIn sends the member a notice about a reward.
func (s *Service) notifyIn(ctx context.Context, tx *db.Tx, r *query.Reward, notice Notice, amount int64) error {
	p, err := tx.Q.PromotionByID(ctx, r.PromotionID)
	if err != nil {
		return fmt.Errorf("read promotion: %w", err)
	}
	texts, err := textsOf(p.Texts)
	if err != nil {
		return err
	}
	titles := map[string]string{}
	for _, language := range languages {
		titles[language] = texts.in(language).Title
	}
	c, err := money.Find(r.Currency)
	if err != nil {
		return err
	}
	return s.o.Notices.TellIn(ctx, tx, r.MemberID, notice, titles, c.Format(money.Minor(amount))+" "+c.Code)
}

// lockOwnReward locks a reward of the member.
func lockOwnReward(ctx context.Context, tx *db.Tx, memberID, id int64) (query.Reward, error) {
	r, err := tx.Q.LockReward(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.MemberID != memberID {
		return query.Reward{}, ErrUnknownReward
	}
	if err != nil {
		return query.Reward{}, fmt.Errorf("lock reward: %w", err)
	}
	return r, nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }

func notNull(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }
