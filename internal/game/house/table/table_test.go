package table_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/table"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		if first := h.getTable(); first.Round != nil || first.Balance != tableBalance {
			t.Fatalf("unused table = %+v, want no round", first)
		}
		open := h.waitForBetting()
		if open.Round.Number != 1 || open.Round.Seed != nil || string(open.Round.Result) != "null" || open.Round.Commitment == "" {
			t.Fatalf("open round = %+v, want number 1 with a commitment, no seed and no result", open.Round)
		}
		got := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"player": 100_000, "banker": 100_000, "tie": 10_000, "playerPair": 10_000}))
		if got.Bet.Status != "placed" || got.Bet.Total != 220_000 || got.Balance != tableBalance-220_000 {
			t.Fatalf("bet = %+v, want 220000 placed and the balance %d", got, tableBalance-220_000)
		}
		if now := h.getTable(); len(now.Mine) != 1 || now.Crowd.Players != 1 || now.Crowd.Spots["banker"].Players != 1 || now.Crowd.Spots["banker"].Amount != 100_000 || now.Balance != got.Balance {
			t.Errorf("table with one ticket = %+v, want one player with 100000 on the banker and the balance %d", now, got.Balance)
		}
		seen := map[string]bool{}
		var last tableResponse
		for range 36 {
			h.advance(time.Second)
			now := h.getTable()
			if now.Round.Number != 1 {
				break
			}
			last = now
			seen[now.Round.Phase] = true
			switch now.Round.Phase {
			case "betting", "locked":
				if now.Round.Seed != nil || string(now.Round.Result) != "null" {
					t.Fatalf("round before the deal = %+v, want no seed and no result", now.Round)
				}
			case "dealing":
				if now.Round.Seed != nil || string(now.Round.Result) == "null" || now.Mine[0].Status != "placed" || now.Balance != got.Balance {
					t.Fatalf("dealing table = %+v, want a result, no seed, and the ticket placed with the balance %d", now, got.Balance)
				}
			}
		}
		if !seen["betting"] || !seen["locked"] || !seen["dealing"] || !seen["result"] || last.Round.Seed == nil {
			t.Fatalf("phases = %v, last round %+v, want all phases and the seed", seen, last.Round)
		}
		seed, err := fairness.ParseSeed(*last.Round.Seed)
		if err != nil || !seed.Matches(open.Round.Commitment) {
			t.Errorf("seed = %s, %v, want one that matches the commitment %s", *last.Round.Seed, err, open.Round.Commitment)
		}
		dealer, _ := table.FindDealer("baccarat", 1)
		result, err := dealer.Deal(fairness.NewStream(seed, last.Round.ClientSeed, 1))
		if err != nil || string(result) != string(last.Round.Result) {
			t.Errorf("result = %s, want %s, %v", last.Round.Result, result, err)
		}
		want := int64(0)
		for id, stake := range got.Bet.Spots {
			win, err := dealer.Settle(result, id, 0)
			if err != nil || win != 0 {
				t.Fatal(err)
			}
			paid, err := dealer.Settle(result, id, money.Minor(stake))
			if err != nil {
				t.Fatal(err)
			}
			want += int64(paid)
		}
		if last.Mine[0].Win != want || last.Balance != tableBalance-220_000+want || h.BalanceOf(housetest.Minh) != last.Balance {
			t.Errorf("win = %d, want %d; balance %d", last.Mine[0].Win, want, last.Balance)
		}
		next := h.waitForBetting()
		if next.Round.Number != 2 || len(next.Mine) != 0 || len(next.History) != 1 || next.History[0].Number != 1 || next.Round.Commitment == open.Round.Commitment {
			t.Errorf("next round = %+v, want number 2 with another commitment, no tickets and one result in the history", next)
		}
		old := merchanttest.Value[struct {
			List []struct {
				ticketResponse
				Number                       int64
				Seed, Commitment, ClientSeed string
			}
		}](t, h.Call(t, "GET", "/house/v1/table/mine", nil, "Authorization", h.frame))
		if len(old.List) != 1 || old.List[0].Seed != *last.Round.Seed || old.List[0].Win != want || old.List[0].ClientSeed != last.Round.ClientSeed {
			t.Errorf("old tickets = %+v, want one with the win %d and the seed %s", old, want, *last.Round.Seed)
		}
		proof := h.Call(t, "GET", "/wps/fairness/round?vendor=HOUSE&roundId="+old.List[0].ID, nil, "Authorization", "minh")
		shown := merchanttest.Value[struct {
			Seed, Commitment, ClientSeed string
			Nonce                        int64
			Ticket                       struct {
				Result json.RawMessage
				Spots  []struct{ ID string }
			}
		}](t, proof)
		if shown.Seed != *last.Round.Seed || shown.ClientSeed != last.Round.ClientSeed || shown.Nonce != 1 || string(shown.Ticket.Result) != string(result) || len(shown.Ticket.Spots) != 4 {
			t.Errorf("proof = %s, want nonce 1, four spots, the result %s and the seed %s", proof.Body, result, *last.Round.Seed)
		}
	})
}

func TestPP14NoBetAfterTheClose(t *testing.T) {
	t.Parallel()
	t.Run("PP-14 FT-09 bets close by the database's time, not the server's clock", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, noBetAfterTheClose)
	})
}

func noBetAfterTheClose(t *testing.T, store *db.Store) {
	t.Helper()
	h := newFixture(t, store)
	on := map[string]int64{"player": 10_000}
	open := h.waitForBetting()
	left := time.UnixMilli(open.Round.ClosesAt).Sub(h.dbClock.Now())
	h.dbClock.Add(left - time.Millisecond)
	merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, on))
	// The server's clock does not matter (FT-09).
	h.Clock.Add(time.Hour)
	merchanttest.Value[betResponse](t, h.placeBet(2, open.Round.ID, on))
	h.Clock.Add(-2 * time.Hour)
	merchanttest.Value[betResponse](t, h.placeBet(3, open.Round.ID, on))
	h.dbClock.Add(time.Millisecond)
	h.WantError(h.placeBet(4, open.Round.ID, on), 409, "house.betting_closed") // the leader has not locked the round yet
	h.poll()
	h.WantError(h.placeBet(5, open.Round.ID, on), 409, "house.betting_closed")
	merchanttest.Value[betResponse](t, h.placeBet(3, open.Round.ID, on)) // a repeated bet
	if got := h.BalanceOf(housetest.Minh); got != tableBalance-30_000 {
		t.Errorf("balance = %d, want %d", got, tableBalance-30_000)
	}
	// The wallet responds after the close: the bet is refunded.
	next := h.waitForBetting()
	before := h.BalanceOf(housetest.Minh)
	h.Wallet.Fail = func(call string, _ int) housetest.Failure {
		if call == "bet" {
			h.dbClock.Add(30 * time.Second)
		}
		return housetest.NoFailure
	}
	h.WantError(h.placeBet(6, next.Round.ID, on), 409, "house.betting_closed")
	h.Wallet.Fail = nil
	h.WantError(h.placeBet(6, next.Round.ID, on), 409, "house.betting_closed")
	if got := h.BalanceOf(housetest.Minh); got != before || h.Wallet.Counts["rollback"] != 1 {
		t.Errorf("balance = %d, want %d; %d rollbacks, want 1", got, before, h.Wallet.Counts["rollback"])
	}
}

func TestRefusedTickets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		n := 0
		for _, c := range []struct {
			spots  map[string]int64
			status int
			code   string
		}{
			{map[string]int64{"dragon": 10_000}, 400, "house.unknown_spot"},
			{map[string]int64{"player": 10_000, "nowhere": 10_000}, 400, "house.unknown_spot"}, // all or nothing
			{map[string]int64{"player": 9_000}, 422, "house.below_minimum"},
			{map[string]int64{"player": 0}, 422, "house.below_minimum"},
			{map[string]int64{"player": -10_000}, 400, "house.invalid_stake"},
			{map[string]int64{"player": 15_000}, 422, "house.wrong_multiple"},
			{map[string]int64{"player": 5_010_000}, 422, "house.spot_limit"},
			{map[string]int64{"tie": 630_000}, 422, "house.spot_limit"}, // pays eight times as much
			{map[string]int64{"player": 20_010_000}, 422, "house.table_limit"},
			{map[string]int64{"player": 9_000_000_000_000_000_000, "banker": 9_000_000_000_000_000_000}, 422, "house.table_limit"},
		} {
			n++
			h.WantError(h.placeBet(n, open.Round.ID, c.spots), c.status, c.code)
		}
		h.WantError(h.placeBet(90, "1", map[string]int64{"player": 10_000}), 409, "house.betting_closed") // no such round
		if r := h.placeBet(91, open.Round.ID, nil); r.Status != 400 {
			t.Errorf("response to a ticket without spots = %d %s, want 400", r.Status, r.Body)
		}
		if r := h.placeBet(92, "x", map[string]int64{"player": 10_000}); r.Status != 400 {
			t.Errorf("response to an invalid round = %d %s, want 400", r.Status, r.Body)
		}
		if h.Wallet.Counts["bet"] != 0 {
			t.Errorf("calls = %v, want no bet", h.Wallet.Calls)
		}
		// The limit of a spot applies to the sum of a player's tickets.
		merchanttest.Value[betResponse](t, h.placeBet(100, open.Round.ID, map[string]int64{"player": 4_990_000}))
		merchanttest.Value[betResponse](t, h.placeBet(101, open.Round.ID, map[string]int64{"player": 10_000}))
		h.WantError(h.placeBet(102, open.Round.ID, map[string]int64{"player": 10_000}), 422, "house.spot_limit")
		h.frame = h.Open(housetest.Lan).Token
		merchanttest.Value[betResponse](t, h.placeBet(102, open.Round.ID, map[string]int64{"player": 5_000_000}))
		h.Wallet.RefuseBets = "INSUFFICIENT_FUNDS"
		h.WantError(h.placeBet(103, open.Round.ID, map[string]int64{"banker": 10_000}), 422, "house.insufficient_funds")
		h.Wallet.RefuseBets = ""
		for i := range 38 {
			merchanttest.Value[betResponse](t, h.placeBet(200+i, open.Round.ID, map[string]int64{"banker": 10_000}))
		}
		h.WantError(h.placeBet(300, open.Round.ID, map[string]int64{"banker": 10_000}), 422, "house.too_many_tickets")
	})
}

func TestRepeatedTicketIsPlacedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		on := map[string]int64{"banker": 50_000}
		first := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, on))
		if again := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, on)); again.Bet.ID != first.Bet.ID || again.Balance != first.Balance {
			t.Errorf("repeated bet = %+v, want %+v", again, first)
		}
		h.WantError(h.placeBet(1, open.Round.ID, map[string]int64{"banker": 60_000}), 409, "house.spin_conflict")
		// Concurrent requests from two tabs, with three bet IDs.
		tabs := []string{h.frame, h.Open(housetest.Minh).Token}
		var requests sync.WaitGroup
		replies := make([]merchanttest.Reply, 12)
		for i := range replies {
			requests.Go(func() {
				body := map[string]any{"betId": housetest.SpinID(2 + i%3), "round": open.Round.ID, "spots": on}
				replies[i] = h.Call(t, "POST", "/house/v1/table/bet", body, "Authorization", tabs[i%2])
			})
		}
		requests.Wait()
		tickets := map[string]bool{}
		for _, r := range replies {
			tickets[merchanttest.Value[betResponse](t, r).Bet.ID] = true
		}
		if len(tickets) != 3 || len(h.Wallet.Rounds) != 4 || h.BalanceOf(housetest.Minh) != tableBalance-4*50_000 {
			t.Errorf("tickets = %v, %d rounds in the wallet, balance %d, want 3, 4 and %d", tickets, len(h.Wallet.Rounds), h.BalanceOf(housetest.Minh), tableBalance-4*50_000)
		}
	})
}

// If the random source fails, the open round is void and no other round opens.
func TestPP15FailingRandomSourceStopsTheTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		h.Random.SetFails(true)
		h.advance(22 * time.Second)
		now := h.getTable()
		if now.Round == nil || now.Round.Phase != "void" || now.Round.Seed == nil || len(now.Mine) != 1 || now.Mine[0].Status != "refunded" || now.Balance != tableBalance {
			t.Fatalf("table = %+v, want a void round and a refunded ticket", now)
		}
		h.WantError(h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}), 422, "house.refunded")
		h.advance(30 * time.Second)
		if now := h.getTable(); now.Round != nil {
			t.Errorf("round without randomness = %+v, want none", now.Round)
		}
		h.Random.SetFails(false)
		if next := h.waitForBetting(); next.Round.Number != 2 {
			t.Errorf("next round = %+v, want number 2", next.Round)
		}
	})
}

// A table without players finishes the open round and opens no other.
func TestTableWithoutPlayersStops(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		rounds := func() (n int) {
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM house_table_round").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for range 120 {
			h.dbClock.Add(time.Second)
			h.House.Tables.Poll(t.Context(), tableID, false)
		}
		if n := rounds(); n != 1 {
			t.Errorf("%d rounds, want 1", n)
		}
		if r := h.Wallet.Rounds[merchanttest.Value[struct{ List []ticketResponse }](t, h.Call(t, "GET", "/house/v1/table/mine", nil, "Authorization", h.frame)).List[0].ID]; r == nil || !r.Closed {
			t.Errorf("round in the wallet = %+v, want closed", r)
		}
		if now := h.getTable(); now.Round != nil || len(now.History) != 1 {
			t.Errorf("table = %+v, want no round and one result", now)
		}
		if next := h.waitForBetting(); next.Round.Number != 2 || rounds() != 2 {
			t.Errorf("next round = %+v, want number 2", next.Round)
		}
	})
}

// If the leader stops in any phase, another process takes over when the lease has expired.
func TestTableSurvivesItsLeader(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		for i, phase := range []string{"betting", "locked", "dealing", "result"} {
			t.Run("the leader stops in phase "+phase, func(t *testing.T) {
				open := h.waitForBetting()
				got := merchanttest.Value[betResponse](t, h.placeBet(100+i, open.Round.ID, map[string]int64{"player": 50_000, "banker": 50_000}))
				for range 60 {
					if h.getTable().Round.Phase == phase {
						break
					}
					h.dbClock.Add(200 * time.Millisecond)
					h.poll()
				}
				h.restart()
				h.poll()
				var status string
				for range 60 {
					h.advance(time.Second)
					if err := store.Reader.QueryRow("SELECT status FROM house_round WHERE id = " + got.Bet.ID).Scan(&status); err != nil {
						t.Fatal(err)
					}
				}
				if r := h.Wallet.Rounds[got.Bet.ID]; status != "settled" || !r.Closed {
					t.Fatalf("ticket status = %s, in the wallet %+v, want settled", status, r)
				}
				if round := h.getTable().Round; round == nil || round.Number == open.Round.Number {
					t.Errorf("round = %+v, want a later one", round)
				}
			})
		}
		h.checkBalances(t)
	})
}

// Several processes believe that they lead the table. Each step still happens once.
func TestTwoLeaders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		h.waitForBetting()
		leaders := []*house.Service{h.House, h.newProcess(), h.newProcess()}
		for n := range 4 {
			open := h.waitForBetting()
			merchanttest.Value[betResponse](t, h.placeBet(10+n, open.Round.ID, map[string]int64{"player": 50_000, "tie": 10_000}))
			for range 70 {
				h.dbClock.Add(time.Second)
				if n%2 == 1 { // every lease expires unnoticed
					if _, err := store.Writer.Exec("UPDATE house_table SET until = 0"); err != nil {
						t.Fatal(err)
					}
				}
				var processes sync.WaitGroup
				for _, leader := range leaders {
					processes.Go(func() { leader.Tables.Poll(t.Context(), tableID, true) })
				}
				processes.Wait()
			}
		}
		var numbers, rounds int
		if err := store.Reader.QueryRow("SELECT COUNT(DISTINCT number), COUNT(*) FROM house_table_round").Scan(&numbers, &rounds); err != nil || numbers != rounds {
			t.Errorf("%d rounds with %d numbers, %v, want %v", rounds, numbers, err, rounds)
		}
		h.advance(40 * time.Second)
		h.checkBalances(t)
	})
}

// When the database's clock is set back, a dealt round is paid and an undealt one is void.
func TestFT09DatabaseClockIsSetBack(t *testing.T) {
	t.Parallel()
	for phase, want := range map[string]string{"betting": "refunded", "locked": "refunded", "dealing": "settled", "result": "settled"} {
		t.Run("FT-09 in "+phase, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newFixture(t, store)
				round := h.waitForBetting().Round.ID
				if a := h.placeBet(1, round, map[string]int64{"player": 10_000}); a.Status != http.StatusOK {
					t.Fatalf("got %s, want 200", a.Body)
				}
				for range 60 {
					if now := h.getTable().Round; now.ID == round && now.Phase == phase {
						break
					}
					h.advance(time.Second)
				}
				h.dbClock.Add(-time.Hour)
				h.advance(time.Minute)
				var status string
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round WHERE table_round IS NOT NULL").Scan(&status); err != nil {
					t.Fatal(err)
				}
				if status != want {
					t.Errorf("ticket status = %s, want %s", status, want)
				}
				h.checkBalances(t)
				h.waitForBetting()
			})
		})
	}
}
