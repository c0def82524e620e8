package catalogue_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

const listPath = "/wps/relay/GCSGAME_gameList"

type listedGame struct {
	GameID, NodeID, GameName, GameCategory, Vassalage string
	Maintenance, Hot                                  bool
}

type gamePage struct {
	Games                      []listedGame
	PageNum, TotalPages, Total int64
}

func (p gamePage) ids() string {
	var ids []string
	for _, g := range p.Games {
		ids = append(ids, g.GameID)
	}
	return strings.Join(ids, " ")
}

// listGames requests a page. The query is given as name, value, name, value.
func listGames(t testing.TB, site *merchanttest.Site, query ...string) gamePage {
	t.Helper()
	return merchanttest.Value[gamePage](t, site.Call(t, "GET", listURL(query...), nil))
}

func listURL(query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	return listPath + "?" + values.Encode()
}

// lobby stores a catalogue with games for every filter.
func lobby(t *testing.T, s *catalogue.Service, merchantID int64) {
	t.Helper()
	all := append(slices.Clone(vendors),
		catalogue.Vendor{Code: "JL", DisplayName: "Jade Lantern", AccountType: "RNG", Categories: []string{"FISH", "JL", "RNG"}, Sorting: 30, Enabled: true},
		catalogue.Vendor{Code: "LUX", DisplayName: "Velvet Room", AccountType: "LIVE", Categories: []string{"LIVE"}, Sorting: 40, Enabled: true, Maintenance: true})
	if err := s.PutVendors(t.Context(), merchantID, all); err != nil {
		t.Fatal(err)
	}
	var games []catalogue.Game
	add := func(code, vendor, category string, minBet, lines int64, name string, classes ...string) {
		g := game(code, vendor, 0)
		g.Category, g.MinBet, g.MinLines, g.Classes, g.Sorting = category, minBet, lines, classes, int64(len(games)+1)
		g.Names = map[string]string{"vi": name, "en": "The " + code, "ur": "گیم " + code, "pt": "O jogo " + code}
		games = append(games, g)
	}
	add("rng-1", "PG", "RNG", 1000, 20, "Rồng Vàng Hạ Long", "myth", "collect")
	add("rng-2", "EG3", "RNG", 500, 9, "Đại Dương Đỏ", "sea")
	add("rng-3", "JL", "RNG", 2000, 50, "Rồng Lửa", "myth")
	add("fish-1", "JL", "FISH", 100, 0, "Vua Biển", "hunt")
	add("jl-1", "JL", "JL", 100, 0, "Đèn Lồng Ngọc", "new")
	add("live-1", "LUX", "LIVE", 10000, 0, "Bàn Nhung")
	add("pvp-1", "EG3", "PVP", 5000, 0, "Tiến Lên", "cards")
	add("old-1", "OLD", "RNG", 100, 20, "Rồng Xưa", "myth")
	add("off-1", "PG", "RNG", 100, 20, "Rồng Ẩn", "myth")
	for i, category := range []string{"LOTT", "ELOTT", "SPORTS", "ESPORTS"} {
		add("other-"+strconv.Itoa(i+1), "EG3", category, 1000, 0, "Khác "+strconv.Itoa(i+1))
	}
	games[8].Enabled = false
	games[9].FreePlay = false                 // other-1
	games[2].HotRank, games[5].HotRank = 1, 2 // not in the order of the list
	games[0].HotRank = 3
	if err := s.PutGames(t.Context(), merchantID, games); err != nil {
		t.Fatal(err)
	}
}

func TestGameList(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Want(t, site.Call(t, "GET", listPath, nil), 200, `{"success":true,"value":{"games":[],"pageNum":1,"total":0,"totalPages":0}}`)
		lobby(t, s, site.ID)
		t.Run("CA-08 EN-06 EN-12 all parameters of the specification", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", listURL("merchant", "fairground", "platform", "html5", "gameName", "", "gameType", "RNG", "pageNo", "1", "pageSize", "21", "vassalage", "", "gameClassify", "", "minBet", "", "minLine", "", "language", "VI"), nil), 200, `{"success":true,"value":{"pageNum":1,"total":3,"totalPages":1,"games":`+
				lobbyList("rng-1", "Rồng Vàng Hạ Long", "rng-2", "Đại Dương Đỏ", "rng-3", "Rồng Lửa")+`}}`)
			merchanttest.Want(t, site.Call(t, "GET", listURL("merchantCode", "fairground", "clientType", "2", "gameType", "LIVE", "language", "UR"), nil), 200, `{"success":true,"value":{"pageNum":1,"total":1,"totalPages":1,"games":`+lobbyList("live-1", "گیم live-1")+`}}`)
			merchanttest.Want(t, site.Call(t, "GET", listURL("pageNo", "99", "pageSize", "5"), nil), 200, `{"success":true,"value":{"games":[],"pageNum":99,"total":11,"totalPages":3}}`)
		})
		t.Run("CA-27 vendor game types", func(t *testing.T) {
			const path = "/wps/relay/GCSGAME_getVassGameType"
			merchanttest.Want(t, site.Call(t, "GET", path+"?typeId=1&merchantCode=fairground", nil), 200, `{"success":true,"value":[
				{"vassalage":"EG3","gameTypes":["PVP","RNG"],
					"classify":[{"classify":"cards","count":1,"gameType":"PVP"},{"classify":"sea","count":1,"gameType":"RNG"}],
					"counts":[{"count":1,"gameType":"ELOTT"},{"count":1,"gameType":"ESPORTS"},{"count":1,"gameType":"LOTT"},
						{"count":1,"gameType":"PVP"},{"count":1,"gameType":"RNG"},{"count":1,"gameType":"SPORTS"}]},
				{"vassalage":"PG","gameTypes":["RNG"],"counts":[{"count":1,"gameType":"RNG"}],
					"classify":[{"classify":"collect","count":1,"gameType":"RNG"},{"classify":"myth","count":1,"gameType":"RNG"}]},
				{"vassalage":"JL","gameTypes":["FISH","JL","RNG"],
					"classify":[{"classify":"hunt","count":1,"gameType":"FISH"},{"classify":"new","count":1,"gameType":"JL"},{"classify":"myth","count":1,"gameType":"RNG"}],
					"counts":[{"count":1,"gameType":"FISH"},{"count":1,"gameType":"JL"},{"count":1,"gameType":"RNG"}]},
				{"vassalage":"LUX","gameTypes":["LIVE"],"classify":[],"counts":[{"count":1,"gameType":"LIVE"}]}
			]}`)
			merchanttest.Want(t, site.Call(t, "GET", path+"?typeId=2", nil), 200, `{"success":true,"value":[]}`)
			merchanttest.Want(t, site.Call(t, "GET", path+"?typeId=x", nil), 400, `{
				"errorCode":"request_param_err","field":"typeId","message":"the request is not valid","success":false
			}`)
		})
		all := "rng-1 rng-2 rng-3 fish-1 jl-1 live-1 pvp-1 other-1 other-2 other-3 other-4"
		t.Run("LB-13 server part: every category and view", func(t *testing.T) {
			for category, want := range map[string]string{
				"": all, "ALL": all, "RNG": "rng-1 rng-2 rng-3", "FISH": "fish-1", "LIVE": "live-1", "PVP": "pvp-1",
				"LOTT": "other-1", "ELOTT": "other-2", "SPORTS": "other-3", "ESPORTS": "other-4",
				"JL": "rng-3 fish-1 jl-1", "HOT": "rng-3 live-1 rng-1", "HOME": "rng-3 live-1 rng-1",
				"FAV": "", "PROMO": "", "LIVESTREAM": "", "NOPE": "", "rng": "",
			} {
				if got := listGames(t, site, "gameType", category); got.ids() != want || got.Total != int64(len(got.Games)) {
					t.Errorf("category %q = %q, want %q", category, got.ids(), want)
				}
			}
		})
		t.Run("LB-11 sort orders", func(t *testing.T) {
			for _, tt := range []struct {
				query []string
				want  string
			}{
				{[]string{"sort", "popular"}, all},
				{[]string{"sort", ""}, all},
				// Bàn, Đại, Đèn, Khác 1 to 4, Rồng Lửa, Rồng Vàng, Tiến, Vua.
				{[]string{"sort", "name"}, "live-1 rng-2 jl-1 other-1 other-2 other-3 other-4 rng-3 rng-1 pvp-1 fish-1"},
				{[]string{"sort", "name", "language", "EN"}, "fish-1 jl-1 live-1 other-1 other-2 other-3 other-4 pvp-1 rng-1 rng-2 rng-3"},
				{[]string{"sort", "name", "pageSize", "4", "pageNo", "2"}, "other-2 other-3 other-4 rng-3"},
				{[]string{"sort", "name", "gameType", "HOT"}, "live-1 rng-3 rng-1"},
				{[]string{"sort", "name", "gameName", "r"}, "rng-3 rng-1"},
				// jl-1 has class new; the others follow, latest first.
				{[]string{"sort", "new"}, "jl-1 other-4 other-3 other-2 other-1 pvp-1 live-1 fish-1 rng-3 rng-2 rng-1"},
				{[]string{"sort", "new", "gameType", "HOT"}, "live-1 rng-3 rng-1"},
				{[]string{"sort", "new", "gameName", "l"}, "jl-1 pvp-1 rng-3 rng-1"},
				{[]string{"gameType", "HOT", "gameName", "r"}, "rng-3 rng-1"},
			} {
				if got := listGames(t, site, tt.query...); got.ids() != tt.want {
					t.Errorf("query %v = %q, want %q", tt.query, got.ids(), tt.want)
				}
			}
		})
		t.Run("LB-11 search and filters", func(t *testing.T) {
			for _, tt := range []struct {
				query []string
				want  string
			}{
				{[]string{"gameName", "rong"}, "rng-1 rng-3"},
				{[]string{"gameName", "RỒNG"}, "rng-1 rng-3"},
				{[]string{"gameName", "ro\u0302\u0300ng"}, "rng-1 rng-3"}, // combining accents
				{[]string{"gameName", "long rồng"}, "rng-1"},              // any order of words
				{[]string{"gameName", "r v"}, "rng-1"},
				{[]string{"gameName", "l"}, "rng-1 rng-3 jl-1 pvp-1"}, // Hạ Long, Rồng Lửa, Đèn Lồng, Tiến Lên
				{[]string{"gameName", "do"}, "rng-2"},                 // đ as d
				{[]string{"gameName", "đỏ"}, "rng-2"},
				{[]string{"gameName", "ong"}, ""}, // matches only prefixes
				{[]string{"gameName", "rong Rồng RONG"}, "rng-1 rng-3"},
				{[]string{"gameName", "rong khong co"}, ""},
				{[]string{"gameName", "xua"}, ""}, // its vendor is disabled
				{[]string{"gameName", "an"}, ""},  // the game is disabled
				{[]string{"gameName", "The"}, ""}, // a name in another language
				{[]string{"gameName", "the rng", "language", "EN"}, "rng-1 rng-2 rng-3"},
				{[]string{"gameName", "گیم", "language", "UR", "gameType", "LIVE"}, "live-1"},
				{[]string{"gameName", "the live", "language", "UR"}, "live-1"}, // falls back to English names
				{[]string{"gameName", "rong", "language", "UR"}, ""},
				{[]string{"gameName", "the live", "language", "PT"}, ""},
				{[]string{"gameName", "گ", "language", "UR", "gameType", "LIVE"}, "live-1"}, // next letter sorts far after z
				{[]string{"gameName", "   "}, all},                                          // empty search
				{[]string{"gameName", "!!!"}, ""},                                           // only symbols
				{[]string{"gameName", "🐉"}, ""},
				{[]string{"gameName", "' OR 1=1 --"}, ""},
				{[]string{"gameName", "%"}, ""},
				{[]string{"gameName", "r%"}, "rng-1 rng-3"}, // % is not a wildcard
				{[]string{"gameName", "rong", "vassalage", "JL"}, "rng-3"},
				{[]string{"vassalage", "JL,PG"}, "rng-1 rng-3 fish-1 jl-1"},
				{[]string{"vassalage", " JL , ,PG,"}, "rng-1 rng-3 fish-1 jl-1"},
				{[]string{"vassalage", ","}, all},
				{[]string{"vassalage", "NONE"}, ""},
				{[]string{"vassalage", "OLD"}, ""},
				{[]string{"gameClassify", "myth"}, "rng-1 rng-3"},
				{[]string{"gameClassify", "collect,hunt"}, "rng-1 fish-1"},
				{[]string{"gameClassify", "nothing"}, ""},
				{[]string{"minBet", "500"}, "rng-2 fish-1 jl-1"},
				{[]string{"minBet", "0"}, all},
				{[]string{"minLine", "20"}, "rng-1 rng-3"},
				{[]string{"minLine", "0"}, all},
				{[]string{"minLine", "9223372036854775807"}, ""},
				{[]string{"freeplay", "1"}, strings.Replace(all, " other-1", "", 1)},
				{[]string{"freeplay", "0"}, all},
				{[]string{"gameType", "HOT", "vassalage", "JL,LUX"}, "rng-3 live-1"},
				{[]string{"gameType", "RNG", "vassalage", "JL", "gameClassify", "myth", "minBet", "2000", "minLine", "50", "gameName", "lua"}, "rng-3"},
			} {
				if got := listGames(t, site, tt.query...); got.ids() != tt.want {
					t.Errorf("query %q = %q, want %q", tt.query, got.ids(), tt.want)
				}
			}
		})
		got := listGames(t, site, "gameType", "LIVE")
		if !got.Games[0].Maintenance || listGames(t, site, "gameType", "FISH").Games[0].Maintenance {
			t.Error("maintenance must be set for games of LUX and unset for games of JL")
		}
	})
}

func TestInvalidListParameters(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	lobby(t, s, site.ID)
	numbers := []string{"x", "1.5", "-1", "+1", "１", "1e3", "0x10", "9223372036854775808", "99999999999999999999999999", " 1", "1 ", "1;2", "٣", "\x00", "NaN"}
	texts := []string{"\xff\xfe", "\x00", strings.Repeat("a", 600)}
	for name, tt := range map[string]struct{ bad, good []string }{
		"pageNo":       {append(numbers, "0"), []string{"1", "2", "9223372036854775807", ""}},
		"pageSize":     {append(numbers, "0", "101"), []string{"1", "100", ""}},
		"minBet":       {numbers, []string{"0", "1", "9223372036854775807", ""}},
		"minLine":      {numbers, []string{"0", "1", ""}},
		"freeplay":     {append(numbers, "2"), []string{"0", "1", ""}},
		"gameName":     {append(texts, strings.Repeat("ồ", 65)), []string{strings.Repeat("ồ", 64), strings.Repeat("a ", 32), "<b>", "\u202e", "'; DROP TABLE game; --", "a b c d e f g h i j k l m n o p q r s t u v w x y z"}},
		"sort":         {append(texts, "price", "Name", "name,new", "1"), []string{"popular", "new", "name", ""}},
		"gameType":     {texts, []string{"<b>", "' OR 1=1"}},
		"vassalage":    {append(texts, strings.Repeat("a,", 65)), []string{"<b>", ",,,"}},
		"gameClassify": {append(texts, strings.Repeat("a,", 65)), []string{"<b>"}},
		"platform":     {texts, []string{"html5", "<b>"}},
		"clientType":   {texts, []string{"2", "<b>"}},
		"language":     {texts, []string{"XX", "vi", "<b>"}},
		"unknown":      {[]string{"\xff"}, []string{"1"}},
	} {
		for _, bad := range tt.bad {
			reply := site.Call(t, "GET", listURL(name, bad), nil)
			if reply.Status != 400 || !strings.Contains(string(reply.Body), `"errorCode":"request_param_err"`) || !strings.Contains(string(reply.Body), `"field":"`+name+`"`) {
				t.Errorf("%s=%q: status %d, %s; want 400 about the field", name, bad, reply.Status, reply.Body)
			}
		}
		for _, good := range tt.good {
			if reply := site.Call(t, "GET", listURL(name, good), nil); reply.Status != 200 {
				t.Errorf("%s=%q: status %d, %s; want 200", name, good, reply.Status, reply.Body)
			}
		}
		if reply := site.Call(t, "GET", listPath+"?"+name+"=1&"+name+"=2", nil); name != "unknown" && reply.Status != 400 {
			t.Errorf("%s twice: status %d, want 400", name, reply.Status)
		}
	}
	for path, want := range map[string]string{
		listPath + "?merchant=another":                       "merchant.unknown",
		listPath + "?merchantCode=another":                   "merchant.unknown",
		listPath + "?gameName=%zz":                           "request_param_err",
		listPath + "?a;b":                                    "request_param_err",
		"/wps/relay/GCSGAME_getVassGameType?typeId=-1":       "request_param_err",
		"/wps/relay/GCSGAME_getVassGameType?typeId=1.0":      "request_param_err",
		"/wps/relay/GCSGAME_getVassGameType?merchantCode=no": "merchant.unknown",
	} {
		if reply := site.Call(t, "GET", path, nil); !strings.Contains(string(reply.Body), `"errorCode":"`+want+`"`) {
			t.Errorf("%s: status %d, %s; want %s", path, reply.Status, reply.Body, want)
		}
	}
}

func TestListsFollowChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		lobby(t, s, site.ID)
		path := listURL("gameType", "RNG")
		first := site.Call(t, "GET", path, nil, "Accept-Encoding", "gzip, br")
		if first.Header.Get("Content-Encoding") != "gzip" || first.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("headers = %v, want gzip and no-cache", first.Header)
		}
		if again := site.Call(t, "GET", path, nil, "Accept-Encoding", "gzip, br", "If-None-Match", first.Header.Get("Etag")); again.Status != 304 {
			t.Errorf("unchanged list: status %d, want 304", again.Status)
		}
		off, on := false, true
		for _, tt := range []struct {
			to   catalogue.Switches
			want string
		}{
			{catalogue.Switches{Enabled: &off}, "rng-1 rng-2"}, {catalogue.Switches{Enabled: &on}, "rng-1 rng-2 rng-3"},
		} {
			if _, err := s.SwitchVendor(t.Context(), site.ID, "JL", tt.to); err != nil {
				t.Fatal(err)
			}
			if got := listGames(t, site, "gameType", "RNG"); got.ids() != tt.want {
				t.Errorf("games = %q, want %q", got.ids(), tt.want)
			}
		}
		// A change without notification is noticed within a minute.
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE game SET enabled = FALSE WHERE code = 'rng-1'"); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE catalogue SET version = version + 1"); err != nil {
			t.Fatal(err)
		}
		site.Clock.Add(61 * time.Second)
		if got := listGames(t, site, "gameType", "RNG"); got.ids() != "rng-2 rng-3" {
			t.Errorf("after a minute: games = %q, want rng-2 rng-3", got.ids())
		}
		if _, err := s.SwitchVendor(t.Context(), site.ID, "NOPE", catalogue.Switches{Enabled: &on}); err == nil {
			t.Error("switching an unknown vendor succeeded")
		}
		state, err := s.SwitchVendor(t.Context(), site.ID, "LUX", catalogue.Switches{Maintenance: &off})
		if err != nil || state.Maintenance || !state.Enabled {
			t.Errorf("SwitchVendor = %+v, %v; want enabled and not in maintenance", state, err)
		}
		if listGames(t, site, "gameType", "LIVE").Games[0].Maintenance {
			t.Error("games are still in maintenance after the vendor's maintenance ended")
		}
	})
}

func TestSearchFindsOnlyOwnGames(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	other, err := site.Merchants.Ensure(t.Context(), "another", "Another", "USD")
	if err != nil {
		t.Fatal(err)
	}
	lobby(t, s, site.ID)
	if err := s.PutVendors(t.Context(), other, vendors); err != nil {
		t.Fatal(err)
	}
	if err := s.PutGames(t.Context(), other, []catalogue.Game{game("theirs", "PG", 1)}); err != nil {
		t.Fatal(err)
	}
	if got := listGames(t, site, "gameName", "rong vang"); got.ids() != "rng-1" {
		t.Errorf("games of fairground = %s, want rng-1", got.ids())
	}
	reply := site.Call(t, "GET", listURL("gameName", "rong vang", "merchant", "another"), nil, "Merchant", "another")
	if got := merchanttest.Value[gamePage](t, reply); got.ids() != "theirs" {
		t.Errorf("games of another = %s, want theirs", got.ids())
	}
}

// importMany imports n games with names of three words.
func importMany(t testing.TB, site *merchanttest.Site, s *catalogue.Service, n int) {
	t.Helper()
	f := catalogue.File{Vendors: []catalogue.VendorRow{}}
	categories := []string{"RNG", "FISH", "LIVE", "PVP", "SPORTS"}
	for i := range 20 {
		f.Vendors = append(f.Vendors, catalogue.VendorRow{Code: fmt.Sprintf("V%02d", i), DisplayName: fmt.Sprintf("Vendor %d", i), AccountTypeName: "RNG", Categories: categories, Sorting: int64(i)})
	}
	for i := range n {
		name := fmt.Sprintf("Từ%d Vần%d Số%d", i%97, i%1009, i)
		f.Games = append(f.Games, catalogue.GameRow{
			GameID: fmt.Sprintf("g%05d", i), Vendor: fmt.Sprintf("V%02d", i%20), Category: categories[i%5], Icon: "/m/art/x.webp",
			Names: map[string]string{"vi": name, "en": "E" + name, "ur": "U" + name, "pt": "P" + name}, Classify: []string{fmt.Sprintf("c%d", i%13)},
			MinBet: int64(i%7) * 500, MinLines: int64(i % 50), Sorting: int64((i * 7919) % n),
		})
	}
	if err := s.Import(t.Context(), site.ID, f); err != nil {
		t.Fatal(err)
	}
}
