package account

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// registerBody has every field of the specification. The merchant's registration form decides which fields are accepted.
type registerBody struct {
	CountryDialingCode string `json:"countryDialingCode,omitempty" maxLength:"8"`
	RegisterURL        string `json:"registerUrl,omitempty" maxLength:"255" doc:"The host name of the page."`
	RegisterMethod     string `json:"registerMethod,omitempty" enum:"APP,H5,PWA,WEBCLIP" doc:"How the app runs."`
	Username           string `json:"username,omitempty" maxLength:"256"`
	Password           string `json:"password,omitempty" maxLength:"512"`
	ConfirmPassword    string `json:"confirmPassword,omitempty" maxLength:"512"`
	AffiliateCode      string `json:"affiliateCode,omitempty" maxLength:"256"`
	PaymentPassword    string `json:"paymentPassword,omitempty" maxLength:"256"`
	RecommenderID      string `json:"recommenderId,omitempty" maxLength:"256"`
	Nickname           string `json:"nickname,omitempty" maxLength:"256"`
	PayeeName          string `json:"payeeName,omitempty" maxLength:"256"`
	Email              string `json:"email,omitempty" maxLength:"512"`
	MobileNum          string `json:"mobileNum,omitempty" maxLength:"256"`
	IDNumber           string `json:"idNumber,omitempty" maxLength:"256"`
	QQNum              string `json:"qqNum,omitempty" maxLength:"256"`
	Facebook           string `json:"facebook,omitempty" maxLength:"256"`
	WeChat             string `json:"wechat,omitempty" maxLength:"256"`
	Line               string `json:"line,omitempty" maxLength:"256"`
	WhatsApp           string `json:"whatsapp,omitempty" maxLength:"256"`
	Zalo               string `json:"zalo,omitempty" maxLength:"256"`
	Captcha            string `json:"captcha,omitempty" maxLength:"256"`
	Type               int    `json:"type,omitempty" doc:"Must be 0."`
	Domain             string `json:"domain,omitempty" maxLength:"255"`
	VerificationCode   string `json:"verificationCode,omitempty" maxLength:"256"`
	Challenge          string `json:"challenge,omitempty" maxLength:"4096"`
	ProofOfWork        string `json:"proofOfWork,omitempty" maxLength:"2048" doc:"Solved proof of work. Required after proof.required."`
	FirebaseChannel    string `json:"firebaseChannel,omitempty" enum:"sms"`
	FirebaseIDToken    string `json:"firebaseIdToken,omitempty" maxLength:"4096"`
	ModuleID           string `json:"moduleId,omitempty" enum:"REG3,REGISTER_REE3,MOBILENUMREG3,REGMOBVERF3"`
	NormalRegister     *bool  `json:"normalRegister,omitempty" doc:"Must be true or absent."`
	Agreement          *bool  `json:"agreement,omitempty"`
	AgeConfirmed       *bool  `json:"ageConfirmed,omitempty"`
}

const affiliateModule = spec.ModuleAffiliate

type registerInput struct {
	Captcha string `cookie:"captcha"`
	Device  string `cookie:"device"`
	Body    registerBody
}

type grant struct {
	Token          string `json:"token"`
	UserName       string `json:"userName"`
	Type           int    `json:"type" doc:"0 player, 1 agent, 2 head agent, 4 trial."`
	FirstTimeLogin bool   `json:"firstTimeLogin"`
}

func (b *registerBody) values() map[string]string {
	return map[string]string{
		"username": b.Username, "password": b.Password, "confirmPassword": b.ConfirmPassword, "affiliateCode": b.AffiliateCode,
		"paymentPassword": b.PaymentPassword, "recommenderId": b.RecommenderID, "nickname": b.Nickname, "payeeName": b.PayeeName,
		"email": b.Email, "mobileNum": b.MobileNum, "idNumber": b.IDNumber, "qqNum": b.QQNum, "facebook": b.Facebook,
		"wechat": b.WeChat, "line": b.Line, "whatsapp": b.WhatsApp, "zalo": b.Zalo, "captcha": b.Captcha,
		"verificationCode": b.VerificationCode,
	}
}

type available struct {
	Available bool `json:"available"`
}

type valid struct {
	Valid bool `json:"valid" doc:"Whether the text is a valid e-mail address. It says nothing about whether a member has it."`
}

type succeeded struct {
	Success bool `json:"success"`
}

// lookupLimit slows down a caller who guesses usernames or invitation codes.
var lookupLimit = &ratelimit.Limit{Burst: 20, Every: 3 * time.Second}

func registerRoutes(a *rest.API, s *Service, r Refusals) {
	fields := slices.Sorted(maps.Keys((&registerBody{}).values()))
	fields = slices.DeleteFunc(fields, func(name string) bool { return name == "verificationCode" }) // its faults are in r.Code
	for _, route := range []struct {
		path, id, method, summary string
		faults                    []*fault.Fault
	}{
		{"/wps/member/register", "register", validation.ByUsername, "Register with a username", nil},
		{
			"/wps/member/register/mobile", "registerMobile", validation.ByMobile, "Register with a mobile number",
			slices.Concat([]*fault.Fault{member.ErrMobileTaken}, r.Code, r.Phone),
		},
	} {
		rest.Typed(a, rest.Op{
			Method: http.MethodPut, Path: route.path, ID: route.id, Tag: "member", Summary: route.summary, Access: rest.Public,
			Rate: &ratelimit.Limit{Burst: 60, Every: 2 * time.Second}, // failures and new members have separate limits
			Faults: slices.Concat(
				r.Closed, []*fault.Fault{member.ErrClosed, ErrTypeRefused, ErrAgreement, member.ErrAge, member.ErrUsernameTaken}, route.faults,
				[]*fault.Fault{ErrAffiliate, validation.ErrNotInForm}, validation.Refusals(fields...), r.Slider, r.Captcha, r.Work,
			),
		}, func(ctx context.Context, in *registerInput) (grant, error) { return s.register(ctx, route.method, in) })
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/check/username", ID: "checkUsername", Tag: "member",
		Summary: "Check whether a username is free", Access: rest.Public, Rate: lookupLimit, Faults: validation.Refusals("username"),
	}, func(ctx context.Context, in *struct {
		Username string `query:"username" maxLength:"256"`
	}) (available, error) {
		free, err := s.o.Members.Available(ctx, rest.MerchantOf(ctx).ID, in.Username)
		return available{free}, err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/check/email", ID: "checkEmail", Tag: "member",
		Summary: "Check whether a text is an e-mail address", Access: rest.Public, Rate: lookupLimit,
	}, func(_ context.Context, in *struct {
		Email string `query:"email" maxLength:"512"`
	}) (valid, error) {
		_, err := validation.Email(in.Email)
		return valid{err == nil}, nil
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/agent/affiliate", ID: "checkAffiliate", Tag: "member",
		Summary: "Check whether an invitation code exists", Access: rest.Public, Rate: lookupLimit, Module: affiliateModule,
	}, func(ctx context.Context, in *struct {
		Code   string `query:"code" maxLength:"256"`
		Domain string `query:"domain" maxLength:"255"`
	}) (succeeded, error) {
		id, err := s.o.Members.AffiliateID(ctx, rest.MerchantOf(ctx).ID, validation.Trim(in.Code))
		return succeeded{id != 0}, err
	})
}

// hostPattern matches the host of a page as browsers report it: a name or an IP address, without a port.
var hostPattern = regexp.MustCompile(`^(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])$`)

func (s *Service) register(ctx context.Context, method string, in *registerInput) (grant, error) {
	b := &in.Body
	if b.NormalRegister != nil && !*b.NormalRegister {
		return grant{}, rest.ErrParam.On("normalRegister")
	}
	for name, host := range map[string]string{"registerUrl": b.RegisterURL, "domain": b.Domain} {
		if host != "" && !hostPattern.MatchString(host) {
			return grant{}, rest.ErrParam.On(name)
		}
	}
	merchantID := rest.MerchantOf(ctx).ID
	if b.ModuleID != "" {
		on, err := s.o.Settings.ModuleEnabled(ctx, merchantID, spec.Module(b.ModuleID))
		if err != nil {
			return grant{}, err
		}
		if !on {
			return grant{}, member.ErrClosed
		}
	}
	switch { // ruling 32
	case b.Agreement == nil:
		return grant{}, rest.ErrParam.On("agreement")
	case b.AgeConfirmed == nil:
		return grant{}, rest.ErrParam.On("ageConfirmed")
	}
	session, err := s.Register(ctx, Registration{
		MerchantID: merchantID, Method: method, Values: b.values(), DialingCode: b.CountryDialingCode,
		Origin: map[string]string{"registerUrl": b.RegisterURL, "registerMethod": b.RegisterMethod, "domain": b.Domain},
		Type:   b.Type, Agreement: *b.Agreement, AgeConfirmed: *b.AgeConfirmed,
		CaptchaCookie: in.Captcha, Challenge: b.Challenge, ProofOfWork: b.ProofOfWork, DeviceCookie: in.Device, FirebaseToken: b.FirebaseIDToken,
		From: rest.VisitorOf(ctx),
	})
	if err != nil {
		return grant{}, err
	}
	return grant{Token: session.Token, UserName: session.Username, Type: int(rest.Player), FirstTimeLogin: session.FirstTimeLogin}, nil
}
