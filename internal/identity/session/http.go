package session

import (
	"context"
	"net/http"
	"slices"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// loginBody is what a login is made of, sent as it is or encrypted.
type loginBody struct {
	Username         string `json:"username,omitempty" maxLength:"256" doc:"By sms the mobile number."`
	Password         string `json:"password,omitempty" maxLength:"512" doc:"By sms the code."`
	Type             string `json:"type,omitempty" enum:"username,sms,firebase,outside" doc:"By what one logs in; username unless said."`
	DialingCode      string `json:"countryDialingCode,omitempty" maxLength:"8" doc:"Of the mobile number."`
	FirebaseChannel  string `json:"firebaseChannel,omitempty" maxLength:"32" doc:"How the number was proved there. Nothing depends on it."`
	FirebaseIDToken  string `json:"firebaseIdToken,omitempty" maxLength:"4096"`
	FirebaseMobileNo string `json:"firebaseMobileNo,omitempty" maxLength:"256"`
	Ticket           string `json:"ticket,omitempty" maxLength:"2048" doc:"What coming back from another service gave."`
	Agreement        bool   `json:"agreement,omitempty" doc:"Whoever a ticket stands for becomes a member."`
	AgeConfirmed     bool   `json:"ageConfirmed,omitempty" doc:"Needed with agreement."`
	Area             string `json:"area,omitempty" enum:"agent" doc:"agent: only agents are let in."`
	Captcha          string `json:"captcha,omitempty" maxLength:"256" doc:"Asked for where a failure carried captcha."`
	Challenge        string `json:"challenge,omitempty" maxLength:"4096" doc:"Asked for where the settings say so."`
	Data             string `json:"data,omitempty" maxLength:"16384" doc:"Compact JWE, ECDH-ES with A256GCM, in place of all others."`
}

type loginInput struct {
	Encryption string `header:"Encryption" enum:"jwe" doc:"jwe: the body is {data}, encrypted to the key of /wps/session/key, with nonce and time (unix milliseconds) inside."`
	Captcha    string `cookie:"captcha"`
	Browser    string `cookie:"outside"`
	Body       loginBody
}

// read gives the body, opened where it is encrypted and without the outer spaces that the rules do not count. What the
// border checks of a plain one is checked here of both.
func (s *Service) read(ctx context.Context, in *loginInput) (loginBody, error) {
	body := in.Body
	if in.Encryption != "" {
		if (body != loginBody{Data: body.Data}) {
			return body, rest.ErrParam.On("data")
		}
		body = loginBody{}
		if err := s.o.Box.Open(ctx, in.Body.Data, &body); err != nil {
			return body, err
		}
	}
	if err := body.check(); err != nil {
		return body, err
	}
	return body.judged(ctx, s.o.Settings)
}

// judged holds what was typed against the rules that the app is given too.
func (b loginBody) judged(ctx context.Context, settings Settings) (loginBody, error) {
	rules, err := settings.Rules(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return b, err
	}
	b.Username, b.FirebaseMobileNo = validation.Trim(b.Username), validation.Trim(b.FirebaseMobileNo)
	name, word := "loginUsername", "loginPassword"
	switch b.Type {
	case byExternal:
		return b, nil
	case byFirebase:
		return b, rules.RefuseAs("loginMobileNum", "firebaseMobileNo", b.FirebaseMobileNo)
	case bySMS:
		name, word, b.Password = "loginMobileNum", "verificationCode", validation.Trim(b.Password)
	}
	if err := rules.RefuseAs(name, "username", b.Username); err != nil {
		return b, err
	}
	return b, rules.RefuseAs(word, "password", b.Password)
}

// check holds the body against its own limits, and asks for what its type needs beside what is typed.
func (b loginBody) check() error {
	if b.Data != "" {
		return rest.ErrParam.On("data")
	}
	needs, ok := map[string][]string{
		"":         {},
		byUsername: {},
		bySMS:      {"countryDialingCode"},
		byFirebase: {"firebaseIdToken", "countryDialingCode"},
		byExternal: {"ticket"},
	}[b.Type]
	if !ok {
		return rest.ErrParam.On("type")
	}
	if b.Area != "" && b.Area != areaAgent {
		return rest.ErrParam.On("area")
	}
	for _, field := range []struct {
		name, value string
		most        int
	}{
		{"username", b.Username, 256}, {"password", b.Password, 512}, {"countryDialingCode", b.DialingCode, 8},
		{"firebaseChannel", b.FirebaseChannel, 32}, {"firebaseIdToken", b.FirebaseIDToken, 4096},
		{"firebaseMobileNo", b.FirebaseMobileNo, 256}, {"ticket", b.Ticket, 2048},
		{"captcha", b.Captcha, 256}, {"challenge", b.Challenge, 4096},
	} {
		n := utf8.RuneCountInString(field.value)
		if n > field.most || n == 0 && slices.Contains(needs, field.name) {
			return rest.ErrParam.On(field.name)
		}
	}
	return nil
}

const areaAgent = "agent"

type grant struct {
	Token          string `json:"token"`
	UserName       string `json:"userName"`
	Type           int    `json:"type" doc:"0 player, 1 agent, 2 head agent, 4 trial."`
	FirstTimeLogin bool   `json:"firstTimeLogin"`
}

func wire(g Grant) grant {
	return grant{Token: g.Token, UserName: g.Username, Type: int(g.Type), FirstTimeLogin: g.FirstTimeLogin}
}

// Routes adds the sessions' calls to the API. refusals are what others keep a login off with, for the document.
func Routes(a *rest.API, s *Service, refusals ...*fault.Fault) {
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/session/login", ID: "login", Tag: "session",
		Summary: "Open a session", Access: rest.Public,
		Faults: slices.Concat(refusals, validation.Refusals("loginUsername", "loginPassword", "loginMobileNum"),
			[]*fault.Fault{ErrNotAgent, jwe.ErrInvalid, jwe.ErrTime, rest.ErrDenied}),
	}, s.login)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/key", ID: "sessionKey", Tag: "session",
		Summary: "The key that a login can be encrypted to", Access: rest.Public,
	}, s.key)
	rest.Wps(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/session/logout", ID: "logout", Tag: "session",
		Summary: "End the session", Access: rest.Session, TokenAnywhere: true,
		WhileClosed: true, // whoever is kept out since may still leave nothing open behind
	}, s.logout)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/touch", ID: "touch", Tag: "session",
		Summary: "Keep the session from lying idle", Access: rest.Session,
	}, s.touch)
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/session/renew", ID: "renew", Tag: "session",
		Summary: "Change the token for a new one", Access: rest.Session,
	}, s.renew)
	listRoutes(a, s)
}

func (s *Service) key(context.Context, *struct{}) (jwe.Key, error) { return s.o.Box.Public(), nil }

func (s *Service) login(ctx context.Context, in *loginInput) (grant, error) {
	body, err := s.read(ctx, in)
	if err != nil {
		return grant{}, err
	}
	c := Credentials{
		MerchantID: rest.MerchantOf(ctx).ID, Type: body.Type, Username: body.Username, Password: body.Password,
		DialingCode: body.DialingCode, IDToken: body.FirebaseIDToken, Ticket: body.Ticket, Browser: in.Browser,
		Agreed: body.Agreement, OfAge: body.AgeConfirmed, Agent: body.Area == areaAgent,
		Captcha: body.Captcha, CaptchaCookie: in.Captcha, Challenge: body.Challenge,
		Address: rest.AddressOf(ctx), Device: rest.DeviceOf(ctx), Language: rest.LanguageOf(ctx),
	}
	if body.Type == byFirebase {
		c.Username = body.FirebaseMobileNo
	}
	g, err := s.Login(ctx, c)
	return wire(g), err
}

func (s *Service) logout(ctx context.Context, _ *struct{}) (struct{}, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return struct{}{}, rest.ErrNoSession
	}
	return struct{}{}, s.End(ctx, caller, rest.TokenOf(ctx), LoggedOut)
}

// touch has nothing left to do: every call of a session notes that it is in use.
func (s *Service) touch(context.Context, *struct{}) (struct{}, error) { return struct{}{}, nil }

func (s *Service) renew(ctx context.Context, _ *struct{}) (grant, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return grant{}, rest.ErrNoSession
	}
	g, err := s.Renew(ctx, caller.SessionID, rest.TokenOf(ctx))
	return wire(g), err
}
