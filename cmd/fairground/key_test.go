package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/game/conformance"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret/secrettest"
)

// downgradeKeys rewrites the database to what an older version stored: the root key is in the database, and vendor keys and
// players' ids are derived from it. It returns the key of a vendor as the older version derived it.
func downgradeKeys(t *testing.T, store *db.Store, keyID string) string {
	t.Helper()
	root, err := hex.DecodeString(secrettest.Source.Text)
	if err != nil {
		t.Fatal(err)
	}
	err = store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), "DELETE FROM secret")
		if err == nil {
			_, err = tx.ExecContext(t.Context(), "UPDATE vendor_key SET wrapped = NULL")
		}
		return errors.Join(err, tx.Q.AddSecret(t.Context(), "root", root, 1))
	})
	if err != nil {
		t.Fatal(err)
	}
	key, err := hkdf.Key(sha256.New, root, nil, "bytes/vendor.key/"+keyID, 32)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(key)
}

// seeds returns the stored seeds of players' next rounds.
func seeds(t *testing.T, store *db.Store) (all [][]byte) {
	t.Helper()
	rows, err := store.Q().HouseSeeds(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		all = append(all, row.Seed)
	}
	return all
}

// An older version stored the root key in the database. On the next start, the server replaces it with a key outside the
// database. Vendors keep working, and the old key, which old backups still contain, decrypts nothing.
func TestRootKeyMovesOutOfTheDatabase(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		var key struct{ KeyID, Key string }
		out := runCommand(t, "", args, "vendor", "create", "--code", "TEST", "--name", "Test", "--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "T1:RNG")
		if err := json.Unmarshal([]byte(out), &key); err != nil {
			t.Fatal(err)
		}
		token := s.login("demo88", demo.Password)
		spinOnce(t, s, token, 1)
		s.end()

		store := dbtest.Open(t, optionsOf(args))
		legacyKey := downgradeKeys(t, store, key.KeyID)
		before := seeds(t, store)
		file := filepath.Join(t.TempDir(), "keys", "root.key")
		args = append(slices.Clone(args), "--key-file", file)
		s = start(t, append(args, "--demo")...)
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != http.StatusUnauthorized {
			t.Errorf("old session: status %d, want 401", a.status)
		}
		after := seeds(t, store)
		if len(before) == 0 || len(after) != len(before) || bytes.Equal(after[0], before[0]) {
			t.Errorf("seeds of next rounds: %d before, %d after, want each replaced", len(before), len(after))
		}
		if _, err := store.Q().Secret(t.Context(), "root"); err == nil {
			t.Error("the database still has the root key")
		}
		if !strings.Contains(s.log.String(), "moved the root key out of the database") {
			t.Errorf("the log does not say that the key was moved: %s", s.log)
		}
		if !strings.Contains(s.log.String(), " TEST "+key.KeyID+`"]`) {
			t.Errorf("the log does not name the vendor key to rotate: %s", s.log)
		}
		// A wrong signature would return INVALID_SIGNATURE.
		wantSignatureAccepted := func(key string) {
			t.Helper()
			client := &conformance.Client{URL: s.url, Vendor: "TEST", KeyID: keyID(t, store), Key: key, HTTP: http.DefaultClient, Now: time.Now}
			if r, err := client.Call(t.Context(), "authenticate", map[string]any{"requestId": "1", "ticket": "none"}); err != nil || r.Code != "SESSION_EXPIRED" {
				t.Errorf("signed call = %+v, %v, want an accepted signature", r, err)
			}
		}
		wantSignatureAccepted(legacyKey)
		spinOnce(t, s, s.login("agent88", demo.Password), 2)
		var status keyStatus
		if err := json.Unmarshal([]byte(runCommand(t, "", args, "key", "status", "--json")), &status); err != nil {
			t.Fatal(err)
		}
		if len(status.VendorKeys) != 1 || status.VendorKeys[0].KeyID != key.KeyID || status.Source != file {
			t.Errorf("key status = %+v, want the vendor's key listed as to be rotated", status)
		}
		if text := runCommand(t, "", args, "key", "status"); !strings.Contains(text, key.KeyID) || !strings.Contains(text, "vendor rotate") {
			t.Errorf("key status says %q, want %v and \"vendor rotate\"", text, key.KeyID)
		}

		// The key can be rotated only while no server is running.
		c := newTestConsole(t.Context(), strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
		c.lockTimeout = 10 * time.Millisecond
		if code := run(c, append([]string{"key", "rotate"}, args...)); code == 0 {
			t.Error("key rotate succeeded while a server was running")
		}
		s.end()
		first, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		runCommand(t, "", args, "key", "rotate")
		if rotated, err := os.ReadFile(file); err != nil || bytes.Equal(rotated, first) {
			t.Errorf("key after the rotation: %v, want another one", err)
		}
		s = start(t, append(args, "--demo")...)
		wantSignatureAccepted(legacyKey)
		s.end()
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		wantError(t, "the installation's key was not found in "+file, append([]string{"serve", "--addr", "127.0.0.1:0", "--demo"}, args...)...)
	})
}

func keyID(t *testing.T, store *db.Store) string {
	t.Helper()
	rows, err := store.Q().ActiveVendorKeys(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("active vendor keys = %d, %v, want one", len(rows), err)
	}
	return rows[0].KeyID
}

// spinOnce opens the first slot and plays one round.
func spinOnce(t *testing.T, s *program, token string, spinID int) {
	t.Helper()
	type game struct{ NodeID, GameID, VendorCode, GameCategory string }
	list := value[struct{ Games []game }](s, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory=RNG", "", "")
	g := list.Games[slices.IndexFunc(list.Games, func(g game) bool { return g.VendorCode != "TEST" })]
	opened := value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", token, body(map[string]any{
		"gameCategory": g.GameCategory, "vendor": g.VendorCode, "gameId": g.GameID, "nodeId": g.NodeID, "supportPlay": true,
	}))
	_, ticket, _ := strings.Cut(opened.GameURL, "?t=")
	f := value[gameFrame](s, http.MethodPost, "/house/v1/session", "", body(map[string]any{"ticket": ticket}))
	result := s.send(http.MethodPost, "/house/v1/spin", body(map[string]any{"spinId": "00000000-0000-4000-8000-00000000000" + string(rune('0'+spinID)), "stake": f.Slot.Stake}), "Authorization", f.Token)
	if result.status != http.StatusOK {
		t.Fatalf("spin %d = %+v, want 200", spinID, result)
	}
}
