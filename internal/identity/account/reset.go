package account

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// ErrResetStale means that a reset ticket is expired or used, or that the account changed since it was issued.
var ErrResetStale = fault.New(fault.Refused, "member.reset_stale")

const (
	ticketPurpose = "member.reset"
	resetLifetime = 10 * time.Minute
	captchaModule = spec.ModuleCaptcha
	// resetCaptchaModule switches the captcha for password resets. captchaModule must be on too.
	resetCaptchaModule = spec.ModuleValidCaptcha
)

// A ResetRequest asks to reset a forgotten password.
type ResetRequest struct {
	MerchantID    int64
	Channel       notify.Channel
	Username      string // optional; if given, only this account
	DialingCode   string
	Target        string // number or address, as entered
	CaptchaCookie string
	Captcha       string
	ProofOfWork   string
	DeviceCookie  string
	From          rest.Visitor
}

// A ticket allows setting one new password. VerifyReset exchanges a correct code for it.
type ticket struct {
	MemberID int64  `json:"m"`
	Digest   string `json:"o"` // see ticketDigest
}

func (s *Service) parseTarget(ctx context.Context, r ResetRequest) (string, error) {
	rule, field := "loginMobileNum", "mobileNum"
	if r.Channel == notify.Email {
		rule, field = "loginEmail", "email"
	}
	if err := s.validateAs(ctx, r.MerchantID, rule, field, r.Target); err != nil {
		return "", err
	}
	if name := validation.Trim(r.Username); name != "" {
		if err := s.validateAs(ctx, r.MerchantID, "loginUsername", "username", name); err != nil {
			return "", err
		}
	}
	if r.Channel == notify.Email {
		email, err := validation.Email(r.Target)
		return email, fault.OnField(err, "email")
	}
	mobile, err := validation.Mobile(r.DialingCode, r.Target)
	return mobile, fault.OnField(err, "mobileNum")
}

// username returns the folded name. It keeps invalid names unchanged, because some non-ASCII characters have an ASCII letter as lower case.
func (r ResetRequest) username() string {
	name := validation.Trim(r.Username)
	if !validation.ValidUsernameCharacters(name) {
		return name
	}
	return validation.FoldUsername(name)
}

func (r ResetRequest) subject(target string) notify.Subject {
	return notify.Subject{MerchantID: r.MerchantID, Channel: r.Channel, Target: target, Purpose: notify.ForReset, Username: r.username()}
}

// SendReset sends a reset code to the owner of the number or address. It does not reveal whether there is an owner.
func (s *Service) SendReset(ctx context.Context, r ResetRequest) (notify.Delivery, error) {
	target, err := s.parseTarget(ctx, r)
	if err != nil {
		return notify.Delivery{}, err
	}
	needsCaptcha := true
	for _, module := range []spec.Module{captchaModule, resetCaptchaModule} {
		on, err := s.o.Settings.ModuleEnabled(ctx, r.MerchantID, module)
		if err != nil {
			return notify.Delivery{}, err
		}
		needsCaptcha = needsCaptcha && on
	}
	attempt := humancheck.Attempt{
		MerchantID: r.MerchantID, Purpose: humancheck.ForCode, Network: r.From.Network, Device: r.DeviceCookie, Proof: r.ProofOfWork,
	}
	if err := s.o.Captchas.CheckProof(ctx, attempt); err != nil {
		return notify.Delivery{}, err
	}
	if needsCaptcha {
		err = s.o.Captchas.CheckImage(ctx, r.CaptchaCookie, r.Captcha)
	}
	// A success counts too, because a program that reads the pictures never fails.
	if err == nil || errors.Is(err, captcha.ErrIncorrect) {
		err = errors.Join(err, s.o.Captchas.CountFailure(ctx, attempt))
	}
	if err != nil {
		return notify.Delivery{}, err
	}
	row, hasOwner, err := s.findOwner(ctx, r, target)
	if err != nil {
		return notify.Delivery{}, err
	}
	if r.Channel == notify.SMS {
		accepted, err := s.o.Settings.AcceptsNumber(ctx, r.MerchantID, target)
		if err != nil {
			return notify.Delivery{}, err
		}
		hasOwner = hasOwner && accepted // the same response as for an unknown number
	}
	if hasOwner && r.Channel == notify.Email {
		target = row.Email.String // in the owner's spelling, because mail servers may distinguish case
	}
	return s.o.Codes.Send(ctx, r.subject(target), r.From, hasOwner)
}

func (s *Service) findOwner(ctx context.Context, r ResetRequest, target string) (query.Member, bool, error) {
	var row query.Member
	var err error
	if r.Channel == notify.Email {
		row, err = s.o.Store.Q().MemberByEmail(ctx, r.MerchantID, target)
	} else {
		row, err = s.o.Store.Q().MemberByMobile(ctx, r.MerchantID, db.Text(target))
	}
	ok, err := db.Found("find member", err)
	name := validation.Trim(r.Username)
	ok = ok && row.Status == rest.MemberActive && rest.MemberType(row.Type).Real() && (name == "" || validation.ValidUsernameCharacters(name) && validation.FoldUsername(name) == row.Account)
	return row, ok, err
}

// VerifyReset exchanges a correct code for a ticket.
func (s *Service) VerifyReset(ctx context.Context, r ResetRequest, code string) (string, error) {
	target, err := s.parseTarget(ctx, r)
	if err != nil {
		return "", err
	}
	if err := s.validateAs(ctx, r.MerchantID, "verificationCode", "verificationCode", code); err != nil {
		return "", err
	}
	if err := s.o.Codes.Check(ctx, r.subject(target), r.From.Network, code); err != nil {
		return "", fault.OnField(err, "verificationCode")
	}
	row, hasOwner, err := s.findOwner(ctx, r, target)
	if err != nil {
		return "", err
	}
	if !hasOwner { // the member changed the number after the code was sent
		return "", ErrResetStale
	}
	return s.o.Keys.Seal(ticketPurpose, ticket{MemberID: row.ID, Digest: s.ticketDigest(row)}, resetLifetime)
}

// ticketDigest returns a digest of the password, number and address. When one of them changes, older tickets become stale.
func (s *Service) ticketDigest(row query.Member) string {
	return base64.RawStdEncoding.EncodeToString(s.o.Keys.MAC(ticketPurpose, row.PasswordHash, row.Mobile.String, row.Email.String))
}

// Reset sets a new password with a ticket and ends all sessions. It returns the username.
func (s *Service) Reset(ctx context.Context, merchantID int64, form map[string]string) (username string, err error) {
	if err := s.o.Members.Validate(ctx, merchantID, form, "newPassword", "confirmNewPassword"); err != nil {
		return "", err
	}
	var t ticket
	tokenInfo, err := s.o.Keys.Unseal(ticketPurpose, form["ticket"], &t)
	if errors.Is(err, secret.ErrInvalid) {
		return "", ErrResetStale.On("ticket")
	}
	if err != nil {
		return "", fmt.Errorf("read ticket: %w", err)
	}
	row, err := s.realMember(ctx, t.MemberID)
	if err != nil {
		return "", err
	}
	if row.MerchantID != merchantID || row.Status != rest.MemberActive || t.Digest != s.ticketDigest(row) {
		return "", ErrResetStale.On("ticket")
	}
	_, err = s.setPassword(ctx, row, form["newPassword"], func(tx *db.Tx) error {
		current, err := tx.Q.MemberByID(ctx, row.ID)
		if err != nil {
			return err
		}
		firstUse, err := s.o.Keys.Spend(ctx, tx.Q, ticketPurpose, tokenInfo.ID, tokenInfo.Expires)
		if err == nil && (!firstUse || t.Digest != s.ticketDigest(current)) {
			err = ErrResetStale.On("ticket")
		}
		return err
	})
	if errors.Is(err, ErrPasswordWrong) { // the password changed concurrently
		err = ErrResetStale.On("ticket")
	}
	return row.Account, err
}
