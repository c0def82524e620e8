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

// TestLostAnswer cuts the connection under a post that the database has taken, and lets no new one in for a while.
// When it is let in again in time, it finds out by the key and answers truly. Otherwise nobody can say
// whether the post happened, and the ledger does not pretend to: the same key tells, later.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		shut  time.Duration // 0: until the answer
		waits time.Duration
		want  error
	}{
		{"found out in time", 200 * time.Millisecond, hung, nil},
		{"unknown", 0, time.Second, ledger.ErrOutcomeUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			o := dbtest.Migrated(t, db.Postgres)
			w := newWorld(t, dbtest.Open(t, o), 1, 110, ledger.Options{Timeouts: ledger.Timeouts{Reconnect: c.waits}})
			w.must(t, w.bet(0, 10)) // the house's account is known from now on: one statement says it all
			admin, name := beside(t, o)
			allowConnections := func(open string) {
				if _, err := admin.Exec(`ALTER DATABASE "` + name + `" ALLOW_CONNECTIONS ` + open); err != nil {
					t.Error(err)
				}
			}
			holder, err := dbtest.Open(t, o).Writer.BeginTx(ctx, nil) // keeps the post waiting inside the database
			if err != nil {
				t.Fatal(err)
			}
			if _, err := holder.Exec("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", w.cash[0].ID); err != nil {
				t.Fatal(err)
			}
			bet := w.bet(0, 10)
			answer := make(chan error, 1)
			go func() {
				_, err := w.Post(ctx, bet)
				answer <- err
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
				t.Error(err)
			}
			until(0)
			if err := holder.Rollback(); err != nil {
				t.Error(err)
			}
			if c.shut > 0 {
				time.Sleep(c.shut)
				allowConnections("true")
			}
			if err := <-answer; !errors.Is(err, c.want) {
				t.Errorf("the answer was %v", err)
			}
			allowConnections("true")
			if p, err := w.Post(ctx, bet); err != nil || p.Replayed != (c.want == nil) || p.DebitAfter != 90 {
				t.Errorf("by the same key: %+v, %v", p, err)
			}
			w.verify(t)
		})
	}
}

// beside opens the cluster's own database, from which another one can be shut, and gives that one's name.
func beside(t *testing.T, o db.Options) (admin *sql.DB, name string) {
	t.Helper()
	address, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	name = address.Path[1:]
	address.Path = "/postgres"
	return dbtest.Open(t, db.Options{URL: address.String()}).Writer, name
}
