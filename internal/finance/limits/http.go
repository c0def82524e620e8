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

type optionalAmount struct{ rest.Amount }

// Schema implements huma.SchemaProvider.
func (optionalAmount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true}
}

const nullAmountText rest.Amount = "null"

type pendingReply struct {
	Amount       optionalAmount `json:"amount" doc:"Null: no limit."`
	From         int64          `json:"from" doc:"Unix milliseconds. It can be confirmed from then on."`
	ConfirmUntil int64          `json:"confirmUntil" doc:"Unix milliseconds. It expires then."`
}

type limitReply struct {
	Kind    Kind           `json:"kind" enum:"deposit,loss,stake"`
	Period  Period         `json:"period" enum:"day,week,month" doc:"The last 24 hours, 7 days or 30 days."`
	Amount  optionalAmount `json:"amount" doc:"Null: no limit."`
	Used    rest.Amount    `json:"used" doc:"Amount used within the period. A loss is stakes minus returns and may be negative."`
	Pending *pendingReply  `json:"pending" doc:"A requested raise or removal that is not confirmed yet."`
}

type checkReply struct {
	Minutes *int64  `json:"minutes" doc:"Null: no reality checks."`
	Choices []int64 `json:"choices"`
	Played  *played `json:"played" doc:"Continuous play over all games. Null if the member is not playing or has no reality checks."`
}

type played struct {
	For      int64       `json:"for" doc:"Duration in milliseconds."`
	Staked   rest.Amount `json:"staked"`
	Returned rest.Amount `json:"returned"`
	Net      rest.Amount `json:"net"`
}

type breakReply struct {
	Kind   string `json:"kind" enum:"timeOut,exclusion"`
	Period string `json:"period" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life"`
	Since  int64  `json:"since" doc:"Unix milliseconds."`
	Until  *int64 `json:"until" doc:"Unix milliseconds. Null: for life."`

	Longer []string `json:"longer" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life" doc:"Periods that would end later if they began now. Other periods are rejected."`
}

type stateReply struct {
	Currency     string       `json:"currency"`
	Limits       []limitReply `json:"limits" doc:"One for each kind and period."`
	RealityCheck checkReply   `json:"realityCheck"`
	Break        *breakReply  `json:"break"`
}

type limitBody struct {
	Kind   Kind           `json:"kind" enum:"deposit,loss,stake"`
	Period Period         `json:"period" enum:"day,week,month"`
	Amount optionalAmount `json:"amount" doc:"In the currency's unit. Null: no limit. A lower limit applies at once. A raise or removal waits for 24 hours."`
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
	Minutes *int64 `json:"minutes" nullable:"true" doc:"15, 30 or 60. Null: no reality checks."`
}

type seenBody struct {
	PlayID string `json:"playId" pattern:"^[0-9]{1,19}$" doc:"An open play of the caller in which the check was shown. The acknowledgement applies to all of them."`
}

type breakBody struct {
	Period string `json:"period" enum:"24h,1w,1m,6w,6M,1y,3y,5y,life" doc:"The first four are time-outs, the others are self-exclusions."`
}

// Routes adds the calls about the caller's limits. Each one returns the resulting state.
func Routes(a *rest.API, s *Service) {
	const path = "/wps/member/limits"
	memberCall(a, s, rest.Op{Method: http.MethodGet, Path: path, ID: "limits", Summary: "Limits of the caller and their use"},
		func(context.Context, rest.Caller, *struct{}) error { return nil })
	memberCall(a, s, rest.Op{
		Method: http.MethodPut, Path: path, ID: "setLimit", Summary: "Set, lower, raise or remove a limit",
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body limitBody }) error {
		m, err := in.Body.Amount.minor(who.Currency)
		if err != nil {
			return err
		}
		return s.Set(ctx, who.MemberID, who.Currency, in.Body.Kind, in.Body.Period, m)
	})
	memberCall(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/confirm", ID: "confirmLimit", Summary: "Confirm a pending raise or removal",
		Faults: []*fault.Fault{ErrNoPendingChange, ErrTooSoon},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body whichBody }) error {
		return s.Confirm(ctx, who.MemberID, in.Body.Kind, in.Body.Period)
	})
	memberCall(a, s, rest.Op{
		Method: http.MethodDelete, Path: path + "/pending", ID: "cancelLimit", Summary: "Cancel a pending raise or removal",
		Faults: []*fault.Fault{ErrNoPendingChange},
	}, func(ctx context.Context, who rest.Caller, in *whichInput) error {
		return s.Cancel(ctx, who.MemberID, in.Kind, in.Period)
	})
	memberCall(a, s, rest.Op{
		Method: http.MethodPut, Path: path + "/realityCheck", ID: "setRealityCheck", Summary: "Set the interval of reality checks",
		Faults: []*fault.Fault{ErrCheckDue},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body minutes }) error {
		if in.Body.Minutes == nil {
			return s.SetRealityCheck(ctx, who.MemberID, 0)
		}
		if !validCheckInterval(*in.Body.Minutes) {
			return rest.ErrParam.On("minutes")
		}
		return s.SetRealityCheck(ctx, who.MemberID, *in.Body.Minutes)
	})
	memberCall(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/realityCheck/acknowledge", ID: "acknowledgeRealityCheck", Summary: "Acknowledge a reality check",
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body seenBody }) error {
		id, err := strconv.ParseInt(in.Body.PlayID, 10, 64)
		if err != nil {
			return rest.ErrParam.On("playId")
		}
		return s.Acknowledge(ctx, who.MemberID, id)
	})
	memberCall(a, s, rest.Op{
		Method: http.MethodPost, Path: path + "/break", ID: "takeBreak", Summary: "Start a time-out or self-exclusion at once",
		Faults: []*fault.Fault{ErrBreakShorter, ErrHeld},
	}, func(ctx context.Context, who rest.Caller, in *struct{ Body breakBody }) error {
		return s.BeginBreak(ctx, who.MemberID, in.Body.Period)
	})
}

// memberCall declares a call for real members. Trial members have no limits.
func memberCall[I any](a *rest.API, s *Service, op rest.Op, do func(context.Context, rest.Caller, *I) error) {
	op.Tag, op.Access = "limits", rest.Real
	rest.Typed(a, op, func(ctx context.Context, in *I) (stateReply, error) {
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
		return stateReply{}, rest.ErrSystem.Because(err) // not the caller's fault
	}
	state, err := s.Show(ctx, who.MemberID, currency.Code)
	if err != nil {
		return stateReply{}, err
	}
	optional := func(m *money.Minor) optionalAmount {
		if m == nil {
			return optionalAmount{nullAmountText}
		}
		return optionalAmount{rest.AmountOf(currency, *m)}
	}
	reply := stateReply{Currency: currency.Code, RealityCheck: checkReply{Choices: checkChoices}}
	if state.CheckMinutes > 0 {
		reply.RealityCheck.Minutes = &state.CheckMinutes
	}
	if p := state.Played; p != nil {
		amount := func(m money.Minor) rest.Amount { return rest.AmountOf(currency, m) }
		reply.RealityCheck.Played = &played{
			For: p.For.Milliseconds(), Staked: amount(p.Staked), Returned: amount(p.Returned), Net: amount(p.Net),
		}
	}
	if b := state.Break; b != nil {
		reply.Break = &breakReply{Kind: b.Kind, Period: b.Period, Since: b.Since, Longer: b.Longer}
		if b.Until != noEnd {
			reply.Break.Until = &b.Until
		}
	}
	for _, l := range state.Limits {
		limit := limitReply{Kind: l.Kind, Period: l.Period, Amount: optional(l.Amount), Used: rest.AmountOf(currency, l.Used)}
		if p := l.Pending; p != nil {
			limit.Pending = &pendingReply{Amount: optional(p.Amount), From: p.From, ConfirmUntil: p.Until}
		}
		reply.Limits = append(reply.Limits, limit)
	}
	return reply, nil
}

func (m optionalAmount) minor(code string) (*money.Minor, error) {
	if m.Amount == nullAmountText {
		return nil, nil
	}
	currency, err := money.Find(code)
	if err != nil {
		return nil, rest.ErrSystem.Because(err) // not the caller's fault
	}
	n, err := currency.Parse(string(m.Amount))
	if err != nil || n > ledger.MaxAmount {
		return nil, rest.ErrParam.On("amount")
	}
	return &n, nil
}
