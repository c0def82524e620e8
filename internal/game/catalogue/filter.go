package catalogue

import (
	"math"
	"slices"

	"fairground/internal/platform/spec"
)

// A Filter selects games. The zero value selects all of them.
type Filter struct {
	Category string   // a category or a view; an unknown one has no games
	Vendors  []string // vendor codes; nil selects all
	Classes  []string // the game has at least one of them; nil selects all
	MaxBet   int64    // the game's minimum bet is at most this, in minor units; 0 selects any
	MinLines int64    // the game has at least this many lines; games without lines have 0
	Trial    bool     // the game has a trial
	Name     string   // each word is a prefix of a word of the game's name
	Sort     string   // empty means Popular
}

type page struct {
	games         []*gameEntry
	number, pages int64
	total         int64
}

func (f Filter) isHot() bool { return f.Category == spec.ViewHot || f.Category == spec.ViewHome }

// matches reports whether the filter selects the game. It ignores Name.
func (f Filter) matches(g *gameEntry) bool {
	switch f.Category {
	case "", spec.ViewAll:
	case spec.ViewHot, spec.ViewHome:
		if g.hotRank <= 0 {
			return false
		}
	case spec.JadeLantern:
		if g.vendor.code != spec.VendorJL && g.category != spec.JadeLantern {
			return false
		}
	default:
		if g.category != f.Category {
			return false
		}
	}
	if f.Vendors != nil && !slices.Contains(f.Vendors, g.vendor.code) {
		return false
	}
	if f.Classes != nil && !slices.ContainsFunc(g.classes, func(c string) bool { return slices.Contains(f.Classes, c) }) {
		return false
	}
	if f.MaxBet > 0 && g.minBet > f.MaxBet {
		return false
	}
	return g.minLines >= f.MinLines && (!f.Trial || g.freePlay)
}

func paginate(games []*gameEntry, matches func(*gameEntry) bool, number, size int64) page {
	p := page{number: number}
	first := int64(math.MaxInt64) // past the end of every list
	if number-1 <= math.MaxInt64/size {
		first = (number - 1) * size
	}
	for _, g := range games {
		if !matches(g) {
			continue
		}
		if p.total >= first && int64(len(p.games)) < size {
			p.games = append(p.games, g)
		}
		p.total++
	}
	p.pages = (p.total + size - 1) / size
	return p
}

func everyGame(*gameEntry) bool { return true }
