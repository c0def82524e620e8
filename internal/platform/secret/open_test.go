package secret_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
)

func options(store *db.Store, source secret.Source) secret.Options {
	return secret.Options{Store: store, Source: source, Now: newClock().now, Log: slog.New(slog.DiscardHandler)}
}

func keyFile(t *testing.T) secret.Source {
	t.Helper()
	return secret.Source{File: filepath.Join(t.TempDir(), "data", secret.FileName), Create: true}
}

func mustOpen(t *testing.T, o secret.Options) *secret.Keys {
	t.Helper()
	keys, err := secret.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// secretRows returns all stored values, each with its name.
func secretRows(t *testing.T, store *db.Store) map[string][]byte {
	t.Helper()
	rows, err := store.Q().Secrets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, row := range rows {
		all[row.Name] = row.Value
	}
	return all
}

func TestSE16PartRootKeyIsCreatedInItsOwnFile(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			store, source := dbtest.Open(t, dbtest.Migrated(t, e)), keyFile(t)
			first := mustOpen(t, options(store, source)).Bytes("x", 32)
			if info, err := os.Stat(source.File); err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("key file: %v, mode %v, want 0600", err, info.Mode())
			}
			text, err := os.ReadFile(source.File)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range secretRows(t, store) {
				if strings.Contains(string(text), string(value)) || bytes.Contains(value, []byte(strings.TrimSpace(string(text)))) || name == "root" {
					t.Errorf("the database holds the key in %s", name)
				}
			}
			if again := mustOpen(t, options(store, source)).Bytes("x", 32); !bytes.Equal(again, first) {
				t.Error("the second start derives other keys")
			}
			fromText := mustOpen(t, options(store, secret.Source{Text: string(text)}))
			if !bytes.Equal(fromText.Bytes("x", 32), first) {
				t.Error("the key in the environment derives other keys than the file")
			}
		})
	}
}

// A missing or wrong key is reported. It is never replaced, because the sealed values would be lost.
func TestLostKeyIsReportedNotReplaced(t *testing.T) {
	t.Parallel()
	store, source := dbtest.SQLite(t), keyFile(t)
	mustOpen(t, options(store, source))
	if err := os.Remove(source.File); err != nil {
		t.Fatal(err)
	}
	if _, err := secret.Open(t.Context(), options(store, source)); !errors.Is(err, secret.ErrKeyNotFound) || !strings.Contains(err.Error(), source.File) {
		t.Errorf("lost key: got %v, want ErrKeyNotFound that names the file", err)
	}
	if _, err := os.Stat(source.File); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a new key file was created: %v, want ErrNotExist", err)
	}
	other := secret.Source{Text: strings.Repeat("ab", 32), Create: true}
	if _, err := secret.Open(t.Context(), options(store, other)); !errors.Is(err, secret.ErrWrong) {
		t.Errorf("other key: got %v, want ErrWrong", err)
	}
	for _, text := range []string{"ab", strings.Repeat("zz", 32), strings.Repeat("ab", 33)} {
		if _, err := secret.Open(t.Context(), options(store, secret.Source{Text: text})); err == nil || strings.Contains(err.Error(), text+" ") {
			t.Errorf("malformed key of %d characters: got %v, want an error without the key", len(text), err)
		}
	}
}

// A command that needs no key runs without it.
func TestOptionalKeyLocksSealedValues(t *testing.T) {
	t.Parallel()
	store, source := dbtest.SQLite(t), keyFile(t)
	mustOpen(t, options(store, source))
	locked := mustOpen(t, options(store, secret.Source{File: filepath.Join(t.TempDir(), "none"), Optional: true}))
	if _, err := locked.Wrap("x", []byte("value")); !errors.Is(err, secret.ErrKeyNotFound) {
		t.Errorf("Wrap without the key: got %v, want ErrKeyNotFound", err)
	}
	if _, err := locked.Stored(t.Context(), "x"); !errors.Is(err, secret.ErrKeyNotFound) {
		t.Errorf("Stored without the key: got %v, want ErrKeyNotFound", err)
	}
}

func TestConcurrentServersShareOneKeyFile(t *testing.T) {
	t.Parallel()
	o, source := dbtest.Migrated(t, db.Postgres), keyFile(t)
	got := make([][]byte, 4)
	var wg sync.WaitGroup
	for i := range got {
		store := dbtest.Open(t, o)
		wg.Go(func() {
			keys, err := secret.Open(t.Context(), options(store, source))
			if err != nil {
				t.Errorf("got %v, want no error", err)
				return
			}
			got[i] = keys.Bytes("test", 32)
		})
	}
	wg.Wait()
	for i := range got {
		if !bytes.Equal(got[i], got[0]) {
			t.Errorf("key of server %d = %x, want %x", i, got[i], got[0])
		}
	}
}

func TestStoredKeysSurviveRotation(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			store, source := dbtest.Open(t, dbtest.Migrated(t, e)), keyFile(t)
			o := options(store, source)
			before := mustOpen(t, o)
			stored, err := before.Stored(t.Context(), "players")
			if err != nil {
				t.Fatal(err)
			}
			wrapped, err := before.Wrap("x", []byte("value"))
			if err != nil {
				t.Fatal(err)
			}
			rekeyed := 0
			o.Rekey = func(_ context.Context, _ *db.Tx, old, next *secret.Keys, legacy bool) error {
				rekeyed++
				if value, err := old.Unwrap("x", wrapped); err != nil || string(value) != "value" || legacy {
					t.Errorf("Unwrap by the old key = %q, %v, legacy %v, want \"value\" and not legacy", value, err, legacy)
				}
				if _, err := next.Unwrap("x", wrapped); !errors.Is(err, secret.ErrInvalid) {
					t.Errorf("Unwrap by the new key: got %v, want ErrInvalid", err)
				}
				return nil
			}
			if err := secret.Rotate(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			after := mustOpen(t, o)
			if again, err := after.Stored(t.Context(), "players"); err != nil || !bytes.Equal(again, stored) || rekeyed != 1 {
				t.Errorf("stored key after the rotation = %x, %v (rekeyed %d times), want %x", again, err, rekeyed, stored)
			}
			if bytes.Equal(after.Bytes("x", 32), before.Bytes("x", 32)) {
				t.Error("the rotation kept the root key")
			}
		})
	}
}

// A rotation that stops at any step leaves an installation that starts.
func TestInterruptedRotation(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stopped")
	store, source := dbtest.SQLite(t), keyFile(t)
	o := options(store, source)
	first := mustOpen(t, o).Bytes("x", 32)
	o.Rekey = func(context.Context, *db.Tx, *secret.Keys, *secret.Keys, bool) error { return errStop }
	if err := secret.Rotate(t.Context(), o); !errors.Is(err, errStop) {
		t.Fatalf("Rotate = %v, want %v", err, errStop)
	}
	o.Rekey = nil
	if again := mustOpen(t, o).Bytes("x", 32); !bytes.Equal(again, first) {
		t.Error("a rotation without effect on the database changed the key")
	}
	// The database uses the new key, but the key file is not replaced yet.
	old, err := os.ReadFile(source.File)
	if err != nil {
		t.Fatal(err)
	}
	if err := secret.Rotate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	next := mustOpen(t, o).Bytes("x", 32)
	if err := errors.Join(os.Rename(source.File, source.File+".next"), os.WriteFile(source.File, old, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := mustOpen(t, o).Bytes("x", 32); !bytes.Equal(got, next) {
		t.Error("Open did not use the next key")
	}
	if _, err := os.Stat(source.File + ".next"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the next key was not moved to its place: %v", err)
	}
}

// Older versions stored the root key in the database.
func TestLegacyRootIsReplaced(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			store, source := dbtest.Open(t, dbtest.Migrated(t, e)), keyFile(t)
			root := bytes.Repeat([]byte{7}, 32)
			if err := store.Write(t.Context(), func(tx *db.Tx) error { return tx.Q.AddSecret(t.Context(), "root", root, 1) }); err != nil {
				t.Fatal(err)
			}
			o := options(store, source)
			calls := 0
			o.Rekey = func(_ context.Context, _ *db.Tx, old, next *secret.Keys, legacy bool) error {
				if calls++; !legacy || bytes.Equal(old.Bytes("x", 32), next.Bytes("x", 32)) {
					t.Errorf("legacy = %v, want true and another key", legacy)
				}
				return nil
			}
			first := mustOpen(t, o).Bytes("x", 32)
			if again := mustOpen(t, o).Bytes("x", 32); calls != 1 || !bytes.Equal(first, again) {
				t.Errorf("rekeyed %d times, want once", calls)
			}
			if _, stays := secretRows(t, store)["root"]; stays {
				t.Error("the old root key is still in the database")
			}
		})
	}
}
