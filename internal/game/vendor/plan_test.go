package vendor

import (
	"cmp"
	"math"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
)

// PostgreSQL uses an index for every page of the operators' list of rounds.
func TestOperatorRoundsUseIndexes(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	dbtest.Fill(
		t, store,
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM generate_series(1, 10000) n",
		"INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled) SELECT n, 1, 'V' || n, 'V', 'RNG', n, TRUE FROM generate_series(1, 10) n",
		"INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled) SELECT n, 1, 1 + n % 10, 'g' || n, 'RNG', 'g', '', 1, 1, TRUE, FALSE, n, 0, TRUE FROM generate_series(1, 100) n",
		"INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends) SELECT n, 1 + n % 10, 1 + n % 10000, 'r' || n, 1 + n % 100, n, n, 10, 0, CASE WHEN n % 3 = 0 THEN 20 ELSE 0 END, 1, 1, 1 FROM generate_series(1, 100000) n",
	)
	const all = int64(math.MaxInt64)
	first := page.Key{At: all, ID: all}
	for name, in := range map[string]opsRoundsInput{
		"all":        {},
		"a state":    {Params: oplist.Params{State: statusWon}},
		"a vendor":   {Vendor: "V3"},
		"a round":    {Params: oplist.Params{Q: "r77"}},
		"a period":   {Params: oplist.Params{From: 100, To: 200}},
		"a member":   {Member: 7},
		"a member's": {Member: 7, Params: oplist.Params{State: statusLost, From: 100, To: 90_000}},
	} {
		statement, args := roundsPage(1, &in, first, 26, in.From, cmp.Or(in.To, all)) // the id of a round is its time
		dbtest.WantIndexScan(t, store, name, statement, args, "vendor", "game")
	}
}
