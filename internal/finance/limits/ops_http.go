package limits

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// ErrSignUnknown reports that a sign of risky play does not exist.
var ErrSignUnknown = fault.ForOperators(fault.NotFound, "protection.unknown")

// Desk finds members of a merchant and writes notes about them.
type Desk interface {
	Info(ctx context.Context, merchantID, memberID int64) (username, currency string, err error)
	// LockIn locks a member and fails if the version is outdated. Version 0 accepts any.
	LockIn(ctx context.Context, tx *db.Tx, merchantID, memberID, version int64) error
	NoteIn(ctx context.Context, tx *db.Tx, memberID int64, kind, text string) error
}

// Inbox sends messages to members. It is nil if the installation has no messages.
type Inbox interface {
	SendIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, text string) error
}

const opsTag = "protection"

type signInput struct {
	oplist.Params
	Kind string `query:"kind" enum:"raise,chase,night," doc:"raise: asked to raise or remove a limit; chase: deposited again after losses; night: played in several nights."`
}

type signRow struct {
	ID        string          `json:"id"`
	MemberID  string          `json:"memberId"`
	Username  string          `json:"username"`
	Kind      string          `json:"kind" enum:"raise,chase,night"`
	Facts     json.RawMessage `json:"facts" doc:"Figures of the sign. Amounts are in the currency's unit."`
	FoundAt   int64           `json:"foundAt"`
	Status    string          `json:"status" enum:"new,contacted,break,dismissed"`
	HandledBy string          `json:"handledBy,omitempty"`
	HandledAt int64           `json:"handledAt,omitempty"`
	Version   int64           `json:"version"`
}

// publicFacts returns the figures of a sign with amounts in the currency's unit.
func publicFacts(facts string) json.RawMessage {
	var values map[string]any
	if err := json.Unmarshal([]byte(facts), &values); err != nil {
		return json.RawMessage("{}")
	}
	currency, err := money.Find(fmt.Sprint(values["currency"]))
	for _, name := range []string{"from", "to", "deposited", "lost"} {
		if amount, ok := values[name].(float64); ok && err == nil {
			values[name] = rest.AmountOf(currency, money.Minor(amount))
		}
	}
	text, _ := json.Marshal(values) // decoded above
	return text
}

const listSigns = `SELECT s.id, s.member_id, m.account, s.kind, s.facts, s.found_at, s.status, s.handled_by, s.handled_at, s.version
FROM protection_sign s JOIN member m ON m.id = s.member_id
WHERE s.merchant_id = $1 AND ($2 = '' OR s.status = $2) AND ($3 = '' OR s.kind = $3) AND ($4 = '' OR m.account = $4)
  AND s.found_at >= $5 AND s.found_at < $6 AND s.found_at <= $7 AND (s.found_at < $7 OR s.id < $8)
ORDER BY s.found_at DESC, s.id DESC LIMIT $9`

func (s *Service) signs(ctx context.Context, merchantID int64, in *signInput, after page.Key, limit int) (list []signRow, err error) {
	to := in.To
	if to == 0 {
		to = noEnd
	}
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, listSigns, merchantID, in.State, in.Kind, in.Q, in.From, to, after.At, after.ID, limit)
	if err != nil {
		return nil, fmt.Errorf("read signs: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r signRow
		var facts string
		if err := rows.Scan(&r.ID, &r.MemberID, &r.Username, &r.Kind, &facts, &r.FoundAt, &r.Status, &r.HandledBy, &r.HandledAt, &r.Version); err != nil {
			return nil, fmt.Errorf("read signs: %w", err)
		}
		r.Facts = publicFacts(facts)
		list = append(list, r)
	}
	return list, rows.Err()
}

type opsLimit struct {
	Kind    Kind         `json:"kind"`
	Period  Period       `json:"period"`
	Amount  *rest.Amount `json:"amount" nullable:"true"`
	Used    rest.Amount  `json:"used"`
	Pending bool         `json:"pending" doc:"A raise or removal waits."`
}

type opsBreak struct {
	Kind   string `json:"kind" enum:"timeOut,exclusion"`
	Period string `json:"period"`
	Since  int64  `json:"since"`
	Until  int64  `json:"until" doc:"0: for life."`
}

type opsLimits struct {
	Currency     string     `json:"currency"`
	Limits       []opsLimit `json:"limits"`
	CheckMinutes int64      `json:"checkMinutes" doc:"0: no reality checks."`
	Break        *opsBreak  `json:"break,omitempty"`
}

type signActionBody struct {
	Version int64  `json:"version" minimum:"1"`
	Reason  string `json:"reason,omitempty" maxLength:"500"`
	Text    string `json:"text,omitempty" maxLength:"2000" doc:"Of contact: what the member was told."`
	Period  string `json:"period,omitempty" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life," doc:"Of break."`
}

type forcedBreakBody struct {
	Version int64  `json:"version" minimum:"1"`
	Period  string `json:"period" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life"`
	Reason  string `json:"reason,omitempty" maxLength:"500"`
}

// OpsRoutes declares the operators' calls. faults are the faults that desk can return.
func OpsRoutes(a *rest.API, s *Service, desk Desk, inbox Inbox, faults ...*fault.Fault) {
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[signInput, signRow]{
		Op:         rest.Op{Path: "/ops/v1/protection", ID: "opsProtection", Tag: opsTag, Access: rest.Operators, Permission: permission.MemberRead, Summary: "Members with signs of risky play", Description: "q is a username."},
		Permission: string(permission.MemberRead), Sorts: []string{"foundAt"}, States: []string{"new", "contacted", "break", "dismissed"}, File: "protection.csv",
		Columns: []oplist.Column[signRow]{
			{Name: "id", Text: func(r signRow) string { return r.ID }},
			{Name: "username", Text: func(r signRow) string { return r.Username }},
			{Name: "kind", Text: func(r signRow) string { return r.Kind }},
			{Name: "facts", Text: func(r signRow) string { return string(r.Facts) }},
			{Name: "foundAt", Text: func(r signRow) string { return time.UnixMilli(r.FoundAt).UTC().Format(time.RFC3339) }},
			{Name: "status", Text: func(r signRow) string { return r.Status }},
		},
		Select: func(ctx context.Context, in *signInput, after page.Key, limit int) ([]signRow, error) {
			return s.signs(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
		Key: func(r signRow, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64) // from the database
			return page.Key{At: r.FoundAt, ID: id}
		},
	})
	type idInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/members/{id}/limits", ID: "opsMemberLimits", Tag: opsTag, Access: rest.Operators, Permission: permission.MemberRead,
		Summary: "Limits and the break of a member", Faults: faults,
	}, func(ctx context.Context, in *idInput) (opsLimits, error) {
		_, currency, err := desk.Info(ctx, rest.MerchantOf(ctx).ID, in.ID)
		if err != nil {
			return opsLimits{}, err
		}
		return s.opsLimits(ctx, in.ID, currency)
	})
	editOp := rest.Op{Method: http.MethodPost, Tag: opsTag, Access: rest.Operators, Permission: permission.MemberEdit}
	handleOp := editOp
	handleOp.Path, handleOp.ID, handleOp.Summary = "/ops/v1/protection/{id}/{action}", "opsHandleSign", "Contact a member, force a break, or dismiss a sign"
	handleOp.Faults = append([]*fault.Fault{ErrSignUnknown, rest.ErrStale, ErrBreakShorter, ErrHeld, rest.ErrParam}, faults...)
	type handleInput struct {
		ID     int64  `path:"id"`
		Action string `path:"action" enum:"contact,break,dismiss"`
		Body   signActionBody
	}
	rest.Typed(a, handleOp, func(ctx context.Context, in *handleInput) (struct{}, error) {
		return struct{}{}, s.handleSign(ctx, desk, inbox, rest.MerchantOf(ctx).ID, in.ID, in.Body.Version, signAction{in.Action, in.Body.Text, in.Body.Period, in.Body.Reason})
	})
	forceOp := editOp
	forceOp.Path, forceOp.ID, forceOp.Summary = "/ops/v1/members/{id}/break", "opsForceBreak", "Force a break on a member"
	forceOp.Faults = append([]*fault.Fault{rest.ErrStale, ErrBreakShorter, ErrHeld}, faults...)
	type breakInput struct {
		ID   int64 `path:"id"`
		Body forcedBreakBody
	}
	rest.Typed(a, forceOp, func(ctx context.Context, in *breakInput) (struct{}, error) {
		announce := func() {}
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			announce, err = s.forceIn(ctx, tx, desk, rest.MerchantOf(ctx).ID, in.ID, in.Body.Version, in.Body.Period, in.Body.Reason)
			return err
		})
		if err != nil {
			return struct{}{}, fmt.Errorf("force break: %w", err)
		}
		announce()
		return struct{}{}, nil
	})
}

func (s *Service) opsLimits(ctx context.Context, memberID int64, code string) (opsLimits, error) {
	currency, err := money.Find(code)
	if err != nil {
		return opsLimits{}, err
	}
	state, err := s.Show(ctx, memberID, code)
	if err != nil {
		return opsLimits{}, err
	}
	out := opsLimits{Currency: code, Limits: []opsLimit{}, CheckMinutes: state.CheckMinutes}
	for _, l := range state.Limits {
		row := opsLimit{Kind: l.Kind, Period: l.Period, Used: rest.AmountOf(currency, l.Used), Pending: l.Pending != nil}
		if l.Amount != nil {
			amount := rest.AmountOf(currency, *l.Amount)
			row.Amount = &amount
		}
		out.Limits = append(out.Limits, row)
	}
	if b := state.Break; b != nil {
		out.Break = &opsBreak{b.Kind, b.Period, b.Since, b.Until}
		if b.Until == noEnd {
			out.Break.Until = 0
		}
	}
	return out, nil
}

// forceIn starts a break that an operator decided. The ledger's gate enforces it from the commit on.
func (s *Service) forceIn(ctx context.Context, tx *db.Tx, desk Desk, merchantID, memberID, version int64, period, reason string) (announce func(), err error) {
	if err := desk.LockIn(ctx, tx, merchantID, memberID, version); err != nil {
		return nil, err
	}
	if announce, err = s.BeginBreakIn(ctx, tx, memberID, period); err != nil {
		return nil, err
	}
	return announce, audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(permission.MemberEdit), Action: "member.break", Object: fmt.Sprintf("member/%d", memberID),
		After: map[string]string{"period": period, "reason": reason},
	})
}

// A signAction is an operator's reaction to a sign.
type signAction struct{ action, text, period, reason string }

func (s *Service) handleSign(ctx context.Context, desk Desk, inbox Inbox, merchantID, id, version int64, act signAction) error {
	if act.action == "contact" && act.text == "" {
		return rest.ErrParam.On("text")
	}
	if act.action == "break" && act.period == "" {
		return rest.ErrParam.On("period")
	}
	announce := func() {}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		sign, err := tx.Q.ProtectionSign(ctx, id, merchantID)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrSignUnknown
		}
		if err != nil {
			return err
		}
		status := map[string]string{"contact": "contacted", "break": "break", "dismiss": "dismissed"}[act.action]
		n, err := tx.Q.HandleProtectionSign(ctx, query.HandleProtectionSignParams{
			Status: status, HandledBy: audit.Actor(ctx), HandledAt: db.Millis(s.o.Now()), ID: id, MerchantID: merchantID, Version: version,
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrStale
		}
		switch act.action {
		case "contact":
			if err := desk.NoteIn(ctx, tx, sign.MemberID, "contact", act.text); err != nil {
				return err
			}
			if inbox != nil {
				if err := inbox.SendIn(ctx, tx, merchantID, sign.MemberID, act.text); err != nil {
					return err
				}
			}
		case "break":
			if announce, err = s.forceIn(ctx, tx, desk, merchantID, sign.MemberID, 0, act.period, act.reason); err != nil {
				return err
			}
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.MemberEdit), Action: "protection." + act.action, Object: fmt.Sprintf("member/%d", sign.MemberID),
			Before: map[string]string{"status": sign.Status}, After: map[string]string{"status": status, "text": act.text, "reason": act.reason},
		})
	})
	if err != nil {
		return fmt.Errorf("handle sign: %w", err)
	}
	announce()
	return nil
}
