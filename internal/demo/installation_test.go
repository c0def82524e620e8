package demo_test

import (
	"errors"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestFirstStartDecidesTheKind(t *testing.T) {
	t.Parallel()
	for name, asDemo := range map[string]bool{"demo": true, "site": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				for range 2 { // the first start may be interrupted and repeated
					if err := demo.Claim(t.Context(), store, asDemo, time.Now()); err != nil {
						t.Fatal(err)
					}
				}
				want := demo.ErrRealSite
				if asDemo {
					want = demo.ErrIsDemo
				}
				for range 2 {
					if err := demo.Claim(t.Context(), store, !asDemo, time.Now()); !errors.Is(err, want) {
						t.Errorf("Claim as the other kind: %v, want %v", err, want)
					}
				}
			})
		})
	}
}
