package account

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/notify"
)

// SetTemporaryPassword sets a password that an operator chose and ends all sessions. The member must change it at the
// next login.
func (s *Service) SetTemporaryPassword(ctx context.Context, merchantID int64, username, password string) error {
	id, err := s.findID(ctx, merchantID, username)
	if err != nil {
		return err
	}
	if err := s.o.Members.Validate(ctx, merchantID, map[string]string{"password": password}, "password"); err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	siteName, err := s.o.Settings.Name(ctx, merchantID)
	if err != nil {
		return err
	}
	var publish func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.SetTemporaryPassword(ctx, id, hash); err != nil {
			return err
		}
		if publish, err = s.endSessionsIn(ctx, tx, id, passwordChanged); err != nil {
			return err
		}
		row, err := tx.Q.MemberByID(ctx, id)
		if err != nil {
			return err
		}
		return s.notifyMember(ctx, tx, row, notify.PasswordChanged, siteName)
	})
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	publish()
	return nil
}
