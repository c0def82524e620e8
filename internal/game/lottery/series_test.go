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

// published returns the series of a game that /wps/fairness/series lists, the newest first.
func (w *world) published(t testing.TB, code string) (found []fields) {
	t.Helper()
	value, _ := w.call(t, "GET", "/wps/fairness/series?kind=lottery", nil, "", http.StatusOK)["value"].(fields)
	list, _ := value["list"].([]any)
	for _, one := range list {
		if row := one.(fields); row["name"] == fmt.Sprintf("%s-%d", code, w.ID) {
			found = append(found, row)
		}
	}
	return found
}

// lastDraw returns the newest result of a game and its proof.
func (w *world) lastDraw(t testing.TB, game string) (result, proof fields) {
	t.Helper()
	list, _ := w.call(t, "GET", "/lgw/draw/"+game+"?pageSize=1", nil, "", http.StatusOK)["list"].([]any)
	if len(list) != 1 {
		t.Fatalf("draws of %s: got %v, want one", game, list)
	}
	result, _ = list[0].(fields)
	proof, _ = result["proof"].(fields)
	return result, proof
}

// verify recomputes a draw of ssc-1 from what is public.
func verify(t testing.TB, what string, of, result, proof fields) {
	t.Helper()
	text, _ := proof["seed"].(string)
	seed, err := fairness.ParseSeed(text)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := of["end"].(string)
	last, err := fairness.ParseSeed(end)
	if err != nil {
		t.Fatal(err)
	}
	link, _ := proof["link"].(float64)
	salt, _ := of["salt"].(string)
	if !chain.Verify(last, seed, int(link)) {
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
		w := newWorld(t, store, servertest.Options(func(o *server.Options) {
			o.Providers = config.Providers{Beacon: []string{b.URL}, BeaconChain: b.Hash, OutgoingAllow: []string{"127.0.0.0/8"}}
		}))
		clock = w.Clock.Now
		waiting := w.published(t, "ssc-1")
		if len(waiting) != 1 || waiting[0]["state"] != "waiting" || waiting[0]["source"] != "beacon" || waiting[0]["salt"] != "" {
			t.Fatalf("series before the round of the beacon: got %v, want one that waits", waiting)
		}
		near := w.near(t, "1101")
		if near["status"] != "closed" || near["series"] != nil {
			t.Errorf("numero before the salt is known: got %v, want it closed", near)
		}
		session := w.fast(t, "minhanh92", "1101")
		order := bet("a", "1101", near["numero"], "Elott", "sum-side", "big,small", 1000, "1.940")
		w.refuse(t, session, order, http.StatusConflict, "lottery.closed")

		w.Clock.Add(40 * time.Second)
		if err := w.Server.Series.StartDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.tick(t)
		near = w.near(t, "1101")
		running := w.published(t, "ssc-1")
		if len(running) != 1 || running[0]["state"] != "running" || running[0]["end"] != waiting[0]["end"] || running[0]["id"] != near["series"] || running[0]["salt"] != near["salt"] {
			t.Errorf("series with its salt: got %v, want that of %v", running, near)
		}
		if near["status"] == "closed" { // the salt came after the close of a numero
			w.pass(t, near)
			near = w.near(t, "1101")
		}
		order["numero"] = near["numero"]
		w.place(t, session, order)
		w.pass(t, near)
		result, proof := w.lastDraw(t, "1101")
		verify(t, "drawn with the beacon's salt", running[0], result, proof)
		shown := w.call(t, "GET", fmt.Sprintf("/lgw/series/%v", near["series"]), nil, "", http.StatusOK)
		if shown["saltSource"] != "beacon" || shown["salt"] != near["salt"] || shown["end"] != running[0]["end"] {
			t.Errorf("series of the lottery: got %v, want that of the beacon", shown)
		}
		w.VerifyLedger(t)
	})
}

func TestPP17PartAnnouncedResultStartsALotterySeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		lan, minh := w.Operator(t, "lan", "games"), w.Operator(t, "minh", "games")
		name := fmt.Sprintf("ssc-1-%d", w.ID)
		due := w.Clock.Now().Add(25 * time.Hour)
		one := read(t, "announce", lan("POST", "/ops/v1/fairness", fields{"kind": "lottery", "name": name, "detail": "Special prize", "dueAt": due.UnixMilli()}), 200)
		if one["state"] != "waiting" || one["source"] != "announced" || one["generation"] != 2.0 {
			t.Fatalf("announced series: got %v, want generation 2 that waits", one)
		}
		w.tick(t)
		old := w.near(t, "1101")
		w.Exec(t, "UPDATE fair_series SET due_at = $1 WHERE state = 'waiting'", w.Clock.Now().UnixMilli()) // the result is public now
		// A chase has numeros ahead. They keep their series.
		near := w.near(t, "1101")
		if near["series"] != old["series"] {
			t.Errorf("series before the result: got %v, want %v", near, old)
		}
		session := w.fast(t, "minhanh92", "1101")
		order := bet("a", "1101", near["numero"], "Elott", "sum-side", "big,small", 1000, "1.940")
		order["chase"] = fields{"count": 3, "multiplier": 1, "stopOnWin": false}
		placed := w.place(t, session, order)
		waiting := approval(t, "result", lan("POST", fmt.Sprintf("/ops/v1/fairness/%v/value", one["id"]), fields{"version": one["version"], "value": "40213"}))
		read(t, "approve", minh("POST", waiting, fields{"decision": "approve"}), 200)
		w.tick(t)
		all := w.published(t, "ssc-1")
		if len(all) != 2 || all[0]["value"] != "40213" || all[0]["salt"] != series.Salt("lottery", name, 2, all[0]["end"].(string), "40213") || all[1]["state"] != "ended" {
			t.Errorf("series after the result: got %v, want the second one running with its salt", all)
		}
		for k := range 4 {
			near = w.near(t, "1101")
			want := old["series"]
			if k == 3 {
				want = all[0]["id"]
			}
			if near["series"] != want || k == 3 && near["link"] != 1.0 {
				t.Errorf("numero %d after the bet: got %v, want the series %v", k, near, want)
			}
			w.pass(t, near)
			result, proof := w.lastDraw(t, "1101")
			of := all[1]
			if k == 3 {
				of = all[0]
			}
			verify(t, fmt.Sprint("numero ", k), of, result, proof)
		}
		for _, b := range w.bets(t, session, placed["orderId"]) {
			if b["state"] != "won" {
				t.Errorf("bet of the chase: got %v, want it won", b)
			}
		}
		w.VerifyLedger(t)
	})
}

func TestSeriesOfAnOlderVersionStayVerifiable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		near := w.near(t, "1101")
		c, err := chain.New(sha256.Sum256([]byte("older")), 2_000)
		if err != nil {
			t.Fatal(err)
		}
		points, err := c.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := w.Server.Keys.Wrap("lottery.series", points)
		if err != nil {
			t.Fatal(err)
		}
		salt, drawAt := strings.Repeat("ab", 16), int64(near["drawTime"].(float64))
		// As an older version left it: the series draws from 10 minutes before, and one numero has a bet.
		w.Exec(t, "DELETE FROM lottery_numero WHERE game_id = 1101")
		w.Exec(t, "DELETE FROM lottery_series WHERE game_id = 1101")
		w.Exec(t, `INSERT INTO lottery_series (id, merchant_id, game_id, end_seed, salt, salt_source, first_numero, first_draw, last_draw, length, chain, created_at)
VALUES (77, $1, 1101, $2, $3, 'operator', '20260101-0001', $4, $5, 2000, $6, 0)`, w.ID, c.End().Hex(), salt, drawAt-10*60_000, drawAt+1989*60_000, sealed)
		w.Exec(t, `INSERT INTO lottery_numero (id, merchant_id, game_id, numero, open_at, close_at, draw_at, series_id, link, status) VALUES (78, $1, 1101, $2, 0, $3, $4, 77, 11, 'open')`,
			w.ID, near["numero"], int64(near["closeTime"].(float64)), drawAt)
		w.tick(t)
		if got := w.near(t, "1101"); got["series"] != "77" || got["link"] != 11.0 || got["salt"] != salt {
			t.Errorf("numero with a bet: got %v, want link 11 of the older series", got)
		}
		w.pass(t, near)
		result, proof := w.lastDraw(t, "1101")
		of := w.call(t, "GET", "/lgw/series/77", nil, "", http.StatusOK)
		verify(t, "older series", of, result, proof)
		next := w.near(t, "1101")
		if next["series"] == "77" || next["link"] != 1.0 {
			t.Errorf("the next numero: got %v, want the first of a series of package series", next)
		}
		w.pass(t, next)
		result, proof = w.lastDraw(t, "1101")
		verify(t, "new series", w.published(t, "ssc-1")[0], result, proof)
		if all := w.published(t, "ssc-1"); all[0]["id"] != next["series"] || all[0]["used"] != 1.0 {
			t.Errorf("series: got %v, want the first link used", all)
		}
	})
}

func TestLotterySeriesIsReplacedBeforeItsLastNumero(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.SQLite(t), servertest.Options(func(o *server.Options) { o.SeriesLength = 10 }))
	first := w.near(t, "1101")
	for k := range 25 {
		near := w.near(t, "1101")
		if near["status"] != "open" {
			t.Errorf("numero %d: got %v, want it open", k, near)
		}
		w.pass(t, near)
		result, proof := w.lastDraw(t, "1101")
		verify(t, fmt.Sprint("numero ", k), w.call(t, "GET", fmt.Sprintf("/lgw/series/%v", proof["series"]), nil, "", http.StatusOK), result, proof)
	}
	if all := w.published(t, "ssc-1"); len(all) < 3 || all[0]["state"] != "running" || all[len(all)-1]["id"] != first["series"] {
		t.Errorf("series after 25 numeros: got %v, want at least three", all)
	}
	// The server was off for longer than the series lasts.
	w.Clock.Add(time.Hour)
	w.tick(t)
	w.tick(t)
	if near := w.near(t, "1101"); near["series"] == nil || near["status"] != "open" {
		t.Errorf("numero after an hour: got %v, want it open", near)
	}
}

func TestNewKeyEndsALotterySeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		session := w.fast(t, "minhanh92", "1101")
		near := w.near(t, "1101")
		w.place(t, session, bet("r1", "1101", near["numero"], "ZY", "sum-side", "big", 10_000, "1.910"))
		before := w.published(t, "ssc-1")[0]
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			// The same key as old and new one: this server keeps running.
			keys := w.Server.Keys
			if err := series.Rekey(t.Context(), tx, keys, keys, w.Clock.Now().UnixMilli()); err != nil {
				return err
			}
			return lottery.Rekey(t.Context(), tx, keys, keys)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.pass(t, near)
		if all := w.published(t, "ssc-1"); len(all) != 2 || all[0]["state"] != "running" || all[0]["end"] == before["end"] || all[1]["state"] != "ended" {
			t.Fatalf("series: got %v, want a new one after the ended one", all)
		}
		result, proof := w.lastDraw(t, "1101")
		if proof["series"] != before["id"] {
			t.Errorf("numero with a bet: got series %v, want %v", proof["series"], before["id"])
		}
		verify(t, "numero with a bet", before, result, proof)
		next := w.near(t, "1101")
		w.pass(t, next)
		result, proof = w.lastDraw(t, "1101")
		now := w.published(t, "ssc-1")[0]
		if proof["series"] != now["id"] || proof["link"] != 1.0 {
			t.Errorf("the next numero: got %v, want the first link of series %v", proof, now["id"])
		}
		verify(t, "the next numero", now, result, proof)
	})
}
