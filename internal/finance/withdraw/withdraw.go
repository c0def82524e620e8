// Package withdraw manages members' bank cards, withdrawals, and their payouts through a gateway or by an operator. A withdrawal holds
// its amount at once. The hold is settled once, through the ledger.
package withdraw

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/gateway"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/tasks"
)

// Faults that members can see.
var (
	ErrIdentity = fault.New(fault.Refused, "withdraw.identity")   // the identity is not verified
	ErrTurnover = fault.New(fault.Refused, "withdraw.turnover")   // too few stakes since the deposits
	ErrBalance  = fault.New(fault.Refused, "withdraw.balance")    // the amount exceeds the cash balance
	ErrPassword = fault.New(fault.Refused, "withdraw.password")   // wrong, or not set
	ErrAmount   = fault.New(fault.Invalid, "withdraw.amount")     // not valid, or outside the limits
	ErrPerDay   = fault.New(fault.Refused, "withdraw.per_day")    // no more withdrawals today
	ErrCard     = fault.New(fault.NotFound, "withdraw.card")      // no such card of the caller
	ErrNumber   = fault.New(fault.Invalid, "withdraw.number")     // not an account number
	ErrBank     = fault.New(fault.Invalid, "withdraw.bank")       // unknown bank
	ErrSameCard = fault.New(fault.Conflict, "withdraw.same_card") // the member already has this card
	ErrMaxCards = fault.New(fault.Refused, "withdraw.max_cards")  // too many cards
	ErrUnknown  = fault.New(fault.NotFound, "withdraw.unknown")   // no such withdrawal of the caller
)

// Faults for operators.
var (
	ErrState     = fault.ForOperators(fault.Conflict, "withdraw.state") // the withdrawal's status does not allow this step
	ErrGateway   = fault.ForOperators(fault.Invalid, "withdraw.gateway")
	ErrReference = fault.ForOperators(fault.Invalid, "withdraw.bank_reference")
	ErrReason    = fault.ForOperators(fault.Invalid, "withdraw.reason")
	ErrStale     = rest.ErrStale
)

// Statuses of a withdrawal.
const (
	Requested = "REQUESTED"
	Review    = "REVIEW"
	Approved  = "APPROVED"
	Sent      = "SENT"
	Paid      = "PAID"
	Refused   = "REFUSED"
	Failed    = "FAILED"
)

// Statuses lists all statuses.
var Statuses = []string{Requested, Review, Approved, Sent, Paid, Refused, Failed}

// Verified is the state of an identity that may withdraw.
const Verified = "VERIFIED"

// Event is the name of the event that a member's pages receive after a change.
const Event = "withdraw.changed"

// Identity reads the state of a member's identity check, and the verified name.
type Identity interface {
	State(ctx context.Context, memberID int64) (state, name string, err error)
}

// Passwords checks payment passwords and limits failed attempts.
type Passwords interface {
	CheckPaymentPassword(ctx context.Context, memberID int64, password string) error
}

// Members finds accounts that share a device.
type Members interface {
	SharedDevices(ctx context.Context, merchantID, memberID int64) (accounts []string, err error)
}

// A Rule sets the terms of a merchant's withdrawals.
type Rule struct {
	Min, Max, Fee, TwoPersonAbove money.Minor
	PerDay                        int
	TurnoverPercent               int
}

// Outbox publishes events after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
}

// A PayoutApproval is a change that waits for a second person.
type PayoutApproval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out a change, or stores it until a second person approves it. In the second case, Request returns the
// waiting approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*PayoutApproval, error)
}

// Inbox sends system messages to members. It may be nil.
type Inbox interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Breaks checks members' breaks from play.
type Breaks interface {
	// ReviewCardIn holds a member who adds the card of another member on a break, until an operator releases the account.
	ReviewCardIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, digest []byte) error
}

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Ledger    *ledger.Ledger
	Gateways  *gateway.Service
	Requests  *idempotency.Keys
	Keys      *secret.Keys
	Identity  Identity
	Passwords Passwords
	Members   Members
	Breaks    Breaks
	Approvals Approvals
	Tasks     *tasks.Queue
	Screens   tasks.Screens
	Outbox    Outbox
	Inbox     Inbox
	Rule      func(ctx context.Context, merchantID int64, c money.Currency) (Rule, error)
	Banks     func(ctx context.Context, merchantID int64, currency string) ([]PayoutBank, error)
	Merchant  func(ctx context.Context, id int64) (code string, err error)
	IDs       db.IDs
	Now       func() time.Time
	Log       *slog.Logger
}

// A Service manages cards and withdrawals.
type Service struct {
	o         Options
	stop      context.CancelFunc
	running   sync.WaitGroup
	callSlots chan struct{} // has an element for each running call to a gateway
	wake      chan struct{}
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, callSlots: make(chan struct{}, maxCalls), wake: make(chan struct{}, 1)}
}

// A Request describes a new withdrawal.
type Request struct {
	CardID int64       `json:"cardId"`
	Amount rest.Amount `json:"amount"`
}

// A WithdrawalStep records when a withdrawal reached a status.
type WithdrawalStep struct {
	Status string `json:"status" enum:"REQUESTED,REVIEW,APPROVED,SENT,PAID,REFUSED,FAILED"`
	At     int64  `json:"at" doc:"Unix milliseconds."`
}

// A Withdrawal is a withdrawal as members see it.
type Withdrawal struct {
	ID        string           `json:"id"`
	Reference string           `json:"reference"`
	Status    string           `json:"status" enum:"REQUESTED,REVIEW,APPROVED,SENT,PAID,REFUSED,FAILED"`
	Amount    rest.Amount      `json:"amount" doc:"What leaves the wallet."`
	Fee       rest.Amount      `json:"fee" doc:"Comes off the paid amount."`
	Paid      rest.Amount      `json:"paid" doc:"What the bank account receives."`
	Currency  string           `json:"currency"`
	Bank      string           `json:"bank" doc:"Code of the bank."`
	LastFour  string           `json:"lastFour"`
	At        int64            `json:"at" doc:"When it was requested, in Unix ms."`
	EndedAt   *int64           `json:"endedAt" doc:"Null while it is open."`
	Reason    string           `json:"reason,omitempty" doc:"Why it was refused."`
	Steps     []WithdrawalStep `json:"steps" doc:"The statuses that it has reached, with their times."`
}

func viewOf(w query.Withdrawal, card query.BankCard, steps []query.WithdrawalStep) (Withdrawal, error) {
	c, err := money.Find(w.Currency)
	if err != nil {
		return Withdrawal{}, rest.ErrSystem.Because(err)
	}
	v := Withdrawal{
		ID: formatID(w.ID), Reference: w.Reference, Status: w.Status, Amount: rest.AmountOf(c, money.Minor(w.Amount)), Fee: rest.AmountOf(c, money.Minor(w.Fee)),
		Paid: rest.AmountOf(c, money.Minor(w.Amount-w.Fee)), Currency: w.Currency, Bank: card.Bank, LastFour: card.LastFour, At: w.CreatedAt, Reason: w.Reason, Steps: []WithdrawalStep{},
	}
	if w.EndedAt.Valid {
		v.EndedAt = &w.EndedAt.Int64
	}
	for _, step := range steps {
		v.Steps = append(v.Steps, WithdrawalStep{step.Status, step.At})
	}
	return v, nil
}

const kindWithdraw = "withdrawal"

// Create requests a withdrawal. With a key, a repeated request returns the first response. The payment password is always checked
// first, because failed attempts count.
func (s *Service) Create(ctx context.Context, who Member, key, password string, in Request) (Withdrawal, error) {
	if err := s.checkPassword(ctx, who.ID, password); err != nil {
		return Withdrawal{}, err
	}
	state, _, err := s.o.Identity.State(ctx, who.ID)
	if err != nil {
		return Withdrawal{}, err
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return Withdrawal{}, rest.ErrSystem.Because(err)
	}
	rule, err := s.o.Rule(ctx, who.MerchantID, currency)
	if err != nil {
		return Withdrawal{}, err
	}
	cash, err := s.o.Ledger.EnsureMember(ctx, who.MerchantID, who.ID, who.Currency)
	if err != nil {
		return Withdrawal{}, err
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "withdraw", Key: key, Content: in}
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (Withdrawal, error) {
		if state != Verified {
			return Withdrawal{}, ErrIdentity
		}
		return s.createIn(ctx, tx, who, currency, rule, cash.ID, in)
	})
}

func (s *Service) checkPassword(ctx context.Context, memberID int64, password string) error {
	err := s.o.Passwords.CheckPaymentPassword(ctx, memberID, password)
	if err == nil {
		return nil
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Refused, fault.Forbidden, fault.Unauth:
		return ErrPassword.On("paymentPassword").Because(err)
	default:
		return err
	}
}

func (s *Service) createIn(ctx context.Context, tx *db.Tx, who Member, c money.Currency, rule Rule, cash int64, in Request) (Withdrawal, error) {
	if err := tx.Q.LockMember(ctx, who.ID); err != nil { // so that a member's requests run one after another
		return Withdrawal{}, fmt.Errorf("lock member: %w", err)
	}
	now := s.o.Now()
	card, err := tx.Q.BankCard(ctx, in.CardID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (card.MemberID != who.ID || card.RemovedAt.Valid) {
		return Withdrawal{}, ErrCard.On("cardId")
	}
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read card: %w", err)
	}
	amount, err := c.Parse(string(in.Amount))
	if err != nil || amount < max(1, rule.Min) || amount > rule.Max || amount <= rule.Fee {
		return Withdrawal{}, ErrAmount.On("amount").With("min", c.Format(rule.Min)).With("max", c.Format(rule.Max))
	}
	today, err := tx.Q.CountWithdrawals(ctx, who.ID, dayStart(now, who.Currency))
	if err != nil {
		return Withdrawal{}, fmt.Errorf("count withdrawals: %w", err)
	}
	if int(today) >= rule.PerDay {
		return Withdrawal{}, ErrPerDay
	}
	held, err := tx.Q.AccountOfMember(ctx, sql.NullInt64{Int64: who.ID, Valid: true}, ledger.Held, who.Currency)
	if err != nil {
		return Withdrawal{}, fmt.Errorf("find held account: %w", err)
	}
	w := query.Withdrawal{
		ID: s.o.IDs(), MerchantID: who.MerchantID, MemberID: who.ID, CardID: card.ID, Reference: "W" + rand.Text()[:11], Status: Requested,
		Currency: who.Currency, Amount: int64(amount), Fee: int64(rule.Fee), CashID: cash, HeldID: held.ID, CreatedAt: db.Millis(now), Version: 1,
	}
	// The transfer is not guarded, because a member on a break can withdraw.
	posted, err := s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "withdraw/hold/" + formatID(w.ID), Debit: cash, Credit: held.ID, Amount: amount, Kind: ledger.KindHold, RefType: kindWithdraw, RefID: w.Reference,
	})
	if errors.Is(err, ledger.ErrInsufficient) {
		return Withdrawal{}, ErrBalance.On("amount")
	}
	if err != nil {
		return Withdrawal{}, fmt.Errorf("hold: %w", err)
	}
	// The hold has locked the account, so no deposit can be credited meanwhile.
	required, done, err := turnoverOf(ctx, tx.Q, who.ID, rule.TurnoverPercent, now)
	if err != nil {
		return Withdrawal{}, err
	}
	if done < required {
		return Withdrawal{}, ErrTurnover.With("required", c.Format(required)).With("done", c.Format(done))
	}
	unmet, staked, err := unmetTurnover(ctx, tx.Q, who.ID, rule.TurnoverPercent)
	if err != nil {
		return Withdrawal{}, err
	}
	w.HoldID = posted[0].ID
	err = tx.Q.AddWithdrawal(ctx, query.AddWithdrawalParams{
		ID: w.ID, MerchantID: w.MerchantID, MemberID: w.MemberID, CardID: w.CardID, Reference: w.Reference, Currency: w.Currency, Amount: w.Amount, Fee: w.Fee,
		CashID: w.CashID, HeldID: w.HeldID, HoldID: w.HoldID, CreatedAt: w.CreatedAt, TurnoverRequired: int64(unmet), TurnoverDone: int64(staked),
	})
	if err != nil {
		return Withdrawal{}, fmt.Errorf("store withdrawal: %w", err)
	}
	if err := s.recordStepIn(ctx, tx, &w); err != nil {
		return Withdrawal{}, err
	}
	steps, err := tx.Q.WithdrawalSteps(ctx, w.ID)
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read steps: %w", err)
	}
	return viewOf(w, card, steps)
}

// recordStepIn records that a withdrawal reached its status, and informs the member and the operators.
func (s *Service) recordStepIn(ctx context.Context, tx *db.Tx, w *query.Withdrawal) error {
	now := s.o.Now()
	err := tx.Q.AddWithdrawalStep(ctx, query.AddWithdrawalStepParams{WithdrawalID: w.ID, Status: w.Status, At: db.Millis(now), Actor: audit.Actor(ctx)})
	if err != nil {
		return fmt.Errorf("store step: %w", err)
	}
	data, err := json.Marshal(map[string]string{"id": formatID(w.ID), "status": w.Status})
	if err != nil {
		return err
	}
	if err := s.o.Outbox.Add(ctx, tx, now, events.Message{Member: formatID(w.MemberID), Event: Event, Data: data}); err != nil {
		return err
	}
	if err := s.o.Screens.ChangedOf(ctx, tx, w.MerchantID, "withdrawals", formatID(w.ID)); err != nil {
		return err
	}
	return s.updateTasksIn(ctx, tx, w)
}

// Find returns a member's withdrawal.
func (s *Service) Find(ctx context.Context, memberID, id int64) (Withdrawal, error) {
	q := s.o.Store.Q()
	w, err := q.WithdrawalByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && w.MemberID != memberID {
		return Withdrawal{}, ErrUnknown
	}
	if err != nil {
		return Withdrawal{}, fmt.Errorf("find withdrawal: %w", err)
	}
	card, err := q.BankCard(ctx, w.CardID)
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read card: %w", err)
	}
	steps, err := q.WithdrawalSteps(ctx, id)
	if err != nil {
		return Withdrawal{}, fmt.Errorf("read steps: %w", err)
	}
	return viewOf(w, card, steps)
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
