package house_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A later program with another version of the engine takes a table over. The round that is open is dealt, settled and verified by
// the version that it opened with; the next one by the new.
func TestARoundKeepsTheVersionThatItOpenedWith(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		open := h.betting()
		first := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000, "tie": 10_000}))
		h.restart()
		h.house.Upgrade()
		h.frame = h.enter(minh).Token
		h.turn()
		merchanttest.Value[shownBet](t, h.bet(2, open.Round.ID, map[string]int64{"tie": 10_000})) // a spot that the new version has no more
		h.pass(90 * time.Second)
		type row struct {
			version, ticketVersion int64
			seed                   []byte
			result, outcome        string
		}
		read := func(id string) (r row) {
			t.Helper()
			err := store.Reader.QueryRowContext(t.Context(), "SELECT t.version, r.version, r.seed, t.result, r.outcome FROM house_round r JOIN house_table_round t ON t.id = r.table_round WHERE r.id = "+id).
				Scan(&r.version, &r.ticketVersion, &r.seed, &r.result, &r.outcome)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		old := read(first.Bet.ID)
		if old.version != 1 || old.ticketVersion != 1 {
			t.Errorf("version %d, the ticket's %d", old.version, old.ticketVersion)
		}
		dealer, _ := house.FindDealer("baccarat", old.version)
		if again, err := dealer.Deal(fairness.NewStream(fairness.Seed(old.seed), table, open.Round.Number)); err != nil || string(again) != old.result {
			t.Errorf("dealt %s, worked out again %s, %v", old.result, again, err)
		}
		outcome, err := house.Tally("baccarat", 1, json.RawMessage(old.result), `{"banker":50000,"tie":10000}`)
		if text, _ := json.Marshal(outcome); err != nil || string(text) != old.outcome {
			t.Errorf("paid by %s, worked out again %s, %v", old.outcome, text, err)
		}
		next := h.betting()
		h.refused(h.bet(3, next.Round.ID, map[string]int64{"tie": 10_000}), 400, "house.unknown_spot")
		won := merchanttest.Value[shownBet](t, h.bet(4, next.Round.ID, map[string]int64{"player": 10_000}))
		h.pass(90 * time.Second)
		if now := read(won.Bet.ID); now.version != 2 || now.ticketVersion != 2 || !json.Valid([]byte(now.result)) || now.result[:16] != `{"player":["7S",` {
			t.Errorf("%+v", now)
		}
		h.balanced(t)
	})
}

// Programs are exchanged one after another: the new one opens a round that the old ones beside it do not know how to deal. They
// leave it to the new one, and say so; where that is gone for good, what was staked goes back.
func TestPP15ARoundOfALaterVersionIsLeftToWhoHasIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		old := h.house
		later := h.leader()
		later.Upgrade()
		h.turnBoth(later, nil)
		h.serve(later)
		open := h.betting()
		won := merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"player": 10_000}))
		h.serve(old)
		h.refused(h.bet(2, open.Round.ID, map[string]int64{"player": 10_000}), 409, "house.betting_closed")
		h.time.Add(10 * time.Second) // the new one's lease is over: it is busy, or dies
		for range 12 {
			h.time.Add(time.Second)
			old.Turn(t.Context(), table, true)
		}
		round := func() (status string, version int64) {
			t.Helper()
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT status, version FROM house_table_round WHERE number = 1").Scan(&status, &version); err != nil {
				t.Fatal(err)
			}
			return status, version
		}
		if status, version := round(); status != "betting" || version != 2 {
			t.Fatalf("the old one has brought version %d to %s", version, status)
		}
		if n := strings.Count(h.log.String(), "left to another"); n != 1 {
			t.Errorf("said %d times:\n%s", n, h.log)
		}
		for range 20 { // the new one comes back; both turn
			h.turnBoth(later, old)
		}
		if status, _ := round(); status != "ended" {
			t.Fatalf("the round is %s", status)
		}
		if h.wallet.balances[playerOf(minh)] != tablePurse+10_000 { // sevens: the player always wins
			t.Errorf("%d", h.wallet.balances[playerOf(minh)])
		}
		var version int64
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT version FROM house_round WHERE id = "+won.Bet.ID).Scan(&version); err != nil || version != 2 {
			t.Errorf("the ticket was settled by %d, %v", version, err)
		}
		h.balanced(t)
	})
}

// A dealt round's tickets wait as well, for whoever has the version.
func TestPP15TicketsOfALaterVersionWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHall(t, store)
		old := h.house
		later := h.leader()
		later.Upgrade()
		h.serve(later)
		h.turnBoth(later, nil)
		open := h.betting()
		merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"player": 10_000}))
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE house_table_round SET status = 'ended', result = '{}'"); err != nil {
			t.Fatal(err)
		}
		h.time.Add(time.Minute)
		if err := old.Recover(t.Context()); err != nil {
			t.Errorf("it is none of the old one's: %v", err)
		}
		var status string
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round").Scan(&status); err != nil || status != "placed" {
			t.Errorf("%s, %v", status, err)
		}
		if !strings.Contains(h.log.String(), "left to another") {
			t.Error("nothing was said")
		}
		// An operator sees it, and returns the stake where nobody will settle it.
		stuck, err := house.ListStuck(t.Context(), store)
		if err != nil || len(stuck) != 1 || stuck[0].Owed != "result" || stuck[0].Engine != "baccarat" || stuck[0].Version != 2 || stuck[0].Stake != "10000" {
			t.Fatalf("PP-15 listed are %+v %v", stuck, err)
		}
		var id int64
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT id FROM house_round").Scan(&id); err != nil {
			t.Fatal(err)
		}
		if err := later.Refund(t.Context(), id); !errors.Is(err, house.ErrSettles) {
			t.Errorf("PP-15 whoever has the version refunds nothing: %v", err)
		}
		for range 2 {
			if err := old.Refund(t.Context(), id); err != nil {
				t.Errorf("PP-15 %v", err)
			}
		}
		if stuck, err := house.ListStuck(t.Context(), store); err != nil || len(stuck) != 0 || h.wallet.balances[playerOf(minh)] != tablePurse {
			t.Errorf("PP-15 the player has %d, listed are %+v %v", h.wallet.balances[playerOf(minh)], stuck, err)
		}
		if err := old.Refund(t.Context(), id+1); !errors.Is(err, house.ErrSettles) {
			t.Errorf("PP-15 an unknown one: %v", err)
		}
		h.balanced(t)
	})
}

// turnBoth lets a second go by, in which the table is looked at by the other, if there is one, and then by the first.
func (h *hall) turnBoth(first, other *house.Service) {
	h.time.Add(time.Second)
	if other != nil {
		other.Turn(h.t.Context(), table, true)
	}
	first.Turn(h.t.Context(), table, true)
}

// A version that the program does not have is not guessed at: what was staked goes back.
func TestARoundOfAVersionThatNobodyHasIsCalledOff(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	open := h.betting()
	merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	if _, err := h.Store.Writer.Exec("UPDATE house_table_round SET version = 9"); err != nil {
		t.Fatal(err)
	}
	h.refused(h.bet(2, open.Round.ID, map[string]int64{"banker": 50_000}), 409, "house.betting_closed")
	h.pass(time.Minute)
	h.balanced(t)
	if h.wallet.balances[playerOf(minh)] != tablePurse {
		t.Error("the stake did not go back")
	}
}

// What will be dealt cannot be read from the database; what was dealt, or called off, can be read by everybody.
func TestPP17SeedsLieSealedUntilTheyAreTold(t *testing.T) {
	t.Parallel()
	t.Run("PP-17 a table's seed is sealed until its result, and told when the round is called off", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h := newHall(t, store)
			open := h.betting()
			merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
			stored := func(query string) (seed []byte) {
				t.Helper()
				if err := store.Reader.QueryRowContext(t.Context(), query).Scan(&seed); err != nil {
					t.Fatal(err)
				}
				return seed
			}
			const last = "SELECT seed FROM house_table_round ORDER BY number DESC LIMIT 1"
			if seed := stored(last); len(seed) <= len(fairness.Seed{}) {
				t.Errorf("the seed lies open: %x", seed)
			}
			for h.table().Round.Phase != "dealing" {
				h.pass(time.Second)
			}
			if seed := stored(last); len(seed) <= len(fairness.Seed{}) {
				t.Error("the seed lies open before the result")
			}
			for h.table().Round.Phase != "result" {
				h.pass(time.Second)
			}
			if seed := stored(last); len(seed) != len(fairness.Seed{}) || !fairness.Seed(seed).Matches(open.Round.Commitment) {
				t.Errorf("told as %x", seed)
			}
			if seed := stored("SELECT seed FROM house_seed"); len(seed) <= len(fairness.Seed{}) {
				t.Errorf("the next spin's seed lies open: %x", seed)
			}
			next := h.betting()
			merchanttest.Value[shownBet](t, h.bet(2, next.Round.ID, map[string]int64{"banker": 50_000}))
			h.random.fails = true
			var off shownTable
			for off = h.table(); off.Round.Phase != "void"; off = h.table() {
				h.pass(time.Second)
			}
			h.random.fails = false
			if off.Round.Seed == nil || string(off.Round.Result) != "null" {
				t.Fatalf("%+v", off.Round)
			}
			if seed, err := fairness.ParseSeed(*off.Round.Seed); err != nil || !seed.Matches(next.Round.Commitment) {
				t.Errorf("told %s, committed to %s", *off.Round.Seed, next.Round.Commitment)
			}
			mine := merchanttest.Value[struct{ List []struct{ Seed *string } }](t, h.Call(t, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame))
			if len(mine.List) != 2 || mine.List[0].Seed == nil || *mine.List[0].Seed != *off.Round.Seed {
				t.Errorf("%+v", mine)
			}
			h.balanced(t)
		})
	})
	t.Run("a seed from before they were sealed is dealt from", func(t *testing.T) {
		t.Parallel()
		h := newHall(t, dbtest.SQLite(t))
		open := h.betting()
		seed := fairness.Seed{1, 2, 3}
		if _, err := h.Store.Writer.ExecContext(context.Background(), "UPDATE house_table_round SET seed = ?, commitment = ?", seed[:], seed.Commitment()); err != nil {
			t.Fatal(err)
		}
		h.pass(40 * time.Second)
		dealer, _ := house.FindDealer("baccarat", 1)
		want, err := dealer.Deal(fairness.NewStream(seed, table, open.Round.Number))
		if err != nil {
			t.Fatal(err)
		}
		if past := h.table().History; len(past) == 0 || string(past[0].Result) != string(want) {
			t.Errorf("%+v, want %s", past, want)
		}
	})
	t.Run("a seed that was exchanged is not dealt from", func(t *testing.T) {
		t.Parallel()
		h := newHall(t, dbtest.SQLite(t))
		open := h.betting()
		merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		seed := fairness.Seed{1, 2, 3}
		if _, err := h.Store.Writer.ExecContext(context.Background(), "UPDATE house_table_round SET seed = ?", seed[:]); err != nil {
			t.Fatal(err)
		}
		h.pass(40 * time.Second)
		if h.balanced(t); h.wallet.balances[playerOf(minh)] != tablePurse {
			t.Error("the stake did not go back")
		}
	})
}
