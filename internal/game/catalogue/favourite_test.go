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
	addPath        = "/wps/relay/MCSFE_addFavoriteGameV2"
	removePath     = "/wps/relay/MCSFE_removeFavoriteGameV2"
	favouritesPath = "/wps/relay/MCSFE_getFavoriteGames"
	recentPath     = "/wps/relay/GCS_recentGame"
)

// serveMembers serves the lobby to the members "player", "trial" and "other", whose tokens are their names.
func serveMembers(t *testing.T, store *db.Store) (*merchanttest.Site, *catalogue.Service, map[string]string) {
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

type gameReply struct {
	Content, List       []listedGame
	PageNum, TotalPages int64
}

func memberGames(t testing.TB, site *merchanttest.Site, token, path string) (gameReply, string) {
	t.Helper()
	list := merchanttest.Value[gameReply](t, site.Call(t, "GET", path, nil, "Authorization", token))
	var ids []string
	for _, g := range append(list.Content, list.List...) {
		ids = append(ids, g.GameID)
	}
	return list, strings.Join(ids, " ")
}

func TestFavourites(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s, nodes := serveMembers(t, store)
		star := func(token, code string) merchanttest.Reply {
			t.Helper()
			site.Clock.Add(time.Second)
			return site.Call(t, "POST", addPath, map[string]string{"nodeId": nodes[code]}, "Authorization", token)
		}
		for _, code := range []string{"rng-1", "fish-1", "rng-2", "live-1"} {
			if reply := star("player", code); reply.Status != 200 {
				t.Fatalf("add favourite %s: %s, want 200", code, reply.Body)
			}
		}
		t.Run("CA-11 EN-12 add, list, remove", func(t *testing.T) {
			merchanttest.Want(t, star("player", "rng-1"), 200, emptyReply) // adding it again keeps the position
			merchanttest.Want(t, site.Call(t, "GET", favouritesPath+"?pageSize=2&language=EN", nil, "Authorization", "player"), 200, `{"success":true,"value":{"pageNum":1,"totalPages":2,"content":`+
				lobbyList("live-1", "The live-1", "rng-2", "The rng-2")+`}}`)
			if _, ids := memberGames(t, site, "player", favouritesPath); ids != "live-1 rng-2 fish-1 rng-1" {
				t.Errorf("favourites = %s, want latest first", ids)
			}
			for _, path := range []string{removePath + "?nodeId=" + nodes["rng-2"] + "&vendor=EG3", removePath + "?nodeId=" + nodes["rng-2"]} {
				merchanttest.Want(t, site.Call(t, "DELETE", path, nil, "Authorization", "player"), 200, emptyReply) // idempotent
			}
			reply := site.Call(t, "DELETE", removePath, map[string]string{"nodeId": nodes["live-1"], "vendor": "LUX", "token": "player"})
			if _, ids := memberGames(t, site, "player", favouritesPath); reply.Status != 200 || ids != "fish-1 rng-1" {
				t.Errorf("remove with body and token: status %d, %s; favourites left %s, want 200 and \"fish-1 rng-1\"", reply.Status, reply.Body, ids)
			}
		})
		t.Run("RO-02 (favourites) part: visitors are rejected, trial members may use all calls", func(t *testing.T) {
			for _, call := range [][]string{{"POST", addPath}, {"DELETE", removePath}, {"GET", favouritesPath}, {"POST", recentPath}, {"GET", recentPath}} {
				reply := site.Call(t, call[0], call[1], nil)
				if reply.Status != 401 || !strings.Contains(string(reply.Body), "login.not.session") {
					t.Errorf("%v without session: status %d, %s; want 401", call, reply.Status, reply.Body)
				}
			}
			if reply := star("trial", "rng-3"); reply.Status != 200 {
				t.Errorf("add favourite on trial: %s, want 200", reply.Body)
			}
			if _, ids := memberGames(t, site, "trial", favouritesPath); ids != "rng-3" {
				t.Errorf("trial favourites = %s, want rng-3", ids)
			}
		})
		t.Run("ruling 11: token in the query or body", func(t *testing.T) {
			reply := site.Call(t, "POST", addPath, map[string]string{"nodeId": nodes["rng-1"], "vendor": "PG", "token": "other"})
			if reply.Status != 200 {
				t.Errorf("add with token in the body: %s, want 200", reply.Body)
			}
			if list := merchanttest.Value[gameReply](t, site.Call(t, "GET", favouritesPath+"?token=other", nil)); len(list.Content) != 1 {
				t.Errorf("list with token in the query = %+v, want one game", list)
			}
			if reply := site.Call(t, "DELETE", removePath+"?token=other&nodeId="+nodes["rng-1"], nil); reply.Status != 200 {
				t.Errorf("remove with token in the query: %s, want 200", reply.Body)
			}
			if _, ids := memberGames(t, site, "player", favouritesPath); ids != "fish-1 rng-1" {
				t.Errorf("favourites of player = %s after another member removed one, want \"fish-1 rng-1\"", ids)
			}
		})
		t.Run("hidden games", func(t *testing.T) {
			off := false
			if _, err := s.SwitchVendor(t.Context(), site.ID, "JL", catalogue.Switches{Enabled: &off}); err != nil {
				t.Fatal(err)
			}
			if list, ids := memberGames(t, site, "player", favouritesPath); ids != "rng-1" || list.TotalPages != 1 {
				t.Errorf("favourites = %s on %d pages, want rng-1 on one", ids, list.TotalPages)
			}
			merchanttest.Want(t, star("player", "rng-3"), 404, unknownGame)
			if reply := site.Call(t, "DELETE", removePath+"?nodeId="+nodes["fish-1"], nil, "Authorization", "player"); reply.Status != 200 {
				t.Errorf("remove a hidden favourite: %s, want 200", reply.Body)
			}
			on := true
			if _, err := s.SwitchVendor(t.Context(), site.ID, "JL", catalogue.Switches{Enabled: &on}); err != nil {
				t.Fatal(err)
			}
			if _, ids := memberGames(t, site, "player", favouritesPath); ids != "rng-1" {
				t.Errorf("favourites = %s, want rng-1: the removed game is back", ids)
			}
		})
	})
}

func TestLB08FavouritePages(t *testing.T) {
	t.Parallel()
	t.Run("LB-08 (server) part: 15 per page by default, at most 100, more while pageNum < totalPages", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			site := merchanttest.New(t, store)
			s := newCatalogue(t, site)
			importMany(t, site, s, 40)
			site.AddMember(t, 7, "player1")
			site.Serve(t, merchanttest.Tokens{"player": {MemberID: 7, MerchantID: site.ID}}, func(a *rest.API) { catalogue.Routes(a, s) })
			ids := nodeIDs(t, store)
			var want []string
			for i := range 37 {
				code := fmt.Sprintf("g%05d", (i*7)%40)
				site.Clock.Add(time.Millisecond)
				if err := s.AddFavourite(t.Context(), site.ID, 7, catalogue.GameRef{NodeID: ids[code]}); err != nil {
					t.Fatal(err)
				}
				want = append(want, code)
			}
			slices.Reverse(want)
			for size, query := range map[int]string{15: "?", 100: "?pageSize=100&", 1: "?pageSize=1&", 37: "?pageSize=37&"} {
				var got []string
				for number := 1; ; number++ {
					list, page := memberGames(t, site, "player", fmt.Sprintf("%s%spageNo=%d", favouritesPath, query, number))
					got = append(got, strings.Fields(page)...)
					if list.PageNum != int64(number) || list.TotalPages != int64((37+size-1)/size) {
						t.Fatalf("page size %d: %+v, want page %d of %d", size, list, number, (37+size-1)/size)
					}
					if list.PageNum >= list.TotalPages {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("page size %d: %v, want %v", size, got, want)
				}
			}
			if list, ids := memberGames(t, site, "player", favouritesPath+"?pageNo=9223372036854775807"); ids != "" || list.TotalPages != 3 {
				t.Errorf("page after the end = %+v, want none of 3 pages", list)
			}
		})
	})
}

// Concurrent changes at two replicas never exceed the limits.
func TestConcurrentFavourites(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		replicas := []*catalogue.Service{newCatalogue(t, site), newCatalogue(t, site)}
		importMany(t, site, replicas[0], 520)
		site.AddMember(t, 7, "player1")
		ids := nodeIDs(t, store)
		if _, err := store.Writer.ExecContext(t.Context(), "INSERT INTO favourite (member_id, game_id, created_at) SELECT 7, id, 1 FROM game WHERE code < 'g00495'"); err != nil {
			t.Fatal(err)
		}
		var full atomic.Int64
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				for i := 490; i < 515; i++ { // some are favourites already, and the rest exceed the limit
					code := fmt.Sprintf("g%05d", 490+(i+n*6)%25)
					err := replicas[n%2].AddFavourite(t.Context(), site.ID, 7, catalogue.GameRef{NodeID: ids[code]})
					if errors.Is(err, catalogue.ErrTooManyFavourites) {
						full.Add(1)
					} else if err != nil {
						t.Errorf("got %v, want no error", err)
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
			t.Errorf("%d favourites, %d rejected; want 500 and some", n, full.Load())
		}
		for range 4 {
			all.Go(func() {
				for range 5 {
					one := catalogue.GameRef{NodeID: ids["g00000"]}
					if err := replicas[1].RemoveFavourite(t.Context(), site.ID, 7, one); err != nil {
						t.Errorf("RemoveFavourite: got %v, want no error", err)
					}
					if err := replicas[0].AddFavourite(t.Context(), site.ID, 7, one); err != nil {
						t.Errorf("AddFavourite: got %v, want no error", err)
					}
				}
			})
		}
		all.Wait()
		if n := count(); n != 500 {
			t.Errorf("%d favourites after concurrent changes, want 500", n)
		}
		for range 3 {
			for n := range 30 {
				all.Go(func() {
					if err := replicas[n%2].AddRecent(t.Context(), site.ID, 7, catalogue.GameRef{NodeID: ids[fmt.Sprintf("g%05d", n)]}); err != nil {
						t.Errorf("AddRecent: got %v, want no error", err)
					}
				})
			}
			all.Wait()
		}
		var recent int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM recent WHERE member_id = 7").Scan(&recent); err != nil || recent != 20 {
			t.Errorf("%d recent games, %v; want 20", recent, err)
		}
	})
}

func TestHiddenFavouritesDoNotCount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		s := newCatalogue(t, site)
		importMany(t, site, s, 560)
		site.AddMember(t, 7, "player1")
		ids := nodeIDs(t, store)
		if _, err := store.Writer.ExecContext(t.Context(), "INSERT INTO favourite (member_id, game_id, created_at) SELECT 7, id, 1 FROM game WHERE code < 'g00500'"); err != nil {
			t.Fatal(err)
		}
		add := func(code string) error {
			return s.AddFavourite(t.Context(), site.ID, 7, catalogue.GameRef{NodeID: ids[code]})
		}
		if err := add("g00501"); !errors.Is(err, catalogue.ErrTooManyFavourites) {
			t.Errorf("favourite 501: %v, want ErrTooManyFavourites", err)
		}
		off := false
		if _, err := s.SwitchVendor(t.Context(), site.ID, "V00", catalogue.Switches{Enabled: &off}); err != nil {
			t.Fatal(err)
		}
		full := 0
		for i := 501; i < 530; i++ { // 25 favourites are hidden
			switch err := add(fmt.Sprintf("g%05d", i)); {
			case errors.Is(err, catalogue.ErrTooManyFavourites):
				full++
			case err != nil && !errors.Is(err, catalogue.ErrUnknownGame): // g00520 is hidden
				t.Errorf("got %v, want no error or ErrUnknownGame", err)
			}
		}
		if full != 3 {
			t.Errorf("%d of 28 rejected, want 3", full)
		}
	})
}

func TestRecentGames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s, nodes := serveMembers(t, store)
		play := func(token, code string) merchanttest.Reply {
			t.Helper()
			site.Clock.Add(time.Second)
			return site.Call(t, "POST", recentPath, map[string]string{"nodeId": nodes[code]}, "Authorization", token)
		}
		t.Run("LB-12 CA-12 played games are listed, latest first", func(t *testing.T) {
			if _, ids := memberGames(t, site, "player", recentPath); ids != "" {
				t.Errorf("recent games = %s, want none", ids)
			}
			for _, code := range []string{"rng-1", "fish-1", "rng-2"} {
				play("player", code)
			}
			merchanttest.Want(t, play("player", "rng-1"), 200, emptyReply)
			merchanttest.Want(t, site.Call(t, "GET", recentPath+"?language=PT", nil, "Authorization", "player"), 200, `{"success":true,"value":{"list":`+lobbyList("rng-1", "O jogo rng-1", "rng-2", "O jogo rng-2", "fish-1", "O jogo fish-1")+`}}`)
			if _, ids := memberGames(t, site, "player", recentPath); ids != "rng-1 rng-2 fish-1" {
				t.Errorf("recent games = %s, want rng-1 rng-2 fish-1", ids)
			}
			if _, ids := memberGames(t, site, "other", recentPath); ids != "" {
				t.Errorf("recent games of another member = %s, want none", ids)
			}
			merchanttest.Want(t, site.Call(t, "POST", recentPath, map[string]string{"nodeId": "424242"}, "Authorization", "player"), 404, unknownGame)
		})
		t.Run("LB-12 the latest twenty are listed", func(t *testing.T) {
			importMany(t, site, s, 30)
			for code, id := range nodeIDs(t, store) {
				nodes[code] = fmt.Sprint(id)
			}
			var want []string
			for i := range 30 {
				code := fmt.Sprintf("g%05d", i)
				if reply := play("trial", code); reply.Status != 200 {
					t.Fatalf("add recent game %s: %s, want 200", code, reply.Body)
				}
				want = append(want, code)
			}
			slices.Reverse(want)
			if _, ids := memberGames(t, site, "trial", recentPath); ids != strings.Join(want[:20], " ") {
				t.Errorf("recent games = %s, want the latest twenty", ids)
			}
		})
	})
}

func TestInvalidMemberRequests(t *testing.T) {
	t.Parallel()
	site, _, nodes := serveMembers(t, dbtest.SQLite(t))
	call := func(method, path string, body any) merchanttest.Reply {
		t.Helper()
		return site.Call(t, method, path, body, "Authorization", "player")
	}
	expect := func(r merchanttest.Reply, status int, field, what string) {
		t.Helper()
		if r.Status != status || field != "" && !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: status %d, %s; want %d %s", what, r.Status, r.Body, status, field)
		}
	}
	for _, bad := range []string{`""`, `"x"`, `"-1"`, `"+1"`, `"１"`, `" 1"`, `"9223372036854775808"`, `"12345678901234567890"`, `1001`, `null`, `["1"]`, `"1\u0000"`, `"1' OR '1'='1"`, `"🐉"`} {
		for _, path := range []string{addPath, recentPath} {
			r := call("POST", path, `{"nodeId":`+bad+`}`)
			if r.Status != 400 || !strings.Contains(string(r.Body), "request_param_err") {
				t.Errorf("%s %s: status %d, %s; want 400", path, bad, r.Status, r.Body)
			}
		}
		if r := call("DELETE", removePath, `{"nodeId":`+bad+`}`); r.Status != 400 {
			t.Errorf("remove %s: status %d, %s; want 400", bad, r.Status, r.Body)
		}
	}
	for _, body := range []string{`{}`, `{`, `[]`, `"x"`, `{"nodeId":"1","more":1}`, `{"nodeId":"1","nodeId":"2"}`, ``} {
		expect(call("POST", addPath, body), 400, "", "add "+body)
		expect(call("POST", recentPath, body), 400, "", "recent "+body)
	}
	expect(call("DELETE", removePath, nil), 400, "nodeId", "remove without nodeId")
	expect(call("DELETE", removePath+"?nodeId=x", nil), 400, "nodeId", "remove x")
	expect(call("DELETE", removePath+"?nodeId="+nodes["rng-1"], map[string]string{"nodeId": nodes["rng-2"]}), 400, "nodeId", "two games")
	expect(call("DELETE", removePath+"?vendor=PG&nodeId="+nodes["rng-1"], map[string]string{"vendor": "EG3"}), 400, "vendor", "two vendors")
	expect(call("DELETE", removePath+"?nodeId="+nodes["rng-1"]+"&vendor="+strings.Repeat("x", 65), nil), 400, "vendor", "a long vendor")
	for _, method := range []string{"POST", "DELETE"} { // another vendor's game, unknown games
		path := map[string]string{"POST": addPath, "DELETE": removePath}[method]
		for _, body := range []map[string]string{{"nodeId": nodes["rng-1"], "vendor": "JL"}, {"nodeId": "424242"}, {"nodeId": "0"}} {
			r := call(method, path, body)
			if r.Status != 404 || !strings.Contains(string(r.Body), "catalogue.unknown_game") {
				t.Errorf("%s %v: status %d, %s; want 404 catalogue.unknown_game", method, body, r.Status, r.Body)
			}
		}
	}
	for _, path := range []string{favouritesPath, recentPath, "/wps/relay/GCSGAME_getRankList"} {
		expect(call("GET", path+"?language="+strings.Repeat("x", 9), nil), 400, "language", path)
		expect(call("GET", path+"?language=XX", nil), 200, "", path)
	}
	for _, bad := range []string{"0", "-1", "x", "1.5", "１", "9223372036854775808"} {
		expect(call("GET", favouritesPath+"?pageNo="+bad, nil), 400, "pageNo", bad)
		expect(call("GET", favouritesPath+"?pageSize="+bad, nil), 400, "pageSize", bad)
		expect(call("GET", "/wps/relay/GCSGAME_getRankList?limitNum="+bad, nil), 400, "limitNum", bad)
	}
	expect(call("GET", favouritesPath+"?pageSize=101", nil), 400, "pageSize", "101")
	expect(call("GET", "/wps/relay/GCSGAME_getRankList?limitNum=101", nil), 400, "limitNum", "101")
	expect(call("GET", "/wps/relay/GCSGAME_getRankList?gameCategory="+strings.Repeat("x", 33), nil), 400, "gameCategory", "a long category")
}
