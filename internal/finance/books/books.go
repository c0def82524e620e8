// Package books shows the ledger to operators: transfers, balances of members, and checks. It also requests corrections, which need two
// people. Only the ledger moves money.
package books

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/spec"
)

// Faults of this package.
var (
	ErrUnknown = fault.ForOperators(fault.NotFound, "ledger.no_such_transfer")
	ErrAmount  = fault.ForOperators(fault.Invalid, "ledger.adjust_amount")
	ErrRunning = fault.ForOperators(fault.Conflict, "ledger.check_running")
)

// ActionAdjust is the name of a correction among the changes that need two people.
const ActionAdjust = "ledger.adjust"

// Members finds members of a merchant.
type Members interface {
	Info(ctx context.Context, merchantID, memberID int64) (username, currency string, err error)
}

// An Approval is a change that waits for a second person.
type Approval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out a change, or stores it until a second person approves it. In the second case, Request returns the
// waiting approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*Approval, error)
}

// Screens informs operators' open screens about changes.
type Screens interface {
	Changed(ctx context.Context, tx *db.Tx, collection, id string) error
}

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Ledger    *ledger.Ledger
	Members   Members
	Approvals Approvals
	Queue     *jobs.Queue
	Screens   Screens
	IDs       db.IDs
	Now       func() time.Time
}

// A Service reads the ledger for operators.
type Service struct{ o Options }

const (
	taskVerify = "ledger.verify"
	retryAfter = time.Minute
)

// New returns a Service.
func New(o Options) (*Service, error) {
	s := &Service{o}
	return s, o.Queue.Declare(jobs.Task{Name: taskVerify, Attempts: 3, Wait: func(int) time.Duration { return retryAfter }, Run: s.runCheck})
}

// An Adjustment is a correction of a member's cash.
type Adjustment struct {
	MemberID int64  `json:"memberId,string"`
	Username string `json:"username"`
	Amount   string `json:"amount"` // in the currency's unit; negative amounts are debited
	Currency string `json:"currency"`
	Reason   string `json:"reason"`
	Key      string `json:"key"` // identifies the correction, which is posted once
}

// Adjust requests a correction. A request with the same key and content returns the first approval.
func (s *Service) Adjust(ctx context.Context, merchantID int64, in Adjustment) (*Approval, error) {
	username, currency, err := s.o.Members.Info(ctx, merchantID, in.MemberID)
	if err != nil {
		return nil, err
	}
	in.Username, in.Currency = username, currency
	if _, _, err := parseAmount(in); err != nil {
		return nil, err
	}
	object := "adjustment/" + in.Key
	stored, err := s.o.Store.Q().ApprovalOfObject(ctx, object, ActionAdjust, merchantID)
	if err != nil {
		return nil, fmt.Errorf("find approval: %w", err)
	}
	if len(stored) > 0 {
		var first Adjustment
		if err := json.Unmarshal([]byte(stored[0].Payload), &first); err != nil {
			return nil, fmt.Errorf("read approval: %w", err)
		}
		if first != in {
			return nil, ledger.ErrConflict
		}
		return &Approval{strconv.FormatInt(stored[0].ID, 10), stored[0].State}, nil
	}
	waiting, err := s.o.Approvals.Request(ctx, merchantID, ActionAdjust, object, in)
	if err == nil {
		s.o.Ledger.WakeRelay()
	}
	return waiting, err
}

// parseAmount parses the amount of a correction.
func parseAmount(in Adjustment) (amount money.Minor, isDebit bool, err error) {
	currency, err := money.Find(in.Currency)
	if err != nil {
		return 0, false, err
	}
	digits, isDebit := strings.CutPrefix(in.Amount, "-")
	if amount, err = currency.Parse(digits); err != nil {
		return 0, false, err
	}
	switch {
	case amount == 0:
		return 0, false, ErrAmount.On("amount")
	case amount > ledger.MaxAmount:
		return 0, false, money.ErrOverflow.On("amount").Because(fmt.Errorf("a correction is at most %s %s", currency.Format(ledger.MaxAmount), currency.Code))
	}
	return amount, isDebit, nil
}

// RunAdjust posts an approved correction in the transaction of the decision.
func (s *Service) RunAdjust(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in Adjustment
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	amount, isDebit, err := parseAmount(in)
	if err != nil {
		return nil, nil, err
	}
	row, err := tx.Q.MemberByID(ctx, in.MemberID)
	if err != nil {
		return nil, nil, fmt.Errorf("find member: %w", err)
	}
	if err := s.o.Ledger.EnsureMemberIn(ctx, tx, row.MerchantID, row.ID, in.Currency); err != nil {
		return nil, nil, err
	}
	cash, err := tx.Q.AccountOfMember(ctx, nullable(row.ID), ledger.Cash, in.Currency)
	if err != nil {
		return nil, nil, fmt.Errorf("find account: %w", err)
	}
	house, err := s.o.Ledger.HouseIn(ctx, tx, row.MerchantID, ledger.Adjustments, in.Currency)
	if err != nil {
		return nil, nil, err
	}
	t := ledger.Transfer{
		Key: "adjust/" + in.Key, Debit: house.ID, Credit: cash.ID, Amount: amount, Kind: "adjustment", RefType: "adjustment", RefID: in.Key, Note: in.Reason,
	}
	if isDebit {
		t.Debit, t.Credit = t.Credit, t.Debit
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, t)
	if err != nil {
		return nil, nil, err
	}
	currency, err := money.Find(in.Currency)
	if err != nil {
		return nil, nil, err
	}
	balance := posted[0].CreditAfter
	if isDebit {
		balance = posted[0].DebitAfter
	}
	return nil, map[string]any{"adjustment": in, "transfer": strconv.FormatInt(posted[0].ID, 10), "balance": currency.Format(balance)}, nil
}

// A Transfer is a transfer of the ledger as operators see it.
type Transfer struct {
	ID                                       int64
	Key, Kind, RefType, RefID, Note, Refusal string
	Amount                                   money.Minor
	Currency                                 string
	DebitID, CreditID, Origin                int64
	From, To                                 string // kinds of the accounts
	FromMember, ToMember                     int64
	FromName, ToName                         string
	At                                       int64
}

const transferColumns = `t.id, t.idem_key, t.kind, t.ref_type, t.ref_id, t.note, COALESCE(t.refusal, ''), t.amount, d.currency, t.debit_id, t.credit_id, COALESCE(t.origin_id, 0), d.kind, c.kind,
  COALESCE(d.member_id, 0), COALESCE(c.member_id, 0), COALESCE((SELECT m.account FROM member m WHERE m.id = d.member_id), ''), COALESCE((SELECT m.account FROM member m WHERE m.id = c.member_id), ''), t.created_at`

const transferAccounts = ` JOIN account d ON d.id = t.debit_id JOIN account c ON c.id = t.credit_id WHERE d.merchant_id = $1`

// A Search selects transfers. Empty fields match all.
type Search struct {
	MerchantID int64
	Text       string // id, key or reference
	MemberID   int64
	Kind       string
	From, To   int64
}

// transfersOfHouse reads an account's entries, newest first, by the table's primary key. In house accounts, the number (seq) of an
// entry is the transfer's id.
const transfersOfHouse = `SELECT ` + transferColumns + ` FROM entry e JOIN transfer t ON t.id = e.transfer_id` + transferAccounts + `
  AND e.account_id = $2 AND e.seq < $3 AND e.seq >= $4 AND e.seq < $5 AND ($6 = '' OR t.kind = $6) AND t.created_at >= $7 AND t.created_at < $8 ORDER BY e.seq DESC LIMIT $9`

var transfersOfMember = strings.ReplaceAll(strings.ReplaceAll(transfersOfHouse, "e.seq ", "e.transfer_id "), "ORDER BY e.transfer_id", "ORDER BY e.seq")

// transfersOfKind reads all transfers of a kind that moved money, newest first. Its conditions are those of the index transfer_of_kind,
// which lacks the kinds of stakes and wins.
const transfersOfKind = `SELECT ` + transferColumns + ` FROM transfer t` + transferAccounts + ` AND t.kind = $2 AND t.debit_seq IS NOT NULL
  AND t.kind <> 'vendor.bet' AND t.kind <> 'vendor.win' AND t.kind <> 'lottery.bet' AND t.kind <> 'lottery.win'
  AND t.id < $3 AND t.id >= $4 AND t.id < $5 AND t.created_at >= $6 AND t.created_at < $7 ORDER BY t.id DESC LIMIT $8`

// isStakeOrWin reports whether a kind is one of those that transfersOfKind does not read. Only accounts of vendors have them.
func isStakeOrWin(kind string) bool {
	return kind == "vendor.bet" || kind == "vendor.win" || isOfLottery(kind)
}

func isOfLottery(kind string) bool { return kind == "lottery.bet" || kind == "lottery.win" }

// lotteryAccounts are the kinds of the house accounts of lotteries.
var lotteryAccounts = []string{
	ledger.Vendor(spec.VendorELott), ledger.Vendor(spec.VendorLottoVN), ledger.Vendor(spec.VendorSEA), ledger.Vendor(spec.VendorLott),
}

// hasStakes reports whether a house account has the stakes and wins of lotteries, or those of other games.
func hasStakes(account string, ofLottery bool) bool {
	return strings.HasPrefix(account, ledger.Vendor("")) && slices.Contains(lotteryAccounts, account) == ofLottery
}

const transferByText = `SELECT ` + transferColumns + ` FROM transfer t` + transferAccounts + ` AND t.id < $2 AND (t.id = $3 OR t.idem_key = $4 OR t.idem_key = $5) ORDER BY t.id DESC LIMIT $6`

// Transfers returns transfers with an id below before, newest first.
func (s *Service) Transfers(ctx context.Context, in Search, before int64, limit int) ([]Transfer, error) {
	if in.Text != "" {
		id, _ := strconv.ParseInt(in.Text, 10, 64) // 0: not an id
		return s.readTransfers(ctx, transferByText, in.MerchantID, before, id, in.Text, "adjust/"+in.Text, limit)
	}
	to := in.To
	if to == 0 {
		to = math.MaxInt64
	}
	low, end := int64(0), int64(math.MaxInt64)
	if in.From != 0 || in.To != 0 {
		var err error
		if low, end, err = ledger.IDRange(ctx, s.o.Store.Q(), in.From, to); err != nil {
			return nil, err
		}
	}
	if in.MemberID == 0 && in.Kind != "" && !isStakeOrWin(in.Kind) {
		return s.readTransfers(ctx, transfersOfKind, in.MerchantID, in.Kind, before, low, end, in.From, to, limit)
	}
	accounts, err := s.accountIDs(ctx, in)
	if err != nil {
		return nil, err
	}
	statement := transfersOfHouse
	if in.MemberID != 0 {
		statement = transfersOfMember
	}
	var all []Transfer
	for _, account := range accounts {
		found, err := s.readTransfers(ctx, statement, in.MerchantID, account, before, low, end, in.Kind, in.From, to, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b Transfer) int { return cmp.Compare(b.ID, a.ID) })
	all = slices.CompactFunc(all, func(a, b Transfer) bool { return a.ID == b.ID })
	return all[:min(limit, len(all))], nil
}

// accountIDs returns the accounts to read: those of the member, or those of the house. Stakes and wins are only in the accounts of
// vendors. Holds move money between a member's own accounts, so the accounts of the house do not have them.
func (s *Service) accountIDs(ctx context.Context, in Search) (ids []int64, err error) {
	if in.MemberID != 0 {
		rows, err := s.o.Store.Q().AccountsOfMember(ctx, nullable(in.MemberID))
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids, err
	}
	rows, err := s.o.Store.Q().HouseAccounts(ctx, in.MerchantID)
	for _, r := range rows {
		if !isStakeOrWin(in.Kind) || hasStakes(r.Kind, isOfLottery(in.Kind)) {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

func (s *Service) readTransfers(ctx context.Context, statement string, args ...any) (list []Transfer, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("read transfers: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var t Transfer
		if err := rows.Scan(&t.ID, &t.Key, &t.Kind, &t.RefType, &t.RefID, &t.Note, &t.Refusal, &t.Amount, &t.Currency, &t.DebitID, &t.CreditID, &t.Origin, &t.From, &t.To,
			&t.FromMember, &t.ToMember, &t.FromName, &t.ToName, &t.At); err != nil {
			return nil, fmt.Errorf("read transfers: %w", err)
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// StartCheck queues a check of the ledger.
func (s *Service) StartCheck(ctx context.Context, merchantID int64, reason string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		id := s.o.IDs()
		n, err := tx.Q.AddLedgerCheck(ctx, id, audit.Actor(ctx), db.Millis(s.o.Now()))
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrRunning
		}
		if err := s.o.Queue.Add(ctx, tx, taskVerify, id); err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{MerchantID: merchantID, Permission: string(permission.ReportRead), Action: "ledger.verify", Object: "ledger", After: map[string]string{"reason": reason}})
	})
	if err != nil {
		return fmt.Errorf("start check: %w", err)
	}
	return nil
}

// runCheck verifies the ledger and stores the report. It can be repeated. Only the last attempt stores a failure.
func (s *Service) runCheck(ctx context.Context, id int64, lastAttempt bool) error {
	write := func(fn func(tx *db.Tx) error) error { return s.o.Store.Write(ctx, fn) }
	if err := write(func(tx *db.Tx) error { return tx.Q.StartLedgerCheck(ctx, id, db.Millis(s.o.Now())) }); err != nil {
		return err
	}
	report, err := ledger.Verify(ctx, s.o.Store)
	if err != nil && !lastAttempt {
		return err
	}
	state, text := "failed", ""
	if err == nil {
		state = "broken"
		if report.OK() {
			state = "ok"
		}
		encoded, err := json.Marshal(report)
		if err != nil {
			return err
		}
		text = string(encoded)
	}
	return errors.Join(err, write(func(tx *db.Tx) error {
		if err := tx.Q.EndLedgerCheck(ctx, endParams(id, db.Millis(s.o.Now()), state, text)); err != nil {
			return err
		}
		return s.o.Screens.Changed(ctx, tx, "ledger", "")
	}))
}
