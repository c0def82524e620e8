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

const profileModule = spec.ModulePersonal

type securityReply struct {
	Level           int    `json:"level" minimum:"1" maximum:"4"`
	HasPassword     bool   `json:"hasPassword" doc:"False for a member who registered with an external account. They set the first password without an old one."`
	Temporary       bool   `json:"temporaryPassword" doc:"True until the member changes a password that an operator or agent has set."`
	Proof           string `json:"proof" enum:"password,fresh,sms,email,login" doc:"What a security change needs. password: the password. Without one, fresh: nothing, because the login is recent; sms or email: a code of /wps/member/proof/code; login: log in again."`
	Mobile          string `json:"mobile" doc:"Masked; empty when none is bound."`
	Email           string `json:"email" doc:"Masked; empty when none is bound."`
	PaymentPassword bool   `json:"paymentPassword"`
	PaymentReset    string `json:"paymentReset" enum:",answer,sms,email" doc:"What replaces a forgotten payment password, with the account's password. answer: the security answer; sms or email: a code of /wps/member/paymentPassword/code; empty: only customer service can help."`
	ExtraProof      string `json:"ask" enum:",payment" doc:"payment: setting a first question, a number or an address also needs paymentPassword, or the answer or recoveryCode that paymentReset names."`
	Question        string `json:"question" doc:"Id of the security question; empty when none is set."`
	Sessions        int    `json:"sessions" doc:"Number of active sessions."`

	UnprovedDialingCode string `json:"unprovedDialingCode" doc:"Dialling code of unprovedMobile."`
	UnprovedMobile      string `json:"unprovedMobile" doc:"Number that the member entered at registration and has not bound, without the dialling code."`
	UnprovedEmail       string `json:"unprovedEmail" doc:"Address that the member entered at registration and has not bound."`
}

type questionReply struct {
	Questions []string `json:"questions"`
	Current   string   `json:"current"`
}

type profileReply struct {
	Nickname  string `json:"nickname"`
	Username  string `json:"account"`
	Avatar    string `json:"avatar" doc:"URL of the member's picture, or empty."`
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
	MobileNum    string `json:"mobileNum" maxLength:"256"`
	Dialing      string `json:"countryDialingCode" maxLength:"8"`
	Code         string `json:"verificationCode" maxLength:"256"`
	Password     string `json:"password,omitempty" maxLength:"512" doc:"Not needed when the member has no password."`
	IdentityCode string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, needed when proof of /wps/member/security is sms or email."`
	Answer       string `json:"answer,omitempty" maxLength:"256" doc:"Security answer, if required. It can replace paymentPassword."`
	Payment      string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Needed when ask of /wps/member/security is payment."`
	Recovery     string `json:"recoveryCode,omitempty" maxLength:"256" doc:"A code of /wps/member/paymentPassword/code, instead of paymentPassword, when paymentReset of /wps/member/security is sms or email."`
}

type emailBody struct {
	Email        string `json:"email" maxLength:"512"`
	Code         string `json:"verificationCode" maxLength:"256"`
	Password     string `json:"password,omitempty" maxLength:"512" doc:"Not needed when the member has no password."`
	IdentityCode string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, needed when proof of /wps/member/security is sms or email."`
	Answer       string `json:"answer,omitempty" maxLength:"256" doc:"Security answer, if required. It can replace paymentPassword."`
	Payment      string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Needed when ask of /wps/member/security is payment."`
	Recovery     string `json:"recoveryCode,omitempty" maxLength:"256" doc:"A code of /wps/member/paymentPassword/code, instead of paymentPassword, when paymentReset of /wps/member/security is sms or email."`
}

type paymentBody struct {
	Password     string `json:"password,omitempty" maxLength:"512" doc:"The account's password. Not needed with oldPaymentPassword."`
	IdentityCode string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, needed when proof of /wps/member/security is sms or email."`
	Old          string `json:"oldPaymentPassword,omitempty" maxLength:"256" doc:"Omit it when none is set or it is forgotten: see paymentReset of /wps/member/security."`
	Code         string `json:"verificationCode,omitempty" maxLength:"256" doc:"For a forgotten payment password, when paymentReset is sms or email."`
	New          string `json:"paymentPassword" maxLength:"256"`
	Confirm      string `json:"confirmPaymentPassword" maxLength:"256"`
	Answer       string `json:"answer,omitempty" maxLength:"256" doc:"Security answer, if required."`
}

type questionBody struct {
	Question     string `json:"question" maxLength:"64"`
	Answer       string `json:"answer" maxLength:"256"`
	OldAnswer    string `json:"oldAnswer,omitempty" maxLength:"256" doc:"Answer to the question that is replaced, if any."`
	Password     string `json:"password,omitempty" maxLength:"512" doc:"Not needed when the member has no password."`
	IdentityCode string `json:"proofCode,omitempty" maxLength:"256" doc:"A code of /wps/member/proof/code, needed when proof of /wps/member/security is sms or email."`
	Payment      string `json:"paymentPassword,omitempty" maxLength:"256" doc:"Needed when ask of /wps/member/security is payment."`
	Recovery     string `json:"recoveryCode,omitempty" maxLength:"256" doc:"A code of /wps/member/paymentPassword/code, instead of paymentPassword, when paymentReset of /wps/member/security is sms or email."`
}

type ageBody struct {
	AgeConfirmed bool `json:"ageConfirmed"`
}

// memberOp declares an operation on the caller's own account.
func memberOp[I, O any](a *rest.API, op rest.Op, do func(ctx context.Context, self Self, in *I) (O, error)) {
	op.Tag, op.Access = "member", rest.Real
	op.Faults = append(op.Faults, member.ErrUnknown)
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return do(ctx, Self{caller, rest.VisitorOf(ctx)}, in)
	})
}

func securityRoutes(a *rest.API, s *Service, r Refusals) {
	passwordFaults := append(validation.Refusals("oldPassword"), ErrPasswordWrong, ErrProofRequired)
	changeFaults := slices.Concat(passwordFaults, validation.Refusals("paymentPassword", "securityAnswer"), []*fault.Fault{ErrAnswerRequired, ErrAnswerWrong, member.ErrOvertaken})
	memberOp(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/security", ID: "memberSecurity", Unrestricted: true, Summary: "Get the security settings of the account"},
		func(ctx context.Context, self Self, _ *struct{}) (securityReply, error) {
			security, err := s.Security(ctx, self)
			return securityReply(security), err
		})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/mobile", ID: "bindMobile", Summary: "Bind a mobile number",
		Faults: slices.Concat(validation.Refusals("mobileNum"), []*fault.Fault{member.ErrMobileTaken, ErrBindNotPossible}, changeFaults, r.Code),
	}, func(ctx context.Context, self Self, in *struct{ Body mobileBody }) (struct{}, error) {
		return struct{}{}, s.BindMobile(ctx, self, map[string]string{
			"mobileNum": in.Body.MobileNum, "countryDialingCode": in.Body.Dialing, "verificationCode": in.Body.Code,
			"password": in.Body.Password, "answer": in.Body.Answer, "proofCode": in.Body.IdentityCode,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/email", ID: "bindEmail", Summary: "Bind an e-mail address",
		Faults: slices.Concat(validation.Refusals("email"), []*fault.Fault{ErrEmailTaken, ErrBindNotPossible}, changeFaults, r.Code),
	}, func(ctx context.Context, self Self, in *struct{ Body emailBody }) (struct{}, error) {
		return struct{}{}, s.BindEmail(ctx, self, map[string]string{
			"email": in.Body.Email, "verificationCode": in.Body.Code, "password": in.Body.Password, "answer": in.Body.Answer, "proofCode": in.Body.IdentityCode,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/paymentPassword", ID: "setPaymentPassword", Summary: "Set the payment password",
		Faults: slices.Concat(validation.Refusals("confirmPaymentPassword"), changeFaults, r.Code, []*fault.Fault{ErrPaymentUnrecoverable}),
	}, func(ctx context.Context, self Self, in *struct{ Body paymentBody }) (struct{}, error) {
		return struct{}{}, s.SetPaymentPassword(ctx, self, map[string]string{
			"password": in.Body.Password, "oldPaymentPassword": in.Body.Old, "paymentPassword": in.Body.New,
			"confirmPaymentPassword": in.Body.Confirm, "answer": in.Body.Answer, "verificationCode": in.Body.Code, "proofCode": in.Body.IdentityCode,
		})
	})
	memberOp(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/member/paymentPassword/code", ID: "sendPaymentCode",
		Summary: "Send the code that replaces a forgotten payment password to the bound number or address",
		Faults:  slices.Concat(r.Delivery, []*fault.Fault{ErrPaymentUnrecoverable}),
	}, func(ctx context.Context, self Self, _ *struct{}) (notify.Delivery, error) {
		return s.SendPaymentCode(ctx, self)
	})
	memberOp(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/member/proof/code", ID: "sendProofCode", Unrestricted: true,
		Summary: "Send a member without a password the code that proves their identity, to the bound number or address",
		Faults:  slices.Concat(r.Delivery, []*fault.Fault{ErrProofRequired}),
	}, func(ctx context.Context, self Self, _ *struct{}) (notify.Delivery, error) {
		return s.SendProofCode(ctx, self)
	})
	memberOp(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/securityQuestion", ID: "securityQuestion", Summary: "Get the security questions and the member's choice"},
		func(ctx context.Context, self Self, _ *struct{}) (questionReply, error) {
			security, err := s.Security(ctx, self)
			return questionReply{questions, security.Question}, err
		})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/securityQuestion", ID: "setSecurityQuestion", Summary: "Set the security question and its answer",
		Faults: slices.Concat([]*fault.Fault{ErrQuestionUnknown}, changeFaults, r.Code),
	}, func(ctx context.Context, self Self, in *struct{ Body questionBody }) (struct{}, error) {
		return struct{}{}, s.SetQuestion(ctx, self, map[string]string{
			"question": in.Body.Question, "answer": in.Body.Answer, "password": in.Body.Password, "oldAnswer": in.Body.OldAnswer, "proofCode": in.Body.IdentityCode,
			"paymentPassword": in.Body.Payment, "recoveryCode": in.Body.Recovery,
		})
	})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/age", ID: "confirmAge", Summary: "Confirm the legal age to play for money",
		Faults: []*fault.Fault{member.ErrAge},
	}, func(ctx context.Context, self Self, in *struct{ Body ageBody }) (struct{}, error) {
		return struct{}{}, s.o.Members.ConfirmAge(ctx, self.MerchantID, self.MemberID, in.Body.AgeConfirmed)
	})
	memberOp(a, rest.Op{Method: http.MethodGet, Path: "/wps/member/profile", ID: "memberProfile", Summary: "Get the member's profile", Module: profileModule},
		func(ctx context.Context, self Self, _ *struct{}) (profileReply, error) {
			p, err := s.Profile(ctx, self.MemberID)
			return profileReply{
				p.Nickname, p.Username, p.Avatar, p.Language, p.PayeeName, p.Mobile, p.Email, p.IDNumber, p.Contacts["qqNum"],
				p.Contacts["facebook"], p.Contacts["wechat"], p.Contacts["line"], p.Contacts["whatsapp"], p.Contacts["zalo"],
			}, err
		})
	memberOp(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/profile", ID: "changeProfile", Summary: "Change the given fields of the profile",
		Module: profileModule,
		Faults: append(validation.Refusals(append([]string{"nickname", "payeeName"}, contacts...)...), validation.ErrNotInForm, ErrPayeeFixed),
	}, func(ctx context.Context, self Self, in *struct{ Body profileBody }) (struct{}, error) {
		form := map[string]string{}
		for name, value := range map[string]*string{
			"nickname": in.Body.Nickname, "payeeName": in.Body.PayeeName, "qqNum": in.Body.QQNum, "facebook": in.Body.Facebook,
			"wechat": in.Body.WeChat, "line": in.Body.Line, "whatsapp": in.Body.WhatsApp, "zalo": in.Body.Zalo,
		} {
			if value != nil {
				form[name] = *value
			}
		}
		return struct{}{}, s.ChangeProfile(ctx, self, form)
	})
}
