package lottery_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/lottery"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// publishedSeries returns the series of a game in the list of /wps/fairness/series, newest first.
func (s *site) publishedSeries(t testing.TB, code string) (found []fields) {
	t.Helper()
	value, _ := s.call(t, "GET", "/wps/fairness/series?kind=lottery", nil, "", http.StatusOK)["value"].(fields)
	list, _ := value["list"].([]any)
	for _, item := range list {
		if row := item.(fields); row["name"] == fmt.Sprintf("%s-%d", code, s.ID) {
			found = append(found, row)
		}
	}
	return found
}

// lastDraw returns the newest result of a game and its proof.
func (s *site) lastDraw(t testing.TB, game string) (result, proof fields) {
	t.Helper()
	list, _ := s.call(t, "GET", "/lgw/draw/"+game+"?pageSize=1", nil, "", http.StatusOK)["list"].([]any)
	if len(list) != 1 {
		t.Fatalf("draws of %s: got %v, want one", game, list)
	}
	result, _ = list[0].(fields)
	proof, _ = result["proof"].(fields)
	return result, proof
}

// verify recomputes a draw of ssc-1 from public data.
func verify(t testing.TB, what string, published, result, proof fields) {
	t.Helper()
	text, _ := proof["seed"].(string)
	seed, err := fairness.ParseSeed(text)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := published["end"].(string)
	endSeed, err := fairness.ParseSeed(end)
	if err != nil {
		t.Fatal(err)
	}
	link, _ := proof["link"].(float64)
	salt, _ := published["salt"].(string)
	if !chain.Verify(endSeed, seed, int(link)) {
		t.Errorf("%s: seed %s is not link %v of the end %s", what, text, link, end)
	}
	if got := draw.FromSeed(draw.SSC, seed, salt, "ssc-1", int64(link)).WinNo(); got != result["winNo"] || proof["salt"] != salt {
		t.Errorf("%s: got %v with the salt %v, want %v with %v", what, got, salt, result["winNo"], proof["salt"])
	}
}

func TestPP17PartLotteryWaitsForTheSaltOfItsSeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		clock := func() time.Time { return merchanttest.Start.Add(-time.Minute) }
		b := beacontest.Start(t, beacon.UnchainedG1, merchanttest.Start.Add(-time.Hour), 3, func() time.Time { return clock() })
		s := newSite(t, store, servertest.Options(func(o *server.Options) {
			o.Providers = config.Providers{Beacon: []string{b.URL}, BeaconChain: b.Hash, OutgoingAllow: []string{"127.0.0.0/8"}}
		}))
		clock = s.Clock.Now
		waiting := s.publishedSeries(t, "ssc-1")
		if len(waiting) != 1 || waiting[0]["state"] != "waiting" || waiting[0]["source"] != "beacon" || waiting[0]["salt"] != "" {
			t.Fatalf("series before the round of the beacon: got %v, want one that waits", waiting)
		}
		current := s.currentNumero(t, "1101")
		if current["status"] != "closed" || current["series"] != nil {
			t.Errorf("numero before the salt is known: got %v, want it closed", current)
		}
		session := s.fastSession(t, "minhanh92", "1101")
		order := bet("a", "1101", current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940")
		s.placeRefused(t, session, order, http.StatusConflict, "lottery.closed")

		s.Clock.Add(40 * time.Second)
		if err := s.Server.Series.StartDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.runJobs(t)
		current = s.currentNumero(t, "1101")
		running := s.publishedSeries(t, "ssc-1")
		if len(running) != 1 || running[0]["state"] != "running" || running[0]["end"] != waiting[0]["end"] || running[0]["id"] != current["series"] || running[0]["salt"] != current["salt"] {
			t.Errorf("series with its salt: got %v, want that of %v", running, current)
		}
		if current["status"] == "closed" { // the salt became known after the numero closed
			s.drawNow(t, current)
			current = s.currentNumero(t, "1101")
		}
		order["numero"] = current["numero"]
		s.place(t, session, order)
		s.drawNow(t, current)
		result, proof := s.lastDraw(t, "1101")
		verify(t, "drawn with the beacon's salt", running[0], result, proof)
		shown := s.call(t, "GET", fmt.Sprintf("/lgw/series/%v", current["series"]), nil, "", http.StatusOK)
		if shown["saltSource"] != "beacon" || shown["salt"] != current["salt"] || shown["end"] != running[0]["end"] {
			t.Errorf("series of the lottery: got %v, want that of the beacon", shown)
		}
		s.VerifyLedger(t)
	})
}

func TestPP17PartAnnouncedResultStartsALotterySeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan, minh := s.Operator(t, "lan", "games"), s.Operator(t, "minh", "games")
		name := fmt.Sprintf("ssc-1-%d", s.ID)
		due := s.Clock.Now().Add(25 * time.Hour)
		announced := read(t, "announce", lan("POST", "/ops/v1/fairness", fields{"kind": "lottery", "name": name, "detail": "Special prize", "dueAt": due.UnixMilli()}), 200)
		if announced["state"] != "waiting" || announced["source"] != "announced" || announced["generation"] != 2.0 {
			t.Fatalf("announced series: got %v, want generation 2 that waits", announced)
		}
		s.runJobs(t)
		old := s.currentNumero(t, "1101")
		s.Exec(t, "UPDATE fair_series SET due_at = $1 WHERE state = 'waiting'", s.Clock.Now().UnixMilli()) // the result is public now
		// The chase bets on two later numeros, which keep their series.
		current := s.currentNumero(t, "1101")
		if current["series"] != old["series"] {
			t.Errorf("series before the result: got %v, want %v", current, old)
		}
		session := s.fastSession(t, "minhanh92", "1101")
		order := bet("a", "1101", current["numero"], "Elott", "sum-side", "big,small", 1000, "1.940")
		order["chase"] = fields{"count": 3, "multiplier": 1, "stopOnWin": false}
		placed := s.place(t, session, order)
		waiting := approval(t, "result", lan("POST", fmt.Sprintf("/ops/v1/fairness/%v/value", announced["id"]), fields{"version": announced["version"], "value": "40213"}))
		read(t, "approve", minh("POST", waiting, fields{"decision": "approve"}), 200)
		s.runJobs(t)
		all := s.publishedSeries(t, "ssc-1")
		if len(all) != 2 || all[0]["value"] != "40213" || all[0]["salt"] != series.Salt("lottery", name, 2, all[0]["end"].(string), "40213") || all[1]["state"] != "ended" {
			t.Errorf("series after the result: got %v, want the second one running with its salt", all)
		}
		for k := range 4 {
			current = s.currentNumero(t, "1101")
			want := old["series"]
			if k == 3 {
				want = all[0]["id"]
			}
			if current["series"] != want || k == 3 && current["link"] != 1.0 {
				t.Errorf("numero %d after the bet: got %v, want the series %v", k, current, want)
			}
			s.drawNow(t, current)
			result, proof := s.lastDraw(t, "1101")
			drawnBy := all[1]
			if k == 3 {
				drawnBy = all[0]
			}
			verify(t, fmt.Sprint("numero ", k), drawnBy, result, proof)
		}
		for _, b := range s.bets(t, session, placed["orderId"]) {
			if b["state"] != "won" {
				t.Errorf("bet of the chase: got %v, want it won", b)
			}
		}
		s.VerifyLedger(t)
	})
}

func TestSeriesOfOlderVersionsStayVerifiable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		current := s.currentNumero(t, "1101")
		c, err := chain.New(sha256.Sum256([]byte("older")), 2_000)
		if err != nil {
			t.Fatal(err)
		}
		points, err := c.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := s.Server.Keys.Wrap("lottery.series", points)
		if err != nil {
			t.Fatal(err)
		}
		salt, drawAt := strings.Repeat("ab", 16), int64(current["drawTime"].(float64))
		// The rows of an older version: the series began 10 draws ago, and one numero has a bet.
		s.Exec(t, "DELETE FROM lottery_numero WHERE game_id = 1101")
		s.Exec(t, "DELETE FROM lottery_series WHERE game_id = 1101")
		s.Exec(t, `INSERT INTO lottery_series (id, merchant_id, game_id, end_seed, salt, salt_source, first_numero, first_draw, last_draw, length, chain, created_at)
VALUES (77, $1, 1101, $2, $3, 'operator', '20260101-0001', $4, $5, 2000, $6, 0)`, s.ID, c.End().Hex(), salt, drawAt-10*60_000, drawAt+1989*60_000, sealed)
		s.Exec(t, `INSERT INTO lottery_numero (id, merchant_id, game_id, numero, open_at, close_at, draw_at, series_id, link, status) VALUES (78, $1, 1101, $2, 0, $3, $4, 77, 11, 'open')`,
			s.ID, current["numero"], int64(current["closeTime"].(float64)), drawAt)
		s.runJobs(t)
		if got := s.currentNumero(t, "1101"); got["series"] != "77" || got["link"] != 11.0 || got["salt"] != salt {
			t.Errorf("numero with a bet: got %v, want link 11 of the older series", got)
		}
		s.drawNow(t, current)
		result, proof := s.lastDraw(t, "1101")
		older := s.call(t, "GET", "/lgw/series/77", nil, "", http.StatusOK)
		verify(t, "older series", older, result, proof)
		next := s.currentNumero(t, "1101")
		if next["series"] == "77" || next["link"] != 1.0 {
			t.Errorf("the next numero: got %v, want the first link of a new series", next)
		}
		s.drawNow(t, next)
		result, proof = s.lastDraw(t, "1101")
		verify(t, "new series", s.publishedSeries(t, "ssc-1")[0], result, proof)
		if all := s.publishedSeries(t, "ssc-1"); all[0]["id"] != next["series"] || all[0]["used"] != 1.0 {
			t.Errorf("series: got %v, want the first link used", all)
		}
	})
}

func TestLotterySeriesIsReplacedBeforeItsLastNumero(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), servertest.Options(func(o *server.Options) { o.SeriesLength = 10 }))
	first := s.currentNumero(t, "1101")
	for k := range 25 {
		current := s.currentNumero(t, "1101")
		if current["status"] != "open" {
			t.Errorf("numero %d: got %v, want it open", k, current)
		}
		s.drawNow(t, current)
		result, proof := s.lastDraw(t, "1101")
		verify(t, fmt.Sprint("numero ", k), s.call(t, "GET", fmt.Sprintf("/lgw/series/%v", proof["series"]), nil, "", http.StatusOK), result, proof)
	}
	if all := s.publishedSeries(t, "ssc-1"); len(all) < 3 || all[0]["state"] != "running" || all[len(all)-1]["id"] != first["series"] {
		t.Errorf("series after 25 numeros: got %v, want at least three", all)
	}
	// The server was down for longer than a series lasts.
	s.Clock.Add(time.Hour)
	s.runJobs(t)
	s.runJobs(t)
	if current := s.currentNumero(t, "1101"); current["series"] == nil || current["status"] != "open" {
		t.Errorf("numero after an hour: got %v, want it open", current)
	}
}

func TestRekeyEndsLotterySeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session := s.fastSession(t, "minhanh92", "1101")
		current := s.currentNumero(t, "1101")
		s.place(t, session, bet("r1", "1101", current["numero"], "ZY", "sum-side", "big", 10_000, "1.910"))
		before := s.publishedSeries(t, "ssc-1")[0]
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			// The old and the new key are the same, because this server keeps its key.
			keys := s.Server.Keys
			if err := series.Rekey(t.Context(), tx, keys, keys, s.Clock.Now().UnixMilli()); err != nil {
				return err
			}
			return lottery.Rekey(t.Context(), tx, keys, keys)
		})
		if err != nil {
			t.Fatal(err)
		}
		s.drawNow(t, current)
		if all := s.publishedSeries(t, "ssc-1"); len(all) != 2 || all[0]["state"] != "running" || all[0]["end"] == before["end"] || all[1]["state"] != "ended" {
			t.Fatalf("series: got %v, want a new one after the ended one", all)
		}
		result, proof := s.lastDraw(t, "1101")
		if proof["series"] != before["id"] {
			t.Errorf("numero with a bet: got series %v, want %v", proof["series"], before["id"])
		}
		verify(t, "numero with a bet", before, result, proof)
		next := s.currentNumero(t, "1101")
		s.drawNow(t, next)
		result, proof = s.lastDraw(t, "1101")
		now := s.publishedSeries(t, "ssc-1")[0]
		if proof["series"] != now["id"] || proof["link"] != 1.0 {
			t.Errorf("the next numero: got %v, want the first link of series %v", proof, now["id"])
		}
		verify(t, "the next numero", now, result, proof)
	})
}
