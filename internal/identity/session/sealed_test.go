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

// seal gives the body of an encrypted login of minhanh92, with changes.
func (s *site) seal(t *testing.T, nonce string, changes map[string]any) map[string]string {
	t.Helper()
	fields := map[string]any{"username": "minhanh92", "password": "qua-xanh7"}
	maps.Copy(fields, changes)
	return map[string]string{"data": s.Seal(t, nonce, fields)}
}

func TestEncryptedLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := serve(t, store)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/session/key", nil), 200,
			`{"success":true,"value":{"kty":"EC","crv":"P-256","x":"(varies)","y":"(varies)","kid":"(varies)","alg":"ECDH-ES","use":"enc"}}`, "x", "y", "kid")
		good := s.seal(t, "0123456789abcdef", nil)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", good, "Encryption", "jwe"), 200, agentGrant, "token")
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", good, "Encryption", "jwe"), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"jwe.invalid","field":"data"}`)
		for name, body := range map[string]any{
			"sealed_wrong_password": s.seal(t, "nonce-nonce-nonce-1", map[string]any{"password": "qua-xanh8"}),
			"sealed_clock":          s.seal(t, "nonce-nonce-nonce-2", map[string]any{"time": db.Millis(s.Clock.Now().Add(-24 * time.Hour))}),
			"sealed_no_password":    s.seal(t, "nonce-nonce-nonce-3", map[string]any{"password": ""}),
			"sealed_long_username":  s.seal(t, "nonce-nonce-nonce-4", map[string]any{"username": strings.Repeat("x", 65)}),
			"sealed_other_type":     s.seal(t, "nonce-nonce-nonce-5", map[string]any{"type": "telepathy"}),
			"sealed_more":           s.seal(t, "nonce-nonce-nonce-6", map[string]any{"memberType": 2}),
			"sealed_nonsense":       map[string]string{"data": "nonsense"},
			"sealed_nothing":        `{}`,
			"sealed_and_plain":      map[string]string{"data": good["data"], "username": "minhanh92"},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/session/login", body, "Encryption", "jwe"), "message")
			})
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", good), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"request_param_err","field":"data"}`)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", good, "Encryption", "rot13"), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"Encryption"}`, "message")
	})
}
