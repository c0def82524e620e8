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

func serve(t *testing.T, store *db.Store) *site {
	s := newSite(t, store)
	s.sessions = s.replica(t, s.members)
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
	return s
}

type loginBody struct {
	Username string `json:"username"`
	Password string `json:"password"`
	Type     string `json:"type,omitempty"`
}

var right = loginBody{Username: "minhanh92", Password: "qua-xanh7", Type: "username"}

func (s *site) loginCall(t *testing.T) string {
	t.Helper()
	type grant struct{ Token string }
	return merchanttest.Value[grant](t, s.Call(t, "POST", "/wps/session/login", right)).Token
}

func TestSessionCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serve(t, store)
		t.Run("EN-01 the server's part: login gives token, type, userName and firstTimeLogin", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", right), 200, agentGrant, "token")
		})
		for name, body := range map[string]any{
			"login_wrong_password": loginBody{Username: "minhanh92", Password: "qua-xanh8"},
			"login_unknown_user":   loginBody{Username: "nobody123", Password: "qua-xanh8"},
			"login_missing":        `{"username":"minhanh92"}`,
			"login_empty":          loginBody{},
			"login_wrong_type":     `{"username":"minhanh92","password":12345678}`,
			"login_unknown_field":  `{"username":"minhanh92","password":"qua-xanh7","memberType":2}`,
			"login_other_way":      loginBody{Username: "minhanh92", Password: "qua-xanh7", Type: "telepathy"},
			"login_malformed":      `{"username":`,
			"login_too_long":       loginBody{Username: "minhanh92", Password: strings.Repeat("a1", 40)},
		} {
			t.Run(name, func(t *testing.T) {
				reply := s.Call(t, "POST", "/wps/session/login", body)
				merchanttest.Golden(t, name, reply, "message") // the border's own words for developers
				if strings.Contains(string(reply.Body), "qua-xanh") {
					t.Error("errors carry no password")
				}
			})
		}
		t.Run("touch", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", s.loginCall(t)), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil), 401, noSession)
		})
		t.Run("renew", func(t *testing.T) {
			token := s.loginCall(t)
			merchanttest.Want(t, s.Call(t, "PUT", "/wps/session/renew", nil, "Authorization", token), 200, agentGrant, "token")
			merchanttest.Want(t, s.Call(t, "PUT", "/wps/session/renew", nil, "Authorization", token), 401, tokenInvalid)
		})
		t.Run("ST-01 the server's part: DELETE with the token ends the session", func(t *testing.T) {
			token := s.loginCall(t)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token), 401, tokenInvalid)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token), 401, tokenInvalid)
		})
		t.Run("the token may stand inside a logout", func(t *testing.T) {
			token := s.loginCall(t)
			merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout?token="+token, nil), 200, success)
			merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token), 401, tokenInvalid)
		})
	})
}

func TestLoginWhileClosed(t *testing.T) {
	t.Parallel()
	s := serve(t, dbtest.SQLite(t))
	tokens := map[string]string{"1": s.loginCall(t), "2": s.loginCall(t)}
	for status, name := range map[string]string{"1": "login_restricted", "2": "login_maintenance"} {
		if err := s.Merchants.Set(t.Context(), s.ID, "system.status", json.RawMessage(status)); err != nil {
			t.Fatal(err)
		}
		merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", right))
		// Who is in may still leave.
		merchanttest.Want(t, s.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", tokens[status]), 200, success)
	}
}

func TestLoginLimitIsTold(t *testing.T) {
	t.Parallel()
	s := serve(t, dbtest.SQLite(t))
	wrong := loginBody{Username: "nobody123", Password: "qua-xanh8"}
	for range 8 {
		if reply := s.Call(t, "POST", "/wps/session/login", wrong); reply.Status != 401 {
			t.Fatalf("status %d", reply.Status)
		}
	}
	reply := s.Call(t, "POST", "/wps/session/login", wrong)
	merchanttest.Want(t, reply, 429, limited)
	if got := reply.Header.Get("Retry-After"); got != "15" {
		t.Errorf("Retry-After %q", got)
	}
}

// Whatever breaks inside says 'system.error' and a request id, and no more.
func TestBrokenDatabaseSaysSystemError(t *testing.T) {
	t.Parallel()
	s := serve(t, dbtest.SQLite(t))
	token := s.loginCall(t)
	if _, err := s.Store.Writer.ExecContext(t.Context(), "DROP TABLE session"); err != nil {
		t.Fatal(err)
	}
	t.Run("ER-03 SE-15 the server's part: login on a broken database", func(t *testing.T) {
		t.Parallel()
		reply := s.Call(t, "POST", "/wps/session/login", right)
		merchanttest.Want(t, reply, 500, systemError)
		if strings.Contains(string(reply.Body), "session") || strings.Contains(string(reply.Body), "SQL") {
			t.Errorf("the answer tells what broke: %s", reply.Body)
		}
	})
	t.Run("ER-03 SE-15 the server's part: any call on a broken database", func(t *testing.T) {
		t.Parallel()
		merchanttest.Want(t, s.Call(t, "GET", "/wps/session/touch", nil, "Authorization", token+"x"), 500, systemError)
	})
}
