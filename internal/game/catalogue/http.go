package catalogue

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2/queryparam"

	"fairground/internal/platform/rest"
)

// game is a game as the wire names its parts. Several names stand for one thing: clients of this family read
// either of them.
type game struct {
	GameID          string   `json:"gameId"`
	NodeID          string   `json:"nodeId"`
	NodeName        string   `json:"nodeName"`
	GameName        string   `json:"gameName"`
	DisplayName     string   `json:"displayName" doc:"The vendor's name as it is shown."`
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
	IsGameH5        bool     `json:"isGameH5" doc:"Always true: every game of the catalogue is played in a browser."`
	FreePlay        bool     `json:"freeplay"`
	GameClassifyNew []string `json:"gameClassifyNew"`
	MinBet          int64    `json:"minBet" doc:"The least bet, in minor units of the merchant's currency, as the filter takes it."`
	MinLine         int64    `json:"minLine" doc:"Its lines; 0 where a game has none."`
	Maintenance     bool     `json:"maintenance" doc:"The vendor works on its games: shown, but not to be played now."`
	NotOpen         bool     `json:"notOpen,omitempty" doc:"Nobody serves games of its kind yet: shown, and told before anybody is asked to log in."`
	Hot             bool     `json:"hot"`
}

func nodeID(t *title) string { return strconv.FormatInt(t.id, 10) }

func wireGames(titles []*title, tongue int) []game {
	out := make([]game, 0, len(titles))
	for _, t := range titles {
		out = append(out, game{
			GameID: t.code, NodeID: nodeID(t), NodeName: t.names[tongue], GameName: t.names[tongue],
			DisplayName: t.maker.name, Vassalage: t.maker.code, VendorCode: t.maker.code,
			GameType: t.category, GameCategory: t.category,
			IconURL: t.icon, ShowIcon: t.icon, MobileLargeIcon: t.icon, MobileSmallIcon: t.icon,
			SupportPlay: t.supportPlay, GameCode: t.launchCode, GameGroupID: t.groupID, LottoMode: t.lottoMode,
			IsGameH5: true, FreePlay: t.freePlay, GameClassifyNew: append([]string{}, t.classes...),
			MinBet: t.minBet, MinLine: t.minLines, Maintenance: t.maker.maintenance, NotOpen: t.notOpen, Hot: t.hotRank > 0,
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
	VendorSorting   int64    `json:"vendorSorting" doc:"The order in which vendors are shown."`
	VendorCode      string   `json:"vendorCode"`
	DisplayName     string   `json:"displayName"`
	IconURL         string   `json:"iconUrl" doc:"Its logo; empty where it has none."`
	GameTypes       []string `json:"gameTypes"`
	Maintenance     bool     `json:"maintenance" doc:"Works on its games: shown, but not to be played now."`
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

// hotInput is for the document; the handler reads what it needs itself.
type hotInput struct {
	MerchantCode string `query:"merchantCode"`
	IsPlatform   string `query:"isPlatform" example:"2"`
	Language     string `query:"language" enum:"VI,EN,UR,PT" doc:"Else the Language header counts. In any case; an unknown one counts as VI."`
	Platform     string `query:"platform" example:"html5"`
}

// vendorInput is for the document: the border refuses the code of another merchant.
type vendorInput struct {
	MerchantCode string `query:"merchantCode"`
}

// Routes adds the catalogue's calls to the API.
func Routes(a *rest.API, s *Service) {
	rest.Raw[hotInput, hotList](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_hotGamesV2", ID: "hotGames", Tag: "catalogue",
		Summary: "Hot games, in order", Access: rest.Public,
	}, s.serve(func(d *directory, r *http.Request) (*rest.Encoded, error) {
		return d.hotLists[tongue(asked(r))]()
	}))
	rest.Raw[vendorInput, []vendor](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_newGameVendor", ID: "gameVendors", Tag: "catalogue",
		Summary: "Vendors with what they serve, in order", Access: rest.Public,
	}, s.serve(func(d *directory, _ *http.Request) (*rest.Encoded, error) { return d.vendorList() }))
	listsRoutes(a, s)
	ownRoutes(a, s)
}

// asked is the language of the request: the query's before the header's.
func asked(r *http.Request) string {
	if named := queryparam.Get(r.URL.RawQuery, "language"); named != "" {
		return rest.Language(named)
	}
	return rest.LanguageOf(r.Context())
}

// serve answers from the merchant's directory.
func (s *Service) serve(answer func(*directory, *http.Request) (*rest.Encoded, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, err := s.directory(r.Context(), rest.MerchantOf(r.Context()).ID)
		if err == nil {
			var encoded *rest.Encoded
			if encoded, err = answer(d, r); err == nil {
				encoded.ServeHTTP(w, r)
				return
			}
		}
		rest.WriteError(w, r, err)
	})
}
