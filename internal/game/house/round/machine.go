package round

import (
	_ "embed" // games.json
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"sync"

	"fairground/internal/game/house/cascade"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/slot"
	"fairground/internal/game/house/ways"
	"fairground/internal/money"
)

// A Machine is one version of a slot. Its outcome depends only on the draws and the stake.
type Machine interface {
	Data() reels.Data
	CheckStake(stake money.Minor) error
	Play(draw reels.Draw, stake money.Minor) (reels.Outcome, error)
	Return() *big.Rat // the exact return to player (RTP)
}

//go:embed games.json
var gamesData []byte

// A gameConfig says which machine plays a game.
type gameConfig struct {
	Engine  string `json:"engine"`
	Version int64  `json:"version"` // 0 for the newest
	Theme   string `json:"theme"`
}

type category struct {
	Games map[string]gameConfig `json:"games"`
	Other gameConfig            `json:"other"` // for any game that Games does not list
}

// A library holds all machines and the configuration of all games.
type library struct {
	versions map[string][]Machine // by name, oldest version first
	games    map[string]category
	rtp      map[Machine]string
}

var machines = sync.OnceValue(func() library {
	l := library{versions: map[string][]Machine{}, rtp: map[Machine]string{}}
	add(l, slot.Versions())
	add(l, ways.Versions())
	add(l, cascade.Versions())
	if err := json.Unmarshal(gamesData, &l.games); err != nil {
		panic("games.json: " + err.Error()) // the file is embedded, so tests find the error
	}
	return l
})

func add[M Machine](l library, versions []M) {
	for _, m := range versions {
		name := m.Data().Name
		l.versions[name] = append(l.versions[name], m)
		l.rtp[m] = reels.Percent(m.Return())
	}
}

func (l library) find(name string, version int64) (Machine, bool) {
	all := l.versions[name]
	if version == 0 {
		version = int64(len(all))
	}
	if version < 1 || version > int64(len(all)) {
		return nil, false
	}
	return all[version-1], true
}

func (l library) configOf(categoryCode, game string) gameConfig {
	c := l.games[categoryCode]
	if s, listed := c.Games[game]; listed {
		return s
	}
	return c.Other
}

// Engines returns the names of all slots.
func Engines() []string { return slices.Sorted(maps.Keys(machines().versions)) }

// FindMachine returns a slot by name and version. Version 0 is the newest.
func FindMachine(name string, version int64) (Machine, bool) { return machines().find(name, version) }

// Theme returns the theme of a stored round's game. Game codes are unique across categories. A game that no category lists
// has the default theme of its engine.
func Theme(engine, game string) (theme string) {
	games := machines().games
	for _, code := range slices.Sorted(maps.Keys(games)) {
		c := games[code]
		if s, listed := c.Games[game]; listed {
			return s.Theme
		}
		if c.Other.Engine == engine && theme == "" {
			theme = c.Other.Theme
		}
	}
	return theme
}

// Serves reports whether the House runs slots in a category.
func Serves(category string) bool { return machines().games[category].Other.Engine != "" }

// Return returns a game's published return to player (RTP) in per cent, rounded down. It is empty for a game that the House does
// not run.
func Return(category, game string) string {
	l := machines()
	s := l.configOf(category, game)
	m, found := l.find(s.Engine, s.Version)
	if !found {
		return ""
	}
	return l.rtp[m]
}
