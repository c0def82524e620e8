package account

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
)

// ErrProofRequired refuses a change by a member without a password until they prove their identity. Its "proof" value says how.
var ErrProofRequired = fault.New(fault.Refused, "member.proof_required")

// recentLogin is how long a login counts as proof for a member without a password.
const recentLogin = 10 * time.Minute

// How a member proves their identity before a security change.
const (
	proofPassword = "password"
	proofFresh    = "fresh" // a recent login
	proofSMS      = "sms"   // a code sent to the bound number
	proofEmail    = "email" // a code sent to the bound address
	proofLogin    = "login" // log in again
)

func (s *Service) proofMethod(ctx context.Context, self Self, row query.Member) (string, error) {
	if row.PasswordHash != "" {
		return proofPassword, nil
	}
	opened, err := s.o.Sessions.OpenedAt(ctx, self.Caller)
	if err != nil {
		return "", fmt.Errorf("read the time of the login: %w", err)
	}
	switch {
	case s.o.Now().Sub(opened) < recentLogin:
		return proofFresh, nil
	case row.Mobile.Valid && s.o.Messages.Can(notify.SMS):
		return proofSMS, nil
	case row.Email.Valid && s.o.Messages.Can(notify.Email):
		return proofEmail, nil
	default:
		return proofLogin, nil
	}
}

// checkIdentity protects against someone with the member's unlocked phone. It returns the method that proved the identity.
func (s *Service) checkIdentity(ctx context.Context, self Self, row query.Member, form map[string]string, field string) (method string, err error) {
	method, err = s.proofMethod(ctx, self, row)
	if err != nil {
		return "", err
	}
	switch method {
	case proofPassword:
		if err := s.validateAs(ctx, row.MerchantID, "oldPassword", field, form[field]); err != nil {
			return "", err
		}
		return method, s.checkPassword(ctx, row, form[field], field)
	case proofSMS, proofEmail:
		if form["proofCode"] == "" {
			return "", ErrProofRequired.On("proofCode").With("proof", method)
		}
		if err := s.validateAs(ctx, row.MerchantID, "verificationCode", "proofCode", form["proofCode"]); err != nil {
			return "", err
		}
		err := s.o.Codes.Check(ctx, proofSubject(row, method), self.From.Network, form["proofCode"])
		return method, fault.OnField(err, "proofCode")
	case proofLogin:
		return "", ErrProofRequired.With("proof", method)
	default:
		return method, nil
	}
}

func proofSubject(row query.Member, method string) notify.Subject {
	of := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForProof}
	if method == proofEmail {
		of.Channel, of.Target = notify.Email, row.Email.String
	}
	return of
}

// SendProofCode sends a member without a password the code that proves their identity, to the bound number or address.
func (s *Service) SendProofCode(ctx context.Context, self Self) (notify.Delivery, error) {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return notify.Delivery{}, err
	}
	method, err := s.proofMethod(ctx, self, row)
	if err != nil {
		return notify.Delivery{}, err
	}
	if method != proofSMS && method != proofEmail {
		return notify.Delivery{}, ErrProofRequired.With("proof", method)
	}
	return s.o.Codes.SendToMember(ctx, row.ID, proofSubject(row, method), self.From, true)
}

// lockMember locks the member's row until the transaction ends. It fails when all sessions ended after the proof was checked.
func lockMember(ctx context.Context, tx *db.Tx, row query.Member) error {
	locked, err := tx.Q.LockMemberEpoch(ctx, row.ID, row.Epoch)
	if err != nil {
		return fmt.Errorf("lock member: %w", err)
	}
	if locked == 0 {
		return member.ErrOvertaken
	}
	return nil
}
