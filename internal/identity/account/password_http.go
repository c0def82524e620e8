package account

import (
	"context"
	"net/http"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// passwordModule is what lets members change their password.
const passwordModule = spec.ModuleChangePassword

type passwordInput struct {
	Body struct {
		Old     string `json:"oldPassword,omitempty" maxLength:"512" doc:"Not needed by a member who has none: see hasPassword of /wps/member/security."`
		New     string `json:"newPassword" maxLength:"512"`
		Confirm string `json:"confirmNewPassword" maxLength:"512"`
		Proof   string `json:"proofCode,omitempty" maxLength:"256" doc:"With the first password, where proof of /wps/member/security is sms or email."`
	}
}

type lostMobile struct {
	Username  string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	MobileNum string `json:"mobileNum" maxLength:"256"`
	Dialing   string `json:"countryDialingCode" maxLength:"8"`
	Captcha   string `json:"captcha,omitempty" maxLength:"256"`
}

type lostEmail struct {
	Username string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	Email    string `json:"email" maxLength:"512"`
	Captcha  string `json:"captcha,omitempty" maxLength:"256"`
}

type provedMobile struct {
	Username  string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	MobileNum string `json:"mobileNum" maxLength:"256"`
	Dialing   string `json:"countryDialingCode" maxLength:"8"`
	Code      string `json:"verificationCode" maxLength:"256"`
}

type provedEmail struct {
	Username string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	Email    string `json:"email" maxLength:"512"`
	Code     string `json:"verificationCode" maxLength:"256"`
}

type ticketReply struct {
	Ticket string `json:"ticket" doc:"Sets one new password within ten minutes."`
}

type resetReply struct {
	UserName string `json:"userName" doc:"Whose password it is, to log in with."`
}

// resetBody is what a reset is made of, sent as it is or encrypted.
type resetBody struct {
	Ticket  string `json:"ticket,omitempty" maxLength:"1024"`
	New     string `json:"newPassword,omitempty" maxLength:"512"`
	Confirm string `json:"confirmNewPassword,omitempty" maxLength:"512"`
	Data    string `json:"data,omitempty" maxLength:"8192" doc:"Compact JWE, ECDH-ES with A256GCM, in place of all others."`
}

type resetInput struct {
	Encryption string `header:"Encryption" enum:"jwe" doc:"jwe: the body is {data}, encrypted to the key of /wps/session/key, with nonce and time (unix milliseconds) inside."`
	Body       resetBody
}

// read gives the body, opened where it is encrypted. The rules of passwords and tickets bound what is inside.
func (in *resetInput) read(ctx context.Context, box *jwe.Box) (resetBody, error) {
	body := in.Body
	if in.Encryption != "" {
		if (body != resetBody{Data: body.Data}) {
			return body, rest.ErrParam.On("data")
		}
		body = resetBody{}
		if err := box.Open(ctx, in.Body.Data, &body); err != nil {
			return body, err
		}
	}
	if body.Data != "" {
		return body, rest.ErrParam.On("data")
	}
	return body, nil
}

func lostBy(ctx context.Context, channel notify.Channel, username, dialing, target string) Lost {
	return Lost{MerchantID: rest.MerchantOf(ctx).ID, Channel: channel, Username: username, DialingCode: dialing, Target: target, From: rest.VisitorOf(ctx)}
}

func passwordRoutes(a *rest.API, s *Service, r Refusals) {
	newPassword := append(validation.Refusals("password"), ErrPasswordConfirm)
	byMobile, byEmail, stale := validation.Refusals("mobileNum", "loginUsername"), validation.Refusals("email", "loginUsername"), []*fault.Fault{ErrResetStale}
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/password", ID: "changePassword", Tag: "member",
		Summary: "Change the password; every session ends, this one goes on with a new token", Access: rest.Real, Module: passwordModule,
		Faults: slices.Concat(newPassword, []*fault.Fault{ErrPasswordSame, ErrPasswordWrong, member.ErrUnknown, ErrProofRequired}, r.Code),
	}, func(ctx context.Context, in *passwordInput) (grant, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return grant{}, rest.ErrNoSession
		}
		g, err := s.ChangePassword(ctx, Self{caller, rest.VisitorOf(ctx)}, map[string]string{
			"oldPassword": in.Body.Old, "newPassword": in.Body.New, "confirmNewPassword": in.Body.Confirm, "proofCode": in.Body.Proof,
		})
		if err != nil {
			return grant{}, err
		}
		return grant{Token: g.Token, UserName: g.Username, Type: int(caller.Type)}, nil
	})
	rest.Wps(a, lostOp("/wps/member/password/sms", "resetSendSMS", "Send a code to reset a password by text message", byMobile, r.Picture, r.Sending),
		func(ctx context.Context, in *struct {
			Captcha string `cookie:"captcha"`
			Body    lostMobile
		}) (notify.Delivery, error) {
			l := lostBy(ctx, notify.SMS, in.Body.Username, in.Body.Dialing, in.Body.MobileNum)
			l.CaptchaCookie, l.Captcha = in.Captcha, in.Body.Captcha
			return s.SendReset(ctx, l)
		})
	rest.Wps(a, lostOp("/wps/member/password/email", "resetSendEmail", "Send a code to reset a password by e-mail", byEmail, r.Picture, r.Sending),
		func(ctx context.Context, in *struct {
			Captcha string `cookie:"captcha"`
			Body    lostEmail
		}) (notify.Delivery, error) {
			l := lostBy(ctx, notify.Email, in.Body.Username, "", in.Body.Email)
			l.CaptchaCookie, l.Captcha = in.Captcha, in.Body.Captcha
			return s.SendReset(ctx, l)
		})
	rest.Wps(a, lostOp("/wps/member/password/sms/verification", "resetVerifySMS", "Change a code for a ticket that sets a new password", byMobile, r.Code, stale),
		func(ctx context.Context, in *struct {
			Body provedMobile
		}) (ticketReply, error) {
			t, err := s.VerifyReset(ctx, lostBy(ctx, notify.SMS, in.Body.Username, in.Body.Dialing, in.Body.MobileNum), in.Body.Code)
			return ticketReply{t}, err
		})
	rest.Wps(a, lostOp("/wps/member/password/email/verification", "resetVerifyEmail", "Change a code for a ticket that sets a new password", byEmail, r.Code, stale),
		func(ctx context.Context, in *struct {
			Body provedEmail
		}) (ticketReply, error) {
			t, err := s.VerifyReset(ctx, lostBy(ctx, notify.Email, in.Body.Username, "", in.Body.Email), in.Body.Code)
			return ticketReply{t}, err
		})
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/password/reset", ID: "resetPassword", Tag: "member",
		Summary: "Set a new password by a ticket; every session ends", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second}, Faults: append(newPassword, ErrResetStale, jwe.ErrInvalid, jwe.ErrTime),
	}, func(ctx context.Context, in *resetInput) (resetReply, error) {
		body, err := in.read(ctx, s.o.Box)
		if err != nil {
			return resetReply{}, err
		}
		username, err := s.Reset(ctx, rest.MerchantOf(ctx).ID, map[string]string{
			"ticket": body.Ticket, "newPassword": body.New, "confirmNewPassword": body.Confirm,
		})
		return resetReply{username}, err
	})
}

// lostOp declares a call of somebody who forgot the password.
func lostOp(path, id, summary string, faults ...[]*fault.Fault) rest.Op {
	return rest.Op{
		Method: http.MethodPost, Path: path, ID: id, Tag: "member", Summary: summary, Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second}, Faults: slices.Concat(faults...),
	}
}
