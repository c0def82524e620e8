package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

type operatorsRound struct {
	ID, Round, Vendor, Game, MemberID, Username, Currency, Status, ProofPath string
	Stake, Win, StartedAt, SettledAt, Version                                int64
	Moves                                                                    []roundMove
}

type roundMove struct {
	ID, Call, Tx string
	Amount, At   int64
	Ends         bool
}

func TestOperatorsReadRounds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBonusSite(t, store, 10_000)
		owner := b.Operator(t, "anh", permission.Owner)
		second, err := b.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		other := b.OperatorOf(t, second, "other", permission.Owner)
		started := db.Millis(b.Clock.Now())
		do := func(r vendorReply) {
			t.Helper()
			if r.Code != "OK" {
				t.Fatalf("vendor's call: %+v, want OK", r)
			}
			b.Clock.Add(time.Second)
		}
		do(b.sendVendorCall(t, "bet", "w1", "won", 600, nil))
		do(b.sendVendorCall(t, "bet", "w2", "won", 100, nil))
		do(b.sendVendorCall(t, "win", "w3", "won", 950, map[string]any{"endRound": true}))
		do(b.sendVendorCall(t, "bet", "l1", "lost", 300, nil))
		do(b.sendVendorCall(t, "endRound", "l2", "lost", 0, nil))
		do(b.sendVendorCall(t, "bet", "r1", "refunded", 70, nil))
		do(b.rollback(t, "r2", "r1"))
		do(b.sendVendorCall(t, "bet", "o1", "open", 10, nil))

		list := func(query string) []operatorsRound {
			t.Helper()
			return merchanttest.Value[struct{ List []operatorsRound }](t, owner("GET", "/ops/v1/rounds"+query, nil)).List
		}
		queries := map[string]string{
			"": "open refunded lost won", "?state=open": "open", "?state=won": "won", "?state=lost": "lost", "?state=refunded": "refunded",
			"?vendor=TEST": "open refunded lost won", "?vendor=HOUSE": "", "?q=lost": "lost", "?q=los": "",
			fmt.Sprintf("?member=%d", b.member): "open refunded lost won", "?member=7": "", "?pageSize=2": "open refunded",
			fmt.Sprintf("?member=%d&from=%d&to=%d", b.member, started+3000, started+7000): "refunded lost",
		}
		if store.Engine == db.SQLite { // on PostgreSQL, transfers have the database's time
			queries[fmt.Sprintf("?from=%d&to=%d", started+3000, started+7000)] = "refunded lost"
		}
		for query, want := range queries {
			var got []string
			for _, r := range list(query) {
				got = append(got, r.Round)
			}
			if !slices.Equal(got, strings.Fields(want)) {
				t.Errorf("%s: rounds %v, want %q", query, got, want)
			}
		}
		for query, pages := range map[string]int{"?pageSize=1&cursor=": 4, fmt.Sprintf("?pageSize=3&member=%d&cursor=", b.member): 2} {
			n, seen := 0, []string{}
			for cursor := ""; ; {
				p := merchanttest.Value[struct {
					List []operatorsRound
					Next string
				}](t, owner("GET", "/ops/v1/rounds"+query+cursor, nil))
				for _, r := range p.List {
					seen = append(seen, r.Round)
				}
				n++
				if cursor = p.Next; cursor == "" {
					break
				}
			}
			if n < pages || strings.Join(seen, " ") != "open refunded lost won" {
				t.Errorf("%s: %d pages with %v, want %d with each round once", query, n, seen, pages)
			}
		}
		csv := string(owner("GET", "/ops/v1/rounds?format=csv&state=won", nil).Body)
		if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 2 || !strings.Contains(lines[1], ",won,TEST,G1,minhanh92,700,950,VND,won,") {
			t.Errorf("file of won rounds = %q, want a head and one round", csv)
		}

		for round, want := range map[string]struct {
			stake, win, settled, version int64
			moves                        []roundMove
		}{
			"won": {700, 950, started + 2000, 2, []roundMove{
				{Call: "bet", Tx: "w1", Amount: 600, At: started}, {Call: "bet", Tx: "w2", Amount: 100, At: started + 1000}, {Call: "win", Tx: "w3", Amount: 950, At: started + 2000, Ends: true},
			}},
			"lost":     {300, 0, started + 4000, 1, []roundMove{{Call: "bet", Tx: "l1", Amount: 300, At: started + 3000}, {Call: "end", Tx: "l2", At: started + 4000, Ends: true}}},
			"refunded": {70, 0, 0, 0, []roundMove{{Call: "bet", Tx: "r1", Amount: 70, At: started + 5000}, {Call: "rollback", Tx: "r2", Amount: 70, At: started + 6000}}},
			"open":     {10, 0, 0, 0, []roundMove{{Call: "bet", Tx: "o1", Amount: 10, At: started + 7000}}},
		} {
			id := list("?q=" + round)[0].ID
			got := merchanttest.Value[operatorsRound](t, owner("GET", "/ops/v1/rounds/"+id, nil))
			if got.ID != id || got.Round != round || got.Status != round || got.Vendor != "TEST" || got.Game != "G1" || got.Username != "minhanh92" || got.MemberID != fmt.Sprint(b.member) || got.Currency != "VND" || got.ProofPath != "" {
				t.Errorf("round %s: got %+v, want the round of minhanh92 at TEST without a proof", round, got)
			}
			if got.Stake != want.stake || got.Win != want.win || got.StartedAt != want.moves[0].At || got.SettledAt != want.settled || got.Version != want.version {
				t.Errorf("round %s: got %+v, want %+v", round, got, want)
			}
			for i := range got.Moves {
				if got.Moves[i].ID == "" {
					t.Errorf("move %d of the round %s has no id", i, round)
				}
				got.Moves[i].ID = ""
			}
			if !slices.Equal(got.Moves, want.moves) {
				t.Errorf("moves of the round %s: got %+v, want %+v", round, got.Moves, want.moves)
			}
			for what, r := range map[string]merchanttest.Reply{"another merchant's operator": other("GET", "/ops/v1/rounds/"+id, nil), "an unknown id": owner("GET", "/ops/v1/rounds/999999", nil)} {
				if r.Status != 404 || !strings.Contains(string(r.Body), "round.unknown") {
					t.Errorf("%s: got %d %s, want 404 round.unknown", what, r.Status, r.Body)
				}
			}
		}
	})
}
