package account

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

const disabled = "disabled"

// Disable closes an account: its sessions end at once and nobody logs in to it. Closing it twice is not an error.
func (s *Service) Disable(ctx context.Context, merchantID int64, username string) error {
	id, err := s.find(ctx, merchantID, username)
	if err != nil {
		return err
	}
	var tell func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if err := tx.Q.SetStatus(ctx, id, disabled); err != nil {
			return err
		}
		tell, err = s.endSessionsIn(ctx, tx, id, disabled)
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
	id, err := s.find(ctx, merchantID, username)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SetStatus(ctx, id, rest.MemberActive) })
	if err != nil {
		return fmt.Errorf("enable member: %w", err)
	}
	return nil
}

// endSessionsIn ends all sessions of a member, and the logins under way with them: the next epoch begins.
func (s *Service) endSessionsIn(ctx context.Context, tx *db.Tx, id int64, why string) (tell func(), err error) {
	if err := tx.Q.NextEpoch(ctx, id); err != nil {
		return nil, fmt.Errorf("begin the next epoch: %w", err)
	}
	return s.o.Sessions.EndAllIn(ctx, tx, id, why)
}

func (s *Service) find(ctx context.Context, merchantID int64, username string) (int64, error) {
	row, err := s.o.Store.Q().MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
	if ok, err := db.Found("find member", err); !ok {
		return 0, errors.Join(err, member.ErrUnknown)
	}
	return row.ID, nil
}
