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

// Faults of changing a password.
var (
	ErrPasswordRequired = fault.New(fault.Invalid, "member.password_required")
	ErrPasswordConfirm  = fault.New(fault.Invalid, "member.password_confirm")
	ErrPasswordSame     = fault.New(fault.Invalid, "member.password_same")
	ErrPasswordWrong    = fault.New(fault.Refused, "member.password_wrong")
)

// Why the sessions of a member end. It is stored.
const passwordChanged = "password"

// guessLimit is how many wrong passwords a member may enter beside a session before a pause.
var guessLimit = ratelimit.Limit{Burst: 5, Every: 5 * time.Minute}

// ChangePassword gives a member a new password, or the first one. All sessions end; the caller goes on with a new one.
func (s *Service) ChangePassword(ctx context.Context, who Self, form map[string]string) (Granted, error) {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return Granted{}, err
	}
	if row.PasswordHash == "" { // known by an external account only: this is the first
		if err := s.o.Members.Refuse(ctx, row.MerchantID, form, "newPassword", "confirmNewPassword"); err != nil {
			return Granted{}, err
		}
		if _, err := s.proves(ctx, who, row, form, "oldPassword"); err != nil {
			return Granted{}, err
		}
	} else {
		if err := s.o.Members.Refuse(ctx, row.MerchantID, form, "oldPassword", "newPassword", "confirmNewPassword"); err != nil {
			return Granted{}, err
		}
		if err := s.knows(ctx, row, form["oldPassword"], "oldPassword"); err != nil {
			return Granted{}, err
		}
	}
	epoch, err := s.setPassword(ctx, row, form["newPassword"], nil)
	if err != nil {
		return Granted{}, err
	}
	token, err := s.o.Sessions.OpenFor(ctx, row.MerchantID, row.ID, epoch, who.From)
	if err != nil {
		return Granted{}, fmt.Errorf("go on after the password change: %w", err)
	}
	return Granted{Token: token, Username: row.Account}, nil
}

// knows finds out whether the caller knows the account's password: who only found a phone unlocked does not.
func (s *Service) knows(ctx context.Context, row query.Member, password, field string) error {
	return s.guess(ctx, row, func() error {
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

// guess lets somebody try something that only the member knows. Wrong ones are counted for all replicas together.
func (s *Service) guess(ctx context.Context, row query.Member, try func() error) error {
	key := "member/guess/" + strconv.FormatInt(row.ID, 10)
	if err := s.o.Limiter.Take(ctx, key, guessLimit); err != nil {
		return err
	}
	if err := try(); err != nil {
		return err
	}
	return s.o.Limiter.Return(ctx, key, guessLimit)
}

// setPassword stores a new password, ends all sessions and tells the member, all at once. before, if any, runs first
// in the same transaction. A password that was changed meanwhile is not changed again. It gives the member's new epoch.
func (s *Service) setPassword(ctx context.Context, row query.Member, password string, before func(*db.Tx) error) (epoch int64, err error) {
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return 0, fmt.Errorf("change password: %w", err)
	}
	site, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return 0, err
	}
	var tell func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if before != nil {
			if err := before(tx); err != nil {
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
		if tell, err = s.endSessionsIn(ctx, tx, row.ID, passwordChanged); err != nil {
			return err
		}
		now, err := tx.Q.MemberByID(ctx, row.ID)
		if err != nil {
			return err
		}
		epoch = now.Epoch
		return s.inform(ctx, tx, row, notify.PasswordChanged, site)
	})
	if err != nil {
		return 0, fmt.Errorf("change password: %w", err)
	}
	tell()
	return epoch, nil
}

// inform tells a member something by whatever was proved to reach them.
func (s *Service) inform(ctx context.Context, tx *db.Tx, row query.Member, kind notify.Kind, site string) error {
	for channel, to := range map[notify.Channel]string{notify.SMS: row.Mobile.String, notify.Email: row.Email.String} {
		if to == "" || !s.o.Messages.Can(channel) {
			continue
		}
		m := notify.Compose(channel, to, row.Language, kind, notify.Values{Site: site, Username: row.Account})
		if err := s.o.Messages.SendIn(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
