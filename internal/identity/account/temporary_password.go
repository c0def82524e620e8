package account

import (
	"context"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
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
	set, err := s.PrepareTemporaryPassword(ctx, merchantID, password)
	if err != nil {
		return err
	}
	var publish func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		publish, err = set(ctx, tx, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	publish()
	return nil
}

// PrepareTemporaryPassword hashes a password before the caller's transaction, because hashing is slow. set stores the hash in the
// transaction. The caller runs publish after the commit.
func (s *Service) PrepareTemporaryPassword(ctx context.Context, merchantID int64, password string) (set func(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error), err error) {
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return nil, fmt.Errorf("set password: %w", err)
	}
	siteName, err := s.o.Settings.Name(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error) {
		if err := tx.Q.SetTemporaryPassword(ctx, id, hash); err != nil {
			return nil, err
		}
		if publish, err = s.endSessionsIn(ctx, tx, id, passwordChanged); err != nil {
			return nil, err
		}
		row, err := tx.Q.MemberByID(ctx, id)
		if err != nil {
			return nil, err
		}
		return publish, s.notifyMember(ctx, tx, row, notify.PasswordChanged, siteName)
	}, nil
}

// PreparePaymentReset reads the site's name before the caller's transaction. reset drops a member's payment password in the transaction
// and sends the member a message.
func (s *Service) PreparePaymentReset(ctx context.Context, merchantID int64) (reset func(ctx context.Context, tx *db.Tx, row query.Member) error, err error) {
	siteName, err := s.o.Settings.Name(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx, row query.Member) error {
		n, err := tx.Q.SetPaymentPassword(ctx, "", row.ID, row.PaymentHash)
		if err != nil || n == 0 || row.PaymentHash == "" {
			return err
		}
		return s.notifyMember(ctx, tx, row, notify.PaymentReset, siteName)
	}, nil
}
