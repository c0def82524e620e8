package round

import (
	"slices"

	"fairground/internal/game/house/reels"
	"fairground/internal/money"
)

// Terms are the properties of a slot that the catalogue lists.
type Terms struct {
	MinStake money.Minor
	Lines    int64    // or ways; 0 if symbols pay anywhere
	Classes  []string // class codes in the catalogue
}

// Class codes in the catalogue that a machine can have.
const (
	classWild       = "wild"
	classFree       = "free-spins"
	classMultiplier = "multiplier"
	classWays       = "ways"
	classCascade    = "cascade"
)

// TermsOf returns a game's terms in a currency. It returns false if the House does not offer the game in that currency.
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
		classMultiplier: slices.Max(d.Multipliers) > 1, // only of paid spins, because every free round has a multiplier
	} {
		if has {
			classes = append(classes, class)
		}
	}
	slices.Sort(classes)
	return classes
}
