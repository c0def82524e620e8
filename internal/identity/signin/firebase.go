package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"fairground/internal/platform/db"
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

const (
	provedFor  = time.Hour   // how long ago a number may have been proved
	clockSlack = time.Minute // by which a provider's clock may be ahead
)

// phones reads the tokens that Firebase gives to those who have proved a number.
type phones struct{ verifier *oidc.IDTokenVerifier }

func newPhones(o Options) phones {
	keys := o.Firebase.KeysURL
	if keys == "" {
		keys = firebaseKeys
	}
	// The keys are fetched when they are first needed, and again when an unknown one signs, with a pause between: anybody
	// can send a token that names one.
	client := *o.Client
	client.Transport = &paced{under: o.Client.Transport, now: o.Now}
	set := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), &client), keys)
	return phones{oidc.NewVerifier(firebaseIssuer+o.Firebase.Project, set, &oidc.Config{
		ClientID: o.Firebase.Project, SupportedSigningAlgs: []string{oidc.RS256}, Now: o.Now,
	})}
}

// keysPause is how soon after a fetch of the keys there is another at the earliest.
const keysPause = 10 * time.Second

var errPaced = errors.New("the keys were only just fetched")

// paced lets one request through, and none for a while after it.
type paced struct {
	under http.RoundTripper // nil: the usual
	now   func() time.Time

	mu   sync.Mutex
	last time.Time
}

// RoundTrip sends a request or refuses it at once.
func (p *paced) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	now := p.now()
	early := !p.last.IsZero() && now.Sub(p.last) < keysPause
	if !early {
		p.last = now
	}
	p.mu.Unlock()
	if early {
		return nil, errPaced
	}
	if p.under == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	return p.under.RoundTrip(r)
}

// Prove uses up a token that shows that somebody holds this number.
func (s *Service) Prove(ctx context.Context, token, e164 string) error {
	spend, err := s.Proof(ctx, token, e164)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error { return spend(ctx, tx) })
}

// Proof finds that a token shows that somebody holds this number. spend uses it up, in the transaction of what it is for:
// it lives for an hour, and whoever sees it meanwhile must not get in.
func (s *Service) Proof(ctx context.Context, token, e164 string) (spend func(context.Context, *db.Tx) error, err error) {
	proved, id, err := s.readPhone(ctx, token)
	if err != nil {
		return nil, err
	}
	if proved != e164 {
		return nil, ErrUnproved
	}
	digest := sha256.Sum256([]byte(token))
	return func(ctx context.Context, tx *db.Tx) error {
		first, err := s.o.Keys.Spend(ctx, tx.Q, phonePurpose, base64.RawURLEncoding.EncodeToString(digest[:]), id.Expiry)
		if err == nil && !first {
			err = ErrUnproved
		}
		return err
	}, nil
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
		Proved   int64  `json:"auth_time"` // in seconds
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
	// A browser that proved a number once is given new tokens for as long as it asks, whoever holds the number by then.
	if age := s.o.Now().Sub(time.Unix(claims.Proved, 0)); age > provedFor || age < -clockSlack {
		return "", nil, ErrUnproved.Because(fmt.Errorf("the number was proved %s ago", age))
	}
	return claims.Phone, id, nil
}
