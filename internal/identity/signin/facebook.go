package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"
)

// graphVersion is the version of Facebook's interface that is spoken here.
const graphVersion = "/v23.0"

// graph is Facebook: it speaks OAuth 2, and says who somebody is when asked with their token.
type graph struct {
	config oauth2.Config
	me     string
	http   *http.Client
}

func newFacebook(o Options) *graph {
	dialog, api := "https://www.facebook.com", "https://graph.facebook.com"
	if o.Facebook.URL != "" {
		dialog, api = o.Facebook.URL, o.Facebook.URL
	}
	return &graph{
		me: api + graphVersion + "/me", http: o.Client,
		config: oauth2.Config{
			ClientID: o.Facebook.ID, ClientSecret: o.Facebook.Secret, RedirectURL: callbackOf(o, facebook),
			Scopes: []string{"public_profile", "email"},
			Endpoint: oauth2.Endpoint{
				AuthURL: dialog + graphVersion + "/dialog/oauth", TokenURL: api + graphVersion + "/oauth/access_token",
				AuthStyle: oauth2.AuthStyleInParams,
			},
		},
	}
}

func (g *graph) address(_ context.Context, f flow) (string, error) {
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(f.Verifier)}
	if f.MemberID != 0 { // it asks for the password; when somebody last typed it, it does not tell
		options = append(options, oauth2.SetAuthURLParam("auth_type", "reauthenticate"))
	}
	return g.config.AuthCodeURL(f.State, options...), nil
}

func (g *graph) subject(ctx context.Context, f flow, code string) (person, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, g.http)
	token, err := g.config.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return person{}, fmt.Errorf("change the code: %w", err)
	}
	// The proof shows that the token is used by the app that it was given to.
	proof := hmac.New(sha256.New, []byte(g.config.ClientSecret))
	proof.Write([]byte(token.AccessToken))
	query := url.Values{"fields": {"id,email"}, "appsecret_proof": {hex.EncodeToString(proof.Sum(nil))}}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, g.me+"?"+query.Encode(), http.NoBody) //nolint:gosec // the operator names the service
	if err != nil {
		return person{}, err
	}
	token.SetAuthHeader(ask)
	reply, err := g.http.Do(ask) //nolint:gosec // the client reaches public addresses only
	if err != nil {
		return person{}, fmt.Errorf("ask who it is: %w", err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return person{}, fmt.Errorf("ask who it is: status %d", reply.StatusCode)
	}
	var who struct {
		ID    string `json:"id"`
		Email string `json:"email"` // only one that was confirmed is told
	}
	if err := json.NewDecoder(reply.Body).Decode(&who); err != nil {
		return person{}, fmt.Errorf("read who it is: %w", err)
	}
	if who.ID == "" {
		return person{}, errors.New("the answer names nobody")
	}
	return person{who.ID, who.Email}, nil
}
