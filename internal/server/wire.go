package server

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/netip"
	"runtime"

	"fairground/internal/demo"
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
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/wallet"
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
	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/outgoing"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/tasks"
	"fairground/internal/site/chat"
	"fairground/internal/site/content"
	"fairground/internal/site/feedback"
	"fairground/internal/site/figures"
	"fairground/internal/site/merchant"
	"fairground/internal/site/message"
	"fairground/internal/site/ops"
	"fairground/internal/site/stream"
)

// wire creates the services in the order of their dependencies.
func (s *Server) wire(ctx context.Context) (err error) {
	o, ids := s.o, s.o.IDs
	if ids == nil {
		ids = db.NewIDs(o.Now)
	}
	// Identity, money and games use the database's time, which is the same on every replica.
	now := s.Store.Time
	if o.DBTime != nil {
		now = o.Now
	}

	// Platform.
	o.Bus.Log = o.Log
	if s.Bus, err = events.OpenBus(o.Bus); err != nil {
		return err
	}
	s.OnClose(s.Bus.Close)
	if s.Hub, err = events.NewHub(s.Bus, o.Log); err != nil {
		return err
	}
	s.OnClose(s.Hub.Close)
	if _, err = s.Bus.Subscribe(events.SubjectMissed, func([]byte) { s.Hub.Restart() }); err != nil {
		return err
	}
	s.Outbox = events.NewOutbox(s.Store, s.Bus, o.Log)
	if err = s.Outbox.Start(ctx); err != nil {
		return err
	}
	s.Screens = events.Screens{Outbox: s.Outbox, Now: o.Now}
	s.Tasks = &tasks.Queue{Store: s.Store, IDs: ids, Now: o.Now, Screens: s.Screens}
	if s.Keys, err = secret.Open(ctx, secret.Options{Store: s.Store, Source: o.Key, Now: now, Rekey: Rekey(now), Log: o.Log}); err != nil {
		return err
	}
	s.Limiter = ratelimit.NewStored(s.Store, s.Keys, now)
	if s.Queue, err = jobs.NewQueue(s.Store); err != nil {
		return err
	}
	client := outgoing.New(o.Providers.OutgoingNetworks())
	s.Messages, err = notify.New(notify.Options{
		Store: s.Store, Queue: s.Queue, IDs: ids, Now: now, Log: o.Log, Local: o.Demo, Client: client,
		SMSURL: o.Providers.SMSURL, SMSKey: o.Providers.SMSKey, SMTP: o.Providers.SMTP, MailFrom: o.Providers.MailFrom,
	})
	if err != nil {
		return err
	}
	s.Requests = idempotency.New(s.Store, now)
	s.probe = db.NewProbe(s.Store, o.Now)
	if s.Box, err = jwe.New(s.Store, s.Keys, now); err != nil {
		return err
	}
	if s.Blobs = o.Blobs; s.Blobs == nil {
		s.Blobs = blob.NewDatabase(s.Store, now)
	}
	if pictures := o.Files.Pictures; pictures != nil {
		s.OnClose(func() { _ = pictures.Close() }) // closing a folder cannot lose data
	}

	// Members' inboxes, which money and identity write to.
	s.Inbox, err = message.New(message.Options{
		Store: s.Store, Queue: s.Queue, Keys: s.Keys, Mail: s.Messages, Requests: s.Requests, Outbox: s.Outbox, Screens: s.Screens, Client: client, Contact: o.pushContact(),
		IDs: ids, Now: now, Log: o.Log,
	})
	if err != nil {
		return err
	}
	// PrepareKey creates the key of push messages, so that later calls only read it. Commands without the root key skip it.
	if err = s.Inbox.PrepareKey(ctx); err != nil && !errors.Is(err, secret.ErrKeyNotFound) {
		return err
	}

	// Vendors and plays, which money, merchants and sessions depend on.
	if s.Registry, err = vendor.NewRegistry(vendor.RegistryOptions{Store: s.Store, Bus: s.Bus, Keys: s.Keys, Now: now}); err != nil {
		return err
	}
	s.OnClose(s.Registry.Close)
	if s.Plays, err = vendor.NewPlays(vendor.PlaysOptions{Store: s.Store, Bus: s.Bus, Now: now, Log: o.Log}); err != nil {
		return err
	}
	s.OnClose(s.Plays.Close)

	// Money.
	digester, err := limits.NewDigester(ctx, s.Store, s.Keys)
	if err != nil {
		return err
	}
	s.Limits = limits.New(limits.Options{Store: s.Store, Tasks: s.Tasks, Outbox: s.Outbox, Messages: s.Inbox, Plays: s.Plays, Bets: openBets{s}, Digester: digester, Now: now})
	s.Ledger = ledger.New(s.Store, ledger.Options{
		Now: now, NewID: ids, OnCommit: s.Outbox.Wake, Log: o.Log,
		Limits:   gates{s.Limits, vendor.Rounds{}}, // in the order that the vendor protocol defines
		Timeouts: ledger.Timeouts{Lock: o.Timeout, RoundTrip: o.Timeout, Reconnect: o.Timeout},
	})
	s.OnClose(s.Ledger.Close)

	// Merchants and their settings.
	s.Merchants, err = merchant.New(merchant.Options{
		Store: s.Store, Bus: s.Bus, IDs: ids, Now: o.Now, Default: o.Merchant, Demo: o.Demo, Log: o.Log,
		Providers: s.providers(o), Countries: o.Files.countries(), Vendors: s.Registry.Vendors,
		OnChange: s.Hub.Recheck, Screens: s.Screens,
	})
	if err != nil {
		return err
	}
	s.OnClose(s.Merchants.Close)

	// Identity. Password hashing leaves one core for other requests.
	s.Passwords = member.NewPasswords(max(1, runtime.NumCPU()-1), o.Hashes)
	s.Members = member.New(member.Options{
		Store: s.Store, Settings: s.Merchants, Ledger: s.Ledger, Breaks: s.Limits, Limiter: s.Limiter,
		Passwords: s.Passwords, IDs: ids, Now: now,
	})
	s.Operators = ops.New(ops.Options{
		Store: s.Store, Passwords: s.Passwords, Keys: s.Keys, Limiter: s.Limiter, Merchants: s.Merchants, Screens: s.Screens, Tasks: s.Tasks, IDs: ids, Now: o.Now, Log: o.Log,
	})
	s.Operators.Register(ops.Action{Name: merchant.ActionSetting, Permission: permission.SettingEdit, Run: s.Merchants.RunSetting, Done: s.Merchants.SettingCommitted})
	s.Gateways = gateway.New(gateway.Options{
		Store: s.Store, Writer: s.Ledger, Keys: s.Keys, Client: s.gatewayClient(), IDs: ids, Now: now, Clock: o.Now, Log: o.Log,
	})
	s.OnClose(s.Gateways.Close)
	s.Deposits = deposit.New(deposit.Options{
		Store: s.Store, Ledger: s.Ledger, Limits: s.Limits, Gateways: s.Gateways, Requests: s.Requests, Outbox: s.Outbox, Inbox: s.Inbox, Tasks: depositTasks{s.Tasks, s.Screens},
		Blobs: s.Blobs, Merchant: func(ctx context.Context, id int64) (string, error) {
			m, err := s.Merchants.FindByID(ctx, id)
			return m.Code, err
		},
		Approvals: confirmApprovals{s}, TwoPersonAbove: payouts{s}.twoPersonAbove, Site: o.SiteOrigin, IDs: ids, Now: now, Log: o.Log,
	})
	s.Wallets = &cashier.Wallets{Store: s.Store, Ledger: s.Ledger, Requests: s.Requests, IDs: ids}
	s.OnClose(s.Deposits.Close)
	s.Figures = figures.New(s.Store, o.Now)
	s.Captchas = captcha.New(captcha.Options{
		Store: s.Store, Keys: s.Keys, Limiter: s.Limiter, Settings: s.Merchants, Now: now, Client: client, PuzzleTimeout: o.Timeout,
		GeetestID: o.Providers.GeetestID, GeetestKey: o.Providers.GeetestKey, GeetestURL: o.Providers.GeetestURL,
	})
	s.OnClose(s.Captchas.Close)
	s.Codes = verification.New(verification.Options{
		Store: s.Store, Keys: s.Keys, Messages: s.Messages, Limiter: s.Limiter, Settings: s.Merchants, Members: s.Members,
		Logins: session.NewLogins(now), Captchas: s.Captchas, Now: now,
	})
	s.Signin = signin.New(signin.Options{
		Store: s.Store, Keys: s.Keys, Settings: s.Merchants, Members: s.Members, Client: client, Now: now, Log: o.Log,
		Site:     o.SiteOrigin,
		Google:   signin.Client{ID: o.Providers.GoogleClientID, Secret: o.Providers.GoogleClientSecret, URL: o.Providers.GoogleIssuer},
		Facebook: signin.Client{ID: o.Providers.FacebookAppID, Secret: o.Providers.FacebookAppSecret, URL: o.Providers.FacebookURL},
		Firebase: signin.Firebase{Project: o.Providers.FirebaseProject, KeysURL: o.Providers.FirebaseJWKS},
	})
	s.Sessions, err = session.New(session.Options{
		Store: s.Store, Bus: s.Bus, Members: s.Members, Trials: s.Members, Settings: s.Merchants, Box: s.Box,
		Captchas: s.Captchas, Codes: s.Codes, External: s.Signin, Countries: o.Files.countries(), Breaks: s.Limits, Inbox: s.Inbox, Limiter: s.Limiter,
		IDs: ids, Now: now, Log: o.Log,
	})
	if err != nil {
		return err
	}
	s.OnClose(s.Sessions.Close)
	s.Accounts = account.New(account.Options{
		Store: s.Store, Settings: s.Merchants, Members: s.Members, Passwords: s.Passwords, Captchas: s.Captchas, Codes: s.Codes,
		Phones: s.Signin, Sessions: s.Sessions, Breaks: s.Limits, Messages: s.Messages, Limiter: s.Limiter, Keys: s.Keys, Box: s.Box,
		Blobs: s.Blobs, IDs: ids, Now: now,
	})

	// Services for operators about members and money.
	s.MemberDesk = desk.New(desk.Options{Store: s.Store, Accounts: s.Accounts, Holds: s.Limits, Requests: s.Requests, IDs: ids, Now: o.Now})
	s.Books, err = books.New(books.Options{
		Store: s.Store, Ledger: s.Ledger, Members: s.MemberDesk, Approvals: approvals{s.Operators}, Queue: s.Queue, Screens: s.Screens, IDs: ids, Now: o.Now,
	})
	if err != nil {
		return err
	}
	s.Operators.Register(ops.Action{Name: books.ActionAdjust, Permission: permission.LedgerAdjust, Run: s.Books.RunAdjust, Done: s.Ledger.WakeRelay})
	s.Identity = kyc.New(kyc.Options{
		Store: s.Store, Settings: s.Merchants, Keys: s.Keys, Blobs: s.Blobs, Limiter: s.Limiter, Requests: s.Requests, Outbox: s.Outbox, Inbox: s.Inbox,
		Tasks: s.Tasks, Screens: s.Screens, Breaks: s.Limits, IDs: ids, Now: now,
	})
	payoutParts := payouts{s}
	s.Withdrawals = withdraw.New(withdraw.Options{
		Store: s.Store, Ledger: s.Ledger, Gateways: s.Gateways, Requests: s.Requests, Keys: s.Keys, Identity: s.Identity, Passwords: s.Accounts, Members: payoutParts, Breaks: s.Limits,
		Approvals: payoutParts, Tasks: s.Tasks, Screens: s.Screens, Outbox: s.Outbox, Inbox: s.Inbox, Rule: payoutParts.rule, Banks: payoutParts.banks, Merchant: payoutParts.merchant, IDs: ids, Now: now, Log: o.Log,
	})
	s.OnClose(s.Withdrawals.Close)
	s.Operators.Register(ops.Action{Name: withdraw.ActionApprove, Permission: permission.WithdrawalApprove, Run: s.Withdrawals.RunApprove, Done: s.Withdrawals.Wake})
	s.Operators.Register(ops.Action{Name: deposit.ActionConfirm, Permission: permission.DepositConfirm, Run: s.Deposits.RunConfirm, Done: s.Ledger.WakeRelay})
	s.Operators.Register(ops.Action{Name: withdraw.ActionFail, Permission: permission.WithdrawalApprove, Run: s.Withdrawals.RunFail, Done: s.Ledger.WakeRelay})
	s.Gateways.Connect(s.Deposits, s.Withdrawals, s.Deposits)
	s.Deposits.AlsoCompare(payoutParts.compare)
	s.Promotions = promo.New(promo.Options{
		Store: s.Store, Ledger: s.Ledger, Limits: s.Limits, Persons: promotions{s}, Births: promotions{s}, Notices: promotions{s}, Requests: s.Requests,
		Outbox: s.Outbox, Tasks: s.Tasks, Screens: s.Screens, Blobs: s.Blobs, Approvals: grantApprovals{s}, TwoPersonAbove: payoutParts.twoPersonAbove, IDs: ids, Now: now, Log: o.Log,
	})
	s.Operators.Register(ops.Action{Name: promo.ActionGrant, Permission: permission.PromotionEdit, Run: s.Promotions.RunGrant, Done: s.Ledger.WakeRelay})
	s.Operators.Register(ops.Action{Name: promo.ActionApprove, Permission: permission.PromotionEdit, Run: s.Promotions.RunApprove, Done: s.Ledger.WakeRelay})
	for _, name := range []string{promo.ActionPublish, promo.ActionEdit} {
		s.Operators.Register(ops.Action{Name: name, Permission: permission.PromotionEdit, Run: s.Promotions.RunPublish, Done: s.Ledger.WakeRelay})
	}
	s.Loyalty = loyalty.New(loyalty.Options{
		Store: s.Store, Ledger: s.Ledger, Rewards: s.Promotions, Limits: s.Limits, Persons: promotions{s}, Members: loyalMembers{s}, Switches: loyaltySwitches{s},
		Screens: s.Screens, Requests: s.Requests, Approvals: ruleApprovals{s}, TwoPersonAbove: payoutParts.twoPersonAbove,
		Currency: s.Merchants.Currency, Now: now, Time: o.DBTime, Log: o.Log,
	})
	s.Operators.Register(ops.Action{Name: loyalty.ActionEdit, Permission: permission.PromotionEdit, Run: s.Loyalty.RunEdit, Done: s.Ledger.WakeRelay})

	s.Feedback = feedback.New(feedback.Options{
		Store: s.Store, Settings: s.Merchants, Inbox: s.Inbox, Blobs: s.Blobs, Limiter: s.Limiter, Requests: s.Requests, Tasks: s.Tasks, Screens: s.Screens, IDs: ids, Now: now,
	})

	// Games.
	games := catalogue.Options{
		Store: s.Store, Bus: s.Bus, IDs: ids, Now: o.Now, Wins: wins{vendor.NewWinners(s.Store, now)}, Images: s.Merchants, ServesCategory: serves, Outbox: s.Outbox,
	}
	if o.Demo {
		if games.ExampleWins, err = demo.NewWins(); err != nil {
			return err
		}
	}
	s.Catalogue, err = catalogue.New(games)
	if err != nil {
		return err
	}
	s.OnClose(s.Catalogue.Close)
	s.Series = series.New(series.Options{
		Store: s.Store, Keys: s.Keys, Random: rand.Reader, IDs: ids, Now: now, Length: o.SeriesLength, Beacon: o.beacon(client), Ahead: o.BeaconAhead, Log: o.Log,
		Approvals: seriesApprovals{s.Operators}, Screens: s.Screens,
	})
	s.Operators.Register(ops.Action{Name: series.ActionValue, Permission: permission.HouseRepair, Always: true, Run: s.Series.RunValue})
	s.Jackpots = jackpot.New(jackpot.Options{
		Store: s.Store, Ledger: s.Ledger, Outbox: s.Outbox, Settings: s.Merchants, Vendors: s.Registry, Limits: s.Limits, Keys: s.Keys,
		Series: s.Series, Now: now, Log: o.Log,
	})
	s.Lottery = lottery.New(lottery.Options{
		Store: s.Store, Ledger: s.Ledger, Limits: s.Limits, Sessions: s.Sessions, Settings: s.Merchants, Keys: s.Keys, Series: s.Series, Random: rand.Reader, IDs: ids, Now: now, Time: o.DBTime,
		Log: o.Log, Demo: o.Demo, History: o.DrawHistory, Record: lotteryRecord, Ended: vendor.Ended, Approvals: lotteryApprovals{s.Operators},
		Screens: s.Screens, Tasks: s.Tasks, Outbox: s.Outbox, Queue: s.Queue, Messages: s.Inbox, Week: o.Files.Week, OrderRate: o.LotteryRate,
	})
	s.OnClose(s.Lottery.Close)
	if err = s.Queue.Declare(s.Lottery.ReturnTask()); err != nil {
		return err
	}
	s.Operators.Register(ops.Action{Name: lottery.ActionResult, Permission: permission.LotteryResult, Run: s.Lottery.RunResult})
	s.Operators.Register(ops.Action{Name: lottery.ActionVoid, Permission: permission.LotteryResult, Always: true, Run: s.Lottery.RunResult})
	s.Vendors = vendor.New(vendor.Options{
		Store: s.Store, Registry: s.Registry, Plays: s.Plays, Keys: s.Keys, Ledger: s.Ledger, Sessions: s.Sessions, Games: PlayableGames{s.Catalogue}, Limits: s.Limits,
		Jackpot: jackpotStakes{s.Jackpots}, Bonuses: s.Promotions, IDs: ids, Now: now, WallClock: o.Now, Log: o.Log, Currency: s.Merchants.Currency, SiteClosed: s.Merchants.Closed,
		Lottery:     lotteryLaunches{func() *lottery.Service { return s.Lottery }},
		HouseServes: house.Serves, RTP: houseReturn, PlayedSince: playedSums{s.Limits}.since, CheckAge: s.Members.CheckAge, Client: client,
	})
	// PlayerID creates the key of players' ids, so that later calls only read it. Commands without the root key skip it.
	if _, err = s.Vendors.PlayerID(ctx, 0); err != nil && !errors.Is(err, secret.ErrKeyNotFound) {
		return err
	}
	// The House uses the vendor protocol like other vendors, but its requests do not leave the process.
	s.Loopback = &Loopback{}
	s.House = house.New(house.Options{
		Store: s.Store, Launches: frame.Directory{Store: s.Store}, Games: frame.Directory{Store: s.Store}, Player: s.Vendors.PlayerID, Keys: s.Keys, Series: s.Series,
		Random: rand.Reader, IDs: ids, Now: now, Time: o.DBTime, Log: o.Log, Gate: s.Merchants, Bus: s.Bus,
		Wallet: wallet.New(wallet.Options{
			Client: &http.Client{Transport: s.Loopback}, URL: "http://wallet.internal", Key: s.Vendors.HouseKey, Now: o.Now,
		}),
	})
	s.OnClose(s.House.Close)

	// Content.
	s.Content, err = content.New(content.Options{
		Store: s.Store, Bus: s.Bus, IDs: ids, Now: o.Now, Pool: jackpotPool{s.Jackpots, s.Merchants}, Simulated: o.Demo || o.Simulated, Images: s.Merchants, Blobs: s.Blobs,
		Outbox: s.Outbox, Requests: s.Requests,
	})
	if err != nil {
		return err
	}
	s.OnClose(s.Content.Close)
	s.Chats = chat.New(chat.Options{
		Store: s.Store, Outbox: s.Outbox, Screens: s.Screens, Limiter: s.Limiter, Digest: s.Keys.MAC, Blobs: s.Blobs, Rule: s.chatRule, Requests: s.Requests, IDs: ids, Now: o.Now,
	})
	s.Streams, err = stream.New(stream.Options{
		Store: s.Store, Bus: s.Bus, Outbox: s.Outbox, Screens: s.Screens, Limiter: s.Limiter, Games: streamGames{s.Catalogue}, Images: s.Merchants, Requests: s.Requests, IDs: ids, Now: o.Now,
	})
	if err != nil {
		return err
	}
	s.OnClose(s.Streams.Close)
	return nil
}

// gatewayClient returns the client for calls to payment gateways. The demo's sandbox gateway is on this machine.
func (s *Server) gatewayClient() *http.Client {
	allow := s.o.Providers.OutgoingNetworks()
	if s.o.Demo {
		allow = append(allow, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
	}
	return outgoing.New(allow)
}

// providers returns the configured external services.
func (s *Server) providers(o Options) merchant.Providers {
	p := merchant.Providers{
		Google: o.Providers.GoogleClientID != "", Facebook: o.Providers.FacebookAppID != "",
		SMS: s.Messages.Can(notify.SMS), Email: s.Messages.Can(notify.Email),
		GeetestID: o.Providers.GeetestID, GeetestScript: o.Providers.GeetestScript(),
	}
	if o.Providers.FirebaseProject != "" {
		p.Firebase = merchant.Firebase{
			Project: o.Providers.FirebaseProject, Key: o.Providers.FirebaseAPIKey, URL: o.Providers.FirebaseAPI(), Script: o.Providers.ReCAPTCHAScript(),
		}
	}
	return p
}
