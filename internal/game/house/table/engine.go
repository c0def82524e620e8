package table

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/baccarat"
	"fairground/internal/game/house/dragontiger"
	"fairground/internal/game/house/roulette"
	"fairground/internal/game/house/sicbo"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
)

// An engine is a table game. A new game needs one entry in engines, and its phases and tables in tables.json.
type engine struct {
	class       string   // the class code in the catalogue
	resultShape string   // the fields of a result, for the API document
	dealers     []Dealer // by version, oldest first; new rounds use the last
}

func (e engine) name() string { return e.dealers[0].Data().Name }

// engines returns the table games, in the order of the API document.
var engines = sync.OnceValue(func() []engine {
	b, s, d, r := baccarat.New(), sicbo.New(), dragontiger.New(), roulette.New()
	return []engine{
		{
			"baccarat", "{player, banker: [card], winner: player|banker|tie, playerPair, bankerPair, points: {player, banker}}",
			[]Dealer{newDealer(b, b.Data)},
		},
		{"sicbo", "{dice: [1, 2, 3]}", []Dealer{newDealer(s, s.Data)}},
		{"dragon-tiger", "{dragon, tiger: card, winner: dragon|tiger|tie}", []Dealer{newDealer(d, d.Data)}},
		{"roulette", "{number}", []Dealer{newDealer(r, r.Data)}},
	}
})

// Engines returns the names of all table games.
func Engines() (names []string) {
	for _, e := range engines() {
		names = append(names, e.name())
	}
	return names
}

func classOf(name string) string {
	for _, e := range engines() {
		if e.name() == name {
			return e.class
		}
	}
	return ""
}

func resultDoc() string {
	var shapes []string
	for _, e := range engines() {
		shapes = append(shapes, e.name()+": "+e.resultShape)
	}
	return strings.Join(shapes, "; ") + ". A card is its rank and suit, such as 9S or TH."
}

// A Dealer is one version of a table game. Its result depends only on the stream.
type Dealer interface {
	Data() spot.Data
	// Deal returns the result as it is stored.
	Deal(stream *fairness.Stream) (json.RawMessage, error)
	// Drawn returns how many cards of a stored result were drawn after the first deal.
	Drawn(result json.RawMessage) int
	// Settle returns the payout of a stake on a spot for a stored result, including the stake.
	Settle(result json.RawMessage, id string, stake money.Minor) (money.Minor, error)
	// Returns returns the exact return to player (RTP) of each spot.
	Returns() map[string]*big.Rat
}

// A game is a table game with results of type R.
type game[R any] interface {
	Deal(draw spot.Draw) R
	Settle(r R, id string, stake money.Minor) (money.Minor, error)
	Returns() map[string]*big.Rat
}

type dealer[R any] struct {
	game[R]

	data spot.Data
}

func newDealer[R any](g game[R], data spot.Data) Dealer { return dealer[R]{g, data} }

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

func (d dealer[R]) Drawn(result json.RawMessage) int {
	var r R
	if err := json.Unmarshal(result, &r); err != nil {
		return 0
	}
	if drawn, ok := any(r).(interface{ Drawn() int }); ok {
		return drawn.Drawn()
	}
	return 0
}

// dealers are the versions of each engine, oldest first. Old versions finish the rounds that opened with them.
type dealers map[string][]Dealer

// find returns a version of an engine. Version 0 is the newest.
func (d dealers) find(name string, version int64) (Dealer, bool) {
	all := d[name]
	if version == 0 {
		version = int64(len(all))
	}
	if version < 1 || version > int64(len(all)) {
		return nil, false
	}
	return all[version-1], true
}

// has reports whether this server can deal and settle a stored version. Version 0 is never stored.
func (d dealers) has(name string, version int64) bool {
	_, found := d.find(name, version)
	return found && version > 0
}

// FindDealer returns an engine by name and version. Version 0 is the newest.
func FindDealer(name string, version int64) (Dealer, bool) {
	return tables().dealers.find(name, version)
}

// Deals reports whether an engine is a table game.
func Deals(name string) bool { return len(tables().dealers[name]) > 0 }
