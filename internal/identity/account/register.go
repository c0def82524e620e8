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
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// Faults of registration.
var (
	ErrAgreement   = fault.New(fault.Invalid, "register.agreement_required")
	ErrTypeRefused = fault.New(fault.Forbidden, "member.type_refused")
	ErrAffiliate   = fault.New(fault.Refused, "member.affiliate_unknown")

	// ErrBindNotPossible means that the number or address belongs to a member on a break. It reveals neither the field nor the reason.
	ErrBindNotPossible = fault.New(fault.Refused, "member.bind_not_possible")
)

// failureLimit limits failed registrations per network. It is high, because many people may share a network.
var failureLimit = ratelimit.Limit{Burst: 40, Every: 10 * time.Second}

const failureKey = "member/register_failed/"

// A Registration is a visitor's request to become a member.
type Registration struct {
	MerchantID    int64
	Method        string // validation.ByUsername or ByMobile
	Values        map[string]string
	DialingCode   string
	Origin        map[string]string // describes the page that sent the form; stored unchanged
	Type          int
	Agreement     bool
	AgeConfirmed  bool
	CaptchaCookie string
	Challenge     string
	ProofOfWork   string
	DeviceCookie  string
	FirebaseToken string
	From          rest.Visitor
}

// A NewSession is the session of a member who registered or changed the password.
type NewSession struct {
	Token          string
	Username       string
	FirstTimeLogin bool
}

// An applicant is a registration with a valid form.
type applicant struct {
	Registration
	form   *validation.Form
	mobile string        // number to verify; empty if the form does not verify numbers
	parent sql.NullInt64 // the agent who invited the visitor
}

// identity returns the values that identify a person, verified or not.
func (a *applicant) identity() map[string]string {
	identity := map[string]string{}
	for _, name := range []string{"mobileNum", "email", "idNumber", "payeeName"} {
		identity[name] = a.Values[name]
	}
	return identity
}

// details are the fields stored as the member typed them.
var details = []string{"idNumber", "qqNum", "facebook", "wechat", "line", "whatsapp", "zalo", "recommenderId"}

// Register creates a member and logs them in. It reveals taken usernames only after the captchas. It reveals taken numbers only to a
// visitor who verified the number. Several accounts may have the same unverified contact. After a failed registration, the code or token
// that verifies the number stays usable.
func (s *Service) Register(ctx context.Context, r Registration) (NewSession, error) {
	a, err := s.newApplicant(ctx, r)
	if err != nil {
		return NewSession{}, err
	}
	attempt := humancheck.Attempt{
		MerchantID: r.MerchantID, Purpose: humancheck.ForRegister, Network: r.From.Network, Device: r.DeviceCookie, Proof: r.ProofOfWork,
	}
	if err := s.o.Captchas.CheckProof(ctx, attempt); err != nil { // first, because CheckImage uses the image up
		return NewSession{}, err
	}
	failures := ratelimit.NetworkBuckets(failureKey, r.From.Network, "", failureLimit, ratelimit.BlockFactor)
	if err := s.o.Limiter.TakeAll(ctx, failures); err != nil {
		return NewSession{}, err
	}
	id, username, err := s.create(ctx, a)
	// A success counts too, because a program that registers many accounts may never fail.
	if err == nil || fault.KindOf(err) != fault.Internal {
		if err := s.o.Captchas.CountFailure(ctx, attempt); err != nil {
			return NewSession{}, err
		}
	}
	if err != nil {
		return NewSession{}, err
	}
	_ = s.o.Limiter.ReturnAll(ctx, failures) // on failure the buckets refill with time
	token, first, err := s.o.Sessions.OpenFor(ctx, r.MerchantID, id, 0, r.From)
	if err != nil {
		return NewSession{}, fmt.Errorf("open the session of the new member: %w", err)
	}
	return NewSession{Token: token, Username: username, FirstTimeLogin: first}, nil
}

func (s *Service) create(ctx context.Context, a *applicant) (id int64, username string, err error) {
	if err := s.checkCaptchas(ctx, a); err != nil {
		return 0, "", err
	}
	if err := s.o.Members.RefuseTaken(ctx, s.o.Store.Q(), a.MerchantID, a.Values["username"], ""); err != nil {
		return 0, "", err
	}
	return s.addMember(ctx, a)
}

// newApplicant runs the checks that are cheap and reveal nothing about other members.
func (s *Service) newApplicant(ctx context.Context, r Registration) (*applicant, error) {
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
	if err := s.validate(ctx, a); err != nil {
		return nil, err
	}
	a.parent, err = s.findInviter(ctx, a)
	return a, err
}

func (s *Service) validate(ctx context.Context, a *applicant) error {
	if err := s.checkInvitations(ctx, a); err != nil {
		return err
	}
	skip := []string{"captcha"} // checkCaptchas returns a more precise fault
	if _, shown := a.form.Field(a.Method, "username"); !shown && a.Values["username"] != "" {
		rules, err := s.o.Settings.Rules(ctx, a.MerchantID)
		if err != nil {
			return err
		}
		if err := rules.Refuse("username", a.Values["username"], nil); err != nil {
			return err
		}
		skip = append(skip, "username") // optional where the form does not show it
	}
	if err := a.form.Refuse(a.Method, a.Values, skip...); err != nil {
		return err
	}
	if s.o.Passwords.IsCommon(a.Values["password"]) {
		return member.ErrPasswordCommon.On("password")
	}
	if number := a.Values["mobileNum"]; number != "" {
		mobile, err := s.parseMobile(ctx, a.MerchantID, a.DialingCode, number)
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

func (s *Service) parseMobile(ctx context.Context, merchantID int64, dialing, number string) (string, error) {
	mobile, err := validation.Mobile(dialing, number)
	if err != nil {
		return "", fault.OnField(err, "mobileNum")
	}
	accepted, err := s.o.Settings.AcceptsNumber(ctx, merchantID, mobile)
	if err == nil && !accepted {
		err = validation.ErrMobile.On("mobileNum")
	}
	return mobile, err
}

// checkInvitations rejects an invitation code while the affiliate module is off. Ignoring the code would mislead the visitor.
func (s *Service) checkInvitations(ctx context.Context, a *applicant) error {
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

func (s *Service) findInviter(ctx context.Context, a *applicant) (sql.NullInt64, error) {
	for _, name := range validation.InvitationFields {
		code := a.Values[name]
		if code == "" {
			continue
		}
		id, err := s.o.Members.AffiliateID(ctx, a.MerchantID, code)
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

func (s *Service) checkCaptchas(ctx context.Context, a *applicant) error {
	if a.form.Slider {
		if err := s.o.Captchas.CheckChallenge(ctx, a.From.Network, a.Challenge); err != nil {
			return err
		}
	}
	if a.form.Captcha {
		return s.o.Captchas.CheckImage(ctx, a.CaptchaCookie, a.Values["captcha"])
	}
	return nil
}

// mobileProof returns a function that consumes the code or token that verifies the number. The caller must commit even if the code is
// refused, so that the attempt counts.
func (s *Service) mobileVerifier(ctx context.Context, a *applicant) (func(*db.Tx) (refused, err error), error) {
	noCheck := func(*db.Tx) (refused, err error) { return nil, nil }
	if a.mobile == "" {
		return noCheck, nil
	}
	switch a.form.MobileVerification {
	case validation.ProofSMS:
		return func(tx *db.Tx) (refused, err error) {
			subject := notify.Subject{MerchantID: a.MerchantID, Channel: notify.SMS, Target: a.mobile, Purpose: notify.ForRegister}
			return s.o.Codes.CheckCodeIn(ctx, tx, subject, a.From.Network, a.Values["verificationCode"])
		}, nil
	case validation.ProofFirebase:
		consume, err := s.o.Phones.VerifyPhoneToken(ctx, a.FirebaseToken, a.mobile)
		return func(tx *db.Tx) (refused, err error) { return nil, consume(ctx, tx) }, err
	default:
		return noCheck, nil
	}
}

func (s *Service) addMember(ctx context.Context, a *applicant) (id int64, username string, err error) {
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
	siteName, err := s.o.Settings.Name(ctx, a.MerchantID)
	if err != nil {
		return 0, "", err
	}
	verifyMobile, err := s.mobileVerifier(ctx, a)
	if err != nil {
		return 0, "", err
	}
	for generated := row.Account == ""; ; {
		row.ID = s.o.IDs()
		if generated {
			row.Account = s.o.Members.NewUsername()
		}
		var refused error
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			if refused, err = verifyMobile(tx); err != nil || refused != nil {
				return err
			}
			return s.addMemberIn(ctx, tx, a, row, siteName)
		})
		if refused != nil {
			return 0, "", refused
		}
		if generated && errors.Is(err, member.ErrUsernameTaken) {
			continue
		}
		if err != nil {
			return 0, "", fmt.Errorf("register: %w", err)
		}
		return row.ID, row.Account, nil
	}
}

func (s *Service) addMemberIn(ctx context.Context, tx *db.Tx, a *applicant, row query.AddMemberParams, siteName string) error {
	err := s.o.Members.RegisterIn(ctx, tx, row, a.form.AgeLimit, a.From, a.identity())
	if errors.Is(err, member.ErrUsernameTaken) { // the insert also fails when the number is taken
		if taken := s.o.Members.RefuseTaken(ctx, tx.Q, row.MerchantID, row.Account, row.Mobile.String); taken != nil {
			return taken
		}
	}
	if err != nil {
		return err
	}
	unverified := ""
	if a.mobile == "" {
		unverified = a.Values["mobileNum"]
	}
	stored := maps.Clone(a.Origin)
	for _, name := range details {
		stored[name] = a.Values[name]
	}
	stored["mobileNum"], stored["email"] = unverified, a.Values["email"]
	for name, value := range stored {
		if value == "" {
			continue
		}
		if err := tx.Q.PutMemberDetail(ctx, row.ID, name, value); err != nil {
			return err
		}
	}
	if a.mobile == "" || !s.o.Messages.Can(notify.SMS) {
		return nil
	}
	return s.o.Messages.SendIn(ctx, tx, notify.Compose(notify.SMS, a.mobile, a.From.Language, notify.Welcome, notify.Values{Site: siteName, Username: row.Account}))
}

// refuseBarred returns refusal if the number or address belongs to another member who is on a break.
func (s *Service) refuseBarred(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string, refusal *fault.Fault) error {
	barred, err := s.o.Breaks.BarredIn(ctx, tx, merchantID, memberID, mobile, email)
	if err == nil && barred {
		err = refusal
	}
	return err
}
