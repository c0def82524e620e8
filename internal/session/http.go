package session

import (
	"context"
	"net/http"

	"fairground/internal/fault"
	"fairground/internal/rest"
)

type loginInput struct {
	Body struct {
		Username string `json:"username" minLength:"1" maxLength:"64"`
		Password string `json:"password" minLength:"1" maxLength:"64"`
		Type     string `json:"type,omitempty" enum:"username"`
	}
}

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
		Summary: "Open a session with username and password", Access: rest.Public, Faults: refusals,
	}, s.login)
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

func (s *Service) login(ctx context.Context, in *loginInput) (grant, error) {
	g, err := s.Login(ctx, Credentials{
		MerchantID: rest.MerchantOf(ctx).ID, Username: in.Body.Username, Password: in.Body.Password,
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
