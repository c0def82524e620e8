// Package jwetest encrypts request bodies for tests.
package jwetest

import (
	"encoding/json"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// Seal encrypts body to key and returns the "data" field of the request.
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
