package house

import (
	_ "embed" // which engine plays which games
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"sync"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/cascade"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/slot"
	"fairground/internal/game/house/ways"
	"fairground/internal/money"
)

// engine is a kind of game. Its outcome follows from the stream and the stake alone: there is nothing else to give it.
type engine interface {
	Name() string
	Version() int
	CheckStake(stake money.Minor) error
	// Play gives the outcome as it is stored, and what it pays.
	Play(stream *fairness.Stream, stake money.Minor) (outcome json.RawMessage, win money.Minor, err error)
	// Return is the exact share of what is staked that comes back.
	Return() *big.Rat
}

// Machine is a slot of any kind.
type Machine interface {
	Data() reels.Data
	CheckStake(stake money.Minor) error
	Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error)
	Return() *big.Rat
}

// slots is the engine of machines with reels.
type slots struct{ Machine }

func (e slots) Name() string { return e.Data().Name }

func (e slots) Version() int { return e.Data().Version }

func (e slots) Play(stream *fairness.Stream, stake money.Minor) (json.RawMessage, money.Minor, error) {
	o, err := e.Machine.Play(stream, stake)
	if err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(o)
	return text, o.Win, err
}

//go:embed games.json
var gamesData []byte

// served says with what a game is played, and how it looks.
type served struct {
	Engine  string `json:"engine"`
	Version int64  `json:"version"` // the newest where none is named
	Theme   string `json:"theme"`
}

// category says what a category's games are served with: those that are named, and any other.
type category struct {
	Games map[string]served `json:"games"`
	Other served            `json:"other"`
}

type engines struct {
	versions map[string][]engine // by name, the oldest version first
	games    map[string]category
	rtp      map[engine]string
}

// all are the engines that the program carries. They never change.
var all = sync.OnceValue(func() engines {
	e := engines{versions: map[string][]engine{}, rtp: map[engine]string{}}
	for _, m := range slot.Versions() {
		e.add(slots{m})
	}
	for _, m := range ways.Versions() {
		e.add(slots{m})
	}
	for _, m := range cascade.Versions() {
		e.add(slots{m})
	}
	if err := json.Unmarshal(gamesData, &e.games); err != nil {
		panic("games.json: " + err.Error()) // part of the program: a test reads it
	}
	return e
})

func (e engines) add(one engine) {
	e.versions[one.Name()] = append(e.versions[one.Name()], one)
	e.rtp[one] = reels.Percent(one.Return())
}

// version finds an engine; version 0 is the one that is played.
func (e engines) version(name string, version int64) (engine, bool) {
	all := e.versions[name]
	if version == 0 {
		version = int64(len(all))
	}
	if version < 1 || version > int64(len(all)) {
		return nil, false
	}
	return all[version-1], true
}

// serves tells with what a game is played; with nothing where the House has no engine for its category.
func (e engines) serves(categoryCode, game string) served {
	c := e.games[categoryCode]
	if s, named := c.Games[game]; named {
		return s
	}
	return c.Other
}

// theme tells in which pictures a game is shown. A round knows its game but not the category: names are the same in none, and a
// game that no category names is shown as those are that its engine serves.
func (e engines) theme(engine, game string) (theme string) {
	for _, code := range slices.Sorted(maps.Keys(e.games)) {
		c := e.games[code]
		if s, named := c.Games[game]; named {
			return s.Theme
		}
		if c.Other.Engine == engine && theme == "" {
			theme = c.Other.Theme
		}
	}
	return theme
}

// Serves tells whether the House has an engine for a category's games.
func Serves(category string) bool {
	return category == tables().Category || all().games[category].Other.Engine != ""
}

// Return gives the published return of a game in per cent, rounded down; empty where it has none.
func Return(category, game string) string {
	if t := tables().of(category, game); t != nil {
		return t.returns()
	}
	e := all()
	s := e.serves(category, game)
	one, found := e.version(s.Engine, s.Version)
	if !found {
		return ""
	}
	return e.rtp[one]
}

// FindMachine finds a slot of the House by its name and version; version 0 is the one that is played.
func FindMachine(name string, version int64) (Machine, bool) {
	one, _ := all().version(name, version)
	s, reeled := one.(slots)
	return s.Machine, reeled
}
