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
	"fairground/internal/game/vendor"
	"fairground/internal/identity/account"
	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// Routes declares every call on the API. For the document alone, the services may be missing.
func (s *Server) Routes(a *rest.API, hub *events.Hub) {
	merchant.Register(a, s.Merchants)
	r := refusals()
	session.Register(a, s.Sessions, slices.Concat(
		[]*fault.Fault{member.ErrIncorrect, member.ErrLocked, member.ErrNotMember, member.ErrOvertaken, signin.ErrFailed, signin.ErrRegister, member.ErrClosed, member.ErrAge, member.ErrFormRequired, member.ErrNotPossible, limits.ErrExcluded},
		r.Closed, r.Picture, r.Challenge, r.Code, r.Phone)...)
	session.RegisterTrial(a, s.Sessions, append(r.Closed, member.ErrAge)...)
	account.Register(a, s.Accounts, r)
	cashier.Register(a, s.Ledger)
	house.Register(a, s.House)
	house.RegisterTables(a, s.House)
	house.RegisterFairness(a, s.House)
	jackpot.Register(a, s.Jackpots)
	limits.Register(a, s.Limits)
	catalogue.Register(a, s.Catalogue)
	content.Register(a, s.Content)
	vendor.RegisterProtocol(a, s.Vendors)
	vendor.Register(a, s.Vendors, catalogue.ErrUnknownGame, limits.ErrExcluded)
	events.Register(a, hub, s.Sessions, s.Merchants)
	webui.RegisterWebClip(a, webui.Clips{App: s.app, Names: s.Merchants, Signer: s.o.Files.Signer, AnyHost: s.o.Demo})
	notify.Register(a, s.Messages)
	captcha.Register(a, s.Captchas)
	verification.Register(a, s.Codes, r.Picture...)
	signin.Register(a, s.Signin)
}

// refusals are the faults that a domain's calls pass on from other domains, for the document.
func refusals() account.Refusals {
	return account.Refusals{
		Closed:    []*fault.Fault{merchant.ErrMaintenance, merchant.ErrRestricted},
		Picture:   []*fault.Fault{captcha.ErrRequired, captcha.ErrIncorrect},
		Challenge: []*fault.Fault{captcha.ErrChallengeRequired, captcha.ErrChallengeInvalid},
		Sending:   []*fault.Fault{verification.ErrUnavailable},
		Code:      []*fault.Fault{verification.ErrIncorrect, verification.ErrExpired},
		Phone:     []*fault.Fault{signin.ErrUnproved},
	}
}

// Periodic is the work that no request waits for.
func (s *Server) Periodic() []jobs.Periodic {
	return []jobs.Periodic{
		{Name: "secret.sweep", Every: time.Hour, Run: s.Keys.Sweep},
		{Name: "tally.sweep", Every: time.Hour, Run: s.Limiter.Sweep},
		{Name: "verification.sweep", Every: time.Hour, Run: s.Codes.Sweep},
		{Name: "notify.sweep", Every: time.Hour, Run: s.Messages.Sweep},
		{Name: "member.trials", Every: time.Hour, Run: s.Accounts.ExpireTrials},
		{Name: "member.pictures", Every: time.Hour, Run: s.Accounts.SweepPictures},
		{Name: "ledger.rollup", Every: 10 * time.Second, Queue: "ledger", Run: func(ctx context.Context) error {
			_, err := s.Ledger.RollUp(ctx)
			return err
		}},
		{Name: "session.sweep", Every: time.Hour, Run: s.Sessions.Sweep},
		{Name: "limits.sweep", Every: time.Hour, Run: s.Limits.Sweep},
		{Name: "house.sweep", Every: time.Hour, Run: s.House.Sweep},
	}
}
