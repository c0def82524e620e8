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

// ErrProofRequired means that a member without a password must first prove their identity. Its "proof" value says how.
var ErrProofRequired = fault.New(fault.Refused, "member.proof_required")

// recentLogin is how long a login proves the identity of a member without a password.
const recentLogin = 10 * time.Minute

// Ways to prove one's identity before a security change.
const (
	proofPassword = "password"
	proofFresh    = "fresh" // a recent login
	proofSMS      = "sms"   // a code sent to the bound number
	proofEmail    = "email" // a code sent to the bound address
	proofLogin    = "login" // the member must log in again
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

// checkIdentity makes the member prove their identity, because someone else may hold their unlocked phone. It returns the method used.
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
	subject := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForProof}
	if method == proofEmail {
		subject.Channel, subject.Target = notify.Email, row.Email.String
	}
	return subject
}

// SendProofCode sends a code to the bound number or address of a member without a password. The code proves their identity.
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

// lockMember locks the member's row until the transaction ends. It fails if all sessions were ended since row was read.
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
