package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/go-jose/go-jose/v4"
)

// A delivery is a message that the server sent.
type delivery struct{ to, text string }

// deliveries receives the messages of a fake gateway or mail server.
type deliveries chan delivery

// code waits for the next message with a code and returns the code.
func (d deliveries) code(t *testing.T, to string) string {
	t.Helper()
	return sixDigits.FindString(d.next(t, to, sixDigits.MatchString).text)
}

// next waits for a matching message to a recipient.
func (d deliveries) next(t *testing.T, to string, matches func(text string) bool) delivery {
	t.Helper()
	for deadline := time.After(testTimeout); ; {
		select {
		case m := <-d:
			if m.to == to && matches(m.text) {
				return m
			}
		case <-deadline:
			t.Fatalf("no matching message to %s", to)
		}
	}
}

const gatewayKey = "key-of-the-sms-gateway"

// newGateway starts an SMS gateway that verifies the signature, time and id of each message.
func newGateway(t *testing.T) (address string, received deliveries) {
	t.Helper()
	received = make(deliveries, 100)
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte(gatewayKey))
		mac.Write([]byte(r.Header.Get("X-Timestamp") + "." + string(raw)))
		var m struct{ ID, To, Text string }
		if err != nil || json.Unmarshal(raw, &m) != nil || r.Header.Get("X-Signature") != hex.EncodeToString(mac.Sum(nil)) || m.ID == "" || r.Header.Get("Idempotency-Key") != m.ID {
			http.Error(w, "refused", http.StatusBadRequest)
			return
		}
		received <- delivery{m.To, m.Text}
	}))
	t.Cleanup(g.Close)
	return g.URL, received
}

// A mailServer is an SMTP server.
type mailServer struct{ received deliveries }

func newMailServer(t *testing.T) (address string, received deliveries) {
	t.Helper()
	o := &mailServer{make(deliveries, 100)}
	server := smtp.NewServer(o)
	server.Domain = "mail.example"
	server.ErrorLog = log.New(io.Discard, "", 0) // it would log aborted connections
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return listener.Addr().String(), o.received
}

// NewSession implements smtp.Backend.
func (o *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &incomingMail{mailServer: o}, nil
}

// incomingMail implements smtp.Session.
type incomingMail struct {
	mailServer *mailServer
	to         string
}

func (l *incomingMail) Reset()                               {}
func (l *incomingMail) Logout() error                        { return nil }
func (l *incomingMail) Mail(string, *smtp.MailOptions) error { return nil }
func (l *incomingMail) Rcpt(to string, _ *smtp.RcptOptions) error {
	l.to = to
	return nil
}

func (l *incomingMail) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	text := m.Body
	if strings.EqualFold(m.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		text = quotedprintable.NewReader(m.Body)
	}
	raw, err := io.ReadAll(text)
	l.mailServer.received <- delivery{l.to, string(raw)}
	return err
}

const (
	clientID     = "fairground-client"
	clientSecret = "fairground-secret"
	publicURL    = "http://play.example"
)

// An issuer is an OpenID Connect issuer with discovery, authorization with PKCE, token endpoint and keys.
type issuer struct {
	*httptest.Server
	key *rsa.PrivateKey

	mu       sync.Mutex
	requests map[string]url.Values // by code
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{requests: map[string]url.Values{}}
	var err error
	if i.key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// authorize grants every valid request without a login page.
func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !strings.HasPrefix(q.Get("redirect_uri"), publicURL+"/") || q.Get("client_id") != clientID || q.Get("code_challenge_method") != "S256" || q.Get("state") == "" {
		http.Error(w, "refused", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	i.mu.Lock()
	i.requests[code] = q
	i.mu.Unlock()
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

// token exchanges a code once.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	q, found := i.requests[r.PostFormValue("code")]
	delete(i.requests, r.PostFormValue("code"))
	i.mu.Unlock()
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	digest := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !found || id != clientID || secret != clientSecret || base64.RawURLEncoding.EncodeToString(digest[:]) != q.Get("code_challenge") {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: i.key, KeyID: "k"}}, nil)
	if err != nil {
		panic(err)
	}
	claims, err := json.Marshal(map[string]any{
		"iss": i.URL, "aud": clientID, "sub": "person-7", "nonce": q.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	})
	if err != nil {
		panic(err)
	}
	object, err := signer.Sign(claims)
	if err != nil {
		panic(err)
	}
	signed, err := object.CompactSerialize()
	if err != nil {
		panic(err)
	}
	writeJSON(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 3600, "id_token": signed})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}
