package member

import (
	"context"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/rest"
	"fairground/internal/validation"
)

// registerBody has every field that the specification names; which of them are taken the merchant's form says.
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
	Type               int    `json:"type,omitempty" doc:"0; any other is refused."`
	Domain             string `json:"domain,omitempty" maxLength:"255"`
	VerificationCode   string `json:"verificationCode,omitempty" maxLength:"256"`
	Challenge          string `json:"challenge,omitempty" maxLength:"4096"`
	FirebaseChannel    string `json:"firebaseChannel,omitempty" enum:"sms"`
	FirebaseIDToken    string `json:"firebaseIdToken,omitempty" maxLength:"4096"`
	ModuleID           string `json:"moduleId,omitempty" enum:"REG3,REGISTER_REE3,MOBILENUMREG3,REGMOBVERF3"`
	NormalRegister     *bool  `json:"normalRegister,omitempty" doc:"True, or left out."`
	Agreement          bool   `json:"agreement,omitempty"`
	AgeConfirmed       bool   `json:"ageConfirmed,omitempty"`
}

// affiliateModule is what lets agents bring members.
const affiliateModule = "AFFMAN3"

type registerInput struct {
	Captcha string `cookie:"captcha"`
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
	Valid bool `json:"valid" doc:"Whether it has the form of an address. Whether somebody has it is not told."`
}

type succeeded struct {
	Success bool `json:"success"`
}

// askRate holds back whoever tries out names or codes.
var askRate = &rest.Rate{Burst: 20, Every: 3 * time.Second}

func registerEntry(a *rest.API, s *Service) {
	for _, way := range []struct{ path, id, method, summary string }{
		{"/wps/member/register", "register", validation.ByUsername, "Become a member by a username"},
		{"/wps/member/register/mobile", "registerMobile", validation.ByMobile, "Become a member by a mobile number"},
	} {
		rest.Wps(a, rest.Op{
			Method: http.MethodPut, Path: way.path, ID: way.id, Tag: "member", Summary: way.summary, Access: rest.Public,
			Rate: &rest.Rate{Burst: 30, Every: 10 * time.Second},
			Faults: []*fault.Fault{
				ErrClosed, ErrAgreement, ErrAge, ErrTypeRefused, ErrUsernameTaken, ErrMobileTaken, ErrAffiliate,
				validation.ErrRequired, validation.ErrUnasked, ErrUsernameFormat, ErrPasswordFormat, ErrPasswordCommon,
				validation.ErrMobile, validation.ErrEmail,
			},
		}, func(ctx context.Context, in *registerInput) (grant, error) { return s.register(ctx, way.method, in) })
	}
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/check/username", ID: "checkUsername", Tag: "member",
		Summary: "Whether a username is free", Access: rest.Public, Rate: askRate, Faults: []*fault.Fault{ErrUsernameFormat, validation.ErrRequired},
	}, func(ctx context.Context, in *struct {
		Username string `query:"username" maxLength:"256"`
	}) (available, error) {
		free, err := s.Available(ctx, rest.MerchantOf(ctx).ID, in.Username)
		return available{free}, err
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/check/email", ID: "checkEmail", Tag: "member",
		Summary: "Whether something is an e-mail address", Access: rest.Public, Rate: askRate,
	}, func(_ context.Context, in *struct {
		Email string `query:"email" maxLength:"512"`
	}) (valid, error) {
		_, err := validation.Email(in.Email)
		return valid{err == nil}, nil
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/agent/affiliate", ID: "checkAffiliate", Tag: "member",
		Summary: "Whether an invitation code is somebody's", Access: rest.Public, Rate: askRate, Module: affiliateModule,
	}, func(ctx context.Context, in *struct {
		Code   string `query:"code" maxLength:"256"`
		Domain string `query:"domain" maxLength:"255"`
	}) (succeeded, error) {
		id, err := s.affiliate(ctx, rest.MerchantOf(ctx).ID, validation.Trim(in.Code))
		return succeeded{id != 0}, err
	})
}

func (s *Service) register(ctx context.Context, method string, in *registerInput) (grant, error) {
	b := &in.Body
	if b.NormalRegister != nil && !*b.NormalRegister {
		return grant{}, rest.ErrParam.On("normalRegister")
	}
	merchantID := rest.MerchantOf(ctx).ID
	if b.ModuleID != "" {
		on, err := s.o.Rules.ModuleEnabled(ctx, merchantID, b.ModuleID)
		if err != nil {
			return grant{}, err
		}
		if !on {
			return grant{}, ErrClosed
		}
	}
	granted, err := s.Register(ctx, Registration{
		MerchantID: merchantID, Method: method, Values: b.values(), DialingCode: b.CountryDialingCode,
		Origin: map[string]string{"registerUrl": b.RegisterURL, "registerMethod": b.RegisterMethod, "domain": b.Domain},
		Type:   b.Type, Agreement: b.Agreement, AgeConfirmed: b.AgeConfirmed,
		CaptchaCookie: in.Captcha, Challenge: b.Challenge, FirebaseToken: b.FirebaseIDToken,
		Language: rest.LanguageOf(ctx), Network: rest.NetworkOf(ctx),
	})
	if err != nil {
		return grant{}, err
	}
	return grant{Token: granted.Token, UserName: granted.Account, Type: int(Player)}, nil
}
