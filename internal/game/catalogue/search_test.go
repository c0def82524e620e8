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

// eavesdropper notes a statement instead of running it.
type eavesdropper struct {
	query.DBTX
	text string
	args []any
}

var errHeard = errors.New("heard")

func (e *eavesdropper) QueryContext(_ context.Context, text string, args ...any) (*sql.Rows, error) {
	e.text, e.args = text, args
	return nil, errHeard
}

// plan is how the engine would run a statement.
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

// With ten thousand games no request scans a table: pages come from memory, and each statement of the others goes by an
// index, before the database has counted its rows and after.
func TestTenThousandGames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		games := 10_000
		if store.Engine == db.SQLite {
			games = manyOnSQLite
		}
		begin := time.Now()
		thousands(t, site, s, games)
		taken := time.Since(begin)
		begin = time.Now()
		if got := ask(t, site); got.Total != int64(games) || got.TotalPages != int64(games+20)/21 || len(got.Games) != 21 {
			t.Errorf("%d games on %d pages", got.Total, got.TotalPages)
		}
		t.Logf("taken in within %s, read within %s", taken.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
		for _, typed := range [][3]string{{"5"}, {"", "", "999"}, {"5", "77"}, {"1", "1", "1"}, {}} {
			want := int64(0)
			for i := range games {
				if strings.HasPrefix(fmt.Sprint(i%97), typed[0]) && strings.HasPrefix(fmt.Sprint(i%1009), typed[1]) && strings.HasPrefix(fmt.Sprint(i), typed[2]) {
					want++
				}
			}
			name := fmt.Sprintf("Tù%s vân%s sô%s", typed[0], typed[1], typed[2])
			if got := ask(t, site, "gameName", name); got.Total != want {
				t.Errorf("%q: %d games, want %d", name, got.Total, want)
			}
		}
		for id := range int64(60) { // with favourites and games played last
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
			statements[catalogue.SearchText(words)] = args
		}
		heard := &eavesdropper{}
		q := query.New(heard)
		for _, call := range []func() error{
			func() error { _, err := q.Favourites(t.Context(), 107); return err },
			func() error { _, err := q.RecentGames(t.Context(), 107); return err },
		} {
			if err := call(); !errors.Is(err, errHeard) {
				t.Fatal(err)
			}
			statements[heard.text] = heard.args
		}
		for _, counted := range []bool{false, true} {
			if counted {
				if _, err := store.Writer.ExecContext(t.Context(), "ANALYZE"); err != nil {
					t.Fatal(err)
				}
			}
			for text, args := range statements {
				if p := plan(t, store, text, args...); strings.Contains(p, "SCAN ") || strings.Contains(p, "Seq Scan") || !strings.Contains(p, "SEARCH") && !strings.Contains(p, "Index") {
					t.Errorf("counted %v: %s\nis run by\n%s", counted, text, p)
				}
			}
		}
		// Without its database the server still has every page, and no search.
		if err := errors.Join(store.Reader.Close(), store.Writer.Close()); err != nil {
			t.Fatal(err)
		}
		for _, query := range [][]string{
			{"pageNo", "40"}, {"sort", "name", "pageNo", "9"}, {"sort", "new", "gameType", "LIVE"}, {"gameType", "FISH", "pageNo", "3"}, {"vassalage", "V03,V04", "gameClassify", "c5", "minBet", "1000", "minLine", "10"},
		} {
			if got := ask(t, site, query...); len(got.Games) == 0 {
				t.Errorf("%v: %+v", query, got)
			}
		}
		if reply := site.Call(t, "GET", question("gameName", "tu6"), nil); reply.Status < 500 {
			t.Errorf("a search without a database: %d", reply.Status)
		}
	})
}

// However many questions there are, what is kept of their answers stays within its bound.
func TestKeptPagesAreBounded(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	thousands(t, site, s, 400)
	for i := range 700 {
		ask(t, site, "pageSize", "100", "minBet", fmt.Sprint(100_000+i))
	}
	weight, most := s.PagesWeight()
	if weight > most || weight < most/2 {
		t.Errorf("%d bytes are kept, %d may be", weight, most)
	}
	before := weight
	for range 10 {
		ask(t, site, "x", strings.Repeat("x", 600)) // longer than questions that are kept
	}
	if weight, _ := s.PagesWeight(); weight > before {
		t.Errorf("%d bytes, %d before", weight, before)
	}
}

// Of typed words only those count that say more than another: the rest of them never changes what is found.
func TestWordsThatCount(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"Rồng rồng RONG": "rong", "r ro rong": "rong", "rong ro vang v": "rong vang", "": "", "  !!! ": "", "long l lo": "long", "1 12 2": "12 2",
	} {
		if got := strings.Join(catalogue.Words(typed), " "); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	word := rapid.StringMatching(`[ab]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.SliceOfN(word, 0, 6).Draw(t, "typed")
		name := rapid.SliceOfN(word, 0, 6).Draw(t, "name")
		begun := func(typed []string) bool {
			return !slices.ContainsFunc(typed, func(w string) bool {
				return !slices.ContainsFunc(name, func(of string) bool { return strings.HasPrefix(of, w) })
			})
		}
		if kept := catalogue.Words(strings.Join(typed, " ")); begun(kept) != begun(typed) {
			t.Fatalf("%v counts as %v, and finds otherwise in %v", typed, kept, name)
		}
	})
}

func TestWordsAreBounded(t *testing.T) {
	t.Parallel()
	got := catalogue.Words("a bb ccc dddd eeeee ffffff g hh iii jjjj")
	want := []string{"ffffff", "eeeee", "dddd", "jjjj", "ccc", "iii", "bb", "hh"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want the eight longest %q", got, want)
	}
}
