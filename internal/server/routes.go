package server

import (
	"context"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/books"
	"fairground/internal/finance/cashier"
	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/limits"
	"fairground/internal/finance/loyalty"
	"fairground/internal/finance/promo"
	"fairground/internal/finance/withdraw"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery"
	"fairground/internal/game/vendor"
	"fairground/internal/identity/account"
	"fairground/internal/identity/captcha"
	"fairground/internal/identity/desk"
	"fairground/internal/identity/kyc"
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
	"fairground/internal/site/chat"
	"fairground/internal/site/content"
	"fairground/internal/site/feedback"
	"fairground/internal/site/figures"
	"fairground/internal/site/merchant"
	"fairground/internal/site/message"
	"fairground/internal/site/ops"
	"fairground/internal/site/stream"
)

// Routes registers all endpoints. app provides the icon of web clips. app and the services may be nil if only the OpenAPI
// document is generated.
func (s *Server) Routes(a *rest.API, app *webui.App) {
	merchant.Routes(a, s.Merchants)
	merchant.OpsRoutes(a, s.Merchants, settingApprovals{s.Operators})
	r := sharedFaults()
	session.Routes(a, s.Sessions, slices.Concat(
		[]*fault.Fault{member.ErrIncorrect, member.ErrLocked, member.ErrNotMember, member.ErrOvertaken, signin.ErrFailed, signin.ErrRegister, member.ErrClosed, member.ErrAge, member.ErrFormRequired, limits.ErrExcluded, limits.ErrHeld},
		r.Closed, r.Captcha, r.Slider, r.Work, r.Code, r.Phone)...)
	session.TrialRoutes(a, s.Sessions, append(r.Closed, member.ErrAge)...)
	account.Routes(a, s.Accounts, r)
	cashier.Routes(a, s.Ledger)
	cashier.ReportRoutes(a, s.Ledger)
	cashier.WalletRoutes(a, s.Wallets)
	deposit.Routes(a, s.Deposits)
	deposit.OpsRoutes(a, s.Deposits)
	withdraw.Routes(a, s.Withdrawals)
	withdraw.OpsRoutes(a, s.Withdrawals)
	gateway.NoticeRoutes(a, s.Gateways)
	promo.Routes(a, s.Promotions)
	promo.OpsRoutes(a, s.Promotions, merchantCurrency(s))
	loyalty.Routes(a, s.Loyalty)
	loyalty.OpsRoutes(a, s.Loyalty)
	house.Routes(a, s.House)
	jackpot.Routes(a, s.Jackpots)
	series.Routes(a, s.Series)
	series.OpsRoutes(a, s.Series)
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
	verification.Routes(a, s.Codes, append(r.Captcha, r.Work...)...)
	signin.Routes(a, s.Signin)
	ops.Routes(a, s.Operators)
	kyc.Routes(a, s.Identity)
	kyc.OpsRoutes(a, s.Identity)
	content.OpsRoutes(a, s.Content)
	catalogue.OpsRoutes(a, s.Catalogue)
	vendor.OpsRoutes(a, s.Vendors, s)
	house.OpsRoutes(a, s.House, s)
	jackpot.OpsRoutes(a, s.Jackpots)
	events.OperatorRoutes(a, s.Hub, s.Operators)
	figures.Routes(a, s.Figures, deskState{s})
	s.deskRoutes(a)
	desk.Routes(a, s.MemberDesk, limits.ErrNotHeld)
	limits.OpsRoutes(a, s.Limits, memberDesk{s.MemberDesk}, inboxOf(s), member.ErrUnknown)
	books.Routes(a, s.Books, member.ErrUnknown)
	vendor.OpsRoundRoutes(a, s.Vendors)
	message.Routes(a, s.Inbox)
	message.OpsRoutes(a, s.Inbox, merchantCurrency(s))
	feedback.Routes(a, s.Feedback)
	feedback.OpsRoutes(a, s.Feedback)
	chat.Routes(a, s.Chats)
	chat.OpsRoutes(a, s.Chats)
	stream.Routes(a, s.Streams, s.Hub, s.Merchants)
	stream.OpsRoutes(a, s.Streams)
	events.VisitorRoutes(a, s.Hub, func(ctx context.Context) (int64, int64, error) { return s.Chats.FindVisitor(ctx) }, s.Merchants)
}

// sharedFaults returns the faults of other packages that the account endpoints return. The OpenAPI document lists them.
func sharedFaults() account.Refusals {
	return account.Refusals{
		Closed:   []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted},
		Captcha:  []*fault.Fault{captcha.ErrRequired, captcha.ErrIncorrect},
		Slider:   []*fault.Fault{captcha.ErrChallengeRequired, captcha.ErrChallengeInvalid},
		Work:     []*fault.Fault{captcha.ErrProofRequired},
		Delivery: []*fault.Fault{verification.ErrUnavailable},
		Code:     []*fault.Fault{verification.ErrIncorrect, verification.ErrExpired},
		Phone:    []*fault.Fault{signin.ErrInvalidPhoneToken},
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
		{Name: "member.names", Every: 5 * time.Second, Run: s.MemberDesk.IndexNames},
		{Name: "limits.signs", Every: time.Hour, Run: func(ctx context.Context) error { return s.Limits.FindSigns(ctx, s.MemberDesk.NewID, s.zone) }},
		{Name: "kyc.documents", Every: time.Hour, Run: s.Identity.DeleteDocuments},
		{Name: "ops.sweep", Every: time.Hour, Run: s.Operators.Sweep},
		{Name: "figures.sum", Every: time.Minute, Run: s.Figures.Sum},
		{Name: "audit.head", Every: 24 * time.Hour, Run: s.logAuditHead},
		{Name: "session.sweep", Every: time.Hour, Run: s.Sessions.Sweep},
		{Name: "limits.sweep", Every: time.Hour, Run: s.Limits.Sweep},
		{Name: "deposit.expire", Every: 10 * time.Second, Queue: "deposit", Run: s.Deposits.Expire},
		{Name: "deposit.reconcile", Every: 24 * time.Hour, Run: s.Deposits.ReconcileAll},
		{Name: "promotion.evaluate", Every: time.Minute, Queue: "promotion", Run: s.Promotions.Evaluate},
		{Name: "promotion.settle", Every: 10 * time.Second, Queue: "promotion", Run: s.Promotions.Settle},
		{Name: "loyalty.run", Every: time.Minute, Queue: "promotion", Run: s.Loyalty.Run},
		{Name: "message.sweep", Every: time.Hour, Run: s.Inbox.Sweep},
		{Name: "message.schedule", Every: 5 * time.Second, Run: s.Inbox.FollowSchedule},
		{Name: "fairness.salts", Every: 5 * time.Second, Queue: "fairness", Run: s.Series.StartDue},
		{Name: "chat.idle", Every: time.Hour, Run: s.Chats.CloseIdle},
		{Name: "stream.sweep", Every: time.Hour, Run: s.Streams.Sweep},
		{Name: "house.sweep", Every: time.Hour, Run: s.House.Sweep},
	}
}
