package page_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/platform/page"
)

type row struct{ at, id int64 }

func keyOf(r row) page.Key { return page.Key{At: r.at, ID: r.id} }

// query selects up to limit rows below a key from rows that are sorted newest first.
func query(rows []row, after page.Key, limit int) []row {
	var found []row
	for _, r := range rows {
		if r.at < after.At || r.at == after.At && r.id < after.ID {
			found = append(found, r)
		}
	}
	return found[:min(limit, len(found))]
}

func TestPagesContainEveryRowOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		rows := make([]row, n)
		for i := range rows {
			rows[i] = row{at: rapid.Int64Range(0, 5).Draw(t, "at"), id: int64(i)}
		}
		slices.SortFunc(rows, func(a, b row) int {
			if a.at != b.at {
				return int(b.at - a.at)
			}
			return int(b.id - a.id)
		})
		size := rapid.IntRange(1, 7).Draw(t, "size")
		var seen []row
		cursor := ""
		for {
			after, err := page.After(cursor)
			if err != nil {
				t.Fatalf("After(%q): %v", cursor, err)
			}
			var list []row
			list, cursor = page.Cut(query(rows, after, size+1), size, keyOf)
			seen = append(seen, list...)
			if cursor == "" {
				break
			}
		}
		if !slices.Equal(seen, rows) {
			t.Fatalf("pages contain %v, want %v", seen, rows)
		}
	})
}

func TestAfterRefusesForeignCursors(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{"x", "!!", "MS4y ", "LTEuMg", "MS4y.", "MDEuMg", "MS4yLjM"} {
		if _, err := page.After(cursor); !errors.Is(err, page.ErrCursor) {
			t.Errorf("After(%q) = %v, want ErrCursor", cursor, err)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for requested, want := range map[int]int{-1: 20, 0: 20, 1: 1, 100: 100, 101: 100} {
		if got := page.Size(requested); got != want {
			t.Errorf("Size(%d) = %d, want %d", requested, got, want)
		}
	}
}
