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

// Firebase is the project whose tokens prove phone numbers.
type Firebase struct {
	Project string // empty: off
	KeysURL string // URL of the public keys; empty: Google's
}

const (
	firebaseIssuer = "https://securetoken.google.com/"
	firebaseKeys   = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
)

const (
	maxProofAge = time.Hour   // maximum age of the proof of a number
	clockSkew   = time.Minute // maximum lead of a provider's clock
)

type phones struct{ verifier *oidc.IDTokenVerifier }

func newPhones(o Options) phones {
	keys := o.Firebase.KeysURL
	if keys == "" {
		keys = firebaseKeys
	}
	// The verifier fetches the keys on first use, and again for an unknown key id. Anyone can send such an id, so fetches are throttled.
	client := *o.Client
	client.Transport = &throttledTransport{next: o.Client.Transport, now: o.Now}
	set := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), &client), keys)
	return phones{oidc.NewVerifier(firebaseIssuer+o.Firebase.Project, set, &oidc.Config{
		ClientID: o.Firebase.Project, SupportedSigningAlgs: []string{oidc.RS256}, Now: o.Now,
	})}
}

const minKeysInterval = 10 * time.Second

var errThrottled = errors.New("the keys were fetched less than 10 seconds ago")

// A throttledTransport lets one request through per minKeysInterval.
type throttledTransport struct {
	next http.RoundTripper // nil: http.DefaultTransport
	now  func() time.Time

	mu   sync.Mutex
	last time.Time
}

// RoundTrip sends a request or fails at once.
func (p *throttledTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	now := p.now()
	early := !p.last.IsZero() && now.Sub(p.last) < minKeysInterval
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

// Prove consumes a token that proves this number.
func (s *Service) Prove(ctx context.Context, token, e164 string) error {
	spend, err := s.Proof(ctx, token, e164)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return spend(ctx, tx) })
}

// Proof verifies that a token proves this number. spend consumes the token, which stays valid for an hour, in the caller's transaction.
func (s *Service) Proof(ctx context.Context, token, e164 string) (spend func(context.Context, *db.Tx) error, err error) {
	claims, err := decodeClaims(token)
	if err != nil {
		return nil, err
	}
	proved, id, err := s.verifyPhone(ctx, token)
	if err != nil {
		return nil, err
	}
	if proved != e164 {
		return nil, ErrUnproved
	}
	// The claims are signed; several texts of the token could hold the same claims.
	digest := sha256.Sum256(claims)
	return func(ctx context.Context, tx *db.Tx) error {
		first, err := s.o.Keys.Spend(ctx, tx.Q, phonePurpose, base64.RawURLEncoding.EncodeToString(digest[:]), id.Expiry)
		if err == nil && !first {
			err = ErrUnproved
		}
		return err
	}, nil
}

// decodeClaims returns the claims of a token. It refuses texts that are not canonical base64url, which the verifier accepts.
func decodeClaims(token string) ([]byte, error) {
	var claims []byte
	parts := strings.Split(token, ".")
	for i, part := range parts {
		decoded, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil || base64.RawURLEncoding.EncodeToString(decoded) != part {
			return nil, ErrUnproved.Because(fmt.Errorf("part %d of the token is not canonical base64url", i+1))
		}
		if i == 1 {
			claims = decoded
		}
	}
	if len(parts) != 3 {
		return nil, ErrUnproved.Because(fmt.Errorf("the token has %d parts, want 3", len(parts)))
	}
	return claims, nil
}

func (s *Service) verifyPhone(ctx context.Context, token string) (string, *oidc.IDToken, error) {
	if s.phones.verifier == nil {
		return "", nil, ErrUnproved
	}
	id, err := s.phones.verifier.Verify(ctx, token)
	if err != nil {
		return "", nil, ErrUnproved.Because(err)
	}
	var claims struct {
		Phone    string `json:"phone_number"`
		Proved   int64  `json:"auth_time"` // in seconds
		Firebase struct {
			Provider string `json:"sign_in_provider"`
		} `json:"firebase"`
	}
	if err := id.Claims(&claims); err != nil {
		return "", nil, ErrUnproved.Because(err)
	}
	// Accounts with a number can also log in without the phone.
	if claims.Phone == "" || claims.Firebase.Provider != "phone" || id.Subject == "" {
		return "", nil, ErrUnproved.Because(fmt.Errorf("unexpected sign-in provider %q", claims.Firebase.Provider))
	}
	// Firebase renews tokens without a new proof, even when the number has another owner.
	if age := s.o.Now().Sub(time.Unix(claims.Proved, 0)); age > maxProofAge || age < -clockSkew {
		return "", nil, ErrUnproved.Because(fmt.Errorf("auth_time is %s ago", age))
	}
	return claims.Phone, id, nil
}
