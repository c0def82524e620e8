package house

import (
	_ "embed" // the tables and what may be staked at them
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/baccarat"
	"fairground/internal/game/house/dragontiger"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/roulette"
	"fairground/internal/game/house/sicbo"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// Dealer is an engine of the live tables. Its result follows from the stream alone.
type Dealer interface {
	Data() spot.Data
	// Deal gives the result as it is stored.
	Deal(stream *fairness.Stream) (json.RawMessage, error)
	// Settle tells what a stake on a spot comes to, by a stored result.
	Settle(result json.RawMessage, id string, stake money.Minor) (money.Minor, error)
	// Returns is the exact share of what is staked that comes back, by spot.
	Returns() map[string]*big.Rat
}

// game is an engine with a result of its own kind.
type game[R any] interface {
	Deal(draw spot.Draw) R
	Settle(r R, id string, stake money.Minor) (money.Minor, error)
	Returns() map[string]*big.Rat
}

type dealer[R any] struct {
	game[R]

	data spot.Data
}

func (d dealer[R]) Data() spot.Data { return d.data }

func (d dealer[R]) Deal(stream *fairness.Stream) (json.RawMessage, error) {
	return json.Marshal(d.game.Deal(stream))
}

func (d dealer[R]) Settle(result json.RawMessage, id string, stake money.Minor) (money.Minor, error) {
	var r R
	if err := json.Unmarshal(result, &r); err != nil {
		return 0, fmt.Errorf("read result: %w", err)
	}
	return d.game.Settle(r, id, stake)
}

// phases are how long the parts of a round take.
type phases struct {
	BetMs    int64 `json:"betMs"`
	LockMs   int64 `json:"lockMs"`
	DealMs   int64 `json:"dealMs"`
	ResultMs int64 `json:"resultMs"`
}

// stakes are what a table takes, in units of the currency.
type stakes struct {
	Minimum int64   `json:"minimum"`
	Spot    int64   `json:"spot"`   // at most on a spot that pays even money; on others so much less as they pay more
	Ticket  int64   `json:"ticket"` // at most at once
	Chips   []int64 `json:"chips"`
}

// table is a live table: an engine, its pace and its stakes.
type table struct {
	ID     string   `json:"id"` // the client seed of its rounds
	Name   string   `json:"name"`
	Engine string   `json:"engine"`
	Stakes string   `json:"stakes"`
	Games  []string `json:"games"` // of the catalogue, by their codes

	phases phases
	stakes stakes
	dealer Dealer
	rtp    map[string]string

	dropped bool // this program has no such table any more: its rounds are only brought to their end
}

//go:embed tables.json
var tablesData []byte

// hall is all tables. It never changes.
type hall struct {
	Category string            `json:"category"`
	Other    string            `json:"other"` // where games go that no table names
	Units    map[string]int64  `json:"units"` // minor units by currency: every stake is a multiple
	Stakes   map[string]stakes `json:"stakes"`
	Phases   map[string]phases `json:"phases"`
	Tables   []*table          `json:"tables"`

	byID    map[string]*table
	byGame  map[string]*table
	dealers dealers
}

// dealers are the engines by name, the oldest version first. The last one is dealt; the others are there for the rounds that
// opened with them.
type dealers map[string][]Dealer

// version finds an engine; version 0 is the one that is dealt.
func (d dealers) version(name string, version int64) (Dealer, bool) {
	all := d[name]
	if version == 0 {
		version = int64(len(all))
	}
	if version < 1 || version > int64(len(all)) {
		return nil, false
	}
	return all[version-1], true
}

// tables are those that the program carries.
var tables = sync.OnceValue(func() *hall {
	h, err := readHall(tablesData)
	if err != nil {
		panic("tables.json: " + err.Error()) // part of the program: a test reads it
	}
	return h
})

func readHall(text []byte) (*hall, error) {
	b, s, d, r := baccarat.New(), sicbo.New(), dragontiger.New(), roulette.New()
	h := &hall{byID: map[string]*table{}, byGame: map[string]*table{}, dealers: dealers{
		b.Name: {dealer[baccarat.Result]{b, b.Data}}, s.Name: {dealer[sicbo.Result]{s, s.Data}},
		d.Name: {dealer[dragontiger.Result]{d, d.Data}}, r.Name: {dealer[roulette.Result]{r, r.Data}},
	}}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, err
	}
	rtp := map[string]map[string]string{}
	for name, versions := range h.dealers {
		for i, d := range versions {
			if d.Data().Version != i+1 {
				return nil, fmt.Errorf("%s has version %d in place of %d", name, d.Data().Version, i+1)
			}
		}
		rtp[name] = map[string]string{}
		for id, share := range versions[len(versions)-1].Returns() {
			rtp[name][id] = reels.Percent(share)
		}
	}
	for _, t := range h.Tables {
		t.dealer, _ = h.dealers.version(t.Engine, 0)
		t.phases, t.stakes, t.rtp = h.Phases[t.Engine], h.Stakes[t.Stakes], rtp[t.Engine]
		if t.dealer == nil || t.phases.BetMs <= 0 || t.stakes.Minimum <= 0 || !fairness.GoodClientSeed(t.ID) || h.byID[t.ID] != nil {
			return nil, fmt.Errorf("table %q", t.ID)
		}
		h.byID[t.ID] = t
		for _, game := range t.Games {
			if h.byGame[game] != nil {
				return nil, fmt.Errorf("game %q has two tables", game)
			}
			h.byGame[game] = t
		}
	}
	if h.byID[h.Other] == nil {
		return nil, fmt.Errorf("no table %q for other games", h.Other)
	}
	return h, nil
}

// of gives the table that a game is played at; nil where it is none of the tables' category.
func (h *hall) of(category, game string) *table {
	if category != h.Category {
		return nil
	}
	if t := h.byGame[game]; t != nil {
		return t
	}
	return h.byID[h.Other]
}

// FindDealer finds an engine of the tables by its name and version; version 0 is the one that is dealt.
func FindDealer(name string, version int64) (Dealer, bool) {
	return tables().dealers.version(name, version)
}

// Deals tells whether an engine is a table's.
func Deals(name string) bool { return len(tables().dealers[name]) > 0 }

// returns is the lowest and the highest return of the table's spots.
func (t *table) returns() string {
	var low, high *big.Rat
	for _, share := range t.dealer.Returns() {
		if low == nil || share.Cmp(low) < 0 {
			low = share
		}
		if high == nil || share.Cmp(high) > 0 {
			high = share
		}
	}
	if low.Cmp(high) == 0 {
		return reels.Percent(low)
	}
	return reels.Percent(low) + "-" + reels.Percent(high)
}

// limits are a table's stakes in a currency, in minor units.
type limits struct {
	unit, minimum, spot, ticket money.Minor
	chips                       []money.Minor
}

func (t *table) limits(currency string) (l limits, ok bool) {
	unit, ok := tables().Units[currency]
	if !ok {
		return l, false
	}
	l = limits{
		unit: money.Minor(unit), minimum: money.Minor(unit * t.stakes.Minimum), spot: money.Minor(unit * t.stakes.Spot), ticket: money.Minor(unit * t.stakes.Ticket),
	}
	for _, chip := range t.stakes.Chips {
		l.chips = append(l.chips, money.Minor(unit*chip))
	}
	return l, true
}

// most is what one player may have on a spot in a round: what pays more takes less, down to the minimum.
func (l limits) most(s spot.Spot) money.Minor {
	best := 1.0
	for _, times := range s.Times {
		if n, err := strconv.ParseFloat(strings.TrimSpace(times), 64); err == nil {
			best = max(best, n)
		}
	}
	most := l.spot / money.Minor(math.Ceil(best))
	return max(most-most%l.unit, l.minimum)
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// find gives one of the table's spots.
func (t *table) find(id string) (spot.Spot, error) {
	for _, s := range t.dealer.Data().Spots {
		if s.ID == id {
			return s, nil
		}
	}
	return spot.Spot{}, ErrUnknownSpot.On("spots")
}
