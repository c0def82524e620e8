package catalogue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/catalogue"
	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/merchant/merchanttest"
	"fairground/internal/rest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func newCatalogue(t *testing.T, site *merchanttest.Site) *catalogue.Service {
	t.Helper()
	s, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var vendors = []catalogue.Vendor{
	{Code: "PG", DisplayName: "Paper Garden", AccountType: "RNG", Categories: []string{"RNG"}, Sorting: 20, Enabled: true},
	{Code: "EG3", DisplayName: "Evergrove", AccountType: "RNG", Categories: []string{"RNG", "PVP"}, Sorting: 10, Enabled: true},
	{Code: "OLD", DisplayName: "Gone", AccountType: "RNG", Categories: []string{"RNG"}, Sorting: 5},
}

func game(code, vendor string, rank int64) catalogue.Game {
	return catalogue.Game{
		Code: code, Vendor: vendor, Category: "RNG", LaunchCode: code, Icon: "/m/art/tiles/" + code + ".webp",
		Names: map[string]string{
			"vi": "Rồng Vàng " + code, "en": "Golden Dragon " + code, "ur": "سنہری اژدہا " + code, "pt": "Dragão Dourado " + code,
		},
		Classes: []string{"myth", "collect"}, MinBet: 1000, MinLines: 20, SupportPlay: true, FreePlay: true,
		Sorting: 10 * rank, HotRank: rank, Enabled: true,
	}
}

func fill(t *testing.T, s *catalogue.Service, merchantID int64) {
	t.Helper()
	if err := s.PutVendors(t.Context(), merchantID, vendors); err != nil {
		t.Fatal(err)
	}
	off := game("rng-005", "PG", 5)
	off.Enabled = false
	lotto := game("lott-001", "EG3", 3)
	lotto.Category, lotto.LottoMode, lotto.GroupID, lotto.Classes = "LOTT", "Tradition,Entertainment", "north", nil
	games := []catalogue.Game{
		game("rng-001", "PG", 2), game("rng-002", "EG3", 1), game("rng-003", "PG", 0), game("rng-004", "OLD", 4), off, lotto,
	}
	if err := s.PutGames(t.Context(), merchantID, games); err != nil {
		t.Fatal(err)
	}
}

func serve(t *testing.T, store *db.Store) (*merchanttest.Site, *catalogue.Service) {
	t.Helper()
	site := merchanttest.New(t, store)
	s := newCatalogue(t, site)
	site.Serve(t, nil, func(a *rest.API) { catalogue.Register(a, s) })
	return site, s
}

const hotPath = "/wps/relay/GCSGAME_hotGamesV2?merchantCode=fairground&isPlatform=2&platform=html5"

func TestCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "hot_empty", site.Call(t, "GET", hotPath, nil))
		fill(t, s, site.ID)
		for name, call := range map[string][]string{
			"hot_vi":  {hotPath + "&language=VI"},
			"hot_ur":  {hotPath + "&language=UR"},
			"hot_en":  {hotPath, "Language", "EN"},
			"vendors": {"/wps/relay/GCSGAME_newGameVendor"},
		} {
			merchanttest.Golden(t, name, site.Call(t, "GET", call[0], nil, call[1:]...))
		}
		// In the query as in the header: any case, and an unknown one is the default.
		for _, call := range [][]string{{hotPath + "&language=vi"}, {hotPath + "&language=XX", "Language", "EN"}, {hotPath, "Language", "Vi"}, {hotPath, "Language", "XX"}} {
			merchanttest.Golden(t, "hot_vi", site.Call(t, "GET", call[0], nil, call[1:]...))
		}
		merchanttest.Golden(t, "hot_ur", site.Call(t, "GET", hotPath, nil, "Language", "uR"))
	})
}

type hot struct {
	List []struct{ GameID, NodeID, GameName string }
}

func TestHotListFollowsChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		other := newCatalogue(t, site)
		fill(t, s, site.ID)
		first := site.Call(t, "GET", hotPath, nil)
		tag := first.Header.Get("Etag")
		if again := site.Call(t, "GET", hotPath, nil, "If-None-Match", tag); again.Status != 304 || len(again.Body) != 0 {
			t.Errorf("unchanged list: status %d, %d bytes", again.Status, len(again.Body))
		}
		nodes := map[string]string{}
		for _, g := range merchanttest.Value[hot](t, first).List {
			nodes[g.GameID] = g.NodeID
		}
		renamed := game("rng-001", "PG", 1)
		renamed.Names["vi"] = "Tên mới"
		if err := other.PutGames(t.Context(), site.ID, []catalogue.Game{renamed, game("rng-002", "EG3", 0)}); err != nil {
			t.Fatal(err)
		}
		// The clock stands still, so this replica cannot have found out by age.
		var list hot
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
			if reply := site.Call(t, "GET", hotPath, nil, "If-None-Match", tag); reply.Status == 200 {
				list = merchanttest.Value[hot](t, reply)
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the list never changed")
			}
		}
		if len(list.List) != 2 || list.List[0].GameName != "Tên mới" || list.List[1].GameID != "lott-001" {
			t.Errorf("changed list %+v", list)
		}
		if list.List[0].NodeID != nodes["rng-001"] {
			t.Error("a game lost its node id by a change")
		}
	})
}

func TestMerchantsAreApart(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	if _, err := site.Merchants.Ensure(t.Context(), "another", "Another", "USD"); err != nil {
		t.Fatal(err)
	}
	fill(t, s, site.ID)
	path := strings.Replace(hotPath, "merchantCode=fairground", "merchantCode=another", 1)
	if list := merchanttest.Value[hot](t, site.Call(t, "GET", path, nil, "Merchant", "another")); len(list.List) != 0 {
		t.Errorf("another merchant sees %+v", list)
	}
}

func TestManyAskAtOnce(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	fill(t, s, site.ID)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if list := merchanttest.Value[hot](t, site.Call(t, "GET", hotPath, nil)); len(list.List) != 3 {
				t.Errorf("%d games", len(list.List))
			}
		})
	}
	all.Wait()
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, s, site.ID)
		ctx := t.Context()
		nameless := game("rng-009", "PG", 0)
		delete(nameless.Names, "ur")
		odd := game("rng-009", "PG", 0)
		odd.Category = "HOT"
		for want, games := range map[error][]catalogue.Game{
			catalogue.ErrUnknownVendor:   {game("rng-008", "PG", 6), game("rng-009", "NONE", 7)},
			catalogue.ErrNameMissing:     {game("rng-008", "PG", 6), nameless},
			catalogue.ErrUnknownCategory: {game("rng-008", "PG", 6), odd},
		} {
			if err := s.PutGames(ctx, site.ID, games); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
		if err := s.PutVendors(ctx, site.ID, []catalogue.Vendor{{Code: "X", Categories: []string{"ALL"}}}); !errors.Is(err, catalogue.ErrUnknownCategory) {
			t.Errorf("a vendor of a view: %v", err)
		}
		if list := merchanttest.Value[hot](t, site.Call(t, "GET", hotPath, nil)); len(list.List) != 3 {
			t.Errorf("a refused batch left something behind: %+v", list)
		}
	})
}

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Rồng Vàng Hạ Long":  "rong vang ha long",
		"Đại Dương Đỏ":       "dai duong do",
		"  Thần--Tài   88! ": "than tai 88",
		"Dragão da Fortuna":  "dragao da fortuna",
		"خُوشحال شیر":        "خوشحال شیر",
		"Re\u0302\u0301 Ðiê": "re ðie",
		"Ｆｕｌｌ Ｗｉｄｔｈ":         "full width",
		"":                   "",
		"!!!":                "",
	} {
		if got := catalogue.Fold(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		folded := catalogue.Fold(rapid.String().Draw(t, "name"))
		if again := catalogue.Fold(folded); again != folded {
			t.Fatalf("%q folds again to %q", folded, again)
		}
		if strings.Contains(folded, "  ") || strings.TrimSpace(folded) != folded {
			t.Fatalf("%q has loose spaces", folded)
		}
	})
}

func TestIndexesServeTheLists(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	for query, index := range map[string]string{
		"SELECT id FROM game WHERE merchant_id = 1 AND category = 'RNG' AND (sorting, id) > (10, 5) ORDER BY sorting, id LIMIT 21": "game_in_category",
		"SELECT id FROM game WHERE vendor_id = 1 AND (sorting, id) > (10, 5) ORDER BY sorting, id LIMIT 21":                        "game_of_vendor",
		"SELECT id FROM game WHERE merchant_id = 1 ORDER BY sorting, id LIMIT 21":                                                  "game_in_order",
		"SELECT id FROM game WHERE merchant_id = 1 AND hot_rank > 0 ORDER BY hot_rank, id":                                         "game_hot",
		"SELECT game_id FROM game_class WHERE class = 'myth'":                                                                      "game_of_class",
	} {
		rows, err := store.Reader.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, detail)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(plan)
		if !strings.Contains(text, index) || slices.ContainsFunc(plan, func(s string) bool { return strings.Contains(s, "TEMP B-TREE") }) {
			t.Errorf("%s\nis read by %s, want %s and no sorting", query, text, index)
		}
	}
}
