package account

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
)

// Faults of password changes.
var (
	ErrPasswordRequired = fault.New(fault.Invalid, "member.password_required")
	ErrPasswordConfirm  = fault.New(fault.Invalid, "member.password_confirm")
	ErrPasswordSame     = fault.New(fault.Invalid, "member.password_same")
	ErrPasswordWrong    = fault.New(fault.Refused, "member.password_wrong")
)

// passwordChanged is stored as the reason why sessions ended.
const passwordChanged = "password"

// guessLimit limits how often a logged-in member may enter a wrong password or security answer.
var guessLimit = ratelimit.Limit{Burst: 5, Every: 5 * time.Minute}

// ChangePassword sets the first password or a new one. It ends all sessions and opens a new one for the caller.
func (s *Service) ChangePassword(ctx context.Context, self Self, form map[string]string) (NewSession, error) {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return NewSession{}, err
	}
	if row.PasswordHash == "" { // registered with an external account
		if err := s.o.Members.Validate(ctx, row.MerchantID, form, "newPassword", "confirmNewPassword"); err != nil {
			return NewSession{}, err
		}
		if _, err := s.checkIdentity(ctx, self, row, form, "oldPassword"); err != nil {
			return NewSession{}, err
		}
	} else {
		if err := s.o.Members.Validate(ctx, row.MerchantID, form, "oldPassword", "newPassword", "confirmNewPassword"); err != nil {
			return NewSession{}, err
		}
		if err := s.checkPassword(ctx, row, form["oldPassword"], "oldPassword"); err != nil {
			return NewSession{}, err
		}
	}
	epoch, err := s.setPassword(ctx, row, form["newPassword"], nil)
	if err != nil {
		return NewSession{}, err
	}
	token, first, err := s.o.Sessions.OpenFor(ctx, row.MerchantID, row.ID, epoch, self.From)
	if err != nil {
		return NewSession{}, fmt.Errorf("open a session after the password change: %w", err)
	}
	return NewSession{Token: token, Username: row.Account, FirstTimeLogin: first}, nil
}

func (s *Service) checkPassword(ctx context.Context, row query.Member, password, field string) error {
	return s.limitGuesses(ctx, row, func() error {
		right, err := s.o.Passwords.Matches(ctx, row.PasswordHash, password)
		if err != nil {
			return fmt.Errorf("check password: %w", err)
		}
		if !right {
			return ErrPasswordWrong.On(field)
		}
		return nil
	})
}

// limitGuesses runs check, which compares a secret. Only failures count towards the limit. All replicas share the limit.
func (s *Service) limitGuesses(ctx context.Context, row query.Member, check func() error) error {
	key := "member/guess/" + strconv.FormatInt(row.ID, 10)
	if err := s.o.Limiter.Take(ctx, key, guessLimit); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return s.o.Limiter.Return(ctx, key, guessLimit)
}

// setPassword stores a password, ends all sessions and notifies the member. check, if not nil, runs first in the same transaction.
// setPassword fails if the password changed concurrently. It returns the new epoch.
func (s *Service) setPassword(ctx context.Context, row query.Member, password string, check func(*db.Tx) error) (epoch int64, err error) {
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return 0, fmt.Errorf("change password: %w", err)
	}
	siteName, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return 0, err
	}
	var publish func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if check != nil {
			if err := check(tx); err != nil {
				return err
			}
		}
		n, err := tx.Q.SetPassword(ctx, row.ID, hash, row.PasswordHash)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrPasswordWrong.On("oldPassword")
		}
		if publish, err = s.endSessionsIn(ctx, tx, row.ID, passwordChanged); err != nil {
			return err
		}
		updated, err := tx.Q.MemberByID(ctx, row.ID)
		if err != nil {
			return err
		}
		epoch = updated.Epoch
		return s.notifyMember(ctx, tx, row, notify.PasswordChanged, siteName)
	})
	if err != nil {
		return 0, fmt.Errorf("change password: %w", err)
	}
	publish()
	return epoch, nil
}

func (s *Service) notifyMember(ctx context.Context, tx *db.Tx, row query.Member, kind notify.Kind, siteName string) error {
	for channel, to := range map[notify.Channel]string{notify.SMS: row.Mobile.String, notify.Email: row.Email.String} {
		if to == "" || !s.o.Messages.Can(channel) {
			continue
		}
		m := notify.Compose(channel, to, row.Language, kind, notify.Values{Site: siteName, Username: row.Account})
		if err := s.o.Messages.SendIn(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
