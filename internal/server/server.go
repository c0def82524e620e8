// Package server assembles one installation: it opens the database, creates all services, registers their endpoints and
// lists their periodic jobs. It contains no business rules.
package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

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
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery"
	"fairground/internal/game/lottery/schedule"
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
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/region"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/tasks"
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

// Options configure a Server.
type Options struct {
	Storage    config.Storage
	Key        secret.Source // the root key
	Merchant   string
	Demo       bool
	Simulated  bool // show simulated figures where there are no real ones; the demo always does
	Providers  config.Providers
	SiteOrigin string     // origin of the site, for redirects after an external login
	Blobs      blob.Store // uploaded files; nil: in the database
	Files      Files
	Bus        events.BusOptions
	Hashes     member.Cost   // cost of password hashes
	Timeout    time.Duration // replaces all timeouts within a request; 0 keeps the defaults
	// SeriesLength is the number of links in a new fairness chain. 0 means the default.
	SeriesLength int
	// DrawHistory is how far back the demo draws regional lotteries. 0 means the default.
	DrawHistory time.Duration
	// LotteryRate limits the lottery orders of one member. The zero value means the default. Benchmarks raise it.
	LotteryRate ratelimit.Limit
	// BeaconAhead is the minimum time between the publication of a series and its beacon round. 0 means the default.
	BeaconAhead time.Duration
	Log         *slog.Logger
	Now         func() time.Time
	IDs         db.IDs // nil: derived from the clock
	// DBTime replaces the database's time in tests that move the clock.
	DBTime func(context.Context, *db.Tx) (time.Time, error)
}

// Files holds the operator's files. Each is nil unless its flag is set.
type Files struct {
	Countries *region.File
	Signer    *webui.Signer
	Pictures  *os.Root
	Week      schedule.Week // of the regional lotteries; zero: the standard week
}

// countries returns the country database. It returns a nil interface, not an interface with a nil file, if there is none.
func (f Files) countries() region.Countries {
	if f.Countries == nil {
		return nil
	}
	return f.Countries
}

// A Server holds the services of one process.
type Server struct {
	Store       *db.Store
	Bus         *events.Bus
	Hub         *events.Hub
	Outbox      *events.Outbox
	Screens     events.Screens // notifies operators' screens about changes
	Tasks       *tasks.Queue   // work that waits for operators
	Queue       *jobs.Queue
	MemberDesk  *desk.Service
	Books       *books.Service
	Keys        *secret.Keys
	Limiter     *ratelimit.Stored
	Messages    *notify.Service
	Box         *jwe.Box
	Requests    *idempotency.Keys // responses to requests that must take effect once
	Limits      *limits.Service
	Ledger      *ledger.Ledger
	Merchants   *merchant.Service
	Passwords   *member.Passwords
	Members     *member.Service
	Operators   *ops.Service
	Gateways    *gateway.Service
	Deposits    *deposit.Service
	Wallets     *cashier.Wallets
	Figures     *figures.Service
	Captchas    *captcha.Service
	Codes       *verification.Service
	Signin      *signin.Service
	Sessions    *session.Service
	Accounts    *account.Service
	Catalogue   *catalogue.Service
	Jackpots    *jackpot.Service
	Registry    *vendor.Registry
	Plays       *vendor.Plays
	Vendors     *vendor.Service
	House       *house.Service
	Content     *content.Service
	Blobs       blob.Store
	Loopback    *Loopback // the House's connection to the wallet
	Identity    *kyc.Service
	Series      *series.Service
	Withdrawals *withdraw.Service
	Lottery     *lottery.Service
	Promotions  *promo.Service
	Loyalty     *loyalty.Service
	Inbox       *message.Service
	Feedback    *feedback.Service
	Chats       *chat.Service
	Streams     *stream.Service

	o       Options
	probe   *db.Probe
	closers []func()
}

// Open opens the database, calls prepare with it, and creates all services. For prepare, a server passes Migrate and a
// command passes RequireCurrent.
func Open(ctx context.Context, o Options, prepare func(context.Context, *db.Store) error) (_ *Server, err error) {
	storage := o.Storage.DBOptions(false)
	storage.Log = o.Log
	store, err := db.Open(ctx, storage)
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

// New creates all services on an open, migrated database. Close does not close the database.
func New(ctx context.Context, store *db.Store, o Options) (*Server, error) {
	s := &Server{Store: store, o: o}
	if err := s.wire(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// LoadDemo stores the demo data. It can be interrupted and run again.
func (s *Server) LoadDemo(ctx context.Context) error { return demo.Fill(ctx, s.demoParts()) }

// InstallHouse adds the House's games to a merchant and returns the number of added games. It can be run again.
func (s *Server) InstallHouse(ctx context.Context, merchantID int64) (games int, err error) {
	currency, err := s.Merchants.Currency(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	if err := s.Vendors.MakeHouse(ctx, merchantID, demo.HouseCode); err != nil && !errors.Is(err, vendor.ErrUnknown) {
		return 0, err
	}
	defer s.Catalogue.NotifyChanged()
	defer s.Vendors.NotifyChanged()
	return demo.InstallHouse(ctx, s.demoParts(), merchantID, currency.Code)
}

func (s *Server) demoParts() demo.Parts {
	return demo.Parts{
		Merchants: s.Merchants, Members: s.Members, Catalogue: s.Catalogue, Content: s.Content, Ledger: s.Ledger, Jackpots: s.Jackpots, Deposits: s.Deposits, Promotions: s.Promotions, Loyalty: s.Loyalty, Streams: s.Streams,
		Terms: func(category, game, currency string) (demo.Terms, bool) {
			t, served := house.TermsOf(category, game, currency)
			return demo.Terms(t), served
		},
	}
}

// Log returns the logger.
func (s *Server) Log() *slog.Logger { return s.o.Log }

// Storage returns the location of the data.
func (s *Server) Storage() config.Storage { return s.o.Storage }

// OnClose registers a function for Close, which calls the functions in reverse order.
func (s *Server) OnClose(fn func()) { s.closers = append(s.closers, fn) }

// Close closes all services and, if Open opened it, the database.
func (s *Server) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// Report logs an error that occurred during the shutdown.
func (s *Server) Report(part string, err error) {
	if err != nil {
		s.o.Log.Error("error during shutdown", "part", part, "error", err)
	}
}

// Migrate updates the schema.
func Migrate(ctx context.Context, store *db.Store) error {
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return jobs.Migrate(ctx, store)
}

// RequireCurrent returns an error if the schema is older or newer than this program.
func RequireCurrent(ctx context.Context, store *db.Store) error {
	schemaCurrent, err := store.Current(ctx)
	if err != nil {
		return err
	}
	jobsCurrent, err := jobs.Current(ctx, store)
	if err != nil {
		return err
	}
	if !schemaCurrent || !jobsCurrent {
		return errors.New("the database is older than this program: run fairground migrate")
	}
	return nil
}
