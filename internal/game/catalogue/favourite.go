package catalogue

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
)

const (
	favouritesMost = 500
	recentMost     = 20
)

// Choice is a game as a member's app names it.
type Choice struct {
	NodeID int64
	Vendor string // the code of the game's vendor; may be left out
}

// seen finds the game among those that can be seen.
func (s *Service) seen(ctx context.Context, merchantID int64, c Choice) (*title, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	t := d.game(c.NodeID)
	if t == nil || c.Vendor != "" && c.Vendor != t.maker.code {
		return nil, ErrUnknownGame
	}
	return t, nil
}

// AddFavourite stars a game. Starring twice is not an error, and keeps the game's place. Only what can be seen counts
// towards the limit: nobody can take the star from a game that no list shows.
func (s *Service) AddFavourite(ctx context.Context, merchantID, memberID int64, c Choice) error {
	t, err := s.seen(ctx, merchantID, c)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := holdMember(ctx, tx, memberID); err != nil {
			return err
		}
		added, err := tx.Q.AddFavourite(ctx, memberID, t.id, db.Millis(s.o.Now()))
		if err != nil || added == 0 {
			return err
		}
		count, err := tx.Q.CountFavourites(ctx, memberID)
		if err == nil && count > favouritesMost {
			return ErrTooManyFavourites.With("max", favouritesMost)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("add favourite: %w", err)
	}
	return nil
}

// RemoveFavourite takes the star away, also of a game that is no longer to be seen.
func (s *Service) RemoveFavourite(ctx context.Context, merchantID, memberID int64, c Choice) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		exists, err := tx.Q.GameExists(ctx, c.NodeID, merchantID, c.Vendor)
		if err != nil {
			return err
		}
		if !exists {
			return ErrUnknownGame
		}
		return tx.Q.RemoveFavourite(ctx, memberID, c.NodeID)
	})
	if err != nil {
		return fmt.Errorf("remove favourite: %w", err)
	}
	return nil
}

// favourites are a page of the member's, newest first.
func (s *Service) favourites(ctx context.Context, merchantID, memberID, number, size int64) (page, error) {
	d, err := s.directory(ctx, merchantID)
	if err != nil {
		return page{}, err
	}
	ids, err := s.o.Store.Q().Favourites(ctx, memberID)
	if err != nil {
		return page{}, fmt.Errorf("read favourites: %w", err)
	}
	return cut(d.pick(ids), everyGame, number, size), nil
}

// Played notes that the member plays a game now, and forgets the oldest beyond the last few.
func (s *Service) Played(ctx context.Context, merchantID, memberID int64, c Choice) error {
	t, err := s.seen(ctx, merchantID, c)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := holdMember(ctx, tx, memberID); err != nil {
			return err
		}
		if err := tx.Q.PutRecent(ctx, memberID, t.id, db.Millis(s.o.Now())); err != nil {
			return err
		}
		return tx.Q.ForgetRecent(ctx, memberID, recentMost)
	})
	if err != nil {
		return fmt.Errorf("note game played: %w", err)
	}
	return nil
}

// recent are the games that the member played last, the latest first.
func (s *Service) recent(ctx context.Context, merchantID, memberID int64) ([]*title, error) {
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

// holdMember lets changes of one member's lists go one after another, so that their limits hold. On SQLite all writes do.
func holdMember(ctx context.Context, tx *db.Tx, memberID int64) error {
	if tx.Engine == db.SQLite {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT 1 FROM member WHERE id = $1 FOR NO KEY UPDATE", memberID)
	return err
}
