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

// disabled is stored as the status of a member and as the reason why sessions ended.
const disabled = "disabled"

// loggedOut is stored as the reason when an operator ended the sessions.
const loggedOut = "operator"

// Disable closes an account and ends its sessions. Closing it twice is not an error.
func (s *Service) Disable(ctx context.Context, merchantID int64, username string) error {
	id, err := s.findID(ctx, merchantID, username)
	if err != nil {
		return err
	}
	var publish func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		publish, err = s.DisableIn(ctx, tx, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("disable member: %w", err)
	}
	publish()
	return nil
}

// DisableIn closes an account within the caller's transaction. The caller runs publish after the commit.
func (s *Service) DisableIn(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error) {
	if err := tx.Q.SetStatus(ctx, id, disabled); err != nil {
		return nil, err
	}
	return s.endSessionsIn(ctx, tx, id, disabled)
}

// LogOutIn ends all sessions of a member within the caller's transaction. The caller runs publish after the commit.
func (s *Service) LogOutIn(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error) {
	return s.endSessionsIn(ctx, tx, id, loggedOut)
}

// Enable opens a closed account.
func (s *Service) Enable(ctx context.Context, merchantID int64, username string) error {
	id, err := s.findID(ctx, merchantID, username)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SetStatus(ctx, id, rest.MemberActive) })
	if err != nil {
		return fmt.Errorf("enable member: %w", err)
	}
	return nil
}

// endSessionsIn ends all sessions of a member. It also starts a new epoch, which invalidates logins in progress. The caller runs publish
// after the commit.
func (s *Service) endSessionsIn(ctx context.Context, tx *db.Tx, id int64, reason string) (publish func(), err error) {
	if err := tx.Q.NextMemberEpoch(ctx, id); err != nil {
		return nil, fmt.Errorf("start the next epoch: %w", err)
	}
	return s.o.Sessions.EndAllIn(ctx, tx, id, reason)
}

func (s *Service) findID(ctx context.Context, merchantID int64, username string) (int64, error) {
	row, err := s.o.Store.Q().MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
	if ok, err := db.Found("find member", err); !ok {
		return 0, errors.Join(err, member.ErrUnknown)
	}
	return row.ID, nil
}
