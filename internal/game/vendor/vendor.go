// Package vendor implements the wallet side of the vendor protocol. It launches games, verifies vendors' signatures
// and turns their calls (bet, win, rollback, …) into ledger transfers, each posted once. It also serves members'
// betting record.
//
// It never draws an outcome or serves a game, and it moves money only through the ledger.
package vendor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Errors returned to the app. Vendors receive the protocol's result codes instead.
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

// Sessions reports whether members' login sessions are still valid.
type Sessions interface {
	Alive(ctx context.Context, sessionID int64) (bool, error)
}

// A Game is a playable game in the catalogue.
type Game struct {
	ID, VendorID              int64
	Code, LaunchCode          string // our code and the vendor's code
	Category, Vendor          string
	FreePlay, Maintenance, On bool
}

// A GameQuery selects a game. Empty fields match any game, but Node or Code must be set.
type GameQuery struct {
	Node                   int64
	Code, Vendor, Category string
}

// Games is the part of the catalogue that this package needs. Its methods read from memory.
type Games interface {
	// Find returns the matching game. A disabled game has On set to false. An unknown game returns the catalogue's
	// error.
	Find(ctx context.Context, merchantID int64, c GameQuery) (Game, error)
	// Played records that the member is playing a game.
	Played(ctx context.Context, merchantID, memberID, node int64) error
}

// Limits is the part of members' play limits that this package needs. The ledger runs the limits gate before the
// Rounds gate.
type Limits interface {
	// Check returns an error if the member is excluded or on a break.
	Check(ctx context.Context, memberID int64) error
	// Stake, Return and Promotion return the row that counts a movement against limits. TakenBack returns the rows
	// that undo the count of a bet, given its transfer ID.
	Stake(memberID int64, currency string, amount money.Minor) ledger.Row
	Return(memberID int64, currency string, amount money.Minor) ledger.Row
	Promotion(memberID int64, currency string, amount money.Minor) ledger.Row
	TakenBack(ctx context.Context, tx *db.Tx, bet, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error)
	// RealityCheck returns the interval of the member's reality checks and when the next is due. It returns 0 and the
	// zero time if the member has none.
	RealityCheck(ctx context.Context, memberID int64) (minutes int, due time.Time, err error)
}

// A Stake is a bet that is about to be posted.
type Stake struct {
	MerchantID, MemberID, VendorID int64
	Account                        int64 // the vendor's account, which receives the stake
	House                          bool  // the House serves the game
	Vendor                         string
	Category, Round, Currency      string
	Amount                         money.Minor
}

// A Jackpot decides which stakes take part in a pool.
type Jackpot interface {
	// Row returns the row to post with the stake, or false if the stake does not take part.
	Row(ctx context.Context, s Stake) (ledger.Row, bool, error)
}

// Bonuses is the part of members' bonuses that this package needs.
type Bonuses interface {
	// CoverIn locks the member's running bonus. It returns 0 if there is none or if the bonus has less than the amount.
	CoverIn(ctx context.Context, tx *db.Tx, memberID int64, currency string, amount money.Minor) (rewardID, account int64, err error)
	// AccountIn locks a bonus and returns its account.
	AccountIn(ctx context.Context, tx *db.Tx, rewardID int64) (account int64, err error)
	// CreditedIn must be called after each credit to a bonus. If the bonus has ended, it moves the amount to cash or to the house.
	// transferID identifies the credit.
	CreditedIn(ctx context.Context, tx *db.Tx, rewardID, transferID int64, amount money.Minor) error
	// Left returns the balance of the member's running bonus, or 0.
	Left(ctx context.Context, memberID int64, currency string) (money.Minor, error)
}

// A LotteryGame is a lottery game with its page on the site. Address is a URL with a placeholder for the ticket.
type LotteryGame struct {
	Game

	Address string
}

// Lottery is the part of the lottery that this package needs.
type Lottery interface {
	// FindLaunch returns false if the lottery does not run the game.
	FindLaunch(ctx context.Context, merchantID int64, c GameQuery) (g LotteryGame, found bool, err error)
}

// Ledger is the part of the ledger that this package needs.
type Ledger interface {
	Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error)
	PostIn(ctx context.Context, tx *db.Tx, transfers ...ledger.Transfer) ([]ledger.Posted, error)
	LockIn(ctx context.Context, tx *db.Tx, key string, accounts ...int64) error
	TombstoneIn(ctx context.Context, tx *db.Tx, key string) (ledger.KeyStatus, error)
	Write(ctx context.Context, fn func(*db.Tx) error) error
	Balance(ctx context.Context, account int64) (money.Minor, error)
	EnsureMember(ctx context.Context, merchant, member int64, currency string) (ledger.Account, error)
	EnsureWallet(ctx context.Context, merchant, member int64, vendorCode, currency string) (ledger.Account, error)
	House(ctx context.Context, merchant int64, kind, currency string) (ledger.Account, error)
}

// Options configure a Service.
type Options struct {
	Store     *db.Store
	Registry  *Registry
	Plays     *Plays
	Keys      *secret.Keys
	Ledger    Ledger
	Sessions  Sessions
	Games     Games
	Limits    Limits  // nil means no limits
	Jackpot   Jackpot // nil means no jackpot
	Bonuses   Bonuses // nil means no bonuses
	IDs       db.IDs
	Now       func() time.Time // database time, used for tickets, plays and the record on every replica
	WallClock func() time.Time // this machine's clock, compared with the timestamps that vendors sign
	Log       *slog.Logger
	Client    *http.Client // calls vendors' servers for connection tests; if nil, the tests fail

	// Currency returns the merchant's currency, for calls that belong to no known member.
	Currency func(ctx context.Context, merchantID int64) (money.Currency, error)
	// SiteClosed reports whether the merchant's site is closed for maintenance, when no bets are accepted. May be
	// nil.
	SiteClosed func(ctx context.Context, merchantID int64) (bool, error)
	// CheckAge returns an error if the member has not confirmed the minimum age for real-money play. May be nil.
	CheckAge func(ctx context.Context, merchantID, memberID int64) error
	// HouseServes reports whether the House has an engine for a category. May be nil.
	HouseServes func(category string) bool
	// RTP returns the published return to player of a House game in per cent, such as "96.20", or "" if unknown. May
	// be nil.
	RTP func(game Game) string
	// Lottery finds the launches of the lottery's games, which no vendor serves. May be nil.
	Lottery Lottery
	// PlayedSince returns a member's totals since a time in Unix milliseconds, from precomputed sums. If nil, the
	// member's moves are summed instead.
	PlayedSince func(ctx context.Context, memberID int64, currency string, since int64) (Sums, error)
}

// Sums are totals in minor units. Net is stored separately because Staked and Returned may be capped.
type Sums struct{ Staked, Returned, Net money.Minor }

// A Service launches games and handles vendors' calls.
type Service struct {
	*Registry
	*Plays

	o     Options
	plays *otter.Cache[digest, *cachedPlay]
	// A cached start stays valid, because the moves before a play never change.
	sittingStarts *otter.Cache[sittingKey, int64]
	playerKey     atomic.Pointer[[]byte]
}

const (
	subjectChanged    = "vendor.changed"
	subjectCatalogue  = "catalogue.changed" // makes the catalogue reload
	subjectPlayClosed = "vendor.closed"
	directoryTTL      = time.Minute
	// playCacheTTL limits how long an ended session stays usable if its notification is lost.
	playCacheTTL  = 10 * time.Second
	playCacheSize = 1 << 16
	winsCacheTTL  = 2 * time.Second
)

// New returns a Service.
func New(o Options) *Service {
	return &Service{
		Registry: o.Registry, Plays: o.Plays, o: o,
		plays:         newCache[digest, *cachedPlay](o.Now, playCacheSize, playCacheTTL),
		sittingStarts: newCache[sittingKey, int64](o.Now, playCacheSize, playTTL),
	}
}

func newCache[K comparable, V any](now func() time.Time, size int, ttl time.Duration) *otter.Cache[K, V] {
	return otter.Must(&otter.Options[K, V]{MaximumSize: size, ExpiryCalculator: otter.ExpiryWriting[K, V](ttl), Clock: cacheClock(now)})
}

// cacheClock makes otter caches use the service's time. It never ticks because the caches have a maximum size.
type cacheClock func() time.Time

// NowNano implements otter.Clock.
func (c cacheClock) NowNano() int64 { return c().UnixNano() }

// Tick implements otter.Clock.
func (cacheClock) Tick(time.Duration) <-chan time.Time { return nil }

// playerKeyName is the name of the stored key from which player IDs are derived. The key stays the same when the root key changes,
// because vendors know players by these IDs.
const playerKeyName = "vendor.player"

// PlayerID returns the ID that vendors use for a member. It is the same for all vendors and does not reveal the
// member's ID.
func (s *Service) PlayerID(ctx context.Context, memberID int64) (string, error) {
	key := s.playerKey.Load()
	if key == nil {
		read, err := s.o.Keys.Stored(ctx, playerKeyName)
		if err != nil {
			return "", err
		}
		key = &read
		s.playerKey.Store(key)
	}
	return hex.EncodeToString(secret.MAC(*key, formatID(memberID))[:16]), nil
}

// A digest is the stored hash of a ticket or a protocol session.
type digest [sha256.Size]byte

func newToken() (string, digest) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never returns an error
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
