package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// Faults of registering.
var (
	ErrAgreement   = fault.New(fault.Invalid, "register.agreement_required")
	ErrTypeRefused = fault.New(fault.Forbidden, "member.type_refused")
	ErrAffiliate   = fault.New(fault.Refused, "member.affiliate_unknown")

	// ErrBindNotPossible refuses a number or an address of somebody who takes a break from play to a member who would bind it. It
	// names no field and no reason.
	ErrBindNotPossible = fault.New(fault.Refused, "member.bind_not_possible")
)

var (
	// failureLimit is how many registrations of one network may fail. It is soft, because many people share an address.
	failureLimit = ratelimit.Limit{Burst: 40, Every: 10 * time.Second}
)

const failureKey = "member/register_failed/"

// Registration is what a visitor sends to become a member.
type Registration struct {
	MerchantID    int64
	Method        string // validation.ByUsername or ByMobile
	Values        map[string]string
	DialingCode   string
	Origin        map[string]string // how and where the form was sent, kept as it came
	Type          int
	Agreement     bool
	AgeConfirmed  bool
	CaptchaCookie string
	Challenge     string
	FirebaseToken string
	From          rest.Visitor
}

// Granted is what a new member is let in with.
type Granted struct {
	Token    string
	Username string
}

// applicant is a registration that has been checked.
type applicant struct {
	Registration
	form   *validation.Form
	mobile string // that is to be proved; a number that is only typed is a detail
	parent sql.NullInt64
}

// details are the fields that are kept as they were typed.
var details = []string{"idNumber", "qqNum", "facebook", "wechat", "line", "whatsapp", "zalo", "recommenderId"}

// Register makes a member of a visitor and lets the new member in. What tells whether a name or a number is taken is
// asked only after the visitor was found to be a person, and of a number that must be proved only after it was; the proof
// is used up only together with what it is for.
func (s *Service) Register(ctx context.Context, r Registration) (Granted, error) {
	a, err := s.admit(ctx, r)
	if err != nil {
		return Granted{}, err
	}
	failures := ratelimit.NetworkBuckets(failureKey, r.From.Network, "", failureLimit, ratelimit.BlockFactor)
	if err := s.o.Limiter.TakeAll(ctx, failures); err != nil {
		return Granted{}, err
	}
	id, username, err := s.join(ctx, a)
	if err != nil {
		return Granted{}, err
	}
	_ = s.o.Limiter.ReturnAll(ctx, failures) // where this fails, the buckets fill by themselves
	token, err := s.o.Sessions.OpenFor(ctx, r.MerchantID, id, 0, r.From)
	if err != nil {
		return Granted{}, fmt.Errorf("let the new member in: %w", err)
	}
	return Granted{Token: token, Username: username}, nil
}

// join makes a member of an applicant who is a person and asks for what is free.
func (s *Service) join(ctx context.Context, a *applicant) (id int64, username string, err error) {
	if err := s.human(ctx, a); err != nil {
		return 0, "", err
	}
	if err := s.o.Members.Taken(ctx, s.o.Store.Q(), a.MerchantID, a.Values["username"], ""); err != nil {
		return 0, "", err
	}
	return s.enrol(ctx, a)
}

// admit checks everything that costs nothing and tells nothing.
func (s *Service) admit(ctx context.Context, r Registration) (*applicant, error) {
	form, err := s.o.Settings.RegisterForm(ctx, r.MerchantID)
	if err != nil {
		return nil, err
	}
	switch {
	case !form.Allows(r.Method):
		return nil, member.ErrClosed
	case r.Type != int(rest.Player):
		return nil, ErrTypeRefused.On("type")
	case !r.Agreement:
		return nil, ErrAgreement.On("agreement")
	case !r.AgeConfirmed:
		return nil, member.ErrAge.On("ageConfirmed").With("age", form.AgeLimit)
	}
	a := &applicant{Registration: r, form: form}
	a.Values = maps.Clone(r.Values)
	for _, name := range slices.Concat([]string{"username", "mobileNum", "email", "verificationCode"}, validation.InvitationFields, contacts) {
		a.Values[name] = validation.Trim(a.Values[name])
	}
	if err := s.judge(ctx, a); err != nil {
		return nil, err
	}
	a.parent, err = s.inviter(ctx, a)
	return a, err
}

// judge holds what was typed against the rules.
func (s *Service) judge(ctx context.Context, a *applicant) error {
	if err := s.invitable(ctx, a); err != nil {
		return err
	}
	skip := []string{"captcha"} // the captcha's own check says what is wrong with it
	if _, shown := a.form.Field(a.Method, "username"); !shown && a.Values["username"] != "" {
		rules, err := s.o.Settings.Rules(ctx, a.MerchantID)
		if err != nil {
			return err
		}
		if err := rules.Refuse("username", a.Values["username"], nil); err != nil {
			return err
		}
		skip = append(skip, "username") // the form does not show it, and yet it may be chosen
	}
	if err := a.form.Refuse(a.Method, a.Values, skip...); err != nil {
		return err
	}
	if s.o.Passwords.Common(a.Values["password"]) {
		return member.ErrPasswordCommon.On("password")
	}
	if number := a.Values["mobileNum"]; number != "" {
		mobile, err := s.mobile(ctx, a.MerchantID, a.DialingCode, number)
		if err != nil {
			return err
		}
		a.Values["mobileNum"] = mobile
		if a.Method == validation.ByMobile && (a.form.MobileVerification == validation.ProofSMS || a.form.MobileVerification == validation.ProofFirebase) {
			a.mobile = mobile
		}
	}
	return nil
}

// mobile reads a number that becomes somebody's.
func (s *Service) mobile(ctx context.Context, merchantID int64, dialing, number string) (string, error) {
	mobile, err := validation.Mobile(dialing, number)
	if err != nil {
		return "", onField(err, "mobileNum")
	}
	accepted, err := s.o.Settings.AcceptsNumber(ctx, merchantID, mobile)
	if err == nil && !accepted {
		err = validation.ErrMobile.On("mobileNum")
	}
	return mobile, err
}

// invitable refuses a code where agents bring no members, as asking about one is refused there. Left unsaid, whoever
// sent it would believe that it counts.
func (s *Service) invitable(ctx context.Context, a *applicant) error {
	for _, name := range validation.InvitationFields {
		if a.Values[name] == "" {
			continue
		}
		on, err := s.o.Settings.ModuleEnabled(ctx, a.MerchantID, affiliateModule)
		if err == nil && !on {
			err = rest.ErrModuleOff.On(name).With("module", affiliateModule)
		}
		return err
	}
	return nil
}

// inviter finds whose code was given.
func (s *Service) inviter(ctx context.Context, a *applicant) (sql.NullInt64, error) {
	for _, name := range validation.InvitationFields {
		code := a.Values[name]
		if code == "" {
			continue
		}
		id, err := s.o.Members.Affiliate(ctx, a.MerchantID, code)
		if err != nil {
			return sql.NullInt64{}, err
		}
		if id == 0 {
			return sql.NullInt64{}, ErrAffiliate.On(name)
		}
		return sql.NullInt64{Int64: id, Valid: true}, nil
	}
	return sql.NullInt64{}, nil
}

// human asks for what the merchant tells people from programs by.
func (s *Service) human(ctx context.Context, a *applicant) error {
	if a.form.Slider {
		if err := s.o.Captchas.CheckPass(ctx, a.From.Network, a.Challenge); err != nil {
			return err
		}
	}
	if a.form.Captcha {
		return s.o.Captchas.CheckImage(ctx, a.CaptchaCookie, a.Values["captcha"])
	}
	return nil
}

// proofOf gives what finds out, within the transaction that makes the member, whether the visitor holds the number. What
// it refuses must be committed.
func (s *Service) proofOf(ctx context.Context, a *applicant) (func(*db.Tx) (refused, err error), error) {
	none := func(*db.Tx) (refused, err error) { return nil, nil }
	if a.mobile == "" {
		return none, nil
	}
	switch a.form.MobileVerification {
	case validation.ProofSMS:
		return func(tx *db.Tx) (refused, err error) {
			of := notify.Subject{MerchantID: a.MerchantID, Channel: notify.SMS, Target: a.mobile, Purpose: notify.ForRegister}
			return s.o.Codes.CheckIn(ctx, tx, of, a.From.Network, a.Values["verificationCode"])
		}, nil
	case validation.ProofFirebase:
		spend, err := s.o.Phones.Proof(ctx, a.FirebaseToken, a.mobile)
		return func(tx *db.Tx) (refused, err error) { return nil, spend(ctx, tx) }, err
	default:
		return none, nil
	}
}

// enrol writes the new member.
func (s *Service) enrol(ctx context.Context, a *applicant) (id int64, username string, err error) {
	row := query.AddMemberParams{
		MerchantID: a.MerchantID, Account: validation.FoldUsername(a.Values["username"]), Nickname: a.Values["nickname"], Type: int64(rest.Player),
		Language: a.From.Language, CreatedAt: db.Millis(s.o.Now()), Mobile: db.Text(a.mobile), PayeeName: a.Values["payeeName"],
		ParentID: a.parent,
	}
	currency, err := s.o.Settings.Currency(ctx, a.MerchantID)
	if err != nil {
		return 0, "", err
	}
	row.Currency = currency.Code
	if row.PasswordHash, err = s.o.Passwords.Hash(ctx, a.Values["password"]); err != nil {
		return 0, "", fmt.Errorf("register: %w", err)
	}
	if pin := a.Values["paymentPassword"]; pin != "" {
		if row.PaymentHash, err = s.o.Passwords.Hash(ctx, pin); err != nil {
			return 0, "", fmt.Errorf("register: %w", err)
		}
	}
	site, err := s.o.Settings.Name(ctx, a.MerchantID)
	if err != nil {
		return 0, "", err
	}
	proof, err := s.proofOf(ctx, a)
	if err != nil {
		return 0, "", err
	}
	for made := row.Account == ""; ; {
		row.ID = s.o.IDs()
		if made {
			row.Account = s.o.Members.NewName()
		}
		var refused error
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			if refused, err = proof(tx); err != nil || refused != nil {
				return err
			}
			return s.enrolIn(ctx, tx, a, row, site)
		})
		if refused != nil {
			return 0, "", refused
		}
		if made && errors.Is(err, member.ErrUsernameTaken) {
			continue
		}
		if err != nil {
			return 0, "", fmt.Errorf("register: %w", err)
		}
		return row.ID, row.Account, nil
	}
}

func (s *Service) enrolIn(ctx context.Context, tx *db.Tx, a *applicant, row query.AddMemberParams, site string) error {
	err := s.o.Members.JoinIn(ctx, tx, row, a.form.AgeLimit, a.From.Network, a.mobile, "")
	if errors.Is(err, member.ErrUsernameTaken) { // somebody was faster: the number may be what they have
		if taken := s.o.Members.Taken(ctx, tx.Q, row.MerchantID, row.Account, row.Mobile.String); taken != nil {
			return taken
		}
	}
	if err != nil {
		return err
	}
	typed := ""
	if a.mobile == "" {
		typed = a.Values["mobileNum"] // not proved: it is nobody's yet
	}
	if err := s.unclaimed(ctx, tx, row, typed, a.Values["email"]); err != nil {
		return err
	}
	kept := maps.Clone(a.Origin)
	for _, name := range details {
		kept[name] = a.Values[name]
	}
	kept["mobileNum"], kept["email"] = typed, a.Values["email"]
	for name, value := range kept {
		if value == "" {
			continue
		}
		if err := tx.Q.PutDetail(ctx, row.ID, name, value); err != nil {
			return err
		}
	}
	if a.mobile == "" || !s.o.Messages.Can(notify.SMS) {
		return nil
	}
	return s.o.Messages.SendIn(ctx, tx, notify.Compose(notify.SMS, a.mobile, a.From.Language, notify.Welcome, notify.Values{Site: site, Username: row.Account}))
}

// unclaimed refuses a number or an address that was typed and not proved where it is a member's, or was that of somebody who takes a
// break. Both are answered alike: whoever types it must not learn from it what its owner has decided.
func (s *Service) unclaimed(ctx context.Context, tx *db.Tx, row query.AddMemberParams, mobile, email string) error {
	for _, typed := range []struct {
		mobile, email string
		owner         func() (query.Member, error)
		taken         *fault.Fault
	}{
		{mobile, "", func() (query.Member, error) { return tx.Q.MemberByMobile(ctx, row.MerchantID, db.Text(mobile)) }, member.ErrMobileTaken.On("mobileNum")},
		{"", email, func() (query.Member, error) { return tx.Q.MemberByEmail(ctx, row.MerchantID, email) }, ErrEmailTaken.On("email")},
	} {
		if typed.mobile+typed.email == "" {
			continue
		}
		if err := s.possible(ctx, tx, row.MerchantID, row.ID, typed.mobile, typed.email, typed.taken); err != nil {
			return err
		}
		_, err := typed.owner()
		owned, err := db.Found("find member", err)
		if err == nil && owned {
			err = typed.taken
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// possible refuses, in the caller's words, a number or an address by which a member would be somebody who takes a break.
func (s *Service) possible(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string, refusal *fault.Fault) error {
	barred, err := s.o.Breaks.BarredIn(ctx, tx, merchantID, memberID, mobile, email)
	if err == nil && barred {
		err = refusal
	}
	return err
}
