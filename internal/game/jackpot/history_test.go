package jackpot_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/jackpot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

type drawReply struct {
	Series, Nonce          int64
	Stake                  money.Minor
	ClientSeed, Commitment string
	Seed                   *string
	Number, Below          *int
	Won                    *int64
}

type ownDraw struct {
	Draw           drawReply
	State, RoundID string
}

type ownPage struct {
	List []ownDraw
	Next string
}

// redraw repeats a draw from its public data and reports whether it wins.
func (c drawReply) redraw(t *testing.T) bool {
	t.Helper()
	r, _ := jackpot.RulesOf(currency)
	seed, err := fairness.ParseSeed(*c.Seed)
	if err != nil || seed.Commitment() != c.Commitment {
		t.Fatalf("PP-13 seed %s does not match commitment %s", *c.Seed, c.Commitment)
	}
	drawn := r.Draw(seed, c.ClientSeed, c.Nonce, c.Stake)
	if drawn.Number != *c.Number || drawn.Below != *c.Below || drawn.Won() != (c.Won != nil) {
		t.Errorf("PP-13 redraw = %d below %d, want %+v", drawn.Number, drawn.Below, c)
	}
	return drawn.Won()
}

func TestPP13DrawHistory(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newJackpotSite(t, store, 1, 2)
		w.serve(t)
		ownOf := func(who, query string) ownPage {
			return merchanttest.Value[ownPage](t, w.site.Call(t, "GET", "/wps/jackpot/draws"+query, nil, "Authorization", who))
		}
		draw := func(series, nonce int64) merchanttest.Reply {
			return w.site.Call(t, "GET", fmt.Sprintf("/wps/jackpot/draw?series=%d&nonce=%d", series, nonce), nil)
		}
		_, waits := w.bet(t, 1, 1_000)
		_, round := w.bet(t, 1, 54_321)
		w.settle(t, 1, round)
		back, _ := w.bet(t, 1, 700)
		w.returnStake(t, 1, back, 700)
		w.draw(t)
		t.Run("PP-13 a running series shows the commitment but not the seed or results", func(t *testing.T) {
			list := ownOf("member1", "").List
			if len(list) != 3 || list[0].State != "void" || list[1].State != "drawn" || list[2].State != "open" || list[2].RoundID != waits {
				t.Fatalf("tickets = %+v, want void, drawn and open (round %s)", list, waits)
			}
			if c := list[1].Draw; c.Commitment != w.checkPool(t).Commitment || c.Seed != nil || c.Number != nil || c.Won != nil || c.Nonce != 2 || c.Series != 1 {
				t.Errorf("draw = %+v, want ticket 2 in series 1 with its commitment only", c)
			}
			if c := list[2].Draw; c.Commitment != "" || c.Series != 0 {
				t.Errorf("draw = %+v, want no series and no commitment", c)
			}
			merchanttest.Want(t, draw(1, 2), 200, `{
				"success": true,
				"value": {
					"below": null, "chain": "(varies)", "chainId": "1020", "clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-1",
					"commitment": "48fd9b1e28d5fd4d430557ee30a6c45e984038d2135f3981051cca1d8036c95b", "currency": "VND", "link": 1, "nonce": 2,
					"number": null, "parts": 2000000000, "publishedAt": 1773480413000, "seed": null, "series": 1, "stake": 54321, "unit": 100,
					"won": null
				}
			}`, "chain")
			type chained struct {
				ClientSeed string
				Chain      struct{ ID, Kind, Source, Salt string }
			}
			if c := merchanttest.Value[chained](t, draw(1, 2)); c.Chain.ID != "1020" || c.Chain.Kind != "jackpot" || c.Chain.Source != "operator" || !strings.HasPrefix(c.ClientSeed, c.Chain.Salt+"-") || c.Chain.Salt == "" {
				t.Errorf("series of the draw: got %+v, want 1020, whose start the operator chose", c)
			}
			merchanttest.Want(t, w.site.Call(t, "GET", "/wps/jackpot/draws", nil, "Authorization", "member1"), 200, `{
				"success": true,
				"value": {
					"list": [
						{
							"at": "(varies)",
							"draw": {
								"below": null, "chainId": "", "clientSeed": "", "commitment": "", "currency": "VND", "link": 0, "nonce": 3,
								"number": null, "parts": 2000000000, "publishedAt": 0, "seed": null, "series": 0, "stake": 700, "unit": 100, "won": null
							},
							"roundId": "r3", "share": 0, "state": "void", "vendor": "HOUSE"
						},
						{
							"at": "(varies)",
							"draw": {
								"below": null, "chainId": "1020", "clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-1",
								"commitment": "48fd9b1e28d5fd4d430557ee30a6c45e984038d2135f3981051cca1d8036c95b", "currency": "VND", "link": 1,
								"nonce": 2, "number": null, "parts": 2000000000, "publishedAt": 1773480413000, "seed": null, "series": 1, "stake": 54321,
								"unit": 100, "won": null
							},
							"roundId": "r2", "share": 543, "state": "drawn", "vendor": "HOUSE"
						},
						{
							"at": "(varies)",
							"draw": {
								"below": null, "chainId": "", "clientSeed": "", "commitment": "", "currency": "VND", "link": 0, "nonce": 1,
								"number": null, "parts": 2000000000, "publishedAt": 0, "seed": null, "series": 0, "stake": 1000, "unit": 100, "won": null
							},
							"roundId": "r1", "share": 10, "state": "open", "vendor": "HOUSE"
						}
					],
					"next": ""
				}
			}`, "at")
		})
		_, round = w.bet(t, 2, winningStake)
		w.settle(t, 2, round)
		w.draw(t)
		t.Run("PP-13 anyone can verify all draws of a won series", func(t *testing.T) {
			won := 0
			for _, nonce := range []int64{2, 4} { // ticket 1 waits, and 3 is void
				if merchanttest.Value[drawReply](t, draw(1, nonce)).redraw(t) {
					won++
				}
			}
			if won != 1 {
				t.Errorf("%d draws win, want 1", won)
			}
			merchanttest.Want(t, draw(1, 4), 200, `{
				"success": true,
				"value": {
					"below": 2000000000, "chain": "(varies)", "chainId": "1020", "clientSeed": "71fcb8605acf5cc7ab7be53a86394b35-VND-1",
					"commitment": "48fd9b1e28d5fd4d430557ee30a6c45e984038d2135f3981051cca1d8036c95b", "currency": "VND", "link": 1, "nonce": 4,
					"number": 797338955, "parts": 2000000000, "publishedAt": 1773480413000,
					"seed": "236703a22bfcc472294766e8689322ddcade79adefb8ee566a97b949effeaf64", "series": 1, "stake": 200000000000, "unit": 100,
					"won": 5700000543
				}
			}`, "chain")
			if mine := ownOf("member1", "").List[1].Draw; mine.redraw(t) {
				t.Error("the losing draw wins")
			}
			if theirs := ownOf("member2", "").List; len(theirs) != 1 || !theirs[0].Draw.redraw(t) {
				t.Errorf("the winning draw does not win: %+v", theirs)
			}
		})
		t.Run("PP-13 a player lists the draws of one round", func(t *testing.T) {
			mine := ownOf("member2", "?vendor=HOUSE&roundId="+round).List
			if len(mine) != 1 || mine[0].RoundID != round || mine[0].Draw.Won == nil || !mine[0].Draw.redraw(t) {
				t.Errorf("draws = %+v, want the won draw of round %s", mine, round)
			}
			for who, query := range map[string]string{
				"member1": "?vendor=HOUSE&roundId=" + round, "member2": "?vendor=OTHER&roundId=" + round,
			} {
				if got := ownOf(who, query).List; len(got) != 0 {
					t.Errorf("%s %s: draws = %+v, want none", who, query, got)
				}
			}
		})
		t.Run("PP-13 an unknown draw is not found", func(t *testing.T) {
			merchanttest.Want(t, draw(1, 3), 404, `{"success":false,"message":"not found","errorCode":"jackpot.no_draw"}`)
			for _, path := range []string{"/wps/jackpot/draw?series=1&nonce=1&currency=AAA", "/wps/jackpot/draw?series=1&nonce=1&currency=USD", "/wps/jackpot/draw?series=9&nonce=1"} {
				if r := w.site.Call(t, "GET", path, nil); r.Status != 404 {
					t.Errorf("%s: status = %d, want 404", path, r.Status)
				}
			}
		})
		t.Run("PP-13 pages of own draws only", func(t *testing.T) {
			var seen []string
			for cursor := ""; ; {
				page := ownOf("member1", "?pageSize=2&cursor="+cursor)
				for _, c := range page.List {
					seen = append(seen, strconv.FormatInt(int64(c.Draw.Stake), 10))
				}
				if cursor = page.Next; cursor == "" {
					break
				}
			}
			if fmt.Sprint(seen) != "[700 54321 1000]" {
				t.Errorf("got %v, want [700 54321 1000]", seen)
			}
			if r := w.site.Call(t, "GET", "/wps/jackpot/draws", nil); r.Status != 401 {
				t.Errorf("without a session: %d, want 401", r.Status)
			}
			if r := w.site.Call(t, "GET", "/wps/jackpot/draws?cursor=99999999999999999999", nil, "Authorization", "member1"); r.Status != 400 {
				t.Errorf("bad cursor: %d, want 400", r.Status)
			}
		})
	})
}
