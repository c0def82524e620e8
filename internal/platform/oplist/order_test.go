package oplist_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/platform/oplist"
)

func TestMovePlacesARowAfterAnother(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		rows := make([]oplist.Position, n)
		for i := range rows {
			rows[i] = oplist.Position{ID: int64(i + 1), Sorting: rapid.Int64Range(-3, 3).Draw(t, "sorting")}
		}
		id, after := rapid.Int64Range(1, int64(n)).Draw(t, "id"), rapid.Int64Range(0, int64(n)).Draw(t, "after")
		want := []int64{}
		for _, each := range order(rows) {
			if each != id {
				want = append(want, each)
			}
		}
		want = slices.Insert(want, slices.Index(want, after)+1, id)
		changed, ok := oplist.Move(rows, id, after)
		if ok == (id == after) {
			t.Fatalf("Move(%v, %d, %d) = %v, want %v", rows, id, after, ok, id != after)
		}
		if !ok {
			return
		}
		for _, c := range changed {
			rows[slices.IndexFunc(rows, func(p oplist.Position) bool { return p.ID == c.ID })] = c
		}
		if got := order(rows); !slices.Equal(got, want) {
			t.Fatalf("order = %v, want %v", got, want)
		}
	})
}

func order(rows []oplist.Position) []int64 {
	sorted := slices.SortedFunc(slices.Values(rows), func(a, b oplist.Position) int {
		return cmp.Or(cmp.Compare(a.Sorting, b.Sorting), cmp.Compare(a.ID, b.ID))
	})
	ids := []int64{}
	for _, r := range sorted {
		ids = append(ids, r.ID)
	}
	return ids
}
