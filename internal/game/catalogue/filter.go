package catalogue

import (
	"math"
	"slices"

	"fairground/internal/platform/spec"
)

// Filter chooses games. Its zero value takes all.
type Filter struct {
	Category string   // a category or a view; one that does not exist has no games
	Vendors  []string // their codes; none: whoever
	Classes  []string // a game has at least one of them; none: any
	MaxBet   int64    // the least bet of the game is at most this, in minor units; 0: any
	MinLines int64    // the game has at least so many lines; games without lines have none
	Name     string   // each word of it begins a word of the game's name
	Sort     string   // the order of the list; none: Popular
}

// page is a part of a list.
type page struct {
	games         []*title
	number, pages int64
	total         int64
}

// hot tells whether the list is one of those that hold the hot games.
func (f Filter) hot() bool { return f.Category == spec.ViewHot || f.Category == spec.ViewHome }

// takes tells whether the filter lets a game through; its name is another matter.
func (f Filter) takes(t *title) bool {
	switch f.Category {
	case "", spec.ViewAll:
	case spec.ViewHot, spec.ViewHome:
		if t.hotRank <= 0 {
			return false
		}
	case spec.JadeLantern:
		if t.maker.code != spec.VendorJL && t.category != spec.JadeLantern {
			return false
		}
	default:
		if t.category != f.Category {
			return false
		}
	}
	if f.Vendors != nil && !slices.Contains(f.Vendors, t.maker.code) {
		return false
	}
	if f.Classes != nil && !slices.ContainsFunc(t.classes, func(c string) bool { return slices.Contains(f.Classes, c) }) {
		return false
	}
	if f.MaxBet > 0 && t.minBet > f.MaxBet {
		return false
	}
	return t.minLines >= f.MinLines
}

// cut walks the games in their order and keeps those of one page; the others it only counts.
func cut(games []*title, takes func(*title) bool, number, size int64) page {
	p := page{number: number}
	first := int64(math.MaxInt64) // beyond every list
	if number-1 <= math.MaxInt64/size {
		first = (number - 1) * size
	}
	for _, t := range games {
		if !takes(t) {
			continue
		}
		if p.total >= first && int64(len(p.games)) < size {
			p.games = append(p.games, t)
		}
		p.total++
	}
	p.pages = (p.total + size - 1) / size
	return p
}

func everyGame(*title) bool { return true }
