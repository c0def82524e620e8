package db_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Search words of an older release are found after the upgrade, and exist again after the downgrade.
func TestSearchWordsOfOldNames(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			s, p, _ := openAt(t, e, 11)
			for _, statement := range []string{
				"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
				"INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled) VALUES (2, 1, 'PG', 'PG', 'RNG', 1, TRUE)",
				"INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled)" +
					" VALUES (3, 1, 2, 'g', 'RNG', 'g', '/x', 0, 0, TRUE, FALSE, 1, 0, TRUE)",
				"INSERT INTO game_name (game_id, language, name, folded) VALUES (3, 'vi', 'Rồng Vàng Rồng', 'rong vang rong'), (3, 'en', 'One', 'one'), (3, 'ur', '!', '')",
			} {
				if _, err := s.Writer.ExecContext(ctx, statement); err != nil {
					t.Fatal(statement, err)
				}
			}
			if _, err := p.UpTo(ctx, 12); err != nil {
				t.Fatal(err)
			}
			want := []string{"en one", "vi rong", "vi vang"}
			if diff := cmp.Diff(want, texts(t, s, "SELECT language || ' ' || word FROM game_word WHERE game_id = 3")); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
			if got := texts(t, s, "SELECT CAST(version AS TEXT) FROM catalogue WHERE merchant_id = 1"); !slices.Equal(got, []string{"1"}) {
				t.Errorf("catalogue version = %v, want 1", got)
			}
			if _, err := p.DownTo(ctx, 11); err != nil {
				t.Fatal(err)
			}
			want = []string{"en one", "ur ", "vi rong vang"}
			if diff := cmp.Diff(want, texts(t, s, "SELECT language || ' ' || folded FROM game_name")); diff != "" {
				t.Errorf("after the downgrade (-want +got):\n%s", diff)
			}
			if err := s.Migrate(ctx); err != nil {
				t.Fatalf("second upgrade: %v", err)
			}
		})
	}
}

func texts(t *testing.T, s *db.Store, statement string) (out []string) {
	t.Helper()
	rows, err := s.Reader.QueryContext(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
