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

// ask asks for a page; the query is given as name, value, name, value.
func ask(t testing.TB, site *merchanttest.Site, query ...string) gamePage {
	t.Helper()
	return merchanttest.Value[gamePage](t, site.Call(t, "GET", question(query...), nil))
}

func question(query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	return listPath + "?" + values.Encode()
}

// lobby is a catalogue with one of everything that lists tell apart.
func lobby(t *testing.T, s *catalogue.Service, merchantID int64) {
	t.Helper()
	makers := append(slices.Clone(vendors),
		catalogue.Vendor{Code: "JL", DisplayName: "Jade Lantern", AccountType: "RNG", Categories: []string{"FISH", "JL", "RNG"}, Sorting: 30, Enabled: true},
		catalogue.Vendor{Code: "LUX", DisplayName: "Velvet Room", AccountType: "LIVE", Categories: []string{"LIVE"}, Sorting: 40, Enabled: true, Maintenance: true})
	if err := s.PutVendors(t.Context(), merchantID, makers); err != nil {
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
	games[2].HotRank, games[5].HotRank = 1, 2 // not in the order of the list
	games[0].HotRank = 3
	if err := s.PutGames(t.Context(), merchantID, games); err != nil {
		t.Fatal(err)
	}
}

// Names, filters and views of the list, and the golden replies that the app is made by.
func TestGameList(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "list_empty", site.Call(t, "GET", listPath, nil))
		lobby(t, s, site.ID)
		t.Run("CA-08 EN-06 EN-12 the list as the specification asks for it", func(t *testing.T) {
			merchanttest.Golden(t, "list", site.Call(t, "GET", question("merchant", "fairground", "platform", "html5", "gameName", "",
				"gameType", "RNG", "pageNo", "1", "pageSize", "21", "vassalage", "", "gameClassify", "", "minBet", "", "minLine", "", "language", "VI"), nil))
			merchanttest.Golden(t, "list_ur", site.Call(t, "GET", question("merchantCode", "fairground", "clientType", "2", "gameType", "LIVE", "language", "UR"), nil))
			merchanttest.Golden(t, "list_beyond", site.Call(t, "GET", question("pageNo", "99", "pageSize", "5"), nil))
		})
		t.Run("CA-27 vendor game types", func(t *testing.T) {
			const path = "/wps/relay/GCSGAME_getVassGameType"
			merchanttest.Golden(t, "types", site.Call(t, "GET", path+"?typeId=1&merchantCode=fairground", nil))
			merchanttest.Golden(t, "types_none", site.Call(t, "GET", path+"?typeId=2", nil))
			merchanttest.Golden(t, "types_bad", site.Call(t, "GET", path+"?typeId=x", nil))
		})
		all := "rng-1 rng-2 rng-3 fish-1 jl-1 live-1 pvp-1 other-1 other-2 other-3 other-4"
		t.Run("LB-13 every category, and those that other calls fill", func(t *testing.T) {
			for category, want := range map[string]string{
				"": all, "ALL": all, "RNG": "rng-1 rng-2 rng-3", "FISH": "fish-1", "LIVE": "live-1", "PVP": "pvp-1",
				"LOTT": "other-1", "ELOTT": "other-2", "SPORTS": "other-3", "ESPORTS": "other-4",
				"JL": "rng-3 fish-1 jl-1", "HOT": "rng-3 live-1 rng-1", "HOME": "rng-3 live-1 rng-1",
				"FAV": "", "PROMO": "", "LIVESTREAM": "", "NOPE": "", "rng": "",
			} {
				if got := ask(t, site, "gameType", category); got.ids() != want || got.Total != int64(len(got.Games)) {
					t.Errorf("%q: %q, want %q", category, got.ids(), want)
				}
			}
		})
		t.Run("LB-11 in the order that is asked for", func(t *testing.T) {
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
				// One is called new; of the others the last to come is the first.
				{[]string{"sort", "new"}, "jl-1 other-4 other-3 other-2 other-1 pvp-1 live-1 fish-1 rng-3 rng-2 rng-1"},
				{[]string{"sort", "new", "gameType", "HOT"}, "live-1 rng-3 rng-1"},
				{[]string{"sort", "new", "gameName", "l"}, "jl-1 pvp-1 rng-3 rng-1"},
				{[]string{"gameType", "HOT", "gameName", "r"}, "rng-3 rng-1"},
			} {
				if got := ask(t, site, tt.query...); got.ids() != tt.want {
					t.Errorf("%v: %q, want %q", tt.query, got.ids(), tt.want)
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
				{[]string{"gameName", "ro\u0302\u0300ng"}, "rng-1 rng-3"}, // typed with combining accents
				{[]string{"gameName", "long rồng"}, "rng-1"},              // in any order
				{[]string{"gameName", "r v"}, "rng-1"},
				{[]string{"gameName", "l"}, "rng-1 rng-3 jl-1 pvp-1"}, // Hạ Long, Rồng Lửa, Đèn Lồng, Tiến Lên
				{[]string{"gameName", "do"}, "rng-2"},                 // đ as d
				{[]string{"gameName", "đỏ"}, "rng-2"},
				{[]string{"gameName", "ong"}, ""}, // words are begun, not cut through
				{[]string{"gameName", "rong Rồng RONG"}, "rng-1 rng-3"},
				{[]string{"gameName", "rong khong co"}, ""},
				{[]string{"gameName", "xua"}, ""}, // its vendor is off
				{[]string{"gameName", "an"}, ""},  // the game is off
				{[]string{"gameName", "The"}, ""}, // another language's
				{[]string{"gameName", "the rng", "language", "EN"}, "rng-1 rng-2 rng-3"},
				{[]string{"gameName", "گیم", "language", "UR", "gameType", "LIVE"}, "live-1"},
				{[]string{"gameName", "the live", "language", "UR"}, "live-1"}, // the hot list shows it by its English name
				{[]string{"gameName", "rong", "language", "UR"}, ""},
				{[]string{"gameName", "the live", "language", "PT"}, ""},
				{[]string{"gameName", "گ", "language", "UR", "gameType", "LIVE"}, "live-1"}, // goes on with letters far behind z
				{[]string{"gameName", "   "}, all},                                          // nothing was typed
				{[]string{"gameName", "!!!"}, ""},                                           // something was
				{[]string{"gameName", "🐉"}, ""},
				{[]string{"gameName", "' OR 1=1 --"}, ""},
				{[]string{"gameName", "%"}, ""},
				{[]string{"gameName", "r%"}, "rng-1 rng-3"}, // a sign is no letter, and no wildcard
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
				{[]string{"gameType", "HOT", "vassalage", "JL,LUX"}, "rng-3 live-1"},
				{[]string{"gameType", "RNG", "vassalage", "JL", "gameClassify", "myth", "minBet", "2000", "minLine", "50", "gameName", "lua"}, "rng-3"},
			} {
				if got := ask(t, site, tt.query...); got.ids() != tt.want {
					t.Errorf("%q: %q, want %q", tt.query, got.ids(), tt.want)
				}
			}
		})
		got := ask(t, site, "gameType", "LIVE")
		if !got.Games[0].Maintenance || ask(t, site, "gameType", "FISH").Games[0].Maintenance {
			t.Error("maintenance is not told of the vendor's games alone")
		}
	})
}

// Every parameter with everything bad: refused on its field or answered, never a fault of ours.
func TestBadInputOfLists(t *testing.T) {
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
		"gameName":     {append(texts, strings.Repeat("ồ", 65)), []string{strings.Repeat("ồ", 64), strings.Repeat("a ", 32), "<b>", "\u202e", "'; DROP TABLE game; --", "a b c d e f g h i j k l m n o p q r s t u v w x y z"}},
		"sort":         {append(texts, "price", "Name", "name,new", "1"), []string{"popular", "new", "name", ""}},
		"gameType":     {texts, []string{"<b>", "' OR 1=1"}},
		"vassalage":    {append(texts, strings.Repeat("a,", 65)), []string{"<b>", ",,,"}},
		"gameClassify": {append(texts, strings.Repeat("a,", 65)), []string{"<b>"}},
		"platform":     {texts, []string{"html5", "<b>"}},
		"clientType":   {texts, []string{"2", "<b>"}},
		"language":     {texts, []string{"XX", "vi", "<b>"}},
		"unheardOf":    {[]string{"\xff"}, []string{"1"}},
	} {
		for _, bad := range tt.bad {
			reply := site.Call(t, "GET", question(name, bad), nil)
			if reply.Status != 400 || !strings.Contains(string(reply.Body), `"errorCode":"request_param_err"`) || !strings.Contains(string(reply.Body), `"field":"`+name+`"`) {
				t.Errorf("%s=%q: %d %s", name, bad, reply.Status, reply.Body)
			}
		}
		for _, good := range tt.good {
			if reply := site.Call(t, "GET", question(name, good), nil); reply.Status != 200 {
				t.Errorf("%s=%q: %d %s", name, good, reply.Status, reply.Body)
			}
		}
		if reply := site.Call(t, "GET", listPath+"?"+name+"=1&"+name+"=2", nil); name != "unheardOf" && reply.Status != 400 {
			t.Errorf("%s twice: %d", name, reply.Status)
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
			t.Errorf("%s: %d %s", path, reply.Status, reply.Body)
		}
	}
}

// A page is sent as it was until something changes, here or at another replica; the client that has it is told so.
func TestListsFollowChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		lobby(t, s, site.ID)
		path := question("gameType", "RNG")
		first := site.Call(t, "GET", path, nil, "Accept-Encoding", "gzip, br")
		if first.Header.Get("Content-Encoding") != "gzip" || first.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("headers %v", first.Header)
		}
		if again := site.Call(t, "GET", path, nil, "Accept-Encoding", "gzip, br", "If-None-Match", first.Header.Get("Etag")); again.Status != 304 {
			t.Errorf("unchanged list: %d", again.Status)
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
			if got := ask(t, site, "gameType", "RNG"); got.ids() != tt.want {
				t.Errorf("%q, want %q", got.ids(), tt.want)
			}
		}
		// A change whose word is lost is seen when the list is a minute old.
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE game SET enabled = FALSE WHERE code = 'rng-1'"); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Writer.ExecContext(t.Context(), "UPDATE catalogue SET version = version + 1"); err != nil {
			t.Fatal(err)
		}
		site.Clock.Add(61 * time.Second)
		if got := ask(t, site, "gameType", "RNG"); got.ids() != "rng-2 rng-3" {
			t.Errorf("a minute later: %q", got.ids())
		}
		if _, err := s.SwitchVendor(t.Context(), site.ID, "NOPE", catalogue.Switches{Enabled: &on}); err == nil {
			t.Error("a vendor that is not there was switched")
		}
		state, err := s.SwitchVendor(t.Context(), site.ID, "LUX", catalogue.Switches{Maintenance: &off})
		if err != nil || state.Maintenance || !state.Enabled {
			t.Errorf("%+v %v", state, err)
		}
		if ask(t, site, "gameType", "LIVE").Games[0].Maintenance {
			t.Error("the vendor's maintenance is over, and its games still say so")
		}
	})
}

// Merchants on one database never see each other's games, whatever they search for.
func TestSearchKeepsMerchantsApart(t *testing.T) {
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
	if got := ask(t, site, "gameName", "rong vang"); got.ids() != "rng-1" {
		t.Errorf("ours: %s", got.ids())
	}
	reply := site.Call(t, "GET", question("gameName", "rong vang", "merchant", "another"), nil, "Merchant", "another")
	if got := merchanttest.Value[gamePage](t, reply); got.ids() != "theirs" {
		t.Errorf("theirs: %s", got.ids())
	}
}

// thousands fills a catalogue of n games by few statements, with names of three words out of many.
func thousands(t testing.TB, site *merchanttest.Site, s *catalogue.Service, n int) {
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
