// Package lottery runs the lottery: its API, bets, draws and settlement. A numero is one draw of a game. The betting
// rules are in package play, the timetable in schedule and the results in draw.
//
// The package moves money only through the ledger. Like a vendor's game, it writes rounds and the betting record, and
// keeps members' limits.
package lottery

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/fault"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/tasks"
)

// Faults of this package.
var (
	ErrClosed       = fault.New(fault.Conflict, "lottery.closed")
	ErrOddsChanged  = fault.New(fault.Conflict, "lottery.odds_changed")
	ErrExposure     = fault.New(fault.Refused, "lottery.exposure")     // values: bet, entry, and possible (the highest stake that is still allowed)
	ErrOtherGame    = fault.New(fault.Forbidden, "lottery.other_game") // the session belongs to another game
	ErrUnknownOrder = fault.New(fault.NotFound, "lottery.unknown_order")
	ErrNoSeries     = fault.New(fault.NotFound, "lottery.unknown_series")
)

// Statuses of a numero. statusClosed is not stored: it follows from the time and from the column closed.
const (
	statusOpen    = "open"
	statusClosed  = "closed"
	statusDrawn   = "drawn"
	statusSettled = "settled"
	statusVoid    = "void"
)

// States of a bet. A round has the same states, but roundSettled instead of stateWon and stateLost.
const (
	stateOpen      = "open"
	stateWon       = "won"
	stateLost      = "lost"
	stateVoid      = "void"
	stateCancelled = "cancelled"
	roundSettled   = "settled"
)

// Ledger is the part of the ledger that this package needs.
type Ledger interface {
	Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error)
	PostIn(ctx context.Context, tx *db.Tx, transfers ...ledger.Transfer) ([]ledger.Posted, error)
	Write(ctx context.Context, fn func(*db.Tx) error) error
	Balance(ctx context.Context, account int64) (money.Minor, error)
	EnsureMember(ctx context.Context, merchant, member int64, currency string) (ledger.Account, error)
	House(ctx context.Context, merchant int64, kind, currency string) (ledger.Account, error)
}

// Limits is the part of members' limits that this package needs.
type Limits interface {
	Check(ctx context.Context, memberID int64) error
	Stake(memberID int64, currency string, amount money.Minor) ledger.Row
	Return(memberID int64, currency string, amount money.Minor) ledger.Row
	TakenBack(ctx context.Context, tx *db.Tx, bet, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error)
}

// Sessions reports whether members' login sessions are still valid.
type Sessions interface {
	Alive(ctx context.Context, sessionID int64) (bool, error)
}

// Settings are the merchant's settings of the lottery.
type Settings interface {
	// LotteryExposure returns the maximum payout of one line of a numero, in units of the currency. 0 means the
	// default.
	LotteryExposure(ctx context.Context, merchantID int64) (int64, error)
	// LotteryReturn returns the maximum return that odds may have, in per mille of the stakes.
	LotteryReturn(ctx context.Context, merchantID int64) (int64, error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
}

// An Approval is a change that waits for a second person.
type Approval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out changes that may need a second person.
type Approvals interface {
	// Request carries the change out and returns nil, or stores it for approval and returns the approval.
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*Approval, error)
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	Changed(ctx context.Context, tx *db.Tx, kind, id string) error
}

// Tasks is the queue of work that waits for operators.
type Tasks interface {
	AddIn(ctx context.Context, tx *db.Tx, t tasks.Task) error
	DoneIn(ctx context.Context, tx *db.Tx, kind, reference string) error
}

// Outbox sends events to members' browsers.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
}

// Queue runs tasks after a commit.
type Queue interface {
	Add(ctx context.Context, tx *db.Tx, name string, id int64) error
}

// Messages sends system messages to members.
type Messages interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// A Move is a row of the betting record.
type Move struct {
	VendorID, MemberID int64
	Round, Call, Tx    string
	Amount             money.Minor
	Currency           string
	PlayID, GameID     int64
	Ends               bool // the round is over
	At                 int64
}

// Values of Move.Call.
const (
	moveBet      = "bet"
	moveWin      = "win"
	moveRollback = "rollback"
	moveEnd      = "end"
)

// Options configure a Service.
type Options struct {
	Store    *db.Store
	Ledger   Ledger
	Limits   Limits
	Sessions Sessions
	Settings Settings
	Keys     *secret.Keys
	Series   *series.Service // the source of the seeds
	Random   io.Reader
	IDs      db.IDs
	Now      func() time.Time                                 // the database's time
	Time     func(context.Context, *db.Tx) (time.Time, error) // the database's time in a transaction; nil: tx.Now
	Log      *slog.Logger
	Demo     bool // the engine draws regional games, too
	// History is how far back the demo draws regional games, so that it has results from the start. 0 means 15 days.
	History time.Duration
	// Record returns the row of the betting record for a move.
	Record func(Move) ledger.Row
	// Ended reports whether a bet was refused because the session has ended or the member may no longer play.
	Ended     func(error) bool
	Approvals Approvals
	Screens   Screens
	Tasks     Tasks
	Outbox    Outbox
	Queue     Queue
	Messages  Messages

	Week      schedule.Week   // zero: the standard week
	ChunkSize int             // number of rounds that are settled together; 0: the default
	OrderRate ratelimit.Limit // orders of one member, and their cancellations; zero: the default
}

// A Service runs the lottery.
type Service struct {
	o      Options
	games  []play.Game
	byID   map[int]play.Game
	prices *otter.Cache[int64, *prices]
	chains *otter.Cache[int64, *chain.Chain] // seeds of series that older versions stored

	gameLists    *otter.Cache[gamesKey, []gameReply]
	rates        *ratelimit.Memory[rateKey]
	orderBatches *batch.Batcher[*newOrder]

	mu   sync.Mutex // guards loop.next
	loop loop
}

const defaultChunk = 500

// New returns a Service.
func New(o Options) *Service {
	if len(o.Week.Regions) == 0 {
		o.Week = schedule.StandardWeek()
	}
	if o.ChunkSize == 0 {
		o.ChunkSize = defaultChunk
	}
	if o.OrderRate.Burst == 0 {
		o.OrderRate = orderRate
	}
	if o.Time == nil {
		o.Time = func(ctx context.Context, tx *db.Tx) (time.Time, error) { return tx.Now(ctx) }
	}
	s := &Service{o: o, games: play.Games(o.Week), byID: map[int]play.Game{}, rates: ratelimit.NewMemory[rateKey](rateBuckets)}
	for _, g := range s.games {
		s.byID[g.ID] = g
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.loop.ctx, s.loop.cancel = ctx, cancel //nolint:fatcontext // the loop runs until Close
	s.loop.owner, s.loop.next = "l"+strconv.FormatInt(o.IDs(), 10), map[gameKey]time.Time{}
	s.loop.draw.name, s.loop.settle.name = "draw", "settle"
	s.prices = otter.Must(&otter.Options[int64, *prices]{
		MaximumSize: 256, ExpiryCalculator: otter.ExpiryWriting[int64, *prices](pricesTTL), Clock: cacheClock(o.Now),
	})
	s.gameLists = newGamesCache(o.Now)
	s.chains = otter.Must(&otter.Options[int64, *chain.Chain]{MaximumSize: 256})
	s.startOrders()
	return s
}

// CheckGames fails if the schedule lacks the game of a numero that has open bets or is not settled. Without the game's rules
// the numero could not be drawn, settled or cancelled.
func (s *Service) CheckGames(ctx context.Context) error {
	rows, err := s.o.Store.Q().UnfinishedLotteryGames(ctx)
	if err != nil {
		return fmt.Errorf("read lottery games with bets: %w", err)
	}
	for _, row := range rows {
		if _, known := s.byID[int(row.GameID)]; !known {
			return fmt.Errorf("the schedule has no game with the id %d, but numero %s of this game has open bets or is not settled (merchant %s): start with a schedule that has the game, and remove the game after its numeros are settled or void",
				row.GameID, row.Numero, row.Merchant)
		}
	}
	return nil
}

// cacheClock makes caches use the service's time.
type cacheClock func() time.Time

// NowNano implements otter.Clock.
func (c cacheClock) NowNano() int64 { return c().UnixNano() }

// Tick implements otter.Clock.
func (cacheClock) Tick(time.Duration) <-chan time.Time { return nil }

// vendorOf returns the vendor code and the category with which a game is launched.
func vendorOf(g play.Game) (vendor, category string) {
	if g.Form.Regional() {
		return spec.VendorLottoVN, spec.Lottery
	}
	return spec.VendorELott, spec.FastLottery
}

// Serves reports whether the lottery runs the games of a category.
func Serves(category string) bool { return category == spec.Lottery || category == spec.FastLottery }

// A tenant is a merchant with a lottery.
type tenant struct {
	merchantID int64
	vendors    map[string]int64 // code → id
}

// offers reports whether the merchant offers a game.
func (t *tenant) offers(g play.Game) bool {
	vendor, _ := vendorOf(g)
	return t.vendors[vendor] != 0
}

// tenants returns the merchants that have a lottery vendor.
func (s *Service) tenants(ctx context.Context) ([]*tenant, error) {
	rows, err := s.o.Store.Q().LotteryVendors(ctx)
	if err != nil {
		return nil, fmt.Errorf("read lottery vendors: %w", err)
	}
	var all []*tenant
	for _, row := range rows {
		if len(all) == 0 || all[len(all)-1].merchantID != row.MerchantID {
			all = append(all, &tenant{row.MerchantID, map[string]int64{}})
		}
		all[len(all)-1].vendors[row.Code] = row.ID
	}
	return all, nil
}

// tenantOf returns a merchant's tenant. It has no vendors if the merchant has no lottery.
func (s *Service) tenantOf(ctx context.Context, merchantID int64) (*tenant, error) {
	all, err := s.tenants(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(t *tenant) bool { return t.merchantID == merchantID }); i >= 0 {
		return all[i], nil
	}
	return &tenant{merchantID, map[string]int64{}}, nil
}

// game returns a game that the merchant offers.
func (s *Service) game(ctx context.Context, merchantID int64, id string) (play.Game, error) {
	g, known := s.findGame(id)
	if !known {
		return play.Game{}, play.ErrUnknownGame
	}
	t, err := s.tenantOf(ctx, merchantID)
	if err != nil {
		return play.Game{}, err
	}
	p, err := s.pricesOf(ctx, merchantID)
	if err != nil {
		return play.Game{}, err
	}
	if !t.offers(g) || p.disabled[g.ID] {
		return play.Game{}, play.ErrUnknownGame
	}
	return g, nil
}

// findGame returns a game by its id.
func (s *Service) findGame(id string) (play.Game, bool) {
	n, err := strconv.Atoi(id)
	if err != nil || strconv.Itoa(n) != id {
		return play.Game{}, false
	}
	g, known := s.byID[n]
	return g, known
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }

func nullID(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

func millis(t time.Time) int64 { return db.Millis(t) }
