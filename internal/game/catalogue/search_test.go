package catalogue_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
)

type statementRecorder struct {
	query.DBTX
	text string
	args []any
}

var errRecorded = errors.New("recorded")

func (r *statementRecorder) QueryContext(_ context.Context, text string, args ...any) (*sql.Rows, error) {
	r.text, r.args = text, args
	return nil, errRecorded
}

func plan(t *testing.T, store *db.Store, text string, args ...any) string {
	t.Helper()
	explain := "EXPLAIN " + text
	if store.Engine == db.SQLite {
		explain = "EXPLAIN QUERY PLAN " + text
	}
	rows, err := db.Bind(store.Engine, store.Reader).QueryContext(t.Context(), explain, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var a, b, c int
		var line string
		into := []any{&line}
		if store.Engine == db.SQLite {
			into = []any{&a, &b, &c, &line}
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Pages come from memory. Every other statement uses an index, with and without table statistics.
func TestLargeCatalogueNeedsNoTableScan(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		games := 10_000
		if store.Engine == db.SQLite {
			games = largeCatalogueOnSQLite
		}
		startTime := time.Now()
		importMany(t, site, s, games)
		imported := time.Since(startTime)
		startTime = time.Now()
		if got := listGames(t, site); got.Total != int64(games) || got.TotalPages != int64(games+20)/21 || len(got.Games) != 21 {
			t.Errorf("%d games on %d pages, want %d games, 21 per page", got.Total, got.TotalPages, games)
		}
		t.Logf("import took %s, first page took %s", imported.Round(time.Millisecond), time.Since(startTime).Round(time.Millisecond))
		for _, typed := range [][3]string{{"5"}, {"", "", "999"}, {"5", "77"}, {"1", "1", "1"}, {}} {
			want := int64(0)
			for i := range games {
				if strings.HasPrefix(fmt.Sprint(i%97), typed[0]) && strings.HasPrefix(fmt.Sprint(i%1009), typed[1]) && strings.HasPrefix(fmt.Sprint(i), typed[2]) {
					want++
				}
			}
			name := fmt.Sprintf("Tù%s vân%s sô%s", typed[0], typed[1], typed[2])
			if got := listGames(t, site, "gameName", name); got.Total != want {
				t.Errorf("search %q found %d games, want %d", name, got.Total, want)
			}
		}
		for id := range int64(60) {
			site.AddMember(t, 100+id, fmt.Sprintf("player%d", id))
		}
		for _, table := range []string{"favourite (member_id, game_id, created_at)", "recent (member_id, game_id, played_at)"} {
			if _, err := store.Writer.ExecContext(t.Context(), "INSERT INTO "+table+" SELECT m.id, g.id, g.id FROM member m, game g WHERE g.code < 'g00200'"); err != nil {
				t.Fatal(err)
			}
		}
		statements := map[string][]any{}
		for words, args := range map[int][]any{
			1: {"vi", "t", "t\U0010FFFF"}, 2: {"vi", "tu5", "tu5\U0010FFFF", "v", "v\U0010FFFF"},
			3: {"vi", "tu5", "tu5\U0010FFFF", "van7", "van7\U0010FFFF", "so9", "so9\U0010FFFF"},
		} {
			statements[catalogue.SearchSQL(words)] = args
		}
		recorder := &statementRecorder{}
		q := query.New(recorder)
		for _, call := range []func() error{
			func() error { _, err := q.Favourites(t.Context(), 107); return err },
			func() error { _, err := q.RecentGames(t.Context(), 107); return err },
		} {
			if err := call(); !errors.Is(err, errRecorded) {
				t.Fatal(err)
			}
			statements[recorder.text] = recorder.args
		}
		for _, analyzed := range []bool{false, true} {
			if analyzed {
				if _, err := store.Writer.ExecContext(t.Context(), "ANALYZE"); err != nil {
					t.Fatal(err)
				}
			}
			for text, args := range statements {
				if p := plan(t, store, text, args...); strings.Contains(p, "SCAN ") || strings.Contains(p, "Seq Scan") || !strings.Contains(p, "SEARCH") && !strings.Contains(p, "Index") {
					t.Errorf("analyzed %v: %s\nhas the plan\n%s", analyzed, text, p)
				}
			}
		}
		// Without the database, pages still work, but searches fail.
		if err := errors.Join(store.Reader.Close(), store.Writer.Close()); err != nil {
			t.Fatal(err)
		}
		for _, query := range [][]string{
			{"pageNo", "40"}, {"sort", "name", "pageNo", "9"}, {"sort", "new", "gameType", "LIVE"}, {"gameType", "FISH", "pageNo", "3"}, {"vassalage", "V03,V04", "gameClassify", "c5", "minBet", "1000", "minLine", "10"},
		} {
			if got := listGames(t, site, query...); len(got.Games) == 0 {
				t.Errorf("page of %v without database = %+v, want games", query, got)
			}
		}
		if reply := site.Call(t, "GET", listURL("gameName", "tu6"), nil); reply.Status < 500 {
			t.Errorf("search without database: status %d, want 5xx", reply.Status)
		}
	})
}

func TestPageCacheIsBounded(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	importMany(t, site, s, 400)
	for i := range 700 {
		listGames(t, site, "pageSize", "100", "minBet", fmt.Sprint(100_000+i))
	}
	weight, limit := s.PagesWeight()
	if weight > limit || weight < limit/2 {
		t.Errorf("cache holds %d bytes, want between half of and at most %d", weight, limit)
	}
	before := weight
	for range 10 {
		listGames(t, site, "x", strings.Repeat("x", 600)) // too long for the cache
	}
	if weight, _ := s.PagesWeight(); weight > before {
		t.Errorf("cache grew from %d to %d bytes by long queries", before, weight)
	}
}

// Dropping words that are prefixes of others never changes the result.
func TestSearchWords(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"Rồng rồng RONG": "rong", "r ro rong": "rong", "rong ro vang v": "rong vang", "": "", "  !!! ": "", "long l lo": "long", "1 12 2": "12 2",
	} {
		if got := strings.Join(catalogue.SearchWords(typed), " "); got != want {
			t.Errorf("SearchWords(%q) = %q, want %q", typed, got, want)
		}
	}
	word := rapid.StringMatching(`[ab]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.SliceOfN(word, 0, 6).Draw(t, "typed")
		name := rapid.SliceOfN(word, 0, 6).Draw(t, "name")
		matches := func(typed []string) bool {
			return !slices.ContainsFunc(typed, func(w string) bool {
				return !slices.ContainsFunc(name, func(of string) bool { return strings.HasPrefix(of, w) })
			})
		}
		if kept := catalogue.SearchWords(strings.Join(typed, " ")); matches(kept) != matches(typed) {
			t.Fatalf("SearchWords(%v) = %v, which matches %v differently", typed, kept, name)
		}
	})
}

func TestSearchUsesTheLongestWords(t *testing.T) {
	t.Parallel()
	got := catalogue.SearchWords("a bb ccc dddd eeeee ffffff g hh iii jjjj")
	want := []string{"ffffff", "eeeee", "dddd", "jjjj", "ccc", "iii", "bb", "hh"}
	if !slices.Equal(got, want) {
		t.Errorf("SearchWords = %q, want the eight longest %q", got, want)
	}
}
