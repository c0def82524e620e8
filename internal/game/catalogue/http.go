package catalogue

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2/queryparam"

	"fairground/internal/platform/rest"
)

// A game is a game on the wire. Several fields repeat a value, because existing clients read either name.
type game struct {
	GameID          string   `json:"gameId"`
	NodeID          string   `json:"nodeId"`
	NodeName        string   `json:"nodeName"`
	GameName        string   `json:"gameName"`
	DisplayName     string   `json:"displayName" doc:"The vendor's display name."`
	Vassalage       string   `json:"vassalage" doc:"The vendor's code."`
	VendorCode      string   `json:"vendorCode"`
	GameType        string   `json:"gameType"`
	GameCategory    string   `json:"gameCategory"`
	IconURL         string   `json:"iconUrl"`
	ShowIcon        string   `json:"showIcon"`
	MobileLargeIcon string   `json:"mobileLargeIcon"`
	MobileSmallIcon string   `json:"mobileSmallIcon"`
	SupportPlay     bool     `json:"supportPlay"`
	GameCode        string   `json:"gameCode"`
	GameGroupID     string   `json:"gameGroupId"`
	LottoMode       string   `json:"lottoMode"`
	IsGameH5        bool     `json:"isGameH5" doc:"Always true: every game runs in a browser."`
	FreePlay        bool     `json:"freeplay"`
	GameClassifyNew []string `json:"gameClassifyNew"`
	MinBet          int64    `json:"minBet" doc:"The minimum bet, in minor units of the merchant's currency, like the filter minBet."`
	MinLine         int64    `json:"minLine" doc:"The number of lines; 0 if the game has none."`
	Maintenance     bool     `json:"maintenance" doc:"The game or its vendor is in maintenance: the game is listed but cannot be played."`
	NotOpen         bool     `json:"notOpen,omitempty" doc:"The game is listed but cannot be played yet. Say so before asking a visitor to log in."`
	Hot             bool     `json:"hot"`
	Jackpot         bool     `json:"jackpot,omitempty" doc:"Marked as a game with a jackpot."`
}

func nodeID(g *gameEntry) string { return strconv.FormatInt(g.id, 10) }

func wireGames(entries []*gameEntry, language int) []game {
	out := make([]game, 0, len(entries))
	for _, g := range entries {
		out = append(out, game{
			GameID: g.code, NodeID: nodeID(g), NodeName: g.names[language], GameName: g.names[language],
			DisplayName: g.vendor.name, Vassalage: g.vendor.code, VendorCode: g.vendor.code,
			GameType: g.category, GameCategory: g.category,
			IconURL: g.icon, ShowIcon: g.icon, MobileLargeIcon: g.icon, MobileSmallIcon: g.icon,
			SupportPlay: g.supportPlay, GameCode: g.launchCode, GameGroupID: g.groupID, LottoMode: g.lottoMode,
			IsGameH5: true, FreePlay: g.freePlay, GameClassifyNew: append([]string{}, g.classes...),
			MinBet: g.minBet, MinLine: g.minLines, Maintenance: g.maintenance, NotOpen: g.notOpen, Hot: g.hotRank > 0, Jackpot: g.jackpot,
		})
	}
	return out
}

type hotList struct {
	List []game `json:"list"`
}

type vendor struct {
	AccountTypeName string   `json:"accountTypeName"`
	VendorNames     []string `json:"vendorNames"`
	VendorSorting   int64    `json:"vendorSorting" doc:"Vendors are listed in this order."`
	VendorCode      string   `json:"vendorCode"`
	DisplayName     string   `json:"displayName"`
	IconURL         string   `json:"iconUrl" doc:"The logo; empty if there is none."`
	GameTypes       []string `json:"gameTypes"`
	Maintenance     bool     `json:"maintenance" doc:"The vendor is in maintenance: its games are listed but cannot be played."`
}

func (d *directory) wireVendors() []vendor {
	out := make([]vendor, 0, len(d.vendors))
	for _, v := range d.vendors {
		out = append(out, vendor{
			AccountTypeName: v.accountType, VendorNames: []string{v.name}, VendorSorting: v.sorting,
			VendorCode: v.code, DisplayName: v.name, IconURL: v.icon, GameTypes: append([]string{}, v.categories...),
			Maintenance: v.maintenance,
		})
	}
	return out
}

// hotInput documents the parameters; the handler reads only the language.
type hotInput struct {
	MerchantCode string `query:"merchantCode"`
	IsPlatform   string `query:"isPlatform" example:"2"`
	Language     string `query:"language" enum:"VI,EN,UR,PT" doc:"The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
	Platform     string `query:"platform" example:"html5"`
}

// vendorInput documents merchantCode, which package rest checks.
type vendorInput struct {
	MerchantCode string `query:"merchantCode"`
}

// Routes adds the catalogue's calls to the API.
func Routes(a *rest.API, s *Service) {
	rest.Raw[hotInput, hotList](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_hotGamesV2", ID: "hotGames", Tag: "catalogue",
		Summary: "Hot games, by rank", Access: rest.Public,
	}, s.serve(func(d *directory, r *http.Request) (*rest.Encoded, error) {
		return d.hotLists[languageIndex(queryLanguage(r))]()
	}))
	rest.Raw[vendorInput, []vendor](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_newGameVendor", ID: "gameVendors", Tag: "catalogue",
		Summary: "Vendors and their categories, in display order", Access: rest.Public,
	}, s.serve(func(d *directory, _ *http.Request) (*rest.Encoded, error) { return d.vendorList() }))
	listRoutes(a, s)
	memberRoutes(a, s)
}

func queryLanguage(r *http.Request) string {
	return chosenLanguage(r.Context(), queryparam.Get(r.URL.RawQuery, "language"))
}

func chosenLanguage(ctx context.Context, parameter string) string {
	if parameter == "" {
		return rest.LanguageOf(ctx)
	}
	return rest.Language(parameter)
}

func (s *Service) serve(respond func(*directory, *http.Request) (*rest.Encoded, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, err := s.directory(r.Context(), rest.MerchantOf(r.Context()).ID)
		if err == nil {
			var encoded *rest.Encoded
			if encoded, err = respond(d, r); err == nil {
				encoded.ServeHTTP(w, r)
				return
			}
		}
		rest.WriteError(w, r, err)
	})
}
