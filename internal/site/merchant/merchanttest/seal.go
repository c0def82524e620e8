package merchanttest

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/platform/db"
)

// Seal encrypts a body to a key as a browser does, and gives what it then sends as data.
func Seal(t testing.TB, key jose.JSONWebKey, body map[string]any) string {
	t.Helper()
	plain, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	e, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.ECDH_ES, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	object, err := e.Encrypt(plain)
	if err != nil {
		t.Fatal(err)
	}
	data, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Seal encrypts fields to the site's key, with a nonce and the site's time unless the fields say another.
func (s *Site) Seal(t testing.TB, nonce string, fields map[string]any) string {
	t.Helper()
	body := map[string]any{"nonce": nonce, "time": db.Millis(s.Clock.Now())}
	maps.Copy(body, fields)
	return Seal(t, Value[jose.JSONWebKey](t, s.Call(t, "GET", "/wps/session/key", nil)), body)
}
