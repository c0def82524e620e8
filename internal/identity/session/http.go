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

type loginBody struct {
	Username         string `json:"username,omitempty" maxLength:"256" doc:"The mobile number if type is sms."`
	Password         string `json:"password,omitempty" maxLength:"512" doc:"The code if type is sms."`
	Type             string `json:"type,omitempty" enum:"username,sms,firebase,outside" doc:"Login type. Defaults to username."`
	DialingCode      string `json:"countryDialingCode,omitempty" maxLength:"8" doc:"Dialling code of the mobile number."`
	FirebaseChannel  string `json:"firebaseChannel,omitempty" maxLength:"32" doc:"How Firebase verified the number. Ignored."`
	FirebaseIDToken  string `json:"firebaseIdToken,omitempty" maxLength:"4096"`
	FirebaseMobileNo string `json:"firebaseMobileNo,omitempty" maxLength:"256"`
	Ticket           string `json:"ticket,omitempty" maxLength:"2048" doc:"Ticket of an external login."`
	Agreement        bool   `json:"agreement,omitempty" doc:"Register a new member for the ticket."`
	AgeConfirmed     bool   `json:"ageConfirmed,omitempty" doc:"Required with agreement."`
	Area             string `json:"area,omitempty" enum:"agent" doc:"agent: only agents can log in."`
	Captcha          string `json:"captcha,omitempty" maxLength:"256" doc:"Required if the previous failure has the argument captcha."`
	Challenge        string `json:"challenge,omitempty" maxLength:"4096" doc:"Pass of the slider, if the merchant requires one."`
	ProofOfWork      string `json:"proofOfWork,omitempty" maxLength:"2048" doc:"Solved proof of work. Required after proof.required."`
	Data             string `json:"data,omitempty" maxLength:"16384" doc:"Compact JWE (ECDH-ES, A256GCM) that replaces all other fields."`
}

type loginInput struct {
	Encryption string `header:"Encryption" enum:"jwe" doc:"jwe: the body is {data}, encrypted to the key of /wps/session/key. The plaintext also contains nonce and time (Unix milliseconds)."`
	Captcha    string `cookie:"captcha"`
	Browser    string `cookie:"outside"`
	Device     string `cookie:"device"`
	Body       loginBody
}

// readLogin decrypts, checks and trims the body. It repeats the schema checks, because the schema does not apply to encrypted fields.
func (s *Service) readLogin(ctx context.Context, in *loginInput) (loginBody, error) {
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
	return body.validated(ctx, s.o.Settings)
}

func (b loginBody) validated(ctx context.Context, settings Settings) (loginBody, error) {
	rules, err := settings.Rules(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return b, err
	}
	b.Username, b.FirebaseMobileNo = validation.Trim(b.Username), validation.Trim(b.FirebaseMobileNo)
	usernameRule, passwordRule := "loginUsername", "loginPassword"
	switch b.Type {
	case byExternal:
		return b, nil
	case byFirebase:
		return b, rules.RefuseAs("loginMobileNum", "firebaseMobileNo", b.FirebaseMobileNo)
	case bySMS:
		usernameRule, passwordRule, b.Password = "loginMobileNum", "verificationCode", validation.Trim(b.Password)
	}
	if err := rules.RefuseAs(usernameRule, "username", b.Username); err != nil {
		return b, err
	}
	return b, rules.RefuseAs(passwordRule, "password", b.Password)
}

// check checks the length of every field. It also requires the fields that the login type needs.
func (b loginBody) check() error {
	if b.Data != "" {
		return rest.ErrParam.On("data")
	}
	required, ok := map[string][]string{
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
		maxLength   int
	}{
		{"username", b.Username, 256}, {"password", b.Password, 512}, {"countryDialingCode", b.DialingCode, 8},
		{"firebaseChannel", b.FirebaseChannel, 32}, {"firebaseIdToken", b.FirebaseIDToken, 4096},
		{"firebaseMobileNo", b.FirebaseMobileNo, 256}, {"ticket", b.Ticket, 2048},
		{"captcha", b.Captcha, 256}, {"challenge", b.Challenge, 4096}, {"proofOfWork", b.ProofOfWork, 2048},
	} {
		n := utf8.RuneCountInString(field.value)
		if n > field.maxLength || n == 0 && slices.Contains(required, field.name) {
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

func newGrant(g Grant) grant {
	return grant{Token: g.Token, UserName: g.Username, Type: int(g.Type), FirstTimeLogin: g.FirstTimeLogin}
}

// Routes registers the session endpoints. loginFaults are faults of other packages that a login can return, for the OpenAPI document.
func Routes(a *rest.API, s *Service, loginFaults ...*fault.Fault) {
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/session/login", ID: "login", Tag: "session",
		Summary: "Log in", Access: rest.Public,
		Faults: slices.Concat(loginFaults, validation.Refusals("loginUsername", "loginPassword", "loginMobileNum"),
			[]*fault.Fault{ErrNotAgent, jwe.ErrInvalid, jwe.ErrTime, rest.ErrDenied}),
	}, s.login)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/key", ID: "sessionKey", Tag: "session",
		Summary: "Get the public key for encrypted logins", Access: rest.Public,
	}, s.key)
	rest.Typed(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/session/logout", ID: "logout", Tag: "session", Unrestricted: true,
		Summary: "Log out", Access: rest.Session, TokenAnywhere: true,
		WhileClosed: true, // logout works while the site is closed
	}, s.logout)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/touch", ID: "touch", Tag: "session", Unrestricted: true,
		Summary: "Keep the session from idling out", Access: rest.Session,
	}, s.touch)
	rest.Typed(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/session/renew", ID: "renew", Tag: "session", Unrestricted: true,
		Summary: "Replace the token by a new one", Access: rest.Session,
	}, s.renew)
	listRoutes(a, s)
}

func (s *Service) key(context.Context, *struct{}) (jwe.Key, error) { return s.o.Box.Public(), nil }

func (s *Service) login(ctx context.Context, in *loginInput) (grant, error) {
	body, err := s.readLogin(ctx, in)
	if err != nil {
		return grant{}, err
	}
	c := Credentials{
		MerchantID: rest.MerchantOf(ctx).ID, Type: body.Type, Username: body.Username, Password: body.Password,
		DialingCode: body.DialingCode, IDToken: body.FirebaseIDToken, Ticket: body.Ticket, Browser: in.Browser,
		Agreed: body.Agreement, OfAge: body.AgeConfirmed, Agent: body.Area == areaAgent,
		Captcha: body.Captcha, CaptchaCookie: in.Captcha, Challenge: body.Challenge, ProofOfWork: body.ProofOfWork, DeviceCookie: in.Device,
		Address: rest.AddressOf(ctx), Device: rest.DeviceOf(ctx), Language: rest.LanguageOf(ctx),
	}
	if body.Type == byFirebase {
		c.Username = body.FirebaseMobileNo
	}
	g, err := s.Login(ctx, c)
	return newGrant(g), err
}

func (s *Service) logout(ctx context.Context, _ *struct{}) (struct{}, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return struct{}{}, rest.ErrNoSession
	}
	return struct{}{}, s.End(ctx, caller, rest.TokenOf(ctx), LoggedOut)
}

// touch does nothing: the authentication of every request records the use of the session.
func (s *Service) touch(context.Context, *struct{}) (struct{}, error) { return struct{}{}, nil }

func (s *Service) renew(ctx context.Context, _ *struct{}) (grant, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return grant{}, rest.ErrNoSession
	}
	g, err := s.Renew(ctx, caller.SessionID, rest.TokenOf(ctx))
	return newGrant(g), err
}
