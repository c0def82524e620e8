package catalogue

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// choiceBody names a game. The token may stand beside it, for clients that have no header.
type choiceBody struct {
	NodeID string `json:"nodeId" pattern:"^[0-9]{1,19}$"`
	Vendor string `json:"vendor,omitempty" maxLength:"64" doc:"The code of the game's vendor. Another's game is unknown."`
	Token  string `json:"token,omitempty" maxLength:"128" doc:"The header is preferred."`
}

type chosen struct{ Body choiceBody }

type removed struct {
	NodeID string `query:"nodeId" maxLength:"19"`
	Vendor string `query:"vendor" maxLength:"64"`
	Body   *struct {
		NodeID string `json:"nodeId,omitempty" maxLength:"19" doc:"Here or in the query."`
		Vendor string `json:"vendor,omitempty" maxLength:"64"`
		Token  string `json:"token,omitempty" maxLength:"128" doc:"The header is preferred."`
	}
}

type favouriteInput struct {
	PageNo   int64  `query:"pageNo" minimum:"1" default:"1"`
	PageSize int64  `query:"pageSize" minimum:"1" maximum:"100" default:"15"`
	Language string `query:"language" maxLength:"8" doc:"Else the Language header counts. In any case; an unknown one counts as VI."`
}

type favouriteList struct {
	Content    []game `json:"content"`
	PageNum    int64  `json:"pageNum"`
	TotalPages int64  `json:"totalPages"`
}

type recentInput struct {
	Language string `query:"language" maxLength:"8" doc:"Else the Language header counts. In any case; an unknown one counts as VI."`
}

type recentList struct {
	List []game `json:"list"`
}

type rankInput struct {
	GameCategory string `query:"gameCategory" maxLength:"32" default:"ALL" doc:"One that does not exist has no winners."`
	Language     string `query:"language" maxLength:"8" doc:"Else the Language header counts. In any case; an unknown one counts as VI."`
	LimitNum     int    `query:"limitNum" minimum:"1" maximum:"100" default:"100"`
}

type rankList struct {
	List []winner `json:"list"`
}

type winner struct {
	Win       winnerVO `json:"vo"`
	Simulated bool     `json:"simulated" doc:"An illustration: nobody won this. It is never shown without saying so."`
}

type winnerVO struct {
	CustomerName   string      `json:"customerName" doc:"Masked."`
	Vendor         string      `json:"vendor" doc:"The vendor's code."`
	GameName       string      `json:"gameName"`
	IconURL        string      `json:"iconUrl"`
	WinAmount      rest.Amount `json:"winAmount" doc:"What the round paid out in all, its stake included. Rounds that paid less than was staked are not on the board."`
	GameID         string      `json:"gameId" doc:"What the row is launched by."`
	NodeID         string      `json:"nodeId"`
	GameCategory   string      `json:"gameCategory"`
	NotOpen        bool        `json:"notOpen,omitempty" doc:"As of games."`
	CurrencySymbol string      `json:"currencySymbol"`
	Position       string      `json:"position" enum:"F,B" doc:"Where the symbol stands: in front or behind."`
}

// writeRate bounds how often one member has the database write: more than anybody taps.
var writeRate = &ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}

// ownRoutes declares what a member has of the catalogue, and the winner board.
func ownRoutes(a *rest.API, s *Service) {
	own(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/MCSFE_addFavoriteGameV2", ID: "addFavourite", Summary: "Star a game; twice is once",
		Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame, ErrTooManyFavourites},
	}, func(ctx context.Context, who rest.Caller, in *chosen) (struct{}, error) {
		c, err := choice(in.Body.NodeID, in.Body.Vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.AddFavourite(ctx, who.MerchantID, who.MemberID, c)
	})
	own(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/relay/MCSFE_removeFavoriteGameV2", ID: "removeFavourite",
		Summary: "Take a game's star away, if it has one", Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame},
	}, func(ctx context.Context, who rest.Caller, in *removed) (struct{}, error) {
		node, vendor := in.NodeID, in.Vendor
		if in.Body != nil {
			// What stands in both must be the same: of two games one would be taken for the other.
			if in.Body.NodeID != "" && node != "" && in.Body.NodeID != node {
				return struct{}{}, rest.ErrParam.On("nodeId")
			}
			if in.Body.Vendor != "" && vendor != "" && in.Body.Vendor != vendor {
				return struct{}{}, rest.ErrParam.On("vendor")
			}
			node, vendor = max(node, in.Body.NodeID), max(vendor, in.Body.Vendor)
		}
		c, err := choice(node, vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.RemoveFavourite(ctx, who.MerchantID, who.MemberID, c)
	})
	own(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/MCSFE_getFavoriteGames", ID: "favouriteGames", Summary: "Starred games, the newest first",
	}, func(ctx context.Context, who rest.Caller, in *favouriteInput) (favouriteList, error) {
		p, err := s.favourites(ctx, who.MerchantID, who.MemberID, in.PageNo, in.PageSize)
		return favouriteList{wireGames(p.games, spoken(ctx, in.Language)), p.number, p.pages}, err
	})
	own(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/GCS_recentGame", ID: "addRecentGame", Summary: "Note that a game is played now",
		Rate: writeRate, Faults: []*fault.Fault{ErrUnknownGame},
	}, func(ctx context.Context, who rest.Caller, in *chosen) (struct{}, error) {
		c, err := choice(in.Body.NodeID, in.Body.Vendor)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.Played(ctx, who.MerchantID, who.MemberID, c)
	})
	own(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCS_recentGame", ID: "recentGames", Summary: "The games played last, at most 20, the latest first",
	}, func(ctx context.Context, who rest.Caller, in *recentInput) (recentList, error) {
		games, err := s.recent(ctx, who.MerchantID, who.MemberID)
		return recentList{wireGames(games, spoken(ctx, in.Language))}, err
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/GCSGAME_getRankList", ID: "winners", Tag: "catalogue",
		Summary: "The winner board", Access: rest.Public,
	}, func(ctx context.Context, in *rankInput) (rankList, error) {
		rows, err := s.winners(ctx, rest.MerchantOf(ctx).ID, in.GameCategory, in.LimitNum, spoken(ctx, in.Language))
		return rankList{rows}, err
	})
}

// own declares a call of a member, real or on trial, who may send the token inside.
func own[I, O any](a *rest.API, op rest.Op, h func(context.Context, rest.Caller, *I) (O, error)) {
	op.Tag, op.Access, op.TokenAnywhere = "catalogue", rest.Session, true
	rest.Wps(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return h(ctx, who, in)
	})
}

func choice(node, vendor string) (Choice, error) {
	for _, digit := range node {
		if digit < '0' || digit > '9' {
			return Choice{}, rest.ErrParam.On("nodeId")
		}
	}
	id, err := strconv.ParseInt(node, 10, 64)
	if err != nil {
		return Choice{}, rest.ErrParam.On("nodeId")
	}
	return Choice{NodeID: id, Vendor: vendor}, nil
}

// spoken is the place of the language that the query names, else of the header's.
func spoken(ctx context.Context, named string) int {
	if named == "" {
		return tongue(rest.LanguageOf(ctx))
	}
	return tongue(rest.Language(named))
}
