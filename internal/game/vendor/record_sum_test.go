package vendor_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fairground/internal/game/vendor"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// A modelMove is a row of vendor_move.
type modelMove struct {
	round, kind string
	game        int64
	amount      int64
	ends, back  bool
	at          int64
}

// A modelRound is a round with the sums of its moves.
type modelRound struct {
	name, status                           string
	game                                   int64
	started, stake, refunded, won, jackpot int64
}

func modelRounds(moves []modelMove, jackpots map[string]int64) []modelRound {
	byName := map[string]*modelRound{}
	bets, settled, order := map[string]int{}, map[string]bool{}, []string{}
	for _, m := range moves {
		r := byName[m.round]
		if r == nil {
			r = &modelRound{name: m.round, game: m.game, started: m.at}
			byName[m.round] = r
			order = append(order, m.round)
		}
		r.started, r.game = min(r.started, m.at), min(r.game, m.game)
		switch m.kind {
		case "bet":
			r.stake += m.amount
			bets[m.round]++
		case "rollback":
			r.refunded += m.amount
			bets[m.round]--
		case "win":
			r.won += m.amount
		}
		settled[m.round] = settled[m.round] || m.kind == "win" || m.ends
	}
	var out []modelRound
	for _, name := range order {
		r := byName[name]
		r.jackpot = jackpots[name]
		switch {
		case r.stake == 0:
			continue
		case bets[name] == 0:
			r.status = "refunded"
		case !settled[name]:
			r.status = "open"
		case r.won+r.jackpot >= r.stake-r.refunded:
			r.status = "won"
		default:
			r.status = "lost"
		}
		out = append(out, *r)
	}
	return out
}

// The test creates random moves, jackpots and promotions near quarter hours. For any period and filter, the totals, hours and pages of
// the record match the moves.
func TestCA31RecordMatchesMoves(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		games := w.recordGames(t)
		member, keys := int64(5_000_000), int64(1)<<40
		startTime := merchanttest.Start.Add(-24 * time.Hour).Truncate(time.Hour).UnixMilli()
		instant := rapid.Custom(func(t *rapid.T) int64 {
			return startTime + rapid.Int64Range(0, 9).Draw(t, "quarter")*900_000 + rapid.SampledFrom([]int64{0, 1, 450_000, 899_999}).Draw(t, "offset")
		})
		rapid.Check(t, func(rt *rapid.T) {
			member++
			var moves, promos []modelMove
			jackpots := map[string]int64{}
			for range rapid.IntRange(1, 20).Draw(rt, "moves") {
				m := modelMove{
					round: fmt.Sprint("r", rapid.IntRange(1, 6).Draw(rt, "round")), kind: rapid.SampledFrom([]string{"bet", "bet", "win", "rollback", "end", "promo"}).Draw(rt, "what"),
					game: rapid.SampledFrom(games).Draw(rt, "game").ID, amount: rapid.Int64Range(1, 50).Draw(rt, "amount"), ends: rapid.Bool().Draw(rt, "ends"), at: instant.Draw(rt, "at"),
				}
				if m.kind == "rollback" { // of a bet that was not rolled back
					i := slices.IndexFunc(moves, func(b modelMove) bool { return b.round == m.round && b.kind == "bet" && !b.back })
					if i < 0 {
						continue
					}
					moves[i].back, m.amount = true, moves[i].amount
				}
				keys++
				w.exec(t, `INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'VND', 1, $8, $9, $10)`, keys, games[0].VendorID, member, m.round, m.kind, fmt.Sprint(keys), m.amount, m.game, m.ends, m.at)
				if m.kind == "promo" {
					m.round = fmt.Sprint(keys)
					promos = append(promos, m)
					continue
				}
				moves = append(moves, m)
				if rapid.IntRange(0, 5).Draw(rt, "jackpot") == 0 {
					won := rapid.Int64Range(1, 90).Draw(rt, "pool")
					w.addJackpotWin(t, member, fmt.Sprint(keys), keys, won)
					jackpots[m.round] += won
				}
			}
			for range 3 {
				f := vendor.Filter{
					Status: rapid.SampledFrom([]string{"", "", "open", "won", "lost", "refunded", "promo"}).Draw(rt, "status"),
					From:   time.UnixMilli(instant.Draw(rt, "from")), Size: rapid.IntRange(1, 4).Draw(rt, "size"),
				}
				if f.To = time.UnixMilli(instant.Draw(rt, "to")); !f.From.Before(f.To) {
					f.To = f.From.Add(time.Millisecond)
				}
				if rapid.Bool().Draw(rt, "filter by category") {
					f.Category = rapid.SampledFrom(games).Draw(rt, "category").Category
				}
				w.checkRecord(rt, member, f, modelRounds(moves, jackpots), promos, games)
			}
		})
	})
}

// Totals of whole quarter hours come from the stored sums, for any start and end of the period. The test deletes the rounds that the
// totals must not read.
func TestCA31PartTotalsReadStoredSums(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		game := w.recordGames(t)[0]
		startTime := merchanttest.Start.Add(-24 * time.Hour).Truncate(time.Hour)
		const member, quarters = 5_000_000, 12
		for q := range int64(quarters) { // each has a round that loses 10
			at := startTime.Add(time.Duration(q)*15*time.Minute + 10*time.Minute).UnixMilli()
			for i, call := range []string{"bet", "end"} {
				id := 1<<40 + 2*q + int64(i)
				w.exec(t, `INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'VND', 1, $8, $9, $10)`, id, game.VendorID, member, fmt.Sprint("r", q), call, fmt.Sprint(id), 10*(1-i), game.ID, i == 1, at)
			}
		}
		w.exec(t, "DELETE FROM vendor_round WHERE member_id = $1 AND round NOT IN ('r0', 'r11')", member)
		for _, shift := range []time.Duration{0, 1, time.Minute} { // the first and last quarter hours are incomplete
			f := vendor.Filter{From: startTime.Add(shift), To: startTime.Add(quarters*15*time.Minute - time.Minute)}
			got, hours, err := w.vendors.RecordTotals(t.Context(), rest.Caller{MemberID: member, Currency: "VND"}, f)
			if err != nil || got.Rounds != quarters || got.Net != -10*quarters || len(hours) != 3 {
				t.Errorf("start %v after a quarter hour: totals %+v in %d hours, error %v; want %d rounds, net %d, 3 hours", shift, got, len(hours), err, quarters, -10*quarters)
			}
		}
	})
}

func (w *vendorSite) recordGames(t *testing.T) (out []vendor.Game) {
	t.Helper()
	rows, err := w.Store.Reader.QueryContext(t.Context(), "SELECT g.id, g.vendor_id, g.category FROM game g JOIN vendor v ON v.id = g.vendor_id WHERE v.code = 'TEST' ORDER BY g.id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var g vendor.Game
		if err := rows.Scan(&g.ID, &g.VendorID, &g.Category); err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	if err := rows.Err(); err != nil || len(out) < 2 {
		t.Fatalf("%d games, %v, want at least 2", len(out), err)
	}
	return out
}

func (w *vendorSite) checkRecord(rt *rapid.T, member int64, f vendor.Filter, all []modelRound, promos []modelMove, games []vendor.Game) {
	var want vendor.Totals
	var running int64
	hours, names := map[int64]vendor.Hour{}, map[string]bool{}
	startTime := f.From.Truncate(15 * time.Minute).UnixMilli()
	for _, r := range all {
		at := slices.IndexFunc(games, func(g vendor.Game) bool { return g.ID == r.game })
		if r.started < f.From.UnixMilli() || r.started >= f.To.UnixMilli() || f.Status != "" && f.Status != r.status || f.Category != "" && f.Category != games[at].Category {
			continue
		}
		net := r.won + r.jackpot - r.stake + r.refunded
		if r.status == "open" { // neither won nor lost
			running -= net
			net = 0
		}
		names[r.name] = true
		want.Rounds++
		want.Stake += money.Minor(r.stake - r.refunded)
		want.Win += money.Minor(r.won)
		want.Jackpot += money.Minor(r.jackpot)
		want.Net += money.Minor(net)
		h := hours[(r.started-startTime)/3_600_000]
		h.At = max(f.From.UnixMilli(), startTime+(r.started-startTime)/3_600_000*3_600_000)
		h.Won += money.Minor(max(0, net))
		h.Lost += money.Minor(max(0, -net))
		hours[(r.started-startTime)/3_600_000] = h
	}
	want.Open = money.Minor(max(0, running))
	for _, p := range promos {
		at := slices.IndexFunc(games, func(g vendor.Game) bool { return g.ID == p.game })
		if p.at >= f.From.UnixMilli() && p.at < f.To.UnixMilli() && (f.Status == "" || f.Status == "promo") && (f.Category == "" || f.Category == games[at].Category) {
			want.Promo += money.Minor(p.amount)
			names[p.round] = true
		}
	}
	who := rest.Caller{MemberID: member, Currency: "VND"}
	got, gotHours, err := w.vendors.RecordTotals(context.Background(), who, f)
	if err != nil {
		rt.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		rt.Fatalf("totals (-want +got):\n%s", diff)
	}
	if len(gotHours) != len(hours) {
		rt.Fatalf("hours %v, want %v", gotHours, hours)
	}
	for _, h := range gotHours {
		if hours[(h.At-startTime)/3_600_000] != h {
			rt.Fatalf("hours %v, want %v", gotHours, hours)
		}
	}
	for last := int64(1) << 62; ; {
		page, next, err := w.vendors.Record(context.Background(), who, "en", f)
		if err != nil {
			rt.Fatal(err)
		}
		for _, r := range page {
			if !names[r.ID] || r.StartedAt > last {
				rt.Fatalf("%+v is out of order, duplicated or unexpected", r)
			}
			delete(names, r.ID)
			last = r.StartedAt
			if r.Status == "promo" {
				want.Promo -= r.Net()
			} else if r.Status != "open" {
				want.Net -= r.Net()
			}
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if len(names) > 0 || want.Net != 0 || want.Promo != 0 {
		rt.Fatalf("rounds missing from the pages: %v; net differs by %d, promotions by %d", names, want.Net, want.Promo)
	}
}
