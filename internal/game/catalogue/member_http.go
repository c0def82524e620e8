package catalogue

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// A choiceBody selects a game. It contains the token for clients that cannot set headers.
type choiceBody struct {
	NodeID string `json:"nodeId" pattern:"^[0-9]{1,19}$"`
	Vendor string `json:"vendor,omitempty" maxLength:"64" doc:"The vendor's code. If it is not the game's vendor, the game is unknown."`
	Token  string `json:"token,omitempty" maxLength:"128" doc:"The header is preferred."`
}

type choiceInput struct{ Body choiceBody }

type playedInput struct {
	Body struct {
		NodeID string `json:"nodeId" pattern:"^[0-9]{1,19}$"`
		Vendor string `json:"vendor,omitempty" maxLength:"64" doc:"The vendor's code. If it is not the game's vendor, the game is unknown."`
	}
}

type removeInput struct {
	NodeID string `query:"nodeId" maxLength:"19"`
	Vendor string `query:"vendor" maxLength:"64"`
	Body   *struct {
		NodeID string `json:"nodeId,omitempty" maxLength:"19" doc:"Required here or in the query."`
		Vendor string `json:"vendor,omitempty" maxLength:"64"`
		Token  string `json:"token,omitempty" maxLength:"128" doc:"The header is preferred."`
	}
}

type favouriteInput struct {
	PageNo   int64  `query:"pageNo" minimum:"1" default:"1"`
	PageSize int64  `query:"pageSize" minimum:"1" maximum:"100" default:"15"`
	Language string `query:"language" maxLength:"8" doc:"The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
}

type favouriteList struct {
	Content    []game `json:"content"`
	PageNum    int64  `json:"pageNum"`
	TotalPages int64  `json:"totalPages"`
}

type recentInput struct {
	Language string `query:"language" maxLength:"8" doc:"The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
}

type recentList struct {
	List []game `json:"list"`
}

type rankInput struct {
	GameCategory string `query:"gameCategory" maxLength:"32" default:"ALL" doc:"An unknown category has no winners."`
	Language     string `query:"language" maxLength:"8" doc:"The Language header applies if this is missing. Case-insensitive; an unknown language means VI."`
	LimitNum     int    `query:"limitNum" minimum:"1" maximum:"100" default:"100"`
}

type rankList struct {
	List []winner `json:"list"`
}

type winner struct {
	Win       winnerVO `json:"vo"`
	Simulated bool     `json:"simulated" doc:"An illustration, not a real win. Always label it as one."`
}

type winnerVO struct {
	CustomerName   string      `json:"customerName" doc:"Masked."`
	Vendor         string      `json:"vendor" doc:"The vendor's code."`
	GameName       string      `json:"gameName"`
	IconURL        string      `json:"iconUrl"`
	WinAmount      rest.Amount `json:"winAmount" doc:"The total payout of the round, including the stake. Rounds that paid less than the stake are not listed."`
	GameID         string      `json:"gameId" doc:"The id to launch the game with."`
	NodeID         string      `json:"nodeId"`
	GameCategory   string      `json:"gameCategory"`
	NotOpen        bool        `json:"notOpen,omitempty" doc:"As in game lists."`
	CurrencySymbol string      `json:"currencySymbol"`
	Position       string      `json:"position" enum:"F,B" doc:"F: the currency symbol precedes the amount. B: it follows."`
}

// writeRate limits one member's database writes. People do not tap faster.
var writeRate = &ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}

func memberRoutes(a *rest.API, s *Service) {
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/MCSFE_addFavoriteGameV2", ID: "addFavourite", Summary: "Add a favourite game; idempotent",
		Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame, ErrTooManyFavourites}, TokenAnywhere: true,
	}, func(ctx context.Context, who rest.Caller, in *choiceInput) (struct{}, error) {
		ref, err := gameRef(in.Body.NodeID, in.Body.Vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.AddFavourite(ctx, who.MerchantID, who.MemberID, ref)
	})
	memberCall(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/relay/MCSFE_removeFavoriteGameV2", ID: "removeFavourite",
		Summary: "Remove a favourite game; idempotent", Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame}, TokenAnywhere: true,
	}, func(ctx context.Context, who rest.Caller, in *removeInput) (struct{}, error) {
		node, vendor := in.NodeID, in.Vendor
		if in.Body != nil {
			// Reject contradicting values instead of choosing one.
			if in.Body.NodeID != "" && node != "" && in.Body.NodeID != node {
				return struct{}{}, rest.ErrParam.On("nodeId")
			}
			if in.Body.Vendor != "" && vendor != "" && in.Body.Vendor != vendor {
				return struct{}{}, rest.ErrParam.On("vendor")
			}
			node, vendor = cmp.Or(node, in.Body.NodeID), cmp.Or(vendor, in.Body.Vendor)
		}
		ref, err := gameRef(node, vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.RemoveFavourite(ctx, who.MerchantID, who.MemberID, ref)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getFavoriteGames", ID: "favouriteGames", Summary: "Favourite games, latest first", TokenAnywhere: true,
	}, func(ctx context.Context, who rest.Caller, in *favouriteInput) (favouriteList, error) {
		p, err := s.favourites(ctx, who.MerchantID, who.MemberID, in.PageNo, in.PageSize)
		return favouriteList{wireGames(p.games, languageIndex(chosenLanguage(ctx, in.Language))), p.number, p.pages}, err
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/GCS_recentGame", ID: "addRecentGame", Summary: "Record that a game is being played",
		Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame},
	}, func(ctx context.Context, who rest.Caller, in *playedInput) (struct{}, error) {
		ref, err := gameRef(in.Body.NodeID, in.Body.Vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.AddRecent(ctx, who.MerchantID, who.MemberID, ref)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCS_recentGame", ID: "recentGames", Summary: "The 20 games played last, latest first",
	}, func(ctx context.Context, who rest.Caller, in *recentInput) (recentList, error) {
		games, err := s.recent(ctx, who.MerchantID, who.MemberID)
		return recentList{wireGames(games, languageIndex(chosenLanguage(ctx, in.Language)))}, err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_getRankList", ID: "winners", Tag: "catalogue",
		Summary: "The winner board", Access: rest.Public,
	}, func(ctx context.Context, in *rankInput) (rankList, error) {
		rows, err := s.winners(ctx, rest.MerchantOf(ctx).ID, in.GameCategory, in.LimitNum, languageIndex(chosenLanguage(ctx, in.Language)))
		return rankList{rows}, err
	})
}

// memberCall adds a call for members and trial members.
func memberCall[I, O any](a *rest.API, op rest.Op, h func(context.Context, rest.Caller, *I) (O, error)) {
	op.Tag, op.Access = "catalogue", rest.Session
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return h(ctx, who, in)
	})
}

func gameRef(node, vendor string) (GameRef, error) {
	for _, digit := range node {
		if digit < '0' || digit > '9' {
			return GameRef{}, rest.ErrParam.On("nodeId")
		}
	}
	id, err := strconv.ParseInt(node, 10, 64)
	if err != nil {
		return GameRef{}, rest.ErrParam.On("nodeId")
	}
	return GameRef{NodeID: id, Vendor: vendor}, nil
}
