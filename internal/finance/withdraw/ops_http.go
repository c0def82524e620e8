package withdraw

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/finance/gateway"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const opsTag = "operators: withdrawals"

type listInput struct {
	oplist.Params

	Member int64 `query:"member" minimum:"0" doc:"Only withdrawals of this member."`
}

// A WithdrawalRow is a withdrawal in the operators' list.
type WithdrawalRow struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Status    string      `json:"status" enum:"REQUESTED,REVIEW,APPROVED,SENT,PAID,REFUSED,FAILED"`
	MemberID  string      `json:"memberId"`
	Member    string      `json:"member"`
	Amount    rest.Amount `json:"amount"`
	Fee       rest.Amount `json:"fee"`
	Paid      rest.Amount `json:"paid" doc:"Amount without the fee."`
	Currency  string      `json:"currency"`
	Bank      string      `json:"bank"`
	LastFour  string      `json:"lastFour"`
	CreatedAt int64       `json:"createdAt"`
	EndedAt   *int64      `json:"endedAt"`
	Reason    string      `json:"reason,omitempty"`
	Version   int64       `json:"version"`
}

type withdrawalOpsStep struct {
	Status string `json:"status"`
	At     int64  `json:"at"`
	Actor  string `json:"actor,omitempty" doc:"The operator. Absent: the member, the gateway or a job."`
}

type payoutNotice struct {
	GatewayID  string `json:"gatewayId"`
	Status     string `json:"status"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	Code       string `json:"code"`
	ReceivedAt int64  `json:"receivedAt"`
}

// A Signal is the result of a risk check of a withdrawal.
type Signal struct {
	Code  string `json:"code" enum:"first_payout,name_differs,velocity,bonus_share,shared_device,shared_card,identity,password_reset,turnover"`
	Alert bool   `json:"alert" doc:"An operator should look at it."`
	Value string `json:"value" doc:"What was found: a number, a share in percent, names, a state, or settled and required stakes."`
}

type withdrawalDetail struct {
	WithdrawalRow

	Holder        string              `json:"holder" doc:"Verified name when the card was added."`
	Gateway       string              `json:"gateway,omitempty" doc:"Absent: an operator pays."`
	Gateways      []string            `json:"gateways" doc:"Gateways that can pay it."`
	PayoutID      string              `json:"payoutId,omitempty" doc:"The gateway's id."`
	BankReference string              `json:"bankReference,omitempty"`
	HoldID        string              `json:"holdId" doc:"The ledger's transfer that holds the amount."`
	TransferID    string              `json:"transferId,omitempty" doc:"The ledger's transfer that paid it or gave it back."`
	TwoPeople     bool                `json:"twoPeople" doc:"Its approval needs two people."`
	Approval      *PayoutApproval     `json:"approval,omitempty" doc:"The last request to approve it, or to end it as failed."`
	Steps         []withdrawalOpsStep `json:"steps"`
	Signals       []Signal            `json:"signals"`
	Notices       []payoutNotice      `json:"notices"`
}

type cardNumber struct {
	Bank   string `json:"bank"`
	Number string `json:"number"`
	Holder string `json:"holder"`
}

type withdrawalDecision struct {
	Version       int64  `json:"version" minimum:"1"`
	Reason        string `json:"reason,omitempty" maxLength:"500" doc:"refuse and fail: required, and the member reads it."`
	Gateway       string `json:"gateway,omitempty" maxLength:"32" doc:"approve: code of the gateway that pays. Without it, the only one of the currency."`
	BankReference string `json:"bankReference,omitempty" maxLength:"100" doc:"paid: the bank's reference, required."`
}

type decisionInput struct {
	idempotency.Header

	ID   int64 `path:"id"`
	Body withdrawalDecision
}

// An approveInput has no idempotency key: its version makes a repeated request fail.
type approveInput struct {
	ID   int64 `path:"id"`
	Body withdrawalDecision
}

// permitted checks nothing, because package rest checks the permission of the Op.
func permitted(context.Context, string) error { return nil }

// OpsRoutes declares the operators' calls.
func OpsRoutes(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.WithdrawalReview}
	listOp := op
	listOp.Path, listOp.ID, listOp.Summary = "/ops/v1/withdrawals", "opsWithdrawals", "Withdrawals, newest first"
	listOp.Description = "q finds a reference, a member's name or an id."
	column := func(name string, text func(WithdrawalRow) string) oplist.Column[WithdrawalRow] {
		return oplist.Column[WithdrawalRow]{Name: name, Text: text}
	}
	oplist.Register(a, permitted, oplist.List[listInput, WithdrawalRow]{
		Op: listOp, Permission: string(permission.WithdrawalReview), Sorts: []string{"createdAt"}, States: Statuses, File: "withdrawals.csv",
		Columns: []oplist.Column[WithdrawalRow]{
			column("id", func(w WithdrawalRow) string { return w.ID }), column("reference", func(w WithdrawalRow) string { return w.Reference }),
			column("status", func(w WithdrawalRow) string { return w.Status }), column("member", func(w WithdrawalRow) string { return w.Member }),
			column("amount", func(w WithdrawalRow) string { return string(w.Amount) }), column("fee", func(w WithdrawalRow) string { return string(w.Fee) }),
			column("currency", func(w WithdrawalRow) string { return w.Currency }), column("bank", func(w WithdrawalRow) string { return w.Bank }),
			column("lastFour", func(w WithdrawalRow) string { return w.LastFour }), column("createdAt", func(w WithdrawalRow) string { return formatID(w.CreatedAt) }),
		},
		Key: func(w WithdrawalRow, _ string) page.Key {
			id, _ := strconv.ParseInt(w.ID, 10, 64) // written by rowOf
			return page.Key{At: w.CreatedAt, ID: id}
		},
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]WithdrawalRow, error) {
			return s.list(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
	})
	detailOp := op
	detailOp.Method, detailOp.Path, detailOp.ID, detailOp.Summary, detailOp.Faults = http.MethodGet, "/ops/v1/withdrawals/{id}", "opsWithdrawal", "A withdrawal with its risk signals", []*fault.Fault{ErrUnknown}
	type detailInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, detailOp, func(ctx context.Context, in *detailInput) (withdrawalDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	s.cardRoute(a)
	s.approveRoute(a)
	s.failRoute(a)
	for _, step := range []struct {
		action, summary string
		needed          permission.Name
		isDangerous     bool
	}{
		{actionReview, "Take a withdrawal into review", permission.WithdrawalReview, false},
		{actionRefuse, "Refuse a withdrawal that was not sent: the member gets the money back", permission.WithdrawalReview, false},
		{actionSent, "Mark an approved withdrawal as sent, by an operator or by a gateway that did not answer", permission.WithdrawalApprove, true},
		{actionPaid, "Mark a withdrawal as paid", permission.WithdrawalApprove, true},
	} {
		stepOp := op
		stepOp.Method, stepOp.Path, stepOp.Summary = http.MethodPost, "/ops/v1/withdrawals/{id}/"+step.action, step.summary
		stepOp.ID, stepOp.Permission, stepOp.Dangerous = "opsWithdrawal"+strings.ToUpper(step.action[:1])+step.action[1:], step.needed, step.isDangerous
		stepOp.Faults = []*fault.Fault{ErrUnknown, ErrStale, ErrState, ErrReason, ErrReference, idempotency.ErrConflict}
		rest.Typed(a, stepOp, func(ctx context.Context, in *decisionInput) (withdrawalDetail, error) {
			merchant := rest.MerchantOf(ctx).ID
			operator, _ := rest.OperatorOf(ctx)
			if step.action == actionRefuse && strings.TrimSpace(in.Body.Reason) == "" {
				return withdrawalDetail{}, ErrReason.On("reason")
			}
			if step.action == actionPaid && strings.TrimSpace(in.Body.BankReference) == "" {
				return withdrawalDetail{}, ErrReference.On("bankReference")
			}
			request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: stepOp.ID, Key: in.IdempotencyKey, Content: []any{in.ID, in.Body}}
			_, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (struct{}, error) {
				before, after, err := s.decideIn(ctx, tx, merchant, in.ID, step.action, Decision{in.Body.Version, in.Body.Reason, in.Body.BankReference})
				if err != nil {
					return struct{}{}, err
				}
				return struct{}{}, audit.Append(ctx, tx, s.o.Now(), audit.Entry{
					MerchantID: merchant, Permission: string(step.needed), Action: "withdrawal." + step.action, Object: "withdrawals/" + formatID(in.ID), Before: before, After: after,
				})
			})
			if err != nil {
				return withdrawalDetail{}, err
			}
			return s.detail(ctx, merchant, in.ID)
		})
	}
}

// cardRoute declares the call that shows a full card number. Each call is recorded in the audit log.
func (s *Service) cardRoute(a *rest.API) {
	op := rest.Op{
		Tag: opsTag, Access: rest.Operators, Permission: permission.WithdrawalApprove, Dangerous: true, Method: http.MethodPost,
		Path: "/ops/v1/withdrawals/{id}/view", ID: "opsWithdrawalView", Summary: "The whole number of a withdrawal's card",
		Description: "Each view is a row of the audit log.", Faults: []*fault.Fault{ErrUnknown},
	}
	type viewInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, op, func(ctx context.Context, in *viewInput) (out cardNumber, err error) {
		merchant := rest.MerchantOf(ctx).ID
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			w, err := tx.Q.WithdrawalByID(ctx, in.ID)
			if errors.Is(err, sql.ErrNoRows) || err == nil && w.MerchantID != merchant {
				return ErrUnknown
			}
			if err != nil {
				return err
			}
			card, err := tx.Q.BankCard(ctx, w.CardID)
			if err != nil {
				return err
			}
			details, err := s.decrypt(card)
			if err != nil {
				return err
			}
			out = cardNumber{card.Bank, details.Number, details.Holder}
			return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
				MerchantID: merchant, Permission: string(op.Permission), Action: "withdrawal.view", Object: "withdrawals/" + formatID(in.ID), After: map[string]string{"lastFour": card.LastFour},
			})
		})
		return out, err
	})
}

type approveReply struct {
	Approval   *PayoutApproval   `json:"approval,omitempty" doc:"The request that waits for a second person."`
	Withdrawal *withdrawalDetail `json:"withdrawal,omitempty"`
}

func (s *Service) approveRoute(a *rest.API) {
	op := rest.Op{
		Tag: opsTag, Access: rest.Operators, Permission: permission.WithdrawalApprove, Dangerous: true, Method: http.MethodPost,
		Path: "/ops/v1/withdrawals/{id}/approve", ID: "opsWithdrawalApprove", Summary: "Approve a withdrawal",
		Description: "Above ops.two_person_above it waits for a second person. Then the gateway pays; without one, an operator does.",
		Faults:      []*fault.Fault{ErrUnknown, ErrStale, ErrState, ErrGateway},
	}
	rest.Typed(a, op, func(ctx context.Context, in *approveInput) (out approveReply, err error) {
		merchant := rest.MerchantOf(ctx).ID
		if out.Approval, err = s.Approve(ctx, merchant, in.ID, in.Body.Version, in.Body.Gateway, in.Body.Reason); err != nil {
			return out, err
		}
		detail, err := s.detail(ctx, merchant, in.ID)
		out.Withdrawal = &detail
		return out, err
	})
}

// Approve approves a withdrawal, or requests the approval of a second person and returns the request.
func (s *Service) Approve(ctx context.Context, merchantID, id, version int64, gatewayCode, reason string) (*PayoutApproval, error) {
	w, err := s.find(ctx, merchantID, id)
	if err != nil {
		return nil, err
	}
	if w.Version != version {
		return nil, ErrStale
	}
	if w.Status != Requested && w.Status != Review {
		return nil, ErrState
	}
	c, rule, err := s.rule(ctx, w)
	if err != nil {
		return nil, err
	}
	g, err := s.gatewayFor(ctx, merchantID, w.Currency, gatewayCode)
	if err != nil {
		return nil, err
	}
	in := approvalChange{ID: id, MerchantID: merchantID, Version: version, Reference: w.Reference, Amount: c.Format(money.Minor(w.Amount)), Currency: w.Currency, Reason: reason}
	if g != nil {
		in.GatewayID, in.Gateway = g.ID, g.Code
	}
	object := "withdrawals/" + formatID(id)
	defer s.Wake()
	if money.Minor(w.Amount) > rule.TwoPersonAbove {
		waiting, err := s.lastApproval(ctx, merchantID, ActionApprove, object)
		if err != nil || waiting != nil && waiting.State == "waiting" {
			return waiting, err
		}
		return s.o.Approvals.Request(ctx, merchantID, ActionApprove, object, in)
	}
	return nil, s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		before, after, err := s.approveIn(ctx, tx, in)
		if err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.WithdrawalApprove), Action: ActionApprove, Object: object, Before: before, After: after,
		})
	})
}

func (s *Service) rule(ctx context.Context, w query.Withdrawal) (money.Currency, Rule, error) {
	c, err := money.Find(w.Currency)
	if err != nil {
		return c, Rule{}, rest.ErrSystem.Because(err)
	}
	rule, err := s.o.Rule(ctx, w.MerchantID, c)
	return c, rule, err
}

// lastApproval returns the last request for an action, or nil.
func (s *Service) lastApproval(ctx context.Context, merchantID int64, action, object string) (*PayoutApproval, error) {
	rows, err := s.o.Store.Q().ApprovalOfObject(ctx, object, action, merchantID)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &PayoutApproval{formatID(rows[0].ID), rows[0].State}, nil
}

func (s *Service) find(ctx context.Context, merchantID, id int64) (query.Withdrawal, error) {
	w, err := s.o.Store.Q().WithdrawalByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && w.MerchantID != merchantID {
		return w, ErrUnknown
	}
	return w, err
}

func rowOf(w query.Withdrawal, member, bank, lastFour string) WithdrawalRow {
	c, err := money.Find(w.Currency)
	if err != nil {
		c = money.Currency{Code: w.Currency}
	}
	out := WithdrawalRow{
		ID: formatID(w.ID), Reference: w.Reference, Status: w.Status, MemberID: formatID(w.MemberID), Member: member, Amount: rest.AmountOf(c, money.Minor(w.Amount)),
		Fee: rest.AmountOf(c, money.Minor(w.Fee)), Paid: rest.AmountOf(c, money.Minor(w.Amount-w.Fee)), Currency: w.Currency, Bank: bank, LastFour: lastFour,
		CreatedAt: w.CreatedAt, Reason: w.Reason, Version: w.Version,
	}
	if w.EndedAt.Valid {
		out.EndedAt = &w.EndedAt.Int64
	}
	return out
}

func (s *Service) list(ctx context.Context, merchantID int64, in *listInput, after page.Key, limit int) ([]WithdrawalRow, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MerchantWithdrawals(ctx, query.MerchantWithdrawalsParams{
		MerchantID: merchantID, Since: in.From, Until: until, Status: in.State, MemberID: in.Member, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	})
	out := make([]WithdrawalRow, len(rows))
	for i, r := range rows {
		out[i] = rowOf(query.Withdrawal{
			ID: r.ID, MemberID: r.MemberID, Reference: r.Reference, Status: r.Status, Amount: r.Amount, Fee: r.Fee, Currency: r.Currency, CreatedAt: r.CreatedAt,
			EndedAt: r.EndedAt, Reason: r.Reason, Version: r.Version,
		}, r.Member, r.Bank, r.LastFour)
	}
	return out, err
}

func (s *Service) detail(ctx context.Context, merchantID, id int64) (out withdrawalDetail, err error) {
	w, err := s.find(ctx, merchantID, id)
	if err != nil {
		return out, err
	}
	q := s.o.Store.Q()
	card, err := q.BankCard(ctx, w.CardID)
	if err != nil {
		return out, fmt.Errorf("read card: %w", err)
	}
	details, err := s.decrypt(card)
	if err != nil {
		return out, err
	}
	member, err := q.MemberByID(ctx, w.MemberID)
	if err != nil {
		return out, fmt.Errorf("read member: %w", err)
	}
	_, rule, err := s.rule(ctx, w)
	if err != nil {
		return out, err
	}
	out = withdrawalDetail{
		WithdrawalRow: rowOf(w, member.Account, card.Bank, card.LastFour), Holder: details.Holder, PayoutID: w.PayoutID, BankReference: w.BankReference,
		HoldID: formatID(w.HoldID), TwoPeople: money.Minor(w.Amount) > rule.TwoPersonAbove, Steps: []withdrawalOpsStep{}, Notices: []payoutNotice{}, Gateways: []string{},
	}
	if w.TransferID.Valid {
		out.TransferID = formatID(w.TransferID.Int64)
	}
	all, err := s.o.Gateways.List(ctx, merchantID)
	if err != nil {
		return out, err
	}
	for _, g := range all {
		if w.GatewayID.Valid && g.ID == w.GatewayID.Int64 {
			out.Gateway = g.Code
		}
		if g.Enabled && strings.Contains(","+strings.Join(g.Currencies, ",")+",", ","+w.Currency+",") {
			out.Gateways = append(out.Gateways, g.Code)
		}
	}
	steps, err := q.WithdrawalSteps(ctx, id)
	if err != nil {
		return out, err
	}
	for _, step := range steps {
		out.Steps = append(out.Steps, withdrawalOpsStep{step.Status, step.At, step.Actor})
	}
	if w.GatewayID.Valid {
		notices, err := q.NoticesOf(ctx, w.GatewayID.Int64, gateway.KindPayout, w.Reference)
		if err != nil {
			return out, err
		}
		for _, n := range notices {
			out.Notices = append(out.Notices, payoutNotice{n.PaymentID, n.Status, n.Amount, n.Currency, n.Code, n.ReceivedAt})
		}
	}
	for _, action := range []string{ActionFail, ActionApprove} {
		if out.Approval, err = s.lastApproval(ctx, merchantID, action, "withdrawals/"+formatID(id)); err != nil {
			return out, err
		}
		if out.Approval != nil {
			break
		}
	}
	out.Signals, err = s.signals(ctx, w, card, details.Holder, member)
	return out, err
}
