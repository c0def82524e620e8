package account

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// ErrResetStale refuses a ticket that has run out, was used, or was overtaken by another change of the password.
var ErrResetStale = fault.New(fault.Refused, "member.reset_stale")

const (
	resetTicket   = "member.reset"
	resetLifetime = 10 * time.Minute
	captchaModule = spec.ModuleCaptcha
)

// Lost is what somebody tells who forgot the password.
type Lost struct {
	MerchantID    int64
	Channel       notify.Channel
	Username      string // if given, the account must be this one
	DialingCode   string
	Target        string // number or address, as typed
	CaptchaCookie string
	Captcha       string
	From          rest.Visitor
}

// ticket is what a right code is changed for: it sets one new password.
type ticket struct {
	MemberID int64  `json:"m"`
	Of       string `json:"o"` // digest of the password that it replaces, and of what the member could be reached by
}

// target gives the form in which a number or an address is stored, where what was typed keeps the rules that the app is
// given too.
func (s *Service) target(ctx context.Context, l Lost) (string, error) {
	rule, field := "loginMobileNum", "mobileNum"
	if l.Channel == notify.Email {
		rule, field = "loginEmail", "email"
	}
	if err := s.refuseAs(ctx, l.MerchantID, rule, field, l.Target); err != nil {
		return "", err
	}
	if name := validation.Trim(l.Username); name != "" { // asked for to be sure, where it is still known
		if err := s.refuseAs(ctx, l.MerchantID, "loginUsername", "username", name); err != nil {
			return "", err
		}
	}
	if l.Channel == notify.Email {
		email, err := validation.Email(l.Target)
		return email, onField(err, "email")
	}
	mobile, err := validation.Mobile(l.DialingCode, l.Target)
	return mobile, onField(err, "mobileNum")
}

// username is the name that was given, in the form in which names are compared. What no account can be called is left as it is: there
// are signs beyond ASCII whose lower case is a letter of somebody's name.
func (l Lost) username() string {
	name := validation.Trim(l.Username)
	if !validation.ValidUsernameCharacters(name) {
		return name
	}
	return validation.FoldUsername(name)
}

// subject is the code that resets the password.
func (l Lost) subject(target string) notify.Subject {
	return notify.Subject{MerchantID: l.MerchantID, Channel: l.Channel, Target: target, Purpose: notify.ForReset, Username: l.username()}
}

// SendReset sends a code to whoever owns the number or address, and tells nobody whether there is an owner.
func (s *Service) SendReset(ctx context.Context, l Lost) (notify.Delivery, error) {
	target, err := s.target(ctx, l)
	if err != nil {
		return notify.Delivery{}, err
	}
	asked, err := s.o.Settings.ModuleEnabled(ctx, l.MerchantID, captchaModule)
	if err != nil {
		return notify.Delivery{}, err
	}
	if asked {
		if err := s.o.Captchas.CheckImage(ctx, l.CaptchaCookie, l.Captcha); err != nil {
			return notify.Delivery{}, err
		}
	}
	row, known, err := s.owner(ctx, l, target)
	if err != nil {
		return notify.Delivery{}, err
	}
	if l.Channel == notify.SMS {
		accepted, err := s.o.Settings.AcceptsNumber(ctx, l.MerchantID, target)
		if err != nil {
			return notify.Delivery{}, err
		}
		known = known && accepted // what cannot be sent is answered like what is not
	}
	if known && l.Channel == notify.Email {
		target = row.Email.String // as its owner wrote it: to a mail server another case may be another mailbox
	}
	return s.o.Codes.Send(ctx, l.subject(target), l.From, known)
}

// owner finds the member who may reset the password by this number or address.
func (s *Service) owner(ctx context.Context, l Lost, target string) (query.Member, bool, error) {
	var row query.Member
	var err error
	if l.Channel == notify.Email {
		row, err = s.o.Store.Q().MemberByEmail(ctx, l.MerchantID, target)
	} else {
		row, err = s.o.Store.Q().MemberByMobile(ctx, l.MerchantID, db.Text(target))
	}
	ok, err := db.Found("find member", err)
	name := validation.Trim(l.Username)
	ok = ok && row.Status == rest.MemberActive && rest.MemberType(row.Type).Real() && (name == "" || validation.ValidUsernameCharacters(name) && validation.FoldUsername(name) == row.Account)
	return row, ok, err
}

// VerifyReset changes a right code for a ticket.
func (s *Service) VerifyReset(ctx context.Context, l Lost, code string) (string, error) {
	target, err := s.target(ctx, l)
	if err != nil {
		return "", err
	}
	if err := s.refuseAs(ctx, l.MerchantID, "verificationCode", "verificationCode", code); err != nil {
		return "", err
	}
	if err := s.o.Codes.Check(ctx, l.subject(target), l.From.Network, code); err != nil {
		return "", onField(err, "verificationCode")
	}
	row, known, err := s.owner(ctx, l, target)
	if err != nil {
		return "", err
	}
	if !known { // the number has changed hands since the code was sent
		return "", ErrResetStale
	}
	return s.o.Keys.Seal(resetTicket, ticket{MemberID: row.ID, Of: s.digest(row)}, resetLifetime)
}

// digest is of all that makes a ticket stale: another password, and another number or address, for whoever holds the old
// one is not the member any more.
func (s *Service) digest(row query.Member) string {
	return base64.RawStdEncoding.EncodeToString(s.o.Keys.MAC(resetTicket, row.PasswordHash, row.Mobile.String, row.Email.String))
}

// Reset sets a new password by a ticket and tells whose it is: who forgot the one may have forgotten the other. All
// sessions end.
func (s *Service) Reset(ctx context.Context, merchantID int64, form map[string]string) (username string, err error) {
	if err := s.o.Members.Refuse(ctx, merchantID, form, "newPassword", "confirmNewPassword"); err != nil {
		return "", err
	}
	var t ticket
	mark, err := s.o.Keys.Unseal(resetTicket, form["ticket"], &t)
	if errors.Is(err, secret.ErrStale) {
		return "", ErrResetStale.On("ticket")
	}
	if err != nil {
		return "", fmt.Errorf("read ticket: %w", err)
	}
	row, err := s.real(ctx, t.MemberID)
	if err != nil {
		return "", err
	}
	if row.MerchantID != merchantID || row.Status != rest.MemberActive || t.Of != s.digest(row) {
		return "", ErrResetStale.On("ticket")
	}
	_, err = s.setPassword(ctx, row, form["newPassword"], func(tx *db.Tx) error {
		now, err := tx.Q.MemberByID(ctx, row.ID)
		if err != nil {
			return err
		}
		first, err := s.o.Keys.Spend(ctx, tx.Q, resetTicket, mark.ID, mark.Expires)
		if err == nil && (!first || t.Of != s.digest(now)) {
			err = ErrResetStale.On("ticket")
		}
		return err
	})
	if errors.Is(err, ErrPasswordWrong) { // it was changed meanwhile, and the ticket is for the one before
		err = ErrResetStale.On("ticket")
	}
	return row.Account, err
}
