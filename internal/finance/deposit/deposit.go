// Package deposit manages deposit methods and members' deposits by bank transfer, payment code or gateway. A deposit counts against
// the member's limits when it is created. Its money moves once, through the ledger.
package deposit

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/limits"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

// Faults that members can see.
var (
	ErrAmount  = fault.New(fault.Invalid, "deposit.amount")   // not valid, or outside the method's limits
	ErrMethod  = fault.New(fault.Refused, "deposit.method")   // unknown, closed, or of another kind or currency
	ErrState   = fault.New(fault.Conflict, "deposit.state")   // the deposit's status does not allow this step
	ErrUnknown = fault.New(fault.NotFound, "deposit.unknown") // no such deposit of the caller
	ErrPicture = fault.New(fault.Invalid, "deposit.picture")  // the proof is not a picture
	ErrBreak   = fault.New(fault.Refused, "limits.break")     // the member is on a break
	ErrStale   = rest.ErrStale                                // the deposit was changed meanwhile
)

// Statuses of a deposit.
const (
	Waiting   = "WAITING"
	Claimed   = "CLAIMED"
	Credited  = "CREDITED"
	Refused   = "REFUSED"
	Expired   = "EXPIRED"
	Cancelled = "CANCELLED"
)

// Statuses lists all statuses.
var Statuses = []string{Waiting, Claimed, Credited, Refused, Expired, Cancelled}

// Kinds of deposits.
const (
	Transfer = "mt" // bank transfer
	QR       = "qr" // payment code
	Pay      = "pg" // payment gateway
)

// Kinds of entries in the operators' queue.
const (
	QueueLate     = "late"     // paid after the deposit had ended
	QueueMismatch = "mismatch" // paid with another amount or currency
	QueueConflict = "conflict" // contradicts an earlier notice
	QueueClaimed  = "claimed"  // the member uploaded a proof
)

// Event is the name of the event that a member's pages receive after a change.
const Event = "deposit.changed"

// Limits counts deposits against members' limits.
type Limits interface {
	Deposit(memberID int64, currency string, amount money.Minor) ledger.Row
	DepositReturned(ctx context.Context, tx *db.Tx, reserveID, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error)
}

// Tasks stores the tasks of operators.
type Tasks interface {
	AddIn(ctx context.Context, tx *db.Tx, merchantID int64, kind, reference, object string) error
	DoneIn(ctx context.Context, tx *db.Tx, merchantID int64, kind, reference, object string) error
}

// Outbox publishes events after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
}

// Inbox sends system messages to members. It may be nil.
type Inbox interface {
	SystemManyIn(ctx context.Context, tx *db.Tx, kind string, members []int64, args []map[string]string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Ledger   *ledger.Ledger
	Limits   Limits
	Gateways *gateway.Service
	Requests *idempotency.Keys
	Outbox   Outbox
	Inbox    Inbox
	Tasks    Tasks
	Blobs    picture.Blobs
	Merchant func(ctx context.Context, id int64) (code string, err error)
	// Approvals and TwoPersonAbove are used by operators' confirmations.
	Approvals      Approvals
	TwoPersonAbove func(ctx context.Context, merchantID int64, c money.Currency) (money.Minor, error)

	Site string // origin of the site; see SetSite
	IDs  db.IDs
	Now  func() time.Time
	Log  *slog.Logger
}

// A Service manages deposits.
type Service struct {
	o             Options
	decoder       *picture.Decoder
	pictures      picture.Store
	site          string
	extraComparer Comparer // nil: reconciliations compare deposits only

	stop      context.CancelFunc
	running   sync.WaitGroup
	callSlots chan struct{} // has an element for each running call to a gateway
}

// maxCalls is the maximum number of concurrent repeated calls to gateways.
const maxCalls = 16

// New returns a Service.
func New(o Options) *Service {
	return &Service{
		o: o, site: o.Site, decoder: picture.NewDecoder(), pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}, callSlots: make(chan struct{}, maxCalls),
	}
}

// SetSite sets the origin of the site, unless one is configured. Gateways call this origin, and payers return to it. SetSite must be
// called before requests arrive.
func (s *Service) SetSite(origin string) {
	if s.site == "" {
		s.site = origin
	}
}

// A Member is the member who deposits.
type Member struct {
	ID, MerchantID int64
	Currency       string
}

// A Request describes a new deposit.
type Request struct {
	Kind      string      `json:"kind"`
	Method    string      `json:"method"`
	Amount    rest.Amount `json:"amount"`
	PayerName string      `json:"payerName"`
	Bank      string      `json:"bank"`
}

// A View is a deposit as members see it.
type View struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference" doc:"12 capital letters and digits. The memo of a bank transfer or VietQR code, the txid of a PIX code."`
	Status    string      `json:"status" enum:"WAITING,CLAIMED,CREDITED,REFUSED,EXPIRED,CANCELLED"`
	Kind      string      `json:"kind" enum:"mt,qr,pg"`
	Amount    rest.Amount `json:"amount" doc:"What the member pays."`
	Fee       rest.Amount `json:"fee" doc:"Comes off the credited amount."`
	Currency  string      `json:"currency"`
	ExpiresAt int64       `json:"expiresAt" doc:"Unix milliseconds."`
	QR        string      `json:"qr,omitempty" doc:"Text of the payment code."`
	Bank      *Account    `json:"bank,omitempty" doc:"Account that receives the money."`
	PayURL    string      `json:"payUrl,omitempty" doc:"Page of the gateway. Absent while the gateway has not answered: read the deposit again."`
	Reason    string      `json:"reason,omitempty" doc:"Why it was refused."`
	InReview  bool        `json:"inReview,omitempty" doc:"The gateway reported a payment that an operator has to check, such as one of another amount. The member must not pay again and cannot cancel."`
}

func viewOf(d query.Deposit) (View, error) {
	c, err := money.Find(d.Currency)
	if err != nil {
		return View{}, rest.ErrSystem.Because(err) // not the caller's fault
	}
	v := View{
		ID: formatID(d.ID), Reference: d.Reference, Status: d.Status, Kind: d.Kind, Amount: rest.AmountOf(c, money.Minor(d.Amount)),
		Fee: rest.AmountOf(c, money.Minor(d.Fee)), Currency: d.Currency, ExpiresAt: d.ExpiresAt, QR: d.Qr, PayURL: d.PayUrl, Reason: d.Reason,
	}
	if d.Bank != "" {
		v.Bank = &Account{}
		if err := json.Unmarshal([]byte(d.Bank), v.Bank); err != nil {
			return View{}, fmt.Errorf("decode account of deposit: %w", err)
		}
	}
	return v, nil
}

// Kinds of transfers in the ledger.
const (
	kindReserve = "deposit.reserve" // counts a deposit against the member's limits, moves no money
	kindReturn  = "deposit.return"  // returns the reserved amount to the limits, moves no money
	kindDeposit = "deposit"         // credits a deposit
)

// callLease is the time after which a call to a gateway is repeated, if the process that made it has ended.
const callLease = 15 * time.Second

// Create creates a deposit. With a key, a repeated request returns the first response.
func (s *Service) Create(ctx context.Context, who Member, key string, in Request) (View, error) {
	cash, err := s.o.Ledger.EnsureMember(ctx, who.MerchantID, who.ID, who.Currency)
	if err != nil {
		return View{}, err
	}
	source, err := s.o.Ledger.House(ctx, who.MerchantID, ledger.Deposits, who.Currency)
	if err != nil {
		return View{}, err
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "deposit." + in.Kind, Key: key, Content: in}
	var created *query.Deposit
	view, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (View, error) {
		created = nil
		d, err := s.createIn(ctx, tx, who, source.ID, cash.ID, in)
		if err != nil {
			return View{}, err
		}
		created = &d
		return viewOf(d)
	})
	if err != nil || created == nil || created.Kind != Pay {
		return view, err
	}
	// The gateway's response is stored even if the member has disconnected.
	ctx = context.WithoutCancel(ctx)
	s.callGateway(ctx, created.ID)
	d, err := s.o.Store.Q().DepositByID(ctx, created.ID)
	if err != nil {
		return view, nil //nolint:nilerr // the deposit exists, and its call will be repeated
	}
	updated, err := viewOf(d)
	if err != nil {
		return view, nil //nolint:nilerr // as above
	}
	if key != "" {
		body, err := json.Marshal(updated)
		if err == nil {
			err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
				return tx.Q.SaveAnswer(ctx, query.SaveAnswerParams{Owner: request.Owner, Call: request.Call, RequestKey: key, Response: string(body)})
			})
		}
		if err != nil {
			s.o.Log.WarnContext(ctx, "store answer of a deposit", "error", err)
		}
	}
	return updated, nil
}

func (s *Service) createIn(ctx context.Context, tx *db.Tx, who Member, source, cash int64, in Request) (query.Deposit, error) {
	var none query.Deposit
	now := s.o.Now()
	m, err := s.methodIn(ctx, tx, who, in, now)
	if err != nil {
		return none, err
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return none, rest.ErrSystem.Because(err)
	}
	amount, err := currency.Parse(string(in.Amount))
	if err != nil || amount < max(1, m.Min) || amount > m.Max {
		return none, ErrAmount.On("amount").With("min", currency.Format(m.Min)).With("max", currency.Format(m.Max))
	}
	fee := m.FeeOf(amount)
	if fee >= amount {
		return none, ErrAmount.On("amount").With("min", currency.Format(m.Min)).With("max", currency.Format(m.Max))
	}
	d := query.Deposit{
		ID: s.o.IDs(), MerchantID: who.MerchantID, MemberID: who.ID, MethodID: m.ID, Kind: m.Kind, Reference: rand.Text()[:12],
		Status: Waiting, Currency: who.Currency, Amount: int64(amount), Fee: int64(fee), PayerName: in.PayerName, SourceID: source, CashID: cash,
		CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(time.Duration(m.Minutes) * time.Minute)), Version: 1,
	}
	if m.Kind == Pay {
		d.GatewayID = sql.NullInt64{Int64: m.GatewayID, Valid: true}
		d.NextCallAt = db.Millis(now.Add(callLease))
	} else {
		account, err := m.account(in.Bank)
		if err != nil {
			return none, err
		}
		if d.Qr, err = m.paymentCode(account, currency, amount, d); err != nil {
			return none, rest.ErrSystem.Because(err) // the operator's account does not fit into a payment code
		}
		bank, err := json.Marshal(account)
		if err != nil {
			return none, fmt.Errorf("encode account: %w", err)
		}
		d.Bank = string(bank)
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "deposit/reserve/" + formatID(d.ID), Debit: source, Credit: cash, Kind: kindReserve, RefType: "deposit", RefID: d.Reference,
		Empty: true, Guarded: true, Rows: []ledger.Row{s.o.Limits.Deposit(who.ID, who.Currency, amount)},
	})
	if errors.Is(err, limits.ErrExcluded) {
		return none, ErrBreak
	}
	if err != nil {
		return none, err
	}
	d.ReserveID = posted[0].ID
	return d, tx.Q.AddDeposit(ctx, query.AddDepositParams{
		ID: d.ID, MerchantID: d.MerchantID, MemberID: d.MemberID, MethodID: d.MethodID, GatewayID: d.GatewayID, Kind: d.Kind, Reference: d.Reference,
		Currency: d.Currency, Amount: d.Amount, Fee: d.Fee, PayerName: d.PayerName, Qr: d.Qr, Bank: d.Bank, NextCallAt: d.NextCallAt,
		SourceID: d.SourceID, CashID: d.CashID, ReserveID: d.ReserveID, CreatedAt: d.CreatedAt, ExpiresAt: d.ExpiresAt,
	})
}

// Find returns a member's deposit.
func (s *Service) Find(ctx context.Context, memberID, id int64) (View, error) {
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && d.MemberID != memberID {
		return View{}, ErrUnknown
	}
	if err != nil {
		return View{}, fmt.Errorf("find deposit: %w", err)
	}
	view, err := viewOf(d)
	if err != nil {
		return View{}, err
	}
	view.InReview, err = isInReview(ctx, s.o.Store.Q(), d)
	return view, err
}

// isInReview reports whether an operator has to check a payment for an open deposit.
func isInReview(ctx context.Context, q *query.Queries, d query.Deposit) (bool, error) {
	if !isOpen(d.Status) {
		return false, nil
	}
	entries, err := q.DepositQueue(ctx, d.ID)
	if err != nil {
		return false, fmt.Errorf("read queue: %w", err)
	}
	return slices.ContainsFunc(entries, func(e query.DepositQueue) bool { return e.Kind != QueueClaimed && !e.DoneAt.Valid }), nil
}

// Cancel cancels a member's waiting deposit.
func (s *Service) Cancel(ctx context.Context, memberID, id int64) (view View, err error) {
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		d, err := lockOwnDeposit(ctx, tx, memberID, id)
		if err != nil {
			return err
		}
		inReview, err := isInReview(ctx, tx.Q, d)
		if err != nil {
			return err
		}
		if d.Status != Waiting || inReview {
			return ErrState
		}
		if err := s.endIn(ctx, tx, &d, Cancelled, ""); err != nil {
			return err
		}
		view, err = viewOf(d)
		return err
	})
	return view, err
}

// lockOwnDeposit locks a deposit of the member.
func lockOwnDeposit(ctx context.Context, tx *db.Tx, memberID, id int64) (query.Deposit, error) {
	d, err := tx.Q.LockDeposit(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && d.MemberID != memberID {
		return query.Deposit{}, ErrUnknown
	}
	if err != nil {
		return query.Deposit{}, fmt.Errorf("lock deposit: %w", err)
	}
	return d, nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
