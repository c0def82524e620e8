package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"fairground/internal/platform/db"
)

// Firebase identifies the Firebase project whose tokens verify phone numbers.
type Firebase struct {
	Project string // empty if Firebase is off
	KeysURL string // URL of the public keys; empty for Google's
}

const (
	firebaseIssuer = "https://securetoken.google.com/"
	firebaseKeys   = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
)

const (
	maxPhoneLoginAge = time.Hour   // since the person verified the number
	clockSkew        = time.Minute // how far a provider's clock may be ahead
)

type phoneVerifier struct{ verifier *oidc.IDTokenVerifier }

func newPhoneVerifier(o Options) phoneVerifier {
	keysURL := o.Firebase.KeysURL
	if keysURL == "" {
		keysURL = firebaseKeys
	}
	// The verifier fetches the keys on first use, and again for every unknown key id. Anyone can send an unknown id, so fetches are throttled.
	client := *o.Client
	client.Transport = &throttledTransport{next: o.Client.Transport, now: o.Now}
	keySet := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), &client), keysURL)
	return phoneVerifier{oidc.NewVerifier(firebaseIssuer+o.Firebase.Project, keySet, &oidc.Config{
		ClientID: o.Firebase.Project, SupportedSigningAlgs: []string{oidc.RS256}, Now: o.Now,
	})}
}

const minFetchInterval = 10 * time.Second

var errThrottled = errors.New("the keys were fetched less than 10 seconds ago")

// A throttledTransport sends at most one request per minFetchInterval. It fails the others immediately.
type throttledTransport struct {
	next http.RoundTripper // nil for http.DefaultTransport
	now  func() time.Time

	mu   sync.Mutex
	last time.Time
}

// RoundTrip implements http.RoundTripper.
func (p *throttledTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	now := p.now()
	early := !p.last.IsZero() && now.Sub(p.last) < minFetchInterval
	if !early {
		p.last = now
	}
	p.mu.Unlock()
	if early {
		return nil, errThrottled
	}
	if p.next == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	return p.next.RoundTrip(r)
}

// ConsumePhoneToken verifies a token for this number and marks it as used.
func (s *Service) ConsumePhoneToken(ctx context.Context, token, e164 string) error {
	consume, err := s.VerifyPhoneToken(ctx, token, e164)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return consume(ctx, tx) })
}

// VerifyPhoneToken verifies a token for this number. The returned function marks the token as used in the caller's transaction.
func (s *Service) VerifyPhoneToken(ctx context.Context, token, e164 string) (consume func(context.Context, *db.Tx) error, err error) {
	claims, err := decodeClaims(token)
	if err != nil {
		return nil, err
	}
	phone, id, err := s.verifyPhone(ctx, token)
	if err != nil {
		return nil, err
	}
	if phone != e164 {
		return nil, ErrInvalidPhoneToken
	}
	// Several encodings of a token can hold the same claims, so the digest of the claims identifies it.
	digest := sha256.Sum256(claims)
	return func(ctx context.Context, tx *db.Tx) error {
		firstUse, err := s.o.Keys.Spend(ctx, tx.Q, phonePurpose, base64.RawURLEncoding.EncodeToString(digest[:]), id.Expiry)
		if err == nil && !firstUse {
			err = ErrInvalidPhoneToken
		}
		return err
	}, nil
}

// decodeClaims returns the claims of a token. It rejects base64url that is not canonical, which the verifier accepts.
func decodeClaims(token string) ([]byte, error) {
	var claims []byte
	parts := strings.Split(token, ".")
	for i, part := range parts {
		decoded, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil || base64.RawURLEncoding.EncodeToString(decoded) != part {
			return nil, ErrInvalidPhoneToken.Because(fmt.Errorf("part %d of the token is not canonical base64url", i+1))
		}
		if i == 1 {
			claims = decoded
		}
	}
	if len(parts) != 3 {
		return nil, ErrInvalidPhoneToken.Because(fmt.Errorf("the token has %d parts, want 3", len(parts)))
	}
	return claims, nil
}

func (s *Service) verifyPhone(ctx context.Context, token string) (string, *oidc.IDToken, error) {
	if s.phoneVerifier.verifier == nil {
		return "", nil, ErrInvalidPhoneToken
	}
	id, err := s.phoneVerifier.verifier.Verify(ctx, token)
	if err != nil {
		return "", nil, ErrInvalidPhoneToken.Because(err)
	}
	var claims struct {
		Phone      string `json:"phone_number"`
		VerifiedAt int64  `json:"auth_time"` // in seconds
		Firebase   struct {
			Provider string `json:"sign_in_provider"`
		} `json:"firebase"`
	}
	if err := id.Claims(&claims); err != nil {
		return "", nil, ErrInvalidPhoneToken.Because(err)
	}
	// An account with a phone number can also log in by other means, which do not verify the number.
	if claims.Phone == "" || claims.Firebase.Provider != "phone" || id.Subject == "" {
		return "", nil, ErrInvalidPhoneToken.Because(fmt.Errorf("unexpected sign-in provider %q", claims.Firebase.Provider))
	}
	// Firebase renews tokens without verifying the number again, even when the number has a new owner.
	if age := s.o.Now().Sub(time.Unix(claims.VerifiedAt, 0)); age > maxPhoneLoginAge || age < -clockSkew {
		return "", nil, ErrInvalidPhoneToken.Because(fmt.Errorf("auth_time is %s ago", age))
	}
	return claims.Phone, id, nil
}
