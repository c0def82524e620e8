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

// ErrPaymentUnrecoverable means that only customer service can replace the forgotten payment password.
var ErrPaymentUnrecoverable = fault.New(fault.Refused, "member.payment_lost")

// What a member needs, with the password, to replace a forgotten payment password. The first that applies counts.
const (
	resetByAnswer = "answer"
	resetBySMS    = "sms"
	resetByEmail  = "email"
)

// extraProofPayment means that a new question, number or address needs proof of the payment password.
const extraProofPayment = "payment"

// paymentResetMethod is empty when only customer service can help, or when there is no payment password.
func (s *Service) paymentResetMethod(row query.Member) string {
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

func (s *Service) paymentSubject(row query.Member) notify.Subject {
	of := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForPayment}
	if s.paymentResetMethod(row) == resetByEmail {
		of.Channel, of.Target = notify.Email, row.Email.String
	}
	return of
}

// SendPaymentCode sends the code that replaces a forgotten payment password to the bound number or address.
func (s *Service) SendPaymentCode(ctx context.Context, self Self) (notify.Delivery, error) {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return notify.Delivery{}, err
	}
	if method := s.paymentResetMethod(row); method != resetBySMS && method != resetByEmail {
		return notify.Delivery{}, ErrPaymentUnrecoverable
	}
	return s.o.Codes.SendToMember(ctx, row.ID, s.paymentSubject(row), self.From, true)
}

// SetPaymentPassword sets the payment password. The first needs the account's password, another the old payment password. If that is
// forgotten, the account's password alone is not enough.
func (s *Service) SetPaymentPassword(ctx context.Context, self Self, form map[string]string) error {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return err
	}
	if err := s.o.Members.Validate(ctx, row.MerchantID, form, "paymentPassword", "confirmPaymentPassword"); err != nil {
		return err
	}
	forgotten := row.PaymentHash != "" && form["oldPaymentPassword"] == ""
	if row.PaymentHash != "" && !forgotten {
		err = s.checkPaymentPassword(ctx, row, form["oldPaymentPassword"], "oldPaymentPassword")
	} else {
		_, err = s.checkIdentity(ctx, self, row, form, "password")
	}
	if err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, form["paymentPassword"])
	if err != nil {
		return fmt.Errorf("set payment password: %w", err)
	}
	if forgotten {
		err = s.checkRecovery(ctx, row, form)
	} else {
		_, err = s.checkAnswerIfRequired(ctx, row, form["answer"], changePaymentPassword)
	}
	if err != nil {
		return err
	}
	method := s.paymentResetMethod(row)
	byCode := forgotten && (method == resetBySMS || method == resetByEmail)
	var refused error
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if byCode { // a refused code commits, because it counts as a try
			refused, err = s.o.Codes.CheckIn(ctx, tx, s.paymentSubject(row), self.From.Network, form["verificationCode"])
			if err != nil || refused != nil {
				return err
			}
		}
		if err := lockMember(ctx, tx, row); err != nil {
			return err
		}
		n, err := tx.Q.SetPaymentPassword(ctx, hash, row.ID, row.PaymentHash)
		if err == nil && n == 0 {
			err = ErrPasswordWrong.On("oldPaymentPassword") // changed concurrently
		}
		return err
	})
	if err != nil {
		return err
	}
	return refused
}

func (s *Service) checkPaymentPassword(ctx context.Context, row query.Member, typed, field string) error {
	if err := s.validateAs(ctx, row.MerchantID, "paymentPassword", field, typed); err != nil {
		return err
	}
	return s.limitGuesses(ctx, row, func() error {
		right, err := s.o.Passwords.Matches(ctx, row.PaymentHash, typed)
		if err == nil && !right {
			err = ErrPasswordWrong.On(field)
		}
		return err
	})
}

// checkRecovery checks the security answer, or only the format of the code: the change consumes the code.
func (s *Service) checkRecovery(ctx context.Context, row query.Member, form map[string]string) error {
	switch s.paymentResetMethod(row) {
	case resetByAnswer:
		return s.checkAnswer(ctx, row, form["answer"], "answer")
	case resetBySMS, resetByEmail:
		return s.validateAs(ctx, row.MerchantID, "verificationCode", "verificationCode", form["verificationCode"])
	default:
		return ErrPaymentUnrecoverable.On("oldPaymentPassword")
	}
}

// checkPaymentProof protects the recovery methods: otherwise the account's password could replace the payment password in two steps. A
// change already proved by the current method needs no more.
func (s *Service) checkPaymentProof(ctx context.Context, self Self, row query.Member, form map[string]string, proof string) error {
	if row.PaymentHash == "" || proof == s.paymentResetMethod(row) {
		return nil
	}
	if form["paymentPassword"] != "" {
		return s.checkPaymentPassword(ctx, row, form["paymentPassword"], "paymentPassword")
	}
	switch method := s.paymentResetMethod(row); {
	case method == resetByAnswer && form["answer"] != "":
		return s.checkAnswer(ctx, row, form["answer"], "answer")
	case (method == resetBySMS || method == resetByEmail) && form["recoveryCode"] != "":
		if err := s.validateAs(ctx, row.MerchantID, "verificationCode", "recoveryCode", form["recoveryCode"]); err != nil {
			return err
		}
		err := s.o.Codes.Check(ctx, s.paymentSubject(row), self.From.Network, form["recoveryCode"])
		return fault.OnField(err, "recoveryCode")
	default:
		return validation.ErrRequired.On("paymentPassword")
	}
}

// CheckPaymentPassword checks a member's payment password and limits wrong tries. Without a payment password it fails like a wrong one.
func (s *Service) CheckPaymentPassword(ctx context.Context, memberID int64, typed string) error {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return err
	}
	return s.checkPaymentPassword(ctx, row, typed, "paymentPassword")
}
