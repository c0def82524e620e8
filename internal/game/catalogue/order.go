package catalogue

import (
	"cmp"
	"slices"
	"sync"
)

// Orders that a list may be asked for. Popular is the merchant's own: what lists show when nothing is asked for.
const (
	Popular = "popular"
	Newest  = "new"
	ByName  = "name"
)

// classNew marks what the merchant calls new, whenever it came.
const classNew = "new"

// orders are the games in other orders than the merchant's, each worked out when it is first asked for.
type orders struct {
	newest func() []*title
	byName []func() []*title // by tongue
}

func newOrders(games []*title) orders {
	o := orders{newest: sync.OnceValue(func() []*title { return slices.SortedStableFunc(slices.Values(games), byAge) })}
	for i, tag := range languages {
		o.byName = append(o.byName, sync.OnceValue(func() []*title { return sortedByName(games, tag, i) }))
	}
	return o
}

// ordered gives all games in an order, and the hot ones of the popular order by their rank.
func (d *directory) ordered(by string, tongue int, hot bool) []*title {
	switch {
	case by == Newest:
		return d.orders.newest()
	case by == ByName:
		return d.orders.byName[tongue]()
	case hot:
		return d.hot
	default:
		return d.games
	}
}

// byAge has what is called new before the rest, and of both what came last first: node ids grow with time.
func byAge(a, b *title) int {
	if first, second := slices.Contains(a.classes, classNew), slices.Contains(b.classes, classNew); first != second {
		if first {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.id, a.id)
}

// sortedByName has the order of a dictionary of the language, where Đ comes after all of D. Games of one name keep theirs.
func sortedByName(games []*title, tag string, tongue int) []*title {
	book := dictionaryOf(tag)
	keys := make(map[*title]string, len(games))
	for _, t := range games {
		keys[t] = book.key(t.names[tongue])
	}
	return slices.SortedStableFunc(slices.Values(games), func(a, b *title) int { return cmp.Compare(keys[a], keys[b]) })
}
