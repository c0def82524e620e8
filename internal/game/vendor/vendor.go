// Package vendor is the wallet's side of the protocol that game vendors speak: it launches games, knows vendors by their
// signatures, and turns their calls (bet, win, rollback …) into transfers of the ledger, each once. It keeps the members'
// betting record from the same rows. It never draws an outcome, serves no game, and moves no money but through the ledger.
package vendor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Faults of this package, as the app meets them. Vendors are told the protocol's own codes.
var (
	ErrUnavailable = fault.New(fault.Refused, "vendor.game_unavailable")
	ErrMaintenance = fault.New(fault.Refused, "vendor.maintenance")
	ErrNoTrial     = fault.New(fault.Refused, "vendor.no_trial")
	ErrNotOpen     = fault.New(fault.Refused, "vendor.not_open")
	ErrUnknownPlay = fault.New(fault.NotFound, "vendor.unknown_play")
	ErrPeriod      = fault.New(fault.Invalid, "vendor.period")
	ErrExists      = fault.ForOperators(fault.Conflict, "vendor.exists")
	ErrUnknown     = fault.New(fault.NotFound, "vendor.unknown")
	ErrMalformed   = fault.ForOperators(fault.Invalid, "vendor.malformed")
)

// Sessions tells whether a member's session is still good.
type Sessions interface {
	Alive(ctx context.Context, sessionID int64) (bool, error)
}

// Game is one that can be played, as the catalogue knows it.
type Game struct {
	ID, VendorID              int64
	Code, LaunchCode          string // ours, and what the vendor calls it
	Category, Vendor          string
	FreePlay, Maintenance, On bool
}

// Choice names a game. What is left empty is not compared; node or code must be there.
type Choice struct {
	Node                   int64
	Code, Vendor, Category string
}

// Games is the part of the catalogue that launching needs. All of it answers from memory.
type Games interface {
	// Find gives the one that is meant. One that is switched off is given with On false; one that does not exist is refused as
	// the catalogue does.
	Find(ctx context.Context, merchantID int64, c Choice) (Game, error)
	// Played notes that the member plays a game now.
	Played(ctx context.Context, merchantID, memberID, node int64) error
}

// Limits is the part of the members' own limits that play asks. Its gate stands at the ledger, before this package's.
type Limits interface {
	// Check refuses a member who is excluded or takes time out.
	Check(ctx context.Context, memberID int64) error
	// Stake, Return and Promotion are the rows by which a movement counts; TakenBack those by which a bet, known by its
	// transfer, counts no longer.
	Stake(memberID int64, currency string, amount money.Minor) ledger.Row
	Return(memberID int64, currency string, amount money.Minor) ledger.Row
	Promotion(memberID int64, currency string, amount money.Minor) ledger.Row
	TakenBack(ctx context.Context, tx *db.Tx, bet, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error)
	// RealityCheck tells how often the member is asked about the time, and when next; 0 and the zero time are never.
	RealityCheck(ctx context.Context, memberID int64) (minutes int, due time.Time, err error)
}

// Stake is a bet that is about to be posted.
type Stake struct {
	MerchantID, MemberID, VendorID int64
	Account                        int64 // the vendor's, which receives it
	House                          bool  // the game is the House's
	Vendor                         string
	Category, Round, Currency      string
	Amount                         money.Minor
}

// Jackpot is what some stakes have a part in.
type Jackpot interface {
	// Row is what rides with such a stake; false: it has no part.
	Row(ctx context.Context, s Stake) (ledger.Row, bool, error)
}

// Ledger is the part of the ledger that calls need.
type Ledger interface {
	Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error)
	PostIn(ctx context.Context, tx *db.Tx, transfers ...ledger.Transfer) ([]ledger.Posted, error)
	LockIn(ctx context.Context, tx *db.Tx, key string, accounts ...int64) error
	TombstoneIn(ctx context.Context, tx *db.Tx, key string) (ledger.KeyStatus, error)
	Write(ctx context.Context, fn func(*db.Tx) error) error
	Balance(ctx context.Context, account int64) (money.Minor, error)
	EnsureMember(ctx context.Context, merchant, member int64, currency string) (ledger.Account, error)
	House(ctx context.Context, merchant int64, kind, currency string) (ledger.Account, error)
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Registry *Registry
	Plays    *Plays
	Keys     *secret.Keys
	Ledger   Ledger
	Sessions Sessions
	Games    Games
	Limits   Limits  // nil: nobody has any
	Jackpot  Jackpot // nil: there is none
	IDs      db.IDs
	Now      func() time.Time // the database's time: tickets, plays and the record go by it, on every replica
	Wall     func() time.Time // the machine's clock: what vendors say that they signed at is compared with it
	Log      *slog.Logger

	// Currency gives the merchant's own, for what belongs to no member.
	Currency func(ctx context.Context, merchantID int64) (money.Currency, error)
	// Closed tells whether the merchant's site is closed for maintenance: no bets are taken then, whoever calls; nil is never.
	Closed func(ctx context.Context, merchantID int64) (bool, error)
	// OfAge refuses a member who has not confirmed to be old enough to play for money; nil: nobody is asked.
	OfAge func(ctx context.Context, merchantID, memberID int64) error
	// Served tells which categories the House has an engine for; nil is none.
	Served func(category string) bool
	// Return gives the published return of a game of the House in per cent, "96.20"; nil or empty is unknown.
	Return func(game Game) string
	// Played gives what a member has staked in a currency since a time, in unix milliseconds, and what came back, at a cost that does not grow with it; nil: their
	// moves are added up.
	Played func(ctx context.Context, memberID int64, currency string, since int64) (Sums, error)
}

// Sums are what was staked and came back; net of itself, for the other two may stand at their bound.
type Sums struct{ Staked, Returned, Net money.Minor }

// Service launches games and answers vendors.
type Service struct {
	*Registry
	*Plays

	o     Options
	plays *otter.Cache[digest, *live]
	// sittings are when those of plays began. What was before a play changes no more.
	sittings *otter.Cache[begun, int64]
}

const (
	changed     = "vendor.changed"
	playsClosed = "vendor.closed"
	freshFor    = time.Minute
	// cacheFor bounds how long the end of a session can go unseen where its word was lost.
	cacheFor  = 10 * time.Second
	cacheSize = 1 << 16
	winsFor   = 2 * time.Second
)

// New makes the service.
func New(o Options) *Service {
	return &Service{
		Registry: o.Registry, Plays: o.Plays, o: o,
		plays:    timed[digest, *live](o.Now, cacheSize, cacheFor),
		sittings: timed[begun, int64](o.Now, cacheSize, playFor),
	}
}

func timed[K comparable, V any](now func() time.Time, size int, ttl time.Duration) *otter.Cache[K, V] {
	return otter.Must(&otter.Options[K, V]{MaximumSize: size, ExpiryCalculator: otter.ExpiryWriting[K, V](ttl), Clock: clock(now)})
}

// clock gives caches the service's time. It does not tick: they are bounded.
type clock func() time.Time

// NowNano implements otter.Clock.
func (c clock) NowNano() int64 { return c().UnixNano() }

// Tick implements otter.Clock.
func (clock) Tick(time.Duration) <-chan time.Time { return nil }

// PlayerID is what vendors know a member by: the same at every vendor, and no number of ours.
func (s *Service) PlayerID(memberID int64) string {
	return hex.EncodeToString(s.o.Keys.MAC("vendor.player", text(memberID))[:16])
}

// digest is what the database knows of a ticket or a session.
type digest [sha256.Size]byte

func newToken() (string, digest) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails (it aborts the program instead)
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}

func text(id int64) string { return strconv.FormatInt(id, 10) }
