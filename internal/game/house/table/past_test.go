package table_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

type pastRound struct {
	Number, Version, Link                          int64
	Engine, Commitment, Seed, ClientSeed, SeriesID string
	CalledOff                                      bool
	Result                                         *struct{ Winner string }
}

type pastRounds struct {
	Finished, CalledOff, Next int64
	Rate                      string
	List                      []pastRound
}

// The test plays four rounds and verifies them with public calls only. One round is called off.
func TestPP17FinishedRoundsStayReadableAndFormAChain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		public := func(path string) merchanttest.Reply { return h.Call(t, http.MethodGet, path, nil) }
		for n := range 4 {
			h.waitForBetting()
			if n == 2 {
				h.Random.SetFails(true)
				for h.getTable().Round.Phase != "void" {
					h.advance(time.Second)
				}
				h.Random.SetFails(false)
				continue
			}
			for h.getTable().Round.Phase != "result" {
				h.advance(time.Second)
			}
		}
		h.advance(10 * time.Second)
		past := merchanttest.Value[pastRounds](t, public("/wps/fairness/tableRounds?table="+tableID))
		if past.Finished != 4 || past.CalledOff != 1 || past.Rate != "25.00" || past.Next != 0 || len(past.List) != 4 {
			t.Fatalf("rounds = %+v, want 4, one of them called off, and the rate 25.00", past)
		}
		series := merchanttest.Value[struct {
			List []struct{ ID, Name, End, Salt, Source string }
		}](t, public("/wps/fairness/series?kind=table"))
		if len(series.List) != 1 || series.List[0].Name != tableID || series.List[0].Source != "operator" {
			t.Fatalf("series = %+v, want the table's", series.List)
		}
		before, err := fairness.ParseSeed(series.List[0].End)
		if err != nil {
			t.Fatal(err)
		}
		dealer, _ := table.FindDealer("baccarat", 1)
		voids := 0
		for i := len(past.List) - 1; i >= 0; i-- {
			r := past.List[i]
			seed, err := fairness.ParseSeed(r.Seed)
			if err != nil || chain.Previous(seed) != before || r.Commitment != before.Hex() || r.SeriesID != series.List[0].ID {
				t.Fatalf("round %+v does not follow %s in the chain: %v", r, before.Hex(), err)
			}
			if r.ClientSeed != series.List[0].Salt+"-"+tableID || r.Link != r.Number {
				t.Errorf("round %+v, want the salt %s and link %d", r, series.List[0].Salt, r.Number)
			}
			before = seed
			if r.CalledOff {
				voids++
				if r.Result != nil {
					t.Errorf("round %d was called off and has the result %v, want nil", r.Number, r.Result)
				}
				continue
			}
			dealt, err := dealer.Deal(fairness.NewStream(seed, r.ClientSeed, r.Number))
			if err != nil || r.Result == nil || !strings.Contains(string(dealt), `"winner":"`+r.Result.Winner+`"`) {
				t.Errorf("round %d has the result %v, want %s, %v", r.Number, r.Result, dealt, err)
			}
		}
		if voids != 1 {
			t.Errorf("%d rounds were called off, want 1", voids)
		}
		// An open round shows the seed of the round before as its commitment, and no seed yet.
		open := h.waitForBetting()
		if open.Round.Commitment != past.List[0].Seed && open.Round.Number == past.List[0].Number+1 {
			t.Errorf("commitment = %s, want the seed of the round before, %s", open.Round.Commitment, past.List[0].Seed)
		}
		if last := merchanttest.Value[pastRounds](t, public("/wps/fairness/tableRounds?table="+tableID)).List[0]; last.Number >= open.Round.Number {
			t.Errorf("round %d is open and listed", last.Number)
		}
		h.WantError(public("/wps/fairness/tableRounds?table=no-such-table"), 404, "house.unknown_engine")
	})
}

// The rate of rounds that were called off is exact, in two decimals, and rounded down.
func TestPP17PartRateOfCalledOffRounds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newFixture(t, store)
		public := func(path string) merchanttest.Reply { return h.Call(t, http.MethodGet, path, nil) }
		h.waitForBetting() // stores the table
		for _, c := range []struct {
			calledOff, finished int64
			rate                string
		}{{0, 0, "0.00"}, {0, 7, "0.00"}, {1, 1, "100.00"}, {1, 3, "33.33"}, {2, 3, "66.66"}, {1, 4, "25.00"}, {1, 20_000, "0.00"}, {19_999, 20_000, "99.99"}} {
			h.Exec(t, "UPDATE house_table SET called_off = $1, finished = $2 WHERE id = $3", c.calledOff, c.finished, tableID)
			merchanttest.Want(t, public("/wps/fairness/tableRounds?before=1&table="+tableID), http.StatusOK, fmt.Sprintf(
				`{"success": true, "value": {"table": %q, "finished": %d, "calledOff": %d, "rate": %q, "list": [], "next": 0}}`, tableID, c.finished, c.calledOff, c.rate))
			// The other tables have no rounds yet.
			merchanttest.Want(t, public("/wps/fairness/tables"), http.StatusOK, fmt.Sprintf(`{"success": true, "value": {"list": [
				{"id": "baccarat-1", "name": "Baccarat 01", "engine": "baccarat", "finished": %d, "calledOff": %d, "rate": %q},
				{"id": "baccarat-2", "name": "Baccarat 02", "engine": "baccarat", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "baccarat-3", "name": "Baccarat 03", "engine": "baccarat", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "sicbo-1", "name": "Sic Bo 01", "engine": "sicbo", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "sicbo-2", "name": "Sic Bo 02", "engine": "sicbo", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "sicbo-3", "name": "Sic Bo 03", "engine": "sicbo", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "dragontiger-1", "name": "Dragon Tiger 01", "engine": "dragontiger", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "roulette-1", "name": "Roulette 01", "engine": "roulette", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "roulette-2", "name": "Roulette 02", "engine": "roulette", "finished": 0, "calledOff": 0, "rate": "0.00"},
				{"id": "roulette-3", "name": "Roulette 03", "engine": "roulette", "finished": 0, "calledOff": 0, "rate": "0.00"}
			]}}`, c.finished, c.calledOff, c.rate))
		}
	})
}
