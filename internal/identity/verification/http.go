package verification

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// registerModule is the module id whose screen asks for a registration's code.
const registerModule = spec.ModuleRegisterMobile

// loginFlag switches on logging in by a code.
const loginFlag = spec.FlagSMSLogin

// captchaModule is the merchant's switch for pictures to be read.
const captchaModule = spec.ModuleCaptcha

// freeLimit is how many codes a network may ask for before it must read a captcha as well.
var freeLimit = ratelimit.Limit{Burst: 3, Every: 20 * time.Minute}

type openInput struct {
	Module  string `header:"ModuleId" maxLength:"32"`
	Captcha string `cookie:"captcha"`
	Body    struct {
		MobileNum   string `json:"mobileNum,omitempty" maxLength:"256"`
		MobileNo    string `json:"mobileNo,omitempty" maxLength:"256" doc:"The same as mobileNum."`
		DialingCode string `json:"countryDialingCode" maxLength:"8"`
		Purpose     string `json:"purpose,omitempty" enum:"login,register" doc:"Without it, the module says what for."`
		Captcha     string `json:"captcha,omitempty" maxLength:"256" doc:"Asked for after a few codes."`
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

// Routes adds the codes' calls to the API. picture is what a captcha is refused with, for the document.
func Routes(a *rest.API, s *Service, picture ...*fault.Fault) {
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/sms/noLogin", ID: "sendCode", Tag: "verification",
		Summary: "Send a code to a mobile number, to log in or to register", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 10, Every: 10 * time.Second}, Faults: slices.Concat(validation.Refusals("mobileNum"), []*fault.Fault{rest.ErrDenied, ErrUnavailable}, picture),
	}, s.sendOpen)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/verification/query", ID: "codeRunning", Tag: "verification",
		Summary: "Whether a code that was asked for from here is still running", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: time.Second}, Faults: validation.Refusals("mobileNum"),
	}, s.query)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/sms", ID: "sendOwnMobileCode", Tag: "verification",
		Summary: "Send a code to a mobile number that the member wants to bind", Access: rest.Real,
		Faults: append(validation.Refusals("mobileNum"), ErrUnavailable),
	}, s.sendMobile)
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/verification/email", ID: "sendOwnEmailCode", Tag: "verification",
		Summary: "Send a code to an e-mail address that the member wants to bind", Access: rest.Real,
		Faults: append(validation.Refusals("email"), ErrUnavailable),
	}, s.sendEmail)
}

func (s *Service) sendOpen(ctx context.Context, in *openInput) (notify.Sending, error) {
	number := in.Body.MobileNum
	if number == "" {
		number = in.Body.MobileNo
	}
	mobile, err := s.mobile(ctx, in.Body.DialingCode, number)
	if err != nil {
		return notify.Sending{}, err
	}
	purpose := notify.Purpose(in.Body.Purpose)
	if purpose == "" {
		purpose = notify.ForLogin
		if spec.Module(in.Module) == registerModule {
			purpose = notify.ForRegister
		}
	}
	merchantID := rest.MerchantOf(ctx).ID
	if err := s.offered(ctx, merchantID, purpose); err != nil {
		return notify.Sending{}, err
	}
	if err := s.human(ctx, in.Captcha, in.Body.Captcha); err != nil {
		return notify.Sending{}, err
	}
	known, err := s.o.Members.HasMobile(ctx, merchantID, mobile)
	if err != nil {
		return notify.Sending{}, err
	}
	return s.Send(ctx, notify.Subject{MerchantID: merchantID, Channel: notify.SMS, Target: mobile, Purpose: purpose}, rest.VisitorOf(ctx), known == (purpose == notify.ForLogin))
}

// mobile reads a number that is to be sent something.
func (s *Service) mobile(ctx context.Context, dialing, number string) (string, error) {
	mobile, err := s.number(ctx, dialing, number)
	if err != nil {
		return "", err
	}
	accepted, err := s.o.Settings.AcceptsNumber(ctx, rest.MerchantOf(ctx).ID, mobile)
	if err == nil && !accepted {
		err = validation.ErrMobile.On("mobileNum")
	}
	return mobile, err
}

// number reads a number by the rules that the app is given too.
func (s *Service) number(ctx context.Context, dialing, number string) (string, error) {
	if err := s.refuse(ctx, "mobileNum", number); err != nil {
		return "", err
	}
	mobile, err := validation.Mobile(dialing, number)
	return mobile, fault.OnField(err, "mobileNum")
}

func (s *Service) refuse(ctx context.Context, name, value string) error {
	rules, err := s.o.Settings.Rules(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return err
	}
	return rules.Refuse(name, value, nil)
}

// offered refuses what the merchant does not offer.
func (s *Service) offered(ctx context.Context, merchantID int64, purpose notify.Purpose) error {
	on, err := s.o.Settings.FlagEnabled(ctx, merchantID, loginFlag)
	if purpose == notify.ForRegister {
		on, err = s.o.Settings.ModuleEnabled(ctx, merchantID, registerModule)
	}
	if err == nil && !on {
		err = rest.ErrDenied
	}
	return err
}

// human asks a network that wants many codes to read a captcha: each text message costs money.
func (s *Service) human(ctx context.Context, cookie, answer string) error {
	if validation.Trim(answer) != "" {
		return s.o.Captchas.CheckImage(ctx, cookie, answer)
	}
	if on, err := s.o.Settings.ModuleEnabled(ctx, rest.MerchantOf(ctx).ID, captchaModule); err != nil || !on {
		return err // where there is none to be had, the other limits must do
	}
	err := s.o.Limiter.TakeAll(ctx, ratelimit.OfNetwork("verification/free/", rest.NetworkOf(ctx), "", freeLimit, ratelimit.BlockFactor))
	if errors.Is(err, ratelimit.ErrLimited) {
		return s.o.Captchas.CheckImage(ctx, cookie, "") // says that one is required
	}
	return err
}

func (s *Service) query(ctx context.Context, in *queryInput) (waiting, error) {
	mobile, err := s.number(ctx, in.DialingCode, in.MobileNum)
	if err != nil {
		return waiting{}, err
	}
	expires, running, err := s.Waiting(ctx, notify.Subject{
		MerchantID: rest.MerchantOf(ctx).ID, Channel: notify.SMS, Target: mobile, Purpose: notify.Purpose(in.Purpose),
	}, rest.NetworkOf(ctx))
	if err != nil || !running {
		return waiting{}, err
	}
	return waiting{Waiting: true, ExpirationTime: expires.UnixMilli()}, nil
}

func (s *Service) sendMobile(ctx context.Context, in *mobileInput) (notify.Sending, error) {
	mobile, err := s.mobile(ctx, in.Body.DialingCode, in.Body.MobileNum)
	if err != nil {
		return notify.Sending{}, err
	}
	taken, err := s.o.Members.HasMobile(ctx, rest.MerchantOf(ctx).ID, mobile)
	if err != nil {
		return notify.Sending{}, err
	}
	return s.sendOwn(ctx, notify.SMS, mobile, !taken)
}

func (s *Service) sendEmail(ctx context.Context, in *emailInput) (notify.Sending, error) {
	if err := s.refuse(ctx, "email", in.Body.Email); err != nil {
		return notify.Sending{}, err
	}
	email, err := validation.Email(in.Body.Email)
	if err != nil {
		return notify.Sending{}, fault.OnField(err, "email")
	}
	taken, err := s.o.Members.HasEmail(ctx, rest.MerchantOf(ctx).ID, email)
	if err != nil {
		return notify.Sending{}, err
	}
	return s.sendOwn(ctx, notify.Email, email, !taken)
}

// sendOwn sends a code to bind a target, unless another member has it: that is not told.
func (s *Service) sendOwn(ctx context.Context, channel notify.Channel, target string, free bool) (notify.Sending, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return notify.Sending{}, rest.ErrNoSession
	}
	of := notify.Subject{MerchantID: rest.MerchantOf(ctx).ID, Channel: channel, Target: target, Purpose: notify.ForBind}
	return s.SendToMember(ctx, caller.MemberID, of, rest.VisitorOf(ctx), free)
}
