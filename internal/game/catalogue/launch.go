package catalogue

import (
	"context"
	"fmt"
)

// Playable is a game as whoever launches it must know it.
type Playable struct {
	NodeID, VendorID int64
	Code, LaunchCode string
	Category, Vendor string
	FreePlay         bool
	Maintenance      bool
	On               bool // it is shown, and supported here; of one that is not shown, nothing else is told
}

// Wanted names a game to be launched. What is empty is not compared; node or code must be there.
type Wanted struct {
	Node                   int64
	Code, Vendor, Category string
}

// Playable gives the game that is meant, from memory. One that is switched off is told from one that never was.
func (s *Service) Playable(ctx context.Context, merchantID int64, w Wanted) (Playable, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return Playable{}, err
	}
	t := d.game(w.Node)
	if w.Node == 0 {
		t = d.codes[w.Code]
	}
	if t == nil {
		return s.hidden(ctx, merchantID, w)
	}
	if w.Code != "" && w.Code != t.code || w.Vendor != "" && w.Vendor != t.maker.code || w.Category != "" && w.Category != t.category {
		return Playable{}, ErrUnknownGame
	}
	return Playable{
		NodeID: t.id, VendorID: t.maker.id, Code: t.code, LaunchCode: t.launchCode, Category: t.category, Vendor: t.maker.code,
		FreePlay: t.freePlay, Maintenance: t.maker.maintenance, On: t.supportPlay,
	}, nil
}

func (s *Service) hidden(ctx context.Context, merchantID int64, w Wanted) (Playable, error) {
	row, err := s.o.Store.Q().HiddenGame(ctx, merchantID, w.Node, w.Code)
	if err != nil {
		return Playable{}, fmt.Errorf("look for game: %w", err)
	}
	for _, g := range row {
		if (w.Node == 0 || w.Node == g.ID) && (w.Code == "" || w.Code == g.Code) && (w.Vendor == "" || w.Vendor == g.Vendor) &&
			(w.Category == "" || w.Category == g.Category) {
			return Playable{NodeID: g.ID, VendorID: g.VendorID, Code: g.Code, Category: g.Category, Vendor: g.Vendor}, nil
		}
	}
	return Playable{}, ErrUnknownGame
}
