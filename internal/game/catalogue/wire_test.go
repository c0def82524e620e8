package catalogue_test

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A wireGame holds the response fields that differ between the test games.
type wireGame struct {
	node                               int
	code, vendor, vendorName, category string
	classes                            []string
	minBet, lines                      int
	hot, maintenance                   bool
	group, lottoMode                   string
}

var lobbyGames = map[string]wireGame{
	"rng-1":  {node: 1007, code: "rng-1", vendor: "PG", vendorName: "Paper Garden", category: "RNG", classes: []string{"collect", "myth"}, minBet: 1000, lines: 20, hot: true},
	"rng-2":  {node: 1008, code: "rng-2", vendor: "EG3", vendorName: "Evergrove", category: "RNG", classes: []string{"sea"}, minBet: 500, lines: 9},
	"rng-3":  {node: 1009, code: "rng-3", vendor: "JL", vendorName: "Jade Lantern", category: "RNG", classes: []string{"myth"}, minBet: 2000, lines: 50, hot: true},
	"fish-1": {node: 1010, code: "fish-1", vendor: "JL", vendorName: "Jade Lantern", category: "FISH", classes: []string{"hunt"}, minBet: 100, lines: 0},
	"live-1": {node: 1012, code: "live-1", vendor: "LUX", vendorName: "Velvet Room", category: "LIVE", classes: []string{}, minBet: 10000, lines: 0, hot: true, maintenance: true},
}

// hotGames are the hot games that fill creates, in rank order.
var hotGames = []wireGame{
	{node: 1006, code: "rng-002", vendor: "EG3", vendorName: "Evergrove", category: "RNG", classes: []string{"collect", "myth"}, minBet: 1000, lines: 20, hot: true},
	{node: 1005, code: "rng-001", vendor: "PG", vendorName: "Paper Garden", category: "RNG", classes: []string{"collect", "myth"}, minBet: 1000, lines: 20, hot: true},
	{node: 1010, code: "lott-001", vendor: "EG3", vendorName: "Evergrove", category: "LOTT", classes: []string{}, minBet: 1000, lines: 20, hot: true, group: "north", lottoMode: "Tradition,Entertainment"},
}

// json returns the game in a response. vassalage is the protocol's name for the vendor code.
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
