package table_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestPP17PartTableOpensNoRoundBeforeTheSaltIsKnown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		var b *beacontest.Beacon
		h := newFixture(t, store, func(h *fixture) {
			b = beacontest.Start(t, beacon.UnchainedG1, h.Clock.Now().Add(-time.Hour), 3, h.Clock.Now)
			h.Beacon = beacon.New(beacon.Options{URLs: []string{b.URL}, Hash: b.Hash, HTTP: &http.Client{}, Timeout: time.Minute})
		})
		type shown struct{ ID, State, End, Source, Salt, Value string }
		series := func() shown {
			t.Helper()
			list := merchanttest.Value[struct{ List []shown }](t, h.Call(t, http.MethodGet, "/wps/fairness/series?kind=table", nil)).List
			if len(list) != 1 {
				t.Fatalf("series: got %+v, want one", list)
			}
			return list[0]
		}
		h.advance(2 * time.Minute) // the database's time. The round of the beacon is not due by the server's
		if got := h.getTable(); got.Round != nil {
			t.Errorf("round before the salt is known: got %+v, want none", got.Round)
		}
		waiting := series()
		if waiting.State != "waiting" || waiting.Source != "beacon" || waiting.Salt != "" || waiting.End == "" {
			t.Errorf("series: got %+v, want one that waits for the beacon", waiting)
		}
		h.StartSeries()
		h.advance(10 * time.Second)
		if got := h.getTable(); got.Round != nil {
			t.Errorf("round before the beacon's is due: got %+v, want none", got.Round)
		}
		h.Clock.Add(time.Minute)
		h.StartSeries()
		round := h.waitForBetting().Round
		running := series()
		if running.State != "running" || running.ID != waiting.ID || running.End != waiting.End || len(running.Value) != 64 {
			t.Errorf("series: got %+v, want %+v with the value of the beacon", running, waiting)
		}
		if !strings.HasPrefix(round.ClientSeed, running.Salt+"-") || running.Salt == "" || round.Number != 1 || round.Commitment != running.End {
			t.Errorf("first round: got %+v, want number 1 with the salt %s and the end %s", round, running.Salt, running.End)
		}
	})
}
