package table_test

import (
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A server no longer has a table with an open round. The round waits for a server that has the table. Then it is void, or paid
// if it was dealt.
func TestPP15RetiredTableKeepsNoStakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, status, wantRound, wantTicket string }{
		{"PP-15 an undealt round is void", "betting", "void", "refunded"},
		{"PP-15 a dealt round is paid by its result", "dealing", "ended", "settled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newFixture(t, store)
				open := h.waitForBetting()
				placed := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
				for h.getTable().Round.Phase != c.status {
					h.advance(time.Second)
				}
				for _, statement := range []string{"UPDATE house_table_round SET table_id = 'gone-1'", "UPDATE house_table SET id = 'gone-1'"} {
					if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
						t.Fatal(err)
					}
				}
				h.restart()
				read := func() (round, ticket string) {
					t.Helper()
					err := store.Reader.QueryRowContext(t.Context(), "SELECT t.status, r.status FROM house_round r JOIN house_table_round t ON t.id = r.table_round WHERE r.id = "+placed.Bet.ID).Scan(&round, &ticket)
					if err != nil {
						t.Fatal(err)
					}
					return round, ticket
				}
				pollFor := func(seconds int) {
					t.Helper()
					for range seconds {
						h.dbClock.Add(time.Second)
						if err := h.House.Recover(t.Context()); err != nil {
							t.Fatal(err)
						}
						h.House.Tables.PollAll(t.Context())
					}
				}
				pollFor(20)
				if round, ticket := read(); round != c.status || ticket != "placed" {
					t.Fatalf("PP-15 round = %s, ticket %s, want both unchanged within the grace time", round, ticket)
				}
				pollFor(60)
				if round, ticket := read(); round != c.wantRound || ticket != c.wantTicket {
					t.Errorf("PP-15 round = %s, ticket %s, want %s and %s", round, ticket, c.wantRound, c.wantTicket)
				}
				h.checkBalances(t)
			})
		})
	}
}
