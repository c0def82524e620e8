package ledger_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// TestFullDisk covers FT-04. Posts fail on a full disk, no post is acknowledged falsely, and posting works again once
// there is space. SQLite gets a page limit. PostgreSQL raises its error code for a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 4, 1_000_000, ledger.Options{})
		fill, empty := w.diskOf(t)
		fill()
		var mu sync.Mutex
		var acknowledged, refused []ledger.Transfer
		var wg sync.WaitGroup
		for c := range 8 {
			wg.Go(func() {
				for failures := 0; failures < 3; {
					bet := w.bet(c%4, 1)
					bet.Note = "a note that fills the pages a little sooner than a bet alone would"
					_, err := w.Post(ctx, bet)
					mu.Lock()
					switch {
					case err == nil:
						acknowledged = append(acknowledged, bet)
					case errors.Is(err, ledger.ErrUnavailable):
						refused = append(refused, bet)
						failures++
					default:
						t.Errorf("Post: got %v, want no error or ErrUnavailable", err)
						failures++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		r := w.verify(t) // reads still work
		if int(r.Transfers) != len(acknowledged)+4 || len(refused) != 24 {
			t.Errorf("%d transfers, %d acknowledged, %d refused, want 4 more transfers than acknowledged and 24 refused", r.Transfers, len(acknowledged), len(refused))
		}
		empty()
		for _, bet := range acknowledged {
			if p, err := w.Post(ctx, bet); err != nil || !p.Replayed {
				t.Fatalf("acknowledged post: %+v, %v; want a replay", p, err)
			}
		}
		for _, bet := range refused { // nothing was stored, so the keys still work
			if p, err := w.Post(ctx, bet); err != nil || p.Replayed {
				t.Fatalf("refused post: %+v, %v; want a new post", p, err)
			}
		}
		w.verify(t)
	})
}

// diskOf returns functions that fill and empty the database's disk.
func (w *testLedger) diskOf(t *testing.T) (fill, empty func()) {
	if w.store.Engine == db.SQLite {
		limit := func(pages int) {
			var got int
			if err := w.store.Writer.QueryRow("PRAGMA page_count").Scan(&got); err != nil {
				t.Fatal(err)
			}
			if _, err := w.store.Writer.Exec("PRAGMA max_page_count = " + strconv.Itoa(got+pages)); err != nil {
				t.Fatal(err)
			}
		}
		return func() { limit(20) }, func() { limit(1 << 20) }
	}
	return func() {
			w.exec(t, `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
			w.exec(t, "CREATE TRIGGER full_disk BEFORE INSERT ON entry EXECUTE FUNCTION no_space()")
		}, func() {
			w.exec(t, "DROP TRIGGER full_disk ON entry")
		}
}
