package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/validation"
)

// Faults of security settings.
var (
	ErrEmailTaken      = fault.New(fault.Conflict, "member.email_taken")
	ErrQuestionUnknown = fault.New(fault.Invalid, "member.question_unknown")
	ErrAnswerRequired  = fault.New(fault.Invalid, "member.answer_required")
	ErrAnswerWrong     = fault.New(fault.Refused, "member.answer_wrong")
)

// questions are the ids of the security questions. The app has their texts.
var questions = []string{"first_pet", "first_school", "birth_city", "mother_name", "best_friend", "favourite_dish"}

// Changes for which a merchant can require the security answer.
const (
	changePaymentPassword = "payment_password"
	changeMobile          = "mobile"
	changeEmail           = "email"
)

// Security describes the security settings of a member's account.
type Security struct {
	Level           int    // 1 to 4: 1, plus 1 each for number, address, and payment password or question
	HasPassword     bool   // false for a member who registered with an external account
	Temporary       bool   // whether an operator or agent set the password
	Proof           string // how the member proves their identity, one of the proof constants
	Mobile, Email   string
	PaymentPassword bool
	PaymentReset    string // see paymentResetMethod
	ExtraProof      string // extraProofPayment, or empty
	Question        string
	Sessions        int // number of active sessions

	// Entered at registration and not verified since. The app offers to bind them.
	UnprovedDialingCode, UnprovedMobile, UnprovedEmail string
}

// Security returns the security settings of the caller's account.
func (s *Service) Security(ctx context.Context, self Self) (Security, error) {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return Security{}, err
	}
	out := Security{
		Level: 1, Mobile: maskMobile(row.Mobile.String), Email: maskEmail(row.Email.String),
		HasPassword: row.PasswordHash != "", Temporary: row.FirstTimeLogin, PaymentPassword: row.PaymentHash != "", PaymentReset: s.paymentResetMethod(row), Question: row.Question,
	}
	if out.Proof, err = s.proofMethod(ctx, self, row); err != nil {
		return Security{}, err
	}
	if out.PaymentPassword && out.Proof != out.PaymentReset {
		out.ExtraProof = extraProofPayment
	}
	if err := s.addUnverified(ctx, row, &out); err != nil {
		return Security{}, err
	}
	if out.Sessions, err = s.o.Sessions.Count(ctx, row.MerchantID, row.ID); err != nil {
		return Security{}, err
	}
	for _, isSet := range []bool{out.Mobile != "", out.Email != "", out.PaymentPassword || out.Question != ""} {
		if isSet {
			out.Level++
		}
	}
	return out, nil
}

func (s *Service) addUnverified(ctx context.Context, row query.Member, out *Security) error {
	details, err := s.o.Store.Q().MemberDetails(ctx, row.ID)
	if err != nil {
		return fmt.Errorf("read details: %w", err)
	}
	for _, d := range details {
		switch {
		case d.Name == "mobileNum" && !row.Mobile.Valid:
			out.UnprovedDialingCode, out.UnprovedMobile = validation.SplitMobile(d.Value)
		case d.Name == "email" && !row.Email.Valid:
			out.UnprovedEmail = d.Value
		}
	}
	return nil
}

func maskMobile(e164 string) string {
	if len(e164) < 7 {
		return strings.Repeat("*", len(e164))
	}
	return e164[:3] + strings.Repeat("*", len(e164)-6) + e164[len(e164)-3:]
}

func maskEmail(email string) string {
	local, domain, found := strings.Cut(email, "@")
	if !found {
		return ""
	}
	return local[:1] + "***@" + domain
}

func mask(value string) string {
	runes := []rune(value)
	hidden := max(0, len(runes)-2)
	return strings.Repeat("*", hidden) + string(runes[hidden:])
}

// BindMobile sets the member's mobile number, verified by a code. It checks formats first, so that a typing mistake does not use up a code.
func (s *Service) BindMobile(ctx context.Context, self Self, form map[string]string) error {
	if err := s.o.Members.Validate(ctx, self.MerchantID, form, "mobileNum", "verificationCode"); err != nil {
		return err
	}
	mobile, err := s.parseMobile(ctx, self.MerchantID, form["countryDialingCode"], form["mobileNum"])
	if err != nil {
		return err
	}
	row, err := s.authorizeChange(ctx, self, form, changeMobile)
	if err != nil {
		return err
	}
	return s.bind(ctx, self, row, notify.SMS, mobile, form["verificationCode"])
}

// BindEmail sets the member's e-mail address, like BindMobile.
func (s *Service) BindEmail(ctx context.Context, self Self, form map[string]string) error {
	if err := s.o.Members.Validate(ctx, self.MerchantID, form, "email", "verificationCode"); err != nil {
		return err
	}
	email, err := validation.Email(form["email"])
	if err != nil {
		return fault.OnField(err, "email")
	}
	row, err := s.authorizeChange(ctx, self, form, changeEmail)
	if err != nil {
		return err
	}
	return s.bind(ctx, self, row, notify.Email, email, form["verificationCode"])
}

// authorizeChange checks the member's identity, the security answer if required, and the payment password if required.
func (s *Service) authorizeChange(ctx context.Context, self Self, form map[string]string, change string) (query.Member, error) {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return row, err
	}
	proof, err := s.checkIdentity(ctx, self, row, form, "password")
	if err != nil {
		return row, err
	}
	answered, err := s.checkAnswerIfRequired(ctx, row, form["answer"], change)
	if err != nil || answered { // the answer is enough, because it can also replace the payment password
		return row, err
	}
	return row, s.checkPaymentProof(ctx, self, row, form, proof)
}

func (s *Service) validateAs(ctx context.Context, merchantID int64, rule, field, value string) error {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return err
	}
	return rules.RefuseAs(rule, field, value)
}

// checkAnswerIfRequired checks the security answer if the merchant requires it for this change, and reports whether it did.
func (s *Service) checkAnswerIfRequired(ctx context.Context, row query.Member, answer, change string) (bool, error) {
	required, err := s.o.Settings.SecurityAsk(ctx, row.MerchantID, change)
	if err != nil || !required || row.Question == "" {
		return false, err
	}
	return true, s.checkAnswer(ctx, row, answer, "answer")
}

// checkAnswer checks a security answer. Wrong answers use the same limit as wrong passwords.
func (s *Service) checkAnswer(ctx context.Context, row query.Member, answer, field string) error {
	if validation.Trim(answer) == "" {
		return ErrAnswerRequired.On(field).With("question", row.Question)
	}
	if err := s.validateAs(ctx, row.MerchantID, "securityAnswer", field, answer); err != nil {
		return err
	}
	return s.limitGuesses(ctx, row, func() error {
		right, err := s.o.Passwords.Matches(ctx, row.AnswerHash, normalizeAnswer(answer))
		if err == nil && !right {
			err = ErrAnswerWrong.On(field)
		}
		return err
	})
}

func normalizeAnswer(answer string) string {
	return strings.ToLower(strings.Join(strings.Fields(answer), " "))
}

// bind stores a contact and consumes its code in one transaction, so that a failed change leaves the code usable. The transaction also
// commits if the code is refused, so that the attempt counts.
func (s *Service) bind(ctx context.Context, self Self, row query.Member, channel notify.Channel, target, code string) error {
	siteName, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	subject := notify.Subject{MerchantID: row.MerchantID, Channel: channel, Target: target, Purpose: notify.ForBind}
	var refused error
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if refused, err = s.o.Codes.CheckCodeIn(ctx, tx, subject, self.From.Network, code); err != nil || refused != nil {
			return err
		}
		if err := refuseBound(ctx, tx.Q, row, channel, target); err != nil {
			return err
		}
		return s.bindIn(ctx, tx, row, channel, target, siteName)
	})
	if err == nil {
		return fault.OnField(refused, "verificationCode")
	}
	// Another member may have bound the target since the check.
	if taken := refuseBound(ctx, s.o.Store.Q(), row, channel, target); taken != nil {
		return taken
	}
	return fmt.Errorf("bind: %w", err)
}

func (s *Service) bindIn(ctx context.Context, tx *db.Tx, row query.Member, channel notify.Channel, target, siteName string) error {
	old, set, mobile, email := row.Mobile.String, tx.Q.SetMobile, target, ""
	if channel == notify.Email {
		old, set, mobile, email = row.Email.String, tx.Q.SetEmail, "", target
	}
	if err := lockMember(ctx, tx, row); err != nil {
		return err
	}
	if err := s.refuseBarred(ctx, tx, row.MerchantID, row.ID, mobile, email, ErrBindNotPossible); err != nil {
		return err
	}
	if err := set(ctx, row.ID, db.Text(target)); err != nil || old == "" || old == target || !s.o.Messages.Can(channel) {
		return err
	}
	// If a thief replaced the contact, only a message to the old one reaches the member.
	m := notify.Compose(channel, old, row.Language, notify.ContactReplaced, notify.Values{Site: siteName, Username: row.Account})
	return s.o.Messages.SendIn(ctx, tx, m)
}

func refuseBound(ctx context.Context, q *query.Queries, row query.Member, channel notify.Channel, target string) error {
	var other query.Member
	var err error
	taken := member.ErrMobileTaken.On("mobileNum")
	if channel == notify.Email {
		other, err = q.MemberByEmail(ctx, row.MerchantID, target)
		taken = ErrEmailTaken.On("email")
	} else {
		other, err = q.MemberByMobile(ctx, row.MerchantID, db.Text(target))
	}
	if ok, err := db.Found("find member", err); err != nil || !ok || other.ID == row.ID {
		return err
	}
	return taken
}

// SetQuestion sets the security question. Replacing it requires the old answer, because knowing the password is not enough. Setting the
// first one requires the payment password or a way to replace it, because the new answer can replace it too.
func (s *Service) SetQuestion(ctx context.Context, self Self, form map[string]string) error {
	row, err := s.realMember(ctx, self.MemberID)
	if err != nil {
		return err
	}
	if !slices.Contains(questions, form["question"]) {
		return ErrQuestionUnknown.On("question")
	}
	if err := s.validateAs(ctx, row.MerchantID, "securityAnswer", "answer", form["answer"]); err != nil {
		return err
	}
	proof, err := s.checkIdentity(ctx, self, row, form, "password")
	if err != nil {
		return err
	}
	if row.Question != "" {
		err = s.checkAnswer(ctx, row, form["oldAnswer"], "oldAnswer")
	} else {
		err = s.checkPaymentProof(ctx, self, row, form, proof)
	}
	if err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, normalizeAnswer(form["answer"]))
	if err != nil {
		return fmt.Errorf("set security question: %w", err)
	}
	siteName, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := lockMember(ctx, tx, row); err != nil {
			return err
		}
		n, err := tx.Q.SetQuestion(ctx, query.SetQuestionParams{ID: row.ID, Question: form["question"], AnswerHash: hash, Held: row.AnswerHash})
		if err == nil && n == 0 {
			err = ErrAnswerWrong.On("oldAnswer") // changed concurrently
		}
		if err != nil {
			return err
		}
		return s.notifyMember(ctx, tx, row, notify.QuestionSet, siteName)
	})
}
