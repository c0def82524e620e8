package session_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// encrypt returns the body of an encrypted login of minhanh92, with changes.
func (s *loginSite) encrypt(t *testing.T, nonce string, changes map[string]any) map[string]string {
	t.Helper()
	fields := map[string]any{"username": "minhanh92", "password": "qua-xanh7"}
	maps.Copy(fields, changes)
	return map[string]string{"data": s.Seal(t, nonce, fields)}
}

func TestEncryptedLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serveRoutes(t, store)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/session/key", nil), 200,
			`{"success":true,"value":{"kty":"EC","crv":"P-256","x":"(varies)","y":"(varies)","kid":"(varies)","alg":"ECDH-ES","use":"enc"}}`, "x", "y", "kid")
		valid := s.encrypt(t, "0123456789abcdef", nil)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", valid, "Encryption", "jwe"), 200, agentGrant, "token")
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", valid, "Encryption", "jwe"), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"jwe.invalid","field":"data"}`)
		for name, c := range map[string]struct {
			request any
			status  int
			body    string
		}{
			"wrong password": {s.encrypt(t, "nonce-nonce-nonce-1", map[string]any{"password": "qua-xanh8"}), 401, loginIncorrectCaptcha},
			"time outside the window": {s.encrypt(t, "nonce-nonce-nonce-2", map[string]any{"time": db.Millis(s.Clock.Now().Add(-24 * time.Hour))}), 400,
				`{"success":false,"message":"(varies)","errorCode":"jwe.time","args":{"now":"1773480413000"}}`},
			"no password": {s.encrypt(t, "nonce-nonce-nonce-3", map[string]any{"password": ""}), 400,
				`{"success":false,"message":"(varies)","errorCode":"member.password_required","field":"password"}`},
			"username too long": {s.encrypt(t, "nonce-nonce-nonce-4", map[string]any{"username": strings.Repeat("x", 65)}), 400,
				`{"success":false,"message":"(varies)","errorCode":"validation.max","field":"username","args":{"max":"64"}}`},
			"unknown login type": {s.encrypt(t, "nonce-nonce-nonce-5", map[string]any{"type": "telepathy"}), 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"type"}`},
			"unknown field": {s.encrypt(t, "nonce-nonce-nonce-6", map[string]any{"memberType": 2}), 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err"}`},
			"not a JWE": {map[string]string{"data": "nonsense"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"jwe.invalid","field":"data"}`},
			"no data": {`{}`, 400, `{"success":false,"message":"(varies)","errorCode":"jwe.invalid","field":"data"}`},
			"data and plain fields": {map[string]string{"data": valid["data"], "username": "minhanh92"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"data"}`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", c.request, "Encryption", "jwe"), c.status, c.body, "message")
			})
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", valid), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"request_param_err","field":"data"}`)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", valid, "Encryption", "rot13"), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"Encryption"}`, "message")
	})
}
