package server

import (
	"context"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/cashier"
	"fairground/internal/finance/limits"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery"
	"fairground/internal/game/vendor"
	"fairground/internal/identity/account"
	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/ledger"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/ops"
)

// Routes declares all calls. app provides the icon of web clips. To generate only the document, app and the services may
// be nil.
func (s *Server) Routes(a *rest.API, app *webui.App) {
	merchant.Routes(a, s.Merchants)
	r := sharedFaults()
	session.Routes(a, s.Sessions, slices.Concat(
		[]*fault.Fault{member.ErrIncorrect, member.ErrLocked, member.ErrNotMember, member.ErrOvertaken, signin.ErrFailed, signin.ErrRegister, member.ErrClosed, member.ErrAge, member.ErrFormRequired, limits.ErrExcluded, limits.ErrHeld},
		r.Closed, r.Captcha, r.Slider, r.Code, r.Phone)...)
	session.TrialRoutes(a, s.Sessions, append(r.Closed, member.ErrAge)...)
	account.Routes(a, s.Accounts, r)
	cashier.Routes(a, s.Ledger)
	house.Routes(a, s.House)
	jackpot.Routes(a, s.Jackpots)
	limits.Routes(a, s.Limits)
	catalogue.Routes(a, s.Catalogue)
	content.Routes(a, s.Content)
	vendor.ProtocolRoutes(a, s.Vendors)
	vendor.Routes(a, s.Vendors, catalogue.ErrUnknownGame, limits.ErrExcluded, limits.ErrHeld, member.ErrAge)
	lottery.Routes(a, s.Lottery, limits.ErrExcluded, limits.ErrHeld, limits.ErrReached, limits.ErrCheckDue, ledger.ErrInsufficient)
	lottery.OpsRoutes(a, s.Lottery)
	events.Routes(a, s.Hub, s.Sessions, s.Merchants)
	webui.WebClipRoutes(a, webui.WebClips{App: app, Names: s.Merchants, Signer: s.o.Files.Signer, AnyHost: s.o.Demo})
	notify.Routes(a, s.Messages)
	captcha.Routes(a, s.Captchas)
	verification.Routes(a, s.Codes, r.Captcha...)
	signin.Routes(a, s.Signin)
	ops.Routes(a, s.Operators)
}

// sharedFaults returns faults that calls of one package return from another, for the document.
func sharedFaults() account.Refusals {
	return account.Refusals{
		Closed:   []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted},
		Captcha:  []*fault.Fault{captcha.ErrRequired, captcha.ErrIncorrect},
		Slider:   []*fault.Fault{captcha.ErrChallengeRequired, captcha.ErrChallengeInvalid},
		Delivery: []*fault.Fault{verification.ErrUnavailable},
		Code:     []*fault.Fault{verification.ErrIncorrect, verification.ErrExpired},
		Phone:    []*fault.Fault{signin.ErrUnproved},
	}
}

// Periodic returns the periodic jobs.
func (s *Server) Periodic() []jobs.Periodic {
	return []jobs.Periodic{
		{Name: "secret.sweep", Every: time.Hour, Run: s.Keys.Sweep},
		{Name: "tally.sweep", Every: time.Hour, Run: s.Limiter.Sweep},
		{Name: "idempotency.sweep", Every: time.Hour, Run: s.Requests.Sweep},
		{Name: "verification.sweep", Every: time.Hour, Run: s.Codes.Sweep},
		{Name: "notify.sweep", Every: time.Hour, Run: s.Messages.Sweep},
		{Name: "member.trials", Every: time.Hour, Run: s.Accounts.ExpireTrials},
		{Name: "member.pictures", Every: time.Hour, Run: s.Accounts.SweepPictures},
		{Name: "ledger.rollup", Every: 10 * time.Second, Queue: "ledger", Run: func(ctx context.Context) error {
			_, err := s.Ledger.RollUp(ctx)
			return err
		}},
		{Name: "ops.sweep", Every: time.Hour, Run: s.Operators.Sweep},
		{Name: "session.sweep", Every: time.Hour, Run: s.Sessions.Sweep},
		{Name: "limits.sweep", Every: time.Hour, Run: s.Limits.Sweep},
		{Name: "house.sweep", Every: time.Hour, Run: s.House.Sweep},
	}
}
