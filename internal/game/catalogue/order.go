package catalogue

import (
	"cmp"
	"slices"
	"sync"
)

// Orders of a list. Popular is the merchant's own order and the default.
const (
	Popular = "popular"
	Newest  = "new"
	ByName  = "name"
)

// classNew is the class of games that the merchant promotes as new, whatever their age.
const classNew = "new"

type orders struct {
	newest func() []*gameEntry
	byName []func() []*gameEntry // by language index
}

func newOrders(games []*gameEntry) orders {
	o := orders{newest: sync.OnceValue(func() []*gameEntry { return slices.SortedStableFunc(slices.Values(games), compareAge) })}
	for i, tag := range languages {
		o.byName = append(o.byName, sync.OnceValue(func() []*gameEntry { return sortedByName(games, tag, i) }))
	}
	return o
}

// ordered returns the games in an order. In Popular order, hot selects the hot games by rank.
func (d *directory) ordered(by string, language int, hot bool) []*gameEntry {
	switch {
	case by == Newest:
		return d.orders.newest()
	case by == ByName:
		return d.orders.byName[language]()
	case hot:
		return d.hot
	default:
		return d.games
	}
}

// compareAge puts games of classNew first, then newer games before older ones: node ids grow with time.
func compareAge(a, b *gameEntry) int {
	if first, second := slices.Contains(a.classes, classNew), slices.Contains(b.classes, classNew); first != second {
		if first {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.id, a.id)
}

// sortedByName sorts by the dictionary order of the language. Games with the same name keep their order.
func sortedByName(games []*gameEntry, tag string, language int) []*gameEntry {
	c := collationOf(tag)
	keys := make(map[*gameEntry]string, len(games))
	for _, g := range games {
		keys[g] = c.key(g.names[language])
	}
	return slices.SortedStableFunc(slices.Values(games), func(a, b *gameEntry) int { return cmp.Compare(keys[a], keys[b]) })
}
