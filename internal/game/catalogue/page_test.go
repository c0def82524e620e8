package catalogue_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"pgregory.net/rapid"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// shelf is a catalogue drawn at random, as the model knows it.
type shelf struct {
	games    []catalogue.Game // as stored, in no order
	vendors  map[string]bool  // whether it is switched on
	sortedIn map[string]int64 // node ids by code: what breaks ties
}

var (
	someVendors    = []string{"PG", "EG3", "JL", "OLD"}
	someCategories = []string{"RNG", "FISH", "JL", "LIVE"}
	someClasses    = []string{"myth", "sea", "new"}
	someWords      = []string{"rong", "rồng", "Rổng", "vang", "vạn", "đỏ", "do", "biển", "b", "long", "lồng"}
)

func drawShelf(t *rapid.T) *shelf {
	d := &shelf{vendors: map[string]bool{}}
	for _, v := range someVendors {
		d.vendors[v] = rapid.IntRange(0, 4).Draw(t, "on") > 0
	}
	for i := range rapid.IntRange(0, 40).Draw(t, "games") {
		g := game("g"+strconv.Itoa(i), rapid.SampledFrom(someVendors).Draw(t, "vendor"), 0)
		g.Category = rapid.SampledFrom(someCategories).Draw(t, "category")
		g.Classes = rapid.SliceOfNDistinct(rapid.SampledFrom(someClasses), 0, 3, rapid.ID).Draw(t, "classes")
		g.MinBet, g.MinLines = rapid.Int64Range(0, 3).Draw(t, "bet"), rapid.Int64Range(0, 3).Draw(t, "lines")
		g.Sorting, g.HotRank = rapid.Int64Range(0, 5).Draw(t, "sorting"), rapid.Int64Range(0, 3).Draw(t, "rank")
		g.Names["vi"] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(someWords), 1, 3).Draw(t, "name"), " ")
		g.Enabled = rapid.IntRange(0, 6).Draw(t, "shown") > 0
		d.games = append(d.games, g)
	}
	return d
}

type wanted struct {
	category, name   string
	sort             string
	vendors, classes []string
	maxBet, minLines int64
}

func drawFilter(t *rapid.T) wanted {
	return wanted{
		sort:     rapid.SampledFrom([]string{"", "popular", "new", "name"}).Draw(t, "asked order"),
		category: rapid.SampledFrom([]string{"", "ALL", "RNG", "FISH", "JL", "LIVE", "HOT", "HOME", "PVP"}).Draw(t, "asked category"),
		name:     strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(someWords, "r", "ro", "v", "l", "x")), 0, 3).Draw(t, "asked name"), " "),
		vendors:  rapid.SliceOfN(rapid.SampledFrom(append(someVendors, "NONE")), 0, 2).Draw(t, "asked vendors"),
		classes:  rapid.SliceOfN(rapid.SampledFrom(append(someClasses, "none")), 0, 2).Draw(t, "asked classes"),
		maxBet:   rapid.Int64Range(0, 3).Draw(t, "asked bet"), minLines: rapid.Int64Range(0, 3).Draw(t, "asked lines"),
	}
}

// list is what the filter must give, told in the plainest way.
func (d *shelf) list(f wanted) []string {
	games := slices.Clone(d.games)
	hot := f.category == "HOT" || f.category == "HOME"
	byPlace := func(a, b catalogue.Game) int {
		first, second := a.Sorting, b.Sorting
		if hot && f.sort != "name" {
			first, second = a.HotRank, b.HotRank
		}
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(d.sortedIn[a.Code], d.sortedIn[b.Code]))
	}
	dictionary := collate.New(language.Vietnamese)
	slices.SortFunc(games, func(a, b catalogue.Game) int {
		switch f.sort {
		case "new":
			older := cmp.Compare(d.sortedIn[b.Code], d.sortedIn[a.Code])
			if first := slices.Contains(a.Classes, "new"); first != slices.Contains(b.Classes, "new") {
				older = map[bool]int{true: -1, false: 1}[first]
			}
			return older
		case "name":
			return cmp.Or(dictionary.CompareString(a.Names["vi"], b.Names["vi"]), byPlace(a, b))
		default:
			return byPlace(a, b)
		}
	})
	var out []string
	for _, g := range games {
		in := f.category == "" || f.category == "ALL" || f.category == g.Category || hot && g.HotRank > 0 || f.category == "JL" && g.Vendor == "JL"
		in = in && g.Enabled && d.vendors[g.Vendor]
		in = in && (len(f.vendors) == 0 || slices.Contains(f.vendors, g.Vendor))
		in = in && (len(f.classes) == 0 || slices.ContainsFunc(f.classes, func(c string) bool { return slices.Contains(g.Classes, c) }))
		in = in && (f.maxBet == 0 || g.MinBet <= f.maxBet) && g.MinLines >= f.minLines
		for _, typed := range strings.Fields(catalogue.Fold(f.name)) {
			in = in && slices.ContainsFunc(strings.Fields(catalogue.Fold(g.Names["vi"])), func(w string) bool { return strings.HasPrefix(w, typed) })
		}
		if in {
			out = append(out, g.Code)
		}
	}
	return out
}

// For any catalogue, any filter and any size, the pages join to the whole list: no gap, nothing twice, in order. LB-11.
func TestPagesJoinToTheWholeList(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		for seed := range 6 {
			d := rapid.Custom(drawShelf).Example(seed)
			d.store(t, site, s)
			rapid.Check(t, func(r *rapid.T) {
				f := drawFilter(r)
				size := rapid.Int64Range(1, 45).Draw(r, "size")
				want := d.list(f)
				if got := joined(t, r, site, f, size, int64(len(want))); !slices.Equal(got, want) {
					r.Fatalf("%+v by %d:\n got %v\nwant %v", f, size, got, want)
				}
			})
		}
	})
}

// store puts the shelf in place of an earlier one; games that come again keep their node ids.
func (d *shelf) store(t *testing.T, site *merchanttest.Site, s *catalogue.Service) {
	t.Helper()
	if _, err := site.Store.Writer.ExecContext(t.Context(), "UPDATE game SET enabled = FALSE"); err != nil {
		t.Fatal(err)
	}
	makers := make([]catalogue.Vendor, 0, len(someVendors))
	for _, v := range someVendors {
		makers = append(makers, catalogue.Vendor{Code: v, DisplayName: v, AccountType: "RNG", Enabled: d.vendors[v]})
	}
	if err := s.PutVendors(t.Context(), site.ID, makers); err != nil {
		t.Fatal(err)
	}
	if err := s.PutGames(t.Context(), site.ID, d.games); err != nil {
		t.Fatal(err)
	}
	d.sortedIn = nodeIDs(t, site.Store)
}

// joined asks for page after page until there are no more.
func joined(t *testing.T, r *rapid.T, site *merchanttest.Site, f wanted, size, total int64) (got []string) {
	t.Helper()
	query := []string{
		"gameType", f.category, "gameName", f.name, "vassalage", strings.Join(f.vendors, ","), "gameClassify", strings.Join(f.classes, ","),
		"sort", f.sort, "minBet", fmt.Sprint(f.maxBet), "minLine", fmt.Sprint(f.minLines), "pageSize", fmt.Sprint(size),
	}
	for number := int64(1); ; number++ {
		p := ask(t, site, append(query, "pageNo", fmt.Sprint(number))...)
		if p.PageNum != number || p.Total != total || p.TotalPages != (total+size-1)/size {
			r.Fatalf("%+v, page %d of %d: %+v, want %d in all", f, number, size, p, total)
		}
		if number > p.TotalPages {
			if len(p.Games) > 0 {
				r.Fatalf("games beyond the last page: %+v", p)
			}
			return got
		}
		if number < p.TotalPages && int64(len(p.Games)) != size {
			r.Fatalf("page %d has %d games of %d", number, len(p.Games), size)
		}
		for _, g := range p.Games {
			got = append(got, g.GameID)
		}
	}
}

func nodeIDs(t *testing.T, store *db.Store) map[string]int64 {
	t.Helper()
	rows, err := store.Reader.QueryContext(t.Context(), "SELECT code, id FROM game")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	ids := map[string]int64{}
	for rows.Next() {
		var code string
		var id int64
		if err := rows.Scan(&code, &id); err != nil {
			t.Fatal(err)
		}
		ids[code] = id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}
