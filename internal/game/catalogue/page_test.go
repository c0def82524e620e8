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

type catalogueModel struct {
	games   []catalogue.Game // unordered
	vendors map[string]bool  // enabled, by code
	nodeIDs map[string]int64 // by game code; they order games that are equal otherwise
}

var (
	someVendors    = []string{"PG", "EG3", "JL", "OLD"}
	someCategories = []string{"RNG", "FISH", "JL", "LIVE"}
	someClasses    = []string{"myth", "sea", "new"}
	someWords      = []string{"rong", "rồng", "Rổng", "vang", "vạn", "đỏ", "do", "biển", "b", "long", "lồng"}
)

func drawCatalogue(t *rapid.T) *catalogueModel {
	d := &catalogueModel{vendors: map[string]bool{}}
	for _, v := range someVendors {
		d.vendors[v] = rapid.IntRange(0, 4).Draw(t, "enabled") > 0
	}
	for i := range rapid.IntRange(0, 40).Draw(t, "games") {
		g := game("g"+strconv.Itoa(i), rapid.SampledFrom(someVendors).Draw(t, "vendor"), 0)
		g.Category = rapid.SampledFrom(someCategories).Draw(t, "category")
		g.Classes = rapid.SliceOfNDistinct(rapid.SampledFrom(someClasses), 0, 3, rapid.ID).Draw(t, "classes")
		g.MinBet, g.MinLines = rapid.Int64Range(0, 3).Draw(t, "bet"), rapid.Int64Range(0, 3).Draw(t, "lines")
		g.Sorting, g.HotRank = rapid.Int64Range(0, 5).Draw(t, "sorting"), rapid.Int64Range(0, 3).Draw(t, "rank")
		g.Names["vi"] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(someWords), 1, 3).Draw(t, "name"), " ")
		g.Enabled = rapid.IntRange(0, 6).Draw(t, "enabled") > 0
		d.games = append(d.games, g)
	}
	return d
}

type modelFilter struct {
	category, name   string
	sort             string
	vendors, classes []string
	maxBet, minLines int64
}

func drawFilter(t *rapid.T) modelFilter {
	return modelFilter{
		sort:     rapid.SampledFrom([]string{"", "popular", "new", "name"}).Draw(t, "filter order"),
		category: rapid.SampledFrom([]string{"", "ALL", "RNG", "FISH", "JL", "LIVE", "HOT", "HOME", "PVP"}).Draw(t, "filter category"),
		name:     strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(someWords, "r", "ro", "v", "l", "x")), 0, 3).Draw(t, "filter name"), " "),
		vendors:  rapid.SliceOfN(rapid.SampledFrom(append(someVendors, "NONE")), 0, 2).Draw(t, "filter vendors"),
		classes:  rapid.SliceOfN(rapid.SampledFrom(append(someClasses, "none")), 0, 2).Draw(t, "filter classes"),
		maxBet:   rapid.Int64Range(0, 3).Draw(t, "filter bet"), minLines: rapid.Int64Range(0, 3).Draw(t, "filter lines"),
	}
}

// list returns the codes that the filter must select, computed by brute force.
func (d *catalogueModel) list(f modelFilter) []string {
	games := slices.Clone(d.games)
	hot := f.category == "HOT" || f.category == "HOME"
	byPosition := func(a, b catalogue.Game) int {
		first, second := a.Sorting, b.Sorting
		if hot && f.sort != "name" {
			first, second = a.HotRank, b.HotRank
		}
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(d.nodeIDs[a.Code], d.nodeIDs[b.Code]))
	}
	dictionary := collate.New(language.Vietnamese)
	slices.SortFunc(games, func(a, b catalogue.Game) int {
		switch f.sort {
		case "new":
			older := cmp.Compare(d.nodeIDs[b.Code], d.nodeIDs[a.Code])
			if first := slices.Contains(a.Classes, "new"); first != slices.Contains(b.Classes, "new") {
				older = map[bool]int{true: -1, false: 1}[first]
			}
			return older
		case "name":
			return cmp.Or(dictionary.CompareString(a.Names["vi"], b.Names["vi"]), byPosition(a, b))
		default:
			return byPosition(a, b)
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

// For any catalogue, filter and page size, the concatenated pages are the whole list, in order (LB-11).
func TestPagesCoverTheWholeList(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		for example := range 6 {
			d := rapid.Custom(drawCatalogue).Example(example)
			d.store(t, site, s)
			rapid.Check(t, func(r *rapid.T) {
				f := drawFilter(r)
				size := rapid.Int64Range(1, 45).Draw(r, "size")
				want := d.list(f)
				if got := allPages(t, r, site, f, size, int64(len(want))); !slices.Equal(got, want) {
					r.Fatalf("filter %+v, page size %d:\n got %v\nwant %v", f, size, got, want)
				}
			})
		}
	})
}

// store replaces the stored catalogue. Games with the same code keep their node ids.
func (d *catalogueModel) store(t *testing.T, site *merchanttest.Site, s *catalogue.Service) {
	t.Helper()
	if _, err := site.Store.Writer.ExecContext(t.Context(), "UPDATE game SET enabled = FALSE"); err != nil {
		t.Fatal(err)
	}
	vendors := make([]catalogue.Vendor, 0, len(someVendors))
	for _, v := range someVendors {
		vendors = append(vendors, catalogue.Vendor{Code: v, DisplayName: v, AccountType: "RNG", Enabled: d.vendors[v]})
	}
	if err := s.PutVendors(t.Context(), site.ID, vendors); err != nil {
		t.Fatal(err)
	}
	if err := s.PutGames(t.Context(), site.ID, d.games); err != nil {
		t.Fatal(err)
	}
	d.nodeIDs = nodeIDs(t, site.Store)
}

func allPages(t *testing.T, r *rapid.T, site *merchanttest.Site, f modelFilter, size, total int64) (got []string) {
	t.Helper()
	query := []string{
		"gameType", f.category, "gameName", f.name, "vassalage", strings.Join(f.vendors, ","), "gameClassify", strings.Join(f.classes, ","),
		"sort", f.sort, "minBet", fmt.Sprint(f.maxBet), "minLine", fmt.Sprint(f.minLines), "pageSize", fmt.Sprint(size),
	}
	for number := int64(1); ; number++ {
		p := listGames(t, site, append(query, "pageNo", fmt.Sprint(number))...)
		if p.PageNum != number || p.Total != total || p.TotalPages != (total+size-1)/size {
			r.Fatalf("filter %+v, page %d, page size %d: %+v, want %d games in total", f, number, size, p, total)
		}
		if number > p.TotalPages {
			if len(p.Games) > 0 {
				r.Fatalf("page after the last = %+v, want no games", p)
			}
			return got
		}
		if number < p.TotalPages && int64(len(p.Games)) != size {
			r.Fatalf("page %d has %d games, want %d", number, len(p.Games), size)
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
