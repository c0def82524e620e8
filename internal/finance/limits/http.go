package limits

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

// maybe is an amount or null.
type maybe struct{ rest.Amount }

// Schema tells the document that it is a number or null.
func (maybe) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true}
}

const none rest.Amount = "null"

type pendingReply struct {
	Amount       maybe `json:"amount" doc:"Null: none at all."`
	From         int64 `json:"from" doc:"Unix milliseconds: not confirmed before."`
	ConfirmUntil int64 `json:"confirmUntil" doc:"Unix milliseconds: lapses then."`
}

type limitReply struct {
	Kind    Kind          `json:"kind" enum:"deposit,loss,stake"`
	Period  Period        `json:"period" enum:"day,week,month" doc:"The last 24 hours, 7 days or 30 days."`
	Amount  maybe         `json:"amount" doc:"Null: none."`
	Used    rest.Amount   `json:"used" doc:"Within the period. A loss is what was staked less what came back, below zero where more came back."`
	Pending *pendingReply `json:"pending" doc:"A higher limit, or none, that was asked for."`
}

type checkReply struct {
	Minutes *int64  `json:"minutes" doc:"Null: never."`
	Choices []int64 `json:"choices"`
	Played  *played `json:"played" doc:"What play without a rest has come to, in all games together; null where there is none, or no reminder."`
}

type played struct {
	For      int64       `json:"for" doc:"Milliseconds, until now."`
	Staked   rest.Amount `json:"staked"`
	Returned rest.Amount `json:"returned"`
	Net      rest.Amount `json:"net"`
}

type breakReply struct {
	Kind   string `json:"kind" enum:"timeOut,exclusion"`
	Period string `json:"period" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life"`
	Since  int64  `json:"since" doc:"Unix milliseconds."`
	Until  *int64 `json:"until" doc:"Unix milliseconds; null: for life."`

	Longer []string `json:"longer" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life" doc:"What reaches further when it begins now. No other break can be taken."`
}

type stateReply struct {
	Currency     string       `json:"currency"`
	Limits       []limitReply `json:"limits" doc:"One for each kind and period."`
	RealityCheck checkReply   `json:"realityCheck"`
	Break        *breakReply  `json:"break"`
}

type limitBody struct {
	Kind   Kind   `json:"kind" enum:"deposit,loss,stake"`
	Period Period `json:"period" enum:"day,week,month"`
	Amount maybe  `json:"amount" doc:"In the currency's unit; null: none. A lower one holds at once, a higher one or none waits for 24 hours."`
}

type whichBody struct {
	Kind   Kind   `json:"kind" enum:"deposit,loss,stake"`
	Period Period `json:"period" enum:"day,week,month"`
}

type whichInput struct {
	Kind   Kind   `query:"kind" required:"true" enum:"deposit,loss,stake"`
	Period Period `query:"period" required:"true" enum:"day,week,month"`
}

type minutes struct {
	Minutes *int64 `json:"minutes" nullable:"true" doc:"15, 30 or 60; null: never."`
}

type seenBody struct {
	PlayID string `json:"playId" pattern:"^[0-9]{1,19}$" doc:"In which play it was shown: one of the caller's that goes on. It counts for all of them."`
}

type breakBody struct {
	Period string `json:"period" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life" doc:"The first four are a time-out, the others self-exclusion."`
}

// Routes adds the calls about the caller's own limits. All answer with everything that is set then.
func Routes(a *rest.API, s *Service) {
	const path = "/wps/member/limits"
	own(a, s, rest.Op{Method: http.MethodGet, Path: path, ID: "limits", Summary: "The caller's limits, and how far they are used"},
		func(context.Context, rest.Caller, *struct{}) error { return nil })
	own(a, s, rest.Op{
		Method: http.MethodPut, Path: path, ID: "setLimit", Summary: "Set, lower, raise or remove a limit",
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body limitBody }) error {
		m, err := in.Body.Amount.minor(who.Currency)
		if err != nil {
			return err
		}
		return s.Set(ctx, who.MemberID, who.Currency, in.Body.Kind, in.Body.Period, m)
	})
	own(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/confirm", ID: "confirmLimit", Summary: "Confirm a raise or removal that has waited",
		Faults: []*fault.Fault{ErrNothingWaits, ErrTooSoon},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body whichBody }) error {
		return s.Confirm(ctx, who.MemberID, in.Body.Kind, in.Body.Period)
	})
	own(a, s, rest.Op{
		Method: http.MethodDelete, Path: path + "/pending", ID: "cancelLimit", Summary: "Take back a raise or removal that waits",
		Faults: []*fault.Fault{ErrNothingWaits},
	}, func(ctx context.Context, who rest.Caller, in *whichInput) error {
		return s.Cancel(ctx, who.MemberID, in.Kind, in.Period)
	})
	own(a, s, rest.Op{
		Method: http.MethodPut, Path: path + "/realityCheck", ID: "setRealityCheck", Summary: "Choose how often games ask about the time",
		Faults: []*fault.Fault{ErrCheckDue},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body minutes }) error {
		if in.Body.Minutes == nil {
			return s.SetCheck(ctx, who.MemberID, 0)
		}
		if !goodCheck(*in.Body.Minutes) {
			return rest.ErrParam.On("minutes")
		}
		return s.SetCheck(ctx, who.MemberID, *in.Body.Minutes)
	})
	own(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/realityCheck/acknowledge", ID: "acknowledgeRealityCheck", Summary: "Note that a reality check was seen",
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body seenBody }) error {
		id, err := strconv.ParseInt(in.Body.PlayID, 10, 64)
		if err != nil {
			return rest.ErrParam.On("playId")
		}
		return s.Acknowledge(ctx, who.MemberID, id)
	})
	own(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/break", ID: "takeBreak", Summary: "Take time out or exclude oneself, at once",
		Faults: []*fault.Fault{ErrBreakStands},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body breakBody }) error {
		return s.Begin(ctx, who.MemberID, in.Body.Period)
	})
}

// own declares a call of a member who plays with own money. A trial has nothing to limit.
func own[I any](a *rest.API, s *Service, op rest.Op, do func(context.Context, rest.Caller, *I) error) {
	op.Tag, op.Access = "limits", rest.Real
	rest.Wps(a, op, func(ctx context.Context, in *I) (stateReply, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			return stateReply{}, rest.ErrNoSession
		}
		if err := do(ctx, who, in); err != nil {
			return stateReply{}, err
		}
		return show(ctx, s, who)
	})
}

func show(ctx context.Context, s *Service, who rest.Caller) (stateReply, error) {
	currency, err := money.Find(who.Currency)
	if err != nil {
		return stateReply{}, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	state, err := s.Show(ctx, who.MemberID, currency.Code)
	if err != nil {
		return stateReply{}, err
	}
	text := func(m *money.Minor) maybe {
		if m == nil {
			return maybe{none}
		}
		return maybe{rest.AmountOf(currency, *m)}
	}
	reply := stateReply{Currency: currency.Code, RealityCheck: checkReply{Choices: checkChoices}}
	if state.CheckMinutes > 0 {
		reply.RealityCheck.Minutes = &state.CheckMinutes
	}
	if p := state.Played; p != nil {
		figure := func(m money.Minor) rest.Amount { return rest.AmountOf(currency, m) }
		reply.RealityCheck.Played = &played{
			For: p.For.Milliseconds(), Staked: figure(p.Staked), Returned: figure(p.Returned), Net: figure(p.Net),
		}
	}
	if b := state.Break; b != nil {
		reply.Break = &breakReply{Kind: b.Kind, Period: b.Period, Since: b.Since, Longer: b.Longer}
		if b.Until != forLife {
			reply.Break.Until = &b.Until
		}
	}
	for _, l := range state.Limits {
		one := limitReply{Kind: l.Kind, Period: l.Period, Amount: text(l.Amount), Used: rest.AmountOf(currency, l.Used)}
		if p := l.Pending; p != nil {
			one.Pending = &pendingReply{Amount: text(p.Amount), From: p.From, ConfirmUntil: p.Until}
		}
		reply.Limits = append(reply.Limits, one)
	}
	return reply, nil
}

// minor reads what was asked for; nil is none.
func (m maybe) minor(code string) (*money.Minor, error) {
	if m.Amount == none {
		return nil, nil
	}
	currency, err := money.Find(code)
	if err != nil {
		return nil, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	n, err := currency.Parse(string(m.Amount))
	if err != nil || n > ledger.MaxAmount {
		return nil, rest.ErrParam.On("amount")
	}
	return &n, nil
}
