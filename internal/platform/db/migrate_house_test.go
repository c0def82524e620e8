package db_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db/dbtest"
)

// After the upgrade, an old demo still has the House's games, with trial play at its tables. On a site, an imported vendor
// does not become the House.
func TestHouseVendorsOfOldInstallations(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		for kind, want := range map[string]struct{ house, trial []string }{
			"demo": {house: []string{"HOUSE", "JL"}, trial: []string{"slot", "table"}},
			"site": {house: []string{"HOUSE"}, trial: []string{"slot"}},
		} {
			t.Run(string(e)+" "+kind, func(t *testing.T) {
				t.Parallel()
				s, p, run := openAt(t, e, 37)
				run("INSERT INTO installation (id, kind, created_at) VALUES (1, '" + kind + "', 0)")
				run("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)")
				run("INSERT INTO catalogue (merchant_id, version) VALUES (1, 7)")
				run("INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled, launch_url) VALUES" +
					" (2, 1, 'HOUSE', 'House', 'RNG', 1, TRUE, ''), (3, 1, 'JL', 'JL', 'LIVE', 2, TRUE, ''), (4, 1, 'OTHER', 'Other', 'LIVE', 3, TRUE, 'https://games.example')")
				const game = "INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled) VALUES "
				run(game + "(11, 1, 2, 'slot', 'RNG', 'a', '/a', 0, 0, TRUE, TRUE, 1, 0, TRUE)")
				run(game + "(12, 1, 3, 'table', 'LIVE', 'b', '/b', 0, 0, TRUE, FALSE, 2, 0, TRUE)")
				run(game + "(13, 1, 4, 'other', 'LIVE', 'c', '/c', 0, 0, TRUE, FALSE, 3, 0, TRUE)")
				if err := s.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want.house, texts(t, s, "SELECT code FROM vendor WHERE house ORDER BY code")); diff != "" {
					t.Errorf("vendors of the House (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(want.trial, texts(t, s, "SELECT code FROM game WHERE free_play ORDER BY code")); diff != "" {
					t.Errorf("games with a trial (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]string{"9"}, texts(t, s, "SELECT CAST(version AS TEXT) FROM catalogue")); diff != "" {
					t.Errorf("version of the catalogue, which servers compare to reload it (-want +got):\n%s", diff)
				}
				if _, err := p.DownTo(t.Context(), 37); err != nil {
					t.Fatalf("downgrade: %v", err)
				}
			})
		}
	}
}
