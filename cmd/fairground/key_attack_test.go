package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fairground/internal/demo"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
)

// An attacker has a copy of the database and a backup. No value in them works as the root key, opens a vendor's signing key or a
// player's next seed, or is one of them. With the root key the same attack finds all of them.
func TestDatabaseDoesNotContainItsKey(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		storage := optionsOf(args)
		file := filepath.Join(storage.Data, secret.FileName)
		args = append(args, "--key-file", file)
		s := start(t, append(slices.Clone(args), "--demo")...)
		var created struct{ KeyID, Key string }
		out := runCommand(t, "", args, "vendor", "create", "--code", "TEST", "--name", "Test", "--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "T1:RNG")
		if err := json.Unmarshal([]byte(out), &created); err != nil {
			t.Fatal(err)
		}
		spinOnce(t, s, s.login("demo88", demo.Password), 1)

		copyTo := filepath.Join(t.TempDir(), "copy")
		printed := runCommand(t, "", args, "backup", copyTo)
		if !strings.Contains(printed, "The key is not in it") || !strings.Contains(printed, file) {
			t.Errorf("backup says %q, want that the key is not in it", printed)
		}
		if _, err := os.Stat(filepath.Join(copyTo, secret.FileName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("key file in the backup: error %v, want that it does not exist", err)
		}
		backup := db.Options{Data: copyTo}
		if storage.URL != "" {
			backup.URL = restorePostgres(t, filepath.Join(copyTo, "fairground.dump"))
		}
		root := readRoot(t, file)
		store, restored := dbtest.Open(t, storage), dbtest.Open(t, backup)
		a := newAttack(t, restored, created.KeyID, created.Key)
		if found := a.try(t, root); len(found) != 3 {
			t.Fatalf("with the root key the attack finds %q, want the root key, a vendor's key and a next seed", found)
		}

		tried := map[string]bool{}
		texts := [][]byte{[]byte(printed)}
		for _, values := range [][][]byte{storedValues(t, store), storedValues(t, restored), filesIn(t, copyTo), texts} {
			for _, value := range values {
				if bytes.Contains(value, root) {
					t.Errorf("a value of %d bytes contains the root key", len(value))
				}
				for _, candidate := range candidates(value) {
					if tried[string(candidate)] {
						continue
					}
					tried[string(candidate)] = true
					if found := a.try(t, candidate); len(found) > 0 {
						t.Errorf("a stored value gives the attacker %q, want nothing", found)
					}
				}
			}
		}
		if len(tried) < 100 {
			t.Errorf("tried %d values, want all digests and seeds", len(tried))
		}

		withKey := filepath.Join(t.TempDir(), "with-key")
		runCommand(t, "", args, "backup", "--with-key", withKey)
		if info, err := os.Stat(filepath.Join(withKey, secret.FileName)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("key in the backup: %v, want a file with mode 0600", err)
		}
	})
}

// An attack uses values as keys of a database.
type attack struct {
	target    *db.Store
	blank     *db.Store // a database without a key accepts each value as its key
	keyID     string
	vendorKey []byte
	wrapped   []byte // the vendor's key as the database stores it
	nextSeeds [][]byte
}

func newAttack(t *testing.T, target *db.Store, keyID, vendorKey string) attack {
	t.Helper()
	key, err := hex.DecodeString(vendorKey)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := target.Q().ActiveVendorKeys(t.Context())
	if err != nil || len(rows) != 1 || rows[0].KeyID != keyID {
		t.Fatalf("vendor keys in the backup = %+v, %v, want %s", rows, err, keyID)
	}
	a := attack{target, dbtest.SQLite(t), keyID, key, rows[0].Wrapped, seeds(t, target)}
	if len(a.nextSeeds) == 0 {
		t.Fatal("the backup has no seed of a next round, want one")
	}
	return a
}

// try returns what a value reveals if it is used as the root key or as a vendor's key.
func (a attack) try(t *testing.T, value []byte) (found []string) {
	t.Helper()
	options := secret.Options{Store: a.target, Source: secret.Source{Text: hex.EncodeToString(value)}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	if _, err := secret.Open(t.Context(), options); err == nil {
		found = append(found, "the root key")
	} else if !errors.Is(err, secret.ErrWrong) {
		t.Fatalf("open the backup with a stored value: error %v, want %v", err, secret.ErrWrong)
	}
	// Older versions derived a vendor's key from the root key.
	derived, err := hkdf.Key(sha256.New, value, nil, "bytes/vendor.key/"+a.keyID, 32)
	if err != nil {
		t.Fatal(err)
	}
	keys := a.keysOf(t, value)
	_, err = keys.Unwrap("vendor.key/"+a.keyID, a.wrapped)
	if err == nil || bytes.Equal(value, a.vendorKey) || bytes.Equal(derived, a.vendorKey) {
		found = append(found, "a vendor's key")
	}
	opens := func(stored []byte) bool {
		_, err := seal.Open(keys, "house.seed", stored)
		return err == nil
	}
	if slices.ContainsFunc(a.nextSeeds, opens) {
		found = append(found, "a next seed")
	}
	return found
}

// keysOf returns the keys that a server with this root key would derive.
func (a attack) keysOf(t *testing.T, root []byte) *secret.Keys {
	t.Helper()
	if _, err := a.blank.Writer.ExecContext(t.Context(), "DELETE FROM secret"); err != nil {
		t.Fatal(err)
	}
	keys, err := secret.Open(t.Context(), secret.Options{
		Store: a.blank, Source: secret.Source{Text: hex.EncodeToString(root), Create: true}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func readRoot(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(root) != 32 {
		t.Fatalf("key file = %d bytes, %v, want 32", len(root), err)
	}
	return root
}

var encodedKeys = regexp.MustCompile(`[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?`)

// candidates returns the parts of a stored value that could be a key of 32 bytes: the value itself, each part of a short binary
// value, and keys in hexadecimal or base64 in a longer text.
func candidates(value []byte) (all [][]byte) {
	const keySize = 32
	if len(value) == keySize || len(value) <= 3*keySize && !utf8.Valid(value) {
		for i := range len(value) - keySize + 1 {
			all = append(all, value[i:i+keySize])
		}
	}
	for _, text := range encodedKeys.FindAllString(string(value), -1) {
		text = strings.TrimRight(text, "=")
		for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.RawStdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
			if decoded, err := decode(text); err == nil && len(decoded) == keySize {
				all = append(all, decoded)
			}
		}
	}
	return all
}

// storedValues returns all stored texts and bytes of a database.
func storedValues(t *testing.T, store *db.Store) (all [][]byte) {
	t.Helper()
	columns := "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
	if store.Engine == db.Postgres {
		columns = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema() AND data_type IN ('text', 'bytea')"
	}
	for _, name := range queryColumn(t, store, columns) {
		table, column, _ := strings.Cut(string(name), ".")
		value := `"` + column + `"`
		if store.Engine == db.SQLite {
			value = "CAST(" + value + " AS BLOB)"
		}
		all = append(all, queryColumn(t, store, "SELECT DISTINCT "+value+` FROM "`+table+`" WHERE LENGTH("`+column+`") >= 32`)...)
	}
	return all
}

// queryColumn returns the values of a query with one column.
func queryColumn(t *testing.T, store *db.Store, statement string) (all [][]byte) {
	t.Helper()
	rows, err := store.Reader.QueryContext(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var value []byte
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		all = append(all, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// filesIn returns the content of all files in a folder.
func filesIn(t *testing.T, folder string) (all [][]byte) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all = append(all, content)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("files of the backup = %d, %v, want some", len(all), err)
	}
	return all
}
