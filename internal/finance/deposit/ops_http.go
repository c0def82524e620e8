package deposit

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"math"
	"math/big"
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
type DepositRow struct {
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

// hasPermission checks nothing: the call's Op names the permission, and rest checks it.
func hasPermission(context.Context, string) error { return nil }

func depositOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.DepositConfirm}
	list := op
	list.Path, list.ID, list.Summary = "/ops/v1/deposits", "opsDeposits", "Deposits, newest first"
	list.Description = "q finds a reference, a member's name or an id."
	column := func(name string, text func(DepositRow) string) oplist.Column[DepositRow] {
		return oplist.Column[DepositRow]{Name: name, Text: text}
	}
	oplist.Register(a, hasPermission, oplist.List[listInput, DepositRow]{
		Op: list, Permission: string(permission.DepositConfirm), Sorts: []string{"createdAt"}, States: Statuses, File: "deposits.csv",
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
	one := op
	one.Method, one.Path, one.ID, one.Summary, one.Faults = http.MethodGet, "/ops/v1/deposits/{id}", "DepositRow", "A deposit with its notices", []*fault.Fault{ErrUnknown}
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Wps(a, one, func(ctx context.Context, in *oneInput) (opsDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	proof := op
	proof.Method, proof.Path, proof.ID, proof.Summary = http.MethodGet, "/ops/v1/deposits/{id}/proof", "opsDepositProof", "The picture that the member uploaded"
	proof.ContentType, proof.Faults = "image/jpeg", []*fault.Fault{ErrUnknown}
	rest.Handle(a, proof, picture.Handler("proof.jpg", func(r *http.Request) (io.ReadCloser, error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return nil, ErrUnknown
		}
		return s.OpenProof(r.Context(), rest.MerchantOf(r.Context()).ID, id)
	}))
	act := op
	act.Method, act.Path, act.ID, act.Summary = http.MethodPost, "/ops/v1/deposits/{id}/{action}", "opsDecideDeposit", "Confirm or refuse a deposit"
	act.Faults = []*fault.Fault{ErrUnknown, ErrStale, ErrState, ErrAmount, idempotency.ErrConflict}
	act.Description = "confirm credits the deposit, also one that has ended unpaid, and ends its entries in the queue. refuse ends an open deposit; " +
		"for one that has ended it only ends the entries."
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
	rest.Wps(a, act, func(ctx context.Context, in *decideDepositInput) (opsDetail, error) {
		merchant := rest.MerchantOf(ctx)
		operator, _ := rest.OperatorOf(ctx)
		if in.Action == "refuse" && in.Body.Reason == "" {
			return opsDetail{}, rest.ErrParam.On("reason")
		}
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: act.ID, Key: in.IdempotencyKey, Content: []any{in.ID, in.Action, in.Body}}
		_, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (struct{}, error) {
			return struct{}{}, s.decideIn(ctx, tx, merchant.ID, in.ID, in.Body.Version, in.Action, in.Body.Reason, in.Body.Amount)
		})
		if err != nil {
			return opsDetail{}, err
		}
		return s.detail(ctx, merchant.ID, in.ID)
	})
}

// decideIn confirms or refuses a deposit and writes the audit log.
func (s *Service) decideIn(ctx context.Context, tx *db.Tx, merchantID, id, version int64, action, reason string, amount *rest.Amount) error {
	var before, after query.Deposit
	var err error
	if action == "refuse" {
		before, after, err = s.RefuseIn(ctx, tx, merchantID, id, version, reason)
	} else {
		var received money.Minor
		if amount != nil {
			d, err := tx.Q.DepositByID(ctx, id)
			if errors.Is(err, sql.ErrNoRows) {
				return ErrUnknown
			}
			if err != nil {
				return err
			}
			c, err := money.Find(d.Currency)
			if err != nil {
				return rest.ErrSystem.Because(err)
			}
			if received, err = c.Parse(string(*amount)); err != nil || received == 0 {
				return ErrAmount.On("amount")
			}
		}
		before, after, err = s.ConfirmIn(ctx, tx, merchantID, id, version, received)
	}
	if err != nil {
		return err
	}
	shown := func(d query.Deposit) map[string]any {
		return map[string]any{"reference": d.Reference, "status": d.Status, "amount": d.Amount, "currency": d.Currency, "reason": d.Reason}
	}
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(permission.DepositConfirm), Action: "deposit." + action, Object: "deposit/" + formatID(id),
		Before: shown(before), After: shown(after),
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

// List returns a merchant's deposits, newest first. An empty status means all.
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

// MethodFields are the fields of a method that operators edit.
type MethodFields struct {
	Scheme   string      `json:"scheme,omitempty" enum:",vietqr,pix,raast" doc:"Payment code of mt and qr methods: vietqr for VND, pix for BRL, raast for PKR."`
	Name     string      `json:"name" minLength:"1" maxLength:"100"`
	Min      rest.Amount `json:"min"`
	Max      rest.Amount `json:"max"`
	Fee      rest.Amount `json:"fee"`
	FeeRate  rest.Amount `json:"feeRate" doc:"A fraction below 1 with at most six decimals."`
	OpensAt  string      `json:"opensAt" pattern:"^[0-9]{2}:[0-9]{2}$" doc:"HH:mm in the time of the currency's country. Equal to closesAt: always open."`
	ClosesAt string      `json:"closesAt" pattern:"^[0-9]{2}:[0-9]{2}$"`
	Minutes  int64       `json:"minutes" minimum:"1" maximum:"10080" doc:"Until an unpaid deposit expires."`
	Accounts []Account   `json:"accounts" maxItems:"20" doc:"Accounts that receive the money."`
	Sorting  int64       `json:"sorting" minimum:"0" maximum:"1000000"`
	Enabled  bool        `json:"enabled"`
}

type opsMethod struct {
	MethodFields

	ID       string `json:"id"`
	Code     string `json:"code"`
	Kind     string `json:"kind" enum:"mt,qr,pg"`
	Currency string `json:"currency"`
	Status   string `json:"status" enum:"active,disabled"`
	Version  int64  `json:"version"`
}

func opsMethodOf(m Method) opsMethod {
	c, err := money.Find(m.Currency)
	if err != nil {
		c = money.Currency{Code: m.Currency}
	}
	out := opsMethod{
		MethodFields: MethodFields{
			Scheme: m.Scheme, Name: m.Name, Min: rest.AmountOf(c, m.Min), Max: rest.AmountOf(c, m.Max), Fee: rest.AmountOf(c, m.Fee), FeeRate: rateText(m.FeeRate),
			OpensAt: m.Opens, ClosesAt: m.Closes, Minutes: m.Minutes, Accounts: m.Accounts, Sorting: m.Sorting, Enabled: m.Enabled,
		},
		ID: formatID(m.ID), Code: m.Code, Kind: m.Kind, Currency: m.Currency, Status: "active", Version: m.Version,
	}
	if !m.Enabled {
		out.Status = "disabled"
	}
	return out
}

// apply sets the fields of a body in a method.
func (b MethodFields) apply(m Method) (Method, error) {
	c, err := money.Find(m.Currency)
	if err != nil {
		return m, ErrMethodMalformed.On("currency")
	}
	for _, f := range []struct {
		name string
		from rest.Amount
		to   *money.Minor
	}{{"min", b.Min, &m.Min}, {"max", b.Max, &m.Max}, {"fee", b.Fee, &m.Fee}} {
		if *f.to, err = c.Parse(string(f.from)); err != nil {
			return m, ErrMethodMalformed.On(f.name)
		}
	}
	rate, ok := new(big.Rat).SetString(string(b.FeeRate))
	if !ok {
		return m, ErrMethodMalformed.On("feeRate")
	}
	rate.Mul(rate, big.NewRat(rateUnit, 1))
	if !rate.IsInt() || !rate.Num().IsInt64() {
		return m, ErrMethodMalformed.On("feeRate")
	}
	m.FeeRate = rate.Num().Int64()
	m.Scheme, m.Name, m.Opens, m.Closes, m.Minutes, m.Accounts, m.Sorting, m.Enabled = b.Scheme, b.Name, b.OpensAt, b.ClosesAt, b.Minutes, b.Accounts, b.Sorting, b.Enabled
	return m, nil
}

type methodList struct {
	List []opsMethod `json:"list"`
	Next string      `json:"next" doc:"Always empty: the list is complete."`
}

func methodOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.SettingEdit}
	list := op
	list.Method, list.Path, list.ID, list.Summary = http.MethodGet, "/ops/v1/methods", "opsMethods", "Ways to deposit"
	rest.Wps(a, list, func(ctx context.Context, _ *struct{}) (methodList, error) {
		all, err := s.AllMethods(ctx, rest.MerchantOf(ctx).ID)
		out := methodList{List: make([]opsMethod, len(all))}
		for i, m := range all {
			out.List[i] = opsMethodOf(m)
		}
		return out, err
	})
	create := op
	create.Method, create.Path, create.ID, create.Summary = http.MethodPost, "/ops/v1/methods", "opsCreateMethod", "Create a way to deposit"
	create.Dangerous, create.Faults = true, []*fault.Fault{ErrMethodMalformed, ErrMethodExists}
	create.Description = "Creating a gateway makes its pg method."
	type methodCreateBody struct {
		MethodFields

		Code     string `json:"code" minLength:"1" maxLength:"40"`
		Kind     string `json:"kind" enum:"mt,qr"`
		Currency string `json:"currency"`
	}
	rest.Wps(a, create, func(ctx context.Context, in *struct{ Body methodCreateBody }) (out opsMethod, err error) {
		m, err := in.Body.apply(Method{MerchantID: rest.MerchantOf(ctx).ID, Code: in.Body.Code, Kind: in.Body.Kind, Currency: in.Body.Currency})
		if err != nil {
			return out, err
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			if m, err = s.CreateMethodIn(ctx, tx, m); err != nil {
				return err
			}
			out = opsMethodOf(m)
			return s.auditSetting(ctx, tx, "method.create", "method/"+m.Code, nil, out)
		})
		return out, err
	})
	edit := op
	edit.Method, edit.Path, edit.ID, edit.Summary = http.MethodPut, "/ops/v1/methods/{id}", "opsEditMethod", "Change a way to deposit"
	edit.Dangerous, edit.Faults = true, []*fault.Fault{ErrMethodMalformed, ErrMethodUnknown, ErrStale}
	type editMethodInput struct {
		ID   int64 `path:"id"`
		Body struct {
			MethodFields

			Version int64 `json:"version" minimum:"1"`
		}
	}
	rest.Wps(a, edit, func(ctx context.Context, in *editMethodInput) (out opsMethod, err error) {
		old, err := s.MethodByID(ctx, rest.MerchantOf(ctx).ID, in.ID)
		if err != nil {
			return out, err
		}
		m, err := in.Body.apply(old)
		if err != nil {
			return out, err
		}
		m.Version = in.Body.Version
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			if err := s.EditMethodIn(ctx, tx, m); err != nil {
				return err
			}
			next := m
			next.Version++
			out = opsMethodOf(next)
			return s.auditSetting(ctx, tx, "method.edit", "method/"+m.Code, opsMethodOf(old), out)
		})
		return out, err
	})
}

func (s *Service) auditSetting(ctx context.Context, tx *db.Tx, action, object string, before, after any) error {
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: rest.MerchantOf(ctx).ID, Permission: string(permission.SettingEdit), Action: action, Object: object, Before: before, After: after,
	})
}

type opsGateway struct {
	ID         string      `json:"id"`
	Code       string      `json:"code"`
	Name       string      `json:"name"`
	URL        string      `json:"url"`
	Currencies []string    `json:"currencies"`
	Min        rest.Amount `json:"min" doc:"In the unit of the first currency."`
	Max        rest.Amount `json:"max" doc:"0: no maximum."`
	Keys       int64       `json:"keys" doc:"Active keys."`
	Status     string      `json:"status" enum:"active,disabled"`
	CreatedAt  int64       `json:"createdAt"`
	Version    int64       `json:"version"`

	Reconciliation *Reconciliation `json:"reconciliation" doc:"The last one, or null."`
}

type gatewayList struct {
	List []opsGateway `json:"list"`
	Next string       `json:"next" doc:"Always empty: the list is complete."`
}

// GatewayFields are the fields of a gateway that operators edit.
type GatewayFields struct {
	Name string       `json:"name" minLength:"1" maxLength:"100"`
	URL  string       `json:"url" maxLength:"500" doc:"Base of the gateway's calls."`
	Min  *rest.Amount `json:"min,omitempty"`
	Max  *rest.Amount `json:"max,omitempty" doc:"0 or absent: no maximum."`
}

func (b GatewayFields) limits(currency string) (lowest, highest money.Minor, err error) {
	c, err := money.Find(currency)
	if err != nil {
		return 0, 0, gateway.ErrMalformed.On("currencies")
	}
	if b.Min != nil {
		if lowest, err = c.Parse(string(*b.Min)); err != nil {
			return 0, 0, gateway.ErrMalformed.On("min")
		}
	}
	if b.Max != nil {
		if highest, err = c.Parse(string(*b.Max)); err != nil {
			return 0, 0, gateway.ErrMalformed.On("max")
		}
	}
	return lowest, highest, nil
}

func (s *Service) opsGateways(ctx context.Context, merchantID int64) ([]opsGateway, error) {
	all, err := s.o.Gateways.List(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	out := make([]opsGateway, len(all))
	for i, g := range all {
		c, err := money.Find(g.Currencies[0])
		if err != nil {
			return nil, rest.ErrSystem.Because(err)
		}
		out[i] = opsGateway{
			ID: formatID(g.ID), Code: g.Code, Name: g.Name, URL: g.URL, Currencies: g.Currencies, Min: rest.AmountOf(c, g.Min), Max: rest.AmountOf(c, g.Max),
			Keys: g.Keys, Status: "active", CreatedAt: g.CreatedAt, Version: g.Version,
		}
		if !g.Enabled {
			out[i].Status = "disabled"
		}
		if out[i].Reconciliation, err = s.LastReconciliation(ctx, g.ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func gatewayOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.SettingEdit}
	list := op
	list.Method, list.Path, list.ID, list.Summary = http.MethodGet, "/ops/v1/gateways", "opsGateways", "Payment gateways with their last reconciliation"
	rest.Wps(a, list, func(ctx context.Context, _ *struct{}) (gatewayList, error) {
		all, err := s.opsGateways(ctx, rest.MerchantOf(ctx).ID)
		return gatewayList{List: all}, err
	})
	create := op
	create.Method, create.Path, create.ID, create.Summary = http.MethodPost, "/ops/v1/gateways", "opsCreateGateway", "Create a payment gateway with its first key"
	create.Dangerous, create.Faults = true, []*fault.Fault{gateway.ErrMalformed, gateway.ErrExists, ErrMethodExists}
	create.Description = "Also makes a pg method with its code. The key is shown once."
	type gatewayCreateBody struct {
		GatewayFields

		Code       string   `json:"code" minLength:"1" maxLength:"32"`
		Currencies []string `json:"currencies" minItems:"1" maxItems:"8"`
	}
	rest.Wps(a, create, func(ctx context.Context, in *struct{ Body gatewayCreateBody }) (key gateway.Key, err error) {
		b := in.Body
		lowest, highest, err := b.limits(b.Currencies[0])
		if err != nil {
			return key, err
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			var g gateway.Gateway
			draft := gateway.Draft{Code: b.Code, Name: b.Name, URL: b.URL, Currencies: b.Currencies, Min: lowest, Max: highest}
			if g, key, err = s.o.Gateways.CreateIn(ctx, tx, rest.MerchantOf(ctx).ID, draft); err != nil {
				return err
			}
			return s.auditSetting(ctx, tx, "gateway.create", "gateway/"+g.Code, nil, b)
		})
		return key, err
	})
	type changeGatewayInput struct {
		ID     int64  `path:"id"`
		Action string `path:"action" enum:"rotate,retire,edit,disable,enable,reconcile"`
		Body   struct {
			Version int64          `json:"version" minimum:"1"`
			Reason  string         `json:"reason,omitempty" maxLength:"500"`
			Change  *GatewayFields `json:"change,omitempty" doc:"With edit."`
		}
	}
	type gatewayChanged struct {
		Key            *gateway.Key    `json:"key,omitempty" doc:"After rotate, once."`
		Reconciliation *Reconciliation `json:"reconciliation,omitempty" doc:"After reconcile."`
	}
	act := op
	act.Method, act.Path, act.ID, act.Summary = http.MethodPost, "/ops/v1/gateways/{id}/{action}", "opsChangeGateway", "Change a payment gateway, or compare it with the deposits"
	act.Dangerous, act.Faults = true, []*fault.Fault{gateway.ErrUnknown, gateway.ErrMalformed, gateway.ErrStale}
	act.Description = "rotate makes a new key; the previous one stays valid until the next rotation or retire, which ends all keys but the newest. reconcile moves no money."
	rest.Wps(a, act, func(ctx context.Context, in *changeGatewayInput) (out gatewayChanged, err error) {
		g, err := s.o.Gateways.ByID(ctx, in.ID)
		if err == nil && g.MerchantID != rest.MerchantOf(ctx).ID {
			err = gateway.ErrUnknown
		}
		if err != nil {
			return out, err
		}
		if g.Version != in.Body.Version {
			return out, gateway.ErrStale
		}
		if in.Action == "reconcile" {
			result, err := s.Reconcile(ctx, g)
			if err != nil {
				return out, err
			}
			out.Reconciliation = &result
			return out, s.o.Store.Write(ctx, func(tx *db.Tx) error {
				return s.auditSetting(ctx, tx, "gateway.reconcile", "gateway/"+g.Code, nil, map[string]int{"differences": len(result.Differences)})
			})
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			var after any
			to := gateway.Changes{Name: g.Name, URL: g.URL, Min: g.Min, Max: g.Max, Enabled: in.Action == "enable" || in.Action == "edit" && g.Enabled}
			switch {
			case in.Action == "rotate":
				key, err := s.o.Gateways.RotateIn(ctx, tx, g)
				if err != nil {
					return err
				}
				out.Key, after = &key, map[string]string{"keyId": key.KeyID}
			case in.Action == "retire":
				retired, err := s.o.Gateways.RetireIn(ctx, tx, g)
				if err != nil {
					return err
				}
				after = map[string]any{"retired": retired}
			case in.Action == "edit" && in.Body.Change == nil:
				return rest.ErrParam.On("change")
			default:
				if c := in.Body.Change; in.Action == "edit" {
					to.Name, to.URL = c.Name, c.URL
					if to.Min, to.Max, err = c.limits(g.Currencies[0]); err != nil {
						return err
					}
				}
				if err := s.o.Gateways.ChangeIn(ctx, tx, g, to); err != nil {
					return err
				}
				after = to
			}
			return s.auditSetting(ctx, tx, "gateway."+in.Action, "gateway/"+g.Code, map[string]any{"name": g.Name, "url": g.URL, "enabled": g.Enabled}, after)
		})
		return out, err
	})
}
