package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// TestLostResponse cuts the connection of a post that the database has received, and blocks new connections for a
// while. If a new connection succeeds in time, the ledger finds the outcome by the key. Otherwise it returns
// ErrOutcomeUnknown, and the same key works later.
func TestLostResponse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		shut  time.Duration // 0 means until Post returns
		waits time.Duration
		want  error
	}{
		{"found in time", 200 * time.Millisecond, testTimeout, nil},
		{"unknown", 0, time.Second, ledger.ErrOutcomeUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			o := dbtest.Migrated(t, db.Postgres)
			w := newTestLedger(t, dbtest.Open(t, o), 1, 110, ledger.Options{Timeouts: ledger.Timeouts{Reconnect: c.waits}})
			w.must(t, w.bet(0, 10)) // caches the house account, so that the next post is a single statement
			admin, name := adminDB(t, o)
			allowConnections := func(open string) {
				if _, err := admin.Exec(`ALTER DATABASE "` + name + `" ALLOW_CONNECTIONS ` + open); err != nil {
					t.Errorf("got %v, want no error", err)
				}
			}
			holder, err := dbtest.Open(t, o).Writer.BeginTx(ctx, nil) // blocks the post in the database
			if err != nil {
				t.Fatal(err)
			}
			if _, err := holder.Exec("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", w.cash[0].ID); err != nil {
				t.Fatal(err)
			}
			bet := w.bet(0, 10)
			result := make(chan error, 1)
			go func() {
				_, err := w.Post(ctx, bet)
				result <- err
			}()
			const waiting = "FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'"
			until := func(want int) {
				for n := -1; n != want; time.Sleep(5 * time.Millisecond) {
					if err := admin.QueryRow("SELECT count(*) "+waiting, name).Scan(&n); err != nil {
						t.Fatal(err)
					}
				}
			}
			until(1)
			allowConnections("false")
			if _, err := admin.Exec("SELECT pg_terminate_backend(pid) "+waiting, name); err != nil {
				t.Errorf("got %v, want no error", err)
			}
			until(0)
			if err := holder.Rollback(); err != nil {
				t.Errorf("Rollback: got %v, want no error", err)
			}
			if c.shut > 0 {
				time.Sleep(c.shut)
				allowConnections("true")
			}
			if err := <-result; !errors.Is(err, c.want) {
				t.Errorf("post: %v, want %v", err, c.want)
			}
			allowConnections("true")
			if p, err := w.Post(ctx, bet); err != nil || p.Replayed != (c.want == nil) || p.DebitAfter != 90 {
				t.Errorf("repeated key: %+v, %v, want replayed %t and 90 left", p, err, c.want == nil)
			}
			w.verify(t)
		})
	}
}

func adminDB(t *testing.T, o db.Options) (admin *sql.DB, name string) {
	t.Helper()
	address, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	name = address.Path[1:]
	address.Path = "/postgres"
	return dbtest.Open(t, db.Options{URL: address.String()}).Writer, name
}
