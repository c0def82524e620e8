package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"time"

	"fairground/internal/demo"
	"fairground/internal/fault"
	"fairground/internal/finance/cashier"
	"fairground/internal/finance/limits"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/house"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/vendor"
	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/ledger"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/ops"
)

// partOptions say which installation to put together.
type partOptions struct {
	storage  config.Storage
	merchant string
	demo     bool
	outside  config.Outside
	site     string     // the site's own origin, where browsers are led back to
	blobs    blob.Store // the server's, for what is uploaded
	files    files
	bus      events.BusOptions
	hashes   member.Cost   // of passwords
	slack    time.Duration // for what a request waits for; 0 leaves each its own
	log      *slog.Logger
	now      func() time.Time
	dbTime   func(context.Context, *db.Tx) (time.Time, error) // the database's, where a test moves it
	played   func() time.Time                                 // the same, known without asking: what play goes by, and what it is compared with
}

// parts are the domains of one process on one database, wired.
type parts struct {
	log       *slog.Logger
	store     *db.Store
	bus       *events.Bus
	outbox    *events.Outbox
	limits    *limits.Service
	ledger    *ledger.Ledger
	merchants *merchant.Service
	members   *member.Service
	sessions  *session.Service
	catalogue *catalogue.Service
	content   *content.Service
	vendors   *vendor.Service
	jackpots  *jackpot.Service
	operators *ops.Service
	house     *house.Service
	within    within // the House's way to the wallet
	probe     *db.Probe
	passwords *member.Passwords
	closers   []func()
	app       *webui.App
	signer    *webui.Signer
	demo      bool
	slack     time.Duration
	pictures  *os.Root // the operator's own; nil: none
	doors
}

// openParts opens the database and makes every domain. prepare runs on the open database before anything
// reads from it: the server migrates there, a command checks.
func openParts(ctx context.Context, o partOptions, prepare func(context.Context, *db.Store) error) (_ *parts, err error) {
	p := &parts{log: o.log, slack: o.slack}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.store, err = db.Open(ctx, o.storage.Open(false)); err != nil {
		return nil, err
	}
	p.onClose(func() { p.report("database", p.store.Close()) })
	if err := prepare(ctx, p.store); err != nil {
		return nil, err
	}
	o.bus.Log = o.log
	if p.bus, err = events.OpenBus(o.bus); err != nil {
		return nil, err
	}
	p.onClose(p.bus.Close)
	return p, p.wire(ctx, o)
}

// wire makes the domains in the order of their needs; close undoes it backwards.
func (p *parts) wire(ctx context.Context, o partOptions) (err error) {
	ids := db.NewIDs(o.now)
	o.played = p.store.Time
	if o.dbTime != nil {
		o.played = o.now
	}
	if err := p.openDoors(ctx, o, ids); err != nil {
		return err
	}
	p.probe = db.NewProbe(p.store, o.now)
	p.outbox = events.NewOutbox(p.store, p.bus, o.log)
	p.limits = limits.New(limits.Options{Store: p.store, Outbox: p.outbox, Plays: openPlays{p}, Now: o.played})
	p.ledger = ledger.New(p.store, ledger.Options{Now: o.played, NewID: ids, Limits: p.gates(), Committed: p.outbox.Wake, Log: o.log,
		Waits: ledger.Waits{Lock: o.slack, Trip: o.slack, Reconnect: o.slack}})
	p.onClose(p.ledger.Close)
	p.merchants, err = merchant.New(merchant.Options{
		Store: p.store, Bus: p.bus, IDs: ids, Now: o.now, Default: o.merchant, Demo: o.demo, Log: o.log,
		Outside: p.outside(o), Countries: o.files.known(),
		Vendors: func(ctx context.Context, merchantID int64) ([]string, error) {
			return p.vendors.Vendors(ctx, merchantID)
		}, // made later
	})
	if err != nil {
		return err
	}
	p.signer, p.demo, p.pictures = o.files.signer, o.demo, o.files.pictures
	if p.pictures != nil {
		p.onClose(func() { _ = p.pictures.Close() }) // a folder handle: nothing is lost with it
	}
	p.onClose(p.merchants.Close)
	p.passwords = member.NewPasswords(runtime.NumCPU(), o.hashes)
	p.members = member.New(member.Options{Store: p.store, Rules: p.merchants, Accounts: p.ledger, Passwords: p.passwords, IDs: ids, Now: o.played})
	p.operators = ops.New(ops.Options{Store: p.store, Hasher: p.passwords, IDs: ids, Now: o.now})
	if p.box, err = jwe.New(p.store, p.keys, o.now); err != nil {
		return err
	}
	p.hangDoors(o)
	p.sessions, err = session.New(session.Options{
		Store: p.store, Bus: p.bus, Members: p.members, Trials: p.members, Settings: p.merchants, Box: p.box,
		Captchas: p.captchas, Codes: p.codes, Elsewhere: p.signin, Countries: o.files.known(), Breaks: p.limits, Limiter: p.limiter, IDs: ids, Now: o.played, Log: o.log,
	})
	if err != nil {
		return err
	}
	p.onClose(p.sessions.Close)
	p.giveDoors(o)
	wins := wins{p: p}
	if o.demo {
		if wins.demo, err = demo.NewWins(); err != nil {
			return err
		}
	}
	p.catalogue, err = catalogue.New(catalogue.Options{
		Store: p.store, Bus: p.bus, IDs: ids, Now: o.now, Wins: wins, Pictures: p.merchants, Served: house.Serves,
	})
	if err != nil {
		return err
	}
	p.onClose(p.catalogue.Close)
	if err := p.openVendors(o, ids); err != nil {
		return err
	}
	p.openHouse(o, ids)
	if p.content, err = content.New(content.Options{Store: p.store, Bus: p.bus, IDs: ids, Now: o.now, Pool: shownPool{p.jackpots, p.merchants}, Pictures: p.merchants}); err != nil {
		return err
	}
	p.onClose(p.content.Close)
	return nil
}

// register declares every call on the API. For the document alone, the services may be missing.
func (p *parts) register(a *rest.API, hub *events.Hub) {
	merchant.Register(a, p.merchants)
	r := refusals()
	session.Register(a, p.sessions, slices.Concat(
		[]*fault.Fault{member.ErrIncorrect, member.ErrLocked, member.ErrNotMember, member.ErrOvertaken, signin.ErrFailed, signin.ErrRegister, member.ErrClosed, member.ErrAge, member.ErrFormRequired, member.ErrNotPossible, limits.ErrExcluded},
		r.Closed, r.Picture, r.Challenge, r.Code, r.Phone)...)
	session.RegisterTrial(a, p.sessions, append(r.Closed, member.ErrAge)...)
	member.Register(a, p.members, r)
	cashier.Register(a, p.ledger)
	house.Register(a, p.house)
	house.RegisterTables(a, p.house)
	house.RegisterFairness(a, p.house)
	jackpot.Register(a, p.jackpots)
	limits.Register(a, p.limits)
	catalogue.Register(a, p.catalogue)
	content.Register(a, p.content)
	vendor.RegisterProtocol(a, p.vendors)
	vendor.Register(a, p.vendors, catalogue.ErrUnknownGame, limits.ErrExcluded)
	events.Register(a, hub, p.sessions, p.merchants)
	webui.RegisterWebClip(a, webui.Clips{App: p.app, Names: p.merchants, Signer: p.signer, AnyHost: p.demo})
	p.registerDoors(a)
}

// refusals are what domains keep people off with in each other's calls.
func refusals() member.Refusals {
	return member.Refusals{
		Closed:    []*fault.Fault{merchant.ErrMaintenance, merchant.ErrRestricted},
		Picture:   []*fault.Fault{captcha.ErrRequired, captcha.ErrIncorrect},
		Challenge: []*fault.Fault{captcha.ErrChallengeRequired, captcha.ErrChallengeInvalid},
		Sending:   []*fault.Fault{verification.ErrUnavailable},
		Code:      []*fault.Fault{verification.ErrIncorrect, verification.ErrExpired},
		Phone:     []*fault.Fault{signin.ErrUnproved},
	}
}

// periodic is the work that no request waits for.
func (p *parts) periodic() []jobs.Periodic {
	return append(p.sweepDoors(), []jobs.Periodic{
		{Name: "ledger.rollup", Every: 10 * time.Second, Queue: "ledger", Run: func(ctx context.Context) error {
			_, err := p.ledger.RollUp(ctx)
			return err
		}},
		{Name: "session.sweep", Every: time.Hour, Run: p.sessions.Sweep},
		{Name: "limits.sweep", Every: time.Hour, Run: p.limits.Sweep},
		{Name: "house.sweep", Every: time.Hour, Run: p.house.Sweep},
	}...)
}

func (p *parts) onClose(fn func()) { p.closers = append(p.closers, fn) }

func (p *parts) close() {
	for i := len(p.closers) - 1; i >= 0; i-- {
		p.closers[i]()
	}
	p.closers = nil
}

// report logs what went wrong where nobody is left to answer to.
func (p *parts) report(what string, err error) {
	if err != nil {
		p.log.Error("trouble while stopping", "part", what, "error", err)
	}
}

// healthy tells whether the database answers, and takes what is written.
func (p *parts) healthy(ctx context.Context) (reason string, err error) {
	var n int
	read := p.store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM merchant").Scan(&n)
	if read == nil {
		err = p.probe.Check(ctx)
	}
	switch {
	case db.Vanished(read), db.Vanished(err):
		return "database gone", errors.Join(read, err)
	case read != nil:
		return "database unavailable", read
	case err == nil:
		return "", nil
	case diskFull(err):
		return "disk full", err
	default:
		return "database takes no writes", err
	}
}

// migrateAll brings every table up to date.
func migrateAll(ctx context.Context, store *db.Store) error {
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return jobs.Migrate(ctx, store)
}

// requireCurrent keeps commands off a database that an older server left behind, or a newer one made.
func requireCurrent(ctx context.Context, store *db.Store) error {
	known, err := store.Current(ctx)
	if err != nil {
		return err
	}
	current, err := jobs.Current(ctx, store)
	if err != nil {
		return err
	}
	if !known || !current {
		return errors.New("the database is older than this program: run fairground migrate")
	}
	return nil
}
