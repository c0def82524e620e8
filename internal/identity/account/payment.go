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

// Ways to replace a forgotten payment password, in addition to the account's password. A member uses the first one that applies.
const (
	resetByAnswer = "answer"
	resetBySMS    = "sms"
	resetByEmail  = "email"
)

// extraProofPayment means that setting a question, number or address requires the payment password or a way to replace it.
const extraProofPayment = "payment"

// paymentResetMethod returns how a member can replace a forgotten payment password. It returns "" if only customer service can help, or if
// the member has no payment password.
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
	subject := notify.Subject{MerchantID: row.MerchantID, Channel: notify.SMS, Target: row.Mobile.String, Purpose: notify.ForPayment}
	if s.paymentResetMethod(row) == resetByEmail {
		subject.Channel, subject.Target = notify.Email, row.Email.String
	}
	return subject
}

// SendPaymentCode sends a code to the bound number or address. The code allows the member to replace a forgotten payment password.
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

// SetPaymentPassword sets the payment password. Setting the first one requires the account's password, and changing it requires the old
// payment password. Replacing a forgotten one requires the account's password and paymentResetMethod.
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
		if byCode { // the transaction also commits if the code is refused, so that the attempt counts
			refused, err = s.o.Codes.CheckCodeIn(ctx, tx, s.paymentSubject(row), self.From.Network, form["verificationCode"])
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

// checkRecovery checks the security answer, or the format of the code. SetPaymentPassword checks the code itself in its transaction.
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

// checkPaymentProof requires the payment password, or a way to replace it, before a recovery method changes. Otherwise someone who knows
// only the account's password could first change the recovery method, then the payment password. It requires nothing if proof is the
// current recovery method.
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

// CheckPaymentPassword checks a member's payment password and limits wrong attempts. It rejects every password if the member has none.
func (s *Service) CheckPaymentPassword(ctx context.Context, memberID int64, typed string) error {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return err
	}
	return s.checkPaymentPassword(ctx, row, typed, "paymentPassword")
}
