package figures_test

import (
	"context"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/site/figures"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// While a day is summed, other transactions can be written. SQLite has only one writer.
func TestSumDoesNotBlockWriters(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	written := 0
	whileSumming := func(ctx context.Context, _ *query.Queries, _ figures.Range) ([]figures.Sum, error) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		written++
		return nil, store.Write(ctx, func(*db.Tx) error { return nil })
	}
	now := func() time.Time { return time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC) }
	if err := figures.New(store, now, whileSumming).Sum(t.Context()); err != nil {
		t.Errorf("a write while the figures were summed: %v, want no error", err)
	}
	if written == 0 {
		t.Error("no day was summed")
	}
}
