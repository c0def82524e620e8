package main

import (
	"path/filepath"
	"testing"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestNewerDatabase(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
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

// Without shared events, a second server would serve outdated data.
func TestSecondServerOnOneDatabase(t *testing.T) {
	t.Parallel()
	address := dbtest.Blank(t, db.Postgres).URL
	s := start(t, "--data", t.TempDir(), "--db", address)
	wantError(t, "start all servers with the same --nats", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", address)
	s.end()
	start(t, "--data", t.TempDir(), "--db", address)
}

func TestVerifyWithoutDatabase(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	wantError(t, "no database in "+empty+": set the data folder with --data", "ledger", "verify", "--data", empty)
}
