package jackpot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/jackpot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func (w *jackpotSite) checkNoPool(t *testing.T) {
	t.Helper()
	if p, found, err := w.Find(t.Context(), w.site.ID, currency); found || err != nil {
		t.Errorf("pool = %+v, error %v, want none", p, err)
	}
}

func TestPP13ShareSetToZero(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		_, round := w.bet(t, 1, 54_321)
		w.settle(t, 1, round)
		w.draw(t)
		before := w.checkPool(t)
		w.share(t, 0)
		t.Run("PP-13 the pool stays, and stakes take part without a share", func(t *testing.T) {
			if p := w.checkPool(t); p.Amount != before.Amount || p.SharePerMille != 0 || p.Commitment != before.Commitment {
				t.Errorf("pool = %+v, want a share of 0, and amount and commitment of %+v", p, before)
			}
			_, round := w.bet(t, 2, 54_321)
			w.settle(t, 2, round)
			w.draw(t)
			if p := w.checkPool(t); p.Amount != before.Amount || p.Draws != before.Draws+1 {
				t.Errorf("pool = %+v, want amount %d and %d draws", p, before.Amount, before.Draws+1)
			}
		})
		t.Run("PP-13 it is won once, and no series follows", func(t *testing.T) {
			for id := int64(1); id <= 2; id++ {
				_, round := w.bet(t, id, winningStake)
				w.settle(t, id, round)
			}
			w.draw(t)
			w.checkNoPool(t)
			if paid, wins := w.moved(t, "jackpot.win"), w.site.Number(t, "SELECT COUNT(*) FROM jackpot_win"); paid != int64(before.Amount) || wins != 1 {
				t.Errorf("%d paid in %d wins, want %d in one", paid, wins, before.Amount)
			}
			if n := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'void'"); n != 1 {
				t.Errorf("%d voided tickets, want 1", n)
			}
			w.site.Clock.Add(time.Minute)
			if _, takesPart, err := w.Row(t.Context(), jackpot.Bet{MerchantID: w.site.ID, House: true, Category: "JL", Currency: currency, Amount: winningStake}); takesPart || err != nil {
				t.Errorf("a stake takes part without a pool: %v", err)
			}
		})
		t.Run("PP-13 a new share starts a series with the published commitment", func(t *testing.T) {
			w.share(t, 10)
			w.draw(t)
			if p := w.checkPool(t); p.Amount != p.StartAmount || p.Series != 2 || p.Commitment != lastSeed(p) {
				t.Errorf("pool = %+v, want series 2 with its start amount and commitment %s", p, lastSeed(p))
			}
		})
		w.site.VerifyLedger(t)
	})
}

func TestPP13UnusedStartAmountIsReturned(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		if err := w.OpenPool(t.Context(), w.site.ID, currency); err != nil {
			t.Fatal(err)
		}
		if p := w.checkPool(t); p.Amount != p.StartAmount || p.Draws != 0 {
			t.Fatalf("pool = %+v, want its start amount and no draws", p)
		}
		id, _ := w.bet(t, 1, 54_321)
		w.share(t, 0)
		w.draw(t)
		if p := w.checkPool(t); p.Amount != p.StartAmount {
			t.Errorf("PP-13 returned while a ticket is open: %+v", p)
		}
		w.returnStake(t, 1, id, 54_321)
		w.draw(t)
		w.draw(t)
		w.checkNoPool(t)
		if back, seed := w.moved(t, "jackpot.back"), w.moved(t, "jackpot.seed"); back != seed || back == 0 {
			t.Errorf("%d returned, want all of %d", back, seed)
		}
		if err := w.OpenPool(t.Context(), w.site.ID, currency); err != nil {
			t.Fatal(err)
		}
		w.checkNoPool(t)
		w.site.VerifyLedger(t)
	})
}

func TestPP13Cap(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		r, _ := jackpot.RulesOf(currency)
		w.share(t, 100)
		// Both stakes lose with the seed set below.
		stakes := []money.Minor{winningStake / 100 * 40, winningStake / 100 * 60}
		for _, stake := range stakes {
			_, round := w.bet(t, 1, stake)
			w.settle(t, 1, round)
		}
		w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1, next_seed = $1, name = ''", losing(t, r, w.site.ID, stakes))
		w.draw(t)
		p := w.checkPool(t)
		if p.Draws != 2 || p.Amount <= p.StartAmount || p.Amount > p.Cap {
			t.Fatalf("%d after %d draws, want 2 draws and a pool of more than %d, at most %d", p.Amount, p.Draws, p.StartAmount, p.Cap)
		}
		const more = 5
		for range more {
			_, round := w.bet(t, 1, winningStake/100*60)
			w.settle(t, 1, round)
		}
		w.site.Exec(t, "UPDATE jackpot_pool SET seed = $1", losing(t, r, w.site.ID, append(stakes, repeated(winningStake/100*60, more)...)))
		w.draw(t)
		if p := w.checkPool(t); p.Amount != p.Cap || p.Draws != 2+more {
			t.Errorf("amount = %d, want %d after %d draws", p.Amount, p.Cap, p.Draws)
		}
		w.site.VerifyLedger(t)
	})
}

func repeated(stake money.Minor, n int) (out []money.Minor) {
	for range n {
		out = append(out, stake)
	}
	return out
}

// losing returns a seed with which none of the stakes wins.
func losing(t *testing.T, r jackpot.Rules, merchantID int64, stakes []money.Minor) []byte {
	t.Helper()
	name := jackpot.SeriesName(merchantID, currency, 1)
	for n := range 1 << 16 {
		seed := [32]byte{byte(n), byte(n >> 8)}
		lost := true
		for i, stake := range stakes {
			lost = lost && !r.Draw(seed, name, int64(i+1), stake).Won()
		}
		if lost {
			return seed[:]
		}
	}
	t.Fatal("no losing seed found")
	return nil
}

func TestFailingPoolDoesNotStopOthers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		_, round := w.bet(t, 1, 54_321)
		w.settle(t, 1, round)
		// A pool of a currency without rules, which is processed first.
		w.site.Exec(t, `INSERT INTO jackpot_pool (merchant_id, currency, series, amount, seed, next_seed, published_at, nonce) VALUES ($1, 'AAA', 1, 1, $2, $2, 0, 0)`, w.site.ID, make([]byte, 32))
		w.site.Exec(t, `INSERT INTO jackpot_ticket (transfer_id, merchant_id, currency, member_id, vendor_id, account_id, round, stake, share) VALUES (1, $1, 'AAA', 1, 7, 1, 'x', 1, 0)`, w.site.ID)
		if err := w.Draw(t.Context()); err == nil || !strings.Contains(err.Error(), "AAA") {
			t.Errorf("error = %v, want one that names AAA", err)
		}
		if p := w.checkPool(t); p.Draws != 1 {
			t.Errorf("%d draws, want 1", p.Draws)
		}
	})
}

var errCommit = errors.New("commit failed")

// A failingLedger rolls back every transaction, like a killed server.
type failingLedger struct{ jackpot.Ledger }

func (p failingLedger) Write(ctx context.Context, fn func(*db.Tx) error) error {
	return p.Ledger.Write(ctx, func(tx *db.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errCommit
	})
}

// A failure between the draw and the commit leaves neither draw nor payment.
func TestDrawAndPaymentAreAtomic(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		_, round := w.bet(t, 1, winningStake)
		w.settle(t, 1, round)
		before := w.checkPool(t)
		if err := w.newService(failingLedger{w.ledger}).Draw(t.Context()); !errors.Is(err, errCommit) {
			t.Fatal(err)
		}
		if p := w.checkPool(t); p.Amount != before.Amount || p.Draws != 0 || len(p.Wins) != 0 {
			t.Errorf("pool = %+v, want amount %d, no draws and no wins", p, before.Amount)
		}
		w.draw(t)
		w.draw(t)
		if p := w.checkPool(t); len(p.Wins) != 1 || p.Wins[0].Amount != int64(before.Amount+winningStake/100) {
			t.Errorf("pool = %+v, want 1 win of %d", p, before.Amount+winningStake/100)
		}
		w.site.VerifyLedger(t)
	})
}
