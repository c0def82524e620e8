package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
)

// Add creates a vendor with its games and runs also, all in one transaction. An imported vendor without a launch address
// is adopted: it gets the name and the missing games. Add returns taken if the vendor has a launch address or is the House's.
func (s *Service) Add(ctx context.Context, merchantID int64, v Vendor, games []Game, taken *fault.Fault, also func(*db.Tx) error) error {
	if err := v.check(); err != nil {
		return err
	}
	if err := s.checkIcon(ctx, merchantID, "vendor "+v.Code, v.Icon); err != nil {
		return err
	}
	for _, g := range games {
		if err := g.check(); err != nil {
			return err
		}
		if err := s.checkIcon(ctx, merchantID, "game "+g.Code, g.Icon); err != nil {
			return err
		}
	}
	err := s.write(ctx, merchantID, "vendor "+v.Code, func(tx *db.Tx) error {
		existing, err := tx.Q.VendorRunner(ctx, merchantID, v.Code)
		switch {
		case errors.Is(err, sql.ErrNoRows) && len(games) == 0:
			err = ErrMalformed.Because(fmt.Errorf("vendor %s is new and has no games", v.Code))
		case errors.Is(err, sql.ErrNoRows):
			err = s.putVendor(ctx, tx, merchantID, v)
		case err == nil && (existing.LaunchUrl != "" || existing.House):
			err = taken.With("code", v.Code)
		case err == nil:
			err = adopt(ctx, tx, existing.ID, v)
		}
		if err != nil {
			return err
		}
		added, err := newGames(ctx, tx, merchantID, v.Code, games)
		if err != nil {
			return err
		}
		if err := s.putGamesIn(ctx, tx, merchantID, added); err != nil {
			return err
		}
		return also(tx)
	})
	if err != nil {
		return err
	}
	s.current.Committed()
	return nil
}

// adopt sets the name of an existing vendor and adds the missing categories.
func adopt(ctx context.Context, tx *db.Tx, id int64, v Vendor) error {
	if err := tx.Q.SetVendorName(ctx, v.DisplayName, id); err != nil {
		return err
	}
	existing, err := tx.Q.VendorCategories(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range v.Categories {
		if !slices.Contains(existing, c) {
			if err := tx.Q.AddVendorCategory(ctx, id, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// newGames returns the games that do not exist. It fails if one belongs to another vendor.
func newGames(ctx context.Context, tx *db.Tx, merchantID int64, vendor string, games []Game) (added []Game, err error) {
	for _, g := range games {
		existing, err := tx.Q.AnyGame(ctx, merchantID, 0, g.Code)
		if err != nil {
			return nil, err
		}
		switch {
		case len(existing) == 0:
			added = append(added, g)
		case existing[0].Vendor != vendor:
			return nil, ErrGameExists.With("code", g.Code)
		}
	}
	return added, nil
}
