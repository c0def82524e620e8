package house_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A round from its opening to the next: committed to, bet on, closed, dealt, revealed, paid.
func TestATableRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		if first := h.table(); first.Round != nil || first.Balance != tablePurse {
			t.Fatalf("a table that nobody sat at shows %+v", first)
		}
		open := h.betting()
		if open.Round.Number != 1 || open.Round.Seed != nil || string(open.Round.Result) != "null" || open.Round.Commitment == "" {
			t.Fatalf("%+v", open.Round)
		}
		got := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"player": 100_000, "banker": 100_000, "tie": 10_000, "playerPair": 10_000}))
		if got.Bet.Status != "placed" || got.Bet.Total != 220_000 || got.Balance != tablePurse-220_000 {
			t.Fatalf("%+v", got)
		}
		if now := h.table(); len(now.Mine) != 1 || now.Crowd.Players != 1 || now.Crowd.Spots["banker"].Players != 1 || now.Crowd.Spots["banker"].Amount != 100_000 || now.Balance != got.Balance {
			t.Errorf("%+v", now)
		}
		seen := map[string]bool{}
		var last shownTable
		for range 36 {
			h.pass(time.Second)
			now := h.table()
			if now.Round.Number != 1 {
				break
			}
			last = now
			seen[now.Round.Phase] = true
			switch now.Round.Phase {
			case "betting", "locked":
				if now.Round.Seed != nil || string(now.Round.Result) != "null" {
					t.Fatalf("told before the deal: %+v", now.Round)
				}
			case "dealing":
				if now.Round.Seed != nil || string(now.Round.Result) == "null" || now.Mine[0].Status != "placed" || now.Balance != got.Balance {
					t.Fatalf("%+v", now)
				}
			}
		}
		if !seen["betting"] || !seen["locked"] || !seen["dealing"] || !seen["result"] || last.Round.Seed == nil {
			t.Fatalf("seen %v, last %+v", seen, last.Round)
		}
		seed, err := fairness.ParseSeed(*last.Round.Seed)
		if err != nil || !seed.Matches(open.Round.Commitment) {
			t.Errorf("seed %s, committed to %s, %v", *last.Round.Seed, open.Round.Commitment, err)
		}
		dealer, _ := house.FindDealer("baccarat", 1)
		result, err := dealer.Deal(fairness.NewStream(seed, table, 1))
		if err != nil || string(result) != string(last.Round.Result) {
			t.Errorf("dealt %s, worked out again %s, %v", last.Round.Result, result, err)
		}
		want := int64(0)
		for id, stake := range got.Bet.Spots {
			win, err := dealer.Settle(result, id, 0)
			if err != nil || win != 0 {
				t.Fatal(err)
			}
			paid, err := dealer.Settle(result, id, moneyOf(stake))
			if err != nil {
				t.Fatal(err)
			}
			want += int64(paid)
		}
		if last.Mine[0].Win != want || last.Balance != tablePurse-220_000+want || h.wallet.balances[playerOf(minh)] != last.Balance {
			t.Errorf("won %d, want %d; balance %d", last.Mine[0].Win, want, last.Balance)
		}
		next := h.betting()
		if next.Round.Number != 2 || len(next.Mine) != 0 || len(next.History) != 1 || next.History[0].Number != 1 || next.Round.Commitment == open.Round.Commitment {
			t.Errorf("%+v", next)
		}
		old := merchanttest.Value[struct {
			List []struct {
				shownTicket
				Number                       int64
				Seed, Commitment, ClientSeed string
			}
		}](t, h.Call(t, "GET", "/house/v1/table/mine", nil, "Authorization", h.frame))
		if len(old.List) != 1 || old.List[0].Seed != *last.Round.Seed || old.List[0].Win != want || old.List[0].ClientSeed != table {
			t.Errorf("%+v", old)
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
		if shown.Seed != *last.Round.Seed || shown.ClientSeed != table || shown.Nonce != 1 || string(shown.Ticket.Result) != string(result) || len(shown.Ticket.Spots) != 4 {
			t.Errorf("the proof says %s", proof.Body)
		}
	})
}

func TestPP14NoBetAfterTheClose(t *testing.T) {
	t.Parallel()
	t.Run("PP-14 FT-09 by the database's time, wherever the server's clock jumps", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, noBetAfterTheClose)
	})
}

func noBetAfterTheClose(t *testing.T, store *db.Store) {
	t.Helper()
	h := newHall(t, store)
	on := map[string]int64{"player": 10_000}
	open := h.betting()
	left := time.UnixMilli(open.Round.ClosesAt).Sub(h.time.Now())
	h.time.Add(left - time.Millisecond)
	merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, on))
	// The server's own clock says nothing about it, wherever it jumps (FT-09).
	h.Clock.Add(time.Hour)
	merchanttest.Value[shownBet](t, h.bet(2, open.Round.ID, on))
	h.Clock.Add(-2 * time.Hour)
	merchanttest.Value[shownBet](t, h.bet(3, open.Round.ID, on))
	h.time.Add(time.Millisecond)
	h.refused(h.bet(4, open.Round.ID, on), 409, "house.betting_closed") // though nobody has closed it yet
	h.turn()
	h.refused(h.bet(5, open.Round.ID, on), 409, "house.betting_closed")
	merchanttest.Value[shownBet](t, h.bet(3, open.Round.ID, on)) // what was placed is told again
	if got := h.wallet.balances[playerOf(minh)]; got != tablePurse-30_000 {
		t.Errorf("balance %d", got)
	}
	// The wallet answers when the table has closed: the bet does not stand, and goes back.
	next := h.betting()
	before := h.wallet.balances[playerOf(minh)]
	h.wallet.cut = func(call string, _ int) cut {
		if call == "bet" {
			h.time.Add(30 * time.Second)
		}
		return whole
	}
	h.refused(h.bet(6, next.Round.ID, on), 409, "house.betting_closed")
	h.wallet.cut = nil
	h.refused(h.bet(6, next.Round.ID, on), 409, "house.betting_closed")
	if got := h.wallet.balances[playerOf(minh)]; got != before || h.wallet.counts["rollback"] != 1 {
		t.Errorf("balance %d, want %d; %d rollbacks", got, before, h.wallet.counts["rollback"])
	}
}

func TestTicketsThatTheTableDoesNotTake(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
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
			h.refused(h.bet(n, open.Round.ID, c.spots), c.status, c.code)
		}
		h.refused(h.bet(90, "1", map[string]int64{"player": 10_000}), 409, "house.betting_closed") // no such round
		if r := h.bet(91, open.Round.ID, nil); r.Status != 400 {
			t.Errorf("nothing at all: %d %s", r.Status, r.Body)
		}
		if r := h.bet(92, "x", map[string]int64{"player": 10_000}); r.Status != 400 {
			t.Errorf("no round: %d %s", r.Status, r.Body)
		}
		if h.wallet.counts["bet"] != 0 {
			t.Errorf("the wallet was asked: %v", h.wallet.calls)
		}
		// A spot's limit holds for all of a player's tickets together; another player has their own.
		merchanttest.Value[shownBet](t, h.bet(100, open.Round.ID, map[string]int64{"player": 4_990_000}))
		merchanttest.Value[shownBet](t, h.bet(101, open.Round.ID, map[string]int64{"player": 10_000}))
		h.refused(h.bet(102, open.Round.ID, map[string]int64{"player": 10_000}), 422, "house.spot_limit")
		h.frame = h.enter(lan).Token
		merchanttest.Value[shownBet](t, h.bet(102, open.Round.ID, map[string]int64{"player": 5_000_000}))
		h.wallet.bets = "INSUFFICIENT_FUNDS"
		h.refused(h.bet(103, open.Round.ID, map[string]int64{"banker": 10_000}), 422, "house.insufficient_funds")
		h.wallet.bets = ""
		for i := range 38 {
			merchanttest.Value[shownBet](t, h.bet(200+i, open.Round.ID, map[string]int64{"banker": 10_000}))
		}
		h.refused(h.bet(300, open.Round.ID, map[string]int64{"banker": 10_000}), 422, "house.too_many_tickets")
	})
}

func TestATicketIsPlacedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
		on := map[string]int64{"banker": 50_000}
		first := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, on))
		if again := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, on)); again.Bet.ID != first.Bet.ID || again.Balance != first.Balance {
			t.Errorf("%+v, again %+v", first, again)
		}
		h.refused(h.bet(1, open.Round.ID, map[string]int64{"banker": 60_000}), 409, "house.spin_conflict")
		// Two taps at once in two tabs: as many tickets as names.
		tabs := []string{h.frame, h.enter(minh).Token}
		var taps sync.WaitGroup
		ids := make([]string, 12)
		for i := range ids {
			taps.Go(func() {
				r := h.Call(t, "POST", "/house/v1/table/bet", map[string]any{"betId": spinID(2 + i%3), "round": open.Round.ID, "spots": on}, "Authorization", tabs[i%2])
				if r.Status == http.StatusOK {
					ids[i] = merchanttest.Value[shownBet](t, r).Bet.ID
				} else {
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
		}
		taps.Wait()
		tickets := map[string]bool{}
		for _, id := range ids {
			tickets[id] = true
		}
		if len(tickets) != 3 || len(h.wallet.rounds) != 4 || h.wallet.balances[playerOf(minh)] != tablePurse-4*50_000 {
			t.Errorf("tickets %v, the wallet has %d rounds and %d", tickets, len(h.wallet.rounds), h.wallet.balances[playerOf(minh)])
		}
	})
}

// A random source that fails stops the table: no round opens, one that is on is called off and its bets go back.
func TestPP15AFailingSourceStopsTheTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
		merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		h.random.fails = true
		h.pass(22 * time.Second)
		now := h.table()
		if now.Round == nil || now.Round.Phase != "void" || now.Round.Seed == nil || len(now.Mine) != 1 || now.Mine[0].Status != "refunded" || now.Balance != tablePurse {
			t.Fatalf("%+v", now)
		}
		h.refused(h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}), 422, "house.refunded")
		h.pass(30 * time.Second)
		if now := h.table(); now.Round != nil {
			t.Errorf("without randomness the table shows %+v", now.Round)
		}
		h.random.fails = false
		if next := h.betting(); next.Round.Number != 2 {
			t.Errorf("%+v", next.Round)
		}
	})
}

// Nothing is written for nobody; a round that somebody left is played to its end.
func TestATableSleepsWhenNobodySitsThere(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
		merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		rounds := func() (n int) {
			if err := store.Reader.QueryRow("SELECT COUNT(*) FROM house_table_round").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for range 120 {
			h.time.Add(time.Second)
			h.house.Turn(t.Context(), table, false)
		}
		if n := rounds(); n != 1 {
			t.Errorf("%d rounds for one that somebody sat at", n)
		}
		if r := h.wallet.rounds[merchanttest.Value[struct{ List []shownTicket }](t, h.Call(t, "GET", "/house/v1/table/mine", nil, "Authorization", h.frame)).List[0].ID]; r == nil || !r.closed {
			t.Errorf("the ticket is not paid: %+v", r)
		}
		if now := h.table(); now.Round != nil || len(now.History) != 1 {
			t.Errorf("%+v", now)
		}
		if next := h.betting(); next.Round.Number != 2 || rounds() != 2 {
			t.Errorf("%+v", next.Round)
		}
	})
}

// The process that runs the table dies in each phase. Another goes on once the lease has run out, not before; the round
// keeps its seed, and every ticket ends once.
func TestATableGoesOnWithoutItsLeader(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		for i, phase := range []string{"betting", "locked", "dealing", "result"} {
			t.Run("the leader dies while "+phase, func(t *testing.T) {
				open := h.betting()
				got := merchanttest.Value[shownBet](t, h.bet(100+i, open.Round.ID, map[string]int64{"player": 50_000, "banker": 50_000}))
				for range 60 {
					if h.table().Round.Phase == phase {
						break
					}
					h.time.Add(200 * time.Millisecond)
					h.turn()
				}
				h.restart()
				h.turn()
				var status string
				for range 60 {
					h.pass(time.Second)
					if err := store.Reader.QueryRow("SELECT status FROM house_round WHERE id = " + got.Bet.ID).Scan(&status); err != nil {
						t.Fatal(err)
					}
				}
				if r := h.wallet.rounds[got.Bet.ID]; status != "settled" || !r.closed {
					t.Fatalf("the ticket is %s, at the wallet %+v", status, r)
				}
				if round := h.table().Round; round == nil || round.Number == open.Round.Number {
					t.Errorf("the table stands still: %+v", round)
				}
			})
		}
		h.balanced(t)
	})
}

// Two that both think the table theirs do no harm: each step happens once, each ticket is paid once.
func TestTwoLeaders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		h.betting()
		others := []*house.Service{h.house, h.leader(), h.leader()}
		for n := range 4 {
			open := h.betting()
			merchanttest.Value[shownBet](t, h.bet(10+n, open.Round.ID, map[string]int64{"player": 50_000, "tie": 10_000}))
			for range 70 {
				h.time.Add(time.Second)
				if n%2 == 1 { // as if every lease had run out, and nobody had noticed
					if _, err := store.Writer.Exec("UPDATE house_table SET until = 0"); err != nil {
						t.Fatal(err)
					}
				}
				var both sync.WaitGroup
				for _, other := range others {
					both.Go(func() { other.Turn(t.Context(), table, true) })
				}
				both.Wait()
			}
		}
		var numbers, rounds int
		if err := store.Reader.QueryRow("SELECT COUNT(DISTINCT number), COUNT(*) FROM house_table_round").Scan(&numbers, &rounds); err != nil || numbers != rounds {
			t.Errorf("%d rounds with %d numbers, %v", rounds, numbers, err)
		}
		h.pass(40 * time.Second)
		h.balanced(t)
	})
}

// The database's clock is set back: what is dealt stays dealt and is paid, what is not is called off, and the table goes on.
func TestFT09TheDatabasesClockIsSetBack(t *testing.T) {
	t.Parallel()
	for phase, want := range map[string]string{"betting": "refunded", "locked": "refunded", "dealing": "settled", "result": "settled"} {
		t.Run("FT-09 in "+phase, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newHall(t, store)
				round := h.betting().Round.ID
				if a := h.bet(1, round, map[string]int64{"player": 10_000}); a.Status != http.StatusOK {
					t.Fatalf("%s", a.Body)
				}
				for range 60 {
					if now := h.table().Round; now.ID == round && now.Phase == phase {
						break
					}
					h.pass(time.Second)
				}
				h.time.Add(-time.Hour)
				h.pass(time.Minute)
				var status string
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round WHERE table_round IS NOT NULL").Scan(&status); err != nil {
					t.Fatal(err)
				}
				if status != want {
					t.Errorf("the ticket is %s, want %s", status, want)
				}
				h.balanced(t)
				h.betting()
			})
		})
	}
}
