package jackpot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/game/fairness"
	"fairground/internal/game/jackpot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestPP13Pool(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		w.serve(t)
		t.Run("PP-13 no pool before the first stake", func(t *testing.T) {
			merchanttest.Want(t, w.site.Call(t, "GET", "/wps/jackpot/pool", nil), 404,
				`{"success":false,"message":"not found","errorCode":"jackpot.none"}`)
		})
		t.Run("PP-13 the pool is funded and committed before the first stake", func(t *testing.T) {
			_, round := w.bet(t, 1, 12_345)
			p := w.checkPool(t)
			if p.Amount != p.StartAmount || len(p.Commitment) != 64 || p.NextCommitment == p.Commitment || p.Draws != 0 {
				t.Errorf("pool = %+v, want its start amount, two commitments and no draws", p)
			}
			w.draw(t)
			if p := w.checkPool(t); p.Draws != 0 {
				t.Error("drawn before its round was settled")
			}
			w.settle(t, 1, round)
			w.draw(t)
			if p := w.checkPool(t); p.Draws != 1 || p.Amount != p.StartAmount+123 {
				t.Errorf("%d after %d draws, want %d after 1", p.Amount, p.Draws, p.StartAmount+123)
			}
		})
		t.Run("PP-13 returned stakes and ineligible stakes take no part", func(t *testing.T) {
			before := w.checkPool(t)
			id, _ := w.bet(t, 2, winningStake)
			w.returnStake(t, 2, id, winningStake)
			for _, other := range []func(*jackpot.Bet){
				func(b *jackpot.Bet) { b.Category = "LIVE" }, func(b *jackpot.Bet) { b.House = false }, func(b *jackpot.Bet) { b.Currency = "XXX" },
				func(b *jackpot.Bet) { b.House, b.Vendor, b.Category = false, "OTHER", "JL" }, // not listed in jackpot.vendors
			} {
				_, round := w.bet(t, 2, winningStake, other)
				w.settle(t, 2, round)
			}
			w.draw(t)
			if after := w.checkPool(t); after.Amount != before.Amount || after.Draws != before.Draws || len(after.Wins) != 0 {
				t.Errorf("pool = %+v, want no change from %+v", after, before)
			}
		})
		t.Run("PP-13 a win pays the whole pool, reveals the seed and starts the next series", func(t *testing.T) {
			before := w.checkPool(t)
			_, round := w.bet(t, 2, winningStake, func(b *jackpot.Bet) { b.Category = "JL" })
			w.settle(t, 2, round)
			balanceBefore, err := w.ledger.Balance(t.Context(), w.cash[2].ID)
			if err != nil {
				t.Fatal(err)
			}
			w.draw(t)
			p := w.checkPool(t)
			if len(p.Wins) != 1 || p.Series != 2 || p.Amount != p.StartAmount || p.Commitment != lastSeed(p) {
				t.Fatalf("pool = %+v, want series 2 with its start amount, 1 win and commitment %s", p, lastSeed(p))
			}
			won := before.Amount + winningStake/100
			balanceAfter, err := w.ledger.Balance(t.Context(), w.cash[2].ID)
			if err != nil || balanceAfter != balanceBefore+won || p.Wins[0].Amount != int64(won) {
				t.Errorf("balance went from %d to %d, want a win of %d: %v", balanceBefore, balanceAfter, won, err)
			}
			if seed := fairness.Seed(p.Wins[0].Seed); seed.Commitment() != before.Commitment {
				t.Error("the seed does not match the commitment")
			}
			if n := w.site.Number(t, "SELECT COUNT(*) FROM outbox WHERE payload LIKE '%jackpot.won%'"); n != 1 {
				t.Errorf("%d events, want 1", n)
			}
			merchanttest.Want(t, w.site.Call(t, "GET", "/wps/jackpot/pool", nil), 200, `{
				"success": true,
				"value": {
					"amount": 3700000000, "beginsAt": 0, "cap": 37000000000, "chainId": "1020", "clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-2",
					"commitment": "236703a22bfcc472294766e8689322ddcade79adefb8ee566a97b949effeaf64", "currency": "VND", "draws": 0,
					"games": [{"category": "JL", "vendors": ["HOUSE"]}, {"category": "RNG", "vendors": ["HOUSE"]}], "link": 2, "most": 1000000000000000,
					"nextCommitment": "", "parts": 2000000000, "perDay": 1000, "publishedAt": 1773480413000, "seed": 3700000000, "series": 2,
					"sharePerMille": 10, "unit": 100,
					"wins": [
						{
							"account": "me***2", "amount": 5700000123, "below": 2000000000, "chainId": "1020",
							"clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-1",
							"commitment": "48fd9b1e28d5fd4d430557ee30a6c45e984038d2135f3981051cca1d8036c95b", "link": 1, "nonce": 3, "number": 27372710,
							"publishedAt": 1773480413000, "seed": "236703a22bfcc472294766e8689322ddcade79adefb8ee566a97b949effeaf64", "series": 1,
							"stake": 200000000000, "wonAt": 1773480413000
						}
					]
				}
			}`)
		})
		w.site.VerifyLedger(t)
	})
}

// Several replicas draw three winning tickets. Each wins one series.
func TestPP13ConcurrentWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2, 3)
		for id := int64(1); id <= 3; id++ {
			_, round := w.bet(t, id, winningStake)
			w.settle(t, id, round)
		}
		var wg sync.WaitGroup
		for range 4 {
			other := w.anotherServer()
			wg.Go(func() {
				if err := other.Draw(context.Background()); err != nil {
					t.Errorf("Draw: got %v, want no error", err)
				}
			})
		}
		wg.Wait()
		p := w.checkPool(t)
		if len(p.Wins) != 3 || p.Series != 4 {
			t.Fatalf("%d wins, series %d, want 3 wins and series 4", len(p.Wins), p.Series)
		}
		for _, win := range p.Wins {
			if want := int64(p.StartAmount + winningStake/100); win.Amount != want {
				t.Errorf("series %d paid %d, want %d", win.Series, win.Amount, want)
			}
		}
		w.site.VerifyLedger(t)
	})
}

func TestPoolMatchesLedger(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		type open struct {
			id, transfer int64
			round        string
			amount       money.Minor
		}
		var waiting []open
		rapid.Check(t, func(rt *rapid.T) {
			for range rapid.IntRange(1, 8).Draw(rt, "steps") {
				switch what := rapid.SampledFrom([]string{"bet", "bet", "bet", "settle", "settle", "back", "draw"}).Draw(rt, "step"); {
				case what == "bet":
					o := open{id: rapid.Int64Range(1, 2).Draw(rt, "member")}
					o.amount = money.Minor(rapid.SampledFrom([]int64{1, 99, 1_000, 54_321, 80_000_000_000}).Draw(rt, "stake"))
					o.transfer, o.round = w.bet(t, o.id, o.amount)
					waiting = append(waiting, o)
				case what == "draw":
					w.draw(t)
				case len(waiting) > 0:
					i := rapid.IntRange(0, len(waiting)-1).Draw(rt, "which")
					o := waiting[i]
					waiting = append(waiting[:i], waiting[i+1:]...)
					if what == "settle" {
						w.settle(t, o.id, o.round)
					} else {
						w.returnStake(t, o.id, o.transfer, o.amount)
					}
				}
			}
		})
		w.draw(t)
		if w.rounds.Load() == 0 {
			t.Fatal("no stakes")
		}
		p := w.checkPool(t)
		if left := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'open'"); left != int64(len(waiting)) {
			t.Errorf("%d open tickets, want %d", left, len(waiting))
		}
		t.Logf("%d stakes, %d wins", w.rounds.Load(), p.Series-1)
		if p.Series == 1 {
			t.Error("no wins")
		}
		w.site.VerifyLedger(t)
	})
}

func TestChanceIsProportionalToStake(t *testing.T) {
	t.Parallel()
	r, _ := jackpot.RulesOf(currency)
	seed := fairness.Seed{7}
	const draws = 40_000
	for _, tenths := range []money.Minor{1, 2, 5, 9} {
		won := 0
		for nonce := range int64(draws) {
			if r.Draw(seed, "jackpot-VND-1-1", nonce+1, winningStake/10*tenths).Won() {
				won++
			}
		}
		if want := draws / 10 * int(tenths); won < want-400 || won > want+400 { // four standard deviations
			t.Errorf("%d of %d, want about %d", won, draws, want)
		}
	}
	if d := r.Draw(seed, "x", 1, 99); d.Below != 0 || d.Won() {
		t.Error("a stake below one unit won")
	}
	for _, code := range []string{"VND", "FUN", "CNY", "USD", "PKR", "BRL"} {
		if r, known := jackpot.RulesOf(code); !known || r.Parts < 1 || r.Unit < 1 || r.StartAmount < 1 || !fairness.GoodClientSeed(jackpot.SeriesName(1<<62, code, 1<<40)) {
			t.Errorf("%s: rules = %+v, want positive parts, unit and start amount", code, r)
		}
	}
	if strings.Contains(fmt.Sprint(jackpot.RulesOf("XXX")), "true") {
		t.Error("an unknown currency has rules")
	}
}
