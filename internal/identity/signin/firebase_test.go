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

func TestFirebasePhones(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newWorld(t, store)
		ctx := t.Context()
		token := h.provider.phoneToken(nil)
		spend, err := h.signin.Proof(ctx, token, "+84912345678")
		if err != nil {
			t.Fatal(err)
		}
		undone := errors.New("undone")
		err = store.Write(ctx, func(tx *db.Tx) error { return errors.Join(spend(ctx, tx), undone) })
		if !errors.Is(err, undone) || errors.Is(err, signin.ErrUnproved) {
			t.Error(err)
		}
		if err := h.signin.Prove(ctx, token, "+84912345678"); err != nil {
			t.Errorf("after what it was for was undone: %v", err)
		}
		if err := h.signin.Prove(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
			t.Errorf("a second time: %v", err)
		}
		token = h.provider.phoneToken(map[string]any{"phone_number": "+84987654321"})
		if err := h.signin.Prove(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
			t.Errorf("of another number: %v", err)
		}
		h.provider.rotate(t, "key-2")
		token = h.provider.phoneToken(nil)
		if err := h.signin.Prove(ctx, token, "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
			t.Errorf("the keys were fetched again at once: %v", err)
		}
		h.Clock.Add(10 * time.Second)
		// The library lets go of a fetch a moment after it has answered: whoever comes within it is given the old answer.
		err = h.signin.Prove(ctx, token, "+84912345678")
		for tries := 0; err != nil && tries < 6000; tries++ {
			time.Sleep(10 * time.Millisecond)
			err = h.signin.Prove(ctx, token, "+84912345678")
		}
		if err != nil {
			t.Errorf("by a new key: %v", err)
		}
		past := h.Clock.Now().Add(-time.Minute).Unix()
		for what, changes := range map[string]map[string]any{
			"RG-09 expired":              {"exp": past},
			"of another project":         {"aud": "other"},
			"of another issuer":          {"iss": "https://securetoken.google.com/other"},
			"without a number":           {"phone_number": ""},
			"by a password":              {"firebase": map[string]any{"sign_in_provider": "password"}},
			"of nobody":                  {"sub": ""},
			"with another's form":        {"firebase": "phone"},
			"RG-09 proved long ago":      {"auth_time": h.Clock.Now().Add(-61 * time.Minute).Unix()},
			"RG-09 without auth_time":    {"auth_time": nil},
			"RG-09 proved in the future": {"auth_time": h.Clock.Now().Add(2 * time.Minute).Unix()},
		} {
			if err := h.signin.Prove(ctx, h.provider.phoneToken(changes), "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
				t.Errorf("%s: %v", what, err)
			}
		}
		stranger := newService(t, h.Clock.Now)
		for what, bad := range map[string]string{
			"by a stranger's key": stranger.phoneToken(nil), "nonsense": "nonsense", "empty": "",
			"unsigned": "eyJhbGciOiJub25lIn0." + strings.Split(h.provider.phoneToken(nil), ".")[1] + ".",
		} {
			if err := h.signin.Prove(ctx, bad, "+84912345678"); !errors.Is(err, signin.ErrUnproved) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
