package signin_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	clientID     = "fairground-client"
	clientSecret = "fairground-secret"
	siteOrigin   = "http://play.example"
)

// A grant is a login at the provider whose code is not exchanged yet.
type grant struct {
	subject, nonce, challenge, redirectURI string
	loggedIn                               time.Time // zero unless requested
}

// A fakeProvider acts as an OpenID Connect issuer like Google (discovery, authorization with PKCE, tokens, keys) and as Facebook's OAuth 2
// with its Graph API.
type fakeProvider struct {
	*httptest.Server
	now  func() time.Time
	keys map[string]*rsa.PrivateKey // by id

	mu            sync.Mutex
	person        string                      // the person who logs in
	email         string                      // empty if the person does not share it
	verified      bool                        // whether the address is verified
	tamper        func(claims map[string]any) // changes the claims before signing
	signAs        string                      // key id
	loggedIn      time.Time                   // when the person last logged in
	ignoresReauth bool                        // does not log the person in again on request
	lastQuery     url.Values                  // of the last authorization request
	codes         map[string]grant
	tokens        map[string]string // access token to person
}

func newFakeProvider(t *testing.T, now func() time.Time) *fakeProvider {
	t.Helper()
	s := &fakeProvider{now: now, keys: map[string]*rsa.PrivateKey{}, person: "person-1", loggedIn: now().Add(-time.Hour), codes: map[string]grant{}, tokens: map[string]string{}}
	s.rotate(t, "key-1")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", s.discovery)
	mux.HandleFunc("GET /keys", s.publicKeys)
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("GET /v23.0/dialog/oauth", s.authorize)
	mux.HandleFunc("POST /token", s.token)
	mux.HandleFunc("POST /v23.0/oauth/access_token", s.token)
	mux.HandleFunc("GET /v23.0/me", s.me)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeProvider) rotate(t *testing.T, id string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[id], s.signAs = key, id
}

func (s *fakeProvider) discovery(w http.ResponseWriter, _ *http.Request) {
	respond(w, map[string]any{
		"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "jwks_uri": s.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"},
		"subject_types_supported": []string{"public"},
	})
}

func (s *fakeProvider) publicKeys(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var set jose.JSONWebKeySet
	for id, key := range s.keys {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: key.Public(), KeyID: id, Algorithm: "RS256", Use: "sig"})
	}
	respond(w, set)
}

// authorize logs the person in without showing a page.
func (s *fakeProvider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	redirectURI, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || redirectURI.Scheme+"://"+redirectURI.Host != siteOrigin || q.Get("client_id") != clientID || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || q.Get("state") == "" {
		http.Error(w, "refused", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	s.mu.Lock()
	s.lastQuery = q
	if !s.ignoresReauth && (q.Get("max_age") == "0" || q.Get("auth_type") == "reauthenticate") {
		s.loggedIn = s.now()
	}
	g := grant{subject: s.person, nonce: q.Get("nonce"), challenge: q.Get("code_challenge"), redirectURI: q.Get("redirect_uri")}
	if strings.Contains(q.Get("claims"), `"auth_time"`) {
		g.loggedIn = s.loggedIn
	}
	s.codes[code] = g
	s.mu.Unlock()
	redirectURI.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, redirectURI.String(), http.StatusFound)
}

// token exchanges a code for tokens. A code works once.
func (s *fakeProvider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.codes[r.PostFormValue("code")]
	delete(s.codes, r.PostFormValue("code"))
	digest := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || id != clientID || secret != clientSecret || r.PostFormValue("redirect_uri") != g.redirectURI ||
		r.PostFormValue("grant_type") != "authorization_code" || base64.RawURLEncoding.EncodeToString(digest[:]) != g.challenge {
		w.WriteHeader(http.StatusBadRequest)
		respond(w, map[string]string{"error": "invalid_grant"})
		return
	}
	access := rand.Text()
	s.tokens[access] = g.subject
	claims := map[string]any{
		"iss": s.URL, "aud": clientID, "sub": g.subject, "nonce": g.nonce,
		"iat": s.now().Unix(), "exp": s.now().Add(time.Hour).Unix(),
	}
	if !g.loggedIn.IsZero() {
		claims["auth_time"] = g.loggedIn.Unix()
	}
	if s.email != "" {
		claims["email"], claims["email_verified"] = s.email, s.verified
	}
	if s.tamper != nil {
		s.tamper(claims)
	}
	respond(w, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 3600, "id_token": s.sign(claims)})
}

// me is Facebook's endpoint for the person's profile. It checks appsecret_proof.
func (s *fakeProvider) me(w http.ResponseWriter, r *http.Request) {
	access := r.Header.Get("Authorization")[len("Bearer "):]
	mac := hmac.New(sha256.New, []byte(clientSecret))
	mac.Write([]byte(access))
	s.mu.Lock()
	defer s.mu.Unlock()
	who, ok := s.tokens[access]
	if !ok || r.URL.Query().Get("appsecret_proof") != hex.EncodeToString(mac.Sum(nil)) || r.URL.Query().Get("fields") != "id,email" {
		w.WriteHeader(http.StatusBadRequest)
		respond(w, map[string]any{"error": map[string]string{"type": "OAuthException"}})
		return
	}
	profile := map[string]string{"id": who}
	if s.email != "" && s.verified { // Facebook reports only verified addresses
		profile["email"] = s.email
	}
	respond(w, profile)
}

// sign returns a signed JWT. The caller must hold s.mu.
func (s *fakeProvider) sign(claims map[string]any) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: s.keys[s.signAs], KeyID: s.signAs}}, nil)
	if err != nil {
		panic(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	object, err := signer.Sign(payload)
	if err != nil {
		panic(err)
	}
	text, err := object.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return text
}

// phoneToken returns a Firebase token for a verified number, with changed claims.
func (s *fakeProvider) phoneToken(changes map[string]any) string {
	claims := map[string]any{
		"iss": "https://securetoken.google.com/" + clientID, "aud": clientID, "sub": rand.Text(), "phone_number": "+84912345678",
		"iat": s.now().Unix(), "auth_time": s.now().Unix(), "exp": s.now().Add(time.Hour).Unix(),
		"firebase": map[string]any{"sign_in_provider": "phone"},
	}
	maps.Copy(claims, changes)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sign(claims)
}

func respond(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}
