package account

import (
	"context"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/validation"
)

// ErrPaymentLost sends to customer service who forgot the payment password and has nothing else to be known by.
var ErrPaymentLost = fault.New(fault.Refused, "member.payment_lost")

// By what a forgotten payment password can be replaced, beside the account's password: the first that the member has.
const (
	resetByAnswer = "answer"
	resetBySMS    = "sms"
	resetByEmail  = "email"
)

// paymentProof tells the app that a new question, number or address takes a proof of the payment password.
const paymentProof = "payment"

// paymentReset gives the way for a member, by a channel that messages can be sent on; none where only customer service can help,
// or there is nothing to replace.
func (s *Service) paymentReset(row query.Member) string {
	switch {
	case row.PaymentHash == "":
		return ""
	case row.Question != "":
		return resetByAnswer
	case row.Mobile.Valid && s.o.Messages.Can(notify.SMS):
		return resetBySMS
	case row.Email.Valid && s.o.Messages.Can(notify.Email):
		return resetByEmail
	default:
		return ""
	}
}

// paymentSubject is the code that replaces a forgotten payment password.
func (s *Service) paymentSubject(row query.Member) notify.Subject {
	of := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForPayment}
	if s.paymentReset(row) == resetByEmail {
		of.Channel, of.Target = notify.Email, row.Email.String
	}
	return of
}

// SendPaymentCode sends the code that replaces a forgotten payment password to what the member has bound.
func (s *Service) SendPaymentCode(ctx context.Context, who Self) (notify.Delivery, error) {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return notify.Delivery{}, err
	}
	if way := s.paymentReset(row); way != resetBySMS && way != resetByEmail {
		return notify.Delivery{}, ErrPaymentLost
	}
	return s.o.Codes.SendToMember(ctx, row.ID, s.paymentSubject(row), who.From, true)
}

// SetPaymentPassword sets the payment password: the first by the account's password, another by the one it replaces. Who
// forgot that one needs more than the account's password, which alone must not open the purse.
func (s *Service) SetPaymentPassword(ctx context.Context, who Self, form map[string]string) error {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return err
	}
	if err := s.o.Members.Refuse(ctx, row.MerchantID, form, "paymentPassword", "confirmPaymentPassword"); err != nil {
		return err
	}
	forgotten := row.PaymentHash != "" && form["oldPaymentPassword"] == ""
	if row.PaymentHash != "" && !forgotten {
		err = s.knowsPayment(ctx, row, form["oldPaymentPassword"], "oldPaymentPassword")
	} else {
		_, err = s.proves(ctx, who, row, form, "password")
	}
	if err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, form["paymentPassword"])
	if err != nil {
		return fmt.Errorf("set payment password: %w", err)
	}
	if forgotten {
		err = s.recovers(ctx, who, row, form)
	} else {
		_, err = s.answered(ctx, row, form["answer"], askPayment)
	}
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := lockMember(ctx, tx, row); err != nil {
			return err
		}
		n, err := tx.Q.SetPaymentPassword(ctx, hash, row.ID, row.PaymentHash)
		if err == nil && n == 0 {
			err = ErrPasswordWrong.On("oldPaymentPassword") // it was changed meanwhile
		}
		return err
	})
}

func (s *Service) knowsPayment(ctx context.Context, row query.Member, typed, field string) error {
	if err := s.refuseAs(ctx, row.MerchantID, "paymentPassword", field, typed); err != nil {
		return err
	}
	return s.guess(ctx, row, func() error {
		right, err := s.o.Passwords.Matches(ctx, row.PaymentHash, typed)
		if err == nil && !right {
			err = ErrPasswordWrong.On(field)
		}
		return err
	})
}

// recovers finds out whether it is the member who forgot the payment password.
func (s *Service) recovers(ctx context.Context, who Self, row query.Member, form map[string]string) error {
	switch s.paymentReset(row) {
	case resetByAnswer:
		return s.answers(ctx, row, form["answer"], "answer")
	case resetBySMS, resetByEmail:
		if err := s.refuseAs(ctx, row.MerchantID, "verificationCode", "verificationCode", form["verificationCode"]); err != nil {
			return err
		}
		return s.o.Codes.Check(ctx, s.paymentSubject(row), who.From.Network, form["verificationCode"])
	default:
		return ErrPaymentLost.On("oldPaymentPassword")
	}
}

// checkPaymentProof asks who adds or replaces a way to recover the payment password for that password, or for the way that stood
// before: else the account's password alone would replace it in two steps. A change that was proved by that way already needs no more.
func (s *Service) checkPaymentProof(ctx context.Context, who Self, row query.Member, form map[string]string, proof string) error {
	if row.PaymentHash == "" || proof == s.paymentReset(row) {
		return nil
	}
	if form["paymentPassword"] != "" {
		return s.knowsPayment(ctx, row, form["paymentPassword"], "paymentPassword")
	}
	switch way := s.paymentReset(row); {
	case way == resetByAnswer && form["answer"] != "":
		return s.answers(ctx, row, form["answer"], "answer")
	case (way == resetBySMS || way == resetByEmail) && form["recoveryCode"] != "":
		if err := s.refuseAs(ctx, row.MerchantID, "verificationCode", "recoveryCode", form["recoveryCode"]); err != nil {
			return err
		}
		err := s.o.Codes.Check(ctx, s.paymentSubject(row), who.From.Network, form["recoveryCode"])
		return onlyField(err, "recoveryCode")
	default:
		return validation.ErrRequired.On("paymentPassword")
	}
}
