package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"fairground/internal/blob"
	"fairground/internal/captcha"
	"fairground/internal/cashier"
	"fairground/internal/catalogue"
	"fairground/internal/config"
	"fairground/internal/content"
	"fairground/internal/db"
	"fairground/internal/events"
	"fairground/internal/jobs"
	"fairground/internal/jwe"
	"fairground/internal/ledger"
	"fairground/internal/member"
	"fairground/internal/merchant"
	"fairground/internal/ops"
	"fairground/internal/rest"
	"fairground/internal/session"
	"fairground/internal/signin"
	"fairground/internal/verification"
)

// partOptions say which installation to put together.
type partOptions struct {
	storage  config.Storage
	merchant string
	demo     bool
	outside  config.Outside
	site     string     // the site's own origin, where browsers are led back to
	blobs    blob.Store // the server's, for what is uploaded
	bus      events.BusOptions
	log      *slog.Logger
	now      func() time.Time
}

// parts are the domains of one process on one database, wired.
type parts struct {
	log       *slog.Logger
	store     *db.Store
	bus       *events.Bus
	outbox    *events.Outbox
	ledger    *ledger.Ledger
	merchants *merchant.Service
	members   *member.Service
	sessions  *session.Service
	catalogue *catalogue.Service
	content   *content.Service
	operators *ops.Service
	probe     *db.Probe
	closers   []func()
	doors
}

// openParts opens the database and makes every domain. prepare runs on the open database before anything
// reads from it: the server migrates there, a command checks.
func openParts(ctx context.Context, o partOptions, prepare func(context.Context, *db.Store) error) (_ *parts, err error) {
	p := &parts{log: o.log}
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
	if err := p.openDoors(ctx, o, ids); err != nil {
		return err
	}
	p.probe = db.NewProbe(p.store, o.now)
	p.outbox = events.NewOutbox(p.store, p.bus, o.log)
	p.ledger = ledger.New(p.store, ledger.Options{Now: o.now, NewID: ids, Committed: p.outbox.Wake, Log: o.log})
	p.onClose(p.ledger.Close)
	p.merchants, err = merchant.New(merchant.Options{
		Store: p.store, Bus: p.bus, IDs: ids, Now: o.now, Default: o.merchant, Demo: o.demo, Log: o.log,
		Outside: p.outside(o),
	})
	if err != nil {
		return err
	}
	p.onClose(p.merchants.Close)
	passwords := member.NewPasswords(runtime.NumCPU())
	p.members = member.New(member.Options{Store: p.store, Rules: p.merchants, Accounts: p.ledger, Passwords: passwords, IDs: ids, Now: o.now})
	p.operators = ops.New(ops.Options{Store: p.store, Hasher: passwords, IDs: ids, Now: o.now})
	if p.box, err = jwe.New(p.store, p.keys, o.now); err != nil {
		return err
	}
	p.hangDoors(o)
	p.sessions, err = session.New(session.Options{
		Store: p.store, Bus: p.bus, Members: p.members, Trials: p.members, Settings: p.merchants, Box: p.box,
		Captchas: p.captchas, Codes: p.codes, Elsewhere: p.signin, Tallies: p.tallies, IDs: ids, Now: o.now, Log: o.log,
	})
	if err != nil {
		return err
	}
	p.onClose(p.sessions.Close)
	p.giveDoors(o)
	if p.catalogue, err = catalogue.New(catalogue.Options{Store: p.store, Bus: p.bus, IDs: ids, Now: o.now}); err != nil {
		return err
	}
	p.onClose(p.catalogue.Close)
	if p.content, err = content.New(content.Options{Store: p.store, Bus: p.bus, IDs: ids, Now: o.now}); err != nil {
		return err
	}
	p.onClose(p.content.Close)
	return nil
}

// register declares every call on the API. For the document alone, the services may be missing.
func (p *parts) register(a *rest.API, hub *events.Hub) {
	merchant.Register(a, p.merchants)
	session.Register(a, p.sessions,
		member.ErrIncorrect, member.ErrLocked, member.ErrNotMember, merchant.ErrMaintenance, merchant.ErrRestricted,
		captcha.ErrRequired, captcha.ErrIncorrect, captcha.ErrChallengeRequired, captcha.ErrChallengeInvalid,
		verification.ErrIncorrect, verification.ErrExpired, signin.ErrFailed, signin.ErrRegister, signin.ErrUnproved)
	session.RegisterTrial(a, p.sessions, member.ErrAge, merchant.ErrMaintenance, merchant.ErrRestricted)
	member.Register(a, p.members)
	cashier.Register(a, p.ledger)
	catalogue.Register(a, p.catalogue)
	content.Register(a, p.content)
	events.Register(a, hub, p.sessions)
	p.registerDoors(a)
}

// periodic is the work that no request waits for.
func (p *parts) periodic() []jobs.Periodic {
	return append(p.sweepDoors(), []jobs.Periodic{
		{Name: "ledger.rollup", Every: 10 * time.Second, Run: func(ctx context.Context) error {
			_, err := p.ledger.RollUp(ctx)
			return err
		}},
		{Name: "session.sweep", Every: time.Hour, Run: p.sessions.Sweep},
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
	if err := p.store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM merchant").Scan(&n); err != nil {
		return "database unavailable", err
	}
	err = p.probe.Check(ctx)
	switch {
	case err == nil:
		return "", nil
	case db.Vanished(err):
		return "database gone", err
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
