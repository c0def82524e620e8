package merchant_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// Set must check against the stored settings, not against its cache.
func TestSetChecksStoredSettings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		if _, absolute, err := site.Merchants.SessionLifetime(ctx, site.ID); absolute != 24*time.Hour || err != nil {
			t.Fatalf("default session.absolute = %v, %v; want 24h", absolute, err)
		}
		err := store.Write(ctx, func(tx *db.Tx) error { return tx.Q.PutSetting(ctx, site.ID, "session.absolute", `"40m"`) })
		if err != nil {
			t.Fatal(err)
		}
		if err := site.Merchants.Set(ctx, site.ID, "session.idle", json.RawMessage(`"1h"`)); !errors.Is(err, merchant.ErrBadSetting) {
			t.Errorf("idle longer than absolute: %v, want ErrBadSetting", err)
		}
		if err := site.Merchants.Set(ctx, site.ID, "session.idle", json.RawMessage(`"35m"`)); err != nil {
			t.Errorf("idle shorter than absolute: %v", err)
		}
		if err := site.Merchants.Set(ctx, 1, "session.idle", json.RawMessage(`"35m"`)); !errors.Is(err, rest.ErrMerchantUnknown) {
			t.Errorf("setting of an unknown merchant: %v, want ErrMerchantUnknown", err)
		}
	})
}

// Two concurrent changes contradict each other. The second waits for the first and is rejected.
func TestConcurrentSetsAreSerialized(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		second := make(chan error, 1)
		err := store.Write(ctx, func(tx *db.Tx) error {
			if _, err := tx.Q.LockMerchant(ctx, site.ID); err != nil {
				return err
			}
			go func() { second <- site.Merchants.Set(ctx, site.ID, "session.idle", json.RawMessage(`"1h"`)) }()
			select {
			case err := <-second:
				t.Errorf("Set did not wait for the lock: %v", err)
				second <- err
			case <-time.After(100 * time.Millisecond):
			}
			return tx.Q.PutSetting(ctx, site.ID, "session.absolute", `"40m"`)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-second; !errors.Is(err, merchant.ErrBadSetting) {
			t.Errorf("idle longer than absolute: %v, want ErrBadSetting", err)
		}
	})
}

func TestContradictingSettingsAreReset(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	ctx := t.Context()
	err := site.Store.Write(ctx, func(tx *db.Tx) error {
		return errors.Join(
			tx.Q.PutSetting(ctx, site.ID, "session.idle", `"2h"`), tx.Q.PutSetting(ctx, site.ID, "session.absolute", `"1h"`),
			tx.Q.PutSetting(ctx, site.ID, "system.languages", `["UR"]`), tx.Q.PutSetting(ctx, site.ID, "site.theme", `"light"`),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	replica, err := merchant.New(merchant.Options{
		Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close()
	values, switches, err := replica.Settings(ctx, site.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[merchant.Setting]string{
		"session.idle": `"30m0s"`, "session.absolute": `"24h0m0s"`, "site.theme": `"light"`,
		"system.languages": `["VI","EN","UR","PT"]`, "system.default_language": `"VI"`,
	} {
		if got := string(values[name]); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
	if !switches.Modules[spec.ModuleInbox] {
		t.Error("Settings returned no switches")
	}
	for _, name := range []string{"session.idle", "system.languages"} {
		if !strings.Contains(log.String(), "name="+name) {
			t.Errorf("the log does not name %s: %s", name, log.String())
		}
	}
	if err := replica.Set(ctx, site.ID, "site.theme", json.RawMessage(`"dark"`)); err != nil {
		t.Errorf("change of an unrelated setting: %v", err)
	}
}

// Every value that Settings returns can be stored again.
func TestSettingsRoundTrip(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	values, _, err := site.Merchants.Settings(t.Context(), site.ID)
	if err != nil || len(values) < 20 {
		t.Fatalf("%d settings, %v; want at least 20", len(values), err)
	}
	for name, value := range values {
		if err := site.Merchants.Set(t.Context(), site.ID, name, value); err != nil {
			t.Errorf("set %s to %s: %v", name, value, err)
		}
	}
}
