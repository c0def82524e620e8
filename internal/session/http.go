package session

import (
	"context"
	"net/http"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/jwe"
	"fairground/internal/rest"
)

// loginBody is what a login is made of, sent as it is or encrypted.
type loginBody struct {
	Username string `json:"username,omitempty" maxLength:"64"`
	Password string `json:"password,omitempty" maxLength:"64"`
	Type     string `json:"type,omitempty" enum:"username"`
	Data     string `json:"data,omitempty" maxLength:"8192" doc:"Compact JWE, ECDH-ES with A256GCM, in place of all others."`
}

type loginInput struct {
	Encryption string `header:"Encryption" enum:"jwe" doc:"jwe: the body is {data}, encrypted to the key of /wps/session/key, with nonce and time (unix milliseconds) inside."`
	Body       loginBody
}

// read gives the body, opened where it is encrypted. What the border checks of a plain one is checked here of both.
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
	if body.Data != "" {
		return body, rest.ErrParam.On("data")
	}
	for _, field := range []struct{ name, value string }{{"username", body.Username}, {"password", body.Password}} {
		if n := utf8.RuneCountInString(field.value); n == 0 || n > longest {
			return body, rest.ErrParam.On(field.name)
		}
	}
	if body.Type != "" && body.Type != "username" {
		return body, rest.ErrParam.On("type")
	}
	return body, nil
}

// longest is how long a username or a password can be.
const longest = 64

type grant struct {
	Token          string `json:"token"`
	UserName       string `json:"userName"`
	Type           int    `json:"type" doc:"0 player, 1 agent, 2 head agent, 4 trial."`
	FirstTimeLogin bool   `json:"firstTimeLogin"`
}

func wire(g Grant) grant {
	return grant{Token: g.Token, UserName: g.Account, Type: int(g.Type), FirstTimeLogin: g.FirstTimeLogin}
}

// Register adds the sessions' calls to the API. refusals are what others keep a login off with, for the document.
func Register(a *rest.API, s *Service, refusals ...*fault.Fault) {
	rest.Wps(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/session/login", ID: "login", Tag: "session",
		Summary: "Open a session with username and password", Access: rest.Public, Faults: append(refusals, jwe.ErrInvalid, jwe.ErrTime),
	}, s.login)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/key", ID: "sessionKey", Tag: "session",
		Summary: "The key that a login can be encrypted to", Access: rest.Public,
	}, s.key)
	rest.Wps(a, rest.Op{
		Method: http.MethodDelete, Path: "/wps/session/logout", ID: "logout", Tag: "session",
		Summary: "End the session", Access: rest.Session, TokenInside: true,
	}, s.logout)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/session/touch", ID: "touch", Tag: "session",
		Summary: "Keep the session from lying idle", Access: rest.Session,
	}, s.touch)
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/session/renew", ID: "renew", Tag: "session",
		Summary: "Change the token for a new one", Access: rest.Session,
	}, s.renew)
	registerList(a, s)
}

func (s *Service) key(context.Context, *struct{}) (jwe.Key, error) { return s.o.Box.Public(), nil }

func (s *Service) login(ctx context.Context, in *loginInput) (grant, error) {
	body, err := s.read(ctx, in)
	if err != nil {
		return grant{}, err
	}
	g, err := s.Login(ctx, Credentials{
		MerchantID: rest.MerchantOf(ctx).ID, Username: body.Username, Password: body.Password,
		Address: rest.AddressOf(ctx), Device: rest.DeviceOf(ctx),
	})
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
