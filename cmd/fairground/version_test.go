package main

import (
	"path/filepath"
	"testing"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// An older program beside a newer one's database: nothing of it is served or changed.
func TestNewerDatabase(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, args []string) {
		storage := config.Storage{Data: args[1]}
		if len(args) > 2 {
			storage.DB = args[3]
		}
		store := dbtest.Open(t, storage.DBOptions(false))
		if _, err := store.Writer.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)"); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"serve", "--addr", "127.0.0.1:0"}, {"migrate"}, {"operator", "create", "bob"}, {"member", "create", "minhanh1"},
			{"merchant", "show"}, {"merchant", "set", "site.theme", `"light"`}, {"ledger", "verify"},
			{"ledger", "adjust", "--member", "a", "--amount", "1", "--reason", "r", "--key", "k"},
		} {
			wantError(t, "the database is newer than this program", append(command, args...)...)
		}
	})
}

// A second server whose events the first does not hear would serve what the first has ended or changed.
func TestSecondServerOnOneDatabase(t *testing.T) {
	t.Parallel()
	address := dbtest.Blank(t, db.Postgres).URL
	s := start(t, "--data", t.TempDir(), "--db", address)
	wantError(t, "give all of them the same --nats", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", address)
	s.end()
	start(t, "--data", t.TempDir(), "--db", address)
}

func TestVerifyWithoutADatabase(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	wantError(t, "no database in "+empty+": name its folder with --data", "ledger", "verify", "--data", empty)
}
