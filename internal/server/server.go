// Package server puts the domains of one installation together: it opens the database, makes every service in the order of
// their needs, declares their calls on the API and names their periodic work. It holds no rule of the business.
package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"fairground/internal/demo"
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
	"fairground/internal/ledger"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/region"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/webui"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/ops"
)

// Options say which installation to put together.
type Options struct {
	Storage   config.Storage
	Merchant  string
	Demo      bool
	Providers config.Providers
	Site      string     // the site's own origin, where browsers are led back to
	Blobs     blob.Store // for what is uploaded
	Files     Files
	Bus       events.BusOptions
	Hashes    member.Cost   // of passwords
	Slack     time.Duration // for what a request waits for; 0 leaves each its own
	Log       *slog.Logger
	Now       func() time.Time
	IDs       db.IDs // nil: made from the clock
	// DBTime replaces the database's time in tests that move the clock.
	DBTime func(context.Context, *db.Tx) (time.Time, error)
}

// Files are what the operator brings along: each is nil unless its flag names one.
type Files struct {
	Countries *region.File
	Signer    *webui.Signer
	Pictures  *os.Root
}

// countries gives nil, not a nil file in an interface, where there is no file.
func (f Files) countries() region.Countries {
	if f.Countries == nil {
		return nil
	}
	return f.Countries
}

// Server holds the services of one process on one database.
type Server struct {
	Store     *db.Store
	Bus       *events.Bus
	Hub       *events.Hub
	Outbox    *events.Outbox
	Queue     *jobs.Queue
	Keys      *secret.Keys
	Limiter   *ratelimit.Stored
	Messages  *notify.Service
	Box       *jwe.Box
	Limits    *limits.Service
	Ledger    *ledger.Ledger
	Merchants *merchant.Service
	Passwords *member.Passwords
	Members   *member.Service
	Operators *ops.Service
	Captchas  *captcha.Service
	Codes     *verification.Service
	Signin    *signin.Service
	Sessions  *session.Service
	Accounts  *account.Service
	Catalogue *catalogue.Service
	Jackpots  *jackpot.Service
	Vendors   *vendor.Service
	House     *house.Service
	Content   *content.Service
	Loopback  *Loopback // the House's way to the wallet

	o       Options
	probe   *db.Probe
	closers []func()
}

// Open opens the database and makes every service. prepare runs on the open database before anything reads from it: a server
// migrates there, a command checks.
func Open(ctx context.Context, o Options, prepare func(context.Context, *db.Store) error) (_ *Server, err error) {
	store, err := db.Open(ctx, o.Storage.Open(false))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, store.Close())
		}
	}()
	if err := prepare(ctx, store); err != nil {
		return nil, err
	}
	s, err := New(ctx, store, o)
	if err != nil {
		return nil, err
	}
	s.closers = append([]func(){func() { s.Report("database", store.Close()) }}, s.closers...)
	return s, nil
}

// New makes every service on an open database that is up to date, and leaves the database open when it is closed.
func New(ctx context.Context, store *db.Store, o Options) (*Server, error) {
	s := &Server{Store: store, o: o}
	if err := s.wire(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// SeedDemo puts the demo's content in. It can be interrupted anywhere and run again.
func (s *Server) SeedDemo(ctx context.Context) error {
	return demo.Fill(ctx, demo.Parts{
		Merchants: s.Merchants, Members: s.Members, Catalogue: s.Catalogue, Content: s.Content, Ledger: s.Ledger, Jackpots: s.Jackpots,
		Terms: func(category, game, currency string) (demo.Terms, bool) {
			t, served := house.TermsOf(category, game, currency)
			return demo.Terms(t), served
		},
	})
}

// Log is where the services log to.
func (s *Server) Log() *slog.Logger { return s.o.Log }

// OnClose has Close call fn, before what was registered earlier.
func (s *Server) OnClose(fn func()) { s.closers = append(s.closers, fn) }

// Close closes what Open opened, in the opposite order.
func (s *Server) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// Report logs an error that no caller is left to receive.
func (s *Server) Report(what string, err error) {
	if err != nil {
		s.o.Log.Error("trouble while stopping", "part", what, "error", err)
	}
}

// Healthy tells whether the database answers and takes writes.
func (s *Server) Healthy(ctx context.Context) (reason string, err error) {
	var n int
	read := s.Store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM merchant").Scan(&n)
	if read == nil {
		err = s.probe.Check(ctx)
	}
	switch {
	case db.FileReplaced(read), db.FileReplaced(err):
		return "database gone", errors.Join(read, err)
	case read != nil:
		return "database unavailable", read
	case err == nil:
		return "", nil
	case db.DiskFull(err):
		return "disk full", err
	default:
		return "database takes no writes", err
	}
}

// Migrate brings every table up to date.
func Migrate(ctx context.Context, store *db.Store) error {
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return jobs.Migrate(ctx, store)
}

// RequireCurrent keeps commands off a database that an older server left behind, or a newer one made.
func RequireCurrent(ctx context.Context, store *db.Store) error {
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
