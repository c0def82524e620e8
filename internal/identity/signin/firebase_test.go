package signin_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/signin"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestFirebasePhoneTokens(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHarness(t, store)
		ctx := t.Context()
		token := h.provider.phoneToken(nil)
		consume, err := h.signin.VerifyPhoneToken(ctx, token, "+84912345678")
		if err != nil {
			t.Fatal(err)
		}
		rolledBack := errors.New("rolled back")
		err = store.Write(ctx, func(tx *db.Tx) error { return errors.Join(consume(ctx, tx), rolledBack) })
		if !errors.Is(err, rolledBack) || errors.Is(err, signin.ErrInvalidPhoneToken) {
			t.Errorf("got %v, want rolledBack", err)
		}
		if err := h.signin.ConsumePhoneToken(ctx, token, "+84912345678"); err != nil {
			t.Errorf("after a rollback: %v, want success", err)
		}
		if err := h.signin.ConsumePhoneToken(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
			t.Errorf("a used token: %v, want ErrInvalidPhoneToken", err)
		}
		token = h.provider.phoneToken(map[string]any{"phone_number": "+84987654321"})
		if err := h.signin.ConsumePhoneToken(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
			t.Errorf("a token for another number: %v, want ErrInvalidPhoneToken", err)
		}
		h.provider.rotate(t, "key-2")
		token = h.provider.phoneToken(nil)
		if err := h.signin.ConsumePhoneToken(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
			t.Errorf("a token signed with a new key, within the key-fetch interval: %v, want ErrInvalidPhoneToken", err)
		}
		h.Clock.Add(10 * time.Second)
		// The key-set library may reuse the previous download for a moment, so a retry may see the old keys.
		err = h.signin.ConsumePhoneToken(ctx, token, "+84912345678")
		for tries := 0; err != nil && tries < 6000; tries++ {
			time.Sleep(10 * time.Millisecond)
			err = h.signin.ConsumePhoneToken(ctx, token, "+84912345678")
		}
		if err != nil {
			t.Errorf("a token signed with a new key, after the key-fetch interval: %v", err)
		}
		past := h.Clock.Now().Add(-time.Minute).Unix()
		for what, changes := range map[string]map[string]any{
			"RG-09 expired":                  {"exp": past},
			"another project":                {"aud": "other"},
			"another issuer":                 {"iss": "https://securetoken.google.com/other"},
			"without a number":               {"phone_number": ""},
			"password sign-in":               {"firebase": map[string]any{"sign_in_provider": "password"}},
			"without a subject":              {"sub": ""},
			"malformed firebase claim":       {"firebase": "phone"},
			"RG-09 auth_time 61 minutes ago": {"auth_time": h.Clock.Now().Add(-61 * time.Minute).Unix()},
			"RG-09 without auth_time":        {"auth_time": nil},
			"RG-09 auth_time in the future":  {"auth_time": h.Clock.Now().Add(2 * time.Minute).Unix()},
		} {
			if err := h.signin.ConsumePhoneToken(ctx, h.provider.phoneToken(changes), "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
				t.Errorf("%s: %v, want ErrInvalidPhoneToken", what, err)
			}
		}
		otherProvider := newFakeProvider(t, h.Clock.Now)
		for what, bad := range map[string]string{
			"unknown key": otherProvider.phoneToken(nil), "nonsense": "nonsense", "empty": "",
			"unsigned": "eyJhbGciOiJub25lIn0." + strings.Split(h.provider.phoneToken(nil), ".")[1] + ".",
		} {
			if err := h.signin.ConsumePhoneToken(ctx, bad, "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
				t.Errorf("%s: %v, want ErrInvalidPhoneToken", what, err)
			}
		}
	})
}

// The last base64url character of a 2048-bit signature has four unused bits, and the verifier ignores white space. So several strings decode
// to the same token.
func TestReencodedFirebaseTokenIsRejected(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHarness(t, store)
		token := h.provider.phoneToken(nil)
		last := len(token) - 1
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		other := token[:last] + string(alphabet[strings.IndexByte(alphabet, token[last])|1])
		encodings := map[string]string{
			"another last character": other, "newline at the end": token + "\n", "newline inside": token[:9] + "\n" + token[9:],
			"space in front": " " + token, "padding": token + "==", "the same string": token,
		}
		if err := h.signin.ConsumePhoneToken(t.Context(), token, "+84912345678"); err != nil {
			t.Fatalf("first use: %v", err)
		}
		for name, text := range encodings {
			if err := h.signin.ConsumePhoneToken(t.Context(), text, "+84912345678"); !errors.Is(err, signin.ErrInvalidPhoneToken) {
				t.Errorf("second use, %s: got %v, want ErrInvalidPhoneToken", name, err)
			}
		}
	})
}
