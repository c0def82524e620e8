package db_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Both engines tell a time that goes on, inside a transaction too, and that lies by the machine's here, where nobody sets
// its clock.
func TestFT09TheDatabasesTimeGoesOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		first, err := store.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Since(first).Abs(); off > time.Minute {
			t.Errorf("the database's time is %v away", off)
		}
		err = store.Write(t.Context(), func(tx *db.Tx) error {
			begin, err := tx.Now(t.Context())
			if err != nil {
				return err
			}
			if begin.Before(first) {
				t.Errorf("%v, then %v in a transaction", first, begin)
			}
			later := begin
			for end := time.Now().Add(time.Minute); !later.After(begin) && time.Now().Before(end); {
				if later, err = tx.Now(t.Context()); err != nil {
					return err
				}
			}
			if !later.After(begin) {
				t.Error("time stands still in a transaction")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// What is known of the database's time without asking follows it: PostgreSQL is asked again after a while; where it does not
// answer, time goes on all the same.
func TestFT09TheDatabasesTimeIsKnownWithoutAsking(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		near := func(when string) {
			t.Helper()
			said, err := store.Now(t.Context())
			if off := store.Time().Sub(said).Abs(); off > time.Minute || err != nil {
				t.Errorf("%s: %v away, %v", when, off, err)
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
				t.Errorf("without the database: %v after %v", later, before)
			}
		}
	})
}
