package merchanttest

import (
	"maps"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/platform/db"
	"fairground/internal/platform/jwe/jwetest"
)

// Seal encrypts fields with the site's key. It adds a nonce, and the site's time unless fields contains one.
func (s *Site) Seal(t testing.TB, nonce string, fields map[string]any) string {
	t.Helper()
	body := map[string]any{"nonce": nonce, "time": db.Millis(s.Clock.Now())}
	maps.Copy(body, fields)
	return jwetest.Seal(t, Value[jose.JSONWebKey](t, s.Call(t, "GET", "/wps/session/key", nil)), body)
}
