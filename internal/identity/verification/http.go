package verification

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/captcha"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Switches of the merchant for registration codes, login codes and captchas.
const (
	registerModule = spec.ModuleRegisterMobile
	loginFlag      = spec.FlagSMSLogin
	captchaModule  = spec.ModuleCaptcha
)

// freeLimit limits how many codes a network may request without a captcha.
var freeLimit = ratelimit.Limit{Burst: 3, Every: 20 * time.Minute}

type noLoginInput struct {
	Module  string `header:"ModuleId" maxLength:"32"`
	Captcha string `cookie:"captcha"`
	Device  string `cookie:"device"`
	Body    struct {
		MobileNum   string `json:"mobileNum,omitempty" maxLength:"256"`
		MobileNo    string `json:"mobileNo,omitempty" maxLength:"256" doc:"Alias of mobileNum."`
		DialingCode string `json:"countryDialingCode" maxLength:"8"`
		Purpose     string `json:"purpose,omitempty" enum:"login,register" doc:"Defaults to register for the registration module, else login."`
		Captcha     string `json:"captcha,omitempty" maxLength:"256" doc:"Required where the registration or every login needs a captcha, and after a few codes."`
		ProofOfWork string `json:"proofOfWork,omitempty" maxLength:"2048" doc:"Solved proof of work. Required after proof.required."`
	}
}

type mobileInput struct {
	Body struct {
		MobileNum   string `json:"mobileNum" maxLength:"256"`
		DialingCode string `json:"countryDialingCode" maxLength:"8"`
		Purpose     string `json:"purpose" enum:"bind"`
	}
}

type emailInput struct {
	Body struct {
		Email   string `json:"email" maxLength:"512"`
		Purpose string `json:"purpose" enum:"bind"`
	}
}

type queryInput struct {
	MobileNum   string `query:"mobileNum" maxLength:"256"`
	DialingCode string `query:"countryDialingCode" maxLength:"8"`
	Purpose     string `query:"purpose" enum:"login,register" default:"login"`
}

type waiting struct {
	Waiting        bool  `json:"waiting"`
	ExpirationTime int64 `json:"expirationTime,omitempty" doc:"Unix milliseconds."`
}

// Routes registers the endpoints. captchaFaults are the faults of a captcha, for the OpenAPI document.
func Routes(a *rest.API, s *Service, captchaFaults ...*fault.Fault) {
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/sms/noLogin", ID: "sendCode", Tag: "verification",
		Summary: "Send a code to a mobile number, to log in or to register", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 10, Every: 10 * time.Second}, Faults: slices.Concat(validation.Refusals("mobileNum"), []*fault.Fault{rest.ErrDenied, ErrUnavailable}, captchaFaults),
	}, s.sendWithoutLogin)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/verification/query", ID: "codeRunning", Tag: "verification",
		Summary: "Get whether a code requested from this network is still valid", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: time.Second}, Faults: validation.Refusals("mobileNum"),
	}, s.query)
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/sms", ID: "sendOwnMobileCode", Tag: "verification",
		Summary: "Send a code to a mobile number, to bind it to the account", Access: rest.Real,
		Faults: append(validation.Refusals("mobileNum"), ErrUnavailable),
	}, s.sendMobile)
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/email", ID: "sendOwnEmailCode", Tag: "verification",
		Summary: "Send a code to an e-mail address, to bind it to the account", Access: rest.Real,
		Faults: append(validation.Refusals("email"), ErrUnavailable),
	}, s.sendEmail)
}

func (s *Service) sendWithoutLogin(ctx context.Context, in *noLoginInput) (notify.Delivery, error) {
	number := in.Body.MobileNum
	if number == "" {
		number = in.Body.MobileNo
	}
	mobile, err := s.acceptedMobile(ctx, in.Body.DialingCode, number)
	if err != nil {
		return notify.Delivery{}, err
	}
	purpose := notify.Purpose(in.Body.Purpose)
	if purpose == "" {
		purpose = notify.ForLogin
		if spec.Module(in.Module) == registerModule {
			purpose = notify.ForRegister
		}
	}
	merchantID := rest.MerchantOf(ctx).ID
	if err := s.checkOffered(ctx, merchantID, purpose); err != nil {
		return notify.Delivery{}, err
	}
	attempt := humancheck.Attempt{
		MerchantID: merchantID, Purpose: humancheck.ForCode, Network: rest.NetworkOf(ctx), Device: in.Device, Proof: in.Body.ProofOfWork,
	}
	if err := s.o.Captchas.CheckProof(ctx, attempt); err != nil {
		return notify.Delivery{}, err
	}
	err = s.checkCaptcha(ctx, purpose, in.Captcha, in.Body.Captcha)
	// A success counts too, because a program that reads the pictures never fails.
	if err == nil || errors.Is(err, captcha.ErrIncorrect) {
		err = errors.Join(err, s.o.Captchas.CountFailure(ctx, attempt))
	}
	if err != nil {
		return notify.Delivery{}, err
	}
	isMember, err := s.o.Members.HasMobile(ctx, merchantID, mobile)
	if err != nil {
		return notify.Delivery{}, err
	}
	// Login codes go to members only, registration codes to others only.
	deliver := isMember == (purpose == notify.ForLogin)
	return s.Send(ctx, notify.Subject{MerchantID: merchantID, Channel: notify.SMS, Target: mobile, Purpose: purpose}, rest.VisitorOf(ctx), deliver)
}

// acceptedMobile parses a number. It fails if the merchant sends no messages to that number.
func (s *Service) acceptedMobile(ctx context.Context, dialing, number string) (string, error) {
	mobile, err := s.parseMobile(ctx, dialing, number)
	if err != nil {
		return "", err
	}
	accepted, err := s.o.Settings.AcceptsNumber(ctx, rest.MerchantOf(ctx).ID, mobile)
	if err == nil && !accepted {
		err = validation.ErrMobile.On("mobileNum")
	}
	return mobile, err
}

func (s *Service) parseMobile(ctx context.Context, dialing, number string) (string, error) {
	if err := s.validate(ctx, "mobileNum", number); err != nil {
		return "", err
	}
	mobile, err := validation.Mobile(dialing, number)
	return mobile, fault.OnField(err, "mobileNum")
}

func (s *Service) validate(ctx context.Context, name, value string) error {
	rules, err := s.o.Settings.Rules(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return err
	}
	return rules.Refuse(name, value, nil)
}

func (s *Service) checkOffered(ctx context.Context, merchantID int64, purpose notify.Purpose) error {
	on, err := s.o.Settings.FlagEnabled(ctx, merchantID, loginFlag)
	if purpose == notify.ForRegister {
		on, err = s.o.Settings.ModuleEnabled(ctx, merchantID, registerModule)
	}
	if err == nil && !on {
		err = rest.ErrDenied
	}
	return err
}

// checkCaptcha requires a captcha if the form shows one, or if the network requested many codes, because text messages cost money.
func (s *Service) checkCaptcha(ctx context.Context, purpose notify.Purpose, cookie, answer string) error {
	required, err := s.formHasCaptcha(ctx, purpose)
	if err != nil {
		return err
	}
	if required || validation.Trim(answer) != "" {
		return s.o.Captchas.CheckImage(ctx, cookie, answer)
	}
	if on, err := s.o.Settings.ModuleEnabled(ctx, rest.MerchantOf(ctx).ID, captchaModule); err != nil || !on {
		return err // without captchas, only the other limits apply
	}
	err = s.o.Limiter.TakeAll(ctx, ratelimit.NetworkBuckets("verification/free/", rest.NetworkOf(ctx), "", freeLimit, ratelimit.BlockFactor))
	if errors.Is(err, ratelimit.ErrLimited) {
		return s.o.Captchas.CheckImage(ctx, cookie, "") // fails with "required"
	}
	return err
}

// formHasCaptcha reports whether the form always shows a captcha.
func (s *Service) formHasCaptcha(ctx context.Context, purpose notify.Purpose) (bool, error) {
	merchantID := rest.MerchantOf(ctx).ID
	if purpose == notify.ForRegister {
		form, err := s.o.Settings.RegisterForm(ctx, merchantID)
		if err != nil {
			return false, err
		}
		return form.Captcha, nil
	}
	_, after, err := s.o.Settings.LoginChallenges(ctx, merchantID)
	return after == 0, err
}

func (s *Service) query(ctx context.Context, in *queryInput) (waiting, error) {
	mobile, err := s.parseMobile(ctx, in.DialingCode, in.MobileNum)
	if err != nil {
		return waiting{}, err
	}
	expires, isWaiting, err := s.Waiting(ctx, notify.Subject{
		MerchantID: rest.MerchantOf(ctx).ID, Channel: notify.SMS, Target: mobile, Purpose: notify.Purpose(in.Purpose),
	}, rest.NetworkOf(ctx))
	if err != nil || !isWaiting {
		return waiting{}, err
	}
	return waiting{Waiting: true, ExpirationTime: expires.UnixMilli()}, nil
}

func (s *Service) sendMobile(ctx context.Context, in *mobileInput) (notify.Delivery, error) {
	mobile, err := s.acceptedMobile(ctx, in.Body.DialingCode, in.Body.MobileNum)
	if err != nil {
		return notify.Delivery{}, err
	}
	taken, err := s.o.Members.HasMobile(ctx, rest.MerchantOf(ctx).ID, mobile)
	if err != nil {
		return notify.Delivery{}, err
	}
	return s.sendToCaller(ctx, notify.SMS, mobile, !taken)
}

func (s *Service) sendEmail(ctx context.Context, in *emailInput) (notify.Delivery, error) {
	if err := s.validate(ctx, "email", in.Body.Email); err != nil {
		return notify.Delivery{}, err
	}
	email, err := validation.Email(in.Body.Email)
	if err != nil {
		return notify.Delivery{}, fault.OnField(err, "email")
	}
	taken, err := s.o.Members.HasEmail(ctx, rest.MerchantOf(ctx).ID, email)
	if err != nil {
		return notify.Delivery{}, err
	}
	return s.sendToCaller(ctx, notify.Email, email, !taken)
}

// sendToCaller sends a code to bind a target. If another member has the target, it does the same work but sends nothing.
func (s *Service) sendToCaller(ctx context.Context, channel notify.Channel, target string, deliver bool) (notify.Delivery, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return notify.Delivery{}, rest.ErrNoSession
	}
	subject := notify.Subject{MerchantID: rest.MerchantOf(ctx).ID, Channel: channel, Target: target, Purpose: notify.ForBind}
	return s.SendToMember(ctx, caller.MemberID, subject, rest.VisitorOf(ctx), deliver)
}
