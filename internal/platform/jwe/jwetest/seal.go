// Package jwetest encrypts request bodies as browsers do. It is for tests only.
package jwetest

import (
	"encoding/json"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// Seal encrypts a body to a key, and gives what a browser then sends as data.
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
