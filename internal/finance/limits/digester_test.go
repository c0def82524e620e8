package limits_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
)

func TestPP07PartTraitsSurviveAKeyChange(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		o := secret.Options{Store: store, Source: secret.Source{File: filepath.Join(t.TempDir(), "secret.key"), Create: true}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		o.Rekey = func(ctx context.Context, tx *db.Tx, old, next *secret.Keys, _ bool) error {
			return limits.KeepTraitKey(ctx, tx, old, next)
		}
		keys, err := secret.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		before := keys.MAC("limits.trait", "device", "d1") // as older versions computed it
		for range 2 {
			if err := secret.Rotate(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if keys, err = secret.Open(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			d, err := limits.NewDigester(t.Context(), store, keys)
			if err != nil {
				t.Fatal(err)
			}
			if got := limits.Digest(d, "device", "d1"); !bytes.Equal(got, before) {
				t.Errorf("digest after a key change: got %x, want %x", got, before)
			}
		}
	})
}
