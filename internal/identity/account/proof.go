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

// ErrProofRequired refuses a change by a member without a password who has not shown lately who they are. It says how to.
var ErrProofRequired = fault.New(fault.Refused, "member.proof_required")

const (
	// freshFor is how long after a login a member without a password needs no other proof: each of their logins proved an
	// external account or a number.
	freshFor = 10 * time.Minute
)

// By what a member proves a change of what guards the account.
const (
	proofPassword = "password"
	proofFresh    = "fresh" // the login is recent enough
	proofSMS      = "sms"   // a code sent to what is bound
	proofEmail    = "email"
	proofLogin    = "login" // by logging in again
)

// proofOfMember gives the way for the caller's member.
func (s *Service) proofOfMember(ctx context.Context, who Self, row query.Member) (string, error) {
	if row.PasswordHash != "" {
		return proofPassword, nil
	}
	opened, err := s.o.Sessions.OpenedAt(ctx, who.Caller)
	if err != nil {
		return "", fmt.Errorf("read when the session was opened: %w", err)
	}
	switch {
	case s.o.Now().Sub(opened) < freshFor:
		return proofFresh, nil
	case row.Mobile.Valid && s.o.Messages.Can(notify.SMS):
		return proofSMS, nil
	case row.Email.Valid && s.o.Messages.Can(notify.Email):
		return proofEmail, nil
	default:
		return proofLogin, nil
	}
}

// proves finds out whether the caller is the member and not somebody who found a phone unlocked: by the password in field or,
// where there is none, by a recent login or a code. It gives by which.
func (s *Service) proves(ctx context.Context, who Self, row query.Member, form map[string]string, field string) (way string, err error) {
	way, err = s.proofOfMember(ctx, who, row)
	if err != nil {
		return "", err
	}
	switch way {
	case proofPassword:
		if err := s.refuseAs(ctx, row.MerchantID, "oldPassword", field, form[field]); err != nil {
			return "", err
		}
		return way, s.knows(ctx, row, form[field], field)
	case proofSMS, proofEmail:
		if form["proofCode"] == "" {
			return "", ErrProofRequired.On("proofCode").With("proof", way)
		}
		if err := s.refuseAs(ctx, row.MerchantID, "verificationCode", "proofCode", form["proofCode"]); err != nil {
			return "", err
		}
		err := s.o.Codes.Check(ctx, proofSubject(row, way), who.From.Network, form["proofCode"])
		return way, onlyField(err, "proofCode")
	case proofLogin:
		return "", ErrProofRequired.With("proof", way)
	default:
		return way, nil
	}
}

// proofSubject is the code that proves a change.
func proofSubject(row query.Member, way string) notify.Subject {
	of := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForProof}
	if way == proofEmail {
		of.Channel, of.Target = notify.Email, row.Email.String
	}
	return of
}

// SendProofCode sends a member without a password the code that proves a change, to what is bound.
func (s *Service) SendProofCode(ctx context.Context, who Self) (notify.Delivery, error) {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return notify.Delivery{}, err
	}
	way, err := s.proofOfMember(ctx, who, row)
	if err != nil {
		return notify.Delivery{}, err
	}
	if way != proofSMS && way != proofEmail {
		return notify.Delivery{}, ErrProofRequired.With("proof", way)
	}
	return s.o.Codes.SendToMember(ctx, row.ID, proofSubject(row, way), who.From, true)
}

// lockMember locks the member's row until the transaction ends, and refuses a change whose proof was given before all sessions ended.
func lockMember(ctx context.Context, tx *db.Tx, row query.Member) error {
	locked, err := tx.Q.LockEpoch(ctx, row.ID, row.Epoch)
	if err != nil {
		return fmt.Errorf("lock member: %w", err)
	}
	if locked == 0 {
		return member.ErrOvertaken
	}
	return nil
}
