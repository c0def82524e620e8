package db_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// After the upgrade, the sums include old and new uses, but no promotions and no zero amounts.
func TestPP05SumsOfOldUses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s, p, write := openAt(t, e, 23)
			add := func(values string) {
				t.Helper()
				write("INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) VALUES " + values)
			}
			add("(1, 7, 'VND', 'stake', 4294967297, 43200000), (2, 7, 'VND', 'stake', 5, 43219999), (3, 7, 'VND', 'stake', -5, 43220000)")
			add("(4, 7, 'VND', 'promotion', 9, 43200000), (5, 7, 'CNY', 'return', 3, 86399999), (6, 8, 'VND', 'deposit', 0, 43200000)")
			if _, err := p.UpTo(ctx, 24); err != nil {
				t.Fatal(err)
			}
			add("(7, 7, 'VND', 'stake', 2, 43200001), (8, 7, 'VND', 'deposit', 1, 43200002), (9, 8, 'VND', 'promotion', 4, 43200003)")
			want := []string{
				"7 CNY 20000 86380000 0 0 0 3 0 0", "7 CNY 43200000 43200000 0 0 0 3 0 0", "7 CNY 900000 85500000 0 0 0 3 0 0",
				"7 VND 20000 43200000 1 8 0 0 0 1", "7 VND 20000 43220000 -1 4294967291 0 0 0 0",
				"7 VND 43200000 43200000 0 4294967299 0 0 0 1", "7 VND 900000 43200000 0 4294967299 0 0 0 1",
			}
			sums := `SELECT member_id || ' ' || currency || ' ' || span || ' ' || since || ' ' || stake_high || ' ' || stake_low
|| ' ' || return_high || ' ' || return_low || ' ' || deposit_high || ' ' || deposit_low FROM limit_sum`
			if diff := cmp.Diff(want, texts(t, s, sums)); diff != "" {
				t.Errorf("sums (-want +got):\n%s", diff)
			}
			if _, err := p.DownTo(ctx, 23); err != nil {
				t.Fatal(err)
			}
			add("(10, 7, 'VND', 'stake', 1, 43200002)")
			if err := s.Migrate(ctx); err != nil {
				t.Fatalf("second upgrade: %v", err)
			}
			want[3] = "7 VND 20000 43200000 1 9 0 0 0 1"
			want[5], want[6] = "7 VND 43200000 43200000 0 4294967300 0 0 0 1", "7 VND 900000 43200000 0 4294967300 0 0 0 1"
			if diff := cmp.Diff(want, texts(t, s, sums)); diff != "" {
				t.Errorf("sums after downgrade and upgrade (-want +got):\n%s", diff)
			}
		})
	}
}

// After the upgrade, old rounds have the state that follows from their bets and wins, including jackpots. They can
// continue, and the sums include them.
func TestCA31RoundsOfOldMoves(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s, p, write := openAt(t, e, 24)
			const moves = "INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at) VALUES "
			write(moves + `(1, 2, 7, 'a', 'bet', 't1', 100, 'VND', 1, 3, FALSE, 900000), (2, 2, 7, 'a', 'win', 't2', 40, 'VND', 1, 3, TRUE, 1800001),
(3, 2, 7, 'b', 'bet', 't3', 10, 'VND', 1, 3, FALSE, 1800000), (4, 2, 7, 'b', 'rollback', 't4', 10, 'VND', 1, 3, FALSE, 1800002),
(5, 2, 7, 'c', 'bet', 't5', 10, 'VND', 1, 3, FALSE, 1800003), (6, 2, 8, 'c', 'bet', 't6', 4000000000000000000, 'VND', 1, 3, FALSE, 5),
(7, 2, 8, 'c', 'bet', 't7', 4000000000000000000, 'VND', 1, 3, FALSE, 6), (8, 2, 7, '', 'promo', 't8', 9, 'VND', 1, 3, FALSE, 7), (9, 2, 7, 'd', 'end', 't9', 0, 'VND', 1, 3, TRUE, 8)`)
			win := "INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake, nonce, number, seed, published_at, won_at) VALUES "
			write(win + "(1, 'VND', 1, 7, 1, 25, 100, 0, 0, '', 0, 0), (1, 'VND', 2, 7, 1, 5, 100, 0, 0, '', 0, 0)")
			if _, err := p.UpTo(ctx, 25); err != nil {
				t.Fatal(err)
			}
			rounds := `SELECT member_id || ' ' || round || ' ' || first_id || ' ' || started || ' ' || settled || ' ' || staked || ' ' || refunded || ' ' || won || ' ' || jackpot
|| ' ' || standing || ' ' || wins || ' ' || ends || ' ' || net || ' ' || status FROM vendor_round`
			want := []string{
				"7 a 1 900000 1800001 100 0 40 30 1 1 1 -30 lost", "7 b 3 1800000 0 10 10 0 0 0 0 0 0 refunded", "7 c 5 1800003 0 10 0 0 0 1 0 0 -10 open",
				"7 d 9 8 8 0 0 0 0 0 0 1 0 ", "8 c 6 5 0 4611686018427387904 0 0 0 2 0 0 -4611686018427387904 open",
			}
			if diff := cmp.Diff(want, texts(t, s, rounds)); diff != "" {
				t.Errorf("rounds (-want +got):\n%s", diff)
			}
			sums := `SELECT member_id || ' ' || since || ' ' || status || ' ' || rounds || ' ' || stake_high || ' ' || stake_low || ' ' || win_high || ' ' || win_low
|| ' ' || jackpot_high || ' ' || jackpot_low || ' ' || won_high || ' ' || won_low || ' ' || lost_high || ' ' || lost_low FROM round_sum WHERE rounds <> 0`
			kept := []string{"7 1800000 refunded 1 0 0 0 0 0 0 0 0 0 0", "7 900000 lost 1 0 100 0 40 0 30 0 0 0 30"}
			if diff := cmp.Diff(kept, texts(t, s, sums)); diff != "" {
				t.Errorf("sums (-want +got):\n%s", diff)
			}
			write(win + "(1, 'VND', 3, 7, 1, 31, 100, 0, 0, '', 0, 0)")
			write(moves + "(10, 2, 7, 'c', 'win', 't10', 0, 'VND', 1, 3, TRUE, 1800009), (11, 2, 7, 'e', 'bet', 't11', 3, 'VND', 1, 3, TRUE, 900001)")
			kept = []string{"7 1800000 lost 1 0 10 0 0 0 0 0 0 0 10", kept[0], "7 900000 lost 1 0 3 0 0 0 0 0 0 0 3", "7 900000 won 1 0 100 0 40 0 61 0 1 0 0"}
			if diff := cmp.Diff(kept, texts(t, s, sums)); diff != "" {
				t.Errorf("sums of later rounds (-want +got):\n%s", diff)
			}
			if _, err := p.DownTo(ctx, 24); err != nil {
				t.Fatal(err)
			}
			if err := s.Migrate(ctx); err != nil {
				t.Fatalf("second upgrade: %v", err)
			}
			if diff := cmp.Diff(kept, texts(t, s, sums)); diff != "" {
				t.Errorf("sums after downgrade and upgrade (-want +got):\n%s", diff)
			}
		})
	}
}

// Wins from before and after the upgrade are on their merchant's winner board. Wins of trial members are not.
func TestCA07BoardsOfOldRounds(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s, p, write := openAt(t, e, 31)
			write("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'a', 'A', 'VND', 0), (2, 'b', 'B', 'VND', 0)")
			write(`INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at)
VALUES (7, 1, 'player', 0, 'VND', 'x', 0), (8, 1, 'trial', 4, 'FUN', 'x', 0), (9, 2, 'stranger', 0, 'VND', 'x', 0)`)
			const moves = "INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at) VALUES "
			const month = "2592000000"
			write(moves + `(1, 2, 7, 'won', 'win', 't1', 9, 'VND', 1, 3, TRUE, ` + month + ` + 5), (2, 2, 7, 'lost', 'bet', 't2', 9, 'VND', 1, 3, TRUE, ` + month + `),
(3, 2, 7, 'old', 'win', 't3', 9, 'VND', 1, 3, TRUE, 5), (4, 2, 7, 'open', 'win', 't4', 9, 'VND', 1, 3, FALSE, 1),
(5, 2, 8, 'trial', 'win', 't5', 9, 'FUN', 1, 3, TRUE, ` + month + `), (6, 2, 9, 'other', 'win', 't6', 9, 'VND', 1, 3, TRUE, ` + month + `)`)
			sums := "SELECT member_id || ' ' || since || ' ' || status || ' ' || rounds || ' ' || win_low FROM round_sum WHERE rounds <> 0"
			kept := texts(t, s, sums)
			if _, err := p.UpTo(ctx, 32); err != nil {
				t.Fatal(err)
			}
			boards := "SELECT round || ' ' || board FROM vendor_round WHERE board IS NOT NULL"
			want := []string{"open 1", "other 2", "won 1"}
			if diff := cmp.Diff(want, texts(t, s, boards)); diff != "" {
				t.Errorf("boards (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(kept, texts(t, s, sums)); diff != "" {
				t.Errorf("sums (-want +got):\n%s", diff)
			}
			write(moves + `(7, 2, 7, 'open', 'end', 't7', 0, 'VND', 1, 3, TRUE, ` + month + `), (8, 2, 7, 'lost', 'win', 't8', 99, 'VND', 1, 3, TRUE, ` + month + `),
(9, 2, 7, 'new', 'win', 't9', 0, 'VND', 1, 3, TRUE, ` + month + `), (10, 2, 8, 'trial', 'win', 't10', 9, 'FUN', 1, 3, TRUE, ` + month + `)`)
			want = []string{"lost 1", "open 1", "other 2", "won 1"}
			if diff := cmp.Diff(want, texts(t, s, boards)); diff != "" {
				t.Errorf("boards of later rounds (-want +got):\n%s", diff)
			}
			if _, err := p.DownTo(ctx, 31); err != nil {
				t.Fatal(err)
			}
			write(moves + "(11, 2, 9, 'again', 'win', 't11', 9, 'VND', 1, 3, TRUE, " + month + ")")
			if _, err := p.UpTo(ctx, 32); err != nil {
				t.Fatalf("second upgrade: %v", err)
			}
			if diff := cmp.Diff(append([]string{"again 2"}, want...), texts(t, s, boards)); diff != "" {
				t.Errorf("boards after downgrade and upgrade (-want +got):\n%s", diff)
			}
		})
	}
}

// openAt returns a database at an older version, its migrations, and a function that runs a statement.
func openAt(t *testing.T, e db.Engine, version int64) (*db.Store, *goose.Provider, func(statement string)) {
	t.Helper()
	s := dbtest.Open(t, dbtest.Blank(t, e))
	p, err := s.Migrations()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	return s, p, func(statement string) {
		t.Helper()
		if _, err := s.Writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(statement, err)
		}
	}
}
