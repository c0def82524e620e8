package catalogue

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
)

const (
	maxFavourites = 500
	maxRecent     = 20
)

// A GameRef identifies a game in a member's request.
type GameRef struct {
	NodeID int64
	Vendor string // code; if set, it must be the game's vendor
}

func (s *Service) visibleGame(ctx context.Context, merchantID int64, ref GameRef) (*gameEntry, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	g := d.game(ref.NodeID)
	if g == nil || ref.Vendor != "" && ref.Vendor != g.vendor.code {
		return nil, ErrUnknownGame
	}
	return g, nil
}

// AddFavourite stars a game. Starring it again has no effect and keeps its position. Hidden games do not count
// towards the limit, because members cannot see them to remove the star.
func (s *Service) AddFavourite(ctx context.Context, merchantID, memberID int64, ref GameRef) error {
	g, err := s.visibleGame(ctx, merchantID, ref)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := lockMember(ctx, tx, memberID); err != nil {
			return err
		}
		added, err := tx.Q.AddFavourite(ctx, memberID, g.id, db.Millis(s.o.Now()))
		if err != nil || added == 0 {
			return err
		}
		count, err := tx.Q.CountFavourites(ctx, memberID)
		if err == nil && count > maxFavourites {
			return ErrTooManyFavourites.With("max", maxFavourites)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("add favourite: %w", err)
	}
	return nil
}

// RemoveFavourite removes the star from a game, which may be hidden.
func (s *Service) RemoveFavourite(ctx context.Context, merchantID, memberID int64, ref GameRef) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		exists, err := tx.Q.GameExists(ctx, ref.NodeID, merchantID, ref.Vendor)
		if err != nil {
			return err
		}
		if !exists {
			return ErrUnknownGame
		}
		return tx.Q.RemoveFavourite(ctx, memberID, ref.NodeID)
	})
	if err != nil {
		return fmt.Errorf("remove favourite: %w", err)
	}
	return nil
}

func (s *Service) favourites(ctx context.Context, merchantID, memberID, number, size int64) (page, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return page{}, err
	}
	ids, err := s.o.Store.Q().Favourites(ctx, memberID)
	if err != nil {
		return page{}, fmt.Errorf("read favourites: %w", err)
	}
	return paginate(d.pick(ids), everyGame, number, size), nil
}

// AddRecent records that the member plays a game now. It keeps the latest maxRecent games.
func (s *Service) AddRecent(ctx context.Context, merchantID, memberID int64, ref GameRef) error {
	g, err := s.visibleGame(ctx, merchantID, ref)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := lockMember(ctx, tx, memberID); err != nil {
			return err
		}
		if err := tx.Q.PutRecent(ctx, memberID, g.id, db.Millis(s.o.Now())); err != nil {
			return err
		}
		return tx.Q.ForgetRecent(ctx, memberID, maxRecent)
	})
	if err != nil {
		return fmt.Errorf("add recent game: %w", err)
	}
	return nil
}

func (s *Service) recent(ctx context.Context, merchantID, memberID int64) ([]*gameEntry, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	ids, err := s.o.Store.Q().RecentGames(ctx, memberID)
	if err != nil {
		return nil, fmt.Errorf("read recent games: %w", err)
	}
	return d.pick(ids), nil
}

// lockMember serializes changes of a member's lists, so that concurrent changes cannot exceed the limits.
// SQLite serializes all writes already.
func lockMember(ctx context.Context, tx *db.Tx, memberID int64) error {
	if tx.Engine == db.SQLite {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT 1 FROM member WHERE id = $1 FOR NO KEY UPDATE", memberID)
	return err
}
