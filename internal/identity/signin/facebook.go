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

const graphVersion = "/v23.0"

type facebookProvider struct {
	config oauth2.Config
	meURL  string
	http   *http.Client
}

func newFacebook(o Options) *facebookProvider {
	dialog, api := "https://www.facebook.com", "https://graph.facebook.com"
	if o.Facebook.URL != "" {
		dialog, api = o.Facebook.URL, o.Facebook.URL
	}
	return &facebookProvider{
		meURL: api + graphVersion + "/me", http: o.Client,
		config: oauth2.Config{
			ClientID: o.Facebook.ID, ClientSecret: o.Facebook.Secret, RedirectURL: callbackURL(o, facebook),
			Scopes: []string{"public_profile", "email"},
			Endpoint: oauth2.Endpoint{
				AuthURL: dialog + graphVersion + "/dialog/oauth", TokenURL: api + graphVersion + "/oauth/access_token",
				AuthStyle: oauth2.AuthStyleInParams,
			},
		},
	}
}

func (p *facebookProvider) authURL(_ context.Context, f flow) (string, error) {
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(f.Verifier)}
	if f.MemberID != 0 { // Facebook then asks for the password. It does not report the time of the login.
		options = append(options, oauth2.SetAuthURLParam("auth_type", "reauthenticate"))
	}
	return p.config.AuthCodeURL(f.State, options...), nil
}

func (p *facebookProvider) identify(ctx context.Context, f flow, code string) (identity, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.http)
	token, err := p.config.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return identity{}, fmt.Errorf("exchange the code: %w", err)
	}
	// appsecret_proof shows that the caller knows the app secret, so a stolen token is useless.
	proof := hmac.New(sha256.New, []byte(p.config.ClientSecret))
	proof.Write([]byte(token.AccessToken))
	query := url.Values{"fields": {"id,email"}, "appsecret_proof": {hex.EncodeToString(proof.Sum(nil))}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.meURL+"?"+query.Encode(), http.NoBody) //nolint:gosec // the operator sets the URL
	if err != nil {
		return identity{}, err
	}
	token.SetAuthHeader(request)
	response, err := p.http.Do(request) //nolint:gosec // the client reaches public addresses only
	if err != nil {
		return identity{}, fmt.Errorf("identify the person: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return identity{}, fmt.Errorf("identify the person: status %d", response.StatusCode)
	}
	var who struct {
		ID    string `json:"id"`
		Email string `json:"email"` // Facebook returns only verified addresses
	}
	if err := json.NewDecoder(response.Body).Decode(&who); err != nil {
		return identity{}, fmt.Errorf("read the person: %w", err)
	}
	if who.ID == "" {
		return identity{}, errors.New("the response has no id")
	}
	return identity{who.ID, who.Email}, nil
}
