package seal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/secret/secrettest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestSeedsAreSealed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		now := time.Now()
		keys, err := secrettest.Open(t.Context(), store, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		seed := fairness.Seed{1, 2, 3}
		sealed, err := seal.Seed(keys, "draw", seed)
		if err != nil {
			t.Fatal(err)
		}
		if seal.IsUnsealed(sealed) || bytes.Contains(sealed, seed[:]) || strings.Contains(string(sealed), seed.Hex()) {
			t.Errorf("the stored seed is readable: %s", sealed)
		}
		now = now.AddDate(100, 0, 0)
		for name, stored := range map[string][]byte{"sealed": sealed, "bare": seed[:]} {
			if got, err := seal.Open(keys, "draw", stored); err != nil || got != seed {
				t.Errorf("%s: Open = %x, %v, want %x", name, got, err, seed)
			}
		}
		broken := bytes.Clone(sealed)
		broken[20] ^= 1
		for name, try := range map[string]struct {
			purpose string
			stored  []byte
		}{"another purpose": {"other", sealed}, "changed": {"draw", broken}, "cut": {"draw", sealed[:40]}, "nothing": {"draw", nil}} {
			if got, err := seal.Open(keys, try.purpose, try.stored); !errors.Is(err, secret.ErrInvalid) {
				t.Errorf("%s: Open = %x, %v, want ErrInvalid", name, got, err)
			}
		}
	})
}
