package signin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// The cookie holds the encrypted flow. After the callback it holds the browserSecret, without which the ticket cannot be redeemed.
const cookieName = "outside"

const (
	loginPage = "/m/login"
	maxReturn = 512
)

// Routes adds the operations of this package. start and callback redirect the browser. again returns the URL as JSON, because only a fetch
// can send the session header.
func Routes(a *rest.API, s *Service) {
	for _, name := range []string{google, facebook} {
		limit := &ratelimit.Limit{Burst: 20, Every: 3 * time.Second}
		op := rest.Op{Method: http.MethodGet, Tag: "session", Access: rest.Public, ContentType: "text/html", Rate: limit}
		op.Path, op.ID = "/wps/session/outside/"+name+"/start", name+"Start"
		op.Summary = "Redirect the browser to the provider"
		op.Description = "Redirects with 302 to the provider. Redirects to " + loginPage + " if another site made the request. Query: return, a path of this site to return to."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.start(w, r, name) }))
		op.Path, op.ID = "/wps/session/outside/"+name+"/callback", name+"Callback"
		op.Summary = "Receive the browser from the provider"
		op.Description = "Redirects with 302 to " + loginPage + ", with outside=failed or with a ticket. The ticket is valid for one minute, for a login of type outside."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.callback(w, r, name) }))
		rest.Typed(a, rest.Op{
			Method: http.MethodPost, Path: "/wps/session/outside/" + name + "/again", ID: name + "Again", Tag: "session",
			Summary: "Start a new login at the provider, to prove the member's identity", Access: rest.Real, Rate: limit,
			Faults: []*fault.Fault{ErrFailed},
		}, func(ctx context.Context, in *reauthenticateInput) (redirectReply, error) {
			return s.reauthenticate(ctx, in, name)
		})
	}
}

type reauthenticateInput struct {
	Body struct {
		Return string `json:"return,omitempty" maxLength:"512" doc:"A path of this site to return to."`
	}
}

type redirectReply struct {
	Address string `json:"address" doc:"URL for the browser. It returns as after a login, with a ticket that only this member can use."`
}

// start redirects to the provider. It redirects to the login page if another site made the request (login CSRF).
func (s *Service) start(w http.ResponseWriter, r *http.Request, name string) {
	ctx := r.Context()
	returnPath := appPath(r.URL.Query().Get("return"))
	if isCrossSite(r) {
		to := loginPage
		if returnPath != "" {
			to += "?" + url.Values{"return": {returnPath}}.Encode()
		}
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	providerURL, err := s.startFlow(ctx, name, returnPath, 0)
	if err != nil {
		s.fail(w, r, name, returnPath, err)
		return
	}
	http.Redirect(w, r, providerURL, http.StatusFound) //nolint:gosec // the operator sets the URL
}

// isCrossSite reports whether another site made the request. It returns false for browsers that do not send the header.
func isCrossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	default:
		return true
	}
}

// reauthenticate starts a login that only the caller's member can complete.
func (s *Service) reauthenticate(ctx context.Context, in *reauthenticateInput, name string) (redirectReply, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return redirectReply{}, rest.ErrNoSession
	}
	providerURL, err := s.startFlow(ctx, name, appPath(in.Body.Return), caller.MemberID)
	return redirectReply{providerURL}, err
}

func (s *Service) startFlow(ctx context.Context, name, returnPath string, memberID int64) (string, error) {
	f := flow{
		Provider: name, MerchantID: rest.MerchantOf(ctx).ID, State: randomText(), Nonce: randomText(),
		Verifier: oauth2.GenerateVerifier(), Return: returnPath, MemberID: memberID,
	}
	p, ok := s.providers[name]
	on, err := s.o.Settings.FlagEnabled(ctx, f.MerchantID, flags[name])
	if err != nil {
		return "", err
	}
	if !ok || !on {
		return "", ErrFailed
	}
	providerURL, err := p.authURL(ctx, f)
	if err != nil {
		return "", ErrFailed.Because(err)
	}
	sealed, err := s.o.Keys.Seal(flowPurpose, f, flowLifetime)
	if err != nil {
		return "", err
	}
	// Lax, because the redirect back comes from the provider's site.
	setCookie(ctx, sealed, flowLifetime, http.SameSiteLaxMode)
	return providerURL, nil
}

func (s *Service) callback(w http.ResponseWriter, r *http.Request, name string) {
	ctx := r.Context()
	query := r.URL.Query()
	var f flow
	cookie, err := r.Cookie(cookieName)
	if err == nil {
		_, err = s.o.Keys.Unseal(flowPurpose, cookie.Value, &f)
	}
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	same := subtle.ConstantTimeCompare([]byte(f.State), []byte(query.Get("state"))) == 1
	p, ok := s.providers[name]
	if !ok || !same || f.Provider != name || query.Get("code") == "" {
		s.fail(w, r, name, f.Return, nil)
		return
	}
	who, err := p.identify(ctx, f, query.Get("code"))
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	browserSecret := randomText()
	digest := sha256.Sum256([]byte(browserSecret))
	token, err := s.o.Keys.Seal(ticketPurpose, ticket{
		Provider: name, Subject: who.Subject, Email: who.Email, MerchantID: f.MerchantID, Browser: digest[:], MemberID: f.MemberID,
	}, ticketLifetime)
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	setCookie(ctx, browserSecret, agreementLifetime, http.SameSiteStrictMode)
	to := url.Values{"ticket": {token}}
	if f.Return != "" {
		to.Set("return", f.Return)
	}
	http.Redirect(w, r, loginPage+"?"+to.Encode(), http.StatusFound)
}

func (s *Service) fail(w http.ResponseWriter, r *http.Request, name, returnPath string, err error) {
	var refusal *fault.Fault
	if errors.As(err, &refusal) {
		err = errors.Unwrap(refusal) // nil for an expected fault, such as a disabled provider
	}
	if err != nil {
		s.o.Log.WarnContext(r.Context(), "login through a provider failed: check its credentials and that it is reachable", "provider", name, "error", err)
	}
	setCookie(r.Context(), "", -time.Second, http.SameSiteLaxMode)
	to := url.Values{"outside": {"failed"}}
	if returnPath != "" {
		to.Set("return", returnPath)
	}
	http.Redirect(w, r, loginPage+"?"+to.Encode(), http.StatusFound)
}

func setCookie(ctx context.Context, value string, lifetime time.Duration, sameSite http.SameSite) {
	rest.SetCookie(ctx, &http.Cookie{ //nolint:gosec // SameSite is lax or strict; both are the callers' constants
		Name: cookieName, Value: value, Path: "/wps/session", MaxAge: int(lifetime.Seconds()),
		SameSite: sameSite, HttpOnly: true, Secure: true,
	})
}

// appPath returns path if it is a path of the app, and "" otherwise. This keeps redirects on the site.
func appPath(path string) string {
	if len(path) > maxReturn || !strings.HasPrefix(path, "/m/") || strings.ContainsAny(path, "\\\r\n\t") {
		return ""
	}
	return path
}
