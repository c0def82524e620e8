package catalogue

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2/queryparam"

	"fairground/internal/rest"
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
	IsGameH5        bool     `json:"isGameH5"`
	FreePlay        bool     `json:"freeplay"`
	GameClassifyNew []string `json:"gameClassifyNew"`
}

type hotList struct {
	List []game `json:"list"`
}

type vendor struct {
	AccountTypeName string   `json:"accountTypeName"`
	VendorNames     []string `json:"vendorNames"`
	VendorSorting   int64    `json:"vendorSorting"`
	VendorCode      string   `json:"vendorCode"`
	DisplayName     string   `json:"displayName"`
	GameTypes       []string `json:"gameTypes"`
}

// hotInput is for the document; the handler reads what it needs itself.
type hotInput struct {
	MerchantCode string `query:"merchantCode"`
	IsPlatform   string `query:"isPlatform" example:"2"`
	Language     string `query:"language" enum:"VI,EN,UR,PT" doc:"Else the Language header counts. In any case; an unknown one counts as VI."`
	Platform     string `query:"platform" example:"html5"`
}

// Register adds the catalogue's calls to the API.
func Register(a *rest.API, s *Service) {
	rest.Raw[hotInput, hotList](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_hotGamesV2", ID: "hotGames", Tag: "catalogue",
		Summary: "Hot games, in order", Access: rest.Public,
	}, http.HandlerFunc(s.serveHot))
	rest.Raw[struct{}, []vendor](a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_newGameVendor", ID: "gameVendors", Tag: "catalogue",
		Summary: "Vendors with what they serve, in order", Access: rest.Public,
	}, http.HandlerFunc(s.serveVendors))
}

func (s *Service) serveHot(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	language := rest.LanguageOf(ctx)
	if asked := queryparam.Get(r.URL.RawQuery, "language"); asked != "" {
		language = rest.Language(asked)
	}
	merchant := rest.MerchantOf(ctx).ID
	s.serve(w, r, listKey{"hot", merchant, language}, func(ctx context.Context) (any, error) { return s.hot(ctx, merchant, language) })
}

func (s *Service) serveVendors(w http.ResponseWriter, r *http.Request) {
	merchant := rest.MerchantOf(r.Context()).ID
	s.serve(w, r, listKey{"vendors", merchant, ""}, func(ctx context.Context) (any, error) { return s.vendors(ctx, merchant) })
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request, key listKey, build func(context.Context) (any, error)) {
	encoded, err := s.encoded(r.Context(), key, build)
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	encoded.ServeHTTP(w, r)
}

func (s *Service) hot(ctx context.Context, merchantID int64, language string) (hotList, error) {
	q := s.o.Store.Q()
	rows, err := q.HotGames(ctx, merchantID, language)
	if err != nil {
		return hotList{}, fmt.Errorf("read hot games: %w", err)
	}
	classRows, err := q.HotGameClasses(ctx, merchantID)
	if err != nil {
		return hotList{}, fmt.Errorf("read classes of hot games: %w", err)
	}
	classes := map[int64][]string{}
	for _, c := range classRows {
		classes[c.GameID] = append(classes[c.GameID], c.Class)
	}
	out := hotList{List: make([]game, 0, len(rows))}
	for _, g := range rows {
		out.List = append(out.List, game{
			GameID: g.Code, NodeID: strconv.FormatInt(g.ID, 10), NodeName: g.Name, GameName: g.Name,
			DisplayName: g.VendorName, Vassalage: g.VendorCode, VendorCode: g.VendorCode,
			GameType: g.Category, GameCategory: g.Category,
			IconURL: g.Icon, ShowIcon: g.Icon, MobileLargeIcon: g.Icon, MobileSmallIcon: g.Icon,
			SupportPlay: g.SupportPlay, GameCode: g.LaunchCode, GameGroupID: g.GroupID, LottoMode: g.LottoMode,
			IsGameH5: true, FreePlay: g.FreePlay, GameClassifyNew: append([]string{}, classes[g.ID]...),
		})
	}
	return out, nil
}

func (s *Service) vendors(ctx context.Context, merchantID int64) ([]vendor, error) {
	q := s.o.Store.Q()
	rows, err := q.Vendors(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendors: %w", err)
	}
	categoryRows, err := q.VendorCategories(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendors' categories: %w", err)
	}
	types := map[int64][]string{}
	for _, c := range categoryRows {
		types[c.VendorID] = append(types[c.VendorID], c.Category)
	}
	out := make([]vendor, 0, len(rows))
	for _, v := range rows {
		out = append(out, vendor{
			AccountTypeName: v.AccountType, VendorNames: []string{v.DisplayName}, VendorSorting: v.Sorting,
			VendorCode: v.Code, DisplayName: v.DisplayName, GameTypes: append([]string{}, types[v.ID]...),
		})
	}
	return out, nil
}
