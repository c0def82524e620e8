package table

import (
	_ "embed" // tables.json
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// phases are the durations of a round's phases.
type phases struct {
	BetMs    int64 `json:"betMs"`
	LockMs   int64 `json:"lockMs"`
	DealMs   int64 `json:"dealMs" doc:"Time until the last card, die or ball has landed, without cards that are drawn later."`
	DrawMs   int64 `json:"drawMs,omitempty" doc:"Additional time for each card that is drawn later."`
	ResultMs int64 `json:"resultMs"`
}

// stakeLimits are a table's stake limits, in multiples of tableSet.Units.
type stakeLimits struct {
	Minimum int64   `json:"minimum"`
	Spot    int64   `json:"spot"` // maximum on a spot that pays 1:1; the maximum is lower on a spot that pays more
	Ticket  int64   `json:"ticket"`
	Chips   []int64 `json:"chips"`
}

type table struct {
	ID     string   `json:"id"` // part of the client seed of its rounds
	Name   string   `json:"name"`
	Engine string   `json:"engine"`
	Stakes string   `json:"stakes"`
	Games  []string `json:"games"` // game codes in the catalogue

	phases      phases
	stakeLimits stakeLimits
	dealer      Dealer
	rtp         map[string]string // by spot

	retired bool // no longer in tables.json; only its open round is finished
}

//go:embed tables.json
var tablesData []byte

type tableSet struct {
	Category     string                 `json:"category"`
	DefaultTable string                 `json:"other"` // the table for games that no table lists
	Units        map[string]int64       `json:"units"` // minor units by currency; every stake is a multiple of them
	StakeLimits  map[string]stakeLimits `json:"stakes"`
	Phases       map[string]phases      `json:"phases"`
	Tables       []*table               `json:"tables"`

	byID    map[string]*table
	byGame  map[string]*table
	dealers dealers
}

var tables = sync.OnceValue(func() *tableSet {
	set, err := readTables(tablesData)
	if err != nil {
		panic("tables.json: " + err.Error()) // the file is embedded, so tests find the error
	}
	return set
})

func readTables(text []byte) (*tableSet, error) {
	set := &tableSet{byID: map[string]*table{}, byGame: map[string]*table{}, dealers: dealers{}}
	if err := json.Unmarshal(text, set); err != nil {
		return nil, err
	}
	rtp := map[string]map[string]string{}
	for _, e := range engines() {
		for i, d := range e.dealers {
			if d.Data().Version != i+1 {
				return nil, fmt.Errorf("%s has version %d at position %d", e.name(), d.Data().Version, i+1)
			}
		}
		set.dealers[e.name()] = e.dealers
		rtp[e.name()] = map[string]string{}
		for id, share := range e.dealers[len(e.dealers)-1].Returns() {
			rtp[e.name()][id] = reels.Percent(share)
		}
	}
	for _, t := range set.Tables {
		t.dealer, _ = set.dealers.find(t.Engine, 0)
		t.phases, t.stakeLimits, t.rtp = set.Phases[t.Engine], set.StakeLimits[t.Stakes], rtp[t.Engine]
		if t.dealer == nil || t.phases.BetMs <= 0 || t.stakeLimits.Minimum <= 0 || !fairness.GoodClientSeed(t.ID) || set.byID[t.ID] != nil {
			return nil, fmt.Errorf("table %q is invalid", t.ID)
		}
		set.byID[t.ID] = t
		for _, game := range t.Games {
			if set.byGame[game] != nil {
				return nil, fmt.Errorf("game %q has two tables", game)
			}
			set.byGame[game] = t
		}
	}
	if set.byID[set.DefaultTable] == nil {
		return nil, fmt.Errorf("no table %q for other games", set.DefaultTable)
	}
	return set, nil
}

// ids returns the tables' ids, in order.
func (set *tableSet) ids() []string {
	ids := make([]string, len(set.Tables))
	for i, t := range set.Tables {
		ids[i] = t.ID
	}
	return ids
}

// forGame returns the table of a game. Games that no table lists use the default table.
func (set *tableSet) forGame(game string) *table {
	if t := set.byGame[game]; t != nil {
		return t
	}
	return set.byID[set.DefaultTable]
}

// Serves reports whether a category's games are played at live tables.
func Serves(category string) bool { return category == tables().Category }

// TermsOf returns the minimum stake and the class of a game's table. It returns false if the table does not accept the currency.
func TermsOf(game, currency string) (minStake money.Minor, class string, ok bool) {
	t := tables().forGame(game)
	l, ok := t.limits(currency)
	return l.minimum, classOf(t.Engine), ok
}

// Return returns the range of the return to player (RTP) over the spots of a game's table, in per cent, rounded down.
func Return(game string) string {
	var low, high *big.Rat
	for _, share := range tables().forGame(game).dealer.Returns() {
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

// limits are a table's limits in a currency, in minor units.
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
		unit: money.Minor(unit), minimum: money.Minor(unit * t.stakeLimits.Minimum), spot: money.Minor(unit * t.stakeLimits.Spot), ticket: money.Minor(unit * t.stakeLimits.Ticket),
	}
	for _, chip := range t.stakeLimits.Chips {
		l.chips = append(l.chips, money.Minor(unit*chip))
	}
	return l, true
}

// maxStake returns the most that a player may stake on a spot in a round. The more the spot can pay, the lower the maximum is,
// but never below the minimum stake.
func (l limits) maxStake(s spot.Spot) money.Minor {
	highestPay := 1.0
	for _, times := range s.Times {
		if n, err := strconv.ParseFloat(strings.TrimSpace(times), 64); err == nil {
			highestPay = max(highestPay, n)
		}
	}
	maximum := l.spot / money.Minor(math.Ceil(highestPay))
	return max(maximum-maximum%l.unit, l.minimum)
}

func (t *table) findSpot(id string) (spot.Spot, error) {
	for _, s := range t.dealer.Data().Spots {
		if s.ID == id {
			return s, nil
		}
	}
	return spot.Spot{}, spot.ErrUnknown.On("spots")
}
