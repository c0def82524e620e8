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

// Faults of what guards an account.
var (
	ErrEmailTaken      = fault.New(fault.Conflict, "member.email_taken")
	ErrQuestionUnknown = fault.New(fault.Invalid, "member.question_unknown")
	ErrAnswerRequired  = fault.New(fault.Invalid, "member.answer_required")
	ErrAnswerWrong     = fault.New(fault.Refused, "member.answer_wrong")
)

// questions are the security questions by id; the app has their words.
var questions = []string{"first_pet", "first_school", "birth_city", "mother_name", "best_friend", "favourite_dish"}

// Changes that a merchant may have the security question asked for.
const (
	askPayment = "payment_password"
	askMobile  = "mobile"
	askEmail   = "email"
)

// Security is what guards a member's account, as the member is shown it.
type Security struct {
	Level           int  // 1 to 4: the password, and each of number, address and payment password or question
	HasPassword     bool // who came by an external account has none until they set the first
	Proof           string
	Mobile, Email   string
	PaymentPassword bool
	PaymentReset    string // by what a forgotten payment password can be replaced, beside the account's
	Ask             string // what else a new question, number or address takes
	Question        string
	Sessions        int // that can be used

	// What was typed at registering and not proved since, to be bound without typing it again.
	UnprovedDialingCode, UnprovedMobile, UnprovedEmail string
}

// Security tells a member what guards the account.
func (s *Service) Security(ctx context.Context, who Self) (Security, error) {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return Security{}, err
	}
	out := Security{
		Level: 1, Mobile: maskMobile(row.Mobile.String), Email: maskEmail(row.Email.String),
		HasPassword: row.PasswordHash != "", PaymentPassword: row.PaymentHash != "", PaymentReset: s.paymentReset(row), Question: row.Question,
	}
	if out.Proof, err = s.proofOfMember(ctx, who, row); err != nil {
		return Security{}, err
	}
	if out.PaymentPassword && out.Proof != out.PaymentReset {
		out.Ask = paymentProof
	}
	if err := s.unproved(ctx, row, &out); err != nil {
		return Security{}, err
	}
	if out.Sessions, err = s.o.Sessions.Count(ctx, row.MerchantID, row.ID); err != nil {
		return Security{}, err
	}
	for _, guarded := range []bool{out.Mobile != "", out.Email != "", out.PaymentPassword || out.Question != ""} {
		if guarded {
			out.Level++
		}
	}
	return out, nil
}

// unproved adds the number and the address that the member has only typed.
func (s *Service) unproved(ctx context.Context, row query.Member, out *Security) error {
	details, err := s.o.Store.Q().Details(ctx, row.ID)
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

// maskMobile leaves the country and the last three digits to be recognised by.
func maskMobile(e164 string) string {
	if len(e164) < 7 {
		return strings.Repeat("*", len(e164))
	}
	return e164[:3] + strings.Repeat("*", len(e164)-6) + e164[len(e164)-3:]
}

// maskEmail leaves the first letter and the domain.
func maskEmail(email string) string {
	local, domain, found := strings.Cut(email, "@")
	if !found {
		return ""
	}
	return local[:1] + "***@" + domain
}

// mask leaves the last two characters.
func mask(value string) string {
	runes := []rune(value)
	keep := max(0, len(runes)-2)
	return strings.Repeat("*", keep) + string(runes[keep:])
}

// BindMobile makes a number the member's, proved by a code sent there, by whoever knows the password. What was mistyped costs no
// proof.
func (s *Service) BindMobile(ctx context.Context, who Self, form map[string]string) error {
	if err := s.o.Members.Refuse(ctx, who.MerchantID, form, "mobileNum", "verificationCode"); err != nil {
		return err
	}
	mobile, err := s.mobile(ctx, who.MerchantID, form["countryDialingCode"], form["mobileNum"])
	if err != nil {
		return err
	}
	row, err := s.guard(ctx, who, form, askMobile)
	if err != nil {
		return err
	}
	return s.bind(ctx, who, row, notify.SMS, mobile, form["verificationCode"])
}

// BindEmail makes an address the member's.
func (s *Service) BindEmail(ctx context.Context, who Self, form map[string]string) error {
	if err := s.o.Members.Refuse(ctx, who.MerchantID, form, "email", "verificationCode"); err != nil {
		return err
	}
	email, err := validation.Email(form["email"])
	if err != nil {
		return fault.OnField(err, "email")
	}
	row, err := s.guard(ctx, who, form, askEmail)
	if err != nil {
		return err
	}
	return s.bind(ctx, who, row, notify.Email, email, form["verificationCode"])
}

// guard lets a change pass that needs the password, or what stands for it, where the merchant wants it and there is one the answer to the
// security question, and what guards the payment password.
func (s *Service) guard(ctx context.Context, who Self, form map[string]string, change string) (query.Member, error) {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return row, err
	}
	proof, err := s.proves(ctx, who, row, form, "password")
	if err != nil {
		return row, err
	}
	answered, err := s.answered(ctx, row, form["answer"], change)
	if err != nil || answered { // the answer recovers the payment password too
		return row, err
	}
	return row, s.checkPaymentProof(ctx, who, row, form, proof)
}

// refuseAs holds a field against a rule of another name.
func (s *Service) refuseAs(ctx context.Context, merchantID int64, rule, field, value string) error {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return err
	}
	return rules.RefuseAs(rule, field, value)
}

// answered asks the security question where the merchant wants it asked, and tells whether it was. Answers are counted like passwords.
func (s *Service) answered(ctx context.Context, row query.Member, answer, change string) (bool, error) {
	asked, err := s.o.Settings.SecurityAsk(ctx, row.MerchantID, change)
	if err != nil || !asked || row.Question == "" {
		return false, err
	}
	return true, s.answers(ctx, row, answer, "answer")
}

// answers asks a member's security question.
func (s *Service) answers(ctx context.Context, row query.Member, answer, field string) error {
	if validation.Trim(answer) == "" {
		return ErrAnswerRequired.On(field).With("question", row.Question)
	}
	if err := s.refuseAs(ctx, row.MerchantID, "securityAnswer", field, answer); err != nil {
		return err
	}
	return s.guess(ctx, row, func() error {
		right, err := s.o.Passwords.Matches(ctx, row.AnswerHash, foldAnswer(answer))
		if err == nil && !right {
			err = ErrAnswerWrong.On(field)
		}
		return err
	})
}

// foldAnswer gives the form of an answer in which it is compared: nobody remembers its capitals and spaces.
func foldAnswer(answer string) string {
	return strings.ToLower(strings.Join(strings.Fields(answer), " "))
}

// bind stores a number or an address that a code proves. Its transaction also consumes the code, so a failed change leaves the code
// usable. A refused code commits, because it must count as a try.
func (s *Service) bind(ctx context.Context, who Self, row query.Member, channel notify.Channel, target, code string) error {
	siteName, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	of := notify.Subject{MerchantID: row.MerchantID, Channel: channel, Target: target, Purpose: notify.ForBind}
	var refused error
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if refused, err = s.o.Codes.CheckIn(ctx, tx, of, who.From.Network, code); err != nil || refused != nil {
			return err
		}
		if err := refuseTaken(ctx, tx.Q, row, channel, target); err != nil {
			return err
		}
		return s.bindIn(ctx, tx, row, channel, target, siteName)
	})
	if err == nil {
		return fault.OnField(refused, "verificationCode")
	}
	// Another member may have bound the target since the check.
	if taken := refuseTaken(ctx, s.o.Store.Q(), row, channel, target); taken != nil {
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
	if err := s.possible(ctx, tx, row.MerchantID, row.ID, mobile, email, ErrBindNotPossible); err != nil {
		return err
	}
	if err := set(ctx, row.ID, db.Text(target)); err != nil || old == "" || old == target || !s.o.Messages.Can(channel) {
		return err
	}
	// The old number or address may be the only place where the member learns of a theft.
	m := notify.Compose(channel, old, row.Language, notify.ContactReplaced, notify.Values{Site: siteName, Username: row.Account})
	return s.o.Messages.SendIn(ctx, tx, m)
}

// refuseTaken refuses a number or an address that another member has bound.
func refuseTaken(ctx context.Context, q *query.Queries, row query.Member, channel notify.Channel, target string) error {
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

// SetQuestion chooses the security question and its answer; another by the answer to the one that it replaces, for the
// question guards against who only knows the password. The first recovers the payment password, and so takes what guards that.
func (s *Service) SetQuestion(ctx context.Context, who Self, form map[string]string) error {
	row, err := s.real(ctx, who.MemberID)
	if err != nil {
		return err
	}
	if !slices.Contains(questions, form["question"]) {
		return ErrQuestionUnknown.On("question")
	}
	if err := s.refuseAs(ctx, row.MerchantID, "securityAnswer", "answer", form["answer"]); err != nil {
		return err
	}
	proof, err := s.proves(ctx, who, row, form, "password")
	if err != nil {
		return err
	}
	if row.Question != "" {
		err = s.answers(ctx, row, form["oldAnswer"], "oldAnswer")
	} else {
		err = s.checkPaymentProof(ctx, who, row, form, proof)
	}
	if err != nil {
		return err
	}
	hash, err := s.o.Passwords.Hash(ctx, foldAnswer(form["answer"]))
	if err != nil {
		return fmt.Errorf("set security question: %w", err)
	}
	site, err := s.o.Settings.Name(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := lockMember(ctx, tx, row); err != nil {
			return err
		}
		n, err := tx.Q.SetQuestion(ctx, query.SetQuestionParams{ID: row.ID, Question: form["question"], AnswerHash: hash, Held: row.AnswerHash})
		if err == nil && n == 0 {
			err = ErrAnswerWrong.On("oldAnswer") // it was changed meanwhile
		}
		if err != nil {
			return err
		}
		return s.inform(ctx, tx, row, notify.QuestionSet, site)
	})
}
