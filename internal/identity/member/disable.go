package member

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
)

const disabled = "disabled"

// Disable closes an account: its sessions end at once and nobody logs in to it. Closing it twice is not an error.
func (s *Service) Disable(ctx context.Context, merchantID int64, username string) error {
	m, err := s.Find(ctx, merchantID, username)
	if err != nil {
		return err
	}
	var tell func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if err := tx.Q.SetStatus(ctx, m.ID, disabled); err != nil {
			return err
		}
		tell, err = s.endSessionsIn(ctx, tx, m.ID, disabled)
		return err
	})
	if err != nil {
		return fmt.Errorf("disable member: %w", err)
	}
	tell()
	return nil
}

// Enable opens a closed account again.
func (s *Service) Enable(ctx context.Context, merchantID int64, username string) error {
	m, err := s.Find(ctx, merchantID, username)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SetStatus(ctx, m.ID, active) })
	if err != nil {
		return fmt.Errorf("enable member: %w", err)
	}
	return nil
}
