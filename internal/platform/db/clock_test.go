package db_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestFT09DatabaseClockAdvances(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		first, err := store.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Since(first).Abs(); off > time.Minute {
			t.Errorf("database clock is off by %v, want at most a minute", off)
		}
		err = store.Write(t.Context(), func(tx *db.Tx) error {
			begin, err := tx.Now(t.Context())
			if err != nil {
				return err
			}
			if begin.Before(first) {
				t.Errorf("clock is %v, then %v in a transaction, want a later time", first, begin)
			}
			later := begin
			for end := time.Now().Add(time.Minute); !later.After(begin) && time.Now().Before(end); {
				if later, err = tx.Now(t.Context()); err != nil {
					return err
				}
			}
			if !later.After(begin) {
				t.Error("clock does not advance in a transaction")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// The cached clock follows the database's clock, and continues while the database does not respond.
func TestFT09CachedClockFollowsDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		near := func(when string) {
			t.Helper()
			dbTime, err := store.Now(t.Context())
			if off := store.Time().Sub(dbTime).Abs(); off > time.Minute || err != nil {
				t.Errorf("%s: off by %v, %v, want at most a minute", when, off, err)
			}
		}
		near("at first")
		if store.Engine == db.Postgres {
			store.Drift(5 * time.Hour)
			near("after it went wrong")
		}
		before := store.Time()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		if store.Engine == db.Postgres {
			store.Drift(0)
		}
		for range 3 {
			if later := store.Time(); later.Before(before) || later.Sub(before) > time.Hour {
				t.Errorf("without the database: clock is %v after %v, want up to an hour later", later, before)
			}
		}
	})
}
