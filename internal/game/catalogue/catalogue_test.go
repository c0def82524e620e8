package catalogue_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func newCatalogue(t *testing.T, site *merchanttest.Site) *catalogue.Service {
	t.Helper()
	return newCatalogueWith(t, site, nil)
}

// A game is not open if its vendor has no launch URL and is not the House, or if the House cannot run its category.
func TestNotOpenGames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		wins := &fixedWins{wins: []catalogue.Win{{Username: "minhanh88", Game: "fish-1", Amount: 1000, Currency: "VND"}}}
		s, err := catalogue.New(catalogue.Options{
			Store: store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Wins: wins, ServesCategory: func(category string) bool { return category == "RNG" },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		lobby(t, s, site.ID)
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE vendor SET launch_url = CASE code WHEN 'EG3' THEN 'https://games.example.test/{ticket}' ELSE '' END, house = (code <> 'PG')"); err != nil {
			t.Fatal(err)
		}
		site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
		type list struct {
			Games []struct {
				GameID  string
				NotOpen bool
			}
		}
		for _, sort := range []string{"popular", "new", "name"} {
			var open, closed []string
			for _, g := range merchanttest.Value[list](t, site.Call(t, "GET", listPath+"?sort="+sort, nil)).Games {
				if g.NotOpen {
					closed = append(closed, g.GameID)
				} else if open = append(open, g.GameID); len(closed) > 0 {
					t.Errorf("sort %s: %s comes after %q, which are not open", sort, g.GameID, closed)
				}
			}
			slices.Sort(closed)
			if want := []string{"fish-1", "jl-1", "live-1", "rng-1"}; !slices.Equal(closed, want) || len(open) == 0 {
				t.Errorf("sort %s: games not open = %q, want %q", sort, closed, want)
			}
		}
		type hot struct{ List []struct{ GameID string } }
		for _, g := range merchanttest.Value[hot](t, site.Call(t, "GET", hotPath, nil)).List {
			if g.GameID == "live-1" {
				t.Error("the hot list contains live-1, which is not open")
			}
		}
		type board struct {
			List []struct {
				Win struct{ NotOpen bool } `json:"vo"`
			}
		}
		if got := merchanttest.Value[board](t, site.Call(t, "GET", rankPath, nil)); len(got.List) != 1 || !got.List[0].Win.NotOpen {
			t.Errorf("winner board = %+v, want one win of a game that is not open", got)
		}
	})
}

func newCatalogueWith(t *testing.T, site *merchanttest.Site, wins catalogue.Wins) *catalogue.Service {
	t.Helper()
	s, err := catalogue.New(catalogue.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Wins: wins})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var vendors = []catalogue.Vendor{
	{Code: "PG", DisplayName: "Paper Garden", AccountType: "RNG", Categories: []string{"RNG"}, Sorting: 20, Enabled: true, House: true},
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
	site.Serve(t, nil, func(a *rest.API) { catalogue.Routes(a, s) })
	return site, s
}

const hotPath = "/wps/relay/GCSGAME_hotGamesV2?merchantCode=fairground&isPlatform=2&platform=html5"

func TestHotGamesAndVendors(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Want(t, site.Call(t, "GET", hotPath, nil), 200, `{"success":true,"value":{"list":[]}}`)
		fill(t, s, site.ID)
		t.Run("CA-09 EN-06 EN-12 the hot list in every language", func(t *testing.T) {
			for prefix, call := range map[string][]string{
				"Rồng Vàng ":     {hotPath + "&language=VI"},
				"سنہری اژدہا ":   {hotPath + "&language=UR"},
				"Golden Dragon ": {hotPath, "Language", "EN"},
			} {
				merchanttest.Want(t, site.Call(t, "GET", call[0], nil, call[1:]...), 200, hotList(prefix))
			}
			// Query and header ignore case. An unknown language means the default.
			for _, call := range [][]string{{hotPath + "&language=vi"}, {hotPath + "&language=XX", "Language", "EN"}, {hotPath, "Language", "Vi"}, {hotPath, "Language", "XX"}} {
				merchanttest.Want(t, site.Call(t, "GET", call[0], nil, call[1:]...), 200, hotList("Rồng Vàng "))
			}
			merchanttest.Want(t, site.Call(t, "GET", hotPath, nil, "Language", "uR"), 200, hotList("سنہری اژدہا "))
		})
		t.Run("EN-13 CA-27 (vendors) part: each vendor with its categories, in display order", func(t *testing.T) {
			const path = "/wps/relay/GCSGAME_newGameVendor"
			merchanttest.Want(t, site.Call(t, "GET", path+"?merchantCode=fairground", nil), 200, `{"success":true,"value":[
				{
					"accountTypeName":"RNG","displayName":"Evergrove","gameTypes":["PVP","RNG"],"iconUrl":"","maintenance":false,
					"vendorCode":"EG3","vendorNames":["Evergrove"],"vendorSorting":10
				},
				{
					"accountTypeName":"RNG","displayName":"Paper Garden","gameTypes":["RNG"],"iconUrl":"","maintenance":false,
					"vendorCode":"PG","vendorNames":["Paper Garden"],"vendorSorting":20
				}
			]}`)
			if reply := site.Call(t, "GET", path+"?merchantCode=another", nil); reply.Status != 403 || !strings.Contains(string(reply.Body), `"merchant.unknown"`) {
				t.Errorf("code of another merchant: status %d, %s; want 403 merchant.unknown", reply.Status, reply.Body)
			}
		})
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
			t.Errorf("unchanged list: status %d, %d bytes; want 304 and no body", again.Status, len(again.Body))
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
		// The clock does not advance, so the cache entry cannot expire. Only the notification can reload it.
		var list hot
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if reply := site.Call(t, "GET", hotPath, nil, "If-None-Match", tag); reply.Status == 200 {
				list = merchanttest.Value[hot](t, reply)
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the list did not change within a minute")
			}
		}
		if len(list.List) != 2 || list.List[0].GameName != "Tên mới" || list.List[1].GameID != "lott-001" {
			t.Errorf("changed list = %+v, want the renamed rng-001 and lott-001", list)
		}
		if list.List[0].NodeID != nodes["rng-001"] {
			t.Error("an update changed the game's node id")
		}
	})
}

func TestMerchantsSeeOnlyTheirGames(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	if _, err := site.Merchants.Ensure(t.Context(), "another", "Another", "USD"); err != nil {
		t.Fatal(err)
	}
	fill(t, s, site.ID)
	path := strings.Replace(hotPath, "merchantCode=fairground", "merchantCode=another", 1)
	if list := merchanttest.Value[hot](t, site.Call(t, "GET", path, nil, "Merchant", "another")); len(list.List) != 0 {
		t.Errorf("another merchant sees %+v, want no games", list)
	}
}

func TestConcurrentFirstRequests(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	fill(t, s, site.ID)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			reply := site.Call(t, "GET", hotPath, nil)
			var got struct{ Value hot }
			if err := json.Unmarshal(reply.Body, &got); err != nil || reply.Status != http.StatusOK || len(got.Value.List) != 3 {
				t.Errorf("reply = %d %s, %v, want 200 and 3 games", reply.Status, reply.Body, err)
			}
		})
	}
	all.Wait()
}

func TestRejectedBatchesStoreNothing(t *testing.T) {
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
				t.Errorf("PutGames: %v, want %v", err, want)
			}
		}
		if err := s.PutVendors(ctx, site.ID, []catalogue.Vendor{{Code: "X", Categories: []string{"ALL"}}}); !errors.Is(err, catalogue.ErrUnknownCategory) {
			t.Errorf("vendor with a view as category: %v, want ErrUnknownCategory", err)
		}
		if list := merchanttest.Value[hot](t, site.Call(t, "GET", hotPath, nil)); len(list.List) != 3 {
			t.Errorf("games after rejected batches = %+v, want the 3 of before", list)
		}
	})
}

func TestAddIsAtomic(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, s, site.ID)
		taken, broken := fault.New(fault.Conflict, "test.taken"), errors.New("broken")
		vendor := catalogue.Vendor{Code: "NEW", DisplayName: "New", AccountType: "RNG", Categories: []string{"RNG"}, Enabled: true}
		failWith := func(err error) func(*db.Tx) error { return func(*db.Tx) error { return err } }
		for name, c := range map[string]struct {
			vendor, game string
			also, want   error
		}{
			"existing vendor": {"PG", "new-1", nil, taken},
			"existing game":   {"NEW", "rng-001", nil, catalogue.ErrGameExists},
			"also fails":      {"NEW", "new-1", broken, broken},
		} {
			vendor.Code = c.vendor
			if err := s.Add(t.Context(), site.ID, vendor, []catalogue.Game{game(c.game, c.vendor, 0)}, taken, failWith(c.also)); !errors.Is(err, c.want) {
				t.Errorf("%s: Add = %v, want %v", name, err, c.want)
			}
			codes, err := s.VendorCodes(t.Context(), site.ID)
			if err != nil || slices.Contains(codes, "NEW") {
				t.Errorf("%s: vendors = %v, %v; want no NEW", name, codes, err)
			}
		}
		vendor.Code = "NEW"
		if err := s.Add(t.Context(), site.ID, vendor, []catalogue.Game{game("new-1", "NEW", 0)}, taken, failWith(nil)); err != nil {
			t.Errorf("Add: got %v, want no error", err)
		}
		if codes, err := s.GameCodes(t.Context(), site.ID); err != nil || !slices.Contains(codes, "new-1") {
			t.Errorf("games = %v, %v; want new-1 among them", codes, err)
		}
		vendor.Code, vendor.DisplayName, vendor.Categories = "EG3", "Adopted", []string{"RNG", "FISH"} // imported
		if err := s.Add(t.Context(), site.ID, vendor, []catalogue.Game{game("rng-002", "EG3", 0), game("new-2", "EG3", 0)}, taken, failWith(nil)); err != nil {
			t.Errorf("adopt an imported vendor: %v", err)
		}
		var name, categories string
		err := store.Reader.QueryRow("SELECT display_name, (SELECT COUNT(*) FROM vendor_category c WHERE c.vendor_id = vendor.id) FROM vendor WHERE code = 'EG3'").Scan(&name, &categories)
		if err != nil || name != "Adopted" || categories != "3" {
			t.Errorf("adopted vendor: %s with %s categories, want Adopted with FISH, PVP and RNG: %v", name, categories, err)
		}
		if g, err := s.GameForLaunch(t.Context(), site.ID, catalogue.GameQuery{Code: "new-2"}); err != nil || g.Vendor != "EG3" {
			t.Errorf("new game of the adopted vendor: %+v, %v, want vendor EG3", g, err)
		}
		vendor.Code = "EMPTY"
		if err := s.Add(t.Context(), site.ID, vendor, nil, taken, failWith(nil)); !errors.Is(err, catalogue.ErrMalformed) {
			t.Errorf("new vendor without games: %v, want ErrMalformed", err)
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
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		folded := catalogue.Fold(rapid.String().Draw(t, "name"))
		if again := catalogue.Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, want it unchanged", folded, again)
		}
		if strings.Contains(folded, "  ") || strings.TrimSpace(folded) != folded {
			t.Fatalf("%q has double, leading or trailing spaces", folded)
		}
	})
}
