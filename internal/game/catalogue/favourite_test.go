package catalogue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

const (
	addPath    = "/wps/relay/MCSFE_addFavoriteGameV2"
	removePath = "/wps/relay/MCSFE_removeFavoriteGameV2"
	starsPath  = "/wps/relay/MCSFE_getFavoriteGames"
	recentPath = "/wps/relay/GCS_recentGame"
)

// members serves the lobby to a player, a trial member and another player, by tokens of their names.
func members(t *testing.T, store *db.Store) (*merchanttest.Site, *catalogue.Service, map[string]string) {
	t.Helper()
	site := merchanttest.New(t, store)
	s := newCatalogue(t, site)
	lobby(t, s, site.ID)
	tokens := merchanttest.Tokens{
		"player": {MemberID: 7, MerchantID: site.ID}, "trial": {MemberID: 8, MerchantID: site.ID, Type: 4}, "other": {MemberID: 9, MerchantID: site.ID},
	}
	for name, who := range tokens {
		site.AddMember(t, who.MemberID, name)
	}
	site.Serve(t, tokens, func(a *rest.API) { catalogue.Routes(a, s) })
	nodes := map[string]string{}
	for code, id := range nodeIDs(t, store) {
		nodes[code] = fmt.Sprint(id)
	}
	return site, s, nodes
}

type starred struct {
	Content, List       []listedGame
	PageNum, TotalPages int64
}

func own(t testing.TB, site *merchanttest.Site, token, path string) (starred, string) {
	t.Helper()
	list := merchanttest.Value[starred](t, site.Call(t, "GET", path, nil, "Authorization", token))
	var ids []string
	for _, g := range append(list.Content, list.List...) {
		ids = append(ids, g.GameID)
	}
	return list, strings.Join(ids, " ")
}

func TestFavourites(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s, nodes := members(t, store)
		star := func(token, code string) merchanttest.Reply {
			t.Helper()
			site.Clock.Add(time.Second)
			return site.Call(t, "POST", addPath, map[string]string{"nodeId": nodes[code]}, "Authorization", token)
		}
		for _, code := range []string{"rng-1", "fish-1", "rng-2", "live-1"} {
			if reply := star("player", code); reply.Status != 200 {
				t.Fatalf("%s: %s", code, reply.Body)
			}
		}
		t.Run("CA-11 EN-12 add, list, remove", func(t *testing.T) {
			merchanttest.Golden(t, "favourite_added", star("player", "rng-1")) // again: it keeps its place
			merchanttest.Golden(t, "favourites", site.Call(t, "GET", starsPath+"?pageSize=2&language=EN", nil, "Authorization", "player"))
			if _, ids := own(t, site, "player", starsPath); ids != "live-1 rng-2 fish-1 rng-1" {
				t.Errorf("newest first: %s", ids)
			}
			for _, path := range []string{removePath + "?nodeId=" + nodes["rng-2"] + "&vendor=EG3", removePath + "?nodeId=" + nodes["rng-2"]} {
				merchanttest.Golden(t, "favourite_removed", site.Call(t, "DELETE", path, nil, "Authorization", "player")) // twice is once
			}
			reply := site.Call(t, "DELETE", removePath, map[string]string{"nodeId": nodes["live-1"], "vendor": "LUX", "token": "player"})
			if _, ids := own(t, site, "player", starsPath); reply.Status != 200 || ids != "fish-1 rng-1" {
				t.Errorf("in a body, with the token: %d %s, left %s", reply.Status, reply.Body, ids)
			}
		})
		t.Run("RO-02 the favourites' part: without a session nothing, on trial all of it", func(t *testing.T) {
			for _, call := range [][]string{{"POST", addPath}, {"DELETE", removePath}, {"GET", starsPath}, {"POST", recentPath}, {"GET", recentPath}} {
				reply := site.Call(t, call[0], call[1], nil)
				if reply.Status != 401 || !strings.Contains(string(reply.Body), "login.not.session") {
					t.Errorf("%v: %d %s", call, reply.Status, reply.Body)
				}
			}
			if reply := star("trial", "rng-3"); reply.Status != 200 {
				t.Errorf("%s", reply.Body)
			}
			if _, ids := own(t, site, "trial", starsPath); ids != "rng-3" {
				t.Errorf("%s", ids)
			}
		})
		t.Run("ruling 11: the token inside", func(t *testing.T) {
			reply := site.Call(t, "POST", addPath, map[string]string{"nodeId": nodes["rng-1"], "vendor": "PG", "token": "other"})
			if reply.Status != 200 {
				t.Errorf("%s", reply.Body)
			}
			if list := merchanttest.Value[starred](t, site.Call(t, "GET", starsPath+"?token=other", nil)); len(list.Content) != 1 {
				t.Errorf("%+v", list)
			}
			if reply := site.Call(t, "DELETE", removePath+"?token=other&nodeId="+nodes["rng-1"], nil); reply.Status != 200 {
				t.Errorf("%s", reply.Body)
			}
			if _, ids := own(t, site, "player", starsPath); ids != "fish-1 rng-1" {
				t.Errorf("another's removal took the player's: %s", ids)
			}
		})
		t.Run("games that are gone", func(t *testing.T) {
			off := false
			if _, err := s.SwitchVendor(t.Context(), site.ID, "JL", catalogue.Switches{Enabled: &off}); err != nil {
				t.Fatal(err)
			}
			if list, ids := own(t, site, "player", starsPath); ids != "rng-1" || list.TotalPages != 1 {
				t.Errorf("%s on %d pages", ids, list.TotalPages)
			}
			merchanttest.Golden(t, "favourite_unknown", star("player", "rng-3"))
			if reply := site.Call(t, "DELETE", removePath+"?nodeId="+nodes["fish-1"], nil, "Authorization", "player"); reply.Status != 200 {
				t.Errorf("what is hidden cannot be removed: %s", reply.Body)
			}
			on := true
			if _, err := s.SwitchVendor(t.Context(), site.ID, "JL", catalogue.Switches{Enabled: &on}); err != nil {
				t.Fatal(err)
			}
			if _, ids := own(t, site, "player", starsPath); ids != "rng-1" {
				t.Errorf("it is back: %s", ids)
			}
		})
	})
}

func TestLB08PagesOfFavourites(t *testing.T) {
	t.Parallel()
	t.Run("LB-08 the server's part: 15 a page unless asked for up to 100, more while pageNum < totalPages", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			site := merchanttest.New(t, store)
			s := newCatalogue(t, site)
			thousands(t, site, s, 40)
			site.AddMember(t, 7, "player1")
			site.Serve(t, merchanttest.Tokens{"player": {MemberID: 7, MerchantID: site.ID}}, func(a *rest.API) { catalogue.Routes(a, s) })
			ids := nodeIDs(t, store)
			var want []string
			for i := range 37 {
				code := fmt.Sprintf("g%05d", (i*7)%40)
				site.Clock.Add(time.Millisecond)
				if err := s.AddFavourite(t.Context(), site.ID, 7, catalogue.Choice{NodeID: ids[code]}); err != nil {
					t.Fatal(err)
				}
				want = append(want, code)
			}
			slices.Reverse(want)
			for size, query := range map[int]string{15: "?", 100: "?pageSize=100&", 1: "?pageSize=1&", 37: "?pageSize=37&"} {
				var got []string
				for number := 1; ; number++ {
					list, page := own(t, site, "player", fmt.Sprintf("%s%spageNo=%d", starsPath, query, number))
					got = append(got, strings.Fields(page)...)
					if list.PageNum != int64(number) || list.TotalPages != int64((37+size-1)/size) {
						t.Fatalf("by %d: %+v", size, list)
					}
					if list.PageNum >= list.TotalPages {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("by %d: %v, want %v", size, got, want)
				}
			}
			if list, ids := own(t, site, "player", starsPath+"?pageNo=9223372036854775807"); ids != "" || list.TotalPages != 3 {
				t.Errorf("beyond the end: %+v", list)
			}
		})
	})
}

// Many at once, at two replicas: a game is starred once, and never more than 500 are, however they race.
func TestFavouritesRace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		replicas := []*catalogue.Service{newCatalogue(t, site), newCatalogue(t, site)}
		thousands(t, site, replicas[0], 520)
		site.AddMember(t, 7, "player1")
		ids := nodeIDs(t, store)
		if _, err := store.Writer.ExecContext(t.Context(), "INSERT INTO favourite (member_id, game_id, created_at) SELECT 7, id, 1 FROM game WHERE code < 'g00495'"); err != nil {
			t.Fatal(err)
		}
		var full atomic.Int64
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				for i := 490; i < 515; i++ { // some that are starred already, and more than fit
					code := fmt.Sprintf("g%05d", 490+(i+n*6)%25)
					err := replicas[n%2].AddFavourite(t.Context(), site.ID, 7, catalogue.Choice{NodeID: ids[code]})
					if errors.Is(err, catalogue.ErrTooManyFavourites) {
						full.Add(1)
					} else if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		count := func() (n int) {
			t.Helper()
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM favourite WHERE member_id = 7").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := count(); n != 500 || full.Load() == 0 {
			t.Errorf("%d favourites, %d refusals", n, full.Load())
		}
		for range 4 { // adding and removing one game goes on until it is gone
			all.Go(func() {
				for range 5 {
					one := catalogue.Choice{NodeID: ids["g00000"]}
					if err := replicas[1].RemoveFavourite(t.Context(), site.ID, 7, one); err != nil {
						t.Error(err)
					}
					if err := replicas[0].AddFavourite(t.Context(), site.ID, 7, one); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if n := count(); n != 500 {
			t.Errorf("%d favourites after all", n)
		}
		for range 3 {
			for n := range 30 {
				all.Go(func() {
					if err := replicas[n%2].Played(t.Context(), site.ID, 7, catalogue.Choice{NodeID: ids[fmt.Sprintf("g%05d", n)]}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		var kept int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM recent WHERE member_id = 7").Scan(&kept); err != nil || kept != 20 {
			t.Errorf("%d recent games are kept, %v", kept, err)
		}
	})
}

// What is hidden with its vendor takes nobody's place: no list shows its star, so nobody could take it away.
func TestHiddenFavouritesDoNotCount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		s := newCatalogue(t, site)
		thousands(t, site, s, 560)
		site.AddMember(t, 7, "player1")
		ids := nodeIDs(t, store)
		if _, err := store.Writer.ExecContext(t.Context(), "INSERT INTO favourite (member_id, game_id, created_at) SELECT 7, id, 1 FROM game WHERE code < 'g00500'"); err != nil {
			t.Fatal(err)
		}
		add := func(code string) error {
			return s.AddFavourite(t.Context(), site.ID, 7, catalogue.Choice{NodeID: ids[code]})
		}
		if err := add("g00501"); !errors.Is(err, catalogue.ErrTooManyFavourites) {
			t.Errorf("500 that can be seen: %v", err)
		}
		off := false
		if _, err := s.SwitchVendor(t.Context(), site.ID, "V00", catalogue.Switches{Enabled: &off}); err != nil {
			t.Fatal(err)
		}
		full := 0
		for i := 501; i < 530; i++ { // 25 of those that were starred are hidden
			switch err := add(fmt.Sprintf("g%05d", i)); {
			case errors.Is(err, catalogue.ErrTooManyFavourites):
				full++
			case err != nil && !errors.Is(err, catalogue.ErrUnknownGame): // g00520 is hidden, too
				t.Error(err)
			}
		}
		if full != 3 {
			t.Errorf("%d of 28 were refused, want 3", full)
		}
	})
}

func TestRecentGames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s, nodes := members(t, store)
		play := func(token, code string) merchanttest.Reply {
			t.Helper()
			site.Clock.Add(time.Second)
			return site.Call(t, "POST", recentPath, map[string]string{"nodeId": nodes[code]}, "Authorization", token)
		}
		t.Run("LB-12 CA-12 games are noted as they are played, the latest first", func(t *testing.T) {
			if _, ids := own(t, site, "player", recentPath); ids != "" {
				t.Errorf("%s", ids)
			}
			for _, code := range []string{"rng-1", "fish-1", "rng-2"} {
				play("player", code)
			}
			merchanttest.Golden(t, "recent_added", play("player", "rng-1"))
			merchanttest.Golden(t, "recent", site.Call(t, "GET", recentPath+"?language=PT", nil, "Authorization", "player"))
			if _, ids := own(t, site, "player", recentPath); ids != "rng-1 rng-2 fish-1" {
				t.Errorf("%s", ids)
			}
			if _, ids := own(t, site, "other", recentPath); ids != "" {
				t.Errorf("another's: %s", ids)
			}
			merchanttest.Golden(t, "recent_unknown", site.Call(t, "POST", recentPath, map[string]string{"nodeId": "424242"}, "Authorization", "player"))
		})
		t.Run("LB-12 twenty are kept", func(t *testing.T) {
			thousands(t, site, s, 30)
			for code, id := range nodeIDs(t, store) {
				nodes[code] = fmt.Sprint(id)
			}
			var want []string
			for i := range 30 {
				code := fmt.Sprintf("g%05d", i)
				if reply := play("trial", code); reply.Status != 200 {
					t.Fatalf("%s", reply.Body)
				}
				want = append(want, code)
			}
			slices.Reverse(want)
			if _, ids := own(t, site, "trial", recentPath); ids != strings.Join(want[:20], " ") {
				t.Errorf("%s", ids)
			}
		})
	})
}

// Everything bad in the members' calls: refused on its field, never a fault of ours.
func TestBadInputOfOwnLists(t *testing.T) {
	t.Parallel()
	site, _, nodes := members(t, dbtest.SQLite(t))
	call := func(method, path string, body any) merchanttest.Reply {
		t.Helper()
		return site.Call(t, method, path, body, "Authorization", "player")
	}
	expect := func(r merchanttest.Reply, status int, field, what string) {
		t.Helper()
		if r.Status != status || field != "" && !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", what, r.Status, r.Body)
		}
	}
	for _, bad := range []string{`""`, `"x"`, `"-1"`, `"+1"`, `"１"`, `" 1"`, `"9223372036854775808"`, `"12345678901234567890"`, `1001`, `null`, `["1"]`, `"1\u0000"`, `"1' OR '1'='1"`, `"🐉"`} {
		for _, path := range []string{addPath, recentPath} {
			r := call("POST", path, `{"nodeId":`+bad+`}`)
			if r.Status != 400 || !strings.Contains(string(r.Body), "request_param_err") {
				t.Errorf("%s %s: %d %s", path, bad, r.Status, r.Body)
			}
		}
		if r := call("DELETE", removePath, `{"nodeId":`+bad+`}`); r.Status != 400 {
			t.Errorf("remove %s: %d %s", bad, r.Status, r.Body)
		}
	}
	for _, body := range []string{`{}`, `{`, `[]`, `"x"`, `{"nodeId":"1","more":1}`, `{"nodeId":"1","nodeId":"2"}`, ``} {
		expect(call("POST", addPath, body), 400, "", "add "+body)
		expect(call("POST", recentPath, body), 400, "", "recent "+body)
	}
	expect(call("DELETE", removePath, nil), 400, "nodeId", "remove nothing")
	expect(call("DELETE", removePath+"?nodeId=x", nil), 400, "nodeId", "remove x")
	expect(call("DELETE", removePath+"?nodeId="+nodes["rng-1"], map[string]string{"nodeId": nodes["rng-2"]}), 400, "nodeId", "two games")
	expect(call("DELETE", removePath+"?vendor=PG&nodeId="+nodes["rng-1"], map[string]string{"vendor": "EG3"}), 400, "vendor", "two vendors")
	expect(call("DELETE", removePath+"?nodeId="+nodes["rng-1"]+"&vendor="+strings.Repeat("x", 65), nil), 400, "vendor", "a long vendor")
	for _, method := range []string{"POST", "DELETE"} { // another vendor's game, a game that never was, another merchant's
		path := map[string]string{"POST": addPath, "DELETE": removePath}[method]
		for _, body := range []map[string]string{{"nodeId": nodes["rng-1"], "vendor": "JL"}, {"nodeId": "424242"}, {"nodeId": "0"}} {
			r := call(method, path, body)
			if r.Status != 404 || !strings.Contains(string(r.Body), "catalogue.unknown_game") {
				t.Errorf("%s %v: %d %s", method, body, r.Status, r.Body)
			}
		}
	}
	for _, path := range []string{starsPath, recentPath, "/wps/relay/GCSGAME_getRankList"} {
		expect(call("GET", path+"?language="+strings.Repeat("x", 9), nil), 400, "language", path)
		expect(call("GET", path+"?language=XX", nil), 200, "", path)
	}
	for _, bad := range []string{"0", "-1", "x", "1.5", "１", "9223372036854775808"} {
		expect(call("GET", starsPath+"?pageNo="+bad, nil), 400, "pageNo", bad)
		expect(call("GET", starsPath+"?pageSize="+bad, nil), 400, "pageSize", bad)
		expect(call("GET", "/wps/relay/GCSGAME_getRankList?limitNum="+bad, nil), 400, "limitNum", bad)
	}
	expect(call("GET", starsPath+"?pageSize=101", nil), 400, "pageSize", "101")
	expect(call("GET", "/wps/relay/GCSGAME_getRankList?limitNum=101", nil), 400, "limitNum", "101")
	expect(call("GET", "/wps/relay/GCSGAME_getRankList?gameCategory="+strings.Repeat("x", 33), nil), 400, "gameCategory", "a long category")
}
