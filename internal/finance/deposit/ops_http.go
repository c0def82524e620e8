package deposit

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"

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
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

const opsTag = "operators: deposits"

// OpsRoutes declares the operators' calls.
func OpsRoutes(a *rest.API, s *Service) {
	depositOps(a, s)
	methodOps(a, s)
	gatewayOps(a, s)
}

type listInput struct {
	oplist.Params

	Kind  string `query:"kind" enum:",mt,qr,pg"`
	Queue string `query:"queue" enum:",any,late,mismatch,conflict,claimed" doc:"Only deposits that an operator must look at."`
}

// A DepositRow is a deposit in the operators' list.
type DepositRow struct { //nolint:revive // the API document names the schema after the type
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Status    string      `json:"status" enum:"WAITING,CLAIMED,CREDITED,REFUSED,EXPIRED,CANCELLED"`
	Kind      string      `json:"kind" enum:"mt,qr,pg"`
	Method    string      `json:"method"`
	MemberID  string      `json:"memberId"`
	Member    string      `json:"member"`
	Amount    rest.Amount `json:"amount"`
	Fee       rest.Amount `json:"fee"`
	Currency  string      `json:"currency"`
	PayerName string      `json:"payerName,omitempty"`
	CreatedAt int64       `json:"createdAt"`
	ExpiresAt int64       `json:"expiresAt"`
	EndedAt   *int64      `json:"endedAt"`
	Proof     bool        `json:"proof" doc:"The member uploaded a picture: see opsDepositProof."`
	Reason    string      `json:"reason,omitempty"`
	Queue     string      `json:"queue" doc:"Why an operator must look at it, or empty." enum:",late,mismatch,conflict,claimed"`
	Version   int64       `json:"version"`
}

type opsNotice struct {
	GatewayID  string `json:"gatewayId"`
	Status     string `json:"status"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	Code       string `json:"code"`
	ReceivedAt int64  `json:"receivedAt"`
}

type opsQueueEntry struct {
	Kind      string `json:"kind" enum:"late,mismatch,conflict,claimed"`
	State     string `json:"state" enum:"open,done"`
	CreatedAt int64  `json:"createdAt"`
	DoneBy    string `json:"doneBy,omitempty"`
}

type opsDetail struct {
	DepositRow

	Bank       *Account        `json:"bank,omitempty"`
	PayURL     string          `json:"payUrl,omitempty"`
	PaymentID  string          `json:"paymentId,omitempty" doc:"The gateway's id."`
	TransferID string          `json:"transferId,omitempty" doc:"The ledger's transfer that credited it."`
	Notices    []opsNotice     `json:"notices"`
	Entries    []opsQueueEntry `json:"entries" doc:"Entries of the queue."`

	Approval *ConfirmApproval `json:"approval,omitempty" doc:"confirm: the request that waits for a second person."`
}

func opsDepositOf(d query.Deposit, method, member, queue string) DepositRow {
	c, err := money.Find(d.Currency)
	if err != nil {
		c = money.Currency{Code: d.Currency}
	}
	out := DepositRow{
		ID: formatID(d.ID), Reference: d.Reference, Status: d.Status, Kind: d.Kind, Method: method, MemberID: formatID(d.MemberID), Member: member,
		Amount: rest.AmountOf(c, money.Minor(d.Amount)), Fee: rest.AmountOf(c, money.Minor(d.Fee)), Currency: d.Currency, PayerName: d.PayerName,
		CreatedAt: d.CreatedAt, ExpiresAt: d.ExpiresAt, Proof: d.Proof != "", Reason: d.Reason, Queue: queue, Version: d.Version,
	}
	if d.EndedAt.Valid {
		out.EndedAt = &d.EndedAt.Int64
	}
	return out
}

// hasPermission checks nothing, because package rest checks the permission of the Op.
func hasPermission(context.Context, string) error { return nil }

func depositOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.DepositConfirm}
	listOp := op
	listOp.Path, listOp.ID, listOp.Summary = "/ops/v1/deposits", "opsDeposits", "Deposits, newest first"
	listOp.Description = "q finds a reference, a member's name or an id."
	column := func(name string, text func(DepositRow) string) oplist.Column[DepositRow] {
		return oplist.Column[DepositRow]{Name: name, Text: text}
	}
	oplist.Register(a, hasPermission, oplist.List[listInput, DepositRow]{
		Op: listOp, Permission: string(permission.DepositConfirm), Sorts: []string{"createdAt"}, States: Statuses, File: "deposits.csv",
		Columns: []oplist.Column[DepositRow]{
			column("id", func(d DepositRow) string { return d.ID }), column("reference", func(d DepositRow) string { return d.Reference }),
			column("status", func(d DepositRow) string { return d.Status }), column("method", func(d DepositRow) string { return d.Method }),
			column("member", func(d DepositRow) string { return d.Member }), column("amount", func(d DepositRow) string { return string(d.Amount) }),
			column("fee", func(d DepositRow) string { return string(d.Fee) }), column("currency", func(d DepositRow) string { return d.Currency }),
			column("createdAt", func(d DepositRow) string { return formatID(d.CreatedAt) }),
		},
		Key: func(d DepositRow, _ string) page.Key {
			id, _ := strconv.ParseInt(d.ID, 10, 64)
			return page.Key{At: d.CreatedAt, ID: id}
		},
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]DepositRow, error) {
			return s.list(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
	})
	detailOp := op
	detailOp.Method, detailOp.Path, detailOp.ID, detailOp.Summary, detailOp.Faults = http.MethodGet, "/ops/v1/deposits/{id}", "DepositRow", "A deposit with its notices", []*fault.Fault{ErrUnknown}
	type detailInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, detailOp, func(ctx context.Context, in *detailInput) (opsDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	proofOp := op
	proofOp.Method, proofOp.Path, proofOp.ID, proofOp.Summary = http.MethodGet, "/ops/v1/deposits/{id}/proof", "opsDepositProof", "The picture that the member uploaded"
	proofOp.ContentType, proofOp.Faults = "image/jpeg", []*fault.Fault{ErrUnknown}
	rest.Handle(a, proofOp, picture.Handler("proof.jpg", func(r *http.Request) (io.ReadCloser, error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return nil, ErrUnknown
		}
		return s.OpenProof(r.Context(), rest.MerchantOf(r.Context()).ID, id)
	}))
	decideOp := op
	decideOp.Method, decideOp.Path, decideOp.ID, decideOp.Summary = http.MethodPost, "/ops/v1/deposits/{id}/{action}", "opsDecideDeposit", "Confirm or refuse a deposit"
	decideOp.Faults = []*fault.Fault{ErrUnknown, ErrStale, ErrState, ErrAmount, rest.ErrConfirm, idempotency.ErrConflict}
	decideOp.Description = "confirm needs a confirmed code. It credits the deposit, also one that has ended unpaid, and ends its entries in the queue. refuse ends an open deposit; " +
		"for one that has ended it only ends the entries. An amount above ops.two_person_above that neither the member requested nor the gateway reported " +
		"waits for a second person."
	type decideDepositInput struct {
		idempotency.Header

		ID     int64  `path:"id"`
		Action string `path:"action" enum:"confirm,refuse"`
		Body   struct {
			Version int64        `json:"version" minimum:"1"`
			Reason  string       `json:"reason,omitempty" maxLength:"500" doc:"The member reads it."`
			Amount  *rest.Amount `json:"amount,omitempty" doc:"confirm only: the amount that arrived, if it differs."`
		}
	}
	rest.Typed(a, decideOp, func(ctx context.Context, in *decideDepositInput) (opsDetail, error) {
		merchant := rest.MerchantOf(ctx)
		operator, _ := rest.OperatorOf(ctx)
		if in.Action == "refuse" && in.Body.Reason == "" {
			return opsDetail{}, rest.ErrParam.On("reason")
		}
		if in.Action == "confirm" {
			if !operator.Confirmed {
				return opsDetail{}, rest.ErrConfirm
			}
			received, err := s.received(ctx, merchant.ID, in.ID, in.Body.Amount)
			if err != nil {
				return opsDetail{}, err
			}
			waiting, needed, err := s.Propose(ctx, merchant.ID, in.ID, in.Body.Version, received, in.Body.Reason)
			if err != nil {
				return opsDetail{}, err
			}
			if needed {
				out, err := s.detail(ctx, merchant.ID, in.ID)
				out.Approval = waiting
				return out, err
			}
		}
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: decideOp.ID, Key: in.IdempotencyKey, Content: []any{in.ID, in.Action, in.Body}}
		_, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (struct{}, error) {
			return struct{}{}, s.decideIn(ctx, tx, merchant.ID, in.ID, in.Body.Version, in.Action, in.Body.Reason, in.Body.Amount)
		})
		if err != nil {
			return opsDetail{}, err
		}
		return s.detail(ctx, merchant.ID, in.ID)
	})
}

// received parses the amount that arrived for a merchant's deposit. It returns 0 without an amount.
func (s *Service) received(ctx context.Context, merchantID, id int64, amount *rest.Amount) (money.Minor, error) {
	if amount == nil {
		return 0, nil
	}
	d, err := s.o.Store.Q().DepositByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && d.MerchantID != merchantID {
		return 0, ErrUnknown
	}
	if err != nil {
		return 0, err
	}
	c, err := money.Find(d.Currency)
	if err != nil {
		return 0, rest.ErrSystem.Because(err)
	}
	received, err := c.Parse(string(*amount))
	if err != nil || received == 0 {
		return 0, ErrAmount.On("amount")
	}
	return received, nil
}

// decideIn confirms or refuses a deposit and writes the audit log.
func (s *Service) decideIn(ctx context.Context, tx *db.Tx, merchantID, id, version int64, action, reason string, amount *rest.Amount) error {
	var before, after query.Deposit
	var err error
	if action == "refuse" {
		before, after, err = s.RefuseIn(ctx, tx, merchantID, id, version, reason)
	} else {
		received, receivedErr := s.received(ctx, merchantID, id, amount)
		if receivedErr != nil {
			return receivedErr
		}
		before, after, err = s.ConfirmIn(ctx, tx, merchantID, id, version, received)
	}
	if err != nil {
		return err
	}
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(permission.DepositConfirm), Action: "deposit." + action, Object: "deposit/" + formatID(id),
		Before: auditFields(before), After: auditFields(after),
	})
}

func (s *Service) list(ctx context.Context, merchantID int64, in *listInput, after page.Key, limit int) ([]DepositRow, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MerchantDeposits(ctx, query.MerchantDepositsParams{
		MerchantID: merchantID, Since: in.From, Until: until, Status: in.State, Kind: in.Kind, Text: in.Q, Queue: in.Queue, BeforeAt: after.At, BeforeID: after.ID,
		Most: int32(limit),
	})
	if err != nil {
		return nil, err
	}
	out := make([]DepositRow, len(rows))
	for i, r := range rows {
		out[i] = opsDepositOf(depositOf(r), r.Method, r.Member, r.Queue)
	}
	return out, nil
}

// List returns a merchant's deposits, newest first. An empty status matches all.
func (s *Service) List(ctx context.Context, merchantID int64, status string, limit int) ([]query.MerchantDepositsRow, error) {
	return s.o.Store.Q().MerchantDeposits(ctx, query.MerchantDepositsParams{
		MerchantID: merchantID, Until: math.MaxInt64, Status: status, BeforeAt: math.MaxInt64, BeforeID: math.MaxInt64, Most: int32(limit),
	})
}

func depositOf(r query.MerchantDepositsRow) query.Deposit {
	return query.Deposit{
		ID: r.ID, MerchantID: r.MerchantID, MemberID: r.MemberID, Kind: r.Kind, Reference: r.Reference, Status: r.Status, Currency: r.Currency,
		Amount: r.Amount, Fee: r.Fee, PayerName: r.PayerName, Proof: r.Proof, Reason: r.Reason, Version: r.Version, CreatedAt: r.CreatedAt,
		ExpiresAt: r.ExpiresAt, EndedAt: r.EndedAt,
	}
}

func (s *Service) detail(ctx context.Context, merchantID, id int64) (opsDetail, error) {
	q := s.o.Store.Q()
	d, err := q.DepositByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && d.MerchantID != merchantID {
		return opsDetail{}, ErrUnknown
	}
	if err != nil {
		return opsDetail{}, err
	}
	method, err := q.DepositMethodByID(ctx, d.MethodID)
	if err != nil {
		return opsDetail{}, err
	}
	member, err := q.MemberByID(ctx, d.MemberID)
	if err != nil {
		return opsDetail{}, err
	}
	view, err := viewOf(d)
	if err != nil {
		return opsDetail{}, err
	}
	out := opsDetail{Bank: view.Bank, PayURL: d.PayUrl, PaymentID: d.PaymentID, Notices: []opsNotice{}, Entries: []opsQueueEntry{}}
	if d.TransferID.Valid {
		out.TransferID = formatID(d.TransferID.Int64)
	}
	entries, err := q.DepositQueue(ctx, id)
	if err != nil {
		return opsDetail{}, err
	}
	queue := ""
	for _, e := range entries {
		row := opsQueueEntry{Kind: e.Kind, State: "done", CreatedAt: e.CreatedAt, DoneBy: e.DoneBy}
		if !e.DoneAt.Valid {
			row.State, queue = "open", e.Kind
		}
		out.Entries = append(out.Entries, row)
	}
	out.DepositRow = opsDepositOf(d, method.Code, member.Account, queue)
	if !d.GatewayID.Valid {
		return out, nil
	}
	notices, err := q.NoticesOf(ctx, d.GatewayID.Int64, gateway.KindPayment, d.Reference)
	for _, n := range notices {
		out.Notices = append(out.Notices, opsNotice{n.PaymentID, n.Status, n.Amount, n.Currency, n.Code, n.ReceivedAt})
	}
	return out, err
}
