package table_test

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
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// A later release takes over a table. The open round keeps its engine version, and the next round has the new version.
func TestRoundKeepsItsEngineVersion(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		open := h.waitForBetting()
		first := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000, "tie": 10_000}))
		h.restart()
		h.House.Tables.AddSecondVersion()
		h.frame = h.Open(housetest.Minh).Token
		h.poll()
		merchanttest.Value[betResponse](t, h.placeBet(2, open.Round.ID, map[string]int64{"tie": 10_000})) // the new version lacks this spot
		h.advance(90 * time.Second)
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
			t.Errorf("versions = %d and %d, want 1", old.version, old.ticketVersion)
		}
		dealer, _ := table.FindDealer("baccarat", old.version)
		if again, err := dealer.Deal(fairness.NewStream(fairness.Seed(old.seed), open.Round.ClientSeed, open.Round.Number)); err != nil || string(again) != old.result {
			t.Errorf("result = %s, want %s, %v", old.result, again, err)
		}
		outcome, err := table.Tally("baccarat", 1, json.RawMessage(old.result), `{"banker":50000,"tie":10000}`)
		if text, _ := json.Marshal(outcome); err != nil || string(text) != old.outcome {
			t.Errorf("outcome = %s, want %s, %v", old.outcome, text, err)
		}
		next := h.waitForBetting()
		h.WantError(h.placeBet(3, next.Round.ID, map[string]int64{"tie": 10_000}), 400, "house.unknown_spot")
		won := merchanttest.Value[betResponse](t, h.placeBet(4, next.Round.ID, map[string]int64{"player": 10_000}))
		h.advance(90 * time.Second)
		if now := read(won.Bet.ID); now.version != 2 || now.ticketVersion != 2 || !json.Valid([]byte(now.result)) || now.result[:16] != `{"player":["7S",` {
			t.Errorf("next round = %+v, want version 2", now)
		}
		h.checkBalances(t)
	})
}

// During a rolling update, an old release does not touch the rounds of a new release, and logs that.
func TestPP15RoundOfALaterVersionIsLeftAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		old := h.House
		later := h.newProcess()
		later.Tables.AddSecondVersion()
		h.pollBoth(later, nil)
		h.ServeHouse(later)
		open := h.waitForBetting()
		won := merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"player": 10_000}))
		h.ServeHouse(old)
		h.WantError(h.placeBet(2, open.Round.ID, map[string]int64{"player": 10_000}), 409, "house.betting_closed")
		h.dbClock.Add(10 * time.Second) // the lease of the new release expires
		for range 12 {
			h.dbClock.Add(time.Second)
			old.Tables.Poll(t.Context(), tableID, true)
		}
		round := func() (status string, version int64) {
			t.Helper()
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT status, version FROM house_table_round WHERE number = 1").Scan(&status, &version); err != nil {
				t.Fatal(err)
			}
			return status, version
		}
		if status, version := round(); status != "betting" || version != 2 {
			t.Fatalf("round = version %d, %s, want version 2, betting", version, status)
		}
		if n := strings.Count(h.log.String(), "left to another"); n != 1 {
			t.Errorf("logged %d times, want 1:\n%s", n, h.log)
		}
		for range 20 { // the new release runs again
			h.pollBoth(later, old)
		}
		if status, _ := round(); status != "ended" {
			t.Fatalf("round status = %s, want ended", status)
		}
		if h.BalanceOf(housetest.Minh) != tableBalance+10_000 { // in version 2 the player always wins
			t.Errorf("balance = %d, want %d", h.BalanceOf(housetest.Minh), tableBalance+10_000)
		}
		var version int64
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT version FROM house_round WHERE id = "+won.Bet.ID).Scan(&version); err != nil || version != 2 {
			t.Errorf("version of the ticket = %d, %v, want 2", version, err)
		}
		h.checkBalances(t)
	})
}

// The tickets of a dealt round wait for a server that has the round's version.
func TestPP15TicketsOfALaterVersionWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		old := h.House
		later := h.newProcess()
		later.Tables.AddSecondVersion()
		h.ServeHouse(later)
		h.pollBoth(later, nil)
		open := h.waitForBetting()
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"player": 10_000}))
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE house_table_round SET status = 'ended', result = '{}'"); err != nil {
			t.Fatal(err)
		}
		h.dbClock.Add(time.Minute)
		if err := old.Recover(t.Context()); err != nil {
			t.Errorf("error of the old release = %v", err)
		}
		var status string
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT status FROM house_round").Scan(&status); err != nil || status != "placed" {
			t.Errorf("ticket status = %s, %v, want placed", status, err)
		}
		if !strings.Contains(h.log.String(), "left to another") {
			t.Error("nothing was logged")
		}
		// The operator lists and refunds the ticket.
		stuck, err := house.ListStuck(t.Context(), store)
		if err != nil || len(stuck) != 1 || stuck[0].Owed != "result" || stuck[0].Engine != "baccarat" || stuck[0].Version != 2 || stuck[0].Stake != "10000" {
			t.Fatalf("PP-15 stuck rounds = %+v, %v, want 1 entry, owed result, engine baccarat, version 2 and stake 10000", stuck, err)
		}
		var id int64
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT id FROM house_round").Scan(&id); err != nil {
			t.Fatal(err)
		}
		if err := later.Tables.Refund(t.Context(), id); !errors.Is(err, table.ErrNotRefundable) {
			t.Errorf("PP-15 error of a server that has the version = %v, want %v", err, table.ErrNotRefundable)
		}
		for range 2 {
			if err := old.Tables.Refund(t.Context(), id); err != nil {
				t.Errorf("PP-15 %v", err)
			}
		}
		if stuck, err := house.ListStuck(t.Context(), store); err != nil || len(stuck) != 0 || h.BalanceOf(housetest.Minh) != tableBalance {
			t.Errorf("PP-15 balance = %d, stuck rounds %+v, %v, want %d and none", h.BalanceOf(housetest.Minh), stuck, err, tableBalance)
		}
		if err := old.Tables.Refund(t.Context(), id+1); !errors.Is(err, table.ErrNotRefundable) {
			t.Errorf("PP-15 error for an unknown round = %v, want %v", err, table.ErrNotRefundable)
		}
		h.checkBalances(t)
	})
}

// pollBoth moves the clock forward by a second. It polls with the other process, unless it is nil, and then with the first.
func (h *fixture) pollBoth(first, other *house.Service) {
	h.dbClock.Add(time.Second)
	if other != nil {
		other.Tables.Poll(h.T.Context(), tableID, true)
	}
	first.Tables.Poll(h.T.Context(), tableID, true)
}

func TestRoundOfAnUnknownVersionIsVoid(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	open := h.waitForBetting()
	merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	if _, err := h.Store.Writer.Exec("UPDATE house_table_round SET version = 9"); err != nil {
		t.Fatal(err)
	}
	h.WantError(h.placeBet(2, open.Round.ID, map[string]int64{"banker": 50_000}), 409, "house.betting_closed")
	h.advance(time.Minute)
	h.checkBalances(t)
	if h.BalanceOf(housetest.Minh) != tableBalance {
		t.Errorf("balance = %d, want %d", h.BalanceOf(housetest.Minh), tableBalance)
	}
}

func TestPP17SeedsAreSealedUntilRevealed(t *testing.T) {
	t.Parallel()
	t.Run("PP-17 a table's seed is revealed with the result, or when the round is void", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			h := newFixture(t, store)
			open := h.waitForBetting()
			merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
			stored := func(query string) (seed []byte) {
				t.Helper()
				if err := store.Reader.QueryRowContext(t.Context(), query).Scan(&seed); err != nil {
					t.Fatal(err)
				}
				return seed
			}
			const last = "SELECT seed FROM house_table_round ORDER BY number DESC LIMIT 1"
			if seed := stored(last); len(seed) <= len(fairness.Seed{}) {
				t.Errorf("stored seed = %x, want it sealed", seed)
			}
			for h.getTable().Round.Phase != "dealing" {
				h.advance(time.Second)
			}
			if seed := stored(last); len(seed) <= len(fairness.Seed{}) {
				t.Errorf("stored seed while dealing = %x, want it sealed", seed)
			}
			for h.getTable().Round.Phase != "result" {
				h.advance(time.Second)
			}
			if seed := stored(last); len(seed) != len(fairness.Seed{}) || !fairness.Seed(seed).Matches(open.Round.Commitment) {
				t.Errorf("stored seed = %x, want the committed one", seed)
			}
			if seed := stored("SELECT seed FROM house_seed"); len(seed) <= len(fairness.Seed{}) {
				t.Errorf("stored seed of the next spin = %x, want it sealed", seed)
			}
			next := h.waitForBetting()
			merchanttest.Value[betResponse](t, h.placeBet(2, next.Round.ID, map[string]int64{"banker": 50_000}))
			h.Random.SetFails(true)
			var off tableResponse
			for off = h.getTable(); off.Round.Phase != "void"; off = h.getTable() {
				h.advance(time.Second)
			}
			h.Random.SetFails(false)
			if off.Round.Seed == nil || string(off.Round.Result) != "null" {
				t.Fatalf("void round = %+v, want a seed and no result", off.Round)
			}
			if seed, err := fairness.ParseSeed(*off.Round.Seed); err != nil || !seed.Matches(next.Round.Commitment) {
				t.Errorf("seed = %s, want one that matches the commitment %s", *off.Round.Seed, next.Round.Commitment)
			}
			mine := merchanttest.Value[struct{ List []struct{ Seed *string } }](t, h.Call(t, http.MethodGet, "/house/v1/table/mine", nil, "Authorization", h.frame))
			if len(mine.List) != 2 || mine.List[0].Seed == nil || *mine.List[0].Seed != *off.Round.Seed {
				t.Errorf("tickets = %+v, want two, the newest with the seed %s", mine, *off.Round.Seed)
			}
			h.checkBalances(t)
		})
	})
	t.Run("an unsealed seed is used", func(t *testing.T) {
		t.Parallel()
		h := newFixture(t, dbtest.SQLite(t))
		open := h.waitForBetting()
		seed := fairness.Seed{1, 2, 3}
		if _, err := h.Store.Writer.ExecContext(context.Background(), "UPDATE house_table_round SET seed = ?, commitment = ?", seed[:], seed.Commitment()); err != nil {
			t.Fatal(err)
		}
		h.advance(40 * time.Second)
		dealer, _ := table.FindDealer("baccarat", 1)
		want, err := dealer.Deal(fairness.NewStream(seed, open.Round.ClientSeed, open.Round.Number))
		if err != nil {
			t.Fatal(err)
		}
		if past := h.getTable().History; len(past) == 0 || string(past[0].Result) != string(want) {
			t.Errorf("history = %+v, want %s", past, want)
		}
	})
	t.Run("a replaced seed makes the round void", func(t *testing.T) {
		t.Parallel()
		h := newFixture(t, dbtest.SQLite(t))
		open := h.waitForBetting()
		merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
		seed := fairness.Seed{1, 2, 3}
		if _, err := h.Store.Writer.ExecContext(context.Background(), "UPDATE house_table_round SET seed = ?", seed[:]); err != nil {
			t.Fatal(err)
		}
		h.advance(40 * time.Second)
		if h.checkBalances(t); h.BalanceOf(housetest.Minh) != tableBalance {
			t.Errorf("balance = %d, want %d", h.BalanceOf(housetest.Minh), tableBalance)
		}
	})
}
