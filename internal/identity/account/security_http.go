package account

import (
	"context"
	"net/http"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// profileModule is what members tell about themselves in.
const profileModule = spec.ModulePersonal

type securityReply struct {
	Level           int    `json:"level" minimum:"1" maximum:"4"`
	HasPassword     bool   `json:"hasPassword" doc:"A member who came by an account elsewhere has none until the first is set, without an old one."`
	Proof           string `json:"proof" enum:"password,fresh,sms,email,login" doc:"What proves a change: the password; or, where there is none, nothing more so soon after the login, a code of /wps/member/proof/code, or logging in again."`
	Mobile          string `json:"mobile" doc:"Masked; empty when none is bound."`
	Email           string `json:"email" doc:"Masked; empty when none is bound."`
	PaymentPassword bool   `json:"paymentPassword"`
	PaymentReset    string `json:"paymentReset" enum:",answer,sms,email" doc:"By what a forgotten payment password can be replaced beside the account's: the security question's answer, or a code of /wps/member/paymentPassword/code; empty: by customer service alone."`
	Ask             string `json:"ask" enum:",payment" doc:"payment: a first question, or another number or address, also takes paymentPassword, or what paymentReset names: answer, or recoveryCode."`
	Question        string `json:"question" doc:"Its id; empty when none is set."`
	Sessions        int    `json:"sessions" doc:"How many sessions of the member can be used."`

	UnprovedDialingCode string `json:"unprovedDialingCode" doc:"Of unprovedMobile."`
	UnprovedMobile      string `json:"unprovedMobile" doc:"The member's own, typed at registering and not bound yet; without the dialling code."`
	UnprovedEmail       string `json:"unprovedEmail" doc:"The member's own, typed at registering and not bound yet."`
}

type questionReply struct {
	Questions []string `json:"questions"`
	Current   string   `json:"current"`
}

type profileReply struct {
	Nickname  string `json:"nickname"`
	Username  string `json:"account"`
	Avatar    string `json:"avatar" doc:"Where the member's picture is; empty when none was chosen."`
	Language  string `json:"language"`
	PayeeName string `json:"payeeName"`
	Mobile    string `json:"mobile" doc:"Masked."`
	Email     string `json:"email" doc:"Masked."`
	IDNumber  string `json:"idNumber" doc:"Masked."`
	QQNum     string `json:"qqNum"`
	Facebook  string `json:"facebook"`
	WeChat    string `json:"wechat"`
	Line      string `json:"line"`
	WhatsApp  string `json:"whatsapp"`
	Zalo      string `json:"zalo"`
}

type profileBody struct {
	Nickname  *string `json:"nickname,omitempty" maxLength:"256"`
	PayeeName *string `json:"payeeName,omitempty" maxLength:"256" doc:"Can be set once."`
	QQNum     *string `json:"qqNum,omitempty" maxLength:"256"`
	Facebook  *string `json:"facebook,omitempty" maxLength:"256"`
	WeChat    *string `json:"wechat,omitempty" maxLength:"256"`
	Line      *string `json:"line,omitempty" maxLength:"256"`
	WhatsApp  *string `json:"whatsapp,omitempty" maxLength:"256"`
	Zalo      *string `json:"zalo,omitempty" maxLength:"256"`
}

type mobileBody struct {
	MobileNum string `json:"mobileNum" maxLength:"256"`
	Dialing   string `json:"countryDialingCode" maxLength:"8"`
	Code      string `json:"verificationCode" maxLength:"256"`
	Password  string `json:"password,omitempty" maxLength:"512" doc:"Not needed by a member who has none."`
	Proof     string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, where proof of /wps/member/security is sms or email."`
	Answer    string `json:"answer,omitempty" maxLength:"256" doc:"To the security question, where it is asked; also in place of paymentPassword."`
	Payment   string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Where ask of /wps/member/security is payment."`
	Recovery  string `json:"recoveryCode,omitempty" maxLength:"256" doc:"In place of paymentPassword, where paymentReset of /wps/member/security is sms or email: a code of /wps/member/paymentPassword/code."`
}

type emailBody struct {
	Email    string `json:"email" maxLength:"512"`
	Code     string `json:"verificationCode" maxLength:"256"`
	Password string `json:"password,omitempty" maxLength:"512" doc:"Not needed by a member who has none."`
	Proof    string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, where proof of /wps/member/security is sms or email."`
	Answer   string `json:"answer,omitempty" maxLength:"256" doc:"To the security question, where it is asked; also in place of paymentPassword."`
	Payment  string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Where ask of /wps/member/security is payment."`
	Recovery string `json:"recoveryCode,omitempty" maxLength:"256" doc:"In place of paymentPassword, where paymentReset of /wps/member/security is sms or email: a code of /wps/member/paymentPassword/code."`
}

type paymentBody struct {
	Password string `json:"password,omitempty" maxLength:"512" doc:"The account's; not needed beside oldPaymentPassword."`
	Proof    string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, where proof of /wps/member/security is sms or email."`
	Old      string `json:"oldPaymentPassword,omitempty" maxLength:"256" doc:"Left out where there is none, or it was forgotten: see paymentReset of /wps/member/security."`
	Code     string `json:"verificationCode,omitempty" maxLength:"256" doc:"Of a forgotten one, where paymentReset is sms or email."`
	New      string `json:"paymentPassword" maxLength:"256"`
	Confirm  string `json:"confirmPaymentPassword" maxLength:"256"`
	Answer   string `json:"answer,omitempty" maxLength:"256" doc:"To the security question, where it is asked."`
}

type questionBody struct {
	Question  string `json:"question" maxLength:"64"`
	Answer    string `json:"answer" maxLength:"256"`
	OldAnswer string `json:"oldAnswer,omitempty" maxLength:"256" doc:"To the question that is replaced, where there is one."`
	Password  string `json:"password,omitempty" maxLength:"512" doc:"Not needed by a member who has none."`
	Proof     string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, where proof of /wps/member/security is sms or email."`
	Payment   string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Where ask of /wps/member/security is payment."`
	Recovery  string `json:"recoveryCode,omitempty" maxLength:"256" doc:"In place of paymentPassword, where paymentReset of /wps/member/security is sms or email: a code of /wps/member/paymentPassword/code."`
}

type ageBody struct {
	AgeConfirmed bool `json:"ageConfirmed"`
}

// own declares a call about the caller's own account.
func own[I, O any](a *rest.API, op rest.Op, do func(ctx context.Context, who Self, in *I) (O, error)) {
	op.Tag, op.Access = "member", rest.Real
	op.Faults = append(op.Faults, member.ErrUnknown)
	rest.Wps(a, op, func(ctx context.Context, in *I) (O, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return do(ctx, Self{caller, rest.VisitorOf(ctx)}, in)
	})
}

func securityRoutes(a *rest.API, s *Service, r Refusals) {
	known := append(validation.Refusals("oldPassword"), ErrPasswordWrong, ErrProofRequired)
	guarded := slices.Concat(known, validation.Refusals("paymentPassword", "securityAnswer"), []*fault.Fault{ErrAnswerRequired, ErrAnswerWrong, member.ErrOvertaken})
	own(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/security", ID: "memberSecurity", Summary: "What guards the account"},
		func(ctx context.Context, who Self, _ *struct{}) (securityReply, error) {
			g, err := s.Security(ctx, who)
			return securityReply(g), err
		})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/mobile", ID: "bindMobile", Summary: "Make a mobile number the member's",
		Faults: slices.Concat(validation.Refusals("mobileNum"), []*fault.Fault{member.ErrMobileTaken, ErrBindNotPossible}, guarded, r.Code),
	}, func(ctx context.Context, who Self, in *struct{ Body mobileBody }) (struct{}, error) {
		return struct{}{}, s.BindMobile(ctx, who, map[string]string{
			"mobileNum": in.Body.MobileNum, "countryDialingCode": in.Body.Dialing, "verificationCode": in.Body.Code,
			"password": in.Body.Password, "answer": in.Body.Answer, "proofCode": in.Body.Proof,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/email", ID: "bindEmail", Summary: "Make an e-mail address the member's",
		Faults: slices.Concat(validation.Refusals("email"), []*fault.Fault{ErrEmailTaken, ErrBindNotPossible}, guarded, r.Code),
	}, func(ctx context.Context, who Self, in *struct{ Body emailBody }) (struct{}, error) {
		return struct{}{}, s.BindEmail(ctx, who, map[string]string{
			"email": in.Body.Email, "verificationCode": in.Body.Code, "password": in.Body.Password, "answer": in.Body.Answer, "proofCode": in.Body.Proof,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/paymentPassword", ID: "setPaymentPassword", Summary: "Set the payment password",
		Faults: slices.Concat(validation.Refusals("confirmPaymentPassword"), guarded, r.Code, []*fault.Fault{ErrPaymentLost}),
	}, func(ctx context.Context, who Self, in *struct{ Body paymentBody }) (struct{}, error) {
		return struct{}{}, s.SetPaymentPassword(ctx, who, map[string]string{
			"password": in.Body.Password, "oldPaymentPassword": in.Body.Old, "paymentPassword": in.Body.New,
			"confirmPaymentPassword": in.Body.Confirm, "answer": in.Body.Answer, "verificationCode": in.Body.Code, "proofCode": in.Body.Proof,
		})
	})
	own(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/member/paymentPassword/code", ID: "sendPaymentCode",
		Summary: "Send a code that replaces a forgotten payment password to the number or address that is bound",
		Faults:  slices.Concat(r.Sending, []*fault.Fault{ErrPaymentLost}),
	}, func(ctx context.Context, who Self, _ *struct{}) (notify.Delivery, error) {
		return s.SendPaymentCode(ctx, who)
	})
	own(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/member/proof/code", ID: "sendProofCode",
		Summary: "Send a member without a password the code that proves a change, to the number or address that is bound",
		Faults:  slices.Concat(r.Sending, []*fault.Fault{ErrProofRequired}),
	}, func(ctx context.Context, who Self, _ *struct{}) (notify.Delivery, error) {
		return s.SendProofCode(ctx, who)
	})
	own(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/securityQuestion", ID: "securityQuestion", Summary: "The security questions, and the member's"},
		func(ctx context.Context, who Self, _ *struct{}) (questionReply, error) {
			g, err := s.Security(ctx, who)
			return questionReply{questions, g.Question}, err
		})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/securityQuestion", ID: "setSecurityQuestion", Summary: "Choose a security question and its answer",
		Faults: slices.Concat([]*fault.Fault{ErrQuestionUnknown}, guarded, r.Code),
	}, func(ctx context.Context, who Self, in *struct{ Body questionBody }) (struct{}, error) {
		return struct{}{}, s.SetQuestion(ctx, who, map[string]string{
			"question": in.Body.Question, "answer": in.Body.Answer, "password": in.Body.Password, "oldAnswer": in.Body.OldAnswer, "proofCode": in.Body.Proof,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/age", ID: "confirmAge", Summary: "Confirm to be old enough to play for money",
		Faults: []*fault.Fault{member.ErrAge},
	}, func(ctx context.Context, who Self, in *struct{ Body ageBody }) (struct{}, error) {
		return struct{}{}, s.o.Members.ConfirmAge(ctx, who.MerchantID, who.MemberID, in.Body.AgeConfirmed)
	})
	own(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/profile", ID: "memberProfile", Summary: "What the member has told", Module: profileModule},
		func(ctx context.Context, who Self, _ *struct{}) (profileReply, error) {
			p, err := s.Profile(ctx, who.MemberID)
			return profileReply{
				p.Nickname, p.Username, p.Avatar, p.Language, p.PayeeName, p.Mobile, p.Email, p.IDNumber, p.Contacts["qqNum"],
				p.Contacts["facebook"], p.Contacts["wechat"], p.Contacts["line"], p.Contacts["whatsapp"], p.Contacts["zalo"],
			}, err
		})
	own(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/profile", ID: "changeProfile", Summary: "Change what is named and leave the rest",
		Module: profileModule,
		Faults: append(validation.Refusals(append([]string{"nickname", "payeeName"}, contacts...)...), validation.ErrNotInForm, ErrPayeeFixed),
	}, func(ctx context.Context, who Self, in *struct{ Body profileBody }) (struct{}, error) {
		form := map[string]string{}
		for name, value := range map[string]*string{
			"nickname": in.Body.Nickname, "payeeName": in.Body.PayeeName, "qqNum": in.Body.QQNum, "facebook": in.Body.Facebook,
			"wechat": in.Body.WeChat, "line": in.Body.Line, "whatsapp": in.Body.WhatsApp, "zalo": in.Body.Zalo,
		} {
			if value != nil {
				form[name] = *value
			}
		}
		return struct{}{}, s.ChangeProfile(ctx, who.MemberID, form)
	})
}
