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
		merchanttest.Golden(t, "key", s.Call(t, "GET", "/wps/session/key", nil), "x", "y", "kid")
		good := s.seal(t, "0123456789abcdef", nil)
		merchanttest.Golden(t, "login", s.Call(t, "POST", "/wps/session/login", good, "Encryption", "jwe"), "token")
		merchanttest.Golden(t, "sealed_replay", s.Call(t, "POST", "/wps/session/login", good, "Encryption", "jwe"))
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
		merchanttest.Golden(t, "sealed_unsaid", s.Call(t, "POST", "/wps/session/login", good))
		merchanttest.Golden(t, "sealed_other_way", s.Call(t, "POST", "/wps/session/login", good, "Encryption", "rot13"), "message")
	})
}
