package jwe_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

// The web app's tests encrypt to the same vector.
func TestDecryptsVectorOfWebApp(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/vector.json")
	if err != nil {
		t.Fatal(err)
	}
	var vector struct {
		Recipient jose.JSONWebKey
		Body      map[string]any
		Compact   string
	}
	if err := json.Unmarshal(file, &vector); err != nil {
		t.Fatal(err)
	}
	object, err := jose.ParseEncryptedCompact(vector.Compact, []jose.KeyAlgorithm{jose.ECDH_ES}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := object.Decrypt(vector.Recipient)
	if err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(plain, &body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vector.Body, body); diff != "" {
		t.Errorf("decrypted body differs (-want +got):\n%s", diff)
	}
}
