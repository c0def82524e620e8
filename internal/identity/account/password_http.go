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

const passwordModule = spec.ModuleChangePassword

type passwordInput struct {
	Body struct {
		Old          string `json:"oldPassword,omitempty" maxLength:"512" doc:"Not needed when the member has no password: see hasPassword of /wps/member/security."`
		New          string `json:"newPassword" maxLength:"512"`
		Confirm      string `json:"confirmNewPassword" maxLength:"512"`
		IdentityCode string `json:"proofCode,omitempty" maxLength:"256" doc:"Needed to set the first password when proof of /wps/member/security is sms or email."`
	}
}

type resetMobileBody struct {
	Username    string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	MobileNum   string `json:"mobileNum" maxLength:"256"`
	Dialing     string `json:"countryDialingCode" maxLength:"8"`
	Captcha     string `json:"captcha,omitempty" maxLength:"256"`
	ProofOfWork string `json:"proofOfWork,omitempty" maxLength:"2048" doc:"Solved proof of work. Required after proof.required."`
}

type resetEmailBody struct {
	Username    string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	Email       string `json:"email" maxLength:"512"`
	Captcha     string `json:"captcha,omitempty" maxLength:"256"`
	ProofOfWork string `json:"proofOfWork,omitempty" maxLength:"2048" doc:"Solved proof of work. Required after proof.required."`
}

type verifyMobileBody struct {
	Username  string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	MobileNum string `json:"mobileNum" maxLength:"256"`
	Dialing   string `json:"countryDialingCode" maxLength:"8"`
	Code      string `json:"verificationCode" maxLength:"256"`
}

type verifyEmailBody struct {
	Username string `json:"username,omitempty" maxLength:"256" doc:"If given, only this account's password can be reset."`
	Email    string `json:"email" maxLength:"512"`
	Code     string `json:"verificationCode" maxLength:"256"`
}

type ticketReply struct {
	Ticket string `json:"ticket" doc:"Allows setting a new password once, within ten minutes."`
}

type resetReply struct {
	UserName string `json:"userName" doc:"The username to log in with."`
}

// resetBody holds the plain fields, or only Data if they are encrypted.
type resetBody struct {
	Ticket  string `json:"ticket,omitempty" maxLength:"1024"`
	New     string `json:"newPassword,omitempty" maxLength:"512"`
	Confirm string `json:"confirmNewPassword,omitempty" maxLength:"512"`
	Data    string `json:"data,omitempty" maxLength:"8192" doc:"Compact JWE, ECDH-ES with A256GCM. It replaces all other fields."`
}

type resetInput struct {
	Encryption string `header:"Encryption" enum:"jwe" doc:"jwe: the body is {data}, encrypted to the key of /wps/session/key, with nonce and time (unix milliseconds) inside."`
	Body       resetBody
}

// read returns the plain fields of the body. It decrypts them if needed.
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

func newResetRequest(ctx context.Context, channel notify.Channel, username, dialing, target string) ResetRequest {
	return ResetRequest{MerchantID: rest.MerchantOf(ctx).ID, Channel: channel, Username: username, DialingCode: dialing, Target: target, From: rest.VisitorOf(ctx)}
}

func passwordRoutes(a *rest.API, s *Service, r Refusals) {
	newPasswordFaults := append(validation.Refusals("password"), ErrPasswordConfirm)
	mobileFaults, emailFaults, staleFaults := validation.Refusals("mobileNum", "loginUsername"), validation.Refusals("email", "loginUsername"), []*fault.Fault{ErrResetStale}
	rest.Typed(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/password", ID: "changePassword", Tag: "member", Unrestricted: true,
		Summary: "Change the password. All sessions end; the response has a new token", Access: rest.Real, Module: passwordModule,
		Faults: slices.Concat(newPasswordFaults, []*fault.Fault{ErrPasswordSame, ErrPasswordWrong, member.ErrUnknown, ErrProofRequired}, r.Code),
	}, func(ctx context.Context, in *passwordInput) (grant, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return grant{}, rest.ErrNoSession
		}
		g, err := s.ChangePassword(ctx, Self{caller, rest.VisitorOf(ctx)}, map[string]string{
			"oldPassword": in.Body.Old, "newPassword": in.Body.New, "confirmNewPassword": in.Body.Confirm, "proofCode": in.Body.IdentityCode,
		})
		if err != nil {
			return grant{}, err
		}
		return grant{Token: g.Token, UserName: g.Username, Type: int(caller.Type), FirstTimeLogin: g.FirstTimeLogin}, nil
	})
	rest.Typed(a, resetOp("/wps/member/password/sms", "resetSendSMS", "Send a reset code by text message", mobileFaults, r.Captcha, r.Work, r.Delivery),
		func(ctx context.Context, in *struct {
			Captcha string `cookie:"captcha"`
			Device  string `cookie:"device"`
			Body    resetMobileBody
		}) (notify.Delivery, error) {
			request := newResetRequest(ctx, notify.SMS, in.Body.Username, in.Body.Dialing, in.Body.MobileNum)
			request.CaptchaCookie, request.Captcha = in.Captcha, in.Body.Captcha
			request.DeviceCookie, request.ProofOfWork = in.Device, in.Body.ProofOfWork
			return s.SendReset(ctx, request)
		})
	rest.Typed(a, resetOp("/wps/member/password/email", "resetSendEmail", "Send a reset code by e-mail", emailFaults, r.Captcha, r.Work, r.Delivery),
		func(ctx context.Context, in *struct {
			Captcha string `cookie:"captcha"`
			Device  string `cookie:"device"`
			Body    resetEmailBody
		}) (notify.Delivery, error) {
			request := newResetRequest(ctx, notify.Email, in.Body.Username, "", in.Body.Email)
			request.CaptchaCookie, request.Captcha = in.Captcha, in.Body.Captcha
			request.DeviceCookie, request.ProofOfWork = in.Device, in.Body.ProofOfWork
			return s.SendReset(ctx, request)
		})
	rest.Typed(a, resetOp("/wps/member/password/sms/verification", "resetVerifySMS", "Exchange a reset code for a ticket", mobileFaults, r.Code, staleFaults),
		func(ctx context.Context, in *struct {
			Body verifyMobileBody
		}) (ticketReply, error) {
			t, err := s.VerifyReset(ctx, newResetRequest(ctx, notify.SMS, in.Body.Username, in.Body.Dialing, in.Body.MobileNum), in.Body.Code)
			return ticketReply{t}, err
		})
	rest.Typed(a, resetOp("/wps/member/password/email/verification", "resetVerifyEmail", "Exchange a reset code for a ticket", emailFaults, r.Code, staleFaults),
		func(ctx context.Context, in *struct {
			Body verifyEmailBody
		}) (ticketReply, error) {
			t, err := s.VerifyReset(ctx, newResetRequest(ctx, notify.Email, in.Body.Username, "", in.Body.Email), in.Body.Code)
			return ticketReply{t}, err
		})
	rest.Typed(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/member/password/reset", ID: "resetPassword", Tag: "member",
		Summary: "Set a new password with a ticket. All sessions end", Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second}, Faults: append(newPasswordFaults, ErrResetStale, jwe.ErrInvalid, jwe.ErrTime),
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

func resetOp(path, id, summary string, faults ...[]*fault.Fault) rest.Op {
	return rest.Op{
		Method: http.MethodPost, Path: path, ID: id, Tag: "member", Summary: summary, Access: rest.Public,
		Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second}, Faults: slices.Concat(faults...),
	}
}
