package catalogue

import (
	"context"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	paging "fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type opsGame struct {
	ID          string `json:"id"`
	Code        string `json:"code"`
	Name        string `json:"name" doc:"In the operator's language."`
	Vendor      string `json:"vendor" doc:"Code."`
	VendorName  string `json:"vendorName"`
	Category    string `json:"category"`
	Icon        string `json:"icon"`
	Sorting     int64  `json:"sorting"`
	HotRank     int64  `json:"hotRank" doc:"0: not hot."`
	Jackpot     bool   `json:"jackpot" doc:"Marked as a game with a jackpot."`
	Enabled     bool   `json:"enabled"`
	Maintenance bool   `json:"maintenance"`
	Playable    bool   `json:"playable" doc:"false where the game or its vendor is switched off or in maintenance."`
	Status      string `json:"status" enum:"enabled,disabled,maintenance"`
	Version     int64  `json:"version"`

	index int
}

func opsGameOf(g query.OpsGamesRow, index int) opsGame {
	return opsGame{
		ID: strconv.FormatInt(g.ID, 10), Code: g.Code, Name: g.Name.String, Vendor: g.Vendor, VendorName: g.VendorName, Category: g.Category, Icon: g.Icon,
		Sorting: g.Sorting, HotRank: g.HotRank, Jackpot: g.Jackpot, Enabled: g.Enabled, Maintenance: g.Maintenance,
		Playable: g.Enabled && !g.Maintenance && g.VendorEnabled && !g.VendorMaintenance, Status: stateOf(g.Enabled, g.Maintenance), Version: g.Version, index: index,
	}
}

type opsCatalogueVendor struct {
	ID          string `json:"id"`
	Code        string `json:"code"`
	Name        string `json:"name"`
	Games       int64  `json:"games"`
	Enabled     bool   `json:"enabled"`
	Maintenance bool   `json:"maintenance"`
	Status      string `json:"status" enum:"enabled,disabled,maintenance"`
	Version     int64  `json:"version"`
}

type opsCatalogue struct {
	Vendors    []opsCatalogueVendor `json:"vendors" doc:"In display order."`
	Categories []string             `json:"categories"`
	Games      int64                `json:"games"`
	Enabled    int64                `json:"enabled" doc:"Number of enabled games."`
}

type opsGamesInput struct {
	oplist.Params

	Vendor   string `query:"vendor" maxLength:"32" doc:"Code."`
	Category string `query:"category" maxLength:"32"`
	Mark     string `query:"mark" enum:"hot,jackpot,"`
}

type editBody struct {
	Version int64  `json:"version"`
	After   string `json:"after,omitempty" pattern:"^[0-9]{0,19}$" doc:"With move: id of the row before it; empty: first."`
	Rank    int64  `json:"rank,omitempty" minimum:"0" maximum:"100000" doc:"With hot: place among the hot games."`
	Reason  string `json:"reason,omitempty" maxLength:"500"`
}

type editGameInput struct {
	ID     int64  `path:"id"`
	Action string `path:"action" enum:"enable,disable,maintenance,open,hot,not-hot,jackpot,no-jackpot,move"`
	Body   editBody
}

type editVendorInput struct {
	ID     int64  `path:"id"`
	Action string `path:"action" enum:"enable,disable,maintenance,open,move"`
	Body   editBody
}

func (b editBody) edit(id int64, action string) (Edit, error) {
	e := Edit{ID: id, Version: b.Version, Action: action, Rank: b.Rank, Reason: b.Reason}
	if b.After != "" {
		after, err := strconv.ParseInt(b.After, 10, 64)
		if err != nil {
			return e, rest.ErrParam.On("after")
		}
		e.After = after
	}
	return e, nil
}

// OpsRoutes adds the operators' calls about the catalogue.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: method, Path: path, ID: id, Tag: "catalogue", Access: rest.Operators, Permission: permission.CatalogueEdit, Summary: summary, Faults: faults}
	}
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[opsGamesInput, opsGame]{
		Op: op(http.MethodGet, "/ops/v1/games", "opsGames", "All games"), Permission: string(permission.CatalogueEdit),
		Sorts: []string{"order", "hot", "name", "newest"}, States: []string{stateEnabled, stateDisabled, stateMaintenance}, File: "games.csv",
		Columns: []oplist.Column[opsGame]{
			{Name: "id", Text: func(g opsGame) string { return g.ID }}, {Name: "code", Text: func(g opsGame) string { return g.Code }},
			{Name: "name", Text: func(g opsGame) string { return g.Name }}, {Name: "vendor", Text: func(g opsGame) string { return g.Vendor }},
			{Name: "category", Text: func(g opsGame) string { return g.Category }}, {Name: "status", Text: func(g opsGame) string { return g.Status }},
			{Name: "hotRank", Text: func(g opsGame) string { return strconv.FormatInt(g.HotRank, 10) }},
		},
		Select: func(ctx context.Context, in *opsGamesInput, after paging.Key, limit int) ([]opsGame, error) {
			rows, err := s.AllGames(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx), GameFilter{in.Q, in.Vendor, in.Category, in.State, in.Mark, in.Sort})
			if err != nil {
				return nil, err
			}
			found := make([]opsGame, len(rows))
			for i, g := range rows {
				found[i] = opsGameOf(g, i)
			}
			return oplist.Slice(found, after, limit), nil
		},
		Key: func(g opsGame, _ string) paging.Key { return oplist.IndexKey(g.index) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/games/{id}", "opsGame", "One game", ErrMissing), func(ctx context.Context, in *oneInput) (opsGame, error) {
		rows, err := s.AllGames(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx), GameFilter{})
		if err != nil {
			return opsGame{}, err
		}
		for _, g := range rows {
			if g.ID == in.ID {
				return opsGameOf(g, 0), nil
			}
		}
		return opsGame{}, ErrMissing
	})
	rest.Typed(a, op(http.MethodPost, "/ops/v1/games/{id}/{action}", "opsEditGame", "Change a game", ErrMissing, rest.ErrStale), func(ctx context.Context, in *editGameInput) (struct{}, error) {
		e, err := in.Body.edit(in.ID, in.Action)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.EditGame(ctx, rest.MerchantOf(ctx).ID, e)
	})
	rest.Typed(a, op(http.MethodGet, "/ops/v1/catalogue", "opsCatalogue", "Vendors and categories of the catalogue"), s.showCatalogue)
	rest.Typed(a, op(http.MethodPost, "/ops/v1/catalogue/vendors/{id}/{action}", "opsEditCatalogueVendor", "Change the switches of a vendor, or its place", ErrMissing, rest.ErrStale), func(ctx context.Context, in *editVendorInput) (struct{}, error) {
		e, err := in.Body.edit(in.ID, in.Action)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.EditVendor(ctx, rest.MerchantOf(ctx).ID, e)
	})
}

func (s *Service) showCatalogue(ctx context.Context, _ *struct{}) (opsCatalogue, error) {
	rows, err := s.AllVendors(ctx, rest.MerchantOf(ctx).ID)
	out := opsCatalogue{Vendors: []opsCatalogueVendor{}, Categories: categories}
	for _, v := range rows {
		out.Vendors = append(out.Vendors, opsCatalogueVendor{
			ID: strconv.FormatInt(v.ID, 10), Code: v.Code, Name: v.DisplayName, Games: v.Games, Enabled: v.Enabled, Maintenance: v.Maintenance,
			Status: stateOf(v.Enabled, v.Maintenance), Version: v.Version,
		})
		out.Games += v.Games
		out.Enabled += v.EnabledGames
	}
	return out, err
}
