package jackpot_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
	"fairground/internal/server"
	"fairground/internal/site/merchant/merchanttest"
)

// changeKey replaces the root key, as key rotate does, and starts the jackpots with the new one. It returns the pool's old
// seed, which anyone with the old key and a backup knows.
func (w *jackpotSite) changeKey(t *testing.T) (leaked fairness.Seed) {
	t.Helper()
	ctx, now := t.Context(), w.site.Clock.Now
	if stored, _ := w.storedSeeds(t); len(stored) > 0 {
		var err error
		if leaked, err = seal.Open(w.keys, "jackpot.seed", stored); err != nil {
			t.Fatal(err)
		}
	}
	w.keyChanges++
	// Another database keeps the check of the new key, so that the site's own does not change.
	next, err := secret.Open(ctx, secret.Options{
		Store: dbtest.SQLite(t), Source: secret.Source{Text: strings.Repeat(fmt.Sprintf("%02x", w.keyChanges), 32), Create: true}, Now: now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	err = w.site.Store.Write(ctx, func(tx *db.Tx) error { return server.Rekey(now)(ctx, tx, w.keys, next, false) })
	if err != nil {
		t.Fatal(err)
	}
	w.keys = next
	w.Service = w.newService(w.ledger)
	return leaked
}

// checkUnseeded fails the test unless the pool has its amount, but no seed and no draws yet.
func (w *jackpotSite) checkUnseeded(t *testing.T, before jackpot.Pool) {
	t.Helper()
	if seed, next := w.storedSeeds(t); len(seed) != 0 || len(next) != 0 {
		t.Errorf("stored seeds after the change: got %x and %x, want none", seed, next)
	}
	p := w.checkPool(t)
	if p.Series != before.Series+1 || p.Amount != before.Amount || p.Draws != 0 || p.Commitment+p.NextCommitment+p.Name != "" || p.SeriesID != 0 || p.Link != 0 {
		t.Errorf("pool after the change: got %+v, want series %d with amount %d, no draws and no seed", p, before.Series+1, before.Amount)
	}
}

func (w *jackpotSite) publicDraw(t *testing.T, series, nonce int64) drawReply {
	t.Helper()
	return merchanttest.Value[drawReply](t, w.site.Call(t, "GET", fmt.Sprintf("/wps/jackpot/draw?series=%d&nonce=%d", series, nonce), nil))
}

func TestPP13NewKeyEndsTheSeries(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"sealed seed of a chain", "unsealed seeds of an older version"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				w := newJackpotSite(t, store, 1, 2)
				_, drawn := w.bet(t, 1, 54_321)
				older := version != "sealed seed of a chain"
				if older {
					seed, next := fairness.Seed{1, 2, 3}, fairness.Seed{4, 5, 6}
					w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1, next_seed = $2, name = '', series_id = 0, link = 0", seed[:], next[:])
				}
				w.settle(t, 1, drawn)
				w.draw(t)
				if older { // sealed by the draw
					seed, next := fairness.Seed{1, 2, 3}, fairness.Seed{4, 5, 6}
					w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1, next_seed = $2", seed[:], next[:])
				}
				_, open := w.bet(t, 2, 1_000)
				_, settled := w.bet(t, 1, 2_000)
				w.settle(t, 1, settled)
				before := w.checkPool(t)

				leaked := w.changeKey(t)
				w.serve(t)
				w.checkUnseeded(t, before)

				t.Run("PP-13 the draws of the ended series can be verified", func(t *testing.T) {
					own := merchanttest.Value[ownPage](t, w.site.Call(t, "GET", "/wps/jackpot/draws?vendor=HOUSE&roundId="+drawn, nil, "Authorization", "member1"))
					all := merchanttest.Value[ownPage](t, w.site.Call(t, "GET", "/wps/jackpot/draws", nil, "Authorization", "member1"))
					if len(own.List) != 1 || len(all.List) != 2 || all.List[0].State != "open" {
						t.Fatalf("own draws: got %+v and %+v, want one of the round, and an open one before it", own, all)
					}
					for _, c := range []drawReply{w.publicDraw(t, 1, 1), own.List[0].Draw, all.List[1].Draw} {
						if c.Seed == nil || *c.Seed != leaked.Hex() || c.Commitment != before.Commitment || c.ClientSeed != before.Name || c.Series != 1 || c.redraw(t) {
							t.Errorf("draw: got %+v, want a lost one with seed %s and client seed %s", c, leaked.Hex(), before.Name)
						}
					}
				})
				t.Run("PP-13 a ticket bought before is drawn once, with another seed", func(t *testing.T) {
					w.draw(t)
					p := w.checkPool(t)
					if p.Series != 2 || p.Draws != 1 || p.Amount != before.Amount+20 || p.Link != 1 || p.SeriesID == before.SeriesID || p.SeriesID == 0 {
						t.Errorf("pool: got %+v, want one draw of series 2 with the first link of a new chain", p)
					}
					if next := (fairness.Seed{4, 5, 6}); p.Commitment == "" || p.Commitment == before.Commitment || p.Commitment == leaked.Hex() || p.Commitment == next.Commitment() {
						t.Errorf("commitment: got %s, want one of a new seed", p.Commitment)
					}
					if c := w.publicDraw(t, 2, 3); c.Seed != nil || c.Commitment != p.Commitment {
						t.Errorf("draw of the running series: got %+v, want only commitment %s", c, p.Commitment)
					}
					w.settle(t, 2, open)
					w.draw(t)
					w.draw(t)
					if p := w.checkPool(t); p.Draws != 2 || p.Amount != before.Amount+30 {
						t.Errorf("pool: got %d draws and amount %d, want 2 and %d", p.Draws, p.Amount, before.Amount+30)
					}
				})
				t.Run("PP-13 the next series pays the amount of both", func(t *testing.T) {
					_, round := w.bet(t, 2, winningStake)
					w.settle(t, 2, round)
					w.draw(t)
					p := w.checkPool(t)
					paid := before.Amount + 30 + winningStake/100
					if len(p.Wins) != 1 || p.Wins[0].Series != 2 || p.Wins[0].Nonce != 4 || p.Wins[0].Amount != int64(paid) {
						t.Fatalf("wins: got %+v, want %d by ticket 4 of series 2", p.Wins, paid)
					}
					for nonce, wins := range map[int64]bool{2: false, 3: false, 4: true} {
						if c := w.publicDraw(t, 2, nonce); c.Seed == nil || *c.Seed == leaked.Hex() || c.redraw(t) != wins {
							t.Errorf("ticket %d: got %+v, want won = %t", nonce, c, wins)
						}
					}
				})
				w.site.VerifyLedger(t)
			})
		})
	}
}

func TestPP13AmountOfAnEndedSeriesStaysInThePool(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		_, round := w.bet(t, 1, 54_321)
		w.settle(t, 1, round)
		w.draw(t)
		before := w.checkPool(t)
		w.share(t, 0)
		for range 2 { // the second series has no draws
			w.changeKey(t)
			w.draw(t)
		}
		if p := w.checkPool(t); p.Series != 3 || p.Amount != before.Amount || p.Commitment == "" {
			t.Errorf("pool: got %+v, want series 3 with amount %d", p, before.Amount)
		}
		if got := w.moved(t, "jackpot.back"); got != 0 {
			t.Errorf("returned to the operator: got %d, want 0", got)
		}
		w.site.VerifyLedger(t)
	})
}

func TestPP13PoolWithoutASeedDrawsNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		const waiting = 200 // a full batch
		for range waiting {
			_, round := w.bet(t, 1, 1_000)
			w.settle(t, 1, round)
		}
		before := w.checkPool(t)
		clock := w.site.Clock
		b := beacontest.Start(t, beacon.UnchainedG1, clock.Now().Add(-time.Hour), 3, clock.Now)
		w.beacon = beacon.New(beacon.Options{URLs: []string{b.URL}, Hash: b.Hash, HTTP: &http.Client{}, Timeout: time.Minute})
		w.changeKey(t)
		w.draw(t)
		w.checkUnseeded(t, before)
		w.changeKey(t) // a series without a seed goes on
		w.draw(t)
		w.checkUnseeded(t, before)

		clock.Add(time.Minute)
		w.draw(t) // publishes the end of a chain of the new key
		clock.Add(time.Minute)
		if err := w.fair.StartDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.draw(t)
		if p := w.checkPool(t); p.Series != 2 || p.Draws != waiting || p.Amount != before.Amount+10*waiting || !strings.HasSuffix(p.Name, "-VND-2") {
			t.Errorf("pool with the salt: got %+v, want %d draws of series 2", p, waiting)
		}
		w.site.VerifyLedger(t)
	})
}
