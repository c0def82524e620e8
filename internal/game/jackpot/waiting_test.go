package jackpot_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/game/fairness/series"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestPP17PartJackpotTakesNoStakeBeforeTheSaltIsKnown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1)
		clock := w.site.Clock
		b := beacontest.Start(t, beacon.UnchainedG1, clock.Now().Add(-time.Hour), 3, clock.Now)
		w.beacon = beacon.New(beacon.Options{URLs: []string{b.URL}, Hash: b.Hash, HTTP: &http.Client{}, Timeout: time.Minute})
		w.Service = w.newService(w.ledger)
		ctx := t.Context()
		if err := w.OpenPool(ctx, w.site.ID, currency); err != nil {
			t.Fatal(err)
		}
		_, round := w.bet(t, 1, winningStake)
		w.settle(t, 1, round)
		w.draw(t)
		if _, found, err := w.Show(ctx, w.site.ID, currency); err != nil || found {
			t.Errorf("pool before the salt is known: found = %t, %v, want none", found, err)
		}
		if n := w.site.Number(t, "SELECT COUNT(*) FROM jackpot_ticket"); n != 0 {
			t.Errorf("tickets before the salt is known: got %d, want 0", n)
		}
		if moved := w.moved(t, "jackpot.seed"); moved != 0 {
			t.Errorf("start amount before the salt is known: got %d, want 0", moved)
		}

		clock.Add(time.Minute)
		if err := w.fair.StartDue(ctx); err != nil {
			t.Fatal(err)
		}
		i, err := w.fair.Ensure(ctx, series.Jackpot, fmt.Sprintf("VND-%d", w.site.ID))
		if err != nil || i.Source != series.ByBeacon || i.Used != 0 {
			t.Fatalf("series with its salt: got %+v, %v, want one of the beacon that no draw used", i, err)
		}
		_, round = w.bet(t, 1, winningStake)
		w.settle(t, 1, round)
		w.draw(t)
		p := w.checkPool(t)
		if len(p.Wins) != 1 || p.Wins[0].SeriesID != i.ID || p.Wins[0].Link != 1 || !strings.HasPrefix(p.Wins[0].Name, i.Salt+"-VND-") {
			t.Errorf("wins: got %+v, want one with link 1 of %d and the salt %s", p.Wins, i.ID, i.Salt)
		}
	})
}
