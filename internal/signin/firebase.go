package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/coreos/go-oidc/v3/oidc"

	"fairground/internal/db"
)

// Firebase is the project whose tokens prove phone numbers.
type Firebase struct {
	Project string // empty: not used
	KeysURL string // where its public keys are; empty: Google's own
}

const (
	firebaseIssuer = "https://securetoken.google.com/"
	firebaseKeys   = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
)

// phones reads the tokens that Firebase gives to those who have proved a number.
type phones struct{ verifier *oidc.IDTokenVerifier }

func newPhones(o Options) phones {
	keys := o.Firebase.KeysURL
	if keys == "" {
		keys = firebaseKeys
	}
	// The keys are fetched when they are first needed, and again when an unknown one signs.
	set := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), o.HTTP), keys)
	return phones{oidc.NewVerifier(firebaseIssuer+o.Firebase.Project, set, &oidc.Config{
		ClientID: o.Firebase.Project, SupportedSigningAlgs: []string{oidc.RS256}, Now: o.Now,
	})}
}

// Phone gives the number, E.164, whose holder a token was given to, and uses the token up.
func (s *Service) Phone(ctx context.Context, token string) (string, error) {
	e164, id, err := s.readPhone(ctx, token)
	if err != nil {
		return "", err
	}
	return e164, s.spendPhone(ctx, token, id)
}

// Prove uses up a token that shows that somebody holds this number.
func (s *Service) Prove(ctx context.Context, token, e164 string) error {
	proved, id, err := s.readPhone(ctx, token)
	if err != nil {
		return err
	}
	if proved != e164 {
		return ErrUnproved
	}
	return s.spendPhone(ctx, token, id)
}

func (s *Service) readPhone(ctx context.Context, token string) (string, *oidc.IDToken, error) {
	if s.phones.verifier == nil {
		return "", nil, ErrUnproved
	}
	id, err := s.phones.verifier.Verify(ctx, token)
	if err != nil {
		return "", nil, ErrUnproved.Because(err)
	}
	var claims struct {
		Phone    string `json:"phone_number"`
		Firebase struct {
			Provider string `json:"sign_in_provider"`
		} `json:"firebase"`
	}
	if err := id.Claims(&claims); err != nil {
		return "", nil, ErrUnproved.Because(err)
	}
	// An account with a number can be entered in other ways too, by people who do not hold the phone.
	if claims.Phone == "" || claims.Firebase.Provider != "phone" || id.Subject == "" {
		return "", nil, ErrUnproved.Because(fmt.Errorf("a token by %q", claims.Firebase.Provider))
	}
	return claims.Phone, id, nil
}

// spendPhone lets a token be used once: it lives for an hour, and whoever sees it meanwhile must not get in.
func (s *Service) spendPhone(ctx context.Context, token string, id *oidc.IDToken) error {
	digest := sha256.Sum256([]byte(token))
	var first bool
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = s.o.Keys.Spend(ctx, tx.Q, phonePurpose, base64.RawURLEncoding.EncodeToString(digest[:]), id.Expiry)
		return err
	})
	if err == nil && !first {
		err = ErrUnproved
	}
	return err
}
