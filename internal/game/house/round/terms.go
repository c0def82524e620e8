package round

import (
	"slices"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Terms are the properties of a slot that a catalogue lists. They are read from the machine that plays the game.
type Terms struct {
	MinStake money.Minor
	Lines    int64    // or ways; 0 where symbols pay anywhere
	Classes  []string // the catalogue's codes
}

// Classes of the catalogue that a machine can have.
const (
	classWild       = "wild"
	classFree       = "free-spins"
	classMultiplier = "multiplier"
	classWays       = "ways"
	classCascade    = "cascade"
)

// TermsOf returns a game's terms in a currency. It reports false for a game that the House does not serve in that currency.
func TermsOf(category, game, currency string) (Terms, bool) {
	l := machines()
	s := l.configOf(category, game)
	machine, found := l.find(s.Engine, s.Version)
	o, offered := offers[currency]
	if !found || !offered {
		return Terms{}, false
	}
	d := machine.Data()
	return Terms{MinStake: slices.Min(o.stakes), Lines: linesOf(d), Classes: classesOf(d)}, true
}

func linesOf(d reels.Data) int64 {
	if d.Kind != reels.Ways {
		return int64(len(d.Lines))
	}
	return waysOf(d)
}

// waysOf counts the ways to choose one row on each reel.
func waysOf(d reels.Data) int64 {
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
		classMultiplier: slices.Max(d.Multipliers) > 1, // of paid spins: all free rounds multiply
	} {
		if has {
			classes = append(classes, class)
		}
	}
	slices.Sort(classes)
	return classes
}
