package house

import (
	"slices"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Terms are what a catalogue tells of a game before it is opened. They are read off the game itself, so that what lists are
// narrowed by is what is played.
type Terms struct {
	LeastStake money.Minor
	Lines      int64    // or ways; 0 where symbols pay anywhere, and at tables
	Classes    []string // what it has, by the codes of the catalogue
}

// Classes of the catalogue that a game has by the way it is played.
const (
	classWild       = "wild"
	classFree       = "free-spins"
	classMultiplier = "multiplier"
	classWays       = "ways"
	classCascade    = "cascade"
)

// tableClasses are what the catalogue calls the tables' games.
var tableClasses = map[string]string{
	"baccarat": "baccarat", "sicbo": "sicbo", "dragontiger": "dragon-tiger", "roulette": "roulette",
}

// TermsOf gives the terms of a game in a currency; none where the House does not serve it, or not in this currency.
func TermsOf(category, game, currency string) (Terms, bool) {
	if t := tables().of(category, game); t != nil {
		l, taken := t.limits(currency)
		return Terms{LeastStake: l.minimum, Classes: []string{tableClasses[t.Engine]}}, taken
	}
	e := all()
	s := e.serves(category, game)
	one, _ := e.version(s.Engine, s.Version)
	machine, reeled := one.(slots)
	o, taken := offers[currency]
	if !reeled || !taken {
		return Terms{}, false
	}
	d := machine.Data()
	return Terms{LeastStake: slices.Min(o.stakes), Lines: linesOf(d), Classes: classesOf(d)}, true
}

// linesOf counts what a machine pays along: its lines, or its ways, which are one row of each reel.
func linesOf(d reels.Data) int64 {
	if d.Kind != reels.Ways {
		return int64(len(d.Lines))
	}
	ways := int64(1)
	for range d.Strips {
		ways *= int64(d.Rows)
	}
	return ways
}

func classesOf(d reels.Data) []string {
	var classes []string
	for class, has := range map[string]bool{
		classWild: d.Wild != "", classFree: d.FreeRounds != nil, classWays: d.Kind == reels.Ways, classCascade: d.Kind == reels.Cascade,
		// That free rounds pay more is what free rounds are; this is for paid spins.
		classMultiplier: slices.Max(d.Multipliers) > 1,
	} {
		if has {
			classes = append(classes, class)
		}
	}
	slices.Sort(classes)
	return classes
}
