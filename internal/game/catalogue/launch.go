package catalogue

import (
	"context"
	"fmt"
)

// A LaunchGame holds the fields of a game that a launch needs.
type LaunchGame struct {
	NodeID, VendorID int64
	Code, LaunchCode string
	Category, Vendor string
	FreePlay         bool
	Maintenance      bool
	Available        bool // if false, the game is switched off, and only its ids, codes and category are set
}

// A GameQuery identifies a game to launch. Empty fields match any game, but Node or Code is required.
type GameQuery struct {
	Node                   int64
	Code, Vendor, Category string
}

// GameForLaunch returns the game that the query selects. If the game is switched off, Available is false. If it does not exist, the
// error is ErrUnknownGame.
func (s *Service) GameForLaunch(ctx context.Context, merchantID int64, q GameQuery) (LaunchGame, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return LaunchGame{}, err
	}
	g := d.game(q.Node)
	if q.Node == 0 {
		g = d.byCode[q.Code]
	}
	if g == nil {
		return s.hiddenGame(ctx, merchantID, q)
	}
	if q.Code != "" && q.Code != g.code || q.Vendor != "" && q.Vendor != g.vendor.code || q.Category != "" && q.Category != g.category {
		return LaunchGame{}, ErrUnknownGame
	}
	return LaunchGame{
		NodeID: g.id, VendorID: g.vendor.id, Code: g.code, LaunchCode: g.launchCode, Category: g.category, Vendor: g.vendor.code,
		FreePlay: g.freePlay, Maintenance: g.maintenance, Available: g.supportPlay,
	}, nil
}

func (s *Service) hiddenGame(ctx context.Context, merchantID int64, q GameQuery) (LaunchGame, error) {
	rows, err := s.o.Store.Q().AnyGame(ctx, merchantID, q.Node, q.Code)
	if err != nil {
		return LaunchGame{}, fmt.Errorf("look for game: %w", err)
	}
	for _, g := range rows {
		if (q.Node == 0 || q.Node == g.ID) && (q.Code == "" || q.Code == g.Code) && (q.Vendor == "" || q.Vendor == g.Vendor) &&
			(q.Category == "" || q.Category == g.Category) {
			return LaunchGame{NodeID: g.ID, VendorID: g.VendorID, Code: g.Code, Category: g.Category, Vendor: g.Vendor}, nil
		}
	}
	return LaunchGame{}, ErrUnknownGame
}
