package house

import (
	"context"
	"net/http"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type opsStuck struct {
	ID       string      `json:"id"`
	Vendor   string      `json:"vendor"`
	Game     string      `json:"game"`
	Player   string      `json:"player" doc:"The member's player id in the wallet."`
	Currency string      `json:"currency"`
	Stake    rest.Amount `json:"stake"`
	Win      rest.Amount `json:"win"`
	Owed     string      `json:"owed" enum:"win,stake,result" doc:"result: the server lacks the engine's version, so only the stake can be refunded."`
	Code     string      `json:"code" doc:"The last code from the wallet, if known."`
	At       int64       `json:"at" doc:"Unix milliseconds."`
	Engine   string      `json:"engine,omitempty"`
	Closed   bool        `json:"closed" doc:"The wallet has closed the round, so retry fails. pay pays the amount that is still owed."`
	Actions  []string    `json:"actions" doc:"The allowed actions: retry, refund, pay."`
	Status   string      `json:"status" enum:"stuck"`
	Version  int64       `json:"version" doc:"Always 1, because a repair finishes the round."`

	index int
}

const walletClosed = "ROUND_CLOSED"

func opsStuckOf(r bet.Stuck, index int) opsStuck {
	out := opsStuck{
		ID: r.Round, Vendor: r.Vendor, Game: r.Game, Player: r.Player, Currency: r.Currency, Stake: rest.Amount(r.Stake), Win: rest.Amount(r.Win), Owed: r.Owed,
		Code: r.Code, At: r.At.UnixMilli(), Engine: r.Engine, Closed: r.Code == walletClosed, Actions: []string{"retry"}, Status: "stuck", Version: 1, index: index,
	}
	switch {
	case r.Owed == "result":
		out.Actions = []string{"refund"}
	case out.Closed:
		out.Actions = []string{"pay"}
	}
	return out
}

type opsRepairInput struct {
	ID     int64  `path:"id"`
	Action string `path:"action" enum:"retry,refund,pay"`
	Body   struct {
		Version int64  `json:"version"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

type opsRepaired struct {
	Currency    string `json:"currency,omitempty"`
	Owed        string `json:"owed,omitempty" doc:"The amount that was owed. Only for pay."`
	AlreadyPaid string `json:"alreadyPaid,omitempty"`
	PaidNow     string `json:"paidNow,omitempty"`
	Refunded    bool   `json:"refunded,omitempty" doc:"The bet was refunded before, so nothing was owed."`
}

type opsTable struct {
	table.State

	Status  string `json:"status" enum:"idle,betting,locked,dealing,result,ended"`
	Version int64  `json:"version" doc:"The number of the last round."`

	index int
}

func opsTableOf(t table.State, index int) opsTable { return opsTable{t, t.Phase, t.Number, index} }

// OpsRoutes adds the operator calls for the House.
func OpsRoutes(a *rest.API, s *Service, payer Payer) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: method, Path: path, ID: id, Tag: "house", Access: rest.Operators, Permission: permission.HouseRepair, Summary: summary, Faults: faults}
	}
	type listInput struct{ oplist.Params }
	anyOperator := func(context.Context, string) error { return nil }
	oplist.Register(a, anyOperator, oplist.List[listInput, opsStuck]{
		Op: op(http.MethodGet, "/ops/v1/stuck", "opsStuckRounds", "Stuck rounds of the House, oldest first"), Permission: string(permission.HouseRepair),
		Sorts: []string{"oldest"}, States: []string{"stuck"}, File: "stuck-rounds.csv",
		Columns: []oplist.Column[opsStuck]{
			{Name: "id", Text: func(r opsStuck) string { return r.ID }}, {Name: "vendor", Text: func(r opsStuck) string { return r.Vendor }},
			{Name: "game", Text: func(r opsStuck) string { return r.Game }}, {Name: "player", Text: func(r opsStuck) string { return r.Player }},
			{Name: "currency", Text: func(r opsStuck) string { return r.Currency }}, {Name: "stake", Text: func(r opsStuck) string { return string(r.Stake) }},
			{Name: "win", Text: func(r opsStuck) string { return string(r.Win) }}, {Name: "owed", Text: func(r opsStuck) string { return r.Owed }},
		},
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]opsStuck, error) {
			operator, _ := rest.OperatorOf(ctx)
			rounds, err := s.StuckOf(ctx, rest.MerchantOf(ctx).ID, seesAll(operator))
			found, search := []opsStuck{}, strings.ToLower(in.Q)
			for _, r := range rounds {
				if strings.Contains(strings.ToLower(r.Round+" "+r.Vendor+" "+r.Game+" "+r.Player), search) {
					found = append(found, opsStuckOf(r, len(found)))
				}
			}
			return oplist.Slice(found, after, limit), err
		},
		Key: func(r opsStuck, _ string) page.Key { return oplist.IndexKey(r.index) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/stuck/{id}", "opsStuckRound", "One stuck round", ErrMissing), func(ctx context.Context, in *oneInput) (opsStuck, error) {
		operator, _ := rest.OperatorOf(ctx)
		r, err := s.stuckRound(ctx, rest.MerchantOf(ctx).ID, seesAll(operator), in.ID)
		if err != nil {
			return opsStuck{}, err
		}
		return opsStuckOf(r, 0), nil
	})
	repair := op(http.MethodPost, "/ops/v1/stuck/{id}/{action}", "opsRepairStuckRound", "Retry, refund or pay a stuck round", ErrMissing, ErrNotStuck, ErrClosed, ErrRejected, ErrNotRefundable, rest.ErrConfirm)
	repair.Description = "refund and pay need a confirmed code. The audit log has one row before the attempt and one with its outcome."
	rest.Typed(a, repair, func(ctx context.Context, in *opsRepairInput) (opsRepaired, error) {
		operator, _ := rest.OperatorOf(ctx)
		if in.Action != "retry" && !operator.Confirmed {
			return opsRepaired{}, rest.ErrConfirm
		}
		r, err := s.stuckRound(ctx, rest.MerchantOf(ctx).ID, seesAll(operator), in.ID)
		if err != nil {
			return opsRepaired{}, err
		}
		paid, err := s.Repair(ctx, rest.MerchantOf(ctx).ID, r, in.Action, in.Body.Reason, payer)
		return opsRepaired(paid), err
	})
	oplist.Register(a, anyOperator, oplist.List[listInput, opsTable]{
		Op: op(http.MethodGet, "/ops/v1/tables", "opsTables", "Live tables of the House"), Permission: string(permission.HouseRepair),
		Sorts: []string{"name"}, States: []string{"idle", "betting", "locked", "dealing", "result", "ended"}, File: "tables.csv",
		Columns: []oplist.Column[opsTable]{
			{Name: "id", Text: func(t opsTable) string { return t.ID }}, {Name: "name", Text: func(t opsTable) string { return t.Name }},
			{Name: "engine", Text: func(t opsTable) string { return t.Engine }}, {Name: "status", Text: func(t opsTable) string { return t.Status }},
		},
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]opsTable, error) {
			all, err := s.Tables.States(ctx)
			found, search := []opsTable{}, strings.ToLower(in.Q)
			for _, t := range all {
				if strings.Contains(strings.ToLower(t.ID+" "+t.Name), search) && (in.State == "" || in.State == t.Phase) {
					found = append(found, opsTableOf(t, len(found)))
				}
			}
			return oplist.Slice(found, after, limit), err
		},
		Key: func(t opsTable, _ string) page.Key { return oplist.IndexKey(t.index) },
	})
	type tableInput struct {
		ID string `path:"id" maxLength:"64"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/tables/{id}", "opsTable", "One live table", ErrMissing), func(ctx context.Context, in *tableInput) (opsTable, error) {
		all, err := s.Tables.States(ctx)
		for _, t := range all {
			if t.ID == in.ID {
				return opsTableOf(t, 0), err
			}
		}
		if err == nil {
			err = ErrMissing
		}
		return opsTable{}, err
	})
}
