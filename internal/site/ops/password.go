package ops

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"fmt"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// ChangePassword replaces the operator's own password and ends their other sessions. It needs a confirmed code, except
// directly after the login with a password that another person has set.
func (s *Service) ChangePassword(ctx context.Context, by rest.Operator, from rest.Visitor, current, next string) error {
	if !by.GivenPassword && !by.Confirmed {
		return rest.ErrConfirm
	}
	limits, err := s.takeAttempt(ctx, from.Network, by.Name, by.ID, true)
	if err != nil {
		return err
	}
	row, err := s.o.Store.Q().OperatorByID(ctx, by.ID)
	if err != nil {
		return fmt.Errorf("find operator: %w", err)
	}
	matches, err := s.o.Passwords.Matches(ctx, row.PasswordHash, current)
	if err != nil {
		return err
	}
	if !matches {
		return ErrPasswordWrong.On("oldPassword")
	}
	if next == current || strings.EqualFold(next, by.Name) {
		return ErrPasswordSame.On("newPassword")
	}
	if err := s.o.Limiter.ReturnAll(ctx, limits); err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, next)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.ChangeOperatorPassword(ctx, hash, by.ID, row.PasswordHash)
		if err == nil && n == 0 {
			return ErrStale
		}
		if err != nil {
			return err
		}
		if err := tx.Q.EndOtherOperatorSessions(ctx, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, by.ID, by.SessionID); err != nil {
			return err
		}
		return s.audit(ctx, tx, "operator.own-password", Operator{Name: row.Name, MerchantID: row.MerchantID}, nil, nil)
	})
	if err != nil {
		return fmt.Errorf("change password: %w", err)
	}
	return nil
}

// ResetPassword replaces an operator's password, ends their sessions and returns the generated password, which the
// operator must change at the next login.
func (s *Service) ResetPassword(ctx context.Context, name string) (password string, err error) {
	password, hash, err := s.newPassword(ctx)
	if err != nil {
		return "", err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		o, err := s.findIn(ctx, tx.Q, name)
		if err != nil {
			return err
		}
		if _, err := tx.Q.SetOperatorPassword(ctx, o.Name, hash); err != nil {
			return err
		}
		if err := s.endSessions(ctx, tx, o.ID); err != nil {
			return err
		}
		return s.audit(ctx, tx, "operator.password", o, nil, nil)
	})
	if err != nil {
		return "", fmt.Errorf("reset operator password: %w", err)
	}
	return password, nil
}

// newPassword returns a password of 120 random bits that is easy to type, and its hash.
func (s *Service) newPassword(ctx context.Context) (password, hash string, err error) {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
	password = strings.Join([]string{text[:6], text[6:12], text[12:18], text[18:]}, "-")
	hash, err = s.o.Passwords.Hash(ctx, password)
	return password, hash, err
}

func flag(on bool) int64 {
	if on {
		return 1
	}
	return 0
}
