package catalogue_test

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A wireGame holds the values in which the test games differ in responses.
type wireGame struct {
	node                               int
	code, vendor, vendorName, category string
	classes                            []string
	minBet, lines                      int
	hot, maintenance                   bool
	group, lottoMode                   string
}

var lobbyGames = map[string]wireGame{
	"rng-1":  {1007, "rng-1", "PG", "Paper Garden", "RNG", []string{"collect", "myth"}, 1000, 20, true, false, "", ""},
	"rng-2":  {1008, "rng-2", "EG3", "Evergrove", "RNG", []string{"sea"}, 500, 9, false, false, "", ""},
	"rng-3":  {1009, "rng-3", "JL", "Jade Lantern", "RNG", []string{"myth"}, 2000, 50, true, false, "", ""},
	"fish-1": {1010, "fish-1", "JL", "Jade Lantern", "FISH", []string{"hunt"}, 100, 0, false, false, "", ""},
	"live-1": {1012, "live-1", "LUX", "Velvet Room", "LIVE", []string{}, 10000, 0, true, true, "", ""},
}

// hotGames are the hot games of fill, by rank.
var hotGames = []wireGame{
	{1006, "rng-002", "EG3", "Evergrove", "RNG", []string{"collect", "myth"}, 1000, 20, true, false, "", ""},
	{1005, "rng-001", "PG", "Paper Garden", "RNG", []string{"collect", "myth"}, 1000, 20, true, false, "", ""},
	{1010, "lott-001", "EG3", "Evergrove", "LOTT", []string{}, 1000, 20, true, false, "north", "Tradition,Entertainment"},
}

func (g wireGame) json(name string) string {
	icon := "/m/art/tiles/" + g.code + ".webp"
	raw, err := json.Marshal(map[string]any{
		"gameId": g.code, "gameCode": g.code, "nodeId": strconv.Itoa(g.node), "nodeName": name, "gameName": name,
		"displayName": g.vendorName, "vassalage": g.vendor, "vendorCode": g.vendor, "gameType": g.category, "gameCategory": g.category,
		"iconUrl": icon, "showIcon": icon, "mobileLargeIcon": icon, "mobileSmallIcon": icon, "gameClassifyNew": g.classes,
		"minBet": g.minBet, "minLine": g.lines, "gameGroupId": g.group, "lottoMode": g.lottoMode, "hot": g.hot, "maintenance": g.maintenance,
		"supportPlay": true, "freeplay": true, "isGameH5": true,
	})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// hotList returns the response with the hot games, whose names start with prefix.
func hotList(prefix string) string {
	var games []string
	for _, g := range hotGames {
		games = append(games, g.json(prefix+g.code))
	}
	return `{"success":true,"value":{"list":[` + strings.Join(games, ",") + `]}}`
}

// lobbyList returns lobby games as a JSON array. The games are given as code, name, code, name.
func lobbyList(games ...string) string {
	var list []string
	for i := 0; i < len(games); i += 2 {
		list = append(list, lobbyGames[games[i]].json(games[i+1]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

const (
	emptyReply  = `{"success":true,"value":{}}`
	unknownGame = `{"errorCode":"catalogue.unknown_game","message":"not found","success":false}`
)
