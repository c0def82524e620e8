package loyalty

import (
	"context"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

const tag = "promotion"

type checkInInput struct {
	Month string `query:"month" pattern:"^([0-9]{4}-[0-9]{2})?$" doc:"YYYY-MM. Empty: the current month."`
}

type keyInput struct{ idempotency.Header }

// Routes declares the members' calls.
func Routes(a *rest.API, s *Service) {
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/checkIn", ID: "checkIn", Summary: "The caller's check-in, with a month's calendar", Faults: []*fault.Fault{ErrOff, ErrMonth},
	}, func(ctx context.Context, who Member, _ bool, in *checkInInput) (CheckInView, error) {
		return s.CheckIn(ctx, who, in.Month)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/checkIn", ID: "doCheckIn", Summary: "Check in, once a day",
		Description: "The reward is credited at once. It needs no deposit and no bet.",
		Faults:      []*fault.Fault{ErrOff, ErrCheckedIn, ErrPerson, limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, _ bool, in *keyInput) (CheckInView, error) {
		return s.DoCheckIn(ctx, who, in.IdempotencyKey)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/rebate", ID: "rebate", Summary: "The caller's cash back of the last complete period", Faults: []*fault.Fault{ErrOff},
	}, func(ctx context.Context, who Member, _ bool, _ *struct{}) (CashBackView, error) {
		return s.CashBack(ctx, who)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/rebate/claim", ID: "claimRebate", Summary: "Claim the cash back of the last complete period, once",
		Faults: []*fault.Fault{ErrOff, ErrClaimed, ErrNothing, limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, _ bool, in *keyInput) (CashBackView, error) {
		return s.ClaimCashBack(ctx, who, in.IdempotencyKey)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getPlayerRankProgress", ID: "rankProgress", Access: rest.Session,
		Summary: "The caller's VIP level, progress and benefits", Faults: []*fault.Fault{ErrOff},
	}, func(ctx context.Context, who Member, trial bool, _ *struct{}) (RankView, error) {
		return s.Rank(ctx, who, trial)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getReferralDetails", ID: "referralDetails", Summary: "The caller's invitation code and what it led to", Faults: []*fault.Fault{ErrOff},
	}, func(ctx context.Context, who Member, _ bool, _ *struct{}) (ReferralView, error) {
		return s.Referrals(ctx, who)
	})
}

// memberCall declares a call for members. Trial members are refused, unless the Op has the access rest.Session.
func memberCall[I, O any](a *rest.API, op rest.Op, do func(context.Context, Member, bool, *I) (O, error)) {
	op.Tag = tag
	if op.Access != rest.Session {
		op.Access = rest.Real
	}
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return do(ctx, Member{ID: who.MemberID, MerchantID: who.MerchantID, Currency: who.Currency}, !who.Type.Real(), in)
	})
}

func percentText(rate int64) rest.Amount {
	return rest.Amount(strconv.FormatFloat(float64(rate)/100, 'f', -1, 64)) // exact for two decimals
}
