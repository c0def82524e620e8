package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

func serveRoutes(t *testing.T, store *db.Store) *loginSite {
	s := newLoginSite(t, store)
	s.sessions = s.replica(t, s.members)
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
	return s
}

// Expected response bodies. agentGrant is for minhanh92, playerGrant for thanhtung.
const (
	agentGrant            = `{"success":true,"value":{"token":"(varies)","userName":"minhanh92","type":1,"firstTimeLogin":true}}`
	playerGrant           = `{"success":true,"value":{"token":"(varies)","userName":"thanhtung","type":0,"firstTimeLogin":false}}`
	success               = `{"success":true,"value":{}}`
	tokenInvalid          = `{"success":false,"message":"a valid session is needed","errorCode":"user.or.token.invalid"}`
	noSession             = `{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`
	sessionUnknown        = `{"success":false,"message":"not found","errorCode":"session.unknown"}`
	loginIncorrect        = `{"success":false,"message":"(varies)","errorCode":"login.incorrect"}`
	loginIncorrectCaptcha = `{"success":false,"message":"(varies)","errorCode":"login.incorrect","args":{"captcha":"true"}}`
	captchaRequired       = `{"success":false,"message":"(varies)","errorCode":"captcha.required","field":"captcha","args":{"captcha":"true"}}`
	limited               = `{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"15"}}`
	systemError           = `{"success":false,"message":"system error","errorCode":"system.error","requestId":"(varies)"}`
	accessDenied          = `{"success":false,"message":"(varies)","errorCode":"access.denied"}`
	externalFailed        = `{"success":false,"message":"(varies)","errorCode":"outside.failed","field":"ticket"}`
	trialOff              = `{"success":true,"value":{"firstTimeLogin":false,"trialIndicator":0}}`
)

type loginRequest struct {
	Username string `json:"username"`
	Password string `json:"password"`
	Type     string `json:"type,omitempty"`
}

var validLogin = loginRequest{Username: "minhanh92", Password: "qua-xanh7", Type: "username"}

func (s *loginSite) loginOverHTTP(t *testing.T) string {
	t.Helper()
	type grant struct{ Token string }
	return merchanttest.Value[grant](t, s.Call(t, "POST", "/wps/session/login", validLogin)).Token
}

func TestSessionEndpoints(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serveRoutes(t, store)
		t.Run("EN-01 part (server): login returns token, type, userName and firstTimeLogin", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), 200, agentGrant, "token")
		})
		for name, c := range map[string]struct {
			request any
			status  int
			body    string
		}{
			"wrong password":   {loginRequest{Username: "minhanh92", Password: "qua-xanh8"}, 401, loginIncorrectCaptcha},
			"unknown username": {loginRequest{Username: "unknown123", Password: "qua-xanh8"}, 401, loginIncorrectCaptcha},
			"no password": {`{"username":"minhanh92"}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.password_required","field":"password"}`},
			"no username": {loginRequest{}, 400, `{"success":false,"message":"(varies)","errorCode":"validation.required","field":"username"}`},
			"password of the wrong type": {`{"username":"minhanh92","password":12345678}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"password"}`},
			"unknown field": {`{"username":"minhanh92","password":"qua-xanh7","memberType":2}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"memberType"}`},
			"unknown login type": {loginRequest{Username: "minhanh92", Password: "qua-xanh7", Type: "telepathy"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"type"}`},
			"malformed JSON": {`{"username":`, 400, `{"success":false,"message":"(varies)","errorCode":"request_param_err"}`},
			"password too long": {loginRequest{Username: "minhanh92", Password: strings.Repeat("a1", 40)}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.password_format","field":"password","args":{"max":"64"}}`},
		} {
			t.Run(name, func(t *testing.T) {
				reply := s.Call(t, "POST", "/wps/session/login", c.request)
				merchanttest.Want(t, reply, c.status, c.body, "message")
				if strings.Contains(string(reply.Body), "qua-xanh") {
					t.Error("the response contains the password")
				}
			})
		}
		t.Run("touch", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", s.loginOverHTTP(t)), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil), 401, noSession)
		})
		t.Run("renew", func(t *testing.T) {
			token := s.loginOverHTTP(t)
			merchanttest.Want(t, s.Call(t, "PUT", "/wps/session/renew", nil, "Authorization", token), 200, agentGrant, "token")
			merchanttest.Want(t, s.Call(t, "PUT", "/wps/session/renew", nil, "Authorization", token), 401, tokenInvalid)
		})
		t.Run("ST-01 part (server): DELETE with the token ends the session", func(t *testing.T) {
			token := s.loginOverHTTP(t)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token), 401, tokenInvalid)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token), 401, tokenInvalid)
		})
		t.Run("logout accepts the token as a query parameter", func(t *testing.T) {
			token := s.loginOverHTTP(t)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout?token="+token, nil), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token), 401, tokenInvalid)
		})
	})
}

func TestLoginWhileClosed(t *testing.T) {
	t.Parallel()
	s := serveRoutes(t, dbtest.SQLite(t))
	tokens := map[string]string{"1": s.loginOverHTTP(t), "2": s.loginOverHTTP(t)}
	for setting, want := range map[string]struct {
		status int
		body   string
	}{
		"1": {403, `{"success":false,"message":"not allowed","errorCode":"system.restricted"}`},
		"2": {503, `{"success":false,"message":"unavailable, try again later","errorCode":"system.maintenance","requestId":"(varies)"}`},
	} {
		if err := s.Merchants.Set(t.Context(), s.ID, "system.status", json.RawMessage(setting)); err != nil {
			t.Fatal(err)
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", validLogin), want.status, want.body)
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", tokens[setting]), 200, success)
	}
}

func TestLimitedLogin(t *testing.T) {
	t.Parallel()
	s := serveRoutes(t, dbtest.SQLite(t))
	wrong := loginRequest{Username: "unknown123", Password: "qua-xanh8"}
	for range 8 {
		if reply := s.Call(t, "POST", "/wps/session/login", wrong); reply.Status != 401 {
			t.Fatalf("status = %d, want 401", reply.Status)
		}
	}
	reply := s.Call(t, "POST", "/wps/session/login", wrong)
	merchanttest.Want(t, reply, 429, limited)
	if got := reply.Header.Get("Retry-After"); got != "15" {
		t.Errorf("Retry-After = %q, want 15", got)
	}
}

// Internal errors return only 'system.error' and a request id.
func TestBrokenDatabaseReturnsSystemError(t *testing.T) {
	t.Parallel()
	s := serveRoutes(t, dbtest.SQLite(t))
	token := s.loginOverHTTP(t)
	if _, err := s.Store.Writer.ExecContext(t.Context(), "DROP TABLE session"); err != nil {
		t.Fatal(err)
	}
	t.Run("ER-03 SE-15 part (server): login on a broken database", func(t *testing.T) {
		t.Parallel()
		reply := s.Call(t, "POST", "/wps/session/login", validLogin)
		merchanttest.Want(t, reply, 500, systemError)
		if strings.Contains(string(reply.Body), "session") || strings.Contains(string(reply.Body), "SQL") {
			t.Errorf("the response contains internals: %s", reply.Body)
		}
	})
	t.Run("ER-03 SE-15 part (server): any request on a broken database", func(t *testing.T) {
		t.Parallel()
		merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token+"x"), 500, systemError)
	})
}
