package oplist

import (
	"cmp"
	"slices"
)

// A Position is the position of a row in a list that operators can reorder. The list is sorted by Sorting, then by ID.
type Position struct{ ID, Sorting int64 }

// positionStep is the difference in Sorting between neighbours after a renumbering. It leaves room for later moves.
const positionStep = 1024

// Move places the row id directly after the row after, or first if after is 0. It returns the rows whose Sorting changes.
// That is one row if there is room between its new neighbours, and otherwise all rows. ok is false if a row is missing.
func Move(list []Position, id, after int64) (changed []Position, ok bool) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Position) int { return cmp.Or(cmp.Compare(a.Sorting, b.Sorting), cmp.Compare(a.ID, b.ID)) })
	from := slices.IndexFunc(list, func(p Position) bool { return p.ID == id })
	if from < 0 || id == after {
		return nil, false
	}
	row := list[from]
	list = slices.Delete(list, from, from+1)
	to := 0
	if after != 0 {
		i := slices.IndexFunc(list, func(p Position) bool { return p.ID == after })
		if i < 0 {
			return nil, false
		}
		to = i + 1
	}
	if to == from {
		return nil, true
	}
	switch {
	case to == len(list):
		row.Sorting = list[to-1].Sorting + positionStep
		return []Position{row}, true
	case to == 0:
		row.Sorting = list[0].Sorting - positionStep
		return []Position{row}, true
	case list[to].Sorting-list[to-1].Sorting > 1:
		row.Sorting = list[to-1].Sorting + (list[to].Sorting-list[to-1].Sorting)/2
		return []Position{row}, true
	}
	list = slices.Insert(list, to, row)
	for i := range list {
		list[i].Sorting = int64(i+1) * positionStep
	}
	return list, true
}
